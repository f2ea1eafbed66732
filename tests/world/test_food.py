"""The food world: amounts really convert, nutrition really adds up, and all tools speak of the same food."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolyard.world import Tool, World, call, library
from toolyard.world.kernel.state import EPOCH
from toolyard.world.simulated.food.ingredients import find_ingredient, ingredients, price_cents
from toolyard.world.simulated.food.instructions import minutes_in
from toolyard.world.simulated.food.measures import read_line
from toolyard.world.simulated.food.nutrients import NUTRIENTS
from toolyard.world.simulated.food.products import articles, check_digit, products
from toolyard.world.simulated.food.recipes import SERVINGS, dishes, recipes
from toolyard.world.tools.food.menus import CENTS, menu_items
from toolyard.world.tools.food.wines import PRICES, bottles, wines


def answer(tool: str, arguments: Any, world: World | None = None) -> Any:
    observation = call(world or World.fresh(), tool, arguments)
    assert observation.error is None, observation.text
    return observation.value


@pytest.mark.parametrize(
    ("line", "amount", "unit", "name", "grams"),
    [
        ("1 1/2 cups flour, sifted", 1.5, "cup", "flour", 187.5),
        ("½ tsp salt", 0.5, "tsp", "salt", 3.04),
        ("2-3 carrots", 2.5, "", "carrot", 152.5),
        ("200g spaghetti", 200, "g", "spaghetti", 200),
        ("2 EL Olivenöl", 2, "tbsp", "olive oil", 27),
        ("3 large eggs", 3, "large", "egg", 150),
        ("1 whole chicken, jointed", 1, "", "whole chicken", 1400),
        ("2 cans chickpeas", 2, "can", "chickpeas", 480),
    ],
)
def test_ingredient_lines_are_read_and_weighed(
    line: str, amount: float, unit: str, name: str, grams: float
) -> None:
    read = read_line(line)
    assert read is not None
    assert (read.amount, read.unit, read.ingredient.name) == (amount, unit, name)
    assert read.grams == pytest.approx(grams, abs=0.5)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_no_ingredient_line_raises(text: str) -> None:
    read = read_line(text)
    assert read is None or read.grams >= 0


def test_energy_of_ingredients_agrees_with_their_macronutrients() -> None:
    """4, 9 and 4 kcal per gram hold within 15 % or 20 kcal; alcohol, fibre-rich spices and yeast aside."""
    odd = {"spice", "herb", "baking", "beverage"}
    for row in ingredients():
        facts = row.per_100g
        if row.category in odd:
            continue
        energy = 4 * facts["protein"] + 9 * facts["fat"] + 4 * (facts["carbs"] - facts["fiber"] / 2)
        assert facts["calories"] == pytest.approx(energy, rel=0.15, abs=20), row.name


def test_conversion_goes_there_and_back() -> None:
    there = answer(
        "Food/spoonacular_ingredient/convert_amounts",
        {"ingredientName": "flour", "sourceAmount": 2, "sourceUnit": "cups", "targetUnit": "grams"},
    )
    assert there["targetAmount"] == 250
    back = answer(
        "Food/spoonacular_ingredient/convert_amounts",
        {"ingredientName": "flour", "sourceAmount": 250, "sourceUnit": "g", "targetUnit": "cup"},
    )
    assert back["targetAmount"] == pytest.approx(2)


def test_a_steak_cannot_be_measured_in_cups() -> None:
    arguments = {"ingredientName": "steak", "sourceAmount": 1, "sourceUnit": "cup", "targetUnit": "g"}
    observation = call(World.fresh(), "Food/spoonacular_ingredient/convert_amounts", arguments)
    assert observation.error == "invalid_value"
    assert "weight" in observation.value["error"]["message"]


SEEDS = pytest.mark.parametrize("seed", [0, 1, 7])


@SEEDS
def test_the_figures_of_recipes_are_in_bounds_and_add_up(seed: int) -> None:
    rows = recipes(seed)
    assert len({row.id for row in rows}) == len(rows) == len(dishes())
    assert {716429, 69095} <= {row.id for row in rows}
    for row in rows:
        for kind in NUTRIENTS:
            total = sum(line.grams * line.ingredient.per_100g[kind.key] / 100 for line in row.lines)
            assert row.nutrients[kind.key] == pytest.approx(total / row.servings, abs=0.001), row.title
        prices = [round(price_cents(seed, line.ingredient, line.grams)) for line in row.lines]
        assert row.price_per_serving == pytest.approx(sum(prices) / row.servings, abs=0.01)
        assert 10 <= row.minutes - sum(map(minutes_in, row.steps)) <= 60
        assert row.servings in SERVINGS and 0 <= row.nutrients["calories"] < 2500
        assert 0 <= row.liked <= row.likes and 0 <= row.health <= 100
        assert row.approved_at < EPOCH.timestamp()
        assert "vegan" not in row.diets or not set("mfhde") & set(row.flags)


@SEEDS
def test_the_lines_of_recipes_read_as_they_are_weighed(seed: int) -> None:
    for line in (line for row in recipes(seed)[::9] for line in row.lines):
        read = read_line(line.original)
        assert read is not None and read.ingredient.id == line.ingredient.id, line.original
        assert read.grams == pytest.approx(line.grams, rel=0.01), line.original


@SEEDS
def test_the_figures_of_products_menus_and_wines_are_in_bounds_and_add_up(seed: int) -> None:
    assert len({row.id for row in products(seed)}) == len(products(seed)) == len(articles())
    for row in products(seed):
        assert sum(share for _, share in row.parts) == pytest.approx(100, abs=0.5)
        protein = sum(food.per_100g["protein"] * share / 100 for food, share in row.parts)
        assert row.nutrients["protein"] == pytest.approx(protein * row.serving_grams / 100, abs=0.01)
        assert 0 < row.serving_grams <= row.package_grams and row.cents >= 49
    for item in menu_items(seed):
        assert item.calories == 4 * item.protein + 9 * item.fat + 4 * item.carbs
        assert item.grams > item.protein + item.fat + item.carbs and CENTS[0] <= item.cents < CENTS[1]
    for wine in wines():
        ratings = [row["averageRating"] for row in bottles(seed, wine)]
        assert ratings == sorted(ratings, reverse=True)
        assert all(PRICES[0] <= row["price"]["amount"] <= PRICES[1] for row in bottles(seed, wine))


@SEEDS
def test_a_dish_goes_with_a_wine_where_the_wine_goes_with_the_dish(seed: int) -> None:
    wine, world = "Food/spoonacular_wine_restaurants", World.fresh(seed)
    for kind in wines()[::11]:
        dish = answer(f"{wine}/dish_pairing_for_wine", {"wine": kind.name}, world)["pairings"][0]
        assert kind.name in answer(f"{wine}/wine_pairing", {"food": dish}, world)["pairedWines"]


@SEEDS
def test_views_show_what_their_tables_hold(seed: int) -> None:
    chance, world = random.Random(seed), World.fresh(seed)
    recipe = chance.choice(recipes(seed))
    info = answer("Food/spoonacular_recipes_info/get_recipe_information", {"id": recipe.id}, world)
    shown = (info["title"], info["readyInMinutes"], info["servings"], info["aggregateLikes"])
    assert shown == (recipe.title, recipe.minutes, recipe.servings, recipe.likes)
    more = answer("Food/Tasty/get_more_info", {"id": recipe.id}, world)
    assert more["total_time_minutes"] == recipe.minutes and more["num_servings"] == recipe.servings
    product = chance.choice(products(seed))
    bought = answer("Food/spoonacular_products/get_product_information", {"id": product.id}, world)
    assert (bought["title"], bought["price"]["amount"]) == (product.title, product.cents / 100)
    item = chance.choice(menu_items(seed))
    served = answer("Food/spoonacular_menu/get_menu_item_info", {"id": item.id}, world)
    assert (served["calories"], served["servingGrams"]) == (item.calories, item.grams)


FOOD = [tool for tool in library().values() if tool.category == "Food"]


@pytest.mark.parametrize("tool", FOOD, ids=[tool.name for tool in FOOD])
def test_examples_work_in_every_world_and_simulated_ones_differ(tool: Tool) -> None:
    seen = [[answer(tool.id, example, World.fresh(seed)) for example in tool.examples] for seed in range(3)]
    assert (seen[0] != seen[1] or seen[0] != seen[2]) == (tool.content == "simulated")


@pytest.mark.parametrize(
    "name", ["peanut", "Peanuts", "PEANUT", "fresh basil", "red onion", "Äpfel", "starfruit"]
)
def test_a_food_is_found_however_it_is_written(name: str) -> None:
    assert find_ingredient(name)


@pytest.mark.parametrize(
    "name", ["motor oil", "moon cheese", "Professor Finkelwhistle", "unicorn meat", "xyzzy"]
)
def test_what_is_no_food_is_refused(name: str) -> None:
    for tool, parameter in (("get_ingredient_substitutes", "ingredientName"), ("wine_pairing", "food")):
        assert call(World.fresh(), tool, {parameter: name}).error == "not_found"
    assert answer("Food/spoonacular_products/search_grocery_products", {"query": name})["total"] == 0


def test_every_tool_agrees_on_a_recipe() -> None:
    info = answer(
        "Food/spoonacular_recipes_info/get_recipe_information", {"id": 716429, "includeNutrition": True}
    )
    label = answer("Food/spoonacular_recipes_id/nutrition_by_id", {"id": 716429})
    prices = answer("Food/spoonacular_recipes_id/price_breakdown_by_id", {"id": 716429})
    tasty = answer("Food/Tasty/get_more_info", {"id": 716429})
    assert info["nutrients"][0]["amount"] == pytest.approx(label["calories"], abs=1)
    assert tasty["calories_per_serving"] == label["calories"]
    assert prices["totalCostPerServing"]["amount"] == pytest.approx(info["pricePerServing"] / 100, abs=0.01)
    assert [line["name"] for line in info["extendedIngredients"]] == [
        part["ingredient"] for part in tasty["components"]
    ]


def test_filters_keep_their_promise() -> None:
    found = answer(
        "Food/spoonacular_recipes_search/search_recipes",
        {"query": "curry", "diet": "vegan|ketogenic", "intolerances": ["Soy"], "number": 50},
    )
    assert found["total"] > 0
    for row in found["items"]:
        assert {"vegan", "ketogenic"} & set(row["diets"])
        parts = answer("Food/spoonacular_recipes_id/ingredients_by_id", {"id": row["id"]})
        assert not {"tofu", "soy sauce", "soy milk"} & {part["name"] for part in parts}
    lean = answer(
        "Food/spoonacular_menu/search_menu_items", {"query": "McDonald's", "maxCarbs": 30, "number": 50}
    )
    assert all(row["restaurantChain"] == "McDonald's" for row in lean["items"])


def test_product_codes_have_right_check_digits_and_lead_back() -> None:
    for row in products(0):
        assert check_digit(row.upc[:11]) == row.upc[11]
    assert len({row.upc for row in products(0)}) == len(products(0))
    upc = products(0)[3].upc
    found = answer("Food/spoonacular_products/search_grocery_products_by_UPC", {"upc": upc})
    assert found["id"] == products(0)[3].id
    wrong = upc[:11] + str((int(upc[11]) + 1) % 10)
    observation = call(World.fresh(), "Food/spoonacular_products/get_comparable_products", {"upc": wrong})
    assert observation.error == "invalid_value"


def test_questions_are_answered_from_the_table() -> None:
    ask = "Food/spoonacular_misc/quick_answer"
    assert answer(ask, {"q": "How much vitamin c is in 2 apples?"})["amount"] == pytest.approx(
        2 * 1.82 * 4.6, abs=0.05
    )
    more = answer(ask, {"q": "Which has more protein, 100 g tofu or 100 g rice?"})
    assert (more["ingredient"], more["amount"]) == ("tofu", pytest.approx(17.3 - 7.1))


def test_the_chatbot_remembers_what_it_was_asked() -> None:
    world = World.fresh()
    talk = "Food/spoonacular_misc/talk_to_chatbot"
    first = answer(talk, {"text": "chicken", "contextId": "c1"}, world)
    second = answer(talk, {"text": "more", "contextId": "c1"}, world)
    assert len(first["media"]) == len(second["media"]) == 3
    assert not {row["id"] for row in first["media"]} & {row["id"] for row in second["media"]}
    assert second["turn"] == 2
    assert answer(talk, {"text": "more", "contextId": "c2"}, world)["media"] == []
    assert sorted(world.diff()["food_conversations"]["added"]) == ["c1", "c2"]


def test_body_formulas_give_published_figures() -> None:
    health = "Health/Fitness_Calculator"
    man = {"age": 25, "gender": "male", "height": 180, "weight": 70, "activitylevel": "level_3"}
    need = answer(f"{health}/get_daily_calory_requirement", man)
    assert need["basal_metabolic_rate"] == 10 * 70 + 6.25 * 180 - 5 * 25 + 5
    assert need["goals"][0]["calories"] == round(1705 * 1.465)
    assert answer(f"{health}/get_bmi", {"age": 42, "height": 180, "weight": 90})["bmi"] == 27.78
    assert answer(f"{health}/get_ideal_weight", {"gender": "male", "height": 180})["devine"] == 74.99
    burned = answer(f"{health}/get_calories_burned", {"activityid": "ru_1", "activitymin": 30, "weight": 80})
    assert burned["burned_kcal"] == pytest.approx(8.3 * 3.5 * 80 / 200 * 30, abs=0.1)
    plans = answer(f"{health}/get_macro_nutrients_amount", {**man, "goal": "weightlose"})
    for name in ("balanced", "lowfat", "lowcarbs", "highprotein"):
        plan = plans[name]
        energy = 4 * plan["protein"] + 9 * plan["fat"] + 4 * plan["carbs"]
        assert energy == pytest.approx(plans["calories"], rel=0.005)


def test_the_food_catalogue_pages_without_gaps() -> None:
    arguments = {"dataType": ["Foundation"], "pageSize": 50}
    pages = [
        answer("Health/FoodData_Central/get_food_lists", {**arguments, "pageNumber": number})
        for number in range(1, 5)
    ]
    ids = [row["fdcId"] for page in pages for row in page["items"]]
    assert len(ids) == len(set(ids)) == pages[0]["total"]
    assert ids == sorted(ids)
    assert 329702 in ids


@pytest.mark.parametrize("seed", range(4))
def test_an_italian_meal_is_near_the_quoted_point_in_every_world(seed: int) -> None:
    arguments = {"query": "Italian", "lat": 37.7786357, "lng": -122.3918135, "budget": 100, "distance": 2}
    found = answer("Food/spoonacular_wine_restaurants/search_restaurants", arguments, World.fresh(seed))
    assert found["total"] > 0
    assert all(row["miles"] <= 2 and row["meal_usd"] <= 100 for row in found["items"])
