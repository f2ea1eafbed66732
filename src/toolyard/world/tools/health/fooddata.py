"""Health/FoodData_Central: ingredients, packaged foods and dishes as one catalogue of foods by FDC id."""

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, NotRequired, TypedDict

from toolyard.world.index.postings import Postings
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import plain, table_words, values_of
from toolyard.world.kernel.types import Page, Range, Semantic
from toolyard.world.simulated.food.ingredients import singular_word
from toolyard.world.simulated.food.value_types import NutrientName
from toolyard.world.tools.food.argument_checks import check_text, match_known_name
from toolyard.world.tools.health.fdc_catalogue import CatalogueFood, DataType, food_catalogue, foods_by_id

_WORD = re.compile(r"[a-z0-9%]+")
# Words that say no more than that a food is the plain one.
_PLAIN_WORDS = frozenset(table_words("fdc_words.plain_words"))
_TYPES: Mapping[str, int] = {"Foundation": 0, "SR Legacy": 0, "Survey (FNDDS)": 1, "Branded": 2}


@functools.lru_cache(maxsize=1024)
def _words(text: str) -> tuple[str, ...]:
    return tuple(singular_word(word) for word in _WORD.findall(plain(text)))


@seeds.table
def _food_ids_by_word(seed: int) -> Postings:
    """The ids of the foods that have a word in description or brand."""
    found: dict[str, list[int]] = {}
    for food in food_catalogue(seed):
        for word in _words(f"{food.description} {food.brand}"):
            found.setdefault(word, []).append(food.id)
    return Postings(found)


# First words of descriptions that only say of what group a food is, and words of what only takes after a food.
_GROUPS = frozenset("fish nuts spices seeds beverages crustaceans mollusks oil cheese".split())
_UNLIKE = frozenset(
    "oil meatless imitation substitute turkey fried dried stick diet zevia light soup use sandwich".split()
)


def _distance(food: CatalogueFood, wanted: tuple[str, ...]) -> tuple[bool, bool, bool, int, int, int, int]:
    """How far a food is from some words: those that begin with them and say little else are near."""
    shown = food.description.partition(" (Includes")[0]
    named = shown.split(",")
    mixed = any(part.startswith(" and ") for part in named)
    if named[0].lower() in _GROUPS and len(named) > 1 and not mixed:
        named = named[1:]
    own, parts = _words(",".join(named)), [set(_words(part)) for part in named[:2]]
    head = parts[0] == set(wanted) or set().union(*parts) == set(wanted)
    extra = [word for word in own if word not in wanted]
    strange = sum(word not in _PLAIN_WORDS for word in extra)
    unlike = (
        any(word in _UNLIKE for word in _words(shown) if word not in wanted) or named[-1].strip() == "skin"
    )
    first = own[: len(wanted)] == wanted
    return unlike, not head, not first, strange, _TYPES[food.data_type], len(extra), food.id


def _foods_with_word(seed: int, word: str) -> frozenset[int]:
    """The foods that have a word; 70% is found in 70-85%."""
    places = _food_ids_by_word(seed)
    return frozenset((*places[word], *places[word[:-1] if word.endswith("%") else word]))


def matching_foods(seed: int, query: str) -> list[CatalogueFood]:
    """Foods with all the words of a query, nearest first; else with most of them and the last that any food has."""
    wanted = tuple(word for word in dict.fromkeys(_words(query)) if word not in ("and", "of", "the", "in"))
    having = {word: found for word in wanted if (found := _foods_with_word(seed, word))}
    if not having or 2 * len(having) < len(wanted):
        return []
    shared = frozenset.intersection(*having.values())
    if not shared or len(having) < len(wanted):
        # Of words that some food has, most must be there: what is only canned in water is no tuna.
        least = len(having) // 2 + 1
        last = _foods_with_most(having, having[list(having)[-1]], least)
        shared = last or _foods_with_most(having, frozenset().union(*having.values()), least)
    return sorted((foods_by_id(seed)[number] for number in shared), key=lambda food: _distance(food, wanted))


def _foods_with_most(having: Mapping[str, frozenset[int]], of: frozenset[int], least: int) -> frozenset[int]:
    """Those that have most of the words, the rarest one among them."""
    rarest = min(having.values(), key=len)
    counts = {number: sum(number in found for found in having.values()) for number in of & rarest}
    most = max(counts.values(), default=0)
    return frozenset(number for number, count in counts.items() if count == most and count >= least)


GROUP = Group("Health/FoodData_Central")
FdcId = Annotated[int, Semantic("fdc_id")]
NutrientNumber = Annotated[int, Semantic("nutrient_number")]
BrandOwner = Annotated[str, Semantic("brand_owner")]
FoodDescription = Annotated[str, Semantic("food_description")]
FoodWords = Annotated[
    str, Semantic("food_words", accepts=("ingredient", "dish", "food_description", "product"))
]
SortBy = Literal["lowercaseDescription.keyword", "dataType.keyword", "fdcId", "publishedDate"]
PageSize = Annotated[int, Range(1, 200)]
PageNumber = Annotated[int, Range(1, 10_000)]
Numbers = Annotated[list[NutrientNumber], Range(0, 25)]


@dataclass(frozen=True, slots=True)
class NumberedNutrient:
    """A nutrient as the catalogue names and numbers it."""

    key: str
    number: int
    name: str
    unit: str


NUMBERED = tuple(NumberedNutrient(*row) for row in values_of("fooddata.numbered").values())


class FoodNutrient(TypedDict):
    number: NutrientNumber
    name: NutrientName
    amount: float
    unitName: str


class FoodItem(TypedDict):
    """A food with its nutrients per 100 g; the full format adds category and portion."""

    fdcId: FdcId
    description: FoodDescription
    dataType: DataType
    publishedDate: str
    brandOwner: NotRequired[BrandOwner]
    foodCategory: NotRequired[str]
    foodPortion: NotRequired[str]
    foodNutrients: list[FoodNutrient]


class ListedFood(TypedDict):
    fdcId: FdcId
    description: FoodDescription
    dataType: DataType
    publishedDate: str
    energy_kcal: float


class FoundFood(TypedDict):
    fdcId: FdcId
    description: FoodDescription
    dataType: DataType
    rank: int
    brandOwner: NotRequired[BrandOwner]


class FoodPage(TypedDict):
    totalHits: int
    currentPage: int
    totalPages: int
    foods: list[FoundFood]


def _entry(seed: int, number: int) -> CatalogueFood:
    food = foods_by_id(seed).get(number)
    if food is None:
        raise not_found("food with FDC id", number, such_as=_SOME, listed_by=f"{GROUP}/search_foods")
    return food


_SOME = table_words("fooddata.some")


def _check_nutrient_numbers(numbers: list[int] | None) -> None:
    known = {kind.number for kind in NUMBERED}
    for number in numbers or ():
        if number not in known:
            raise invalid("nutrients", number, f"want some of {', '.join(map(str, sorted(known)))}")


def _item(seed: int, food: CatalogueFood, full: bool, numbers: list[int] | None) -> FoodItem:
    facts = food.facts(seed)
    if facts.get("carbs") == 0:
        # Without carbohydrates there is neither sugar nor fibre, whether they were measured or not.
        facts = {"sugar": 0.0, "fiber": 0.0, **facts}
    item: FoodItem = {
        "fdcId": food.id,
        "description": food.description,
        "dataType": food.data_type,
        "publishedDate": food.published,
        "foodNutrients": [
            {
                "number": kind.number,
                "name": kind.name,
                "amount": round(max(0.0, facts[kind.key]), 3),
                "unitName": kind.unit,
            }
            for kind in NUMBERED
            if kind.key in facts and (not numbers or kind.number in numbers)
        ],
    }
    if food.brand:
        item["brandOwner"] = food.brand
    if full:
        item |= {"foodCategory": food.category, "foodPortion": food.portion}
    return item


@GROUP.tool(
    examples=[
        {"fdcId": 329702},
        {"fdcId": 173944, "format": "abridged", "nutrients": [203, 204]},
        {"fdcId": 1900701},
    ],
    phrase=(
        "get from FoodData Central the single food whose FDC id is {fdcId}[, in the format {format}][, "
        "showing only the nutrients whose numbers are {nutrients}]"
    ),
    noun="the FoodData Central food",
    jobs=("nutrients of a food",),
)
def get_food_item_by_id(
    world: World,
    *,
    fdcId: FdcId,
    format_: Literal["abridged", "full"] = "full",
    nutrients: Numbers | None = None,
) -> FoodItem:
    """A food of the catalogue with its nutrients per 100 g, as far as they were measured.

    fdcId: FDC id of the food.
    format: full, or abridged without category and portion.
    nutrients: Numbers of the nutrients to show, e.g. 203 for protein; all when left out.
    """
    _check_nutrient_numbers(nutrients)
    return _item(world.seed, _entry(world.seed, fdcId), format_ == "full", nutrients)


@GROUP.tool(
    examples=[{"fdcIds": [329702, 171688, 1900101], "nutrients": [208]}],
    phrase=(
        "get several FoodData Central foods at once, those identified by {fdcIds}[, in the format "
        "{format}][, showing only the nutrients whose numbers are {nutrients}]"
    ),
    noun="the set of FoodData Central foods",
    jobs=("nutrients of a food",),
)
def get_multiple_food_items_by_ids(
    world: World,
    *,
    fdcIds: Annotated[list[FdcId], Range(1, 20)],
    format_: Literal["abridged", "full"] = "full",
    nutrients: Numbers | None = None,
) -> list[FoodItem]:
    """Several foods of the catalogue with their nutrients per 100 g; ids that do not exist are left out if another does.

    fdcIds: FDC ids of the foods, 20 at most.
    format: full, or abridged without category and portion.
    nutrients: Numbers of the nutrients to show, e.g. 203 for protein; all when left out.
    """
    _check_nutrient_numbers(nutrients)
    there = [wanted for wanted in fdcIds if wanted in foods_by_id(world.seed)] or fdcIds[:1]
    return [_item(world.seed, _entry(world.seed, wanted), format_ == "full", nutrients) for wanted in there]


def _sort_foods(foods: Sequence[CatalogueFood], by: SortBy, order: str) -> list[CatalogueFood]:
    def key(food: CatalogueFood) -> tuple[str, int]:
        if by == "lowercaseDescription.keyword":
            return food.description.lower(), food.id
        return {"dataType.keyword": food.data_type, "publishedDate": food.published}.get(by, ""), food.id

    return sorted(foods, key=key, reverse=order == "desc")


@GROUP.tool(
    examples=[
        {"pageSize": 5, "pageNumber": 2},
        {"dataType": ["Branded"], "pageSize": 3, "sortOrder": "desc"},
    ],
    phrase=(
        "list a page of the FoodData Central catalogue[, with the data type set to {dataType}][, with "
        "{pageSize} foods on a page][, on page number {pageNumber}][, sorted by the field {sortBy}][, in the "
        "sort order {sortOrder}]"
    ),
    noun="the FoodData Central food list",
    jobs=("nutrients of a food",),
)
def get_food_lists(
    world: World,
    *,
    dataType: list[DataType] | None = None,
    pageSize: PageSize = 25,
    pageNumber: PageNumber = 1,
    sortBy: SortBy = "fdcId",
    sortOrder: Literal["asc", "desc"] = "asc",
) -> Page[ListedFood]:
    """A page of the catalogue of foods, with the energy of 100 g of each; rarer foods have numbers of its own.

    dataType: Kinds of entries to list; all when left out.
    pageSize: How many foods on a page.
    pageNumber: Which page, from 1.
    sortBy: Field to sort by.
    sortOrder: asc or desc.
    """
    rows = [food for food in food_catalogue(world.seed) if not dataType or food.data_type in dataType]
    start = pageSize * (pageNumber - 1)
    ordered = _sort_foods(rows, sortBy, sortOrder)
    listed: list[ListedFood] = [
        {
            "fdcId": food.id,
            "description": food.description,
            "dataType": food.data_type,
            "publishedDate": food.published,
            "energy_kcal": round(food.facts(world.seed)["calories"], 1),
        }
        for food in ordered[start : start + pageSize]
    ]
    return {"total": len(ordered), "offset": start, "items": listed}


def _found_food(food: CatalogueFood, rank: int) -> FoundFood:
    entry: FoundFood = {
        "fdcId": food.id,
        "description": food.description,
        "dataType": food.data_type,
        "rank": rank,
    }
    return {**entry, "brandOwner": food.brand} if food.brand else entry


@GROUP.tool(
    examples=[{"query": "cheddar cheese", "pageSize": 5}, {"query": "yogurt", "brandOwner": "Olympia"}],
    phrase=(
        "search the FoodData Central catalogue for {query}[, with the data type set to {dataType}][, with "
        "the brand owner set to {brandOwner}][, with {pageSize} foods on a page][, on page number "
        "{pageNumber}][, sorted by the field {sortBy}][, in the sort order {sortOrder}]"
    ),
    noun="the FoodData Central search results",
    jobs=("nutrients of a food",),
)
def search_foods(
    world: World,
    *,
    query: FoodWords,
    dataType: list[DataType] | None = None,
    pageSize: PageSize = 25,
    pageNumber: PageNumber = 1,
    sortBy: SortBy | None = None,
    sortOrder: Literal["asc", "desc"] = "asc",
    brandOwner: BrandOwner | None = None,
) -> FoodPage:
    """Foods of the catalogue that have the words of a query, or most of them, best match first unless sorted otherwise.

    Rarer foods have numbers of this catalogue's own, and some are not in it.

    query: Words to look for in descriptions and brands.
    dataType: Kinds of entries to search; all when left out.
    pageSize: How many foods on a page.
    pageNumber: Which page, from 1.
    sortBy: Field to sort by; by relevance when left out.
    sortOrder: asc or desc; counts with sortBy only.
    brandOwner: Owner of the brand, one of this world's shops; leaves packaged foods only.
    """
    rows = matching_foods(world.seed, check_text(query, "query", "cheddar cheese")[:200])
    rows = [food for food in rows if not dataType or food.data_type in dataType]
    if brandOwner is not None:
        owners = sorted({food.brand for food in food_catalogue(world.seed) if food.brand})
        owner = match_known_name(brandOwner, owners, "brandOwner")
        rows = [food for food in rows if food.brand == owner]
    ranks = {food.id: rank for rank, food in enumerate(rows, 1)}
    rows = _sort_foods(rows, sortBy, sortOrder) if sortBy else rows
    start = pageSize * (pageNumber - 1)
    return {
        "totalHits": len(rows),
        "currentPage": pageNumber,
        "totalPages": -(-len(rows) // pageSize),
        "foods": [_found_food(food, ranks[food.id]) for food in rows[start : start + pageSize]],
    }
