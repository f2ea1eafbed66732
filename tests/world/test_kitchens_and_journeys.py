"""Hotels, cars, journeys, weather, places and kitchens as a traveller or a cook knows them."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call


def said(tool: str, **arguments: Any) -> Any:
    """What a tool answers in a fresh world; a fault is a failure of the test."""
    answer = call(World.fresh(seed=0), tool, arguments)
    assert answer.error is None, answer.text
    return answer.value


STATISTICS = "Travel/Hotels_Statistical_Data"


def test_rare_amenities_are_rare() -> None:
    counts = {
        name: said(f"{STATISTICS}/search_amenity", name=name)["hotels_with_it"]
        for name in ("Wifi", "Pool", "Water park", "Ocean view", "Casino", "Spa on site")
    }
    assert counts["Wifi"] == 240
    assert 40 < counts["Pool"] < 130
    assert max(counts["Water park"], counts["Ocean view"], counts["Casino"]) < 12
    assert counts["Spa on site"] < counts["Pool"]


@pytest.mark.parametrize(
    ("word", "amenity"),
    [
        ("Swimming pool", "Pool"),
        ("Free Wi-Fi", "Wifi"),
        ("fitness centre", "Gym"),
        ("jacuzzi", "Hot tub"),
    ],
)
def test_amenities_are_known_by_their_usual_words(word: str, amenity: str) -> None:
    assert said(f"{STATISTICS}/search_amenity", name=word)["name"] == amenity


def test_no_ocean_inland_and_no_old_town_in_new_york() -> None:
    found = said("Travel/BMTool_Travel/lodgingProducts", destination="JFK", exhibit_maxnum=12)
    assert all("Old Town" not in row["address"] and "OCEAN_VIEW" not in row["amenities"] for row in found)
    assert len({tuple(row["amenities"]) for row in found}) > len(found) // 2
    stay = said(
        "Travel/Hotels/list_properties", dest_regionId=600330, check_in_date=[1, 7, 2024], check_out_date=[3, 7, 2024],
        num_adults_list=[2], children_ages_list=[[]],
    )  # fmt: skip
    assert [row["name"] for row in stay["neighborhoods"]] == ["Downtown", "Midtown", "Uptown"]


@pytest.mark.parametrize(
    ("query", "city"),
    [("Louvre", "Paris"), ("Heathrow airport", "London"), ("Santorini", "Firá"), ("Mallorca", "Palma")],
)
def test_sights_airports_and_islands_lead_to_their_town(query: str, city: str) -> None:
    assert said("Travel/Hotels/search_locations", query=query)[0]["city"] == city


def test_part_of_a_name_finds_hotels_that_bear_it() -> None:
    found = said("Travel/Hotels_Data/search_city_hotels", query="Plaza", lookFor="hotel")["hotels"]
    assert found
    assert all("Plaza" in row["name"] for row in found)


def test_cars_are_those_that_are_sold_in_the_country() -> None:
    models = {
        row["model"]
        for row in said("Travel/BMTool_Travel/carProducts", pickup_location="LAX", exhibit_maxnum=12)
    }
    assert not models & {"Škoda Octavia Combi", "Nissan Qashqai", "Toyota Yaris"}


def test_the_indian_autumn_is_warm_and_its_winter_mild() -> None:
    october = said("Weather/weatherapi/future", q="Delhi", dt="2024-10-15")["day"]["mean_c"]
    december = said("Weather/weatherapi/future", q="Delhi", dt="2024-12-25")["day"]["mean_c"]
    assert 21 < october < 31
    assert 11 < december < 20


def test_the_sea_is_not_told_for_places_far_inland() -> None:
    answer = call(World.fresh(seed=0), "Weather/weatherapi/marine", {"q": "Denver"})
    assert answer.error == "not_found"
    assert said("Weather/weatherapi/marine", q="Brest")["nearest_city"] == "Brest"
