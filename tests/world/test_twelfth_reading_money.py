"""Money, places and tickets: what is told of universities, venues, addresses, coins and businesses."""

from __future__ import annotations

import json
from statistics import mean
from typing import Any

from toolyard.world.executor import call
from toolyard.world.state import World

PLACES, TICKETS, YELP = "Location/Geodatabase", "Location/Ticket", "Finance/Yelp"


def told(tool: str, **arguments: Any) -> Any:
    result = call(World.fresh(0), tool, arguments)
    assert result.error is None, result.text
    return json.loads(result.text)


def test_best_known_universities_come_first_and_are_spelt_right() -> None:
    german = [
        row["name"] for row in told(f"{PLACES}/get_university_infomation", name="Technology", country="DE")
    ]
    assert german[:2] == ["Karlsruhe Institute of Technology", "Hamburg University of Technology"]
    californian = [row["name"] for row in told(f"{PLACES}/get_university_infomation", name="california")]
    assert {f"University of California, {town}" for town in ("San Diego", "Davis", "Irvine")} < set(
        californian
    )
    assert not any("Angels" in name or "Bernadino" in name for name in californian)
    assert told(f"{PLACES}/get_university_infomation", name="Aalto")[0]["city"] == "Espoo"


def test_no_zone_that_was_set_apart_later() -> None:
    zones = [row["id"] for row in told(f"{PLACES}/get_time_zones", limit=100, offset=60)["items"]]
    assert "America/Coyhaique" not in zones and "America/Costa_Rica" in zones
    town = told(f"{PLACES}/find_places", namePrefix="Coyhaique")["items"][0]
    assert told(f"{PLACES}/get_place_details", placeId=town["id"])["place"]["time_zone"] == "America/Santiago"


def test_region_of_a_place_is_one_that_the_other_tools_know() -> None:
    for name in ("Coyhaique", "Corfu", "Medina", "Gothenburg", "Basra", "Bratislava"):
        town = told(f"{PLACES}/find_places", namePrefix=name, sort_by="-population")["items"][0]
        place = told(f"{PLACES}/get_place_details", placeId=town["id"])["place"]
        told(f"{PLACES}/get_region_details", countryId=place["country_code"], regionCode=place["region_code"])


def test_venues_of_a_sort_in_any_language() -> None:
    german = told(f"{TICKETS}/venue_search", keyword="stadium", countryCode="DE", size=25)["items"]
    names = {row["name"] for row in german}
    assert {"Olympiastadion Berlin", "Olympiastadion München", "Volksparkstadion"} < names
    assert "Nürburgring" not in names
    operas = told(f"{TICKETS}/venue_search", keyword="opera house", countryCode="IT")["items"]
    assert operas[0]["name"] == "La Scala"


def test_races_and_games_that_were_announced() -> None:
    assert (
        told(f"{TICKETS}/event_search", keyword="24 Hours of Le Mans")["items"][0]["starts"][:10]
        == "2024-06-15"
    )
    races = told(f"{TICKETS}/event_search", keyword="Formula 1", size=25)["items"]
    assert {"Formula 1 Monaco Grand Prix 2024", "Formula 1 Canadian Grand Prix 2024"} < {
        row["name"] for row in races
    }
    opening = told(
        f"{TICKETS}/event_search", city="Paris", startDateTime="2024-07-26", endDateTime="2024-07-26", size=25
    )
    assert "Paris 2024 Olympics: Opening ceremony" in {row["name"] for row in opening["items"]}


def test_ballets_are_danced_in_no_playhouse() -> None:
    found = told(f"{TICKETS}/event_search", keyword="ballet", countryCode="GB", size=25)["items"]
    assert found and not {"Glyndebourne", "Young Vic", "Royal Shakespeare Theatre"} & {
        row["venue"] for row in found
    }


def test_reports_of_addresses_differ() -> None:
    found = told("Anti_Malware/Anti_Malware/check_block_ip", network="185.0.0.0/8", maxAgeInDays=365)
    assert len({row["numReports"] for row in found["reportedAddress"]}) > 8
    first = found["reportedAddress"][0]
    address = told("Anti_Malware/Anti_Malware/check_ip", ipAddress=first["ipAddress"], maxAgeInDays=365)
    assert address["totalReports"] == first["numReports"] and len(address["reports"]) == 5
    assert address["reports"][0]["reportedAt"] == first["mostRecentReport"]
    assert told("Anti_Malware/Anti_Malware/check_ip", ipAddress="95.216.33.10")["city"] == "Helsinki"


def test_coins_and_past_rates() -> None:
    coins = told("Finance/CoinMarketCap/get_cryptocurrency_listing_latest", limit=200)["items"]
    assert all(row["circulating_supply"] == round(row["circulating_supply"], 2) for row in coins)
    exchanges = told("Finance/CoinMarketCap/get_cryptocurrency_category", id="dex")["coins"]
    assert exchanges[0]["symbol"] == "UNI"
    dinar = told(
        "Finance/Currency_Converter/historical_currency_data",
        from_currency="USD",
        to_currency="KWD",
        amount=1,
        date="2018-03-09",
    )
    assert 0.297 < dinar["rate"] < 0.306


def test_reviews_agree_with_the_rating_and_speak_of_the_trade() -> None:
    salon = told(f"{YELP}/yelp_search", location="Denver", term="hair salon")["items"][0]
    reviews = told(f"{YELP}/yelp_reviews", business_id_or_alias=salon["id"], limit=30)["items"]
    assert abs(mean(row["rating"] for row in reviews) - salon["rating"]) < 0.4
    assert any("cut" in row["text"] or "colour" in row["text"] for row in reviews[:4])


def test_fine_dining_sleeps_and_classes_are_small() -> None:
    for place in ("London", "San Francisco", "Austin"):
        dear = told(
            f"{YELP}/yelp_search", location=place, categories=["restaurants"], price=[3, 4], limit=20
        )["items"]
        for row in dear[:8]:
            hours = told(f"{YELP}/yelp_business_details", business_id_or_alias=row["id"])["hours"]
            assert hours[0] != {"day": "Monday", "opens": "00:00", "closes": "24:00"}, row["name"]
    events = told(f"{YELP}/yelp_event_search", location="Seattle", limit=30)["items"]
    assert all(
        row["attending_count"] <= 24 for row in events if row["name"] in ("Cooking Class", "Book Club")
    )


def test_what_people_ask_for_is_found_under_its_own_name() -> None:
    for term, kind in (("beer garden", "german"), ("happy hour", "cocktailbars"), ("day care", "childcare")):
        found = told(f"{YELP}/yelp_search", location="Chicago", term=term)["items"]
        assert found and all(kind in row["categories"] for row in found[:3]), term
    fights = told(f"{TICKETS}/event_search", keyword="UFC")["items"]
    assert {row["genre"] for row in fights} == {"Mixed Martial Arts"}
