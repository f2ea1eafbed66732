"""What readers found in contests, motor and horse racing, cricket and fitness, and what holds since."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.worlds.competition.contests.contestants import ORGANIZER
from toolyard.world.worlds.competition.contests.core import contests, entrants, submissions
from toolyard.world.worlds.competition.sports.horses import all_races, courses, horses
from toolyard.world.worlds.competition.sports.racing_words import LONGEST_NAME

SEEDS = (0, 4)


def ask(tool: str, **arguments: Any) -> Any:
    seen = call(World.fresh(0), tool, arguments)
    assert seen.error is None, seen.text
    return seen.value


@pytest.mark.parametrize(
    ("tool", "arguments", "word"),
    [
        ("Competition/Codeforces/problem_set_problems", {"tags": "foo"}, "tag"),
        ("Competition/Codeforces/user_info", {"handle": "nobody_here"}, "on record"),
        ("Competition/Codeforces/contest_standings", {"contest_id": 1951, "room": "99"}, "room"),
        ("Competition/Codeforces/contest_standings", {"contest_id": 1973}, "has not begun"),
        ("Competition/Codeforces/contest_status", {"contest_id": 1951, "from": 100000}, "solutions"),
        ("Competition/Ergast_F1/Driver_Standings", {"season": 2023, "driver_id": "albon"}, "first 10"),
        ("Competition/Ergast_F1/constructor_Standings", {"constructor_standings": 30}, "first 10"),
        ("Competition/Ergast_F1/circuit_information", {"grid_position": 3}, "first place"),
        ("Competition/Ergast_F1/circuit_information", {"status_id": 999}, "Finished"),
        ("Competition/Ergast_F1/finishing_status", {"results_position": 5}, "first 3 places"),
        ("Competition/Ergast_F1/race_schedule", {"season": 2023, "race": 25}, "1 to 22"),
        ("Competition/API_F1/circuits", {"competition": 999}, "1 to 40"),
        ("Competition/API_F1/circuits", {"search": " "}, "part of a name"),
        ("Competition/API_F1/competition", {"country": "Narnia"}, "Narnia"),
        ("Competition/API_F1/drivers", {"name": "Alonso"}, "Fernando Alonso"),
        ("Competition/API_F1/races", {"season": 2011}, "2012 to 2024"),
        ("Competition/API_F1/races", {"next": 2, "last": 2}, "last or next"),
        ("Competition/API_F1/rankings_drivers", {"season": 1949}, "1950 to 2024"),
        ("Competition/Horse_Racing/query_races", {"course": "Atlantis"}, "Atlantis"),
        ("Competition/Horse_Racing/query_races", {"distance_from": 3000, "distance_to": 1000}, "beyond"),
        ("Competition/Horse_Racing/query_races", {"date_from": "2025-01-01"}, "2024-05-18"),
        ("Competition/Horse_Racing/query_horses", {"name": " "}, "part of a name"),
        ("Competition/Horse_Racing/racecards", {"date": "2024-12-25"}, "2024-05-18"),
        ("Competition/Cricket_Live_Data/results_by_date", {"date": "2024-05-16"}, "2024-05-15"),
        ("Competition/Cricket_Live_Data/fixtures_by_date", {"date": "1999-05-16"}, "2023-06-16"),
        ("Health/Fitness_Calculator/get_bmi", {"age": 30, "height": 175, "weight": 3}, "so little"),
    ],
)
def test_what_cannot_be_is_refused_in_words(tool: str, arguments: dict[str, Any], word: str) -> None:
    seen = call(World.fresh(0), tool, arguments)
    assert seen.error is not None
    assert word in str(seen.value)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_founder_competes_nowhere_and_times_have_seconds(seed: int) -> None:
    for contest in contests(seed):
        assert ORGANIZER not in {user.handle for user in entrants(seed, contest)}
        found = submissions(seed, contest)
        assert [one.time for one in found] == sorted(one.time for one in found)
        assert len({one.id for one in found}) == len(found)
        assert not found or len({one.second for one in found}) > 5
        slow = [one for one in found if one.verdict == "TIME_LIMIT_EXCEEDED"]
        assert all(one.milliseconds >= 2000 for one in slow)


def test_problems_in_two_versions_have_numbers_behind_the_letter() -> None:
    names = ask("Competition/Codeforces/contest_standings", contest_id=1919, count=1)["problems"]
    assert {"F1. Wine Factory (Easy Version)", "F2. Wine Factory (Hard Version)", "G. Tree LGM"} <= set(names)


def test_each_race_has_the_drivers_who_drove() -> None:
    drivers = ask("Competition/Ergast_F1/driver_information", season=2024, race=2)["items"]
    assert {"bearman", "sainz"} & {row["driver_id"] for row in drivers} == {"bearman"}
    pole = ask("Competition/Ergast_F1/qualifying_results", season=2022, race=21)["items"]
    assert [row["driver_id"] for row in pole] == ["russell"]
    weekend = ask("Competition/API_F1/races", season=2022, competition=39)["items"]
    last = next(row["id"] for row in weekend if row["type"] == "3rd Qualifying")
    assert ask("Competition/API_F1/rankings_races", race=last)[0]["driver"] == "Kevin Magnussen"


@pytest.mark.parametrize("seed", SEEDS)
def test_horses_have_racing_names_and_races_their_class(seed: int) -> None:
    names = [horse.name for horse in horses(seed)]
    assert max(map(len, names)) <= LONGEST_NAME
    assert len(set(names)) == len(names)
    assert max(Counter(word for name in names for word in name.split()).values()) < 100
    held = Counter(race.course for race in all_races(seed))
    assert set(held) == set(courses())
    assert held["Aintree"] < held["Ascot"] < held["Kempton Park"]
    for race in all_races(seed):
        jumps = race.title.endswith(("Hurdle", "Chase"))
        assert race.race_class <= (5 if jumps else 7)
        assert race.prize >= 2500
        closed = race.day.isoformat() == "2024-03-29" and courses()[race.course].country == "Ireland"
        assert not closed


def test_the_indian_league_is_whole_and_no_county_fixture_is_made_up() -> None:
    assert len(ask("Competition/Cricket_Live_Data/results_by_date", date="2024-04-21")) == 3
    county = ask("Competition/Cricket_Live_Data/fixtures_by_series", series_id=609)
    assert [(row["home"], row["away"]) for row in county] == [("Lancashire", "Durham")]


def test_formulas_for_grown_people_refuse_children() -> None:
    child = {"age": 5, "gender": "male", "height": 110, "weight": 19}
    for tool, more in (
        ("get_daily_calory_requirement", {"activitylevel": "level_1"}),
        ("get_body_fat_percentage", {"neck": 26, "waist": 52, "hip": 55}),
    ):
        seen = call(World.fresh(0), f"Health/Fitness_Calculator/{tool}", {**child, **more})
        assert seen.error == "out_of_range"
