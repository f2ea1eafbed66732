"""The amounts of food that a question speaks of, written so that they can be read."""

from __future__ import annotations

import re

from toolyard.world.worlds.food.measures import MASS, unit_or_none

# An amount behind its food: sodium in soy sauce 1 tbsp.
_AMOUNT_LAST = re.compile(
    r"\b(in|of) ([^\W\d][^\d,;]*?),? (\d+(?:[./]\d+)? ?(?:g|kg|oz|lb|ml|tbsp|tsp|cups?|slices?|pieces?))$",
    re.I,
)
_AND_HALF = re.compile(r"\b(one|an?|two|three|four|\d+) and a half\b", re.I)
_HALF = re.compile(r"\b(?:a )?half (?:of )?an? ", re.I)
_COUNTED = {"one": 1, "a": 1, "an": 1, "two": 2, "three": 3, "four": 4}
_WEIGHED = re.compile(r"\b(\d+(?:[.,]\d+)?) ?(g|grams?|kg|oz|ounces?|lbs?|pounds?) (?:of )?", re.I)


def with_amounts_first(question: str) -> str:
    """A question with its amounts in figures before the food: half an avocado is 1/2 avocado."""
    question = _AMOUNT_LAST.sub(r"\1 \3 \2", question)
    question = _AND_HALF.sub(lambda found: f"{_COUNTED.get(found[1].lower()) or found[1]}.5", question)
    return _HALF.sub("1/2 ", question)


def weighed(question: str) -> tuple[float, str]:
    """The grams that a question gives, and how it says so; 0 for none."""
    match = _WEIGHED.search(question)
    unit = unit_or_none(match[2]) if match else None
    return (
        (float(match[1].replace(",", ".")) * MASS[unit], f"{match[1]} {unit}")
        if match and unit
        else (0.0, "")
    )
