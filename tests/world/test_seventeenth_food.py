"""Food says less, and what it says holds: kitchens of a region, what is alike, short texts, no fillers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world import World, call


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def told(world: World, tool: str, **arguments: object) -> Any:
    answer = call(world, f"Food/{tool}", arguments)
    assert answer.error is None, answer.text
    return json.loads(answer.text)


def test_what_is_of_a_country_is_of_its_region(world: World) -> None:
    thai = told(world, "Tasty/get_recipes", from_=0, size=40, tags=["thai"])["items"]
    assert thai and all("asian" in row["tags"] for row in thai)
    found = told(
        world, "spoonacular_recipes_search/search_recipes", query="chicken", cuisine=["Asian"], number=100
    )
    assert {"Teriyaki Chicken", "Butter Chicken"} <= {row["title"] for row in found["items"]}
    counts = {row["name"]: row["recipes"] for row in told(world, "Tasty/list_tags")}
    assert counts["asian"] >= counts["chinese"] + counts["thai"] and counts["european"] > counts["italian"]


def test_what_is_called_alike_is_alike(world: World) -> None:
    def alike(query: str) -> list[str]:
        recipe = told(world, "Tasty/get_recipes", from_=0, size=1, q=query)["items"][0]
        return [row["name"] for row in told(world, "Tasty/get_similar_recipes", id=recipe["id"])]

    assert "Shakshuka" in alike("menemen") and "Dal" not in alike("shakshuka")
    assert "Pelmeni" not in alike("bobotie")
    assert "Grilled Cheese Sandwich" not in alike("grilled steak")
    assert {"Ramen", "Pho"} <= set(alike("chicken noodle soup"))
    assert alike("stollen") and alike("jerk chicken") and alike("koshari")


def test_a_recipe_names_no_cook_and_says_in_short_what_it_is(world: World) -> None:
    page = told(world, "Tasty/get_more_info", id=69095)
    assert "credits" not in page
    assert page["description"] == "American soup, 4 servings, ready in 60 minutes."


def test_suggestions_complete_several_words_and_are_titles(world: World) -> None:
    soups = [row["display"] for row in told(world, "Tasty/get_auto_suggestion", prefix="chicken so")]
    assert soups[0] == "Chicken Noodle Soup" and "chicken breast" not in soups
    pasta = told(world, "Tasty/get_auto_suggestion", prefix="pasta")
    assert not [row for row in pasta if row["type"] == "recipe" and row["display"] == "pasta"]
    assert told(world, "Tasty/get_auto_suggestion", prefix="creme br")[0]["display"] == "Crème Brûlée"


ANALYZE, PRODUCTS = "spoonacular_recipes_analyze", "spoonacular_products"


def test_a_guess_is_made_from_dishes_of_the_kind_and_claims_no_range(world: World) -> None:
    def basis(title: str) -> list[str]:
        found = told(world, f"{ANALYZE}/guess_nutrition_by_dish_name", title=title)
        assert set(found["calories"]) == {"value", "unit"}
        return list(found["basedOn"])

    assert basis("sushi roll") == ["Sushi"]
    assert basis("mushroom pizza") == ["Margherita Pizza", "Pepperoni Pizza"]
    assert "Crab Cakes" not in basis("coffee cake") and basis("omelet") == ["Omelette"]
    assert "Pasta Salad" not in basis("tomato pasta")


def test_a_summary_is_short_and_no_guess_is_certain(world: World) -> None:
    text = told(world, f"{ANALYZE}/summarize_recipe", id=850001)["summary"]
    assert text.startswith("Italian main course, 4 servings, ready in 60 minutes.") and "people" not in text
    guess = told(
        world, f"{ANALYZE}/classify_cuisine", title="Brownies", ingredientList="butter\nsugar\ncocoa"
    )
    assert guess["cuisine"] == "American" and guess["confidence"] < 1


def test_names_of_dishes_hold_no_wishes_and_german_pans_are_pans(world: World) -> None:
    query = f"{ANALYZE}/analyze_a_recipe_search_query"
    assert told(world, query, q="grilled cheese sandwich")["modifiers"] == []
    assert told(world, query, q="sweet potato fries")["modifiers"] == []
    assert told(world, query, q="spicy soup")["modifiers"] == ["spicy"]
    lines = "250 g Mehl\n500 ml Milch\n3 Eier"
    found = told(world, f"{ANALYZE}/analyze_recipe", title="Pfannkuchen", ingredients=lines, includeTaste=True,
                 instructions="In der Pfanne backen.")  # fmt: skip
    assert found["steps"][0]["equipment"] == ["frying pan"] and found["taste"]["sweetness"] < 40
    assert "healthScore" not in found


def test_a_title_is_in_its_category_and_those_of_foods_it_names(world: World) -> None:
    def candidates(title: str) -> list[str]:
        found = told(world, f"{PRODUCTS}/classify_grocery_product_2", postbody={"title": title})
        assert "matched" not in found
        return [row["category"] for row in found["candidates"]]

    assert candidates("Kikkoman soy sauce") == ["condiments"]
    assert candidates("Hershey's cocoa powder") == ["baking"]
    assert candidates("frozen pizza with mushrooms and ham") == ["frozen pizza", "vegetable", "deli meat"]


def test_a_search_for_groceries_has_no_fillers(world: World) -> None:
    def titles(query: str) -> list[str]:
        found = told(world, f"{PRODUCTS}/search_grocery_products", query=query)
        return [row["title"] for row in found["items"]]

    assert all("Eggs" in title for title in titles("organic eggs")) and titles("organic eggs")
    assert titles("chocolate cake") == []
    assert len(titles("gluten free bread")) == 2 and len(titles("vegan cheese")) == 2
    assert titles("fennel") == ["Green Acre Fennel"]


def test_a_package_says_what_it_can_know(world: World) -> None:
    coffee = told(world, f"{PRODUCTS}/get_product_information", id=200641)
    assert "likes" not in coffee
    assert coffee["servingGrams"] * coffee["numberOfServings"] == pytest.approx(coffee["packageGrams"])
    cheese = told(world, f"{PRODUCTS}/search_grocery_products_by_UPC", upc="041818003012")
    assert not {"vegetarian", "single_ingredient"} & set(cheese["badges"])
    assert "more_likes" not in told(world, f"{PRODUCTS}/get_comparable_products", upc="041818003012")
    saffron = told(world, f"{PRODUCTS}/search_grocery_products", query="saffron", addProductInformation=True)
    assert saffron["items"][0]["price"]["amount"] < 40


def test_flakes_of_chili_and_cayenne_are_spices_of_their_own(world: World) -> None:
    found = told(world, "spoonacular_ingredient/parse_ingredients", servings=1, includeNutrition=False,
                 ingredientList="1 tsp red pepper flakes\n1 tsp cayenne\n1 tsp chili powder")  # fmt: skip
    assert [row["name"] for row in found["ingredients"]] == ["chili flakes", "cayenne pepper", "chili powder"]
    grain = told(
        world, "spoonacular_ingredient/ingredient_search", query="tortilla chips", intolerances=["Grain"]
    )
    assert not [row for row in grain["items"] if row["name"] == "tortilla chips"]


MISC, MENU, WINE = "spoonacular_misc", "spoonacular_menu", "spoonacular_wine_restaurants"
INGREDIENT = "spoonacular_ingredient"


def test_substitutes_are_rules_and_nothing_else(world: World) -> None:
    found = told(world, f"{INGREDIENT}/get_ingredient_substitutes", ingredientName="mayonnaise")
    assert "alternatives" not in found and found["message"] == "2 substitutes for mayonnaise."
    for name in ("cabbage", "mussels", "allspice", "vodka", "chives"):
        assert told(world, f"{INGREDIENT}/get_ingredient_substitutes", ingredientName=name)["substitutes"]


def test_aisles_and_kinds_of_simple_foods(world: World) -> None:
    def aisle(name: str) -> str:
        rows = told(world, f"{INGREDIENT}/ingredient_search", query=name, metaInformation=True)["items"]
        return str(rows[0]["aisle"])

    assert aisle("chicken broth") == aisle("tomato puree") == "Canned and Jarred"
    assert aisle("corn flakes") == "Cereal"
    milk = told(world, f"{INGREDIENT}/ingredient_search", query="milk", addChildren=True)["items"][0]
    assert "skim milk" in milk["children"] and "almond milk" not in milk["children"]
    pasta = told(world, f"{INGREDIENT}/ingredient_search", query="pasta")["items"]
    assert {"pasta", "spaghetti"} <= {row["name"] for row in pasta}


def test_one_invented_chain_serves_what_no_real_one_does(world: World) -> None:
    found = told(world, f"{MENU}/search_menu_items", query="caesar salad")["items"]
    assert len(found) == 1
    info = told(world, f"{MENU}/get_menu_item_info", id=found[0]["id"])
    assert info["title"] == "Caesar Salad" and "likes" not in info
    assert told(world, f"{MENU}/search_menu_items", query="vegan soup")["items"] == []


def test_a_search_of_everything_holds_no_parts(world: World) -> None:
    assert told(world, f"{MISC}/search_all_food", query="chocolate cake")["simple_foods"] == []
    assert told(world, f"{MISC}/search_all_food", query="vegan soup")["menu_items"] == []
    assert told(world, f"{MISC}/search_all_food", query="apple")["simple_foods"][0]["name"] == "apple"


def test_videos_claim_no_fame(world: World) -> None:
    videos = told(world, f"{MISC}/search_food_videos", query="sushi")["items"]
    assert [row["title"] for row in videos] == ["How to make Sushi", "Sushi: the short version"]
    assert not {"rating", "views"} & set(videos[0])
    assert told(world, f"{MISC}/search_food_videos", query="pasta", diet="vegetarian", maxLength=60)["items"]


def test_dishes_by_other_spellings_and_names_after_a_semicolon(world: World) -> None:
    text = "We had cole slaw and a BLT; Olive had soup."
    found = told(world, f"{MISC}/detect_food_in_text", text=text)["annotations"]
    assert [(row["annotation"], row["tag"]) for row in found] == [
        ("cole slaw", "dish"),
        ("BLT", "dish"),
        ("soup", "dish"),
    ]


def test_wines_say_what_they_are(world: World) -> None:
    lamb = told(world, f"{WINE}/wine_pairing", food="hot dog")
    assert "hot dog" not in lamb["pairingText"] and "link" not in lamb["productMatches"][0]
    assert told(world, f"{WINE}/wine_pairing", food="Italian")["pairedWines"][:2] == ["sangiovese", "barbera"]
    pink = told(world, f"{WINE}/dish_pairing_for_wine", wine="white zinfandel")
    assert "Sauerkraut" not in pink["pairings"]
    reply = told(world, f"{MISC}/talk_to_chatbot", text="What wine goes with salmon?")["answerText"]
    assert reply == "You could drink: Pinot Noir, Chardonnay, Rosé."


def test_real_chains_are_shown_when_they_are_asked_for(world: World) -> None:
    at = {"lat": 37.7786357, "lng": -122.3918135}
    found = told(world, f"{WINE}/search_restaurants", query="Italian", **at)["items"]
    assert found and not any("restaurant_chain" in row for row in found)
    branches = told(world, f"{WINE}/search_restaurants", query="Chipotle", **at)["items"]
    assert branches and not any({"address", "latitude", "rating_count"} & set(row) for row in branches)


def test_each_ingredient_completes_once_and_tins_hold_canned_tomatoes(world: World) -> None:
    found = told(world, f"{INGREDIENT}/autocomplete_ingredient_search", query="alm")
    assert [row["name"] for row in found] == ["almonds", "almond milk", "almond flour"]
    lines = told(world, f"{INGREDIENT}/parse_ingredients", servings=1, includeNutrition=False,
                 ingredientList="400g tin chopped tomatoes")["ingredients"]  # fmt: skip
    assert lines[0]["name"] == "canned tomatoes"


def test_kinds_of_dishes_and_what_only_one_kitchen_cooks_with(world: World) -> None:
    cakes = told(world, "spoonacular_recipes_search/search_recipes", query="cake", number=100)["items"]
    assert "Tteokbokki" not in {row["title"] for row in cakes}

    def kitchens(title: str, lines: str) -> list[str]:
        return list(told(world, f"{ANALYZE}/classify_cuisine", title=title, ingredientList=lines)["cuisines"])

    assert kitchens("Noodles", "200 g udon\n2 tbsp soy sauce") == ["Japanese"]
    assert kitchens("Sunday roast", "beef\npotatoes\ngravy") == ["British"]
    assert kitchens("Dinner", "2 tbsp gochujang\nrice\nbeef") == ["Korean"]
