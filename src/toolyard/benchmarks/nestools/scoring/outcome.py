"""Whether an answer does what was asked: every tolerance a fair reader grants, none that a wrong answer can use.

The calls are gold's, no more and no fewer, in any order in which each has what it needs; `paper` already grants that,
label numbers and date forms. Beyond it: a return value is known by whatever the answer wrote under `responses` (not by
UNK, nothing, a copied document or words of the query), by `tool.value` and inside brackets; numbers, times and truth
values by meaning, with the unit that the query says; texts with words of the query around gold's, or in the query's own
words where gold says it otherwise; an argument without content, or equal to its documented default, as absent. Where
these rules refuse an answer to a row made from the world, `execution_evidence.py` asks what its calls return.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from toolyard.benchmarks.nestools.data.sample import NestoolsCall, NestoolsSample
from toolyard.benchmarks.nestools.scoring.graded_calls import Key, Offer, gold_nearest_answer, wanted_of
from toolyard.benchmarks.nestools.scoring.outcome_values import Flow, Query, query_of, same_value
from toolyard.benchmarks.nestools.scoring.parse import Calls, ParsedCall
from toolyard.core.nesting import mentions_label
from toolyard.core.types import JsonValue, Record
from toolyard.text.counted_nouns import how_many
from toolyard.text.json_values import leaves

NOTHING: tuple[JsonValue, ...] = (None, "", "UNK", "None", "null", "N/A")
SEARCH_STEPS = 2_000
_DEFAULT = re.compile(r"default(?:s to| value is| value:| is|:| =)\s*['\"]?([\w.-]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PredictedStep:
    """One predicted call: its tool, what it says, and what its return values are called."""

    key: Key
    arguments: Mapping[JsonValue, JsonValue]
    flow: Flow


def outcome_reason(sample: NestoolsSample, predicted: Calls) -> str:
    """Why the answer does not do what was asked; empty where it does."""
    wanted, query = wanted_of(sample), query_of(sample)
    called = [wanted.offer.key(call.name, call.tool_id) for call in predicted]
    gold = gold_nearest_answer(sample, called)
    keys = [step.key for step in gold.steps]
    made = set(called)
    missing = [call["api_name"] for call, key in zip(gold.written, keys, strict=True) if key not in made]
    if missing:
        return f"not called: {', '.join(missing)}"
    if len(called) != len(keys):
        return f"{how_many(len(called), 'call')}, wanted {len(keys)}"
    return steps_reason(sample, gold.written, keys, outcome_steps(predicted, called, wanted.offer, query))


def steps_reason(
    sample: NestoolsSample, gold: Sequence[NestoolsCall], keys: Sequence[Key], steps: Sequence[PredictedStep]
) -> str:
    """Why calls of the wanted tools are not the wanted calls; empty where they are."""
    return _pairing_difference(gold, keys, steps, OutcomeComparison(sample, query_of(sample)))


def outcome_steps(predicted: Calls, called: Sequence[Key], offer: Offer, query: Query) -> list[PredictedStep]:
    """The predicted calls with what they state: arguments without content and documented defaults are left out."""
    known: dict[str, tuple[int, frozenset[int]]] = {}
    steps = []
    for index, (call, key) in enumerate(zip(predicted, called, strict=True)):
        tool: Record = offer.tools[key] if isinstance(key, int) else {}
        arguments = {
            name: value
            for name, value in call.parameters.items()
            if not _says_nothing(tool, name, value) and not _is_default(tool, name, value)
        }
        steps.append(PredictedStep(key, arguments, Flow(dict(known))))
        for label, positions in _labels_of_call(call, list(tool.get("responses", ())), query).items():
            known[label] = (index, positions)
    return steps


def _says_nothing(tool: Record, name: JsonValue, value: JsonValue) -> bool:
    """Whether an argument has no content; a list without items, where one is required, says that there are none."""
    empty = isinstance(value, list | dict) and not [*leaves(value)]
    return value in NOTHING or (empty and name not in tool.get("required", ()))


def _is_default(tool: Record, name: JsonValue, value: JsonValue) -> bool:
    entry = tool.get("parameters", {}).get(name)
    said = _documented_default(str(entry.get("description", ""))) if isinstance(entry, Mapping) else None
    required = name in tool.get("required", ())
    return said is not None and not required and said == str(value).casefold()


@lru_cache(maxsize=8192)
def _documented_default(description: str) -> str | None:
    said = _DEFAULT.search(description)
    return None if said is None else said.group(1).casefold()


def _labels_of_call(call: ParsedCall, declared: Sequence[str], query: Query) -> dict[str, frozenset[int]]:
    """What the answer calls the return values of one call; a label may stand for several of them."""
    written = call.responses
    if isinstance(written, dict):
        places = {name: place for place, name in enumerate(declared)}
        named = all(name in places for name in written)
        pairs = [
            (places[name] if named else place, label) for place, (name, label) in enumerate(written.items())
        ]
    elif isinstance(written, list | tuple):
        pairs = list(enumerate(written))
    else:
        pairs = [(0, written)]
    found: dict[str, frozenset[int]] = {}
    for place, label in pairs:
        if isinstance(label, str) and query.is_label(label):
            found[label] = found.get(label, frozenset()) | {place}
    name = call.name.strip() if isinstance(call.name, str) else ""
    for place, value in enumerate(declared):
        found.setdefault(f"{name}.{value}", frozenset({place}))
    return found


@dataclass(frozen=True, slots=True)
class OutcomeComparison:
    """What tells predicted calls from gold's, by the value rules and what the record accepts beside."""

    sample: NestoolsSample
    query: Query

    def differences(
        self, gold: NestoolsCall, step: PredictedStep, matched: Mapping[int, int], column: int
    ) -> Iterator[tuple[str, str]]:
        """Every argument in which the call is not the gold one, with the reason; `matched` says what earlier ones are."""
        wanted = wanted_of(self.sample)
        beside = wanted.alternatives.of(column)
        tool: Record = wanted.offer.tools[step.key] if isinstance(step.key, int) else {}
        where = gold["api_name"]

        def fits_gold(name: str, *others: JsonValue) -> bool:
            return any(
                same_value(other, step.arguments[name], name, step.flow, matched, self.query)
                for other in (*others, *beside.values.get(name, ()))
            )

        for name, value in gold["parameters"].items():
            if name not in step.arguments:
                if name not in beside.absent and not _is_default(tool, name, value):
                    yield name, f"{where}.{name} is not filled"
            elif _is_repeated(value, step.arguments[name]) or name in beside.free:
                continue
            elif not fits_gold(name, value):
                yield name, f"{where}.{name} is {step.arguments[name]!r}, wanted {value!r}"
        for given in step.arguments:
            if given in gold["parameters"] or given in beside.free or _is_unmarked(tool, given, step):
                continue
            if not fits_gold(str(given)):
                yield str(given), f"{where}.{given} is filled but not wanted"


def _is_repeated(gold: JsonValue, given: JsonValue) -> bool:
    """Whether a text or number without labels stands as gold has it, which is most often so."""
    return (
        type(gold) is type(given)
        and gold == given
        and isinstance(gold, str | int | float)
        and not mentions_label(gold)
    )


def _is_unmarked(tool: Record, name: JsonValue, step: PredictedStep) -> bool:
    """Whether a truth value that may be left out is false, and no document says that it is true then."""
    entry = tool.get("parameters", {}).get(name)
    described = isinstance(entry, Mapping) and "default" not in entry and str(entry.get("type")) == "bool"
    return described and name not in tool.get("required", ()) and step.arguments[name] is False


def _pairing_difference(
    gold: Sequence[NestoolsCall],
    keys: Sequence[Key],
    steps: Sequence[PredictedStep],
    comparison: OutcomeComparison,
) -> str:
    """Why no pairing makes both the same call graph; empty where one does. Calls refer to earlier ones only."""
    first_reason, searched = "", 0
    pending: list[dict[int, int]] = [{}]
    while pending and searched < SEARCH_STEPS:
        matched = pending.pop()
        row = len(matched)
        if row == len(steps):
            return ""
        for column in reversed(range(len(gold))):
            if keys[column] != steps[row].key or column in matched.values():
                continue
            searched += 1
            _, reason = next(comparison.differences(gold[column], steps[row], matched, column), ("", ""))
            if reason:
                first_reason = first_reason or reason
            else:
                pending.append({**matched, row: column})
    return first_reason or "the calls are not the wanted ones"
