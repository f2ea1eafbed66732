"""Ball games, races, contests and boards, read a tenth time: one test for each kind of fault found."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World

BASKETBALL, FOOTBALL = "Competition/API_BASKETBALL", "Competition/API_FOOTBALL"


def ask(tool: str, **arguments: Any) -> Any:
    outcome = call(World.fresh(0), tool, arguments)
    assert outcome.error is None, outcome.text
    return outcome.value


def refused(tool: str, **arguments: Any) -> str:
    outcome = call(World.fresh(0), tool, arguments)
    assert outcome.error == "not_found", outcome.text
    return outcome.text


def test_statistics_count_the_games_of_the_last_day() -> None:
    asked = {"league": 13, "season": 2024, "team": 166}
    assert ask(f"{BASKETBALL}/teams_statistics", **asked, date="2024-05-13")["all"]["played"] == 0
    assert ask(f"{BASKETBALL}/teams_statistics", **asked, date="2024-05-14")["all"]["points_for"] == 71
    # The season of the NBL is over long before that of the NBA.
    found = ask(f"{BASKETBALL}/standings", league=5, season=2023)[0]
    done = ask(
        f"{BASKETBALL}/teams_statistics", league=5, season=2023, team=found["team_id"], date="2024-03-01"
    )
    assert done["all"]["played"] == 28


def test_leagues_known_by_name_stay_where_a_season_is_asked_for() -> None:
    found = ask(f"{FOOTBALL}/leagues", code="BR", type="league", season=2023)
    assert [row["name"] for row in found] == ["Serie A", "Serie B"]
    assert {row["name"] for row in ask(f"{FOOTBALL}/leagues", country="Japan", type="cup")} >= {"Emperor Cup"}
    assert ask(f"{FOOTBALL}/leagues", country="United Kingdom")[0]["country"] == "England"
    assert ask(f"{BASKETBALL}/leagues", country="Germany", season=2023)[0]["name"] == "BBL"
    assert [row["name"] for row in ask(f"{BASKETBALL}/leagues", season=2024)] == ["WNBA"]


F1 = "Competition/Ergast_F1"


@pytest.mark.parametrize(
    ("season", "number", "day"),
    [(1950, 1, "1950-05-13"), (1976, 16, "1976-10-24"), (1988, 13, "1988-09-25"), (2005, 19, "2005-10-16")],
)
def test_races_before_2010_have_their_days(season: int, number: int, day: str) -> None:
    assert ask(f"{F1}/race_schedule", season=season, race=number)["items"][0]["date"] == day
    every = [ask(f"{F1}/race_schedule", season=year)["items"] for year in range(1950, 2025)]
    days = [row["date"] for year in every for row in year]
    assert days == sorted(days) and ask(f"{F1}/race_schedule")["total"] == len(days) == 1125


@pytest.mark.parametrize(
    ("tool", "asked", "told"),
    [
        ("finishing_status", {"season": 1988, "constructor_id": "mclaren"}, "begin in 2010"),
        ("finishing_status", {"season": 1970, "constructor_id": "brabham"}, "begin in 2010"),
        ("finishing_status", {"season": 2024, "race": 20}, "2024-10-27"),
        ("qualifying_results", {"season": 2024, "race": 20}, "2024-10-27"),
        ("driver_information", {"season": 1988, "constructor_id": "mclaren"}, "begin in 2010"),
        ("driver_information", {"season": 1988, "driver_id": "mansell"}, "senna, prost, berger"),
        ("constructor_information", {"season": 1950, "constructor_id": "mclaren"}, "begin in 2010"),
        ("constructor_information", {"season": 1988, "driver_id": "senna"}, "begin in 2010"),
        ("race_results", {"season": 1988, "race": 1, "driver_id": "senna"}, "only the winner"),
    ],
)
def test_what_is_not_on_record_of_races_is_said(tool: str, asked: dict[str, Any], told: str) -> None:
    assert told in refused(f"{F1}/{tool}", **asked)
    assert ask(f"{F1}/circuit_information", season=1950, circuit_id="dallas")["total"] == 0


def test_the_old_archive_of_problems_has_no_tags() -> None:
    tool = "Competition/Codeforces/problem_set_problems"
    found = ask(tool, tags="", problem_set_name="acmsguru")
    assert found["total"] == 50 and found["items"][0]["name"] == "A+B"
    outcome = call(World.fresh(0), tool, {"tags": "greedy", "problem_set_name": "acmsguru"})
    assert "no tags" in outcome.text
