"""Food: what strict readers found wrong in dishes, tips, groceries, units and mentions of food."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World
from toolyard.world.worlds.food.recipes import every_recipe, more_recipes, recipes
from toolyard.world.worlds.food.tips import tip_texts

WORLD = World.fresh(0)
PRODUCTS = "Food/spoonacular_products"


def ask(tool: str, **arguments: Any) -> Any:
    return call(WORLD, tool, arguments).value


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("Takoyaki", "octopus"),
        ("Ful Medames", "fava beans"),
        ("Injera", "teff flour"),
        ("Tequila Sunrise", "grenadine"),
        ("Margarita", "triple sec"),
        ("Caipirinha", "cachaça"),
        ("Wiener Schnitzel", "veal"),
        ("Paella", "saffron"),
        ("Palak Paneer", "paneer"),
        ("Pecan Pie", "pecans"),
        ("Sushi", "nori"),
    ],
)
def test_dishes_hold_what_they_are_known_for(title: str, key: str) -> None:
    row = next(row for row in every_recipe(0) if row.title == title)
    assert key in {line.ingredient.name for line in row.lines}


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_no_recipe_lists_an_ingredient_twice(seed: int) -> None:
    for row in (*recipes(seed), *more_recipes(seed)):
        names = [line.ingredient.name for line in row.lines]
        assert len(names) == len(set(names)), (row.title, names)


def test_spirits_cost_and_weigh_what_they_do_and_cocktails_are_no_health_food() -> None:
    parts = ask("Food/spoonacular_recipes_id/price_breakdown_by_id", id=850408)["ingredients"]
    gin = next(part for part in parts if part["name"] == "gin")
    assert 4 < gin["price"]["amount"] < 8
    assert gin["grams"] < 240
    assert all(row.health <= 10 for row in every_recipe(0) if "drink" in row.types and "o" in row.flags)


def test_every_dish_has_tips_of_its_own() -> None:
    shown = [text for row in every_recipe(0) for text in tip_texts(row)]
    assert all(tip_texts(row) for row in every_recipe(0))
    assert len(shown) == len(set(shown))


@pytest.mark.parametrize(
    ("title", "category"),
    [
        ("Tide laundry detergent pods", None),
        ("vanilla candle", None),
        ("Nescafe coffee pods", "coffee"),
        ("red apples", "fruit"),
        ("turkey sandwich", "sandwiches"),
    ],
)
def test_only_food_has_a_grocery_category(title: str, category: str | None) -> None:
    (found,) = ask(f"{PRODUCTS}/classify_grocery_product_bulk", postbody=[{"title": title}])
    assert found.get("category") == category


def test_an_unknown_upc_leaves_the_category_to_the_title() -> None:
    body = {"title": "extra virgin olive oil 1L", "upc": "041196910759"}
    assert ask(f"{PRODUCTS}/classify_grocery_product_2", postbody=body)["category"] == "oil"
    beans = ask(f"{PRODUCTS}/classify_grocery_product_2", postbody={"title": "Heinz baked beans"})
    assert "coffee" not in {row["category"] for row in beans["candidates"]}


def test_searches_want_all_words() -> None:
    found = ask("Food/Tasty/get_recipes", from_=0, size=10, q="banana bread", sort="approved_at:asc")
    assert [row["name"] for row in found["items"]] == ["Banana Bread"]
    groceries = ask(f"{PRODUCTS}/search_grocery_products", query="peanut butter")["items"]
    assert all("Peanut Butter" in row["title"] for row in groceries)


@pytest.mark.parametrize(("ingredient", "unit"), [(9040, "clove"), (12061, "slice"), (19335, "can")])
def test_units_fit_the_ingredient(ingredient: int, unit: str) -> None:
    found = call(
        WORLD,
        "Food/spoonacular_ingredient/get_ingredient_information",
        {"id": ingredient, "amount": 1, "unit": unit},
    )
    assert found.error == "invalid_value"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I baked cookies; dessert was tiramisu.", ["cookie", "tiramisu"]),
        ("My Apple laptop has spam filters.", []),
        ("We had sweet potato fries.", ["sweet potato fries"]),
    ],
)
def test_foods_of_a_text_are_what_is_meant(text: str, names: list[str]) -> None:
    found = ask("Food/spoonacular_misc/detect_food_in_text", text=text)["annotations"]
    assert [row.get("dish") or row["ingredient"] for row in found] == names


def test_a_dish_is_no_ingredient_of_itself() -> None:
    tool = "Food/spoonacular_recipes_analyze/analyze_a_recipe_search_query"
    assert ask(tool, q="keto breakfast with salmon")["dishes"] == []
    found = ask(tool, q="dairy-free banana bread no sugar")
    assert (found["dishes"], found["ingredients"]) == (["banana bread"], ["banana"])
