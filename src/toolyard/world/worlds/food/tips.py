"""What readers advise about a recipe: one to three remarks of its own for every dish."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from toolyard.world.tables import read_table
from toolyard.world.worlds.food.recipes import Recipe


@functools.cache
def _remarks() -> Mapping[str, tuple[str, ...]]:
    """Remarks by the title that they are on; of titles with a side, by what stands before it."""
    found: dict[str, tuple[str, ...]] = {}
    for row in read_table("food_tips.tsv"):
        found[row["of"]] = (*found.get(row["of"], ()), row["text"])
    return found


def tip_texts(recipe: Recipe) -> tuple[str, ...]:
    """The remarks on a recipe, the most useful first."""
    short, _, _ = recipe.title.partition(" with ")
    lemon = f"{short} with Lemon Dressing" if recipe.title.endswith("Lemon Dressing") else recipe.title
    names = (recipe.title, lemon, f"{short} with", short)
    return next((_remarks()[name] for name in names if name in _remarks()), ())
