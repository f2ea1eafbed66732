"""Facts that an answer must contain: texts, numbers and dates, each with its alternatives.

["Mountain View", "mountain view, california"]      one of these texts, as whole words, in any case
[42, "forty-two"]                                   the number 42 however it is written, or the words
[{"number": 3.21, "within": 0.05}]                  a number near enough
[{"date": "2024-05-15"}]                            that day as 2024-05-15, May 15th, 15 May 2024, 15.05.2024 ...
[{"tool": "get_uuid", "path": "uuids[0]"}]          whatever this tool returned there in the model's own episode
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TypeAlias

from toolyard.benchmarks.tooleyes.references import look_up
from toolyard.core.types import Json
from toolyard.text.dates import MONTHS, ordinal

# "1,250" is one number, "1, 250" are two. Commas group digits only where every group behind the first has exactly
# three: "142,2840.00" and "1,250,30" are the fields of a row.
NUMBER = re.compile(
    r"(?<![\w.])(?:(?<!\d,)[-+−]?[1-9]\d{0,2}(?:,\d{3})+(?!\d|,\d)|[-+−]?\d+)(?:\.\d+)?(?:[eE][-+]?\d{1,3})?"
)
EXACT = 1e-9
_SAME = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-"}
)
_DATE_AND_TIME = re.compile(r"(\d{4}-\d\d-\d\d)t(\d)")


@dataclass(frozen=True, slots=True)
class Near:
    """A number, and how far off is still right."""

    number: float
    within: float


@dataclass(frozen=True, slots=True)
class Day:
    """A date, however it is written."""

    day: date


@dataclass(frozen=True, slots=True)
class Observed:
    """What a tool returned at a path, for tools whose point is chance."""

    tool: str
    path: str


Alternative: TypeAlias = str | Near | Day | Observed
# (tool, result) of every call of an episode
Observations: TypeAlias = Sequence[tuple[str, Json]]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that may be said in any of several ways."""

    alternatives: tuple[Alternative, ...]

    def holds(self, text: str, observations: Observations = ()) -> bool:
        """Whether the text says it; `observations` are needed only for what chance decides."""
        plain = normalised(text)
        return any(
            says(plain, known)
            for alternative in self.alternatives
            for known in (
                _seen(alternative, observations) if isinstance(alternative, Observed) else (alternative,)
            )
        )

    def __str__(self) -> str:
        return " or ".join(map(_shown, self.alternatives))


def fact_of(written: Json) -> Fact | None:
    """The fact that a list of alternatives (or a single one) stands for; None where it is not one."""
    items = written if isinstance(written, list) else [written]
    alternatives = [_alternative(item) for item in items]
    if not alternatives or any(item is None for item in alternatives):
        return None
    return Fact(tuple(item for item in alternatives if item is not None))


def _alternative(item: Json) -> Alternative | None:
    if isinstance(item, str):
        return normalised(item) or None
    if isinstance(item, bool):
        return None
    if isinstance(item, int | float):
        return Near(float(item), 0.0)
    if not isinstance(item, Mapping):
        return None
    if set(item) == {"tool", "path"} and all(isinstance(value, str) for value in item.values()):
        return Observed(item["tool"], item["path"])
    number, within = item.get("number"), item.get("within", 0.0)
    if (
        set(item) <= {"number", "within"}
        and isinstance(number, int | float)
        and isinstance(within, int | float)
    ):
        return Near(float(number), float(within))
    return _day(item)


def _day(item: Mapping[str, Json]) -> Day | None:
    written = item.get("date")
    if set(item) != {"date"} or not isinstance(written, str):
        return None
    try:
        return Day(date.fromisoformat(written))
    except ValueError:
        return None


def _seen(wanted: Observed, observations: Observations) -> list[Alternative]:
    """What the tool really returned there, in each of its calls."""
    reference = f"0.{wanted.path}" if wanted.path and not wanted.path.startswith("[") else f"0{wanted.path}"
    found = (look_up(reference, [value]) for tool, value in observations if tool == wanted.tool)
    texts = (str(value) for value in found if isinstance(value, str | int | float))
    return [plain for text in texts if (plain := normalised(text))]


def _shown(alternative: Alternative) -> str:
    if isinstance(alternative, Observed):
        return f"what {alternative.tool} returned as {alternative.path}"
    if isinstance(alternative, Near):
        return f"{alternative.number:.10g}" + (f" ± {alternative.within:g}" if alternative.within else "")
    return alternative.day.isoformat() if isinstance(alternative, Day) else repr(alternative)


def normalised(text: str) -> str:
    """Text in one spelling: case, quotes, dashes and white space do not count; a time stands apart from its date."""
    plain = " ".join(unicodedata.normalize("NFKC", text).translate(_SAME).casefold().split())
    return _DATE_AND_TIME.sub(r"\1 \2", plain)


def says(plain: str, alternative: Alternative) -> bool:
    """Whether normalised text contains the alternative."""
    if isinstance(alternative, Observed):
        return False
    if isinstance(alternative, str):
        return contains_words(plain, alternative)
    if isinstance(alternative, Day):
        return any(contains_words(plain, form) for form in forms_of(alternative.day))
    margin = max(alternative.within, EXACT * max(1.0, abs(alternative.number)))
    return any(abs(number - alternative.number) <= margin for number in numbers_in(plain))


def contains_words(plain: str, wanted: str) -> bool:
    """Whether the text has the words, not as a part of longer ones."""
    start = plain.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        before, after = plain[start - 1 : start], plain[end : end + 1]
        joined_before = before.isalnum() and wanted[0].isalnum()
        joined_after = after.isalnum() and wanted[-1].isalnum()
        if not joined_before and not joined_after:
            return True
        start = plain.find(wanted, start + 1)
    return False


def numbers_in(text: str) -> list[float]:
    """All numbers of a text; groups of three digits may be set apart."""
    return [value for found in NUMBER.finditer(text) if (value := number_of(found.group())) is not None]


def number_of(written: str) -> float | None:
    """The value of a number as people write it; None beyond what a float holds."""
    plain = written.replace("−", "-").replace(",", "")
    if len(plain) > 60:
        return None
    value = float(plain)
    return value if abs(value) != float("inf") else None


@cache
def forms_of(day: date) -> tuple[str, ...]:
    """The usual ways to write a date, normalised; those without a year are among them."""
    number, month = day.day, MONTHS[day.month - 1]
    names = (month, month[:3], f"{month[:3]}.")
    days = (str(number), f"{number:02d}", ordinal(number))
    spoken = [form for name in names for each in days for form in (f"{name} {each}", f"{each} {name}")]
    spoken += [f"{each} of {month}" for each in days]
    figures = [f"{number}.{day.month}.{day.year}", f"{number:02d}.{day.month:02d}.{day.year}"]
    figures += [f"{day.year}/{day.month:02d}/{number:02d}", f"{day.month}/{number}/{day.year}"]
    return (day.isoformat(), *spoken, *figures, f"{day.month:02d}/{number:02d}/{day.year}")
