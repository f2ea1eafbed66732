"""What racing, contests and weather say: comments that answer, ages that fit, limits that are told, seasons of places."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.reference.climates import climate_of
from toolyard.world.reference.seas import tidal_range, water
from toolyard.world.shared.places import locate
from toolyard.world.worlds.competition.contests.blogs import entries
from toolyard.world.worlds.competition.sports.horses import all_races, horses
from toolyard.world.worlds.competition.sports.racing_rules import FLAT, JUMPS, least_age

SEEDS = (0, 3)
FAR = 2600


def _ask(tool: str, **arguments: Any) -> Any:
    observation = call(World.fresh(), tool, arguments)
    assert observation.error is None, observation.text
    return observation.value


def _refused(tool: str, **arguments: Any) -> str:
    observation = call(World.fresh(), tool, arguments)
    assert observation.error is not None, observation.text
    return observation.text


@pytest.mark.parametrize("seed", SEEDS)
def test_comments_are_said_once_later_than_what_they_answer(seed: int) -> None:
    said = [comment for entry in entries(seed) for comment in entry.comments]
    assert len({comment.text for comment in said}) == len(said)
    assert len({comment.id for comment in said}) == len(said)
    for entry in entries(seed):
        times = {comment.id: comment.time for comment in entry.comments}
        assert all(comment.time > entry.time > comment.user.registered for comment in entry.comments)
        assert all(times[one.parent] < one.time for one in entry.comments if one.parent)


def test_the_latest_actions_are_spread_over_many_entries() -> None:
    latest = _ask("Competition/Codeforces/recent_actions", max_count=12)
    assert len({row["blog_entry"]["id"] for row in latest}) > 6


def test_the_gym_has_contests_that_were_held() -> None:
    names = [row["name"] for row in _ask("Competition/Codeforces/contest_list", gym=True)["items"]]
    assert any("CERC 17" in name for name in names)
    problems = _ask("Competition/Codeforces/contest_standings", contest_id=101620)["problems"]
    assert problems[0] == "A. Assignment Algorithm"


@pytest.mark.parametrize("seed", SEEDS)
def test_horses_are_old_enough_for_what_they_run(seed: int) -> None:
    assert least_age(FLAT, 0) < least_age(JUMPS, 0) < least_age(JUMPS, 3)
    for race in all_races(seed):
        youngest = min(horses(seed)[place].age_in(race.day.year) for place in race.runners)
        least = 5 if " Chase" in race.title else 4 if " Hurdle" in race.title or race.metres > FAR else 3
        assert youngest >= least, race


def test_two_of_few_runners_are_placed() -> None:
    for row in _ask("Competition/Horse_Racing/results", date="2024-01-06"):
        runners = len(_ask("Competition/Horse_Racing/race_detail_info", id_race=row["id_race"])["horses"])
        assert len(row["placed"]) == (2 if runners >= 8 else 1)


def test_las_vegas_and_zandvoort_have_their_own_hours() -> None:
    rows = _ask("Competition/API_F1/races", season=2023, competition=38)["items"]
    found = {row["type"]: (row["date"], row["time"]) for row in rows}
    assert found["2nd Practice"] == ("2023-11-17", "08:00")
    assert found["1st Qualifying"] == ("2023-11-18", "08:00")
    dutch = next(row for row in _ask("Competition/API_F1/competition", search="dutch"))
    rows = _ask("Competition/API_F1/races", season=2023, competition=dutch["id"], type="1st Qualifying")
    assert rows["items"][0]["time"] == "13:00"


def test_stops_are_on_record_of_several_races_and_refusals_name_whose() -> None:
    stops = _ask("Competition/Ergast_F1/pit_stops", season=2021, race=4)["items"]
    assert (stops[0]["driver_id"], stops[0]["lap"]) == ("max_verstappen", 24)
    assert "hamilton" in _refused("Competition/Ergast_F1/pit_stops", season=2021, race=22, driver_id="norris")
    assert "session 1548" in _refused("Competition/API_F1/pit_stops", race=1549)
    assert "2024-05-18" in _refused("Competition/API_F1/rankings_races", race=1748)


def test_what_lies_before_the_results_is_not_called_nothing() -> None:
    text = _refused(
        "Competition/Ergast_F1/season_list", circuit_id="spa", results_position=1, driver_id="raikkonen"
    )
    assert "2010" in text
    assert "bahrain" in _refused(
        "Competition/Ergast_F1/race_results", season=2022, race=1, circuit_id="monza"
    )


def test_the_world_cup_is_whole_and_the_abandoned_match_is_told() -> None:
    rows = _ask("Competition/Cricket_Live_Data/fixtures_by_series", series_id=607)
    assert (len(rows), rows[0]["home"], rows[0]["away"]) == (55, "United States", "Canada")
    (lost,) = _ask("Competition/Cricket_Live_Data/results_by_date", date="2024-05-13")
    assert (lost["winner"], lost["home_score"]) == (None, "no play")
    card = _ask("Competition/Cricket_Live_Data/match_scorecard", match_id=lost["id"])
    assert (card["toss"], card["innings"]) == (None, [])


@pytest.mark.parametrize(
    ("place", "day", "low", "high"),
    [
        ("Darjeeling", 135, 12, 19),
        ("Las Palmas", 196, 22, 26),
        ("Mexico City", 135, 17, 21),
        ("Innsbruck", 15, -3, 1),
        ("Karachi", 135, 29, 33),
        ("Nuwara Eliya", 196, 14, 18),
    ],
)
def test_places_have_the_seasons_that_they_have(place: str, day: int, low: float, high: float) -> None:
    city = locate(place)
    assert low <= climate_of(city["latitude"], city["longitude"]).mean_on(day) <= high


def test_the_rains_come_when_they_come() -> None:
    for place, dry, wet in (
        ("Dakar", 135, 227),
        ("Goa", 15, 196),
        ("Tripoli", 196, 15),
        ("Jaipur", 105, 212),
    ):
        city = locate(place)
        climate = climate_of(city["latitude"], city["longitude"])
        assert climate.rain_share(dry) < 0.12 < climate.rain_share(wet), place


def test_tides_and_water_of_coasts() -> None:
    assert tidal_range(39.57, 2.65) < 0.5 < 2 < tidal_range(64.13, -21.9)
    assert 9 < water(42.36, -71.06, date(2024, 5, 15)) < 12
    assert _ask("Weather/weatherapi/marine", q="Oslo", tide=True)["nearest_city"] == "Oslo"
    assert "airport" not in _refused("Weather/weatherapi/search", q="Zzzz")
