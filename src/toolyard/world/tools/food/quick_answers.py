"""Food/spoonacular_misc, third part: answers to questions about nutrients in foods and dishes."""

import functools
import re
from collections.abc import Mapping
from typing import Literal, NamedTuple, NotRequired, TypedDict

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel.faults import ToolFault, invalid
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import IngredientName, Prose
from toolyard.world.simulated.food.ingredients import (
    Ingredient,
    all_ingredients,
    by_words,
    find_spans,
    held_in,
    name_key,
)
from toolyard.world.simulated.food.measures import Line, format_amount, read_line
from toolyard.world.simulated.food.nutrients import FURTHER, NUTRIENTS, NutrientKind, find_nutrient
from toolyard.world.simulated.food.recipes import Dish, all_dishes, find_recipe
from toolyard.world.simulated.food.value_types import NutrientName
from toolyard.world.tools.food.argument_checks import check_text

GROUP = Group("Food/spoonacular_misc")
_AMOUNT = re.compile(
    r"(?:\d[\d.,/ ½¼¾]*|\b(?:a|an|one|two|three|four|five|six|ten|half)\s)\s*(?:[a-z]+\s+)?(?:of\s+)?$",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\b(?:in|of|does|do|has|have)\s+((?:\d|\w)[^?]*?)(?:\s+(?:have|has|contain|hold)s?)?$", re.IGNORECASE
)
_BELOW_ZERO = re.compile(r"(?:^|\s)[-\u2212]\d[\d.,]*")
_COMPARED = re.compile(
    r"\b(?:more|most|less|least|fewer|fewest|or|than|vs|versus|compare|compared)\b", re.IGNORECASE
)
_LESS = re.compile(r"\b(?:less|least|fewer|fewest|lower|lowest)\b", re.IGNORECASE)
_SOURCES = re.compile(r"\b(?:sources? of|rich(?:est)? in|high(?:est)? in|most)\b", re.IGNORECASE)
_EXAMPLE = "How much iron is in 100 g of spinach?"
_MOST = 6


class Answer(TypedDict):
    answer: Prose
    type: Literal["AMOUNT", "COMPARISON", "DISH"]
    nutrient: NutrientName
    amount: float
    unit: str
    ingredient: NotRequired[IngredientName]


class Portion(NamedTuple):
    """An amount of a food or dish, and how much of the nutrient it holds."""

    spoken: str
    name: str
    held: float
    dish: bool


@functools.cache
def dish_names() -> Mapping[tuple[str, ...], Dish]:
    """Dishes by the words of their titles, and of what they are."""
    return {name_key(row.dish): row for row in reversed(all_dishes())} | {
        name_key(row.title): row for row in all_dishes()
    }


@functools.cache
def food_names() -> Mapping[tuple[str, ...], Ingredient | Dish]:
    """Ingredients and dishes by the words of their names; of an ingredient and a dish of one name the ingredient."""
    return {**dish_names(), **by_words()}


def _round_amount(value: float, kind: NutrientKind) -> float:
    """An amount of a nutrient as people say it: whole kilocalories, and no more places than tell something."""
    if kind.key == "calories":
        return float(round(value))
    return round(value, 0 if value >= 100 else 1 if value >= 10 else 2)


def _format_nutrient(value: float, kind: NutrientKind) -> str:
    return f"{value:g} {kind.unit}" + (
        "" if kind.key == "calories" else f" of {kind.name[0].lower()}{kind.name[1:]}"
    )


def _portion_of_line(line: Line, kind: NutrientKind) -> Portion | None:
    per_100g = held_in(line.ingredient, kind)
    if per_100g is None:
        return None
    weight = "" if line.unit in ("g", "kg") else f" ({line.grams:g} g)"
    unit = f"{line.unit} of" if line.unit in ("g", "kg", "oz", "lb", "mg") else line.unit
    spoken = format_amount(line.amount, unit, line.ingredient.name) + weight
    return Portion(spoken, line.ingredient.name, _round_amount(per_100g * line.grams / 100, kind), dish=False)


def _portion_of_dish(seed: int, dish: Dish, kind: NutrientKind) -> Portion:
    recipe = find_recipe(seed, dish.id)
    total = sum_in_order((held_in(line.ingredient, kind) or 0.0) * line.grams / 100 for line in recipe.lines)
    held = _round_amount(recipe.nutrients.get(kind.key, total / recipe.servings), kind)
    return Portion(f"One serving of {dish.title}", dish.title, held, dish=True)


def _named_portions(seed: int, question: str, kind: NutrientKind) -> list[Portion]:
    """The foods that a question names, each in the amount before it, else 100 g of it; a dish by the serving."""
    found: list[Portion | None] = []
    for row, start, end in find_spans(question, food_names()):
        if isinstance(row, Dish):
            found.append(_portion_of_dish(seed, row, kind))
            continue
        amount = _AMOUNT.search(question[:start])
        line = read_line(f"{amount[0] if amount else '100 g '}{question[start:end]}")
        found.append(_portion_of_line(line, kind) if line else None)
    tail = None if found else _TAIL.search(question)
    line = (
        read_line(tail[1] if _AMOUNT.match(f"{tail[1].split()[0]} ") else f"100 g {tail[1]}")
        if tail
        else None
    )
    return [row for row in (*found, _portion_of_line(line, kind) if line else None) if row][:_MOST]


def _portions_answer(question: str, rows: list[Portion], kind: NutrientKind) -> Answer:
    """The answer about one food, several compared, or several together."""
    told = "; ".join(f"{row.spoken} has {_format_nutrient(row.held, kind)}" for row in rows)
    answer: Answer = {
        "answer": f"{told}.",
        "type": "DISH" if rows[0].dish else "AMOUNT",
        "nutrient": kind.name,
        "amount": rows[0].held,
        "unit": kind.unit,
        "ingredient": rows[0].name,
    }
    if len(rows) > 1 and _COMPARED.search(question):
        fewest = bool(_LESS.search(question))
        best, other = sorted(rows, key=lambda row: row.held if fewest else -row.held)[:2]
        word = "less" if fewest else "more"
        text = (
            f"{best.name.capitalize()} has {word}." if best.held != other.held else "They have equally much."
        )
        lead = _round_amount(abs(best.held - other.held), kind)
        return {
            **answer,
            "answer": f"{told}. {text}",
            "type": "COMPARISON",
            "amount": lead,
            "ingredient": best.name,
        }
    if len(rows) > 1:
        total = _round_amount(sum_in_order(row.held for row in rows), kind)
        del answer["ingredient"]
        return {
            **answer,
            "answer": f"{told}. Together that is {_format_nutrient(total, kind)}.",
            "amount": total,
        }
    return answer


def _richest_answer(kind: NutrientKind) -> Answer:
    """The five ingredients that hold most of a nutrient."""
    rows = sorted(all_ingredients(), key=lambda row: -row.per_100g.get(kind.key, 0.0))[:5]
    portions = [
        Portion(row.name, row.name, _round_amount(row.per_100g.get(kind.key, 0.0), kind), False)
        for row in rows
    ]
    listed = ", ".join(f"{row.name} ({_format_nutrient(row.held, kind)})" for row in portions)
    return {
        "answer": f"Foods with most of it in 100 g: {listed}.",
        "type": "COMPARISON",
        "nutrient": kind.name,
        "amount": portions[0].held,
        "unit": kind.unit,
        "ingredient": portions[0].name,
    }


@GROUP.tool(
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
    question = check_text(q, "q", _EXAMPLE)[:300].rstrip(" ?!.")
    if negative := _BELOW_ZERO.search(question):
        raise invalid("q", negative[0].strip(), f"an amount of food is above 0; ask such as: {_EXAMPLE}")
    asked = find_nutrient(question)
    if asked is None:
        known = ", ".join(kind.name for kind in (*NUTRIENTS, *FURTHER))
        raise ToolFault(
            "not_found", f"no known nutrient in {q[:80]!r}; ask for one of {known}, such as: {_EXAMPLE}"
        )
    kind, rest = asked
    rows = _named_portions(world.seed, rest, kind)
    if rows:
        return _portions_answer(rest, rows, kind)
    if _SOURCES.search(rest) and kind in NUTRIENTS:
        return _richest_answer(kind)
    raise ToolFault("not_found", f"no known food in {q[:80]!r}; ask such as: {_EXAMPLE}")
