"""What else is right: accepted alternatives to gold calls, as rows of NesTools and MTU-Bench may carry them.

    "alternatives": [
      {"call": 1, "parameter": "season", "values": ["fall"]},    other right values of a parameter that gold fills,
      {"call": 1, "parameter": "limit", "values": [10]},         or the values that one may have which gold leaves out
      {"call": 1, "parameter": "note", "any": true},             whatever it says
      {"call": 0, "parameter": "units", "absent": true},         gold fills it, leaving it out is right too
      {"call": 2, "tool": "search_trips", "parameters": {"to": "API_call_0"}, "responses": ["API_call_3"]},
      {"order": "free"},                                         any order in which every call has what it needs
      {"answer": {}}                                             MTU-Bench: another whole answer; {} is no call
    ]

Calls count from 0 in gold order. `responses` are the gold labels that the other tool's return values stand for, in
declared order (NesTools); without `parameters` they are those of the gold call. `paper` and `outcome` use alternatives,
`official` never does; a row without the field has none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue, Record

FIELD = "alternatives"
FORMS = "call and parameter with values, any or absent; call, tool and parameters; order; answer"


@dataclass(frozen=True, slots=True)
class Accepted:
    """What else is right about one gold call."""

    values: Mapping[str, tuple[JsonValue, ...]] = field(default_factory=dict)
    free: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class OtherCall:
    """A call of another tool that does what the gold call of that place does."""

    call: int
    tool: str
    # None: those of the gold call
    parameters: Mapping[str, JsonValue] | None
    responses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Alternatives:
    """All that is right beside the gold calls of one row."""

    calls: Mapping[int, Accepted] = field(default_factory=dict)
    others: tuple[OtherCall, ...] = ()
    answers: tuple[JsonValue, ...] = ()
    free_order: bool = False

    def of(self, call: int) -> Accepted:
        """What else is right about the gold call of that place."""
        return self.calls.get(call, NOTHING_ELSE)


NOTHING_ELSE = Accepted()
NONE = Alternatives()


def read_alternatives(entries: object, calls: int, where: str) -> Alternatives:
    """The alternatives of a row with so many gold calls; an entry of another form is an error of the data."""
    if entries is None:
        return NONE
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        raise DataError(
            f"{where}: field {FIELD} is a {type(entries).__name__}; wanted a list of entries: {FORMS}"
        )
    for index, entry in enumerate(entries):
        problem = _problem_of_entry(entry, calls)
        if problem:
            raise DataError(f"{where}: field {FIELD}[{index}]: {problem}; wanted {FORMS}")
    return _collect_alternatives(entries)


def _problem_of_entry(entry: object, calls: int) -> str:
    """What is wrong with one entry; empty where nothing is."""
    if not isinstance(entry, Mapping):
        return f"found a {type(entry).__name__}"
    if "order" in entry:
        return "" if entry["order"] == "free" else f"order is {entry['order']!r}, not 'free'"
    if "answer" in entry:
        return (
            "" if isinstance(entry["answer"], Mapping) else "answer is not an object of tools and parameters"
        )
    place = entry.get("call")
    if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < calls:
        return f"call is {place!r}, the gold calls are 0 to {calls - 1}"
    if "tool" in entry:
        return _tool_problem(entry)
    if not isinstance(entry.get("parameter"), str):
        return "neither parameter nor tool is named"
    values = entry.get("values", [])
    if not isinstance(values, list):
        return "values is not a list"
    said = bool(values) or entry.get("any") is True or entry.get("absent") is True
    return "" if said else "there are no values, and neither any nor absent is true"


def _tool_problem(entry: Record) -> str:
    if not isinstance(entry["tool"], str) or not isinstance(entry.get("parameters", {}), Mapping):
        return "tool wants a name, and parameters an object"
    labels = entry.get("responses", [])
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        return "responses is not a list of labels"
    return ""


def _collect_alternatives(entries: Sequence[Record]) -> Alternatives:
    values: dict[int, dict[str, tuple[JsonValue, ...]]] = {}
    free: dict[int, set[str]] = {}
    absent: dict[int, set[str]] = {}
    for entry in (each for each in entries if "parameter" in each):
        place, name = entry["call"], entry["parameter"]
        known = values.setdefault(place, {})
        if entry.get("values"):
            known[name] = (*known.get(name, ()), *entry["values"])
        if entry.get("any") is True:
            free.setdefault(place, set()).add(name)
        if entry.get("absent") is True:
            absent.setdefault(place, set()).add(name)
    return Alternatives(
        calls={
            place: Accepted(values[place], frozenset(free.get(place, ())), frozenset(absent.get(place, ())))
            for place in values
        },
        others=tuple(
            OtherCall(
                entry["call"], entry["tool"], entry.get("parameters"), tuple(entry.get("responses", ()))
            )
            for entry in entries
            if "tool" in entry
        ),
        answers=tuple(entry["answer"] for entry in entries if "answer" in entry),
        free_order=any("order" in entry for entry in entries),
    )
