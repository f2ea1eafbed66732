"""Competition/API_F1: its numbers, what its tools return, and the refusal of what is not known."""

import functools
from collections.abc import Iterable
from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.tables import plain
from toolyard.world.kernel.types import CityName, ClockTime, CountryName, IsoDate, Semantic, TimeZoneName
from toolyard.world.reference.places.geography import city_or_none
from toolyard.world.simulated.sports import grand_prix as f1
from toolyard.world.simulated.sports.grand_prix import CircuitName, DriverName, F1Season

GROUP = Group("Competition/API_F1")
FIRST, FIRST_OF_CIRCUITS = 2012, 2010
RaceId = Annotated[int, Semantic("f1_race_id")]
DriverId = Annotated[int, Semantic("f1_driver_id")]
TeamId = Annotated[int, Semantic("f1_team_id")]
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


class CircuitFacts(TypedDict):
    id: CircuitId
    name: CircuitName
    competition_id: CompetitionId
    city: CityName
    country: CountryName
    length_km: float
    laps: int
    race_distance_km: float


class LapRecord(TypedDict):
    time: str
    driver: str
    year: int


class CircuitRow(CircuitFacts):
    lap_record: LapRecord | None


class CompetitionRow(TypedDict):
    id: CompetitionId
    name: CompetitionName
    city: CityName
    country: CountryName
    latest_winner: str | None


class DriverRow(TypedDict):
    id: DriverId
    name: DriverName
    abbreviation: str
    number: int
    nationality: str
    birth_date: IsoDate
    latest_team: TeamName
    wins: int
    podiums: int


class TeamRow(TypedDict):
    id: TeamId
    name: TeamName
    nationality: str
    first_season: int
    latest_season: F1Season
    races: int
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
    time: ClockTime
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
    time_s: float


class SeasonRank(TypedDict):
    position: int
    driver_id: DriverId
    driver: DriverName
    team_id: TeamId
    team: TeamName
    points: int
    wins: int
    behind: int
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
    points: int


# Which tool lists what.
_LISTS = {
    "team": f"{GROUP}/drivers_2",
    "driver": f"{GROUP}/drivers",
    "circuit": f"{GROUP}/circuits",
    "competition": f"{GROUP}/competition",
}


@functools.cache
def own_races() -> tuple[f1.Race, ...]:
    """The races of the seasons that the service has; seven sessions each make up their numbers."""
    return tuple(race for race in f1.all_races() if race.season >= FIRST)


@functools.cache
def competition_names() -> tuple[str, ...]:
    """Names of the Grands Prix since 2010; the place of a name, from 1, is its number."""
    held = [race for race in f1.all_races() if race.season >= FIRST_OF_CIRCUITS]
    usual = {race.name: race.circuit.race for race in held}
    last = [name for name in ("São Paulo Grand Prix", "Mexican Grand Prix") if name in usual]
    return tuple(
        dict.fromkeys([*(usual[race.name] if race.name in last else race.name for race in held), *last])
    )


def known_circuits() -> list[f1.Circuit]:
    """The circuits of the seasons since 2010."""
    held = {race.circuit.id for race in f1.all_races() if race.season >= FIRST_OF_CIRCUITS}
    return [one for key, one in f1.all_circuits().items() if key in held]


def _known_numbers(what: str) -> list[int]:
    if what == "competition":
        return [*range(1, len(competition_names()) + 1)]
    if what == "circuit":
        return [one.number for one in known_circuits()]
    table = f1.all_constructors() if what == "team" else f1.all_drivers()
    return [one.number for one in table.values()]


def require_known(search: str | None = None, **given: int | None) -> None:
    """Refuses numbers of a team, driver, circuit or competition that nobody has, and a search for nothing."""
    for what, number in given.items():
        if number is not None and number not in (known := _known_numbers(what)):
            raise not_found(what, number, known=known, listed_by=_LISTS[what])
    if search is not None and not search.strip():
        raise invalid("search", search, "want a part of a name, or leave it out")


def require_name(what: str, name: str | None, known: Iterable[str]) -> None:
    """Refuses a full name that nobody and nothing has; those that hold it are named."""
    names = list(known)
    if name is None or plain(name) in {plain(one) for one in names}:
        return
    near = [one for one in names if name.strip() and plain(name) in plain(one)]
    raise not_found(what, name[:60], known=names, nearest=near, listed_by=_LISTS[what])


def require_city(name: str | None) -> None:
    """Refuses a city that is on no map."""
    if name is not None and city_or_none(name) is None:
        raise not_found("city", name[:60], such_as=("Melbourne", "Monza"), listed_by=_LISTS["competition"])
