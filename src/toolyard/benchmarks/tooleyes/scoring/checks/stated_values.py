"""The kinds of values that an observation may have, and where a passage mentions one.

Number(3)   Number(12.5, "km")   Number(98.4, "EUR")   Day(2024-05-20)   Month(2024, 5)   Clock(18:38)   Name("Kraken")
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cache, lru_cache
from typing import TypeAlias

from toolyard.benchmarks.tooleyes.scoring.checks import load_library
from toolyard.benchmarks.tooleyes.scoring.checks.passages import fold_letters
from toolyard.benchmarks.tooleyes.scoring.checks.quantities import (
    DIGITS,
    LEAST_DIGITS,
    WrittenNumber,
    against_direction,
    conversion_between,
    currency_names,
    find_durations,
    is_currency,
    written_numbers,
)
from toolyard.benchmarks.tooleyes.scoring.checks.stated_days import (
    clock_times,
    named_days,
    weekday_conflict,
    weekday_names,
)
from toolyard.text.synonyms import same_thing

_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?")
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ANY = "|".join(_ORDINALS)
# "the second and the fourth line" are lines 2 and 4; who finished seventh is 7, but hardly anybody asks for "first".
_SPOKEN_PLACE = re.compile(
    rf"\b(?:{_ANY})\b(?=(?:,? (?:and )?(?:the )?(?:{_ANY}))* (?:line|row|item|sentence|text|entry|complaint)s?\b)"
    rf"|\b(?:{'|'.join(_ORDINALS[3:])})\b"
)
_LAP = re.compile(r"(?:\d{1,2}:)?\d{1,2}:\d{2}\.\d{1,3}")
# The legal form of a firm, and what stands before it that nobody says: "Ford Motor Company" is Ford.
_SUFFIX = re.compile(
    r"(?:[, ]+(?:& )?"
    r"(?:incorporated|inc|corporation|corp|limited|ltd|company|co|plc|ag|se|llc|gmbh|holdings|s\.a|n\.v)\.?)+$",
    re.I,
)
_TRADE = re.compile(r" (?:motor|technology)$", re.I)
_ADDRESS = re.compile(r"^(?:https?://)?(?:www\.)?([\w.-]+\.[a-z]{2,}(?:[/:?#].*)?)$", re.I)
_PHONE = re.compile(r"\+?[\d][\d ().-]{6,}\d")
# The number of a flight or a course: "LH3552" is also written "LH 3552".
_CODE = re.compile(r"[a-z]{2,3}\d{3,4}")
# "Lopez, Steven" is Steven Lopez, and a "resort hotel" a Hotel resort.
_TWO_WORDS = re.compile(r"[A-Z][^\W\d_]{3,} [^\W\d_]{4,}")
_EDGE = "'\".,!()[] \n"
_SMALL_WORDS = frozenset(
    "the a an of and or in on at for to by with from is it its my your no so be me do go if as am pm he we up us".split()  # noqa: SIM905
)
# What costs nothing.
_FREE = re.compile(r"(?<!not )(?<!n't )\b(?:free|nothing|no charge|gratis)\b(?! (?:up|to choose|until)\b)")


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a value stands in a passage."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Number:
    """A number, quantity or sum of money; `digits` must be stated, all of them where it is 0; `strict` wants no fewer."""

    number: float
    unit: str = ""
    digits: int = DIGITS
    kind: str = "number"
    strict: bool = field(default=False, compare=False)

    def spots(self, text: str) -> Iterator[Spot]:
        for one in _plain_numbers(text):
            if self._is(one):
                yield Spot(one.start, one.unit_end)
        if not self.unit and self.number in range(1, len(_ORDINALS) + 1):
            yield from (
                Spot(*at.span())
                for at in _SPOKEN_PLACE.finditer(fold_letters(text))
                if at[0] == _ORDINALS[int(self.number) - 1]
            )
        if not self.number and is_currency(self.unit):
            yield from (Spot(*found.span()) for found in _FREE.finditer(text.lower()))
        if self.unit and not is_currency(self.unit) and (seconds := _seconds_of_unit(self.unit)):
            for start, end, value, step in find_durations(text):
                margin = 0.5 * step if step <= max(1.0, 0.02 * self.number * seconds) else 1e-6
                if abs(value - self.number * seconds) <= margin + 1e-6:
                    yield Spot(start, end)

    def _is(self, one: WrittenNumber) -> bool:
        against, least = against_direction(self.number, one), DIGITS if self.strict else LEAST_DIGITS
        if one.is_value(self.number, self.unit, self.digits, least):
            return not (self.number and one.unit == "percent" and not one.signed and against)
        # Signs are often put into words: "2.56 % down"; a bare score keeps its sign.
        changes = one.unit == "percent" or one.currency or against is False
        return bool(self.number < 0 and not one.signed and changes and not against) and one.is_value(
            -self.number, self.unit, self.digits, least
        )

    def __str__(self) -> str:
        return f"{self.number:.10g} {self.unit}".strip()


@dataclass(frozen=True, slots=True)
class Day:
    """A date."""

    day: date
    kind: str = "date"

    def spots(self, text: str) -> Iterator[Spot]:
        for one in named_days(text):
            same = (
                one.day == self.day.day
                and one.month in (None, self.day.month)
                and one.year in (None, self.day.year)
            )
            if same and not weekday_conflict(text, one, self.day):
                yield Spot(one.start, one.end)

    def __str__(self) -> str:
        return self.day.isoformat()


@dataclass(frozen=True, slots=True)
class Month:
    """A month, with or without its year."""

    year: int
    month: int
    kind: str = "date"

    def spots(self, text: str) -> Iterator[Spot]:
        for one in named_days(text):
            if one.month == self.month and one.year in (None, self.year):
                yield Spot(one.start, one.end)

    def __str__(self) -> str:
        return f"{self.year}-{self.month:02d}"


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day in minutes; without am or pm either half counts."""

    minutes: int
    kind: str = "time"

    def spots(self, text: str) -> Iterator[Spot]:
        for start, end, minutes, half in clock_times(text):
            if minutes == self.minutes or (half and (minutes + 720) % 1440 == self.minutes):
                yield Spot(start, end)

    def __str__(self) -> str:
        return f"{self.minutes // 60:02d}:{self.minutes % 60:02d}"


@dataclass(frozen=True, slots=True)
class Name:
    """A name, phrase, code or address; `strict` ones have no shortened title."""

    text: str
    kind: str = "text"
    strict: bool = False

    def spots(self, text: str) -> Iterator[Spot]:
        for start, end in name_spans(text, self.text, loose=not self.strict):
            yield Spot(start, end)

    def __str__(self) -> str:
        return repr(self.text)


Value: TypeAlias = Number | Day | Month | Clock | Name


@lru_cache(maxsize=256)
def _seconds_of_unit(unit: str) -> float:
    """How many seconds a unit has; 0 where it is none of time."""
    found = conversion_between(unit, "second")
    return found[0][0] if found and unit != "second" and found != ((1.0, 0.0),) else float(unit == "second")


@lru_cache(maxsize=1024)
def _plain_numbers(text: str) -> tuple[WrittenNumber, ...]:
    """The numbers that are no part of a date or time; "first" and "second" are hardly ever what was asked for."""
    taken = [
        (one.start, one.end) for one in named_days(text) if one.day is not None and one.month is not None
    ]
    taken += [
        (start, end)
        for start, end, *_ in clock_times(text)
        if re.search(r"[:a-z]", fold_letters(text[start:end]))
    ]
    return tuple(
        one
        for one in written_numbers(text)
        if not any(start <= one.start < end for start, end in taken)
        and not (one.ordinal and one.readings[0][0] < 4)
    )


@lru_cache(maxsize=8192)
def name_spans(
    text: str, wanted: str, *, loose: bool = False, bent: bool = True
) -> tuple[tuple[int, int], ...]:
    """Where a text has the name or phrase, or another name of the same thing, as (start, end)."""
    plain = fold_letters(text)
    found = [
        at.span()
        for form in name_forms(wanted)
        for at in _pattern_of_words(form, bent and wanted).finditer(plain)
        if _is_written_as_name(text, at, form)
    ]
    folder, _, file = wanted.rpartition("/")
    if not found and folder.startswith("/") and "." in file and fold_letters(folder) in plain:
        found += [at.span() for at in _pattern_of_words(fold_letters(file), False).finditer(plain)]
    if not found and _PHONE.fullmatch(wanted):
        found += _find_phone_number(text, wanted)
    if not found and wanted.islower() and wanted.isalpha():
        found += [at.span() for at in re.finditer(r"[a-z]+", plain) if same_thing(at[0], wanted, "")]
    if not found and loose and "/" not in wanted:
        found += _find_loose_title(plain, fold_letters(wanted))
    return tuple(sorted(set(found)))


def _is_written_as_name(text: str, at: re.Match[str], form: str) -> bool:
    """Whether a short form that is also a word, such as US, is written as a name."""
    said = text[at.start() : at.end()]
    short = form in _SMALL_WORDS or (len(form) <= 3 and form in _names_of_countries())
    return not short or said.isupper() or (len(form) > 3 and said[:1].isupper())


@lru_cache(maxsize=16384)
def name_forms(wanted: str) -> tuple[str, ...]:
    """The ways in which a name may be put, folded: without its legal form, as a code, as an address."""
    name = fold_letters(wanted).strip(_EDGE)
    firm = _SUFFIX.sub("", wanted)
    short = fold_letters(firm).strip(_EDGE)
    bare = re.sub(r"^the ", "", short)
    address = _ADDRESS.match(wanted.strip())
    forms = [
        name,
        short,
        bare,
        fold_letters(_TRADE.sub("", firm)) if firm != wanted else "",
        *_names_of_countries().get(bare, ()),
        *currency_names(wanted.strip()),
        *weekday_names(name),
    ]
    if address is not None:
        forms.append(fold_letters(address[1]).rstrip("/"))
    if " & " in name:
        forms.append(name.replace(" & ", " and "))
    if _TWO_WORDS.fullmatch(wanted):
        forms.append(" ".join(reversed(name.split())))
    return tuple(dict.fromkeys(fold_letters(form) for form in forms if form)) or (fold_letters(wanted),)


@cache
def _names_of_countries() -> dict[str, tuple[str, ...]]:
    """Every name and code of a country with its other ones, as babel has them."""
    locale, get_global = load_library("babel").Locale("en"), load_library("babel.core").get_global
    groups = {code: {code, fold_letters(name)} for code, name in locale.territories.items() if code.isalpha()}
    for alias, codes in get_global("territory_aliases").items():
        if len(codes) == 1 and codes[0] in groups and alias.isalpha():
            groups[codes[0]].add(alias)
    found: dict[str, tuple[str, ...]] = {}
    for group in groups.values():
        full = {
            form
            for name in group
            for form in (fold_letters(name), re.sub(r" \([^)]*\)", "", fold_letters(name)))
        }
        dotted = {".".join(form) for form in full if 2 <= len(form) <= 3}
        for form in full | dotted:
            found.setdefault(form, tuple(sorted(full | dotted)))
    return found


@lru_cache(maxsize=16384)
def _pattern_of_words(form: str, wanted: str | bool) -> re.Pattern[str]:
    """The words with any white space or hyphen between them, not as a part of longer words.

    `wanted` is the name as data have it; common words may be bent ("rain", "raining"), names only take a
    plural, and a comma or "'s" may part their words. A phrase that decides stays as it is: "no rain" is not "no, rain".
    """
    comma, between = (",?", "(?:'s)?,?") if wanted else ("", "")
    parts = [re.escape(part) for part in re.split(rf"{comma}[\s-]+", form) if part]
    body = rf"{between}[\s-]+".join(parts) if parts else re.escape(form)
    if _CODE.fullmatch(form):
        body = re.sub(r"(?<=[a-z])(?=\d)", r"[\\s-]?", form)
    if len(form) > 3 and not re.search(r"\d\.\d|\.[a-z]{2}", form):
        body = body.replace("'", "'?").replace(r"\.", r"\.?")
    inside = re.search(r"[/.@]", form) is not None
    before = r"(?<![^\W_])" if inside else r"(?<![^\W_])(?<![/@])"
    after = r"(?![^\W_])" if inside else r"(?![^\W_])(?![@/][a-z]|\.[a-z])"
    before = before if form[:1].isalnum() and form[:1].isascii() else ""
    after = after if form[-1:].isalnum() and form[-1:].isascii() else ""
    plural = ""
    if wanted and form[-1:].isalpha() and form.isascii() and len(form) > 3:
        plural = (
            "(?:s|es|ed|ing|y)?" if isinstance(wanted, str) and wanted.islower() and " " not in form else "s?"
        )
    return re.compile(f"{before}{body}{plural}{after}")


def _find_phone_number(text: str, wanted: str) -> list[tuple[int, int]]:
    digits = re.sub(r"\D", "", wanted)
    spoken = ((at.span(), re.sub(r"\D", "", at.group())) for at in _PHONE.finditer(text))
    return [
        at
        for at, said in spoken
        if said == digits or (len(said) >= 7 and (digits.endswith(said.lstrip("0")) or said.endswith(digits)))
    ]


def _find_loose_title(plain: str, wanted: str) -> list[tuple[int, int]]:
    """A long title of which at least four fifths of the words are there, in order and close together."""
    words = [word for word in re.findall(r"[^\W_]+", wanted) if word not in _SMALL_WORDS]
    if len(words) < 4 or sum(map(len, words)) < 16:
        return []
    spots: list[tuple[int, int]] = []
    for word in words:
        at = re.compile(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])").search(
            plain, spots[-1][1] if spots else 0
        )
        if at is not None and (not spots or at.start() - spots[-1][1] < 60):
            spots.append(at.span())
    return [(spots[0][0], spots[-1][1])] if len(spots) >= 0.8 * len(words) else []


def to_value(item: object, unit: str = "", digits: int = DIGITS) -> Value | None:
    """The value that data stand for: a number, a date or time by its looks, or a name."""
    if isinstance(item, bool) or item is None:
        return None
    if isinstance(item, int | float):
        return Number(float(item), unit, digits)
    text = str(item).strip()
    if not text:
        return None
    if unit and unit != "time" and re.fullmatch(r"\d+(?:\.\d+)?", text):
        return Number(float(text), unit, digits)
    if _DATE_TIME.fullmatch(text) and unit != "time":
        return Day(date.fromisoformat(text[:10])) if _is_date(text[:10]) else Name(text)
    if _LAP.fullmatch(text):
        return Number(next(seconds for _, _, seconds, _ in find_durations(text)), "second", digits)
    clock = _CLOCK.fullmatch(
        text if unit != "time" else text[-5:] if len(text) == 16 else (text[11:16] or text)
    )
    if clock is not None:
        return Clock(int(clock[1]) * 60 + int(clock[2]))
    return Name(_longest_sentence(text))


def _longest_sentence(text: str) -> str:
    """Answers are read sentence by sentence, so that of a longer text one must be there."""
    if len(text) < 40 or "/" in text:
        return text
    return max(re.split(r"(?<=[.!?:;])\s+", text), key=len)


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
