"""The filters of Appendix B by rules: unsuitable intents, undefined tools, parameters, verification.

A dialogue of several turns that breaks a rule late is cut before that turn where at least two turns and a call
are left, and counted as a repair; every other row that breaks one is rejected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date

from toolyard.benchmarks.mtu.grounding import Ground
from toolyard.benchmarks.mtu.hard import parameters_of
from toolyard.benchmarks.mtu.matching import canonical
from toolyard.benchmarks.mtu.synth.corpora.dates import TODAY
from toolyard.benchmarks.mtu.synth.instruct.observations import observed
from toolyard.core.types import Json
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row

# Services and intents whose requests no tool answers: opinions, ideas, talk for its own sake, meanings of words.
UNSUITABLE: Mapping[str, frozenset[str]] = {
    "metalwoz": frozenset(
        [
            "AGREEMENT_BOT",
            "DECIDER_BOT",
            "GAME_RULES",
            "HOW_TO_BASIC",
            "NAME_SUGGESTER",
            "PET_ADVICE",
            "PRESENT_IDEAS",
            "PROMPT_GENERATOR",
            "QUOTE_OF_THE_DAY_BOT",
            "WEDDING_PLANNER",
            "WHAT_IS_IT",
        ]
    ),
    "atis": frozenset(
        ["abbreviation", "atis_abbreviation", "day_name", "atis_day_name", "quantity", "atis_quantity"]
    ),
}
_FORMATS = {"HH:MM": re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d"), "YYYY-MM-DD": re.compile(r"\d{4}-\d{2}-\d{2}")}
_TELLING = re.compile(r"[^\W\d_]{4}")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_DAY = date.fromisoformat(TODAY)
TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


def suitable(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """Rows with a request that a tool can serve; what the loader mended is counted here."""
    table = UNSUITABLE.get(row["source"], frozenset())
    named = {*row["services"], *(part for turn in row["turns"] for pair in turn["intents"] for part in pair)}
    named |= {call["tool"] for turn in row["turns"] for call in turn["calls"]}
    if table & named:
        return Rejected("unsuitable_intent", ", ".join(sorted(table & named)))
    if all(turn["label"] is None for turn in row["turns"]):
        return Rejected("not_annotated", "tools for these dialogues are made by --from model")
    if not any(turn["calls"] for turn in row["turns"]):
        return Rejected("no_call")
    return Kept({}, tuple(row["mended"]))


def parameters(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """Rows that call tools of the library, with what the documents ask for, as they ask for it.

    Values that only differ in spelling are mended.
    """
    repairs: dict[str, None] = {}
    turns = [
        {**turn, "calls": [_mended(call, row["documents"], repairs) for call in turn["calls"]]}
        for turn in row["turns"]
    ]

    def fault(turn: Json, history: Sequence[Json]) -> str:  # noqa: ARG001
        found = (_parameter_fault(call, row["documents"]) for call in turn["calls"])
        return next(filter(None, found), "")

    return checked(turns, fault, tuple(repairs))


def verified(row: Row, context: Context) -> Outcome:  # noqa: ARG001
    """Rows whose every value is said before, observed before, or a default or choice that the words imply.

    A value that an earlier call of the same turn returned becomes a reference to it.
    """
    repairs: dict[str, None] = {}
    turns = [
        {**turn, "calls": with_references(turn, row["turns"][:place], repairs)}
        for place, turn in enumerate(row["turns"])
    ]

    def fault(turn: Json, history: Sequence[Json]) -> str:
        if turn["label"] == "call" and not turn["calls"]:
            return "call_without_call"
        if any(ends_swapped(call["arguments"], turn["user"]) for call in turn["calls"]):
            return "contradicted_value"
        return "ungrounded_value" if any(ungrounded(turn, history, row["documents"])) else ""

    return checked(turns, fault, tuple(repairs))


def ends_swapped(arguments: Mapping[str, Json], text: str) -> bool:
    """Whether the user says "from A to B" and the call goes from B to A."""
    starts = [
        str(value) for name, value in arguments.items() if name.startswith(("origin", "from_", "departure"))
    ]
    ends = [str(value) for name, value in arguments.items() if name.startswith(("destination", "to_"))]
    said = text.lower()
    return any(
        f"from {end.lower()}" in said and f"to {start.lower()}" in said for start in starts for end in ends
    )


def with_references(turn: Json, history: Sequence[Json], repairs: dict[str, None]) -> list[Json]:
    """The calls of a turn, where a later one refers to what an earlier one returned."""
    if len(turn["calls"]) < 2:
        return [*turn["calls"]]
    ground = ground_of(turn, history)
    calls: list[Json] = []
    for call in turn["calls"]:
        calls.append(referring(call, calls, ground, turn["known"].get(call["name"], {})))
        if calls[-1]["arguments"] != call["arguments"]:
            repairs["value_as_reference"] = None
    return calls


def referring(
    call: Json, earlier: Sequence[Json], ground: Heard, known: Mapping[str, Json]
) -> dict[str, Json]:
    """The call with `Tool.result` for every value that nobody said and the first result of an earlier call holds.

    `resolved` keeps the values themselves, for those who call one tool after the other.
    """
    arguments = {}
    for name, value in call["arguments"].items():
        said = ground.said(value) or (name in known and ground.said(known[name]))
        found = None if said else _reference(name, value, earlier)
        arguments[name] = found or value
    if arguments == call["arguments"]:
        return {**call}
    return {**call, "arguments": arguments, "resolved": {**call.get("resolved", call["arguments"])}}


def _reference(name: str, value: Json, earlier: Sequence[Json]) -> str | None:
    """Where the value stands: under the parameter's own name if it can be, in the latest call that has it."""
    for call in reversed(earlier):
        if not call["results"] or call["failed"]:
            continue
        held = [
            key for key, result in call["results"][0].items() if result == value or _inside(value, result)
        ]
        # Dates, times and numbers are equal by chance too often to be taken for one another under other names.
        if held and (name in held or _TELLING.search(str(value))):
            return f"{call['name']}.{name if name in held else held[0]}"
    return None


def _inside(value: Json, result: Json) -> bool:
    """Whether a result that is a list of objects has the value in its first."""
    if not isinstance(result, list) or not result or not isinstance(result[0], dict):
        return False
    return isinstance(value, str) and value in result[0].values()


def checked(
    turns: Sequence[Json],
    fault: Callable[[Json, Sequence[Json]], str],
    repairs: tuple[str, ...] = (),
) -> Outcome:
    """The row, cut before its first faulty turn if enough is left of it."""
    for place, turn in enumerate(turns):
        reason = fault(turn, turns[:place])
        if not reason:
            continue
        rest = turns[:place]
        if len(rest) >= 2 and any(past["calls"] for past in rest):
            return Kept({"turns": [*rest]}, (*repairs, f"cut_before_{reason}"))
        return Rejected(reason, f"turn {place}: {str(turn['calls'])[:160]}")
    return Kept({"turns": [*turns]} if repairs else {}, repairs)


def ungrounded(turn: Json, history: Sequence[Json], documents: Sequence[Json]) -> Iterator[str]:
    """The parameters of a turn whose values stand nowhere before the call."""
    if not turn["calls"]:
        return
    ground = ground_of(turn, history)
    for call in turn["calls"]:
        known = turn["known"].get(call["name"], {})
        implied = {str(each.get("name")): _implied(each) for each in parameters_of(documents, call["name"])}
        for name, value in call["arguments"].items():
            values = value if isinstance(value, list) else [value]
            if all(each in implied.get(name, ()) or ground.holds(each) for each in values):
                continue
            # The corpus itself notes in which words the user gave this parameter: "SF" for San Francisco.
            if name not in known or not ground.holds(known[name]):
                yield name


class Heard(Ground):
    """What was said and observed before a call, without the documents."""

    def said(self, value: Json) -> bool:
        """Whether the value was said or observed; yes and no count as said."""
        return self.in_turn(value) or self.only_in_history(value) or canonical(value)[0] == "truth"


def ground_of(turn: Json, history: Sequence[Json]) -> Heard:
    """All that comes before the calls of a turn."""
    return Heard(prompt_of(turn, history, ()))


def prompt_of(turn: Json, history: Sequence[Json], documents: Sequence[Json]) -> dict[str, Json]:
    """The turn as the rules of the benchmark see a prompt."""
    past = [
        {
            "user": _whole_numbers(each["user"]),
            "calls": [{"name": call["name"], "arguments": call["arguments"]} for call in each["calls"]],
            "observation": observed(each["calls"]),
            "assistant": _whole_numbers(each["assistant"]),
        }
        for each in history
    ]
    return {
        "instructions": f"Today is {TODAY}.",
        "user": _whole_numbers(turn["user"]),
        "history": past,
        "tools": [*documents],
        "shared_parameters": [],
    }


def _whole_numbers(text: str) -> str:
    """Numbers without the commas of their thousands, as values have them."""
    return _THOUSANDS.sub("", text)


def _implied(parameter: Mapping[str, Json]) -> list[Json]:
    """Values that a sentence may imply without saying them: choices ("cheap" for "not expensive"), the default."""
    return [*parameter.get("choices", ()), *([parameter["default"]] if "default" in parameter else [])]


def _parameter_fault(call: Json, documents: Sequence[Json]) -> str:
    known = {str(each["name"]): each for each in parameters_of(documents, call["name"])}
    document = next((each for each in documents if each["name"] == call["name"]), None)
    if document is None:
        return "undefined_tool"
    if call["arguments"].keys() - known.keys():
        return "fabricated_parameter"
    if {each["name"] for each in document["required_parameters"]} - call["arguments"].keys():
        return "missing_required"
    broken = (name for name, value in call["arguments"].items() if not fits(value, known[name]))
    return "format_violation" if next(broken, None) is not None else ""


def fits(value: Json, parameter: Mapping[str, Json]) -> bool:
    """Whether the value is of the parameter's type, among its choices, and in its format."""
    if isinstance(value, list) and parameter["type"] != "array":
        return bool(value) and all(fits(each, parameter) for each in value)
    wanted = TYPES.get(str(parameter["type"]), (str,))
    if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
        return False
    if parameter.get("choices") and value not in parameter["choices"]:
        return False
    pattern = _FORMATS.get(str(parameter.get("format", "")))
    return pattern is None or pattern.fullmatch(str(value)) is not None


def _mended(call: Json, documents: Sequence[Json], repairs: dict[str, None]) -> dict[str, Json]:
    known = {str(each["name"]): each for each in parameters_of(documents, call["name"])}
    arguments = {}
    for name, value in call["arguments"].items():
        arguments[name] = mended(value, known[name]) if name in known else value
        if arguments[name] != value:
            repairs["value_in_canonical_form"] = None
    return {**call, "arguments": arguments}


def mended(value: Json, parameter: Mapping[str, Json]) -> Json:
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
