"""Records about recipes that several tools return, and how recipes become them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

from toolyard.world.faults import invalid, out_of_range
from toolyard.world.search import words
from toolyard.world.state import World
from toolyard.world.types import IngredientName, RecipeId
from toolyard.world.worlds.food.ingredient import Ingredient
from toolyard.world.worlds.food.ingredients import mentions, nutrient_list
from toolyard.world.worlds.food.instruction_reading import actions, equipment_in, minutes_in
from toolyard.world.worlds.food.meanings import (
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
from toolyard.world.worlds.food.measures import Line
from toolyard.world.worlds.food.recipes import DIETS, Recipe, every_recipe


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


def card(recipe: Recipe) -> RecipeCard:
    """A recipe as lists show it."""
    return {
        "id": recipe.id,
        "title": recipe.title,
        "readyInMinutes": recipe.minutes,
        "servings": recipe.servings,
        "sourceUrl": recipe.url,
    }


def ingredient_line(line: Line) -> IngredientLine:
    """A read ingredient line as tools return it."""
    return {
        "id": line.ingredient.id,
        "name": line.ingredient.name,
        "original": line.original,
        "amount": line.amount,
        "unit": line.unit,
        "grams": line.grams,
    }


def full(recipe: Recipe) -> FullRecipe:
    """A recipe in full."""
    return {
        **card(recipe),
        "dishTypes": list(recipe.types),
        "cuisines": list(recipe.cuisines),
        "diets": list(recipe.diets),
        "pricePerServing": recipe.price_per_serving,
        "healthScore": recipe.health,
        "aggregateLikes": recipe.likes,
        "license": "CC BY 3.0" if recipe.open_license else "all rights reserved",
        "extendedIngredients": [ingredient_line(line) for line in recipe.lines],
        "instructions": recipe.instructions,
    }


def information(recipe: Recipe, *, nutrition: bool) -> RecipeInformation:
    """A recipe in full, with its nutrients where wanted."""
    found: RecipeInformation = {**full(recipe), "nutrients": nutrient_list(recipe.nutrients)}
    if not nutrition:
        del found["nutrients"]
    return found


def analyzed(
    steps: list[str], *, atomic: bool = False, of: Recipe | None = None, beside: Sequence[Line] = ()
) -> list[Step]:
    """Steps with ingredients, equipment and time; `atomic` cuts them at each further action.

    In the steps of a recipe a word means what the recipe has: the chicken is its chicken thigh. Steps `beside` a list
    of ingredients may name others than those on it.
    """
    if atomic:
        steps = [part for step in steps for part in actions(step)]
    lines = of.lines if of else beside
    return [
        _step(number, text[0].upper() + text[1:], lines, only=of is not None)
        for number, text in enumerate(steps, 1)
    ]


def _own(row: Ingredient, lines: Sequence[Line]) -> Ingredient | None:
    """An ingredient as a recipe has it: itself, else the one of the same category that shares a word with it."""
    own = [line.ingredient for line in lines]
    kin = [one for one in own if one.category == row.category and set(words(one.name)) & set(words(row.name))]
    named = (one for one in own if one.category == row.category and _called_like(one, row))
    return row if row in own else next(iter(kin), None) or next(named, None)


def _called_like(one: Ingredient, other: Ingredient) -> bool:
    """Whether another name of one food ends in the last word of the other: pecorino cheese is a cheese."""
    return any(words(name)[-1:] == words(other.name)[-1:] for name in one.aliases)


def _spelled(text: str, lines: Sequence[Line], *, alone: bool) -> list[Ingredient]:
    """The ingredients of a list whose whole name a step has, or all of them where it takes everything and names none."""
    said = f" {' '.join(words(text))} "
    whole = alone and _EVERYTHING.search(text) is not None
    return [
        line.ingredient for line in lines if whole or f" {' '.join(words(line.ingredient.name))} " in said
    ]


_EVERYTHING = re.compile(r"\b(?:everything|all (?:the |of the )?ingredients)\b", re.IGNORECASE)


def _step(number: int, text: str, lines: Sequence[Line], *, only: bool) -> Step:
    named = [mention.ingredient for mention in mentions(text)]
    meant = [_own(row, lines) or (None if only else row) for row in named]
    used = {row.id: row for row in (*meant, *_spelled(text, lines, alone=not any(meant))) if row}
    step: Step = {
        "number": number,
        "step": text[:500],
        "ingredients": [{"id": row.id, "name": row.name} for row in used.values()],
        "equipment": list(equipment_in(text)),
    }
    minutes = minutes_in(text)
    if minutes:
        step["minutes"] = minutes
    return step


def within(amounts: Mapping[str, float], limits: MacroLimits) -> bool:
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


def all_cuisines(world: World) -> list[str]:
    """Every cuisine that recipes have, sorted."""
    return sorted({name for row in every_recipe(world.seed) for name in row.cuisines})


def chosen_cuisines(world: World, names: list[str] | None, parameter: str) -> set[str]:
    """The cuisines that were named; an invalid_value fault for one that no recipe has."""
    known = {name.lower(): name for name in all_cuisines(world)}
    for name in names or ():
        if name.strip().lower() not in known:
            raise invalid(parameter, name[:40], f"want some of {', '.join(known.values())}")
    return {known[name.strip().lower()] for name in names or ()}


def keeps_diet(recipe: Recipe, diet: str | None) -> bool:
    """Whether a recipe keeps a diet expression: comma means and, a bar means or."""
    if diet is None:
        return True
    return any(
        all(_diet(name) in recipe.diets for name in option.split(",") if name.strip())
        for option in diet.split("|")
    )


def _diet(name: str) -> str:
    wanted = name.strip().lower().replace("-", " ")
    wanted = {"keto": "ketogenic", "paleo": "paleolithic", "pescetarian": "pescatarian"}.get(wanted, wanted)
    if wanted not in DIETS:
        raise invalid("diet", name[:40], f"want some of {', '.join(DIETS)}")
    return wanted


CourseName = Literal[
    "main course", "side dish", "dessert", "appetizer", "salad", "breakfast", "brunch", "lunch", "dinner", "soup",
    "snack", "drink", "dip", "starter"
]  # fmt: skip


def all_minutes(steps: Sequence[Step]) -> int:
    """How long all steps take; what is done meanwhile takes only what it lasts longer than the step before."""
    total = before = 0
    for step in steps:
        own = step.get("minutes", 0)
        beside = step["step"].lower().startswith(("meanwhile", "in the meantime"))
        total += max(0, own - before) if beside else own
        before = max(own, before) if beside else own
    return total
