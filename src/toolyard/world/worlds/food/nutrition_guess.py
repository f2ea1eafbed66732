"""Food/spoonacular_recipes_analyze, third part: what a dish of some name usually holds."""

from __future__ import annotations

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
from toolyard.world.worlds.food.ingredients import mentions
from toolyard.world.worlds.food.meanings import DishName
from toolyard.world.worlds.food.recipe_analyze_shapes import Estimate, NutritionGuess
from toolyard.world.worlds.food.recipe_words import search
from toolyard.world.worlds.food.recipes import Recipe, every_recipe

GROUP = "Food/spoonacular_recipes_analyze"


def _estimate(rows: Sequence[Recipe], key: str, unit: str) -> Estimate:
    return {"value": round(added(row.nutrients[key] for row in rows) / len(rows)), "unit": unit}


def _head(recipe: Recipe) -> list[str]:
    """What a recipe is, by the last word of its title."""
    return words(recipe.title.partition(" with ")[0])[-1:]


_SWEETS = frozenset(words("cake cookie tart muffin brownie pudding mousse cheesecake crumble"))
# Kinds of dishes that hold much the same whatever they are made with.
_ALIKE = frozenset(words("pizza pie cake pasta curry omelette smoothie muffin cookie crumble taco burger"))
# What is never meant where it is not named.
_COLD_OR_THIN = frozenset(words("salad soup"))


def _of_its_kind(rows: Sequence[Recipe], title: str) -> list[Recipe]:
    """Recipes that are what the last word of a title says, sweet ones for what is made of fruit: a pizza of any kind."""
    heads = words(title)[-1:]
    if not _ALIKE & set(heads):
        return []
    fruity = any(one.ingredient.category in ("fruit", "sweetener") for one in mentions(title))
    sweet = (fruity and "pizza" not in heads) or bool(_SWEETS & set(heads))
    return [row for row in rows if _head(row) == heads and ("dessert" in row.types) == sweet][:6]


@tool(
    GROUP,
    examples=[{"title": "Spaghetti Aglio et Olio"}, {"title": "chicken curry"}],
    phrase="guess the energy and macronutrients of a dish from its name, which is {title}",
    noun="the nutrition estimate",
)
def guess_nutrition_by_dish_name(world: World, *, title: DishName) -> NutritionGuess:
    """Energy and macronutrients of a serving, as the mean of the recipes of this name or most like it.

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
    rows = [row for row in rows if heads == _head(row)] or [
        row for row in rows if same_dish(row, wanted) and not _COLD_OR_THIN & set(_head(row)) - wanted
    ]
    # And no avocado toast without avocado.
    rows = [row for row in rows if holds_all(row, title[:200])]
    # Potato pancakes say nothing of pancakes where those are on record themselves.
    every = every_recipe(world.seed)
    named = [row for row in every if words(row.title) == words(title)]
    # A sushi roll is sushi, not a cinnamon roll.
    rows = named or [row for row in every if set(words(row.title)) < wanted] or rows
    rows = rows or _of_its_kind(every, title[:200])
    if not rows or not (named or well_formed(title)):
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
