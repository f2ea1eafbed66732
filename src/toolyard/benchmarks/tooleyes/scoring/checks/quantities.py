"""Numbers, sums of money and quantities as people write them, read with babel and pint.

    "1,234.5"  "1.234,5"  "1.2 million"  "forty-two"  "$7.50"  "7.50 euros"  "6.2 miles"  "1 h 30 min"  "down 2.5 %"

A stated number is right if it is the value rounded to the digits that are stated, and these are at least two, and of a
larger number all before the point or three: 4.1 for 4.08, 34 for 33.61, 16,284.7, 16,285 or 16,300 for 16,284.71, "about"
or not; neither 4, nor 16,000, nor 16,290.4. With three digits it may also be cut off after them: 16,284.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from math import floor, log10
from typing import Any

from toolyard.benchmarks.tooleyes.scoring.checks import load_library
from toolyard.benchmarks.tooleyes.scoring.checks.passages import fold_letters
from toolyard.text.counted_nouns import SMALL_NUMBERS, TENS

# Significant digits that an answer must state, where the value has as many and the question asks for no other number.
DIGITS = 3
# Fewer are enough where they are all that stand before the point.
LEAST_DIGITS = 2
_SCALES = {
    "hundred": 1e2, "dozen": 12.0, "thousand": 1e3, "k": 1e3, "lakh": 1e5, "million": 1e6, "mn": 1e6, "crore": 1e7,
    "billion": 1e9, "bn": 1e9, "trillion": 1e12, "tn": 1e12, "m": 1e6, "b": 1e9, "t": 1e12,
}  # fmt: skip
_LETTERS = ("m", "b", "t")
_FIGURES = r"\d{1,3}(?:[ ']\d{3})+(?:[.,]\d{1,4})?(?!\d)|\d+(?:[.,]\d+)*(?:e[+-]?\d{1,2}(?!\d))?"
_WORDS = "|".join(
    sorted((*SMALL_NUMBERS, *TENS, "hundred", "thousand", "million", "billion", "dozen", "half"), key=len)[
        ::-1
    ]
)
_SPOKEN = (
    rf"(?:an? (?=hundred|thousand|million|dozen))?(?:{_WORDS})"
    rf"(?:(?:[ -]|(?<=hundred) and |(?<=thousand) and )(?:{_WORDS}))*"
)
_WRITTEN = re.compile(
    rf"(?<![\w.,:/@\\-])({_FIGURES})|(?<=-)(?<![\w)]-)({_FIGURES})|(?<=[a-z]\$)({_FIGURES})|(?<=\d-)({_FIGURES})(?![\d-])"
    rf"|(?<=\b[wdlt])(\d{{1,3}})(?=\W)|(?<![\w-])({_SPOKEN}|once|twice)(?!\w)"
)
_SCALE = re.compile(
    rf"[ -]?({'|'.join(sorted((each for each in _SCALES if each not in _LETTERS), key=len)[::-1])})s?(?![a-z])"
    r"|([mbt])(?![a-z/])"
)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?![a-z])")
_MINUS = re.compile(r"(?:(?<![\w.)])-|minus |negative )[^\w\s]?$")
_BELOW = re.compile(r"\s?(?:°\s?c?|degrees?(?: celsius)?)? ?below (?:zero|freezing)")
_UNIT = re.compile(r"[\s-]?(?:an? )?((?:[a-z]+/[a-z]+)|°\s?[cf]?|%|per cent|[^\W\d_]+)(?![a-z])")
_OUT_OF = re.compile(r"\s+out of (?:every )?(?:100|a hundred|one hundred)\b")
# Words of English that pint reads as inches, years or attometres.
_NO_UNITS = frozenset({"a", "am", "an", "as", "at", "in", "is", "it", "me", "pm", "to", "us", "we", "so"})
# How people write units that pint spells otherwise.
_SPELLED = {
    "%": "percent", "per cent": "percent", "cents": "cent", "°": "degree", "degrees": "degree", "°c": "degC", "°f": "degF",
    "c": "degC", "f": "degF",
    "celsius": "degC", "fahrenheit": "degF", "kb": "kB", "mb": "MB", "gb": "GB", "kilo": "kilogram", "kilos": "kilogram",
}  # fmt: skip
# "won once in ten runs" counts, "once you are there" does not.
_ONE_TIME = re.compile(r"(?<!\bat once)\s*(?:[.,;:)]|$)|\s(?:in|at|on|out of|only|so far|before)\b")
_UP = re.compile(
    r"\b(?:rose|risen|rises|gain\w*|up|higher|increas\w*|grew|climb\w*|above|beat\w*|jump\w*|exceed\w*|surplus)\b"
)
_DOWN = re.compile(
    r"\b(?:fell|fallen|falls|los[est]\w*|loss|down|lower|decreas\w*|declin\w*|drop\w*|below|slip\w*|short|miss\w*|negative|weaker|slid)\b"
)
_COLON = re.compile(r"(?<![\d:.])(?:(\d{1,2}):)?(\d{1,3}):(\d{2}(?:[.,]\d+)?)(?![\d:])")
_HALVES = (
    (re.compile(r"\b(?:an|one) hour and a half|one and a half hours"), 5400.0),
    (re.compile(r"\bhalf[ -](?:an )?hour"), 1800.0),
)
_JOIN = re.compile(r"[\s,]*(?:and\s)?")
_TIME, _HOUR = "[time]", 3600.0


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A number in a text: what it may mean, each reading with the worth of its last digit, and what is beside it."""

    start: int
    end: int
    readings: tuple[tuple[float, float], ...]
    unit: str = ""
    currency: str = ""
    unit_end: int = 0
    signed: bool = False
    ordinal: bool = False
    words: str = ""

    @property
    def measured(self) -> frozenset[str]:
        """The currencies or the unit that the number may have."""
        return currencies_by_term(self.currency) if self.currency else frozenset({self.unit} - {""})

    def is_value(self, value: float, unit: str, digits: int, least: int = LEAST_DIGITS) -> bool:
        """Whether it states the value, which has that unit, with at least so many digits (0: all of them)."""
        known = min(digits, _significant_digits(value))
        for factor, offset in self._factors(unit):
            # In another unit one digit fewer is as exact: 27.6 km/h are 7.7 m/s. Money stays the same in cents.
            same = (factor, offset) == (1.0, 0.0) or "cent" in (unit, self.unit)
            needed = known if same or not known else max(1, known - 1)
            if any(
                _is_rounded_value(value * factor + offset, number, step, needed, least)
                for number, step in self.readings
            ):
                return True
        return False

    def _factors(self, unit: str) -> tuple[tuple[float, float], ...]:
        """How the value is put in the unit that is stated; none where that is of another kind."""
        if is_currency(unit):
            return ((100.0 if self.unit == "cent" else 1.0, 0.0),) if self._is_money(unit) else ()
        if unit == "cent" and self.currency:
            return ((0.01, 0.0),)
        if not unit and self.unit == "cent":
            return ((1.0, 0.0), (100.0, 0.0))
        if self.currency and (unit or not self.unit):
            return ((1.0, 0.0),) if not unit else ()
        return conversion_between(unit, self.unit)

    def _is_money(self, code: str) -> bool:
        if self.currency:
            return code in currencies_by_term(self.currency)
        return self.unit in ("", "cent")


def _is_rounded_value(value: float, stated: float, step: float, digits: int, fewest: int) -> bool:
    """Whether a stated number is the value rounded to its digits, and has enough of them."""
    off = abs(value - stated)
    if off <= 1e-9 * max(1.0, abs(value)):
        return True
    if not digits or not value:
        return False
    place = floor(log10(abs(value)) + 1e-9)
    least = min(step, 10.0 ** (place - digits + 1))
    cut_off = 0 <= stated / value < 1 and off < least * (1 - 1e-9)
    enough = min(digits, max(fewest, place + 1)) if digits == DIGITS else digits
    return cut_off or off <= 0.5 * min(step, 10.0 ** (place - enough + 1)) * (1 + 1e-9)


def _significant_digits(value: float) -> int:
    return len(f"{abs(value):.10g}".partition("e")[0].replace(".", "").strip("0")) or 1


@lru_cache(maxsize=2048)
def written_numbers(text: str) -> tuple[WrittenNumber, ...]:
    """All numbers of a text, in order; parts of dates and codes may be among them."""
    plain = fold_letters(text)
    found = (_read_number(text, plain, match) for match in _WRITTEN.finditer(plain))
    return tuple(one for one in found if one is not None)


def _read_number(text: str, plain: str, match: re.Match[str]) -> WrittenNumber | None:
    group = match.lastindex or 1
    start, end, body = match.start(group), match.end(group), match[group]
    readings = _read_number_words(body) if body[:1].isalpha() else _readings_of_figures(body)
    scale = _SCALE.match(plain, end) if not body[:1].isalpha() else None
    money = _currency_before(text, start)
    letter = scale[2] if scale else None
    factor = 1.0
    if (
        scale is not None
        and (letter is None or money or "." in body)
        and not (letter == "m" and not money and "." not in body)
    ):
        factor, end = _SCALES[scale[1] or scale[2]], scale.end()
    ordinal = _ORDINAL.match(plain, end)
    if ordinal is not None:
        end = ordinal.end()
    unit = _UNIT.match(plain, end)
    attached = plain[end : end + 1].isalpha()
    if not readings or (attached and (unit is None or not unit_name(text[unit.start(1) : unit.end(1)]))):
        return None
    negative = (
        _MINUS.search(plain, max(0, start - 12), start) is not None or _BELOW.match(plain, end) is not None
    )
    sign = -1.0 if negative else 1.0
    currency, money_end = money or "", end
    if not currency:
        currency, money_end = _currency_after(text, end)
    written = text[unit.start(1) : unit.end(1)] if unit and not currency else ""
    named = "percent" if _OUT_OF.match(plain, end) else unit_name(written)
    return WrittenNumber(
        start, end, tuple((sign * number * factor, step * factor) for number, step in readings), named, currency,
        max(money_end, unit.end() if unit and named else end), negative or plain[:start].rstrip().endswith("+"),
        ordinal is not None or (body == "once" and not _ONE_TIME.match(plain, end)), plain[max(0, start - 40) : end + 30],
    )  # fmt: skip


@lru_cache(maxsize=4096)
def unit_name(written: str) -> str:
    """A unit as pint knows it; empty where the word is none."""
    lower = written.lower().replace("° ", "°")
    candidates = (_SPELLED.get(lower, ""), written, lower)
    return next((name for name in candidates if _unit_dimension(name)), "") if lower not in _NO_UNITS else ""


@lru_cache(maxsize=1024)
def unit_of_field(name: str) -> str:
    """The unit that a field's name ends with, as in height_m, price_usd and length_seconds; empty where there is none."""
    before, joined, last = name.rpartition("_")
    if before.endswith("per"):
        return ""
    if joined and is_currency(last.upper()):
        return last.upper()
    unit = unit_name(last) if joined and last.isalpha() else ""
    kind = _unit_dimension(unit)
    # The year of birth is no length of time, and a ratio called pe no electric charge.
    odd = kind == "dimensionless" or "[current]" in kind or (kind == _TIME and not unit.endswith("s"))
    return "" if odd else unit


def _readings_of_figures(body: str) -> tuple[tuple[float, float], ...]:
    """What figures may stand for, each with the worth of its last digit; both readings of 1.234."""
    if "e" in body or len(body) > 40:
        return (
            ((float(body), 0.0),)
            if len(body) <= 40 and re.fullmatch(r"\d+(?:\.\d+)?e[+-]?\d{1,2}", body)
            else ()
        )
    digits = re.sub(r"[ ']", "", body)
    found = []
    if re.fullmatch(r"\d+(?:\.\d+)?|\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?", digits):
        found.append(_value_and_step(digits.replace(",", "")))
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+", digits) and not digits.startswith("0."):
        found.append(_value_and_step(digits.replace(".", "").replace(",", ".")))
    return tuple(dict.fromkeys(found))


def _value_and_step(digits: str) -> tuple[float, float]:
    whole, _, decimals = digits.partition(".")
    zeros = len(whole) - len(whole.rstrip("0")) if whole.strip("0") else 0
    return float(digits), 10.0 ** -len(decimals) if decimals else 10.0**zeros


def _read_number_words(body: str) -> tuple[tuple[float, float], ...]:
    if body in ("once", "twice"):
        return ((1.0 if body == "once" else 2.0, 0.0),)
    total = current = 0.0
    for word in re.findall(r"[a-z]+", body):
        if word in ("hundred", "dozen"):
            current = (current or 1) * _SCALES[word]
        elif word in _SCALES:
            total, current = total + (current or 1) * _SCALES[word], 0.0
        else:
            current += SMALL_NUMBERS.get(word, TENS.get(word, 0.5 if word == "half" else 0))
    return ((total + current, 0.0),)


@cache
def _unit_registry() -> Any:
    registry = load_library("pint").UnitRegistry(cache_folder=None)
    # Food labels call kilocalories calories.
    registry.define("calorie = 4184 joule = cal = kcal = kilocalorie")
    return registry


@lru_cache(maxsize=4096)
def _unit_dimension(unit: str) -> str:
    """The dimension of a unit, percent, degree and cent themselves; empty where the word is none."""
    if unit in ("", "percent", "degree", "share", "cent"):
        return unit
    try:
        return str(_unit_registry().parse_units(unit).dimensionality)
    except Exception:
        return ""


@lru_cache(maxsize=4096)
def conversion_between(wanted: str, stated: str) -> tuple[tuple[float, float], ...]:
    """Factor and offset from one unit to another; none where they measure other things."""
    same = ((1.0, 0.0),)
    wanted = _SPELLED.get(wanted, wanted)
    if not wanted or not stated or wanted == stated:
        return same
    mine, theirs = _unit_dimension(wanted), _unit_dimension(stated)
    if wanted == "share":
        return ((100.0, 0.0),) if stated == "percent" else same if not theirs else ()
    if not theirs or (stated == "degree" and "temperature" in mine):
        return same
    if mine != theirs:
        return same if mine == "dimensionless" == theirs else ()
    if mine in ("percent", "degree"):
        return same
    registry = _unit_registry()
    low, high = (registry.Quantity(number, wanted).to(stated).magnitude for number in (0.0, 1.0))
    return ((high - low, low),)


@cache
def _currencies_by_sign() -> dict[str, frozenset[str]]:
    """Every sign, code and name of money with the currencies that it may mean; "pounds" may be any pound."""
    locale, numbers = load_library("babel").Locale("en"), load_library("babel.numbers")
    found: dict[str, set[str]] = {}
    for code in locale.currencies:
        names = {fold_letters(numbers.get_currency_name(code, count, locale)) for count in (None, 1, 2)}
        symbol = numbers.get_currency_symbol(code, locale)
        signs = {code, symbol, symbol[-1]} if not symbol.isalnum() else {code}
        for name in {*names, *(name.rsplit(" ", 1)[-1] for name in names), *signs}:
            if name.isupper() or not name.isalpha() or len(name) > 2:
                found.setdefault(name, set()).add(code)
    return {name: frozenset(codes) for name, codes in found.items()}


def is_currency(unit: str) -> bool:
    """Whether a unit is the code of a currency."""
    return len(unit) == 3 and unit.isupper() and unit in _currencies_by_sign()


def currencies_by_term(term: str) -> frozenset[str]:
    """The currencies that a sign, code or name may mean."""
    return _currencies_by_sign().get(term) or _currencies_by_sign().get(fold_letters(term), frozenset())


def currency_names(code: str) -> tuple[str, ...]:
    """A currency's code and names, or the code of a currency that is named."""
    codes = (
        {code}
        if is_currency(code)
        else {one for one in currencies_by_term(code) if " " in code and len(currencies_by_term(code)) == 1}
    )
    return tuple(
        name
        for name, known in _currencies_by_sign().items()
        if known & codes and (len(name) > 3 or name in codes)
    )


def _currency_before(text: str, start: int) -> str:
    found = re.search(r"((?:[A-Z]{0,2}[$€£¥₹])|\b[A-Z]{3}|\bRs\.?)\s?-?$", text[max(0, start - 8) : start])
    if found is None:
        return ""
    term = "₹" if found[1].startswith("Rs") else found[1]
    return term if currencies_by_term(term) else term[-1] if currencies_by_term(term[-1]) else ""


def _currency_after(text: str, end: int) -> tuple[str, int]:
    """The name of money behind a number, the longest first, and where it ends."""
    words = re.match(r"\s?((?:[A-Za-z.]*[$€£¥₹])|(?:[^\W\d_]+[ -]?){1,3})", text[end : end + 48])
    if words is None:
        return "", end
    parts = re.findall(r"[^\W\d_]+|[$€£¥₹]", words[1])
    for count in range(len(parts), 0, -1):
        for term in (
            " ".join(parts[:count]),
            parts[count - 1] if count > 1 and parts[0].istitle() | parts[0].isupper() else "",
        ):
            if term and currencies_by_term(term) and fold_letters(term) not in _NOT_MONEY:
                return term, end + words.start(1) + len(" ".join(parts[:count]))
    return "", end


# Names of money that are also verbs and nouns count only with their country.
_NOT_MONEY = frozenset({"real", "won", "units", "unit", "mark", "marks", "gold", "silver"})


def against_direction(value: float, one: WrittenNumber) -> bool | None:
    """Whether the words around a change say the other direction; None where they say none."""
    up, down = _UP.search(one.words) is not None, _DOWN.search(one.words) is not None
    if up == down:
        return None
    return down if value > 0 else up


@lru_cache(maxsize=1024)
def find_durations(text: str) -> tuple[tuple[int, int, float, float], ...]:
    """(start, end, seconds, worth of the smallest unit) of every length of time; neighbours add up: 1 h 30 min."""
    plain = fold_letters(text)
    found = [(*at.span(), seconds, 60.0) for pattern, seconds in _HALVES for at in pattern.finditer(plain)]
    for at in _COLON.finditer(plain):
        last = float(at[3].replace(",", "."))
        found.append(
            (
                *at.span(),
                int(at[1] or 0) * 3600 + int(at[2]) * 60 + last,
                10.0 ** -len(re.split("[.,]", at[3])[1]) if len(at[3]) > 2 else 1.0,
            )
        )
        if at[1] is None:
            found.append((*at.span(), int(at[2]) * 3600 + last * 60, 60.0))
    return (*found, *_sum_durations(text, plain))


def _sum_durations(text: str, plain: str) -> Iterator[tuple[int, int, float, float]]:
    last: tuple[int, int, float, float] | None = None
    for one in written_numbers(text):
        # After hours "m" means minutes: 1h 27m.
        minutes = one.unit == "m" and last is not None and last[3] == _HOUR
        if _unit_dimension(one.unit) != _TIME and not minutes:
            continue
        ((factor, _),) = conversion_between("minute" if minutes else one.unit, "second")
        number, step = one.readings[0]
        here = (one.start, one.unit_end, number * factor, min(step or 1.0, 1.0) * factor)
        if last and _JOIN.fullmatch(plain[last[1] : one.start]) and here[3] < last[3]:
            here = (last[0], here[1], last[2] + here[2], here[3])
        elif last:
            yield last
        last = here
    if last:
        yield last
