"""What coins did, where people fly, when curtains rise, and what rockets, problems and makes are told about."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.registry import registered


def said(tool: str, **arguments: object) -> Any:
    return json.loads(call(World.fresh(0), tool, arguments).text)


def _quote(symbol: str) -> dict[str, Any]:
    rows = said("Finance/CoinMarketCap/get_cryptocurrency_quotes_latest_v2", symbol=[symbol])
    return dict(rows[0]["quote_usd"])


@pytest.mark.parametrize(
    ("symbol", "week", "month"),
    [("BNB", -3.3, 3.0), ("SOL", 1.9, 4.6), ("XRP", -2.6, 1.2), ("DOGE", 2.6, -8.9), ("LINK", -5.4, -3.3),
     ("ADA", -4.2, -6.1), ("TON", 19.0, 4.6), ("DOT", -6.0, -2.0), ("AVAX", -5.5, -8.5)],
)  # fmt: skip
def test_changes_of_large_coins_are_those_of_the_record(symbol: str, week: float, month: float) -> None:
    quote = _quote(symbol)
    assert quote["percent_change_7d"] == pytest.approx(week, abs=1.0)
    assert quote["percent_change_30d"] == pytest.approx(month, abs=1.0)


@pytest.mark.parametrize("symbol", ["FIL", "PEPE", "SHIB", "BCH"])
def test_changes_that_are_not_on_record_are_left_out(symbol: str) -> None:
    quote = _quote(symbol)
    assert quote["percent_change_7d"] is None
    assert quote["percent_change_30d"] is None


def test_a_coin_that_stands_for_another_moves_like_it() -> None:
    assert _quote("WBTC")["percent_change_7d"] == _quote("BTC")["percent_change_7d"]
    assert _quote("USDT")["percent_change_30d"] == 0


@pytest.mark.parametrize("ascending", [True, False])
def test_coins_without_a_change_come_last(ascending: bool) -> None:
    tool = "Finance/CoinMarketCap/get_cryptocurrency_listing_latest"
    rows = said(tool, sort="percent_change_7d", if_sort_asc=ascending, limit=100)["items"]
    changes = [row["quote_usd"]["percent_change_7d"] for row in rows]
    known = [change for change in changes if change is not None]
    assert changes[: len(known)] == sorted(known, reverse=not ascending)


def _cities(origin: str) -> list[str]:
    rows = said("Travel/Flight_Data_v1/popular_directions_from_city", origin=origin, currency="EUR")
    return [row["city"] for row in rows]


def test_most_leave_iceland_for_the_cities_on_record() -> None:
    found = _cities("KEF")
    assert found[:2] == ["London", "Copenhagen"]
    assert {"New York", "Boston", "Amsterdam"} <= set(found)


def test_without_passengers_on_record_airlines_are_counted() -> None:
    assert {"London", "Dubai"} <= set(_cities("NBO"))
    assert "most airlines" in str(registered("Travel/Flight_Data_v1/popular_directions_from_city").document)


@pytest.mark.parametrize("show", ["Mamma Mia!", "The Phantom of the Opera", "Hamilton", "Wicked"])
def test_london_runs_begin_at_half_past_seven_or_at_an_hour_not_told(show: str) -> None:
    rows = said("Location/Ticket/event_search", keyword=show, countryCode="GB", size=20)["items"]
    assert rows
    assert {row["starts"][10:] for row in rows} <= {"T19:30:00", ""}
    assert "T19:30:00" in {row["starts"][10:] for row in rows}


def test_a_day_without_an_hour_is_found_by_its_day() -> None:
    rows = said(
        "Location/Ticket/event_search",
        keyword="Hamilton",
        countryCode="US",
        startDateTime="2024-05-21T00:00:00Z",
        endDateTime="2024-05-21T23:59:59Z",
    )["items"]
    assert [row["starts"] for row in rows] == ["2024-05-21"]


def test_hamilton_is_not_given_in_london_on_sunday() -> None:
    rows = said("Search/CostumizeSearch/google_events_search", query="Hamilton musical in London")
    assert all(row["starts"][:10] != "2024-05-19" for row in rows)


def test_booster_and_ship_were_not_lost_at_one_moment() -> None:
    rows = said("News/space_news/get_news_articles", search="separates its stages")["items"]
    assert "booster blew up" in rows[0]["summary"]


@pytest.mark.parametrize(
    ("title", "rocket"),
    [("leaves Earth on Ariane 5", "Ariane 5"), ("Angara A5", "Angara A5"), ("Crew-4", "Falcon 9")],
)
def test_an_article_names_the_rocket_that_its_title_names(title: str, rocket: str) -> None:
    rows = said("News/space_news/get_news_articles", search=title)["items"]
    assert said("News/space_news/get_news_articles_by_id", id=rows[0]["id"])["rocket"] == rocket


def test_tags_of_problems() -> None:
    tool = "Competition/Codeforces/problem_set_problems"
    graphs = said(tool, tags="graphs")["items"]
    assert "Vlad and Avoiding X" not in {row["name"] for row in graphs}
    assert "no tags but *special" in str(registered(tool).document).replace("\n", " ")


def test_models_of_a_make_are_told_to_be_a_choice() -> None:
    rows = said("Vehicle/Vehicle/get_vehicle_types", name="BMW")
    assert next(row["models"] for row in rows if row["vehicle_type_name"] == "Motorcycle") > 12
    assert "a choice" in str(registered("Vehicle/Vehicle/get_vehicle_types").document)


@pytest.mark.parametrize("tool", ["head_2_head", "game"])
def test_games_of_which_the_day_is_known_say_whose_day_it_is(tool: str) -> None:
    assert "whatever zone is asked for" in str(registered(f"Competition/API_BASKETBALL/{tool}").document)
