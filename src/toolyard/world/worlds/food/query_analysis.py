"""Food/spoonacular_recipes_analyze, second part: what a search query asks for."""

from __future__ import annotations

import re

from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.worlds.food.asked import said
from toolyard.world.worlds.food.cards import all_cuisines
from toolyard.world.worlds.food.ingredients import called, mentions
from toolyard.world.worlds.food.meanings import FoodQuery
from toolyard.world.worlds.food.recipe_analyze_shapes import QueryParts
from toolyard.world.worlds.food.recipes import DIETS, every_recipe, recipes

GROUP = "Food/spoonacular_recipes_analyze"


@tool(
    GROUP,
    examples=[{"q": "quick vegan italian pasta with mushrooms for dinner"}],
    phrase=(
        "analyze which dishes, ingredients, cuisines and diets are asked for by this recipe search query: {q}"
    ),
    noun="the search query analysis",
)
def analyze_a_recipe_search_query(world: World, *, q: FoodQuery) -> QueryParts:
    """What a search query asks for: dishes, ingredients, cuisines, diets and other wishes.

    q: The query as a person typed it.
    """
    text = " ".join(said(q, "q", "quick vegan pasta").lower()[:300].split())
    courses = sorted({course for row in recipes(world.seed) for course in row.types})
    dishes = [dish for dish in _dish_names(world) if re.search(rf"\b{re.escape(dish)}s?\b", text)]
    dishes = [dish for dish in dishes if not any(dish != other and dish in other for other in dishes)]
    unwanted = [(match.start(), match[1]) for match in _NEGATED.finditer(text)]
    wanted = [one for one in mentions(text) if not any(0 <= one.start - at < 25 for at, _ in unwanted)]
    free = [f"{name} free" for _, name in unwanted if f"{name} free" in DIETS]
    return {
        "dishes": dishes,
        "ingredients": list(dict.fromkeys(called(text, mention) for mention in wanted)),
        "cuisines": [cuisine for cuisine in all_cuisines(world) if cuisine.lower() in text],
        "diets": list(dict.fromkeys([*(diet for diet in DIETS if _names_diet(diet, text)), *free])),
        "modifiers": [
            *(
                word
                for word in (*_WISHES, *courses)
                if re.search(rf"\b{word}\b", text) and word not in dishes
            ),
            *(match[0] for match in _LIMITS.finditer(text)),
            *(f"without {name}" for _, name in unwanted if f"{name} free" not in DIETS),
        ],
    }


_WISHES = (
    "quick",
    "easy",
    "healthy",
    "cheap",
    "spicy",
    "sweet",
    "low carb",
    "low fat",
    "high protein",
    "light",
    "kids",
)
_NEGATED = re.compile(r"\b(?:no|without|not|minus|free of) (?:any )?(\w+)")
_LIMITS = re.compile(r"\b(?:under|within|less than|in) \d+ (?:minutes|calories|kcal)\b")


def _names_diet(diet: str, text: str) -> bool:
    """Whether a text names a diet, as such or the way that people write it."""
    short = {"ketogenic": "keto", "paleolithic": "paleo", "vegetarian": "veggie"}.get(diet, diet)
    return bool(re.search(rf"\b(?:{diet}|{short})\b", text.replace("-", " ")))


def _dish_names(world: World) -> list[str]:
    return list(dict.fromkeys(row.dish for row in every_recipe(world.seed)))
