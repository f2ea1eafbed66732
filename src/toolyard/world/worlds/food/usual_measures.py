"""What a cup and a piece of foods beyond the written table usually weigh, and how fast their sugar is in the blood."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple

from toolyard.world.search import words
from toolyard.world.tables import read_table

# Grams of a piece of what has no entry, by its kind.
_PIECES = {
    "grain": 30.0, "snack": 30.0, "sweetener": 10.0, "spice": 1.0, "herb": 1.0, "nut": 3.0, "condiment": 15.0,
    "beverage": 240.0, "oil": 14.0, "baking": 5.0, "meat": 85.0, "poultry": 85.0, "fish": 85.0,
}  # fmt: skip
# The glycemic index that foods of a kind have about, where nobody has measured theirs.
_INDEXES = {
    "fruit": 45, "vegetable": 50, "legume": 32, "dairy": 36, "nut": 20, "grain": 65, "pasta": 50, "snack": 60,
    "sweetener": 60, "beverage": 55, "condiment": 45, "baking": 70,
}  # fmt: skip
_LEAFY_CARBS = 8.0
_LEAFY_INDEX = 15
_HARDLY_ANY_CARBS = 1.0


class UsualMeasure(NamedTuple):
    """Grams of a cup and of a piece, and the glycemic index."""

    cup: float
    piece: float
    glycemic: int


@functools.cache
def _measures() -> Mapping[frozenset[str], UsualMeasure]:
    return {
        frozenset(words(row["words"])): UsualMeasure(float(row["cup"]), float(row["piece"]), int(row["gi"]))
        for row in read_table("food_measures.tsv")
    }


def usual_measure(*names: str) -> UsualMeasure | None:
    """The entry whose words are all in one of the names, most of them first; the first name that has one counts."""
    for name in names:
        said = set(words(name))
        fitting = [key for key in _measures() if key <= said]
        if fitting:
            return _measures()[max(fitting, key=lambda key: (len(key), sorted(key)))]
    return None


def usual_piece(kind: str) -> float:
    """Grams of a piece of a food of a kind."""
    return _PIECES.get(kind, 100.0)


def usual_index(kind: str, carbs: float) -> int:
    """The glycemic index of foods of a kind that hold so much carbohydrate in 100 g."""
    if carbs < _HARDLY_ANY_CARBS:
        return 0
    if kind == "vegetable" and carbs < _LEAFY_CARBS:
        return _LEAFY_INDEX
    return _INDEXES.get(kind, 50 if carbs > 5 else 0)


def indexed(usual: UsualMeasure | None, own: int, carbs: float) -> int:
    """The index on record for foods of a name, unless it says none of what holds carbohydrates: cheese bread."""
    if usual is None or not own or (not usual.glycemic and carbs > _LEAFY_CARBS):
        return own
    return usual.glycemic
