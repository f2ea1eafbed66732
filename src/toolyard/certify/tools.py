"""The tools of the probes: pure functions whose answers cannot be guessed without the right arguments."""

import zlib

from toolyard.certify import typed_arguments as read
from toolyard.certify.task import Arguments, ProbeTool, ProbeToolFault
from toolyard.core.types import JsonValue

COLOURS = ("amber", "teal", "violet")
UNITS = ("metre", "foot", "mile")
LOCKERS = {"harbour": "K7-PLUM", "mill": "Q2-FERN", "tower": "Z9-OPAL"}
METERS = {"B-12": "4187", "C-40": "2950"}
METRES = {"metre": 1.0, "foot": 0.3048, "mile": 1609.344}


def object_schema(required: tuple[str, ...] | None = None, **properties: JsonValue) -> dict[str, JsonValue]:
    """An object schema; all properties are required where nothing else is said."""
    names = list(properties) if required is None else list(required)
    return {"type": "object", "properties": properties, "required": names, "additionalProperties": False}


def text_checksum(value: str) -> str:
    """A short checksum of a text, by its UTF-8 bytes."""
    return f"{zlib.crc32(value.encode('utf-8', 'surrogatepass')):08x}"


STRING: dict[str, JsonValue] = {"type": "string"}
INTEGER: dict[str, JsonValue] = {"type": "integer"}
NUMBER: dict[str, JsonValue] = {"type": "number"}
BOOLEAN: dict[str, JsonValue] = {"type": "boolean"}


def _add_numbers(given: Arguments) -> str:
    return str(read.read_whole(given, "a") + read.read_whole(given, "b"))


def _convert_length(given: Arguments) -> str:
    metres = read.read_number(given, "value") * METRES[read.read_choice(given, "from_unit", UNITS)]
    return f"{metres / METRES[read.read_choice(given, 'to_unit', UNITS)]:.3f}"


def _store_note(given: Arguments) -> str:
    text = read.read_text(given, "text")
    return f"stored {len(text)} characters, checksum {text_checksum(text)}"


def _switch_lamp(given: Arguments) -> str:
    state = "on" if read.read_flag(given, "on") else "off"
    return f"lamp {read.read_text(given, 'room')} {state}"


def _paint_object(given: Arguments) -> str:
    return f"painted {read.read_text(given, 'object')} {read.read_choice(given, 'colour', COLOURS)}"


def _read_clock(given: Arguments) -> str:
    read.allow_only(given)
    return "tick 7316"


def _read_locker(given: Arguments) -> str:
    place = read.read_text(given, "place").lower()
    if place not in LOCKERS:
        raise ProbeToolFault(f"no locker at {place[:40]!r}; there are {', '.join(LOCKERS)}")
    return LOCKERS[place]


def _unlock_locker(given: Arguments) -> str:
    code = read.read_text(given, "code")
    if code not in LOCKERS.values():
        raise ProbeToolFault("wrong code")
    return f"open, inside lies ticket {text_checksum(code)[:4]}"


def _read_meter(given: Arguments) -> str:
    unit = read.read_text(given, "unit")
    if unit not in METERS:
        raise ProbeToolFault(f"unknown unit {unit[:40]!r}; units are written with a hyphen, such as B-12")
    return METERS[unit]


def _sum_items(given: Arguments) -> str:
    return str(sum(read.read_whole({"item": item}, "item") for item in read.read_items(given, "numbers")))


ADD = ProbeTool("add", "The sum of two whole numbers.", object_schema(a=INTEGER, b=INTEGER), _add_numbers)
CONVERT = ProbeTool(
    "convert_length", "Converts a length from one unit to another.",
    object_schema(value=NUMBER, from_unit={**STRING, "enum": list(UNITS)}, to_unit={**STRING, "enum": list(UNITS)}),
    _convert_length,
)  # fmt: skip
NOTE = ProbeTool("store_note", "Stores a text exactly as given.", object_schema(text=STRING), _store_note)
LAMP = ProbeTool(
    "set_lamp", "Switches the lamp of a room on or off.", object_schema(room=STRING, on=BOOLEAN), _switch_lamp
)
PAINT = ProbeTool(
    "paint", "Paints an object in a colour.",
    object_schema(object=STRING, colour={**STRING, "enum": list(COLOURS)}), _paint_object,
)  # fmt: skip
CLOCK = ProbeTool(
    "read_clock",
    "The current tick of the station clock. It takes no arguments.",
    object_schema(),
    _read_clock,
)
LOCKER = ProbeTool(
    "locker_code", "The code of the locker at a place.", object_schema(place=STRING), _read_locker
)
UNLOCK = ProbeTool("open_locker", "Opens a locker with its code.", object_schema(code=STRING), _unlock_locker)
METER = ProbeTool(
    "read_meter", "The reading of the meter of a unit.", object_schema(unit=STRING), _read_meter
)
TOTAL = ProbeTool(
    "total",
    "The sum of a list of whole numbers.",
    object_schema(numbers={"type": "array", "items": INTEGER}),
    _sum_items,
)
PLAIN = (ADD, CONVERT, NOTE, LAMP, PAINT, CLOCK, LOCKER)


def depot_tools(count: int) -> tuple[ProbeTool, ...]:
    """That many tools with names alike; each answers with a word of its own."""
    return tuple(_depot_tool(number) for number in range(1, count + 1))


def _depot_tool(number: int) -> ProbeTool:
    def stock(given: Arguments) -> str:
        item = read.read_text(given, "item")
        return f"depot {number}: {text_checksum(f'{number}/{item}')}"

    return ProbeTool(
        f"stock_depot_{number}", f"The stock of an item in depot {number}.", object_schema(item=STRING), stock
    )


def adding_tool(name: str) -> ProbeTool:
    """The adding tool under another name."""
    return ProbeTool(name, "Adds two numbers.", ADD.parameters, _add_numbers)
