"""Businesses and events: filters, ids, places and times."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolyard.world import World, call
from toolyard.world.kernel.tables import kilometres
from toolyard.world.tools.location.tickets import geohash, point_of


def ask(tool: str, world: World | None = None, **arguments: Any) -> Any:
    observation = call(world or World.fresh(), tool, arguments)
    assert observation.error is None, observation.text
    return observation.value


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_twenty_businesses_in_new_york_serve_macarons(seed: int) -> None:
    found = ask(
        "Finance/Yelp/yelp_search", World.fresh(seed), location="New York City", term="macarons", limit=20
    )
    assert len({row["id"] for row in found["items"]}) == 20
    details = ask(
        "Finance/Yelp/yelp_business_details", World.fresh(seed), business_id_or_alias=found["items"][0]["id"]
    )
    assert "macarons" in details["offers"]


def test_a_chain_shares_its_phone_number_and_others_do_not() -> None:
    chain = ask("Finance/Yelp/yelp_phone_search", phone="+1 800 123-4567")
    assert len({row["city"] for row in chain}) == len(chain) > 1
    one = ask("Finance/Yelp/yelp_search", location="Boston", term="yoga")["items"][0]
    assert [row["id"] for row in ask("Finance/Yelp/yelp_phone_search", phone=one["phone"])] == [one["id"]]
    assert ask("Finance/Yelp/yelp_phone_search", phone="+999 555 1234") == []


def test_open_now_follows_the_clock_of_the_place() -> None:
    night, noon = World.fresh(), World.fresh()
    noon.advance(11 * 3600)
    few = ask("Finance/Yelp/yelp_search", night, location="Chicago", open_now=True)
    many = ask("Finance/Yelp/yelp_search", noon, location="Chicago", open_now=True)
    assert 0 < few["total"] < many["total"]
    for row in few["items"]:
        assert ask("Finance/Yelp/yelp_business_details", night, business_id_or_alias=row["id"])["is_open_now"]


def test_filters_and_order_hold() -> None:
    found = ask(
        "Finance/Yelp/yelp_search", location="San Francisco, CA", categories=["restaurants"],
        attributes=["wheelchair_accessible"], price=[1, 2], sort_by="rating", radius=4000, limit=30,
    )  # fmt: skip
    ratings = [row["rating"] for row in found["items"]]
    assert ratings == sorted(ratings, reverse=True)
    assert ratings
    assert all(row["price"] in ("$", "$$") and row["distance_m"] <= 4000 for row in found["items"])


def test_pages_of_events_do_not_overlap() -> None:
    pages = [
        ask("Location/Ticket/event_search", countryCode="US", size=25, page=n)["items"] for n in range(3)
    ]
    keys = [row["id"] for page in pages for row in page]
    assert len(set(keys)) == len(keys) == 75


def test_an_event_its_venue_and_its_performer_agree() -> None:
    event = ask("Location/Ticket/event_search", city="Chicago", size=1)["items"][0]
    details = ask("Location/Ticket/get_event_details", id=event["id"])
    venue = ask("Location/Ticket/get_venue_details", id=details["venue_id"])
    performer = ask("Location/Ticket/get_attraction_details", id=details["attraction_id"])
    assert venue["city"] == details["city"] == "Chicago"
    assert event["id"] in venue["next_events"]
    assert performer["genre_id"] == details["genre_id"]
    near = ask("Location/Ticket/event_search", geoPoint=details["geo_point"], radius=5, unit="km", size=25)
    assert event["id"] in {row["id"] for row in near["items"]}


def test_events_that_began_are_no_longer_listed() -> None:
    later = World.fresh()
    later.advance(60 * 86400)
    assert all(
        row["starts"] >= "2024-07-14" for row in ask("Location/Ticket/event_search", later, size=25)["items"]
    )


def test_art_events_lie_within_the_wanted_time() -> None:
    found = ask(
        "Finance/Yelp/yelp_event_search", location="Los Angeles", categories=["visual-arts"],
        start_date="2024-05-16", end_date="2024-06-30",
    )  # fmt: skip
    assert found["total"] == len(found["items"]) > 0
    assert all("2024-05-16" <= row["starts"][:10] <= "2024-06-30" for row in found["items"])
    counts = [row["attending_count"] for row in found["items"]]
    assert counts == sorted(counts, reverse=True)


def test_a_known_geohash() -> None:
    assert geohash(57.64911, 10.40744, 6) == "u4pruy"
    latitude, longitude = point_of("u4pruydqqvj")
    assert (latitude, longitude) == pytest.approx((57.64911, 10.40744), abs=1e-5)


@given(st.floats(-89, 89), st.floats(-179, 179))
def test_geohashes_lead_back_to_the_point(latitude: float, longitude: float) -> None:
    back = point_of(geohash(latitude, longitude, 8))
    assert kilometres(latitude, longitude, *back) < 0.1
