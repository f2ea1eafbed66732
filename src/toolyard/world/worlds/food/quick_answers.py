"""Food/spoonacular_misc, third part: answers to questions about nutrients in foods and dishes."""

from __future__ import annotations

import re
from typing import Literal, NotRequired, TypedDict

from toolyard.core.sums import added
from toolyard.world.faults import ToolFault, invalid
from toolyard.world.reference.foods import foods_with
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.state import World
from toolyard.world.tables import plain
from toolyard.world.types import IngredientName, Prose
from toolyard.world.worlds.food.asked import said
from toolyard.world.worlds.food.asked_amounts import weighed, with_amounts_first
from toolyard.world.worlds.food.dishes import dish_rows
from toolyard.world.worlds.food.food_states import STATES, in_state
from toolyard.world.worlds.food.further_nutrients import (
    FURTHER,
    FurtherNutrient,
    further_nutrient,
    further_per_100g,
)
from toolyard.world.worlds.food.ingredient import Ingredient
from toolyard.world.worlds.food.ingredients import (
    Mention,
    ingredient_or_none,
    ingredients,
    mentions,
    nutrient_kind,
)
from toolyard.world.worlds.food.meanings import NutrientName
from toolyard.world.worlds.food.measures import Line, read_line
from toolyard.world.worlds.food.menus import MenuItem, menu_items
from toolyard.world.worlds.food.nutrients import NUTRIENTS, NutrientKind
from toolyard.world.worlds.food.recipe_words import search
from toolyard.world.worlds.food.recipes import eaten_grams, every_recipe

GROUP = "Food/spoonacular_misc"
_ASKED = {"calorie": "Calories", "kcal": "Calories", "energy": "Calories", "fattening": "Calories", "nutrition": "Calories",
          "nutrient": "Calories", "carb": "Carbohydrates", "fibre": "Fiber",
          "saturated": "Saturated Fat", "salt": "Sodium"}  # fmt: skip
_COUNT = re.compile(r"\d+(?:[./]\d+)?|\b(?:an?|one|two|three|four|five|six|ten|half)\b", re.IGNORECASE)


_FOOD = re.compile(r"\b(?:of|in|has|have) (?!\d)([^\W\d][\w' -]+?)\??$")
_SOURCES = re.compile(
    r"\b(sources? of|rich(?:est)? in|high(?:est)? in|(?:most|lots of|much) \w+(?: \w+)?$)", re.I
)
_BELOW_ZERO = re.compile(r"(?:^|\s)[-\u2212]\d[\d.,]*")
_EXAMPLE = "How much iron is in 100 g of spinach?"


Asked = NutrientKind | FurtherNutrient


class Answer(TypedDict):
    answer: Prose
    type: Literal["AMOUNT", "COMPARISON", "DISH"]
    nutrient: NutrientName
    amount: float
    unit: str
    ingredient: NotRequired[IngredientName]


def asked_nutrient(question: str) -> NutrientKind | None:
    """The nutrient that a question names; None where it asks for something else."""
    text = question.lower()
    for kind in sorted(NUTRIENTS, key=lambda kind: -len(kind.name)):
        if kind.name.lower().rstrip("s") in text:
            return kind
    name = next((name for word, name in _ASKED.items() if word in text), None)
    return nutrient_kind(name) if name else None


def _line_about(question: str, start: int) -> Line | None:
    """The amount that a question speaks of: from the last number before the ingredient on, else one of it."""
    begun = max((match.end() for match in _NEXT.finditer(question[:start])), default=0)
    before = [match.start() for match in _COUNT.finditer(question[:start]) if match.start() >= begun]
    amounts = (read_line(_first_food(question[place:])) for place in reversed(before[-2:]))
    said_of_it = _STATE.search(question[:start])
    own = said_of_it.start() if said_of_it else start
    return next((line for line in amounts if line), None) or _uncounted(_first_food(question[own:]))


# What was done to a food, right before its name.
_STATE = re.compile(rf"\b({'|'.join(STATES)}) $", re.I)


def _not_on_record(question: str, foods: list[Mention], lines: list[Line]) -> str:
    """A sentence on foods that are on record only as they are before what was done to them."""
    said_of = ((_STATE.search(question[: food.start]), food) for food in foods)
    names = {line.ingredient.name for line in lines}
    missing = [
        f"{state[1].lower()} {food.ingredient.name}"
        for state, food in said_of
        if state and food.ingredient.name in names and not _already(state[1].lower(), food.ingredient)
    ]
    return (
        f" {' and '.join(missing).capitalize()} is not on record; this is the food as it is bought."
        if missing
        else ""
    )


def _already(state: str, food: Ingredient) -> bool:
    """Whether a food of the table is in that state by itself: lentils are dried, and almonds no other when roasted."""
    ready = {
        "dried": ("legume", "grain", "pasta", "herb", "spice"),
        "roasted": ("nut",),
        "canned": ("legume", "fish"),
    }
    return food.category in ready.get(state, ()) or in_state(food, state, 0) is not None


def _uncounted(text: str) -> Line | None:
    """A food without an amount: one of what is eaten by the piece, else 100 g of it."""
    line = read_line(text)
    if (
        line is None
        or line.unit
        or _COUNT.match(text)
        or (
            line.ingredient.grams_per_piece >= 30
            and line.ingredient.category not in _CUT
            and not _several(text, line)
        )
    ):
        return line
    return read_line(f"100 g {line.ingredient.name}")


# What is eaten by the cut, not by the piece.
_CUT = ("fish", "shellfish", "meat", "poultry")


def _several(text: str, line: Line) -> bool:
    """Whether a text speaks of a food in the plural."""
    first = text.split()[: len(line.ingredient.name.split())]
    return bool(first) and first[-1].endswith("s") and not line.ingredient.name.endswith("s")


def _first_food(text: str) -> str:
    """A text up to the word that another food follows: 100 g tofu or 100 g egg."""
    return _NEXT.split(text, maxsplit=1)[0]


_NEXT = re.compile(r" (?:or|and|vs|versus|than) |, (?:or |and )?(?=[^\W\d])")


# Units that are words and have a plural.
_PLURALS = frozenset(
    "cup pint quart gallon bottle piece clove slice head fillet stalk can stick sprig package".split()
)


def _each(food: Ingredient, kind: Asked) -> float:
    """How much of a nutrient 100 g of a food hold."""
    if isinstance(kind, FurtherNutrient):
        return further_per_100g(food, kind) or 0.0
    return food.per_100g[kind.key]


def _sentence(line: Line, kind: Asked) -> tuple[float, str]:
    value = round(_each(line.ingredient, kind) * line.grams / 100, 2)
    name = line.ingredient.name
    several = line.amount > 1 and not line.unit
    shown = f"{name}s" if several and not name.endswith("s") else name
    weighed = f" ({line.grams:g} g)"
    unit = f"{line.unit}s" if line.unit in _PLURALS and line.amount != 1 else line.unit
    several = several or unit != line.unit
    what = f"{line.amount:g} {unit + ' of ' if unit else ''}{shown}{weighed}"
    if not line.unit and not line.ingredient.grams_per_piece:
        what = f"A serving of {name} ({line.grams:g} g)"
    return value, f"{what} {'have' if several else 'has'} {_shown(value, kind)}"


def _shown(value: float, kind: Asked) -> str:
    name = kind.name if kind.name.startswith("Vitamin") else kind.name.lower()
    return f"{value:g} {kind.unit}" + (
        "" if kind.key == "calories" else f" of {name.replace('Vitamin', 'vitamin')}"
    )


def _of_dish(what: str, kind: NutrientKind, value: float) -> Answer:
    return {"answer": f"{what} has {_shown(value, kind)}.", "type": "DISH", "nutrient": kind.name, "amount": value,
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


def _menu_named(text: str) -> list[MenuItem]:
    """What a text may mean of the menus, the longest names first: of the chain that it names, else of all."""
    joined = text.replace("'", "")
    named = [
        item for item in menu_items() if f" {plain(item['restaurantChain'])} ".replace("'", "") in joined
    ]
    return sorted(named or menu_items(), key=lambda item: -len(item["title"]))


def _longest(question: str, by_weight: bool) -> int:
    """How many words the name of a dish must exceed to count for more than the foods that a question names."""
    foods = _foods_in(question)
    if by_weight or _COMPARED.search(question):
        return max((len(match.ingredient.name.split()) for match in foods), default=0)
    return max((match.words for match in foods), default=0)


def _foods_in(question: str) -> list[Mention]:
    """The foods that a question names; sugar and salt are nutrients here."""
    return [mention for mention in mentions(question) if mention.ingredient.name not in ("salt", "sugar")]


def _dish_of(world: World, question: str, kind: NutrientKind) -> Answer | None:
    """The answer about a dish that a question names in full: a Big Mac, spaghetti carbonara; None where it names none."""
    text = f" {plain(question)} "
    grams, amount = weighed(question)
    longest = _longest(question, bool(grams))
    for item in _menu_named(text):
        title = plain(item["title"].split(" (")[0])
        if len(title.split()) > longest and re.search(rf"\b{re.escape(title)}s?\b", text):
            value = _of_menu(item, kind)
            if value is not None:
                article = "An" if item["title"][0] in "AEIO" else "A"
                article = f"{amount} of the" if amount else article
                part = grams / item["grams"] if grams else 1.0
                return _of_dish(
                    f"{article} {item['title']} of {item['restaurantChain']}", kind, round(value * part, 1)
                )
    titles = {row["title"] for row in dish_rows()}
    for row in sorted(every_recipe(world.seed), key=lambda row: -len(row.title)):
        title = plain(row.title)
        named = row.title in titles or len(title.split()) > 1
        if named and len(title.split()) > longest and re.search(rf"\b{re.escape(title)}s?\b", text):
            serving = added(map(eaten_grams, row.lines)) / row.servings
            part = grams / serving if grams else 1.0
            what = f"{amount} of {row.title}" if grams else f"One serving of {row.title}"
            return _of_dish(what, kind, round(row.nutrients[kind.key] * part, 1))
    return None


def _further(question: str) -> Answer | None:
    """The answer about a nutrient that only the reference table has; None where the question asks for none of them."""
    kind, foods = further_nutrient(question), list(mentions(question))
    if kind is None:
        return None
    found = (_line_about(question, mention.start) for mention in foods[:_MOST])
    lines = [line for line in found if line and further_per_100g(line.ingredient, kind) is not None]
    return _of_foods(question, lines, kind) if lines else None


def _together(lines: list[Line], kind: Asked) -> Answer:
    """The answer about several foods at once: each of them, and all."""
    held = [_sentence(line, kind) for line in lines]
    total = round(added(value for value, _ in held), 2)
    text = f"{'; '.join(said for _, said in held)}. Together that is {_shown(total, kind)}."
    return {"answer": text, "type": "AMOUNT", "nutrient": kind.name, "amount": total, "unit": kind.unit}


def _richest(kind: NutrientKind) -> Answer:
    """The simple foods that hold most of a nutrient; spices and powders are no food to live on."""
    no_meal = ("spice", "herb", "baking", "condiment", "sweetener", "snack", "beverage")
    rows = [row for row in ingredients() if row.category not in no_meal]
    rows.sort(key=lambda row: -row.per_100g[kind.key])
    listed = ", ".join(
        f"{row.name} ({_shown(row.per_100g[kind.key], kind).split(' of ')[0]})" for row in rows[:5]
    )
    best = rows[0]
    nutrient = kind.name.lower().replace("vitamin c", "vitamin C")
    text = f"Foods with most {nutrient} in 100 g: {listed}."
    return {"answer": text, "type": "COMPARISON", "nutrient": kind.name,
            "amount": best.per_100g[kind.key], "unit": kind.unit, "ingredient": best.name}  # fmt: skip


# Foods of one question that are looked at.
_MOST = 6
_COMPARED = re.compile(r"\b(more|most|less|least|fewer|fewest|or|than|vs|versus|compare|compared)\b", re.I)
_LESS = re.compile(r"\b(?:less|least|fewer|fewest|lower|lowest)\b", re.I)


def _of_foods(question: str, lines: list[Line], kind: Asked) -> Answer:
    """The answer about one food, several compared or two together."""
    if len(lines) > 1 and _COMPARED.search(question):
        equal = [read_line(f"100 g {line.ingredient.name}") or line for line in lines]
        fewest = bool(_LESS.search(question))
        return _compared(lines if _COUNT.search(question) else equal, kind, fewest=fewest)
    if len(lines) > 1 and " and " in question:
        return _together(lines, kind)
    value, text = _sentence(lines[0], kind)
    return {"answer": f"{text}.", "type": "AMOUNT", "nutrient": kind.name, "amount": value, "unit": kind.unit,
            "ingredient": lines[0].ingredient.name}  # fmt: skip


def _compared(lines: list[Line], kind: Asked, *, fewest: bool) -> Answer:
    """Each of several foods, and which has most, or least if that was asked; the amount is the lead over the next."""
    held = [_sentence(line, kind) for line in lines]
    ranked = sorted(range(len(lines)), key=lambda place: held[place][0] if fewest else -held[place][0])
    name = lines[ranked[0]].ingredient.name
    verb = "have" if name.endswith("s") else "has"
    two, several = ("less", "least") if fewest else ("more", "most")
    best = f"{name.capitalize()} {verb} {two if len(lines) == 2 else several}"
    if held[ranked[0]][0] == held[ranked[1]][0]:
        best = f"{name.capitalize()} and {lines[ranked[1]].ingredient.name} have equally much"
    text = f"{'; '.join(said for _, said in held)}. {best}."
    ahead = abs(round(held[ranked[0]][0] - held[ranked[1]][0], 2))
    return {"answer": text, "type": "COMPARISON", "nutrient": kind.name, "amount": ahead, "unit": kind.unit,
            "ingredient": name}  # fmt: skip


@tool(
    GROUP,
    examples=[
        {"q": "How much vitamin c is in 2 apples?"},
        {"q": "Which has more protein, 100 g tofu or 100 g egg?"},
    ],
    phrase="answer this nutrition question: {q}",
    noun="the quick nutrition answer",
    jobs=("answers to questions",),
    stands_in_for=("Food", "Health"),
    general=True,
)
def quick_answer(world: World, *, q: str) -> Answer:
    """The answer to a question about nutrients in foods or dishes.

    q: A question such as "How much iron is in 100 g of spinach?".
    """
    question = with_amounts_first(said(q, "q", _EXAMPLE)[:300].rstrip(" ?!."))
    if negative := _BELOW_ZERO.search(question):
        raise invalid("q", negative[0].strip(), f"an amount of food is above 0; ask such as: {_EXAMPLE}")
    kind = asked_nutrient(question)
    if kind is None and (answer := _further(question)):
        return answer
    if kind is None:
        known = ", ".join([*(kind.name for kind in NUTRIENTS), *(kind.name for kind in FURTHER)])
        raise ToolFault(
            "not_found", f"no known nutrient in {q[:80]!r}; ask for one of {known}, such as: {_EXAMPLE}"
        )
    whole = _dish_of(world, question, kind)
    if whole is not None:
        return whole
    foods = _foods_in(question)
    lines = [line for line in (_line_about(question, mention.start) for mention in foods[:_MOST]) if line]
    if not foods and not _SOURCES.search(question) and (named := _FOOD.search(question)):
        lines = [line for line in [_line_about(question, named.start(1))] if line]
    if lines:
        answer = _of_foods(question, lines, kind)
        answer["answer"] += _not_on_record(question, foods, lines)
        return answer
    if _SOURCES.search(question):
        return _richest(kind)
    dish = next(iter(search(world.seed, question)), None)
    if dish is None:
        raise ToolFault("not_found", f"no known food in {q[:80]!r}; ask such as: {_EXAMPLE}")
    value = round(dish.nutrients[kind.key], 1)
    return _of_dish(f"One serving of {dish.title}", kind, value)
