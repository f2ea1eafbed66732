"""Money, places, tickets and addresses as an eighth reader wanted them: on record, or refused."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.shared.geography import city_in_address


def said(tool: str, seed: int = 0, /, **arguments: Any) -> Any:
    result = call(World.fresh(seed), tool, arguments)
    assert result.error is None, result.text
    return result.value


def refused(tool: str, /, **arguments: Any) -> str:
    result = call(World.fresh(0), tool, arguments)
    assert result.error is not None, result.text
    return result.text


@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize(
    ("ip", "number", "city"),
    [
        ("200.160.2.3", "AS22548", "São Paulo"),
        ("103.21.244.1", "AS13335", "San Francisco"),
        ("18.7.9.10", "AS3", "Cambridge"),
        ("118.25.6.39", "AS45090", "Shenzhen"),
        ("80.187.100.1", "AS3320", None),
    ],
)
def test_an_address_is_of_the_network_that_announces_it(
    seed: int, ip: str, number: str, city: str | None
) -> None:
    assert said("IP/IP/ip_more", seed, ip=ip)["asn"] == number
    assert said("IP/IP/ip_details", seed, ip=ip)["city"] == city


def test_a_few_reports_do_not_make_abuse_certain() -> None:
    found = said("Anti_Malware/Anti_Malware/check_block_ip", network="45.0.0.0/8", maxAgeInDays=7)
    few = [row for row in found["reportedAddress"] if row["numReports"] == 1]
    assert few and all(row["abuseConfidenceScore"] < 25 for row in few)
    only = {"onlyCountries": ["US"], "exceptCountries": ["US"]}
    assert "exceptCountries" in refused("Anti_Malware/Anti_Malware/blacklist_ip", **only)


def test_known_tours_and_runs_are_those_announced() -> None:
    nights = said("Location/Ticket/event_search", keyword="Taylor Swift", city="London", size=25)
    assert {row["venue"] for row in nights["items"]} == {"Wembley Stadium"}
    assert nights["items"][0]["starts"].startswith("2024-06-21")
    run = said("Location/Ticket/event_search", keyword="Hamilton", city="New York")["items"]
    assert {row["venue"] for row in run} == {"Richard Rodgers Theatre"}


def test_well_known_venues_stand_at_their_address() -> None:
    row = said("Location/Ticket/venue_search", keyword="Sphere")["items"][0]
    venue = said("Location/Ticket/get_venue_details", id=row["id"])
    assert venue["address"] == "255 Sands Avenue, Las Vegas, NV 89169"
    assert abs(venue["latitude"] - 36.1208) < 0.01


@pytest.mark.parametrize("seed", [0, 1])
def test_simulated_events_are_on_sale(seed: int) -> None:
    for row in said("Location/Ticket/event_search", seed, keyword="jazz", size=25)["items"]:
        event = said("Location/Ticket/get_event_details", seed, id=row["id"])
        first, last = event["on_sale_from"], event["on_sale_to"]
        assert first is None or first <= "2024-05-15T09:00:00" <= last


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        ({"countryCode": "ZZ"}, "countryCode"),
        ({"countryCode": "US", "stateCode": "QQ"}, "stateCode"),
        ({"startDateTime": "2024-07-01", "endDateTime": "2024-06-01"}, "endDateTime"),
        ({"endDateTime": "2023-02-01"}, "endDateTime"),
        ({"venueId": "nope"}, "venueId"),
        ({"attractionId": "nope"}, "attractionId"),
        ({"city": "Qqzzville"}, "city"),
        ({"radius": 50}, "radius"),
    ],
)
def test_tickets_refuse_what_cannot_be(arguments: dict[str, Any], parameter: str) -> None:
    assert f'"parameter":"{parameter}"' in refused("Location/Ticket/event_search", **arguments)


def test_yields_and_prices_of_days_are_those_on_record() -> None:
    yields = said("Finance/Economic_Indicators/get_us_treasury_yield", interval="daily", maturity="2year")
    assert {row["date"]: row["value"] for row in yields["data"]}["2024-04-30"] == 5.04
    oil = said("Finance/Commodities/get_commodity_price", commodity="WTI", interval="daily")["rows"]
    assert oil[0] == {"date": "2024-05-14", "value": 78.02}
    assert "on record" in refused("Finance/Commodities/get_commodity_price", commodity="lithium")
    jobs = said("Finance/Economic_Indicators/get_us_nonfarm_payroll")["data"]
    assert jobs[0]["value"] == 158286


def test_past_rates_follow_their_tie_or_are_refused() -> None:
    tool = "Finance/Currency_Converter/historical_currency_data"
    franc = said(tool, from_currency="EUR", to_currency="XOF", amount=1, date="2022-09-28")
    assert abs(franc["rate"] - 655.957) < 0.01
    peso = said(tool, from_currency="USD", to_currency="ARS", amount=1, date="2023-12-05")
    assert 350 < peso["rate"] < 370
    assert '"date"' in refused(tool, from_currency="USD", to_currency="GHS", amount=1, date="2022-11-10")


def test_coins_refuse_crossed_bounds_and_unknown_symbols() -> None:
    listing = "Finance/CoinMarketCap/get_cryptocurrency_listing_latest"
    assert "prive_max" in refused(listing, price_min=100, prive_max=10)
    assert "QQQQ" in refused("Finance/CoinMarketCap/get_cryptocurrency_coinmarketcap_id_map", symbol=["QQQQ"])
    least = said(listing, sort="max_supply", if_sort_asc=True, limit=1)["items"][0]
    assert least["symbol"] == "YFI"
    site = said("Finance/CoinMarketCap/get_cryptocurrency_metadata_v2", symbol=["ETH"])[0]["urls"]
    assert site == ["https://ethereum.org"]


def test_places_are_counted_and_named_as_they_are() -> None:
    nigeria = said("Location/Geodatabase/get_country_details", countryId="NG")["country"]
    assert nigeria["population"] < 235_000_000
    first = said("Location/Geodatabase/get_university_infomation", name="Cambridge")[0]
    assert first["name"] == "University of Cambridge"
    assert "maxPopulation" in refused("Location/Geodatabase/find_places", minPopulation=9, maxPopulation=1)
    assert '"location"' in refused("Location/Geodatabase/find_places", location="95,200")
    large = said("Location/Geodatabase/find_places", minPopulation=10_000_000, limit=50)["items"]
    assert {"Kinshasa", "Shanghai"} <= {row["name"] for row in large}


def test_ranks_of_hosts_that_many_link_to() -> None:
    hosts = ["maps.google.com", "gov.uk", "amazon.de", "a-site-nobody-knows.net"]
    rows = said("URL/URL/paper_rank", domains=hosts)
    assert all(row["rank"] < 1000 for row in rows[:3])
    assert rows[3]["found"] is False
    assert (
        said("URL/URL/shorten_url", long_url="https://münchen.de/")["long_url"]
        == "https://xn--mnchen-3ya.de/"
    )


def test_yelp_refuses_what_cannot_be_and_tells_all_reviews() -> None:
    assert "categories" in refused("Finance/Yelp/yelp_search", location="Boston", categories=["qqq"])
    past = {"location": "Boston", "reservation_date": "2023-01-01"}
    assert "reservation_date" in refused("Finance/Yelp/yelp_search", **past)
    assert "town" in refused("Finance/Yelp/yelp_search", latitude=0, longitude=-30)
    rows = said("Finance/Yelp/yelp_search", location="Boston", sort_by="review_count", limit=1)["items"]
    count = rows[0]["review_count"]
    last = said("Finance/Yelp/yelp_reviews", business_id_or_alias=rows[0]["id"], offset=min(count, 1000) - 1)
    assert len(last["items"]) >= 1


def test_a_street_is_no_town() -> None:
    for address, town in (
        ("12 Ocean Drive, Miami, FL", "Miami"),
        ("10 River Road, Paris, TX", "Paris"),
        ("350 5th Ave, New York, NY 10118", "New York"),
    ):
        city = city_in_address(address)
        assert city is not None
        assert (city["name"], city["country_code"]) == (town, "US")
