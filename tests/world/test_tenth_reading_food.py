"""Food: what was done to a food counts, filters leave nothing through, and lists of one shelf are whole."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World
from toolyard.world.worlds.food.ingredients import ingredients
from toolyard.world.worlds.food.recipes import every_recipe

ROOT = "Food/spoonacular_"


def ask(tool: str, **arguments: Any) -> Any:
    """The result of a call of a food tool."""
    result = call(World.fresh(0), ROOT + tool, arguments)
    assert result.error is None, result.text
    return json.loads(result.text)


@pytest.mark.parametrize("query", ["almond milk", "greek yog", "peanut b", "dark choc"])
def test_completion_of_several_words(query: str) -> None:
    titles = [row["title"].lower() for row in ask("products/autocomplete_product_search", query=query)]
    assert titles and all(f" {query}" in title for title in titles)


def test_comparable_products_of_one_shelf() -> None:
    cereal = ask("products/get_comparable_products", upc="041951004839")
    for kind in ("fewer_calories", "less_sugar", "lower_price"):
        assert any("Corn Flakes" in row["title"] for row in cereal[kind])
    chips = ask("products/get_comparable_products", upc="042492006238")
    assert any("Tortilla Chips" in row["title"] for row in chips["fewer_calories"])


@pytest.mark.parametrize(
    ("question", "low", "high"),
    [
        ("How many calories are in 100 g of dried apricots?", 235, 250),
        ("How much protein is in 200 g of cooked lentils?", 17, 19),
        ("How much fiber is in 1 cup of cooked lentils?", 14, 17),
        ("How many calories are in a boiled egg?", 65, 85),
        ("How much iron is in 100 g of dried lentils?", 6, 8),
        ("How much sodium is in a Whopper?", 900, 1100),
    ],
)
def test_answers_heed_the_state_of_a_food(question: str, low: float, high: float) -> None:
    assert low <= ask("misc/quick_answer", q=question)["amount"] <= high


def test_what_is_not_on_record_is_said() -> None:
    answer = ask("misc/quick_answer", q="How many calories are in 100 g of boiled potatoes?")
    assert "not on record" in answer["answer"]


def test_three_foods_are_compared() -> None:
    answer = ask("misc/quick_answer", q="Which has the most protein: chicken breast, tofu or salmon?")
    assert all(f"100 g of {name}" in answer["answer"] for name in ("chicken breast", "tofu", "salmon"))


def test_dishes_by_their_whole_name_and_weight() -> None:
    assert "Impossible" in ask("misc/quick_answer", q="Calories in an Impossible Whopper?")["answer"]
    assert "Chocolate Shake" in ask("misc/quick_answer", q="Calories in a chocolate shake?")["answer"]
    assert 250 < ask("misc/quick_answer", q="Calories in 100 g of a Big Mac?")["amount"] < 300
    assert (
        ask("misc/quick_answer", q="Which has more zinc, beef, tofu or oysters?")["ingredient"] == "oysters"
    )
    refused = call(World.fresh(0), f"{ROOT}misc/quick_answer", {"q": "Sodium in a Baconator?"})
    assert refused.error == "not_found" and "on record are" in refused.text


def test_negative_amount_and_name_of_a_bar() -> None:
    assert call(World.fresh(0), f"{ROOT}misc/quick_answer", {"q": "protein in -5 g of tofu?"}).error
    assert ask("misc/quick_answer", q="Calories in a Snickers bar?")["ingredient"] == "snickers bar"


@pytest.mark.parametrize(
    ("query", "intolerance"),
    [("chees", "Dairy"), ("fish", "Seafood"), ("wine", "Sulfite"), ("wor", "Seafood")],
)
def test_intolerances_leave_nothing_through(query: str, intolerance: str) -> None:
    found = ask("ingredient/autocomplete_ingredient_search", query=query, intolerances=[intolerance])
    assert not found


def test_an_umlaut_is_meant() -> None:
    found = ask("ingredient/autocomplete_ingredient_search", query="Kä", language="de")
    assert found and all("kä" in row["completion"].lower() for row in found)


def test_diets_hold_for_products_and_simple_foods() -> None:
    soups = ask("misc/search_all_food", query="vegan soup")
    assert not any("Chicken" in row["title"] for row in soups["products"]) and soups["recipes"]
    pasta = ask("misc/search_all_food", query="gluten free pasta")
    assert pasta["products"] and all("Gluten Free" in row["title"] for row in pasta["products"])
    assert not any(
        "Rice" in row["title"] for row in ask("misc/search_all_food", query="chocolate cake")["products"]
    )
    assert not ask("misc/search_all_food", query="whopper")["products"]


def test_sugar_is_part_of_carbohydrates() -> None:
    assert all(row.per_100g["sugar"] <= row.per_100g["carbs"] for row in ingredients())
    assert all(row.nutrients["sugar"] <= row.nutrients["carbs"] + 0.01 for row in every_recipe(0))
    sodium = {row.title: row.nutrients["sodium"] for row in every_recipe(0)}
    assert sodium["Pretzel"] < 1200


def test_no_diet_is_claimed_over_an_unread_line() -> None:
    unread = ask("recipes_analyze/analyze_recipe", title="Pasta", ingredients="400 g spaghetti\n150 g blorp")
    assert unread["unreadable"] == ["150 g blorp"] and unread["diets"] == []
    read = ask(
        "recipes_analyze/analyze_recipe", title="Carbonara", ingredients="400 g spaghetti\n150 g guanciale"
    )
    assert not read["unreadable"] and "vegetarian" not in read["diets"]


def test_steps_name_what_is_on_the_list() -> None:
    found = ask(
        "recipes_analyze/analyze_recipe",
        title="Tacos",
        ingredients="500 g ground beef\n8 corn tortillas\n100 g pecorino romano",
        instructions="Brown the beef. Warm the tortillas. Add the cheese.",
    )
    named = [row["name"] for step in found["steps"] for row in step["ingredients"]]
    assert named == ["ground beef", "corn tortilla", "pecorino romano"]


def test_wines_have_their_own_food_and_home() -> None:
    assert not any(
        "Chocolate" in dish
        for dish in ask("wine_restaurants/dish_pairing_for_wine", wine="vermouth")["pairings"]
    )
    assert "Croquetas" in ask("wine_restaurants/dish_pairing_for_wine", wine="cava")["pairings"]
    assert "blue cheese" in ask("wine_restaurants/dish_pairing_for_wine", wine="sauternes")["text"]
    homes = {
        "red wine": "many countries",
        "pinot gris": "France",
        "white zinfandel": "United States",
        "retsina": "Greece",
    }
    for wine, home in homes.items():
        assert ask("wine_restaurants/wine_description", wine=wine)["country"] == home
    assert ask("wine_restaurants/wine_description", wine="Brunello di Montalcino")["wine"] == "brunello"
