"""Common foods, dishes and products as people ask for them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.search import words
from toolyard.world.state import World

TASTY, MISC = "Food/Tasty/", "Food/spoonacular_misc/"
PRODUCTS, INGREDIENT = "Food/spoonacular_products/", "Food/spoonacular_ingredient/"
ANALYZE, WINE = "Food/spoonacular_recipes_analyze/", "Food/spoonacular_wine_restaurants/"
SEARCH, PARTS = "Food/spoonacular_recipes_search/", "Food/spoonacular_recipes_id/"


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def _told(world: World, tool: str, **arguments: object) -> Any:
    result = call(world, tool, arguments)
    assert result.error is None, result.text
    return json.loads(result.text)


def _recipe(world: World, title: str) -> int:
    rows = _told(world, f"{SEARCH}search_recipes", query=title)["items"]
    return next(int(row["id"]) for row in rows if row["title"] == title)


@pytest.mark.parametrize(
    ("title", "category", "place"),
    [
        ("Snickers Bar", "chocolate", "Snacks > Chocolate"),
        ("Gatorade Lemon Lime", "sports drink", "Beverages > Sports Drinks"),
        ("LaCroix Lime", "water", "Beverages > Water"),
        ("Crisco Vegetable Shortening", "baking", "Pantry > Baking"),
        ("Thomas English Muffins", "english muffins", "Bakery > English Muffins"),
        ("Turkey Breast Sliced", "deli meat", "Deli > Sliced Meat"),
        ("Shrimp Raw Frozen", "frozen fish", "Frozen Foods > Fish"),
        ("Del Monte Sliced Peaches", "canned fruit", "Pantry > Canned Goods > Fruit"),
        ("Kale Organic Bunch", "vegetable", "Produce > Vegetables"),
        ("Broccoli Crowns", "vegetable", "Produce > Vegetables"),
        ("Prego Pasta Sauce", "pasta sauce", "Pantry > Sauces > Pasta Sauce"),
        ("Silken Tofu", "tofu", "Produce > Tofu"),
        ("Frank's RedHot", "condiments", "Pantry > Condiments"),
        ("Activia Strawberry", "yogurt", "Dairy > Yogurt"),
        ("Twinkies", "cakes", "Bakery > Cakes"),
        ("80/20 Ground Beef", "beef", "Meat > Beef"),
    ],
)
def test_titles_of_the_supermarket_find_their_shelf(
    world: World, title: str, category: str, place: str
) -> None:
    found = _told(world, f"{PRODUCTS}classify_grocery_product", postbody={"title": title})
    assert (found["category"], " > ".join(found["breadcrumbs"])) == (category, place)


def test_batteries_are_no_food(world: World) -> None:
    refused = call(world, f"{PRODUCTS}classify_grocery_product", {"postbody": {"title": "AA Batteries"}})
    assert "no food" in refused.text


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("4 tomatoes", "Vine Tomatoes"),
        ("1 head broccoli", "Broccoli Crowns"),
        ("1 cup chocolate chips", "Chocolate Chips"),
        ("1 cup walnuts", "Walnut Halves"),
        ("8 taco shells", "Crunchy Taco Shells"),
        ("1 jalapeno", "Jalapeno Peppers"),
        ("400 g canned tomatoes", "Diced Tomatoes"),
        ("1 cup chicken broth", "Chicken Broth"),
    ],
)
def test_ingredients_are_bought_fresh_and_by_their_name(world: World, line: str, title: str) -> None:
    found = _told(world, f"{PRODUCTS}map_ingredients_to_grocery_products", postbody={"ingredients": [line]})
    assert found[0]["products"][0]["title"].endswith(title)


def test_lines_say_how_much_people_mean(world: World) -> None:
    text = "salt and pepper to taste\n1 (14 oz) can diced tomatoes\nfresh basil\n1 bottle beer"
    rows = _told(
        world, f"{INGREDIENT}parse_ingredients", ingredientList=text, servings=2, includeNutrition=False
    )["ingredients"]
    assert [row["name"] for row in rows] == ["salt", "black pepper", "canned tomatoes", "basil", "beer"]
    assert rows[3]["grams"] == 5 and rows[4]["grams"] == 355


def test_amounts_are_as_precise_as_a_kitchen(world: World) -> None:
    asked = {
        "ingredientName": "chicken breast",
        "sourceAmount": 1,
        "sourceUnit": "lb",
        "targetUnit": "g",
    }
    assert _told(world, f"{INGREDIENT}convert_amounts", **asked)["targetAmount"] == 453.6
    refused = call(world, f"{INGREDIENT}compute_glycemic_load", {"postbody": {"ingredients": ["3 gravels"]}})
    assert refused.error == "invalid_value"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many calories are in 100 g tofu?", "100 g of tofu has 144 kcal."),
        ("How many calories are in a donut?", "One serving of Donuts has 302 kcal."),
        ("How many calories are in a burger?", "One serving of Hamburger has 501 kcal."),
        ("How many calories are in guacamole?", "One serving of Guacamole has 194 kcal."),
        ("How many calories are in 1 tsp sugar?", "1 tsp of sugar (4 g) has 16 kcal."),
        ("How many calories are in watermelon?", "100 g of watermelon has 30 kcal."),
        ("How many calories are in skim milk?", "100 g of skim milk has 34 kcal."),
        ("How many calories are in 1 cup of oatmeal?", "1 cup of cooked oatmeal (234 g) has 166 kcal."),
        ("How many calories are in a beer?", "A serving of beer (355 g) has 153 kcal."),
        ("How much caffeine is in a cup of coffee?", "1 cup of coffee (237 g) has 94.8 mg of caffeine."),
        ("vitamin a in carrots", "100 g of carrots has 835 µg of vitamin A."),
        ("How much vitamin b12 is in beef?", "100 g of beef chuck has 2.15 µg of vitamin B12."),
        ("How many calories are in oreos?", "100 g of chocolate sandwich cookie has 464 kcal."),
    ],
)
def test_questions_get_the_answer_that_a_cook_gives(world: World, question: str, answer: str) -> None:
    assert _told(world, f"{MISC}quick_answer", q=question)["answer"] == answer


def test_amounts_behind_a_food_and_amounts_of_both(world: World) -> None:
    text = _told(world, f"{MISC}quick_answer", q="How much protein does quinoa have per cup?")["answer"]
    assert text.startswith("1 cup of uncooked quinoa")
    text = _told(world, f"{MISC}quick_answer", q="How much fat is in 1 cup whole milk vs skim milk?")[
        "answer"
    ]
    assert "1 cup of milk" in text and "1 cup of skim milk" in text
    text = _told(world, f"{MISC}quick_answer", q="What are good sources of protein?")["answer"]
    assert "salt cod" not in text and "nori" not in text


@pytest.mark.parametrize(
    ("dish", "based"),
    [
        ("chicken nuggets", "Chicken Nuggets"),
        ("peking duck", "Peking Duck"),
        ("oatmeal", "Porridge"),
        ("kimchi", "Kimchi"),
        ("sweet and sour chicken", "Sweet and Sour Chicken"),
        ("garlic bread", "Garlic Bread"),
        ("avocado toast", "Avocado Toast"),
        ("philly cheesesteak", "Philly Cheesesteak"),
        ("tres leches", "Tres Leches Cake"),
        ("dolma", "Dolmades"),
        ("pancakes", "Pancakes"),
        ("Käsespätzle", "Käsespätzle"),
    ],
)
def test_common_dishes_are_guessed_from_themselves(world: World, dish: str, based: str) -> None:
    assert _told(world, f"{ANALYZE}guess_nutrition_by_dish_name", title=dish)["basedOn"] == [based]


@pytest.mark.parametrize(
    ("title", "near"),
    [
        ("Ratatouille", "Caponata"),
        ("Pancakes", "Waffles"),
        ("Guacamole", "Hummus"),
        ("Sushi", "California Roll"),
        ("Shakshuka", "Huevos Rancheros"),
        ("Tiramisu", "Panna Cotta"),
        ("Mojito", "Daiquiri"),
    ],
)
def test_similar_recipes_are_of_the_same_family(world: World, title: str, near: str) -> None:
    rows = _told(world, f"{TASTY}get_similar_recipes", id=_recipe(world, title))
    assert near in [row["name"] for row in rows] and len(rows) <= 8


def test_nothing_is_similar_that_shares_neither_food_nor_kind(world: World) -> None:
    names = [
        row["name"] for row in _told(world, f"{TASTY}get_similar_recipes", id=_recipe(world, "Guacamole"))
    ]
    assert not {"Pakora", "Elote", "Falafel with Tahini Sauce"} & set(names)


def test_dishes_are_fried_in_something(world: World) -> None:
    rows = _told(world, f"{PARTS}ingredients_by_id", id=_recipe(world, "Jollof Rice"))
    assert "vegetable oil" in [row["name"] for row in rows]
    card = _told(world, f"{ANALYZE}guess_nutrition_by_dish_name", title="lasagna")
    assert card["calories"]["value"] < 650


def test_shops_pack_no_dishes_and_heed_diets(world: World) -> None:
    found = _told(world, f"{MISC}search_all_food", query="fish and chips")
    assert found["products"] == [] and found["recipes"]
    rows = _told(world, f"{PRODUCTS}search_grocery_products", query="gluten free", number=20)["items"]
    assert len(rows) == 20 and not any("Gluten Free" in row["title"] for row in rows)
    rows = _told(world, f"{PRODUCTS}search_grocery_products", query="pasta")["items"]
    assert "sauce" not in words(rows[0]["title"])


@pytest.mark.parametrize(
    ("food", "wine"),
    [("curry", "riesling"), ("spicy food", "riesling"), ("salmon", "pinot noir"), ("pizza", "sangiovese")],
)
def test_wines_go_with_the_food(world: World, food: str, wine: str) -> None:
    assert _told(world, f"{WINE}wine_pairing", food=food)["pairedWines"][0] == wine


def test_a_bottle_within_the_price_is_found_and_tokaji_is_hungarian(world: World) -> None:
    found = _told(world, f"{WINE}wine_pairing", food="salmon", maxPrice=12)
    assert found["productMatches"][0]["price"]["amount"] <= 12
    rows = _told(world, f"{WINE}wine_recommendation", wine="tokaji", number=20)["recommendedWines"]
    assert all("Pince" in row["title"] or "Birtok" in row["title"] for row in rows)
    assert _told(world, f"{WINE}wine_description", wine="dry_red_wine")["wine"] == "red wine"
    assert _told(world, f"{WINE}wine_description", wine="petit verdot")["colour"] == "red"
    assert "Rosé" in _told(world, f"{WINE}dish_pairing_for_wine", wine="rose")["text"]


def test_what_is_at_hand_counts_once_and_gives_its_juice(world: World) -> None:
    asked = f"{SEARCH}search_recipes_by_ingredients"
    rows = _told(world, asked, ingredients=["avocado", "lime"], number=4)
    assert "Guacamole" in [row["title"] for row in rows]
    rows = _told(world, asked, ingredients=["potato", "cheese"], number=8)
    assert "Ravioli" not in [row["title"] for row in rows]


def test_the_chatbot_leaves_out_what_is_not_wanted_and_knows_the_kitchen(world: World) -> None:
    def said(text: str) -> Any:
        return _told(world, f"{MISC}talk_to_chatbot", text=text)

    for row in said("Italian recipes without tomatoes")["media"]:
        names = [one["name"] for one in _told(world, f"{PARTS}ingredients_by_id", id=row["id"])]
        assert not any("tomato" in name for name in names)
    assert said("convert 2 cups flour to grams")["answerText"] == "2 cups of flour are 250 g."
    assert "6 minutes" in said("How long do I boil an egg?")["answerText"]


def test_names_of_people_and_countries_are_no_food(world: World) -> None:
    text = (
        "Turkey and Chile are countries; I ate turkey with Mr. Bean, chocolate chips and sweet potato fries."
    )
    rows = _told(world, f"{MISC}detect_food_in_text", text=text)["annotations"]
    assert [(row["annotation"], row["tag"]) for row in rows] == [
        ("turkey", "ingredient"),
        ("chocolate chips", "ingredient"),
        ("sweet potato fries", "dish"),
    ]


def test_leavening_is_not_salty_and_prices_agree(world: World) -> None:
    pancakes = _recipe(world, "Pancakes")
    assert _told(world, f"{PARTS}taste_by_id", id=pancakes)["saltiness"] < 30
    wellington = _recipe(world, "Beef Wellington")
    cost = _told(world, f"{PARTS}price_breakdown_by_id", id=wellington)
    summary = _told(world, f"{ANALYZE}summarize_recipe", id=wellington)["summary"]
    assert f"costs {cost['totalCostPerServing']['amount']:.2f} dollars" in summary


def test_a_chain_is_found_by_its_short_name(world: World) -> None:
    rows = _told(world, "Food/spoonacular_menu/search_menu_items", query="In-N-Out")["items"]
    assert {row["restaurantChain"] for row in rows} == {"In-N-Out Burger"}


def test_names_complete_to_the_food_itself_first(world: World) -> None:
    asked = f"{INGREDIENT}autocomplete_ingredient_search"
    assert _told(world, asked, query="but")[0]["completion"] == "butter"
    assert _told(world, asked, query="sp")[0]["completion"] == "spinach"
    oils = [row["completion"] for row in _told(world, asked, query="oil", number=40)]
    assert len(oils) == len(set(oils))
    rows = _told(world, f"{PRODUCTS}autocomplete_product_search", query="choc chip")
    assert rows and all("Chocolate Chip" in row["title"] for row in rows)


@pytest.mark.parametrize(
    ("title", "foods", "kitchen"),
    [
        ("Schnitzel", "veal\nbreadcrumbs\neggs", "Austrian"),
        ("Chicken soup", "chicken\ncarrots\nnoodles", "American"),
        ("Kimchi fried rice", "kimchi\nrice\negg", "Korean"),
    ],
)
def test_kitchens_are_told_by_the_name(world: World, title: str, foods: str, kitchen: str) -> None:
    found = _told(world, f"{ANALYZE}classify_cuisine", title=title, ingredientList=foods)
    assert found["cuisine"] == kitchen


def test_the_food_table_holds_all_foods(world: World) -> None:
    table = "Health/Fitness_Calculator/get_foodtable_ids"
    fish = [row["food"] for row in _told(world, table, foodtablename="Fish and Shellfish")]
    assert {"trout", "lobster", "oysters"} <= set(fish)
    nuts = [row["food"] for row in _told(world, table, foodtablename="Nuts and Seeds")]
    assert "coconut milk" not in nuts and "hazelnuts" in nuts


def test_packaged_foods_come_on_days_of_their_own(world: World) -> None:
    rows = _told(world, "Health/FoodData_Central/get_food_lists", dataType=["Branded"], pageSize=20)["items"]
    months = [row["publishedDate"][5:7] for row in rows]
    days = [row["publishedDate"][8:] for row in rows]
    assert months != days and months != sorted(months)


def test_what_is_called_otherwise_is_found_first(world: World) -> None:
    rows = _told(world, f"{SEARCH}search_recipes", query="oatmeal")["items"]
    assert rows[0]["title"] == "Porridge"
    rows = _told(world, f"{SEARCH}search_recipes", query="pasta")["items"]
    assert rows[0]["title"] == "Pesto Pasta"
