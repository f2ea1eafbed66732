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


# Amounts behind all else: how much protein does quinoa have per cup.
_PER = re.compile(
    r"(?:,? (?:per|in an?|in one) |,? for (?:an?|one) )"
    r"(\d+ ?(?:g|oz|ml|grams?|ounces?)|cup|tablespoon|teaspoon|ounce|slice|piece)$",
    re.I,
)
# Goods that people call by a maker's name, and foods that are eaten otherwise than they are sold.
_CALLED = {"nutella": "chocolate hazelnut spread", "oreos": "chocolate sandwich cookie", "oreo": "chocolate sandwich cookie",
           "oatmeal": "cooked oatmeal"}  # fmt: skip


def as_asked(question: str) -> str:
    """A question with plain names of what it calls by a maker's name; oatmeal is cooked."""
    for name, plainer in _CALLED.items():
        question = re.sub(rf"(?<!cooked )\b{name}\b(?! cookie)", plainer, question, flags=re.I)
    return question


def per_amount(question: str) -> tuple[str, str] | None:
    """A question without the amount behind it, and that amount; None where there is none."""
    match = _PER.search(question)
    if match is None:
        return None
    amount = match[1] if match[1][0].isdigit() else f"1 {match[1]}"
    return question[: match.start()], amount


def weighed(question: str) -> tuple[float, str]:
    """The grams that a question gives, and how it says so; 0 for none."""
    match = _WEIGHED.search(question)
    unit = unit_or_none(match[2]) if match else None
    return (
        (float(match[1].replace(",", ".")) * MASS[unit], f"{match[1]} {unit}")
        if match and unit
        else (0.0, "")
    )
