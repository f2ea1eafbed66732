"""What a strict reader found in the food tools, class by class."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World
from toolyard.world.worlds.food.ingredients import ingredient_or_none, ingredients
from toolyard.world.worlds.food.instruction_reading import minutes_in
from toolyard.world.worlds.food.recipes import every_recipe

INGREDIENT, MISC, PRODUCTS = (
    "Food/spoonacular_ingredient",
    "Food/spoonacular_misc",
    "Food/spoonacular_products",
)
ANALYZE, WINE, FDC = (
    "Food/spoonacular_recipes_analyze",
    "Food/spoonacular_wine_restaurants",
    "Health/FoodData_Central",
)


def ask(tool: str, **arguments: Any) -> Any:
    observation = call(World.fresh(0), tool, arguments)
    assert observation.error is None, observation.text
    return json.loads(observation.text)


def refused(tool: str, **arguments: Any) -> str:
    observation = call(World.fresh(0), tool, arguments)
    assert observation.error is not None
    return observation.text


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Food/Tasty/get_auto_suggestion", {"prefix": " "}),
        ("Food/Tasty/get_recipes", {"from_": 0, "size": 3, "tags": ["martian"]}),
        (f"{INGREDIENT}/ingredient_search", {"query": ""}),
        (f"{INGREDIENT}/ingredient_search", {"query": "bean", "minFatPercent": 60, "maxFatPercent": 10}),
        (f"{INGREDIENT}/compute_glycemic_load", {"postbody": {"ingredients": []}}),
        ("Food/spoonacular_menu/search_menu_items", {"query": "fries", "minFat": 50, "maxFat": 10}),
        (f"{MISC}/search_food_videos", {"query": "soup", "minLength": 300, "maxLength": 30}),
        (
            f"{PRODUCTS}/map_ingredients_to_grocery_products",
            {"postbody": {"ingredients": ["1 egg"], "servings": 0}},
        ),
        (f"{PRODUCTS}/get_comparable_products", {"upc": "12345"}),
        ("Food/spoonacular_recipes_search/search_recipes", {"query": "pasta", "equipment": ["warp drive"]}),
        ("Food/spoonacular_recipes_info/get_random_recipes", {"tags": ["martian"]}),
        (f"{WINE}/search_restaurants", {"query": "italian", "lat": 0, "lng": -30}),
        (f"{WINE}/search_restaurants", {"query": "ramen", "cuisine": "Klingon"}),
        (f"{FDC}/get_food_item_by_id", {"fdcId": 173944, "nutrients": [99999]}),
        (f"{FDC}/search_foods", {"query": "yogurt", "brandOwner": "Nobody"}),
    ],
)
def test_what_cannot_be_is_refused(tool: str, arguments: dict[str, Any]) -> None:
    assert (
        "want" in (text := refused(tool, **arguments))
        or "must" in text
        or "say" in text
        or "give" in text
        or "no town" in text
    )


def test_the_catalogue_of_foods_is_that_of_fdc() -> None:
    banana = ask(f"{FDC}/get_food_item_by_id", fdcId=173944)
    assert (banana["description"], banana["dataType"]) == ("Bananas, raw", "SR Legacy")
    assert banana["foodCategory"] == "Fruits and Fruit Juices"
    names = {row["name"]: row["amount"] for row in banana["foodNutrients"]}
    assert names["Energy"] == 89
    assert names["Magnesium, Mg"] == 27
    assert ask(f"{FDC}/search_foods", query="apple")["foods"][0]["fdcId"] == 171688
    listed = ask(f"{FDC}/get_food_lists", dataType=["Foundation"], pageSize=100)["items"]
    assert all(row["fdcId"] > 320_000 and row["publishedDate"] < "2024-05-15" for row in listed)


def test_a_search_finds_what_it_names_and_nothing_else() -> None:
    assert [row["name"] for row in ask(f"{INGREDIENT}/ingredient_search", query="apple")["items"]] == [
        "apple",
        "pineapple",
        "apple juice",
        "applesauce",
        "apple cider vinegar",
    ]
    fish = {row["name"] for row in ask(f"{INGREDIENT}/ingredient_search", query="fish", number=30)["items"]}
    assert {"trout", "cod", "salmon", "mackerel"} <= fish
    assert [row["name"] for row in ask(f"{INGREDIENT}/ingredient_search", query="ham")["items"]] == ["ham"]
    assert not ask(f"{INGREDIENT}/autocomplete_ingredient_search", query="qqq")


def test_no_word_becomes_a_food_and_no_food_gets_the_facts_of_another() -> None:
    assert ingredient_or_none("dragon") is None
    assert ingredient_or_none("kase") is None
    cookies = ingredient_or_none("chocolate chip cookies")
    assert cookies is not None
    assert cookies.per_100g["calories"] > 400
    parsed = ask(
        f"{INGREDIENT}/parse_ingredients",
        ingredientList="2 Eier\n3 dragons",
        servings=1,
        includeNutrition=False,
    )
    assert [row["name"] for row in parsed["ingredients"]] == ["egg"]
    for row in ingredients():
        assert row.per_100g["saturated"] <= row.per_100g["fat"] + 0.1


def test_tips_differ_between_recipes_and_have_fewer_votes_than_the_recipe() -> None:
    seen: list[str] = []
    for recipe in (716429, 644387, 661340, 715538):
        tips = ask("Food/Tasty/load_tips", id=recipe, from_=0, size=10)["items"]
        likes = ask("Food/spoonacular_recipes_info/get_recipe_information", id=recipe)["aggregateLikes"]
        assert all(tip["upvotes_total"] <= likes for tip in tips)
        seen += [tip["tip_body"] for tip in tips]
    assert len(seen) == len(set(seen))


def test_cuisines_of_all_dishes_can_be_asked_for() -> None:
    found = ask("Food/Tasty/get_recipes", from_=0, size=10, tags=["peruvian"])
    assert found["total"] >= 4
    assert f"{len(every_recipe(0)):,} in all" in refused("Food/Tasty/get_more_info", id=1)
    assert "118 in all" not in refused("Food/Tasty/get_more_info", id=1)


def test_times_are_read_in_full() -> None:
    assert minutes_in("Simmer for 1 hour 20 minutes") == 80
    assert minutes_in("Let cool for half an hour") == 30
    assert minutes_in("Fry for 5 min, then bake 25-30 minutes") == 35
    assert minutes_in("Fry 3 minutes each side") == 6


def test_questions_about_dishes_and_vitamins() -> None:
    assert ask(f"{MISC}/quick_answer", q="How many calories are in a Big Mac?")["amount"] == 590
    assert "Carbonara" in ask(f"{MISC}/quick_answer", q="how many calories in spaghetti carbonara")["answer"]
    assert ask(f"{MISC}/quick_answer", q="how much vitamin A is in a carrot")["amount"] == pytest.approx(
        509, abs=1
    )
    query = ask(f"{ANALYZE}/analyze_a_recipe_search_query", q="japanese soup no pork under 30 minutes")
    assert query["ingredients"] == []
    assert "under 30 minutes" in query["modifiers"]


def test_the_chatbot_heeds_an_allergy() -> None:
    reply = ask(f"{MISC}/talk_to_chatbot", text="I am allergic to nuts. Suggest a dessert")
    assert reply["media"]
    assert not any("nut" in row["title"].lower() for row in reply["media"])


@pytest.mark.parametrize(
    ("title", "category"),
    [
        ("Ben & Jerry's Cookie Dough", "ice cream"),
        ("Sparkling water lime", "water"),
        ("chicken nuggets frozen", "frozen chicken"),
        ("Kellogg Corn Flakes", "cereal"),
    ],
)
def test_titles_are_put_on_the_right_shelf(title: str, category: str) -> None:
    found = ask(f"{PRODUCTS}/classify_grocery_product_2", postbody={"title": title})
    assert found["category"] == category
    assert found["candidates"][0]["category"] == category


def test_a_chain_is_searched_by_its_name_and_prices_follow_the_size() -> None:
    found = ask("Food/spoonacular_menu/search_menu_items", query="Taco Bell", number=50)["items"]
    assert {row["restaurantChain"] for row in found} == {"Taco Bell"}
    burgers = ask("Food/spoonacular_menu/search_menu_items", query="burger", number=50)["items"]
    assert {"Big Mac", "Whopper", "Dave's Single"} <= {row["title"] for row in burgers}
    salad = ask("Food/spoonacular_menu/get_menu_item_info", id=470019)
    assert salad["servingGrams"] >= 220
    assert salad["price"]["amount"] < 13


def test_allergens_of_packaged_foods_are_named() -> None:
    rows = ask(f"{PRODUCTS}/search_grocery_products", query="pretzel")["items"]
    facts = ask(f"{PRODUCTS}/get_product_information", id=rows[0]["id"])
    assert "Gluten" in facts["unsuitableFor"]
    assert not ask(f"{PRODUCTS}/search_grocery_products", query="sugar free gum")["items"]


def test_classic_pairings() -> None:
    assert ask(f"{WINE}/wine_pairing", food="oysters")["pairedWines"][0] == "chablis"
    assert ask(f"{WINE}/wine_pairing", food="blue cheese")["pairedWines"][0] == "port"
    assert ask(f"{WINE}/wine_description", wine="cabernet sauvignon")["country"] == "France"
