"""Names in order whatever their capitals, families in one room, no key that is never told."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.tables import plain, read_table


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def said(world: World, tool: str, **arguments: Any) -> Any:
    return call(world, tool, arguments).value


def test_venues_are_sorted_by_name_whatever_its_capitals(world: World) -> None:
    found = said(world, "Location/Ticket/venue_search", countryCode="GB", sort_by="name,asc", size=25)
    names = [row["name"] for row in found["items"]]
    assert names == sorted(names, key=plain) != sorted(names)


def test_a_child_sleeps_in_the_room_of_its_parents(world: World) -> None:
    stay = {"location": "Paris", "checkIn": "2024-06-10", "checkOut": "2024-06-12", "adults": 2}
    alone, family, class_trip = (
        said(world, "Travel/Hotels_Data/display_hotels_prices", **stay, children=children)[0]["priceFrom"]
        for children in (0, 2, 3)
    )
    assert family == alone and class_trip == pytest.approx(2 * alone, abs=0.01)


def test_who_runs_a_network_has_no_phone_that_is_never_told(world: World) -> None:
    assert set(said(world, "IP/IP/ip_more", ip="8.8.8.8")["whois"]) == {"organisation", "abuse_mail"}


def test_every_title_is_written_once() -> None:
    titles = Counter(row["title"] for row in read_table("well_known.tsv"))
    assert [title for title, count in titles.items() if count > 1] == []


def test_outlets_of_further_languages_are_taken_by_the_other_news_tools(world: World) -> None:
    (outlet,) = said(world, "News/news_search/get_news_headlines_sources", language="it")
    assert said(world, "News/news_search/get_news_everything", sources=[outlet["id"]])["total"] == 0
    assert "error" in said(world, "News/news_search/get_news_everything", sources=["rome-moon-it"])


@pytest.mark.parametrize(
    "drink", ["lemonade", "iced tea", "hot chocolate", "cider", "whisky", "eggnog", "sangria"]
)
def test_a_shop_has_common_drinks(world: World, drink: str) -> None:
    found = said(world, "Food/spoonacular_products/search_grocery_products", query=drink)["items"]
    told = said(world, "Food/spoonacular_products/get_product_information", id=found[0]["id"])
    assert told["title"] == found[0]["title"]
