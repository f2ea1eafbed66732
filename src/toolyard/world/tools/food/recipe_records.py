"""Records about recipes that several tools return, and how recipes become them."""

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

from toolyard.world.index import words
from toolyard.world.kernel.faults import invalid, out_of_range
from toolyard.world.kernel.types import IngredientName, RecipeId
from toolyard.world.kernel.views import View
from toolyard.world.simulated.food.ingredients import find_ingredients
from toolyard.world.simulated.food.instructions import count_minutes, find_equipment, split_actions
from toolyard.world.simulated.food.measures import Line
from toolyard.world.simulated.food.nutrients import nutrient_list
from toolyard.world.simulated.food.recipes import DIETS, Recipe, all_cuisines
from toolyard.world.simulated.food.value_types import (
    CuisineName,
    DietName,
    DishName,
    EquipmentName,
    IngredientId,
    IngredientLine,
    InstructionText,
    MacroLimits,
    Nutrient,
    RecipeUrl,
)
from toolyard.world.tools.food.argument_checks import match_known_name


class RecipeCard(TypedDict):
    """What a list of recipes says about each."""

    id: RecipeId
    title: DishName
    readyInMinutes: int
    servings: int
    sourceUrl: RecipeUrl


class FullRecipe(RecipeCard):
    """All there is to know about a recipe."""

    dishTypes: list[str]
    cuisines: list[CuisineName]
    diets: list[DietName]
    pricePerServing: float
    healthScore: int
    aggregateLikes: int
    license: str
    extendedIngredients: list[IngredientLine]
    instructions: InstructionText


class RecipeInformation(FullRecipe):
    """The same with the nutrients of a serving where they were asked for."""

    nutrients: NotRequired[list[Nutrient]]


class RecipeName(TypedDict):
    id: RecipeId
    title: DishName


class NamedIngredient(TypedDict):
    id: IngredientId
    name: IngredientName


class Step(TypedDict):
    """One step, with what it needs."""

    number: int
    step: str
    ingredients: list[NamedIngredient]
    equipment: list[EquipmentName]
    minutes: NotRequired[int]


LINE = View.of(IngredientLine, id="ingredient.id", name="ingredient.name")
NAME = View.of(RecipeName)
_CARD = {
    "id": "id",
    "title": "title",
    "readyInMinutes": "minutes",
    "servings": "servings",
    "sourceUrl": "url",
}
CARD = View[RecipeCard](_CARD)
FULL = View[FullRecipe](
    {
        **_CARD,
        "dishTypes": lambda row: list(row.types),
        "cuisines": lambda row: list(row.cuisines),
        "diets": lambda row: list(row.diets),
        "pricePerServing": "price_per_serving",
        "healthScore": "health",
        "aggregateLikes": "likes",
        "license": lambda row: "CC BY 3.0" if row.open_license else "all rights reserved",
        "extendedIngredients": lambda row: LINE.rows(row.lines),
        "instructions": "instructions",
    }
)
CourseName = Literal[
    "main course", "side dish", "dessert", "appetizer", "salad", "breakfast", "brunch", "lunch", "dinner", "soup",
    "snack", "drink", "dip", "starter"
]  # fmt: skip


def recipe_information(recipe: Recipe, *, nutrition: bool) -> RecipeInformation:
    """A recipe in full, with its nutrients where wanted."""
    found: RecipeInformation = {**FULL.row(recipe), "nutrients": nutrient_list(recipe.nutrients)}
    if not nutrition:
        del found["nutrients"]
    return found


def analyze_steps(steps: Sequence[str], lines: Sequence[Line] = (), *, atomic: bool = False) -> list[Step]:
    """Steps with ingredients, equipment and time; `atomic` cuts them at each further action.

    Beside a list of ingredients a word means what the list has: the chicken is its chicken thigh.
    """
    texts = [part for step in steps for part in split_actions(step)] if atomic else steps
    return [_make_step(number, text[0].upper() + text[1:], lines) for number, text in enumerate(texts, 1)]


def _make_step(number: int, text: str, lines: Sequence[Line]) -> Step:
    named = [mention.ingredient for mention in find_ingredients(text)]
    said = set(words(text))
    listed = [line.ingredient for line in lines if set(words(line.ingredient.name)) & said]
    used = {row.id: row for row in (*(row for row in named if not lines), *listed)}
    step: Step = {
        "number": number,
        "step": text[:500],
        "ingredients": [{"id": row.id, "name": row.name} for row in used.values()],
        "equipment": list(find_equipment(text)),
    }
    if minutes := count_minutes(text):
        step["minutes"] = minutes
    return step


def is_within_limits(amounts: Mapping[str, float], limits: MacroLimits) -> bool:
    """Whether the nutrients of a serving keep all limits that are given."""
    bounds = (
        ("carbs", limits.get("minCarbs"), limits.get("maxCarbs")),
        ("protein", limits.get("minProtein"), limits.get("maxProtein")),
        ("calories", limits.get("minCalories"), limits.get("maxCalories")),
        ("fat", limits.get("minFat"), limits.get("maxFat")),
    )
    return all(
        (low is None or amounts[key] >= low) and (high is None or amounts[key] <= high)
        for key, low, high in bounds
    )


def check_limits(limits: MacroLimits) -> None:
    """An out_of_range fault for the first least that is above its most."""
    for name in ("Carbs", "Protein", "Calories", "Fat"):
        low, high = limits.get(f"min{name}"), limits.get(f"max{name}")
        if isinstance(low, (int, float)) and isinstance(high, (int, float)) and low > high:
            raise out_of_range(f"min{name}", low, f"must not be above max{name}={high:g}")


def chosen_cuisines(names: list[str] | None, parameter: str) -> set[str]:
    """The cuisines that were named; an invalid_value fault for one that no recipe has."""
    return {match_known_name(name, all_cuisines(), parameter) for name in names or ()}


def keeps_diet(recipe: Recipe, diet: str | None) -> bool:
    """Whether a recipe keeps a diet expression: comma means and, a bar means or."""
    return diet is None or any(
        all(_find_diet(name) in recipe.diets for name in option.split(",") if name.strip())
        for option in diet.split("|")
    )


def _find_diet(name: str) -> str:
    wanted = name.strip().lower().replace("-", " ")
    found = next(
        (diet for diet in DIETS if diet == wanted or (len(wanted) > 3 and diet.startswith(wanted))), None
    )
    if found is None:
        raise invalid("diet", name[:40], f"want some of {', '.join(DIETS)}")
    return found
