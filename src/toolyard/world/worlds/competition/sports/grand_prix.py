"""Formula 1 on record: calendars, entries, the first three and the pole position of every race from 2010 on, tables of
seasons; from 1950 to 2009 the first three of each season and the constructors' champion. Nothing is invented.
"""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Annotated

from toolyard.world.faults import ToolFault, not_found
from toolyard.world.shared.geography import read_table
from toolyard.world.types import Semantic
from toolyard.world.worlds.competition.sports.f1_record import before_results

F1Season = Annotated[int, Semantic("f1_season")]
DriverName = Annotated[str, Semantic("f1_driver")]
CircuitName = Annotated[str, Semantic("f1_circuit")]
POINTS = (25, 18, 15)
CHAMPION = "max_verstappen"  # who drives with the number 1
FINISHED, STATUSES = 1, {1: "Finished"}
# Laps of races that were shorter, or on another layout, than the circuit has now: (season, round) or up to a season.
_LAPS = {(2010, 1): 49, (2014, 1): 57, (2014, 4): 54, (2014, 15): 44, (2016, 1): 57, (2017, 1): 57, (2017, 4): 52,
         (2019, 11): 64, (2020, 16): 87, (2021, 12): 1, (2022, 7): 64, (2022, 18): 28, (2012, 14): 59, (2014, 14): 60,
         (2017, 14): 58, (2022, 17): 59, (2015, 10): 69, (2015, 11): 43, (2018, 7): 68, (2019, 17): 52,
         (2023, 14): 51}  # fmt: skip
_FORMER_LAPS = {"marina_bay": (2022, 61), "yas_marina": (2020, 55)}
# Who was fastest in qualifying where another one started from the first place of the grid.
_FASTEST = {(2012, 6): "michael_schumacher", (2019, 18): "max_verstappen", (2021, 10): "hamilton", (2021, 14): "bottas",
            (2021, 16): "hamilton", (2021, 19): "max_verstappen", (2022, 14): "max_verstappen",
            (2022, 21): "kevin_magnussen", (2023, 12): "max_verstappen"}  # fmt: skip
# Laps of the stops of races that people ask for.
STOPS: Mapping[tuple[int, int], Mapping[str, tuple[int, ...]]] = {
    (2014, 19): {"hamilton": (10, 31), "massa": (13, 43)},
    (2021, 1): {"hamilton": (13, 28), "max_verstappen": (17, 39)},
    (2021, 4): {"hamilton": (28, 42), "max_verstappen": (24, 60)},
    (2021, 7): {"max_verstappen": (18, 32), "hamilton": (19,)},
    (2021, 17): {"max_verstappen": (10, 29), "hamilton": (13, 37)},
    (2021, 18): {"max_verstappen": (33,), "hamilton": (29,), "perez": (40,)},
    (2021, 19): {"hamilton": (26, 43), "max_verstappen": (27, 40)},
    (2021, 22): {"max_verstappen": (13, 36, 53), "hamilton": (14,)},
    (2023, 15): {"sainz": (20,), "norris": (20,), "hamilton": (20, 44)},
}  # fmt: skip
_NAMES = {
    (2016, 8): "European Grand Prix", (2020, 2): "Styrian Grand Prix", (2020, 5): "70th Anniversary Grand Prix",
    (2020, 11): "Eifel Grand Prix", (2020, 16): "Sakhir Grand Prix", (2021, 8): "Styrian Grand Prix",
}  # fmt: skip

# What races were called in some seasons, by circuit: (first, last, name).
RENAMED = {
    "interlagos": (2021, 9999, "São Paulo Grand Prix"),
    "rodriguez": (2010, 2019, "Mexican Grand Prix"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Circuit:
    """A race track."""

    number: int
    id: str
    name: str
    city: str
    country: str
    latitude: float
    longitude: float
    length: float
    laps: int
    race: str
    distance: float


@dataclass(frozen=True, slots=True, eq=False)
class Driver:
    """A driver."""

    number: int
    id: str
    name: str
    code: str | None
    car: int | None
    nationality: str
    born: str


@dataclass(frozen=True, slots=True, eq=False)
class Constructor:
    """A team; `wins` and `drivers` are of the time before single races are on record."""

    number: int
    id: str
    name: str
    nationality: str
    wins: int
    drivers: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Race:
    """A race of the calendar; `index` counts all races of all seasons."""

    index: int
    season: int
    round: int
    start: datetime
    circuit: Circuit
    name: str
    podium: tuple[str, ...]
    pole: str

    @property
    def local_day(self) -> date:
        """The day of the race where it is held: in Las Vegas it is late in the evening, elsewhere the day of UTC."""
        return self.start.date() - timedelta(days=1 if self.circuit.id == "vegas" else 0)

    @property
    def fastest(self) -> str:
        """Who was fastest in qualifying, whatever a penalty or a sprint made of it."""
        return _FASTEST.get((self.season, self.round), self.pole)

    @property
    def laps(self) -> int:
        """How many laps were driven, or are planned."""
        last, former = _FORMER_LAPS.get(self.circuit.id, (0, 0))
        usual = former if self.season <= last else self.circuit.laps
        return _LAPS.get((self.season, self.round), usual)


@dataclass(frozen=True, slots=True)
class Result:
    """One car in one race; only the first three places and the pole position are on record."""

    race: Race
    driver: Driver
    constructor: Constructor
    position: int | None

    @property
    def grid(self) -> int | None:
        """The place on the grid, if it was the first."""
        return 1 if self.driver.id == self.race.pole else None

    @property
    def points(self) -> float | None:
        """Points for the place without the one for the fastest lap; half of them at Spa in 2021, twice in the last race of
        2014.
        """
        if self.position is None:
            return None
        factor = {(2021, 12): 0.5, (2014, 19): 2}.get((self.race.season, self.race.round), 1)
        return POINTS[self.position - 1] * factor

    @property
    def stops(self) -> tuple[int, ...]:
        """Laps in which the car stopped, where these are on record."""
        return STOPS.get((self.race.season, self.race.round), {}).get(self.driver.id, ())


@functools.cache
def circuits() -> Mapping[str, Circuit]:
    """Circuits by id."""
    rows = enumerate(read_table("f1_circuits.tsv"), 1)
    return {
        r["id"]: Circuit(n, r["id"], r["name"], r["city"], r["country"], float(r["latitude"]), float(r["longitude"]),
                         float(r["length"]), int(r["laps"]), r["race"],
                         float(r["distance"] or round(float(r["length"]) * int(r["laps"]), 3)))
        for n, r in rows
    }  # fmt: skip


@functools.cache
def drivers() -> Mapping[str, Driver]:
    """Drivers by id."""
    rows = enumerate(read_table("f1_drivers.tsv"), 1)
    return {
        r["id"]: Driver(n, r["id"], r["name"], r["code"] or None, int(r["number"]) if r["number"] else None,
                        r["nationality"], r["born"])
        for n, r in rows
    }  # fmt: skip


@functools.cache
def constructors() -> Mapping[str, Constructor]:
    """Constructors by id."""
    rows = enumerate(read_table("f1_constructors.tsv"), 1)
    return {
        r["id"]: Constructor(
            n, r["id"], r["name"], r["nationality"], int(r["wins"] or 0), tuple(r["drivers"].split())
        )
        for n, r in rows
    }


@functools.cache
def races() -> tuple[Race, ...]:
    """All races in order of time."""
    return tuple(_race(index, row) for index, row in enumerate(read_table("f1_races.tsv")))


def _race(index: int, row: Mapping[str, str]) -> Race:
    season, number, circuit = int(row["season"]), int(row["round"]), circuits()[row["circuit"]]
    start = datetime.fromisoformat(f"{row['date']}T{row['time']}").replace(tzinfo=UTC)
    since, until, other = RENAMED.get(circuit.id, (0, 0, ""))
    name = _NAMES.get((season, number), other if since <= season <= until else circuit.race)
    podium = tuple(filter(None, (row["winner"], row["second"], row["third"])))
    return Race(index, season, number, start, circuit, name, podium, row["pole"])


@functools.cache
def entries(season: int) -> tuple[tuple[Driver, Constructor], ...]:
    """Drivers of a season with the teams of most of it."""
    row = next((row for row in read_table("f1_entries.tsv") if int(row["season"]) == season), None)
    teams = [team.split() for team in (row["teams"].split(";") if row else ())]
    return tuple((drivers()[one], constructors()[name]) for name, *people in teams for one in people)


@functools.cache
def _substitutes() -> Mapping[tuple[int, int], tuple[tuple[str, str, str], ...]]:
    """(season, round) -> constructor, who of the season's drivers did not drive there, and who did ("" for nobody)."""
    found: dict[tuple[int, int], list[tuple[str, str, str]]] = {}
    for row in read_table("f1_substitutes.tsv"):
        first, _, last = row["rounds"].partition("-")
        for number in range(int(first), int(last or first) + 1):
            change = (row["constructor"], row["instead_of"], row["driver"])
            found.setdefault((int(row["season"]), number), []).append(change)
    return {key: tuple(changes) for key, changes in found.items()}


@functools.cache
def starters(race: Race) -> tuple[tuple[Driver, Constructor], ...]:
    """Drivers of a race with their teams: those of the season, save where others drove or a car stayed out."""
    changes = {(team, out): one for team, out, one in _substitutes().get((race.season, race.round), ())}
    cars = [(changes.get((team.id, one.id), one.id), team) for one, team in entries(race.season)]
    return tuple((drivers()[key], team) for key, team in cars if key)


@functools.cache
def raced() -> Mapping[str, frozenset[str]]:
    """Ids of the drivers, constructors and circuits of the seasons with results."""
    cars = [car for race in races() for car in starters(race)]
    return {
        "driver_id": frozenset(driver.id for driver, _ in cars),
        "constructor_id": frozenset(team.id for _, team in cars),
        "circuit_id": frozenset(race.circuit.id for race in races()),
    }


def _team(race: Race, driver: str) -> Constructor:
    return next(team for one, team in starters(race) if one.id == driver)


@functools.cache
def results(race: Race) -> tuple[Result, ...]:
    """The first three of a race, then the other cars that were entered for it."""
    first = [
        Result(race, drivers()[key], _team(race, key), place) for place, key in enumerate(race.podium, 1)
    ]
    others = [Result(race, one, team, None) for one, team in starters(race) if one.id not in race.podium]
    return (*first, *others)


def run(now: datetime) -> tuple[Race, ...]:
    """The races that are over."""
    return races()[: bisect_right(_starts(), now - timedelta(hours=2))]


@functools.cache
def _starts() -> tuple[datetime, ...]:
    return tuple(race.start for race in races())


@functools.lru_cache(maxsize=32)
def all_results(count: int) -> tuple[Result, ...]:
    """Every car of the first `count` races."""
    return tuple(row for race in races()[:count] for row in results(race))


@functools.cache
def _tables() -> Mapping[tuple[int, str], tuple[tuple[str, float], ...]]:
    found: dict[tuple[int, str], list[tuple[str, float]]] = {}
    for row in read_table("f1_tables.tsv"):
        found.setdefault((int(row["season"]), row["table"]), []).append((row["id"], float(row["points"])))
    return {key: tuple(rows) for key, rows in found.items()}


# The last race after which tables of the season under way are on record.
TABLES_AFTER = {2024: 6}


def table(season: int, teams: bool) -> list[tuple[str, float, int]]:
    """(driver or constructor id, points, wins) of the first places of a season, best first; empty where not on record."""
    last = TABLES_AFTER.get(season, 99)
    won = [row for race in races() if race.season == season and race.round <= last for row in results(race)
           if row.position == 1]  # fmt: skip
    keys = [row.constructor.id if teams else row.driver.id for row in won]
    found = _tables().get((season, "constructors" if teams else "drivers"), ())
    return [(key, points, keys.count(key)) for key, points in found]


def find_race(season: int, number: int) -> Race:
    """The race of a season and round; a not_found fault otherwise."""
    for race in races():
        if (race.season, race.round) == (season, number):
            return race
    rounds = [race.round for race in races() if race.season == season]
    if before_results(season):
        raise not_found(
            "results of single races of",
            season,
            such_as=["seasons 2010 to 2024; of earlier ones the tables"],
        )
    known = f"{season} has rounds 1 to {len(rounds)}" if rounds else "seasons are 2010 to 2024"
    raise ToolFault("not_found", f"no round {number} of {season}: {known}")
