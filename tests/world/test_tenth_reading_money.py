"""Regions with their cities, tournaments that are no bands, and local businesses as they are asked for."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.shared.geography import countries
from toolyard.world.state import World


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def _told(world: World, tool: str, **arguments: Any) -> Any:
    result = call(world, tool, arguments)
    assert result.error is None, result.text
    return result.value


@pytest.mark.parametrize(
    ("country", "code", "largest"),
    [
        ("PL", "30", "Poznań"),
        ("SE", "BD", "Luleå"),
        ("GR", "M", "Irákleion"),
        ("UA", "51", "Odesa"),
        ("UA", "05", "Vinnytsya"),
        ("EG", "GZ", "Giza"),
        ("HU", "DE", "Debrecen"),
        ("AT", "1", "Eisenstadt"),
        ("PH", "07", "Cebu City"),
        ("PH", "12", "General Santos"),
        ("ID", "RI", "Pekanbaru"),
        ("MA", "12", "Dakhla"),
        ("VN", "30", "Pleiku"),
        ("VN", "31", "Qui Nhon"),
        ("VN", "HP", "Haiphong"),
        ("US", "AS", "Pago Pago"),
    ],
)
def test_a_region_has_its_largest_city(world: World, country: str, code: str, largest: str) -> None:
    found = _told(world, "Location/Geodatabase/get_region_details", countryId=country, regionCode=code)
    assert found["largest_city"] == largest
    assert found["number_of_cities"] > 0


def test_a_city_that_is_a_region_is_one_city(world: World) -> None:
    for country, code in (("US", "DC"), ("DE", "BE")):
        found = _told(world, "Location/Geodatabase/get_region_details", countryId=country, regionCode=code)
        assert found["number_of_cities"] == 1


@pytest.mark.parametrize(
    ("keyword", "genre", "countries"),
    [("Copa America", "Soccer", {"US"}), ("Euro 2024", "Soccer", {"DE"}), ("Paris 2024", "Olympics", {"FR"})],
)
def test_a_tournament_is_no_band(world: World, keyword: str, genre: str, countries: set[str]) -> None:
    found = _told(world, "Location/Ticket/find_suggest", keyword=keyword, size=10)
    assert len(found["events"]) == 10
    assert {row["genre"] for row in found["events"]} == {genre}
    assert {row["country_code"] for row in found["events"]} == countries


@pytest.mark.parametrize(
    "keyword", ["Ryder Cup", "Super Bowl", "March Madness", "Tour de France", "World Cup 2026"]
)
def test_a_contest_that_is_not_on_record_is_not_made_up(world: World, keyword: str) -> None:
    found = _told(world, "Location/Ticket/find_suggest", keyword=keyword)
    assert found == {"events": [], "attractions": [], "venues": []}


def test_no_hockey_in_july(world: World) -> None:
    filters = {"startDateTime": "2024-07-01", "endDateTime": "2024-07-31", "size": 25}
    found = _told(world, "Location/Ticket/event_search", segmentId="KZFzniwnSyZfZ7v7nE", **filters)
    assert found["items"]
    assert not {"Hockey", "Basketball"} & {row["genre"] for row in found["items"]}


def test_a_domain_must_sell_tickets(world: World) -> None:
    venue = _told(world, "Location/Ticket/venue_search", keyword="Sphere")["items"][0]["id"]
    assert _told(world, "Location/Ticket/get_venue_details", id=venue, domain="ticketmaster.com")[
        "next_events"
    ]
    assert call(world, "Location/Ticket/get_venue_details", {"id": venue, "domain": "mars.com"}).error


def test_letters_of_a_chain_give_its_branches(world: World) -> None:
    found = _told(world, "Finance/Yelp/yelp_autocomplete", text="starb", location="Seattle")
    listed = _told(world, "Finance/Yelp/yelp_search", term="Starbucks", location="Seattle")["items"]
    assert found["terms"] == ["Starbucks"]
    assert {row["id"] for row in found["businesses"]} == {row["id"] for row in listed}
    assert (
        _told(world, "Finance/Yelp/yelp_autocomplete", text="golden", location="Boston")["categories"] == []
    )


def test_a_delivery_is_of_what_was_asked_for(world: World) -> None:
    tool = "Finance/Yelp/yelp_food_delivery_search"
    kebabs = {row["cuisine"][0] for row in _told(world, tool, location="Berlin", term="kebab")}
    assert kebabs == {"kebab", "turkish"}
    assert not any("Ramen" in row["name"] for row in _told(world, tool, location="Boston", term="sushi"))


def test_a_main_category_offers_what_its_parts_do(world: World) -> None:
    found = _told(world, "Finance/Yelp/yelp_category_details", alias="shopping")
    assert {"books", "flowers", "clothes"} <= set(found["typical_offers"])
    assert not {"thrift_stores", "thriftstores"} <= set(found["subcategories"])
    assert "ramen" in _told(world, "Finance/Yelp/yelp_category_details", alias="japanese")["subcategories"]


def test_what_is_sought_is_the_last_word(world: World) -> None:
    found = _told(world, "Search/EngineSearch/yelp_search", query="unicorn veterinarian", find_loc="Chicago")
    assert {title for row in found for title in row["categories"]} == {"Veterinarians"}


@pytest.mark.parametrize("network", ["224.0.0.0/8", "239.255.255.0/24", "ff02::/16"])
def test_multicast_is_reserved(world: World, network: str) -> None:
    found = _told(world, "Anti_Malware/Anti_Malware/check_block_ip", network=network)
    assert found["addressSpaceDesc"] == "Private or reserved"


def test_no_country_speaks_a_language_twice(world: World) -> None:
    for country in countries():
        spoken = _told(world, "Calendar/Calendar/country_info", countryCode=country["code"])["languages"]
        assert len(spoken) == len(set(spoken)), country["code"]
