"""Food/spoonacular_ingredient, first half: looking up and replacing ingredients."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict, Unpack

from toolyard.core.sums import added
from toolyard.world.registry import tool
from toolyard.world.shared.geography import plain
from toolyard.world.state import World
from toolyard.world.tables import complete, page
from toolyard.world.types import IngredientName, Money, Page, Range
from toolyard.world.worlds.food.asked import in_order, said
from toolyard.world.worlds.food.generic_foods import foods_starting
from toolyard.world.worlds.food.ingredient import Ingredient
from toolyard.world.worlds.food.ingredient_match import beyond, matching
from toolyard.world.worlds.food.ingredients import (
    find_ingredient,
    find_ingredient_id,
    generic_ingredient,
    ingredients,
    nutrient_list,
    price_cents,
    scaled,
    tolerated,
)
from toolyard.world.worlds.food.meanings import (
    Count,
    IngredientId,
    Intolerance,
    Language,
    Nutrient,
    Offset,
)
from toolyard.world.worlds.food.measures import find_unit, possible_units, to_grams
from toolyard.world.worlds.food.substitutes import substitutes_for

GROUP = "Food/spoonacular_ingredient"
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


def breakdown(ingredient: Ingredient) -> Breakdown:
    """Where the energy of an ingredient comes from, by 4, 9 and 4 kcal per gram."""
    facts = ingredient.per_100g
    parts = [4 * facts["protein"], 9 * facts["fat"], 4 * facts["carbs"]]
    total = added(parts) or 1.0
    protein, fat, carbs = (round(100 * part / total, 1) for part in parts)
    return {"percentProtein": protein, "percentFat": fat, "percentCarbs": carbs}


def _name(row: Ingredient, language: str | None) -> str:
    return row.german if language == "de" else row.name


def _fits(row: Ingredient, filters: SearchFilters) -> bool:
    shares = breakdown(row)
    bounds = (
        (shares["percentProtein"], filters.get("minProteinPercent"), filters.get("maxProteinPercent")),
        (shares["percentFat"], filters.get("minFatPercent"), filters.get("maxFatPercent")),
        (shares["percentCarbs"], filters.get("minCarbsPercent"), filters.get("maxCarbsPercent")),
    )
    within = all(
        (low is None or value >= low) and (high is None or value <= high) for value, low, high in bounds
    )
    return within and tolerated(row.flags, list(filters.get("intolerances") or []))


def _starting(query: str, number: int) -> list[Ingredient]:
    """Foods of the reference table whose name starts so."""
    foods = foods_starting(query, number) if len(query.strip()) > 1 else []
    return [generic_ingredient(food.place) for food in foods]


def _spelt(query: str, language: str) -> list[dict[str, Any]]:
    """Names of the table that go on as a query begins, its own name first, and what they stand for."""
    rows: list[dict[str, Any]] = [
        {"spelling": spelling, "row": row}
        for row in ingredients()
        for spelling in ((row.german,) if language == "de" else (row.name, *row.aliases))
    ]
    wanted = query.strip().lower()
    inside = [row for row in rows if language == "de" and plain(wanted) in plain(row["spelling"])]
    if language == "de" and wanted != plain(wanted):
        # Who writes an umlaut means it: Kä is no Karotte, and the mö of Sesamöl is no beginning.
        inside = [
            row for row in inside if len(f"_{row['spelling'].lower()} ".partition(wanted)[2]) not in (0, 2)
        ]
        rows = [row for row in rows if f" {wanted}" in f" {row['spelling'].lower()}"]
    hits = complete(rows, query, "spelling", 100) or inside
    asked = plain(query).strip()

    def place(hit: dict[str, Any]) -> tuple[bool, bool, bool]:
        """What is called just so, then names that begin so, a food's own before others: butter before button mushrooms."""
        spelling = plain(hit["spelling"])
        own = hit["row"].german if language == "de" else hit["row"].name
        return spelling != asked, not spelling.startswith(asked), hit["spelling"] != own

    # A name stands for one food.
    once = {hit["spelling"]: hit for hit in sorted(hits, key=place, reverse=True)}
    return [hit for hit in sorted(hits, key=place) if once[hit["spelling"]] is hit]


def _order(row: Ingredient, sort: str) -> float | str:
    if sort == "name":
        return row.name
    return row.cents_per_100g if sort == "price" else row.per_100g[sort]


@tool(
    GROUP,
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
    *, query: str, addChildren: bool = False, **filters: Unpack[SearchFilters]
) -> Page[FoundIngredient]:
    """Simple foods with a name that holds the query, or of the kind that it names (fish, nut), with filters on their energy.

    query: A name or part of one, in English or German.
    addChildren: Whether to name the special kinds of each food found, such as brown rice for rice.
    """
    said(query, "query", "beef")
    in_order(
        filters.get("minProteinPercent"),
        filters.get("maxProteinPercent"),
        "minProteinPercent",
        "maxProteinPercent",
    )
    in_order(filters.get("minFatPercent"), filters.get("maxFatPercent"), "minFatPercent", "maxFatPercent")
    in_order(
        filters.get("minCarbsPercent"), filters.get("maxCarbsPercent"), "minCarbsPercent", "maxCarbsPercent"
    )
    rows = [row for row in matching(query, filters.get("language")) if _fits(row, filters)]
    sort = filters.get("sort")
    if sort:
        rows.sort(key=lambda row: _order(row, sort), reverse=filters.get("sortDirection") == "desc")
    found: list[FoundIngredient] = []
    for row in rows:
        entry: FoundIngredient = {"id": row.id, "name": _name(row, filters.get("language"))}
        if filters.get("metaInformation"):
            entry |= {
                "aisle": row.aisle,
                "possibleUnits": possible_units(row),
                "caloricBreakdown": breakdown(row),
            }
        if addChildren:
            entry["children"] = [
                _name(other, filters.get("language"))
                for other in ingredients()
                if other.name.endswith(f" {row.name}") and other.category == row.category
            ]
        found.append(entry)
    return page(found, filters.get("number") or 10, filters.get("offset") or 0)


@tool(
    GROUP,
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
        "nutrients": nutrient_list(scaled(row.per_100g, grams)),
    }


@tool(
    GROUP,
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
    said(query, "query", "appl")
    found: list[Completion] = []
    # Each ingredient by the first of its names that fits.
    spelt = _spelt(query, language)
    firsts = {hit["row"].id: hit for hit in reversed(spelt)}
    hits = [hit for hit in spelt if firsts[hit["row"].id] is hit]
    for match in [hit for hit in hits if tolerated(hit["row"].flags, list(intolerances or []))][:number]:
        row: Ingredient = match["row"]
        named: Completion = {"completion": match["spelling"], "name": _name(row, language)}
        found.append({**named, "id": row.id, "aisle": row.aisle} if metaInformation else named)
    # Where foods of the table are called so but are not tolerated, no other table steps in.
    further = [] if hits else beyond(query) or _starting(query, number)
    for row in [row for row in further if tolerated(row.flags, list(intolerances or []))]:
        other: Completion = {"completion": row.name, "name": row.name}
        found.append({**other, "id": row.id, "aisle": row.aisle} if metaInformation else other)
    return found


def _substitutes(row: Ingredient) -> Substitutes:
    rules = substitutes_for(row)
    counted = f"{len(rules)} {'substitute' if len(rules) == 1 else 'substitutes'} for {row.name}."
    return {
        "ingredient": row.name,
        "substitutes": rules,
        "message": counted if rules else f"Could not find any substitutes for {row.name}.",
    }


@tool(
    GROUP,
    examples=[{"ingredientName": "butter"}],
    phrase="find substitutes by name for {ingredientName}",
    noun="the substitutes for the named ingredient",
    jobs=("substitutes",),
)
def get_ingredient_substitutes(*, ingredientName: IngredientName) -> Substitutes:
    """What cooks commonly take in place of an ingredient, with amounts; the list is empty where there is none.

    ingredientName: Name of the ingredient to replace.
    """
    return _substitutes(find_ingredient(ingredientName))


@tool(
    GROUP,
    examples=[{"id": 1001}],
    phrase="find substitutes by id for the ingredient whose id is {id}",
    noun="the substitutes for the ingredient id",
    jobs=("substitutes",),
)
def get_ingredient_substitutes_by_id(*, id_: IngredientId) -> SubstitutesById:
    """What cooks commonly take in place of the ingredient with this id, with amounts; empty where there is none.

    id: Id of the ingredient to replace, as the search returns it.
    """
    return {"ingredientId": id_, **_substitutes(find_ingredient_id(id_))}
