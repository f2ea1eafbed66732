"""Dishes beyond the written recipes: what is in them and how they are made is a table; amounts follow where it has none.

{"name": "Gazpacho", "cuisine": "Spanish", "type": "soup", "minutes": "140", "ingredients": "1000 g tomato,cucumber",
 "steps": "Cut the tomato and cucumber into pieces/Blend in a blender until smooth/Chill for two hours"}
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from toolyard.world.search import words
from toolyard.world.tables import plain, read_table
from toolyard.world.worlds.food.ingredients import find_ingredient

FIRST_ID = 850_000
# For four people, by what an ingredient is.
_AMOUNTS = {
    "meat": "600 g", "poultry": "600 g", "fish": "500 g", "shellfish": "400 g", "vegetable": "200 g", "fruit": "250 g",
    "grain": "300 g", "pasta": "400 g", "legume": "300 g", "nut": "60 g", "dairy": "150 g", "egg": "3", "oil": "2 tbsp",
    "spice": "1 tsp", "herb": "10 g", "sweetener": "80 g", "baking": "1 tbsp", "condiment": "2 tbsp", "beverage": "250 ml",
    "snack": "150 g",
}  # fmt: skip
_OWN = {
    "garlic": "2 cloves garlic", "ginger": "15 g ginger", "chili pepper": "1 chili pepper", "milk": "300 ml milk",
    "water": "500 ml water", "butter": "60 g butter", "yeast": "7 g yeast", "coconut milk": "400 ml coconut milk",
    "lemon juice": "2 tbsp lemon juice", "lime juice": "2 tbsp lime juice", "tomato paste": "2 tbsp tomato paste",
    "tomato sauce": "400 g tomato sauce", "beef broth": "800 ml beef broth", "chicken broth": "800 ml chicken broth",
    "vegetable broth": "800 ml vegetable broth", "bay leaf": "2 bay leaves", "cornstarch": "2 tbsp cornstarch",
    "breadcrumbs": "80 g breadcrumbs", "dark chocolate": "150 g dark chocolate", "salt": "1 tsp salt",
    "coffee": "400 ml coffee", "tea": "600 ml tea",
    "sesame seeds": "2 tbsp sesame seeds", "anchovies": "30 g anchovies", "bacon": "150 g bacon",
    "parmesan cheese": "60 g parmesan cheese", "egg": "3 eggs", "egg yolk": "3 egg yolks", "egg white": "3 egg whites",
    "cornmeal": "250 g cornmeal", "miso": "4 tbsp miso", "grape leaves": "150 g grape leaves", "crab": "400 g crab",
    "lobster": "400 g lobster", "clams": "500 g clams", "ketchup": "150 g ketchup", "curry powder": "1 tbsp curry powder",
    "potato": "600 g potato", "cabbage": "400 g cabbage",
    "ladyfingers": "200 g ladyfingers", "scallions": "4 scallions",
}  # fmt: skip
# Amounts that differ in sweet dishes.
_SWEET = {
    "flour": "200 g flour",
    "butter": "120 g butter",
    "sugar": "120 g sugar",
    "rice": "180 g rice",
    "milk": "500 ml milk",
    "cream": "300 ml cream",
    "mascarpone": "400 g mascarpone",
    "cream cheese": "500 g cream cheese",
}
# What is baked in one piece and cut, or made by the dozen, feeds more than four.
_PIECES = {
    **dict.fromkeys(
        ("Tiramisu", "Sticky Toffee Pudding", "Bread and Butter Pudding", "Victoria Sponge", "Sachertorte", "Apple Strudel",
         "Black Forest Cake", "Tarte Tatin", "Apple Pie", "Pumpkin Pie", "Pecan Pie", "Key Lime Pie",
         "Lemon Meringue Pie", "Cherry Pie", "Red Velvet Cake", "Banana Bread", "Cornbread", "Granola", "Peach Cobbler",
         "Profiteroles", "Eclair", "Scones", "Cinnamon Rolls", "Trifle", "Chocolate Mousse", "Muffins", "Alfajores",
         "Pastel de Nata", "Gulab Jamun", "Stroopwafel", "Pavlova", "Macarons", "Gelato", "Challah",
         "Spinach Artichoke Dip"), 8),
    **dict.fromkeys(("Cheesecake", "Brownies", "Chocolate Chip Cookies", "Oatmeal Cookies", "Cupcakes", "Stollen",
                     "Carrot Cake", "Tres Leches Cake", "Sugar Cookies", "Peanut Butter Cookies", "Lemon Bars",
                     "Nanaimo Bars", "Lamington", "Turkish Delight", "Gravlax", "Donuts", "Kimchi", "Brigadeiro"), 12),
    "Roast Turkey": 10, "Croissant": 16, "Cannoli": 8, "Baguette": 8, "Focaccia": 8, "Bagel": 8, "Sauerkraut": 8,
    "Croquetas": 6, "Pulled Pork": 8, "Chocolate Cake": 10, "Feijoada": 6, "Sauerbraten": 6,
    "Baklava": 16, "Pound Cake": 10, "Zucchini Bread": 10,
    **dict.fromkeys(("Lasagna", "Empanadas", "Churros", "Naan", "Samosa", "Strawberry Shortcake", "Deviled Eggs",
                     "Biscuits and Gravy", "Stuffed Cabbage Rolls", "Börek", "Garlic Bread", "Peking Duck",
                     "Egg Rolls", "Beef Wellington", "Cornish Pasty", "Meat Pie", "Chicken Pot Pie", "Mac and Cheese",
                     "Kibbeh", "Fondue"), 6),
    "Tourtière": 8,
}  # fmt: skip


@functools.cache
def dish_rows() -> tuple[Mapping[str, str], ...]:
    """The dishes in the form of written recipes."""
    return tuple(map(_row, read_table("food_dishes.tsv")))


def _row(dish: Mapping[str, str]) -> dict[str, str]:
    lines = [_line(name, dish["type"]) for name in dish["ingredients"].split(",")]
    courses = {"main course": "main course,lunch,dinner", "soup": "soup,lunch", "beverage": "drink"}
    return {
        "title": dish["name"],
        "dish": dish["name"].lower(),
        "cuisines": dish["cuisine"],
        "types": courses.get(dish["type"], dish["type"]),
        "minutes": dish["minutes"],
        "servings": str(_PIECES.get(dish["name"], 4)),
        "ingredients": ";".join(lines),
        "steps": dish["steps"],
    }


def _line(name: str, course: str) -> str:
    """An ingredient with its amount, as far as it does not say it itself."""
    if name[0].isdigit():
        return name
    own = _SWEET.get(name) if course == "dessert" else None
    own = "200 ml water" if course == "bread" and name == "water" else own
    return own or _OWN.get(name) or f"{_AMOUNTS[find_ingredient(name).category]} {name}"


@functools.cache
def _by_words() -> tuple[tuple[frozenset[str], int], ...]:
    return tuple((frozenset(words(row["title"])), place) for place, row in enumerate(dish_rows()))


def dishes_named(text: str) -> list[int]:
    """Places of the dishes that a text names, all words of the one in the other: the closest first."""
    wanted = frozenset(words(text))
    if not wanted:
        return []
    fitting = [
        (len(names ^ wanted), place) for names, place in _by_words() if names <= wanted or wanted <= names
    ]
    return [place for _, place in sorted(fitting)]


def dishes_starting(text: str) -> list[int]:
    """Places of the dishes whose name, or a word of it, begins so."""
    wanted = plain(text)
    names = [(plain(row["title"]), place) for place, row in enumerate(dish_rows())]
    return (
        [place for name, place in names if name.startswith(wanted) or f" {wanted}" in name] if wanted else []
    )
