"""What a further reading of travel, food and contest tools found, kept right."""

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
        for hotel in hotels(0, city["id"]):
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
