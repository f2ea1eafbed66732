"""Sport, health, cars, music and the store of apps: what a reader objected to who called every tool of them afresh."""

from __future__ import annotations

from typing import Any

from toolyard.world import World, call

RACING, FITNESS = "Competition/Horse_Racing", "Health/Fitness_Calculator"


def ask(tool: str, **arguments: object) -> Any:
    outcome = call(World.fresh(0), tool, arguments)
    assert outcome.error is None, outcome.error
    return outcome.value


def refused(tool: str, **arguments: object) -> str:
    outcome = call(World.fresh(0), tool, arguments)
    assert outcome.error is not None
    return str(outcome.value)


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
