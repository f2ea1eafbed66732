"""Food/spoonacular_ingredient, second half: how much of an ingredient, read, weighed and converted."""

from typing import Annotated, Literal, NotRequired, TypedDict

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel.faults import invalid, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import IngredientName, Money, Range
from toolyard.world.kernel.views import View
from toolyard.world.simulated.food.ingredients import (
    find_ingredient,
    find_ingredient_id,
    held_in,
    price_cents,
)
from toolyard.world.simulated.food.measures import Line, find_unit, format_amount, read_lines, to_grams
from toolyard.world.simulated.food.nutrients import nutrient_kind, nutrient_list, scale_nutrients
from toolyard.world.simulated.food.value_types import (
    IngredientId,
    IngredientLine,
    IngredientList,
    Language,
    Nutrient,
    NutrientName,
    Servings,
)
from toolyard.world.tools.food.argument_checks import check_not_empty, check_text
from toolyard.world.tools.food.recipe_records import LINE

GROUP = Group("Food/spoonacular_ingredient")
Quantity = Annotated[float, Range(0, 1_000_000)]


class NeededAmount(TypedDict):
    ingredient: IngredientName
    nutrient: NutrientName
    target: float
    targetUnit: str
    amount: float
    unit: str


class Conversion(TypedDict):
    ingredient: IngredientName
    sourceAmount: float
    sourceUnit: str
    targetAmount: float
    targetUnit: str
    answer: str


class ParsedLine(IngredientLine):
    note: str
    perServingGrams: float
    estimatedCost: Money
    nutrients: NotRequired[list[Nutrient]]


class ParsedList(TypedDict):
    """Lines that were read, and those that name no known ingredient."""

    ingredients: list[ParsedLine]
    unreadable: list[str]


class GlycemicBody(TypedDict):
    """What to compute the glycemic load of."""

    ingredients: list[str]


class GlycemicEntry(TypedDict):
    id: IngredientId
    original: str
    glycemicIndex: int
    glycemicLoad: float


class GlycemicLoad(TypedDict):
    totalGlycemicLoad: float
    rating: Literal["low", "medium", "high"]
    ingredients: list[GlycemicEntry]
    unreadable: list[str]


@GROUP.tool(
    examples=[{"id": 9266, "nutrient": "protein", "target": 2, "unit": "oz"}],
    phrase=(
        "work out how much I need of the ingredient whose id is {id} to reach a target of {target} in "
        "{nutrient}[, with the answer in {unit}]"
    ),
    noun="the required ingredient amount",
)
def compute_ingredient_amount(
    *, id_: IngredientId, nutrient: NutrientName, target: Quantity, unit: str = "g"
) -> NeededAmount:
    """How much of an ingredient holds a wanted amount of a nutrient.

    id: Id of the ingredient, as the search returns it.
    nutrient: Name of the nutrient, e.g. Protein, Calories or Vitamin C.
    target: Wanted amount in the nutrient's own unit (g, mg, µg or kcal).
    unit: Unit of the answer, e.g. g, oz or cup.
    """
    row, measure = find_ingredient_id(id_), find_unit(unit, "unit")
    kind = nutrient_kind(nutrient)
    per_100g = held_in(row, kind)
    if not per_100g:
        raise out_of_range(
            "nutrient", kind.name, f"{row.name} holds none of it, choose another ingredient or nutrient"
        )
    return {
        "ingredient": row.name,
        "nutrient": kind.name,
        "target": target,
        "targetUnit": kind.unit,
        "amount": round_as_measured(target / (per_100g / 100) / to_grams(row, 1, measure)),
        "unit": measure,
    }


def round_as_measured(amount: float) -> float:
    """An amount as precise as a kitchen measures: two places, one from ten and three below one."""
    return round(amount, 1 if amount >= 10 else 2 if amount >= 1 else 3)


@GROUP.tool(
    examples=[{"ingredientName": "flour", "sourceAmount": 2.5, "sourceUnit": "cups", "targetUnit": "grams"}],
    phrase="convert {ingredientName} from {sourceUnit} to {targetUnit} for an amount of {sourceAmount}",
    noun="the converted amount",
)
def convert_amounts(
    *, ingredientName: IngredientName, sourceAmount: Quantity, sourceUnit: str, targetUnit: str
) -> Conversion:
    """The same amount of an ingredient in another unit, by the weight of its cup or piece.

    ingredientName: What is measured, e.g. flour.
    sourceAmount: Amount to convert.
    sourceUnit: Unit to convert from, e.g. cups, tbsp, oz or piece.
    targetUnit: Unit to convert to.
    """
    row = find_ingredient(ingredientName)
    source, target = find_unit(sourceUnit, "sourceUnit"), find_unit(targetUnit, "targetUnit")
    grams = to_grams(row, sourceAmount, source, "sourceUnit")
    amount = round_as_measured(grams / to_grams(row, 1, target, "targetUnit"))
    return {
        "ingredient": row.name,
        "sourceAmount": sourceAmount,
        "sourceUnit": source,
        "targetAmount": amount,
        "targetUnit": target,
        "answer": f"{format_amount(sourceAmount, source, row.name)} {'is' if sourceAmount == 1 else 'are'} "
        f"{format_amount(amount, target, row.name)}.",
    }


def _parsed_line(world: World, line: Line, servings: int, nutrition: bool, language: str) -> ParsedLine:
    cents = price_cents(world.seed, line.ingredient, line.grams)
    row: ParsedLine = {
        **LINE.row(line),
        "name": line.ingredient.german if language == "de" else line.ingredient.name,
        "note": line.note,
        "perServingGrams": round(line.grams / servings, 2),
        "estimatedCost": {"amount": round(cents / 100, 2), "currency": "USD"},
        "nutrients": nutrient_list(scale_nutrients(line.ingredient.per_100g, line.grams))[:7],
    }
    if not nutrition:
        del row["nutrients"]
    return row


@GROUP.tool(
    examples=[
        {"ingredientList": "1 1/2 cups flour, sifted\n2 eggs", "servings": 2, "includeNutrition": True}
    ],
    phrase=(
        "parse amounts, units and prices for {servings} servings, with nutrition included set to "
        "{includeNutrition}[ and names in the language {language}], out of this ingredient list: "
        "{ingredientList}"
    ),
    noun="the parsed ingredient lines",
)
def parse_ingredients(
    world: World,
    *,
    ingredientList: IngredientList,
    servings: Servings,
    includeNutrition: bool,
    language: Language = "en",
) -> ParsedList:
    """Amount, unit and ingredient of each line of an ingredient list, weighed and priced.

    ingredientList: Lines such as "3 oz flour", one ingredient per line.
    servings: For how many servings the list is.
    includeNutrition: Whether to add the nutrients of each line.
    language: Language of the returned names: en or de; lines may be in either.
    """
    lines, unreadable = read_lines(check_text(ingredientList, "ingredientList", "3 oz flour"))
    return {
        "ingredients": [_parsed_line(world, line, servings, includeNutrition, language) for line in lines],
        "unreadable": unreadable,
    }


@GROUP.tool(
    examples=[{"postbody": {"ingredients": ["1 kiwi", "2 cups rice", "2 glasses of water"]}}],
    phrase=(
        "compute the glycemic index and load of the ingredients in {postbody}[, with the language of the "
        "lines set to {language}]"
    ),
    noun="the glycemic load figures",
)
def compute_glycemic_load(*, postbody: GlycemicBody, language: Language = "en") -> GlycemicLoad:
    """Glycemic index and load of each ingredient line, and the load of all together.

    The load is the index times the grams of carbohydrates less fibre, divided by 100. Foods count as they are bought,
    and an index that was not measured is that of the kind of food.

    postbody: An object whose `ingredients` are lines such as "1 cup rice".
    language: Language of the lines: en or de; both are understood.
    """
    check_not_empty(postbody["ingredients"], "postbody.ingredients", '"1 cup rice"')
    lines, unreadable = read_lines(
        "\n".join(" ".join(text[:200].split()) for text in postbody["ingredients"]), "postbody"
    )
    if not lines:
        wanted = "no line names a known food; want lines such as '1 cup rice'"
        raise invalid("postbody.ingredients", postbody["ingredients"][0][:40], wanted)
    entries = GLYCEMIC.rows(lines)
    total = round(sum_in_order(entry["glycemicLoad"] for entry in entries), 2)
    return {
        "totalGlycemicLoad": total,
        "rating": "low" if total <= 10 else "medium" if total < 20 else "high",
        "ingredients": entries,
        "unreadable": unreadable,
    }


def _glycemic_load(line: Line) -> float:
    facts = line.ingredient.per_100g
    carbs = max(0.0, facts["carbs"] - facts["fiber"]) * line.grams / 100
    return round(line.ingredient.glycemic_index * carbs / 100, 2)


GLYCEMIC = View.of(
    GlycemicEntry, id="ingredient.id", glycemicIndex="ingredient.glycemic_index", glycemicLoad=_glycemic_load
)
