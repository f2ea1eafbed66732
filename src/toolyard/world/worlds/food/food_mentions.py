"""Where a text speaks of food: dishes, ingredients and other foods, and where a word of food means something else."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from toolyard.world.reference import wordnet
from toolyard.world.shared.geography import read_table
from toolyard.world.worlds.food.dishes import dish_rows
from toolyard.world.worlds.food.ingredients import called, mentions, singular


class FoodMention(NamedTuple):
    """A place in a text that names a food, and what the food is called."""

    tag: Literal["ingredient", "dish"]
    start: int
    end: int
    name: str


# Dishes by a word of their own; what stands right before them says of what they are.
_DISHES = ("cookie", "cake", "pie", "sandwich", "fries", "muffin", "cupcake", "salad", "soup", "stew", "burger", "pizza",
           "waffle", "pancake", "brownie", "donut", "doughnut", "omelet", "smoothie", "milkshake", "casserole", "pudding",
           "tart", "dumpling", "burrito", "taco", "kebab", "meatball", "bagel", "croissant", "toast", "nuggets", "curry",
           "lasagna", "lasagne", "risotto", "quiche", "crumble", "stir-fry", "chips")  # fmt: skip
# What chains are known for, by its own name.
_SERVED = (
    "big mac", "whopper", "quarter pounder", "mcflurry", "mcchicken", "egg mcmuffin", "chicken mcnuggets", "mcnuggets",
    "baconator", "frappuccino", "chicken nuggets", "fish sticks", "corn on the cob", "hash browns", "spring roll",
    "egg roll", "chicken wing", "onion ring", "garlic bread", "cinnamon roll", "granola bar", "protein shake", "hot dog",
    "corn dog", "foie gras", "s'mores", "duck confit", "dim sum", "har gow", "siu mai", "char siu bao", "salsa verde",
    "fish and chips", "ice cream cone", "gelato", "sorbet",
)  # fmt: skip
DISH_WORDS = frozenset((*_DISHES, *map(singular, _DISHES)))
_FOODS = frozenset(
    "pasta,spaghetti,steak,salmon,cod,roast,couscous,hummus,kefir,kimchi,orange juice,apple juice,tomato juice,"
    "carrot juice,green tea,black tea,earl grey,sauerkraut,kombucha,chicken nuggets,baguette".split(",")
)
# The dictionary's field of foods; meals and what one calls any food are in it, too.
_FOOD_FIELD = 13
_NO_FOOD = frozenset(
    "food meal breakfast lunch dinner supper brunch snack dish course drink beverage feast treat diet menu fare dessert "
    "appetizer starter entree side cuisine buffet picnic banquet ration portion helping bite plate cooking recipe leftover "
    "ingredient topping filling delicacy specialty refreshment tea time nutrition vitamin roll wrap slice piece chip roast "
    "loaf".split()
)
# Words of food that mean something else where these stand beside them.
_ELSE = re.compile(
    r"\bapple(?:'s)? (?:laptop|watch|store|computer|phone|iphone|ipad|macbook|tv|music|pay|inc|stock|shares?|products?|"
    r"event|device|account|id|maps|silicon|keynote|employees?|ceo|developer)\b|"
    r"\bspam (?:filter|folder|e?mail|message|call|bot)s?\b|\bblackberry (?:phone|device|smartphone)s?\b|"
    r"\braspberry pi\b|\bmint condition\b|\bcouch potato(?:es)?\b|"
    r"\bpiece of cake\b|\bhot potato\b|\bspill(?:ed)? the beans\b|\bcup of tea\b(?= for me)|\bbig cheese\b|"
    r"\b(?:orange|peach|olive|lime|cherry|salmon|cream|chocolate|plum|apricot)[- ](?:colou?r\w*|shirt|dress|car|paint|"
    r"wall|walls|jacket|hat|county|tree|trees|blossoms?|dog|labrador)\b|\bdates? (?:back|from|of|night|with)\b|"
    r"\b(?:a|the|release|due|first|on a|blind|start|end|save the) dates?\b|\bbutter(?:fly|flies)\b|\bguinea pigs?\b|"
    r"\bhard drive chips?\b|\b(?:micro|computer|silicon|gaming) ?chips?\b|\bginger (?:hair|cat|beard|rogers)\b|"
    r"\bbig apple\b|\bstock (?:market|exchange|price)s?\b|"
    r"\bsalt of the earth\b|\bapple of\b|\bcherry[- ]pick\w*|\blemon (?:law|car)s?\b|\bgravy train\b|\begg on\b|"
    r"\b(?:the )?cheesecake factory\b|\bolive garden\b|\bin-n-out burger\b|\bburger king\b|\bpizza hut\b|\btaco bell\b|"
    r"\bpanera bread\b|\bshake shack\b|\bdairy queen\b|\brice krispies\b|\bolive green\b|"
    r"\bspam (?:in|from) (?:my|the|your|his|her|our) \w+\b|\bcream of the crop\b|"
    r"\bbring(?:s|ing)? home the bacon\b|\bfull of beans\b|\bsour grapes\b|\bsmart cookie\b|"
    r"\bcool as a cucumber\b|\bbread and butter\b(?= (?:business|issue|work))|\bcheesy (?:joke|line|song)s?\b",
    re.IGNORECASE,
)
# What is the name of somebody, of a country or a company where it has a capital within a sentence.
_NAMES = frozenset(
    "apple turkey ginger rosemary basil sage olive orange cherry peach clementine blackberry ham chile".split()
)
_SENTENCE = re.compile(r"(?:^|[.!?:]|[\"\u201c(*-])\s*$|\n\s*$")


# Other spellings and short names of dishes.
_SPELLED = ("cole slaw", "blt", "mac n cheese", "pb&j", "french fry", "omelet")


@functools.cache
def _dishes() -> re.Pattern[str]:
    tables = ("food_recipes.tsv", "food_recipe_patterns.tsv")
    names = {row["dish"] for table in tables for row in read_table(table)}
    names |= {row["dish"] for row in dish_rows()} | set(_DISHES) | set(_SERVED) | set(_SPELLED)
    longest_first = sorted(names - _FOODS, key=lambda name: (-len(name), name))
    return re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})(?:e?s)?\b", re.IGNORECASE)


def _elsewhere(text: str) -> list[tuple[int, int]]:
    """The places where a word of food means something else."""
    places = [match.span() for match in _ELSE.finditer(text)]
    places += [match.span(1) for match in _TITLED.finditer(text)]
    places += [match.span(place) for match in _COUNTRIES.finditer(text) for place in (1, 2) if match[place]]
    for match in re.finditer(r"\b[A-Z][a-z]+\b", text):
        within = not _SENTENCE.search(text[: match.start()])
        if text.istitle() or not within:
            continue
        before = text[: match.start()].split()[-1:]
        surname = before and before[0].rstrip(",.") in _given_names()
        if match.group().lower() in _NAMES or surname or text[match.end() :].startswith(("'s", "\u2019s")):
            places.append(match.span())
    return places


# Somebody by a surname, and a country beside another name.
_TITLED = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|Sir|Lady)\.? ([A-Z][a-z]+)\b")
_COUNTRIES = re.compile(r"\b(Turkey|Chile)(?:,| and| or) [A-Z]|\b[A-Z][a-z]+(?:,| and| or) (Turkey|Chile)\b")


@functools.cache
def _given_names() -> frozenset[str]:
    return frozenset(row["name"] for row in read_table("given_names.tsv"))


def _others(text: str) -> Iterator[FoodMention]:
    """Words beyond the tables that name a food above all else: bisque, sorbet, Riesling."""
    found = list(re.finditer(r"[^\W\d_]{3,}", text))
    for one, other in itertools.pairwise(found):
        both = f"{one.group().lower()} {singular(other.group())}"
        if text[one.end() : other.start()] == " " and _is_food_first(both):
            yield FoodMention("ingredient", one.start(), other.end(), both)
    for match in found:
        name = singular(match.group()) if len(match.group()) > 3 else ""
        if name not in _NO_FOOD and _is_food_first(name):
            yield FoodMention("ingredient", match.start(), match.end(), name)


def _is_food_first(name: str) -> bool:
    """Whether a noun of the dictionary means a food above all else."""
    senses = [sense for sense in wordnet.senses(name) if sense.part in "na"][:1] if name else []
    return bool(senses) and senses[0].part == "n" and senses[0].field == _FOOD_FIELD


def food_mentions(text: str) -> list[FoodMention]:
    """All foods that a text names, from left to right."""
    taken = _elsewhere(text)
    found: list[FoodMention] = []

    def take(rows: Iterator[FoodMention]) -> None:
        for row in rows:
            if not any(row.start < end and start < row.end for start, end in taken):
                found.append(row)
                taken.append((row.start, row.end))

    take(
        FoodMention("dish", match.start(), match.end(), match.group(1).lower())
        for match in _dishes().finditer(text)
    )
    take(FoodMention("ingredient", one.start, one.end, called(text, one)) for one in mentions(text))
    take(_others(text))
    return _joined(text, sorted(found, key=lambda row: row.start))


def _joined(text: str, found: list[FoodMention]) -> list[FoodMention]:
    """A dish with the ingredient right before it as one: sweet potato fries, ham sandwich."""
    kept: list[FoodMention] = []
    for row in found:
        last = kept[-1] if kept else None
        beside = last is not None and text[last.end : row.start] == " "
        if (
            last
            and beside
            and last.tag == "ingredient"
            and row.tag == "dish"
            and singular(row.name) in DISH_WORDS
        ):
            name = f"{text[last.start : last.end].lower()} {row.name}"
            simple = any((one.start, one.end) == (0, len(name)) for one in mentions(name))
            kept[-1] = FoodMention("ingredient" if simple else "dish", last.start, row.end, name)
        elif last and beside and last.tag == row.tag == "ingredient" and row.name == "sauce":
            name = text[last.start : row.end].lower()
            kept[-1] = FoodMention("ingredient", last.start, row.end, name)
        else:
            kept.append(row)
    return kept
