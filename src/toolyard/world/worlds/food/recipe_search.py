"""Food/spoonacular_recipes_search: recipes by words, by nutrients and by what is in the fridge."""

from __future__ import annotations

from typing import Literal, TypedDict, Unpack

from toolyard.world import seeds
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.state import World
from toolyard.world.tables import page, plain
from toolyard.world.types import IngredientName, Page, RecipeId
from toolyard.world.worlds.food.asked import one_of, said, some
from toolyard.world.worlds.food.asked_foods import asked_food
from toolyard.world.worlds.food.cards import (
    RecipeCard,
    card,
    check_limits,
    chosen_cuisines,
    keeps_diet,
    within,
)
from toolyard.world.worlds.food.ingredient import Ingredient
from toolyard.world.worlds.food.ingredients import find_ingredient, ingredient_or_none, tolerated
from toolyard.world.worlds.food.instruction_reading import EQUIPMENT, equipment_in
from toolyard.world.worlds.food.meanings import (
    Count,
    CuisineName,
    DietName,
    DishName,
    EquipmentName,
    FoodQuery,
    Intolerance,
    MacroLimits,
)
from toolyard.world.worlds.food.recipe_words import search
from toolyard.world.worlds.food.recipes import (
    DIETS,
    Recipe,
    every_recipe,
)

GROUP = "Food/spoonacular_recipes_search"
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


def _found(names: list[str] | None) -> list[Ingredient]:
    return [find_ingredient(name) for name in names or ()]


def select(world: World, rows: list[Recipe], options: SearchOptions) -> list[Recipe]:
    """The recipes that pass all filters, in the given order."""
    cuisines = chosen_cuisines(world, options.get("cuisine"), "cuisine")
    banned = chosen_cuisines(world, options.get("excludeCuisine"), "excludeCuisine")
    wanted = [asked_food(name) for name in options.get("includeIngredients") or ()]
    unwanted = [asked_food(name) for name in options.get("excludeIngredients") or ()]
    tools = {one_of(name, EQUIPMENT, "equipment") for name in options.get("equipment") or ()}
    return [
        row
        for row in rows
        if (not cuisines or cuisines & set(row.cuisines))
        and not banned & set(row.cuisines)
        and keeps_diet(row, options.get("diet"))
        and tolerated(row.flags, list(options.get("intolerances") or []))
        and (not tools or tools & set(equipment_in(row.instructions)))
        and all(food.used_in(row) for food in wanted)
        and not any(food.any_in(row) for food in unwanted)
        and (row.open_license or not options.get("limitLicense"))
    ]


def _among_all(world: World, query: str) -> list[Recipe]:
    """Recipes of all dishes that have every word of a query in their name, tags or ingredients, and keep its diets."""
    text = query[:200].lower().replace("-", " ")
    asked = [diet for diet in DIETS if diet in text]
    for diet in asked:
        text = text.replace(diet, " ")
    wanted = set(words(text))
    return [
        row
        for row in every_recipe(world.seed)
        if all(row.suits(diet) for diet in asked)
        and wanted
        <= set(words(" ".join((row.title, *row.tags, *(line.ingredient.name for line in row.lines)))))
    ]


@tool(
    GROUP,
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
    found = select(world, search(world.seed, said(query, "query", "pasta")), options)
    found = found or select(world, _among_all(world, query), options)
    rows: list[FoundRecipe] = [
        {**card(row), "cuisines": list(row.cuisines), "diets": list(row.diets)} for row in found
    ]
    return page(rows, options.get("number") or 10)


@tool(
    GROUP,
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
    rows = [row for row in every_recipe(world.seed) if within(row.nutrients, limits)]
    rows = [row for row in rows if row.open_license or not limitLicense]
    rows.sort(key=lambda row: (row.nutrients["calories"], row.id))
    if random:
        world.draw("nutrients").shuffle(rows)
    return [
        {
            "id": row.id,
            "title": row.title,
            "calories": round(row.nutrients["calories"], 1),
            "protein_g": round(row.nutrients["protein"], 1),
            "fat_g": round(row.nutrients["fat"], 1),
            "carbs_g": round(row.nutrients["carbs"], 1),
        }
        for row in rows[:number]
    ]


# Names that any of several ingredients answers to, and words of what is only made of it.
_GENERIC = frozenset("chicken beef pork lamb turkey cheese pasta beans".split())
_MADE_OF_IT = frozenset("broth stock sauce powder bouillon cream".split())


# Categories of what a dish is made around.
_MAINS = ("meat", "poultry", "fish", "shellfish", "legume", "pasta")


@seeds.table
def _used(seed: int) -> tuple[Ingredient, ...]:
    """All ingredients that any recipe needs."""
    return tuple(
        {line.ingredient.id: line.ingredient for row in every_recipe(seed) for line in row.lines}.values()
    )


def _is_of(ingredient: Ingredient, at_hand: list[str]) -> bool:
    """Whether an ingredient is one of the kinds at hand: a whole chicken is chicken, its broth is not."""
    said = set(plain(ingredient.name).split())
    return not said & _MADE_OF_IT and bool(said & _GENERIC & {plain(name) for name in at_hand})


def _ids(recipe: Recipe) -> set[int]:
    return {line.ingredient.id for line in recipe.lines}


def _at_hand(seed: int, name: str) -> set[int]:
    """The ingredients that something at hand will do for: itself, all of its kind, and the juice of a fruit."""
    own = _found([name])
    pressed = [
        row for fruit in own if (row := ingredient_or_none(f"{fruit.name} juice")) and fruit.name in _PRESSED
    ]
    return {row.id for row in (*own, *pressed)} | {row.id for row in _used(seed) if _is_of(row, [name])}


# Fruit that is squeezed where a recipe wants the juice.
_PRESSED = ("lemon", "lime", "orange")


def _cookable(recipe: Recipe, owned: set[int], ignore_pantry: bool) -> Cookable:
    needed = {line.ingredient.id: line.ingredient for line in recipe.lines}
    return {
        "id": recipe.id,
        "title": recipe.title,
        "usedIngredients": [row.name for row in needed.values() if row.id in owned],
        "missedIngredients": [
            row.name
            for row in needed.values()
            if row.id not in owned and not (ignore_pantry and row.name in PANTRY)
        ],
        "likes": recipe.likes,
    }


@tool(
    GROUP,
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
    some(ingredients, "ingredients", '"rice"')
    at_hand = [_at_hand(world.seed, name) for name in ingredients]
    owned = set[int]().union(*at_hand)
    rows = [row for row in every_recipe(world.seed) if row.open_license or not limitLicense]
    found = [_cookable(row, owned, ignorePantry) for row in rows]
    # Two kinds of cheese use up one thing that is at hand.
    uses = {row.id: sum(bool(ids & _ids(row)) for ids in at_hand) for row in rows}
    found = [row for row in found if uses[row["id"]]]

    def rank(row: Cookable) -> tuple[int, int, int]:
        used, missed = -uses[row["id"]], len(row["missedIngredients"])
        return (used, missed, row["id"]) if ranking == 1 else (missed, used, row["id"])

    # What uses one thing of three is no use of them.
    least = min(max((uses[row["id"]] for row in found), default=0), (len(ingredients) + 1) // 2)
    best = sorted((row for row in found if uses[row["id"]] >= least), key=rank)
    if random:
        world.draw("fridge").shuffle(best)
    # But a dish of the fish at hand fills up the list, and one with its lemon does not.
    mains = {row.name for row in _used(world.seed) if row.id in owned and row.category in _MAINS}
    rest = (row for row in found if uses[row["id"]] < least)
    return [*best, *sorted((row for row in rest if mains & set(row["usedIngredients"])), key=rank)][:number]
