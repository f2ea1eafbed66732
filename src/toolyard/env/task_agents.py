"""Agents without a model: the perfect one, and trivial ones that show what a reward is worth."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from toolyard.core.types import JsonValue, Record
from toolyard.env.environment import TaskObservation
from toolyard.env.gym_task import EnvironmentTask, GoldCall
from toolyard.env.task_pool import SHARED

# What an agent does with each observation of one task.
Act: TypeAlias = Callable[[TaskObservation], JsonValue]
Agent: TypeAlias = Callable[[EnvironmentTask], Act]


def call(function: str, arguments: Record, number: int = 0) -> Record:
    """A call as a message has it."""
    written = {"name": function, "arguments": json.dumps(arguments, ensure_ascii=False)}
    return {"id": f"call_{number}", "type": "function", "function": written}


def message(*calls: Record, content: str = "") -> dict[str, JsonValue]:
    """An assistant's message."""
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def right_actions(task: EnvironmentTask) -> Iterator[JsonValue]:
    """The gold calls one by one, and after those of a turn its reply."""
    for turn in task.draft.turns:
        for number, gold in enumerate(turn.gold):
            yield message(_call_from_gold(gold, number))
        if turn.reply:
            yield message(content=turn.reply)


def _call_from_gold(gold: GoldCall, number: int) -> Record:
    return call(gold.function, gold.arguments, number)


def oracle(task: EnvironmentTask) -> Act:
    """Does what is right."""
    actions = right_actions(task)
    return lambda observation: next(actions)  # noqa: ARG005


def idle_agent(task: EnvironmentTask) -> Act:  # noqa: ARG001
    """Says nothing and calls nothing."""
    return lambda observation: ""  # noqa: ARG005


def call_everything(task: EnvironmentTask) -> Act:  # noqa: ARG001
    """Calls every function in every turn, required values filled with the user's words, then says that it is done."""

    def act(observation: TaskObservation) -> JsonValue:
        last = observation.messages[-1]
        if last["role"] != "user":
            return "Done."
        functions = [tool["function"] for tool in observation.tools]
        calls = [
            call(function["name"], _fill_arguments(function["parameters"], last["content"]), number)
            for number, function in enumerate(functions)
        ]
        return message(*calls)

    return act


def replay_agent(task: EnvironmentTask) -> Act:
    """Does what was right for the next task of the split."""
    other = right_actions(SHARED.task(replace(task.place, seed=task.place.seed + 1)))
    return lambda observation: next(other, "Done.")  # noqa: ARG005


def talking_agent(task: EnvironmentTask) -> Act:
    """Says the right words of every turn and calls nothing."""
    words = iter([turn.reply or "Done." for turn in task.draft.turns])
    return lambda observation: message(content=next(words))  # noqa: ARG005


def refusing_agent(task: EnvironmentTask) -> Act:
    """Refuses at once: by UnsolvableQuery where it is offered, else in words."""
    ending = next((each for each in task.draft.functions if not each.tool), None)
    text = "I am sorry, there is no tool for this."
    if ending is None:
        return lambda observation: text  # noqa: ARG005
    arguments = dict.fromkeys(ending.parameters["properties"], "A tool for this task is missing.")
    return lambda observation: message(call(ending.name, arguments))  # noqa: ARG005


def _fill_arguments(schema: Record, words: str) -> Record:
    return {name: _example_value(schema["properties"][name], words) for name in schema["required"]}


def _example_value(schema: Record, words: str) -> object:
    if schema.get("enum"):
        return schema["enum"][0]
    simple: dict[str, object] = {"integer": 1, "number": 1.0, "boolean": True, "array": [], "object": {}}
    return simple.get(str(schema.get("type")), words)


AGENTS: Mapping[str, Agent] = {
    "do-nothing": idle_agent,
    "call-everything": call_everything,
    "replay": replay_agent,
    "refuse": refusing_agent,
    "talk-only": talking_agent,
    "oracle": oracle,
}
