"""Foods that a recipe must or must not use, as people name them: chicken is any cut of it, and nuts are all of them."""

from __future__ import annotations

from typing import NamedTuple

from toolyard.world.search import words
from toolyard.world.worlds.food.ingredient import Ingredient
from toolyard.world.worlds.food.ingredients import find_ingredient
from toolyard.world.worlds.food.recipes import Recipe

# Names that several foods share, and words of what is only made of them.
_SHARED = frozenset("chicken beef pork lamb turkey cheese tomato".split())
_MADE_OF_IT = frozenset("broth stock powder bouillon cream".split())
_KINDS = {"fish": ("fish",), "shellfish": ("shellfish",), "seafood": ("fish", "shellfish"), "nut": ("nut",),
          "meat": ("meat", "poultry"), "poultry": ("poultry",)}  # fmt: skip


# Cheeses that are not called so.
_CHEESES = frozenset(
    "mozzarella,pecorino romano,mascarpone,paneer,halloumi,brie,gouda,queso fresco".split(",")
)


class AskedFood(NamedTuple):
    """A food by its id, by a word that names several, or by their categories."""

    id: int | None
    word: str
    categories: tuple[str, ...]

    def used_in(self, recipe: Recipe) -> bool:
        """Whether a recipe uses the food itself, not only what is made of it."""
        return any(
            self._is(line.ingredient) and not _MADE_OF_IT & set(words(line.ingredient.name))
            if line.ingredient.id != self.id
            else True
            for line in recipe.lines
        )

    def any_in(self, recipe: Recipe) -> bool:
        """Whether anything in a recipe is or is made of the food."""
        return any(self._is(line.ingredient) for line in recipe.lines)

    def _is(self, food: Ingredient) -> bool:
        named = bool(self.word) and self.word in (
            *words(food.name),
            "cheese" if food.name in _CHEESES else "",
        )
        return food.id == self.id or named or food.category in self.categories


def asked_food(name: str) -> AskedFood:
    """What a name stands for; a not_found fault where it is no food."""
    said = words(name)
    if len(said) == 1 and said[0] in _KINDS:
        return AskedFood(None, "", _KINDS[said[0]])
    word = said[0] if len(said) == 1 and said[0] in _SHARED else ""
    return AskedFood(find_ingredient(name).id, word, ())
