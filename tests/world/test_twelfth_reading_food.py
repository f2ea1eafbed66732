"""Food as it grows in the shop, halves, dishes by their names in the singular, and what a refusal imports."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.naming import SHARED_NAMES, short_names
from toolyard.world.registry import extras, library
from toolyard.world.search import words
from toolyard.world.state import World

MISC, PRODUCTS = "Food/spoonacular_misc/", "Food/spoonacular_products/"
ANALYZE, MENU = "Food/spoonacular_recipes_analyze/", "Food/spoonacular_menu/search_menu_items"


@pytest.fixture
def world() -> World:
    return World.fresh(0)


def _told(world: World, tool: str, **arguments: object) -> Any:
    result = call(world, tool, arguments)
    assert result.error is None, result.text
    return json.loads(result.text)


def test_plurals_in_ies_and_oes_are_found_by_their_singulars() -> None:
    assert words("cookies brownies berries potatoes") == [
        "cookie",
        "brownie",
        "berry",
        "potato",
    ]


def test_a_refusal_imports_no_other_category() -> None:
    code = (
        "import sys\nfrom toolyard.world.executor import call\nfrom toolyard.world.state import World\n"
        f"r = call(World.fresh(0), '{PRODUCTS}get_product_information', {{'id': 77}})\n"
        "assert 'search_grocery_products lists them' in r.text, r.text\n"
        "assert not any(name.startswith('toolyard.world.worlds.finance') for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_names_that_several_tools_share_are_known_without_all_tools() -> None:
    ids = (*library(), *extras())
    longer = {tool.rsplit("/", 1)[-1] for name, tool in short_names(ids).items() if "__" in name}
    assert longer == SHARED_NAMES


def test_the_feed_holds_all_recipes(world: World) -> None:
    feed = _told(world, "Food/Tasty/list_feeds", from_=0, size=3, timezone="+0000", vegetarian=True)
    asked = {"from_": 0, "size": 3, "tags": ["breakfast", "vegetarian"], "sort": "approved_at:desc"}
    assert [row["id"] for row in feed["items"]] == [
        row["id"] for row in _told(world, "Food/Tasty/get_recipes", **asked)["items"]
    ]


@pytest.mark.parametrize(
    ("question", "amount"),
    [("How much sugar is in a tiramisu?", 24.5), ("fat in half an avocado", 11.0),
     ("calories in one and a half bananas", 158.0)],
)  # fmt: skip
def test_questions_are_answered_by_the_serving_and_the_half(
    world: World, question: str, amount: float
) -> None:
    assert _told(world, f"{MISC}quick_answer", q=question)["amount"] == pytest.approx(amount, abs=0.1)


@pytest.mark.parametrize(
    ("title", "place"),
    [("Organic Baby Spinach 5 oz Clamshell", ["Produce", "Vegetables"]), ("Garlic bulb", ["Produce", "Vegetables"]),
     ("Hass Avocado, each", ["Produce", "Fruit"]), ("Lemons", ["Produce", "Fruit"])],
)  # fmt: skip
def test_produce_is_known_whatever_it_is_packed_in(world: World, title: str, place: list[str]) -> None:
    assert (
        _told(world, f"{PRODUCTS}classify_grocery_product", postbody={"title": title})["breadcrumbs"] == place
    )


def test_foods_are_sold_as_they_grow(world: World) -> None:
    lines = ["1 kg potatoes", "1 lemon", "fresh basil"]
    found = _told(world, f"{PRODUCTS}map_ingredients_to_grocery_products", postbody={"ingredients": lines})
    assert [row["products"][0]["title"] for row in found] == [
        "Green Acre Russet Potatoes",
        "Green Acre Lemons",
        "Green Acre Fresh Basil",
    ]
    for query in ("bananas", "banana", "potatoes"):
        first = _told(world, f"{PRODUCTS}search_grocery_products", query=query, addProductInformation=True)[
            "items"
        ][0]
        assert first["aisle"] == "Produce", first
        assert _told(world, f"{PRODUCTS}get_product_information", id=first["id"])["title"] == first["title"]


def test_a_pizza_is_made_with_cheese(world: World) -> None:
    found = _told(world, f"{PRODUCTS}search_grocery_products_by_UPC", upc="041825003869")
    assert "mozzarella" in found["ingredientList"] and "milk" not in found["ingredientList"]


def test_dishes_are_guessed_from_dishes_of_that_name(world: World) -> None:
    guess = f"{ANALYZE}guess_nutrition_by_dish_name"
    assert _told(world, guess, title="chocolate brownie")["basedOn"] == ["Chocolate Brownies"]
    assert _told(world, guess, title="pasta carbonara")["basedOn"] == ["Spaghetti Carbonara"]
    for other in ("pumpkin bisque", "squid sandwich"):
        assert call(world, guess, {"title": other}).error == "not_found"


def test_what_is_left_out_is_not_asked_for_and_what_is_done_meanwhile_takes_no_time(world: World) -> None:
    parts = _told(world, f"{ANALYZE}analyze_a_recipe_search_query", q="birthday cake no nuts")
    assert parts["ingredients"] == [] and "without nuts" in parts["modifiers"]
    text = "Simmer the sauce for an hour. Meanwhile boil the spaghetti for 9 minutes."
    assert _told(world, f"{ANALYZE}analyze_recipe_instructions", instructions=text)["totalMinutes"] == 60


def test_spoons_may_be_heaped_and_cayenne_is_called_so(world: World) -> None:
    lines = "1 heaping tbsp smoked paprika\n1/2 tsp cayenne pepper"
    found = _told(world, "Food/spoonacular_ingredient/parse_ingredients", ingredientList=lines, servings=1,
                  includeNutrition=False)["ingredients"]  # fmt: skip
    assert [(row["name"], row["unit"]) for row in found] == [
        ("paprika powder", "tbsp"),
        ("cayenne pepper", "tsp"),
    ]


def test_menus_of_a_chain_are_its_own(world: World) -> None:
    assert _told(world, MENU, query="Shake Shack")["items"] == []
    assert _told(world, MENU, query="motor oil")["items"] == []
    assert {row["restaurantChain"] for row in _told(world, MENU, query="Panera soup")["items"]} == {
        "Panera Bread"
    }
    assert "McDonald's" in {
        row["restaurantChain"] for row in _told(world, MENU, query="chicken nuggets")["items"]
    }


def test_dishes_of_the_fish_at_hand_fill_up_the_list(world: World) -> None:
    tool = "Food/spoonacular_recipes_search/search_recipes_by_ingredients"
    found = _told(world, tool, ingredients=["salmon", "asparagus", "lemon"], number=4)
    assert len(found) == 4 and all("salmon" in row["usedIngredients"] for row in found)


def test_the_chatbot_knows_wines_and_texts_name_two_word_foods(world: World) -> None:
    said = _told(world, f"{MISC}talk_to_chatbot", text="What wine goes with steak?")
    assert said["media"] == [] and "Cabernet Sauvignon" in said["answerText"]
    text = "In Chile we ate passion fruit."
    found = _told(world, f"{MISC}detect_food_in_text", text=text)["annotations"]
    assert [row["annotation"] for row in found] == ["passion fruit"]


@pytest.mark.parametrize(
    ("left_out", "none"),
    [("chicken", "Chicken Thigh Curry with Green Beans"), ("meat", "Lamb Curry with Eggplant")],
)
def test_what_is_left_out_is_left_out_in_all_its_kinds(world: World, left_out: str, none: str) -> None:
    tool = "Food/spoonacular_recipes_search/search_recipes"
    every = _told(world, tool, query="curry", number=50)["items"]
    found = _told(world, tool, query="curry", excludeIngredients=[left_out], number=50)["items"]
    assert none in [row["title"] for row in every] and none not in [row["title"] for row in found]
    cheese = _told(world, tool, query="salad", excludeIngredients=["cheese"], number=50)["items"]
    assert "Caprese Salad" not in [row["title"] for row in cheese]
    tomato = _told(world, f"{MISC}search_food_videos", query="pasta", includeIngredients=["tomato"])
    assert tomato["total"] > 0


def test_quarters_far_from_the_centre_have_branches(world: World) -> None:
    tool = "Food/spoonacular_wine_restaurants/search_restaurants"
    assert _told(world, tool, query="Starbucks", lat=40.75, lng=-73.99, distance=1)["total"] >= 1


def test_girths_that_nobody_has_are_refused(world: World) -> None:
    girths = {"age": 30, "gender": "female", "height": 170, "weight": 60, "neck": 30, "waist": 31, "hip": 32}
    assert call(world, "Health/Fitness_Calculator/get_body_fat_percentage", girths).error == "invalid_value"
