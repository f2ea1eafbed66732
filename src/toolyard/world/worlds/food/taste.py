"""Taste: what ingredients bring by weight, added up over a dish."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from toolyard.core.sums import added
from toolyard.world.worlds.food.ingredient import Ingredient
from toolyard.world.worlds.food.measures import Line

_SOUR = {"apple cider vinegar": 90, "canned tomatoes": 28, "tomato puree": 30,
         "lemon": 90, "lemon juice": 90, "lime": 90, "lime juice": 90, "vinegar": 95, "yogurt": 40, "greek yogurt": 45,
         "sour cream": 45, "tomato": 25, "tomato sauce": 30, "tomato paste": 40, "raspberry": 50, "kiwi": 45,
         "orange": 40, "orange juice": 40, "pineapple": 40, "white wine": 45, "red wine": 40, "pickles": 80,
         "ketchup": 35, "mustard": 40, "apple": 25, "cherry": 30,
         "tamarind paste": 85, "kimchi": 55, "sauerkraut": 60, "buttermilk": 40, "beer": 8,
         "kefir": 45, "sparkling wine": 45, "cranberry juice": 55, "tomato juice": 30, "strawberry": 30, "mango": 15,
         "grenadine": 25, "strawberry jam": 20, "apricot jam": 25, "worcestershire sauce": 40, "rhubarb": 70}  # fmt: skip
_BITTER = {"chocolate chips": 30,
           "coffee": 70, "dark chocolate": 45, "cocoa powder": 80, "beer": 15, "kale": 35, "eggplant": 25, "tea": 40,
           "walnuts": 20, "spinach": 20, "olives": 30, "red wine": 30, "turmeric": 50, "mustard": 30, "broccoli": 20,
           "bay leaf": 50, "oregano": 40, "asparagus": 20, "ground coffee": 95, "tea leaves": 90, "matcha": 90,
           "bitters": 100, "tonic water": 45, "coffee liqueur": 25, "gin": 20, "arugula": 35, "grapefruit": 40}  # fmt: skip
_SAVORY = {"canned tomatoes": 40, "tomato puree": 50,
           "soy sauce": 95, "parmesan cheese": 90, "fish sauce": 95, "mushrooms": 70, "tomato paste": 75,
           "tomato sauce": 50, "anchovies": 90, "chicken broth": 60, "beef broth": 65, "vegetable broth": 50,
           "garlic": 60, "onion": 35, "bacon": 75, "ham": 65, "tomato": 35, "dashi": 70, "miso": 90, "kimchi": 50,
           "nori": 85, "worcestershire sauce": 80, "hoisin sauce": 60, "chili bean paste": 85, "gochujang": 60,
           "pecorino romano": 90, "gruyere cheese": 75, "milk": 5, "matcha": 30, "ground coffee": 0, "tea leaves": 0,
           "yeast": 10, "flour": 5}  # fmt: skip
_SCOVILLE = {"chili pepper": 5000, "jalapeno": 4000,
             "chili powder": 35000, "hot sauce": 2500, "ginger": 60, "black pepper": 120,
             "curry powder": 600, "paprika powder": 250, "mustard": 100,
             "gochujang": 1500, "green curry paste": 3000, "red curry paste": 2500,
             "massaman curry paste": 800, "chili bean paste": 1500, "berbere": 15000, "kimchi": 300, "sichuan pepper": 300,
             "galangal": 60, "garam masala": 150, "ginger beer": 20}  # fmt: skip


_RISING = ("baking powder", "baking soda")


class Taste(TypedDict):
    """Strength of each taste from 0 to 100, and spiciness in Scoville units."""

    sweetness: float
    saltiness: float
    sourness: float
    bitterness: float
    savoriness: float
    fattiness: float
    spiciness: float


# The sugar of milk tastes less sweet than any other, and what holds much of it has had some added.
_PLAIN_MILK, _ADDED = 0.3, 15.0


def _is_plain_milk(ingredient: Ingredient) -> bool:
    return ingredient.category == "dairy" and ingredient.per_100g["sugar"] < _ADDED


def _of_ingredient(ingredient: Ingredient) -> tuple[float, ...]:
    facts = ingredient.per_100g
    return (
        min(100.0, facts["sugar"] * 2.5) * (_PLAIN_MILK if _is_plain_milk(ingredient) else 1.0),
        # What lets a dough rise does not taste of salt.
        0.0 if ingredient.name in _RISING else facts["sodium"] / 15,
        _SOUR.get(ingredient.name, 0),
        _BITTER.get(ingredient.name, 0),
        _SAVORY.get(ingredient.name, min(60.0, facts["protein"] * 2)),
        min(100.0, facts["fat"] * 1.5),
        _SCOVILLE.get(ingredient.name, 0),
    )


def _is_frying_oil(line: Line) -> bool:
    """Whether a line is so much oil that most of it stays in the pot."""
    return line.ingredient.category == "oil" and line.grams > 400


def taste_of(lines: Sequence[Line], *, normalize: bool = True) -> Taste:
    """The taste of a dish: ingredients weigh by their grams, water not at all.

    With `normalize` the strongest taste counts 100 and the others keep their proportion to it.
    """
    counted = [line for line in lines if line.ingredient.name != "water"]
    eaten = [line.grams * (0.1 if _is_frying_oil(line) else 1.0) for line in counted]
    weight = added(eaten) or 1.0
    sums = [0.0] * 7
    for line, grams in zip(counted, eaten, strict=True):
        for number, value in enumerate(_of_ingredient(line.ingredient)):
            sums[number] += value * grams / weight
    sums[1] = min(100.0, sums[1])
    strongest = max(sums[:6])
    factor = 100 / strongest if normalize and strongest else 1.0
    values = [round(min(100.0, value * factor), 2) for value in sums[:6]]
    return {
        "sweetness": values[0],
        "saltiness": values[1],
        "sourness": values[2],
        "bitterness": values[3],
        "savoriness": values[4],
        "fattiness": values[5],
        "spiciness": round(sums[6], 1),
    }
