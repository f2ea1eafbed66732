"""Matches, races, contests and events: what holds of their tables under every seed."""

import re
from datetime import timedelta
from itertools import pairwise

import pytest

from toolyard.world import World
from toolyard.world.simulated.contests import core
from toolyard.world.simulated.events import all_attractions, coming_events, event_kinds, events_by_id
from toolyard.world.simulated.sports import box_scores as nba
from toolyard.world.simulated.sports import grand_prix as f1
from toolyard.world.simulated.sports import horses as racing
from toolyard.world.simulated.sports.core import all_leagues, all_teams, teams_in_season
from toolyard.world.simulated.sports.cricket_core import all_matches, match_outcome
from toolyard.world.simulated.sports.seasons import all_games, is_over, scheduled_games
from world_answers import ask

SEEDS = (0, 1, 7)
NOW = World.fresh().now


@pytest.mark.parametrize("league", [key for key in all_leagues() if key not in ("nba", "ucl")])
def test_everybody_meets_everybody_at_home_and_away_once(league: str) -> None:
    for season in (all_leagues()[league].first, all_leagues()[league].last):
        found = all_games(0, league, season)
        pairs = [(game.home, game.away) for game in found]
        teams = teams_in_season(league, season)
        assert len(pairs) == len(set(pairs)) == len(teams) * (len(teams) - 1)
        assert {game.home for game in found} == set(teams)
        assert [(game.start, game.home) for game in found] == [
            (game.start, game.home) for game in all_games(1, league, season)
        ]


def test_every_team_takes_part_in_a_season() -> None:
    seen = {
        team
        for key, league in all_leagues().items()
        for season in league.seasons
        for team in teams_in_season(key, season)
    }
    assert seen == set(all_teams())


@pytest.mark.parametrize("seed", SEEDS)
def test_lines_of_players_add_up_to_the_score(seed: int) -> None:
    for game in all_games(seed, "nba", 2016)[::301]:
        for team in (game.home, game.away):
            lines = nba.box_score(seed, game, team)
            total = nba.add_lines(lines.values())
            assert (total.points, total.minutes) == (game.side(team)[0], 240)
            assert set(lines) == set(nba.team_roster(team, 2016))
            assert all(
                line.fgm <= line.fga and line.tpm <= line.fgm and line.ftm <= line.fta
                for line in lines.values()
            )


@pytest.mark.parametrize("seed", SEEDS)
def test_tables_are_counted_from_games(seed: int) -> None:
    table = ask("Competition/API_NBA/standings", seed, league="standard", season=2022)
    assert sum(row["won"] for row in table) == sum(row["lost"] for row in table) == 1230
    same = ask("Competition/API_BASKETBALL/standings", seed, league=12, season=2022)
    assert [(row["team"], row["won"]) for row in table] == [(row["team"], row["won"]) for row in same]
    rows = [
        ask("Competition/API_FOOTBALL/teams_statistics", seed, league=39, season=2019, team=club.id)["total"]
        for club in teams_in_season("pl", 2019)
    ]
    assert sum(row["goals_for"] for row in rows) == sum(row["goals_against"] for row in rows)
    assert sum(row["wins"] for row in rows) == sum(row["losses"] for row in rows)
    assert {row["played"] for row in rows} == {38}


def test_nothing_is_told_before_it_is_played() -> None:
    coming = ask("Competition/API_FOOTBALL/fixtures", league=39, next=5)["items"]
    assert {row["fixture"]["home_goals"] for row in coming} == {None}
    later = [game for game in scheduled_games(0, "nba", 2023, NOW) if not is_over(game, NOW)]
    assert later
    assert max(game.start for game in later) < NOW + timedelta(days=12)
    live = ask("Competition/API_FOOTBALL/fixtures", live="all")["items"]
    assert all(row["fixture"]["status"] == "LIVE" and row["elapsed"] <= 90 for row in live)


RACES = f1.all_races()[::97]


@pytest.mark.parametrize("seed", SEEDS)
def test_cars_of_a_race_are_ranked_by_time_and_laps_add_up(seed: int) -> None:
    for race in RACES:
        rows, laps = f1.race_results(seed, race), f1.lap_times(seed, race)
        assert [row.position for row in rows] == list(range(1, len(rows) + 1))
        assert {row.driver for row in rows} == {driver for driver, _ in f1.race_starters(race)}
        assert (
            sorted(row.grid for row in rows) == sorted(row.rank for row in rows) == [*range(1, len(rows) + 1)]
        )
        ends = [(not row.finished, -row.laps, row.total) for row in rows]
        assert ends == sorted(ends)
        assert rows[0].status == 1
        for row in rows:
            own = laps[row.driver.id]
            assert (len(own), sum(own)) == (row.laps, row.total)
            assert min(own) == own[row.fastest_lap - 1] == row.fastest
            assert all(own[lap - 1] > time for lap, time in row.stops)
            assert 1 <= row.laps <= race.circuit.laps
            assert row.status in f1.STATUSES


@pytest.mark.parametrize(("seed", "season"), [(0, 1950), (1, 1988), (7, 2021)])
def test_tables_are_counted_from_results(seed: int, season: int) -> None:
    now = World.fresh(seed).now
    rows = list(f1.finishes_so_far(seed, now, season))
    for teams in (False, True):
        table = f1.standings(seed, now, season, None, teams=teams)
        assert [row.points for row in table] == sorted((row.points for row in table), reverse=True)
        for place in table:
            own = [row for row in rows if (row.constructor if teams else row.driver) is place.who]
            assert place.points == sum(row.points for row in own)
            assert place.wins == sum(row.position == 1 for row in own)
    assert sum(place.wins for place in table) == len(f1.seasons()[season])


@pytest.mark.parametrize("seed", SEEDS)
def test_standings_are_counted_from_the_submissions(seed: int) -> None:
    for contest in core.contest_rounds()[:-4:9]:
        found = core.contest_submissions(seed, contest)
        good = {(one.user.handle, one.problem.index) for one in found if one.verdict == "OK"}
        rows = core.contest_standings(seed, contest)
        assert {(row.user.handle, index) for row in rows for index, _, _ in row.solved} == good
        assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
        assert {row.user for row in rows} == set(core.entrants(seed, contest))
        assert all(
            one.user.registered < contest.start <= one.time <= contest.start + contest.duration
            for one in found
        )


@pytest.mark.parametrize("seed", SEEDS)
def test_every_challenged_solution_was_hacked_once(seed: int) -> None:
    for contest in core.contest_rounds()[:-4:9]:
        broken = [one.id for one in core.contest_submissions(seed, contest) if one.verdict == "CHALLENGED"]
        worked = [hack.target.id for hack in core.hacks(seed, contest) if hack.verdict == "HACK_SUCCESSFUL"]
        assert sorted(worked) == sorted(broken)
        assert all(hack.hacker is not hack.target.user for hack in core.hacks(seed, contest))
    assert ask("Competition/Codeforces/contest_hacks", seed, contest_id=1)


@pytest.mark.parametrize("seed", SEEDS)
def test_ratings_join_from_contest_to_contest_and_end_in_the_profile(seed: int) -> None:
    for user in list(core.all_users().values())[::20]:
        changes = core.all_histories(seed)[user]
        assert all(one.new == other.old for one, other in pairwise(changes))
        told = ask("Competition/Codeforces/user_info", seed, handle=user.handle)[0]
        assert told["rating"] <= told["max_rating"]
        assert not changes or told["rating"] == changes[-1].new
        assert ask("Competition/Codeforces/user_rating", seed, handle=user.handle)["total"] == len(changes)
        assert 0 < told["rating"] < 4200


@pytest.mark.parametrize("seed", SEEDS)
def test_every_run_and_wicket_is_accounted_for(seed: int) -> None:
    for match in all_matches()[::7]:
        for innings in match_outcome(seed, match).innings:
            scored = [re.fullmatch(r".+ (\d+)(\*?) \(\d+\)", text) for text in innings["batting"]]
            bowled = [text.rsplit(" ", 1)[1].split("-") for text in innings["bowling"]]
            assert innings["runs"] == innings["extras"] + sum(int(one[1]) for one in scored if one)
            assert innings["runs"] == sum(int(runs) for _, runs in bowled)
            out = sum(not one[2] for one in scored if one)
            assert innings["wickets"] == out == sum(int(wickets) for wickets, _ in bowled)


@pytest.mark.parametrize("seed", SEEDS)
def test_results_follow_from_the_scores(seed: int) -> None:
    for match in all_matches()[::5]:
        ended = match_outcome(seed, match)
        sums = {match.home: 0, match.away: 0}
        for innings in ended.innings:
            sums[innings["team"]] += innings["runs"]
        if ended.winner is not None:
            loser = match.home if ended.winner == match.away else match.away
            assert sums[ended.winner] > sums[loser]
            assert ended.result.startswith(f"{ended.winner} won by ")
        else:
            assert ended.result == "Match drawn"


@pytest.mark.parametrize("seed", SEEDS)
def test_horses_run_once_a_race_and_finish_in_one_place(seed: int) -> None:
    for race in list(racing.all_races().values())[::211]:
        rows = racing.runs(seed, race)
        assert [run.position for run in rows] == list(range(1, len(rows) + 1))
        assert len({run.horse for run in rows}) == len({run.jockey for run in rows}) == len(rows)
        assert sorted(run.number for run in rows) == [*range(1, len(rows) + 1)]
        assert 6 <= len(rows) <= 12
        assert all(1.2 <= run.odds <= 101 and 45 <= run.rating <= 120 for run in rows)


def test_no_result_is_told_before_the_race() -> None:
    race = ask("Competition/Horse_Racing/racecards", date="2024-05-18")[0]["id_race"]
    card = ask("Competition/Horse_Racing/race_detail_info", id_race=race)
    assert not card["finished"]
    assert {row["position"] for row in card["horses"]} == {None}


SEEDS_EVENTS = (0, 1, 2)


@pytest.mark.parametrize("seed", SEEDS_EVENTS)
def test_events_are_complete_and_within_bounds(seed: int) -> None:
    events = list(coming_events(seed).values())
    assert len({event.id for event in events}) == len(events)
    assert len({(event.venue.id, event.date) for event in events}) == len(events)
    for event in events:
        assert "2024-05-16" <= event.date < "2025-06-01"
        assert event.on_sale_from < "2024-05-16" < event.on_sale_to < event.starts
        assert 12 <= event.lowest_price < event.highest_price <= 400
        assert event.show.kind in event_kinds()
    for show in all_attractions():
        assert 3 <= len(events_by_id(seed, show)) <= 8


def test_the_first_events_of_a_performer_bear_the_same_ids_in_every_world() -> None:
    worlds = [coming_events(seed) for seed in SEEDS_EVENTS]
    for show in all_attractions().values():
        shared = set.intersection(*({one.id for one in events_by_id(seed, show.id)} for seed in SEEDS_EVENTS))
        assert len(shared) >= 3
    assert len({tuple(world.values()) for world in worlds}) == len(SEEDS_EVENTS)
