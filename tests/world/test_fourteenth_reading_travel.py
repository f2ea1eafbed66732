"""What a fourteenth reading found in journeys, places, vehicles and the weather."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World

SIGHTS = "Travel/BMTool_Travel/landscapeProducts"
ROUTES = "Travel/Flight_JSON_Data/search_routes"
UNIVERSITIES = "Location/Geodatabase/get_university_infomation"


def told(tool: str, **arguments: Any) -> Any:
    seen = call(World.fresh(0), tool, arguments)
    assert seen.error is None, (tool, arguments, seen.text)
    return seen.value


def refused(tool: str, **arguments: Any) -> str | None:
    return call(World.fresh(0), tool, arguments).error


@pytest.mark.parametrize("city", ["Rome", "New York", "London", "Paris", "Tokyo", "Istanbul", "Madrid"])
def test_great_cities_have_ten_sights(city: str) -> None:
    rows = told(SIGHTS, destination=city, exhibit_maxnum=12)
    assert len(rows) >= 10
    assert len({(row["latitude"], row["longitude"]) for row in rows}) == len(rows)


@pytest.mark.parametrize("city", ["Geneva", "Havana", "Samarkand", "Queenstown, NZ", "Bruges", "Savannah"])
def test_smaller_cities_have_their_sights(city: str) -> None:
    assert len(told(SIGHTS, destination=city, exhibit_maxnum=6)) >= 4


def test_a_namesake_has_not_the_sights_of_another_town() -> None:
    assert told(SIGHTS, destination="Portland, Maine") == []


def test_hotels_of_shipped_cities_are_called_as_elsewhere() -> None:
    for city in ("Rome", "Naples", "Budapest", "Nice"):
        names = [
            row["name"]
            for row in told("Travel/BMTool_Travel/lodgingProducts", destination=city, exhibit_maxnum=12)
        ]
        assert not {
            f"{city} Plaza",
            f"Hotel Metropole {city}",
            f"The {city} House",
            f"{city} Central Inn",
        } & set(names)
    moscow = told("Travel/BMTool_Travel/lodgingProducts", destination="Moscow", exhibit_maxnum=12)
    assert not any("Zamkiem" in row["name"] or "Polonez" in row["name"] for row in moscow)


def test_hotels_near_a_sight_are_near_it() -> None:
    whole = told("Travel/BMTool_Travel/lodgingProducts", destination="New York", exhibit_maxnum=4)
    near = told("Travel/BMTool_Travel/lodgingProducts", destination="Statue of Liberty", exhibit_maxnum=4)
    assert [row["hotelId"] for row in whole] != [row["hotelId"] for row in near]


def test_barcelona_has_its_own_quarters_and_a_hostel_no_half_board() -> None:
    stay = {
        "check_in_date": [10, 6, 2024],
        "check_out_date": [12, 6, 2024],
        "num_adults_list": [2],
        "children_ages_list": [[]],
    }
    found = told("Travel/Hotels/list_properties", dest_regionId=601090, **stay)
    assert "Eixample" in {row["name"] for row in found["neighborhoods"]}
    offers = told("Travel/Hotels/get_property_offers", propertyId=1009310, dest_regionId=600930, **stay)[
        "offers"
    ]
    assert {row["meal_plan"] for row in offers} <= {None, "FREE_BREAKFAST"}


def test_no_quarter_of_new_york_is_a_town_of_its_own() -> None:
    found = told("Travel/Hotels_Data/search_city_hotels", query="40.7128,-74.0060", lookFor="city")[
        "locations"
    ]
    assert "Financial District" not in {row["name"] for row in found}
    assert found[0]["name"] == "New York"


def test_well_known_flights_have_their_numbers_and_aircraft() -> None:
    def flown(start: str, end: str) -> dict[str, tuple[str, str]]:
        rows = told(ROUTES, depart_airport=start, arrival_airport=end, page_size=40)["items"]
        return {row["airline_iata"]: (row["flight_number"], row["planes"][0]) for row in rows}

    assert flown("LHR", "JFK")["B6"][0] == "B620"
    assert flown("SFO", "NRT")["UA"][0] == "UA837"
    assert flown("HND", "CTS")["JL"] == ("JL501", "359")
    assert flown("DXB", "LHR")["EK"] == ("EK1", "388")
    assert {"HA", "UA", "AA", "AS", "WN"} <= flown("LAX", "HNL").keys()
    assert "EK" not in flown("DXB", "SVO")


def test_flights_over_the_atlantic_leave_in_the_evening_to_the_east() -> None:
    rows = told(
        "Travel/BMTool_Travel/flightProducts", origin="New York", destination="London", departureDate="2024-06-01",
        exhibit_maxnum=12,
    )  # fmt: skip
    assert all(row["departs_at"][11:13] >= "17" for row in rows if row["stops"] == 0)


def test_a_busy_route_has_several_flights_a_day() -> None:
    rows = told(
        "Travel/BMTool_Travel/flightProducts", origin="Delhi", destination="Mumbai", exhibit_maxnum=12
    )
    assert len(rows) >= 8
    assert len({row["flight_number"] for row in rows}) == len(rows)
    assert [row["total_usd"] for row in rows] == sorted(row["total_usd"] for row in rows)


def test_airlines_that_are_gone_are_found_by_name() -> None:
    assert told("Travel/Flight_JSON_Data/search_airline", query="Pan Am")["icao"] == "PAA"
    assert told("Travel/Flight_JSON_Data/search_airline", query="Swissair")["country_code"] == "CH"
    assert told("Travel/Flight_JSON_Data/search_airplane", query="A321neo")["code"] == "32Q"
    assert refused("Travel/Flight_JSON_Data/search_airport", query="Tempelhof") == "not_found"


def test_the_best_known_universities_come_first() -> None:
    german = [row["name"] for row in told(UNIVERSITIES, country="Germany")]
    assert german[:2] == ["Technical University of Munich", "Ludwig-Maximilians-Universität München"]
    american = [row["domain"] for row in told(UNIVERSITIES, country="US", name="Technology")]
    assert american[:3] == ["mit.edu", "caltech.edu", "gatech.edu"]
    assert not any("devry" in domain for domain in american)
    assert all(row["founded"] for row in told(UNIVERSITIES, country="Brazil"))
    spanish = [row["domain"] for row in told(UNIVERSITIES, country="Spain")]
    assert len(spanish) == len(set(spanish))


def test_an_accent_is_meant_and_a_quarter_has_not_the_people_of_its_city() -> None:
    names = [row["name"] for row in told("Location/Geodatabase/find_places", namePrefix="Mün")["items"]]
    assert all(name.startswith("Mün") for name in names)
    new = told("Location/Geodatabase/find_places", namePrefix="New", minPopulation=200_000, limit=50)["items"]
    assert not {"New South Memphis", "New Kingston"} & {row["name"] for row in new}


def test_vehicle_types_and_levels() -> None:
    assert "BLUE BIRD" in {row["make_name"] for row in told("Vehicle/Vehicle/get_makes", vehicle_type="bus")}
    levels = told("Vehicle/Vehicle/get_vehicle_variable_values", variable="Electrification Level")
    assert {row["id"] for row in levels if row["name"].startswith("BEV")} == {4}


@pytest.mark.parametrize(
    ("place", "month", "least", "most"),
    [("Dubai", "2024-07", 39, 43), ("Tokyo", "2024-08", 28, 33), ("Kuwait City", "2024-07", 42, 48)],
)
def test_summer_days_are_as_hot_as_they_are_there(place: str, month: str, least: float, most: float) -> None:
    days = (
        told("Weather/weatherapi/future", q=place, dt=f"{month}-{day:02d}")["day"] for day in range(1, 28, 2)
    )
    highs = [day["max_c"] for day in days]
    assert least <= sum(highs) / len(highs) <= most


def test_a_city_has_the_code_of_its_airport_with_a_timetable() -> None:
    assert told("Travel/Flight_JSON_Data/search_city", query="Curitiba")["code"] == "CWB"
    popular = told("Travel/Flight_Data_v1/popular_airline_routes", airline_code="JL", limit=1)
    assert popular[0]["passengers"] < 250_000
    tickets = told("Travel/Flight_Data_v1/cheapest_tickets", origin="LON", destination="PAR")["items"]
    assert all(row["number_of_changes"] < 2 for row in tickets)


def test_numbered_districts_are_no_towns() -> None:
    names = [row["name"] for row in told("Weather/weatherapi/search", q="Paris")]
    assert names[:2] == ["Paris", "Paris"]
    assert not any("Arrondissement" in name for name in names)


def test_a_name_that_many_cities_have_is_no_sight_of_one() -> None:
    seen = call(World.fresh(0), "Travel/BMTool_Travel/lodgingProducts", {"destination": "Central Market"})
    assert "Valencia" not in seen.text
