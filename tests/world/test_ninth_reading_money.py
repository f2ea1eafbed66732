"""Coins, places, venues, businesses, networks and names as a strict reader expects them."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.shared.geography import city_in_address
from toolyard.world.state import World


def said(tool: str, **arguments: Any) -> Any:
    seen = call(World.fresh(0), tool, arguments)
    assert seen.error is None, seen.text
    return json.loads(seen.text)


def test_the_largest_coins_head_their_categories() -> None:
    rows = said("Finance/CoinMarketCap/get_cryptocurrency_category", id="layer-1", limit=5)["coins"]
    assert [row["symbol"] for row in rows][:4] == ["BTC", "ETH", "BNB", "SOL"]
    for kind in said("Finance/CoinMarketCap/get_cryptocurrency_categories", limit=60):
        found = said("Finance/CoinMarketCap/get_cryptocurrency_category", id=kind["id"])["coins"]
        assert all(one["market_cap"] >= two["market_cap"] for one, two in itertools.pairwise(found))


def test_venues_are_found_by_name_and_place_and_are_no_bands() -> None:
    suggest = "Location/Ticket/find_suggest"
    found = said(suggest, keyword="Wembley Stadium")
    assert found["venues"][0]["name"] == "Wembley Stadium"
    assert {row["venue"] for row in found["events"]} == {"Wembley Stadium"}
    assert said(suggest, keyword="O2 Arena")["venues"][0]["city"] == "London"
    near = said(suggest, geoPoint="gcpv", radius=30, unit="km", size=10, resource=["venues"])["venues"]
    assert "Wembley Stadium" in {row["name"] for row in near}
    assert not any("fan night" in row["name"] for row in said(suggest, keyword="Boston Celtics")["events"])


def test_what_was_announced_is_found_in_its_city() -> None:
    search = "Location/Ticket/event_search"
    rows = said(search, city="London", startDateTime="2024-06-21", endDateTime="2024-06-21", size=25)["items"]
    assert any("Taylor Swift" in row["name"] for row in rows)
    assert said(search, keyword="Glastonbury Festival")["items"][0]["starts"].startswith("2024-06-26")


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("12 Ocean Drive, Miami, FL", "US-FL-miami"),
        ("Ocean Drive, Miami", "US-FL-miami"),
        ("Broadway, New York", "US-NY-new-york"),
        ("10 Downing Street London", "GB-ENG-london"),
        ("Friedrichstr. 100, 10117 Berlin, Germany", "DE-BE-berlin"),
        ("Soho, London", "GB-ENG-soho"),
        ("Downtown, Chicago", "US-IL-chicago"),
        ("Plaza Mayor, Salamanca", "ES-CL-salamanca"),
    ],
)
def test_an_address_is_in_its_town(address: str, place: str) -> None:
    city = city_in_address(address)
    assert city is not None and city["id"] == place


def test_businesses_follow_the_size_of_the_city() -> None:
    search = "Finance/Yelp/yelp_search"
    near = said(search, latitude=51.5074, longitude=-0.1278, term="indian restaurant", radius=2000)
    assert near["total"] >= 3
    assert (
        said(search, location="London", term="indian")["total"]
        > said(search, location="Lyon", term="indian")["total"]
    )
    row = said(search, location="Soho, London", term="sushi")["items"][0]
    assert row["address"].endswith("London")
    assert said("Finance/Yelp/yelp_business_details", business_id_or_alias=row["id"])["alias"] == row["alias"]


def test_reviews_do_not_repeat_themselves() -> None:
    row = said("Finance/Yelp/yelp_search", location="Seattle", term="sushi", limit=1)["items"][0]
    texts = [
        one["text"]
        for one in said("Finance/Yelp/yelp_reviews", business_id_or_alias=row["id"], limit=20)["items"]
    ]
    assert len(set(texts)) == len(texts)


def test_exits_of_tor_are_reported_and_payloads_come_unevenly() -> None:
    block = said("Anti_Malware/Anti_Malware/check_block_ip", network="185.220.101.0/24")
    assert len(block["reportedAddress"]) > 10
    assert said("Anti_Malware/Anti_Malware/check_ip", ipAddress="185.220.101.45")["totalReports"] > 0
    seen = [row["firstseen"] for row in said("Anti_Malware/Anti_Malware/query_payloads", limit=10)]
    assert seen == sorted(seen, reverse=True)
    assert len({one[-6:] for one in seen}) > 3


def test_networks_of_real_companies_host_no_invented_sites() -> None:
    found = said("IP/IP/ip_more", ip="140.82.112.3")
    assert found["hosted_domains"] == ["github.com"]
    assert said("IP/IP/ip_more", ip="18.66.0.10")["asn"] == "AS16509"


def test_letters_tell_where_a_name_is_at_home() -> None:
    found = said("Predict/Predict/predict_nationality", names=["Bjørn", "Björn", "Owen"])
    assert [row["countries"][0]["country_id"] for row in found] == ["NO", "SE", "US"]


def test_a_higher_page_rank_has_a_better_place() -> None:
    names = [
        "google.com",
        "lemonde.fr",
        "spiegel.de",
        "python.org",
        "arxiv.org",
        "gov.uk",
        "europa.eu",
        "bbc.com",
    ]
    rows = sorted(said("URL/URL/paper_rank", domains=names), key=lambda row: -row["page_rank"])
    assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)


def test_regions_have_their_own_codes_and_names() -> None:
    regions = "Location/Geodatabase/find_regions"
    assert said(regions, countryId="ID", limit=100)["total"] == 38
    assert said(regions, countryId="NL", limit=100)["total"] == 12
    names = [row["name"] for row in said(regions, countryId="FI", limit=100)["items"]]
    assert len(set(names)) == len(names) == 19
    assert (
        said("Location/Geodatabase/get_region_details", countryId="FI", regionCode="19")["largest_city"]
        == "Turku"
    )
    assert said("Location/Geodatabase/get_country_details", countryId="TL")["country"]["continent"] == "Asia"


def test_an_empty_name_is_no_commodity() -> None:
    assert (
        call(World.fresh(0), "Finance/Commodities/get_commodity_price", {"commodity": ""}).error
        == "not_found"
    )
