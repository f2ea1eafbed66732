"""Food/spoonacular_recipes_id: one side of a recipe at a time."""

from typing import TypedDict

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import IngredientName, Money, RecipeId
from toolyard.world.simulated.food.ingredients import price_cents
from toolyard.world.simulated.food.instructions import find_equipment
from toolyard.world.simulated.food.nutrients import nutrient_list
from toolyard.world.simulated.food.recipes import find_recipe
from toolyard.world.simulated.food.value_types import EquipmentName, IngredientId, Nutrient
from toolyard.world.tools.food.taste import Taste, dish_taste

GROUP = Group("Food/spoonacular_recipes_id")
OUNCE = 28.3495


class EquipmentUse(TypedDict):
    name: EquipmentName
    steps: list[int]


class Priced(TypedDict):
    name: IngredientName
    grams: float
    price: Money


class PriceBreakdown(TypedDict):
    ingredients: list[Priced]
    totalCost: Money
    totalCostPerServing: Money


class Measured(TypedDict):
    id: IngredientId
    name: IngredientName
    original: str
    metric_grams: float
    us_ounces: float


class NutritionFacts(TypedDict):
    calories: float
    carbs: str
    fat: str
    protein: str
    limit_these: list[Nutrient]
    get_enough_of: list[Nutrient]
    weightPerServing: float


def _cents_to_dollars(cents: float) -> Money:
    return {"amount": round(cents / 100, 2), "currency": "USD"}


@GROUP.tool(
    examples=[{"id": 69095}, {"id": 716429, "normalize": False}],
    phrase=(
        "rate the taste (sweet, salty, sour, bitter and so on) of the recipe whose id is {id}[, with "
        "normalization set to {normalize}]"
    ),
    noun="the taste profile",
)
def taste_by_id(world: World, *, id_: RecipeId, normalize: bool = True) -> Taste:
    """How sweet, salty, sour, bitter, savory, fatty (0 to 100) and hot (Scoville) a recipe tastes.

    id: Id of the recipe.
    normalize: Whether the strongest taste counts 100 and the others are relative to it.
    """
    return dish_taste(find_recipe(world.seed, id_).lines, normalize=normalize)


@GROUP.tool(
    examples=[{"id": 716429}],
    phrase="list the kitchen equipment needed for the recipe whose id is {id}",
    noun="the equipment list",
)
def equipment_by_id(world: World, *, id_: RecipeId) -> list[EquipmentUse]:
    """The kitchen equipment that a recipe needs, with the numbers of the steps that use it.

    id: Id of the recipe.
    """
    recipe = find_recipe(world.seed, id_)
    uses: dict[str, list[int]] = {}
    for number, step in enumerate(recipe.steps, 1):
        for name in find_equipment(step):
            uses.setdefault(name, []).append(number)
    return [{"name": name, "steps": steps} for name, steps in uses.items()]


@GROUP.tool(
    examples=[{"id": 716429}],
    phrase="break down the price by ingredient and per serving of the recipe whose id is {id}",
    noun="the price breakdown",
)
def price_breakdown_by_id(world: World, *, id_: RecipeId) -> PriceBreakdown:
    """What each ingredient of a recipe costs, the total, and the cost of one serving.

    id: Id of the recipe.
    """
    recipe = find_recipe(world.seed, id_)
    parts: list[Priced] = [
        {
            "name": line.ingredient.name,
            "grams": line.grams,
            "price": _cents_to_dollars(round(price_cents(world.seed, line.ingredient, line.grams))),
        }
        for line in recipe.lines
    ]
    total = 100 * sum_in_order(part["price"]["amount"] for part in parts)
    return {
        "ingredients": parts,
        "totalCost": _cents_to_dollars(total),
        "totalCostPerServing": _cents_to_dollars(recipe.price_per_serving),
    }


@GROUP.tool(
    examples=[{"id": 716429}],
    phrase="list the ingredients with their weights for the recipe whose id is {id}",
    noun="the recipe ingredient list",
)
def ingredients_by_id(world: World, *, id_: RecipeId) -> list[Measured]:
    """The ingredients of a recipe, as written and weighed in grams and ounces.

    id: Id of the recipe.
    """
    return [
        {
            "id": line.ingredient.id,
            "name": line.ingredient.name,
            "original": line.original,
            "metric_grams": line.grams,
            "us_ounces": round(line.grams / OUNCE, 2),
        }
        for line in find_recipe(world.seed, id_).lines
    ]


@GROUP.tool(
    examples=[{"id": 716429}],
    phrase="show the nutrition label of one serving of the recipe whose id is {id}",
    noun="the nutrition label",
)
def nutrition_by_id(world: World, *, id_: RecipeId) -> NutritionFacts:
    """The nutrition label of one serving: what to eat little of, what to eat enough of.

    id: Id of the recipe.
    """
    recipe = find_recipe(world.seed, id_)
    amounts = recipe.nutrients
    bad = {"Calories", "Fat", "Saturated Fat", "Sugar", "Sodium", "Cholesterol", "Carbohydrates"}
    listed = nutrient_list(amounts)
    return {
        "calories": round(amounts["calories"]),
        "carbs": f"{amounts['carbs']:.0f}g",
        "fat": f"{amounts['fat']:.0f}g",
        "protein": f"{amounts['protein']:.0f}g",
        "limit_these": [row for row in listed if row["name"] in bad],
        "get_enough_of": [row for row in listed if row["name"] not in bad],
        "weightPerServing": round(sum_in_order(line.grams for line in recipe.lines) / recipe.servings, 1),
    }
