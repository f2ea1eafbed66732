"""Remarks on the gold of a data folder: what a perfect model could not know, and what cannot be read."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from toolyard.benchmarks.mtu.data.hard_types import tool_inputs
from toolyard.benchmarks.mtu.data.rows import samples_by_dialogue
from toolyard.benchmarks.mtu.data.sample import MtuCall, MtuSample
from toolyard.benchmarks.mtu.scoring.baselines import oracle, required_parameters, tool_names
from toolyard.benchmarks.mtu.scoring.calls import calls_of
from toolyard.benchmarks.mtu.scoring.parse import parse
from toolyard.benchmarks.mtu.scoring.prompted_turn import turn_of
from toolyard.benchmarks.mtu.scoring.score import score
from toolyard.benchmarks.mtu.scoring.value_equality import reference_day, same_calls
from toolyard.benchmarks.mtu.scoring.value_sources import REFERENCE, PromptValues
from toolyard.core.benchmark import Finding
from toolyard.core.types import Completion, JsonValue, Record, Transcript


def audit(path: Path, samples: tuple[MtuSample, ...]) -> tuple[Finding, ...]:  # noqa: ARG001
    """Every defect and note, in file order."""
    findings = [*_repeated_ids(samples), *_differing_records(samples)]
    for sample in samples:
        for check in CHECKS:
            findings += check(sample)
    return tuple(findings)


def _repeated_ids(samples: Sequence[MtuSample]) -> Iterator[Finding]:
    counts = Counter(sample.id.split("#")[0] for sample in samples)
    for row_id, count in counts.items():
        if count > 1:
            yield Finding(row_id, f"the id stands at {count} rows; order and history distinguish them")


def _differing_records(samples: Sequence[MtuSample]) -> Iterator[Finding]:
    """Turns whose gold is not the call that the history of the next turn records for them."""
    for turns in samples_by_dialogue(samples).values():
        for turn, later in pairwise(turns):
            place, history = len(turn.input["history"]), later.input["history"]
            today = reference_day(turn.input["instructions"])
            gold = calls_of(turn.gold["calls"])
            if place < len(history) and not same_calls(calls_of(history[place]["calls"]), gold, today):
                yield Finding(
                    turn.id, "the next turn's history records another call than the gold one", "note"
                )


def _unreadable_gold(sample: MtuSample) -> Iterator[Finding]:
    if sample.gold["unreadable"]:
        yield Finding(sample.id, f"the gold answer cannot be read: {sample.gold['unreadable']}")


def _unlisted_tools(sample: MtuSample) -> Iterator[Finding]:
    listed = tool_names(sample.input["tools"])
    for call in sample.gold["calls"]:
        if call["name"] not in listed:
            near = [name for name in listed if name.lower() == call["name"].rstrip(".").lower()]
            hint = f"; listed is {near[0]}" if near else ""
            yield Finding(sample.id, f"the gold tool {call['name']!r} is not in the tool list{hint}")


def _empty_tool_list(sample: MtuSample) -> Iterator[Finding]:
    if not tool_names(sample.input["tools"]):
        yield Finding(sample.id, "the tool list holds no tool document")


def _undocumented_parameters(sample: MtuSample) -> Iterator[Finding]:
    shared = sample.input["shared_parameters"]
    for call in sample.gold["calls"]:
        if call["name"] not in tool_names(sample.input["tools"]):
            continue
        known = {str(each.get("name")) for each in tool_inputs(sample.input["tools"], call["name"])}
        known |= {str(entry.get("name") if isinstance(entry, dict) else entry) for entry in shared}
        unknown = [key for key in call["arguments"] if key not in known]
        if unknown:
            yield Finding(
                sample.id, f"{call['name']} has no documented parameter {', '.join(unknown)}", "note"
            )


def _ungrounded_values(sample: MtuSample) -> Iterator[Finding]:
    ground = PromptValues(sample.input)
    inferred = sample.gold.get("inferred", ())
    for call in sample.gold["calls"]:
        for key, value in call["arguments"].items():
            if str(value) not in inferred and not ground.holds(value):
                yield Finding(
                    sample.id, f"{call['name']}.{key} = {value!r} stands nowhere in the dialogue or documents"
                )


def _dangling_references(sample: MtuSample) -> Iterator[Finding]:
    """A value `Tool.field` must name an earlier call of the turn or of the history."""
    known = {call["name"] for turn in sample.input["history"] for call in turn["calls"]}
    listed = set(tool_names(sample.input["tools"]))
    for call in sample.gold["calls"]:
        for key, value in call["arguments"].items():
            for target in _referenced_tools(value):
                if target in listed and target not in known:
                    yield Finding(
                        sample.id, f"{call['name']}.{key} refers to {target}, which is not called before"
                    )
        known.add(call["name"])


def _undeclared_results(sample: MtuSample) -> Iterator[Finding]:
    """A value `Tool.field` must name a result that the tool's document declares."""
    turn = turn_of(sample)
    for call in sample.gold["calls"]:
        for key, value in call["arguments"].items():
            for text in value if isinstance(value, list) else [value]:
                if not isinstance(text, str) or not REFERENCE.fullmatch(text.strip()):
                    continue
                tool, _, field = text.strip().partition(".")
                if tool.casefold() in turn.tools and field.partition(".")[0] not in turn.results(tool):
                    yield Finding(
                        sample.id,
                        f"{call['name']}.{key} refers to {text.strip()}, which the document of {tool} does not return",
                        kind="undeclared_result",
                    )


def _missing_required(sample: MtuSample) -> Iterator[Finding]:
    for call in sample.gold["calls"]:
        lists = [
            _missing_parameters(document, call)
            for document in _documents_of_name(sample, call["name"].rstrip("."))
        ]
        if lists and all(lists):
            yield Finding(
                sample.id,
                f"{call['name']} is called without the required {', '.join(lists[0])}",
                kind="missing_required",
            )


def _documents_of_name(sample: MtuSample, name: str) -> list[Record]:
    """All documents of that name: two services may offer a tool of one name."""
    listed = sample.input["tools"]
    return [each for each in listed if isinstance(each, Mapping) and each.get("name") == name]


def _missing_parameters(document: Record, call: MtuCall) -> list[str]:
    """The required parameters that the call does not give, those with a documented default aside."""
    known = {str(each.get("name")): each for each in tool_inputs([document], str(document["name"]))}
    required = required_parameters([document], str(document["name"]))
    return [name for name in required if name not in call["arguments"] and "default" not in known[name]]


def _referenced_tools(value: JsonValue) -> Iterator[str]:
    texts = value if isinstance(value, list) else [value]
    for text in texts:
        if isinstance(text, str) and REFERENCE.fullmatch(text.strip()):
            yield text.split(".")[0].strip()


def _ends_on_assistant(sample: MtuSample) -> Iterator[Finding]:
    if sample.input["after"]:
        yield Finding(sample.id, "the prompt ends on an assistant's line instead of the user's", "note")


def _history_of_another_length(sample: MtuSample) -> Iterator[Finding]:
    turn, length = sample.gold["turn"], len(sample.input["history"])
    if turn != length and sample.input["kind"][0] == "M":
        yield Finding(sample.id, f"the id says turn {turn}, the history holds {length} turns", "note")


def _official_cannot_read_gold(sample: MtuSample) -> Iterator[Finding]:
    text = oracle(sample, (), random.Random(0))
    transcript = Transcript(sample.id, completions=(Completion(text),))
    result = score(sample, parse(sample, transcript, "official"), {}, "official")
    if result.values["right"] != 1:
        names = ", ".join(call.name for call in calls_of(sample.gold["calls"]))
        what = f"the released parser cannot read the gold answer ({names}); it scores 0 there"
        yield Finding(sample.id, what, kind="official_unreadable")


CHECKS: tuple[Callable[[MtuSample], Iterator[Finding]], ...] = (
    _unreadable_gold,
    _empty_tool_list,
    _unlisted_tools,
    _ungrounded_values,
    _dangling_references,
    _undeclared_results,
    _missing_required,
    _official_cannot_read_gold,
    _undocumented_parameters,
    _ends_on_assistant,
    _history_of_another_length,
)
