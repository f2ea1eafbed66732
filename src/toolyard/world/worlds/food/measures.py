"""Amounts: units of the kitchen, conversion by weight of cup and piece, and reading of ingredient lines."""

from __future__ import annotations

import re
from dataclasses import dataclass

from toolyard.world.faults import invalid
from toolyard.world.tables import plain
from toolyard.world.worlds.food.fitting_units import unit_fits
from toolyard.world.worlds.food.ingredient import Ingredient
from toolyard.world.worlds.food.ingredients import FIRST_GENERIC_ID, ingredient_or_none, singular

CUP_ML = 236.588
MASS = {"g": 1.0, "mg": 0.001, "kg": 1000.0, "oz": 28.3495, "lb": 453.592}
VOLUME_ML = {"ml": 1.0, "cl": 10.0, "dl": 100.0, "l": 1000.0, "tsp": 4.929, "tbsp": 14.787, "cup": CUP_ML,
             "fl oz": 29.5735, "pint": 473.176, "quart": 946.353, "gallon": 3785.41, "glass": 200.0,
             "bottle": 750.0, "shot": 44.36}  # fmt: skip
PIECES = ("piece", "clove", "slice", "head", "fillet", "stalk", "small", "medium", "large")
PORTIONS = {"can": 400.0, "stick": 113.5, "bunch": 30.0, "sprig": 2.0, "leaf": 15.0, "handful": 30.0, "pinch": 0.4,
            "dash": 0.6, "package": 250.0, "jar": 450.0, "scoop": 65.0, "block": 250.0,
            "ball": 125.0, "rack": 700.0, "tub": 200.0}  # fmt: skip
_SPELLINGS = {
    "gram": "g", "gramm": "g", "gramme": "g", "milligram": "mg", "kilogram": "kg", "kilo": "kg", "ounce": "oz",
    "pound": "lb", "lbs": "lb", "milliliter": "ml", "millilitre": "ml", "centiliter": "cl", "deciliter": "dl",
    "liter": "l", "litre": "l", "teaspoon": "tsp", "tl": "tsp", "tablespoon": "tbsp", "tbs": "tbsp", "el": "tbsp",
    "tasse": "cup", "fluid ounce": "fl oz", "floz": "fl oz", "pt": "pint", "qt": "quart", "gal": "gallon",
    "stuck": "piece", "pc": "piece", "unit": "piece", "dose": "can", "tin": "can", "zehe": "clove",
    "bund": "bunch", "scheibe": "slice", "prise": "pinch", "blatt": "leaf", "leave": "leaf", "pack": "package",
    "packet": "package", "packchen": "package", "portion": "serving", "breast": "piece", "becher": "tub",
    "scheiben": "slice", "dosen": "can", "zehen": "clove", "stange": "stalk", "stangen": "stalk", "blatter": "leaf",
    "glas": "glass",
}  # fmt: skip
UNITS = (*MASS, *VOLUME_ML, *PIECES, *PORTIONS, "serving")
# What is sold otherwise than most foods.
_OWN_PORTIONS = {
    ("package", "yeast"): 7.0, ("package", "baking powder"): 15.0, ("package", "cream cheese"): 227.0,
    ("package", "spaghetti"): 454.0, ("package", "pasta"): 454.0, ("package", "butter"): 250.0,
    ("bunch", "scallions"): 100.0, ("bunch", "radish"): 150.0, ("bunch", "asparagus"): 450.0,
    ("can", "tuna"): 142.0, ("glass", "red wine"): 147.0, ("glass", "white wine"): 147.0,
    ("head", "garlic"): 36.0, ("block", "tofu"): 400.0, ("block", "cream cheese"): 227.0,
    ("block", "feta cheese"): 200.0, ("head", "celery"): 450.0, ("stalk", "broccoli"): 150.0,
    ("stick", "cinnamon"): 2.6, ("stick", "celery"): 17.0, ("slice", "watermelon"): 280.0, ("slice", "pineapple"): 84.0,
    ("slice", "tomato"): 20.0, ("slice", "cantaloupe"): 69.0, ("slice", "onion"): 14.0, ("slice", "tofu"): 60.0,
    ("bunch", "grapes"): 500.0, ("pinch", "saffron"): 0.05, ("scoop", "protein powder"): 32.0, ("slice", "bread"): 28.0,
    ("bottle", "beer"): 355.0, ("can", "beer"): 355.0, ("glass", "beer"): 355.0, ("serving", "beer"): 355.0,
    ("serving", "red wine"): 147.0,
    ("serving", "white wine"): 147.0, ("can", "canned tomatoes"): 400.0,
}  # fmt: skip
_SIZES = {"small": 0.75, "large": 1.3}
# Recipes count in large eggs.
_EGG_SIZES = {"small": 0.76, "medium": 0.88}
# What a slice of something large and baked weighs.
_SLICES = {"pizza": 107.0, "pie": 120.0, "cake": 80.0, "cheesecake": 110.0}
# What a slice of other foods weighs, by their kind.
_SLICED = {
    "meat": 60.0,
    "poultry": 60.0,
    "grain": 35.0,
    "snack": 80.0,
    "fish": 60.0,
    "fruit": 20.0,
    "vegetable": 10.0,
}
_SERVINGS = {"spice": 1.0, "herb": 3.0, "oil": 14.0, "baking": 5.0, "condiment": 15.0, "sweetener": 12.0, "nut": 30.0,
             "beverage": 240.0, "grain": 60.0, "pasta": 80.0, "dairy": 100.0}  # fmt: skip
_FRACTIONS = {"½": " 1/2", "⅓": " 1/3", "⅔": " 2/3", "¼": " 1/4", "¾": " 3/4", "⅛": " 1/8"}
_WORDS = {"a": 1.0, "an": 1.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "ten": 10.0,
          "half": 0.5, "dozen": 12.0, "ein": 1.0, "eine": 1.0, "zwei": 2.0, "drei": 3.0}  # fmt: skip
_MIXED = re.compile(r"(\d{1,6})\s+(\d{1,3})/(\d{1,3})")
_FRACTION = re.compile(r"(\d{1,6})/(\d{1,3})")
_NUMBER = re.compile(r"\d{1,6}(?:[.,]\d{1,4})?")
_WORD = re.compile(r"[^\W\d_]+\.?")


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
    word = singular(text.strip().rstrip("."))
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
    if (unit, ingredient.name) in _OWN_PORTIONS:
        return _OWN_PORTIONS[unit, ingredient.name]
    if unit in VOLUME_ML:
        return VOLUME_ML[unit] * ingredient.grams_per_cup / CUP_ML or None
    if unit == "slice" and not ingredient.grams_per_piece:
        return 30.0
    if unit == "slice" and (whole := _SLICES.keys() & set(plain(ingredient.name).replace(",", " ").split())):
        return max(_SLICES[word] for word in whole)
    if unit == "slice" and ingredient.grams_per_piece > 60:
        return 10.0 if ingredient.id < FIRST_GENERIC_ID else _SLICED.get(ingredient.category, 30.0)
    if unit in PIECES:
        sizes = _EGG_SIZES if ingredient.category == "egg" else _SIZES
        return ingredient.grams_per_piece * sizes.get(unit, 1.0) or None
    return _portion(ingredient, unit)


def _portion(ingredient: Ingredient, unit: str) -> float:
    """What a can, a leaf, a bunch and the like of an ingredient weigh."""
    if unit == "leaf" and ingredient.category == "herb":
        return ingredient.grams_per_piece or 0.5
    if unit == "bunch" and ingredient.category == "vegetable":
        return 250.0
    if unit == "can" and ingredient.category in ("beverage", "legume"):
        return 360.0 if ingredient.category == "beverage" else 240.0
    return PORTIONS.get(unit) or _SERVINGS.get(ingredient.category, 100.0)


def to_grams(ingredient: Ingredient, amount: float, unit: str, parameter: str = "unit") -> float:
    """The weight of an amount; an invalid_value fault where the ingredient has no such measure."""
    each = grams_per(ingredient, unit) if unit_fits(ingredient, unit) else None
    if each is None:
        fitting = ", ".join(possible_units(ingredient))
        raise invalid(
            parameter,
            unit,
            f"{ingredient.name} is not measured so; use a weight such as g, or one of {fitting}",
        )
    return amount * each


def possible_units(ingredient: Ingredient) -> list[str]:
    """The units that an ingredient is usually measured in."""
    names = (
        *PIECES,
        "stick",
        "can",
        "bunch",
        "sprig",
        "leaf",
        "pinch",
        "g",
        "oz",
        "cup",
        "tbsp",
        "tsp",
        "serving",
    )
    spoons = ("tbsp", "tsp") if ingredient.category in ("meat", "poultry", "fish", "shellfish") else ()
    return [
        name
        for name in names
        if name not in spoons and unit_fits(ingredient, name) and grams_per(ingredient, name)
    ]


def _amount(text: str) -> tuple[float | None, str]:
    """The number at the start of a line, and the rest; ranges count as their middle."""
    for sign, spelled in _FRACTIONS.items():
        text = text.replace(sign, spelled)
    text = text.strip()
    found = _value(text)
    if found is None:
        word, _, rest = text.partition(" ")
        return (_WORDS[word.lower()], rest) if word.lower() in _WORDS else (None, text)
    value, rest = found
    if rest.split()[:1] == ["dozen"]:
        return 12 * value, rest.split("dozen", 1)[1]
    if rest.lstrip().startswith(("-", "–")):
        upper = _value(rest.lstrip().lstrip("-–").lstrip())
        if upper:
            return (value + upper[0]) / 2, upper[1]
    return value, rest


def _value(text: str) -> tuple[float, str] | None:
    match = _MIXED.match(text)
    if match and int(match[3]):
        return int(match[1]) + int(match[2]) / int(match[3]), text[match.end() :]
    match = _FRACTION.match(text)
    if match and int(match[2]):
        return int(match[1]) / int(match[2]), text[match.end() :]
    match = _NUMBER.match(text)
    return (float(match[0].replace(",", ".")), text[match.end() :]) if match else None


# How a spoon or a cup is filled.
_FILLED = re.compile(r"(?:heaping|heaped|rounded|level|scant|generous|full|good) ", re.I)


def _unit(text: str) -> tuple[str, str]:
    """The unit at the start of what follows a number ("" for none), and the rest."""
    text = text.strip()
    filled = _FILLED.match(text)
    if filled and (next_word := _WORD.match(text, filled.end())) and unit_or_none(next_word[0]):
        text = text[filled.end() :]
    if text.lower().startswith(("fl oz", "fluid ounce")):
        return "fl oz", text.split(None, 2)[2] if len(text.split(None, 2)) > 2 else ""
    match = _WORD.match(text)
    unit = unit_or_none(match[0]) if match else None
    if match is None or unit is None:
        return "", text
    rest = text[match.end() :].strip()
    return unit, rest[3:] if rest.lower().startswith("of ") else rest


def read_line(text: str) -> Line | None:
    """What a line such as "1 1/2 cups flour, sifted" says; None where it names no known ingredient."""
    text = text.strip()[:200]
    if part := _PART_OF.match(text):
        return _part_of_fruit(text, part[1].lower(), part[2])
    amount, rest = _amount(text)
    if sized := _SIZED.match(rest):
        return _packed(text, amount, sized)
    unit, name = _unit(rest)
    head, _, note = name.partition(",")
    ingredient = ingredient_or_none(head.strip().removeprefix("of ")) or ingredient_or_none(rest)
    if ingredient is None:
        return None
    unit = unit or _unit_behind(head, ingredient)
    ingredient = (
        _counted_by_piece(ingredient, head) if amount and unit in ("", *_SIZES, "piece") else ingredient
    )
    ingredient = _out_of_the_can(ingredient, unit)
    measured = unit or ("piece" if ingredient.grams_per_piece else "serving")
    if amount is None and not unit and ingredient.category == "herb":
        return Line(text, 1.0, "", ingredient, _HERB_TO_TASTE, note.strip())
    count = 1.0 if amount is None else amount
    grams = count * (grams_per(ingredient, measured) or grams_per(ingredient, "serving") or 0.0)
    return Line(text, round(count, 4), unit, ingredient, round(grams, 2), note.strip())


# Grams of a herb that a line names without an amount.
_HERB_TO_TASTE = 5.0


def _out_of_the_can(ingredient: Ingredient, unit: str) -> Ingredient:
    """What a can of a food holds: canned tomatoes are not fresh ones."""
    canned = ingredient_or_none("canned tomatoes") if unit == "can" and ingredient.name == "tomato" else None
    return canned or ingredient


def _unit_behind(name: str, ingredient: Ingredient) -> str:
    """The unit that stands behind a food: four lettuce leaves; nothing where the food is called so, as a bay leaf."""
    said = plain(name).split()
    unit = unit_or_none(said[-1]) if len(said) > 1 else None
    own = {singular(word) for called in (ingredient.name, *ingredient.aliases) for word in called.split()}
    counted = ("leaf", "clove", "slice", "stalk", "sprig", "fillet", "head", "stick")
    fits = unit in counted and singular(said[-1]) not in own and unit_fits(ingredient, unit or "")
    return unit if unit and fits else ""


_PART_OF = re.compile(r"(?:the )?(?:grated |fresh )?(juice|zest) (?:of|from) (.+)", re.I)
# Grams of juice and of zest of one fruit.
_FROM_ONE = {"lemon": (46.0, 6.0), "lime": (30.0, 4.0), "orange": (86.0, 12.0), "grapefruit": (180.0, 15.0)}


def _part_of_fruit(text: str, part: str, rest: str) -> Line | None:
    """The juice or the zest of some fruit."""
    whole = read_line(rest)
    if whole is None or whole.ingredient.name not in _FROM_ONE:
        return whole
    juice, zest = _FROM_ONE[whole.ingredient.name]
    squeezed = ingredient_or_none(f"{whole.ingredient.name} juice") if part == "juice" else None
    grams = whole.amount * (juice if part == "juice" else zest)
    return Line(text, whole.amount, "", squeezed or whole.ingredient, round(grams, 2), f"{part} only")


def _counted_by_piece(ingredient: Ingredient, name: str) -> Ingredient:
    """What is meant where a name is counted: two Paprika are peppers, a spoon of it is the spice."""
    if ingredient.name == "paprika powder" and plain(name).split()[-1:] == ["paprika"]:
        return ingredient_or_none("bell pepper") or ingredient
    return ingredient


# One (14 oz) can of something.
_SIZED = re.compile(
    r"\s*\(?(\d+(?:\.\d+)?)[ -]?(oz|ounces?|g|ml|lb)\.?\)? +(cans?|tins?|packages?|jars?|bags?|boxe?s?) +(?:of +)?(.+)",
    re.I,
)


def _packed(text: str, amount: float | None, sized: re.Match[str]) -> Line | None:
    """A line that says how much is in each can or package."""
    head, _, note = sized[4].partition(",")
    ingredient, unit = ingredient_or_none(head.strip()), unit_or_none(sized[2])
    if ingredient is None or unit is None:
        return None
    ingredient = _out_of_the_can(ingredient, unit_or_none(sized[3]) or "")
    count = 1.0 if amount is None else amount
    grams = count * float(sized[1]) * (grams_per(ingredient, unit) or 1.0)
    return Line(
        text, round(count, 4), unit_or_none(sized[3]) or "package", ingredient, round(grams, 2), note.strip()
    )


# Two foods in one line that gives no amount of either.
_SALT_AND_PEPPER = re.compile(
    r"(?:kosher |sea )?salt (?:and|&) ((?:freshly )?(?:ground )?(?:black )?pepper)\b(.*)", re.I
)


def list_lines(text: str) -> list[str]:
    """The lines of an ingredient list that say something; salt and pepper are two."""
    found: list[str] = []
    for part in text.replace("\\n", "\n").splitlines():
        both = _SALT_AND_PEPPER.fullmatch(part.strip())
        found += [f"salt{both[2]}", f"{both[1]}{both[2]}"] if both else [part.strip()] if part.strip() else []
    return found


def read_lines(text: str, parameter: str = "ingredientList") -> list[Line | None]:
    """Each line of an ingredient list, read; at most 60 of them."""
    lines = list_lines(text)
    if len(lines) > 60:
        raise invalid(parameter, f"{len(lines)} lines", "want at most 60 lines, one ingredient each")
    return [read_line(line) for line in lines]
