"""Health/FoodData_Central: ingredients, packaged foods and dishes as one catalogue of foods by FDC id."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, NotRequired, TypedDict

from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import table_words, values_of
from toolyard.world.kernel.types import Page, Range, Semantic
from toolyard.world.simulated.food.value_types import NutrientName
from toolyard.world.tools.food.argument_checks import check_text, match_known_name
from toolyard.world.tools.health.fdc_catalogue import CatalogueFood, DataType, food_catalogue, foods_by_id
from toolyard.world.tools.health.fdc_words import matching_foods

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
