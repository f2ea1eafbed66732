"""Journeys, tickets, searches and kitchens: what readers found wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World


def _told(tool: str, **arguments: Any) -> Any:
    result = call(World.fresh(0), tool, arguments)
    assert result.error is None, result.text
    return json.loads(result.text)


def _refused(tool: str, **arguments: Any) -> str:
    result = call(World.fresh(0), tool, arguments)
    assert result.error is not None, result.text
    return result.text


@pytest.mark.parametrize("name", ["cheapest_tickets_each_day", "cheapest_tickets_each_month"])
def test_nobody_flies_to_where_he_is(name: str) -> None:
    assert "other than London" in _refused(f"Travel/Flight_Data_v1/{name}", origin="LON", destination="LON")


def test_a_calendar_of_returns_covers_both_ways() -> None:
    tool, way = "Travel/Flight_Data_v1/cheapest_tickets_each_day", {"origin": "MOW", "destination": "IST"}
    there = _told(tool, **way, depart_date="2024-06-01")[0]
    both = _told(tool, **way, depart_date="2024-06-01", return_date="2024-06-20", calendar_type="return_date")
    week = _told(tool, **way, return_date="2024-06-20", calendar_type="return_date", length=7)
    assert all(row["return_date"] == row["date"] >= "2024-06-20" for row in (*both, *week))
    assert min(row["price"] for row in both) > there["price"]
    assert "before the departure" in _refused(tool, **way, depart_date="2024-06-10", return_date="2024-06-01")


def test_a_stay_is_refused_in_the_words_of_its_tool() -> None:
    tool = "Travel/Hotels_Data/display_hotels_prices"
    assert "check_in_date" not in _refused(tool, location="Paris", checkIn="2023-01-01")
    assert "customerIp" in _refused(tool, location="Paris", customerIp="999.1.1.1")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Travel/Hotels/resolve_url", {"id": "ho876544"}),
        ("Travel/Hotels/search_locations", {"query": "Seattle"}),
        ("Location/Ticket/get_venue_details", {"id": "Kov0330"}),
        ("Location/Ticket/venue_search", {"keyword": "arena"}),
        ("Location/Ticket/classification_search", {"keyword": "music"}),
    ],
)
def test_locales_that_do_not_exist_are_refused(tool: str, arguments: dict[str, Any]) -> None:
    for locale in ("qq_QQ", "xx-yy", "en_QX", "english please"):
        assert "locale" in _refused(tool, **arguments, locale=locale)
    for locale in ("fr_FR", "de-at", "ja"):
        assert _told(tool, **arguments, locale=locale)


@pytest.mark.parametrize(
    ("name", "zone"),
    [
        ("Red Rocks Amphitheatre", "America/Denver"),
        ("Rose Bowl", "America/Los_Angeles"),
        ("Whisky a Go Go", "America/Los_Angeles"),
        ("The Gorge Amphitheatre", "America/Los_Angeles"),
        ("Allstate Arena", "America/Chicago"),
    ],
)
def test_venues_stand_in_their_own_state(name: str, zone: str) -> None:
    found = _told("Location/Ticket/venue_search", keyword=name)["items"][0]
    assert found["name"] == name
    assert _told("Location/Ticket/get_venue_details", id=found["id"])["time_zone"] == zone
