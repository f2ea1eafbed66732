"""Numbers as people write them: 1,234.5, 1.234,5, 1 234, 1.2 million, 92k, forty-two, minus 3, 5 %, $7."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from toolyard.benchmarks.tooleyes.checks.answer_layout import fold
from toolyard.text.numbers import SMALL_NUMBERS, TENS

SCALES = {
    "thousand": 1e3, "thousands": 1e3, "k": 1e3, "tausend": 1e3, "mille": 1e3, "mil": 1e3,
    "million": 1e6, "millions": 1e6, "mio": 1e6, "mn": 1e6, "millionen": 1e6, "millones": 1e6, "milioni": 1e6,
    "billion": 1e9, "billions": 1e9, "bn": 1e9, "milliarden": 1e9, "mrd": 1e9, "milliards": 1e9,
    "trillion": 1e12, "trillions": 1e12, "tn": 1e12, "lakh": 1e5, "lakhs": 1e5, "crore": 1e7, "crores": 1e7,
    "hundred": 1e2, "dozen": 12.0,
}  # fmt: skip
_ATTACHED = {"k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12, "bn": 1e9, "mn": 1e6}
UNITS = {
    "percent": "% percent pct per-cent prozent percentage",
    "usd": "$ usd dollar dollars bucks us$", "eur": "€ eur euro euros", "gbp": "£ gbp pound-sterling pounds-sterling quid",
    "pound": "pound pounds", "yen": "¥ yen jpy", "inr": "₹ inr rupee rupees", "cad": "cad", "aud": "aud",
    "chf": "chf francs franc",
    "sek": "sek kronor", "nok": "nok kroner", "thb": "thb baht", "isk": "isk kronur", "kes": "kes shillings",
    "cent": "cent cents", "km": "km kilometre kilometres kilometer kilometers kms", "mile": "mile miles mi",
    "m": "m metre metres meter meters", "cm": "cm centimetre centimetres centimeter centimeters",
    "foot": "ft foot feet", "inch": "inch inches", "kg": "kg kilo kilos kilogram kilograms kilogramme kilogrammes",
    "lb": "lb lbs", "g": "g gram grams gramme grammes", "mg": "mg milligram milligrams", "ml": "ml millilitres milliliters",
    "celsius": "°c celsius", "fahrenheit": "°f fahrenheit", "degree": "° degree degrees",
    "second": "s sec secs second seconds", "minute": "min mins minute minutes", "hour": "h hr hrs hour hours",
    "day": "day days", "week": "week weeks", "month": "month months", "year": "year years",
    "ms": "ms millisecond milliseconds", "kwh": "kcal calories calorie kilocalories cal",
    "kmh": "km/h kph kmh", "mps": "m/s", "mph": "mph", "knot": "kn knot knots",
    "kb": "kb kilobyte kilobytes", "mb": "mb megabyte megabytes", "byte": "byte bytes", "pixel": "px pixel pixels",
}  # fmt: skip
UNIT_OF = {word.replace("-", " "): name for name, words in UNITS.items() for word in words.split()}
MONEY = frozenset(
    ["usd", "eur", "gbp", "pound", "yen", "inr", "cad", "aud", "chf", "sek", "nok", "thb", "isk", "kes"]
)
# unit -> (dimension, size); money does not convert
_SIZES = {
    "km": ("length", 1000.0), "mile": ("length", 1609.344), "m": ("length", 1.0), "cm": ("length", 0.01),
    "foot": ("length", 0.3048), "inch": ("length", 0.0254), "kg": ("mass", 1000.0), "lb": ("mass", 453.59237),
    "g": ("mass", 1.0), "mg": ("mass", 0.001), "second": ("time", 1.0), "minute": ("time", 60.0),
    "hour": ("time", 3600.0), "day": ("time", 86400.0), "week": ("time", 604800.0), "ms": ("time", 0.001),
    "kb": ("bytes", 1e3), "mb": ("bytes", 1e6), "byte": ("bytes", 1.0), "celsius": ("heat", 1.0),
    "fahrenheit": ("heat", 1.8), "degree": ("heat", 1.0), "pound": ("pound", 1.0), "gbp": ("pound", 1.0),
    "cent": ("cent", 1.0), "percent": ("percent", 1.0), "ml": ("volume", 1.0), "kwh": ("energy", 1.0),
    "kmh": ("speed", 1.0), "mps": ("speed", 3.6), "mph": ("speed", 1.609344), "knot": ("speed", 1.852),
    "pixel": ("pixel", 1.0), "month": ("months", 1.0), "year": ("months", 12.0),
}  # fmt: skip
_UNIT_WORD = "|".join(sorted((re.escape(word) for word in UNIT_OF), key=len, reverse=True))
_AFTER = re.compile(
    rf"\s?-?(?:(?:us|u\.s\.|swiss|canadian|indian|thai|british|norwegian|swedish)\s)?({_UNIT_WORD})(?![a-z])"
)
_DIGITS = r"\d+(?:[.,']\d+)*(?:e[+-]?\d{1,2}(?!\d))?"
_GROUPED = r"\d{1,3}(?: \d{3})+(?:[.,]\d{1,4})?(?!\d)"
_WRITTEN = re.compile(
    rf"(?<![\w.,:/@\\-])(?<!\d[:'])({_GROUPED}|{_DIGITS})|(?<=-)(?<![\w)]-)({_DIGITS})|(?<=[a-z]\$)({_DIGITS})|"
    rf"(?<=\d-)({_DIGITS})(?![\d-])"
)
_ATTACHED_END = re.compile(r"(?:k|m(?!/s)|b|t|bn|mn)(?![a-z])|(?:st|nd|rd|th)(?![a-z])")
_WORDS = "|".join(
    sorted(
        (*SMALL_NUMBERS, *TENS, "hundred", "thousand", "million", "billion", "dozen", "half"),
        key=len,
        reverse=True,
    )
)
_SPOKEN = re.compile(
    rf"(?<![\w-])(?:(?:a|an) (?=hundred|thousand|million|billion|dozen))?(?:{_WORDS})(?:(?:[ -]|(?<=hundred) and |"
    rf"(?<=thousand) and )(?:{_WORDS}))*(?![\w])"
)
_ORDINALS = dict(
    zip(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
            "twentieth",
        ],
        range(1, 21),
        strict=True,
    )
)
_ORDINAL = re.compile(rf"(?<![\w-])(?:{'|'.join(_ORDINALS)})(?![\w-])")
_TIMES = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_TIMES_WORD = re.compile(r"(?<![\w-])(?:once|twice|thrice)(?!\w)")
_ABOUT = re.compile(
    r"(?:about|around|roughly|approximately|approx\.?|~|≈|some|nearly|almost|circa|ca\.?|just over|just under|"
    r"over|under|close to|rounded|etwa|rund|environ|circa|more than|a bit over|in the region of)\s*[$€£¥₹]?\s*-?$"
)
_MINUS = re.compile(r"(?:(?<![\w.)])-|minus |negative )[$€£¥₹]?$")
_BELOW = re.compile(r"\s?(?:°\s?c?|degrees?(?: celsius)?)? ?below (?:zero|freezing)")
_OUT_OF_HUNDRED = re.compile(r"\s+out of (?:every )?(?:100|a hundred|one hundred)\b")
_MONEY_BEFORE = re.compile(
    r"([$€£¥₹]|\b(?:usd|eur|gbp|jpy|inr|cad|aud|chf|sek|nok|thb|isk|us\$|rs\.?))\s?-?$"
)


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A number in a text: where it stands, what it may mean, and how exactly it was put."""

    start: int
    end: int
    values: tuple[float, ...]
    step: float
    unit: str = ""
    about: bool = False
    signed: bool = False
    ordinal: bool = False

    def in_unit(self, unit: str) -> tuple[float, ...]:
        """Its values in another unit; none where that is another kind of thing."""
        if not self.unit or not unit or self.unit == unit:
            return self.values
        if unit == "share":
            return tuple(value / 100 for value in self.values) if self.unit == "percent" else self.values
        if "degree" in (self.unit, unit) and {self.unit, unit} <= {"degree", "celsius", "fahrenheit"}:
            return self.values
        if {self.unit, unit} == {"celsius", "fahrenheit"}:
            return tuple(
                (value - 32) / 1.8 if self.unit == "fahrenheit" else value * 1.8 + 32 for value in self.values
            )
        if self.unit == "pound" and unit in ("lb", "gbp"):
            return self.values
        if self.unit in MONEY and unit in MONEY:
            return self.values if {self.unit, unit} == {"pound", "gbp"} else ()
        mine, wanted = _SIZES.get(self.unit), _SIZES.get(unit)
        if mine is None or wanted is None:
            return (
                () if self.unit in MONEY or unit in MONEY or "percent" in (self.unit, unit) else self.values
            )
        return tuple(value * mine[1] / wanted[1] for value in self.values) if mine[0] == wanted[0] else ()


@lru_cache(maxsize=1024)
def written_numbers(text: str) -> tuple[WrittenNumber, ...]:
    """All numbers of a text, in order; parts of dates, codes and addresses may be among them."""
    plain = fold(text)
    found = [one for match in _WRITTEN.finditer(plain) for one in _figures(plain, match)]
    found += [_spoken(plain, match) for match in _SPOKEN.finditer(plain)]
    found += [
        WrittenNumber(match.start(), match.end(), (float(_ORDINALS[match.group()]),), 0.0, ordinal=True)
        for match in _ORDINAL.finditer(plain)
    ]
    found += [
        WrittenNumber(match.start(), match.end(), (_TIMES[match.group()],), 0.0)
        for match in _TIMES_WORD.finditer(plain)
    ]
    return tuple(sorted(found, key=lambda one: one.start))


def _figures(plain: str, match: re.Match[str]) -> list[WrittenNumber]:
    group = next(place for place in (1, 2, 3, 4) if match.group(place) is not None)
    start, end, body = match.start(group), match.end(group), match.group(group)
    readings = _readings(body)
    if not readings:
        return []
    values, step = readings
    after = plain[end:]
    attached = _ATTACHED_END.match(after)
    word = re.match(r"[ -]?(" + "|".join(SCALES) + r")(?![a-z])", after)
    scale = 1.0
    if word is not None and not (attached and word.group(1) == "mil"):
        scale, end = SCALES[word.group(1)], end + word.end()
    elif (
        attached is not None
        and attached.group() in _ATTACHED
        and not _is_metre(plain, start, attached.group())
    ):
        scale, end = _ATTACHED[attached.group()], end + attached.end()
    elif attached is not None and attached.group() in ("st", "nd", "rd", "th"):
        end += attached.end()
    elif after[:1].isalpha() and _AFTER.match(after) is None:
        return []
    return [_written(plain, start, end, tuple(value * scale for value in values), step * scale)]


def _is_metre(plain: str, start: int, letters: str) -> bool:
    return (
        letters == "m"
        and not re.search(r"[$€£¥₹]\s?$", plain[max(0, start - 2) : start])
        and "." not in plain[start : start + 6]
    )


def _written(plain: str, start: int, end: int, values: tuple[float, ...], step: float) -> WrittenNumber:
    before, after = plain[max(0, start - 24) : start], plain[end : end + 32]
    unit = _AFTER.match(after)
    money = _MONEY_BEFORE.search(before)
    name = UNIT_OF.get(unit.group(1), "") if unit else "percent" if _OUT_OF_HUNDRED.match(after) else ""
    if money is not None and name not in MONEY:
        name = UNIT_OF.get(money.group(1).rstrip("."), "inr" if money.group(1).startswith("rs") else "")
    negative = _MINUS.search(before) is not None or _BELOW.match(after) is not None
    about = _ABOUT.search(before) is not None
    signed = negative or before.rstrip().endswith("+")
    return WrittenNumber(
        start, end, tuple(-value for value in values) if negative else values, step, name, about, signed
    )


def _readings(body: str) -> tuple[tuple[float, ...], float] | None:
    """What a written number may stand for, and the worth of its last digit."""
    if re.fullmatch(r"\d+(?:\.\d+)?e[+-]?\d{1,2}", body):
        return (float(body),), 0.0
    digits = (
        body.replace("'", "").replace(" ", "")
        if re.fullmatch(r"\d{1,3}(?:['\s]\d{3})+(?:[.,]\d+)?", body)
        else body
    )
    if "'" in digits or " " in digits or len(digits) > 40:
        return None
    options: list[tuple[float, float]] = []
    if re.fullmatch(r"\d+", digits):
        options.append((float(digits), _zeros(digits)))
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?", digits):
        options.append(_decimal(digits.replace(",", "")))
    if re.fullmatch(r"\d+\.\d+", digits):
        options.append(_decimal(digits))
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+", digits) and not digits.startswith("0."):
        options.append(_decimal(digits.replace(".", "").replace(",", ".")))
    if not options:
        return None
    return tuple(dict.fromkeys(value for value, _ in options)), max(step for _, step in options)


def _decimal(digits: str) -> tuple[float, float]:
    whole, _, decimals = digits.partition(".")
    return float(digits), 10.0 ** -len(decimals) if decimals else _zeros(whole)


def _zeros(digits: str) -> float:
    trailing = len(digits) - len(digits.rstrip("0"))
    return 10.0**trailing if digits.strip("0") else 1.0


def _spoken(plain: str, match: re.Match[str]) -> WrittenNumber:
    total = current = 0.0
    for word in re.findall(r"[a-z]+", match.group()):
        if word in SMALL_NUMBERS:
            current += SMALL_NUMBERS[word]
        elif word in TENS:
            current += TENS[word]
        elif word == "half":
            current += 0.5
        elif word in ("hundred", "dozen"):
            current = (current or 1) * SCALES[word]
        elif word in SCALES:
            total, current = total + (current or 1) * SCALES[word], 0.0
    return _written(plain, match.start(), match.end(), (total + current,), 0.0)
