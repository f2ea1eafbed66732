"""Food/spoonacular_recipes_info: recipes in full, by id, by likeness, by chance and by their page."""

import re
from typing import Annotated, NotRequired, TypedDict

from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.result_text import fitting_rows
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import Range, RecipeId
from toolyard.world.simulated.food.ingredients import INTOLERANCES
from toolyard.world.simulated.food.nutrients import nutrient_list
from toolyard.world.simulated.food.recipes import (
    SITE,
    Recipe,
    all_dishes,
    find_recipe,
    recipe_or_none,
    recipes,
    similar_recipes,
)
from toolyard.world.simulated.food.value_types import (
    Count,
    DishName,
    InstructionText,
    Nutrient,
    RecipeTag,
    RecipeUrl,
)
from toolyard.world.tools.food import PARTS_OF_RECIPES
from toolyard.world.tools.food.argument_checks import match_known_name
from toolyard.world.tools.food.recipe_records import (
    CARD,
    FULL,
    FullRecipe,
    RecipeCard,
    RecipeInformation,
    Step,
    analyze_steps,
    recipe_information,
)
from toolyard.world.tools.food.taste import Taste, dish_taste

GROUP = Group("Food/spoonacular_recipes_info")
_PAGE = re.compile(rf"{re.escape(SITE)}/(\d{{1,9}})(?:-[a-z0-9-]*)?/?")


class ExtractedRecipe(TypedDict):
    id: RecipeId
    title: DishName
    sourceUrl: RecipeUrl
    ingredientLines: list[str]
    instructionText: InstructionText
    servings: int
    freshlyRead: bool
    dishTypes: NotRequired[list[str]]
    cuisines: NotRequired[list[str]]
    nutrition: NotRequired[list[Nutrient]]
    taste: NotRequired[Taste]


@GROUP.tool(
    examples=[{"id": 716429}, {"id": 655235, "includeNutrition": True}],
    phrase=(
        "get the full information, from ingredients and diets to cost and time, about the recipe whose id is "
        "{id}[, with nutrition included set to {includeNutrition}]"
    ),
    noun="the recipe information",
    jobs=("page of a recipe",),
    stands_in_for=PARTS_OF_RECIPES,
)
def get_recipe_information(
    world: World, *, id_: RecipeId, includeNutrition: bool = False
) -> RecipeInformation:
    """Everything about a recipe: ingredients, instructions, diets, cost and time.

    id: Id of the recipe.
    includeNutrition: Whether to add the nutrients of one serving.
    """
    return recipe_information(find_recipe(world.seed, id_), nutrition=includeNutrition)


@GROUP.tool(
    examples=[{"ids": [716429, 644387]}, {"ids": [655235], "includeNutrition": True}],
    phrase=(
        "get in bulk the full information about the recipes identified by {ids}[, with nutrition included "
        "set to {includeNutrition}]"
    ),
    noun="the bulk recipe information",
    jobs=("page of a recipe",),
    stands_in_for=PARTS_OF_RECIPES,
)
def get_recipe_information_bulk(
    world: World, *, ids: Annotated[list[RecipeId], Range(1, 20)], includeNutrition: bool = False
) -> list[RecipeInformation]:
    """Everything about several recipes in one call.

    ids: Ids of the recipes, 20 at most.
    includeNutrition: Whether to add the nutrients of one serving.
    """
    return [recipe_information(find_recipe(world.seed, wanted), nutrition=includeNutrition) for wanted in ids]


def _filter_by_license(rows: list[Recipe], only_open: bool) -> list[Recipe]:
    return [row for row in rows if row.open_license or not only_open]


@GROUP.tool(
    examples=[{"id": 716429, "number": 3}],
    phrase=(
        "find spoonacular recipes close in dish, cuisine and ingredients to the recipe whose id is {id}[, "
        "returning at most {number} recipes][, with open license only set to {limitLicense}]"
    ),
    noun="the list of similar recipes",
    jobs=("recipes",),
)
def get_similar_recipes(
    world: World, *, id_: RecipeId, number: Count = 5, limitLicense: bool = False
) -> list[RecipeCard]:
    """Recipes like a given one in dish, cuisine and ingredients, the closest first.

    id: Id of the recipe to compare with.
    number: How many recipes at most.
    limitLicense: Whether to return only recipes under an open license.
    """
    rows = similar_recipes(world.seed, find_recipe(world.seed, id_))
    return fitting_rows(CARD.rows(_filter_by_license(rows, limitLicense)[:number]))


def _all_tags(world: World) -> list[str]:
    """Every cuisine, course, diet and intolerance that a recipe may be asked for by."""
    free = {f"{name.lower()} free" for name in INTOLERANCES}
    return sorted(free.union(*(row.tags for row in recipes(world.seed)), (row.dish for row in all_dishes())))


def _has_tag(recipe: Recipe, wanted: str) -> bool:
    tolerable = {f"{name.lower()} free": letters for name, letters in INTOLERANCES.items()}
    if wanted in tolerable:
        return not set(tolerable[wanted]) & set(recipe.flags)
    return wanted in recipe.tags or wanted == recipe.dish


@GROUP.tool(
    examples=[{}, {"tags": ["vegetarian", "dessert"], "number": 2}],
    phrase=(
        "draw random recipes[ tagged with {tags}][, returning {number} of them][, with open license only set "
        "to {limitLicense}]"
    ),
    noun="the random recipes",
    jobs=("recipes",),
)
def get_random_recipes(
    world: World, *, limitLicense: bool = False, tags: list[RecipeTag] | None = None, number: Count = 1
) -> list[FullRecipe]:
    """Recipes drawn by chance, other ones each time; an empty list where none has all the tags.

    limitLicense: Whether to draw only recipes under an open license.
    tags: Diets, meal types or cuisines that each recipe must have, e.g. vegetarian, dessert.
    number: How many recipes to draw; some six fit into one answer.
    """
    wanted = [match_known_name(tag, _all_tags(world), "tags") for tag in tags or ()]
    rows = [row for row in recipes(world.seed) if all(_has_tag(row, tag) for tag in wanted)]
    rows = _filter_by_license(rows, limitLicense)
    drawn = world.draw("recipe").sample(rows, min(number, len(rows)))
    return fitting_rows(FULL.rows(drawn))


@GROUP.tool(
    examples=[{"id": 716429}, {"id": 644387, "stepBreakdown": True}],
    phrase=(
        "get the analyzed step-by-step instructions for the recipe whose id is {id}[, with step breakdown "
        "set to {stepBreakdown}]"
    ),
    noun="the analyzed recipe steps",
)
def get_analyzed_recipe_instructions(
    world: World, *, id_: RecipeId, stepBreakdown: bool = False
) -> list[Step]:
    """The steps of a recipe, each with the ingredients, equipment and minutes it needs.

    id: Id of the recipe.
    stepBreakdown: Whether to cut the steps further, one action each.
    """
    recipe = find_recipe(world.seed, id_)
    return analyze_steps(recipe.steps, recipe.lines, atomic=stepBreakdown)


@GROUP.tool(
    examples=[
        {"url": f"{SITE}/716429-pasta", "analyze": True},
        {"url": f"{SITE}/644387", "includeTaste": True, "includeNutrition": True},
    ],
    phrase=(
        "extract the recipe from the web page at {url}[, with forced extraction set to {forceExtraction}][, "
        "with analysis set to {analyze}][, with nutrition included set to {includeNutrition}][, with taste "
        "included set to {includeTaste}]"
    ),
    noun="the extracted recipe",
    jobs=("page of a recipe",),
    stands_in_for=PARTS_OF_RECIPES,
)
def extract_recipe_from_website(
    world: World,
    *,
    url: RecipeUrl,
    forceExtraction: bool = False,
    analyze: bool = False,
    includeNutrition: bool = False,
    includeTaste: bool = False,
) -> ExtractedRecipe:
    """The recipe on a web page: title, ingredient lines and instructions.

    url: Address of the recipe's page, as recipe tools return it in sourceUrl.
    forceExtraction: Whether to read the page again even where the recipe is known.
    analyze: Whether to add courses and cuisines.
    includeNutrition: Whether to add the nutrients of one serving.
    includeTaste: Whether to add the taste.
    """
    match = _PAGE.fullmatch(url.strip().lower())
    recipe = recipe_or_none(world.seed, int(match[1])) if match else None
    if recipe is None:
        raise not_found("recipe page at", url[:120], such_as=[row.url for row in recipes(world.seed)[:3]])
    found: ExtractedRecipe = {
        "id": recipe.id,
        "title": recipe.title,
        "sourceUrl": recipe.url,
        "ingredientLines": [line.original for line in recipe.lines],
        "instructionText": recipe.instructions,
        "servings": recipe.servings,
        "freshlyRead": forceExtraction,
    }
    if analyze:
        found |= {"dishTypes": list(recipe.types), "cuisines": list(recipe.cuisines)}
    if includeNutrition:
        found["nutrition"] = nutrient_list(recipe.nutrients)
    if includeTaste:
        found["taste"] = dish_taste(recipe.lines)
    return found
