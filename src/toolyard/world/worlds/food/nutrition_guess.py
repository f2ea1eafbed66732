"""Food/spoonacular_recipes_analyze, third part: what a dish of some name usually holds."""

from __future__ import annotations

import math
from collections.abc import Sequence

from toolyard.core.sums import added
from toolyard.world.derived import well_formed
from toolyard.world.faults import not_found
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.state import World
from toolyard.world.tables import plain
from toolyard.world.worlds.food.asked import said
from toolyard.world.worlds.food.asked_dishes import called
from toolyard.world.worlds.food.dish_likeness import holds_all, same_dish
from toolyard.world.worlds.food.meanings import DishName
from toolyard.world.worlds.food.recipe_analyze_shapes import Estimate, NutritionGuess
from toolyard.world.worlds.food.recipe_words import search
from toolyard.world.worlds.food.recipes import Recipe, every_recipe

GROUP = "Food/spoonacular_recipes_analyze"


def _estimate(rows: Sequence[Recipe], key: str, unit: str) -> Estimate:
    values = [row.nutrients[key] for row in rows]
    mean = added(values) / len(values)
    spread = math.sqrt(added((value - mean) ** 2 for value in values) / max(1, len(values) - 1))
    margin = 1.96 * spread / math.sqrt(len(values)) if len(values) > 1 else 0.15 * mean
    # Two or three recipes say little: the range does not go far beyond them.
    low, high = max(mean - margin, 0.85 * min(values)), min(mean + margin, 1.15 * max(values))
    return {
        "value": round(mean),
        "unit": unit,
        "low": min(float(round(mean)), round(low, 1)),
        "high": max(float(round(mean)), round(high, 1)),
    }


@tool(
    GROUP,
    examples=[{"title": "Spaghetti Aglio et Olio"}, {"title": "chicken curry"}],
    phrase="guess the energy and macronutrients of a dish from its name, which is {title}",
    noun="the nutrition estimate",
)
def guess_nutrition_by_dish_name(world: World, *, title: DishName) -> NutritionGuess:
    """Energy and macronutrients that a dish of this name usually has, from the recipes most like it.

    title: Name of the dish.
    """
    said(title, "title", "chicken curry")
    asked, title = title, called(plain(title[:200]))
    wanted = set(words(title))
    found = search(world.seed, title) if wanted else []
    shared = [(len(wanted & set(words(row.title))), row) for row in found[:12]]
    best = max((count for count, _ in shared), default=0)
    rows = [row for count, row in shared if count == best][:6]
    # A beef lasagna is a lasagna before it is beef.
    heads = words(title[:200])[-1:]
    rows = [row for row in rows if set(heads) & set(words(row.title))] or [
        row for row in rows if same_dish(row, wanted)
    ]
    # And no avocado toast without avocado.
    rows = [row for row in rows if holds_all(row, title[:200])]
    # Potato pancakes say nothing of pancakes where those are on record themselves.
    named = [row for row in rows if words(row.title) == words(title)]
    rows = named or rows
    if not rows or not best or not (named or well_formed(title)):
        raise not_found(
            "dish like", asked[:80], known=sorted({row.title for row in every_recipe(world.seed)})
        )
    return {
        "title": asked[:200],
        "recipesUsed": len(rows),
        "basedOn": [row.title for row in rows],
        "calories": _estimate(rows, "calories", "kcal"),
        "fat": _estimate(rows, "fat", "g"),
        "protein": _estimate(rows, "protein", "g"),
        "carbs": _estimate(rows, "carbs", "g"),
    }
