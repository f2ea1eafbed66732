"""Competition/Ergast_F1: what can be asked of results, and the results that fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypedDict

from toolyard.world.faults import ToolFault, not_found, out_of_range
from toolyard.world.shared.filters import described_like
from toolyard.world.state import World
from toolyard.world.worlds.competition.sports import grand_prix as f1
from toolyard.world.worlds.competition.sports.ergast_shapes import (
    CircuitId,
    ConstructorId,
    DriverId,
    Position,
    Round,
    StatusId,
)
from toolyard.world.worlds.competition.sports.f1_record import (
    FIRST_SEASON,
    before_results,
    calendar,
    seasons_on_record,
)
from toolyard.world.worlds.competition.sports.grand_prix import F1Season


class SeasonFilters(TypedDict, total=False):
    """What must hold of at least one result.

    season: Year of the season.
    circuit_id: Circuit, e.g. monza.
    constructor_id: Constructor, e.g. ferrari.
    driver_id: Driver, e.g. alonso; results are on record from 2010 on.
    grid_position: Place on the grid; only the first is on record.
    results_position: Place at the finish; the first three are on record.
    rank: Rank of the fastest lap; not on record, so that none can be asked for.
    status_id: How it ended: 1 (finished), which is on record of the first three at the finish; no other end is.
    """

    season: F1Season
    circuit_id: CircuitId
    constructor_id: ConstructorId
    driver_id: DriverId
    grid_position: Position
    results_position: Position
    rank: Position
    status_id: StatusId


@described_like(SeasonFilters)
class SeasonListFilters(SeasonFilters, total=False):
    """What must hold of at least one result, or of the final table.

    driver_standings: Place of the driver (driver_id) in the table of the season.
    constructor_standings: Place of the constructor (constructor_id) in the table of the season.
    """

    driver_standings: Position
    constructor_standings: Position


@described_like(SeasonFilters)
class Filters(SeasonFilters, total=False):
    """What must hold of at least one result.

    race: Round of the season.
    """

    race: Round


@described_like(Filters)
class QualifyingFilters(Filters, total=False):
    """What must hold of the car.

    finishing_position: Place at the finish, another name of results_position.
    """

    finishing_position: Position


@described_like(Filters)
class DriverFilters(Filters, total=False):
    """What must hold of at least one result, or of the table.

    driver_standings: Place in the table of the season (of any season when none is given).
    """

    driver_standings: Position


_GROUP = "Competition/Ergast_F1"
_LISTS = {
    "circuit_id": "circuit_information",
    "constructor_id": "constructor_information",
    "driver_id": "driver_information",
}


def check_ids(filters: Filters) -> None:
    """A not_found fault for an id that no circuit, constructor or driver has."""
    tables = (
        ("circuit_id", f1.circuits()),
        ("constructor_id", f1.constructors()),
        ("driver_id", f1.drivers()),
    )
    for name, table in tables:
        wanted = filters.get(name)
        if wanted is not None and str(wanted) not in table:
            raise not_found(name, wanted, known=list(table), listed_by=f"{_GROUP}/{_LISTS[name]}")
    season = filters.get("season")
    if season is not None and season not in seasons_on_record() and season not in _PRESENT:
        raise not_found("season", season, known=range(1950, 2025))


_PRESENT = (2024,)


def on_record_only(filters: Filters, *keys: str) -> bool:
    """Whether nothing but these keys is asked for, and of a time without results of single races."""
    if not filters or not set(filters) <= {*keys, "season"}:
        return False
    if "season" in filters:
        return before_results(filters["season"]) is not None
    return any(key in filters and str(filters.get(key)) not in known for key, known in f1.raced().items())


def need_recorded(filters: Filters) -> None:
    """Refuses what is not on record of any result: ranks of laps, places further back, other ends than the finish."""
    if "rank" in filters:
        raise out_of_range("rank", filters["rank"], "ranks of fastest laps are not on record; leave it out")
    if filters.get("grid_position", 1) > 1:
        wanted = "of the grid only the first place is on record"
        raise out_of_range("grid_position", filters["grid_position"], wanted)
    for name in ("results_position", "finishing_position"):
        place = filters.get(name)
        if isinstance(place, int) and place > LAST_PLACE:
            wanted = f"the first {LAST_PLACE} places at the finish are on record"
            raise out_of_range(name, place, wanted)
    if filters.get("status_id", f1.FINISHED) != f1.FINISHED:
        wanted = f"the only end on record is {f1.FINISHED} ({f1.STATUSES[f1.FINISHED]})"
        raise out_of_range("status_id", filters["status_id"], wanted)


LAST_PLACE = len(f1.POINTS)


def _need_results(filters: Filters) -> None:
    """Refuses seasons before the first with results, drivers and teams of then alone, and rounds that there are not."""
    season = filters.get("season")
    early = next(
        (
            str(filters.get(key))
            for key, known in f1.raced().items()
            if key in filters and str(filters.get(key)) not in known
        ),
        str(season) if before_results(season) else None,
    )
    if early is not None:
        raise ToolFault(
            "not_found",
            f"no results of single races are on record for {early}: they begin in {FIRST_SEASON}; of earlier seasons there "
            "are the calendar, the champions and the tables",
        )


def need_run(world: World, season: int, number: int) -> f1.Race:
    """A race that is over; refuses one that is still to come."""
    race = f1.find_race(season, number)
    if race not in f1.run(world.now):
        day = race.start.date().isoformat()
        raise ToolFault("not_found", f"{race.name} {season} has no result yet: it starts on {day}")
    return race


def need_round(season: int, number: int) -> None:
    """Refuses a round that a season does not have."""
    held = calendar().get(season) or [race for race in f1.races() if race.season == season]
    if not 1 <= number <= len(held):
        raise out_of_range("race", number, f"{season} has rounds 1 to {len(held)}")


def matching(world: World, filters: Filters) -> list[f1.Result]:
    """The results that fit all filters; a fault for a time without results of single races."""
    check_ids(filters)
    need_recorded(filters)
    _need_results(filters)
    if "season" in filters and "race" in filters:
        need_run(world, filters["season"], filters["race"])
    rows: Iterable[f1.Result] = f1.all_results(len(f1.run(world.now)))
    if "season" in filters:
        rows = [row for row in rows if row.race.season == filters["season"]]
    wanted = [(_READERS[name], value) for name, value in filters.items() if name in _READERS]
    found = [row for row in rows if all(read(row) == value for read, value in wanted)]
    if not found and "season" not in filters:
        raise ToolFault(
            "not_found", f"no result since {FIRST_SEASON} fits; those of earlier seasons are not on record"
        )
    return found


_READERS: dict[str, Callable[[f1.Result], int | str | None]] = {
    "race": lambda row: row.race.round,
    "circuit_id": lambda row: row.race.circuit.id,
    "constructor_id": lambda row: row.constructor.id,
    "driver_id": lambda row: row.driver.id,
    "grid_position": lambda row: row.grid,
    "results_position": lambda row: row.position,
    "finishing_position": lambda row: row.position,
    "status_id": lambda row: f1.FINISHED if row.position is not None else None,
}
