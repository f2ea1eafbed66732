"""Competition/Ergast_F1: what can be asked, and what comes back."""

from typing import Annotated, TypedDict

from toolyard.world.kernel.types import (
    CityName,
    ClockTime,
    CountryName,
    IsoDate,
    Latitude,
    Longitude,
    Range,
    Semantic,
    Within,
)
from toolyard.world.simulated.sports.grand_prix import CircuitName, DriverName, F1Season
from toolyard.world.tools.filters import described_like

SHOWN = 30
Round = Annotated[int, Semantic("f1_round"), Within("season")]
RoundOut = Annotated[int, Semantic("f1_round")]
CircuitId = Annotated[str, Semantic("ergast_circuit_id")]
ConstructorId = Annotated[str, Semantic("ergast_constructor_id")]
DriverId = Annotated[str, Semantic("ergast_driver_id")]
StatusId = Annotated[int, Semantic("ergast_status_id")]
Position = Annotated[int, Range(1, 40)]


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
    time: str
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


class SeasonFilters(TypedDict, total=False):
    """What must hold of at least one result.

    season: Year of the season.
    circuit_id: Circuit, e.g. monza.
    constructor_id: Constructor, e.g. ferrari.
    driver_id: Driver, e.g. alonso.
    grid_position: Place on the grid.
    results_position: Place at the finish.
    rank: Rank of the fastest lap.
    status_id: How it ended, by number: 1 is finished, 11 is one lap behind; `finishing_status` lists them.
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
