"""Sport, health, cars, music and the store of apps: what a reader objected to who called every tool of them afresh."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.worlds.competition.sports.horses import all_races

RACING, FITNESS = "Competition/Horse_Racing", "Health/Fitness_Calculator"


def ask(tool: str, **arguments: object) -> Any:
    outcome = call(World.fresh(0), tool, arguments)
    assert outcome.error is None, outcome.error
    return outcome.value


def refused(tool: str, **arguments: object) -> str:
    outcome = call(World.fresh(0), tool, arguments)
    assert outcome.error is not None
    return str(outcome.value)


@pytest.mark.parametrize("seed", [0, 3])
def test_horses_run_by_daylight_save_under_lights(seed: int) -> None:
    unlit = [
        race for race in all_races(seed) if race.course in ("Ascot", "Sandown Park", "Chepstow", "Thurles")
    ]
    winter = [race.start for race in unlit if race.day.month in (11, 12, 1)]
    assert winter
    assert max(start.hour * 60 + start.minute for start in winter) <= 15 * 60 + 30
    assert not [race for race in all_races(seed) if (race.day.month, race.day.day) == (12, 25)]


def test_races_of_one_card_have_titles_of_their_own() -> None:
    cards = ask(f"{RACING}/racecards", date="2023-12-26")
    assert max(Counter((row["course"], row["title"]) for row in cards).values()) == 1
    for course in {row["course"] for row in cards}:
        times = [row["off_time"] for row in cards if row["course"] == course]
        assert times == sorted(times)
    assert ask(f"{RACING}/racecards", date="2023-12-25") == []


def test_nobody_is_put_on_next_to_nothing_and_children_are_not_judged_as_adults() -> None:
    small = {"gender": "female", "height": 150, "weight": 40, "activitylevel": "level_1"}
    goals = ask(f"{FITNESS}/get_daily_calory_requirement", age=60, **small)["goals"]
    assert min(row["calories"] for row in goals) >= 800
    assert "milder" in refused(f"{FITNESS}/get_macro_nutrients_amount", age=60, goal="extremelose", **small)
    child = ask(f"{FITNESS}/get_bmi", age=5, height=110, weight=19)
    assert (child["bmi"], child["healthy_weight_range_kg"]) == (15.7, None)


def test_a_european_number_has_fillers_and_a_recent_year() -> None:
    golf = ask("Vehicle/Vehicle/decode_vin", vin="WVWZZZ1KZAW000001")
    assert golf["model_year"] == 2010
    assert golf["check_digit"].startswith("none")


def test_a_series_is_filed_under_its_own_name() -> None:
    found = ask("Music/Music/search_itunes", term="Breaking Bad", country="US", media="tvShow")["results"]
    assert found[0]["artistName"] == "Breaking Bad"
