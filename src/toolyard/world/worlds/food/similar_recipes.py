"""Recipes that are like another one: of the same family of dishes, then by dish, kitchen and what is in them."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from toolyard.world.tables import plain, read_table
from toolyard.world.worlds.food.recipes import Recipe, every_recipe, find_recipe, telling

# Below this two recipes have too little in common to be called alike.
_ALIKE = 0.5
_FAMILY = 0.8
# Of a dish that has no family the nearest few are named, as long as they have anything in common with it.
_FEW = 3
_HARDLY = 0.2


@functools.cache
def _families() -> Mapping[str, frozenset[str]]:
    """The families of dishes by the plain title of each dish."""
    found: dict[str, set[str]] = {}
    for row in read_table("food_families.tsv"):
        for title in row["dishes"].split(";"):
            found.setdefault(plain(title), set()).add(row["family"])
    return {title: frozenset(names) for title, names in found.items()}


def _family(recipe: Recipe) -> frozenset[str]:
    return _families().get(plain(recipe.title), frozenset())


def similar(seed: int, recipe: Recipe) -> list[Recipe]:
    """Other recipes that are like one, the closest first."""
    return list(_alike(seed, recipe.id))


@functools.lru_cache(maxsize=256)
def _alike(seed: int, recipe_id: int) -> tuple[Recipe, ...]:
    recipe = find_recipe(seed, recipe_id)
    rest = [row for row in every_recipe(seed) if row.id != recipe.id and row.title != recipe.title]
    scored = [(round(_likeness(recipe, row), 6), row) for row in rest]
    scored.sort(key=lambda pair: (-pair[0], pair[1].id))
    near = [row for score, row in scored if score >= _ALIKE]
    return tuple(near) if len(near) >= _FEW else tuple(row for score, row in scored[:_FEW] if score > _HARDLY)


def _likeness(recipe: Recipe, other: Recipe) -> float:
    """How much two recipes have in common."""
    own, others = telling(recipe), telling(other)
    dish = set(recipe.dish.split()) - {"and", "of", "with", "in", "the"}
    shared, kitchens_shared = len(own & others), len(set(recipe.cuisines) & set(other.cuisines))
    # One thing in common makes no likeness: not all that has cocoa is a tiramisu.
    weight = 2 if shared > 1 or kitchens_shared else 1
    score = weight * shared / max(1, len(own | others)) + 0.8 * len(dish & set(other.dish.split()))
    related = bool(_family(recipe) & _family(other))
    score += _FAMILY if related else 0.0
    # A sweet is not like a main course, whatever they are made of, and a cocktail is no tea.
    score -= 0.0 if related or set(recipe.types) & set(other.types) else 2.0
    score -= 0.0 if ("drink" in recipe.types) == ("drink" in other.types) else 2.0
    score -= 2.0 if ("dessert" in recipe.types) != ("dessert" in other.types) else 0.0
    score -= 1.0 if "drink" in recipe.types and ("o" in recipe.flags) != ("o" in other.flags) else 0.0
    score += 0.2 if {"soup", "salad"} & set(recipe.types) & set(other.types) else 0.0
    return score + 0.3 * min(1, kitchens_shared)
