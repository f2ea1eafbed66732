"""What readers found last in the tools of money, work, evenings out and houses of the quarter."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.shared.billings import coming_events
from toolyard.world.shared.business_hours import is_open
from toolyard.world.shared.businesses import businesses, listed_businesses
from toolyard.world.worlds.finance.coins import coin_of, coin_quote
from toolyard.world.worlds.finance.gatherings import gatherings
from toolyard.world.worlds.finance.yelp_voices import review_text, trade_of
from toolyard.world.worlds.job.adverts import called
from toolyard.world.worlds.job.postings import postings

NEW_YORK = "US-NY-new-york"


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def _told(world: World, tool: str, /, **arguments: Any) -> Any:
    answer = call(world, tool, arguments)
    assert not answer.error, answer.value
    return answer.value


def _refused(world: World, tool: str, /, **arguments: Any) -> str:
    answer = call(world, tool, arguments)
    assert answer.error
    return str(json.loads(answer.text)["error"]["message"])


# Coins and figures


def test_half_years_of_prices_are_those_that_were_published(world: World) -> None:
    rows = _told(world, "Finance/Economic_Indicators/get_us_cpi", interval="semiannual")["data"]
    halves = {row["date"]: row["value"] for row in rows}
    assert [halves[f"{day}-01"] for day in ("2023-01", "2022-07", "2018-07", "2013-01", "2011-01")] == [
        302.408, 296.963, 252.125, 232.366, 223.598,
    ]  # fmt: skip


def test_former_coins_have_no_rank(world: World) -> None:
    tool = "Finance/CoinMarketCap/get_cryptocurrency_coinmarketcap_id_map"
    former = _told(world, tool, listing_status=["inactive", "untracked"])
    assert former
    assert {row["rank"] for row in former} == {None}
    last = _told(world, tool, listing_status=["active", "inactive"], if_sort_by_id=False, start=130, limit=40)
    ranks = [row["rank"] for row in last if row["rank"]]
    assert ranks == list(range(130, 130 + len(ranks)))
    assert last[-1]["rank"] is None
    quote = _told(world, "Finance/CoinMarketCap/get_cryptocurrency_quotes_latest_v2", symbol=["BCC"])[0]
    assert quote["extra"]["cmc_rank"] is None


def test_the_listing_has_only_coins_that_are_traded(world: World) -> None:
    rows = _told(world, "Finance/CoinMarketCap/get_cryptocurrency_listing_latest", limit=200)["items"]
    assert all(row["quote_usd"]["price"] > 0 for row in rows)
    assert len({row["cmc_rank"] for row in rows}) == len(rows)


@pytest.mark.parametrize(
    ("symbol", "least", "most"),
    [("FDUSD", 2e9, 1e10), ("DAI", 1e8, 6e8), ("USDT", 3e10, 9e10), ("LEO", 5e5, 6e6)],
)
def test_coins_are_traded_as_much_as_they_are(world: World, symbol: str, least: float, most: float) -> None:
    coin = coin_of(symbol)
    assert coin is not None
    assert least < coin_quote(world, coin)["volume_24h"] < most


def test_coins_are_described_in_words_of_their_own(world: World) -> None:
    rows = _told(
        world,
        "Finance/CoinMarketCap/get_cryptocurrency_metadata_v2",
        symbol=["ETH", "SHIB"],
        aux=["description"],
    )
    texts = {row["symbol"]: row["description"] for row in rows}
    assert "Vitalik Buterin" in texts["ETH"]
    assert "at most" not in texts["SHIB"]
    assert "coins known here" not in str(_told(world, "Finance/CoinMarketCap/get_exchange_metadata", id=270))


def test_hints_name_the_tool_that_lists(world: World) -> None:
    coins, funds, tickets = "Finance/CoinMarketCap/", "Finance/Latest_Mutual_Fund_NAV/", "Location/Ticket/"
    said = [
        _refused(world, f"{coins}get_cryptocurrency_categories", slug=["no-such-coin"]),
        _refused(world, f"{funds}fetch_historical_nav", date="2023-01-02", MutualFundFamily="Vanguard"),
        _refused(world, "Finance/Yelp/yelp_category_details", alias="spaceships"),
        _refused(world, f"{tickets}get_attraction_details", id="XX"),
        _refused(world, f"{tickets}get_venue_details", id="XX"),
    ]
    lists = (
        "coinmarketcap_id_map", "fetch_all_mutual_fund_families", "yelp_all_categories", "attraction_search", "venue_search",
    )  # fmt: skip
    assert all(f"{name} lists them" in message for name, message in zip(lists, said, strict=True))


# Yelp


def test_clubs_open_at_night_and_offices_on_weekdays() -> None:
    rows = {row["category_aliases"][0]: row for row in businesses(0, NEW_YORK)}
    assert all(span is None or span[0] >= 21 * 60 for span in rows["danceclubs"]["hours"])
    for kind in ("dentists", "lawyers", "physicians"):
        assert rows[kind]["hours"][5:] == [None, None]
    assert None not in rows["gyms"]["hours"]
    assert is_open([(1320, 1680), *[None] * 6], 1, 180)
    assert not is_open([(1320, 1680), *[None] * 6], 1, 300)


def test_prices_fit_what_is_eaten() -> None:
    rows = listed_businesses(0, NEW_YORK)
    quick = [
        row["price"]
        for row in rows
        if row["category_aliases"][0] in ("sandwiches", "delis", "bagels", "burgers")
    ]
    assert quick
    assert max(quick) <= 2
    always = [row for row in rows if row["group"] == "restaurants" and row["hours"] == [(0, 1440)] * 7]
    assert len(always) < 0.1 * len([row for row in rows if row["group"] == "restaurants"])


@pytest.mark.parametrize(
    ("city", "term", "kind"),
    [("Nashville", "barbecue", "bbq"), ("Las Vegas", "buffet", "buffets"), ("New York", "bagels", "bagels"),
     ("Berlin", "Currywurst", "german"), ("Lyon", "bouchon", "french"), ("Philadelphia", "cheesesteak", "cheesesteaks"),
     ("Seattle", "coffee", "coffee")],
)  # fmt: skip
def test_what_is_asked_for_comes_first(world: World, city: str, term: str, kind: str) -> None:
    rows = _told(world, "Finance/Yelp/yelp_search", location=city, term=term)["items"]
    assert [row["categories"][0] for row in rows[:3]] == [kind] * 3


def test_a_doner_is_a_kebab(world: World) -> None:
    tool = "Finance/Yelp/yelp_food_delivery_search"
    found = [
        [row["id"] for row in _told(world, tool, location="Berlin", term=term)] for term in ("döner", "kebab")
    ]
    assert found[0] == found[1]
    assert len(found[0]) > 4


@pytest.mark.parametrize(
    ("term", "city", "never"),
    [("plumber", "Chicago", ("come back to", "favourite", "table")), ("McDonald's", "Houston", ("owner", "Book ahead")),
     ("coffee", "Seattle", ("shared the coffee", "asked for more")), ("pharmacy", "Madrid", ("Loud", "appointment")),
     ("nightclub", "Berlin", ("Mornings", "Careful work"))],
)  # fmt: skip
def test_reviews_speak_of_the_trade(world: World, term: str, city: str, never: tuple[str, ...]) -> None:
    rows = _told(world, "Finance/Yelp/yelp_search", location=city, term=term)["items"][:3]
    texts = [
        review["text"]
        for row in rows
        for review in _told(world, "Finance/Yelp/yelp_reviews", business_id_or_alias=row["id"])["items"]
    ]
    assert not [text for text in texts if any(part in text for part in never)]


def test_reviews_of_a_house_do_not_repeat_each_other() -> None:
    hotels = [row for row in listed_businesses(0, NEW_YORK) if row["category_aliases"][0] == "hotels"]
    for row in hotels[:4]:
        assert trade_of(row) == "stay"
        texts = Counter(review_text(row, rating, number) for number in range(12) for rating in (5,))
        assert max(texts.values()) <= 2


def test_every_kind_of_community_event_is_there(world: World) -> None:
    rows = gatherings(0, NEW_YORK)
    assert {"nightlife", "fashion", "other"} < {row["category"] for row in rows}
    assert max(Counter(row["name"] for row in rows).values()) == 1


def test_events_are_held_where_they_fit() -> None:
    hosts = {row["id"]: row["category_aliases"][0] for row in businesses(0, NEW_YORK)}
    told = {row["name"]: row for row in gatherings(0, NEW_YORK)}
    assert {
        hosts[told[name]["business_id"]] for name in ("Jazz in the Park", "Park Run", "Open-Air Cinema")
    } == {"parks"}
    assert hosts[told["Museum Late Night"]["business_id"]] == "museums"
    assert told["Cooking Class"]["cost"] is not None
    assert told["Cooking Class"]["attending_count"] <= 16
    assert told["Local History Lecture"]["attending_count"] <= 60


# Work


def test_adverts_name_tasks_of_the_work(world: World) -> None:
    rows = _told(world, "Job/Google_Jobs/google_jobs_search", query="barista new york")["jobs_results"]
    assert len({row["description"].split(".")[1] for row in rows}) > 4
    assert any("grinder" in row["description"] for row in rows)
    assert Counter(row["company_name"] for row in rows)["Eleven Madison Park"] < 4
    assert (called("The Goldman Sachs Group, Inc."), called("The Savoy")) == ("Goldman Sachs", "The Savoy")


def test_work_is_offered_at_levels_that_it_has() -> None:
    titles = {row["title"] for row in postings(0)}
    assert not [title for title in titles if title.endswith(("Manager Intern", "Consultant Intern"))]
    assert "Junior Chef" not in titles


def test_who_must_be_trained_is_not_taught_from_nothing(world: World) -> None:
    rows = _told(world, "Job/Google_Jobs/google_jobs_search", query="junior electrician in Sydney")[
        "jobs_results"
    ]
    junior = next(row for row in rows if row["title"] == "Junior Electrician")
    assert "No experience" not in junior["description"]
    listing = _told(world, "Job/Google_Jobs/google_jobs_listing_search", job_id=junior["job_id"])
    assert "newly qualified people welcome" in listing["highlights"]


def test_hospitals_hire_therapists_and_restaurants_no_marketing_managers(world: World) -> None:
    tool = "Job/Google_Jobs/google_jobs_search"
    found = _told(world, tool, query="physiotherapist in Boston")["jobs_results"]
    assert not [row for row in found if "Services" in row["company_name"]]
    found = _told(world, tool, query="marketing manager in Berlin")["jobs_results"]
    assert not [row for row in found if "Kitchen" in row["company_name"]]


def test_ratings_of_an_employer_agree(world: World) -> None:
    row = _told(world, "Job/Google_Jobs/google_jobs_search", query="truck driver in Dallas")["jobs_results"][
        0
    ]
    ratings = _told(world, "Job/Google_Jobs/google_jobs_listing_search", job_id=row["job_id"])["ratings"]
    assert [set(rating) for rating in ratings] in ([], [{"source", "rating"}])


def test_cities_and_industries_by_their_other_names(world: World) -> None:
    found = _told(world, "Job/Google_Jobs/google_jobs_search", query="waiter in München")["jobs_results"]
    assert {row["location"] for row in found} == {"Munich, Germany"}
    banks = _told(world, "Job/the_muse/search_companies", industry=["Banking"])["results"]
    assert {row["industry"] for row in banks} == {"Banks"}


def test_a_company_names_all_offices_that_the_search_finds(world: World) -> None:
    rows = _told(world, "Job/the_muse/search_companies", location=["Tokyo"], size="Large Size")["results"]
    for row in rows[:6]:
        company = _told(world, "Job/the_muse/search_company_by_id", company_id=row["id"])
        assert "Tokyo, Japan" in company["locations"]


# Tickets


def test_a_house_has_one_evening_at_a_time() -> None:
    booked = Counter(
        (row["venue_id"], row["date"]) for row in coming_events(0) if row["id"].startswith("G5x")
    )
    assert max(booked.values()) == 1


def test_music_is_played_where_it_fits() -> None:
    rows = [row for row in coming_events(0) if row["id"].startswith("G5x") and row["segment"] == "Music"]
    genres = {
        name: {row["genre"] for row in rows if row["venue"] == name}
        for name in ("Wigmore Hall", "Ronnie Scott's", "Bataclan")
    }
    assert genres["Wigmore Hall"] <= {"Classical", "Jazz", "World"}
    assert genres["Ronnie Scott's"] <= {"Jazz", "Blues"}
    assert "Classical" not in genres["Bataclan"]
    houses = {row["venue"] for row in coming_events(0) if row["attraction"] == "Lord of the Dance"}
    assert "La Scala" not in houses


def test_no_team_is_made_up_and_nuts_are_cracked_at_christmas() -> None:
    rows = [row for row in coming_events(0) if row["id"].startswith("G5v")]
    assert not [row for row in rows if row["segment"] == "Sports"]
    assert {row["date"][5:7] for row in rows if row["attraction"] == "The Nutcracker"} <= {"11", "12"}


def test_who_plays_what(world: World) -> None:
    tool = "Location/Ticket/attraction_search"
    found = {
        name: _told(world, tool, keyword=name)["items"][0]["genre"]
        for name in ("Lang Lang", "Idina Menzel", "Arijit Singh")
    }
    assert found == {"Lang Lang": "Classical", "Idina Menzel": "Pop", "Arijit Singh": "World"}


def test_what_is_for_families(world: World) -> None:
    rows = _told(world, "Location/Ticket/attraction_search", includeFamily="only", size=25)["items"]
    names = {row["name"] for row in rows}
    assert {"The Lion King", "Circus Aurora"} <= names
    assert not names & {"UFC", "WWE", "Formula 1", "Los Angeles Philharmonic"}


def test_the_games_are_suggested_alone(world: World) -> None:
    found = _told(world, "Location/Ticket/find_suggest", keyword="Olympics")["attractions"]
    assert [row["name"] for row in found] == ["Olympic Games Paris 2024"]


def test_opera_houses_have_operas(world: World) -> None:
    for name in ("La Scala", "Sydney Opera House"):
        venue = _told(world, "Location/Ticket/venue_search", keyword=name)["items"][0]
        assert venue["upcoming_events"] > 4
    closed = [row for row in coming_events(0) if row["venue"] == "La Scala" and row["genre"] == "Opera"]
    assert not [row for row in closed if date.fromisoformat(row["date"]).month in (7, 8)]


def test_comedy_can_be_found_in_a_state(world: World) -> None:
    for state in ("CA", "NY"):
        assert _told(world, "Location/Ticket/event_search", keyword="comedy", stateCode=state)["total"] > 3
