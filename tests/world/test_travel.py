"""Travel: services that describe the same flights and rooms agree with each other."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.worlds.travel.air import airports_near, outgoing, routes
from toolyard.world.worlds.travel.rooms import find_hotel, hotels, nights, rooms_left


def ask(tool: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), f"Travel/{tool}", arguments)
    assert observation.error is None, observation.text
    return observation.value


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_every_airport_can_be_left_and_reached(seed: int) -> None:
    from toolyard.world.shared.geography import airports

    codes = {row["iata"] for row in airports()}
    assert set(outgoing(seed)) & codes == codes - {"KBP"}  # the air space of Ukraine is closed
    assert {pair[1] for pair in routes(seed)} == set(outgoing(seed))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_routes_that_queries_name_exist_under_every_seed(seed: int) -> None:
    for origin, destination in (("Paris", "Madrid"), ("Beijing", "Seattle"), ("Bangkok", "Phitsanulok")):
        assert ask(
            "BMTool_Travel/flightProducts", seed, origin=origin, destination=destination, exhibit_maxnum=12
        )


def test_calendars_and_tickets_name_the_same_lowest_price() -> None:
    route: dict[str, Any] = {"origin": "PAR", "destination": "MAD", "currency": "EUR"}
    days = ask("Flight_Data_v1/cheapest_tickets_each_day", **route, depart_date="2024-06-01")
    month = ask("Flight_Data_v2/prices_calendar_month", **route, month="2024-06-01")
    tickets = ask("Flight_Data_v1/cheapest_tickets", **route, depart_date="2024-06-01")["items"]
    assert days[0]["price"] == month[0]["value"] == min(ticket["price"] for ticket in tickets)
    assert {row["date"]: row["price"] for row in days} == {row["depart_date"]: row["value"] for row in month}


def test_prices_convert_with_the_currency() -> None:
    route: dict[str, Any] = {"origin": "LON", "destination": "NYC", "depart_date": "2024-07-01"}
    dollars = ask("Flight_Data_v1/cheapest_tickets", **route, currency="USD")["items"]
    roubles = ask("Flight_Data_v1/cheapest_tickets", **route, currency="rub")["items"]
    ratio = roubles[0]["price"] / dollars[0]["price"]
    assert all(
        r["price"] / d["price"] == pytest.approx(ratio, rel=1e-3)
        for r, d in zip(roubles, dollars, strict=True)
    )
    assert 60 < ratio < 120


def test_flights_only_fly_on_their_days() -> None:
    for flights in list(routes(0).values())[:300]:
        assert all(any(route["days"]) for route in flights)
        assert all(route["minutes"] >= 35 for route in flights)


def test_a_flight_into_the_past_is_refused() -> None:
    observation = call(
        World.fresh(), "Travel/Flight_Data_v1/cheapest_tickets",
        {"origin": "PAR", "destination": "MAD", "depart_date": "2020-01-01"},
    )  # fmt: skip
    assert observation.error == "out_of_range"


def test_offers_list_and_details_agree_on_a_stay() -> None:
    stay: dict[str, Any] = {
        "check_in_date": [10, 6, 2024], "check_out_date": [12, 6, 2024], "num_adults_list": [2], "children_ages_list": [[]],
    }  # fmt: skip
    region = ask("Hotels/search_locations", query="Seattle")[0]["gaiaId"]
    listed = ask("Hotels/list_properties", dest_regionId=region, **stay, resultSize=20)
    assert listed["total"] == len(listed["properties"]) >= 8
    for row in listed["properties"]:
        offers = ask("Hotels/get_property_offers", propertyId=row["id"], dest_regionId=region, **stay)[
            "offers"
        ]
        free = [offer for offer in offers if offer["rooms_left"] >= 1]
        assert row["available"] is bool(free)
        if free:
            assert row["total_price"] in {offer["total_price"] for offer in free}


def test_filters_filter_hotels() -> None:
    stay: dict[str, Any] = {
        "dest_regionId": 600330, "check_in_date": [10, 6, 2024], "check_out_date": [12, 6, 2024],
        "num_adults_list": [2], "children_ages_list": [], "resultSize": 20,
    }  # fmt: skip
    everything = ask("Hotels/list_properties", **stay)
    fine = ask("Hotels/list_properties", **stay, star=[50], amenities=["WIFI"])
    cheap = ask("Hotels/list_properties", **stay, price=[100, 0], sort="PRICE_LOW_TO_HIGH")
    assert {row["stars"] for row in fine["properties"]} == {5}
    assert fine["total"] < everything["total"]
    prices = [row["price_per_night"] for row in cheap["properties"]]
    assert prices == sorted(prices)
    assert all(price <= 100 for price in prices)


def test_a_longer_stay_never_leaves_more_rooms() -> None:
    hotel = hotels(0, "FR-IDF-paris")[0]
    first = date(2024, 6, 10)
    world = World.fresh()
    for room in hotel["rooms"]:
        left = [
            rooms_left(0, hotel, room, nights(world, first, first + timedelta(days=length)))
            for length in (1, 3, 7)
        ]
        assert left == sorted(left, reverse=True)


def test_old_links_lead_to_the_same_hotel() -> None:
    hotel = find_hotel(0, 1003302)
    assert ask("Hotels/resolve_url", id=hotel["legacy_id"])["propertyId"] == 1003302


def test_cities_without_airport_use_the_nearest_one() -> None:
    from toolyard.world.shared.geography import find_city

    assert airports_near(find_city("Oxford"))[0]["country_code"] == "GB"
