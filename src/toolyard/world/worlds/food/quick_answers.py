"""Food/spoonacular_misc, third part: answers to questions about nutrients in foods and dishes."""

from __future__ import annotations

import re

from toolyard.core.sums import added
from toolyard.world.faults import ToolFault, invalid
from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.worlds.food.answer_texts import Answer, Asked, rounded, shown
from toolyard.world.worlds.food.asked import said
from toolyard.world.worlds.food.asked_amounts import as_asked, per_amount, weighed, with_amounts_first
from toolyard.world.worlds.food.asked_dishes import dish_answer, of_dish
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
    ingredients,
    mentions,
    nutrient_kind,
)
from toolyard.world.worlds.food.measures import Line, read_line
from toolyard.world.worlds.food.nutrients import NUTRIENTS, NutrientKind
from toolyard.world.worlds.food.recipe_words import search

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
            30 <= line.ingredient.grams_per_piece < _WHOLE
            and line.ingredient.category not in _CUT
            and not _several(text, line)
        )
    ):
        return line
    return read_line(f"100 g {line.ingredient.name}")


# What weighs so many grams is eaten by the slice.
_WHOLE = 1000
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
    "cup pint quart gallon bottle piece clove slice head fillet stalk can stick sprig package scoop jar block ball "
    "tub".split()
)


def _each(food: Ingredient, kind: Asked) -> float:
    """How much of a nutrient 100 g of a food hold."""
    if isinstance(kind, FurtherNutrient):
        return further_per_100g(food, kind) or 0.0
    return food.per_100g[kind.key]


def _sentence(line: Line, kind: Asked) -> tuple[float, str]:
    """How much of a nutrient a line holds, and a sentence that says so."""
    value = rounded(_each(line.ingredient, kind) * line.grams / 100, kind)
    name = line.ingredient.name
    several = line.amount > 1 and not line.unit
    name = _plural(name) if several or (line.unit and name in _COUNTED) else name
    name = _plural(name) if line.unit in _SIZES and line.amount > 1 else name
    name = f"uncooked {name}" if line.ingredient.name in _DRY else name
    name = (
        f"{'ears' if several else 'ear'} of corn"
        if line.ingredient.name == "corn" and not line.unit
        else name
    )
    weight = "" if line.unit in ("g", "kg") else f" ({line.grams:.0f} g)"
    unit = f"{line.unit}s" if line.unit in _PLURALS and line.amount != 1 else line.unit
    several = several or unit != line.unit
    counted = line.unit in _SIZES or (not line.unit and line.ingredient.grams_per_piece > 0)
    name = singular_name(name) if counted and line.amount == 1 else name
    several = several or (line.unit in _SIZES and line.amount > 1)
    of = " " if line.unit in _SIZES else " of "
    what = f"{line.amount:g} {unit + of if unit else ''}{name}{weight}"
    if not line.unit and not line.ingredient.grams_per_piece:
        what = f"A serving of {name} ({line.grams:.0f} g)"
    return value, f"{what} {'have' if several else 'has'} {shown(value, kind)}"


_SIZES = ("small", "medium", "large")


def singular_name(name: str) -> str:
    """One of what has its name in the plural: a chicken wing, an olive; not hummus."""
    return (
        name if name.endswith(("ss", "us")) or name in ("asparagus", "molasses") else name.removesuffix("s")
    )


# What is weighed before it is cooked.
_DRY = frozenset(
    "rice;arborio rice;brown rice;quinoa;oats;couscous;bulgur;barley;buckwheat;millet;lentils;split peas;pasta;spaghetti;"
    "lasagna sheets;egg noodles;rice noodles".split(";")
)
# Small things that are many in a cup or in 100 g.
_COUNTED = frozenset(
    "strawberry blueberry raspberry blackberry cranberry cherry olive carrot tomato apple potato egg mushroom".split()
)


def _plural(name: str) -> str:
    if name.endswith("s"):
        return name
    return f"{name[:-1]}ies" if name.endswith("rry") else f"{name}es" if name.endswith("o") else f"{name}s"


def _longest(question: str, by_weight: bool) -> int:
    """How many words the name of a dish must exceed to count for more than the foods that a question names."""
    foods = _foods_in(question)
    if by_weight or _COMPARED.search(question):
        return max((len(match.ingredient.name.split()) for match in foods), default=0)
    return max((match.words for match in foods), default=0)


def _foods_in(question: str) -> list[Mention]:
    """The foods that a question names; sugar and salt are nutrients where that is asked, not energy."""
    asked = asked_nutrient(question)
    foods = ("salt",) if asked and asked.name == "Calories" else ("salt", "sugar")
    return [mention for mention in mentions(question) if mention.ingredient.name not in foods]


def _further(question: str) -> Answer | None:
    """The answer about a nutrient that only the reference table has; None where the question asks for none of them."""
    kind = further_nutrient(question)
    if kind is None:
        return None
    # The a of vitamin A counts nothing.
    question = re.sub(rf"\b{kind.name}\b", "nutrient", question, flags=re.I)
    foods = list(mentions(question))
    found = (_line_about(question, mention.start) for mention in foods[:_MOST])
    lines = [line for line in found if line and further_per_100g(line.ingredient, kind) is not None]
    return _of_foods(question, lines, kind) if lines else None


def _together(lines: list[Line], kind: Asked) -> Answer:
    """The answer about several foods at once: each of them, and all."""
    held = [_sentence(line, kind) for line in lines]
    total = rounded(added(value for value, _ in held), kind)
    text = f"{'; '.join(said for _, said in held)}. Together that is {shown(total, kind)}."
    return {"answer": text, "type": "AMOUNT", "nutrient": kind.name, "amount": total, "unit": kind.unit}


def _richest(kind: NutrientKind, question: str) -> Answer:
    """The simple foods that hold most of a nutrient; spices and powders are no food to live on."""
    no_meal = ("spice", "herb", "baking", "condiment", "sweetener", "snack", "beverage")
    asked = {category for word, category in _KINDS.items() if re.search(rf"\b{word}s?\b", question, re.I)}
    rows = [row for row in ingredients()[:_USUAL] if row.category not in no_meal and row.name not in _GRATED]
    rows = [row for row in rows if not asked or row.category in asked]
    rows.sort(key=lambda row: -row.per_100g[kind.key])
    listed = ", ".join(
        f"{row.name} ({shown(row.per_100g[kind.key], kind).split(' of ')[0]})" for row in rows[:5]
    )
    best = rows[0]
    nutrient = kind.name.lower().replace("vitamin c", "vitamin C")
    text = f"Foods with most {nutrient} in 100 g: {listed}."
    return {"answer": text, "type": "COMPARISON", "nutrient": kind.name,
            "amount": best.per_100g[kind.key], "unit": kind.unit, "ingredient": best.name}  # fmt: skip


# The foods of the table that most kitchens have stand first; some are eaten by the spoon.
_USUAL = 180
_KINDS = {"fruit": "fruit", "vegetable": "vegetable", "fish": "fish", "nut": "nut", "meat": "meat", "grain": "grain",
          "bean": "legume", "legume": "legume", "dairy product": "dairy"}  # fmt: skip
_GRATED = ("parmesan cheese", "nori", "butter")
# Foods of one question that are looked at.
_MOST = 6
_COMPARED = re.compile(r"\b(more|most|less|least|fewer|fewest|or|than|vs|versus|compare|compared)\b", re.I)
_LESS = re.compile(r"\b(?:less|least|fewer|fewest|lower|lowest)\b", re.I)


def _of_foods(question: str, lines: list[Line], kind: Asked) -> Answer:
    """The answer about one food, several compared or two together."""
    if len(lines) > 1 and _COMPARED.search(question):
        fewest = bool(_LESS.search(question))
        return _compared(_side_by_side(question, lines), kind, fewest=fewest)
    if len(lines) > 1 and " and " in question:
        return _together(lines, kind)
    value, text = _sentence(lines[0], kind)
    return {"answer": f"{text}.", "type": "AMOUNT", "nutrient": kind.name, "amount": value, "unit": kind.unit,
            "ingredient": lines[0].ingredient.name}  # fmt: skip


def _side_by_side(question: str, lines: list[Line]) -> list[Line]:
    """Foods in amounts that can be compared: their own, the only one that is given, else 100 g of each."""
    amounts = _COUNT.findall(question)
    given = next((line for line in lines if line.unit and line.unit != "g"), None)
    if len(amounts) == 1 and given:
        same = f"{given.amount:g} {given.unit}"
        return [read_line(f"{same} {line.ingredient.name}") or line for line in lines]
    if amounts:
        return lines
    return [read_line(f"100 g {line.ingredient.name}") or line for line in lines]


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
    ahead = rounded(abs(held[ranked[0]][0] - held[ranked[1]][0]), kind)
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
    question = with_amounts_first(as_asked(said(q, "q", _EXAMPLE)[:300].rstrip(" ?!.")))
    if (per := per_amount(question)) and (found := next(mentions(per[0]), None)):
        question = f"{per[0][: found.start]}{per[1]} {per[0][found.start :]}"
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
    whole = dish_answer(world, question, kind, _longest(question, bool(weighed(question)[0])))
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
        return _richest(kind, question)
    dish = next(iter(search(world.seed, question)), None)
    if dish is None:
        raise ToolFault("not_found", f"no known food in {q[:80]!r}; ask such as: {_EXAMPLE}")
    value = rounded(dish.nutrients[kind.key], kind)
    return of_dish(f"One serving of {dish.title}", kind, value)
