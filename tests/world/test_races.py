"""Formula 1: what holds of the table of finishes under every seed, and what both services show of it."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.simulated.sports import grand_prix as f1
from toolyard.world.simulated.sports.f1_weekends import classified, sessions

SEEDS = (0, 1, 7)
RACES = f1.races()[::97]


def ask(tool: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), f"Competition/{tool}", arguments)
    assert observation.error is None, observation.text
    return observation.value


@pytest.mark.parametrize("seed", SEEDS)
def test_cars_of_a_race_are_ranked_by_time_and_laps_add_up(seed: int) -> None:
    for race in RACES:
        rows, laps = f1.results(seed, race), f1.lap_times(seed, race)
        assert [row.position for row in rows] == list(range(1, len(rows) + 1))
        assert {row.driver for row in rows} == {driver for driver, _ in f1.starters(race)}
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


@pytest.mark.parametrize("seed", SEEDS)
def test_the_grid_follows_qualifying(seed: int) -> None:
    for race in RACES:
        order = sorted(f1.results(seed, race), key=lambda row: row.grid)
        assert [len(row.qualifying) for row in order] == sorted(
            (len(row.qualifying) for row in order), reverse=True
        )
        assert min(order, key=lambda row: row.qualifying[-1] if len(row.qualifying) == 3 else 1e9) is order[0]


@pytest.mark.parametrize(("seed", "season"), [(0, 1950), (1, 1988), (7, 2021)])
def test_tables_are_counted_from_results(seed: int, season: int) -> None:
    now = World.fresh(seed).now
    rows = list(f1.done(seed, now, season))
    for teams in (False, True):
        table = f1.standings(seed, now, season, None, teams=teams)
        assert [row.points for row in table] == sorted((row.points for row in table), reverse=True)
        for place in table:
            own = [row for row in rows if (row.constructor if teams else row.driver) is place.who]
            assert place.points == sum(row.points for row in own)
            assert place.wins == sum(row.position == 1 for row in own)
    assert sum(place.wins for place in table) == len(f1.seasons()[season])


@pytest.mark.parametrize("seed", SEEDS)
def test_both_services_show_one_table(seed: int) -> None:
    race = f1.find_race(2014, 19)  # session 400 of the other service
    rows = f1.results(seed, race)
    shown = ask("Ergast_F1/race_results", seed, season=2014, race=19)["results"]
    other = ask("API_F1/rankings_races", seed, race=400)
    assert [row["driver_id"] for row in shown] == [row.driver.id for row in rows]
    assert [(row["driver"], row["points"]) for row in shown] == [
        (row["driver"], row["points"]) for row in other
    ]
    laps = ask("Ergast_F1/lap_times", seed, season=2014, round=19, lap_number=race.circuit.laps)
    assert [row["driver_id"] for row in laps] == [
        row.driver.id for row in rows if row.laps == race.circuit.laps
    ]
    stops = ask("API_F1/pit_stops", seed, race=400)
    assert {row["driver_id"]: row["stops"] for row in stops} == {
        row.driver.number: len(row.stops) for row in rows if row.stops
    }
    one = ask("Ergast_F1/Driver_Standings", seed, season=2019)
    two = ask("API_F1/rankings_drivers", seed, season=2019)
    assert [(row["driver"], row["points"]) for row in one] == [(row["driver"], row["points"]) for row in two]
    hamilton = ask("API_F1/drivers", seed, search="Lewis Hamilton")["items"][0]
    won = ask("Ergast_F1/race_schedule", seed, driver_id="hamilton", results_position=1)
    assert hamilton["wins"] == won["total"]


def test_every_session_is_classified() -> None:
    for session in sessions(f1.find_race(2023, 4)):
        rows = classified(0, session)
        assert len({row.driver for row in rows}) == len(rows) >= 10


def test_every_driver_and_constructor_of_the_tables_drove() -> None:
    cars = {car for race in f1.races() for car in f1.starters(race)}
    assert {driver for driver, _ in cars} == set(f1.drivers().values())
    assert {team for _, team in cars} == set(f1.constructors().values())


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [("lap_times", {"season": 2021, "round": 22, "lap_number": 99}, "laps 1 to 58"),
     ("Driver_Standings", {"season": 1949}, "1950 to 2024"), ("race_results", {"season": 1988, "race": 17}, "1 to 16"),
     ("race_results", {"season": 2024, "race": 20}, "2024-10-27"), ("race_schedule", {"season": 2035}, "1950 to 2024"),
     ("pit_stops", {"season": 2021, "race": 1, "driver_id": "hamiltn"}, "hamilton"),
     ("Driver_Standings", {"season": 2024, "race": 9}, "6 rounds of 2024 are over")],
)  # fmt: skip
def test_what_does_not_exist_is_refused_with_what_does(
    tool: str, arguments: dict[str, Any], said: str
) -> None:
    observation = call(World.fresh(0), f"Competition/Ergast_F1/{tool}", arguments)
    assert observation.error in ("not_found", "out_of_range")
    assert said in observation.text
