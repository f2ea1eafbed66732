"""The filters of Appendix B by rules: unsuitable intents, undefined tools, parameters, values that stand nowhere before.

A dialogue of several turns that breaks a rule late is cut before that turn where at least two turns and a call
are left, and counted as a repair; every other row that breaks one is rejected.

The response of a turn is the recorded reply; where a corpus has none it is empty. Thoughts are written by grammar, one for
each situation of a turn (Section 2.2): they say what the user wants, what is known of it and what is not; the
assistant's reply is never looked at.
"""

import json
import random
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from toolyard.benchmarks.mtu.data.hard_types import hard_types, tool_inputs
from toolyard.benchmarks.mtu.data.sample import MtuTurn
from toolyard.benchmarks.mtu.scoring.value_sources import PromptValues
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import DialogueCall, DialogueTurn
from toolyard.benchmarks.mtu.synth.corpora.sgd import TODAY
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import Document, Values, items_to_json, read_turns
from toolyard.core.types import JsonValue, Record, Sample, derived_seed
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row
from toolyard.text.canonical_values import to_canonical
from toolyard.text.json_values import CLASSES
from toolyard.text.names import join_with_and

_TELLING = re.compile(r"[^\W\d_]{4}")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")


class Heard(PromptValues):
    """What was said and observed before a call, without the documents."""

    def is_said(self, value: JsonValue) -> bool:
        """Whether the value was said or observed; yes and no count as said."""
        return self.is_in_turn(value) or self.is_only_in_history(value) or to_canonical(value)[0] == "truth"


def heard_before(turn: DialogueTurn, history: Sequence[DialogueTurn]) -> Heard:
    """All that comes before the calls of a turn, as the rules of the benchmark see a prompt."""
    user, *past = (
        replace(each, user=_whole_numbers(each.user), assistant=_whole_numbers(each.assistant))
        for each in (turn, *history)
    )
    return Heard(_turn_prompt(user, [past_turn(each) for each in past]))


def _turn_prompt(
    turn: DialogueTurn, history: Sequence[MtuTurn], tools: Sequence[Document] = ()
) -> dict[str, Any]:
    """What the rules of the benchmark look at in the prompt of a turn."""
    today = f"Today is {TODAY}."
    return {
        "instructions": today, "tools": tools, "shared_parameters": [], "history": [*history], "user": turn.user,
    }  # fmt: skip


def observation_text(calls: Sequence[DialogueCall]) -> str:
    """What the calls of a turn returned, as one line of JSON; that of several calls under their names."""
    if not calls:
        return ""
    found = {call.name: call.observation for call in calls}
    return json.dumps(calls[0].observation if len(calls) == 1 else found, ensure_ascii=False)


def ungrounded_parameters(
    turn: DialogueTurn, history: Sequence[DialogueTurn], documents: Sequence[Document]
) -> Iterator[str]:
    """The parameters of a turn whose values stand nowhere before the call."""
    if not turn.calls:
        return
    ground = heard_before(turn, history)
    for call in turn.calls:
        known = turn.known.get(call.name, {})
        # A sentence may imply choices without saying them ("cheap" for "not expensive"), and the default.
        implied = {
            str(each.get("name")): [
                *each.get("choices", ()),
                *([each["default"]] if "default" in each else []),
            ]
            for each in tool_inputs(documents, call.name)
        }
        for name, value in call.arguments.items():
            values = value if isinstance(value, list) else [value]
            if all(each in implied.get(name, ()) or ground.holds(each) for each in values):
                continue
            # The corpus itself notes in which words the user gave this parameter: "SF" for San Francisco.
            if name not in known or not ground.holds(known[name]):
                yield name


def refer_to_results(
    earlier: Sequence[DialogueCall], calls: Sequence[DialogueCall], ground: Heard, known: Mapping[str, Values]
) -> tuple[DialogueCall, ...]:
    """All calls, with `Tool.result` for every value that was not said and that an earlier call's first result holds.

    `resolved` keeps the values themselves, for those who call one tool after the other.
    """
    done = [*earlier]
    for call in calls:
        words = known.get(call.name, {})
        arguments = {}
        for name, value in call.arguments.items():
            said = ground.is_said(value) or (name in words and ground.is_said(words[name]))
            arguments[name] = (None if said else _find_reference(name, value, done)) or value
        if arguments != call.arguments:
            call = replace(call, arguments=arguments, resolved=call.resolved or call.arguments)
        done.append(call)
    return tuple(done)


def _find_reference(name: str, value: JsonValue, earlier: Sequence[DialogueCall]) -> str | None:
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


Turns: TypeAlias = tuple[DialogueTurn, ...]
# What is wrong with a turn after those before it, or nothing.
Fault: TypeAlias = Callable[[DialogueTurn, Turns], str]
# Services of MetaLWOZ whose requests no tool answers: opinions, ideas, talk for its own sake.
UNSUITABLE = frozenset({
    "AGREEMENT_BOT", "DECIDER_BOT", "GAME_RULES", "HOW_TO_BASIC", "NAME_SUGGESTER", "PET_ADVICE", "PRESENT_IDEAS",
    "PROMPT_GENERATOR", "QUOTE_OF_THE_DAY_BOT", "WEDDING_PLANNER", "WHAT_IS_IT",
})  # fmt: skip
_FORMATS = {"HH:MM": re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d"), "YYYY-MM-DD": re.compile(r"\d{4}-\d{2}-\d{2}")}


def reject_unsuitable(row: Row) -> Rejected | None:
    """Why a row cannot be used: one of its services is in the table."""
    found = UNSUITABLE.intersection(row["services"])
    return Rejected("unsuitable_intent", ", ".join(sorted(found))) if found else None


def keep_suitable(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """Rows with a request that a tool can serve; what the loader mended is counted here."""
    turns = read_turns(row)
    if refused := reject_unsuitable(row):
        return refused
    if all(turn.label is None for turn in turns):
        return Rejected("not_annotated", "tools for these dialogues are made by --from model")
    if not any(turn.calls for turn in turns):
        return Rejected("no_call")
    return Kept({}, tuple(row["mended"]))


def check_parameters(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """Rows that call tools of the library, with what the documents ask for, as they ask for it."""

    def fault(turn: DialogueTurn, history: Turns) -> str:  # noqa: ARG001
        return next(filter(None, (_parameter_fault(call, row["documents"]) for call in turn.calls)), "")

    turns = read_turns(row)
    return _keep_sound_part(turns, turns, fault, "")


def verify_values(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """Rows whose every value is said before, observed before, or a default or choice that the words imply.

    A value that an earlier call of the same turn returned becomes a reference to it.
    """
    given = read_turns(row)
    turns = tuple(
        replace(turn, calls=refer_to_results((), turn.calls, heard_before(turn, given[:place]), turn.known))
        if len(turn.calls) > 1
        else turn
        for place, turn in enumerate(given)
    )

    def fault(turn: DialogueTurn, history: Turns) -> str:
        if turn.label == "call" and not turn.calls:
            return "call_without_call"
        return "ungrounded_value" if any(ungrounded_parameters(turn, history, row["documents"])) else ""

    return _keep_sound_part(given, turns, fault, "value_as_reference")


def keep_sound_turns(turns: Turns, fault: Fault) -> tuple[Turns, tuple[str, ...]] | Rejected:
    """The turns before the first faulty one and how that is called, or why not enough is left of them."""
    for place, turn in enumerate(turns):
        rest = turns[:place]
        reason = fault(turn, rest)
        if not reason:
            continue
        if len(rest) >= 2 and any(past.calls for past in rest):
            return rest, (f"cut_before_{reason}",)
        return Rejected(reason, f"turn {place}: {str(items_to_json(turn.calls))[:160]}")
    return turns, ()


def _keep_sound_part(given: Turns, turns: Turns, fault: Fault, repair: str) -> Outcome:
    found = keep_sound_turns(turns, fault)
    if isinstance(found, Rejected):
        return found
    repairs = (*([repair] if turns != given else ()), *found[1])
    return Kept({"turns": items_to_json(found[0])} if repairs else {}, repairs)


def _parameter_fault(call: DialogueCall, documents: Sequence[Document]) -> str:
    known = {str(each["name"]): each for each in tool_inputs(documents, call.name)}
    document = next((each for each in documents if each["name"] == call.name), None)
    if document is None:
        return "undefined_tool"
    if call.arguments.keys() - known.keys():
        return "fabricated_parameter"
    if {each["name"] for each in document["required_parameters"]} - call.arguments.keys():
        return "missing_required"
    fitting = (fits_parameter(value, known[name]) for name, value in call.arguments.items())
    return "" if all(fitting) else "format_violation"


def fits_parameter(value: JsonValue, parameter: Record) -> bool:
    """Whether the value is of the parameter's type, among its choices, and in its format."""
    if isinstance(value, list) and parameter["type"] != "array":
        return bool(value) and all(fits_parameter(each, parameter) for each in value)
    wanted = CLASSES.get(str(parameter["type"]), (str,))
    if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
        return False
    chosen = value if isinstance(value, list) else [value]
    if parameter.get("choices") and any(each not in parameter["choices"] for each in chosen):
        return False
    pattern = _FORMATS.get(str(parameter.get("format", "")))
    return pattern is None or pattern.fullmatch(str(value)) is not None


PHRASES: Record = tomllib.loads(Path(__file__).with_name("phrases.toml").read_text("utf-8"))
A_TOOL = "the right tool"


def write_thought(turn: DialogueTurn, documents: Sequence[Document], rng: random.Random) -> str:
    """The thought of one turn."""
    calls = turn.calls
    if len(calls) > 1:
        names = [call.name for call in calls]
        text = str(rng.choice(PHRASES["several"])).format(tools=join_with_and(names, "then "))
        links = [(first, call) for call in calls for first in names if _refers_to(call, first)]
        return text + "".join(
            PHRASES["linked"].format(first=first, second=call.name) for first, call in links
        )
    if calls:
        given = [*calls[0].arguments]
        known = f"{_names_with_verb(given)} known" if given else "it needs nothing more"
        return str(rng.choice(PHRASES["call"])).format(tool=calls[0].name, known=known)
    if turn.label == "missing":
        return _ask_for_missing(turn, documents, rng)
    wanted = turn.wants[-1] if turn.wants else A_TOOL
    label = turn.label if turn.label in ("confirmed", "exists", "unable") else "chat"
    return str(rng.choice(PHRASES[label])).format(tool=wanted)


def _refers_to(call: DialogueCall, tool: str) -> bool:
    return any(str(value).startswith(f"{tool}.") for value in call.arguments.values())


def _ask_for_missing(turn: DialogueTurn, documents: Sequence[Document], rng: random.Random) -> str:
    wanted = turn.wants[-1] if turn.wants else ""
    document = next((each for each in documents if each["name"] == wanted), None)
    required = [] if document is None else [each["name"] for each in document["required_parameters"]]
    lacking = [name for name in required if name not in turn.known.get(wanted, ())]
    if not lacking:
        return str(rng.choice(PHRASES["open"])).format(tool=wanted or A_TOOL)
    return str(rng.choice(PHRASES["missing"])).format(tool=wanted, missing=_names_with_verb(lacking))


def _names_with_verb(names: Sequence[str]) -> str:
    said = join_with_and([f"the {name.replace('_', ' ')}" for name in names])
    return f"{said} {'is' if len(names) == 1 else 'are'}"


NONSENSE = "abcdefghjklmnpqrstuvwxyz"


def add_thoughts(row: Row, context: Context) -> Outcome:
    """The row with thoughts and observations; a share of the single turns is made hard before."""
    turns, documents, made_hard = harden_turns(row, float(context.options["hard-share"]), context.seed)
    rng = random.Random(derived_seed(context.seed, f"thought/{row['id']}", 0))
    final = [final_turn(turn, write_thought(turn, documents, rng)) for turn in turns]
    return Kept({"turns": items_to_json(final), "documents": documents, "made_hard": made_hard})


def final_turn(turn: DialogueTurn, text: str) -> DialogueTurn:
    """The turn with this thought and what its calls returned, and without what only led to them."""
    calls = (
        DialogueCall(call.name, call.arguments, resolved=call.resolved, returned=call.observation)
        for call in turn.calls
    )
    return DialogueTurn(turn.user, turn.assistant, turn.label, calls=tuple(calls), thought=text)


def harden_turns(
    row: Row, share: float, seed: int
) -> tuple[tuple[DialogueTurn, ...], Sequence[Document], str]:
    """Turns and documents, where a single turn may lose its tool, or have it under a name that says nothing (Table 8).

    Only turns without a recorded reply: a reply would still speak of what the tool did.
    """
    rng = random.Random(derived_seed(seed, f"harden/{row['id']}", 0))
    turns, documents = read_turns(row), row["documents"]
    single = len(turns) == 1 and not row["composed"] and not turns[0].assistant and len(documents) == 1
    if not single or not row["others"] or rng.random() >= share:
        return turns, documents, ""
    if rng.random() < 0.5:
        return (replace(turns[0], calls=(), label="unable", wants=()),), (), "inability"
    name = rng.choice(NONSENSE) * 3
    calls = tuple(replace(call, name=name) for call in turns[0].calls)
    renamed = replace(turns[0], calls=calls, wants=(name,))
    return (renamed,), ({**documents[0], "name": name},), "nonsensical_names"


def tag_hard_types(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """The row with the hard types of each of its turns."""
    tools = [*row["documents"], *({"name": name} for name in row["others"])]
    history: list[MtuTurn] = []
    tags = []
    for turn in read_turns(row):
        prompt: Any = {"kind": row["setting"], **_turn_prompt(turn, history, tools)}
        gold: Any = {"calls": [{"name": call.name, "arguments": call.arguments} for call in turn.calls]}
        tags.append(list(hard_types(Sample(row["id"], prompt, gold, row["id"], {}))))
        history.append(past_turn(turn))
    return Kept({"hard": tags})


def past_turn(turn: DialogueTurn) -> MtuTurn:
    """A turn as the history of the next shows it."""
    return {
        "user": turn.user,
        "thought": turn.thought,
        "calls": [{"name": call.name, "arguments": call.arguments} for call in turn.calls],
        "observation": observation_text(turn.calls),
        "assistant": turn.assistant,
    }
