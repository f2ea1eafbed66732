"""Goods, jobs, apps and journeys: what a ninth strict reading of these tools found, one test for each class."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World
from toolyard.world.worlds.product.goods import offers, search_goods


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def ask(world: World, tool: str, **arguments: Any) -> Any:
    result = call(world, tool, arguments)
    assert not result.error, result.text
    return json.loads(result.text)


@pytest.mark.parametrize(
    "article",
    ["wireless earbuds", "coffee maker", "blender", "socks", "car seat", "yoga mat", "dog bed", "peanut butter", "eggs",
     "screwdriver set", "lawn mower", "hair dryer", "stroller", "bookshelf", "ukulele", "motor oil"],
)  # fmt: skip
def test_shops_have_ten_of_every_common_article(world: World, article: str) -> None:
    assert len(search_goods(world.seed, article)) >= 10


def test_sizes_in_a_query_rule_and_prices_are_those_of_such_a_thing(world: World) -> None:
    for query, word in (
        ("tv 55 inch", "55 inch"),
        ("diapers size 4", "Size 4"),
        ("kids bike 20 inch", "20 inch"),
    ):
        found = search_goods(world.seed, query)
        assert len(found) >= 10
        assert all(word in good["title"] for good in found)
    assert all(good["cents"] < 30_000 for good in search_goods(world.seed, "kids bike 20 inch"))
    assert {good["cents"] > 2_500 for good in search_goods(world.seed, "garlic press")} == {False}


def test_what_a_query_ends_with_is_the_thing(world: World) -> None:
    assert all("TV Stand" in good["title"] for good in search_goods(world.seed, "tv stand"))
    assert "Case" not in search_goods(world.seed, "iphone 15")[0]["title"]
    assert all("Butter" in good["title"] for good in search_goods(world.seed, "butter"))
    assert not any("Peanut" in good["title"] for good in search_goods(world.seed, "butter"))
    assert not any("Organic Organic" in good["title"] for good in search_goods(world.seed, "organic honey"))


def test_brands_of_one_chain_are_sold_there_only(world: World) -> None:
    good = next(good for good in search_goods(world.seed, "dish soap") if good["brand"] == "Great Value")
    assert [offer["store"] for offer in offers(world.seed, good)] == ["Walmart"]


def test_descriptions_say_more_than_the_title(world: World) -> None:
    rows = ask(world, "Product/Walmart/walmart_search", query="diapers size 4", grid=False)["items"]
    assert all(row["title"] not in row["description"] for row in rows)


@pytest.mark.parametrize(
    "query", ["how to clean leather shoes", "iPhone 15 battery life", "air fryer vs oven"]
)
def test_questions_are_not_turned_into_goods(world: World, query: str) -> None:
    rows = ask(world, "Search/ShoppingSearch/google_related_question_search", query=query)
    assert rows
    assert not any(query.lower() in row["question"].lower() and "cost" in row["question"] for row in rows)


def test_nobody_sells_used_diapers(world: World) -> None:
    rows = ask(world, "Search/ShoppingSearch/ebay_search", query="diapers size 4")
    assert {row["condition"] for row in rows} == {"New"}


@pytest.mark.parametrize(
    "query",
    ["barista portland maine", "welder in Houston Texas", "electrician in Atlanta Georgia", "cashier tampa"],
)
def test_work_in_a_town_with_its_state(world: World, query: str) -> None:
    found = ask(world, "Job/Google_Jobs/google_jobs_search", query=query)
    town = query.split()[1] if query.split()[1] != "in" else query.split()[2]
    assert found["total"] >= 3
    assert all(town.lower() in row["location"].lower() for row in found["jobs_results"])


def test_exact_titles_come_first_and_common_work_is_plenty(world: World) -> None:
    found = ask(world, "Job/job_search/basic_job_search", query="software engineer in Seattle")
    assert [row["job_title"] for row in found["data"][:3]] == ["Software Engineer"] * 3
    nurses = ask(world, "Job/Google_Jobs/google_jobs_search", query="registered nurse in Boston")
    assert nurses["total"] >= 8
    for row in nurses["jobs_results"]:
        listing = ask(world, "Job/Google_Jobs/google_jobs_listing_search", job_id=row["job_id"])
        assert (listing["title"], listing["company_name"]) == (row["title"], row["company_name"])


def test_lion_tamers_are_not_hired_on_boards(world: World) -> None:
    assert ask(world, "Job/Google_Jobs/google_jobs_search", query="lion tamer in Paris")["total"] == 0
    assert call(world, "Job/Google_Jobs/google_jobs_search", {"query": "jobs"}).error


def test_apps_on_the_devices_of_may_2024(world: World) -> None:
    tool = "Product/Apple_Product/apple_app_store_search"
    assert "WhatsApp" not in {
        row["title"] for row in ask(world, tool, term="WhatsApp", device="tablet")["items"]
    }
    assert ask(world, tool, term="Instagram")["items"][0]["devices"] == ["mobile"]
    assert {"iMovie", "Final Cut Pro"} <= {
        row["title"] for row in ask(world, tool, term="video editing", device="desktop")["items"]
    }


def test_games_for_a_purpose(world: World) -> None:
    rows = ask(world, "Entertainment/Google_play_store/games_related_searches", q="football")
    assert rows[0]["title"] == "EA Sports FC"


def test_cars_wait_where_they_are_asked_for(world: World) -> None:
    tool = "Travel/BMTool_Travel/carProducts"
    for place, town in (
        ("12 Ocean Drive, Miami, FL", "Miami"),
        ("5 rue de Rivoli, 75001 Paris, France", "Paris"),
    ):
        rows = ask(world, tool, pickup_location=place)
        assert all(
            row["pickup_address"].endswith(town) and "Airport" not in row["pickup_address"] for row in rows
        )
    assert "Kennedy" in ask(world, tool, pickup_location="JFK")[0]["pickup_address"]


def test_a_city_means_its_main_airport(world: World) -> None:
    tool = "Travel/Flight_JSON_Data/search_airport"
    codes = {city: ask(world, tool, query=city)["code"] for city in ("London", "New York", "Chicago")}
    assert codes == {"London": "LHR", "New York": "JFK", "Chicago": "ORD"}


def test_no_hotel_is_found_by_a_word_that_none_bears(world: World) -> None:
    assert call(world, "Travel/Hotels_Data/search_city_hotels", {"query": "Qzxw"}).error
