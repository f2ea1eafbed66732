"""Grocery products: each is a mixture of ingredients under a brand, with a valid UPC.

Product(id=200101, upc="041790003011", title="Meadow Farm Plain Greek Yogurt", category="yogurt", cents=549, ...)
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from toolyard.world import seeds
from toolyard.world.derived import derived, noted, titled
from toolyard.world.faults import invalid, not_found
from toolyard.world.reference import wordnet
from toolyard.world.search import Index, words
from toolyard.world.shared.geography import plain, read_table
from toolyard.world.worlds.food.dishes import dish_rows
from toolyard.world.worlds.food.ingredient import Ingredient
from toolyard.world.worlds.food.ingredients import (
    FIRST_GENERIC_ID,
    find_ingredient,
    ingredient_or_none,
    ingredients,
    mentions,
    scaled,
)

_BRITISH = {"chips": "crisps", "soft drink": "fizzy drink", "deli meat": "sliced meat", "buns": "baps",
            "canned beans": "tinned beans", "canned fish": "tinned fish", "canned soup": "tinned soup",
            "cookies": "biscuits", "candy": "sweets", "canned tomatoes": "tinned tomatoes", "canned fruit": "tinned fruit",
            "canned vegetables": "tinned vegetables", "canned meat": "tinned meat"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Product:
    """A packaged food; `parts` are (ingredient, percent by weight), `nutrients` those of a serving by key."""

    id: int
    upc: str
    title: str
    brand: str
    category: str
    path: tuple[str, ...]
    serving_grams: float
    package_grams: float
    cents: int
    parts: tuple[tuple[Ingredient, float], ...]
    nutrients: Mapping[str, float]
    flags: str

    @property
    def ingredient_names(self) -> list[str]:
        """The ingredients, the heaviest first."""
        return [row.name for row, _ in sorted(self.parts, key=lambda part: -part[1])]


@seeds.table
def by_title(seed: int) -> Mapping[str, Product]:
    """The products of the table by their titles in plain letters."""
    return {plain(row.title): row for row in products(seed)}


def check_digit(digits: str) -> str:
    """The last digit of a UPC: three times the odd places plus the even ones make a multiple of ten."""
    total = 3 * sum(map(int, digits[0::2])) + sum(map(int, digits[1::2]))
    return str(-total % 10)


@seeds.table
def products(seed: int) -> tuple[Product, ...]:
    """All products, in the order of the table."""
    found: list[Product] = []
    for number, row in enumerate(read_table("food_products.tsv")):
        parts = _parts(row["parts"])
        for brand_number, brand in enumerate(row["brands"].split(",")):
            found.append(_product(seed, number, row, parts, (brand, brand_number)))
    return tuple(found)


Parts = tuple[tuple[Ingredient, float], ...]


@functools.cache
def _parts(text: str) -> Parts:
    """The foods of a product and their shares in per cent, of such as "milk 90,sugar 10"."""
    names = (part.rsplit(" ", 1) for part in text.split(","))
    return tuple((find_ingredient(name), float(percent)) for name, percent in names)


def _product(
    seed: int, number: int, row: Mapping[str, str], parts: Parts, branded: tuple[str, int]
) -> Product:
    brand, brand_number = branded
    serving = float(row["serving"])
    per_100g: dict[str, float] = {}
    for ingredient, percent in parts:
        for key, value in scaled(ingredient.per_100g, percent).items():
            per_100g[key] = round(per_100g.get(key, 0.0) + value, 4)
    code = f"0{41790 + sum(map(ord, brand)) % 999:05d}{number * 7 + brand_number + 301:05d}"
    chance = seeds.stream(seed, "product", code)
    return Product(
        id=200_101 + 10 * number + brand_number,
        upc=code + check_digit(code),
        title=f"{brand} {row['title']}",
        brand=brand,
        category=row["category"],
        path=tuple(row["path"].split(" > ")),
        serving_grams=serving,
        package_grams=float(row["package"]),
        cents=int(int(row["cents"]) * (0.9 + 0.2 * chance.random())),
        parts=parts,
        nutrients={key: round(value, 3) for key, value in scaled(per_100g, serving).items()},
        flags="".join(sorted({letter for ingredient, _ in parts for letter in ingredient.flags})),
    )


@seeds.table
def _index(seed: int) -> Index[dict[str, object]]:
    rows: list[dict[str, object]] = [
        {"title": row.title, "words": f"{row.category} {' '.join(row.path)}", "product": row}
        for row in products(seed)
    ]
    return Index(rows, ("title", "title", "words"))


def near_products(seed: int, query: str) -> list[Product]:
    """Products with all words of a query, else those that share one, best first."""
    rows = _index(seed).search(query[:200], bound=1.0) or _index(seed).search(query[:200])
    return [row["product"] for row in rows if isinstance(row["product"], Product)]


def search_products(seed: int, query: str) -> list[Product]:
    """Products with all words of the query, else those that share one, best first, after one for a food that none is of."""
    if _other_thing(query[:80]):
        return []
    whole = _index(seed).search(query[:200], bound=1.0)
    rows = whole or _index(seed).search(query[:200])
    found = [row["product"] for row in rows if isinstance(row["product"], Product)]
    if whole:
        own = _itself(seed, query[:80], found)
        head = words(query)[-1:]
        # Pasta is pasta before it is a sauce for it, and tomatoes are fresh before they are canned.
        found.sort(
            key=lambda row: (not _is_a(row, head), len(words(query)) == 1 and row.path[0] != "Produce")
        )
        return [own, *found] if own else found
    own = _unlisted(seed, query[:80])
    # A dish is cooked, not packed: no shop has fish and chips by a maker.
    if plain(query[:80]) in _cooked_dishes():
        return [own] if own else []
    # What is called otherwise by a word that names no food still is what it is: organic eggs are eggs.
    near = [row for row in found if _is_a(row, words(query)[-1:]) and _holds(row, query)]
    return [own, *near] if own else near


def _holds(row: Product, query: str) -> bool:
    """Whether a product is called after, or made of, all foods that a query names: rice cakes are no chocolate cake."""
    own = set(words(" ".join((row.title, row.category, *row.path, *(part.name for part, _ in row.parts)))))
    return all(set(words(query[one.start : one.end])) <= own for one in mentions(query[:200]))


# Of what a product consists at least in percent that is bought for one food.
MOSTLY = 80


def _itself(seed: int, query: str, found: list[Product]) -> Product | None:
    """A package of the listed food that a query names, where what has its name is only made of it: potatoes are no fries."""
    food = ingredient_or_none(query)
    if food is None or food.id >= FIRST_GENERIC_ID or words(food.name) != words(query):
        return None
    grown = SHELVES.get(food.category) == "Produce"
    last = words(food.name)[-1:]
    if not grown and any(words(row.title)[-1:] == last for row in found):
        return None
    pure = [row for row in found for part, percent in row.parts if part.id == food.id and percent >= MOSTLY]
    kept = [row for row in pure if not grown or row.path[0] != "Frozen Foods"]
    return None if kept else _unlisted(seed, query)


# What a product must not hold that is asked for by a diet.
_DIET_WORDS = {
    "gluten free": "gw", "gluten-free": "gw", "dairy free": "d", "dairy-free": "d", "lactose free": "d", "vegan": "mfhdea",
    "vegetarian": "mfh", "nut free": "np", "egg free": "e",
}  # fmt: skip


# Grams of sugar in a serving that may be called none.
_NO_SUGAR = 0.5
_SUGARLESS = re.compile(r"\b(?:sugar[- ]free|no sugar|sugarless)\b", re.I)


def without_diets(query: str) -> tuple[str, set[str]]:
    """A query less the diets it names, and the letters of what they forbid."""
    rest = query.lower()
    banned: set[str] = set()
    for name, letters in _DIET_WORDS.items():
        if name in rest:
            rest, banned = rest.replace(name, " "), banned | set(letters)
    return (rest, banned) if banned else (query, set())


def product_words(query: str) -> str:
    """A query less the diets it names: what the product itself is called."""
    return without_diets(_SUGARLESS.sub(" ", query))[0].strip()


def products_keeping(seed: int, query: str) -> list[Product]:
    """As `search_products`, of those that keep the diets that a query names, after one that is made for them."""
    if _SUGARLESS.search(query):
        rest = _SUGARLESS.sub(" ", query)
        rows = search_products(seed, rest) if words(rest) else list(products(seed))
        rows = [row for row in rows if plain(row.title) in by_title(seed)]
        return [row for row in rows if row.nutrients["sugar"] <= _NO_SUGAR]
    wanted, banned = without_diets(query)
    if not banned:
        return search_products(seed, query)
    if not words(wanted):
        return [row for row in products(seed) if not banned & set(row.flags)]
    rows = [row for row in search_products(seed, wanted) if _is_a(row, words(wanted)[-1:])]
    made = _unlisted(seed, query[:80])
    return [row for row in ([made] if made else []) + rows if not banned & set(row.flags)]


def _is_a(row: Product, head: list[str]) -> bool:
    """Whether a product is what the last word of a query says: pasta sauce is no pasta."""
    return any(words(name)[-1:] == head for name in (row.title, row.category, *row.path))


def _other_thing(query: str) -> bool:
    """Whether the dictionary has a query of several words as a thing that is no food: motor oil."""
    senses = [sense for sense in wordnet.senses(plain(query)) if sense.part == "n"] if " " in query else []
    return bool(senses) and all(sense.field in _THINGS for sense in senses)


# The dictionary's fields of made things and of substances.
_THINGS = (6, 27)
_BRANDS = {"Dairy": "Meadow Farm", "Produce": "Green Acre", "Meat": "Red Barn", "Seafood": "North Sea",
           "Snacks": "Crisp Co", "Deli": "Sunny Valley",
           "Beverages": "Sunny Valley", "Bakery": "Great Harvest", "Pantry": "Olympia"}  # fmt: skip
# Where a shop puts a food by its category.
SHELVES = {"beverage": "Beverages", "dairy": "Dairy", "fruit": "Produce", "vegetable": "Produce", "meat": "Meat",
            "poultry": "Meat", "fish": "Seafood", "shellfish": "Seafood", "snack": "Snacks", "grain": "Bakery",
           "herb": "Produce", "egg": "Dairy", "nut": "Snacks"}  # fmt: skip


@functools.cache
def _cooked_dishes() -> frozenset[str]:
    """The plain names of dishes that are eaten, not drunk."""
    return frozenset(plain(row["title"]) for row in dish_rows() if "drink" not in row["types"])


def _numbered(name: str) -> tuple[int, str]:
    """Id and the first eleven digits of the UPC of a product that no table has."""
    number = seeds.number("grocery", name)
    return 300_000 + number % 600_000, f"0{49000 + number % 900:05d}{number % 99_991:05d}"


@functools.cache
def _names() -> Mapping[int | str, str]:
    """Names of foods by the id and by the UPC that a product of them has."""
    found: dict[int | str, str] = {}
    for row in ingredients():
        number, code = _numbered(plain(row.name))
        found.setdefault(number, plain(row.name))
        found.setdefault(code + check_digit(code), plain(row.name))
    return found


# Grams of a serving by the category of a food; 100 otherwise.
_SERVINGS = {"spice": 2.0, "herb": 5.0, "oil": 14.0, "beverage": 240.0, "sweetener": 20.0, "condiment": 15.0}
# From so many US cents for 100 g on a food is sold by a few grams.
_PRECIOUS = 2000


def _unlisted(seed: int, query: str) -> Product | None:
    """A package of a listed food that no product of the table is; None for anything else."""
    name = plain(query)
    food = ingredient_or_none(name) if 0 < len(name.split()) <= 3 else None
    if food is None or food.id >= FIRST_GENERIC_ID or words(food.name) != words(name) or food.name == "water":
        return None
    name, basis = plain(food.name), food

    def built(chance: Random) -> Product:
        number, code = _numbered(name)
        shelf = SHELVES.get(basis.category, "Pantry")
        package = 50.0 if basis.category in ("spice", "herb") else 500.0
        package = 2.0 if basis.cents_per_100g > _PRECIOUS else package
        serving = min(package, _SERVINGS.get(basis.category, 100.0))
        return Product(
            id=number, upc=code + check_digit(code), title=f"{_BRANDS[shelf]} {titled(name)}", brand=_BRANDS[shelf],
            category=basis.category, path=("Alcohol" if "o" in basis.flags else shelf, titled(name)),
            serving_grams=serving, package_grams=package,
            cents=max(99, int(basis.cents_per_100g * package / 100 * (1.1 + 0.4 * chance.random()))),
            parts=((basis, 100.0),), flags=basis.flags,
            nutrients={key: round(value, 3) for key, value in scaled(basis.per_100g, serving).items()},
        )  # fmt: skip

    return derived(seed, "grocery", name, built)


def plain_product(seed: int, name: str) -> Product | None:
    """A package of one food as it is; None for what no shop has under a number."""
    return _unlisted(seed, name) if _names().get(_numbered(plain(name))[0]) == plain(name) else None


def _every(seed: int) -> tuple[Product, ...]:
    """The products of the table, and those that the running world has derived so far."""
    own = (_unlisted(seed, name) for name in noted("grocery"))
    return (*products(seed), *(row for row in own if row))


def find_product(seed: int, wanted: int) -> Product:
    """The product of an id; a not_found fault otherwise."""
    for row in _every(seed):
        if row.id == wanted:
            return row
    own = _unlisted(seed, _names()[wanted]) if wanted in _names() else None
    if own and own.id == wanted:
        return own
    raise not_found("grocery product with id", wanted, known=[row.id for row in products(seed)])


def find_upc(seed: int, upc: str) -> Product:
    """The product of a UPC (blanks and dashes aside); a fault that tells a wrong check digit from an unknown code."""
    bare = "".join(sign for sign in upc[:40] if sign in "0123456789")
    if not 10 <= len(bare) <= 12:
        raise invalid("upc", upc[:40], "want the twelve digits of a UPC, such as 041818003012")
    digits = bare.zfill(12)
    for row in _every(seed):
        if row.upc == digits:
            return row
    own = _unlisted(seed, _names()[digits]) if digits in _names() else None
    if own and own.upc == digits:
        return own
    if len(digits) != 12 or check_digit(digits[:11]) != digits[11]:
        raise invalid("upc", upc[:40], "want the twelve digits of a UPC with a right check digit")
    raise not_found("product with UPC", upc[:40], known=[row.upc for row in products(seed)])


def category_name(category: str, locale: str) -> str:
    """A category as Americans or Britons call it."""
    return _BRITISH.get(category, category) if locale == "en_GB" else category
