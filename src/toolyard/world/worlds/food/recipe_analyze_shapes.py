"""Food/spoonacular_recipes_analyze: what the tools return."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from toolyard.world.types import IngredientName, Prose, RecipeId
from toolyard.world.worlds.food.cards import (
    NamedIngredient,
    Step,
)
from toolyard.world.worlds.food.meanings import (
    CuisineName,
    DietName,
    DishName,
    EquipmentName,
    IngredientLine,
    Nutrient,
)
from toolyard.world.worlds.food.taste import Taste


class RecipeName(TypedDict):
    id: RecipeId
    title: DishName


class AnalyzedRecipe(TypedDict):
    title: str
    servings: int
    ingredients: list[IngredientLine]
    unreadable: list[str]
    diets: list[DietName]
    unsuitableFor: list[str]
    cuisine: CuisineName
    pricePerServing: float
    steps: NotRequired[list[Step]]
    nutrients: NotRequired[list[Nutrient]]
    taste: NotRequired[Taste]


class Summary(TypedDict):
    id: RecipeId
    title: DishName
    summary: Prose


class AnalyzedInstructions(TypedDict):
    steps: list[Step]
    ingredients: list[NamedIngredient]
    equipment: list[EquipmentName]
    totalMinutes: int


class CuisineGuess(TypedDict):
    cuisine: CuisineName
    cuisines: list[CuisineName]
    confidence: float


class QueryParts(TypedDict):
    dishes: list[DishName]
    ingredients: list[IngredientName]
    cuisines: list[CuisineName]
    diets: list[DietName]
    modifiers: list[str]


class Estimate(TypedDict):
    value: float
    unit: str


class NutritionGuess(TypedDict):
    title: str
    recipesUsed: int
    basedOn: list[DishName]
    calories: Estimate
    fat: Estimate
    protein: Estimate
    carbs: Estimate
