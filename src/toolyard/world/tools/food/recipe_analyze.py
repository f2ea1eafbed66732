"""Food/spoonacular_recipes_analyze: reading recipes, instructions, dish names and search queries."""

import functools
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.index import words
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import complete, plain, table_words
from toolyard.world.kernel.types import IngredientName, Prose, RecipeId
from toolyard.world.simulated.food.ingredients import Ingredient, find_spans, unsuited_intolerances
from toolyard.world.simulated.food.instructions import split_steps
from toolyard.world.simulated.food.measures import Line, read_lines
from toolyard.world.simulated.food.nutrients import nutrient_list
from toolyard.world.simulated.food.recipes import (
    DIETS,
    Recipe,
    all_cuisines,
    all_dishes,
    cost_in_cents,
    find_recipe,
    ingredient_flags,
    kept_diets,
    search,
    serving_nutrients,
)
from toolyard.world.simulated.food.value_types import (
    CuisineName,
    DietName,
    DishName,
    EquipmentName,
    FewCount,
    FoodQuery,
    IngredientLine,
    IngredientList,
    InstructionText,
    Language,
    Nutrient,
    Servings,
)
from toolyard.world.tools.food.argument_checks import check_text
from toolyard.world.tools.food.quick_answers import dish_names, food_names
from toolyard.world.tools.food.recipe_records import (
    LINE,
    NAME,
    NamedIngredient,
    RecipeName,
    Step,
    analyze_steps,
)
from toolyard.world.tools.food.taste import Taste, dish_taste

GROUP = Group("Food/spoonacular_recipes_analyze")


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


@GROUP.tool(
    examples=[{"query": "chick", "number": 5}],
    phrase="autocomplete recipe titles that start with {query}[, returning at most {number} titles]",
    noun="the recipe title completions",
)
def autocomplete_recipe_search(*, query: str, number: FewCount = 10) -> list[RecipeName]:
    """Titles of recipes that complete what was typed.

    query: The first letters of a title or of one of its words.
    number: How many titles at most.
    """
    check_text(query, "query", "chick")
    found = complete(NAME.rows(all_dishes()), query, "title", 100)
    # A whole word is nearer than the beginning of one: gin before ginger.
    found.sort(key=lambda row: plain(query) not in plain(row["title"]).split())
    return found[:number]


@GROUP.tool(
    examples=[
        {
            "title": "Tomato omelette",
            "ingredients": "3 eggs\n1 tomato\n1 tbsp butter",
            "instructions": "Whisk the eggs in a bowl.\nFry everything in butter for 4 minutes.",
            "servings": 1,
            "includeNutrition": True,
            "includeTaste": True,
        }
    ],
    phrase=(
        "analyze the diets, intolerances, cuisine and cost of my own recipe for {title}[, making {servings} "
        "servings][, with the language set to {language}][, with nutrition included set to "
        "{includeNutrition}][, with taste included set to {includeTaste}], from these ingredients: "
        "{ingredients}[, and with these instructions: {instructions}]"
    ),
    noun="the recipe analysis",
    promises={"badges": "diets"},
)
def analyze_recipe(
    world: World,
    *,
    title: DishName,
    ingredients: IngredientList,
    instructions: InstructionText | None = None,
    servings: Servings = 1,
    language: Language = "en",
    includeNutrition: bool = False,
    includeTaste: bool = False,
) -> AnalyzedRecipe:
    """What a recipe of one's own amounts to: diets, intolerances, cuisine, cost, and nutrients on demand.

    The price is in US cents. Lines that cannot be read are listed and count for nothing, and no diet is claimed then.

    title: Name of the recipe.
    ingredients: Ingredient lines, one per line.
    instructions: Steps, one per line or sentence.
    servings: How many servings it makes.
    language: Language of the lines: en or de; both are understood.
    includeNutrition: Whether to add the nutrients of one serving.
    includeTaste: Whether to add the taste, its strongest part as 100.
    """
    found, lines = _analyze_lines(
        world, check_text(title, "title", "Tomato omelette")[:200], ingredients, servings
    )
    if instructions:
        found["steps"] = analyze_steps(split_steps(instructions), lines)
    if includeNutrition:
        found["nutrients"] = nutrient_list(serving_nutrients(lines, servings))
    if includeTaste:
        found["taste"] = dish_taste(lines)
    return found


def _analyze_lines(world: World, title: str, text: str, servings: int) -> tuple[AnalyzedRecipe, list[Line]]:
    lines, unreadable = read_lines(text, "ingredients")
    if not lines:
        raise invalid("ingredients", text[:60], "want lines such as '2 cups flour' with known ingredients")
    nutrients, flags = serving_nutrients(lines, servings), ingredient_flags(lines)
    found: AnalyzedRecipe = {
        "title": title,
        "servings": servings,
        "ingredients": LINE.rows(lines),
        "unreadable": unreadable,
        # Nobody knows what an unread line holds.
        "diets": [] if unreadable else list(kept_diets(flags, lines, nutrients)),
        "unsuitableFor": unsuited_intolerances(flags),
        "cuisine": _cuisine_scores(title, lines)[0][0],
        "pricePerServing": round(cost_in_cents(world.seed, lines) / servings, 2),
    }
    return found, lines


@GROUP.tool(
    examples=[{"id": 716429}],
    phrase="write a short text summary of the recipe whose id is {id}",
    noun="the recipe summary",
)
def summarize_recipe(world: World, *, id_: RecipeId) -> Summary:
    """A short text that says what a recipe is, how long it takes, what a serving holds and costs, and whom it suits.

    id: Id of the recipe.
    """
    row = find_recipe(world.seed, id_)
    facts = row.nutrients
    diets = f" Diets: {', '.join(row.diets)}." if row.diets else ""
    text = (
        f"{row.cuisines[0]} {row.types[0]}, {row.servings} servings, ready in {row.minutes} minutes. "
        f"A serving holds {facts['calories']:.0f} calories, {facts['protein']:.0f} g of protein and "
        f"{facts['fat']:.0f} g of fat, and costs {row.price_per_serving / 100:.2f} dollars.{diets}"
    )
    return {"id": row.id, "title": row.title, "summary": text}


@GROUP.tool(
    examples=[
        {"instructions": "Boil the spaghetti in a pot for 9 minutes. Fry the garlic in a pan for 2 minutes."}
    ],
    phrase=(
        "break down into steps with ingredients, equipment and times these cooking instructions: "
        "{instructions}"
    ),
    noun="the analysis of the cooking instructions",
)
def analyze_recipe_instructions(*, instructions: InstructionText) -> AnalyzedInstructions:
    """Instructions cut into steps, with ingredients, equipment and time of each and of all; a night counts as eight hours.

    instructions: A text of cooking steps.
    """
    if not instructions.strip():
        raise invalid("instructions", "", "want at least one sentence")
    steps = analyze_steps(split_steps(instructions), atomic=True)
    used = {row["id"]: row for step in steps for row in step["ingredients"]}
    return {
        "steps": steps,
        "ingredients": list(used.values()),
        "equipment": list(dict.fromkeys(name for step in steps for name in step["equipment"])),
        "totalMinutes": sum(step.get("minutes", 0) for step in steps),
    }


# From so many recipes on a kitchen can be told by its ingredients.
_ENOUGH = 6
# What a word in a title counts beside an ingredient, and the name of the kitchen itself.
_WORD, _NAMED = 2.0, 10.0


@functools.cache
def _cuisine_profiles() -> Mapping[str, Mapping[str, float]]:
    """Cuisine -> how much more common a word or ingredient is in its recipes than in all."""
    every = [
        (set(row.cuisines[:1]), _recipe_features(row.title, [food.name for _, _, food, _ in row.parts]))
        for row in all_dishes()
    ]
    everywhere = Counter(feature for _, features in every for feature in features)
    found: dict[str, Mapping[str, float]] = {}
    for cuisine in all_cuisines():
        own = [features for names, features in every if cuisine in names]
        counts = Counter(feature for features in own for feature in features)
        if len(own) >= _ENOUGH:
            found[cuisine] = {
                feature: math.log((count + 0.1) / (len(own) + 1) * len(every) / everywhere[feature])
                * (1.0 if feature.startswith("#") else _WORD)
                for feature, count in counts.items()
            }
    return found


def _recipe_features(title: str, names: Sequence[str]) -> set[str]:
    return {*words(title[:200]), *(f"#{name}" for name in names)}


def _cuisine_scores(title: str, lines: Sequence[Line]) -> list[tuple[str, float]]:
    """Cuisines by how much more common the words and ingredients of a recipe are in them; its own name counts most."""
    features = sorted(_recipe_features(title, [line.ingredient.name for line in lines]))
    same = next((row.cuisines[0] for row in all_dishes() if plain(title) in (plain(row.title), row.dish)), "")
    scores = []
    for cuisine, profile in sorted({same: {}, **_cuisine_profiles()}.items()):
        named = _NAMED if cuisine and (cuisine == same or cuisine.lower() in title.lower()) else 0.0
        scores.append((cuisine, sum_in_order(profile.get(feature, -0.3) for feature in features) + named))
    return sorted((pair for pair in scores if pair[0]), key=lambda pair: (-round(pair[1], 9), pair[0]))


@GROUP.tool(
    examples=[
        {"title": "Tikka masala", "ingredientList": "500 g chicken breast\n2 tbsp curry powder\n20 g ginger"}
    ],
    phrase=(
        "classify the cuisine of a recipe for {title}[, with the language set to {language}], from these "
        "ingredients: {ingredientList}"
    ),
    noun="the cuisine classification",
)
def classify_cuisine(
    *,
    title: DishName,
    ingredientList: IngredientList,
    language: Language = "en",
) -> CuisineGuess:
    """The cuisine that a recipe most likely belongs to, judged by its words and ingredients.

    title: Name of the recipe.
    ingredientList: Ingredient lines, one per line.
    language: Language of the lines: en or de; both are understood.
    """
    check_text(title, "title", "Tikka masala")
    lines, _ = read_lines(ingredientList, "ingredientList")
    if not lines:
        wanted = "want lines such as '2 cups flour' with known ingredients"
        raise invalid("ingredientList", ingredientList[:40], wanted)
    ranked = _cuisine_scores(title, lines)
    weights = [math.exp(score - ranked[0][1]) for _, score in ranked]
    return {
        "cuisine": ranked[0][0],
        "cuisines": [one for (one, _), weight in zip(ranked, weights, strict=True) if weight > _NEAR][:3],
        "confidence": min(_SUREST, round(weights[0] / sum_in_order(weights), 3)),
    }


# No guess is surer than this; kitchens that are nearly as likely as the first are named beside it.
_SUREST, _NEAR = 0.95, 0.6
_WISHES = table_words("recipe_analyze.wishes")
_WITHOUT = re.compile(r"\b(?:no|without|not) (?:any )?(\w+)")


@GROUP.tool(
    examples=[{"q": "quick vegan italian pasta with mushrooms for dinner"}],
    phrase=(
        "analyze which dishes, ingredients, cuisines and diets are asked for by this recipe search query: {q}"
    ),
    noun="the search query analysis",
)
def analyze_a_recipe_search_query(*, q: FoodQuery) -> QueryParts:
    """What a search query asks for: dishes, ingredients, cuisines, diets and other wishes.

    q: The query as a person typed it.
    """
    text = " ".join(check_text(q, "q", "quick vegan pasta").lower()[:300].replace("-", " ").split())
    unwanted = [match[1] for match in _WITHOUT.finditer(text)]
    wanted = _WITHOUT.sub(" ", text)
    named = [row for row, _, _ in find_spans(wanted, food_names())]
    courses = sorted({course for row in all_dishes() for course in row.types})
    return {
        "dishes": list(dict.fromkeys(row.dish for row, _, _ in find_spans(wanted, dish_names()))),
        "ingredients": list(dict.fromkeys(row.name for row in named if isinstance(row, Ingredient))),
        "cuisines": [name for name in all_cuisines() if f" {name.lower()} " in f" {wanted} "],
        "diets": [name for name in DIETS if f" {name} " in f" {wanted} "],
        "modifiers": [
            *(word for word in (*_WISHES, *courses) if f" {word} " in f" {wanted} "),
            *(f"without {name}" for name in unwanted),
        ],
    }


@GROUP.tool(
    examples=[{"title": "Spaghetti Aglio et Olio"}, {"title": "chicken curry"}],
    phrase="guess the energy and macronutrients of a dish from its name, which is {title}",
    noun="the nutrition estimate",
)
def guess_nutrition_by_dish_name(world: World, *, title: DishName) -> NutritionGuess:
    """Energy and macronutrients of a serving, as the mean of the recipes of this name or most like it.

    title: Name of the dish.
    """
    wanted = set(words(check_text(title, "title", "chicken curry")[:200]))
    found = search(world.seed, title)
    named = [row for row in found if plain(title) in (plain(row.title), row.dish)]
    best = max((len(wanted & set(words(row.title))) for row in found), default=0)
    rows = named or [row for row in found if best and len(wanted & set(words(row.title))) == best][:_MOST]
    if not rows:
        raise not_found("dish like", title[:80], known=sorted(row.title for row in all_dishes()))
    return {
        "title": title[:200],
        "recipesUsed": len(rows),
        "basedOn": [row.title for row in rows],
        "calories": _mean_estimate(rows, "calories", "kcal"),
        "fat": _mean_estimate(rows, "fat", "g"),
        "protein": _mean_estimate(rows, "protein", "g"),
        "carbs": _mean_estimate(rows, "carbs", "g"),
    }


# So many recipes count for an estimate.
_MOST = 6


def _mean_estimate(rows: Sequence[Recipe], key: str, unit: str) -> Estimate:
    return {"value": round(sum_in_order(row.nutrients[key] for row in rows) / len(rows)), "unit": unit}
