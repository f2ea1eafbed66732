"""Football and basketball: what holds of games, tables and box scores under every seed, and what services show of them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.simulated.sports import box_scores as nba
from toolyard.world.simulated.sports import football_core as football
from toolyard.world.simulated.sports.core import all_teams, leagues, taking_part
from toolyard.world.simulated.sports.seasons import all_games, games, is_over, played
from toolyard.world.tools.competition.sports.api_nba_shapes import IDS as NBA
from toolyard.world.tools.competition.sports.balldontlie_shapes import IDS as BALL

SEEDS = (0, 1, 7)
NOW = World.fresh().now


def ask(tool: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), f"Competition/{tool}", arguments)
    assert observation.error is None, observation.text
    return observation.value


@pytest.mark.parametrize("league", [key for key in leagues() if key not in ("nba", "ucl")])
def test_everybody_meets_everybody_at_home_and_away_once(league: str) -> None:
    for season in (leagues()[league].first, leagues()[league].last):
        found = all_games(0, league, season)
        pairs = [(game.home, game.away) for game in found]
        teams = taking_part(league, season)
        assert len(pairs) == len(set(pairs)) == len(teams) * (len(teams) - 1)
        assert {game.home for game in found} == set(teams)
        assert [(game.start, game.home) for game in found] == [
            (game.start, game.home) for game in all_games(1, league, season)
        ]


def test_every_team_takes_part_in_a_season() -> None:
    seen = {
        team
        for key, league in leagues().items()
        for season in league.seasons
        for team in taking_part(key, season)
    }
    assert seen == set(all_teams())


@pytest.mark.parametrize("seed", SEEDS)
def test_an_nba_season_has_its_games_on_every_day(seed: int) -> None:
    found = all_games(seed, "nba", 2020)
    regular = [game for game in found if game.stage == "Regular Season"]
    sides = [(game.start.date(), team) for game in found for team in (game.home, game.away)]
    assert len(sides) == len(set(sides))
    assert len(regular) == 1230
    days = {game.start.date() for game in regular}
    assert len(days) == (max(days) - min(days)).days + 1 > 170
    finals = [game for game in found if game.stage == "NBA Finals"]
    assert 4 <= len(finals) <= 7
    assert len({game.home for game in finals}) == 2


@pytest.mark.parametrize("seed", SEEDS)
def test_lines_of_players_add_up_to_the_score(seed: int) -> None:
    for game in all_games(seed, "nba", 2016)[::301]:
        for team in (game.home, game.away):
            lines = nba.box(seed, game, team)
            total = nba.add(lines.values())
            assert (total.points, total.minutes) == (game.side(team)[0], 240)
            assert set(lines) == set(nba.roster(team, 2016))
            assert all(
                line.fgm <= line.fga and line.tpm <= line.fgm and line.ftm <= line.fta
                for line in lines.values()
            )


@pytest.mark.parametrize("seed", SEEDS)
def test_three_services_show_one_nba_game(seed: int) -> None:
    game = all_games(seed, "nba", 2020)[-1]
    one = ask("API_NBA/games", seed, id=NBA.games.of(game))["items"][0]
    other = ask("balldontlie/get_a_specific_game", seed, game_id=BALL.games.of(game))["game"]
    third = ask("API_BASKETBALL/game", seed, league=12, season=2020, date=one["date"])["items"]
    assert one["home"]["points"] == other["home_team_score"] == game.home_score
    assert [(row["home"]["team"], row["home"]["points"]) for row in third] == [
        (game.home.name, game.home_score)
    ]
    lines = ask("balldontlie/get_all_stats", seed, game_ids=[other["id"]], per_page=100)["items"]
    assert sum(row["pts"] for row in lines) == game.home_score + game.away_score
    figures = ask("API_NBA/game_statistics", seed, id=NBA.games.of(game))
    assert [row["statistics"]["points"] for row in figures] == [game.home_score, game.away_score]


@pytest.mark.parametrize("seed", SEEDS)
def test_tables_are_counted_from_games(seed: int) -> None:
    table = ask("API_NBA/standings", seed, league="standard", season=2022)
    assert sum(row["won"] for row in table) == sum(row["lost"] for row in table) == 1230
    same = ask("API_BASKETBALL/standings", seed, league=12, season=2022)
    assert [(row["team"], row["won"]) for row in table] == [(row["team"], row["won"]) for row in same]
    rows = [
        ask("API_FOOTBALL/teams_statistics", seed, league=39, season=2019, team=club.id)["total"]
        for club in taking_part("pl", 2019)
    ]
    assert sum(row["goals_for"] for row in rows) == sum(row["goals_against"] for row in rows)
    assert sum(row["wins"] for row in rows) == sum(row["losses"] for row in rows)
    assert {row["played"] for row in rows} == {38}


@pytest.mark.parametrize("seed", SEEDS)
def test_players_score_among_the_goals_of_their_clubs(seed: int) -> None:
    for club in taking_part("pl", 2023)[::4]:
        scored = sum(
            game.side(club)[0] for game in played(seed, "pl", 2023, NOW) if club in (game.home, game.away)
        )
        rows = football.figures(seed, club, 2023, NOW)
        assert sum(row.goals for row in rows.values()) <= scored
        assert all(0 <= row.games <= 38 for row in rows.values())


def test_nothing_is_told_before_it_is_played() -> None:
    coming = ask("API_FOOTBALL/fixtures", league=39, next=5)["items"]
    assert {row["fixture"]["home_goals"] for row in coming} == {None}
    later = [game for game in games(0, "nba", 2023, NOW) if not is_over(game, NOW)]
    assert later
    assert max(game.start for game in later) < NOW + timedelta(days=12)
    live = ask("API_FOOTBALL/fixtures", live="all")["items"]
    assert all(row["fixture"]["status"] == "LIVE" and row["elapsed"] <= 90 for row in live)


@pytest.mark.parametrize("day", [date(2023, 12, 5), date(2019, 1, 20), date(2024, 5, 15)])
def test_there_are_nba_games_on_any_day_of_a_season(day: date) -> None:
    for seed in SEEDS:
        assert ask("balldontlie/get_all_games", seed, dates=[day.isoformat()])["total"] >= 2


@pytest.mark.parametrize("seed", SEEDS)
def test_chances_add_up(seed: int) -> None:
    told = ask("API_FOOTBALL/predictions", seed, fixture=198772)
    assert told["home_percent"] + told["draw_percent"] + told["away_percent"] == 100
    odds = ask("API_FOOTBALL/odds", seed, fixture=198772, bookmaker=8, bet=1)["items"][0]["bookmakers"][0][
        "bets"
    ][0]
    assert 1 < sum(1 / row["odd"] for row in odds["values"]) < 1.12


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [("API_FOOTBALL/predictions", {"fixture": 5}, "fixtures"), ("API_NBA/game_statistics", {"id": 999_999}, "games"),
     ("API_BASKETBALL/teams_statistics", {"league": 12, "season": 2019, "team": 2207}, "132"),
     ("API_BASKETBALL/game", {"league": 120, "season": 2024}, "2015 to 2023"),
     ("API_FOOTBALL/fixtures", {"league": 39, "season": 2015}, "2017 to 2024"),
     ("balldontlie/get_all_players", {"search": "Lebron Jmes"}, "LeBron James")],
)  # fmt: skip
def test_what_does_not_exist_is_refused_with_what_does(
    tool: str, arguments: dict[str, Any], said: str
) -> None:
    observation = call(World.fresh(), f"Competition/{tool}", arguments)
    assert observation.error == "not_found"
    assert said in observation.text


def test_a_league_that_is_only_listed_is_told_from_one_that_does_not_exist() -> None:
    found = call(World.fresh(), "Competition/API_FOOTBALL/fixtures", {"league": 40, "season": 2019})
    assert found.error == "out_of_range"
    assert "without games" in found.text
