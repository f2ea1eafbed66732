"""Food/spoonacular_misc, third part: answers to questions about nutrients in foods and dishes."""

from __future__ import annotations

import re
from typing import Literal, NotRequired, TypedDict

from toolyard.world.faults import ToolFault
from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.tables import plain
from toolyard.world.types import IngredientName, Prose
from toolyard.world.worlds.food.asked import said
from toolyard.world.worlds.food.dishes import dish_rows
from toolyard.world.worlds.food.further_nutrients import FURTHER, further_nutrient, further_per_100g
from toolyard.world.worlds.food.ingredients import ingredients, mentions, nutrient_kind
from toolyard.world.worlds.food.meanings import NutrientName
from toolyard.world.worlds.food.measures import Line, read_line
from toolyard.world.worlds.food.menus import menu_items
from toolyard.world.worlds.food.nutrients import NUTRIENTS, NutrientKind
from toolyard.world.worlds.food.recipe_words import search
from toolyard.world.worlds.food.recipes import every_recipe

GROUP = "Food/spoonacular_misc"
_ASKED = {"calorie": "Calories", "kcal": "Calories", "energy": "Calories", "fattening": "Calories", "nutrition": "Calories",
          "nutrient": "Calories", "carb": "Carbohydrates", "fibre": "Fiber",
          "saturated": "Saturated Fat", "salt": "Sodium"}  # fmt: skip
_COUNT = re.compile(r"\d+(?:[./]\d+)?|\b(?:an?|one|two|three|four|five|six|ten|half)\b", re.IGNORECASE)


_FOOD = re.compile(r"\b(?:of|in|has|have) (?!\d)([^\W\d][\w' -]+?)\??$")
_SOURCES = re.compile(
    r"\b(sources? of|rich(?:est)? in|high(?:est)? in|(?:most|lots of|much) \w+(?: \w+)?$)", re.I
)
_EXAMPLE = "How much iron is in 100 g of spinach?"


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
    return next((line for line in amounts if line), None) or _uncounted(_first_food(question[start:]))


def _uncounted(text: str) -> Line | None:
    """A food without an amount: one of what is eaten by the piece, else 100 g of it."""
    line = read_line(text)
    if line is None or line.unit or (line.ingredient.grams_per_piece >= 30 and not _several(text, line)):
        return line
    return read_line(f"100 g {line.ingredient.name}")


def _several(text: str, line: Line) -> bool:
    """Whether a text speaks of a food in the plural."""
    first = text.split()[: len(line.ingredient.name.split())]
    return bool(first) and first[-1].endswith("s") and not line.ingredient.name.endswith("s")


def _first_food(text: str) -> str:
    """A text up to the word that another food follows: 100 g tofu or 100 g egg."""
    return _NEXT.split(text, maxsplit=1)[0]


_NEXT = re.compile(r" (?:or|and|vs|versus|than) ")


# Units that are words and have a plural.
_PLURALS = frozenset(
    "cup pint quart gallon bottle piece clove slice head fillet stalk can stick sprig package".split()
)


def _sentence(line: Line, kind: NutrientKind) -> tuple[float, str]:
    value = round(line.ingredient.per_100g[kind.key] * line.grams / 100, 2)
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


def _shown(value: float, kind: NutrientKind) -> str:
    name = kind.name if kind.name.startswith("Vitamin") else kind.name.lower()
    return f"{value:g} {kind.unit}" + (
        "" if kind.key == "calories" else f" of {name.replace('Vitamin', 'vitamin')}"
    )


def _of_dish(what: str, kind: NutrientKind, value: float) -> Answer:
    return {"answer": f"{what} has {_shown(value, kind)}.", "type": "DISH", "nutrient": kind.name, "amount": value,
            "unit": kind.unit}  # fmt: skip


def _dish_of(world: World, question: str, kind: NutrientKind) -> Answer | None:
    """The answer about a dish that a question names in full: a Big Mac, spaghetti carbonara; None where it names none."""
    text = f" {plain(question)} "
    longest = max((len(match.ingredient.name.split()) for match in mentions(question)), default=0)
    for item in menu_items():
        value = {
            "calories": item["calories"],
            "protein": item["protein"],
            "fat": item["fat"],
            "carbs": item["carbs"],
        }
        title = plain(item["title"].split(" (")[0])
        if (
            kind.key in value
            and len(title.split()) > longest
            and re.search(rf"\b{re.escape(title)}s?\b", text)
        ):
            return _of_dish(f"A {item['title']} of {item['restaurantChain']}", kind, value[kind.key])
    titles = {row["title"] for row in dish_rows()}
    for row in sorted(every_recipe(world.seed), key=lambda row: -len(row.title)):
        title = plain(row.title)
        named = row.title in titles or len(title.split()) > 1
        if named and len(title.split()) > longest and re.search(rf"\b{re.escape(title)}s?\b", text):
            return _of_dish(f"One serving of {row.title}", kind, round(row.nutrients[kind.key], 1))
    return None


def _further(question: str) -> Answer | None:
    """The answer about a nutrient that only the reference table has; None where the question asks for none of them."""
    kind, mention = further_nutrient(question), next(iter(mentions(question)), None)
    line = _line_about(question, mention.start) if kind and mention else None
    each = further_per_100g(line.ingredient, kind) if kind and line else None
    if kind is None or line is None or each is None:
        return None
    value, name = round(each * line.grams / 100, 2), line.ingredient.name
    weighed = f" ({line.grams:g} g)"
    counted = f"{line.amount:g} {line.unit + ' of ' if line.unit else ''}{name}{weighed}"
    return {"answer": f"{counted} has {value:g} {kind.unit} of {kind.name.replace('Vitamin', 'vitamin')}.", "type": "AMOUNT",
            "nutrient": kind.name, "amount": value, "unit": kind.unit, "ingredient": name}  # fmt: skip


def _together(lines: list[Line], kind: NutrientKind) -> Answer:
    """The answer about two foods at once: each of them, and both."""
    (one, first), (other, second) = (_sentence(line, kind) for line in lines)
    total = round(one + other, 2)
    text = f"{first}; {second}. Together that is {_shown(total, kind)}."
    return {"answer": text, "type": "AMOUNT", "nutrient": kind.name, "amount": total, "unit": kind.unit}


def _richest(kind: NutrientKind) -> Answer:
    """The simple foods that hold most of a nutrient; spices and powders are no food to live on."""
    no_meal = ("spice", "herb", "baking", "condiment", "sweetener", "snack")
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
    question = said(q, "q", _EXAMPLE)[:300].rstrip(" ?!.")
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
    # "fat" and "salt" name nutrients here, so what the question calls the nutrient is no food.
    foods = [mention for mention in mentions(question) if mention.ingredient.name not in ("salt", "sugar")]
    lines = [line for line in (_line_about(question, mention.start) for mention in foods[:2]) if line]
    if not foods and not _SOURCES.search(question) and (named := _FOOD.search(question)):
        lines = [line for line in [_line_about(question, named.start(1))] if line]
    if len(lines) == 2 and re.search(r"\b(more|less|or|than|vs|versus|compare|compared)\b", question, re.I):
        (one, first), (other, second) = (_sentence(line, kind) for line in lines)
        more = lines[0] if one >= other else lines[1]
        verb = "have" if more.ingredient.name.endswith("s") else "has"
        text = f"{first}; {second}. {more.ingredient.name.capitalize()} {verb} more."
        return {"answer": text, "type": "COMPARISON", "nutrient": kind.name, "amount": round(abs(one - other), 2),
                "unit": kind.unit, "ingredient": more.ingredient.name}  # fmt: skip
    if len(lines) == 2 and " and " in question:
        return _together(lines, kind)
    if lines:
        value, text = _sentence(lines[0], kind)
        return {"answer": f"{text}.", "type": "AMOUNT", "nutrient": kind.name, "amount": value, "unit": kind.unit,
                "ingredient": lines[0].ingredient.name}  # fmt: skip
    if _SOURCES.search(question):
        return _richest(kind)
    dish = next(iter(search(world.seed, question)), None)
    if dish is None:
        raise ToolFault("not_found", f"no known food in {q[:80]!r}; ask such as: {_EXAMPLE}")
    value = round(dish.nutrients[kind.key], 1)
    return _of_dish(f"One serving of {dish.title}", kind, value)
