"""Food/spoonacular_recipes_analyze: reading recipes, instructions, dish names and search queries."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from toolyard.core.sums import added
from toolyard.world import seeds
from toolyard.world.faults import invalid
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.state import World
from toolyard.world.tables import complete, plain
from toolyard.world.types import RecipeId
from toolyard.world.worlds.food.asked import said
from toolyard.world.worlds.food.cards import (
    all_cuisines,
    all_minutes,
    analyzed,
    ingredient_line,
)
from toolyard.world.worlds.food.dishes import dish_rows, dishes_named, dishes_starting
from toolyard.world.worlds.food.ingredients import nutrient_list
from toolyard.world.worlds.food.instruction_reading import sentences
from toolyard.world.worlds.food.kitchen_words import kitchens_spoken
from toolyard.world.worlds.food.meanings import (
    DishName,
    FewCount,
    IngredientList,
    InstructionText,
    Language,
    Servings,
)
from toolyard.world.worlds.food.measures import Line, list_lines, read_lines
from toolyard.world.worlds.food.recipe_analyze_shapes import (
    AnalyzedInstructions,
    AnalyzedRecipe,
    CuisineGuess,
    RecipeName,
    Summary,
)
from toolyard.world.worlds.food.recipes import (
    cost,
    diets_of,
    every_recipe,
    find_recipe,
    flags_of,
    intolerances_of,
    more_recipes,
    nutrients_of,
    recipes,
)
from toolyard.world.worlds.food.taste import taste_of

GROUP = "Food/spoonacular_recipes_analyze"


@tool(
    GROUP,
    examples=[{"query": "chick", "number": 5}],
    phrase="autocomplete recipe titles that start with {query}[, returning at most {number} titles]",
    noun="the recipe title completions",
)
def autocomplete_recipe_search(world: World, *, query: str, number: FewCount = 10) -> list[RecipeName]:
    """Titles of recipes that complete what was typed.

    query: The first letters of a title or of one of its words.
    number: How many titles at most.
    """
    said(query, "query", "chick")
    rows: list[RecipeName] = [{"id": row.id, "title": row.title} for row in recipes(world.seed)]
    found = complete(rows, query, "title", 100)
    for place in dishes_starting(query):
        row = more_recipes(world.seed)[place]
        if row.title not in {other["title"] for other in found}:
            found.append({"id": row.id, "title": row.title})
    # A whole word is nearer than the beginning of one: gin before ginger.
    found.sort(key=lambda row: plain(query).strip() not in plain(row["title"]).split())
    return found[:number]


def _readable(text: str, parameter: str) -> tuple[list[Line], list[str]]:
    parts = [part[:200] for part in list_lines(text)]
    lines = read_lines(text, parameter)
    unreadable = [part for part, line in zip(parts, lines, strict=True) if line is None]
    return [line for line in lines if line], unreadable


@tool(
    GROUP,
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
    found, lines = _amounts_to(world, said(title, "title", "Tomato omelette")[:200], ingredients, servings)
    if instructions:
        found["steps"] = analyzed(sentences(instructions), beside=lines)
    if includeNutrition:
        found["nutrients"] = nutrient_list(nutrients_of(lines, servings))
    if includeTaste:
        found["taste"] = taste_of(lines)
    return found


def _amounts_to(world: World, title: str, text: str, servings: int) -> tuple[AnalyzedRecipe, list[Line]]:
    lines, unreadable = _readable(text, "ingredients")
    if not lines:
        raise invalid("ingredients", text[:60], "want lines such as '2 cups flour' with known ingredients")
    nutrients, flags = nutrients_of(lines, servings), flags_of(lines)
    found: AnalyzedRecipe = {
        "title": title,
        "servings": servings,
        "ingredients": [ingredient_line(line) for line in lines],
        "unreadable": unreadable,
        # Nobody knows what an unread line holds.
        "diets": [] if unreadable else list(diets_of(flags, lines, nutrients)),
        "unsuitableFor": intolerances_of(flags),
        "cuisine": _cuisine_scores(world, title, lines)[0][0],
        "pricePerServing": round(cost(world.seed, lines) / servings, 2),
    }
    return found, lines


@tool(
    GROUP,
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
        f"{row.cuisines[0]} {row.types[0]}, {row.servings} servings, ready in {row.duration}. "
        f"A serving holds {facts['calories']:.0f} calories, {facts['protein']:.0f} g of protein and "
        f"{facts['fat']:.0f} g of fat, and costs {row.price_per_serving / 100:.2f} dollars.{diets}"
    )
    return {"id": row.id, "title": row.title, "summary": text}


@tool(
    GROUP,
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
    steps = analyzed(sentences(instructions), atomic=True)
    used = {row["id"]: row for step in steps for row in step["ingredients"]}
    return {
        "steps": steps,
        "ingredients": list(used.values()),
        "equipment": list(dict.fromkeys(name for step in steps for name in step["equipment"])),
        "totalMinutes": all_minutes(steps),
    }


# No guess is surer than this.
_SUREST = 0.95
# Kitchens that are nearly as likely as the first are named beside it.
_NEAR = 0.6
# From so many recipes on a kitchen can be told by its ingredients.
_ENOUGH = 6


@seeds.table
def _profiles(seed: int) -> Mapping[str, Mapping[str, float]]:
    """Cuisine -> share of its recipes in which a word or ingredient stands, against all recipes."""
    rows = (*recipes(seed), *more_recipes(seed))
    everywhere: dict[str, int] = {}
    inside: dict[str, dict[str, int]] = {}
    sizes: dict[str, int] = {}
    for row in rows:
        for feature in _features(row.title, row.lines):
            everywhere[feature] = everywhere.get(feature, 0) + 1
            for cuisine in row.kitchens:
                part = inside.setdefault(cuisine, {})
                part[feature] = part.get(feature, 0) + 1
        for cuisine in row.kitchens:
            sizes[cuisine] = sizes.get(cuisine, 0) + 1
    return {
        cuisine: {
            feature: math.log((count + 0.1) / (sizes[cuisine] + 1) * len(rows) / everywhere[feature])
            for feature, count in part.items()
        }
        for cuisine, part in inside.items()
        if sizes[cuisine] >= _ENOUGH
    }


def _features(title: str, lines: Sequence[Line]) -> set[str]:
    return {*words(title[:200]), *(f"#{line.ingredient.name}" for line in lines)}


def _cuisine_scores(world: World, title: str, lines: Sequence[Line]) -> list[tuple[str, float]]:
    """Cuisines by how much more common the recipe's words and ingredients are in them than elsewhere."""
    features = sorted(_features(title, lines))
    kitchens = {*all_cuisines(world), *(name for row in dish_rows() for name in row["cuisines"].split(","))}
    named = {cuisine for cuisine in kitchens if cuisine.lower() in title.lower()}
    # A dish that is known by its name is of its own kitchen, whatever is in it.
    own = set(words(title))
    places = (place for place in dishes_named(title) if set(words(dish_rows()[place]["title"])) <= own)
    dish = next(places, None)
    named |= set(dish_rows()[dish]["cuisines"].split(",")) if dish is not None and not named else set()
    spoken = kitchens_spoken(title)
    # Fried rice with kimchi is Korean.
    named = spoken if len(spoken) == 1 and dish is not None and not spoken & named else named
    named |= set() if named else spoken
    # So is what only one kitchen cooks with: udon, gochujang.
    used = kitchens_spoken(" ".join(line.original for line in lines))
    named |= used if not named and len(used) == 1 else set()
    # What is called as a recipe is of its kitchen: French toast is American.
    same = next(
        (
            row
            for row in every_recipe(world.seed)
            if plain(title) == plain(row.title) or (plain(title) == row.dish and not used)
        ),
        None,
    )
    named, bonus = (set(same.kitchens), 40) if same else (named, 10)
    unlisted: dict[str, Mapping[str, float]] = {name: {} for name in named}
    profiles = {**unlisted, **_profiles(world.seed)}
    scores = [
        (
            cuisine,
            added(profile.get(feature, -0.3) for feature in features) + (bonus if cuisine in named else 0),
        )
        for cuisine, profile in sorted(profiles.items())
    ]
    return sorted(scores, key=lambda pair: (-round(pair[1], 9), pair[0]))


@tool(
    GROUP,
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
    world: World,
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
    said(title, "title", "Tikka masala")
    lines, _ = _readable(ingredientList, "ingredientList")
    if not lines and not dishes_named(title):
        raise invalid(
            "ingredientList", ingredientList[:40], "want lines such as '2 cups flour' with known ingredients"
        )
    ranked = _cuisine_scores(world, title, lines)
    weights = [math.exp(min(score, 30.0) - min(ranked[0][1], 30.0)) for _, score in ranked]
    return {
        "cuisine": ranked[0][0],
        "cuisines": [one for (one, _), weight in zip(ranked, weights, strict=True) if weight > _NEAR][:3],
        "confidence": min(_SUREST, round(weights[0] / added(weights), 3)),
    }
