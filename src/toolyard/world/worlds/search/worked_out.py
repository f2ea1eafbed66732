"""Questions that are answered by a figure worked out from others: choices, shapes, heights in feet, who was the n-th."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from toolyard.world.shared.entries import look_up
from toolyard.world.tables import plain, read_table

_CHOOSE = re.compile(
    r"(?:what is |binomial coefficient (?:of )?)?(?P<n>\d{1,4}) (?:choose|over) (?P<k>\d{1,4})"
    r"|(?:n?c|ncr|binomial) ?\( ?(?P<n2>\d{1,4}) ?, ?(?P<k2>\d{1,4}) ?\)"
)
_SHAPE = re.compile(
    r"(?:what is |find |calculate )?(?:the )?(?P<what>area|circumference|perimeter|volume|surface area|diagonal) of "
    r"(?:an? |the )?(?P<shape>circle|sphere|square|rectangle|triangle|cube|cylinder|cone|right triangle)\b(?P<rest>.*)"
)
_SIZE = re.compile(
    r"(?:(radius|diameter|side|sides|length|width|base|height|edge)\s*(?:of|=|is)?\s*)?(\d+(?:\.\d+)?)"
)
_FORMULAS: Mapping[tuple[str, str], tuple[int, Callable[..., float]]] = {
    ("area", "circle"): (1, lambda r: math.pi * r * r),
    ("circumference", "circle"): (1, lambda r: 2 * math.pi * r),
    ("perimeter", "circle"): (1, lambda r: 2 * math.pi * r),
    ("volume", "sphere"): (1, lambda r: 4 / 3 * math.pi * r**3),
    ("surface area", "sphere"): (1, lambda r: 4 * math.pi * r * r),
    ("area", "square"): (1, lambda a: a * a),
    ("perimeter", "square"): (1, lambda a: 4 * a),
    ("diagonal", "square"): (1, lambda a: a * math.sqrt(2)),
    ("area", "rectangle"): (2, lambda a, b: a * b),
    ("perimeter", "rectangle"): (2, lambda a, b: 2 * (a + b)),
    ("diagonal", "rectangle"): (2, math.hypot),
    ("area", "triangle"): (2, lambda a, b: a * b / 2),
    ("area", "right triangle"): (2, lambda a, b: a * b / 2),
    ("volume", "cube"): (1, lambda a: a**3),
    ("surface area", "cube"): (1, lambda a: 6 * a * a),
    ("volume", "cylinder"): (2, lambda r, h: math.pi * r * r * h),
    ("surface area", "cylinder"): (2, lambda r, h: 2 * math.pi * r * (r + h)),
    ("volume", "cone"): (2, lambda r, h: math.pi * r * r * h / 3),
}
_NTH = re.compile(
    r"(?:who (?:is|was) )?(?:the )?(?P<n>\d{1,2})(?:st|nd|rd|th) president of the (?:united states|usa|us|u\.s\.)"
    r"(?: of america)?|(?:who (?:is|was) )?(?:the )?(?P<n2>\d{1,2})(?:st|nd|rd|th) (?:us|u\.s\.|american) president"
)
_FEET = re.compile(
    r"(?:what is |how (?:tall|high) is )?(?:the )?(?:height of |elevation of )?(?:the )?(?P<what>[^\d].{2,40}?)(?: in| \()? "
    r"(?P<unit>feet|ft|metres|meters|m)\)?"
)
_LIGHT = re.compile(
    r"(?:what is )?(?:the )?speed of light in (?P<unit>km/s|kilometers per second|kilometres per second|mph|miles per hour|"
    r"miles per second|km/h|m/s)"
)
_SPEEDS = {
    "km/s": "299,792.458 km/s", "km/h": "1,079,252,848.8 km/h", "mph": "670,616,629 mph", "m/s": "299,792,458 m/s",
    "miles per second": "186,282 miles per second", "miles per hour": "670,616,629 mph",
    "kilometers per second": "299,792.458 km/s", "kilometres per second": "299,792.458 km/s",
}  # fmt: skip
_DEGREES = re.compile(
    r"(?:what is |convert )?(?P<value>-?\d+(?:\.\d+)?) ?(?:°|degrees? )? ?(?P<from>f|c|fahrenheit|celsius) (?:to|in|into) "
    r"(?:°|degrees? )?(?P<to>f|c|fahrenheit|celsius)"
)
_PRIMES = re.compile(
    r"(?:list |what are )?(?:the |all )*prime(?: number)?s (?:below|under|less than|up to|smaller than) (?P<most>\d{1,4})"
)
_ROMAN = re.compile(
    r"(?:what is )?(?P<n>\d{1,4}) (?:in|as|to) (?:a )?roman numerals?|roman numerals? (?:of |for )?(?P<n2>\d{1,4})"
)
_NUMERALS = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"),
    (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_LARGEST_ROMAN = 3999
_FOOT = 0.3048
_FIRST_TERM, _SECOND_TERM = 22, 24  # of Grover Cleveland, who counts twice


class WorkedOut(NamedTuple):
    """How a question was read, its answer, and the entry that it is about, if any."""

    reading: str
    text: str
    subject: str | None = None


def figure(query: str) -> WorkedOut | None:
    """The answer to such a question; None for other ones."""
    text = " ".join(plain(query).strip(" ?.!").split())
    ways = (_chosen, _shaped, _president, _light, _height, _degrees, _primes, _roman)
    return next((found for way in ways if (found := way(text))), None)


def _chosen(text: str) -> WorkedOut | None:
    match = _CHOOSE.fullmatch(text)
    if match is None:
        return None
    n, k = int(match["n"] or match["n2"]), int(match["k"] or match["k2"])
    return WorkedOut(f"binomial coefficient ({n}, {k})", f"{math.comb(n, k):,}")


def _shaped(text: str) -> WorkedOut | None:
    match = _SHAPE.fullmatch(text)
    if match is None or (match["what"], match["shape"]) not in _FORMULAS:
        return None
    count, formula = _FORMULAS[match["what"], match["shape"]]
    sizes = [(name, float(value)) for name, value in _SIZE.findall(match["rest"])]
    if len(sizes) != count:
        return None
    values = [value / 2 if name == "diameter" else value for name, value in sizes]
    told = ", ".join(f"{name or 'size'} {value:g}" for name, value in sizes)
    return WorkedOut(f"{match['what']} of a {match['shape']} | {told}", f"{formula(*values):.10g}")


def _president(text: str) -> WorkedOut | None:
    match = _NTH.fullmatch(text)
    if match is None:
        return None
    number = int(match["n"] or match["n2"])
    rows = {row["office"]: row["names"].split(";") for row in read_table("offices.tsv")}
    names = rows["President of the United States"]
    if names.count("Grover Cleveland") == 1:
        names = [*names[: _SECOND_TERM - 1], names[_FIRST_TERM - 1], *names[_SECOND_TERM - 1 :]]
    if not 1 <= number <= len(names):
        return None
    return WorkedOut(
        f"President of the United States | number {number}", names[number - 1], names[number - 1]
    )


def _light(text: str) -> WorkedOut | None:
    match = _LIGHT.fullmatch(text)
    return WorkedOut("speed of light in vacuum", _SPEEDS[match["unit"]]) if match else None


def _height(text: str) -> WorkedOut | None:
    match = _FEET.fullmatch(text)
    entry = look_up(match["what"]) if match else None
    known = entry["properties"] if entry else {}
    value = next((known[key][0] for key in ("P2044", "P2048") if known.get(key)), "")
    metres = value.removesuffix(" m").replace(",", "")
    if match is None or entry is None or not metres.isdigit():
        return None
    feet = match["unit"] in ("feet", "ft")
    shown = f"{int(metres) / _FOOT:,.0f} feet" if feet else f"{int(metres):,} metres"
    return WorkedOut(f"{entry['title']} | height", shown, entry["title"])


def _degrees(text: str) -> WorkedOut | None:
    match = _DEGREES.fullmatch(text)
    if match is None or match["from"][0] == match["to"][0]:
        return None
    value, to_celsius = float(match["value"]), match["to"][0] == "c"
    found = (value - 32) / 1.8 if to_celsius else value * 1.8 + 32
    units = ("°F", "°C") if to_celsius else ("°C", "°F")
    return WorkedOut(f"{value:g} {units[0]} in {units[1]}", f"{round(found, 2):g} {units[1]}")


def _primes(text: str) -> WorkedOut | None:
    match = _PRIMES.fullmatch(text)
    if match is None:
        return None
    most = int(match["most"]) + ("up to" in text)
    found = [str(n) for n in range(2, most) if all(n % part for part in range(2, math.isqrt(n) + 1))]
    return WorkedOut(f"prime numbers below {most}", ", ".join(found) or "none")


def _roman(text: str) -> WorkedOut | None:
    match = _ROMAN.fullmatch(text)
    number = int(match["n"] or match["n2"]) if match else 0
    if not 1 <= number <= _LARGEST_ROMAN:
        return None
    left, told = number, ""
    for value, sign in _NUMERALS:
        told += sign * (left // value)
        left %= value
    return WorkedOut(f"{number} in Roman numerals", told)
