"""The nutrients that every ingredient is known by."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NutrientKind:
    """A nutrient: its column, its name, its unit, an adult's daily value and its number in food tables."""

    key: str
    name: str
    unit: str
    daily: float
    number: int


NUTRIENTS = (
    NutrientKind("calories", "Calories", "kcal", 2000, 208),
    NutrientKind("protein", "Protein", "g", 50, 203),
    NutrientKind("fat", "Fat", "g", 78, 204),
    NutrientKind("saturated", "Saturated Fat", "g", 20, 606),
    NutrientKind("carbs", "Carbohydrates", "g", 275, 205),
    NutrientKind("sugar", "Sugar", "g", 50, 269),
    NutrientKind("fiber", "Fiber", "g", 28, 291),
    NutrientKind("sodium", "Sodium", "mg", 2300, 307),
    NutrientKind("calcium", "Calcium", "mg", 1300, 301),
    NutrientKind("iron", "Iron", "mg", 18, 303),
    NutrientKind("potassium", "Potassium", "mg", 4700, 306),
    NutrientKind("vitamin_c", "Vitamin C", "mg", 90, 401),
    NutrientKind("cholesterol", "Cholesterol", "mg", 300, 601),
)
