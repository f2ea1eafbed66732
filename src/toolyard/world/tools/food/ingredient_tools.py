"""Food/spoonacular_ingredient, first half: looking up and replacing ingredients."""

import functools
from collections.abc import Mapping
from typing import Annotated, Literal, NotRequired, TypedDict, Unpack

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.index import words
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import complete, page, plain, read_table
from toolyard.world.kernel.types import IngredientName, Money, Page, Range
from toolyard.world.simulated.food.ingredients import (
    Ingredient,
    all_ingredients,
    find_ingredient,
    find_ingredient_id,
    foods_starting,
    ingredient_or_none,
    is_tolerated,
    price_cents,
)
from toolyard.world.simulated.food.measures import find_unit, possible_units, to_grams
from toolyard.world.simulated.food.nutrients import nutrient_list, scale_nutrients
from toolyard.world.simulated.food.value_types import (
    Count,
    IngredientId,
    Intolerance,
    Language,
    Nutrient,
    Offset,
)
from toolyard.world.tools.food.argument_checks import check_order, check_text

GROUP = Group("Food/spoonacular_ingredient")
Percent = Annotated[float, Range(0, 100)]


class Breakdown(TypedDict):
    """Shares of the energy."""

    percentProtein: float
    percentFat: float
    percentCarbs: float


class FoundIngredient(TypedDict):
    id: IngredientId
    name: IngredientName
    aisle: NotRequired[str]
    possibleUnits: NotRequired[list[str]]
    caloricBreakdown: NotRequired[Breakdown]
    children: NotRequired[list[IngredientName]]


class SearchFilters(TypedDict, total=False):
    """Filters of the search.

    minProteinPercent: Least share of the energy that comes from protein.
    maxProteinPercent: Greatest share of the energy from protein.
    minFatPercent: Least share of the energy from fat.
    maxFatPercent: Greatest share of the energy from fat.
    minCarbsPercent: Least share of the energy from carbohydrates.
    maxCarbsPercent: Greatest share of the energy from carbohydrates.
    metaInformation: True adds aisle, units and the sources of energy.
    intolerances: Leave out what people with these intolerances cannot eat.
    sort: What to sort by; by relevance when left out.
    sortDirection: Whether the smallest (asc, the default) or the largest value (desc) comes first.
    language: Language of the names: en (default) or de.
    offset: How many results to skip.
    number: How many results to return, 10 unless told.
    """

    minProteinPercent: Percent
    maxProteinPercent: Percent
    minFatPercent: Percent
    maxFatPercent: Percent
    minCarbsPercent: Percent
    maxCarbsPercent: Percent
    metaInformation: bool
    intolerances: list[Intolerance]
    sort: Literal["name", "calories", "protein", "fat", "carbs", "sugar", "fiber", "price"]
    sortDirection: Literal["asc", "desc"]
    language: Language
    offset: Offset
    number: Count


class IngredientInformation(TypedDict):
    id: IngredientId
    name: IngredientName
    aisle: str
    amount: float
    unit: str
    grams: float
    estimatedCost: Money
    possibleUnits: list[str]
    categoryPath: list[str]
    nutrients: list[Nutrient]


class Completion(TypedDict):
    completion: str
    name: IngredientName
    id: NotRequired[IngredientId]
    aisle: NotRequired[str]


class Substitutes(TypedDict):
    ingredient: IngredientName
    substitutes: list[str]
    message: str


class SubstitutesById(Substitutes):
    ingredientId: IngredientId


def energy_breakdown(ingredient: Ingredient) -> Breakdown:
    """Where the energy of an ingredient comes from, by 4, 9 and 4 kcal per gram."""
    facts = ingredient.per_100g
    parts = [4 * facts["protein"], 9 * facts["fat"], 4 * facts["carbs"]]
    total = sum_in_order(parts) or 1.0
    protein, fat, carbs = (round(100 * part / total, 1) for part in parts)
    return {"percentProtein": protein, "percentFat": fat, "percentCarbs": carbs}


def _ingredient_name(row: Ingredient, language: str | None) -> str:
    return row.german if language == "de" else row.name


def _number_or_none(value: object) -> float | None:
    return value if isinstance(value, int | float) else None


def _fits_filters(row: Ingredient, filters: SearchFilters) -> bool:
    shares = energy_breakdown(row)
    bounds = (
        (shares["percentProtein"], filters.get("minProteinPercent"), filters.get("maxProteinPercent")),
        (shares["percentFat"], filters.get("minFatPercent"), filters.get("maxFatPercent")),
        (shares["percentCarbs"], filters.get("minCarbsPercent"), filters.get("maxCarbsPercent")),
    )
    within = all(
        (low is None or value >= low) and (high is None or value <= high) for value, low, high in bounds
    )
    return within and is_tolerated(row.flags, filters.get("intolerances"))


def _matching_foods(query: str, language: str | None) -> list[Ingredient]:
    """Foods whose name has the words of a query, or of the kind that it names; else one of the reference table.

    What is called just so comes first, then names that end in it, then shorter names before longer ones.
    """
    said = set(words(query))
    rows = [
        row
        for row in all_ingredients()
        if said == {row.category}
        or any(said <= set(words(name)) for name in (row.name, row.german, *row.aliases))
    ]
    inside = [row for row in all_ingredients() if plain(query) in plain(_ingredient_name(row, language))]
    rows = list({row.id: row for row in (*rows, *inside)}.values())
    other = None if rows else ingredient_or_none(query)

    def place(row: Ingredient) -> tuple[bool, bool, int]:
        own = words(_ingredient_name(row, language))
        return set(own) != said, not said <= set(own[-len(said) :]), len(own)

    return [other] if other else sorted(rows, key=place)


def _names_starting_with(query: str, language: str) -> list[tuple[str, Ingredient]]:
    """Each ingredient by the first of its names that goes on as a query begins, what is called just so first."""
    rows = {
        (spelling, row.id): row
        for row in all_ingredients()
        for spelling in ((row.german,) if language == "de" else (row.name, *row.aliases))
    }
    hits = complete(
        [{"spelling": spelling, "id": number} for spelling, number in rows], query, "spelling", len(rows)
    )
    hits.sort(key=lambda hit: plain(hit["spelling"]) != plain(query))
    firsts: dict[object, tuple[str, Ingredient]] = {}
    for hit in hits:
        spelling = str(hit["spelling"])
        firsts.setdefault(hit["id"], (spelling, rows[spelling, int(str(hit["id"]))]))
    return list(firsts.values())


def _sort_key(seed: int, row: Ingredient, sort: str) -> float | str:
    if sort == "name":
        return row.name
    return price_cents(seed, row, 100) if sort == "price" else row.per_100g[sort]


@GROUP.tool(
    examples=[{"query": "beef"}, {"query": "milk", "metaInformation": True, "intolerances": ["Dairy"]}],
    phrase=(
        "search simple food ingredients named {query}[, suitable for an intolerance to {intolerances}][, "
        "with at least {minProteinPercent} percent of the energy from protein][, with at most "
        "{maxCarbsPercent} percent of the energy from carbohydrates][, sorted by {sort}][, in the sort "
        "direction {sortDirection}][, with meta information set to {metaInformation}][, returning {number} "
        "results]"
    ),
    noun="the ingredient search results",
)
def ingredient_search(
    world: World, *, query: str, addChildren: bool = False, **filters: Unpack[SearchFilters]
) -> Page[FoundIngredient]:
    """Simple foods with a name that holds the query, or of the kind that it names (fish, nut), with filters on their energy.

    query: A name or part of one, in English or German.
    addChildren: Whether to name the special kinds of each food found, such as brown rice for rice.
    """
    check_text(query, "query", "beef")
    for name in ("Protein", "Fat", "Carbs"):
        least, most = f"min{name}Percent", f"max{name}Percent"
        check_order(_number_or_none(filters.get(least)), _number_or_none(filters.get(most)), least, most)
    rows = [row for row in _matching_foods(query, filters.get("language")) if _fits_filters(row, filters)]
    sort = filters.get("sort")
    if sort:
        rows.sort(
            key=lambda row: _sort_key(world.seed, row, sort), reverse=filters.get("sortDirection") == "desc"
        )
    found: list[FoundIngredient] = []
    for row in rows:
        entry: FoundIngredient = {"id": row.id, "name": _ingredient_name(row, filters.get("language"))}
        if filters.get("metaInformation"):
            entry |= {
                "aisle": row.aisle,
                "possibleUnits": possible_units(row),
                "caloricBreakdown": energy_breakdown(row),
            }
        if addChildren:
            entry["children"] = [
                _ingredient_name(other, filters.get("language"))
                for other in all_ingredients()
                if other.name.endswith(f" {row.name}") and other.category == row.category
            ]
        found.append(entry)
    return page(found, filters.get("number") or 10, filters.get("offset") or 0)


@GROUP.tool(
    examples=[{"id": 9003}, {"id": 23232, "amount": 3, "unit": "piece"}],
    phrase=(
        "look up the aisle, cost and nutrients of the ingredient whose id is {id}[ for an amount of "
        "{amount}][ measured in {unit}]"
    ),
    noun="the ingredient information",
    jobs=("nutrients of a food",),
)
def get_ingredient_information(
    world: World, *, id_: IngredientId, amount: Annotated[float, Range(0, 1_000_000)] = 100, unit: str = "g"
) -> IngredientInformation:
    """Aisle, cost and nutrients of an amount of one ingredient.

    id: Id of the ingredient, as the search returns it.
    amount: How much of it.
    unit: Unit of the amount that fits the ingredient, e.g. g, oz, cup, tbsp or piece.
    """
    row = find_ingredient_id(id_)
    measure = find_unit(unit, "unit")
    grams = to_grams(row, amount, measure)
    return {
        "id": row.id,
        "name": row.name,
        "aisle": row.aisle,
        "amount": amount,
        "unit": measure,
        "grams": round(grams, 2),
        "estimatedCost": {"amount": round(price_cents(world.seed, row, grams) / 100, 2), "currency": "USD"},
        "possibleUnits": possible_units(row),
        "categoryPath": [row.category],
        "nutrients": nutrient_list(scale_nutrients(row.per_100g, grams)),
    }


@GROUP.tool(
    examples=[{"query": "appl"}, {"query": "ch", "number": 5, "metaInformation": True}],
    phrase=(
        "autocomplete ingredient names that start with {query}[, in the language {language}][, leaving out "
        "what is unsuitable for an intolerance to {intolerances}][, with extra id and aisle information set "
        "to {metaInformation}][, returning at most {number} names]"
    ),
    noun="the ingredient name completions",
)
def autocomplete_ingredient_search(
    *,
    query: str,
    number: Count = 10,
    language: Language = "en",
    metaInformation: bool = False,
    intolerances: list[Intolerance] | None = None,
) -> list[Completion]:
    """Ingredients with a name that starts with what was typed: that name, and what the ingredient is listed as.

    query: The first letters of a name, of another name for the same thing, or of one of its words.
    number: How many names at most.
    language: Language of the names: en or de.
    metaInformation: Whether to add id and aisle.
    intolerances: Leave out what people with these intolerances cannot eat.
    """
    check_text(query, "query", "appl")
    hits = _names_starting_with(query, language)
    # Where foods of the table are called so, no other table steps in.
    others = [] if hits or len(query.strip()) < 2 else foods_starting(query, number)
    found: list[Completion] = []
    for spelling, row in (*hits, *((row.name, row) for row in others)):
        if is_tolerated(row.flags, intolerances):
            named: Completion = {"completion": spelling, "name": _ingredient_name(row, language)}
            found.append({**named, "id": row.id, "aisle": row.aisle} if metaInformation else named)
    return found[:number]


@functools.cache
def _substitution_rules() -> Mapping[str, tuple[str, ...]]:
    """The rules of the kitchen by the ingredient that they replace."""
    found: dict[str, tuple[str, ...]] = {}
    for row in read_table("food_substitutes.tsv"):
        found[row["of"]] = (*found.get(row["of"], ()), row["rule"])
    return found


def substitutes_for(row: Ingredient) -> list[str]:
    """The rules for an ingredient; where there is none, the three foods of its kind that hold most alike."""
    if row.name in _substitution_rules():
        return list(_substitution_rules()[row.name])
    kin = [other for other in all_ingredients() if other.category == row.category and other.id != row.id]
    kin.sort(key=lambda other: sum_in_order(abs(row.per_100g[key] - other.per_100g[key]) for key in _MACROS))
    return [f"100 g = 100 g {other.name}" for other in kin[:3]]


_MACROS = ("calories", "protein", "fat", "carbs")


def _substitutes_row(row: Ingredient) -> Substitutes:
    rules = substitutes_for(row)
    message = f"{len(rules)} {'substitute' if len(rules) == 1 else 'substitutes'} for {row.name}."
    return {"ingredient": row.name, "substitutes": rules, "message": message}


@GROUP.tool(
    examples=[{"ingredientName": "butter"}],
    phrase="find substitutes by name for {ingredientName}",
    noun="the substitutes for the named ingredient",
    jobs=("substitutes",),
)
def get_ingredient_substitutes(*, ingredientName: IngredientName) -> Substitutes:
    """What cooks commonly take in place of an ingredient, with amounts.

    ingredientName: Name of the ingredient to replace.
    """
    return _substitutes_row(find_ingredient(ingredientName))


@GROUP.tool(
    examples=[{"id": 1001}],
    phrase="find substitutes by id for the ingredient whose id is {id}",
    noun="the substitutes for the ingredient id",
    jobs=("substitutes",),
)
def get_ingredient_substitutes_by_id(*, id_: IngredientId) -> SubstitutesById:
    """What cooks commonly take in place of the ingredient with this id, with amounts.

    id: Id of the ingredient to replace, as the search returns it.
    """
    return {"ingredientId": id_, **_substitutes_row(find_ingredient_id(id_))}
