"""Food/spoonacular_misc, first half: searching everything at once, videos and pages."""

from typing import Annotated, Literal, TypedDict, Unpack

from toolyard.world.index import words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import complete, page, plain, table_words
from toolyard.world.kernel.types import IngredientName, Page, Range, RecipeId, Semantic, Unit, Url
from toolyard.world.kernel.views import View
from toolyard.world.simulated.food.ingredients import all_ingredients
from toolyard.world.simulated.food.products import all_products, search_products
from toolyard.world.simulated.food.recipes import Recipe, recipes, search
from toolyard.world.simulated.food.value_types import Count, CuisineName, DietName, FoodQuery, Offset
from toolyard.world.tools.food.argument_checks import check_order, check_text
from toolyard.world.tools.food.menus import ItemName, menu_items, search_menu
from toolyard.world.tools.food.product_tools import GroceryName
from toolyard.world.tools.food.recipe_records import NAME, CourseName, NamedIngredient, RecipeName
from toolyard.world.tools.food.recipe_search import filter_recipes

GROUP = Group("Food/spoonacular_misc")
VideoId = Annotated[str, Semantic("video_id")]
Seconds = Annotated[int, Unit("s"), Range(0, 86_400)]
_ARTICLES = table_words("site_search.articles")


class Everything(TypedDict):
    """What was found of each kind; `totals` counts all of it."""

    totals: dict[str, int]
    recipes: list[RecipeName]
    products: list[GroceryName]
    menu_items: list[ItemName]
    simple_foods: list[NamedIngredient]


PRODUCT = View.of(GroceryName)
DISH = View.of(ItemName)
FOOD = View.of(NamedIngredient)


class Video(TypedDict):
    title: str
    video_id: VideoId
    recipe_id: RecipeId
    length_seconds: int
    link: Url


class VideoFilters(TypedDict, total=False):
    """Filters of the search.

    type: Course of the dish, e.g. main course.
    cuisine: Cuisines of which the dish must have one.
    diet: Diet that the dish must keep; "a,b" means both, "a|b" means one of them.
    includeIngredients: Ingredients that the dish must use.
    excludeIngredients: Ingredients that the dish must not use.
    minLength: Shortest length of the video.
    maxLength: Longest length of the video.
    offset: How many videos to skip.
    number: How many videos to return, 10 unless told.
    """

    type_: CourseName
    cuisine: list[CuisineName]
    diet: DietName
    includeIngredients: list[IngredientName]
    excludeIngredients: list[IngredientName]
    minLength: Seconds
    maxLength: Seconds
    offset: Offset
    number: Count


class SitePage(TypedDict):
    name: str
    kind: Literal["article", "recipe", "grocery product", "menu item"]
    link: Url


@GROUP.tool(
    examples=[{"query": "apple"}, {"query": "chicken", "number": 3}],
    phrase=(
        "search recipes, groceries, menu items and simple foods all at once for {query}[, returning {number} "
        "results of each kind][, skipping the first {offset} of each kind]"
    ),
    noun="the combined food search results",
    stands_in_for=("Food",),
    general=True,
)
def search_all_food(world: World, *, query: FoodQuery, offset: Offset = 0, number: Count = 5) -> Everything:
    """Recipes, packaged foods, chain restaurant dishes and simple foods that fit some words, in one call.

    query: What to look for.
    offset: How many results of each kind to skip.
    number: How many results of each kind to return.
    """
    wanted = set(words(check_text(query, "query", "apple")))
    found = search(world.seed, query)
    groceries = search_products(world.seed, query)
    # A title says nothing of the chain: the first that serves a dish stands for all of them.
    dishes = list({item.title: item for item in reversed(search_menu(world.seed, query))}.values())[::-1]
    foods = [row for row in all_ingredients() if wanted <= set(words(row.name))]
    foods.sort(key=lambda row: len(words(row.name)))
    part = slice(offset, offset + number)
    return {
        "totals": {
            "recipes": len(found),
            "products": len(groceries),
            "menu_items": len(dishes),
            "simple_foods": len(foods),
        },
        "recipes": NAME.rows(found[part]),
        "products": PRODUCT.rows(groceries[part]),
        "menu_items": DISH.rows(dishes[part]),
        "simple_foods": FOOD.rows(foods[part]),
    }


# The videos of a dish, and how many seconds they last.
_STYLES = (("How to make {}", (180, 1200)), ("{}: the short version", (20, 60)))


def _make_video(seed: int, recipe: Recipe, number: int) -> Video:
    style, lengths = _STYLES[number]
    video_id = seeds.token(11, "video", recipe.id, number)
    return {
        "title": style.format(recipe.title),
        "video_id": video_id,
        "recipe_id": recipe.id,
        "length_seconds": seeds.stream(seed, "video", recipe.id, number).randint(*lengths),
        "link": f"https://videos.example/watch/{video_id}",
    }


@GROUP.tool(
    examples=[
        {"query": "chicken soup", "number": 3},
        {"query": "pasta", "diet": "vegetarian", "maxLength": 60},
    ],
    phrase=(
        "find cooking videos about {query}[, for the meal type {type}][, with the cuisine set to "
        "{cuisine}][, with the diet set to {diet}][, using {includeIngredients}][, without using "
        "{excludeIngredients}][, lasting at most {maxLength} seconds][, returning {number} videos]"
    ),
    noun="the list of cooking videos",
    jobs=("videos",),
)
def search_food_videos(world: World, *, query: FoodQuery, **filters: Unpack[VideoFilters]) -> Page[Video]:
    """Videos on how to cook the dishes that fit some words, filtered by dish and length.

    query: What to look for.
    """
    check_order(filters.get("minLength"), filters.get("maxLength"), "minLength", "maxLength")
    rows = filter_recipes(
        search(world.seed, check_text(query, "query", "chicken soup")),
        {
            "cuisine": filters.get("cuisine") or [],
            "includeIngredients": filters.get("includeIngredients") or [],
            "excludeIngredients": filters.get("excludeIngredients") or [],
            **({"diet": filters["diet"]} if filters.get("diet") else {}),
        },
    )
    course, low, high = filters.get("type_"), filters.get("minLength"), filters.get("maxLength")
    fitting = [row for row in rows if course is None or course in row.types]
    videos = [_make_video(world.seed, row, number) for row in fitting for number in range(len(_STYLES))]
    kept = [
        video
        for video in videos
        if (low is None or video["length_seconds"] >= low)
        and (high is None or video["length_seconds"] <= high)
    ]
    return page(kept, filters.get("number") or 10, filters.get("offset") or 0)


@GROUP.tool(
    examples=[{"query": "past"}, {"query": "rice"}],
    phrase=(
        "search the food site for articles, recipes and other pages whose name has a word starting with "
        "{query}"
    ),
    noun="the matching site pages",
    stands_in_for=("Food",),
    general=True,
)
def search_site_content(world: World, *, query: str) -> list[SitePage]:
    """Pages of the site whose name has a word that starts with the query, up to five of each kind.

    query: A word or its first letters, e.g. spagh.
    """
    check_text(query, "query", "spagh")
    root = "https://recipes.example"
    pools: tuple[
        tuple[Literal["article", "recipe", "grocery product", "menu item"], list[tuple[str, str]]], ...
    ] = (
        ("article", [(title, f"{root}/articles/{number + 1}") for number, title in enumerate(_ARTICLES)]),
        ("recipe", [(row.title, row.url) for row in recipes(world.seed)]),
        ("grocery product", [(row.title, f"{root}/products/{row.id}") for row in all_products(world.seed)]),
        ("menu item", [(item.title, f"{root}/menu/{item.id}") for item in menu_items(world.seed)]),
    )
    found: list[SitePage] = []
    for kind, pages in pools:
        rows: list[SitePage] = [{"name": name, "kind": kind, "link": link} for name, link in pages]
        # A whole word is nearer than the beginning of one: a curry before a currywurst.
        whole = sorted(
            complete(rows, query, "name", 100), key=lambda row: plain(query) not in plain(row["name"]).split()
        )
        found += whole[:5]
    return found
