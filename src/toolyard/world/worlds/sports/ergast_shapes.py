"""Competition/Ergast_F1: what can be asked for and what comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, TypedDict, TypeVar

from toolyard.world.faults import not_found
from toolyard.world.state import World
from toolyard.world.types import (
    CityName,
    ClockTime,
    CountryName,
    IsoDate,
    Latitude,
    Longitude,
    Page,
    Range,
    Semantic,
    Within,
)
from toolyard.world.worlds.sports import grand_prix as f1
from toolyard.world.worlds.sports.grand_prix import CircuitName, DriverName, F1Season

GROUP = "Competition/Ergast_F1"
SHOWN = 30
Item = TypeVar("Item")
Round = Annotated[int, Semantic("f1_round"), Within("season")]
RoundOut = Annotated[int, Semantic("f1_round")]
CircuitId = Annotated[str, Semantic("ergast_circuit_id")]
ConstructorId = Annotated[str, Semantic("ergast_constructor_id")]
DriverId = Annotated[str, Semantic("ergast_driver_id")]
StatusId = Annotated[int, Semantic("ergast_status_id")]
Position = Annotated[int, Range(1, 40)]


class SeasonFilters(TypedDict, total=False):
    """What must hold of at least one result.

    season: Year of the season.
    circuit_id: Circuit, e.g. monza.
    constructor_id: Constructor, e.g. ferrari.
    driver_id: Driver, e.g. alonso.
    grid_position: Place on the grid.
    results_position: Place at the finish.
    rank: Rank of the fastest lap.
    status_id: How it ended, by number.
    """

    season: F1Season
    circuit_id: CircuitId
    constructor_id: ConstructorId
    driver_id: DriverId
    grid_position: Position
    results_position: Position
    rank: Position
    status_id: StatusId


class Filters(SeasonFilters, total=False):
    """What must hold of at least one result.

    season: Year of the season.
    race: Round of the season.
    circuit_id: Circuit, e.g. monza.
    constructor_id: Constructor, e.g. ferrari.
    driver_id: Driver, e.g. alonso.
    grid_position: Place on the grid.
    results_position: Place at the finish.
    rank: Rank of the fastest lap.
    status_id: How it ended, by number.
    """

    race: Round


class SeasonRow(TypedDict):
    season: F1Season
    races: int
    champion: DriverId | None


class RaceRow(TypedDict):
    season: F1Season
    round: RoundOut
    race: str
    circuit_id: CircuitId
    circuit: CircuitName
    country: CountryName
    date: IsoDate
    time: ClockTime


class ResultRow(TypedDict):
    position: int
    position_text: str
    driver_id: DriverId
    driver: DriverName
    constructor_id: ConstructorId
    grid: int
    laps: int
    points: int
    status_id: StatusId
    status: str
    time: str | None
    fastest_lap: int
    fastest_lap_time: str
    fastest_lap_rank: int


class RaceResults(TypedDict):
    season: F1Season
    round: RoundOut
    race: str
    date: IsoDate
    results: list[ResultRow]


class QualifyingRow(TypedDict):
    season: F1Season
    round: RoundOut
    position: int
    driver_id: DriverId
    constructor_id: ConstructorId
    q1: str
    q2: str | None
    q3: str | None


class ConstructorRow(TypedDict):
    constructor_id: ConstructorId
    name: str
    nationality: str


class DriverRow(TypedDict):
    driver_id: DriverId
    name: DriverName
    code: str
    number: int
    born: IsoDate
    nationality: str


class CircuitRow(TypedDict):
    circuit_id: CircuitId
    name: CircuitName
    city: CityName
    country: CountryName
    latitude: Latitude
    longitude: Longitude
    length_km: float


class StatusRow(TypedDict):
    status_id: StatusId
    status: str
    count: int


class LapRow(TypedDict):
    lap: int
    position: int
    driver_id: DriverId
    time: str


class StopRow(TypedDict):
    driver_id: DriverId
    stop: int
    lap: int
    duration_s: float


class DriverStanding(TypedDict):
    season: F1Season
    round: RoundOut
    position: int
    driver_id: DriverId
    driver: DriverName
    points: int
    wins: int


class ConstructorStanding(TypedDict):
    season: F1Season
    round: RoundOut
    position: int
    constructor_id: ConstructorId
    constructor: str
    points: int
    wins: int


def first_page(rows: Sequence[Item]) -> Page[Item]:
    """The first rows and how many there are."""
    return {"total": len(rows), "offset": 0, "items": list(rows[:SHOWN])}


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
            raise not_found(name, wanted, known=list(table)[:5])


def matching(world: World, filters: Filters) -> list[f1.Result]:
    """The results that fit all filters."""
    check_ids(filters)
    done = f1.run(world.now)
    rows: Iterable[f1.Result] = f1.all_results(world.seed, len(done))
    if "season" in filters:
        own = [race for race in done if race.season == filters["season"]]
        rows = [row for race in own for row in f1.results(world.seed, race)]
    elif "driver_id" in filters:
        rows = f1.results_by_driver(world.seed, len(done)).get(filters["driver_id"], ())
    wanted = [(_READERS[name], value) for name, value in filters.items() if name in _READERS]
    return [row for row in rows if all(read(row) == value for read, value in wanted)]


_READERS: dict[str, Callable[[f1.Result], int | str]] = {
    "race": lambda row: row.race.round,
    "circuit_id": lambda row: row.race.circuit.id,
    "constructor_id": lambda row: row.constructor.id,
    "driver_id": lambda row: row.driver.id,
    "grid_position": lambda row: row.grid,
    "results_position": lambda row: row.position,
    "rank": lambda row: row.rank,
    "status_id": lambda row: row.status,
}
