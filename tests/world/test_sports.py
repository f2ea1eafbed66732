"""Sports: one game under several services, and tables, statistics and results that agree with each other."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.worlds.competition.sports.api_nba_shapes import IDS as NBA
from toolyard.world.worlds.competition.sports.balldontlie_shapes import IDS as BALL
from toolyard.world.worlds.competition.sports.box_scores import lines
from toolyard.world.worlds.competition.sports.core import leagues
from toolyard.world.worlds.competition.sports.cricket_core import matches
from toolyard.world.worlds.competition.sports.horses import all_races, runs
from toolyard.world.worlds.competition.sports.horses import horses as all_horses
from toolyard.world.worlds.competition.sports.horses import races as horse_races
from toolyard.world.worlds.competition.sports.seasons import all_games, played

SEEDS = (0, 3)


def ask(tool: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), f"Competition/{tool}", arguments)
    assert observation.error is None, observation.text
    return observation.value


@pytest.mark.parametrize("league", ["pl", "laliga", "seriea", "bundesliga", "ligue1"])
def test_a_league_meets_at_home_and_away_once(league: str) -> None:
    for season in range(2017, 2024):
        games = all_games(0, league, season)
        pairs = [(game.home, game.away) for game in games]
        teams = {game.home for game in games}
        assert len(pairs) == len(set(pairs))
        stopped = (league, season) == ("ligue1", 2019)  # given up in March 2020
        assert len(pairs) == (278 if stopped else len(teams) * (len(teams) - 1))


def test_football_is_what_was_played() -> None:
    first = ask("API_FOOTBALL/fixtures", id=198772)["items"][0]["fixture"]
    assert (first["date"], first["home"], first["away"]) == ("2019-08-09", "Liverpool", "Norwich City")
    assert (first["home_goals"], first["away_goals"]) == (4, 1)
    champions = ask("API_FOOTBALL/teams_statistics", league=78, season=2022, team=157)["total"]
    assert champions == {
        "played": 34,
        "wins": 21,
        "draws": 8,
        "losses": 5,
        "goals_for": 92,
        "goals_against": 38,
    }
    final = ask("API_FOOTBALL/fixtures", league=2, season=2022, round="Final")["items"][0]["fixture"]
    assert (final["home"], final["home_goals"], final["away_goals"]) == ("Manchester City", 1, 0)
    haaland = ask("API_FOOTBALL/players", season=2022, search="Haaland")["items"][0]
    assert (haaland["appearances"], haaland["goals"]) == (35, 36)


def test_goals_for_are_goals_against_and_clubs_are_those_of_the_season() -> None:
    done = played(0, "pl", 2019, World.fresh().now)
    clubs = {game.home for game in done}
    rows = [
        ask("API_FOOTBALL/teams_statistics", league=39, season=2019, team=club.id)["total"] for club in clubs
    ]
    assert sum(row["goals_for"] for row in rows) == sum(row["goals_against"] for row in rows)
    assert sum(row["wins"] for row in rows) == sum(row["losses"] for row in rows)
    observation = call(
        World.fresh(),
        "Competition/API_FOOTBALL/teams_statistics",
        {"league": 39, "season": 2019, "team": 1359},
    )
    assert observation.error == "not_found"  # Luton Town were not in the league


@pytest.mark.parametrize("seed", SEEDS)
def test_three_services_tell_the_same_nba_game(seed: int) -> None:
    game = all_games(seed, "nba", 2020)[-1]
    assert (game.home.code, game.home_score, game.away_score) == ("MIL", 105, 98)
    one = ask("API_NBA/games", seed, id=NBA.games.of(game))["items"][0]
    other = ask("balldontlie/get_a_specific_game", seed, game_id=BALL.games.of(game))["game"]
    third = ask("API_BASKETBALL/game", seed, league=12, season=2020, date=one["date"])["items"]
    assert one["home"]["points"] == other["home_team_score"] == game.home_score
    assert [(row["home"]["team"], row["home"]["points"]) for row in third] == [(game.home.name, 105)]
    lines = ask("balldontlie/get_all_stats", seed, game_ids=[other["id"]])["items"]
    assert ("Giannis Antetokounmpo", 50, 14) in [(row["player"], row["pts"], row["reb"]) for row in lines]


def test_no_team_plays_twice_a_day_and_no_line_exceeds_the_score() -> None:
    for season in range(2015, 2024):
        games = all_games(0, "nba", season)
        sides = [(game.start.date(), team) for game in games for team in (game.home, game.away)]
        assert len(sides) == len(set(sides))
        for game in games:
            for side in (game.home, game.away):
                assert sum(line.points for line in lines(game) if line.team is side) <= game.side(side)[0]


def test_the_nba_tables_are_the_real_ones() -> None:
    for season, games in ((2018, 1230), (2019, 1059), (2020, 1080), (2023, 1230)):
        table = ask("API_NBA/standings", league="standard", season=season)
        assert sum(row["won"] for row in table) == sum(row["lost"] for row in table) == games
    boston = ask("API_NBA/standings", league="standard", season=2022, team=2)[0]
    assert (boston["won"], boston["lost"], boston["conference_rank"]) == (57, 25, 2)
    lakers = ask("API_BASKETBALL/standings", league=12, season=2019, team=145)[0]
    assert (lakers["won"], lakers["lost"], lakers["position"]) == (52, 19, 1)


def test_games_that_are_not_on_record_are_refused_with_what_is() -> None:
    observation = call(World.fresh(), "Competition/API_NBA/games", {"season": 2016, "team": 1})
    assert observation.error == "not_found"
    assert "Christmas Day" in observation.text


def test_what_has_not_been_played_has_no_score() -> None:
    coming = ask("API_FOOTBALL/fixtures", league=39, next=5)["items"]
    assert coming
    assert {row["fixture"]["home_goals"] for row in coming} == {None}
    live = ask("API_FOOTBALL/fixtures", live="all")["items"]
    assert all(row["fixture"]["status"] == "LIVE" and row["elapsed"] < 90 for row in live)
    final = ask("balldontlie/get_all_games", seasons=[2023], postseason=True, per_page=100)["items"]
    assert all(row["date"] < "2024-06-01" for row in final)


def test_ids_that_the_benchmark_queries_name_exist() -> None:
    assert ask("API_FOOTBALL/predictions", fixture=198772)["fixture_id"] == 198772
    assert ask("Horse_Racing/race_detail_info", id_race=207660)["horses"]
    assert ask("Horse_Racing/horse_stats", id_horse=56789)["runs"] > 0


def test_cricket_results_follow_from_the_scores() -> None:
    for series in (606, 614, 617, 621, 622):
        for row in ask("Cricket_Live_Data/fixtures_by_series", series_id=series):
            card = ask("Cricket_Live_Data/match_scorecard", match_id=row["id"])
            assert card["result"] == row["result"]
            if row["result"] is None or "DLS" in row["result"] or "abandoned" in row["result"]:
                continue
            first, second = card["innings"]
            if "wicket" in row["result"]:
                assert second["runs"] > first["runs"]
                assert row["result"].startswith(f"{second['team']} won by {10 - second['wickets']} wicket")
            else:
                assert row["result"].startswith(
                    f"{first['team']} won by {first['runs'] - second['runs']} run"
                )


def test_horses_run_once_a_race_and_results_agree_with_histories() -> None:
    for race in horse_races(0)[::211]:
        assert len(set(race.runners)) == len(race.runners) == len(runs(0, race))
    winner = ask("Horse_Racing/results", date="2024-05-10")[0]
    history = ask("Horse_Racing/horse_stats", id_horse=winner["winner_id"])["results"]
    assert {run["id_race"]: run["position"] for run in history}[winner["id_race"]] == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_races_fit_their_course_month_and_horses(seed: int) -> None:
    goings: dict[tuple[str, Any], set[str]] = {}
    people = all_horses(seed)
    for race in all_races(seed):
        over_jumps = race.title.endswith(("Hurdle", "Chase"))
        goings.setdefault((race.course, race.day), set()).add(race.going)
        assert not (over_jumps and race.course in ("York", "Newmarket", "Goodwood")), race
        assert over_jumps or race.course not in ("Aintree", "Cheltenham", "Auteuil"), race
        assert race.course != "Goodwood" or 4 <= race.day.month <= 10, race
        assert race.metres >= 3200 if over_jumps else race.metres <= 3219
        ages = [people[place].age for place in race.runners]
        assert not over_jumps or min(ages) >= 4
    assert all(len(found) == 1 for found in goings.values())


def test_unknown_numbers_are_not_found() -> None:
    for tool, arguments in (
        ("API_FOOTBALL/predictions", {"fixture": 5}),
        ("API_NBA/game_statistics", {"id": 999_999}),
        ("Horse_Racing/horse_stats", {"id_horse": 1}),
        ("API_F1/pit_stops", {"race": 99_999}),
        ("Cricket_Live_Data/fixtures_by_series", {"series_id": 1}),
        ("API_BASKETBALL/teams_statistics", {"league": 12, "season": 2019, "team": 2207}),
    ):
        assert call(World.fresh(), f"Competition/{tool}", arguments).error == "not_found"


def test_seasons_end_where_the_clock_stands() -> None:
    assert {key: league.last for key, league in leagues().items()}["pl"] == 2023
    assert ask("API_FOOTBALL/fixtures_round", league=140, season=2023, current=True) == [
        "Regular Season - 36"
    ]


def test_finals_have_the_clubs_of_the_leagues_and_no_home_ground() -> None:
    final = ask("API_FOOTBALL/fixtures", league=2, season=2021, round="Final")["items"][0]["fixture"]
    assert (final["round"], final["home_id"], final["away_id"]) == ("Final", 40, 541)
    at_home = ask("API_FOOTBALL/fixtures", league=2, season=2021, venue=540)["items"]
    assert at_home
    assert final["id"] not in {row["fixture"]["id"] for row in at_home}


def test_a_season_of_the_nba_has_all_its_games() -> None:
    season = ask("API_BASKETBALL/teams_statistics", league=12, season=2022, team=139)
    assert (season["all"]["played"], season["all"]["won"]) == (82, 53)


def test_nobody_plays_two_matches_at_once() -> None:
    for team in {side for one in matches() for side in (one.first, one.second)}:
        own = sorted((one for one in matches() if team in (one.first, one.second)), key=lambda one: one.start)
        assert all(before.end < after.start for before, after in pairwise(own)), team
    final_day = ask("Cricket_Live_Data/fixtures_by_date", date="2024-05-26")
    assert final_day[0]["home"] == "Winner of Qualifier 1"


def test_horses_are_old_enough_and_do_not_run_too_often() -> None:
    assert min(horse.age for horse in all_horses(0)) == 4
    assert sum(len(race.runners) for race in all_races(0)) / len(all_horses(0)) < 12
    prices = {run.odds for race in horse_races(0)[:20] for run in runs(0, race)}
    assert len(prices) > 30
    assert not [race for race in all_races(0) if "Maiden" in race.title and race.race_class < 4]
