"""Ingredients: a table of foods with nutrients, weights and tastes, and the reference table of foods behind it.

Ingredient(id=9003, name="apple", category="fruit", flags="", per_100g={"calories": 52.0, "protein": 0.3, ...},
           grams_per_cup=125, grams_per_piece=182, units={"slice": 10.0}, glycemic_index=36, ...)
"""

import functools
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from toolyard.world.index import words
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.tables import plain, read_record, read_table, share_keys, table_texts, table_words
from toolyard.world.reference.foods import GenericFood, food_at, search_foods
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.simulated.food.nutrients import NUTRIENTS, NutrientKind

INTOLERANCES: Mapping[str, str] = table_texts("ingredients.intolerances")
# Bounds of what 100 g cost, in US cents.
CHEAPEST, DEAREST = 12.0, 400.0
FIRST_GENERIC_ID = 700_000
_TOKEN = re.compile(r"[^\W\d_]+")
_CUT = re.compile(r"[,;:.!?\n]")
_LONGEST_TEXT = 6000
_LONGEST_NAME = 5
# So many words may stand before the name of a food.
_MOST_OTHERS = 2
Value = TypeVar("Value")
# How a food was prepared before it is weighed; such words before a name do not change the food.
_PREPARED = frozenset(table_words("ingredients.prepared"))


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of food: where a shop has it, and what foods of it weigh and hold unless their own row says otherwise."""

    name: str
    aisle: str
    shelf: str
    brand: str
    flags: str
    serving: float
    cup: float
    glycemic_index: int


@dataclass(frozen=True, slots=True)
class Ingredient:
    """A simple food; `flags` are the letters of INTOLERANCES, m for meat, a for honey and the like, o for alcohol.

    `units` are the grams of what it is measured in beside weights, cups and pieces; `tastes` are sour, bitter and savory
    from 0 to 100, and heat in Scoville units.
    """

    id: int
    name: str
    german: str
    aliases: tuple[str, ...]
    category: str
    aisle: str
    flags: str
    per_100g: Mapping[str, float]
    grams_per_cup: float
    grams_per_piece: float
    units: Mapping[str, float]
    glycemic_index: int
    tastes: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in a text that names an ingredient."""

    ingredient: Ingredient
    start: int
    end: int


@functools.cache
def kinds() -> Mapping[str, Kind]:
    """The kinds of food by name."""
    return {
        row["kind"]: read_record(Kind, row, name=row["kind"], glycemic_index=round(float(row["gi"])))
        for row in read_table("food_kinds.tsv")
    }


# What units weigh that an ingredient is measured in without a weight of its own.
PORTIONS = {"can": 400.0, "stick": 113.5, "bunch": 30.0, "sprig": 2.0, "leaf": 15.0, "handful": 30.0, "pinch": 0.4,
            "dash": 0.6, "package": 250.0, "jar": 450.0, "scoop": 65.0, "block": 250.0, "ball": 125.0, "rack": 700.0,
            "tub": 200.0, "slice": 30.0, "clove": 5.0, "head": 500.0, "fillet": 150.0, "stalk": 40.0}  # fmt: skip


@functools.cache
def all_ingredients() -> tuple[Ingredient, ...]:
    """All ingredients, in the order of the table."""
    return tuple(map(_read_ingredient, read_table("food_ingredients.tsv")))


def _read_ingredient(row: Mapping[str, str]) -> Ingredient:
    per_100g = share_keys(
        {kind.key: float(row["kcal" if kind.key == "calories" else kind.key]) for kind in NUTRIENTS}
    )
    grain = "r" if row["category"] in ("grain", "pasta") or set("gw") & set(row["flags"]) else ""
    units = (part.partition(" ") for part in row["units"].split(";") if part)
    savory = float(row["savory"] or min(60.0, 2 * per_100g["protein"]))
    return read_record(
        Ingredient,
        row,
        aisle=row["aisle"] or kinds()[row["category"]].aisle,
        flags="".join(dict.fromkeys(row["flags"] + grain)),
        per_100g=per_100g,
        grams_per_cup=float(row["cup"]),
        grams_per_piece=float(row["piece"]),
        units={unit: float(grams or PORTIONS[unit]) for unit, _, grams in units},
        glycemic_index=int(row["gi"]),
        tastes=(float(row["sour"] or 0), float(row["bitter"] or 0), savory, float(row["hot"] or 0)),
    )


@functools.cache
def _ingredients_by_id() -> Mapping[int, Ingredient]:
    return {row.id: row for row in all_ingredients()}


@functools.cache
def by_words() -> Mapping[tuple[str, ...], Ingredient]:
    """Ingredients by the singular words of each of their names; a main name wins over another's alias."""
    found: dict[tuple[str, ...], Ingredient] = {name_key(row.name): row for row in all_ingredients()}
    for row in all_ingredients():
        for name in (*row.aliases, row.german):
            found.setdefault(name_key(name), row)
    return found


def singular_word(word: str) -> str:
    """A plain lower-case word without its plural ending."""
    word = plain(word)
    for ending, stem in (
        ("ies", "y"),
        ("oes", "o"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("sses", "ss"),
        ("eaves", "eaf"),
    ):
        if word.endswith(ending) and len(word) > 4:
            return word[: -len(ending)] + stem
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def name_key(name: str) -> tuple[str, ...]:
    """The singular words of a name, by which it is found."""
    return tuple(singular_word(word) for word in _TOKEN.findall(name))


def find_spans(text: str, known: Mapping[tuple[str, ...], Value]) -> Iterator[tuple[Value, int, int]]:
    """What a text names of some known things, from left to right, each by its longest name, with start and end."""
    tokens = list(_TOKEN.finditer(text[:_LONGEST_TEXT]))
    stems = [singular_word(token.group()) for token in tokens]
    # Oats, milk are two foods.
    cuts = [_CUT.search(text, one.end(), other.start()) for one, other in itertools.pairwise(tokens)]
    place = 0
    while place < len(tokens):
        for size in range(min(_LONGEST_NAME, len(tokens) - place), 0, -1):
            found = known.get(tuple(stems[place : place + size]))
            if found is not None and not any(cuts[place : place + size - 1]):
                yield found, tokens[place].start(), tokens[place + size - 1].end()
                place += size
                break
        else:
            place += 1


def find_ingredients(text: str) -> Iterator[Mention]:
    """The ingredients that a text names, from left to right, each by its longest name."""
    return (Mention(row, start, end) for row, start, end in find_spans(text, by_words()))


def ingredient_or_none(text: str) -> Ingredient | None:
    """The food of a name: of the table, else of the reference table, else the one of the table that ends the name."""
    spoken = " ".join(text[:200].split())
    bare = " ".join(word for word in spoken.split() if plain(word) not in _PREPARED)
    for name in dict.fromkeys((spoken, bare)):
        if found := by_words().get(name_key(name)) or _reference_ingredient(name):
            return found
    last = max(find_ingredients(bare), key=lambda mention: mention.end, default=None)
    if last is None or last.end < len(bare.rstrip(" .,;:!?")):
        return None
    # A green chili pepper is a chili pepper; what no food is called by makes it none: motor oil.
    others = words(bare[: last.start])
    return (
        last.ingredient
        if len(others) <= _MOST_OTHERS and all(search_foods(word, 1) for word in others)
        else None
    )


def _reference_ingredient(name: str) -> Ingredient | None:
    """The plainest food of the reference table that is called so: all words in its name, and its first part among them."""
    wanted = words(name)
    for food in search_foods(name, 20) if wanted else ():
        head, own = words(food.name.split(",")[0]), words(food.name)
        group = {*words(food.category), _kind_and_flags(food.category)[0]}
        headed = set(head) <= set(wanted) or (set(head) <= group and own[len(head) :][:1] == wanted[:1])
        if own[: len(wanted)] == wanted or headed:
            return generic_ingredient(food.place)
    return None


@functools.cache
def _food_categories() -> Mapping[str, tuple[str, str]]:
    """Kind and flags of the foods of each category of the reference table."""
    return {row["category"]: (row["kind"], row["flags"]) for row in read_table("food_categories.tsv")}


def _kind_and_flags(name: str) -> tuple[str, str]:
    return _food_categories().get(name, ("snack", ""))


@functools.lru_cache(maxsize=1024)
def generic_ingredient(place: int) -> Ingredient:
    """A food of the reference table as an ingredient; a cup of it and its glycemic index are those of its kind."""
    food = food_at(place)
    category, flags = _kind_and_flags(food.category)
    kind = kinds()[category]
    name = food.name.lower()
    held = (letter for mention in find_ingredients(name) for letter in mention.ingredient.flags)
    amounts = {kind.key: max(0.0, food.nutrients.get(kind.key, 0.0)) for kind in NUTRIENTS}
    return Ingredient(
        id=FIRST_GENERIC_ID + place,
        name=name,
        german=name,
        aliases=(),
        category=category,
        aisle=kind.aisle,
        flags="".join(sorted({*flags, *kind.flags, *held})),
        per_100g={**amounts, "sugar": min(amounts["sugar"], amounts["carbs"])},
        grams_per_cup=kind.cup,
        grams_per_piece=food.portion or 0.0,
        units={"slice": PORTIONS["slice"]},
        glycemic_index=kind.glycemic_index if amounts["carbs"] else 0,
        tastes=(0.0, 0.0, min(60.0, 2 * amounts["protein"]), 0.0),
    )


def foods_starting(prefix: str, limit: int) -> list[Ingredient]:
    """Foods of the reference table whose name starts so, the shortest names first."""
    rows = packed_table("foods").starting(prefix.strip().capitalize(), 200)
    names = sorted({row[0] for row in rows}, key=lambda name: (len(name), name))[:limit]
    foods = (next((food for food in search_foods(name, 5) if food.name == name), None) for name in names)
    return [generic_ingredient(food.place) for food in foods if food]


def find_ingredient(text: str) -> Ingredient:
    """As `ingredient_or_none`, with a not_found fault that names similar ingredients."""
    row = ingredient_or_none(text)
    if row is None:
        names = [row.name for row in all_ingredients()]
        raise not_found("ingredient", text[:80], known=names, count=len(names) + len(packed_table("foods")))
    return row


def find_ingredient_id(wanted: int) -> Ingredient:
    """The ingredient of an id; a not_found fault otherwise."""
    if wanted in _ingredients_by_id():
        return _ingredients_by_id()[wanted]
    if FIRST_GENERIC_ID <= wanted < FIRST_GENERIC_ID + len(packed_table("foods")):
        return generic_ingredient(wanted - FIRST_GENERIC_ID)
    known = [f"{row.id} ({row.name})" for row in all_ingredients()]
    raise not_found("ingredient with id", wanted, known=known, count=len(known) + len(packed_table("foods")))


def held_in(row: Ingredient, kind: NutrientKind) -> float | None:
    """How much of a nutrient 100 g of an ingredient hold; None where the reference table did not measure it."""
    if kind.key in row.per_100g:
        return row.per_100g[kind.key]
    foods: list[GenericFood] = []
    if row.id >= FIRST_GENERIC_ID:
        foods = [food_at(row.id - FIRST_GENERIC_ID)]
    else:
        foods = [*search_foods(f"{row.name} raw", 1), *search_foods(row.name, 3)]
    return next((food.nutrients[kind.key] for food in foods if kind.key in food.nutrients), None)


def price_cents(seed: int, ingredient: Ingredient, grams: float) -> float:
    """What so many grams cost in US cents."""
    share = seeds.unit(seed, "price", ingredient.id)
    return float(CHEAPEST * (DEAREST / CHEAPEST) ** share * grams / 100)


def is_tolerated(flags: str, intolerances: Sequence[str] | None) -> bool:
    """Whether food with these flags suits people with all of these intolerances."""
    banned = {letter for name in intolerances or () for letter in INTOLERANCES[name]}
    return not banned & set(flags)


def unsuited_intolerances(flags: str) -> list[str]:
    """The intolerances that food with these flags does not suit."""
    return [name for name, letters in INTOLERANCES.items() if set(letters) & set(flags)]
