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
# A round of which not every one is on record, so that none is promised.
RecordedRound = Annotated[int, Range(1, 30)]
# Likewise drivers of whom not all is on record, and the one circuit that a round has.
RecordedDriver = str
CircuitOfRound = str
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
    grid: int | None
    laps: int | None
    points: float | None
    status_id: StatusId
    status: str


class RaceResults(TypedDict):
    season: F1Season
    round: RoundOut
    race: str
    date: NotRequired[IsoDate]
    results: list[ResultRow]


class QualifyingRow(TypedDict):
    season: F1Season
    round: RoundOut
    position: int
    driver_id: DriverId
    constructor_id: ConstructorId


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
    time: str | None


class StopRow(TypedDict):
    driver_id: DriverId
    stop: int
    lap: int
    duration_s: float | None


class DriverStanding(TypedDict):
    season: F1Season
    round: RoundOut
    position: int
    driver_id: DriverId
    driver: DriverName
    points: float | None
    wins: int | None


class ConstructorStanding(TypedDict):
    season: F1Season
    round: RoundOut
    position: int
    constructor_id: ConstructorId
    constructor: str
    points: float | None
    wins: int | None
