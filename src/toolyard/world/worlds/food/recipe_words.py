"""Recipes by words: all words of a query in the title first, then in what is in the dish; else the nearest ones."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import NamedTuple, TypedDict

from toolyard.world import seeds
from toolyard.world.search import Index, words
from toolyard.world.tables import plain
from toolyard.world.worlds.food.asked_dishes import called
from toolyard.world.worlds.food.ingredient import Ingredient
from toolyard.world.worlds.food.recipes import DIETS, Recipe, every_recipe, recipes

_SPOKEN_DIETS = {"low carb": "ketogenic", "keto": "ketogenic", "paleo": "paleolithic", "veggie": "vegetarian"}
# What is asked for in general, and says nothing of the dish.
_FILLING = frozenset(
    words(
        "recipe easy quick simple best healthy homemade good tasty delicious idea ideas dish meal some something food "
        "cook make want suggest show give find tell like need please any cooking spicy cheap kid friendly family party "
        "slow cooker air fryer instant fancy nice tonight today weeknight budget really great"
    )
)
# What is only made of the food that its name begins with: fish sauce is no fish.
_MADE = frozenset(words("broth sauce paste powder juice oil butter milk stock extract seeds crackers"))
_HURRY = re.compile(r"\b(?:quick|fast)\b")
_HOT = frozenset(
    ("chili pepper", "chili powder", "cayenne pepper", "hot sauce", "sriracha", "curry paste", "gochujang")
)
_KINDS = {"fish": "fish seafood", "shellfish": "shellfish seafood", "poultry": "poultry meat", "meat": "meat"}


_KINDS_OF_DISHES = frozenset(
    words("cake pie cookie muffin soup salad sandwich pizza burger stew pudding tart pancake")
)


class SearchRow(TypedDict):
    """What the index of recipes looks at."""

    recipe: Recipe
    title: str
    words: str


@seeds.table
def _index(seed: int) -> Index[SearchRow]:
    rows = [
        SearchRow(recipe=row, title=row.title, words=" ".join((row.dish, *row.tags, *_of_ingredients(row))))
        for row in every_recipe(seed)
    ]
    return Index(rows, ("title", "title", "title", "words"))


def _of_ingredients(recipe: Recipe) -> tuple[str, ...]:
    cocktail = "cocktail" if "drink" in recipe.types and "o" in recipe.flags else ""
    return (
        cocktail,
        *(word for line in recipe.lines for word in (line.ingredient.name, _kind(line.ingredient))),
    )


def _kind(food: Ingredient) -> str:
    """What people call all foods of its kind: spaghetti is pasta, rice noodles are not."""
    if food.category == "pasta" and not set(words(food.name)) & {"noodle", "paper"}:
        return "pasta"
    return _KINDS.get(food.category, "")


class _Spoken(NamedTuple):
    """Words that a recipe answers to, those of its title, and names of what is only made of a food."""

    title: frozenset[str]
    said: frozenset[str]
    made: tuple[frozenset[str], ...]


@seeds.table
def _spoken(seed: int) -> Mapping[int, _Spoken]:
    return {row.id: _words_of(row) for row in every_recipe(seed)}


def _words_of(recipe: Recipe) -> _Spoken:
    said = set(words(" ".join((recipe.title, recipe.dish, *recipe.tags))))
    made: list[frozenset[str]] = []
    if "drink" in recipe.types and "o" in recipe.flags:
        said.add("cocktail")
    for line in recipe.lines:
        own = words(line.ingredient.name)
        if own[-1] in _MADE:
            made.append(frozenset(own))
        else:
            said.update(own)
        said.update(_kind(line.ingredient).split())
    return _Spoken(frozenset(words(recipe.title)), frozenset(said), tuple(made))


def _says(spoken: _Spoken, wanted: set[str]) -> bool:
    """Whether a recipe has all words of a query in its title, tags or the foods in it."""
    return wanted <= spoken.said.union(*(name for name in spoken.made if name <= wanted))


def asked_diets(text: str) -> list[str]:
    """The diets that a text names, also as people say them."""
    spoken = {full for short, full in _SPOKEN_DIETS.items() if re.search(rf"\b{short}\b", text)}
    return [diet for diet in DIETS if diet in spoken or re.search(rf"\b{diet}\b", text)]


def search(seed: int, query: str) -> list[Recipe]:
    """Recipes for the words of a query, best first, that keep the diets it names; all for an empty one."""
    return list(_searched(seed, query))


@functools.lru_cache(maxsize=256)
def _searched(seed: int, query: str) -> tuple[Recipe, ...]:
    text = query[:200].lower().replace("-", " ")
    asked = asked_diets(text)
    names: list[str] = [*asked, *_SPOKEN_DIETS]
    rest = re.sub(rf"\b(?:{'|'.join(names)})\b", " ", text) if asked else query[:200]
    found = _called(seed, rest) if set(words(rest)) - _FILLING else list(recipes(seed))
    found = [row for row in found if all(row.suits(diet) for diet in asked)]
    # What is called otherwise stands first: oatmeal is porridge.
    other = called(plain(query[:200]))
    if other != plain(query[:200]).strip():
        same = [row for row in every_recipe(seed) if plain(row.title) == other]
        found = [*same, *(row for row in found if row not in same)]
    if re.search(r"\bhealthy\b", text):
        found.sort(key=lambda row: -row.health)
    if re.search(r"\bspicy\b", text):
        found.sort(key=lambda row: not any(line.ingredient.name in _HOT for line in row.lines))
    return tuple(sorted(found, key=lambda row: row.minutes > 30) if _HURRY.search(text) else found)


def _called(seed: int, query: str) -> list[Recipe]:
    """Recipes of a cuisine that is named outright; those with all words, by title first; else the nearest ones."""
    found = [row["recipe"] for row in _index(seed).search(query)]
    if of_it := _cuisines(seed).get(plain(query).strip()):
        rows = [row for row in found if row in of_it]
        return sorted(rows, key=lambda row: row.cuisines[0].lower() != plain(query).strip())
    wanted = set(words(query)) - _FILLING
    spoken = _spoken(seed)
    whole = [row for row in found if _says(spoken[row.id], wanted)]
    # What names a kind of dish names no food in another: rice cakes are no cake.
    kinds = _KINDS_OF_DISHES & wanted
    whole = [row for row in whole if kinds <= set(words(" ".join((row.title, row.dish, *row.types))))]
    if whole:
        literal = set(plain(query).split())
        return sorted(
            whole,
            key=lambda row: (
                not wanted <= spoken[row.id].title,
                not literal <= set(plain(row.title).split()),
                # Pesto pasta is pasta before a salad of it is.
                words(row.title.partition(" with ")[0])[-1:] != words(query)[-1:],
            ),
        )
    kept = " ".join(word for word in query.split() if not set(words(word)) & _FILLING)
    near = [row["recipe"] for row in _index(seed).search(kept, bound=0.4)]
    last = set(words(kept)[-1:])
    # What the last word names counts more than how it is made: grilled octopus is no grilled cheese.
    same = [row for row in near if _says(spoken[row.id], last)]
    titled = [row for row in near if wanted & spoken[row.id].title]
    # A pizza is nearer to pizza dough than what only has dough in it.
    if titled and not any(last <= spoken[row.id].title for row in same):
        same = [row for row in same if wanted & spoken[row.id].title] or titled
    return sorted(same or near, key=lambda row: not last <= spoken[row.id].title)


@seeds.table
def _cuisines(seed: int) -> Mapping[str, tuple[Recipe, ...]]:
    rows = every_recipe(seed)
    names = {name.lower() for row in rows for name in row.cuisines}
    return {name: tuple(row for row in rows if name in map(str.lower, row.cuisines)) for name in names}
