"""Dialogues over a chain, move by move: every move adds one turn, executes what it calls, and says so.

    {"user": "Take Oslo.", "thought": "...", "calls": [{"name": "forecast", "arguments": {"q": "Oslo"}}],
     "observation": "{...}", "assistant": "Here is ...", "situation": "supplied",
     "executed": [{"tool": "Weather/weatherapi/forecast", "arguments": {"q": "Oslo"}, "result": {...}, ...}]}

`MOVES["missing"](talk, (0, 1))` adds the turn in which the user wants steps 0 and 1 and leaves a value out. A move
that does not fit the chain is a Failure with its kind. All calls of a dialogue run one after the other in one fresh
world. Within a turn a later call refers to an earlier one as `tool.field`; over turns the value itself is given, since
it stands in the dialogue by then.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from toolyard.benchmarks.mtu.synth.world import dialogue_sentences as words
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import Talk, small_talk
from toolyard.benchmarks.mtu.synth.world.dialogue_sentences import chain_in_user_words
from toolyard.benchmarks.mtu.synth.world.tool_documents import (
    choose_distractors,
    choose_names,
    is_of_first_entry,
    observed_result,
    parameter_schema,
    tool_list,
)
from toolyard.core.types import Failure, JsonValue, Record
from toolyard.synth.chains.chain import (
    Chain,
    ChainStep,
    PlannedStep,
    ResultReference,
    execute_step,
    resolve_arguments,
    takes_list,
)
from toolyard.synth.chains.example_values import vary_value
from toolyard.synth.chains.execution import executed_call
from toolyard.synth.wording.phrasing import is_plural, literal_text
from toolyard.synth.wording.requests import chain_query
from toolyard.text.names import join_with_and
from toolyard.world.kernel.phrase import phrases
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.state import World

LONGEST_INHERITED = 90


@dataclass(frozen=True, slots=True)
class Script:
    """The course of a dialogue: moves, each with the steps of the chain that it is about."""

    name: str
    setting: str
    structure: str
    moves: tuple[tuple[str, tuple[int, ...]], ...]
    hard: str = ""


def _read_script(line: str) -> Script:
    """A script in short: `missing0 supply0 ask12` are three moves."""
    name, setting, structure, moves, *hard = line.split("\t")
    parts = [
        (text.rstrip("01234"), tuple(map(int, text.lstrip("abcdefghijklmnopqrstuvwxyz_"))))
        for text in moves.split()
    ]
    return Script(name, setting, structure, tuple(parts), "".join(hard))


_TABLE = Path(__file__).with_name("dialogue_scripts.tsv").read_text("utf-8")
SCRIPTS = tuple(_read_script(line) for line in _TABLE.splitlines() if not line.startswith("#"))


def setting_scripts(setting: str) -> tuple[Script, ...]:
    """The scripts of one setting, each as often as it weighs."""
    return tuple(script for script in SCRIPTS if script.setting == setting)


def refuses_later(script: Script) -> bool:
    """Whether the script has both a turn that no tool can serve and turns that are served."""
    return len(script.moves) > 1 and any(move == "refuse" for move, _ in script.moves)


@dataclass(slots=True, kw_only=True)
class DialogueDraft(Talk):
    """The dialogue so far; `chain` is the goal, `said` the same in the user's words, `steps` what was executed."""

    chain: Chain
    said: Chain
    turns_of: Mapping[int, int]
    unable: ChainStep | None = None
    steps: list[ChainStep] = field(default_factory=list)
    mentioned: list[tuple[int, str]] = field(default_factory=list)
    waiting: str = ""

    def tools_of(self, indices: Sequence[int]) -> str:
        """The names of the tools of these steps, as thoughts say them."""
        return join_with_and([self.called[self.chain.steps[index].tool] for index in indices])

    @property
    def last_situation(self) -> str:
        """The situation of the last turn."""
        return str(self.turns[-1]["situation"]) if self.turns else ""


def call_turn(
    talk: DialogueDraft, indices: Sequence[int], situation: str, user: str, thought: str
) -> Failure | None:
    """One more turn that calls these steps, in their order."""
    calls: list[Any] = []
    executed: list[Any] = []
    replies: list[str] = []
    for index in indices:
        done = execute_step(talk.world, talk.chain.plan[index], talk.steps[:index])
        if isinstance(done, Failure):
            return done
        if any("\n" in str(value) for value in done.literals.values()):
            return Failure("multi_line_value", done.tool)
        talk.steps[index : index + 1] = [done]
        given = _gold_arguments(done, indices, talk)
        if isinstance(given, Failure):
            return given
        calls.append({"name": talk.called[done.tool], "arguments": given})
        seen = observed_result(done.tool, done.output)
        resolved = resolve_arguments(done, talk.steps)
        executed.append(executed_call(done.tool, resolved, done.output, seen))
        replies.append(_reply_to_step(talk, index, seen, resolved))
    talk.say(situation, user, thought, " ".join(replies), calls, executed)
    return None


def _gold_arguments(
    step: ChainStep, indices: Sequence[int], talk: DialogueDraft
) -> dict[str, object] | Failure:
    """The arguments as the gold answer has them."""
    found: dict[str, Any] = {}
    for name, argument in step.arguments.items():
        if not isinstance(argument, ResultReference):
            found[name] = argument
            continue
        producer = talk.steps[argument.step]
        value = producer.result[argument.field]
        if argument.step in indices:
            value = f"{talk.called[producer.tool]}.{argument.field}"
        elif len(str(value)) > LONGEST_INHERITED or "\n" in str(value):
            return Failure("long_inherited_value", f"{step.tool} {name}")
        found[name] = [value] if takes_list(step.tool, name) and not isinstance(value, list) else value
    return found


def _reply_to_step(
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


Move = Callable[[DialogueDraft, Sequence[int]], Failure | None]
_LONGEST_ASKED = 60
_MOST_BESIDE = 3
_CHANGE_TRIES = 6


def ask_for_steps(talk: DialogueDraft, indices: Sequence[int]) -> Failure | None:
    """The user wants some steps and gives all they need; values of earlier turns are referred to."""
    if not talk.turns and len(indices) == len(talk.chain.steps) > 1:
        user = chain_query(talk.said, talk.rng)
    else:
        user = words.request_text(talk.said, indices, talk.rng, talk.last_situation)
    inherited = any(
        ref.step not in indices for n in indices for ref in talk.chain.steps[n].references.values()
    )
    wanted = join_with_and([phrases()[talk.chain.steps[index].tool].noun for index in indices])
    called = talk.tools_of(indices)
    if inherited:
        thought = f"The user wants {wanted}; what {called} needs stands in the conversation already."
        return call_turn(talk, indices, "inherited", user, thought)
    thought = f"The user wants {wanted} and gives everything that {called} needs."
    return call_turn(talk, indices, "call", user, thought)


def omit_value(talk: DialogueDraft, indices: Sequence[int]) -> Failure | None:
    """The user leaves out a required value of the first step, and is asked for it."""
    index = indices[0]
    step = talk.said.steps[index]
    parameter = _parameter_to_omit(step, talk.rng)
    if parameter is None:
        return Failure("nothing_to_leave_out", step.tool)
    talk.waiting = parameter
    name = words.asked_words(step.tool, parameter) or parameter
    user = words.incomplete_text(talk.said, index, parameter, talk.rng)
    if len(indices) > 1:
        rest = [words.step_text(talk.said, later, talk.rng) for later in indices[1:]]
        user = " ".join([user, *(words.as_full_sentence(f"Then {text}") for text in rest)])
    thought = f"For {phrases()[step.tool].noun} the {name} is still missing, so I have to ask."
    question = words.say("question", talk.rng, words=name, article="those" if is_plural(name) else "the")
    talk.say("missing", user, thought, question)
    return None


def _parameter_to_omit(step: ChainStep, rng: Random) -> str | None:
    """A required parameter that can be asked for by name, where the rest can be said shortly."""
    known = library()[step.tool].document.parameters
    literals = step.literals
    fit = [
        item.name
        for item in known
        if item.required and item.name in literals and _is_short(literals[item.name])
        and words.asked_words(step.tool, item.name) is not None
    ]  # fmt: skip
    rest = [value for name, value in literals.items() if name not in fit]
    if not fit or step.references or len(literals) > _MOST_BESIDE + 1 or not all(map(_is_short, rest)):
        return None
    return rng.choice(fit)


def _is_short(value: JsonValue) -> bool:
    scalar = not isinstance(value, list | Mapping | bool)
    return scalar and len(str(value)) <= _LONGEST_ASKED and '"' not in literal_text(value)


def supply_value(talk: DialogueDraft, indices: Sequence[int]) -> Failure | None:
    """The user says what was missing; now everything can be called."""
    step = talk.said.steps[indices[0]]
    name = words.asked_words(step.tool, talk.waiting) or talk.waiting
    text, verb = literal_text(step.literals[talk.waiting]), "are" if is_plural(name) else "is"
    user = words.as_full_sentence(words.say("supplied", talk.rng, text=text, words=name, verb=verb))
    thought = f"Now the {name} is known, so {talk.tools_of(indices)} can be called."
    return call_turn(talk, indices, "supplied", user, thought)


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
    again, same = ("all of that", "all of it") if len(indices) > 1 else ("that", "the same")
    before, after = literal_text(talk.said.steps[index].literals[parameter]), literal_text(new)
    user = words.say("changed", talk.rng, before=before, after=after, again=again, same=same)
    steps = list(talk.chain.steps)
    steps[index] = replace(step, arguments={**step.arguments, parameter: value})
    talk.chain = replace(talk.chain, steps=tuple(steps))
    thought = (
        f"The user wants the same with {literal_text(new)}, so {talk.tools_of(indices)} is called again."
    )
    return call_turn(talk, indices, "changed", user, thought)


def _other_value(talk: DialogueDraft, index: int) -> tuple[str, JsonValue] | None:
    """A literal and another value for it that the tool takes and answers differently."""
    step = talk.steps[index]
    said_once = [
        name
        for name, value in step.literals.items()
        if _is_short(value) and [str(other) for other in step.literals.values()].count(str(value)) == 1
    ]
    if not said_once:
        return None
    for _ in range(_CHANGE_TRIES):
        name = talk.rng.choice(said_once)
        value = vary_value(step.tool, name, step.literals[name], talk.rng)
        planned = PlannedStep(step.tool, {**step.arguments, name: value})
        done = execute_step(talk.world.copy(), planned, talk.steps[:index])
        if value == step.literals[name] or isinstance(done, Failure):
            continue
        whole = done.result.keys() >= step.result.keys()
        if whole and observed_result(step.tool, done.output) != observed_result(step.tool, step.output):
            return name, value
    return None


def ask_known(talk: DialogueDraft, indices: Sequence[int]) -> Failure | None:
    """The user asks for something that an earlier result holds, best for what no reply has said."""
    index = indices[0]
    step = talk.steps[index]
    seen = observed_result(step.tool, step.output)
    mentioned = {name for at, name in talk.mentioned if at == index}
    given = {str(value).casefold() for value in resolve_arguments(step, talk.steps).values()}
    fit = [
        name
        for name, value in seen.items()
        if _is_short(value) and (talk.observed or name in mentioned) and str(value).casefold() not in given
        and words.can_be_asked(name)
    ]  # fmt: skip
    untold = [name for name in fit if name not in mentioned]
    if not fit:
        return Failure("nothing_to_ask_again", step.tool)
    field_name = talk.rng.choice(untold or fit)
    name, noun = words.field_name(step.tool, field_name), phrases()[step.tool].noun
    text = words.field_text(step.tool, field_name, seen[field_name]).removeprefix(name).strip()
    where = f"the first entry in {noun}" if is_of_first_entry(step.tool, field_name) else noun
    user = words.say("exists_untold" if untold else "exists", talk.rng, name=name, where=where)
    thought = f"The {name} stands in what was found before; nothing needs to be called."
    talk.say("exists", user, thought, words.as_full_sentence(f"The {name} is {text}"))
    return None


def refuse(talk: DialogueDraft, indices: Sequence[int]) -> Failure | None:  # noqa: ARG001 - the signature of every move
    """The user wants something that no listed tool can do."""
    if talk.unable is None:
        return Failure("nothing_to_refuse")
    alone = words.chain_in_user_words(Chain((talk.unable,), talk.chain.seed), plainly=talk.said is talk.chain)
    user = words.request_text(alone, [0], talk.rng, talk.last_situation)
    talk.say("inability", user, "None of the listed tools can do that.", words.say("unable", talk.rng))
    return None


MOVES: Mapping[str, Move] = {
    "thanks": small_talk("chat", "The user is content; nothing is to be called.", words.PHRASES["thanks"]),
    "hello": small_talk("chat", "The user has not asked for anything yet.", words.PHRASES["hello"]), "refuse": refuse,
    "ask": ask_for_steps, "missing": omit_value, "supply": supply_value, "change": change, "exists": ask_known,
}  # fmt: skip


_PLAINLY = 0.4


def compose(script: Script, chain: Chain, unable: ChainStep | None, rng: Random) -> Record | Failure:
    """The turns of a script over a chain and the tools that all of them are shown, or why there are none."""
    plainly = script.hard != "specific_values" and rng.random() < _PLAINLY
    used = [] if script.moves == (("refuse", ()),) else [step.tool for step in chain.steps]
    talk = DialogueDraft(
        chain=chain,
        said=chain_in_user_words(chain, plainly),
        called=choose_names(used, rng, nonsense=script.hard == "nonsensical_names"),
        turns_of=_turns_by_step(script),
        observed=script.setting[2] == "S",
        rng=rng,
        world=World.fresh(chain.seed),
        unable=unable or (None if used else chain.steps[0]),
    )
    for name, indices in script.moves:
        trouble = MOVES[name](talk, indices)
        if trouble is not None:
            return trouble
    removed = [talk.unable.tool] if talk.unable is not None else []
    given = {step.tool: step.arguments.keys() for step in talk.chain.steps}
    beside = choose_distractors(used, removed, rng)
    return {"turns": talk.turns, "tools": tool_list(used, given, talk.called, beside, rng)}


def _turns_by_step(script: Script) -> dict[int, int]:
    """Step -> the turn that calls it first."""
    found: dict[int, int] = {}
    for turn, (name, indices) in enumerate(script.moves):
        if name in ("ask", "supply"):
            for index in indices:
                found.setdefault(index, turn)
    return found
