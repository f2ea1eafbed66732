"""Answers about nutrients of whole dishes: of a chain's menu, or of a recipe."""

from __future__ import annotations

import re
from collections.abc import Mapping

from toolyard.core.sums import added
from toolyard.world.faults import ToolFault
from toolyard.world.reference.foods import foods_with
from toolyard.world.search import words
from toolyard.world.state import World
from toolyard.world.tables import plain
from toolyard.world.worlds.food.answer_texts import Answer, rounded, shown
from toolyard.world.worlds.food.asked_amounts import weighed
from toolyard.world.worlds.food.dishes import dish_rows
from toolyard.world.worlds.food.ingredients import ingredient_or_none
from toolyard.world.worlds.food.menus import MenuItem, menu_items
from toolyard.world.worlds.food.nutrients import NutrientKind
from toolyard.world.worlds.food.recipes import Recipe, eaten_grams, every_recipe


def of_dish(what: str, kind: NutrientKind, value: float, *, several: bool = False) -> Answer:
    """The answer about a dish."""
    text = f"{what} {'have' if several else 'has'} {shown(value, kind)}."
    return {"answer": text, "type": "DISH", "nutrient": kind.name, "amount": value,
            "unit": kind.unit}  # fmt: skip


def _of_menu(item: MenuItem, kind: NutrientKind) -> float | None:
    """How much of a nutrient a dish of a chain holds: what its menu says, else by weight from the reference table."""
    published = {
        "calories": item["calories"],
        "protein": item["protein"],
        "fat": item["fat"],
        "carbs": item["carbs"],
    }
    if kind.key in published:
        return published[kind.key]
    own, chain = plain(item["title"].split(" (")[0]), plain(item["restaurantChain"])
    named = {name.replace("'", "") for name in (f"{own} ({chain})", f"{chain}, {own}")}
    same = (food for food in foods_with(own) if plain(food.name).replace("'", "") in named)
    each = next((food.nutrients[kind.key] for food in same if kind.key in food.nutrients), None)
    if each is None and _known_otherwise(own):
        return None
    if each is None:
        held = ", ".join(f"{name} {value:g}" for name, value in published.items())
        raise ToolFault(
            "not_found", f"{kind.name} of the {item['title']} is not on record; on record are {held}"
        )
    return round(each * item["grams"] / 100, 1)


def _known_otherwise(title: str) -> bool:
    """Whether what a chain serves is also a food or a dish of its own: french fries, but no Baconator."""
    food = ingredient_or_none(title)
    names = " ".join((food.name, *food.aliases)) if food else ""
    return set(words(title)) <= set(words(names)) or title in {plain(row["title"]) for row in dish_rows()}


def _menu_named(text: str) -> tuple[list[MenuItem], bool]:
    """What a text may mean of the menus, the longest names first: of the chain that it names, else of all; and which."""
    joined = text.replace("'", "")
    named = [
        item for item in menu_items() if f" {plain(item['restaurantChain'])} ".replace("'", "") in joined
    ]
    return sorted(named or menu_items(), key=lambda item: -len(item["title"])), bool(named)


# What people call a dish that has another title.
_CALLED: Mapping[str, str] = {
    "burger": "hamburger", "burgers": "hamburger", "doughnut": "donuts", "doughnuts": "donuts",
    "mac n cheese": "mac and cheese",
    "macaroni and cheese": "mac and cheese", "spag bol": "spaghetti bolognese", "grilled cheese": "grilled cheese sandwich",
    "blt": "blt sandwich", "pb&j": "peanut butter and jelly sandwich", "chocolate chip cookie": "chocolate chip cookies",
    "creme brulee": "crème brûlée", "dolma": "dolmades",
    "steak and fries": "steak frites", "steak with fries": "steak frites", "macaroni & cheese": "mac and cheese",
    "macaroni cheese": "mac and cheese", "oatmeal": "porridge", "dim sum": "dumplings", "potstickers": "gyoza",
    "chili": "chili con carne", "stir fry": "stir-fried vegetables", "vegetable stir fry": "stir-fried vegetables",
    "fish & chips": "fish and chips", "meatballs": "swedish meatballs", "ribs": "barbecue ribs", "bbq ribs": "barbecue ribs",
    "tandoori": "tandoori chicken", "egg fried rice": "fried rice", "veggie stir fry": "stir-fried vegetables",
    "steak": "grilled steak", "omelet": "omelette", "crepe": "crepes", "cheese burger": "cheeseburger",
}  # fmt: skip


# Of those the names that mean the dish wherever they stand.
_IN_TEXTS = ("burger", "burgers", "doughnut", "doughnuts", "mac n cheese", "macaroni and cheese", "spag bol", "blt",
             "chocolate chip cookie", "creme brulee")  # fmt: skip


def called(text: str) -> str:
    """The title of a dish that is called otherwise; any other name as it is."""
    said = " ".join(text.split())
    return _CALLED.get(said, said)


def with_titles(text: str) -> str:
    """A text with the titles of dishes in place of other names for them."""
    for name in _IN_TEXTS:
        title = _CALLED[name]
        text = re.sub(rf"\b{re.escape(name)}\b(?! {re.escape(title.split()[-1])})", title, text)
    return text


def _names(title: str, text: str, *, by_the_piece: bool = False) -> bool:
    """Whether a text has a title, in the plural too, and in the singular where a serving is one piece."""
    one = title.removesuffix("s") if by_the_piece else title
    return one in text and bool(re.search(rf"\b(?:{re.escape(title)}|{re.escape(one)})(?:s|es)?\b", text))


# From so many servings on one of them is a piece: a donut, a cookie.
_DOZEN = 8


def dish_answer(world: World, question: str, kind: NutrientKind, longest: int) -> Answer | None:
    """The answer about a dish that a question names in full: a Big Mac, spaghetti carbonara; None where it names none.

    Its name has more words than the longest name of a food in the question.
    """
    text = f" {with_titles(plain(question))} "
    return _on_menu(text, question, kind, longest) or _as_cooked(world, text, question, kind, longest)


def _on_menu(text: str, question: str, kind: NutrientKind, longest: int) -> Answer | None:
    """The answer about what a chain serves; a dish that anybody cooks is of a chain only where the chain is named."""
    grams, amount = weighed(question)
    cooked = {plain(row["title"]) for row in dish_rows()}
    items, chain_named = _menu_named(text)
    said = set(words(text))
    for item in _nearest(items, text) if chain_named else items:
        title = plain(item["title"].split(" (")[0])
        common = title in cooked or f"{title}s" in cooked
        if (
            len(title.split()) > longest
            and (_names(title, text) if not chain_named else bool(said & set(words(title))))
            and (chain_named or not common)
        ):
            value = _of_menu(item, kind)
            if value is not None:
                article = "An" if item["title"][0] in "AEIO" else "A"
                article = "The" if title.endswith("s") and not title.endswith("ss") else article
                article = f"{amount} of the" if amount else article
                part = grams / item["grams"] if grams else 1.0
                what = f"{article} {item['title']} of {item['restaurantChain']}"
                return of_dish(what, kind, rounded(value * part, kind), several=article == "The")
    return None


def _nearest(items: list[MenuItem], text: str) -> list[MenuItem]:
    """Of a chain's dishes first those that a text names most of: its latte is a caffe latte."""
    said = set(words(text))
    names = {item["id"]: words(item["title"].split(" (")[0]) for item in items}
    return sorted(items, key=lambda item: (-len(said & set(names[item["id"]])), len(names[item["id"]])))


def _as_cooked(world: World, text: str, question: str, kind: NutrientKind, longest: int) -> Answer | None:
    """The answer about a serving of a recipe, or about so many grams of it."""
    grams, amount = weighed(question)
    titles = {row["title"] for row in dish_rows()}

    def named(row: Recipe) -> bool:
        title = plain(row.title)
        size = len(title.split())
        return (
            (row.title in titles or size > 1)
            and size > longest
            and _names(title, text, by_the_piece=row.servings >= _DOZEN)
        )

    rows = sorted(every_recipe(world.seed), key=lambda row: -len(row.title))
    row = next(filter(named, rows), None)
    if row is None:
        return None
    serving = added(map(eaten_grams, row.lines)) / row.servings
    part = grams / serving if grams else 1.0
    what = f"{amount} of {row.title}" if grams else f"One serving of {row.title}"
    return of_dish(what, kind, rounded(row.nutrients[kind.key] * part, kind))
