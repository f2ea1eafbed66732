"""Ball games, collectives, boards and advice: what is refused, how it is ordered, and what it adds up to."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World

NBA, DONT_LIE = "Competition/API_NBA", "Competition/balldontlie"
BASKETBALL, FOOTBALL = "Competition/API_BASKETBALL", "Competition/API_FOOTBALL"


def value(tool: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), tool, arguments)
    assert observation.error is None, observation.text
    return observation.value


def refused(tool: str, **arguments: Any) -> str:
    observation = call(World.fresh(0), tool, arguments)
    assert observation.error in ("not_found", "invalid_value"), observation.text
    return observation.text or ""


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (f"{NBA}/games", {"date": "2024-01-15", "team": 2}),
        (f"{DONT_LIE}/get_all_games", {"dates": ["2023-11-08"]}),
        (f"{DONT_LIE}/get_all_games", {"start_date": "2024-01-01", "end_date": "2024-02-01"}),
        (f"{BASKETBALL}/game", {"league": 12, "date": "2024-01-15"}),
        (f"{BASKETBALL}/head_2_head", {"h2h": "2323-2325", "date": "2024-05-01"}),
        (f"{FOOTBALL}/fixtures", {"date": "2016-05-01"}),
        (f"{FOOTBALL}/odds", {"date": "2024-07-01"}),
        (f"{FOOTBALL}/fixtures", {"league": 2, "date": "2023-09-19"}),
        (f"{FOOTBALL}/fixtures_head_to_head", {"h2h": "42-541"}),
        (f"{DONT_LIE}/get_all_stats", {"player_ids": [328]}),
        (f"{NBA}/player_statistics", {"id": 356}),
    ],
)
def test_what_is_not_on_record_is_refused_and_says_what_is(tool: str, arguments: dict[str, Any]) -> None:
    assert "on record" in refused(tool, **arguments)


@pytest.mark.parametrize("day", ["2023-08-01", "2022-06-09", "2020-05-01"])
def test_a_day_on_which_no_game_was_played_has_none(day: str) -> None:
    assert value(f"{NBA}/games", date=day)["total"] == 0
    assert value(f"{DONT_LIE}/get_all_games", dates=[day])["total"] == 0


def test_days_of_play_offs_that_are_not_settled_say_so() -> None:
    assert "settled" in refused(f"{NBA}/games", date="2024-05-25")
    assert value(f"{NBA}/games", date="2024-05-14", team=2)["total"] == 0


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (f"{FOOTBALL}/fixtures", {"team": 40, "league": 140}),
        (f"{FOOTBALL}/fixtures", {"team": 1359, "league": 39, "season": 2020}),
        (f"{FOOTBALL}/fixtures", {"league": 39, "season": 2021, "date": "2019-12-26"}),
        (f"{FOOTBALL}/players", {"season": 2023, "team": 49, "league": 140}),
        (f"{BASKETBALL}/game", {"league": 12, "season": 2023, "team": 2323}),
        (f"{NBA}/standings", {"league": "standard", "season": 2021, "team": 17, "conference": "East"}),
        (f"{NBA}/teams", {"id": 17, "conference": "East"}),
        (f"{NBA}/players", {"team": 17, "season": 2016}),
    ],
)
def test_filters_that_exclude_each_other_are_refused(tool: str, arguments: dict[str, Any]) -> None:
    refused(tool, **arguments)


def test_the_latest_of_some_seasons_comes_first() -> None:
    games = value(f"{DONT_LIE}/get_all_games", seasons=[2015, 2016, 2019], per_page=100)["items"]
    seasons = [game["season"] for game in games]
    assert seasons == sorted(seasons, reverse=True) and set(seasons) == {2015, 2016, 2019}


@pytest.mark.parametrize(("player", "pounds"), [(406, 210), (328, 195), (159, 284), (185, 185), (276, 243)])
def test_players_weigh_what_they_are_listed_with(player: int, pounds: int) -> None:
    assert value(f"{DONT_LIE}/get_a_specific_player", player_id=player)["weight_pounds"] == pounds


@pytest.mark.parametrize("seed", [0, 7])
def test_the_better_team_of_the_season_is_the_favourite(seed: int) -> None:
    for row in value(f"{BASKETBALL}/odds", seed, league=12, season=2016, bookmaker=8)["items"]:
        bets = {bet["name"]: bet["values"] for bet in row["bookmakers"][0]["bets"]}
        home, away = (quote["odd"] for quote in bets["Home/Away"])
        assert (home < away) == (row["home"] == "Golden State Warriors")
        lines = [float(quote["value"].split()[1]) for quote in bets["Asian Handicap"]]
        assert lines[0] == -lines[1] != 0 and (lines[0] < 0) == (home < away)


def test_games_after_overtime_are_told() -> None:
    found = value(f"{BASKETBALL}/head_2_head", h2h="141-137", season=2017)["items"]
    assert [row["status"] for row in found] == ["FT", "AOT", "FT", "FT", "FT"]


def test_forms_count_the_nights_of_the_champions_league() -> None:
    final = value(f"{FOOTBALL}/predictions", fixture=212400)
    assert final["home"]["form"] == "LWWWL" and final["away"]["form"] == "DWWWW"


def test_days_are_those_of_the_time_zone() -> None:
    found = value(f"{FOOTBALL}/fixtures", league=2, season=2018, from_date="2019-04-11", to_date="2019-04-12",
                  timezone="Asia/Tokyo")  # fmt: skip
    assert [row["fixture"]["date"] for row in found["items"]] == ["2019-04-11", "2019-04-11"]
    assert value(f"{FOOTBALL}/fixtures", ids="198772-198772")["total"] == 1
    assert len(value(f"{FOOTBALL}/countries", code="GB")) == 4


def test_names_are_read_as_people_write_them() -> None:
    for name, full in (("jokić", "Nikola Jokic"), ("Porter", "Michael Porter Jr.")):
        assert [row["name"] for row in value(f"{NBA}/players", name=name)["items"]] == [full]
    assert [row["code"] for row in value(f"{NBA}/teams", name="Trail Blazers")] == ["POR"]


@pytest.mark.parametrize(
    ("query", "topic"),
    [
        ("making up after a quarrel with a friend", "conflict"),
        ("my kids will not listen", "parenting"),
        ("saving money for a house", "money"),
        ("how to learn Spanish", "language learning"),
        ("sleep", "sleep"),
    ],
)
def test_advice_is_found_by_its_subject(query: str, topic: str) -> None:
    found = value("Advice/Advice_slip/search_advice", query=query)
    assert found["slips"][0]["topic"] == topic and found["total_results"] >= len(found["slips"])


@pytest.mark.parametrize("seed", [0, 3])
def test_collectives_have_money_left_and_met_when_they_could(seed: int) -> None:
    for slug in ("socketio", "networkx", "manim", "qubes-os", "riverbank-repair-cafe"):
        info = value("Social/Open_Collective/get_collective_info", seed, collectiveSlug=slug)
        assert 0 < info["balance"] < info["total_raised"]
    events = value("Social/Open_Collective/list_events", seed, collectiveSlug="riverbank-repair-cafe")[
        "items"
    ]
    assert not [row for row in events if "2020-03-14" <= row["starts"] <= "2021-07-31"]
