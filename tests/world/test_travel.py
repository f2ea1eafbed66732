"""Travel: one schedule and one table of hotels, drawn from the seed; every service shows them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from toolyard.core.sums import added
from toolyard.world import World, call
from toolyard.world.reference.places.geography import airports, cities, find_city
from toolyard.world.simulated.travel import flights, rooms
from toolyard.world.simulated.travel.network import (
    airlines,
    airports_of,
    city_of_code,
    destinations,
    legs,
    network,
    own_code,
)
from toolyard.world.tools.travel import trips

SEEDS = (0, 1, 2)
PAIRS = (("PAR", "MAD"), ("BJS", "SEA"), ("BKK", "PHS"), ("LON", "NYC"), ("GVA", "OPO"), ("MOW", "SYD"))


def ask(tool: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), f"Travel/{tool}", arguments)
    assert observation.error is None, observation.text
    return observation.value


def test_every_well_known_airport_can_be_left_and_reached() -> None:
    for port in airports():
        assert destinations(port["iata"]), port["iata"]
    for start, ends in network().items():
        for end in ends:
            assert {leg.airline for leg in legs(start, end)} == {leg.airline for leg in legs(end, start)}


def test_city_codes_and_airports_lead_back_to_their_city() -> None:
    for city in cities()[:150]:
        code = own_code(city)
        if code:
            assert city_of_code(code)["id"] == city["id"]
            assert airports_of(city)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("pair", PAIRS)
def test_a_trip_costs_and_takes_the_sum_of_its_legs(pair: tuple[str, str], seed: int) -> None:
    start, target = map(city_of_code, pair)
    days = [date(2024, 6, 3), date(2024, 12, 29)]
    found = list(flights.trips(World.fresh(seed), start, target, days))
    assert found
    for trip in found:
        assert trip.usd == round(added(flights.fare(seed, leg, trip.day) for leg in trip.legs), 2)
        assert trip.minutes == sum(leg.minutes for leg in trip.legs) + flights.CHANGE_MINUTES * trip.stops
        assert 0 <= trip.departs < 1440
        assert 5 < trip.usd < 9000
        assert trip.stops <= 2
        for one, other in zip(trip.legs, trip.legs[1:], strict=False):
            assert one.destination == other.origin
        for leg in trip.legs:
            assert leg.aircraft.code in airlines()[leg.airline].fleet


def test_fares_differ_between_seeds_and_not_between_calls() -> None:
    leg = legs("CDG", "MAD")[0]
    fares = [flights.month_fares(seed, leg, 2024, 6) for seed in range(5)]
    assert len(set(fares)) == 5
    assert fares[0] == flights.month_fares(0, leg, 2024, 6)


@pytest.mark.parametrize("seed", SEEDS)
def test_all_flight_services_show_the_same_schedule(seed: int) -> None:
    route: dict[str, Any] = {"origin": "PAR", "destination": "MAD", "currency": "USD"}
    days = ask("Flight_Data_v1/cheapest_tickets_each_day", seed, **route, depart_date="2024-06-01")
    month = ask("Flight_Data_v2/prices_calendar_month", seed, **route, month="2024-06-01")
    assert {row["date"]: row["price"] for row in days} == {row["depart_date"]: row["value"] for row in month}
    tickets = ask("Flight_Data_v1/cheapest_tickets", seed, **route, depart_date="2024-06-01")["items"]
    direct = ask("Flight_Data_v1/cheapest_direct_tickets", seed, **route, depart_date="2024-06-01")[0]
    products = ask(
        "BMTool_Travel/flightProducts", seed, origin="Paris", destination="Madrid", departureDate="2024-06-01",
        exhibit_maxnum=12,
    )  # fmt: skip
    best = flights.cheapest(
        flights.trips(World.fresh(seed), find_city("Paris"), find_city("Madrid"), [date(2024, 6, 1)])
    )
    assert best is not None
    assert best.usd == days[0]["price"] == tickets[0]["price"] == products[0]["total_usd"]
    shown = {row["flight_number"]: row for row in products}
    assert shown[direct["flight"]]["total_usd"] == direct["cost"]
    assert shown[direct["flight"]]["departs_at"] == direct["leaves_at"]


def test_a_way_home_leaves_after_the_arrival() -> None:
    for ticket in ask(
        "Flight_Data_v1/cheapest_tickets", origin="LON", destination="PAR", depart_date="2024-06-03",
        return_date="2024-06-03",
    )["items"]:  # fmt: skip
        assert ticket["return_at"] > ticket["departure_at"]


@pytest.mark.parametrize("seed", SEEDS)
def test_hotels_stay_where_they_are_and_their_values_are_drawn(seed: int) -> None:
    for name in ("Paris", "Oslo", "Lugano", "Phitsanulok"):
        place = find_city(name)["id"]
        own, other = rooms.hotels(seed, place), rooms.hotels(seed + 1, place)
        for one, two in zip(own, other, strict=True):
            assert (one.id, one.name, one.latitude, one.stars) == (two.id, two.name, two.latitude, two.stars)
            assert one.base_usd != two.base_usd
            assert 5 <= one.rating <= 9.9
            assert 20 < one.base_usd < 800
            assert set(one.amenities) <= set(rooms.AMENITIES)
            assert rooms.find_hotel(seed, one.id) == one
            assert rooms.hotel_of_legacy(seed, one.legacy_id) == one
        assert len({hotel.name for hotel in own}) == len(own)


@pytest.mark.parametrize("seed", SEEDS)
def test_all_hotel_services_show_the_same_table(seed: int) -> None:
    own = {hotel.id: hotel for hotel in rooms.hotels(seed, find_city("Oslo")["id"])}
    dates = [date(2024, 6, 21), date(2024, 6, 22)]
    region = ask("Hotels/search_locations", seed, query="Oslo")[0]["gaiaId"]
    stay: dict[str, Any] = {
        "dest_regionId": region, "check_in_date": [21, 6, 2024], "check_out_date": [23, 6, 2024],
        "num_adults_list": [2], "children_ages_list": [[]],
    }  # fmt: skip
    listed = ask("Hotels/list_properties", seed, **stay, resultSize=20)["properties"]
    assert {row["id"] for row in listed} == set(own)
    for row in listed:
        hotel = own[row["id"]]
        offers = ask("Hotels/get_property_offers", seed, propertyId=hotel.id, **stay)["offers"]
        assert row["guest_rating"] == hotel.rating
        assert row["available"] == any(offers)
        if offers:
            assert offers[0]["total_price"] == row["total_price"]
        for offer in offers:
            kind = next(kind for kind in hotel.rooms if rooms.ROOM_TYPES[kind][0] == offer["room"])
            assert offer["total_price"] == pytest.approx(
                rooms.stay_usd(seed, hotel, kind, dates) * rooms.beds(kind, 2)
            )
    page = ask("Hotels_Statistical_Data/list_hotels", seed, locationId=rooms.location_id(find_city("Oslo")))
    assert all(row["rating"] == own[row["id"]].rating for row in page["items"])


@pytest.mark.parametrize("seed", SEEDS)
def test_trains_arrive_after_their_duration(seed: int) -> None:
    for run in trips.train_runs(seed):
        row = trips.TRAIN.row(run)
        hours, minutes = divmod(run.departs + row["duration_minutes"], 60)
        assert row["arrives"] == f"{hours % 24:02d}:{minutes:02d}"
        assert 50 <= 60 * row["distance_km"] / row["duration_minutes"] <= 111
        assert 3 <= len(row["runs_on"]) <= 7


def test_entry_to_sights_is_never_missing() -> None:
    for name in ("Paris", "Vienna", "Leipzig"):
        rows = ask("BMTool_Travel/landscapeProducts", destination=name, exhibit_maxnum=12)
        assert rows
        assert all(3 <= row["entry_usd"] <= 40 for row in rows)
