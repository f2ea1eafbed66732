"""Money, places and tickets as an attentive caller meets them: what is named exists, what is listed fits its kind."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.shared.businesses import businesses, find_business
from toolyard.world.worlds.finance.gatherings import gatherings

TICKET, YELP, GEO = "Location/Ticket/", "Finance/Yelp/", "Location/Geodatabase/"
SPORTS, ROCK = "KZFzniwnSyZfZ7v7nE", "KnvZ5a2b195"


def ask(tool: str, **arguments: Any) -> Any:
    result = call(World.fresh(0), tool, arguments)
    assert result.error is None, result.text
    return result.value


def test_the_whole_list_of_kinds_holds_what_a_keyword_finds() -> None:
    every = [
        row["subgenre_id"]
        for page in range(4)
        for row in ask(TICKET + "classification_search", size=25, page=page)["items"]
    ]
    sports = ask(TICKET + "classification_search", keyword="sports", size=25)["items"]
    assert {row["subgenre_id"] for row in sports} <= set(every)
    below = ask(TICKET + "get_claasificatioin_details", id=SPORTS)["below"]
    assert {row["genre_id"] for row in sports} == set(below)


def test_real_performers_are_listed_under_their_kind() -> None:
    sports = ask(TICKET + "attraction_search", segmentId=SPORTS, size=25)["items"]
    assert {"UEFA Euro 2024", "Wimbledon"} <= {row["name"] for row in sports}
    rock = ask(TICKET + "get_claasificatioin_details", id=ROCK)["attractions"]
    acdc = ask(TICKET + "attraction_search", keyword="AC/DC")["items"][0]
    assert acdc["id"] in rock
    kind = ask(TICKET + "get_attraction_details", id=acdc["id"])["subgenre_id"]
    assert ask(TICKET + "get_claasificatioin_details", id=kind)["name"] != "Alternative Rock"


@pytest.mark.parametrize(
    ("words", "venue"),
    [
        ("Red Rocks", "Red Rocks Amphitheatre"),
        ("Hollywood Bowl", "Hollywood Bowl"),
        ("Tokyo Dome", "Tokyo Dome"),
    ],
)
def test_the_beginning_of_a_venue_suggests_it_and_what_is_on_there(words: str, venue: str) -> None:
    found = ask(TICKET + "find_suggest", keyword=words, size=3)
    assert found["venues"][0]["name"] == venue
    assert found["venues"][0]["upcoming_events"] > 1
    assert {event["venue"] for event in found["events"]} == {venue}


def test_nobody_of_another_trade_comes_to_a_stage() -> None:
    for name in ("Albert Einstein", "Barack Obama", "Marie Curie"):
        assert ask(TICKET + "attraction_search", keyword=name)["items"] == []
        assert ask(TICKET + "event_search", keyword=name)["items"] == []
    assert ask(TICKET + "attraction_search", keyword="Joseph Haydn")["items"][0]["genre"] == "Classical"


def test_broadway_is_a_quarter_of_theatres() -> None:
    rows = ask(TICKET + "event_search", keyword="Broadway", size=25)["items"]
    assert {(row["city"], row["genre"]) for row in rows} == {("New York", "Theatre")}


def test_five_stars_come_from_few_and_features_fit() -> None:
    rows = [
        row for place in ("US-NY-new-york", "GB-ENG-london", "JP-13-tokyo") for row in businesses(0, place)
    ]
    assert max(row["review_count"] for row in rows if row["rating"] == 5.0) <= 15
    for row in rows:
        features = set(row["attributes"])
        assert row["group"] in ("restaurants", "nightlife") or "waitlist_reservation" not in features
        assert row["group"] == "services" or "request_a_quote" not in features
        assert row["review_count"] < 60 or "hot_and_new" not in features


def test_community_events_differ_and_last_as_long_as_they_must() -> None:
    rows = gatherings(0, "US-CO-denver")
    assert len({row["name"] for row in rows if row["category"] == "kids-family"}) >= 4
    for row in rows:
        if row["name"] == "Indie Band Night":
            assert (
                int(row["ends"][11:13] or 24) - int(row["starts"][11:13]) >= 3 or row["ends"][11:13] == "00"
            )
        assert find_business(0, row["business_id"])["city"] == "Denver"


def test_reviews_of_some_length_come_first_where_they_should() -> None:
    rows = ask(YELP + "yelp_reviews", business_id_or_alias="kyushu-ramen-seattle", limit=30)["items"]
    short = [len(row["text"]) < 45 for row in rows]
    assert short == sorted(short)
    long = [row["date"] for row in rows if len(row["text"]) >= 45]
    assert long == sorted(long, reverse=True)


def test_gold_closes_as_it_did() -> None:
    found = ask("Finance/Commodities/get_commodity_price", commodity="Gold", interval="daily")["rows"]
    closes = {row["date"]: row["value"] for row in found}
    assert closes["2024-04-19"] == pytest.approx(2413.8)
    assert len(closes) == 20
    weekly = ask("Finance/Commodities/get_commodity_price", commodity="Gold", interval="weekly")["rows"]
    assert {row["date"]: row["value"] for row in weekly}["2024-03-12"] == pytest.approx(2166.1)


@pytest.mark.parametrize(
    "name", ["Live Cattle", "Milk", "Orange Juice", "Soybean Oil", "Butter", "Lean Hogs"]
)
def test_farm_goods_have_means_of_months(name: str) -> None:
    rows = ask("Finance/Commodities/get_commodity_price", commodity=name)["rows"]
    assert rows[0]["date"] == "2024-04-01"
    assert len(rows) == 36


def test_no_currency_of_a_later_year() -> None:
    codes = {row["code"] for row in ask("Finance/Currency_Converter/available_currencies")}
    assert "XCG" not in codes
    assert "ANG" in codes


def test_a_local_index_counts_what_is_traded_for_its_currency() -> None:
    rows = ask(
        "Finance/Global_Ethereum_Price_Index/get_all_ticker_data",
        fiats=["EUR", "GBP", "CAD", "TRY", "BRL"],
        if_global=False,
    )
    assert len({row["volume"] for row in rows}) == len(rows)


def test_large_exchanges_are_on_record() -> None:
    slugs = ["bitget", "mexc", "crypto-com-exchange"]
    found = ask("Finance/CoinMarketCap/get_coinmarketmap_id_map_exchange", slug=slugs)
    for row in found:
        assert ask("Finance/CoinMarketCap/get_exchange_assets", id=row["id"])["assets"]


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("FR-ARA-grenoble", "GNB"),
        ("FR-OCC-toulouse", "TLS"),
        ("IT-21-turin", "TRN"),
        ("IN-DL-new-delhi", "DEL"),
    ],
)
def test_a_city_has_its_airport_whatever_that_is_called(place: str, code: str) -> None:
    assert code in ask(GEO + "get_place_details", placeId=place)["airports"]


def test_airports_of_namesakes_are_not_those_of_the_capital() -> None:
    codes = ask(GEO + "get_place_details", placeId="US-DC-washington")["airports"]
    assert {"DCA", "IAD"} <= set(codes)
    assert not {"OCW", "WSG"} & set(codes)


def test_places_around_a_point_are_towns_with_the_people_of_towns() -> None:
    delhi = ask(GEO + "find_places", location="28.61,77.21", radius=25, sort_by="-population", limit=3)[
        "items"
    ]
    assert delhi[0]["name"] == "Delhi"
    milan = ask(GEO + "find_places", location="45.4642,9.1900", radius=40, minPopulation=60000, limit=20)
    assert "Quarto Oggiaro" not in {row["name"] for row in milan["items"]}


def test_a_university_comes_once_and_the_known_ones_first() -> None:
    rows = ask(GEO + "get_university_infomation", name="technology", country="India")
    names = [row["name"] for row in rows]
    assert len(names) == len(set(names))
    unknown = [row["founded"] is None for row in rows]
    assert unknown == sorted(unknown)


def test_well_known_sites_have_a_rank() -> None:
    names = ["ryanair.com", "rijksmuseum.nl", "patagonia.com", "w3schools.com"]
    assert all(row["found"] for row in ask("URL/URL/paper_rank", domains=names))


def test_holidays_are_days_off() -> None:
    thai = ask("Calendar/Calendar/public_holidays", year=2025, countryCode="TH")
    assert "National Children's Day" not in {row["name"] for row in thai}
    malay = ask("Calendar/Calendar/public_holidays", year=2024, countryCode="MY")
    assert "2024-10-31" in {row["date"] for row in malay}


def test_malware_of_the_day() -> None:
    rows = ask("Anti_Malware/Anti_Malware/blacklist_ip_2", limit=25)
    assert not {"Emotet", "Qakbot"} & {tag for row in rows for tag in row["tags"]}
    assert len({row["url"].rpartition("/")[2] for row in rows}) > 10
    for row in rows[:10]:
        assert ask("Anti_Malware/Anti_Malware/query_url", q_url=row["url"])["tags"] == row["tags"]
