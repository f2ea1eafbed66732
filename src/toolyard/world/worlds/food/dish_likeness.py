"""Whether a recipe is what the name of a dish says."""

from __future__ import annotations

from toolyard.world.search import words
from toolyard.world.worlds.food.ingredients import mentions
from toolyard.world.worlds.food.recipes import Recipe


def holds_all(row: Recipe, title: str) -> bool:
    """Whether a recipe is called after, or made of, every food that a title names."""
    own = {
        word for text in (row.title, *(line.ingredient.name for line in row.lines)) for word in words(text)
    }
    kinds = {line.ingredient.category for line in row.lines}
    return all(
        set(words(title[one.start : one.end])[:1]) & own
        or one.ingredient.category in kinds & {"fish", "shellfish", "pasta"}
        for one in mentions(title)
    )


def same_dish(row: Recipe, wanted: set[str]) -> bool:
    """Whether words name the dish of a recipe, not only a food in it: a lobster bisque is no lobster roll."""
    names = [words(line.ingredient.name) for line in row.lines]
    held = {word for name in names for word in name}
    foods = {name[0] for name in names if len(name) == 1 or name[0] in _ANIMALS}
    dish = {*words(row.dish), *words(row.title)[-1:]} - foods
    return bool(dish & wanted) or wanted <= held | set(words(row.title))


# What is bought in many cuts.
_ANIMALS = frozenset("chicken beef pork lamb turkey".split())
