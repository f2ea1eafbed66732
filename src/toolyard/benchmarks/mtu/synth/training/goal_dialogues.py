"""Goals of the book as dialogues: one request whose calls take each other's results, alone or after some talk.

The opening and closing words of the longer ones are our own and say nothing that a call would need.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator, Mapping
from typing import Any

from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import StandardCall, StandardTurn
from toolyard.benchmarks.mtu.synth.instruct.written_thoughts import thought
from toolyard.benchmarks.mtu.synth.training.tool_lists import KnownTool, from_flat
from toolyard.benchmarks.nestools.synth.record_documents import document
from toolyard.benchmarks.nestools.synth.similar import names, pool
from toolyard.core.types import JsonValue
from toolyard.synth.chains.chain import Argument, PlannedStep, ResultReference
from toolyard.synth.goals.goal_book import Filling
from toolyard.synth.mixture.goal_requests import all_goal_drafts, filling_of
from toolyard.synth.mixture.held_out import is_held_out

OPENINGS = (
    ("Hi, are you there? I have a question about {field}.", "Yes, I am. What would you like to know?"),
    ("Hello! Can you help me with something?", "Of course. What is it about?"),
    ("Good morning, I could use a hand with {field} today.", "Good morning! Tell me what you need."),
    (
        "I am trying to sort something out, it is about {field}.",
        "I am happy to help. What exactly do you need?",
    ),
    ("hey, quick one", "Sure, go ahead."),
    ("I'm not sure whether you can do this, but may I ask?", "Please do, and I will see what I can do."),
    ("I have been putting this off for days.", "Then let us get it done. What should I look up?"),
    ("Can you look things up for me?", "I can. What should I look for?"),
)
CLOSINGS = (
    "Thank you, that is all I wanted to know.",
    "Great, thanks a lot!",
    "Perfect, nothing else for now.",
    "That helps, have a nice day.",
    "Good. I will come back if I need more.",
)
NO_WISH = (
    "The user has not said yet what should be looked up. I ask for it before I call anything.",
    "There is no request yet that a tool could carry out, so I ask what is wanted.",
)
DONE = (
    "The user says goodbye and asks for nothing more. No call is needed.",
    "Nothing is left to do; I make no call.",
)


@functools.cache
def world_tools() -> Mapping[str, KnownTool]:
    """The tools that may stand beside those of a goal."""
    shown = {tool: from_flat(document(tool)) for tool in pool() if not is_held_out(tool)}
    return {
        str(each["name"]): KnownTool(each, frozenset({tool}), frozenset({tool.split("/")[0]}))
        for tool, each in shown.items()
    }


def requests() -> Iterator[tuple[dict[str, Any], Filling]]:
    """Every request whose tools are each called once: an answer is an object of tool names."""
    for draft in all_goal_drafts():
        filling = filling_of(draft)
        if len({step.tool for step in filling.plan}) == len(filling.plan):
            yield draft, filling


def own_tools(filling: Filling) -> tuple[dict[str, JsonValue], ...]:
    """The documents of the tools that a request is for."""
    return tuple(from_flat(document(step.tool)) for step in filling.plan)


def asked(filling: Filling, rng: random.Random) -> StandardTurn:
    """The turn that asks for everything at once."""
    labels = [names()[step.tool] for step in filling.plan]
    calls = tuple(StandardCall(names()[step.tool], _arguments(step, labels)) for step in filling.plan)
    turn = StandardTurn(filling.text, "Here is what I found.", "call", calls=calls)
    return StandardTurn(turn.user, turn.assistant, turn.label, calls=calls, thought=thought(turn, (), rng))


def _arguments(step: PlannedStep, labels: list[str]) -> dict[str, object]:
    return {name: _value(given, labels) for name, given in step.arguments.items()}


def _value(given: Argument, labels: list[str]) -> object:
    if isinstance(given, list):
        return [_value(each, labels) for each in given]
    if isinstance(given, ResultReference):
        return f"{labels[given.step]}.{given.field}"
    return given


def with_talk(turn: StandardTurn, field: str, rng: random.Random) -> tuple[StandardTurn, ...]:
    """The request after an opening and, more often than not, before a closing."""
    opening, reply = rng.choice(OPENINGS)
    turns = [StandardTurn(opening.format(field=field), reply, "missing", thought=rng.choice(NO_WISH)), turn]
    if rng.random() < 0.6:
        turns.append(StandardTurn(rng.choice(CLOSINGS), "You are welcome.", "chat", thought=rng.choice(DONE)))
    return tuple(turns)
