"""What a question in words comes to when it is not an expression of algebra."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

_ASKED = re.compile(
    r"^(?:please |can you |what is |what are |what's |whats |find |calculate |compute |evaluate |give me |the )+"
)


@dataclass(frozen=True, slots=True)
class Answer:
    """How a question was read, the answer as text, and as a number where it is one."""

    reading: str
    text: str
    number: float | int | None = None


# The words of a question, and what answers it.
Reading = tuple[re.Pattern[str], Callable[[re.Match[str]], Answer | str | None]]


def answer_by_pattern(question: str, readings: Iterable[Reading], most: int) -> Answer | str | None:
    """The answer of the first reading that fits the question, of which `most` characters are read; None if none fits."""
    text = _ASKED.sub("", " ".join(question.lower().rstrip("?.! ").split())[:most])
    for pattern, answer in readings:
        match = pattern.fullmatch(text)
        if match:
            return answer(match)
    return None


def plain_number(value: float) -> float | int:
    """A number to twelve digits, whole where it is."""
    rounded = float(f"{value:.12g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded


def format_number(value: float) -> str:
    """A number as people write it, to twelve digits."""
    number = float(f"{value:.12g}")
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else f"{number:.12g}"
