"""A probe's conversation: how it begins, what its tools answer, when it is over; pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from toolyard.certify.endpoint_turn import (
    AssistantTurn,
    EndpointCall,
    EndpointTurn,
    Item,
    Said,
    ToolAnswer,
    object_or_empty,
)
from toolyard.certify.task import Past, ProbeTask, ProbeTool, ProbeToolFault, WantedCall
from toolyard.core.types import Failure, JsonValue
from toolyard.text.parsing import read_json

LONG = "The heron stands in shallow water and waits for the tide to turn before it moves on. " * 6


@dataclass(frozen=True, slots=True)
class PlayedCall:
    """A call after its tool ran."""

    call: EndpointCall
    arguments: JsonValue
    text: str
    failed: bool


def read_arguments(raw: JsonValue) -> JsonValue:
    """The arguments however they were wrapped: an object, its text, or the text of its text; else None."""
    value = raw
    for _ in range(2):
        if not isinstance(value, str):
            break
        read = read_json(value) if value.strip() else {}
        value = None if isinstance(read, Failure) else read
    return value if isinstance(value, dict) else None


def play_call(task: ProbeTask, call: EndpointCall) -> PlayedCall:
    """What the tool answers to a call, whatever the call looks like."""
    arguments = read_arguments(call.arguments)
    try:
        return PlayedCall(call, arguments, task.run(call.name, arguments), False)
    except ProbeToolFault as fault:
        return PlayedCall(call, arguments, f"ERROR: {fault}", True)


def play_all(task: ProbeTask, turns: Sequence[EndpointTurn]) -> tuple[PlayedCall, ...]:
    """Every call of every turn, played."""
    return tuple(play_call(task, call) for turn in turns for call in turn.calls)


def wanted_results(task: ProbeTask) -> list[str]:
    """What the tools answer when the task is solved, sorted."""
    return sorted(task.run(wanted.tool, dict(wanted.arguments)) for wanted in task.wanted)


def tool_answers(played: Sequence[PlayedCall]) -> list[str]:
    """What the tools answered, sorted; calls that the tool refused are not counted."""
    return sorted(item.text for item in played if not item.failed)


def needs_another_turn(task: ProbeTask, turns: Sequence[EndpointTurn]) -> bool:
    """Whether the conversation needs another turn of the endpoint."""
    if task.kind != "calls" or not task.wanted or not turns[-1].calls or len(turns) > len(task.wanted) + 1:
        return False
    return bool(task.answer) or tool_answers(play_all(task, turns)) != wanted_results(task)


def opening_items(task: ProbeTask) -> list[Item]:
    """The conversation up to the question."""
    items: list[Item] = [Said("system", task.system)] if task.system else []
    for place, past in enumerate(task.past, 1):
        items += _past_exchange(past, f"call_past_{place}")
    return [*items, Said("user", task.ask)]


def _past_exchange(past: Past, call_id: str) -> list[Item]:
    arguments = json.dumps(dict(past.call.arguments), ensure_ascii=False)
    call = EndpointCall(call_id, past.call.tool, arguments)
    asked = AssistantTurn(past.text, (call,), past.thought)
    return [Said("user", past.user), asked, ToolAnswer(call, past.result), AssistantTurn(past.answer)]


def continue_conversation(task: ProbeTask, turn: EndpointTurn, place: int) -> list[Item]:
    """What is added after a turn with calls; arguments are sent back as one text of JSON, ids as they came."""
    calls = tuple(
        replace(
            call,
            id=call.id or f"call_{place}_{number}",
            arguments=json.dumps(read_arguments(call.arguments) or {}, ensure_ascii=False),
        )
        for number, call in enumerate(turn.calls)
    )
    results = (ToolAnswer(call, play_call(task, call).text) for call in calls)
    return [AssistantTurn(turn.text, calls), *results]


def pair_of_counts(task: ProbeTask) -> tuple[ProbeTask, ProbeTask]:
    """The two tasks of a count probe: the second has more of one part and must count more tokens."""
    part = task.longer.part if task.longer is not None else ""
    if part == "tools":
        return replace(task, tools=()), task
    if part == "parameters":
        return task, replace(task, tools=tuple(map(_lengthen_descriptions, task.tools)))
    if part == "system":
        return task, replace(task, system=LONG)
    return replace(task, past=(_past_adding_exchange(part, "3"),)), replace(
        task, past=(_past_adding_exchange(part, LONG),)
    )


def _past_adding_exchange(part: str, text: str) -> Past:
    a, result = (text, "7") if part == "past call" else ("4", text)
    return Past("Add 4 and 3.", WantedCall("add", {"a": a, "b": 3}), result, "Done.")


def _lengthen_descriptions(tool: ProbeTool) -> ProbeTool:
    properties = {
        name: {**object_or_empty(value), "description": LONG}
        for name, value in object_or_empty(tool.parameters["properties"]).items()
    }
    return replace(tool, parameters={**tool.parameters, "properties": properties})
