"""Gold answers with one thing changed: wrong ones that `outcome` must refuse, right ones that it must grant."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from toolyard.benchmarks.mtu.accepted import wanted_of
from toolyard.benchmarks.mtu.baselines import answer_text, tool_names
from toolyard.benchmarks.mtu.calls import Call
from toolyard.benchmarks.mtu.outcome_turn import PromptedTurn, turn_of
from toolyard.benchmarks.mtu.sample import MtuSample
from toolyard.core.checks import Mutant, Mutations
from toolyard.core.types import JsonValue, Transcript, derived_seed
from toolyard.text.names import name_words

PROSE = (
    "Thought: Nothing has to be looked up for this, so I answer in words.",
    "Could you tell me a little more, please?",
)
# What nobody has done can be claimed: the verb of a listed tool, and how it is said to be done.
DONE = {
    "send": "sent", "book": "booked", "cancel": "cancelled", "delete": "deleted", "order": "ordered",
    "create": "created", "add": "added", "reserve": "reserved", "schedule": "scheduled",
}  # fmt: skip
NOTHING_SAID = ("", "Thought: ...", "Thought: " + "I will do that for you now. " * 20)


def mutants(sample: MtuSample, transcript: Transcript) -> Iterator[Mutant]:  # noqa: ARG001 - gold is in the sample
    """Every change that the turn allows; a turn whose gold cannot be reached allows none."""
    turn, gold = turn_of(sample), wanted_of(sample).accepted[0].calls
    if not turn.reachable:
        return
    rng = random.Random(derived_seed(0, sample.id, 0))
    changes = _of_calls(gold, turn, rng) if gold else _of_words(sample)
    for kind, right, text in changes:
        yield Mutant(kind, right, Transcript.answered(sample.id, text))


def _of_words(sample: MtuSample) -> Iterator[tuple[str, bool, str]]:
    for text in PROSE:
        yield "other words", True, text
    for text in NOTHING_SAID:
        yield "nothing said", False, text
    names = tool_names(sample.input["tools"])
    told = str(sample.input["history"]).casefold()
    offered = {word for name in names for word in name_words(name)}
    for verb in [verb for verb in DONE if verb in offered and verb[:4] not in told][:1]:
        yield "action claimed", False, f"Thought: I have {DONE[verb]} it for you."
    if names:
        yield "call not wanted", False, answer_text([Call(names[0])])


def _of_calls(
    gold: tuple[Call, ...], turn: PromptedTurn, rng: random.Random
) -> Iterator[tuple[str, bool, str]]:
    yield "no call", False, "Thought: No tool is needed."
    yield "surplus call", False, answer_text([*gold, gold[-1]])
    wanted = {call.name.casefold() for call in gold}
    others = [name for name in tool_names(turn.sample.input["tools"]) if name.casefold() not in wanted]
    if others:
        yield "another tool", False, answer_text([*gold[:-1], replace(gold[-1], name=others[0])])
    telling = [
        (place, name)
        for place, call in enumerate(gold)
        for name, value in call.arguments.items()
        if _tells(turn, call.name, name, value)
    ]
    if telling:
        place, name = rng.choice(telling)
        arguments = {key: value for key, value in gold[place].arguments.items() if key != name}
        yield "argument left out", False, _with(gold, place, arguments)
        yield "another value", False, _with(gold, place, {**arguments, name: "something else entirely"})
        yield (
            "turn pasted",
            False,
            _with(gold, place, {**arguments, name: f"{turn.user} {turn.user} and so on"}),
        )
    yield "upper case", True, answer_text(replace(call, arguments=_upper(call)) for call in gold)
    defaults = _defaults(turn, gold[0])
    if defaults:
        yield "default spelled out", True, _with(gold, 0, {**defaults, **gold[0].arguments})


def _with(gold: tuple[Call, ...], place: int, arguments: dict[str, JsonValue]) -> str:
    changed = replace(gold[place], arguments=arguments)
    return answer_text([*gold[:place], changed, *gold[place + 1 :]])


def _tells(turn: PromptedTurn, tool: str, name: str, value: JsonValue) -> bool:
    """Whether the argument changes what the call does."""
    empty = value in (None, "", [], {}, "dontcare")
    return not empty and not turn.is_default(tool, name, value) and name not in turn.selecting(tool)


def _upper(call: Call) -> dict[str, JsonValue]:
    return {
        name: value.upper() if isinstance(value, str) and "." not in value else value
        for name, value in call.arguments.items()
    }


def _defaults(turn: PromptedTurn, call: Call) -> dict[str, JsonValue]:
    return {
        name: entry["default"]
        for name, entry in turn.parameters(call.name).items()
        if entry.get("default") not in (None, "", []) and name not in call.arguments
    }


MUTATIONS = Mutations(mutants, "outcome")
