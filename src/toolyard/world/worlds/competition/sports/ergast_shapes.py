"""Competition/Ergast_F1: what values mean and what comes back."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from toolyard.world.types import (
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
from toolyard.world.worlds.competition.sports.grand_prix import CircuitName, DriverName, F1Season

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
    date: NotRequired[IsoDate]
    time: NotRequired[ClockTime]


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
    code: str | None
    number: int | None
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
    points: int | None
    wins: int | None


class ConstructorStanding(TypedDict):
    season: F1Season
    round: RoundOut
    position: int
    constructor_id: ConstructorId
    constructor: str
    points: int | None
    wins: int | None
