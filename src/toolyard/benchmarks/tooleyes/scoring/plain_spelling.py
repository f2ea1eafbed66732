"""Texts in one spelling, and the numbers and dates in them, for what is looked up in sources."""

import re
import unicodedata
from datetime import date
from functools import cache

from toolyard.text.ordinals import MONTHS, ordinal_day

# "1,250" is one number, "1, 250" are two. Commas group digits only where every group behind the first has exactly
# three: "142,2840.00" and "1,250,30" are the fields of a row.
NUMBER = re.compile(
    r"(?<![\w.])(?:(?<!\d,)[-+−]?[1-9]\d{0,2}(?:,\d{3})+(?!\d|,\d)|[-+−]?\d+)(?:\.\d+)?(?:[eE][-+]?\d{1,3})?"
)
_SAME = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-"}
)
_DATE_AND_TIME = re.compile(r"(\d{4}-\d\d-\d\d)t(\d)")


def normalise_text(text: str) -> str:
    """Text in one spelling: case, quotes, dashes and white space do not count; a time stands apart from its date."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_SAME)
    plain = " ".join(text.casefold().split())
    return _DATE_AND_TIME.sub(r"\1 \2", plain) if "-" in plain else plain


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


def find_numbers(text: str) -> list[float]:
    """All numbers of a text; groups of three digits may be set apart."""
    return [value for found in NUMBER.finditer(text) if (value := parse_number(found.group())) is not None]


def parse_number(written: str) -> float | None:
    """The value of a number as people write it; None beyond what a float holds."""
    plain = written.replace("−", "-").replace(",", "")
    if len(plain) > 60:
        return None
    value = float(plain)
    return value if abs(value) != float("inf") else None


@cache
def day_forms(day: date) -> tuple[str, ...]:
    """The usual ways to write a date, normalised; those without a year are among them."""
    number, month = day.day, MONTHS[day.month - 1]
    names = (month, month[:3], f"{month[:3]}.")
    days = (str(number), f"{number:02d}", ordinal_day(number))
    spoken = [form for name in names for each in days for form in (f"{name} {each}", f"{each} {name}")]
    spoken += [f"{each} of {month}" for each in days]
    figures = [f"{number}.{day.month}.{day.year}", f"{number:02d}.{day.month:02d}.{day.year}"]
    figures += [f"{day.year}/{day.month:02d}/{number:02d}", f"{day.month}/{number}/{day.year}"]
    return (day.isoformat(), *spoken, *figures, f"{day.month:02d}/{number:02d}/{day.year}")
