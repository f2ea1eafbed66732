"""Grounding: the share of numbers, dates and names in an answer that stand in its sources.

    "Rotterdam had 12.4 mm on 3 May."    numbers: 12.4; dates: 3 May; names: Rotterdam

Sources are the observations, the query, and what the user said on the way. A number counts however it is
written, also rounded; a date in any usual form; a name as whole words in any case. A single capitalised word at the
beginning of a sentence is no name, and neither are words that are capitalised by custom.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from toolyard.benchmarks.tooleyes.scoring.plain_spelling import (
    NUMBER,
    contains_words,
    day_forms,
    find_numbers,
    normalise_text,
    parse_number,
)
from toolyard.core.types import Failure
from toolyard.text.json_values import leaves
from toolyard.text.ordinals import MONTHS, WEEKDAYS
from toolyard.text.parsing import read_json

_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_SHORT_MONTHS = tuple(month[:3] for month in MONTHS)
_MONTH = "|".join((*MONTHS, *_SHORT_MONTHS))
_SPOKEN = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<month>{_MONTH})\b|"
    rf"(?P<named>{_MONTH})\.? (?P<number>\d{{1,2}})(?:st|nd|rd|th)?\b)(?:,? (?P<year>\d{{4}})\b)?"
)
# Letters and digits in one word, such as a UUID or AA3885: looked up as they are, not as numbers.
_CODE = re.compile(
    r"(?<![\w.])(?=[\w-]*\d)(?=[\w-]*[a-z])(?!\d+(?:st|nd|rd|th)\b|[\d.,]+[a-z]{1,3}\b)[a-z\d]+(?:-[a-z\d]+)*(?![\w])"
)
# Places in an order ("the 2nd one") are the answer's own words.
_ORDINAL = re.compile(r"(?<!\w)\d{1,2}(?:st|nd|rd|th)\b|^\s*\d{1,2}[.)] ", re.MULTILINE)
_WORD = re.compile(r"[^\W\d_][\w'’.&-]*")
_NAME = re.compile(
    r"(?<!\w)[A-Z][\w'’&-]*(?:\.[A-Z]\w*)*(?: (?:(?:of|the|de|la|and|van|von) )?[A-Z][\w'’&-]*)*"
)
_SENTENCE = re.compile(r"(?:^|[.!?:;\n•*\"“(-])\s*$")
_WORDS = (
    "i the a an this that it its he she they we you your my our his her their there here in on at by for from to of and "
    "or but no yes not if as with without ok sorry unfortunately please however also note today tomorrow yesterday "
    "am pm utc gmt id url api pdf ip usd eur gbp is are was "
    "were has have had result results answer"
)
_CUSTOM = frozenset({*_WORDS.split(), *WEEKDAYS, *MONTHS, *_SHORT_MONTHS})
YEAR_OF_SPOKEN_DATES = 2024
# Dates and names of an answer that are looked up, each in all sources.
MOST_ITEMS = 500


@dataclass(frozen=True, slots=True)
class Grounding:
    """The share of items that stand in a source, None for an answer without any, and those that stand in none."""

    share: float | None
    loose: tuple[str, ...]


def ground_answer(answer: str, sources: Sequence[str], derived: Sequence[str] = ()) -> Grounding:
    """Which items of the answer stand in a source; `derived` is a source, too."""
    items = dates_numbers_names(answer)
    if not items:
        return Grounding(None, ())
    normal_sources = normalise_text("\n".join([*sources, *derived, *map(_values_by_line, sources)]))
    # Read only where the answer has a number to look for. Signs are often put into words ("3 degrees below zero").
    numbers = find_numbers(normal_sources) if any(kind == "number" for kind, _ in items) else []
    numbers = sorted({abs(number) for number in numbers})
    loose = tuple(item for kind, item in items if not _is_grounded(kind, item, normal_sources, numbers))
    return Grounding((len(items) - len(loose)) / len(items), loose)


def _values_by_line(source: str) -> str:
    """The values of a source that is JSON, one a line: in [971,366] two numbers stand, in "0\\n1" as well."""
    value = read_json(source) if source[:1] in ("{", "[") else None
    return (
        "" if value is None or isinstance(value, Failure) else "\n".join(str(leaf) for leaf in leaves(value))
    )


def dates_numbers_names(answer: str) -> tuple[tuple[str, str], ...]:
    """(kind, text) of every date, number and name, each once, in order of kinds."""
    plain = normalise_text(answer)
    dates = tuple(islice(dict.fromkeys(found.group() for found in _find_dates(plain)), MOST_ITEMS))
    rest = plain
    for found in dates:
        rest = rest.replace(found, " ")
    codes = dict.fromkeys(found.group() for found in _CODE.finditer(rest))
    numbers = dict.fromkeys(
        found.group() for found in NUMBER.finditer(_ORDINAL.sub(" ", _CODE.sub(" ", rest)))
    )
    names = {**codes, **dict.fromkeys(_find_names(answer))}
    return tuple(
        [("date", item) for item in dates]
        + [("number", item) for item in numbers]
        + [("name", item) for item in islice(names, MOST_ITEMS)]
    )


def _find_dates(plain: str) -> Iterable[re.Match[str]]:
    # Plain searches first: most answers name no day, and the patterns look at every word.
    if "-" in plain:
        yield from _ISO.finditer(plain)
    if any(month in plain for month in _SHORT_MONTHS):
        yield from _SPOKEN.finditer(plain)


def _find_names(answer: str) -> Iterable[str]:
    for found in _NAME.finditer(answer):
        words = _WORD.findall(found.group())
        begins = _SENTENCE.search(answer[max(0, found.start() - 20) : found.start()]) is not None
        if begins and words and (len(words) == 1 or words[0].lower() in _CUSTOM):
            words = words[1:]
        kept = [word for word in words if normalise_text(word).strip(".") not in _CUSTOM]
        if kept:
            yield normalise_text(" ".join(words)).rstrip(".'")


def _is_grounded(kind: str, item: str, normal_sources: str, numbers: Sequence[float]) -> bool:
    if kind == "number":
        return _has_number(item, numbers)
    if kind == "date":
        return contains_words(normal_sources, item) or _has_date(item, normal_sources)
    return contains_words(normal_sources, item) or all(
        word in _CUSTOM or contains_words(normal_sources, word) for word in dict.fromkeys(item.split())
    )


def _has_number(item: str, numbers: Sequence[float]) -> bool:
    """Whether the number, sign and rounding apart, is among these, which are sorted."""
    value = parse_number(item)
    if value is None:
        return False
    decimals = len(item.partition(".")[2]) if "e" not in item else 12
    margin = max(1e-9 * abs(value), 0.5 * 10.0**-decimals if decimals else 0.0)
    # The nearest of them stand on either side of where it would be put in.
    place = bisect_left(numbers, abs(value))
    return any(
        abs(abs(value) - number) <= margin + 1e-12 for number in numbers[max(0, place - 1) : place + 1]
    )


def _has_date(item: str, normal_sources: str) -> bool:
    day = _parse_day(item)
    if day is None:
        return False
    spoken = _SPOKEN.fullmatch(item)
    forms = day_forms(day) if spoken is None or spoken["year"] else _forms_in_named_years(day, normal_sources)
    return any(contains_words(normal_sources, form) for form in forms)


def _parse_day(item: str) -> date | None:
    iso = _ISO.fullmatch(item)
    spoken = _SPOKEN.fullmatch(item)
    try:
        if iso:
            return date(int(iso[1]), int(iso[2]), int(iso[3]))
        if spoken:
            name = spoken["month"] or spoken["named"]
            month = next(place for place, full in enumerate(MONTHS, 1) if full.startswith(name[:3]))
            year = int(spoken["year"] or YEAR_OF_SPOKEN_DATES)
            return date(year, month, int(spoken["day"] or spoken["number"]))
    except ValueError:
        return None
    return None


def _forms_in_named_years(day: date, normal_sources: str) -> tuple[str, ...]:
    """The forms of a day without a year, in every year that the sources name."""
    years = {int(found) for found in re.findall(r"\b(?:19|20)\d\d\b", normal_sources)} | {day.year}
    # 29 February exists only in some of them.
    days = (
        date(year, day.month, min(day.day, 28) if day.month == 2 else day.day) for year in sorted(years)[:50]
    )
    return tuple(form for each in days for form in day_forms(each))
