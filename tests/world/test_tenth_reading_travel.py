"""Flights, hotels, jobs and goods as a reader would check them."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World


def said(tool: str, **arguments: Any) -> Any:
    """What a tool answers; fails where it refuses."""
    result = call(World.fresh(0), tool, arguments)
    assert result.error is None, result.text
    return result.value


@pytest.mark.parametrize(
    ("origin", "destination"),
    [
        ("MAN", "ALC"),
        ("LON", "PSA"),
        ("LON", "BLQ"),
        ("LON", "FAO"),
        ("DEL", "GOI"),
        ("KUL", "PEN"),
        ("BUD", "CRL"),
    ],
)
def test_holiday_routes_are_flown_without_a_stop(origin: str, destination: str) -> None:
    for start, end in ((origin, destination), (destination, origin)):
        tickets = said(
            "Travel/Flight_Data_v1/cheapest_tickets", origin=start, destination=end, currency="EUR"
        )
        assert tickets["items"][0]["number_of_changes"] == 0
        assert tickets["items"][0]["price"] < 80


def test_all_directions_cost_what_single_routes_cost() -> None:
    every = said("Travel/Flight_Data_v1/cheapest_tickets", origin="BER", destination="-", currency="EUR")
    for ticket in every["items"][:5]:
        single = said(
            "Travel/Flight_Data_v1/cheapest_tickets",
            origin="BER",
            destination=ticket["destination"],
            currency="EUR",
        )
        assert ticket in single["items"]
    assert {"BGY", "BSL"} <= {ticket["destination"] for ticket in every["items"]}


def test_the_cheapest_of_a_month_is_that_of_its_days() -> None:
    months = said(
        "Travel/Flight_Data_v1/cheapest_tickets_each_month", origin="MUC", destination="NYC", currency="USD"
    )
    july = next(row for row in months if row["month"] == "2024-07")
    whole = said(
        "Travel/Flight_Data_v1/cheapest_tickets",
        origin="MUC",
        destination="NYC",
        depart_date="2024-07",
        currency="USD",
    )
    assert july["lowest"] == whole["items"][0]["price"]


def test_cities_beside_are_near_and_never_the_other_end() -> None:
    pairs = said("Travel/Flight_Data_v2/direction_prices", origin="SYD", destination="MEL", limit=5)
    assert ("MEL", "SYD") not in {(row["origin"], row["destination"]) for row in pairs}
    assert all(row["origin"] != "MEL" for row in pairs)


def test_nobody_flies_through_a_closed_sky() -> None:
    found = said("Travel/Flight_Data_v2/direction_prices", origin="MOW", destination="IST")
    assert found[0]["duration_minutes"] >= 240


@pytest.mark.parametrize(("site", "code"), [("UK", "GB"), ("France", "FR"), ("HR", "HR")])
def test_booking_sites_are_those_of_countries_with_people(site: str, code: str) -> None:
    assert said("Travel/Hotels/get_meta_data", site=site)["site"] == code
    assert call(World.fresh(0), "Travel/Hotels/get_meta_data", {"site": "BV"}).error is not None


@pytest.mark.parametrize(
    ("name", "company"),
    [("GE", "GE Aerospace"), ("IBM", "International Business Machines Corporation"), ("Alphabet", "Google")],
)
def test_companies_are_named_by_whole_words_or_tickers(name: str, company: str) -> None:
    found = said("Job/the_muse/search_jobs", company=[name])
    assert {row["company"] for row in found["results"]} == {company}
    assert call(World.fresh(0), "Job/the_muse/search_jobs", {"company": ["HP"]}).error is not None
    assert call(World.fresh(0), "Job/the_muse/search_jobs", {"page": 500}).error is not None


@pytest.mark.parametrize(("number", "town"), [(69122, "Mountain View"), (68957, "Vevey"), (68627, "Woking")])
def test_head_offices_are_where_they_are(number: int, town: str) -> None:
    assert said("Job/the_muse/search_company_by_id", company_id=number)["headquarters"] == town


def test_all_open_jobs_of_a_company_are_listed_and_can_be_opened() -> None:
    assert len(said("Job/the_muse/search_company_by_id", company_id=67923)["recent_jobs"]) > 20
    found = said(
        "Job/the_muse/search_jobs",
        category=["Software Engineering"],
        level=["Senior Level"],
        location=["London"],
    )
    assert found["total"] > 0
    first = found["results"][0]
    assert said("Job/the_muse/search_job_by_id", job_id=first["id"])["name"] == first["name"]


@pytest.mark.parametrize("product", ["17308884529534430293", "15367251577637333037", "14042248483722075382"])
def test_reviews_add_up_to_the_rating(product: str) -> None:
    page = said("Product/Google_Product/google_product_search", product_id=product)
    found = said("Product/Google_Product/google_product_search", product_id=product, reviews=True)
    written = [row["rating"] for row in found["reviews_results"]]
    assert len(written) == 10
    assert abs(sum(written) / len(written) - page["rating"]) < 0.05


def test_a_novel_has_an_author_and_no_brand() -> None:
    book = said(
        "Product/Google_Product/google_product_search",
        product_id="15367251577637333037",
        specs=True,
        reviews=True,
    )
    assert book["brand"] == ""
    assert book["specifications"]["Author"] == "Kristin Hannah"
    assert not any(
        "set up" in row["text"] or "instructions" in row["text"] for row in book["reviews_results"]
    )


@pytest.mark.parametrize(
    ("number", "category"),
    [
        (310633997, "Social Networking"),
        (585027354, "Navigation"),
        (363590051, "Entertainment"),
        (479516143, "Games"),
    ],
)
def test_apps_are_filed_as_the_store_files_them(number: int, category: str) -> None:
    assert said("Product/Apple_Product/apple_product_search", product_id=number)["category"] == category


def test_cities_have_more_than_one_sight() -> None:
    for city in ("Cusco", "Siem Reap", "Cairo", "Lyon", "Tbilisi"):
        found = said("Travel/BMTool_Travel/landscapeProducts", destination=city, exhibit_maxnum=12)
        assert len(found) > 1
