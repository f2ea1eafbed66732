"""Taste: what ingredients bring by weight, added up over a dish."""

from collections.abc import Sequence
from typing import TypedDict

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.simulated.food.ingredients import Ingredient
from toolyard.world.simulated.food.measures import Line


class Taste(TypedDict):
    """Strength of each taste from 0 to 100, and spiciness in Scoville units."""

    sweetness: float
    saltiness: float
    sourness: float
    bitterness: float
    savoriness: float
    fattiness: float
    spiciness: float


def _taste_strengths(ingredient: Ingredient) -> tuple[float, ...]:
    """How strong each taste of an ingredient is, in the order of `Taste`."""
    facts = ingredient.per_100g
    sour, bitter, savory, hot = ingredient.tastes
    # The sugar of milk tastes less sweet than any other.
    sweet = min(100.0, facts["sugar"] * (0.75 if ingredient.category == "dairy" else 2.5))
    return (
        sweet,
        min(100.0, facts["sodium"] / 15),
        sour,
        bitter,
        savory,
        min(100.0, facts["fat"] * 1.5),
        hot,
    )


def dish_taste(lines: Sequence[Line], *, normalize: bool = True) -> Taste:
    """The taste of a dish: ingredients weigh by their grams.

    With `normalize` the strongest taste counts 100 and the others keep their proportion to it.
    """
    weight = sum_in_order(line.grams for line in lines) or 1.0
    *sums, hot = (
        sum_in_order(_taste_strengths(line.ingredient)[place] * line.grams / weight for line in lines)
        for place in range(7)
    )
    strongest = max(sums)
    factor = 100 / strongest if normalize and strongest else 1.0
    sweet, salty, sour, bitter, savory, fatty = (round(value * factor, 2) for value in sums)
    return {
        "sweetness": sweet,
        "saltiness": salty,
        "sourness": sour,
        "bitterness": bitter,
        "savoriness": savory,
        "fattiness": fatty,
        "spiciness": round(hot, 1),
    }
