"""Ingredients: public nutrition facts per 100 g, weights of a cup and a piece, prices, glycemic index.

Ingredient(id=9003, name="apple", category="fruit", flags="", per_100g={"calories": 52.0, "protein": 0.3, ...},
           grams_per_cup=125, grams_per_piece=182, cents_per_100g=35, glycemic_index=36, ...)
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from toolyard.world import seeds
from toolyard.world.derived import derived, noted, well_formed
from toolyard.world.faults import not_found
from toolyard.world.reference import wordnet
from toolyard.world.reference.foods import GenericFood, food_at, foods_with
from toolyard.world.reference.packed import packed
from toolyard.world.search import words
from toolyard.world.shared.further_entries import new_nouns
from toolyard.world.shared.geography import plain, read_table
from toolyard.world.worlds.food.aisles import AISLES, ELSEWHERE
from toolyard.world.worlds.food.food_states import STATES, in_state
from toolyard.world.worlds.food.generic_foods import (
    HEADS,
    OF_PLANTS,
    PART,
    amounts_of,
    cup_of,
    generic_name,
    holding,
    is_a_thing,
    is_bread,
    kind_of,
    spellings,
    usual_cents,
    without_gluten,
)
from toolyard.world.worlds.food.german_plurals import GERMAN_PLURALS
from toolyard.world.worlds.food.ingredient import Ingredient
from toolyard.world.worlds.food.meanings import Nutrient
from toolyard.world.worlds.food.nutrients import NUTRIENTS, NutrientKind
from toolyard.world.worlds.food.usual_measures import (
    UsualMeasure,
    indexed,
    usual_index,
    usual_measure,
    usual_piece,
)

_TOKEN = re.compile(r"[^\W\d_]+")
_CUT = re.compile(r"[,;:.!?\n]")
_LONGEST_TEXT = 6000


INTOLERANCES: Mapping[str, str] = {
    "Dairy": "d", "Egg": "e", "Gluten": "g", "Peanut": "p", "Seafood": "fh", "Sesame": "k", "Shellfish": "h",
    "Soy": "s", "Sulfite": "u", "Tree Nut": "n", "Wheat": "w", "Grain": "r",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in a text that names an ingredient."""

    ingredient: Ingredient
    start: int
    end: int
    words: int


@functools.cache
def ingredients() -> tuple[Ingredient, ...]:
    """All ingredients, in the order of the table."""
    return tuple(map(_ingredient, read_table("food_ingredients.tsv")))


def _ingredient(row: Mapping[str, str]) -> Ingredient:
    per_100g = {kind.key: float(row["kcal" if kind.key == "calories" else kind.key]) for kind in NUTRIENTS}
    grain = "r" if row["category"] in ("grain", "pasta") or set("gw") & set(row["flags"]) else ""
    return Ingredient(
        id=int(row["id"]),
        name=row["name"],
        german=row["german"],
        aliases=tuple(part for part in row["aliases"].split(";") if part),
        category=row["category"],
        aisle=ELSEWHERE.get(row["name"], AISLES[row["category"]]),
        flags=row["flags"] + grain,
        per_100g=per_100g,
        grams_per_cup=float(row["cup"]),
        grams_per_piece=float(row["piece"]),
        cents_per_100g=float(row["cents"]),
        glycemic_index=int(row["gi"]),
    )


@functools.cache
def _by_id() -> Mapping[int, Ingredient]:
    return {row.id: row for row in ingredients()}


@functools.cache
def _by_words() -> Mapping[tuple[str, ...], Ingredient]:
    """Ingredients by the singular words of each of their names; a main name wins over another's alias."""
    found: dict[tuple[str, ...], Ingredient] = {}
    for row in ingredients():
        found[_key(row.name)] = row
    for row in ingredients():
        for name in row.aliases:
            found.setdefault(_key(name), row)
    for row in ingredients():
        found.setdefault(_key(row.german), row)
    german = {row.german: row for row in ingredients()}
    for several, one in GERMAN_PLURALS.items():
        found.setdefault(_key(several), german[one])
    return found


def singular(word: str) -> str:
    """A plain lower-case word without its plural ending."""
    word = plain(word)
    for ending, stem in (("ies", "y"), ("oes", "o"), ("ches", "ch"), ("shes", "sh"), ("eaves", "eaf")):
        if word.endswith(ending) and len(word) > 4:
            return word[: -len(ending)] + stem
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _key(name: str) -> tuple[str, ...]:
    return tuple(singular(word) for word in _TOKEN.findall(name))


def mentions(text: str) -> Iterator[Mention]:
    """The ingredients that a text names, from left to right, each by its longest name."""
    tokens = list(_TOKEN.finditer(text[:_LONGEST_TEXT]))
    stems = [singular(token.group()) for token in tokens]
    # Oats, milk are two foods.
    cuts = [_CUT.search(text, one.end(), other.start()) for one, other in itertools.pairwise(tokens)]
    known = _by_words()
    place = 0
    while place < len(tokens):
        for size in (4, 3, 2, 1):
            row = known.get(tuple(stems[place : place + size])) if place + size <= len(tokens) else None
            if row and not any(cuts[place : place + size - 1]):
                yield Mention(row, tokens[place].start(), tokens[place + size - 1].end(), size)
                place += size
                break
        else:
            place += 1


def called(text: str, mention: Mention) -> str:
    """What a text calls an ingredient: its name, or another one in the singular, such as pancetta for bacon."""
    spoken = " ".join(singular(word) for word in text[mention.start : mention.end].split())
    names = {" ".join(_key(alias)): alias for alias in mention.ingredient.aliases}
    return names.get(spoken, mention.ingredient.name)


def ingredient_or_none(text: str) -> Ingredient | None:
    """The ingredient that a text is about: its exact name, else the longest name in it, else None."""
    exact = _by_words().get(_key(text[:200])) or _in_state(text[:200])
    exact = exact or _by_words().get(_key(_unprepared(text[:200])))
    if exact:
        return exact
    longest = max(mentions(text[:200]), key=lambda mention: mention.words, default=None)
    if longest and (longest.words >= len(words(text[:200])) or _ends(text[:200], longest)):
        return longest.ingredient
    other = _generic(text[:200]) or further_ingredient(text) or _generic(_unprepared(text[:200]))
    if other is not None:
        return other
    return longest.ingredient if longest and all(map(_sayable, text[:200].split())) else None


def _in_state(text: str) -> Ingredient | None:
    """The food of a text that begins with what was done to it: dried apricots; None where that is not on record."""
    state, _, name = plain(text).strip().partition(" ")
    base = _by_words().get(_key(name)) if state in STATES else None
    found = in_state(base, state, FIRST_GENERIC_ID) if base else None
    # What was boiled in water and not measured so is the food itself.
    return found or (base if state in ("boiled", "steamed") else None)


def _ends(text: str, mention: Mention) -> bool:
    """Whether a text ends in a name of several words: a green chili pepper is a chili pepper."""
    return mention.words > 1 and mention.end == len(text.rstrip())


# What is done to a food before it is weighed.
_PREPARED = frozenset(
    "ground fresh freshly frozen dried chopped minced grated sliced diced crushed whole peeled toasted organic".split()
)


def _unprepared(text: str) -> str:
    """A text without the words before a food that say how it was prepared; nothing where there are none."""
    found = text.split()
    kept = [word for word in found if plain(word) not in _PREPARED]
    return " ".join(kept) if len(kept) < len(found) else ""


def _sayable(word: str) -> bool:
    """Whether a word may be part of a food's name; numbers and signs beside it do not matter."""
    letters = "".join(sign for sign in word if sign.isalpha())
    return not letters or well_formed(letters)


FIRST_GENERIC_ID = 700_000
_KIND_FLAGS = {"fish": "f", "shellfish": "h", "meat": "m", "poultry": "m", "dairy": "d", "egg": "e", "nut": "n",
               "grain": "r", "pasta": "gwr"}  # fmt: skip


def _generic(text: str) -> Ingredient | None:
    """A food of the reference table that a text names: a part of its name, or all words of it under the head of the name."""
    for wanted in spellings(words(text)):
        foods = foods_with(" ".join(wanted), 40) if 0 < len(wanted) <= 4 else []
        headed = [food for food in foods if set(words(PART.split(food.name)[0])) <= {*wanted, *HEADS}]
        for size in (None, len(wanted)):
            for food in headed or foods:
                parts = [words(part) for part in PART.split(food.name)[:3]]
                parts = parts[:1] if is_a_thing(wanted) else parts
                if any(own[:size] == wanted and set(own[len(wanted) :]) <= OF_PLANTS for own in parts):
                    return generic_ingredient(food.place)
        if headed and len(wanted) > 1:
            return generic_ingredient(headed[0].place)
    return None


def _flags_of_kind(kind: str, food: GenericFood) -> str:
    """What foods of a kind hold; a drink of oats among the milks holds what its name says."""
    if kind == "pasta" and without_gluten(food):
        return "r"
    return "" if kind == "dairy" and "d" not in holding(food) else _KIND_FLAGS.get(kind, "")


@functools.lru_cache(maxsize=1024)
def generic_ingredient(place: int) -> Ingredient:
    """A generic food as an ingredient; its weights of a cup and a piece, price and glycemic index are usual ones."""
    food = food_at(place)
    kind = kind_of(food)
    name = generic_name(food)
    usual = usual_measure(name, food.name)
    carbs = food.nutrients.get("carbs", 0.0)
    own_index = usual_index(kind, carbs)
    return Ingredient(
        id=FIRST_GENERIC_ID + place,
        name=name,
        german=name,
        aliases=(),
        category=kind,
        aisle="Bakery/Bread" if is_bread(food) else AISLES[kind],
        flags="".join(sorted({*_flags_of_kind(kind, food), *holding(food)})),
        per_100g=amounts_of(food),
        grams_per_cup=usual.cup if usual else cup_of(food, kind),
        grams_per_piece=usual.piece if usual else food.portion or usual_piece(kind),
        cents_per_100g=usual_cents(food, kind),
        glycemic_index=indexed(usual, own_index, carbs),
    )


FIRST_DERIVED_ID = 800_000
# Fields of the dictionary's nouns that foods are in: foods, animals, plants.
_EDIBLE_FIELDS = (13, 5, 20)


def further_ingredient(text: str) -> Ingredient | None:
    """A food that the dictionary has, with nutrients of its nearest kin."""
    name = plain(text).strip()
    return _unlisted(name) if 2 < len(name) <= 60 and _is_food(name) else None


@functools.lru_cache(maxsize=1024)
def _is_food(name: str) -> bool:
    if name in new_nouns() and new_nouns()[name]["kind"] != "food":
        return False
    return _kin(name) is not None


@functools.lru_cache(maxsize=1024)
def _kin(name: str) -> Ingredient | None:
    """The ingredient of the table that a noun of the dictionary is a kind of: bok choy is a cabbage."""
    near = new_nouns().get(name, {"synonyms": ""})["synonyms"].split(",")
    found = next((row for word in near if (row := _by_words().get(_key(word)))), None)
    if found is not None:
        return found
    for sense in wordnet.senses(name):
        if sense.part == "n" and sense.field in _EDIBLE_FIELDS:
            kinds = (word for above in wordnet.hypernyms(sense) for word in above.words)
            base = next((row for word in kinds if (row := _by_words().get(_key(word)))), None)
            if base is not None:
                return base
    return None


def _unlisted(name: str) -> Ingredient:
    def built(chance: Random) -> Ingredient:
        base = _kin(name) or find_ingredient("water")
        amounts = {
            key: round(value * (0.85 + 0.3 * chance.random()), 2) for key, value in base.per_100g.items()
        }
        usual = usual_measure(name) or UsualMeasure(
            base.grams_per_cup, base.grams_per_piece, base.glycemic_index
        )
        return replace(
            base,
            id=FIRST_DERIVED_ID + seeds.number("ingredient", name) % 100_000,
            name=name,
            german=name,
            aliases=(),
            per_100g=amounts,
            grams_per_cup=usual.cup,
            grams_per_piece=usual.piece,
            glycemic_index=usual.glycemic,
        )

    return derived(0, "ingredient", name, built)


def find_ingredient(text: str) -> Ingredient:
    """As `ingredient_or_none`, with a not_found fault that names similar ingredients."""
    row = ingredient_or_none(text)
    if row is None:
        raise not_found(
            "ingredient", text[:80], nearest=_similar(text), count=len(ingredients()) + len(packed("foods"))
        )
    return row


def find_ingredient_id(wanted: int) -> Ingredient:
    """The ingredient of an id; a not_found fault otherwise."""
    if FIRST_GENERIC_ID <= wanted < FIRST_GENERIC_ID + len(packed("foods")):
        return generic_ingredient(wanted - FIRST_GENERIC_ID)
    if wanted >= FIRST_DERIVED_ID:
        for name in noted("ingredient"):
            if (row := _unlisted(name)).id == wanted:
                return row
    if wanted not in _by_id():
        raise not_found(
            "ingredient with id",
            wanted,
            known=[f"{row.id} ({row.name})" for row in ingredients()],
            count=len(ingredients()) + len(packed("foods")),
        )
    return _by_id()[wanted]


def _similar(text: str) -> list[str]:
    from rapidfuzz import process

    names = [row.name for row in ingredients()]
    return [name for name, _, _ in process.extract(plain(text[:80]), names, limit=3, score_cutoff=60)]


def nutrient_kind(name: str) -> NutrientKind:
    """The nutrient of a name such as "vitamin c" or "carbs"; a not_found fault otherwise."""
    wanted = plain(name).replace("_", " ")
    aliases = {"energy": "calories", "kcal": "calories", "carbohydrate": "carbohydrates", "carbs": "carbohydrates",
               "sugars": "sugar", "fibre": "fiber", "fats": "fat", "ascorbic acid": "vitamin c",
               "total lipid (fat)": "fat", "fatty acids, total saturated": "saturated fat", "total sugars": "sugar",
               "carbohydrate, by difference": "carbohydrates", "fiber, total dietary": "fiber",
               "vitamin c, total ascorbic acid": "vitamin c", "calcium, ca": "calcium", "iron, fe": "iron",
               "potassium, k": "potassium", "sodium, na": "sodium"}  # fmt: skip
    wanted = aliases.get(wanted, wanted)
    for kind in NUTRIENTS:
        if wanted == kind.name.lower():
            return kind
    raise not_found("nutrient", name[:80], such_as=[", ".join(kind.name for kind in NUTRIENTS)])


def scaled(per_100g: Mapping[str, float], grams: float) -> dict[str, float]:
    """The nutrients of so many grams."""
    return {key: value * grams / 100 for key, value in per_100g.items()}


def nutrient_list(amounts: Mapping[str, float]) -> list[Nutrient]:
    """Amounts by key as the records that tools return."""
    return [
        {
            "name": kind.name,
            "amount": round(amounts[kind.key], 2),
            "unit": kind.unit,
            "percentOfDailyNeeds": round(100 * amounts[kind.key] / kind.daily, 1),
        }
        for kind in NUTRIENTS
    ]


def price_cents(seed: int, ingredient: Ingredient, grams: float) -> float:
    """What so many grams cost in US cents; prices differ a little between worlds."""
    factor = 0.9 + 0.2 * seeds.unit(seed, "price", ingredient.id)
    return ingredient.cents_per_100g * factor * grams / 100


def tolerated(flags: str, intolerances: list[str] | None) -> bool:
    """Whether food with these flags suits people with all of these intolerances."""
    banned = {letter for name in intolerances or () for letter in INTOLERANCES[name]}
    return not banned & set(flags)
