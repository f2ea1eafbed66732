"""Competition/API_F1: its numbers and what its tools return."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from toolyard.world.types import (
    CityName,
    ClockTime,
    CountryName,
    IsoDate,
    Range,
    Semantic,
    TimeZoneName,
)
from toolyard.world.worlds.competition.sports import grand_prix as f1
from toolyard.world.worlds.competition.sports.f1_weekends import SESSIONS, SPRINT, sprint_winner
from toolyard.world.worlds.competition.sports.grand_prix import CircuitName, DriverName, F1Season

GROUP = "Competition/API_F1"
FIRST = 2012
RaceId = Annotated[int, Semantic("f1_race_id")]
DriverId = Annotated[int, Semantic("f1_driver_id")]
TeamId = Annotated[int, Semantic("f1_team_id")]
# The number of a team or a driver of whom not all is on record, so that nothing is promised.
Recorded = Annotated[int, Range(1, 10_000)]
TeamName = Annotated[str, Semantic("f1_team")]
CircuitId = Annotated[int, Semantic("f1_circuit_id")]
CompetitionId = Annotated[int, Semantic("f1_competition_id")]
CompetitionName = Annotated[str, Semantic("f1_competition")]
SessionType = Literal[
    "Race",
    "Sprint",
    "1st Qualifying",
    "2nd Qualifying",
    "3rd Qualifying",
    "1st Practice",
    "2nd Practice",
    "3rd Practice",
]


class CircuitRow(TypedDict):
    id: CircuitId
    name: CircuitName
    competition_id: CompetitionId
    city: CityName
    country: CountryName
    length_km: float
    laps: int
    race_distance_km: float


class CompetitionRow(TypedDict):
    id: CompetitionId
    name: CompetitionName
    city: CityName
    country: CountryName


class DriverRow(TypedDict):
    id: DriverId
    name: DriverName
    abbreviation: str
    number: int | None
    nationality: str
    birth_date: IsoDate
    latest_team: TeamName | None
    wins: int | None
    podiums: int | None


class TeamRow(TypedDict):
    id: TeamId
    name: TeamName
    nationality: str
    first_season_on_record: F1Season
    latest_season: F1Season
    races_since_2012: int
    wins: int


class SessionRow(TypedDict):
    id: RaceId
    competition_id: CompetitionId
    competition: CompetitionName
    circuit_id: CircuitId
    circuit: CircuitName
    city: CityName
    season: F1Season
    type: str
    laps: int | None
    date: IsoDate
    time: ClockTime | None
    timezone: TimeZoneName
    status: str
    winner: DriverName | None


class StopRow(TypedDict):
    race_id: RaceId
    driver_id: DriverId
    driver: DriverName
    team_id: TeamId
    stops: int
    lap: int


class SeasonRank(TypedDict):
    position: int
    driver_id: DriverId
    driver: DriverName
    team_id: TeamId | None
    team: TeamName | None
    points: float | None
    wins: int | None
    behind: float | None
    season: F1Season


class RaceRank(TypedDict):
    race_id: RaceId
    position: int
    driver_id: DriverId
    driver: DriverName
    team_id: TeamId
    team: TeamName
    grid: int | None
    laps: int | None
    points: float | None


def is_wanted(row: f1.Result, team: int | None, driver: int | None) -> bool:
    """Whether a car is of the team and driver asked for."""
    return team in (None, row.constructor.number) and driver in (None, row.driver.number)


def ranking(race: f1.Race, kind: int) -> list[f1.Result]:
    """The cars of a session that are on record: the first three of a race, the fastest of the last qualifying, who won a
    sprint.
    """
    rows = f1.results(race)
    if kind == 0:
        return [row for row in rows if row.position is not None]
    first = (
        race.fastest
        if SESSIONS[kind] == "3rd Qualifying"
        else sprint_winner(race)
        if kind == SPRINT
        else None
    )
    return [row for row in rows if row.driver.id == first]


def rank_row(number: int, place: int, row: f1.Result, kind: int) -> RaceRank:
    """A row of a ranking."""
    return {
        "race_id": number,
        "position": place,
        "driver_id": row.driver.number,
        "driver": row.driver.name,
        "team_id": row.constructor.number,
        "team": row.constructor.name,
        "grid": row.grid if not kind else None,
        "laps": row.race.laps if not kind and place == 1 else None,
        "points": row.points if not kind else None,
    }
