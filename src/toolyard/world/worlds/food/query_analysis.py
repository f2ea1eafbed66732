"""Food/spoonacular_recipes_analyze, second part: what a search query asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.state import World
from toolyard.world.worlds.food.asked import said
from toolyard.world.worlds.food.cards import all_cuisines
from toolyard.world.worlds.food.food_mentions import DISH_WORDS
from toolyard.world.worlds.food.ingredients import Mention, called, mentions, singular
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
    spans = _dish_spans(world, text)
    spans |= _other_dishes(text, spans)
    dishes = list(spans)
    unwanted = [_unwanted(match) for match in _NEGATED.finditer(text)]
    wanted = [
        one
        for one in mentions(text)
        if not any(at <= one.start < end for at, end, _ in unwanted) and _is_ingredient(world, one, spans)
    ]
    named = [*spans.values(), *((one.start, one.end) for one in mentions(text))]
    left_out = [(at, end) for at, end, _ in unwanted]
    free = [f"{name} free" for _, _, name in unwanted if f"{name} free" in DIETS]
    return {
        "dishes": dishes,
        "ingredients": list(
            dict.fromkeys(
                [
                    *(called(text, mention) for mention in wanted),
                    *_kinds(
                        text, [*spans.values(), *((one.start, one.end) for one in mentions(text)), *left_out]
                    ),
                ]
            )
        ),
        "cuisines": [cuisine for cuisine in all_cuisines(world) if _names_cuisine(cuisine, text)],
        "diets": list(dict.fromkeys([*(diet for diet in DIETS if _names_diet(diet, text)), *free])),
        "modifiers": [
            *(
                word
                for word in (*_WISHES, *courses)
                if re.search(rf"\b{word}s?\b", _beside(text, named).replace("-", " "))
            ),
            *(match[0] for match in _LIMITS.finditer(text)),
            *(f"without {name}" for _, _, name in unwanted if f"{name} free" not in DIETS),
        ],
    }


def _beside(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """A text without the names of dishes and foods: a grilled cheese sandwich is no wish for a grill."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


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
    "slow cooker",
    "one pot",
    "air fryer",
    "low calorie",
    "homemade",
    "cold",
    "kid friendly",
    "from scratch",
    "no bake",
    "instant pot",
    "grilled",
    "whole30",
    "holiday",
    "christmas",
    "thanksgiving",
    "easter",
    "summer",
    "winter",
    "budget",
    "leftover",
    "high fiber",
    "low sodium",
)
_NEGATED = re.compile(r"\b(?:no|without|not|minus|free of) (?:any )?(?!bake\b)(\w+)|\b(\w+)[- ]free\b")
_LIMITS = re.compile(
    r"\b(?:(?:under|within|less than|in) )?\d+[- ](?:minutes?|calories|kcal)\b|\bfor (?:two|four|six|a crowd)\b"
)
# Words that name a kitchen by a part of it.
_REGIONS = {"Chinese": "szechuan|sichuan|cantonese|hunan", "Mexican": "tex[- ]mex|oaxacan", "Italian": "tuscan|sicilian",
            "Indian": "punjabi|goan", "French": "provencal", "Cajun": "creole", "American": "bbq style"}  # fmt: skip


def _unwanted(match: re.Match[str]) -> tuple[int, int, str]:
    """Where a text speaks of what it wants to be left out, and the name of that: without milk, sugar free."""
    return (match.start(), match.start() + 25, match[1]) if match[1] else (*match.span(), match[2])


def _names_cuisine(cuisine: str, text: str) -> bool:
    """Whether a text names a kitchen, as such or by a region of it."""
    names = "|".join(filter(None, (re.escape(cuisine.lower()), _REGIONS.get(cuisine))))
    return bool(re.search(rf"\b(?:{names})\b", text))


def _other_dishes(text: str, spans: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Kinds of dishes that no recipe is called after: cookies, meatballs."""
    taken = list(spans.values())
    return {
        match[0]: match.span()
        for match in re.finditer(r"[a-z]+(?:-[a-z]+)?", text)
        if {singular(match[0]), match[0].removesuffix("s")} & DISH_WORDS
        and not any(start < match.end() and match.start() < end for start, end in taken)
    }


def _names_diet(diet: str, text: str) -> bool:
    """Whether a text names a diet, as such or the way that people write it."""
    short = {"ketogenic": "keto", "paleolithic": "paleo", "vegetarian": "veggie"}.get(diet, diet)
    return bool(re.search(rf"\b(?:{diet}|{short})\b", text.replace("-", " ")))


# Dishes of recipes that are called by nothing but what is in them.
_SIMPLE = frozenset(("salmon", "cod"))


def _dish_spans(world: World, text: str) -> dict[str, tuple[int, int]]:
    """The dishes that a text names, the longest names only, with their places."""
    names = dict.fromkeys(row.dish for row in every_recipe(world.seed) if row.dish not in _SIMPLE)
    found = {name: match.span() for name in names if (match := re.search(rf"\b{re.escape(name)}s?\b", text))}
    return {
        name: (start, end)
        for name, (start, end) in found.items()
        if not any(low <= start and end <= high and high - low > end - start for low, high in found.values())
    }


def _is_ingredient(world: World, one: Mention, spans: Mapping[str, tuple[int, int]]) -> bool:
    """Whether a food is asked for: not where it is part of the name of a dish that is made without it, as bread."""
    for name, (start, end) in spans.items():
        if start <= one.start and one.end <= end:
            made = {
                word
                for row in every_recipe(world.seed)
                if row.dish == name
                for line in row.lines
                for word in words(line.ingredient.name)
            }
            return " " in name and bool(set(words(name[one.start - start : one.end - start])) & made)
    return True


# Kinds of food that people ask for by the kind.
_KINDS = re.compile(
    r"\b(?:nuts|fish|seafood|shellfish|vegetables|veggies|fruits?|berries|meat|poultry|herbs|noodles)\b"
)


def _kinds(text: str, taken: Iterable[tuple[int, int]]) -> list[str]:
    places = list(taken)
    return [
        match[0]
        for match in _KINDS.finditer(text)
        if not any(start < match.end() and match.start() < end for start, end in places)
    ]
