"""What was said and observed before a call: which of its values stand there, and which refer to an earlier call."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from toolyard.benchmarks.mtu.hard_types import parameters_of
from toolyard.benchmarks.mtu.synth.corpora.sgd_calendar import TODAY
from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import (
    Document,
    StandardCall,
    StandardTurn,
    Values,
)
from toolyard.benchmarks.mtu.value_sources import PromptValues
from toolyard.core.types import JsonValue, Record
from toolyard.text.meaning import canonical

_TELLING = re.compile(r"[^\W\d_]{4}")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")


class Heard(PromptValues):
    """What was said and observed before a call, without the documents."""

    def said(self, value: JsonValue) -> bool:
        """Whether the value was said or observed; yes and no count as said."""
        return self.in_turn(value) or self.only_in_history(value) or canonical(value)[0] == "truth"


def ground_of(turn: StandardTurn, history: Sequence[StandardTurn]) -> Heard:
    """All that comes before the calls of a turn, as the rules of the benchmark see a prompt."""
    past = [
        {
            "user": _whole_numbers(each.user),
            "calls": [{"name": call.name, "arguments": call.arguments} for call in each.calls],
            "observation": observed(each.calls),
            "assistant": _whole_numbers(each.assistant),
        }
        for each in history
    ]
    prompt = {"user": _whole_numbers(turn.user), "history": past, "tools": [], "shared_parameters": []}
    return Heard({"instructions": f"Today is {TODAY}.", **prompt})


def observed(calls: Sequence[StandardCall]) -> str:
    """What the calls of a turn returned, as one line of JSON; that of several calls under their names."""
    if not calls:
        return ""
    found = {call.name: call.observation for call in calls}
    return json.dumps(calls[0].observation if len(calls) == 1 else found, ensure_ascii=False)


def ungrounded(
    turn: StandardTurn, history: Sequence[StandardTurn], documents: Sequence[Document]
) -> Iterator[str]:
    """The parameters of a turn whose values stand nowhere before the call."""
    if not turn.calls:
        return
    ground = ground_of(turn, history)
    for call in turn.calls:
        known = turn.known.get(call.name, {})
        implied = {str(each.get("name")): _implied(each) for each in parameters_of(documents, call.name)}
        for name, value in call.arguments.items():
            values = value if isinstance(value, list) else [value]
            if all(each in implied.get(name, ()) or ground.holds(each) for each in values):
                continue
            # The corpus itself notes in which words the user gave this parameter: "SF" for San Francisco.
            if name not in known or not ground.holds(known[name]):
                yield name


def with_references(turn: StandardTurn, history: Sequence[StandardTurn]) -> tuple[StandardCall, ...]:
    """The calls of a turn, where a later one refers to what an earlier one returned."""
    if len(turn.calls) < 2:
        return turn.calls
    return referring((), turn.calls, ground_of(turn, history), turn.known)


def referring(
    earlier: Sequence[StandardCall],
    calls: Sequence[StandardCall],
    ground: Heard,
    known: Mapping[str, Values],
) -> tuple[StandardCall, ...]:
    """All calls, with `Tool.result` for every value that nobody said and the first result of an earlier call holds.

    `resolved` keeps the values themselves, for those who call one tool after the other.
    """
    done = [*earlier]
    for call in calls:
        words = known.get(call.name, {})
        arguments = {}
        for name, value in call.arguments.items():
            said = ground.said(value) or (name in words and ground.said(words[name]))
            arguments[name] = (None if said else _reference(name, value, done)) or value
        if arguments != call.arguments:
            call = replace(call, arguments=arguments, resolved=call.resolved or call.arguments)
        done.append(call)
    return tuple(done)


def _reference(name: str, value: JsonValue, earlier: Sequence[StandardCall]) -> str | None:
    """Where the value stands: under the parameter's own name if it can be, in the latest call that has it."""
    for call in reversed(earlier):
        if not call.results or call.failed:
            continue
        held = [key for key, result in call.results[0].items() if result == value or _inside(value, result)]
        # Dates, times and numbers are equal by chance too often to be taken for one another under other names.
        if held and (name in held or _TELLING.search(str(value))):
            return f"{call.name}.{name if name in held else held[0]}"
    return None


def _inside(value: JsonValue, result: JsonValue) -> bool:
    """Whether a result that is a list of objects has the value in its first."""
    if not isinstance(result, list) or not result or not isinstance(result[0], dict):
        return False
    return isinstance(value, str) and value in result[0].values()


def _whole_numbers(text: str) -> str:
    """Numbers without the commas of their thousands, as values have them."""
    return _THOUSANDS.sub("", text)


def _implied(parameter: Record) -> list[JsonValue]:
    """Values that a sentence may imply without saying them: choices ("cheap" for "not expensive"), the default."""
    return [*parameter.get("choices", ()), *([parameter["default"]] if "default" in parameter else [])]
