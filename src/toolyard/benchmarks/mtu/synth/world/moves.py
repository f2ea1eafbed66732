"""The moves of a dialogue: what a user may do in a turn, and how it is answered.

`MOVES["missing"](talk, (0, 1))` adds the turn in which the user wants steps 0 and 1 and leaves a value out. A move
that does not fit the chain is a Failure with its kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from toolyard.benchmarks.mtu.synth.world import words
from toolyard.benchmarks.mtu.synth.world.talk import DialogueDraft, call_turn, last_situation
from toolyard.benchmarks.mtu.synth.world.tool_documents import of_first, parameter_schema, shown
from toolyard.core.types import Failure, JsonValue
from toolyard.synth.chains.chain import Argument, Chain, ChainStep, PlannedStep, execute_step
from toolyard.synth.chains.example_values import vary
from toolyard.synth.wording.phrasing import written
from toolyard.synth.wording.requests import query
from toolyard.world.kernel.phrase import phrases
from toolyard.world.kernel.registry import library

Move = Callable[[DialogueDraft, Sequence[int]], Failure | None]
_LONGEST_ASKED = 60
_MOST_BESIDE = 3
_CHANGE_TRIES = 6
_THANKS = (
    ("Thanks, that is all I wanted to know.", "You are welcome."),
    ("Perfect, thank you very much!", "Glad to help. Have a nice day!"),
    ("Great, that helps me a lot.", "I am happy to hear that."),
)
_HELLO = (
    ("Hi! I have a few things to look up.", "Hello! Tell me what you need."),
    ("Good morning. Do you have a moment for me?", "Good morning! Of course, what can I do for you?"),
    ("Hello, are you there?", "Yes, I am. How can I help?"),
)
_YES = ("Yes, go ahead.", "Yes, that is right. Please do it.", "Correct, do it please.", "Yes, please.")


def ask(talk: DialogueDraft, indices: Sequence[int]) -> Failure | None:
    """The user wants some steps and gives all they need; values of earlier turns are referred to."""
    if not talk.turns and len(indices) == len(talk.chain.steps) > 1:
        user = query(talk.said, talk.rng)
    else:
        user = words.request_text(talk.said, indices, talk.rng, last_situation(talk))
    inherited = any(
        ref.step not in indices for n in indices for ref in talk.chain.steps[n].references.values()
    )
    thought = _thought(talk, indices, inherited)
    return call_turn(talk, indices, "inherited" if inherited else "call", user, thought)


def _thought(talk: DialogueDraft, indices: Sequence[int], inherited: bool) -> str:
    tools = [talk.chain.steps[index].tool for index in indices]
    wanted = words.listed([phrases()[tool].noun for tool in tools])
    called = words.listed([talk.names[tool] for tool in tools])
    if inherited:
        return f"The user wants {wanted}; what {called} needs stands in the conversation already."
    return f"The user wants {wanted} and gives everything that {called} needs."


def missing(talk: DialogueDraft, indices: Sequence[int]) -> Failure | None:
    """The user leaves out a required value of the first step, and is asked for it."""
    index = indices[0]
    step = talk.said.steps[index]
    parameter = _left_out(step, talk.rng)
    if parameter is None:
        return Failure("nothing_to_leave_out", step.tool)
    talk.waiting = parameter
    name = words.asked_words(step.tool, parameter) or parameter
    user = words.incomplete_text(talk.said, index, parameter, talk.rng)
    if len(indices) > 1:
        rest = [words.step_text(talk.said, later, talk.rng) for later in indices[1:]]
        user = " ".join([user, *(words.sentence(f"Then {text}") for text in rest)])
    thought = f"For {phrases()[step.tool].noun} the {name} is still missing, so I have to ask."
    talk.add("missing", user, thought, words.question_text(name, talk.rng))
    return None


def _left_out(step: ChainStep, rng: Random) -> str | None:
    """A required parameter that can be asked for by name, where the rest can be said shortly."""
    known = library()[step.tool].document.parameters
    literals = step.literals
    fit = [
        item.name
        for item in known
        if item.required and item.name in literals and _short(literals[item.name])
        and words.asked_words(step.tool, item.name) is not None
    ]  # fmt: skip
    rest = [value for name, value in literals.items() if name not in fit]
    if not fit or step.references or len(literals) > _MOST_BESIDE + 1 or not all(map(_short, rest)):
        return None
    return rng.choice(fit)


def _short(value: JsonValue) -> bool:
    scalar = not isinstance(value, list | Mapping | bool)
    return scalar and len(str(value)) <= _LONGEST_ASKED and '"' not in written(value)


def supply(talk: DialogueDraft, indices: Sequence[int]) -> Failure | None:
    """The user says what was missing; now everything can be called."""
    step = talk.said.steps[indices[0]]
    name = words.asked_words(step.tool, talk.waiting) or talk.waiting
    user = words.supplied_text(name, step.literals[talk.waiting], talk.rng)
    called = words.listed([talk.names[talk.chain.steps[index].tool] for index in indices])
    return call_turn(talk, indices, "supplied", user, f"Now the {name} is known, so {called} can be called.")


def change(talk: DialogueDraft, indices: Sequence[int]) -> Failure | None:
    """The user wants the same again with another value; the step must give something else then."""
    index = indices[0]
    found = _other_value(talk, index)
    if found is None:
        return Failure("nothing_to_change", talk.chain.steps[index].tool)
    parameter, value = found
    step = talk.chain.steps[index]
    schema = parameter_schema(step.tool, parameter)
    new = value if talk.said is talk.chain else words.said_value(schema, value)
    user = words.changed_text(talk.said.steps[index].arguments[parameter], new, len(indices) > 1, talk.rng)
    talk.chain = _with(talk.chain, index, {**step.arguments, parameter: value})
    called = words.listed([talk.names[talk.chain.steps[each].tool] for each in indices])
    thought = f"The user wants the same with {written(new)}, so {called} is called again."
    return call_turn(talk, indices, "changed", user, thought)


def _with(chain: Chain, index: int, arguments: Mapping[str, Argument]) -> Chain:
    steps = [
        ChainStep(step.tool, arguments, step.result, step.output) if n == index else step
        for n, step in enumerate(chain.steps)
    ]
    return Chain(tuple(steps), chain.seed)


def _other_value(talk: DialogueDraft, index: int) -> tuple[str, Any] | None:
    """A literal and another value for it that the tool takes and answers differently."""
    step = talk.steps[index]
    said_once = [
        name
        for name, value in step.literals.items()
        if _short(value) and [str(other) for other in step.literals.values()].count(str(value)) == 1
    ]
    if not said_once:
        return None
    for _ in range(_CHANGE_TRIES):
        name = talk.rng.choice(said_once)
        value = vary(step.tool, name, step.literals[name], talk.rng)
        planned = PlannedStep(step.tool, {**step.arguments, name: value})
        done = execute_step(talk.world.copy(), planned, talk.steps[:index])
        if value == step.literals[name] or isinstance(done, Failure):
            continue
        whole = done.result.keys() >= step.result.keys()
        if whole and shown(step.tool, done.output) != shown(step.tool, step.output):
            return name, value
    return None


def exists(talk: DialogueDraft, indices: Sequence[int]) -> Failure | None:
    """The user asks for something that an earlier result holds."""
    found = _known_field(talk, indices[0], untold=talk.observed)
    if found is None:
        return Failure("nothing_to_ask_again", talk.steps[indices[0]].tool)
    where = f"the first entry in {found.noun}" if found.of_first else found.noun
    user = talk.rng.choice(
        (
            f"And what is the {found.name} of {where}?",
            f"I would also like to know the {found.name} of {where}.",
        )
        if found.untold
        else (
            f"What was the {found.name} of {where} again?",
            f"Could you repeat the {found.name} of {where}?",
        )
    )
    thought = f"The {found.name} stands in what was found before; nothing needs to be called."
    talk.add("exists", user, thought, words.sentence(f"The {found.name} is {found.text}"))
    return None


def confirm(talk: DialogueDraft, indices: Sequence[int]) -> Failure | None:
    """The user makes sure of something that was found before."""
    found = _known_field(talk, indices[0], untold=False)
    if found is None:
        return Failure("nothing_to_confirm", talk.steps[indices[0]].tool)
    name, text = found.name, found.text
    user = talk.rng.choice((f"So the {name} is {text}, right?", f"Just to be sure: the {name} is {text}?"))
    thought = "The user only wants to have confirmed what was found before."
    talk.add("confirmed", user, thought, words.sentence(f"Yes, the {name} is {text}"))
    return None


@dataclass(frozen=True, slots=True)
class _Known:
    """A field of an earlier result in words."""

    noun: str
    name: str
    text: str
    untold: bool
    of_first: bool


def _known_field(talk: DialogueDraft, index: int, *, untold: bool) -> _Known | None:
    """Something that is known; `untold` prefers what no reply has said."""
    step = talk.steps[index]
    seen = shown(step.tool, step.output)
    mentioned = {name for at, name in talk.mentioned if at == index}
    given = {
        str(value).casefold() for value in Chain(tuple(talk.steps), talk.chain.seed).resolved(index).values()
    }
    fit = [
        name
        for name, value in seen.items()
        if _short(value) and (untold or name in mentioned) and str(value).casefold() not in given
        and not words.cannot_be_asked(name)
    ]  # fmt: skip
    news = [name for name in fit if name not in mentioned]
    if not fit:
        return None
    name = talk.rng.choice(news or fit)
    said = words.field_name(step.tool, name)
    text = words.field_text(step.tool, name, seen[name]).removeprefix(said).strip()
    return _Known(phrases()[step.tool].noun, said, text, bool(news), of_first(step.tool, name))


def read_back(talk: DialogueDraft, indices: Sequence[int]) -> Failure | None:
    """The user wants a request repeated before anything is done."""
    plain = words.step_text(talk.said, indices[0], talk.rng)
    user = talk.rng.choice(
        (
            f"{words.sentence(plain)} But repeat it to me first and wait for my yes.",
            f"Before you call anything, read this back to me: {words.sentence(plain)}",
        )
    )
    thought = "The user wants the request read back and to agree before anything is called."
    talk.add("confirmed", user, thought, f"I am to {words.answered_back(plain).rstrip('.')}. Is that right?")
    return None


def agree(talk: DialogueDraft, indices: Sequence[int]) -> Failure | None:
    """The user agrees to what was read back."""
    called = talk.names[talk.chain.steps[indices[0]].tool]
    thought = f"The user agrees, so {called} is called with what was said before."
    return call_turn(talk, indices, "agreed", talk.rng.choice(_YES), thought)


def thanks(talk: DialogueDraft, indices: Sequence[int]) -> Failure | None:  # noqa: ARG001 - the signature of every move
    """The user says thanks."""
    user, assistant = talk.rng.choice(_THANKS)
    talk.add("chat", user, "The user is content; nothing is to be called.", assistant)
    return None


def hello(talk: DialogueDraft, indices: Sequence[int]) -> Failure | None:  # noqa: ARG001 - the signature of every move
    """The user says hello."""
    user, assistant = talk.rng.choice(_HELLO)
    talk.add("chat", user, "The user has not asked for anything yet.", assistant)
    return None


def refuse(talk: DialogueDraft, indices: Sequence[int]) -> Failure | None:  # noqa: ARG001 - the signature of every move
    """The user wants something that no listed tool can do."""
    if talk.unable is None:
        return Failure("nothing_to_refuse")
    alone = words.said(Chain((talk.unable,), talk.chain.seed), plainly=talk.said is talk.chain)
    user = words.request_text(alone, [0], talk.rng, last_situation(talk))
    assistant = talk.rng.choice(
        (
            "I am sorry, none of my tools can do that.",
            "Unfortunately I have no tool for that.",
            "That is beyond the tools I have here, sorry.",
        )
    )
    talk.add("inability", user, "None of the listed tools can do that.", assistant)
    return None


MOVES: Mapping[str, Move] = {
    move.__name__: move
    for move in (ask, missing, supply, change, exists, confirm, read_back, agree, thanks, hello, refuse)
}
