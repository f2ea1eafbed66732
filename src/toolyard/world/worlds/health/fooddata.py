"""Health/FoodData_Central: ingredients, packaged foods and dishes as one catalogue of foods by FDC id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NotRequired, TypedDict

from toolyard.core.sums import added
from toolyard.world import seeds
from toolyard.world.reference.foods import GenericFood, food_at, foods_with
from toolyard.world.reference.packed import packed
from toolyard.world.registry import tool
from toolyard.world.search import Index, words
from toolyard.world.state import World
from toolyard.world.tables import filter_rows, find, index_by, page
from toolyard.world.types import Page, Range, Semantic
from toolyard.world.worlds.food.ingredients import NUTRIENTS, ingredients, scaled
from toolyard.world.worlds.food.meanings import NutrientName
from toolyard.world.worlds.food.products import products
from toolyard.world.worlds.food.recipes import recipes
from toolyard.world.worlds.health.food_names import described

GROUP = "Health/FoodData_Central"
FdcId = Annotated[int, Semantic("fdc_id")]
NutrientNumber = Annotated[int, Semantic("nutrient_number")]
BrandOwner = Annotated[str, Semantic("brand_owner")]
FoodDescription = Annotated[str, Semantic("food_description")]
FoodWords = Annotated[
    str, Semantic("food_words", accepts=("ingredient", "dish", "food_description", "product"))
]
DataType = Literal["Branded", "Foundation", "Survey (FNDDS)", "SR Legacy"]
SortBy = Literal["lowercaseDescription.keyword", "dataType.keyword", "fdcId", "publishedDate"]
PageSize = Annotated[int, Range(1, 200)]
PageNumber = Annotated[int, Range(1, 10_000)]
Numbers = Annotated[list[NutrientNumber], Range(0, 25)]
_FIELDS = {"lowercaseDescription.keyword": "description", "dataType.keyword": "dataType", "fdcId": "fdcId",
           "publishedDate": "publishedDate"}  # fmt: skip


class FoodEntry(TypedDict):
    """A row of the catalogue; `facts` are nutrients per 100 g by key."""

    fdcId: FdcId
    description: FoodDescription
    dataType: DataType
    publishedDate: str
    brandOwner: str
    category: str
    portion: str
    facts: Mapping[str, float]


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


@seeds.table
def foods(seed: int) -> tuple[FoodEntry, ...]:
    """The whole catalogue, by FDC id."""
    rows = [*_simple(), *_branded(seed), *_dishes(seed)]
    return tuple(sorted(rows, key=lambda row: row["fdcId"]))


def _simple() -> list[FoodEntry]:
    return [
        {
            "fdcId": 329_702 if row.name == "egg white" else 170_000 + row.id % 100_000,
            "description": described(row),
            "dataType": "Foundation" if number % 2 or row.name == "egg white" else "SR Legacy",
            "publishedDate": "2020-10-30" if number % 2 or row.name == "egg white" else "2019-04-01",
            "brandOwner": "",
            "category": row.aisle,
            "portion": f"1 piece = {row.grams_per_piece:g} g"
            if row.grams_per_piece
            else f"1 cup = {row.grams_per_cup:g} g",
            "facts": row.per_100g,
        }
        for number, row in enumerate(ingredients())
    ]


def _branded(seed: int) -> list[FoodEntry]:
    return [
        {
            "fdcId": 1_900_000 + row.id % 100_000,
            "description": row.title.upper(),
            "dataType": "Branded",
            "publishedDate": f"2021-{1 + number % 12:02d}-{1 + number % 28:02d}",
            "brandOwner": row.brand,
            "category": row.path[-1],
            "portion": f"1 serving = {row.serving_grams:g} g",
            "facts": scaled(row.nutrients, 10_000 / row.serving_grams),
        }
        for number, row in enumerate(products(seed))
    ]


def _dishes(seed: int) -> list[FoodEntry]:
    found: list[FoodEntry] = []
    for row in recipes(seed):
        weight = added(line.grams for line in row.lines) / row.servings
        found.append(
            {
                "fdcId": 2_700_000 + row.id % 1_000_000,
                "description": row.title,
                "dataType": "Survey (FNDDS)",
                "publishedDate": "2022-10-28",
                "brandOwner": "",
                "category": row.types[0],
                "portion": f"1 serving = {weight:.0f} g",
                "facts": scaled(row.nutrients, 10_000 / weight),
            }
        )
    return found


@seeds.table
def _by_id(seed: int) -> Mapping[str, FoodEntry]:
    return index_by(foods(seed), "fdcId")


@seeds.table
def _index(seed: int) -> Index[FoodEntry]:
    return Index(foods(seed), ("description", "description", "category", "brandOwner"))


FIRST_GENERIC_ID = 3_000_000


def _generic_entry(food: GenericFood) -> FoodEntry:
    return {
        "fdcId": FIRST_GENERIC_ID + food.place,
        "description": food.name,
        "dataType": food.type,  # type: ignore[typeddict-item]  # the recipe of the table writes three of them
        "publishedDate": "2019-04-01" if food.type == "SR Legacy" else "2022-10-28",
        "brandOwner": "",
        "category": food.category,
        "portion": f"1 portion = {food.portion:g} g" if food.portion else "100 g",
        "facts": {kind.key: food.nutrients.get(kind.key, 0.0) for kind in NUTRIENTS},
    }


def _generic_rows(query: str, found: list[FoodEntry], types: list[DataType] | None) -> list[FoodEntry]:
    """Generic foods with all the words of a query, where no entry of the catalogue has them."""
    wanted = set(words(query))
    if any(wanted <= set(words(row["description"])) for row in found):
        return []
    return [_generic_entry(food) for food in foods_with(query) if not types or food.type in types]


def _entry(seed: int, number: int) -> FoodEntry:
    if FIRST_GENERIC_ID <= number < FIRST_GENERIC_ID + len(packed("foods")):
        return _generic_entry(food_at(number - FIRST_GENERIC_ID))
    return find(_by_id(seed), number, "fdcId", "food with FDC id")


def _item(row: FoodEntry, full: bool, numbers: list[int] | None) -> FoodItem:
    item: FoodItem = {
        "fdcId": row["fdcId"],
        "description": row["description"],
        "dataType": row["dataType"],
        "publishedDate": row["publishedDate"],
        "foodNutrients": [
            {
                "number": kind.number,
                "name": kind.name,
                "amount": round(row["facts"][kind.key], 2),
                "unitName": kind.unit.upper(),
            }
            for kind in NUTRIENTS
            if not numbers or kind.number in numbers
        ],
    }
    if row["brandOwner"]:
        item["brandOwner"] = row["brandOwner"]
    if full:
        item |= {"foodCategory": row["category"], "foodPortion": row["portion"]}
    return item


@tool(
    GROUP,
    examples=[{"fdcId": 329702}, {"fdcId": 1900101, "format": "abridged", "nutrients": [203, 204]}],
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
    """A food of the catalogue with its nutrients per 100 g.

    fdcId: FDC id of the food.
    format: full, or abridged without category and portion.
    nutrients: Numbers of the nutrients to show, e.g. 203 for protein; all when left out.
    """
    return _item(_entry(world.seed, fdcId), format_ == "full", nutrients)


@tool(
    GROUP,
    examples=[{"fdcIds": [329702, 179003, 1900101], "nutrients": [208]}],
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
    known = _by_id(world.seed)
    generic = range(FIRST_GENERIC_ID, FIRST_GENERIC_ID + len(packed("foods")))
    there = [wanted for wanted in fdcIds if str(wanted) in known or wanted in generic] or fdcIds[:1]
    return [_item(_entry(world.seed, wanted), format_ == "full", nutrients) for wanted in there]


def _sorted(rows: list[FoodEntry], by: SortBy, order: str) -> list[FoodEntry]:
    field = _FIELDS[by]

    def key(row: FoodEntry) -> tuple[str | int, int]:
        value = row[field]  # type: ignore[literal-required]
        return (value.lower() if isinstance(value, str) else value), row["fdcId"]

    return sorted(rows, key=key, reverse=order == "desc")


@tool(
    GROUP,
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
    """A page of the catalogue of foods, with the energy of 100 g of each.

    dataType: Kinds of entries to list; all when left out.
    pageSize: How many foods on a page.
    pageNumber: Which page, from 1.
    sortBy: Field to sort by.
    sortOrder: asc or desc.
    """
    rows = [row for row in foods(world.seed) if not dataType or row["dataType"] in dataType]
    listed: list[ListedFood] = [
        {
            "fdcId": row["fdcId"],
            "description": row["description"],
            "dataType": row["dataType"],
            "publishedDate": row["publishedDate"],
            "energy_kcal": round(row["facts"]["calories"], 1),
        }
        for row in _sorted(rows, sortBy, sortOrder)
    ]
    return page(listed, pageSize, pageSize * (pageNumber - 1))


def _meant(row: FoodEntry, query: str) -> bool:
    """Whether an entry has most words of a query, or half of them with the last: dark rum is no dark chocolate."""
    wanted = list(dict.fromkeys(words(query)))
    own = set(words(f"{row['description']} {row['brandOwner'] or ''}"))
    shared = sum(word in own for word in wanted)
    return len(wanted) < 2 or shared * 2 > len(wanted) or (shared * 2 == len(wanted) and wanted[-1] in own)


def _found(row: FoodEntry, rank: int) -> FoundFood:
    entry: FoundFood = {
        "fdcId": row["fdcId"],
        "description": row["description"],
        "dataType": row["dataType"],
        "rank": rank,
    }
    return {**entry, "brandOwner": row["brandOwner"]} if row["brandOwner"] else entry


@tool(
    GROUP,
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
    """Foods of the catalogue that share words with a query, best match first unless sorted otherwise.

    query: Words to look for in descriptions, categories and brands.
    dataType: Kinds of entries to search; all when left out.
    pageSize: How many foods on a page.
    pageNumber: Which page, from 1.
    sortBy: Field to sort by; by relevance when left out.
    sortOrder: asc or desc; counts with sortBy only.
    brandOwner: Owner of the brand; leaves packaged foods only.
    """
    rows = _index(world.seed).search(
        query[:200], where=lambda row: not dataType or row["dataType"] in dataType
    )
    rows = [row for row in rows if _meant(row, query[:200])]
    rows = [*rows, *_generic_rows(query[:200], rows, dataType)]
    rows = rows or _generic_rows(" ".join(words(query[:200])[-1:]), rows, dataType)
    rows = filter_rows(rows, brandOwner=brandOwner)
    ranks = {row["fdcId"]: rank for rank, row in enumerate(rows, 1)}
    rows = _sorted(rows, sortBy, sortOrder) if sortBy else rows
    start = pageSize * (pageNumber - 1)
    return {
        "totalHits": len(rows),
        "currentPage": pageNumber,
        "totalPages": -(-len(rows) // pageSize),
        "foods": [_found(row, ranks[row["fdcId"]]) for row in rows[start : start + pageSize]],
    }
