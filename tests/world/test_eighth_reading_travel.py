"""What a strict reading of hotels, flights, jobs, shops and app stores found, one test per class."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World


def given(tool: str, **arguments: Any) -> Any:
    return json.loads(call(World.fresh(0), tool, arguments).text)


def refused(tool: str, **arguments: Any) -> str:
    found = call(World.fresh(0), tool, arguments)
    assert found.error
    return str(json.loads(found.text)["error"].get("parameter"))


@pytest.mark.parametrize(
    "name", ["prices_calendar_month", "prices_calendar_week", "direction_prices", "cheapest_tickets"]
)
def test_no_journey_ends_where_it_begins(name: str) -> None:
    assert refused(f"Travel/Flight_Data_v2/{name}", origin="ROM", destination="FCO") == "destination"


def test_yen_have_no_hundredths() -> None:
    prices = given("Travel/Hotels_Data/display_hotels_prices", location="Osaka", currency="JPY")
    assert all(isinstance(row["priceFrom"], int) for row in prices)


def test_hotels_of_two_cities_bear_other_names() -> None:
    names = [
        {row["name"] for row in given("Travel/Hotels_Data/search_city_hotels", query=city)["hotels"]}
        for city in ("Osaka", "Salzburg", "Nairobi")
    ]
    assert not names[0] & names[1] and not names[1] & names[2]


def test_filters_of_hotels_that_cannot_be_are_refused() -> None:
    stay = {"check_in_date": [10, 6, 2024], "check_out_date": [13, 6, 2024], "num_adults_list": [2]}
    base = {**stay, "children_ages_list": [[]], "dest_regionId": 602160}
    assert refused("Travel/Hotels/list_properties", **base, price=[50, 200]) == "price"
    assert refused("Travel/Hotels/list_properties", **base, regionId=4) == "regionId"
    base["dest_regionId"] = 600080
    assert refused("Travel/Hotels/get_property_offers", **base, propertyId=1021600) == "dest_regionId"


def test_an_address_lies_in_the_city_of_its_owner_or_the_main_one() -> None:
    found = [
        given("Travel/Flight_Data_v2/get_location_by_ip", ip=ip)["name"]
        for ip in ("128.95.120.1", "90.1.1.1")
    ]
    assert found == ["Seattle", "Paris"]


def test_companies_hire_where_they_are() -> None:
    jobs = given("Job/the_muse/search_jobs", location=["Flexible / Remote"], level=["Internship"])["results"]
    assert not any(job["company"] in ("Bilibili Inc.", "Texas Instruments Incorporated") for job in jobs)
    assert given("Job/job_search/basic_job_search", query="software engineer in San Francisco")["total"] > 15


def test_work_and_places_that_are_not_are_refused() -> None:
    assert refused("Job/Google_Jobs/google_jobs_search", query="astronaut wizard") == "query"
    assert refused("Job/the_muse/search_jobs", location=["Atlantis"]) == "location"
    assert (
        refused("Job/job_search/search_jobs_with_filters", query="engineer", categories=["Dragons"])
        == "categories"
    )


@pytest.mark.parametrize("query", ["tv", "lego", "headphones", "laptop", "espresso machine"])
def test_shops_have_several_articles(query: str) -> None:
    assert given("Product/Walmart/walmart_search", query=query)["total"] >= 8


def test_apps_have_the_ids_of_their_stores_and_kin_of_their_kind() -> None:
    apps = given("Entertainment/Google_play_store/apps_related_searches", q="Candy Crush")
    assert apps[0]["app_id"] == "com.king.candycrushsaga"
    music = given("Entertainment/Google_play_store/apps_related_searches", q="Spotify")
    assert {"SoundCloud", "Deezer"} <= {app["title"] for app in music}
    assert given("Product/Apple_Product/apple_product_search", product_id=324684580)["rating"] == 4.8


def test_trains_and_sights_only_as_on_record() -> None:
    assert refused("Travel/Railway/indian_railway_search", search="99999") == "search"
    assert given("Travel/BMTool_Travel/landscapeProducts", destination="Brixlegg") == []


def test_most_fly_where_most_fly() -> None:
    found = given("Travel/Flight_Data_v1/popular_directions_from_city", origin="SEL")
    assert [row["city"] for row in found[:2]] == ["Jeju City", "Tokyo"]
