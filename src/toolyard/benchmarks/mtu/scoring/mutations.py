"""Gold answers with one thing changed: wrong ones that `outcome` must refuse, right ones that it must grant."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace

from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring.accepted_answers import wanted_of
from toolyard.benchmarks.mtu.scoring.baselines import answer_text, tool_names
from toolyard.benchmarks.mtu.scoring.calls import Call, calls_of
from toolyard.benchmarks.mtu.scoring.prompted_turn import PromptedTurn, turn_of
from toolyard.core.checks import Mutant, Mutations
from toolyard.core.types import JsonValue, Transcript, derived_seed
from toolyard.text.names import name_words

_REFERENCE = re.compile(r"[a-zA-Z]\w*_\w+\.[a-zA-Z_]\w*")
PROSE = (
    "Thought: Nothing has to be looked up for this, so I answer in words.",
    "Could you tell me a little more, please?",
)
# What nobody has done can be claimed: the verb of a listed tool, and how it is said to be done.
DONE = {
    "send": "sent", "book": "booked", "cancel": "cancelled", "delete": "deleted", "order": "ordered",
    "create": "created", "add": "added", "reserve": "reserved", "schedule": "scheduled",
}  # fmt: skip
CLAIMS = {
    "enrol": "The two of you are now enrolled.", "submi": "The form has been submitted.",
    "purcha": "I've purchased them for you.", "regist": "Registered! You will get a mail.",
}  # fmt: skip
NOTHING_SAID = ("", "Thought: ...", "Thought: " + "I will do that for you now. " * 20)


def mutants(sample: MtuSample, transcript: Transcript) -> Iterator[Mutant]:  # noqa: ARG001 - gold is in the sample
    """Every change that the turn allows; a turn whose gold cannot be reached allows none."""
    turn, gold = turn_of(sample), wanted_of(sample).accepted[0].calls
    if not turn.reachable:
        return
    rng = random.Random(derived_seed(0, sample.id, 0))
    changes = _call_mutants(gold, turn, rng) if gold else _text_mutants(sample)
    for kind, right, text in changes:
        yield Mutant(kind, right, Transcript.answered(sample.id, text))


def _text_mutants(sample: MtuSample) -> Iterator[tuple[str, bool, str]]:
    for text in PROSE:
        yield "other words", True, text
    for text in NOTHING_SAID:
        yield "nothing said", False, text
    names = tool_names(sample.input["tools"])
    told = str(sample.input["history"]).casefold()
    offered = {word for name in names for word in name_words(name)}
    for verb in [verb for verb in DONE if verb in offered and verb[:4] not in told][:1]:
        yield "action claimed", False, f"Thought: I have {DONE[verb]} it for you."
    known = f"{told} {sample.input['tools']}".casefold()
    for verb, claim in CLAIMS.items():
        if verb not in known:
            yield "action claimed", False, claim
    yield "number invented", False, "It comes to 7,318.47 in all, for what you asked about."
    if names:
        yield "call not wanted", False, answer_text([Call(names[0])])


def _call_mutants(
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
        if _changes_call(turn, call.name, name, value)
    ]
    if telling:
        place, name = rng.choice(telling)
        arguments = {key: value for key, value in gold[place].arguments.items() if key != name}
        yield "argument left out", False, _change_arguments(gold, place, arguments)
        yield (
            "another value",
            False,
            _change_arguments(gold, place, {**arguments, name: "something else entirely"}),
        )
        yield (
            "turn pasted",
            False,
            _change_arguments(gold, place, {**arguments, name: f"{turn.user} {turn.user} and so on"}),
        )
    yield from _right_call_mutants(gold, turn)
    yield from _join_two_values(gold, turn, rng)


def _right_call_mutants(gold: tuple[Call, ...], turn: PromptedTurn) -> Iterator[tuple[str, bool, str]]:
    """Gold's calls, written in another way."""
    yield "upper case", True, answer_text(replace(call, arguments=_in_upper_case(call)) for call in gold)
    if any(map(_has_reference, gold)):
        yield (
            "references in braces",
            True,
            answer_text(replace(call, arguments=_references_in_braces(call)) for call in gold),
        )
    numbers = [replace(call, arguments=_numbers_as_text(call)) for call in gold]
    if numbers != [*gold]:
        yield "numbers as text", True, answer_text(numbers)
    defaults = _documented_defaults(turn, gold[0])
    if defaults:
        yield "default spelled out", True, _change_arguments(gold, 0, {**defaults, **gold[0].arguments})


def _change_arguments(gold: tuple[Call, ...], place: int, arguments: dict[str, JsonValue]) -> str:
    changed = replace(gold[place], arguments=arguments)
    return answer_text([*gold[:place], changed, *gold[place + 1 :]])


def _changes_call(turn: PromptedTurn, tool: str, name: str, value: JsonValue) -> bool:
    """Whether the argument changes what the call does."""
    empty = value in (None, "", [], {}, "dontcare")
    return not empty and not turn.is_default(tool, name, value) and name not in turn.selecting(tool)


def _join_two_values(
    gold: tuple[Call, ...], turn: PromptedTurn, rng: random.Random
) -> Iterator[tuple[str, bool, str]]:
    """A text with the one behind it that another call, now or before, has in the same place: two cities at once."""
    past = [call for each in turn.sample.input["history"] for call in calls_of(each["calls"])]
    pairs = [
        (place, name, f"{value}, {call.arguments[name]}")
        for place, want in enumerate(gold)
        for name, value in want.arguments.items()
        for call in (*past, *gold)
        if isinstance(value, str)
        and isinstance(call.arguments.get(name), str)
        and "." not in f"{value}{call.arguments[name]}"
        and not {*value.casefold().split()} & {*str(call.arguments[name]).casefold().split()}
    ]
    if pairs:
        place, name, both = rng.choice(pairs)
        yield (
            "two values joined",
            False,
            _change_arguments(gold, place, {**gold[place].arguments, name: both}),
        )


def _has_reference(call: Call) -> bool:
    return _references_in_braces(call) != call.arguments


def _references_in_braces(call: Call) -> dict[str, JsonValue]:
    return {
        name: f"{{{{{value}}}}}" if isinstance(value, str) and _REFERENCE.fullmatch(value) else value
        for name, value in call.arguments.items()
    }


def _numbers_as_text(call: Call) -> dict[str, JsonValue]:
    return {
        name: str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
        for name, value in call.arguments.items()
    }


def _in_upper_case(call: Call) -> dict[str, JsonValue]:
    return {
        name: value.upper() if isinstance(value, str) and "." not in value else value
        for name, value in call.arguments.items()
    }


def _documented_defaults(turn: PromptedTurn, call: Call) -> dict[str, JsonValue]:
    return {
        name: entry["default"]
        for name, entry in turn.parameters(call.name).items()
        if entry.get("default") not in (None, "", []) and name not in call.arguments
    }


MUTATIONS = Mutations(mutants, "outcome")
