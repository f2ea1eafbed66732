"""Tickets, local businesses, places, weather, museum and checks: less is said, and what is said is right."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.shared.billings import coming_events
from toolyard.world.shared.events import attractions
from toolyard.world.shared.stage_rows import stages
from toolyard.world.worlds.finance.yelp import category_aliases

TICKET, YELP = "Location/Ticket", "Finance/Yelp"


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def told(world: World, tool: str, **arguments: Any) -> Any:
    result = call(world, tool, arguments)
    assert result.error is None, result.text
    return json.loads(result.text)


# Tickets


def test_events_are_at_real_houses() -> None:
    houses = {stage.name for stage in stages()}
    assert {event["venue"] for event in coming_events(0)} <= houses
    assert not {f"{city} Arena" for city in ("New York", "Berlin", "Fortaleza")} & houses


def test_invented_acts_have_a_tour_and_no_more(world: World) -> None:
    for act in attractions():
        (row,) = told(world, f"{TICKET}/attraction_search", id=act["id"])["items"]
        assert 8 <= row["upcoming_events"] <= 16
    days = sorted(event["date"] for event in coming_events(0) if event["attraction"] == "Paper Lanterns")
    assert len(set(days)) == len(days)


def test_simulated_tickets_are_sold_up_to_the_day_and_announced_ones_are_not_priced(world: World) -> None:
    own = told(world, f"{TICKET}/event_search", keyword="Northern Static", city="Vienna")["items"][0]
    event = told(world, f"{TICKET}/get_event_details", id=own["id"])
    assert event["on_sale_to"][:10] == event["date"]
    assert event["price_from_usd"] < event["price_to_usd"]
    tour = told(world, f"{TICKET}/event_search", keyword="Taylor Swift")["items"][0]
    event = told(world, f"{TICKET}/get_event_details", id=tour["id"])
    assert (event["price_from_usd"], event["on_sale_from"], event["on_sale_to"]) == (None, None, None)


def test_a_sale_that_is_not_on_record_fits_no_time_of_sale(world: World) -> None:
    found = told(world, f"{TICKET}/event_search", keyword="Taylor Swift", onsaleStartDateTime="2024-01-01")
    assert found["total"] == 0
    told(world, f"{TICKET}/event_search", sort_by="onSaleStartDate,asc", city="New York")


@pytest.mark.parametrize(
    "city", ["Bristol", "Kyoto", "Guadalajara", "New Orleans", "Hanoi", "Ljubljana", "Halifax"]
)
def test_cities_have_their_known_houses(world: World, city: str) -> None:
    assert told(world, f"{TICKET}/venue_search", keyword=city)["items"]


def test_a_city_as_a_keyword_means_what_is_on_there(world: World) -> None:
    found = told(world, f"{TICKET}/event_search", keyword="Boston", size=25)["items"]
    assert {row["city"] for row in found} == {"Boston"}


def test_other_words_for_kinds(world: World) -> None:
    for word in ("metal", "hip hop", "edm", "musicals"):
        assert told(world, f"{TICKET}/event_search", keyword=word)["total"] > 20
    names = [row["name"] for row in told(world, f"{TICKET}/venue_search", keyword="jazz club")["items"]]
    assert "Village Vanguard" in names


def test_comedy_is_led_by_those_who_come(world: World) -> None:
    rows = told(world, f"{TICKET}/attraction_search", keyword="comedy", size=6)["items"]
    assert all(row["upcoming_events"] for row in rows[:5])


def test_a_circus_festival_of_monaco_does_not_travel() -> None:
    assert not [
        row for row in coming_events(0) if row["attraction"] in ("Monte-Carlo Circus Festival", "Circus Knie")
    ]


def test_who_is_called_just_so_is_no_team_that_shares_a_stem(world: World) -> None:
    (row,) = told(world, f"{TICKET}/attraction_search", keyword="The National")["items"]
    assert row["name"] == "The National"


def test_a_genre_as_a_keyword_gives_the_soonest_of_it(world: World) -> None:
    rows = told(world, f"{TICKET}/find_suggest", keyword="jazz", countryCode="US", resource=["events"])[
        "events"
    ]
    assert [row["starts"] for row in rows] == sorted(row["starts"] for row in rows)
    assert {row["genre"] for row in rows} <= {"Jazz", "Festival"}


def test_a_last_name_means_its_bearer_and_a_sort_of_house_its_houses(world: World) -> None:
    shows = told(world, f"{TICKET}/find_suggest", keyword="Beethoven", resource=["attractions"])[
        "attractions"
    ]
    assert "Van Beethoven" not in [row["name"] for row in shows]
    found = told(world, f"{TICKET}/venue_search", keyword="amphitheater", countryCode="US")["items"]
    assert "Hollywood Bowl" in [row["name"] for row in found]
    rows = told(world, f"{TICKET}/event_search", keyword="musical", city="Hamburg")["items"]
    assert {row["name"] for row in rows} == {"The Lion King"}


# Local businesses


def test_no_shop_is_called_after_the_query(world: World) -> None:
    for term in ("Bellagio", "falconry", "Katzenklo"):
        assert told(world, f"{YELP}/yelp_search", location="Las Vegas", term=term)["total"] == 0
    known = set(category_aliases())
    for term in (
        "tattoo removal",
        "poutine",
        "Whole Foods",
        "shoe repair",
        "plastic surgeon",
        "kid friendly restaurants",
    ):
        rows = told(world, f"{YELP}/yelp_search", location="Boston", term=term)["items"]
        assert rows
        assert {alias for row in rows for alias in row["categories"]} <= known


def test_chains_are_where_they_are(world: World) -> None:
    for city, count in (("Boston", 3), ("Tokyo", 0)):
        assert told(world, f"{YELP}/yelp_search", location=city, term="Trader Joe's")["total"] == count


def test_a_category_has_what_is_below_it(world: World) -> None:
    below = told(world, f"{YELP}/yelp_category_details", alias="pets")["subcategories"]
    assert {"vet", "groomer", "petstore", "petservices", "animalshelters"} <= set(below)
    rows = told(world, f"{YELP}/yelp_search", location="Austin", categories=["pets"], limit=30)["items"]
    assert {"vet", "groomer", "petstore"} <= {row["categories"][0] for row in rows}
    assert len(below) == len(set(below))
    listed = told(world, f"{YELP}/yelp_all_categories")
    assert all("alias" in row for row in listed)


def test_businesses_are_around_well_known_sights(world: World) -> None:
    square = {"latitude": 40.758, "longitude": -73.9855, "radius": 500}
    assert told(world, f"{YELP}/yelp_search", term="coffee", **square)["total"] > 0


def test_reviews_are_newest_first_on_every_page(world: World) -> None:
    for auto in (True, False):
        found = told(
            world,
            f"{YELP}/yelp_reviews",
            business_id_or_alias="bright-smile-dental-boston",
            if_sort_by_auto=auto,
            offset=50,
        )["items"]
        days = [row["date"] for row in found]
        assert days == sorted(days, reverse=True)


def test_suggested_categories_begin_with_what_was_typed(world: World) -> None:
    found = told(world, f"{YELP}/yelp_autocomplete", text="golden", location="Chicago")
    assert found["categories"] == []


def test_parks_have_no_price(world: World) -> None:
    rows = told(world, f"{YELP}/yelp_search", location="Denver", categories=["parks"])["items"]
    assert {row["price"] for row in rows} == {""}


@pytest.mark.parametrize("term", ["mini golf", "hiking", "tennis courts"])
def test_places_to_play_are_no_gyms(world: World, term: str) -> None:
    row = told(world, f"{YELP}/yelp_search", location="Austin", term=term)["items"][0]
    texts = [
        one["text"] for one in told(world, f"{YELP}/yelp_reviews", business_id_or_alias=row["id"])["items"]
    ]
    assert not [text for text in texts if "shower" in text or "contract" in text or "training" in text]


# Places


def test_a_region_has_one_name(world: World) -> None:
    geo = "Location/Geodatabase"
    rows = told(world, f"{geo}/find_places", location="52.52,13.405", radius=20, minPopulation=100000)[
        "items"
    ]
    assert {row["region"] for row in rows} == {"Berlin"}
    place = told(world, f"{geo}/get_place_details", placeId="DE-BE-kreuzberg")["place"]
    assert place["region"] == "Berlin"


@pytest.mark.parametrize(
    ("name", "most"), [("Bilimora", 60_000), ("Warder", 60_000), ("Abū Ghurayb", 250_000)]
)
def test_towns_do_not_have_the_people_of_their_districts(world: World, name: str, most: int) -> None:
    (row,) = told(world, "Location/Geodatabase/find_places", namePrefix=name)["items"]
    assert row["population"] <= most


def test_small_countries(world: World) -> None:
    geo = "Location/Geodatabase/get_country_details"
    assert told(world, geo, countryId="VA")["country"]["population"] < 900
    assert told(world, geo, countryId="Nauru")["country"]["languages"] == ["na", "en"]


# Museum


def test_a_culture_that_the_museum_does_not_have_matches_nothing(world: World) -> None:
    search = "Art/Harvard_art_museum/search_resource"
    assert told(world, search, res_type="object", culture="Greek")["total"] == 0
    assert told(world, search, res_type="object", medium="Terracotta")["total"] == 0
    assert call(world, search, {"res_type": "object", "culture": "Frenhc"}).error == "not_found"


# Weather and checks


def test_a_day_of_much_rain_is_no_day_of_light_rain(world: World) -> None:
    for city in ("Manila", "Singapore", "Bergen", "Mumbai"):
        days = told(world, "Weather/weatherapi/forecast", q=city, days=14, aqi=False, hour=12)["days"]
        assert not [day for day in days if day["condition"] == "Light rain" and day["total_rain_mm"] >= 8]


def test_hot_air_is_no_high(world: World) -> None:
    for city in ("Cairo", "Phoenix", "Delhi"):
        now = told(world, "Weather/weatherapi/current_weather", q=city)["current"]
        assert now["pressure_mb"] < 1022


def test_first_matches_of_the_summer_are_there(world: World) -> None:
    found = told(world, "Weather/weatherapi/sports", q="New York")["football"]
    assert "Ecuador v Venezuela, Copa América" in [row["match"] for row in found]


def test_a_name_with_a_van_is_a_name(world: World) -> None:
    found = told(world, "Validation/Validation/profanity_detect", text="I like Dick van Dyke.")
    assert not found["has_profanity"]
