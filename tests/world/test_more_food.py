"""Dishes and generic foods beyond the written recipes and ingredients."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call


def ask(name: str, **arguments: Any) -> Any:
    observation = call(World.fresh(0), name, arguments)
    assert observation.error is None, observation.text
    return observation.value


@pytest.mark.parametrize("dish", ["gazpacho", "Pad Thai", "crème brûlée", "Moussaka", "mojito"])
def test_a_dish_that_is_named_is_found_first_and_has_a_whole_recipe(dish: str) -> None:
    first = ask("Food/spoonacular_recipes_search/search_recipes", query=dish, number=3)["items"][0]
    whole = ask("Food/spoonacular_recipes_info/get_recipe_information", id=first["id"])
    assert whole["title"] == first["title"]
    assert (
        ask("Food/spoonacular_recipes_analyze/guess_nutrition_by_dish_name", title=dish)["basedOn"][0]
        == first["title"]
    )


def test_a_generic_food_has_the_nutrients_of_the_table_under_every_tool() -> None:
    found = ask("Health/FoodData_Central/search_foods", query="tempeh", pageSize=5)["foods"][0]
    item = ask("Health/FoodData_Central/get_food_item_by_id", fdcId=found["fdcId"])
    energy = next(one["amount"] for one in item["foodNutrients"] if one["number"] == 208)
    assert energy == 192
    parsed = ask(
        "Food/spoonacular_ingredient/parse_ingredients",
        ingredientList="100 g tempeh",
        servings=1,
        includeNutrition=False,
    )
    assert parsed["ingredients"][0]["name"] == "tempeh"


@pytest.mark.parametrize("name", ["xqzzt powder", "vrkpt oil"])
def test_what_cannot_be_said_is_no_ingredient(name: str) -> None:
    observation = call(
        World.fresh(0), "Food/spoonacular_ingredient/get_ingredient_substitutes", {"ingredientName": name}
    )
    assert observation.error == "not_found"


def test_bottles_are_made_where_their_name_allows_and_are_old_enough() -> None:
    found = ask("Food/spoonacular_wine_restaurants/wine_recommendation", wine="champagne", number=12)
    titles = [row["title"] for row in found["recommendedWines"]]
    assert titles
    assert all(
        title.endswith("Champagne Brut NV") and title.startswith(("Maison", "Domaine")) for title in titles
    )


def test_the_chatbot_keeps_to_a_diet_and_tiramisu_to_its_biscuits() -> None:
    answer = ask("Food/spoonacular_misc/talk_to_chatbot", text="I want a vegan dessert")
    assert "Tiramisu" not in answer["answerText"]
    recipe = ask("Food/spoonacular_recipes_info/get_recipe_information", id=661757)
    assert "250 g ladyfingers" in [row["original"] for row in recipe["extendedIngredients"]]
    assert recipe["readyInMinutes"] >= 240


def test_what_is_like_a_sweet_is_a_sweet_and_a_cheeseburger_is_a_burger() -> None:
    like = ask("Food/spoonacular_recipes_info/get_similar_recipes", id=661757, number=3)
    whole = [ask("Food/spoonacular_recipes_info/get_recipe_information", id=row["id"]) for row in like]
    assert all("dessert" in row["dishTypes"] for row in whole)
    burgers = ask("Food/spoonacular_menu/search_menu_items", query="burger", number=5)["items"]
    assert "Cheeseburger" in [row["title"] for row in burgers]


def test_a_maker_s_name_finds_what_they_made() -> None:
    found = ask("Entertainment/Google_play_store/books_related_searches", q="Stephen King")
    assert {row["author"] for row in found} == {"Stephen King"}
