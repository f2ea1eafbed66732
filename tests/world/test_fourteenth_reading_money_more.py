"""More that readers found in the tools of money, work, evenings out and houses of the quarter."""

from __future__ import annotations

from datetime import date
from statistics import mean
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.shared.billings import coming_events
from toolyard.world.shared.businesses import businesses, listed_businesses, more_businesses
from toolyard.world.state import EPOCH
from toolyard.world.worlds.finance.coin_tools import _texts
from toolyard.world.worlds.finance.coins import listed_coins
from toolyard.world.worlds.finance.gatherings import gatherings
from toolyard.world.worlds.finance.yelp_voices import review_text
from toolyard.world.worlds.job.postings import postings

NEW_YORK = "US-NY-new-york"


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def _told(world: World, tool: str, /, **arguments: Any) -> Any:
    answer = call(world, tool, arguments)
    assert not answer.error, answer.value
    return answer.value


@pytest.mark.parametrize("name", ["Cocoa", "Coffee", "Tin", "Rice"])
def test_the_days_of_a_month_have_its_mean(world: World, name: str) -> None:
    tool = "Finance/Commodities/get_commodity_price"
    days = _told(world, tool, commodity=name, interval="daily")["rows"]
    months = {row["date"][:7]: row["value"] for row in _told(world, tool, commodity=name)["rows"]}
    april = mean(row["value"] for row in days if row["date"].startswith("2024-04"))
    assert april == pytest.approx(months["2024-04"], rel=0.06)


def test_every_listed_coin_has_a_text() -> None:
    assert not [
        row["slug"] for row in listed_coins() if row["slug"] not in _texts() and row["status"] != "untracked"
    ]


# Yelp


def test_branches_of_two_chains_are_two_businesses(world: World) -> None:
    tool = "Finance/Yelp/yelp_search"
    ids = [
        {row["id"] for row in _told(world, tool, location="New York", term=name)["items"]}
        for name in ("McDonald's", "Burger King", "Starbucks", "KFC")
    ]
    assert len(set().union(*ids)) == sum(map(len, ids)) == 12
    found = _told(world, "Finance/Yelp/yelp_business_details", business_id_or_alias=min(ids[1]))
    assert (found["name"], found["price"], len(found["hours"])) == ("Burger King", "$", 7)
    assert "reservation" not in found["attributes"]


@pytest.mark.parametrize(
    ("city", "term", "kind"),
    [("Kyoto", "ryokan", "hotels"), ("Istanbul", "hammam", "spas"), ("Munich", "beer garden", "german"),
     ("Chicago", "hot dogs", "hotdogs"), ("New Orleans", "gumbo", "soulfood")],
)  # fmt: skip
def test_what_places_are_known_for_is_found(world: World, city: str, term: str, kind: str) -> None:
    rows = _told(world, "Finance/Yelp/yelp_search", location=city, term=term)["items"]
    assert rows[0]["categories"][0] == kind


def test_a_dish_that_no_category_names_is_eaten_in_a_restaurant(world: World) -> None:
    rows = _told(world, "Finance/Yelp/yelp_search", location="Zurich", term="fondue")["items"]
    assert all("restaurants" in row["categories"] for row in rows)


def test_features_fit_the_kind() -> None:
    rows = (*listed_businesses(0, NEW_YORK), *more_businesses(0, NEW_YORK))
    of = {
        kind: [row for row in rows if row["category_aliases"][0] == kind]
        for kind in ("zoos", "parks", "pharmacy", "bars")
    }
    assert not [row for row in of["zoos"] if "request_a_quote" in row["attributes"]]
    assert not [row for row in of["parks"] if "deals" in row["attributes"]]
    assert max(row["price"] for row in of["pharmacy"]) <= 2
    assert max(row["price"] for row in of["bars"]) <= 3


@pytest.mark.parametrize(
    ("kind", "never"),
    [("parks", "ticket"), ("zoos", "rooms"), ("libraries", "ticket"), ("carwash", "old part")],
)
def test_reviews_of_parks_and_car_washes(kind: str, never: str) -> None:
    rows = [
        row
        for row in (*businesses(0, NEW_YORK), *more_businesses(0, NEW_YORK))
        if row["category_aliases"][0] == kind
    ]
    texts = [review_text(row, rating, number) for row in rows for rating in (2, 3, 5) for number in range(12)]
    assert texts
    assert not [text for text in texts if never in text]


def test_terms_and_chains_by_two_letters(world: World) -> None:
    tool = "Finance/Yelp/yelp_autocomplete"
    assert _told(world, tool, text="mc", location="London")["terms"] == ["McDonald's"]
    assert "bubble tea" in _told(world, tool, text="bu", location="New York")["terms"]


def test_a_night_out_may_pass_midnight() -> None:
    night = next(row for row in gatherings(0, NEW_YORK) if row["name"] == "Eighties Night")
    assert night["ends"][:10] > night["starts"][:10]
    assert all(row["id"].isascii() and "--" not in row["id"] for row in gatherings(0, NEW_YORK))


# Work


def test_most_of_what_is_listed_is_new() -> None:
    ages = [(EPOCH.date() - date.fromisoformat(row["posted"])).days for row in postings(0)]
    assert sum(age <= 7 for age in ages) > 0.3 * len(ages)
    assert max(ages) < 45


def test_pay_of_nurses_and_teachers_abroad(world: World) -> None:
    tool = "Job/job_search/get_salary_estimation"
    assert 38_000 < _told(world, tool, job_title="Nurse", location="Berlin")[0]["median_salary"] < 47_000
    assert 50_000 < _told(world, tool, job_title="Teacher", location="Germany")[0]["median_salary"] < 60_000


def test_jobs_of_the_employer_that_is_named_first(world: World) -> None:
    tool = "Job/Google_Jobs/google_jobs_search"
    found = _told(world, tool, query="google software engineer")["jobs_results"]
    assert {row["company_name"] for row in found[:3]} == {"Google"}
    assert {
        row["company_name"] for row in _told(world, tool, query="google jobs in london")["jobs_results"]
    } == {"Google"}
    assert _told(world, tool, query="Amazon warehouse jobs in Dallas")["total"] > 10


def test_bankers_work_at_banks(world: World) -> None:
    rows = _told(world, "Job/Google_Jobs/google_jobs_search", query="investment banker in London")[
        "jobs_results"
    ]
    assert rows
    assert not [row for row in rows if "Software" in row["company_name"]]
    teams = {
        row["description"].split("The team has ")[1].split()[0]
        for row in rows
        if "The team has" in row["description"]
    }
    assert "eight" not in teams


# Tickets


def test_tickets_are_sold_before_the_start() -> None:
    assert not [row["id"] for row in coming_events(0) if (row["on_sale_to"] or "") > row["starts"]]


def test_small_evenings_are_cheap() -> None:
    rows = [row for row in coming_events(0) if row["attraction"] == "Open Mic Night"]
    assert rows
    assert max(row["lowest_price"] or 0 for row in rows) < 15


def test_who_is_called_so_comes_first(world: World) -> None:
    tool = "Location/Ticket/attraction_search"
    assert _told(world, tool, keyword="Yankees")["items"][0]["name"] == "New York Yankees"
    assert "Wolfgang Amadeus Mozart" in {row["name"] for row in _told(world, tool, keyword="Mozart")["items"]}
    assert (
        _told(world, "Location/Ticket/event_search", keyword="circus")["items"][0]["name"]
        != "Dinosaurs Alive in Detroit"
    )


def test_philharmonics_have_concerts_and_no_rap() -> None:
    rows = [row for row in coming_events(0) if row["id"].startswith("G5x")]
    genres = {
        name: {row["genre"] for row in rows if row["venue"] == name}
        for name in ("Elbphilharmonie", "Carnegie Hall")
    }
    assert genres["Elbphilharmonie"] == {"Classical"} or genres["Elbphilharmonie"] <= {
        "Classical",
        "Jazz",
        "World",
    }
    assert genres["Elbphilharmonie"]
    assert not genres["Carnegie Hall"] & {"Rock", "Hip-Hop/Rap", "Dance/Electronic"}


def test_what_words_many_trades_share_do_not_decide(world: World) -> None:
    tool = "Finance/Yelp/yelp_search"
    first = {
        term: _told(world, tool, location="Chicago", term=term)["items"][0]["categories"][0]
        for term in (
            "Chinese food",
            "sandwich",
            "street food",
            "hotel with pool",
            "okonomiyaki",
            "ATM",
        )
    }
    assert list(first.values()) == [
        "chinese", "sandwiches", "foodtrucks", "hotels", "japanese", "banks",
    ]  # fmt: skip


def test_there_are_museums_around_the_eiffel_tower(world: World) -> None:
    found = _told(
        world, "Finance/Yelp/yelp_search", latitude=48.8584, longitude=2.2945, term="museum", radius=3000
    )
    assert found["total"] > 0


@pytest.mark.parametrize(
    ("kind", "never"), [("theater", "rooms"), ("movietheaters", "benches"), ("supermarkets", "broke in")]
)
def test_reviews_of_stages_and_markets(kind: str, never: str) -> None:
    rows = [row for row in more_businesses(0, NEW_YORK) if row["category_aliases"][0] == kind]
    texts = [review_text(row, rating, number) for row in rows for rating in (2, 3, 5) for number in range(12)]
    assert texts
    assert not [text for text in texts if never in text]


def test_adverts_tell_no_tasks_that_are_not_of_the_work(world: World) -> None:
    tool = "Job/Google_Jobs/google_jobs_search"
    texts = [
        row["description"] for row in _told(world, tool, query="architect in Copenhagen")["jobs_results"]
    ]
    assert not [text for text in texts if "run tests" in text or "Day to day" in text]
    texts = [row["description"] for row in _told(world, tool, query="hotel manager in Paris")["jobs_results"]]
    assert not [text for text in texts if "Tips" in text or "The team has" in text]


def test_genres_and_families_by_plain_words(world: World) -> None:
    tool = "Location/Ticket/event_search"
    assert {row["genre"] for row in _told(world, tool, keyword="blues")["items"]} == {"Blues"}
    kids = _told(world, tool, keyword="kids", countryCode="US")
    assert kids["total"] > 20
    assert "The Lion King" in {row["name"] for row in kids["items"]}
    assert not [row["name"] for row in coming_events(0) if "(ballet)" in row["name"]]
