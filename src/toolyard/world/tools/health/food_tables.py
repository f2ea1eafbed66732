"""Health/Fitness_Calculator, second half: a food table in main tables, sub-tables and foods."""

import functools
from collections.abc import Mapping
from typing import Annotated, TypedDict

from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.tables import fold_case, values_of
from toolyard.world.kernel.types import IngredientName, Semantic
from toolyard.world.simulated.food.ingredients import Ingredient, all_ingredients
from toolyard.world.simulated.food.nutrients import nutrient_list
from toolyard.world.simulated.food.value_types import Nutrient

GROUP = Group("Health/Fitness_Calculator")
FoodId = Annotated[str, Semantic("food_table_id")]
MainTable = Annotated[str, Semantic("food_main_table")]
SubTable = Annotated[str, Semantic("food_sub_table")]
_TABLES: Mapping[str, Mapping[str, tuple[str, ...]]] = values_of("food_tables.tables")
# What stands with other foods than those of its kind.
_ELSEWHERE = {"coconut milk": "beverage"}


class Food(TypedDict):
    id: FoodId
    food: IngredientName


class FoodInfo(TypedDict):
    """Nutrients per 100 g."""

    id: FoodId
    food: IngredientName
    main_table: MainTable
    sub_table: SubTable
    per_100g: list[Nutrient]


class TableName(TypedDict):
    table_name: MainTable
    number_of_sub_tables: int


class SubTableName(TypedDict):
    sub_table_name: SubTable
    number_of_foods: int


@functools.cache
def _foods_by_id() -> Mapping[str, tuple[Ingredient, str, str]]:
    """Id -> (ingredient, main table, sub-table); ids count tables, sub-tables and foods."""
    found: dict[str, tuple[Ingredient, str, str]] = {}
    for first, (main, subs) in enumerate(_TABLES.items(), 1):
        for second, (sub, categories) in enumerate(subs.items(), 1):
            rows = [row for row in all_ingredients() if _ELSEWHERE.get(row.name, row.category) in categories]
            rows.sort(key=lambda row: row.name in _ELSEWHERE)
            for third, row in enumerate(rows, 1):
                found[f"FT{first}_{second}_{third}"] = (row, main, sub)
    return found


@GROUP.tool(
    examples=[{"foodid": "FT1_1_1"}],
    phrase="show the nutrients per 100 g of the food table entry whose id is {foodid}",
    noun="the food table entry",
    jobs=("nutrients of a food",),
)
def get_food_info(*, foodid: FoodId) -> FoodInfo:
    """Nutrients of 100 g of a food, and the tables it stands in.

    foodid: Id of the food, as the sub-tables list it, e.g. FT1_1_1.
    """
    key = foodid.strip().upper()
    if key not in _foods_by_id():
        raise not_found("food", foodid[:40], known=_foods_by_id())
    row, main, sub = _foods_by_id()[key]
    return {
        "id": key,
        "food": row.name,
        "main_table": main,
        "sub_table": sub,
        "per_100g": nutrient_list(row.per_100g),
    }


@GROUP.tool(
    examples=[{"foodtablename": "Fruits"}, {}],
    phrase=(
        "list the foods and their ids in the food sub-tables[, restricted to the sub-table named "
        "{foodtablename}]"
    ),
    noun="the list of food table ids",
)
def get_foodtable_ids(*, foodtablename: SubTable | None = None) -> list[Food]:
    """The foods of a sub-table with their ids; the first food of every sub-table when none is named.

    foodtablename: Name of a sub-table, e.g. Fruits.
    """
    rows = [(key, row.name, sub) for key, (row, _, sub) in _foods_by_id().items()]
    if foodtablename is None:
        return [{"id": key, "food": name} for key, name, _ in rows if key.endswith("_1")]
    names = list(dict.fromkeys(sub for _, _, sub in rows))
    exact = [name for name in names if fold_case(name) == fold_case(foodtablename)]
    # One word of a name will do where no other name has it: fish, nuts.
    meant = exact or [name for name in names if fold_case(foodtablename) in fold_case(name).split()]
    if len(meant) != 1:
        raise not_found("sub-table", foodtablename[:60], such_as=[", ".join(names)])
    return [{"id": key, "food": name} for key, name, sub in rows if sub == meant[0]]


@GROUP.tool(
    examples=[{"tablename": "Plant Foods"}],
    phrase="list the food sub-tables under the main table named {tablename}",
    noun="the food sub-table names",
)
def get_subtable_names(*, tablename: MainTable) -> list[SubTableName]:
    """The sub-tables of a main table, with the number of foods in each.

    tablename: Name of a main table, e.g. Plant Foods.
    """
    for main, subs in _TABLES.items():
        if fold_case(main) == fold_case(tablename):
            counts = [name for _, _, name in _foods_by_id().values()]
            return [{"sub_table_name": sub, "number_of_foods": counts.count(sub)} for sub in subs]
    raise not_found("main table", tablename[:60], known=_TABLES)


@GROUP.tool(
    phrase="list the names of the main food tables",
    noun="the main food table names",
)
def get_maintable_names() -> list[TableName]:
    """The main tables of the food table."""
    return [{"table_name": main, "number_of_sub_tables": len(subs)} for main, subs in _TABLES.items()]
