"""Substitutes: kitchen rules that are common knowledge."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from toolyard.world.tables import read_table
from toolyard.world.worlds.food.ingredient import Ingredient


@functools.cache
def _rules() -> Mapping[str, tuple[str, ...]]:
    """The rules by the ingredient that they replace."""
    found: dict[str, tuple[str, ...]] = {}
    for row in read_table("food_substitutes.tsv"):
        found[row["of"]] = (*found.get(row["of"], ()), row["rule"])
    return found


def substitutes_for(row: Ingredient) -> list[str]:
    """The rules for an ingredient; none where no cook would swap it."""
    return list(_rules().get(row.name, ()))
