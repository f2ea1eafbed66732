"""Sports: one game under several services, and tables, statistics and results that agree with each other."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.worlds.competition.sports.cricket_core import matches
from toolyard.world.worlds.competition.sports.horses import all_races, runs
from toolyard.world.worlds.competition.sports.horses import horses as all_horses
from toolyard.world.worlds.competition.sports.horses import races as horse_races

SEEDS = (0, 3)


def ask(tool: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), f"Competition/{tool}", arguments)
    assert observation.error is None, observation.text
    return observation.value


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
