"""Hotels, cars, journeys, weather, places and kitchens as a traveller or a cook knows them."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call


def said(tool: str, **arguments: Any) -> Any:
    """What a tool answers in a fresh world; a fault is a failure of the test."""
    answer = call(World.fresh(seed=0), tool, arguments)
    assert answer.error is None, answer.text
    return answer.value


STATISTICS = "Travel/Hotels_Statistical_Data"


@pytest.mark.parametrize(
    ("query", "city"),
    [("Louvre", "Paris"), ("Heathrow airport", "London"), ("Santorini", "Firá"), ("Mallorca", "Palma")],
)
def test_sights_airports_and_islands_lead_to_their_town(query: str, city: str) -> None:
    assert said("Travel/Hotels/search_locations", query=query)[0]["city"] == city


def test_part_of_a_name_finds_hotels_that_bear_it() -> None:
    found = said("Travel/Hotels_Data/search_city_hotels", query="Plaza", lookFor="hotel")["hotels"]
    assert found
    assert all("Plaza" in row["name"] for row in found)


def test_the_indian_autumn_is_warm_and_its_winter_mild() -> None:
    october = said("Weather/weatherapi/future", q="Delhi", dt="2024-10-15")["day"]["mean_c"]
    december = said("Weather/weatherapi/future", q="Delhi", dt="2024-12-25")["day"]["mean_c"]
    assert 21 < october < 31
    assert 11 < december < 20


def test_the_sea_is_not_told_for_places_far_inland() -> None:
    answer = call(World.fresh(seed=0), "Weather/weatherapi/marine", {"q": "Denver"})
    assert answer.error == "not_found"
    assert said("Weather/weatherapi/marine", q="Brest")["nearest_city"] == "Brest"


def test_numbers_of_titles_do_not_make_pasta_juice() -> None:
    shop = "Food/spoonacular_products"
    pasta = said(f"{shop}/classify_grocery_product", postbody={"title": "Barilla Spaghetti No. 5"})
    assert pasta["category"] == "pasta"
    ketchup = said(f"{shop}/classify_grocery_product_2", postbody={"title": "Heinz Tomato Ketchup 20 oz"})
    assert ketchup["candidates"][0]["category"] == ketchup["category"] == "condiments"


def test_a_whole_chicken_is_chicken_and_its_broth_is_not() -> None:
    found = said(
        "Food/spoonacular_recipes_search/search_recipes_by_ingredients",
        ingredients=["chicken", "lemon", "rosemary"],
    )
    assert "whole chicken" in found[0]["usedIngredients"]
    assert all("broth" not in name for row in found for name in row["usedIngredients"])


def test_recipes_count_in_large_eggs() -> None:
    lines = said(
        "Food/spoonacular_ingredient/parse_ingredients",
        ingredientList="3 large eggs",
        servings=1,
        includeNutrition=False,
    )
    assert lines["ingredients"][0]["grams"] == 150.0


def test_completions_name_a_dish_once() -> None:
    found = said("Food/spoonacular_recipes_analyze/autocomplete_recipe_search", query="risot")
    titles = [row["title"] for row in found]
    assert len(titles) == len(set(titles)) > 1


def test_restaurants_are_in_the_city_that_the_query_ends_in() -> None:
    restaurants = "Food/spoonacular_wine_restaurants/search_restaurants"
    found = said(restaurants, query="vegan burger in Berlin")["items"]
    assert {row["city"] for row in found} == {"Berlin"}
    assert max(row["meal_usd"] for row in found) < 50


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("MIT", "Massachusetts Institute of Technology"),
        ("UCLA", "University of California, Los Angeles"),
        ("ETH", "ETH Zurich"),
    ],
)
def test_universities_are_known_by_their_letters(name: str, first: str) -> None:
    found = said("Location/Geodatabase/get_university_infomation", name=name)
    assert [row["name"] for row in found] == [first]


@pytest.mark.parametrize(
    ("title", "shelf"),
    [
        ("Organic bananas", ["Produce", "Fruit"]),
        ("Frozen blueberries", ["Frozen Foods", "Fruit"]),
        ("Philadelphia Original Cream Cheese 8 oz", ["Dairy", "Cheese", "Cream Cheese"]),
        ("Greek yogurt with honey", ["Dairy", "Yogurt", "Greek Yogurt"]),
    ],
)
def test_groceries_stand_where_the_food_of_their_title_stands(title: str, shelf: list[str]) -> None:
    found = said("Food/spoonacular_products/classify_grocery_product_bulk", postbody=[{"title": title}])
    assert found[0]["breadcrumbs"] == shelf


def test_brands_of_others_are_not_sold_under_invented_ones() -> None:
    for name in ("Oreo", "Nutella"):
        assert said("Food/spoonacular_products/search_grocery_products", query=name)["total"] == 0


def test_flour_is_not_bought_as_pizza_nor_salt_as_popcorn() -> None:
    body = {"ingredients": ["2 cups flour", "1 tsp salt"], "servings": 1}
    found = said("Food/spoonacular_products/map_ingredients_to_grocery_products", postbody=body)
    titles = [product["title"] for row in found for product in row["products"]]
    assert titles
    assert all(title.endswith(("Flour", "Salt")) for title in titles)


def test_slices_and_cans_weigh_what_they_do() -> None:
    pizza = said("Food/spoonacular_misc/quick_answer", q="How many carbs are in a slice of pizza?")
    assert 25 < pizza["amount"] < 45
    coke = said("Food/spoonacular_misc/quick_answer", q="How much sugar is in a can of coke?")
    assert 35 < coke["amount"] < 45


@pytest.mark.parametrize("city", ["Leipzig", "Omaha", "Busan", "Quito"])
def test_sights_of_towns_are_their_own(city: str) -> None:
    found = said("Travel/BMTool_Travel/landscapeProducts", destination=city, exhibit_maxnum=6)
    assert not [
        row["name"] for row in found if row["name"] in (f"{city} City Museum", f"{city} Central Market")
    ]
    assert len({(row["latitude"], row["longitude"]) for row in found}) == len(found) > 1


def test_trains_are_found_by_their_towns() -> None:
    found = said("Travel/Railway/indian_railway_search", search="Bhopal")
    assert {row["train_number"] for row in found} >= {"12001", "12002"}
    delhi = said("Travel/Railway/indian_railway_search", search="New Delhi")
    assert all("New Delhi" in (row["origin"], row["destination"], row["name"]) for row in delhi)
    assert len(delhi) > 5
