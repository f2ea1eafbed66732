"""Dishes beyond the written recipes: what is in them is a table, amounts and steps follow from it.

{"name": "Gazpacho", "cuisine": "Spanish", "type": "soup", "minutes": "20", "ingredients": "tomato,cucumber,bell pepper"}
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
    "parmesan cheese": "60 g parmesan cheese",
}  # fmt: skip
_STEPS = {
    "beverage": ("Put {all} into a glass or a jug", "Stir until everything is mixed", "Serve at once"),
    "salad": ("Wash and cut {all}", "Toss everything in a large bowl", "Season to taste and serve"),
    "dip": ("Prepare {all}", "Mix everything in a bowl or a blender until smooth", "Chill before serving"),
    "soup": ("Cut {first} into pieces", "Simmer {all} in a large pot until tender", "Season to taste and serve hot"),
    "dessert": ("Weigh out {all}", "Mix the ingredients in a bowl in this order", "Bake or chill until set and serve"),
    "bread": ("Mix {all} in a bowl and knead the dough", "Let it rise, then shape it", "Bake in a hot oven until golden"),
}  # fmt: skip
_USUAL = (
    "Prepare {all}",
    "Cook {first} in a large pan",
    "Add {rest} and cook until done",
    "Season to taste and serve",
)


@functools.cache
def dish_rows() -> tuple[Mapping[str, str], ...]:
    """The dishes in the form of written recipes."""
    return tuple(map(_row, read_table("food_dishes.tsv")))


def _row(dish: Mapping[str, str]) -> dict[str, str]:
    names = dish["ingredients"].split(",")
    steps = _STEPS.get(dish["type"], _USUAL)
    rest = " and ".join((", ".join(names[1:-1]), names[-1])) if len(names) > 2 else names[-1]
    slots = {
        "all": f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0],
        "first": names[0],
        "rest": rest,
    }
    types = {"main course": "main course,lunch,dinner", "soup": "soup,lunch"}.get(dish["type"], dish["type"])
    return {
        "title": dish["name"],
        "dish": dish["name"].lower(),
        "cuisines": dish["cuisine"],
        "types": types,
        "minutes": dish["minutes"],
        "servings": "4",
        "ingredients": ";".join(_line(name) for name in names),
        "steps": "/".join(step.format(**slots) for step in steps),
    }


def _line(name: str) -> str:
    return _OWN.get(name) or f"{_AMOUNTS[find_ingredient(name).category]} {name}"


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
