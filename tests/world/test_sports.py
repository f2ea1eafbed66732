"""Sports: one game under several services, and tables, statistics and results that agree with each other."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.worlds.competition.sports import grand_prix as f1
from toolyard.world.worlds.competition.sports.api_nba_shapes import IDS as NBA
from toolyard.world.worlds.competition.sports.balldontlie_shapes import IDS as BALL
from toolyard.world.worlds.competition.sports.box_scores import team_line
from toolyard.world.worlds.competition.sports.core import leagues, teams_of
from toolyard.world.worlds.competition.sports.f1_record import seasons_on_record
from toolyard.world.worlds.competition.sports.football_core import match, season_of
from toolyard.world.worlds.competition.sports.horses import races as horse_races
from toolyard.world.worlds.competition.sports.horses import runs
from toolyard.world.worlds.competition.sports.seasons import all_games, played

SEEDS = (0, 3)


def ask(tool: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), f"Competition/{tool}", arguments)
    assert observation.error is None, observation.text
    return observation.value


@pytest.mark.parametrize("seed", SEEDS)
def test_every_nba_team_plays_82_games_and_none_twice_a_day(seed: int) -> None:
    regular = [game for game in all_games(seed, "nba", 2021) if game.stage == "Regular Season"]
    for team in teams_of("nba"):
        own = [game for game in regular if team in (game.home, game.away)]
        assert len(own) == 82
        assert len({game.round for game in own}) == 82


@pytest.mark.parametrize("league", ["pl", "bundesliga", "j1", "nbl", "euroleague"])
def test_a_league_meets_at_home_and_away_once(league: str) -> None:
    teams = teams_of(league)
    pairs = [(game.home, game.away) for game in all_games(0, league, 2022)]
    assert len(pairs) == len(set(pairs)) == len(teams) * (len(teams) - 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_box_scores_add_up_to_the_score(seed: int) -> None:
    for game in all_games(seed, "nba", 2020)[::97]:
        assert team_line(seed, game, True).points == game.home_score
        assert team_line(seed, game, False).points == game.away_score
        assert team_line(seed, game, True).minutes == 240


@pytest.mark.parametrize("seed", SEEDS)
def test_three_services_tell_the_same_nba_game(seed: int) -> None:
    game = all_games(seed, "nba", 2020)[100]
    one = ask("API_NBA/games", seed, id=NBA.games.of(game))["items"][0]
    other = ask("balldontlie/get_a_specific_game", seed, game_id=BALL.games.of(game))["game"]
    third = ask("API_BASKETBALL/game", seed, league=12, season=2020, date=one["date"])["items"]
    assert one["home"]["points"] == other["home_team_score"] == game.home_score
    assert (game.home.name, game.home_score) in [
        (row["home"]["team"], row["home"]["points"]) for row in third
    ]
    lines = ask("balldontlie/get_all_stats", seed, game_ids=[other["id"]])["items"]
    assert sum(row["pts"] for row in lines) == game.home_score + game.away_score


def test_the_nba_table_is_counted_from_the_games() -> None:
    table = ask("API_NBA/standings", league="standard", season=2019)
    assert sum(row["won"] for row in table) == sum(row["lost"] for row in table) == 1230
    lakers = next(row for row in table if row["team_id"] == 17)
    figures = ask("API_BASKETBALL/standings", league=12, season=2019, team=145)[0]
    assert (lakers["won"], lakers["lost"]) == (figures["won"], figures["lost"])


def test_averages_are_those_of_the_lines() -> None:
    average = ask("balldontlie/get_averages", season=2019, player_ids=[237])[0]
    lines: list[Any] = []
    for page in (1, 2, 3, 4):
        found = ask(
            "balldontlie/get_all_stats",
            player_ids=[237],
            seasons=[2019],
            postseason=False,
            per_page=25,
            page=page,
        )
        lines += found["items"]
    assert len(lines) == found["total"] == average["games_played"]
    assert round(sum(row["pts"] for row in lines) / len(lines), 2) == average["pts"]


@pytest.mark.parametrize("seed", SEEDS)
def test_football_goals_have_scorers_and_figures_of_players_count_them(seed: int) -> None:
    team = teams_of("pl")[0]
    done = played(seed, "pl", 2022, World.fresh(seed).now)
    own = [game for game in done if team in (game.home, game.away)]
    assert all(len(match(seed, game).goals) == game.home_score + game.away_score for game in own)
    goals = sum(game.side(team)[0] for game in own)
    assert sum(row.goals for row in season_of(seed, own, team).values()) == goals
    shown = ask("API_FOOTBALL/teams_statistics", seed, league=39, season=2022, team=team.id)
    assert shown["total"]["goals_for"] == goals


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
    assert ask("Horse_Racing/horse_stats", id_horse=56789)["runs"] > 3
    race = ask("API_F1/races", date="2021-12-12")["items"]
    assert [row["competition"] for row in race] == ["Abu Dhabi Grand Prix"]
    hamilton = ask("API_F1/drivers", search="Lewis Hamilton")["items"][0]["id"]
    assert ask("API_F1/rankings_races", race=400, driver=hamilton)[0]["position"] == 1
    alonso = ask("Ergast_F1/race_results", season=2010, race=5, driver_id="alonso")
    assert (alonso["race"], alonso["results"][0]["position"]) == ("Spanish Grand Prix", 2)
    assert ask("API_BASKETBALL/game", league=5, season=2019, date="2019-10-05", timezone="Europe/London")[
        "total"
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_laps_add_up_to_the_race_and_give_the_order_of_finish(seed: int) -> None:
    for race in f1.races()[5:290:40]:
        rows, laps = f1.results(seed, race), f1.lap_times(seed, race)
        finished = [row for row in rows if row.status == 1]
        assert all(sum(laps[row.driver.id]) == row.total for row in finished)
        assert [row.total for row in finished] == sorted(
            row.total for row in finished if row.total is not None
        )
        assert all(min(laps[row.driver.id]) == row.fastest for row in rows if row.laps > 5)


@pytest.mark.parametrize("seed", SEEDS)
def test_both_services_have_one_championship(seed: int) -> None:
    one = ask("Ergast_F1/Driver_Standings", seed, season=2019)
    other = ask("API_F1/rankings_drivers", seed, season=2019)
    assert [(row["driver"], row["points"]) for row in one] == [
        (row["driver"], row["points"]) for row in other
    ]
    teams = ask("Ergast_F1/constructor_Standings", seed, season=2019)
    assert sum(row["points"] for row in teams) == sum(row["points"] for row in one)


def test_an_innings_accounts_for_every_run() -> None:
    for series in (606, 614, 615):
        for row in ask("Cricket_Live_Data/fixtures_by_series", series_id=series)[:6]:
            card = ask("Cricket_Live_Data/match_scorecard", match_id=row["id"])
            assert card["result"] == row["result"]
            for innings in card["innings"]:
                assert innings["runs"] == innings["extras"] + sum(one["runs"] for one in innings["batting"])
                out = [one for one in innings["batting"] if one["how_out"] != "not out"]
                assert len(out) == innings["wickets"] == sum(one["wickets"] for one in innings["bowling"])


def test_horses_run_once_a_race_and_results_agree_with_histories() -> None:
    for race in horse_races(0)[::211]:
        assert len(set(race.runners)) == len(race.runners) == len(runs(0, race))
    winner = ask("Horse_Racing/results", date="2024-05-10")[0]
    history = ask("Horse_Racing/horse_stats", id_horse=winner["winner_id"])["results"]
    assert {run["id_race"]: run["position"] for run in history}[winner["id_race"]] == 1


def test_unknown_numbers_are_not_found() -> None:
    for tool, arguments in (
        ("API_FOOTBALL/predictions", {"fixture": 5}),
        ("API_NBA/game_statistics", {"id": 999_999}),
        ("Horse_Racing/horse_stats", {"id_horse": 1}),
        ("API_F1/pit_stops", {"race": 10**9}),
        ("Cricket_Live_Data/fixtures_by_series", {"series_id": 1}),
        ("API_BASKETBALL/teams_statistics", {"league": 12, "season": 2019, "team": 2207}),
    ):
        assert call(World.fresh(), f"Competition/{tool}", arguments).error == "not_found"


def test_seasons_end_where_the_clock_stands() -> None:
    assert {key: league.last for key, league in leagues().items()}["pl"] == 2023
    assert ask("API_FOOTBALL/fixtures_round", league=98, season=2024, current=True) != ["Regular Season - 38"]


@pytest.mark.parametrize("seed", [0, 5])
def test_champions_are_the_real_ones(seed: int) -> None:
    world = World.fresh(seed)
    for season in seasons_on_record().values():
        drivers = call(world, "Competition/Ergast_F1/Driver_Standings", {"season": season.year}).value
        teams = call(world, "Competition/Ergast_F1/constructor_Standings", {"season": season.year}).value
        assert drivers[0]["driver_id"] == season.first[0], season
        assert [row["constructor_id"] for row in teams[:1]] == (
            [season.constructor] if season.constructor else []
        ), season
    assert call(world, "Competition/Ergast_F1/season_list", {"season": 1988}).value == [
        {"season": 1988, "races": 16, "champion": "senna"}
    ]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("lap_times", {"season": 2021, "round": 22, "lap_number": 99}), ("Driver_Standings", {"season": 1949}),
     ("race_results", {"season": 1988, "race": 1}), ("race_schedule", {"season": 2035})],
)  # fmt: skip
def test_laps_seasons_and_results_that_do_not_exist_are_refused(tool: str, arguments: dict[str, Any]) -> None:
    assert call(World.fresh(0), f"Competition/Ergast_F1/{tool}", arguments).error in (
        "not_found",
        "out_of_range",
    )


def test_an_old_driver_is_shown_with_what_is_known() -> None:
    assert ask("Ergast_F1/driver_information", driver_id="senna")["items"] == [
        {"driver_id": "senna", "name": "Ayrton Senna", "code": None, "number": None,
         "born": "1960-03-21", "nationality": "Brazilian"}
    ]  # fmt: skip
    assert ask("Ergast_F1/driver_information", driver_id="bruno_senna")["items"][0]["name"] == "Bruno Senna"
