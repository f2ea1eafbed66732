"""Recipes that are like another one: of the same family of dishes, then by dish, kitchen and what is in them."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from toolyard.world.search import words
from toolyard.world.tables import plain, read_table
from toolyard.world.worlds.food.recipes import Recipe, every_recipe, find_recipe, telling

# So much of what two recipes are known by makes them alike without any other reason, and so many things at least.
_ALIKE = 0.5
_SHARED = 3
# What is only the animal that a dish is made of says little of it.
_ANIMALS = frozenset("chicken beef pork lamb turkey salmon shrimp egg".split())


@functools.cache
def _families() -> Mapping[str, frozenset[str]]:
    """The families of dishes by the plain title of each dish."""
    found: dict[str, set[str]] = {}
    for row in read_table("food_families.tsv"):
        for title in row["dishes"].split(";"):
            found.setdefault(plain(title), set()).add(row["family"])
    return {title: frozenset(names) for title, names in found.items()}


def _family(recipe: Recipe) -> frozenset[str]:
    """Its families, by its title or what stands there before its side dish."""
    short, _, _ = recipe.title.partition(" with ")
    return _families().get(plain(recipe.title)) or _families().get(plain(short), frozenset())


def similar(seed: int, recipe: Recipe) -> list[Recipe]:
    """Other recipes that are like one, the closest first."""
    return list(_alike(seed, recipe.id))


@functools.lru_cache(maxsize=256)
def _alike(seed: int, recipe_id: int) -> tuple[Recipe, ...]:
    recipe = find_recipe(seed, recipe_id)
    rest = [row for row in every_recipe(seed) if row.title != recipe.title and _same_course(recipe, row)]
    near = [row for row in rest if _is_like(recipe, row)]
    return tuple(sorted(near, key=lambda row: (-_likeness(recipe, row), row.id)))


def _same_course(recipe: Recipe, other: Recipe) -> bool:
    """Whether two recipes are for the same part of a meal; a cocktail is no tea."""
    own, others = set(recipe.types), set(other.types)
    if _family(recipe) & _family(other):
        return True
    if any((kind in own) != (kind in others) for kind in ("dessert", "drink")):
        return False
    if "drink" in own and ("o" in recipe.flags) != ("o" in other.flags):
        return False
    return bool(own & others)


def _head(recipe: Recipe) -> str:
    """What a recipe is, by the last word of its title."""
    return words(recipe.title.partition(" with ")[0])[-1]


def _overlap(recipe: Recipe, other: Recipe) -> float:
    own, others = telling(recipe), telling(other)
    return len(own & others) / max(1, len(own | others))


def _is_like(recipe: Recipe, other: Recipe) -> bool:
    """Whether two recipes are of a family, are called the same, or are made of much the same."""
    if _family(recipe) & _family(other):
        return True
    if _head(recipe) == _head(other) and _head(recipe) not in _ANIMALS:
        return True
    return _overlap(recipe, other) >= _ALIKE and len(telling(recipe) & telling(other)) >= _SHARED


def _likeness(recipe: Recipe, other: Recipe) -> float:
    """How much two recipes have in common: a family most, then what they are called and made of."""
    family = bool(_family(recipe) & _family(other))
    called = _head(recipe) == _head(other)
    near = bool(set(recipe.kitchens) & set(other.kitchens))
    return round(family + 0.5 * called + _overlap(recipe, other) + 0.2 * near, 6)
