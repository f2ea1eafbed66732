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


@pytest.mark.parametrize(
    ("group", "asked", "told"),
    [
        (FOOTBALL, {"code": "BR", "type": "league", "season": 2023}, "Serie A, Brazil"),
        (FOOTBALL, {"country": "South Korea", "type": "cup"}, "South Korea"),
        (BASKETBALL, {"country": "Germany", "season": 2023}, "BBL"),
        (BASKETBALL, {"country": "Spain", "code": "FR"}, "leave a filter out"),
    ],
)
def test_no_league_that_fits_is_said(group: str, asked: dict[str, Any], told: str) -> None:
    assert told in refused(f"{group}/leagues", **asked)
    assert {row["name"] for row in ask(f"{FOOTBALL}/leagues", country="Japan", type="cup")} >= {"Emperor Cup"}
