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
        ("Location/Ticket/get_venue_details", {"id": "KovX5297980"}),
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


def _answers(query: str, kit: str = "CostumizeSearch") -> str:
    rows = _told(f"Search/{kit}/google_related_question_search", query=query)
    return " ".join(row["question"] + " " + row.get("answer", row.get("snippet", "")) for row in rows)


def test_all_languages_and_countries_are_told() -> None:
    assert "Twelve: English, Afrikaans" in _answers("South Africa")
    assert "Swahili and English are spoken in Kenya" in _answers("Kenya")
    assert "Nepal and China" in _answers("Mount Everest")
    # The United States had no official language.
    assert "official language" not in _answers("United States")
    assert "the the" not in _answers("United States")
    assert "About 64 million people live in South Africa. " in _answers("South Africa")


def test_nobody_sells_a_mountain() -> None:
    assert "cost?" not in _answers("Mount Everest", "ShoppingSearch")
    assert "cost?" in _answers("espresso machine", "ShoppingSearch")


def test_a_set_is_no_set_of_sets() -> None:
    titles = [row["title"] for row in _told("Search/ShoppingSearch/bing_shopping_search", query="lego set")]
    assert len(titles) > 2
    assert not any(title.endswith("Set Set") or "Set Gift Set" in title for title in titles)


def test_the_name_comes_before_what_is_asked_about_it() -> None:
    found = _told("Search/MultimodelSearch/google_autocomplete_search", query="tayl")
    assert found[0]["value"] == "taylor swift"


def test_unknown_outlets_and_launches_are_refused() -> None:
    assert "Orbit Daily" in _refused("News/space_news/get_news_articles", news_site=["NASA"])
    assert "launch" in _refused("News/space_news/get_news_blogs", launch="nope")
    assert _told("News/space_news/get_news_articles", news_site=["orbit daily", "NASA"])["total"]


def test_dishes_fill_and_refusals_name_all_that_is_served() -> None:
    tool = "Food/spoonacular_menu/get_menu_item_info"
    assert _told(tool, id=470056)["servingGrams"] > 190
    assert "470001 to" in _refused(tool, id=99)


def test_a_pumpkin_is_no_nut() -> None:
    rows = _told("Food/spoonacular_ingredient/ingredient_search", query="nut", metaInformation=True)["items"]
    aisles = {row["name"]: row["aisle"] for row in rows}
    assert "pumpkin" not in aisles
    assert aisles["walnuts"] == "Nuts"
    (milk,) = _told(
        "Food/spoonacular_ingredient/ingredient_search", query="coconut milk", metaInformation=True
    )["items"]
    assert milk["aisle"] != "Nuts"


def test_the_hotels_of_a_village_lie_in_it() -> None:
    tool = "Travel/Hotels_Statistical_Data"
    place = _told(f"{tool}/search_location", name="Hallstatt")["id"]
    rows = _told(f"{tool}/list_hotels", locationId=place, page_size=20)["items"]
    assert all(row["centre_km"] < 1 for row in rows)
    assert not any("Plaza" in row["name"] or "Metropole" in row["name"] for row in rows)
