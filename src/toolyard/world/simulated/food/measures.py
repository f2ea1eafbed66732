"""Amounts: units of the kitchen, conversion by weight of cup and piece, and reading of ingredient lines."""

import re
from dataclasses import dataclass

from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.tables import table_texts
from toolyard.world.simulated.food.ingredients import (
    PORTIONS,
    Ingredient,
    ingredient_or_none,
    kinds,
    singular_word,
)

CUP_ML = 236.588
MASS = {"g": 1.0, "mg": 0.001, "kg": 1000.0, "oz": 28.3495, "lb": 453.592}
VOLUME_ML = {"ml": 1.0, "cl": 10.0, "dl": 100.0, "l": 1000.0, "tsp": 4.929, "tbsp": 14.787, "cup": CUP_ML,
             "fl oz": 29.5735, "pint": 473.176, "quart": 946.353, "gallon": 3785.41, "glass": 200.0,
             "bottle": 750.0, "shot": 44.36}  # fmt: skip
SIZES = {"piece": 1.0, "small": 0.75, "medium": 1.0, "large": 1.3}
UNITS = (*MASS, *VOLUME_ML, *SIZES, *PORTIONS, "serving")
_SPELLINGS = table_texts("measures.spellings")
_FRACTIONS = str.maketrans(
    {"½": " 1/2", "⅓": " 1/3", "⅔": " 2/3", "¼": " 1/4", "¾": " 3/4", "⅛": " 1/8", "–": "-"}
)
_COUNTS = {"a": 1.0, "an": 1.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "ten": 10.0,
           "half": 0.5, "dozen": 12.0, "ein": 1.0, "eine": 1.0, "zwei": 2.0, "drei": 3.0}  # fmt: skip
_NUMBER = r"(?:(\d{1,6})\s+)?(\d{1,6})/(\d{1,3})|(\d{1,6}(?:[.,]\d{1,4})?)"
_VALUE = re.compile(_NUMBER)
_RANGE = re.compile(rf"\s*-\s*(?={_NUMBER})")
_WORD = re.compile(r"(?:fl\.? oz|fluid ounces?|[^\W\d_]+)\.?", re.IGNORECASE)
_WRITTEN_OUT = frozenset(("cup", "pint", "quart", "gallon", "bottle", "piece", "shot", "serving", *PORTIONS))
_MOST_LINES = 60


@dataclass(frozen=True, slots=True)
class Line:
    """An ingredient line, read: `note` is what stands behind the comma."""

    original: str
    amount: float
    unit: str
    ingredient: Ingredient
    grams: float
    note: str


def unit_or_none(text: str) -> str | None:
    """The unit of a spelling such as "Tablespoons" or "oz."; None where there is none."""
    # A capital T is a tablespoon and a small t a teaspoon in recipes, which lower case would hide.
    if text.strip() in ("T", "t"):
        return "tbsp" if text.strip() == "T" else "tsp"
    word = singular_word(text.strip().rstrip(".").replace("fl.", "fl"))
    word = _SPELLINGS.get(word, word)
    return word if word in UNITS else None


def find_unit(text: str, parameter: str) -> str:
    """As `unit_or_none`, with an invalid_value fault that lists the units."""
    unit = unit_or_none(text)
    if unit is None:
        raise invalid(parameter, text[:40], f"want one of {', '.join(UNITS)}")
    return unit


def grams_per(ingredient: Ingredient, unit: str) -> float | None:
    """What one unit of an ingredient weighs; None where nobody measures it that way."""
    if unit in MASS:
        return MASS[unit]
    if unit in ingredient.units:
        return ingredient.units[unit]
    if unit in VOLUME_ML:
        return VOLUME_ML[unit] * ingredient.grams_per_cup / CUP_ML or None
    if unit in SIZES:
        return SIZES[unit] * ingredient.grams_per_piece or None
    return kinds()[ingredient.category].serving if unit == "serving" else None


def to_grams(ingredient: Ingredient, amount: float, unit: str, parameter: str = "unit") -> float:
    """The weight of an amount; an invalid_value fault where the ingredient has no such measure."""
    each = grams_per(ingredient, unit)
    if each is None:
        fitting = ", ".join(possible_units(ingredient))
        wanted = f"{ingredient.name} is not measured so; use a weight such as g, or one of {fitting}"
        raise invalid(parameter, unit, wanted)
    return amount * each


def possible_units(ingredient: Ingredient) -> list[str]:
    """The units that an ingredient is usually measured in."""
    names = (*SIZES, *ingredient.units, "g", "oz", "cup", "tbsp", "tsp", "serving")
    return [name for name in dict.fromkeys(names) if grams_per(ingredient, name)]


def _leading_amount(text: str) -> tuple[float | None, str]:
    """The number at the start of a line, and the rest; ranges count as their middle."""
    text = text.translate(_FRACTIONS).strip()
    found = _VALUE.match(text)
    if found is None:
        word, _, rest = text.partition(" ")
        count = _COUNTS.get(word.lower())
        return (count, rest) if count and rest else (None, text)
    value, rest = _parse_amount(found), text[found.end() :]
    if span := _RANGE.match(rest):
        upper = _VALUE.match(rest, span.end())
        return ((value + _parse_amount(upper)) / 2, rest[upper.end() :]) if upper else (value, rest)
    first, _, behind = rest.strip().partition(" ")
    return (12 * value, behind) if first == "dozen" else (value, rest)


def _parse_amount(found: re.Match[str]) -> float:
    whole, above, below, number = found.groups()
    return float(number.replace(",", ".")) if number else int(whole or 0) + int(above) / max(1, int(below))


def _leading_unit(text: str) -> tuple[str, str]:
    """The unit at the start of what follows a number ("" for none), and the rest."""
    match = _WORD.match(text.strip())
    unit = unit_or_none(match[0]) if match else None
    if match is None or unit is None:
        return "", text.strip()
    return unit, re.sub(r"^\s*of\s+", "", text.strip()[match.end() :], flags=re.IGNORECASE).strip()


def read_line(text: str) -> Line | None:
    """What a line such as "1 1/2 cups flour, sifted" says; None where it names no known ingredient."""
    text = text.strip()[:200]
    amount, rest = _leading_amount(text)
    unit, name = _leading_unit(rest)
    head, _, note = name.partition(",")
    ingredient = ingredient_or_none(head.removeprefix("of ")) if head.strip() else None
    if ingredient is None:
        # A unit may be part of a name, and stand behind it: bay leaf, 2 celery stalks.
        unit, head = _leading_unit(head.split()[-1])[0] if " " in head else "", rest.partition(",")[0]
        ingredient = ingredient_or_none(head) or (
            ingredient_or_none(head.rpartition(" ")[0]) if unit else None
        )
    return _line_with_grams(text, amount, unit, ingredient, note.strip()) if ingredient else None


def _line_with_grams(text: str, amount: float | None, unit: str, ingredient: Ingredient, note: str) -> Line:
    measured = unit or ("piece" if ingredient.grams_per_piece else "serving")
    count = 1.0 if amount is None else amount
    each = grams_per(ingredient, measured) or PORTIONS.get(measured) or kinds()[ingredient.category].serving
    return Line(text, round(count, 4), unit, ingredient, round(count * each, 2), note)


def list_lines(text: str) -> list[str]:
    """The lines of an ingredient list that say something."""
    return [part.strip() for part in text.replace("\\n", "\n").splitlines() if part.strip()]


def read_lines(text: str, parameter: str = "ingredientList") -> tuple[list[Line], list[str]]:
    """The lines of an ingredient list that name a food, read, and those that do not; at most 60 of them."""
    texts = list_lines(text)
    if len(texts) > _MOST_LINES:
        raise invalid(
            parameter, f"{len(texts)} lines", f"want at most {_MOST_LINES} lines, one ingredient each"
        )
    lines = [(part, read_line(part)) for part in texts]
    return [line for _, line in lines if line], [part[:200] for part, line in lines if line is None]


def plural_name(name: str) -> str:
    """The name of several of a food or unit: tomatoes, cherries, leaves."""
    if name.endswith("s"):
        return name
    for ending, several in (("leaf", "leaves"), ("ry", "ries"), ("ato", "atoes"), ("ch", "ches")):
        if name.endswith(ending):
            return name.removesuffix(ending) + several
    return f"{name}s"


def format_amount(amount: float, unit: str, name: str) -> str:
    """An amount of a food as a recipe writes it: 2 cups flour, 3 carrots, 100 g rice."""
    if not unit:
        return f"{amount:g} {name if amount <= 1 else plural_name(name)}"
    return f"{amount:g} {plural_name(unit) if unit in _WRITTEN_OUT and amount > 1 else unit} {name}"
