"""Food and health: what instructions, lines, titles, queries and names say, and what follows from it."""

from __future__ import annotations

import json
from typing import Any

from toolyard.world.executor import call
from toolyard.world.state import World
from toolyard.world.worlds.food.ingredients import ingredient_or_none
from toolyard.world.worlds.food.instruction_reading import equipment_in, minutes_in, sentences
from toolyard.world.worlds.food.made_foods import as_listed
from toolyard.world.worlds.food.measures import read_line
from toolyard.world.worlds.food.products import products
from toolyard.world.worlds.food.recipes import every_recipe, find_recipe
from toolyard.world.worlds.food.similar_recipes import similar
from toolyard.world.worlds.food.wine_kitchens import usual_wines


def answer(tool: str, arguments: dict[str, Any], seed: int = 0) -> Any:
    """The result of a call in a fresh world."""
    result = call(World.fresh(seed), tool, arguments)
    assert not result.error, result.text
    return json.loads(result.text)


def test_numbers_of_a_list_are_no_steps() -> None:
    text = "1. Heat oil in a skillet.\n2) Fry 1.5 kg beef for 5 minutes.\nStep 3: Bake for half an hour.\n- Serve."
    assert [part.split()[0] for part in sentences(text)] == ["Heat", "Fry", "Bake", "Serve"]


def test_nights_seconds_and_half_hours_take_time() -> None:
    assert minutes_in("Chill overnight") == 480
    assert minutes_in("Let rise for one and a half hours, then knead 10 minutes") == 100
    assert minutes_in("Microwave for 90 seconds") == 2
    assert equipment_in("Bake for 20 minutes") == ("oven",)
    assert equipment_in("Bake in a dutch oven") == ("dutch oven",)


def test_steps_of_recipes_fit_into_their_time() -> None:
    for recipe in every_recipe(0):
        assert sum(map(minutes_in, recipe.steps)) <= recipe.minutes, recipe.title


def test_pieces_slices_and_indexes_of_further_foods() -> None:
    bread, shells = read_line("1 slice whole wheat bread"), read_line("8 taco shells")
    assert bread and 25 < bread.grams < 40 and 70 <= bread.ingredient.glycemic_index <= 78
    assert shells and shells.grams == 104
    assert ingredient_or_none("bricks") is None


def test_lines_say_dozens_juice_and_peppers() -> None:
    for line, name, grams in (
        ("2 dozen oysters", "oysters", 336),
        ("juice of 2 limes", "lime juice", 60),
        ("2 Paprika", "bell pepper", 238),
        ("1 tsp paprika", "paprika powder", 2.27),
    ):
        found = read_line(line)
        assert found and (found.ingredient.name, found.grams) == (name, grams)


def test_a_title_is_classed_by_what_it_is() -> None:
    tool = "Food/spoonacular_products/classify_grocery_product_2"
    for title, category in (
        ("gluten free oat crackers", "crackers"),
        ("DiGiorno frozen pepperoni pizza", "frozen pizza"),
        ("Pringles sour cream & onion", "chips"),
        ("extra virgin olive oil", "oil"),
    ):
        assert answer(tool, {"postbody": {"title": title}})["category"] == category


def test_own_products_are_classed_as_they_are_shelved() -> None:
    tool = "Food/spoonacular_products/classify_grocery_product"
    for row in products(0)[::12]:
        assert answer(tool, {"postbody": {"title": row.title}})["breadcrumbs"] == list(row.path)


def test_products_of_foods_keep_their_ids_in_another_world() -> None:
    found = answer("Food/spoonacular_misc/search_all_food", {"query": "lasagna"})
    own = found["products"][0]
    assert (
        answer("Food/spoonacular_products/get_product_information", {"id": own["id"]})["title"]
        == own["title"]
    )
    titles = [item["title"] for item in found["menu_items"]]
    assert len(titles) == len(set(titles))


def test_made_foods_list_what_they_consist_of() -> None:
    assert as_listed(["oat milk"])[:2] == ["water", "oats"]
    for row in products(0):
        for name in as_listed(row.ingredient_names):
            assert ingredient_or_none(name), name


def test_similar_recipes_share_more_than_cocoa() -> None:
    tiramisu = find_recipe(0, 661757)
    assert "Italian" in similar(0, tiramisu)[0].cuisines


def test_wines_of_a_kitchen() -> None:
    assert usual_wines("Thai")[0] == "riesling"
    assert "tempranillo" in usual_wines("spanish")
    paired = answer("Food/spoonacular_wine_restaurants/wine_pairing", {"food": "creme brulee"})
    assert paired["pairedWines"][0] == "sauternes"


def test_a_chain_is_found_alone() -> None:
    found = answer("Food/spoonacular_wine_restaurants/search_restaurants", {"query": "McDonald's in Chicago"})
    assert {item["name"] for item in found["items"]} == {"McDonald's"}


def test_percentages_and_most_words_find_foods() -> None:
    tool = "Health/FoodData_Central/search_foods"
    dark = answer(tool, {"query": "dark chocolate 70%"})["foods"]
    assert dark[0]["description"].startswith("Chocolate, dark, 70-85%")
    assert all(
        "tuna" in food["description"].lower()
        for food in answer(tool, {"query": "tuna canned in water"})["foods"]
    )


def test_less_is_asked_and_answered() -> None:
    said = answer("Food/spoonacular_misc/quick_answer", {"q": "Which has fewer calories, beer or wine?"})
    assert said["ingredient"] == "beer" and "less" in said["answer"]


def test_names_of_people_are_no_food_and_what_is_free_of_something_is_without() -> None:
    text = "Kevin Bacon met us at Chili's for a Big Mac and oats, milk."
    found = answer("Food/spoonacular_misc/detect_food_in_text", {"text": text})["annotations"]
    assert [row["annotation"] for row in found] == ["Big Mac", "oats", "milk"]
    query = answer(
        "Food/spoonacular_recipes_analyze/analyze_a_recipe_search_query", {"q": "sugar free chicken cookies"}
    )
    assert query["ingredients"] == ["chicken"] and "without sugar" in query["modifiers"]


def test_cuisines_are_told_by_title() -> None:
    tool = "Food/spoonacular_recipes_analyze/classify_cuisine"
    assert (
        answer(tool, {"title": "Pfannkuchen", "ingredientList": "3 Eier\n250 g Mehl"})["cuisine"] == "German"
    )
    toast = answer(tool, {"title": "French Toast", "ingredientList": "4 slices bread\n2 eggs"})
    assert toast["cuisine"] == "American"


def test_a_guess_stays_near_its_recipes() -> None:
    tool = "Food/spoonacular_recipes_analyze/guess_nutrition_by_dish_name"
    assert answer(tool, {"title": "Tomato soup"})["protein"]["value"] > 1
    assert call(World.fresh(0), tool, {"title": "Octopus toast"}).error == "not_found"


def test_one_word_names_a_sub_table() -> None:
    foods = answer("Health/Fitness_Calculator/get_foodtable_ids", {"foodtablename": "Fish"})
    assert "salmon" in [food["food"] for food in foods]
