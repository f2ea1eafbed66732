"""Ball games, advice, jokes, collectives and boards as a reader of single answers meets them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World
from toolyard.world.worlds.competition.sports.core import leagues
from toolyard.world.worlds.social.collectives import collectives, is_local, transactions_of


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def answer(world: World, tool: str, **arguments: object) -> Any:
    result = call(world, tool, dict(arguments))
    assert result.error is None, result.text
    return json.loads(result.text)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("saving money for retirement", "Save a part of your income"),
        ("investing", "Do not invest"),
        ("planning a wedding", "At a wedding"),
        ("learning Spanish", "Speak the new language"),
        ("quitting smoking", "Tie a new habit"),
    ],
)
def test_advice_that_fits_best_comes_first(world: World, query: str, first: str) -> None:
    found = answer(world, "Advice/Advice_slip/search_advice", query=query)["slips"]
    assert found[0]["advice"].startswith(first)


def test_chances_in_per_cent_add_up(world: World) -> None:
    for fixture in range(210270, 210351, 3):
        row = answer(world, "Competition/API_FOOTBALL/predictions", fixture=fixture)
        assert row["home_percent"] + row["draw_percent"] + row["away_percent"] == 100


@pytest.mark.parametrize(("season", "clubs"), [(2017, 20), (2022, 20), (2023, 18), (None, 18)])
def test_a_league_has_the_clubs_of_the_season_asked_for(world: World, season: int | None, clubs: int) -> None:
    asked = {"id": 61} if season is None else {"id": 61, "season": season}
    assert [row["clubs"] for row in answer(world, "Competition/API_FOOTBALL/leagues", **asked)] == [clubs]


def _line(world: World, game: int) -> float:
    odds = answer(world, "Competition/API_BASKETBALL/odds", game=game, bookmaker=8, bet=4)
    text: str = odds["items"][0]["bookmakers"][0]["bets"][0]["values"][0]["value"]
    return float(text.removeprefix("Over "))


def test_fast_teams_have_higher_lines(world: World) -> None:
    pacers, knicks_sixers, lakers = _line(world, 59269), _line(world, 59208), _line(world, 59206)
    assert knicks_sixers < lakers < pacers
    assert leagues()["nba"].last == 2023


def test_a_team_outside_the_group_asked_for_is_told(world: World) -> None:
    result = call(
        world,
        "Competition/API_BASKETBALL/standings",
        {"league": 12, "season": 2016, "team": 137, "group": "Western Conference"},
    )
    assert result.error == "invalid_value"
    assert "Eastern Conference" in result.text


def test_no_payment_is_made_up_for_a_real_maintainer() -> None:
    for row in collectives():
        if not is_local(row):
            spent = [one for one in transactions_of(0, row["slug"]) if one.amount < 0]
            assert {one.member.role for one in spent} == {"CONTRIBUTOR"}, row["slug"]


@pytest.mark.parametrize("step", range(0, 105, 5))
def test_there_is_something_to_do_for_every_twentieth(world: World, step: int) -> None:
    answer(world, "Advice/Bored/get_activity_by_price", price=step / 100)
    answer(world, "Advice/Bored/get_activity_by_accessibility", accessibility=step / 100)


def test_odds_of_a_day_have_that_day(world: World) -> None:
    found = answer(
        world, "Competition/API_FOOTBALL/odds", date="2024-05-16", timezone="Asia/Tokyo", bookmaker=8, bet=1
    )
    assert {row["date"] for row in found["items"]} == {"2024-05-16"}
