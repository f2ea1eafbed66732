"""Units: "10 km in miles", "how many feet are in a mile", "100 F to C", computed by pint."""

from __future__ import annotations

import functools
import math
import re
import tokenize
from fractions import Fraction
from typing import TYPE_CHECKING

from toolyard.world.kernel.tables import table_texts
from toolyard.world.tools.calculator.answer import Answer, format_number, plain_number
from toolyard.world.tools.calculator.numbers_in_words import words_to_signs

if TYPE_CHECKING:
    from pint import Unit, UnitRegistry

_NUMBER = r"(?P<number>[+-]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,3})?(?:\s?/\s?\d+)?|an?|one|half an?)"
_ASKED = re.compile(
    r"^(?:please |can you |what is |what's |whats |how much is |convert |express |calculate |change )+", re.I
)
_CONVERT = re.compile(
    rf"{_NUMBER}\s*(?P<source>[^\d\s,][^,]*?)\s+(?:in|to|into|as|=)\s+(?P<target>[^,]+)", re.I
)
_HOW_MANY = re.compile(
    rf"how (?:many|much) (?P<target>.+?) (?:are |is )?(?:there )?(?:in|make up|make|equals?) {_NUMBER}\s+(?P<source>.+)",
    re.I,
)
_INSIDE = re.compile(
    r"(?:how many )?(?P<target>[a-z]+s) (?:are )?(?:there )?in (?P<number>an?|one) (?P<source>[a-z ]+)", re.I
)
_PARTS = re.compile(r"(?P<one>[^\d,]+?),?\s*(?:and\s+)?(?P<number>\d+(?:\.\d+)?)\s*(?P<two>[^\d]+)")
_LEADING = re.compile(
    r"^(?:(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred|thousand|"
    r"million|billion|and)[\s-]+)+(?=\w)",
    re.I,
)
_UNIT = re.compile(r"[A-Za-z°µμΩ%][A-Za-z0-9°µμΩ%²³ ./*^_-]{0,50}")
_WORDS = table_texts("units.words")
_SCALES = {"c": "degC", "celsius": "degC", "centigrade": "degC", "f": "degF", "fahrenheit": "degF", "k": "kelvin",
           "kelvin": "kelvin", "kelvins": "kelvin", "r": "degR", "rankine": "degR"}  # fmt: skip
CONSTANTS = table_texts("units.constants")


@functools.cache
def _unit_registry() -> UnitRegistry[float]:
    import pint

    return pint.UnitRegistry()


def answer_unit_question(question: str) -> Answer | str | None:
    """The answer to a question of units; a sentence where it is one that cannot be answered; None for other questions."""
    text = _ASKED.sub("", question.strip().rstrip("?.! ")[:200])
    text = re.sub(r"(\d)\s*(?:in|\")\s+(to|in)\b", r"\1 inch \2", text)
    text = _LEADING.sub(lambda match: f"{words_to_signs(match[0])} ", text)
    match = _HOW_MANY.fullmatch(text) or _CONVERT.fullmatch(text) or _INSIDE.fullmatch(text)
    if match is None:
        return None
    parts = _PARTS.fullmatch(match["source"])
    if parts:
        return _sum_answer(_parse_amount(match["number"]), parts, match["target"])
    scales = _temperature_scale(match["source"]), _temperature_scale(match["target"])
    units = scales if all(scales) else (_find_unit(match["source"]), _find_unit(match["target"]))
    if units[0] is None and units[1] is None:
        return None
    for name, unit in zip((match["source"], match["target"]), units, strict=True):
        if unit is None:
            return f"{name.strip()!r} is no unit; want units such as km, miles, lb, kg, litres, °C"
    return _conversion(_parse_amount(match["number"]), *units)


def physical_constant(question: str) -> Answer | None:
    """The value of a constant of physics that a question names."""
    name = (
        _ASKED.sub("", question.strip().rstrip("?.! ")[:100].replace("'", ""))
        .lower()
        .removeprefix("the ")
        .strip()
    )
    name = name.removeprefix("value of ").removeprefix("the ")
    if name not in CONSTANTS:
        return None
    value = _unit_registry().Quantity(1, CONSTANTS[name]).to_base_units()
    unit = f"{value.units:~P}"
    return Answer(name, f"{format_number(value.magnitude)} {unit}".strip(), plain_number(value.magnitude))


def _sum_answer(amount: float, parts: re.Match[str], target: str) -> Answer | str | None:
    """The answer for an amount in two units: 5 ft 11 in to cm."""
    one, two, wanted = _find_unit(parts["one"]), _find_unit(parts["two"]), _find_unit(target)
    if one is None or two is None or wanted is None:
        return None
    first, second = _conversion(amount, one, wanted), _conversion(float(parts["number"]), two, wanted)
    if isinstance(first, str) or isinstance(second, str):
        return first if isinstance(first, str) else second
    total = plain_number(float(first.number or 0) + float(second.number or 0))
    name = f"{_unit_registry().Unit(wanted):~P}"
    source = f"{format_number(amount)} {parts['one'].strip()} {parts['number']} {parts['two'].strip()}"
    return Answer(f"{source} in {name}", f"{format_number(float(total))} {name}", total)


def _conversion(amount: float, source: Unit, target: Unit) -> Answer | str:
    import pint

    registry = _unit_registry()
    try:
        found = float(registry.Quantity(amount, source).to(target).magnitude)
    except pint.DimensionalityError:
        kinds = " and ".join(f"{registry.Unit(unit):~P}" or str(unit) for unit in (source, target))
        return f"{kinds} measure different things and cannot be converted into each other"
    except (OverflowError, ZeroDivisionError):
        return "the number is too large"
    kelvin = found if "kelvin" in str(target) else None
    if not math.isfinite(found) or (kelvin is not None and kelvin < 0) or _too_cold(amount, source):
        return "there is no such value: it is beyond what can be"
    found = 0.0 if abs(found) < 1e-12 * max(1.0, abs(amount)) else found
    names = [f"{registry.Unit(unit):~P}" for unit in (source, target)]
    return Answer(
        f"{format_number(amount)} {names[0]} in {names[1]}",
        f"{_format_exactly(found)} {names[1]}",
        plain_number(found),
    )


def _format_exactly(value: float) -> str:
    """A number as people write it; a simple fraction where its decimals never end."""
    near = Fraction(value).limit_denominator(1000)
    endless = near.denominator % 3 == 0 or near.denominator % 7 == 0
    if endless and abs(float(near) - value) <= 1e-13 * abs(value):
        return f"{near.numerator}/{near.denominator}"
    return format_number(value)


def _too_cold(amount: float, source: Unit) -> bool:
    """Whether a temperature lies below absolute zero."""
    registry = _unit_registry()
    unit = registry.Unit(source)
    if unit.dimensionality != registry.Unit("kelvin").dimensionality:
        return False
    return bool(registry.Quantity(amount, unit).to("kelvin").magnitude < -1e-9)


def _parse_amount(text: str) -> float:
    lowered = text.lower().replace(",", "")
    if lowered in ("a", "an", "one"):
        return 1.0
    if lowered.startswith("half"):
        return 0.5
    top, _, bottom = lowered.partition("/")
    return float(top) / (float(bottom) if bottom and float(bottom) else 1.0)


def _temperature_scale(name: str) -> str | None:
    """The temperature scale of a name: F, °C, degrees Celsius."""
    text = (
        name.lower()
        .replace("°", "")
        .removeprefix("degrees")
        .removeprefix("degree")
        .removeprefix("deg")
        .strip()
    )
    return _SCALES.get(text)


def _find_unit(name: str) -> Unit | None:
    """The unit of a name, as singular or plural, in words or signs; None where there is no such unit."""
    import pint

    unreadable = (
        pint.UndefinedUnitError, pint.DefinitionSyntaxError, tokenize.TokenError, SyntaxError, AssertionError,
        ArithmeticError, AttributeError, LookupError, TypeError, ValueError,
    )  # fmt: skip
    text = " ".join(name.strip().split())
    if not _UNIT.fullmatch(text):
        return None
    if re.search(r"(?:\^|\*\*)\s*-?\d{2}", text):
        return None
    for form in dict.fromkeys(_unit_spellings(text)):
        try:
            return _unit_registry().parse_units(form)
        except unreadable:
            continue
    return None


def _unit_spellings(text: str) -> tuple[str, ...]:
    if text in _WORDS:
        return (_WORDS[text],)
    plain = text.replace("²", "**2").replace("³", "**3").replace("^", "**").replace(" per ", " / ")
    lowered = plain.lower()
    parts = [_WORDS.get(lowered, lowered)]
    spelled = " ".join(_WORDS.get(word, word) for word in lowered.split(" "))
    joined = re.sub(r"\b(square|cubic) (\w+)", lambda m: f"{m[2]}**{2 if m[1] == 'square' else 3}", spelled)
    kept = re.sub(r"\b(square|cubic) (\w+)", lambda m: f"{m[2]}**{2 if m[1] == 'square' else 3}", plain)
    american = joined.replace("metre", "meter").replace("litre", "liter")
    return (*parts[: lowered in _WORDS], kept, joined, american, lowered.replace(" ", "_"))
