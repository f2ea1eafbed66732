"""Fields of lines that somebody else may have written, each of the kind that is wanted."""

from typing import TypeVar

from toolyard.core.errors import DataError

# Larger than any number of a run, and small enough that sums of them are numbers.
LARGEST_NUMBER = 2**64
Kind = TypeVar("Kind")
Default = TypeVar("Default")


def typed_field(line: object, name: str, kind: type[Kind], *default: Default) -> Kind | Default:
    """The field of a line, or its default; DataError where it is missing, something else or beyond all measure."""
    if not isinstance(line, dict):
        raise DataError(f"found {type(line).__name__} where an object with {name} was wanted")
    if name not in line and not default:
        raise DataError(f"{name} is missing")
    value: Kind | Default = line.get(name, *default)
    if _is_of(value, kind) or (default and value == default[0]):
        return value
    raise DataError(f"{name}: found {_describe_value(value)}, wanted {kind.__name__}")


def typed_values(line: object, name: str, kind: type[Kind], *default: Default) -> dict[str, Kind | Default]:
    """An object of a line whose values are all of one kind, or the default."""
    found = typed_field(line, name, dict)
    for key in found:
        typed_field(found, key, kind, *default)
    return found


def typed_items(line: object, name: str, kind: type[Kind]) -> list[Kind]:
    """A list of a line whose items are all of one kind."""
    found = typed_field(line, name, list)
    for item in found:
        if not _is_of(item, kind):
            raise DataError(f"{name}: found {_describe_value(item)} in it, wanted {kind.__name__}")
    return found


def _is_of(value: object, kind: type) -> bool:
    """Whether a value is of a kind: true is no number, and no run has numbers beyond all measure."""
    if kind not in (int, float):
        return isinstance(value, kind)
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or (kind is int and isinstance(value, float))
    ):
        return False
    return -LARGEST_NUMBER <= value <= LARGEST_NUMBER


def _describe_value(value: object) -> str:
    return f"{value:.3g}" if type(value) in (int, float) else type(value).__name__
