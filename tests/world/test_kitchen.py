"""What a cook would notice: recipes that can be followed, kitchens, substitutes, shops."""

from __future__ import annotations

import re
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.worlds.food.recipes import more_recipes, recipes

_COUNTS = {"a": 1.0, "an": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "eleven": 11.0}


def _ask(tool: str, /, **arguments: Any) -> Any:
    result = call(World.fresh(seed=0), f"Food/{tool}", arguments)
    assert result.error is None, result.text
    return result.value


def _refused(tool: str, /, **arguments: Any) -> str:
    result = call(World.fresh(seed=0), f"Food/{tool}", arguments)
    assert result.error is not None, result.text
    return result.text


def _minutes(text: str) -> float:
    found = 0.0
    for count, unit, half in re.findall(r"\b(\w+) (minute|hour|day)s?( and a half)?", text):
        number = float(count) if count.isdigit() else _COUNTS.get(count, 0.0)
        size = {"minute": 1, "hour": 60, "day": 1440}[unit]
        found += size * (number + (0.5 if half else 0.0))
    return found


def test_no_recipe_takes_longer_than_it_says() -> None:
    late = [row.title for row in (*recipes(0), *more_recipes(0)) if _minutes(row.instructions) > row.minutes]
    assert late == []


def test_the_steps_of_a_dish_use_what_it_is_made_of() -> None:
    for row in more_recipes(0):
        text = row.instructions.lower()
        unused = [
            line.ingredient.name
            for line in row.lines
            if not any(
                word.rstrip("s") in text
                for word in (*line.ingredient.name.split(), line.original.split()[-1])
            )
        ]
        assert not unused or row.title == "Fruit Salad", (row.title, unused)


def test_a_carbonara_keeps_its_bacon_and_is_not_scrambled() -> None:
    steps = _ask("Tasty/get_more_info", id=850000)["instructions"]
    assert "bacon" in steps
    assert "off the heat" in steps


@pytest.mark.parametrize(
    ("title", "lines", "kitchen"),
    [
        ("Pierogi", "300 g flour\n200 g potato", "Polish"),
        ("Moussaka", "2 eggplants\n500 g ground lamb", "Greek"),
        ("Pho bo", "200 g rice noodles\n500 g beef", "Vietnamese"),
        ("Stuffed shells", "200 g pasta\n100 g ricotta\n1 cup tomato sauce", "Italian"),
    ],
)
def test_a_dish_is_of_its_own_kitchen(title: str, lines: str, kitchen: str) -> None:
    found = _ask("spoonacular_recipes_analyze/classify_cuisine", title=title, ingredientList=lines)
    assert found["cuisine"] == kitchen


def test_nothing_is_of_no_kitchen() -> None:
    assert "say what to look for" in _refused(
        "spoonacular_recipes_analyze/classify_cuisine", title="", ingredientList=""
    )


@pytest.mark.parametrize(
    "question", ["Who invented pizza?", "Is honey vegan?", "How much taurine is in coffee?"]
)
def test_what_is_no_question_about_a_known_nutrient_is_refused(question: str) -> None:
    assert "Vitamin C" in _refused("spoonacular_misc/quick_answer", q=question)


def test_only_what_cooks_swap_is_a_substitute() -> None:
    tool = "spoonacular_ingredient/get_ingredient_substitutes"
    assert _ask(tool, ingredientName="durian")["substitutes"] == []
    assert "banana" not in str(_ask(tool, ingredientName="pomegranate"))


def test_shops_sell_food() -> None:
    assert _ask("spoonacular_products/search_grocery_products", query="motor oil")["items"] == []
    assert "laptop bag" in _refused(
        "spoonacular_products/classify_grocery_product_2", postbody={"title": "laptop bag"}
    )
    mapped = _ask(
        "spoonacular_products/map_ingredients_to_grocery_products",
        postbody={"ingredients": ["1 lb ground beef", "1 tbsp cumin"]},
    )
    assert all(item["products"] for item in mapped)


def test_spices_cost_what_spices_cost() -> None:
    lines = _ask(
        "spoonacular_ingredient/parse_ingredients",
        ingredientList="1 pinch saffron\n1/4 tsp ground nutmeg",
        servings=1,
        includeNutrition=False,
    )["ingredients"]
    assert [line["name"] for line in lines] == ["saffron", "nutmeg"]
    assert lines[0]["estimatedCost"]["amount"] > 0.2


def test_a_step_names_the_chicken_of_its_recipe() -> None:
    steps = _ask("spoonacular_recipes_info/get_analyzed_recipe_instructions", id=69095)
    assert "chicken breast" not in {row["name"] for step in steps for row in step["ingredients"]}


def test_a_least_above_its_most_is_refused() -> None:
    said = _refused("spoonacular_recipes_search/search_recipes_by_nutrients", minCarbs=50, maxCarbs=10)
    assert "maxCarbs=10" in said


def test_prices_of_the_parts_add_up() -> None:
    for recipe in (632252, 663126, 850060):
        found = _ask("spoonacular_recipes_id/price_breakdown_by_id", id=recipe)
        total = sum(part["price"]["amount"] for part in found["ingredients"])
        assert found["totalCost"]["amount"] == pytest.approx(total, abs=0.001)


def test_wines_of_a_region_come_from_there() -> None:
    bottles = _ask("spoonacular_wine_restaurants/wine_recommendation", wine="chianti", number=20)
    assert all("Chianti" in row["title"] for row in bottles["recommendedWines"])
    assert "Three Oaks" not in str(bottles)


def test_a_search_keeps_the_diet_that_it_names() -> None:
    found = _ask("spoonacular_recipes_search/search_recipes", query="vegetarian lasagna")["items"]
    assert [row["title"] for row in found] == ["Vegetable Lasagna"]
    said = _ask("spoonacular_misc/talk_to_chatbot", text="I want a vegan dessert")["media"]
    assert said
    assert "Tiramisu" not in {row["title"] for row in said}


def test_sweets_get_sweet_wines() -> None:
    tool = "spoonacular_wine_restaurants/wine_pairing"
    assert _ask(tool, food="chocolate cake")["pairedWines"][0] == "port"
    assert _ask(tool, food="chicken pot pie")["pairedWines"][0] == "chardonnay"


def test_foods_beyond_the_tables_are_detected() -> None:
    text = "She ordered pumpkin bisque with croutons at the table."
    found = _ask("spoonacular_misc/detect_food_in_text", text=text)["annotations"]
    assert [row["annotation"] for row in found] == ["pumpkin", "bisque", "croutons"]
