"""What is to be executed before an answer is called wrong: its calls and gold's, with labels as return values."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from toolyard.benchmarks.execution_verdict import StatedCall, execution_question, unstated_wish, used_names
from toolyard.benchmarks.nestools.data.sample import NestoolsSample
from toolyard.benchmarks.nestools.scoring.graded_calls import Key, is_verbatim, wanted_of
from toolyard.benchmarks.nestools.scoring.outcome import (
    OutcomeComparison,
    PredictedStep,
    outcome_steps,
    steps_reason,
)
from toolyard.benchmarks.nestools.scoring.outcome_values import query_of
from toolyard.benchmarks.nestools.scoring.parse import Calls
from toolyard.core.cache_by_object import PerObject
from toolyard.core.nesting import LABEL, labels_in, texts_in
from toolyard.core.types import Failure, JsonValue, Question, Record


def execution_questions(sample: NestoolsSample, prediction: Calls | Failure) -> tuple[Question, ...]:
    """The question about an answer that calls gold's tools, states gold's wishes, and is refused by the value rules."""
    row, wanted = sample.gold.get("execution"), wanted_of(sample)
    if row is None or isinstance(prediction, Failure) or len(prediction) != len(row["tools"]):
        return ()
    keys = [wanted.offer.key(call.name, call.tool_id) for call in prediction]
    if Counter(keys) != Counter(wanted.keys) or is_verbatim(prediction, wanted):
        return ()
    steps = outcome_steps(prediction, keys, wanted.offer, query_of(sample))
    made = [_stated_call(step, keys, sample) for step in steps]
    paired = _pair_calls(sample, steps, made)
    given = [_normalise_arguments(sample, made[row], row, paired) for row in range(len(steps))]
    places = [place for place, _ in paired]
    order = _in_gold_order(given, places)
    given = [
        replace(call, labels={label: (order.index(at), name) for label, (at, name) in call.labels.items()})
        for call in map(given.__getitem__, order)
    ]
    places = [places[at] for at in order]
    asked = execution_question(row, gold_plan(sample), given, places, partial(_unstated_wish, sample))
    return asked if asked and steps_reason(sample, sample.gold["calls"], wanted.keys, steps) else ()


def _in_gold_order(given: Sequence[StatedCall], places: Sequence[int]) -> list[int]:
    """The rows of the calls in gold's order, as far as each has what it needs: what is drawn by chance depends on it."""
    needs = [{source for source, _ in call.labels.values()} for call in given]
    if any(max(sources, default=-1) >= row for row, sources in enumerate(needs)):
        return [*range(len(given))]
    order: list[int] = []
    while len(order) < len(given):
        ready = (row for row in range(len(given)) if row not in order and needs[row] <= {*order})
        order.append(min(ready, key=places.__getitem__))
    return order


def _pair_calls(
    sample: NestoolsSample, steps: Sequence[PredictedStep], made: Sequence[StatedCall]
) -> list[tuple[int, frozenset[str]]]:
    """The gold call that each call stands for, the one that it differs from in the fewest arguments, and these."""
    comparison, gold = OutcomeComparison(sample, query_of(sample)), sample.gold["calls"]
    matched: dict[int, int] = {}
    found = []
    for row, step in enumerate(steps):
        left = [
            place
            for place, key in enumerate(wanted_of(sample).keys)
            if key == step.key and place not in matched.values()
        ]
        differing = {
            place: frozenset(name for name, _ in comparison.differences(gold[place], step, matched, place))
            for place in left
        }
        fewest = min(map(len, differing.values()))
        nearest = [place for place in left if len(differing[place]) == fewest]
        # Where one is left, what it states need not be asked.
        stating = (place for place in nearest if not _unstated_wish(sample, place, made[row]))
        matched[row] = nearest[0] if len(nearest) == 1 else next(stating, nearest[0])
        found.append((matched[row], differing[matched[row]]))
    return found


def _normalise_arguments(
    sample: NestoolsSample, made: StatedCall, row: int, paired: Sequence[tuple[int, frozenset[str]]]
) -> StatedCall:
    """The call with gold's value for each argument that is right; only the others are executed as they are written."""
    place, differing = paired[row]
    gold = gold_plan(sample)[place]
    rows = {column: index for index, (column, _) in enumerate(paired)}
    # An answer may use gold's labels for other return values.
    names = {label: f"gold {label}" for label in gold.labels}
    others = wanted_of(sample).alternatives.of(place).values
    written = {
        name
        for name, value in made.arguments.items()
        # What the record accepts may mean something else beside an argument that it does not know.
        if name in differing
        or (differing and name not in gold.arguments)
        or (differing and not labels_in(value) and value in others.get(name, ()))
    }
    arguments = {
        **{
            name: _rename_labels(value, names)
            for name, value in gold.arguments.items()
            if name not in written and (name in made.arguments or name not in differing)
        },
        **{name: made.arguments[name] for name in sorted(written)},
    }
    labels = {names[label]: (rows[source], name) for label, (source, name) in gold.labels.items()}
    # A company may be looked up by the ticker that later calls take.
    changed = [str(made.arguments.get(name, "")) for name in differing & gold.arguments.keys()]
    used = used_names(gold_plan(sample), place) if differing and len(changed) < 2 and all(changed) else ()
    return StatedCall(made.tool, arguments, {**made.labels, **labels}, used, "".join(changed))


def _rename_labels(value: JsonValue, names: Mapping[str, str]) -> JsonValue:
    if isinstance(value, str):
        return LABEL.sub(lambda found: names.get(found.group(), found.group()), value)
    if isinstance(value, list):
        return [_rename_labels(item, names) for item in value]
    return (
        {key: _rename_labels(item, names) for key, item in value.items()}
        if isinstance(value, dict)
        else value
    )


def _unstated_wish(sample: NestoolsSample, place: int, call: StatedCall) -> str:
    gold = gold_plan(sample)
    return unstated_wish(
        gold[place], call, _parameter_documents(sample, call.tool), gold, query_of(sample).text
    )


def _parameter_documents(sample: NestoolsSample, key: Key) -> Mapping[str, Record]:
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
            for label in labels_in(call["parameters"])
            if label in sources
        }
        plan.append(StatedCall(key, call["parameters"], labels))
    return tuple(plan)


gold_plan: PerObject[NestoolsSample, tuple[StatedCall, ...]] = PerObject(_gold_plan)


def _return_name(sample: NestoolsSample, key: Key, position: int) -> str:
    """The declared name of a return value, empty where the tool has none there."""
    names = [*wanted_of(sample).offer.returns(key)]
    return names[position] if position < len(names) else ""


def _stated_call(step: PredictedStep, keys: Sequence[Key], sample: NestoolsSample) -> StatedCall:
    labels = {}
    for text in texts_in([*step.arguments.values()]):
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
    named = {label for call in sample.gold["calls"] for label in labels_in(call["parameters"])}
    found: dict[Key, frozenset[int]] = {}
    for source in [sources[label] for label in named if label in sources]:
        found[keys[source.call]] = found.get(keys[source.call], frozenset()) | {source.position}
    return found


used_returns: PerObject[NestoolsSample, dict[Key, frozenset[int]]] = PerObject(_used_returns)
