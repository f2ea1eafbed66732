"""Food/Tasty: the same recipes as a magazine shows them, with tags, tips of readers and a daily feed."""

import functools
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Literal, TypedDict

from toolyard.core.ordered_sums import group_items
from toolyard.world.kernel import seeds
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import EPOCH, World
from toolyard.world.kernel.tables import page, plain, read_table
from toolyard.world.kernel.types import (
    IngredientName,
    Named,
    Page,
    PersonName,
    Prose,
    Range,
    RecipeId,
    Semantic,
    Unit,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.people import person
from toolyard.world.simulated.food.ingredients import all_ingredients
from toolyard.world.simulated.food.recipes import Recipe, find_recipe, recipes, search, similar_recipes
from toolyard.world.simulated.food.value_types import DishName, FoodQuery, InstructionText, RecipeTag
from toolyard.world.tools.food import PARTS_OF_RECIPES
from toolyard.world.tools.food.argument_checks import check_text, match_known_name

GROUP = Group("Food/Tasty")
From = Annotated[int, Named("from_"), Range(0, 10_000)]
Size = Annotated[int, Range(1, 40)]
PastMoment = Annotated[int, Unit("s")]
UtcOffset = Annotated[str, Semantic("utc_offset", r"[+-](0\d|1[0-4])[0-5]\d")]
_QUICK = "under 30 minutes"
_SAID = {"snack": "a snack"}


class Suggestion(TypedDict):
    display: str
    type: Literal["ingredient", "recipe", "tag"]
    search_value: FoodQuery


class Listed(TypedDict):
    id: RecipeId
    name: DishName
    total_time_minutes: int
    user_score: float
    approved_at: PastMoment
    tags: list[RecipeTag]


class Similar(TypedDict):
    id: RecipeId
    name: DishName
    shared_ingredients: list[IngredientName]


class Component(TypedDict):
    raw_text: str
    ingredient: IngredientName


class MoreInfo(TypedDict):
    id: RecipeId
    name: DishName
    description: Prose
    components: list[Component]
    instructions: InstructionText
    num_servings: int
    total_time_minutes: int
    calories_per_serving: int
    user_ratings: dict[str, float]


class Tip(TypedDict):
    tip_id: int
    author_name: PersonName
    tip_body: Prose
    upvotes_total: int
    created_at: PastMoment


class Tag(TypedDict):
    name: RecipeTag
    type: Literal["cuisine", "meal", "diet", "time"]
    recipes: int


class FeedEntry(TypedDict):
    section: str
    id: RecipeId
    name: DishName
    vegetarian: bool
    published_at: PastMoment


def _recipe_tags(recipe: Recipe) -> list[str]:
    return [*recipe.tags, *([_QUICK] if recipe.minutes < 30 else [])]


def _score(recipe: Recipe) -> float:
    """The share of those who voted that liked a recipe."""
    return round(recipe.liked / recipe.likes, 3)


COMPONENT = View[Component]({"raw_text": "original", "ingredient": "ingredient.name"})
LISTED = View.of(Listed, name="title", total_time_minutes="minutes", user_score=_score, tags=_recipe_tags)
MORE = View.of(
    MoreInfo,
    name="title",
    description=lambda row: (
        f"{row.cuisines[0]} {row.types[0]}, {row.servings} servings, ready in {row.minutes} minutes."
    ),
    components=lambda row: COMPONENT.rows(row.lines),
    num_servings="servings",
    total_time_minutes="minutes",
    calories_per_serving=lambda row: round(row.nutrients["calories"]),
    user_ratings=lambda row: {
        "score": _score(row),
        "positive": row.liked,
        "negative": row.likes - row.liked,
    },
)


@GROUP.tool(
    examples=[{"prefix": "chicken so"}, {"prefix": "ital"}],
    phrase="suggest Tasty search terms that begin with {prefix}",
    noun="the Tasty search suggestions",
    listed_as="TastySearchSuggestions",
)
def get_auto_suggestion(world: World, *, prefix: str) -> list[Suggestion]:
    """Search terms that complete a prefix: ingredients, titles of recipes and tags, ten at most.

    prefix: First letters of a word, or of several words, of a name.
    """
    typed = plain(check_text(prefix, "prefix", "chicken so")).split()
    rows = recipes(world.seed)
    pools: tuple[tuple[Literal["ingredient", "recipe", "tag"], int, list[str]], ...] = (
        ("ingredient", 4, [row.name for row in all_ingredients()]),
        ("tag", 2, sorted({tag for row in rows for tag in _recipe_tags(row)})),
        ("recipe", 4, [row.title for row in rows]),
    )
    found: list[Suggestion] = []
    for kind, most, names in pools:
        hits = [
            name for name in dict.fromkeys(names) if all(f" {word}" in f" {plain(name)}" for word in typed)
        ]
        whole = " ".join(typed)
        hits.sort(key=lambda name: (plain(name) != whole, not plain(name).startswith(whole)))
        found += [{"display": name, "type": kind, "search_value": name.lower()} for name in hits[:most]]
    return found


@GROUP.tool(
    examples=[
        {"from_": 0, "size": 5, "q": "chicken soup"},
        {"from_": 0, "size": 3, "tags": ["vegan"], "sort": "approved_at:desc"},
    ],
    phrase=(
        "list {size} Tasty recipes[ that match {q}][ tagged with {tags}][ sorted by {sort}], skipping the "
        "first {from_}"
    ),
    noun="the page of Tasty recipes",
    jobs=("recipes", "page of a recipe"),
)
def get_recipes(
    world: World,
    *,
    from_: From,
    size: Size,
    tags: list[RecipeTag] | None = None,
    q: FoodQuery | None = None,
    sort: Literal["popular", "approved_at:desc", "approved_at:asc"] = "popular",
) -> Page[Listed]:
    """A page of recipes, filtered by tags and words.

    from_: How many recipes to skip.
    size: How many recipes to return.
    tags: Tags that each recipe must have, as list_tags names them.
    q: Name of a dish or ingredient to look for.
    sort: By how well they were liked (popular, or best match with q), or by date of approval.
    """
    rows = list(recipes(world.seed)) if q is None else search(world.seed, check_text(q, "q", "chicken soup"))
    known = [tag["name"] for tag in list_tags(world)] if tags else []
    wanted = {match_known_name(tag, known, "tags") for tag in tags or ()}
    rows = [row for row in rows if wanted <= set(_recipe_tags(row))]
    if sort != "popular":
        rows.sort(key=lambda row: (row.approved_at, row.id), reverse=sort.endswith("desc"))
    elif q is None:
        rows.sort(key=lambda row: (-_score(row), row.id))
    return LISTED.page(rows, from_, size)


@GROUP.tool(
    examples=[{"id": 69095}],
    phrase=(
        "show the Tasty recipes, with the ingredients in common, that resemble the recipe whose id is {id}"
    ),
    noun="the list of similar Tasty recipes",
    jobs=("recipes",),
)
def get_similar_recipes(world: World, *, id_: RecipeId) -> list[Similar]:
    """Up to eight recipes like a given one, with the ingredients that both use.

    id: Id of the recipe.
    """
    recipe = find_recipe(world.seed, id_)
    own = set(recipe.ingredient_names)
    return [
        {"id": row.id, "name": row.title, "shared_ingredients": sorted(own & set(row.ingredient_names))}
        for row in similar_recipes(world.seed, recipe)[:8]
    ]


@GROUP.tool(
    examples=[{"id": 69095}],
    phrase="open the Tasty page with components, energy and ratings of the recipe whose id is {id}",
    noun="the Tasty recipe page",
    jobs=("page of a recipe",),
    stands_in_for=PARTS_OF_RECIPES,
    listed_as="TastyRecipePage",
)
def get_more_info(world: World, *, id_: RecipeId) -> MoreInfo:
    """A recipe with its components, instructions, energy and ratings.

    id: Id of the recipe.
    """
    return MORE.row(find_recipe(world.seed, id_))


@functools.cache
def _reader_remarks() -> Mapping[int, list[str]]:
    """What readers advise about a recipe, by its id."""
    return {
        number: [row["text"] for row in rows]
        for number, rows in group_items(read_table("food_tips.tsv"), _remark_id).items()
    }


def _remark_id(row: Mapping[str, str]) -> int:
    return int(row["id"])


def _reader_tips(seed: int, recipe: Recipe) -> list[Tip]:
    """What readers said about a recipe, the most useful first."""
    chance = seeds.stream(seed, "tips", recipe.id)
    span = int(EPOCH.timestamp()) - 3600 - recipe.approved_at
    tips: list[Tip] = [
        {
            "tip_id": recipe.id * 10 + number,
            "author_name": person(seed, "tip", recipe.id, number)["name"],
            "tip_body": body,
            "upvotes_total": chance.randrange(2 + recipe.likes),
            "created_at": recipe.approved_at + chance.randrange(600, span),
        }
        for number, body in enumerate(_reader_remarks().get(recipe.id, ()))
    ]
    return sorted(tips, key=lambda tip: (-tip["upvotes_total"], tip["tip_id"]))


@GROUP.tool(
    examples=[{"id": 69095, "from_": 0, "size": 3}],
    phrase="load {size} reader tips, after skipping the first {from_}, about the recipe whose id is {id}",
    noun="the reader tips",
    listed_as="TastyReaderTips",
)
def load_tips(world: World, *, id_: RecipeId, from_: From, size: Size) -> Page[Tip]:
    """A few tips of readers on a recipe, those with most votes first.

    id: Id of the recipe.
    from_: How many tips to skip.
    size: How many tips to return.
    """
    return page(_reader_tips(world.seed, find_recipe(world.seed, id_)), size, from_)


@GROUP.tool(
    phrase="list all the tags that Tasty recipes can be filtered by",
    noun="the list of Tasty tags",
    listed_as="TastyTags",
)
def list_tags(world: World) -> list[Tag]:
    """All tags that recipes can be filtered by, with the number of recipes that have them."""
    found: Counter[tuple[Literal["cuisine", "meal", "diet", "time"], str]] = Counter()
    for row in recipes(world.seed):
        found.update(("cuisine", name.lower()) for name in row.cuisines)
        found.update(("meal", name) for name in row.types)
        found.update(("diet", name) for name in row.diets)
        found.update([("time", _QUICK)] if row.minutes < 30 else [])
    return [{"name": name, "type": kind, "recipes": count} for (kind, name), count in sorted(found.items())]


@GROUP.tool(
    examples=[{"from_": 0, "size": 5, "timezone": "+0700", "vegetarian": False}],
    phrase=(
        "show the Tasty feed of the latest recipes where the UTC offset is {timezone}, with {size} entries, "
        "skipping the first {from_}, and with vegetarian food only set to {vegetarian}"
    ),
    noun="the Tasty recipe feed",
    jobs=("recipes", "page of a recipe"),
    listed_as="TastyRecipeFeed",
)
def list_feeds(
    world: World, *, from_: From, size: Size, timezone: UtcOffset, vegetarian: bool
) -> Page[FeedEntry]:
    """All recipes, those for the present time of day at a place first, the newer before the older.

    from_: How many entries to skip.
    size: How many entries to return.
    timezone: Offset from UTC as +hhmm or -hhmm, e.g. +0700.
    vegetarian: Whether to show vegetarian food only.
    """
    sign = -1 if timezone.startswith("-") else 1
    local = world.now + sign * timedelta(hours=int(timezone[1:3]), minutes=int(timezone[3:5]))
    meals = ("snack", "breakfast", "lunch", "snack", "dinner", "snack")
    meal = meals[sum(local.hour >= start for start in (4, 11, 15, 17, 22))]
    rows = [row for row in recipes(world.seed) if not vegetarian or "vegetarian" in row.diets]
    rows.sort(key=lambda row: (meal not in row.types, -row.approved_at, row.id))
    entries: list[FeedEntry] = [
        {
            "section": f"Ideas for {_SAID.get(meal, meal)}" if meal in row.types else "Latest",
            "id": row.id,
            "name": row.title,
            "vegetarian": "vegetarian" in row.diets,
            "published_at": row.approved_at,
        }
        for row in rows
    ]
    return page(entries, size, from_)
