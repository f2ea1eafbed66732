"""Short answers of the kitchen: an amount in another unit, and how long simple foods cook."""

from __future__ import annotations

import re

from toolyard.world.faults import ToolFault
from toolyard.world.worlds.food.ingredient_amounts import convert_amounts
from toolyard.world.worlds.food.ingredients import ingredient_or_none, mentions
from toolyard.world.worlds.food.measures import read_line, unit_or_none

_CONVERT = re.compile(
    r"\b(?:convert|what is|how much is) (\d[\d./]*) (\w+) (?:of )?([a-z ]+?) (?:to|in|into) (\w+)\W*$", re.I
)
# How long simple foods cook.
_TIMES = {
    "egg": "An egg takes about 6 minutes in boiling water for a soft yolk, and 10 minutes for a hard one.",
    "pasta": "Dry pasta boils for 8 to 12 minutes; the package tells how long.",
    "spaghetti": "Spaghetti boils for 9 to 11 minutes.",
    "rice": "White rice takes 15 to 18 minutes under a lid, and 10 minutes of rest; brown rice takes 40.",
    "potato": "Potatoes boil for 15 to 20 minutes, until a knife goes in easily.",
    "broccoli": "Broccoli florets boil for 4 to 5 minutes.",
    "chicken breast": "A chicken breast takes 20 to 25 minutes in the oven at 200 °C; it is done at 74 °C inside.",
    "salmon": "A salmon fillet takes 12 to 15 minutes in the oven at 200 °C.",
    "lentils": "Lentils simmer for 20 to 30 minutes.",
    "quinoa": "Quinoa simmers for 15 minutes in twice as much water.",
}


def converted(text: str) -> str:
    """An amount of a food in another unit, where somebody asks for that; nothing otherwise."""
    asked = _CONVERT.search(text)
    if not asked or not (unit_or_none(asked[2]) and unit_or_none(asked[4]) and ingredient_or_none(asked[3])):
        return ""
    line = read_line(f"{asked[1]} {asked[2]} {asked[3]}")
    try:
        return (
            convert_amounts(
                ingredientName=asked[3], sourceAmount=line.amount, sourceUnit=asked[2], targetUnit=asked[4]
            )["answer"]
            if line
            else ""
        )
    except ToolFault:
        return ""


def cooking_time(lower: str) -> str:
    """How long a simple food cooks, where somebody asks for that; nothing otherwise."""
    if not re.search(r"\bhow long\b.*\b(?:boil|cook|bake|simmer|steam|roast)", lower):
        return ""
    return next((_TIMES[one.ingredient.name] for one in mentions(lower) if one.ingredient.name in _TIMES), "")
