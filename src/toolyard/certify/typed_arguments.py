"""Arguments of a call as the tools read them: the right type, or a ToolFault that says which was wanted."""

from typing import TypeVar

from toolyard.certify.task import Arguments, ProbeToolFault
from toolyard.core.types import JsonValue

Kind = TypeVar("Kind")


def read_text(arguments: Arguments, name: str) -> str:
    """A string."""
    return _read(arguments, name, str, "a string")


def _read(arguments: Arguments, name: str, kind: type[Kind], wanted: str) -> Kind:
    value = arguments.get(name)
    if not isinstance(value, kind):
        raise ProbeToolFault(f"{name}: wanted {wanted}, found {name_of_kind(value)}")
    return value


def read_whole(arguments: Arguments, name: str) -> int:
    """A whole number; 3.0 is one, "3" is not."""
    value = read_number(arguments, name)
    if value != int(value):
        raise ProbeToolFault(f"{name}: wanted a whole number, found {value}")
    return int(value)


def read_number(arguments: Arguments, name: str) -> float:
    """A finite number."""
    value = arguments.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > 1e15 or value != value:
        raise ProbeToolFault(f"{name}: wanted a number, found {name_of_kind(value)}")
    return value


def read_flag(arguments: Arguments, name: str) -> bool:
    """A truth value."""
    return _read(arguments, name, bool, "true or false")


def read_choice(arguments: Arguments, name: str, values: tuple[str, ...]) -> str:
    """One of the values."""
    value = read_text(arguments, name)
    if value not in values:
        raise ProbeToolFault(f"{name}: wanted one of {', '.join(values)}")
    return value


def read_record(arguments: Arguments, name: str) -> dict[str, JsonValue]:
    """An object."""
    return _read(arguments, name, dict, "an object")


def read_items(arguments: Arguments, name: str) -> list[JsonValue]:
    """A list."""
    return _read(arguments, name, list, "a list")


def read_records(arguments: Arguments, name: str) -> list[dict[str, JsonValue]]:
    """A list of objects."""
    listed = read_items(arguments, name)
    found = [item for item in listed if isinstance(item, dict)]
    if len(found) < len(listed):
        raise ProbeToolFault(f"{name}: wanted a list of objects")
    return found


def allow_only(arguments: Arguments, *names: str) -> None:
    """Refuses arguments that the tool does not have."""
    other = [name for name in arguments if name not in names]
    if other:
        raise ProbeToolFault(f"{other[0][:40]!r} is no argument of this tool")


def name_of_kind(value: JsonValue) -> str:
    """What a value is, in JSON's words."""
    names = {str: "a string", bool: "a truth value", int: "a number", float: "a number", list: "a list"}
    return "nothing" if value is None else names.get(type(value), "an object")
