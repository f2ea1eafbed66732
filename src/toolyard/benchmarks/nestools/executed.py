"""What is to be executed before an answer is called wrong: its calls and gold's, with labels as return values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from toolyard.benchmarks.execution_verdict import (
    StatedCall,
    execution_question,
    stated_values,
    unstated_wish,
)
from toolyard.benchmarks.nestools.graded_calls import Key, to_the_letter, wanted_of
from toolyard.benchmarks.nestools.outcome import PredictedStep, outcome_steps, steps_reason
from toolyard.benchmarks.nestools.outcome_values import query_of
from toolyard.benchmarks.nestools.parse import Calls
from toolyard.benchmarks.nestools.sample import NestoolsSample
from toolyard.core.nesting import LABEL, references, texts
from toolyard.core.per_object import PerObject
from toolyard.core.types import Failure, JsonValue, Question, Record


def executions(sample: NestoolsSample, prediction: Calls | Failure) -> tuple[Question, ...]:
    """The question about an answer that calls gold's tools, states gold's wishes, and is refused by the value rules."""
    row, wanted = sample.gold.get("execution"), wanted_of(sample)
    if row is None or isinstance(prediction, Failure) or len(prediction) != len(row["tools"]):
        return ()
    keys = [wanted.offer.key(call.name, call.tool_id) for call in prediction]
    if Counter(keys) != Counter(wanted.keys) or to_the_letter(prediction, wanted):
        return ()
    steps = outcome_steps(prediction, keys, wanted.offer, query_of(sample))
    gold = gold_plan(sample)
    said = stated_values(gold)

    def unstated(place: int, call: StatedCall) -> str:
        beside = wanted.alternatives.of(place)
        return unstated_wish(gold[place], call, _documents(sample, call.tool), beside, said)

    asked = execution_question(row, gold, [_stated(step, keys, sample) for step in steps], unstated)
    return asked if asked and steps_reason(sample, sample.gold["calls"], wanted.keys, steps) else ()


def _documents(sample: NestoolsSample, key: Key) -> Mapping[str, Record]:
    """What the documents say of a tool's parameters."""
    if not isinstance(key, int):
        return {}
    entries = wanted_of(sample).offer.tools[key]["parameters"]
    return {name: entry for name, entry in entries.items() if isinstance(entry, Mapping)}


def _gold_plan(sample: NestoolsSample) -> tuple[StatedCall, ...]:
    keys, sources = wanted_of(sample).keys, query_of(sample).producers
    plan = []
    for key, call in zip(keys, sample.gold["calls"], strict=True):
        labels = {
            label: (
                sources[label].call,
                _return_name(sample, keys[sources[label].call], sources[label].position),
            )
            for label in references(call["parameters"])
            if label in sources
        }
        plan.append(StatedCall(key, call["parameters"], labels))
    return tuple(plan)


gold_plan: PerObject[NestoolsSample, tuple[StatedCall, ...]] = PerObject(_gold_plan)


def _return_name(sample: NestoolsSample, key: Key, position: int) -> str:
    """The declared name of a return value, empty where the tool has none there."""
    names = [*wanted_of(sample).offer.returns(key)]
    return names[position] if position < len(names) else ""


def _stated(step: PredictedStep, keys: list[Key], sample: NestoolsSample) -> StatedCall:
    labels = {}
    for text in texts([*step.arguments.values()]):
        for label in (text, *LABEL.findall(text)):
            found = step.flow.source(label)
            if found is not None:
                place = min(used_returns(sample).get(keys[found[0]], frozenset()) & found[1] or found[1])
                labels[label] = (found[0], _return_name(sample, keys[found[0]], place))
    arguments: dict[str, JsonValue] = {str(name): value for name, value in step.arguments.items()}
    return StatedCall(step.key, arguments, labels)


def _used_returns(sample: NestoolsSample) -> dict[Key, frozenset[int]]:
    """The places of the return values that gold uses, by tool: a label may be written for several at once."""
    keys, sources = wanted_of(sample).keys, query_of(sample).producers
    named = {label for call in sample.gold["calls"] for label in references(call["parameters"])}
    found: dict[Key, frozenset[int]] = {}
    for source in [sources[label] for label in named if label in sources]:
        found[keys[source.call]] = found.get(keys[source.call], frozenset()) | {source.position}
    return found


used_returns: PerObject[NestoolsSample, dict[Key, frozenset[int]]] = PerObject(_used_returns)
