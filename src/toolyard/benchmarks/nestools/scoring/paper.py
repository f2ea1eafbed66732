"""The paper's definitions (section 4.2 and appendix B.1) without the quirks of the released code.

Tools are told apart by name or id, calls of one tool are matched so that most parameters agree, and every
placeholder is followed to the return value it stands for, so that numbering never matters.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from toolyard.benchmarks.nestools.data.sample import NestoolsCall, NestoolsSample
from toolyard.benchmarks.nestools.scoring.graded_calls import (
    GradedCall,
    Key,
    WantedRecord,
    comparable_steps,
    gold_nearest_answer,
    wanted_of,
)
from toolyard.benchmarks.nestools.scoring.pairing import (
    Matching,
    best_matching,
    find_equivalence,
    same_if_paired,
)
from toolyard.benchmarks.nestools.scoring.parse import Calls
from toolyard.core.nesting import mentions_label
from toolyard.core.types import Counts, JsonValue, Record
from toolyard.text.matching import bigrams, multiset_intersection


class PaperGrading(NamedTuple):
    """What one answer earned, and the matching (gold by predicted call) that explains it."""

    counts: Mapping[str, Counts]
    matched: Matching
    outcome: bool
    written: Sequence[NestoolsCall]
    gold: tuple[GradedCall, ...]
    predicted: tuple[GradedCall, ...]
    # the arguments of each matched call that are right or rightly left out, by predicted call
    right: Mapping[int, Collection[JsonValue]] = MappingProxyType({})
    # nothing but the order of calls can be other than gold's
    without_loss: bool = False


def grade(sample: NestoolsSample, predicted: Calls) -> PaperGrading:
    """The four counts of one well-formed answer."""
    wanted = wanted_of(sample)
    steps = comparable_steps(predicted, wanted)
    if steps is wanted.calls:
        # What else the data accept cannot make gold itself worth less.
        counts = _equivalent_counts(wanted, wanted.keys)
        return PaperGrading(
            counts, _match_in_order(len(steps)), True, sample.gold["calls"], steps, steps, without_loss=True
        )
    keys = [step.key for step in steps]
    found = gold_nearest_answer(sample, keys)
    gold = found.steps
    isomorphism = find_equivalence(gold, steps)
    if isomorphism is not None and wanted.only_gold:
        counts = _equivalent_counts(wanted, keys)
        return PaperGrading(counts, isomorphism, True, found.written, gold, steps, without_loss=True)
    matched = isomorphism if isomorphism is not None else best_matching(gold, steps)
    wanted_keys = wanted.keys if gold is wanted.calls else [step.key for step in gold]
    arguments = _argument_counts(gold, steps, matched)
    counts = {
        "selection": Counts(multiset_intersection(keys, wanted_keys), len(steps), len(gold)),
        "order": _order_counts(wanted, gold, keys, matched),
        "parameter": arguments.parameter,
        "nested": arguments.nested,
    }
    return PaperGrading(counts, matched, isomorphism is not None, found.written, gold, steps, arguments.right)


def _match_in_order(calls: int) -> Matching:
    """The matching of an answer that makes gold's calls in gold's order."""
    return {call: call for call in range(calls)}


def _equivalent_counts(wanted: WantedRecord, keys: Sequence[Key]) -> dict[str, Counts]:
    """The counts of an answer that is gold but for order and numbering: only pairs of neighbours can be lost."""
    calls, arguments, nested = len(keys), wanted.arguments, wanted.nested
    shared = len(wanted.pairs)
    if keys != wanted.keys:
        shared = multiset_intersection(bigrams(keys), wanted.pairs)
    return {
        "selection": Counts(calls, calls, calls),
        "order": Counts(shared, max(0, calls - 1), calls - 1),
        "parameter": Counts(arguments, arguments, arguments),
        "nested": Counts(nested, nested, nested),
    }


def _order_counts(
    wanted: WantedRecord, gold: Sequence[GradedCall], keys: Sequence[Key], matched: Matching
) -> Counts:
    made = bigrams(keys)
    pairs = wanted.pairs if gold is wanted.calls else bigrams([step.key for step in gold])
    shared = multiset_intersection(made, pairs)
    # Gold's calls in the answer's order may share more pairs, where there are more to share.
    if wanted.alternatives.free_order and matched and shared < min(len(made), len(pairs)):
        free = [gold[place].key for place in _order_as_called(wanted, len(gold), matched)]
        shared = max(shared, multiset_intersection(made, bigrams(free)))
    return Counts(shared, max(0, len(keys) - 1), len(gold) - 1)


def _order_as_called(wanted: WantedRecord, calls: int, matched: Matching) -> list[int]:
    """The gold calls in the answer's own order as far as every call has what it needs by then."""
    place_of = {column: row for row, column in matched.items()}
    # By where the answer makes them: the first that has all it needs is the next.
    left = sorted(range(calls), key=lambda call: (place_of.get(call, calls), call))
    order: list[int] = []
    made: set[int] = set()
    while left:
        ready = next(call for call in left if wanted.needs[call] <= made)
        left.remove(ready)
        order.append(ready)
        made.add(ready)
    return order


class ArgumentCounts(NamedTuple):
    """Parameters, nested parameters, and which arguments of each matched call are right or rightly left out."""

    parameter: Counts
    nested: Counts
    right: Mapping[int, Collection[JsonValue]]


def _argument_counts(
    gold: Sequence[GradedCall], steps: Sequence[GradedCall], matched: Matching
) -> ArgumentCounts:
    """Parameters and nested parameters; what the data accept beside gold is neither missing nor surplus."""
    given = nested_given = wanted = nested_wanted = hits = nested_hits = 0
    for step in steps:
        given += len(step.arguments)
        nested_given += len(step.nested)
    for step in gold:
        wanted += len(step.arguments)
        nested_wanted += len(step.nested)
    same = same_if_paired(matched)
    right: dict[int, Collection[JsonValue]] = {}
    for row, column in matched.items():
        want, made = gold[column], steps[row]
        names: list[JsonValue] = []
        for name, value in made.arguments.items():
            if not want.accepts(name, value, same):
                continue
            names.append(name)
            if name in want.arguments:
                hits += 1
                # A right value counts as what gold has there, a label or not.
                nested_hits += name in want.nested
                nested_given += (name in want.nested) - (name in made.nested)
            else:
                given -= 1
                nested_given -= name in made.nested
        for name in want.absent:
            if name not in made.arguments:
                names.append(name)
                wanted -= name in want.arguments
                nested_wanted -= name in want.nested
        right[row] = names
    return ArgumentCounts(
        Counts(hits, given, wanted), Counts(nested_hits, nested_given, nested_wanted), right
    )


def gold_counts(
    gold: Sequence[Record], is_nested: Callable[[JsonValue], bool] = mentions_label
) -> dict[str, Counts]:
    """The counts of an answer that cannot be read: everything wanted, nothing predicted."""
    return {
        "selection": Counts(gold=len(gold)),
        "order": Counts(gold=len(gold) - 1),
        "parameter": Counts(gold=sum(len(call["parameters"]) for call in gold)),
        "nested": Counts(
            gold=sum(is_nested(value) for call in gold for value in call["parameters"].values())
        ),
    }
