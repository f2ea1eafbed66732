"""The filters of Appendix B by rules: unsuitable intents, undefined tools, parameters, verification.

A dialogue of several turns that breaks a rule late is cut before that turn where at least two turns and a call
are left, and counted as a repair; every other row that breaks one is rejected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, TypeAlias

from toolyard.benchmarks.mtu.hard_types import parameters_of
from toolyard.benchmarks.mtu.synth.corpora.sgd_calendar import TODAY
from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import (
    Document,
    StandardCall,
    StandardTurn,
    Values,
    all_written,
    read_turns,
    standard_turns,
)
from toolyard.benchmarks.mtu.synth.instruct.said_before import ungrounded, with_references
from toolyard.core.types import Record
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row
from toolyard.text.meaning import canonical

Turns: TypeAlias = tuple[StandardTurn, ...]
# What is wrong with a turn after those before it, or nothing.
Fault: TypeAlias = Callable[[StandardTurn, Turns], str]
# Services and intents whose requests no tool answers: opinions, ideas, talk for its own sake, meanings of words.
_ATIS = ("abbreviation", "day_name", "quantity")
UNSUITABLE: Mapping[str, frozenset[str]] = {
    "metalwoz": frozenset((
        "AGREEMENT_BOT", "DECIDER_BOT", "GAME_RULES", "HOW_TO_BASIC", "NAME_SUGGESTER", "PET_ADVICE",
        "PRESENT_IDEAS", "PROMPT_GENERATOR", "QUOTE_OF_THE_DAY_BOT", "WEDDING_PLANNER", "WHAT_IS_IT",
    )),
    "atis": frozenset((*_ATIS, *(f"atis_{name}" for name in _ATIS))),
}  # fmt: skip
_FORMATS = {"HH:MM": re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d"), "YYYY-MM-DD": re.compile(r"\d{4}-\d{2}-\d{2}")}
_DAY = date.fromisoformat(TODAY)
TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "array": (list,),
    "object": (dict,),
}  # fmt: skip


def unsuitable(row: Row, named: Iterable[str]) -> Rejected | None:
    """Why a row cannot be used: one of the services and intents that it names is in the table."""
    found = UNSUITABLE.get(row["source"], frozenset()).intersection(named)
    return Rejected("unsuitable_intent", ", ".join(sorted(found))) if found else None


def suitable(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """Rows with a request that a tool can serve; what the loader mended is counted here."""
    turns = read_turns(row)
    named = {*row["services"], *(part for turn in turns for pair in turn.intents for part in pair)}
    refused = unsuitable(row, named | {call.tool for turn in turns for call in turn.calls})
    if refused:
        return refused
    if all(turn.label is None for turn in turns):
        return Rejected("not_annotated", "tools for these dialogues are made by --from model")
    if not any(turn.calls for turn in turns):
        return Rejected("no_call")
    return Kept({}, tuple(row["mended"]))


def parameters(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """Rows that call tools of the library, with what the documents ask for, as they ask for it.

    Values that only differ in spelling are mended.
    """
    given, documents = standard_turns(row), row["documents"]
    turns = tuple(
        replace(turn, calls=tuple(_mended(call, documents) for call in turn.calls)) for turn in given
    )

    def fault(turn: StandardTurn, history: Turns) -> str:  # noqa: ARG001
        return next(filter(None, (_parameter_fault(call, documents) for call in turn.calls)), "")

    return _kept(turns, fault, "value_in_canonical_form" if turns != given else "")


def verified(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """Rows whose every value is said before, observed before, or a default or choice that the words imply.

    A value that an earlier call of the same turn returned becomes a reference to it.
    """
    given = standard_turns(row)
    turns = tuple(
        replace(turn, calls=with_references(turn, given[:place])) for place, turn in enumerate(given)
    )

    def fault(turn: StandardTurn, history: Turns) -> str:
        if turn.label == "call" and not turn.calls:
            return "call_without_call"
        if any(ends_swapped(call.arguments, turn.user) for call in turn.calls):
            return "contradicted_value"
        return "ungrounded_value" if any(ungrounded(turn, history, row["documents"])) else ""

    return _kept(turns, fault, "value_as_reference" if turns != given else "")


def ends_swapped(arguments: Values, text: str) -> bool:
    """Whether the user says "from A to B" and the call goes from B to A."""
    named = [(name, str(value).lower()) for name, value in arguments.items()]
    starts = [value for name, value in named if name.startswith(("origin", "from_", "departure"))]
    ends = [value for name, value in named if name.startswith(("destination", "to_"))]
    said = text.lower()
    return any(f"from {end}" in said and f"to {start}" in said for start in starts for end in ends)


def sound_part(turns: Turns, fault: Fault) -> tuple[Turns, tuple[str, ...]] | Rejected:
    """The turns before the first faulty one and how that is called, or why not enough is left of them."""
    for place, turn in enumerate(turns):
        rest = turns[:place]
        reason = fault(turn, rest)
        if not reason:
            continue
        if len(rest) >= 2 and any(past.calls for past in rest):
            return rest, (f"cut_before_{reason}",)
        return Rejected(reason, f"turn {place}: {str(all_written(turn.calls))[:160]}")
    return turns, ()


def _kept(turns: Turns, fault: Fault, repair: str) -> Outcome:
    found = sound_part(turns, fault)
    if isinstance(found, Rejected):
        return found
    repairs = (*filter(None, [repair]), *found[1])
    return Kept({"turns": all_written(found[0])} if repairs else {}, repairs)


def _parameter_fault(call: StandardCall, documents: Sequence[Document]) -> str:
    known = {str(each["name"]): each for each in parameters_of(documents, call.name)}
    document = next((each for each in documents if each["name"] == call.name), None)
    if document is None:
        return "undefined_tool"
    if call.arguments.keys() - known.keys():
        return "fabricated_parameter"
    if {each["name"] for each in document["required_parameters"]} - call.arguments.keys():
        return "missing_required"
    fitting = (fits(value, known[name]) for name, value in call.arguments.items())
    return "" if all(fitting) else "format_violation"


def fits(value: Any, parameter: Record) -> bool:
    """Whether the value is of the parameter's type, among its choices, and in its format."""
    if isinstance(value, list) and parameter["type"] != "array":
        return bool(value) and all(fits(each, parameter) for each in value)
    wanted = TYPES.get(str(parameter["type"]), (str,))
    if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
        return False
    chosen = value if isinstance(value, list) else [value]
    if parameter.get("choices") and any(each not in parameter["choices"] for each in chosen):
        return False
    pattern = _FORMATS.get(str(parameter.get("format", "")))
    return pattern is None or pattern.fullmatch(str(value)) is not None


def _mended(call: StandardCall, documents: Sequence[Document]) -> StandardCall:
    known = {str(each["name"]): each for each in parameters_of(documents, call.name)}
    arguments = {
        name: mended(value, known[name]) if name in known else value for name, value in call.arguments.items()
    }
    return replace(call, arguments=arguments)


def mended(value: object, parameter: Record) -> object:
    """The value as the document writes it, where it only differs in spelling; else as it is."""
    if not isinstance(value, str) or fits(value, parameter):
        return value
    for choice in parameter.get("choices", ()):
        if canonical(choice) == canonical(value):
            return choice
    if parameter.get("format"):
        written = str(canonical(value, _DAY)[-1])
        return written if fits(written, parameter) else value
    return value
