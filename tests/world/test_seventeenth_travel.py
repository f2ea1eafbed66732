"""Journeys: hotels that are found by name alone and say no street, busy routes with their airlines, fewer details."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.shared.geography import find_city
from toolyard.world.worlds.travel.air import airports_of, own_code
from toolyard.world.worlds.travel.destinations import destination_city
from toolyard.world.worlds.travel.hotel_names import quarters_of
from toolyard.world.worlds.travel.rooms import hotels, location_id, region_id

WORLD = World.fresh(0)
STAY = {
    "check_in_date": [21, 6, 2024],
    "check_out_date": [24, 6, 2024],
    "num_adults_list": [2],
    "children_ages_list": [[]],
}


def said(tool: str, **arguments: Any) -> Any:
    seen = call(WORLD, f"Travel/{tool}", arguments)
    assert seen.error is None, (tool, arguments, seen.text)
    return seen.value


def refused(tool: str, **arguments: Any) -> str | None:
    return call(WORLD, f"Travel/{tool}", arguments).error


# Hotels


@pytest.mark.parametrize("tool", ["Hotels_Data/search_city_hotels", "Hotels/search_locations"])
def test_a_hotel_is_found_by_its_name_without_the_city(tool: str) -> None:
    found = said(tool, query="Hotel Panorama")
    rows = found["hotels"] if isinstance(found, dict) else found
    assert len(rows) > 1
    assert {row["name"] for row in rows} == {"Hotel Panorama"}


def test_a_hotel_that_a_city_has_not_brings_the_city_alone() -> None:
    for query in ("Hilton Paris", "Hotel Panorama Paris"):
        found = said("Hotels_Data/search_city_hotels", query=query)
        assert [row["name"] for row in found["locations"]] in (["Paris"], [])
        assert all("Panorama" in row["name"] for row in found["hotels"])
    assert said("Hotels/search_locations", query="Marriott") == []
    assert refused("Hotels_Data/search_city_hotels", query="Marriott") == "not_found"


def test_the_hotels_of_a_country_are_of_its_towns() -> None:
    found = said("Hotels_Data/search_city_hotels", query="Portugal", limit=4)
    assert [row["id"] for row in found["locations"]] == [row["locationId"] for row in found["hotels"]]


def test_countries_and_city_states_are_told_apart() -> None:
    assert said("Hotels/search_locations", query="Georgia")[0]["city"] == "Tbilisi"
    assert said("Hotels/search_locations", query="Malta")[0]["city"] == "Valletta"
    assert len(said("Hotels_Data/search_city_hotels", query="Singapore")["hotels"]) == 10
    assert said("Hotels_Data/display_hotels_prices", location="Malta")[0]["city"] == "Valletta"


def test_a_hotel_bears_whole_words() -> None:
    assert said("Hotels/search_locations", query="Ibis") == []
    assert said("Hotels/search_locations", query="hotels near Eiffel Tower")[0]["city"] == "Paris"


def test_words_around_a_city_do_not_matter() -> None:
    found = said("Hotels_Data/search_city_hotels", query="hotels in Rome", limit=2)
    assert found["locations"][0]["name"] == "Rome"
    assert len(found["hotels"]) == 2


@pytest.mark.parametrize("city", ["Lisbon", "New York", "Portland", "Faro", "Hallstatt", "Gdańsk"])
def test_an_address_is_quarter_or_town_without_a_street(city: str) -> None:
    place = find_city(city)
    for house in hotels(0, place["id"])[:5]:
        assert house["address"] == (
            f"{house['area']}, {place['name']}" if house["area"] else f"{place['name']}, {place['country']}"
        )
        assert destination_city(house["address"])["name"] == place["name"]


def test_quarters_are_told_where_they_are_known() -> None:
    assert quarters_of(find_city("Lisbon")) == ("Baixa", "Chiado", "Alfama")
    faro = find_city("Faro")
    found = said("Hotels/list_properties", dest_regionId=region_id(faro), **STAY)
    assert found["neighborhoods"] == []
    assert {row["neighborhood"] for row in found["properties"]} == {None}
    assert refused("Hotels/list_properties", dest_regionId=region_id(faro, 1), **STAY) == "not_found"
    wrong = {**STAY, "dest_regionId": region_id(faro), "regionId": region_id(faro, 2)}
    assert refused("Hotels/list_properties", **wrong) == "invalid_value"


def test_a_hotel_has_one_kind_of_board_and_its_offers_tell_it() -> None:
    city = find_city("Lisbon")
    for meal in ("FREE_BREAKFAST", "HALF_BOARD", "FULL_BOARD", "ALL_INCLUSIVE"):
        asked = {"dest_regionId": region_id(city), "mealPlan": [meal], "resultSize": 20}
        for row in said("Hotels/list_properties", **asked, **STAY)["properties"]:
            offers = said(
                "Hotels/get_property_offers", propertyId=row["id"], dest_regionId=region_id(city), **STAY
            )["offers"]
            assert {offer["meal_plan"] for offer in offers} <= {meal}


def test_offers_are_free_and_the_cheapest_comes_first() -> None:
    city = find_city("Lisbon")
    for house in hotels(0, city["id"]):
        found = said(
            "Hotels/get_property_offers", propertyId=house["id"], dest_regionId=region_id(city), **STAY
        )
        prices = [row["total_price"] for row in found["offers"]]
        assert prices == sorted(prices)
        assert all(row["rooms_left"] > 0 for row in found["offers"])


def test_hotels_of_tonight_and_sights_say_no_more_than_is_sure() -> None:
    assert set(said("BMTool_Travel/lodgingProducts", destination="Rome")[0]) == {
        "hotelId", "name", "stars", "rating", "address", "tonight_usd",
    }  # fmt: skip
    assert set(said("BMTool_Travel/landscapeProducts", destination="Rome")[0]) == {
        "name", "city", "entry_usd", "latitude", "longitude",
    }  # fmt: skip


def test_cars_are_handed_over_at_the_airport_or_in_the_city() -> None:
    rows = said("BMTool_Travel/carProducts", pickup_location="12 Ocean Drive, Miami, FL")
    assert {row["pickup_address"] for row in rows} == {"City centre, Miami"}
    rows = said("BMTool_Travel/carProducts", pickup_location="LHR")
    assert {row["pickup_address"] for row in rows} == {"London Heathrow Airport, London"}


def test_selections_hold_hotels_of_the_city() -> None:
    city = find_city("Faro")
    own = {house["id"] for house in hotels(0, city["id"])}
    assert all(
        set(row["hotels"]) <= own for row in said("Hotels_Data/hotel_collection", id=location_id(city))
    )


# Flights


def flights(origin: str, destination: str, count: int = 12) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = said(
        "BMTool_Travel/flightProducts",
        origin=origin, destination=destination, departureDate="2024-06-12", exhibit_maxnum=count,
    )  # fmt: skip
    return rows


@pytest.mark.parametrize(
    ("origin", "destination"),
    [
        ("Tokyo", "Sapporo"), ("Seoul", "Jeju"), ("Jakarta", "Denpasar"), ("Delhi", "Mumbai"), ("Riyadh", "Jeddah"),
        ("Berlin", "Vienna"), ("Nairobi", "Mombasa"), ("Helsinki", "Oulu"), ("Auckland", "Wellington"),
    ],
)  # fmt: skip
def test_busy_routes_have_several_airlines_and_flights(origin: str, destination: str) -> None:
    rows = flights(origin, destination)
    assert len(rows) >= 6
    assert len({row["airline"] for row in rows}) > 1
    assert {row["stops"] for row in rows} == {0}


@pytest.mark.parametrize(
    ("airline", "origin", "destination"),
    [
        ("BC", "HND", "CTS"),
        ("MU", "SHA", "PEK"),
        ("AD", "CGH", "SDU"),
        ("UK", "DEL", "BOM"),
        ("NH", "HND", "ITM"),
    ],
)
def test_who_flies_the_busiest_routes(airline: str, origin: str, destination: str) -> None:
    found = said("Flight_JSON_Data/search_routes", depart_airport=origin, arrival_airport=destination)
    assert airline in {row["airline_iata"] for row in found["items"]}


@pytest.mark.parametrize(
    ("airline", "origin", "destination"), [("LS", "EDI", "BFS"), ("N0", "OSL", "BGO"), ("BF", "ORY", "TLS")]
)
def test_who_does_not_fly_a_route(airline: str, origin: str, destination: str) -> None:
    found = said("Flight_JSON_Data/search_routes", depart_airport=origin, arrival_airport=destination)
    assert airline not in {row["airline_iata"] for row in found["items"]}


def test_nobody_flies_within_a_country_over_another() -> None:
    assert "AC" not in {row["airline"] for row in flights("New York", "Los Angeles")}
    assert {"AC", "PD", "F8"} >= {row["airline"] for row in flights("Toronto", "Vancouver")}


def test_a_route_has_a_number_where_one_is_known() -> None:
    known = said("Flight_JSON_Data/search_routes", depart_airport="LHR", arrival_airport="JFK")["items"]
    assert {"BA117", "VS3", "AA101"} <= {row["flight_number"] for row in known}
    less = said("Flight_JSON_Data/search_routes", airline="FR", depart_airport="STN")["items"]
    assert {row["flight_number"] for row in less} == {None}


def test_an_airline_without_a_timetable_has_no_routes() -> None:
    assert said("Flight_JSON_Data/search_routes", airline="RK")["items"] == []
    assert refused("Flight_Data_v1/popular_airline_routes", airline_code="RK") == "not_found"


@pytest.mark.parametrize(
    ("airline", "origin", "destination"), [("JL", "ITM", "HND"), ("B6", "JFK", "FLL"), ("EK", "DXB", "LHR")]
)
def test_the_first_route_of_an_airline_is_a_great_one(airline: str, origin: str, destination: str) -> None:
    first = said("Flight_Data_v1/popular_airline_routes", airline_code=airline, limit=1)[0]
    assert (first["origin"], first["destination"]) == (origin, destination)


def test_popular_directions_give_no_counts() -> None:
    rows = said("Flight_Data_v1/popular_directions_from_city", origin="KTM", currency="USD")
    assert "popularity" not in rows[0]


@pytest.mark.parametrize(
    ("city", "code"), [("Medellin", "MDE"), ("Nagoya", "NGO"), ("Cleveland", "CLE"), ("New Delhi", "DEL")]
)
def test_cities_have_their_airports(city: str, code: str) -> None:
    assert said("Flight_JSON_Data/search_city", query=city)["airports"] == [code]
    assert own_code(find_city(city)) == code


def test_airfields_and_closed_airports_are_not_told() -> None:
    assert said("Flight_JSON_Data/search_city", query="Berlin")["airports"] == ["BER"]
    assert said("Flight_JSON_Data/search_city", query="Moscow")["airports"] == ["SVO", "VKO", "DME"]
    assert len(airports_of(find_city("Houston"))) == 2


@pytest.mark.parametrize(("name", "code"), [("Kingfisher", "IT"), ("Vistara", "UK"), ("Air Jamaica", "JM")])
def test_airlines_of_today_and_yesterday_are_known(name: str, code: str) -> None:
    assert said("Flight_JSON_Data/search_airline", query=name)["code"] == code


def test_the_way_back_leaves_after_the_arrival() -> None:
    for origin, destination in (("NYC", "TYO"), ("MAD", "BCN")):
        rows = said(
            "Flight_Data_v1/cheapest_tickets",
            origin=origin, destination=destination, depart_date="2024-07", return_date="2024-07",
        )["items"]  # fmt: skip
        for row in rows:
            out, back = (datetime.fromisoformat(row[key]) for key in ("departure_at", "return_at"))
            assert (back - out).total_seconds() > 60 * row["minutes"]


# Trains


def test_trains_of_new_delhi_are_those_of_delhi() -> None:
    rows = said("Railway/indian_railway_search", search="Delhi")
    assert {"Delhi", "New Delhi"} <= {row["origin"] for row in rows} | {row["destination"] for row in rows}
    assert said("Railway/indian_railway_search", search="Gatimaan")[0]["train_number"] == "12049"


# Names


def test_a_country_means_its_capital() -> None:
    assert flights("London", "Malta", 1)[0]["to_airport"] == "MLA"
    assert "Valletta" in said("BMTool_Travel/lodgingProducts", destination="Malta")[0]["address"]
    rows = said("BMTool_Travel/carProducts", pickup_location="Georgia")
    assert {row["pickup_address"] for row in rows} == {"City centre, Tbilisi"}


def test_a_city_names_its_main_airport() -> None:
    assert said("Flight_JSON_Data/search_airport", query="Nagoya")["code"] == "NGO"
    assert said("Flight_JSON_Data/search_airport", query="NKM", key="code")["city_code"] == "NGO"


def test_no_small_aircraft_crosses_the_ocean() -> None:
    found = said("Flight_JSON_Data/search_routes", depart_airport="EDI", arrival_airport="BOS")
    assert {plane for row in found["items"] for plane in row["planes"]} == {"321"}


def test_two_changes_are_left_out_where_one_will_do() -> None:
    assert max(row["stops"] for row in flights("Havana", "Madrid")) < 2
