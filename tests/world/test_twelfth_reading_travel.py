"""Journeys, jobs, goods and stores: what a reading by fixed calls found."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World


def _answer(tool: str, **arguments: object) -> Any:
    result = call(World.fresh(0), tool, arguments)
    assert result.error is None, result.text
    return json.loads(result.text)


def _fault(tool: str, **arguments: object) -> str | None:
    return call(World.fresh(0), tool, arguments).error


@pytest.mark.parametrize(
    ("city", "code"),
    [("Florence", "FLR"), ("Rhodes", "RHO"), ("Basel", "BSL"), ("San Juan", "SJU"), ("Phnom Penh", "PNH")],
)
def test_cities_have_the_airports_that_bear_another_name(city: str, code: str) -> None:
    assert _answer("Travel/Flight_JSON_Data/search_city", query=city)["code"] == code


def test_the_busiest_route_of_a_large_airline_is_among_the_first() -> None:
    rows = _answer("Travel/Flight_Data_v1/popular_airline_routes", airline_code="BA", limit=3)
    assert "JFK" in {row["destination"] for row in rows}


@pytest.mark.parametrize("code", ["99", "PA"])
def test_no_routes_are_made_up_for_airlines_that_nobody_flies_with(code: str) -> None:
    assert _fault("Travel/Flight_Data_v1/popular_airline_routes", airline_code=code) == "not_found"


def test_near_places_are_among_all_directions() -> None:
    rows = _answer(
        "Travel/Flight_Data_v1/cheapest_direct_tickets", origin="DXB", destination="-", currency="USD"
    )
    assert {"MCT", "KWI"} <= {row["to"] for row in rows}


def test_a_calendar_of_returns_has_thirty_days_after_the_departure() -> None:
    rows = _answer(
        "Travel/Flight_Data_v1/cheapest_tickets_each_day",
        origin="MEX", destination="CUN", calendar_type="return_date", depart_date="2024-06-10",
    )  # fmt: skip
    assert len(rows) == 30
    assert rows[0]["return_date"] == "2024-06-11"


def test_a_type_of_aircraft_is_found_without_its_letter() -> None:
    assert _answer("Travel/Flight_JSON_Data/search_airplane", query="Embraer 190")["code"] == "E90"


def test_hotels_of_a_city_have_names_of_their_own() -> None:
    place = _answer("Travel/Hotels_Statistical_Data/search_location", name="Athens")["id"]
    rows = _answer("Travel/Hotels_Statistical_Data/list_hotels", locationId=place, page_size=20)["items"]
    assert len({row["name"] for row in rows}) == len(rows)


def test_a_city_brings_more_than_the_hotels_that_bear_its_name() -> None:
    rows = _answer("Travel/Hotels/search_locations", query="Denver")
    assert sum(row["type"] == "HOTEL" for row in rows) >= 6


def test_a_hotel_is_found_by_its_words_in_any_order() -> None:
    assert (
        _answer("Travel/Hotels/search_locations", query="Rome Grand Hotel")[0]["name"] == "Grand Hotel Rome"
    )


def test_the_whole_lies_between_its_aspects() -> None:
    for number in range(1011900, 1011908):
        summary = _answer("Travel/Hotels/get_reviews_summary", propertyId=number)
        scores = [row["score"] for row in summary["aspects"]]
        assert min(scores) <= summary["overall"] <= max(scores)


@pytest.mark.parametrize(
    ("query", "unwanted"),
    [
        ("stand mixer", "Hand Mixer"),
        ("acoustic guitar", "Electric"),
        ("women's rain jacket", "The North Face Men's"),
        ("noise cancelling earbuds", "Vibe Beam"),
        ("windows laptop", "MacBook"),
        ("men's dress shirt", "Women's"),
    ],
)
def test_shops_leave_out_what_is_not_asked_for(query: str, unwanted: str) -> None:
    titles = [row["title"] for row in _answer("Search/ShoppingSearch/bing_shopping_search", query=query)]
    assert titles
    assert not [title for title in titles if unwanted in title]


def test_who_names_women_gets_shoes_that_exist() -> None:
    rows = _answer("Search/ShoppingSearch/bing_shopping_search", query="women's running shoes")
    assert any("Nike" in row["title"] for row in rows)


def test_nobody_sells_old_things_as_new() -> None:
    rows = _answer("Search/ShoppingSearch/ebay_search", query="vintage film camera")
    assert {row["condition"] for row in rows} == {"Used"}


@pytest.mark.parametrize("query", ["no-such-business-atlantis", "coffee in Narnia"])
def test_no_business_is_made_up_for_an_unknown_alias_or_town(query: str) -> None:
    assert _fault("Search/ShoppingSearch/yelp_reviews_search", query=query) == "not_found"


@pytest.mark.parametrize(
    ("tool", "query", "title"),
    [
        ("movies_related_searches", "heist movies", "Ocean's Eleven"),
        ("movies_related_searches", "feel good", "Amélie"),
        ("books_related_searches", "space exploration", "The Right Stuff"),
        ("games_related_searches", "Candy Crush Saga", "Royal Match"),
        ("apps_related_searches", "Uber", "Lyft"),
    ],
)
def test_the_store_knows_subjects_and_what_is_alike(tool: str, query: str, title: str) -> None:
    rows = _answer(f"Entertainment/Google_play_store/{tool}", q=query)
    assert title in [row["title"] for row in rows[:3]]


@pytest.mark.parametrize("place", ["Munich", "Denver"])
def test_one_word_names_a_whole_field_of_work(place: str) -> None:
    found = _answer("Job/job_search/search_jobs_with_filters", query=f"engineer in {place}")
    assert found["total"] >= 10
    assert len({row["job_title"] for row in found["data"]}) > 1
