"""A dialogue in the making: every move adds one turn, executes what it calls, and says so.

    {"user": "Take Oslo.", "thought": "...", "calls": [{"name": "forecast", "arguments": {"q": "Oslo"}}],
     "observation": "{...}", "assistant": "Here is ...", "situation": "supplied",
     "executed": [{"tool": "Weather/weatherapi/forecast", "arguments": {"q": "Oslo"}, "result": {...}, ...}]}

All calls of a dialogue run one after the other in one fresh world. Within a turn a later call refers to an earlier
one as `tool.field`; over turns the value itself is given, since it stands in the dialogue by then.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from toolyard.benchmarks.mtu.synth.world import words
from toolyard.benchmarks.mtu.synth.world.tool_documents import shown
from toolyard.core.types import Failure, JsonValue
from toolyard.synth.chains.chain import (
    Chain,
    ChainStep,
    PlannedStep,
    ResultReference,
    execute_step,
    takes_list,
)
from toolyard.synth.chains.execution import executed_call
from toolyard.world.kernel.state import World

LONGEST_INHERITED = 90


@dataclass(slots=True)
class DialogueDraft:
    """The dialogue so far; `chain` is the goal, `said` the same in the user's words, `steps` what was executed."""

    chain: Chain
    said: Chain
    names: Mapping[str, str]
    turns_of: Mapping[int, int]
    observed: bool
    rng: Random
    world: World
    unable: ChainStep | None = None
    steps: list[ChainStep] = field(default_factory=list)
    turns: list[dict[str, Any]] = field(default_factory=list)
    mentioned: list[tuple[int, str]] = field(default_factory=list)
    waiting: str = ""

    def add(self, situation: str, user: str, thought: str, assistant: str) -> None:
        """One more turn in which nothing is called."""
        self.turns.append(
            {
                "user": user,
                "thought": thought,
                "calls": [],
                "observation": "",
                "assistant": assistant,
                "situation": situation,
                "executed": [],
            }
        )


def call_turn(
    talk: DialogueDraft, indices: Sequence[int], situation: str, user: str, thought: str
) -> Failure | None:
    """One more turn that calls these steps, in their order."""
    calls: list[Any] = []
    executed: list[Any] = []
    replies: list[str] = []
    for index in indices:
        done = _executed(talk, index)
        if isinstance(done, Failure):
            return done
        talk.steps[index : index + 1] = [done]
        given = _given(done, indices, talk)
        if isinstance(given, Failure):
            return given
        calls.append({"name": talk.names[done.tool], "arguments": given})
        seen = shown(done.tool, done.output)
        resolved = Chain(tuple(talk.steps), talk.chain.seed).resolved(index)
        executed.append(executed_call(done.tool, resolved, done.output, seen))
        replies.append(_reply(talk, index, seen, resolved))
    results = [entry["result"] for entry in executed]
    talk.turns.append(
        {
            "user": user,
            "thought": thought,
            "calls": calls,
            "observation": json.dumps(results[0], ensure_ascii=False) if talk.observed else "",
            "assistant": " ".join(replies),
            "situation": situation,
            "executed": executed,
        }
    )
    return None


def _executed(talk: DialogueDraft, index: int) -> ChainStep | Failure:
    planned = talk.chain.steps[index]
    done = execute_step(talk.world, PlannedStep(planned.tool, planned.arguments), talk.steps[:index])
    if isinstance(done, Failure):
        return done
    literals = [value for value in done.literals.values() if "\n" in str(value)]
    return Failure("multi_line_value", planned.tool) if literals else done


def _given(step: ChainStep, indices: Sequence[int], talk: DialogueDraft) -> dict[str, object] | Failure:
    """The arguments as the gold answer has them."""
    found: dict[str, Any] = {}
    for name, argument in step.arguments.items():
        if not isinstance(argument, ResultReference):
            found[name] = argument
            continue
        producer = talk.steps[argument.step]
        value = producer.result[argument.field]
        if argument.step in indices:
            value = f"{talk.names[producer.tool]}.{argument.field}"
        elif len(str(value)) > LONGEST_INHERITED or "\n" in str(value):
            return Failure("long_inherited_value", f"{step.tool} {name}")
        found[name] = [value] if takes_list(step.tool, name) and not isinstance(value, list) else value
    return found


def _reply(
    talk: DialogueDraft, index: int, seen: Mapping[str, JsonValue], given: Mapping[str, JsonValue]
) -> str:
    needed = [
        reference.field
        for later, step in enumerate(talk.chain.steps)
        for reference in step.references.values()
        if reference.step == index and talk.turns_of[later] != talk.turns_of[index]
    ]
    tool = talk.steps[index].tool
    mentioned = words.mentioned_fields(tool, seen, list(given.values()), list(dict.fromkeys(needed)))
    talk.mentioned += [(index, name) for name in mentioned]
    return words.reply_text(tool, seen, mentioned, talk.rng)


def last_situation(talk: DialogueDraft) -> str:
    """The situation of the last turn."""
    return str(talk.turns[-1]["situation"]) if talk.turns else ""
