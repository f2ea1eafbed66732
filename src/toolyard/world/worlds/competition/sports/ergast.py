"""Competition/Ergast_F1: the list of all results, looked at from twelve sides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Unpack

from toolyard.world.faults import ToolFault, invalid, not_found, out_of_range
from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.tables import page
from toolyard.world.types import Page, Range
from toolyard.world.worlds.competition.sports import grand_prix as f1
from toolyard.world.worlds.competition.sports.ergast_calendar import calendar_rows, race_row
from toolyard.world.worlds.competition.sports.f1_record import (
    FIRST_SEASON,
    before_results,
    calendar,
    openers,
)
from toolyard.world.worlds.competition.sports.grand_prix import F1Season

# isort: off
from toolyard.world.worlds.competition.sports.ergast_filters import (
    Filters, QualifyingFilters, check_ids, matching, need_run, on_record_only,
)  # fmt: skip
from toolyard.world.worlds.competition.sports.ergast_shapes import (
    SHOWN, CircuitOfRound, CircuitRow, ConstructorId, ConstructorRow, DriverId, LapRow, Position, QualifyingRow, RaceResults,
    RaceRow, RecordedDriver, RecordedRound, ResultRow, Round, StatusId, StatusRow, StopRow,
)  # fmt: skip
# isort: on

GROUP = "Competition/Ergast_F1"
# The races whose stops are on record.
STOPS = tuple(f"{season} round {number}" for season, number in f1.STOPS)


@tool(
    GROUP,
    examples=[{"season": 2021, "race": 22}, {"driver_id": "hamilton", "grid_position": 1, "season": 2020}],
    phrase=(
        "get Formula 1 pole positions from Ergast[ for the season of {season}][, in the "
        "round whose number is {race}][, for the driver whose id is {driver_id}][, for the constructor whose "
        "id is {constructor_id}][, at the circuit whose id is {circuit_id}][, with the place on the grid set "
        "to {grid_position}]"
    ),
    noun="the qualifying results",
    jobs=("Formula 1 races",),
)
def qualifying_results(world: World, **filters: Unpack[QualifyingFilters]) -> Page[QualifyingRow]:
    """Who had the first place of the grid, of the races that fit: the first 30, and how many there are.

    Times and further places of qualifying are not on record.
    """
    place, other = filters.get("finishing_position"), filters.get("results_position")
    if None not in (place, other) and place != other:
        raise out_of_range("finishing_position", place, f"results_position is the same, and is {other}")
    rows = [row for row in matching(world, filters) if row.grid == 1]
    found = [_qualifying(row) for row in rows[:SHOWN]]
    return {"total": len(rows), "offset": 0, "items": found}


def _qualifying(row: f1.Result) -> QualifyingRow:
    return {
        "season": row.race.season,
        "round": row.race.round,
        "position": 1,
        "driver_id": row.driver.id,
        "constructor_id": row.constructor.id,
    }


@tool(
    GROUP,
    examples=[{}, {"driver_id": "alonso"}, {"season": 2010, "circuit_id": "monza"}],
    phrase=(
        "look up Formula 1 constructors in Ergast[ for the season of {season}][, in the round whose number "
        "is {race}][, at the circuit whose id is {circuit_id}][, only those that the driver whose id is "
        "{driver_id} drove for][, only the constructor whose id is {constructor_id}]"
    ),
    noun="the Ergast constructor information",
    jobs=("Formula 1 teams",),
)
def constructor_information(world: World, **filters: Unpack[Filters]) -> Page[ConstructorRow]:
    """Constructors (teams) with a result that fits: the first 30, and how many; results begin in 2010."""
    if on_record_only(filters, "constructor_id") and "constructor_id" in filters and _took_part(filters):
        check_ids(filters)
        found = {filters["constructor_id"]: f1.constructors()[filters["constructor_id"]]}
    elif on_record_only(filters, "driver_id") and set(filters) == {"driver_id"}:
        check_ids(filters)
        found = {one.id: one for one in f1.constructors().values() if filters["driver_id"] in one.drivers}
    else:
        found = {row.constructor.id: row.constructor for row in matching(world, filters)}
    rows = [
        ConstructorRow(constructor_id=one.id, name=one.name, nationality=one.nationality)
        for one in found.values()
    ]
    return page(rows, SHOWN)


def _took_part(filters: Filters) -> bool:
    """Whether no season is asked for, or an early one of which the constructor is known as champion or first winner."""
    season = filters.get("season")
    record = before_results(season)
    known = {record.constructor, openers()[record.year][1]} if record is not None else set()
    return season is None or filters.get("constructor_id") in known


@tool(
    GROUP,
    examples=[
        {"season": 2010, "round": 5, "lap_number": 66},
        {"season": 2021, "round": 22, "lap_number": 58, "driver_id": "hamilton"},
    ],
    phrase=(
        "get the Formula 1 order of cars for the season of {season} where the round number is {round} and the "
        "lap number is {lap_number}[, only for the driver whose id is {driver_id}]"
    ),
    noun="the lap times",
)
def lap_times(
    world: World,
    *,
    season: F1Season,
    round_: RecordedRound,
    lap_number: Annotated[int, Range(1, 100)],
    driver_id: DriverId | None = None,
) -> list[LapRow]:
    """The first three cars in the last lap of a race, in the order of the result, which counts penalties of time; lap times
    are not on record.

    season: Year of the season.
    round: Round of the season.
    lap_number: Number of the lap: the last one.
    driver_id: Only this driver.
    """
    race = need_run(world, season, round_)
    last = race.laps
    if lap_number > last:
        raise out_of_range("lap_number", lap_number, f"{race.name} {season} has laps 1 to {last}")
    if lap_number < last:
        raise ToolFault(
            "not_found",
            f"lap {lap_number} of {race.name} {season} is not on record; the last one, {last}, is",
        )
    check_ids({"driver_id": driver_id} if driver_id is not None else {})
    if driver_id is not None and driver_id not in race.podium:
        raise _none_fits(race)
    return [
        LapRow(lap=lap_number, position=row.position, driver_id=row.driver.id, time=None)
        for row in f1.results(race)
        if row.position is not None and driver_id in (None, row.driver.id)
    ]


@tool(
    GROUP,
    examples=[{"season": 2010}, {"circuit_id": "spa", "driver_id": "hamilton", "results_position": 1}],
    phrase=(
        "get the Formula 1 race schedule from Ergast[ for the season of {season}][, at the circuit whose id "
        "is {circuit_id}][, with the driver whose id is {driver_id}][, with the constructor whose id is "
        "{constructor_id}][, with the finishing place set to {results_position}]"
    ),
    noun="the race schedule",
    jobs=("Formula 1 races",),
)
def race_schedule(world: World, **filters: Unpack[Filters]) -> Page[RaceRow]:
    """Races with date and circuit (from 2010 on with the hour): the first 30 that fit, and how many; coming ones too unless
    a result is asked for. Who drove, who won and who had the pole is on record from 2010 on.
    """
    if set(filters) <= {"season", "race", "circuit_id"}:
        check_ids(filters)
        return page(calendar_rows(filters), SHOWN)
    return page([*map(race_row, dict.fromkeys(row.race for row in matching(world, filters)))], SHOWN)


@tool(
    GROUP,
    examples=[{}, {"season": 2021, "race": 22}],
    phrase=(
        "look up Formula 1 circuits in Ergast[ for the season of {season}][, in the round whose number is "
        "{race}][, only the circuit whose id is {circuit_id}][, raced by the driver whose id is "
        "{driver_id}][, raced by the constructor whose id is {constructor_id}]"
    ),
    noun="the Ergast circuit information",
    jobs=("circuits",),
)
def circuit_information(world: World, **filters: Unpack[Filters]) -> Page[CircuitRow]:
    """Circuits with place and length (that of today) that have a race that fits: the first 30, and how many there are.

    Who raced where is on record from 2010 on.
    """
    if set(filters) <= {"season", "race", "circuit_id"}:
        check_ids(filters)
        held = sorted(calendar_rows(filters), key=lambda row: row["season"] < FIRST_SEASON)
        found = list(dict.fromkeys(f1.circuits()[row["circuit_id"]] for row in held))
    else:
        found = list(dict.fromkeys(row.race.circuit for row in matching(world, filters)))
    rows = [
        CircuitRow(circuit_id=one.id, name=one.name, city=one.city, country=one.country,
                   latitude=one.latitude, longitude=one.longitude, length_km=one.length)
        for one in found
    ]  # fmt: skip
    return page(rows, SHOWN)


@tool(
    GROUP,
    examples=[{"season": 2021, "race": 22}, {"season": 2014, "race": 19, "driver_id": "hamilton"}],
    phrase=(
        "get the Formula 1 pit stops from Ergast for the season of {season} where the round number is "
        "{race}[, only for the driver whose id is {driver_id}][, with the stop number set to "
        "{stop_number}][, only in the lap whose number is {lap_number}]"
    ),
    noun="the Ergast pit stops",
    jobs=("pit stops",),
)
def pit_stops(
    world: World,
    *,
    season: F1Season,
    race: RecordedRound,
    stop_number: Annotated[int, Range(1, 10)] | None = None,
    driver_id: RecordedDriver | None = None,
    lap_number: Annotated[int, Range(1, 100)] | None = None,
) -> Page[StopRow]:
    """Stops in the pits during a race in order of laps, where they are on record: of two or three leading cars in nine
    races (2014 round 19; 2021 rounds 1, 4, 7, 17, 18, 19 and 22; 2023 round 15). How long they took is not.

    season: Year of the season.
    race: Round of the season.
    stop_number: Only the first, second ... stop of each driver.
    driver_id: Only this driver.
    lap_number: Only stops in this lap.
    """
    found = need_run(world, season, race)
    check_ids({"driver_id": driver_id} if driver_id is not None else {})
    rows = [
        StopRow(driver_id=row.driver.id, stop=number, lap=lap, duration_s=None)
        for row in f1.results(found)
        for number, lap in enumerate(row.stops, 1)
        if stop_number in (None, number) and driver_id in (None, row.driver.id) and lap_number in (None, lap)
    ]
    if not any(row.stops for row in f1.results(found)):
        raise not_found("stops on record of", f"{found.name} {season}", known=STOPS, count=len(STOPS))
    if not rows and driver_id is not None and driver_id not in f1.STOPS[season, race]:
        known = ", ".join(f1.STOPS[season, race])
        raise ToolFault("not_found", f"of {found.name} {season} the stops of {known} are on record")
    return page(sorted(rows, key=lambda row: row["lap"]), SHOWN)


@tool(
    GROUP,
    examples=[{"season": 2021, "race": 22}, {"season": 2021, "race": 22, "driver_id": "hamilton"}],
    phrase=(
        "get the Formula 1 race result from Ergast for the season of {season} where the round number is "
        "{race}[, only for the driver whose id is {driver_id}][, only for the constructor whose id is "
        "{constructor_id}][, only for the car whose grid place is {grid_position}][, only for the car whose "
        "finishing place is {finishing_position}]"
    ),
    noun="the Ergast race result",
    jobs=("Formula 1 races",),
)
def race_results(
    world: World,
    *,
    season: F1Season,
    race: Round,
    circuit_id: CircuitOfRound | None = None,
    constructor_id: ConstructorId | None = None,
    driver_id: DriverId | None = None,
    grid_position: Position | None = None,
    rank: Position | None = None,
    status_id: StatusId | None = None,
    finishing_position: Position | None = None,
) -> RaceResults:
    """The first three of a race with team and points (without the one for the fastest lap); before 2010 who won the first
    race of a season. Other places are not on record.

    season: Year of the season.
    race: Round of the season.
    circuit_id: The circuit of the race, which is one already by season and round; another one is refused.
    constructor_id: Only this constructor.
    driver_id: Only this driver.
    grid_position: Only the car from this place on the grid: 1, if it ended among the first three.
    rank: Rank of the fastest lap; not on record.
    status_id: Only cars that ended in this way: 1 (finished).
    finishing_position: Only the car that finished in this place, 1 to 3.
    """
    check_ids({"season": season})
    if race == 1 and season in openers():
        return _opener(season, {"constructor_id": constructor_id, "driver_id": driver_id})
    wanted = {"season": season, "race": race, "circuit_id": circuit_id, "constructor_id": constructor_id, "rank": rank,
              "driver_id": driver_id, "grid_position": grid_position, "finishing_position": finishing_position,
              "status_id": status_id}  # fmt: skip
    return _of_race(
        need_run(world, season, race),
        world,
        {key: value for key, value in wanted.items() if value is not None},
    )


def _of_race(race: f1.Race, world: World, wanted: Mapping[str, Any]) -> RaceResults:
    """The places of a race that are on record and fit."""
    where = wanted.get("circuit_id", race.circuit.id)
    if where in f1.circuits() and where != race.circuit.id:
        raise invalid("circuit_id", where, f"{race.name} {race.season} was held at {race.circuit.id}")
    rows = [row for row in matching(world, wanted) if row.position is not None]  # type: ignore[arg-type]
    if not rows:
        raise _none_fits(race)
    return {
        "season": race.season,
        "round": race.round,
        "race": race.name,
        "date": race.start.date().isoformat(),
        "results": [_result(row, row.position or 0) for row in rows],
    }


def _none_fits(race: f1.Race) -> ToolFault:
    """The fault for filters that none of the places on record fits."""
    first = ", ".join(race.podium)
    return ToolFault(
        "not_found", f"nothing fits: of {race.name} {race.season} on record are the first three, {first}"
    )


def _opener(season: int, wanted: Mapping[str, str | None]) -> RaceResults:
    """The winner of the first race of a season of which nothing else is on record."""
    driver, team = openers()[season]
    row: ResultRow = {
        "position": 1,
        "position_text": "1",
        "driver_id": driver,
        "driver": f1.drivers()[driver].name,
        "constructor_id": team,
        "grid": None,
        "laps": None,
        "points": None,
        "status_id": f1.FINISHED,
        "status": f1.STATUSES[f1.FINISHED],
    }
    fits = wanted["driver_id"] in (None, driver) and wanted["constructor_id"] in (None, team)
    first = calendar()[season][0]
    if not fits:
        raise ToolFault(
            "not_found",
            f"nothing fits: of {first.name} {season} only the winner is on record, {driver} ({team})",
        )
    return {"season": season, "round": 1, "race": first.name, "date": first.date, "results": [row]}


def _result(row: f1.Result, place: int) -> ResultRow:
    return {
        "position": place,
        "position_text": str(place),
        "driver_id": row.driver.id,
        "driver": row.driver.name,
        "constructor_id": row.constructor.id,
        "grid": row.grid,
        "laps": row.race.laps if place == 1 else None,
        "points": row.points,
        "status_id": f1.FINISHED,
        "status": f1.STATUSES[f1.FINISHED],
    }


@tool(
    GROUP,
    examples=[{}, {"season": 2010, "driver_id": "alonso"}],
    phrase=(
        "count in Ergast in which ways Formula 1 races ended for the cars[ in the season of {season}][, in "
        "the round whose number is {race}][, for the driver whose id is {driver_id}][, for the constructor "
        "whose id is {constructor_id}][, at the circuit whose id is {circuit_id}]"
    ),
    noun="the count of finishing statuses",
)
def finishing_status(world: World, **filters: Unpack[Filters]) -> list[StatusRow]:
    """How often cars finished among the results on record that fit: places one to three since 2010; of a constructor that
    raced before and not since, its wins.
    """
    wanted = filters.get("constructor_id")
    if (
        set(filters) == {"constructor_id"}
        and on_record_only(filters, "constructor_id")
        and wanted is not None
    ):
        check_ids(filters)
        count = f1.constructors()[wanted].wins
    else:
        count = sum(row.position is not None for row in matching(world, filters))
    status = StatusRow(status_id=f1.FINISHED, status=f1.STATUSES[f1.FINISHED], count=count)
    return [status] if count else []
