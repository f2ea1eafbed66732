"""The paper's definitions (section 4.2 and appendix B.1) without the quirks of the released code.

Tools are told apart by name or id, calls of one tool are matched so that most parameters agree, and every
placeholder is followed to the return value it stands for, so that numbering never matters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from toolyard.benchmarks.nestools.data import offered_tools
from toolyard.benchmarks.nestools.parse import Calls, ParsedCall
from toolyard.benchmarks.nestools.value_equality import Normal, equal, normal
from toolyard.core.nesting import ReturnValue, is_label, references
from toolyard.core.types import Counts, Json, Sample
from toolyard.text.matching import bigrams, maximum_weight_matching, multiset_intersection

SEARCH_STEPS = 20_000
ROUNDS = 3
IN_ORDER = 1e-6

Key: TypeAlias = Hashable
Matching: TypeAlias = dict[int, int]
Returns: TypeAlias = Sequence[tuple[int, str]]
Same: TypeAlias = Callable[[ReturnValue, ReturnValue], bool]


@dataclass(frozen=True, slots=True)
class GradedCall:
    """One call ready for comparison: which tool, and its arguments in normal form."""

    key: Key
    arguments: Mapping[Json, Normal]
    nested: frozenset[Json]


@dataclass(frozen=True, slots=True)
class PaperGrading:
    """What one answer earned, and the matching (gold by predicted call) that explains it."""

    counts: Mapping[str, Counts]
    matched: Matching
    outcome: bool
    gold: tuple[GradedCall, ...]
    predicted: tuple[GradedCall, ...]

    def agrees(self, row: int, name: Json) -> bool:
        """Whether the matched call's argument of that name is right."""
        gold = self.gold[self.matched[row]].arguments
        made = self.predicted[row].arguments
        return name in gold and name in made and equal(gold[name], made[name], _resolved(self.matched))


class Offer:
    """The tools of a prompt, found by name and by id."""

    def __init__(self, sample: Sample) -> None:
        self.tools = offered_tools(sample)
        # Backwards, so that the gold tools, which stand first, win over a distractor of the same name.
        self.by_name = {self.tools[i]["api_name"]: i for i in reversed(range(len(self.tools)))}
        self.by_id = {plain_id(self.tools[i]["api_id"]): i for i in reversed(range(len(self.tools)))}

    def key(self, name: Json, tool_id: Json) -> Key:
        """The offered tool: by its name, or by its id where no offered tool has that name."""
        if isinstance(name, str) and name.strip() in self.by_name:
            return self.by_name[name.strip()]
        number = plain_id(tool_id)
        if number in self.by_id:
            return self.by_id[number]
        return ("not offered", name if isinstance(name, str) else repr(name), number)

    def returns(self, key: Key) -> list[str]:
        """Names of the tool's return values, in declared order."""
        return list(self.tools[key]["responses"]) if isinstance(key, int) else []


def plain_id(tool_id: Json) -> str:
    """An id as text, so that 9031, 9031.0 and "9031" are one id."""
    if isinstance(tool_id, float) and tool_id.is_integer():
        return str(int(tool_id))
    return str(tool_id).strip()


def grade(sample: Sample, predicted: Calls) -> PaperGrading:
    """The four counts and the outcome of one well-formed answer."""
    offer = Offer(sample)
    gold = gold_steps(sample, offer)
    steps = predicted_steps(predicted, offer)
    isomorphism = equivalent(gold, steps)
    matched = isomorphism if isomorphism is not None else best_matching(gold, steps)
    hits = [
        (name, name in gold[column].nested)
        for row, column in matched.items()
        for name in _agreeing(gold[column], steps[row], _resolved(matched))
    ]
    wanted = gold_counts(gold)
    counts = {
        "selection": _counts(
            multiset_intersection([s.key for s in steps], [s.key for s in gold]),
            len(steps),
            wanted["selection"],
        ),
        "order": _counts(
            multiset_intersection(bigrams([s.key for s in steps]), bigrams([s.key for s in gold])),
            max(0, len(steps) - 1),
            wanted["order"],
        ),
        "parameter": _counts(len(hits), sum(len(s.arguments) for s in steps), wanted["parameter"]),
        "nested": _counts(
            sum(nested for _, nested in hits), sum(len(s.nested) for s in steps), wanted["nested"]
        ),
    }
    return PaperGrading(counts, matched, isomorphism is not None, gold, steps)


def _counts(matched: int, predicted: int, wanted: Counts) -> Counts:
    return Counts(matched, predicted, wanted.gold)


def gold_counts(gold: Sequence[GradedCall]) -> dict[str, Counts]:
    """The counts of an answer that cannot be read: everything wanted, nothing predicted."""
    return {
        "selection": Counts(gold=len(gold)),
        "order": Counts(gold=len(gold) - 1),
        "parameter": Counts(gold=sum(len(step.arguments) for step in gold)),
        "nested": Counts(gold=sum(len(step.nested) for step in gold)),
    }


def gold_steps(sample: Sample, offer: Offer) -> tuple[GradedCall, ...]:
    """The gold calls ready for comparison."""
    return _steps(
        (offer.key(call["api_name"], None), call["parameters"], tuple(enumerate(call["responses"])))
        for call in sample.gold["calls"]
    )


def predicted_steps(calls: Calls, offer: Offer) -> tuple[GradedCall, ...]:
    """The predicted calls ready for comparison."""
    keys = [offer.key(call.name, call.tool_id) for call in calls]
    return _steps(
        (key, call.parameters, labelled_returns(call, offer.returns(key)))
        for key, call in zip(keys, calls, strict=True)
    )


def _steps(calls: Iterable[tuple[Key, Mapping[Json, Json], Returns]]) -> tuple[GradedCall, ...]:
    """A label means its latest earlier definition; a call repeated in full returns what the first did."""
    known: dict[str, ReturnValue] = {}
    firsts: dict[tuple[Key, frozenset[tuple[Json, Normal]]], int] = {}
    steps = []
    for index, (key, arguments, returns) in enumerate(calls):
        normals = {name: normal(value, known.get) for name, value in arguments.items()}
        nested = frozenset(name for name, value in arguments.items() if references(value))
        steps.append(GradedCall(key, normals, nested))
        first = firsts.setdefault((key, frozenset(normals.items())), index)
        known.update((name, ReturnValue(first, position)) for position, name in returns)
    return tuple(steps)


def labelled_returns(call: ParsedCall, declared: Sequence[str]) -> Returns:
    """The (position, label) pairs of a call: by declared name where all names are declared, else by place."""
    if isinstance(call.responses, dict):
        pairs = list(call.responses.items())
        by_name = {name: position for position, name in enumerate(declared)}
        if all(name in by_name for name, _ in pairs):
            return [(by_name[name], label) for name, label in pairs if is_label(label)]
        return [(position, label) for position, (_, label) in enumerate(pairs) if is_label(label)]
    if isinstance(call.responses, list | tuple):
        return [(position, label) for position, label in enumerate(call.responses) if is_label(label)]
    return [(0, call.responses)] if is_label(call.responses) else []


def _resolved(matched: Mapping[int, int]) -> Same:
    return partial(_same_return, matched)


def _same_return(matched: Mapping[int, int], gold: ReturnValue, predicted: ReturnValue) -> bool:
    return matched.get(predicted.call) == gold.call and predicted.position == gold.position


def _agreeing(gold: GradedCall, predicted: GradedCall, same: Same) -> list[Json]:
    wanted = gold.arguments
    return [
        name
        for name, value in predicted.arguments.items()
        if name in wanted and equal(wanted[name], value, same)
    ]


def equivalent(gold: Sequence[GradedCall], predicted: Sequence[GradedCall]) -> Matching | None:
    """A pairing under which both are the same call graph, or None; call order and label numbers are free.

    A predicted call refers to earlier ones only, so each can be decided when its turn comes. The search
    gives up after `SEARCH_STEPS`, which only many equal calls of one tool can reach.
    """
    if len(gold) != len(predicted):
        return None
    matched: Matching = {}
    untried: list[list[int]] = []
    for _ in range(SEARCH_STEPS):
        if len(untried) == len(matched):
            if len(matched) == len(gold):
                return matched
            untried.append(_fitting(gold, predicted[len(matched)], matched))
        if untried[-1]:
            matched[len(untried) - 1] = untried[-1].pop(0)
            continue
        untried.pop()
        if not untried:
            return None
        del matched[len(untried) - 1]
    return None


def _fitting(gold: Sequence[GradedCall], step: GradedCall, matched: Matching) -> list[int]:
    """The free gold calls that the predicted one equals, given what is paired so far."""
    taken = set(matched.values())
    same = _resolved(matched)
    return [
        index
        for index, wanted in enumerate(gold)
        if index not in taken
        and wanted.key == step.key
        and len(wanted.arguments) == len(step.arguments)
        and len(_agreeing(wanted, step, same)) == len(step.arguments)
    ]


def best_matching(gold: Sequence[GradedCall], predicted: Sequence[GradedCall]) -> Matching:
    """Calls of the same tool paired so that most arguments agree, earlier with earlier on ties.

    Whether a placeholder agrees depends on the pairing itself. The first round takes placeholders for right
    when tool and position agree; the next ones follow the pairing found so far while that helps.
    """
    groups = _same_tool(gold, predicted)

    def same_tool(wanted: ReturnValue, made: ReturnValue) -> bool:
        return gold[wanted.call].key == predicted[made.call].key and wanted.position == made.position

    best = _paired(gold, predicted, groups, same_tool)
    if all(len(rows) == len(columns) == 1 for rows, columns in groups):
        return best
    score = _total(gold, predicted, best)
    for _ in range(ROUNDS):
        candidate = _paired(gold, predicted, groups, _resolved(best))
        reached = _total(gold, predicted, candidate)
        if reached <= score:
            break
        best, score = candidate, reached
    return best


def _same_tool(
    gold: Sequence[GradedCall], predicted: Sequence[GradedCall]
) -> list[tuple[list[int], list[int]]]:
    rows: dict[Key, list[int]] = defaultdict(list)
    columns: dict[Key, list[int]] = defaultdict(list)
    for index, step in enumerate(predicted):
        rows[step.key].append(index)
    for index, step in enumerate(gold):
        columns[step.key].append(index)
    return [(rows[key], columns[key]) for key in rows if key in columns]


def _paired(
    gold: Sequence[GradedCall],
    predicted: Sequence[GradedCall],
    groups: Sequence[tuple[list[int], list[int]]],
    same: Same,
) -> Matching:
    matched: Matching = {}
    for rows, columns in groups:
        weights = [
            [
                len(_agreeing(gold[column], predicted[row], same)) - IN_ORDER * abs(i - j)
                for j, column in enumerate(columns)
            ]
            for i, row in enumerate(rows)
        ]
        pairs = {0: 0} if len(rows) == len(columns) == 1 else maximum_weight_matching(weights)
        matched.update((rows[i], columns[j]) for i, j in pairs.items())
    return dict(sorted(matched.items()))


def _total(gold: Sequence[GradedCall], predicted: Sequence[GradedCall], matched: Matching) -> int:
    same = _resolved(matched)
    return sum(len(_agreeing(gold[column], predicted[row], same)) for row, column in matched.items())
