"""The catalogue of foods: generic ones of the reference table under FDC ids, and the packaged foods of the shop.

Ids of common foods are those of FoodData Central; the others are numbered within the ranges of their data type.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from sys import intern
from typing import Literal

from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import read_table, table_texts, table_words, values_of
from toolyard.world.reference.foods import food_at
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.simulated.food.ingredients import find_ingredient
from toolyard.world.simulated.food.nutrients import scale_nutrients
from toolyard.world.simulated.food.products import all_products

DataType = Literal["Branded", "Foundation", "Survey (FNDDS)", "SR Legacy"]
# Where the ids of each data type lie: SR Legacy of 2018, FNDDS 2019-2020, Foundation foods of late 2023.
_RANGES = {
    "SR Legacy": range(167_512, 175_305),
    "Survey (FNDDS)": range(2_340_760, 2_346_384),
    "Foundation": range(2_646_180, 2_646_600),
}
# From which id on Foundation foods were published on which day.
_PUBLISHED: tuple[tuple[int, str], ...] = tuple(values_of("fdc_catalogue.published").values())
# Foundation foods that were published after this world's day.
_LATER = table_words("fdc_catalogue.later")
# Order of the groups of survey foods; their ids follow it.
_SURVEY_ORDER = table_words("fdc_catalogue.survey_order")
_FEW = ("calories", "protein", "fat", "carbs", "fiber")


@dataclass(frozen=True, slots=True)
class CatalogueFood:
    """A food of the catalogue; `place` is its row of the reference table, `source` says where else its facts are from."""

    id: int
    description: str
    data_type: DataType
    published: str
    category: str
    portion: str
    brand: str = ""
    place: int = -1
    source: str = ""

    def facts(self, seed: int) -> Mapping[str, float]:
        """Nutrients per 100 g by key; what was not measured is missing."""
        if self.brand:
            row = next(row for row in all_products(seed) if row.id == int(self.source))
            return scale_nutrients(row.nutrients, 10_000 / row.serving_grams)
        if self.place >= 0:
            return food_at(self.place).nutrients
        if ";" in self.source:
            return dict(zip(_FEW, map(float, self.source.split(";")), strict=True))
        return find_ingredient(self.source).per_100g


def _publication_date(data_type: str, number: int) -> str:
    if data_type != "Foundation":
        return "2019-04-01" if data_type == "SR Legacy" else "2022-10-28"
    return next(day for first, day in _PUBLISHED if number >= first)


@functools.cache
def _foods_with_fdc_id() -> Mapping[str, Mapping[str, str]]:
    """Foods whose FDC id is known, by description; of two of a name the second is under its id."""
    found: dict[str, Mapping[str, str]] = {}
    for row in read_table("fdc_foods.tsv"):
        found[row["description"] if row["description"] not in found else row["fdcId"]] = row
    return found


def _category_rank(category: str) -> int:
    lower = category.lower()
    return next((number for number, word in enumerate(_SURVEY_ORDER) if word in lower), len(_SURVEY_ORDER))


@functools.cache
def _generic_foods() -> tuple[CatalogueFood, ...]:
    """The foods of the reference table; those without a known id get one of their range, in order."""
    known, taken = _foods_with_fdc_id(), {int(row["fdcId"]) for row in _foods_with_fdc_id().values()}
    rest: dict[str, list[tuple[int, str, str, str]]] = {data_type: [] for data_type in _RANGES}
    found: list[CatalogueFood] = []
    for place, (name, data_type, category, portion, *_) in enumerate(packed_table("foods")):
        weighed = f"1 portion = {float(portion):g} g" if portion else "100 g"
        if name in known:
            number = int(known[name]["fdcId"])
            kind = data_type if data_type != "SR Legacy" or number < 300_000 else "Foundation"
            found.append(_entry(number, name, kind, category, known[name]["portion"] or weighed, place))
        elif data_type != "Foundation" or not name.startswith(_LATER):
            rest[data_type].append((place, name, category, weighed))
    rest["Survey (FNDDS)"].sort(key=lambda row: (_category_rank(row[2]), row[2], row[1]))
    for data_type, rows in rest.items():
        free = [number for number in _RANGES[data_type] if number not in taken]
        for turn, (place, name, category, weighed) in enumerate(rows):
            found.append(
                _entry(free[turn * len(free) // len(rows)], name, data_type, category, weighed, place)
            )
    return (*found, *_foods_from_table({food.description for food in found}))


def _entry(
    number: int, name: str, data_type: str, category: str, portion: str, place: int, source: str = ""
) -> CatalogueFood:
    kind: DataType = data_type  # type: ignore[assignment]  # the recipe of the table writes three of them
    return CatalogueFood(
        number,
        name,
        kind,
        _publication_date(data_type, number),
        intern(category),
        intern(portion),
        place=place,
        source=source,
    )


_CATEGORIES = table_texts("fdc_catalogue.categories")
_FIRST_WORDS = table_texts("fdc_catalogue.first_words")


def _foods_from_table(there: set[str]) -> list[CatalogueFood]:
    """Common foods that the reference table lacks."""
    found = []
    for key, row in _foods_with_fdc_id().items():
        if row["description"] in there and key == row["description"]:
            continue
        head = row["description"].split(",")[0].split(" ")[0]
        kind = _FIRST_WORDS.get(head, "") or find_ingredient(row["facts"]).category
        kind = "dairy" if head == "Butter" else kind
        number = int(row["fdcId"])
        data_type = "SR Legacy" if number < 300_000 else "Foundation"
        found.append(
            _entry(number, row["description"], data_type, _CATEGORIES[kind], row["portion"], -1, row["facts"])
        )
    return found


def _packed_on(title: str) -> str:
    """The day on which a packaged food came into the catalogue."""
    day = seeds.number("published", title) % 365
    return (date(2021, 1, 1) + timedelta(days=day)).isoformat()


def _branded_foods(seed: int) -> list[CatalogueFood]:
    return [
        CatalogueFood(
            id=1_900_000 + row.id % 100_000,
            description=row.title.upper(),
            data_type="Branded",
            published=_packed_on(row.title),
            category=row.path[-1],
            portion=f"1 serving = {row.serving_grams:g} g",
            brand=row.brand,
            source=str(row.id),
        )
        for row in all_products(seed)
    ]


@seeds.table
def food_catalogue(seed: int) -> Sequence[CatalogueFood]:
    """The whole catalogue, by FDC id."""
    return tuple(sorted((*_generic_foods(), *_branded_foods(seed)), key=lambda food: food.id))


@seeds.table
def foods_by_id(seed: int) -> Mapping[int, CatalogueFood]:
    """Every food under its FDC id, and some under the number that they had here before."""
    found = {food.id: food for food in food_catalogue(seed)}
    return {**found, **{old: found[new] for old, new in _FORMER.items()}}


# Numbers that shipped questions name -> FDC id.
_FORMER = {182_061: 170_567, 186_098: 2_262_072, 190_035: 168_874, 179_003: 171_688}
