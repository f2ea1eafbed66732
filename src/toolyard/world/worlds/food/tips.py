"""What readers advise about a recipe: remarks on what is in it, on its course and on its dish."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from random import Random

from toolyard.world.shared.geography import read_table
from toolyard.world.worlds.food.recipes import Recipe
from toolyard.world.worlds.food.substitutes import substitutes_for


@functools.cache
def _remarks() -> Mapping[str, tuple[str, ...]]:
    """Remarks by the ingredient or the course that they are on; {dish} in them is what the recipe is."""
    found: dict[str, tuple[str, ...]] = {}
    for row in read_table("food_tips.tsv"):
        found[row["of"]] = (*found.get(row["of"], ()), row["text"])
    return found


def _swap(recipe: Recipe) -> list[str]:
    """One ingredient that cooks replace by its like, if there is one."""
    for line in sorted(recipe.lines, key=lambda line: -line.grams):
        rules, kin = substitutes_for(line.ingredient)
        if (
            rules
            and kin
            and line.ingredient.category in ("meat", "poultry", "fish", "shellfish", "legume", "nut")
        ):
            return [
                f"We had no {line.ingredient.name} and used {kin[0].name}; the {recipe.dish} turned out fine."
            ]
    return []


_WAITING = re.compile(r"\b(?:chill|cool|rest|rise|marinate)\b[^.]{0,20}\bfor (\w+ hours)", re.IGNORECASE)


def _patience(recipe: Recipe) -> list[str]:
    """What everybody says of a dish that has to wait for hours."""
    waiting = _WAITING.search(recipe.instructions)
    return (
        [f"Give it the full {waiting[1]}; without them the {recipe.dish} is not the same."] if waiting else []
    )


def tip_texts(recipe: Recipe, chance: Random) -> list[str]:
    """Three to six remarks on a recipe, drawn from those that fit it; the most useful first."""
    slots = {
        "dish": recipe.dish,
        "servings": recipe.servings,
        "early": max(3, recipe.minutes // 10),
        "late": recipe.minutes + 10 + recipe.minutes // 10 * 5,
    }
    subjects = [
        *(line.ingredient.name for line in recipe.lines),
        *(f"course {name}" for name in recipe.types[:1]),
    ]
    texts = [chance.choice(_remarks()[name]) for name in dict.fromkeys(subjects) if name in _remarks()]
    # A remark that does not name the dish is made on every third recipe only, so that few are read twice.
    own = [text for text in texts if "{dish}" in text or (recipe.id + len(text)) % 3 == 0]
    texts = own if len(own) > 2 else texts
    texts = list(dict.fromkeys(text.format(**slots) for text in [*texts, *_swap(recipe)]))
    return [*_patience(recipe), *chance.sample(texts, min(len(texts), chance.randrange(3, 7)))]
