"""Journeys, jobs, goods and the stores of apps, books and films: what a reading by fixed calls found, held by class."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world import World, call


def given(tool: str, **arguments: Any) -> Any:
    seen = call(World.fresh(0), tool, arguments)
    assert seen.error is None, (tool, arguments, seen.text)
    return json.loads(seen.text)


def titles(rows: list[dict[str, Any]]) -> list[str]:
    return [row["title"] for row in rows]


def test_goods_are_of_the_kind_that_is_asked_for() -> None:
    found = titles(given("Search/ShoppingSearch/bing_shopping_search", query="olive oil"))
    assert found and all("Olive Oil" in title for title in found)
    phones = titles(given("Search/ShoppingSearch/yahoo_shopping_search", query="Samsung Galaxy"))
    assert not any("Laptop" in title or "Earbuds" in title for title in phones)
    assert "Case" not in titles(given("Search/ShoppingSearch/bing_shopping_search", query="iPhone 15 Pro"))[0]


def test_walmart_has_no_brands_that_sell_elsewhere() -> None:
    rows = given("Product/Walmart/walmart_search", query="bicycle", limit=40)["items"]
    assert rows and not any(row["title"].startswith(("Specialized", "Aventon", "Rad Power")) for row in rows)
    mats = given("Product/Google_Product/google_shopping_search", query="yoga mat", num=12)[
        "shopping_results"
    ]
    assert {row["source"] for row in mats if row["title"].startswith("Amazon Basics")} <= {"Amazon"}


def test_an_id_of_an_everyday_thing_is_known_in_every_world() -> None:
    shown = given("Product/Google_Product/google_shopping_search", query="garlic press")["shopping_results"][
        0
    ]
    page = given("Product/Google_Product/google_product_search", product_id=shown["product_id"])
    opened = given(
        "Product/Google_Product/google_immersive_product_search", page_token=shown["immersive_page_token"]
    )
    assert page["title"] == opened["title"] == shown["title"]


def test_reviews_do_not_repeat_themselves() -> None:
    texts = [
        row["text"]
        for row in given("Search/ShoppingSearch/walmart_review_search", query="LEGO set")["reviews"]
    ]
    assert len(set(texts)) == len(texts)
    angry = given(
        "Product/Apple_Product/apple_reviews_search", product_id=389801252, sort="mostcritical", limit=3
    )
    assert angry["items"][0]["rating"] == 1


@pytest.mark.parametrize(
    ("tool", "query", "wanted"),
    [
        ("books", "World War II history", "Band of Brothers"),
        ("books", "Jane Austen", "Emma"),
        ("movies", "Hayao Miyazaki", "My Neighbor Totoro"),
        ("movies", "romantic comedy", "Notting Hill"),
        ("games", "Stardew Valley", "Hay Day"),
    ],
)
def test_the_store_has_what_is_famous(tool: str, query: str, wanted: str) -> None:
    assert wanted in titles(given(f"Entertainment/Google_play_store/{tool}_related_searches", q=query))


def test_people_fly_where_most_people_fly() -> None:
    found = given("Travel/Flight_Data_v2/cheapest_tickets", origin="MAD", sorting="route", limit=5)
    assert {row["destination"] for row in found[:3]} <= {"BCN", "PMI", "LON", "PAR"}
    cities = [
        row["city"] for row in given("Travel/Flight_Data_v1/popular_directions_from_city", origin="SAO")
    ]
    assert "Porto Alegre" in cities
    far = given("Travel/Flight_Data_v1/cheapest_tickets", origin="CPT", destination="RIO")
    assert far["total"] > 0
    islands = given("Travel/Flight_Data_v1/popular_airline_routes", airline_code="FR", limit=50)
    assert "San Isidro" not in {row["destination_city"] for row in islands}


def test_everybody_has_a_bed() -> None:
    stay = {"checkIn": "2024-09-12", "checkOut": "2024-09-16", "currency": "EUR", "hotel": "Ostello Rome"}
    one = given("Travel/Hotels_Data/display_hotels_prices", location="Rome", adults=1, **stay)[0]["priceFrom"]
    two = given("Travel/Hotels_Data/display_hotels_prices", location="Rome", adults=2, **stay)[0]["priceFrom"]
    assert two == pytest.approx(2 * one, abs=0.02)


def test_towns_of_a_country_and_old_numbers_of_hotels() -> None:
    found = given("Travel/Hotels_Data/search_city_hotels", query="New Zealand", lookFor="city", limit=10)[
        "locations"
    ]
    assert len(found) == 10 and {row["country"] for row in found} == {"New Zealand"}
    resolved = given("Travel/Hotels/resolve_url", id="ho123456")
    assert given("Travel/Hotels/get_reviews_summary", propertyId=resolved["propertyId"])["count"] > 0


def test_adverts_differ_and_trades_have_no_interns() -> None:
    rows = given("Job/Google_Jobs/google_jobs_search", query="truck driver in Denver")["jobs_results"]
    openings = {row["description"].replace(row["company_name"], "")[:30] for row in rows}
    assert len(openings) > 3
    interns = given("Job/the_muse/search_jobs", level=["Internship"])["results"]
    assert not any("Truck Driver" in row["name"] or "Nurse" in row["name"] for row in interns)
    pay = given("Job/job_search/get_salary_estimation", job_title="Plumber", location="Zurich")[0]
    assert pay["median_salary"] > 68_000


def test_kyoto_and_istanbul_have_their_sights() -> None:
    for city, wanted in (("Kyoto", "Ginkaku-ji"), ("Istanbul", "Basilica Cistern")):
        rows = given("Travel/BMTool_Travel/landscapeProducts", destination=city, exhibit_maxnum=8)
        assert len(rows) == 8 and wanted in {row["name"] for row in rows}
