"""What a further reading of travel and food tools found, kept right."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.shared.geography import find_city
from toolyard.world.state import World
from toolyard.world.tables import kilometres
from toolyard.world.worlds.travel.hotel_names import quarter_point
from toolyard.world.worlds.travel.rooms import hotels, quarters


def answer(tool: str, **arguments: Any) -> Any:
    return json.loads(call(World.fresh(0), tool, arguments).text)


def test_houses_stand_in_their_quarters() -> None:
    for name in ("New York", "London", "Paris", "Tokyo", "Las Vegas", "Cairo", "Orlando", "Hamburg"):
        city = find_city(name)
        # A house whose name tells a place outside the known quarters has none.
        for hotel in (house for house in hotels(0, city["id"]) if house["area"]):
            middle = quarter_point(city, quarters(city).index(hotel["area"]))
            assert middle
            assert kilometres(*middle, hotel["latitude"], hotel["longitude"]) < 1


@pytest.mark.parametrize(
    ("quarter", "least", "most"), [("Midtown", 3.5, 6), ("Upper West Side", 7, 10), ("Lower Manhattan", 0, 2)]
)
def test_quarters_of_new_york_lie_where_they_are(quarter: str, least: float, most: float) -> None:
    found = answer(
        "Travel/Hotels/list_properties",
        dest_regionId=600330,
        check_in_date=[20, 7, 2024],
        check_out_date=[22, 7, 2024],
        num_adults_list=[2],
        children_ages_list=[[]],
        resultSize=20,
    )
    far = [row["distance_km"] for row in found["properties"] if row["neighborhood"] == quarter]
    assert far and all(least <= km <= most for km in far)


def test_ways_with_a_change_begin_with_the_shortest() -> None:
    rows = answer(
        "Travel/Flight_JSON_Data/search_routes", depart_airport="EDI", arrival_airport="NRT", max_transfers=1
    )["items"]
    far = [row["distance_km"] for row in rows if row["transfers"]]
    assert len(far) > 2 and far == sorted(far)


def test_butternut_squash_is_no_pumpkin_and_cans_stand_with_cans() -> None:
    tool = "Food/spoonacular_ingredient/autocomplete_ingredient_search"
    named = {row["completion"]: row for row in answer(tool, query="butternut", metaInformation=True)}
    assert {row["name"] for row in named.values()} == {"butternut squash"}
    cans = answer(tool, query="canned tomatoes", metaInformation=True)
    assert cans[0]["aisle"] == "Canned and Jarred"


def test_starch_stands_in_for_starch() -> None:
    found = answer("Food/spoonacular_ingredient/get_ingredient_substitutes", ingredientName="cornstarch")
    assert "1 tbsp = 1 tbsp potato starch" in found["substitutes"]
