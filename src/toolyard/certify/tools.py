"""The tools of the probes: pure functions whose answers cannot be guessed without the right arguments."""

from __future__ import annotations

import zlib
from typing import Any

from toolyard.certify import typed_arguments as read
from toolyard.certify.task import Arguments, ProbeTool, ProbeToolFault
from toolyard.core.types import JsonValue

COLOURS = ("amber", "teal", "violet")
UNITS = ("metre", "foot", "mile")
LOCKERS = {"harbour": "K7-PLUM", "mill": "Q2-FERN", "tower": "Z9-OPAL"}
METERS = {"B-12": "4187", "C-40": "2950"}
METRES = {"metre": 1.0, "foot": 0.3048, "mile": 1609.344}


def schema(required: tuple[str, ...] | None = None, **properties: JsonValue) -> dict[str, Any]:
    """An object schema; all properties are required where nothing else is said."""
    names = list(properties) if required is None else list(required)
    return {"type": "object", "properties": properties, "required": names, "additionalProperties": False}


def mark(value: str) -> str:
    """A short checksum of a text, by its UTF-8 bytes."""
    return f"{zlib.crc32(value.encode('utf-8', 'surrogatepass')):08x}"


STRING: dict[str, JsonValue] = {"type": "string"}
INTEGER: dict[str, JsonValue] = {"type": "integer"}
NUMBER: dict[str, JsonValue] = {"type": "number"}
BOOLEAN: dict[str, JsonValue] = {"type": "boolean"}


def _add(given: Arguments) -> str:
    return str(read.whole(given, "a") + read.whole(given, "b"))


def _convert(given: Arguments) -> str:
    metres = read.number(given, "value") * METRES[read.choice(given, "from_unit", UNITS)]
    return f"{metres / METRES[read.choice(given, 'to_unit', UNITS)]:.3f}"


def _note(given: Arguments) -> str:
    text = read.text(given, "text")
    return f"stored {len(text)} characters, checksum {mark(text)}"


def _lamp(given: Arguments) -> str:
    state = "on" if read.flag(given, "on") else "off"
    return f"lamp {read.text(given, 'room')} {state}"


def _paint(given: Arguments) -> str:
    return f"painted {read.text(given, 'object')} {read.choice(given, 'colour', COLOURS)}"


def _clock(given: Arguments) -> str:
    read.allow_only(given)
    return "tick 7316"


def _locker(given: Arguments) -> str:
    place = read.text(given, "place").lower()
    if place not in LOCKERS:
        raise ProbeToolFault(f"no locker at {place[:40]!r}; there are {', '.join(LOCKERS)}")
    return LOCKERS[place]


def _unlock(given: Arguments) -> str:
    code = read.text(given, "code")
    if code not in LOCKERS.values():
        raise ProbeToolFault("wrong code")
    return f"open, inside lies ticket {mark(code)[:4]}"


def _meter(given: Arguments) -> str:
    unit = read.text(given, "unit")
    if unit not in METERS:
        raise ProbeToolFault(f"unknown unit {unit[:40]!r}; units are written with a hyphen, such as B-12")
    return METERS[unit]


def _total(given: Arguments) -> str:
    return str(sum(read.whole({"item": item}, "item") for item in read.items(given, "numbers")))


ADD = ProbeTool("add", "The sum of two whole numbers.", schema(a=INTEGER, b=INTEGER), _add)
CONVERT = ProbeTool(
    "convert_length", "Converts a length from one unit to another.",
    schema(value=NUMBER, from_unit={**STRING, "enum": list(UNITS)}, to_unit={**STRING, "enum": list(UNITS)}),
    _convert,
)  # fmt: skip
NOTE = ProbeTool("store_note", "Stores a text exactly as given.", schema(text=STRING), _note)
LAMP = ProbeTool("set_lamp", "Switches the lamp of a room on or off.", schema(room=STRING, on=BOOLEAN), _lamp)
PAINT = ProbeTool(
    "paint", "Paints an object in a colour.",
    schema(object=STRING, colour={**STRING, "enum": list(COLOURS)}), _paint,
)  # fmt: skip
CLOCK = ProbeTool(
    "read_clock", "The current tick of the station clock. It takes no arguments.", schema(), _clock
)
LOCKER = ProbeTool("locker_code", "The code of the locker at a place.", schema(place=STRING), _locker)
UNLOCK = ProbeTool("open_locker", "Opens a locker with its code.", schema(code=STRING), _unlock)
METER = ProbeTool("read_meter", "The reading of the meter of a unit.", schema(unit=STRING), _meter)
TOTAL = ProbeTool(
    "total",
    "The sum of a list of whole numbers.",
    schema(numbers={"type": "array", "items": INTEGER}),
    _total,
)
PLAIN = (ADD, CONVERT, NOTE, LAMP, PAINT, CLOCK, LOCKER)


def catalogue(count: int) -> tuple[ProbeTool, ...]:
    """That many tools with names alike; each answers with a word of its own."""
    return tuple(_depot(number) for number in range(1, count + 1))


def _depot(number: int) -> ProbeTool:
    def stock(given: Arguments) -> str:
        item = read.text(given, "item")
        return f"depot {number}: {mark(f'{number}/{item}')}"

    return ProbeTool(
        f"stock_depot_{number}", f"The stock of an item in depot {number}.", schema(item=STRING), stock
    )


def adding_tool(name: str, description: str) -> ProbeTool:
    """The adding tool under another name."""
    return ProbeTool(name, description, ADD.parameters, _add)
