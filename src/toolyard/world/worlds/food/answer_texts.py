"""What an answer about nutrients looks like, and amounts as people say them."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from toolyard.world.types import IngredientName, Prose
from toolyard.world.worlds.food.further_nutrients import FurtherNutrient
from toolyard.world.worlds.food.meanings import NutrientName
from toolyard.world.worlds.food.nutrients import NutrientKind

Asked = NutrientKind | FurtherNutrient


class Answer(TypedDict):
    answer: Prose
    type: Literal["AMOUNT", "COMPARISON", "DISH"]
    nutrient: NutrientName
    amount: float
    unit: str
    ingredient: NotRequired[IngredientName]


def rounded(value: float, kind: Asked) -> float:
    """An amount of a nutrient as people say it: whole kilocalories, and no more places than tell something."""
    if kind.key == "calories":
        return float(round(value))
    return round(value, 0 if value >= 100 else 1 if value >= 10 else 2)


def shown(value: float, kind: Asked) -> str:
    """An amount of a nutrient with its unit and name."""
    name = kind.name if kind.name.startswith("Vitamin") else kind.name.lower()
    return f"{value:g} {kind.unit}" + (
        "" if kind.key == "calories" else f" of {name.replace('Vitamin', 'vitamin')}"
    )
