"""What a question in words comes to when it is not an expression of algebra."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """How a question was read, the answer as text, and as a number where it is one."""

    reading: str
    text: str
    number: float | int | None = None


def plain_number(value: float) -> float | int:
    """A number to twelve digits, whole where it is."""
    rounded = float(f"{value:.12g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded


def format_number(value: float) -> str:
    """A number as people write it, to twelve digits."""
    number = float(f"{value:.12g}")
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else f"{number:.12g}"
