"""Food/spoonacular_recipes_search: recipes by words, by nutrients and by what is in the fridge."""

from collections.abc import Sequence
from typing import Literal, TypedDict, Unpack

from toolyard.world.index import words
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.result_text import fitting_rows
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import IngredientName, Page, RecipeId
from toolyard.world.kernel.views import View
from toolyard.world.simulated.food.ingredients import all_ingredients, find_ingredient, is_tolerated
from toolyard.world.simulated.food.instructions import EQUIPMENT, find_equipment
from toolyard.world.simulated.food.recipes import Recipe, recipes, search
from toolyard.world.simulated.food.value_types import (
    Count,
    CuisineName,
    DietName,
    DishName,
    EquipmentName,
    FoodQuery,
    Intolerance,
    MacroLimits,
)
from toolyard.world.tools.food.argument_checks import check_not_empty, check_text, match_known_name
from toolyard.world.tools.food.recipe_records import (
    RecipeCard,
    check_limits,
    chosen_cuisines,
    is_within_limits,
    keeps_diet,
)

GROUP = Group("Food/spoonacular_recipes_search")
PANTRY = {"water", "salt", "black pepper", "flour", "sugar", "vegetable oil", "olive oil"}


class FoundRecipe(RecipeCard):
    cuisines: list[CuisineName]
    diets: list[DietName]


class Nourishing(TypedDict):
    id: RecipeId
    title: DishName
    calories: float
    protein_g: float
    fat_g: float
    carbs_g: float


class Cookable(TypedDict):
    id: RecipeId
    title: DishName
    usedIngredients: list[IngredientName]
    missedIngredients: list[IngredientName]
    likes: int


class SearchOptions(TypedDict, total=False):
    """Filters of the search.

    cuisine: Cuisines of which the recipe must have one, e.g. Italian.
    excludeCuisine: Cuisines that the recipe must not have.
    diet: Diet that the recipe must keep; "a,b" means both, "a|b" means one of them.
    intolerances: Intolerances that the recipe must suit.
    equipment: Equipment of which the recipe must use one, e.g. blender.
    includeIngredients: Ingredients that the recipe must use.
    excludeIngredients: Ingredients that the recipe must not use.
    number: How many recipes to return, 10 unless told.
    limitLicense: Whether to return only recipes under an open license.
    """

    cuisine: list[CuisineName]
    excludeCuisine: list[CuisineName]
    diet: DietName
    intolerances: list[Intolerance]
    equipment: list[EquipmentName]
    includeIngredients: list[IngredientName]
    excludeIngredients: list[IngredientName]
    number: Count
    limitLicense: bool


def filter_recipes(rows: Sequence[Recipe], options: SearchOptions) -> list[Recipe]:
    """The recipes that pass all filters, in the given order."""
    cuisines = chosen_cuisines(options.get("cuisine"), "cuisine")
    banned = chosen_cuisines(options.get("excludeCuisine"), "excludeCuisine")
    wanted = [named_foods(name) for name in options.get("includeIngredients") or ()]
    unwanted = set[int]().union(*(named_foods(name) for name in options.get("excludeIngredients") or ()))
    tools = {match_known_name(name, EQUIPMENT, "equipment") for name in options.get("equipment") or ()}
    intolerances = options.get("intolerances")
    return [
        row
        for row in rows
        if (not cuisines or cuisines & set(row.cuisines))
        and not banned & set(row.cuisines)
        and keeps_diet(row, options.get("diet"))
        and is_tolerated(row.flags, intolerances)
        and (not tools or tools & set(find_equipment(row.instructions)))
        and all(foods & _ingredient_ids(row) for foods in wanted)
        and not unwanted & _ingredient_ids(row)
        and (row.open_license or not options.get("limitLicense"))
    ]


def named_foods(name: str) -> set[int]:
    """The ingredients that a name stands for: itself, all with its words in their name, and all of the kind it names."""
    row, said = find_ingredient(name), set(words(name))
    return {row.id} | {
        other.id for other in all_ingredients() if said <= set(words(other.name)) or said == {other.category}
    }


def _ingredient_ids(recipe: Recipe) -> set[int]:
    return {line.ingredient.id for line in recipe.lines}


FOUND = View.of(
    FoundRecipe,
    readyInMinutes="minutes",
    sourceUrl="url",
    cuisines=lambda row: list(row.cuisines),
    diets=lambda row: list(row.diets),
)
NOURISHING = View.of(
    Nourishing,
    calories=lambda row: round(row.nutrients["calories"], 1),
    protein_g=lambda row: round(row.nutrients["protein"], 1),
    fat_g=lambda row: round(row.nutrients["fat"], 1),
    carbs_g=lambda row: round(row.nutrients["carbs"], 1),
)


@GROUP.tool(
    examples=[
        {"query": "pasta"},
        {"query": "curry", "diet": "vegan", "excludeIngredients": ["tofu"], "number": 3},
    ],
    phrase=(
        "search recipes for {query}[, with the cuisine set to {cuisine}][, with the diet set to {diet}][, "
        "suitable for an intolerance to {intolerances}][, with the kitchen equipment set to {equipment}][, "
        "using {includeIngredients}][, without using {excludeIngredients}][, returning {number} recipes]"
    ),
    noun="the recipe search results",
    jobs=("recipes",),
)
def search_recipes(world: World, *, query: FoodQuery, **options: Unpack[SearchOptions]) -> Page[FoundRecipe]:
    """Recipes that fit some words, filtered by cuisine, diet, intolerances, equipment and ingredients.

    query: What to cook, e.g. pasta or chicken soup.
    """
    found = filter_recipes(search(world.seed, check_text(query, "query", "pasta")), options)
    return FOUND.page(found, 0, options.get("number") or 10)


@GROUP.tool(
    examples=[{"minProtein": 40, "maxCalories": 600}, {"maxCarbs": 10, "number": 3}],
    phrase=(
        "find recipes by the nutrients of a serving[, with at least {minProtein} grams of protein][, with at "
        "least {minCalories} kilocalories][, with at most {maxCalories} kilocalories][, with at most "
        "{maxCarbs} grams of carbohydrates][, with at most {maxFat} grams of fat][, with random drawing set "
        "to {random}][, returning at most {number} recipes]"
    ),
    noun="the recipes within the nutrient limits",
    jobs=("recipes",),
)
def search_recipes_by_nutrients(
    world: World,
    *,
    number: Count = 10,
    random: bool = False,
    limitLicense: bool = False,
    **limits: Unpack[MacroLimits],
) -> list[Nourishing]:
    """Recipes whose serving keeps limits of energy, protein, fat and carbohydrates, lightest first.

    number: How many recipes at most.
    random: Whether to draw them by chance instead.
    limitLicense: Whether to return only recipes under an open license.
    """
    check_limits(limits)
    rows = [row for row in recipes(world.seed) if is_within_limits(row.nutrients, limits)]
    rows = [row for row in rows if row.open_license or not limitLicense]
    rows.sort(key=lambda row: (row.nutrients["calories"], row.id))
    if random:
        world.draw("nutrients").shuffle(rows)
    return NOURISHING.rows(rows[:number])


def _cookable_row(recipe: Recipe, owned: set[int], ignore_pantry: bool) -> Cookable:
    needed = {line.ingredient.id: line.ingredient for line in recipe.lines}
    at_hand = PANTRY if ignore_pantry else ()
    return {
        "id": recipe.id,
        "title": recipe.title,
        "usedIngredients": [row.name for row in needed.values() if row.id in owned],
        "missedIngredients": [
            row.name for row in needed.values() if row.id not in owned and row.name not in at_hand
        ],
        "likes": recipe.likes,
    }


@GROUP.tool(
    examples=[{"ingredients": ["chicken breast", "rice", "broccoli"], "number": 3}],
    phrase=(
        "find recipes that use up the ingredients I have at hand, namely {ingredients}[, with the ranking "
        "set to {ranking}][, with random drawing set to {random}][, with ignoring of pantry staples set to "
        "{ignorePantry}][, with open license only set to {limitLicense}][, returning at most {number} "
        "recipes]"
    ),
    noun="the recipes for the ingredients at hand",
    jobs=("recipes",),
)
def search_recipes_by_ingredients(
    world: World,
    *,
    ingredients: list[IngredientName],
    number: Count = 10,
    ranking: Literal[1, 2] = 1,
    random: bool = False,
    limitLicense: bool = False,
    ignorePantry: bool = True,
) -> list[Cookable]:
    """Recipes that use what is at hand, with what would still have to be bought.

    ingredients: Names of the ingredients at hand.
    number: How many recipes at most.
    ranking: 1 uses up as many of them as possible, 2 buys as few others as possible.
    random: Whether to draw among the recipes that use any of them.
    limitLicense: Whether to return only recipes under an open license.
    ignorePantry: Whether salt, flour, oil and the like count as being at hand.
    """
    check_not_empty(ingredients, "ingredients", '"rice"')
    at_hand = [named_foods(name) for name in ingredients]
    owned = set[int]().union(*at_hand)
    rows = [row for row in recipes(world.seed) if row.open_license or not limitLicense]
    # Two kinds of cheese use up one thing that is at hand.
    uses = {row.id: sum(bool(ids & _ingredient_ids(row)) for ids in at_hand) for row in rows}
    found = [_cookable_row(row, owned, ignorePantry) for row in rows if uses[row.id]]

    def rank(row: Cookable) -> tuple[int, int, int]:
        used, missed = -uses[row["id"]], len(row["missedIngredients"])
        return (used, missed, row["id"]) if ranking == 1 else (missed, used, row["id"])

    found.sort(key=rank)
    if random:
        world.draw("fridge").shuffle(found)
    return fitting_rows(found[:number])
