"""Nutrients that only the reference table of foods has: vitamins and trace elements."""

from __future__ import annotations

import re
from dataclasses import dataclass

from toolyard.world.reference.foods import foods_with
from toolyard.world.tables import plain
from toolyard.world.worlds.food.ingredient import Ingredient


@dataclass(frozen=True, slots=True)
class FurtherNutrient:
    """A nutrient: its column of the reference table, its name and its unit."""

    key: str
    name: str
    unit: str


FURTHER = (
    FurtherNutrient("vitamin_a", "Vitamin A", "µg"),
    FurtherNutrient("vitamin_d", "Vitamin D", "µg"),
    FurtherNutrient("vitamin_e", "Vitamin E", "mg"),
    FurtherNutrient("vitamin_k", "Vitamin K", "µg"),
    FurtherNutrient("vitamin_b6", "Vitamin B6", "mg"),
    FurtherNutrient("vitamin_b12", "Vitamin B12", "µg"),
    FurtherNutrient("folate", "Folate", "µg"),
    FurtherNutrient("magnesium", "Magnesium", "mg"),
    FurtherNutrient("zinc", "Zinc", "mg"),
    FurtherNutrient("copper", "Copper", "mg"),
    FurtherNutrient("phosphorus", "Phosphorus", "mg"),
    FurtherNutrient("selenium", "Selenium", "µg"),
    FurtherNutrient("manganese", "Manganese", "mg"),
    FurtherNutrient("niacin", "Niacin", "mg"),
    FurtherNutrient("riboflavin", "Riboflavin", "mg"),
    FurtherNutrient("thiamin", "Thiamin", "mg"),
    FurtherNutrient("caffeine", "Caffeine", "mg"),
)
# Milligrams of caffeine in 100 g of what holds some.
_CAFFEINE = {
    "coffee": 40.0,
    "tea": 20.0,
    "cola": 8.0,
    "dark chocolate": 43.0,
    "cocoa powder": 230.0,
    "chocolate chips": 62.0,
}
# Cuts that the reference table knows under another name only.
_CUTS = {"beef chuck": "beef ground raw", "pork shoulder": "pork ground raw"}


def further_nutrient(text: str) -> FurtherNutrient | None:
    """The further nutrient that a text names; None where it names none."""
    spelt = re.sub(r"\bb[ -]?(6|12)\b", r"b\1", plain(text[:300]))
    return next((kind for kind in FURTHER if re.search(rf"\b{kind.name.lower()}\b", spelt)), None)


def further_per_100g(row: Ingredient, kind: FurtherNutrient) -> float | None:
    """How much of it 100 g of an ingredient hold; None where that is not on record."""
    if kind.key == "caffeine":
        return _CAFFEINE.get(row.name)
    names = (f"{row.name} raw", row.name, *([_CUTS[row.name]] if row.name in _CUTS else []))
    for foods in (foods_with(name, 1) for name in names):
        if foods and kind.key in foods[0].nutrients:
            return foods[0].nutrients[kind.key]
    return None
