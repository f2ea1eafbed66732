"""A word on the command line that is none of those wanted, in one line: what was found, what was wanted."""

from typing import TYPE_CHECKING, cast

from toolyard.core.types import JsonValue, Record

if TYPE_CHECKING:
    from pydantic import ValidationError
    from typer import BadParameter

# By the kinds of pydantic, which reads the values; `ctx` of a kind fills the places.
WANTED = {
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number of fewer digits",
    "int_from_float": "a whole number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_parsing": "yes or no",
    "greater_than_equal": "{ge} or more",
    "greater_than": "more than {gt}",
    "less_than_equal": "{le} or less",
    "less_than": "less than {lt}",
}
LONGEST = 60


def mistake_line(error: Exception) -> str:
    """What a library of command lines says, with a value that could not be read in our own words."""
    message = cast("BadParameter", error).format_message()
    found = unread_value(error)
    if found is None:
        return message
    value, wanted = found
    text = repr(value)
    return f"{_longest_spelling(error)}: found {text if len(text) <= LONGEST else text[:LONGEST] + '…'}, wanted {wanted}"


def unread_value(error: Exception) -> tuple[JsonValue, str] | None:
    """The value that could not be read and what was wanted instead, where we know words for it."""
    cause = error.__cause__
    if not hasattr(cause, "errors"):
        return None
    first: Record = cast("ValidationError", cause).errors()[0]
    words = WANTED.get(first["type"])
    return None if words is None else (first["input"], words.format(**first.get("ctx", {})))


def _longest_spelling(error: Exception) -> str:
    """The option in its longest spelling."""
    names: list[str] = getattr(getattr(error, "param", None), "opts", [])
    return max(names, key=len, default="the command line")
