"""Nutrients: the columns of the food tables, with names, units and an adult's daily values."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.tables import plain, values_of
from toolyard.world.simulated.food.value_types import Nutrient


@dataclass(frozen=True, slots=True)
class NutrientKind:
    """A nutrient: its column, its name, its unit and an adult's daily value."""

    key: str
    name: str
    unit: str
    daily: float


# What every food of the tables is known by.
NUTRIENTS = tuple(NutrientKind(*row) for row in values_of("nutrients.nutrients").values())
# What only the reference table of foods has.
FURTHER = tuple(NutrientKind(*row) for row in values_of("nutrients.further").values())
_NAMES = {re.sub("s$", "", kind.name.lower()): kind for kind in (*NUTRIENTS, *FURTHER)}
_SYNONYMS = {"energy": "calorie", "kcal": "calorie", "carb": "carbohydrate", "fibre": "fiber", "total sugar": "sugar",
             "total lipid": "fat", "fatty acid": "saturated fat", "salt": "sodium"}  # fmt: skip
_SPELT = re.compile(
    rf"\b({'|'.join(sorted((*_NAMES, *_SYNONYMS), key=len, reverse=True))})s?\b", re.IGNORECASE
)


def find_nutrient(text: str) -> tuple[NutrientKind, str] | None:
    """The first nutrient that a text names, and the text without it; None where it names none."""
    folded = plain(text[:300]).replace("b-", "b").replace("_", " ")
    spelt = _SPELT.search(folded)
    if spelt is None:
        return None
    return _NAMES[_SYNONYMS.get(spelt[1], spelt[1])], folded[: spelt.start()] + folded[spelt.end() :]


def nutrient_kind(name: str) -> NutrientKind:
    """The nutrient of a name such as "vitamin c" or "carbs"; a not_found fault otherwise."""
    found = find_nutrient(name)
    if found is None:
        raise not_found("nutrient", name[:80], known=[kind.name for kind in (*NUTRIENTS, *FURTHER)])
    return found[0]


def scale_nutrients(per_100g: Mapping[str, float], grams: float) -> dict[str, float]:
    """The nutrients of so many grams."""
    return {key: value * grams / 100 for key, value in per_100g.items()}


def nutrient_list(amounts: Mapping[str, float]) -> list[Nutrient]:
    """Amounts by key as the records that tools return."""
    return [
        {
            "name": kind.name,
            "amount": round(amounts[kind.key], 2),
            "unit": kind.unit,
            "percentOfDailyNeeds": round(100 * amounts[kind.key] / kind.daily, 1),
        }
        for kind in NUTRIENTS
    ]
