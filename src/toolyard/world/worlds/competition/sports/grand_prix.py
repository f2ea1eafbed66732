"""Formula 1: from 2010 to 2024 real calendars, entries, winners and champions, the rest of every result from the seed;
from 1950 to 2009 the first three of each season and the constructors' champion, nothing invented.

All figures of a race agree: laps add up to the race time, stops are inside the laps, points follow positions.
"""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Annotated

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.shared.geography import read_table
from toolyard.world.types import Semantic
from toolyard.world.worlds.competition.sports.f1_record import FIRST_SEASON, before_results, seasons_on_record

F1Season = Annotated[int, Semantic("f1_season")]
DriverName = Annotated[str, Semantic("f1_driver")]
CircuitName = Annotated[str, Semantic("f1_circuit")]
POINTS = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)
STATUSES = {
    1: "Finished", 3: "Accident", 4: "Collision", 5: "Engine", 6: "Gearbox", 9: "Hydraulics", 11: "+1 Lap",
    12: "+2 Laps", 13: "+3 Laps", 22: "Suspension", 23: "Brakes", 131: "Power Unit",
}  # fmt: skip
_BROKEN = (3, 4, 4, 5, 6, 9, 22, 23)
_NAMES = {
    (2016, 8): "European Grand Prix", (2020, 2): "Styrian Grand Prix", (2020, 5): "70th Anniversary Grand Prix",
    (2020, 11): "Eifel Grand Prix", (2020, 16): "Sakhir Grand Prix", (2021, 8): "Styrian Grand Prix",
}  # fmt: skip
# Podiums that people ask for by name.
_PODIUMS = {
    (2010, 5): ("webber", "alonso", "vettel"),
    (2021, 22): ("max_verstappen", "hamilton", "sainz"),
    (2014, 19): ("hamilton", "massa", "bottas"),
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
    """A team."""

    number: int
    id: str
    name: str
    nationality: str


@dataclass(frozen=True, slots=True, eq=False)
class Race:
    """A race of the calendar; `index` counts all races of all seasons."""

    index: int
    season: int
    round: int
    start: datetime
    circuit: Circuit
    name: str
    winner: str


@dataclass(frozen=True, slots=True)
class Result:
    """One car in one race. Times are in milliseconds."""

    race: Race
    driver: Driver
    constructor: Constructor
    grid: int
    position: int
    status: int
    laps: int
    points: int
    total: int | None
    fastest: int
    fastest_lap: int
    rank: int
    qualifying: tuple[int, ...]
    stops: tuple[tuple[int, int], ...]

    @property
    def text(self) -> str:
        """The position, or R for a car that did not finish."""
        return str(self.position) if self.status in (1, 11, 12, 13) else "R"


@functools.cache
def circuits() -> Mapping[str, Circuit]:
    """Circuits by id."""
    rows = enumerate(read_table("f1_circuits.tsv"), 1)
    return {
        r["id"]: Circuit(n, r["id"], r["name"], r["city"], r["country"], float(r["latitude"]), float(r["longitude"]),
                         float(r["length"]), int(r["laps"]), r["race"])
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
    return {r["id"]: Constructor(n, r["id"], r["name"], r["nationality"]) for n, r in rows}


@functools.cache
def races() -> tuple[Race, ...]:
    """All races in order of time."""
    return tuple(_race(index, row) for index, row in enumerate(read_table("f1_races.tsv")))


def _race(index: int, row: Mapping[str, str]) -> Race:
    season, number, circuit = int(row["season"]), int(row["round"]), circuits()[row["circuit"]]
    start = datetime.fromisoformat(f"{row['date']}T13:00:00").replace(tzinfo=UTC)
    name = _NAMES.get((season, number), circuit.race)
    return Race(index, season, number, start, circuit, name, row["winner"])


@functools.cache
def entries(season: int) -> tuple[tuple[Driver, Constructor, float], ...]:
    """Drivers of a season with their teams and how much slower than the best each is."""
    row = next((row for row in read_table("f1_entries.tsv") if int(row["season"]) == season), None)
    found = []
    for place, team in enumerate(row["teams"].split(";") if row else ()):
        name, *people = team.split()
        for seat, driver in enumerate(people):
            found.append((drivers()[driver], constructors()[name], place * 0.0021 + seat * 0.0011))
    return tuple(found)


@functools.cache
def raced() -> Mapping[str, frozenset[str]]:
    """Ids of the drivers, constructors and circuits of the seasons with results."""
    cars = [car for year in range(FIRST_SEASON, races()[-1].season + 1) for car in entries(year)]
    return {
        "driver_id": frozenset(driver.id for driver, _, _ in cars),
        "constructor_id": frozenset(team.id for _, team, _ in cars),
        "circuit_id": frozenset(race.circuit.id for race in races()),
    }


def lap_time(circuit: Circuit) -> float:
    """A fast lap in milliseconds: about 220 km/h, street circuits slower."""
    speed = 43.5 if circuit.id in ("monaco", "marina_bay") else 61.5
    return circuit.length * 1e6 / speed


def _qualifying(race: Race, chance: Random) -> dict[str, tuple[int, ...]]:
    base = lap_time(race.circuit)
    left = list(entries(race.season))
    times: dict[str, tuple[int, ...]] = {driver.id: () for driver, _, _ in left}
    for part, kept in enumerate((15, 10, 0)):
        laps = {
            driver.id: round(base * (1.012 - 0.004 * part + pace + chance.uniform(0, 0.008)))
            for driver, _, pace in left
        }
        for driver_id, lap in laps.items():
            times[driver_id] += (lap,)
        left = sorted(left, key=lambda entry: laps[entry[0].id])[:kept]
    return times


def _order(race: Race, grid: Mapping[str, int], broken: Mapping[str, int], chance: Random) -> list[str]:
    """Drivers as they finish; those who broke down last, the earliest of them at the end."""
    pinned = _PODIUMS.get((race.season, race.round), (race.winner,) if race.winner else ())
    favoured = _favoured(race.season)
    luck = seeds.stream("luck", race.season, race.round)
    scores = {}
    for driver, _, pace in entries(race.season):
        score = 0.35 * grid[driver.id] + 2300 * pace * 0.5 + chance.gauss(0, 3)
        scores[driver.id] = 1000 - broken[driver.id] if driver.id in broken else score
        place, often = favoured.get(driver.id, (0, 0.0))
        if driver.id not in broken and luck.random() < often:
            scores[driver.id] = -50.0 + place
        if driver.id in pinned:
            scores[driver.id] = -100.0 + pinned.index(driver.id)
    return sorted(scores, key=lambda key: (scores[key], key))


@functools.cache
def _favoured(season: int) -> Mapping[str, tuple[int, float]]:
    """Drivers who finish well (behind a winner on record) so often that the champions are the real ones."""
    record = seasons_on_record().get(season)
    if record is None:
        return {}
    team = [driver.id for driver, team, _ in entries(season) if team.id == record.constructor]
    often = 0.3 if record.first[0] in team else 0.95
    found = {driver: (place, often) for place, driver in enumerate(team, 1)}
    return {**found, record.first[0]: (0, 1.0)}


@functools.lru_cache(maxsize=4096)
def results(seed: int, race: Race) -> tuple[Result, ...]:
    """Every car of a race, in order of position."""
    chance = seeds.stream(seed, "grand prix", race.season, race.round)
    times = _qualifying(race, chance)
    fast = sorted(times, key=lambda key: (-len(times[key]), times[key][-1], key))
    grid = {key: place for place, key in enumerate(fast, 1)}
    named = _PODIUMS.get((race.season, race.round), (race.winner,))
    favoured = _favoured(race.season)
    broken = {
        key: chance.randrange(1, race.circuit.laps)
        for key in fast
        if chance.random() < 0.13 and key not in named
    }
    broken = {key: lap for key, lap in broken.items() if key not in favoured}
    order = _order(race, grid, broken, chance)
    teams = {driver.id: (team, pace) for driver, team, pace in entries(race.season)}
    base, gap = lap_time(race.circuit), 0.0
    winning = race.circuit.laps * base * 1.04
    rows = []
    for place, key in enumerate(order, 1):
        gap += 0 if place == 1 else chance.uniform(0.4, 9.5) * 1000
        row = _result(
            race, drivers()[key], teams[key], (place, grid[key], broken.get(key)), winning, gap, chance
        )
        rows.append(replace(row, qualifying=times[key]))
    return _with_ranks(rows)


def _result(
    race: Race, driver: Driver, team: tuple[Constructor, float], where: tuple[int, int, int | None],
    winning: float, gap: float, chance: Random,
) -> Result:  # fmt: skip
    place, grid, broken = where
    base = lap_time(race.circuit)
    behind = int(gap // (base * 1.04)) if broken is None else 0
    laps = race.circuit.laps - behind if broken is None else broken
    status = chance.choice(_BROKEN) if broken is not None else 1 if not behind else 10 + min(3, behind)
    fastest = round(base * (1.004 + team[1] + chance.uniform(0, 0.008)))
    count = chance.choice((1, 1, 2, 2, 3))
    spots = sorted({round(laps * (n + 1) / (count + 1) + chance.uniform(-4, 4)) for n in range(count)})
    stops = tuple((lap, round(chance.gauss(23500, 900))) for lap in spots if 1 < lap < laps)
    total = None if broken is not None else round(winning + gap - behind * base * 1.04)
    fastest_lap = min(laps, max(1, round(laps * chance.uniform(0.6, 1))))
    if any(lap == fastest_lap for lap, _ in stops):
        fastest_lap = fastest_lap - 1 if fastest_lap > 1 else fastest_lap + 1
    return Result(
        race, driver, team[0], grid, place, status, laps, 0, total, fastest, fastest_lap, 0, (), stops
    )


def _with_ranks(rows: list[Result]) -> tuple[Result, ...]:
    ranks = {row.driver.id: n for n, row in enumerate(sorted(rows, key=lambda row: row.fastest), 1)}
    found = []
    for row in rows:
        points = POINTS[row.position - 1] if row.position <= 10 and row.text != "R" else 0
        points += ranks[row.driver.id] == 1 and points > 0 and row.race.season >= 2019
        found.append(replace(row, rank=ranks[row.driver.id], points=points))
    return tuple(found)


@functools.lru_cache(maxsize=512)
def lap_times(seed: int, race: Race) -> Mapping[str, tuple[int, ...]]:
    """Driver -> his laps; they add up to his race time, one is his fastest, those with a stop are longer."""
    found = {}
    for row in results(seed, race):
        chance = seeds.stream(seed, "laps", race.index, row.driver.id)
        stops = dict(row.stops)
        average = lap_time(race.circuit) * 1.045
        total = row.total if row.total is not None else round(average * row.laps) + sum(stops.values())
        weights = [chance.uniform(1, 1.012) for _ in range(row.laps)]
        weights[row.fastest_lap - 1] = 0.0
        left = total - row.fastest - sum(stops.values())
        unit = left / sum(weights) if sum(weights) else 0.0
        laps = [round(unit * weight) + stops.get(n, 0) for n, weight in enumerate(weights, 1)]
        laps[row.fastest_lap - 1] = row.fastest
        longest = max(range(row.laps), key=laps.__getitem__)
        laps[longest] += total - sum(laps) if row.laps > 1 else 0
        found[row.driver.id] = tuple(laps)
    return found


def run(now: datetime) -> tuple[Race, ...]:
    """The races that are over."""
    return races()[: bisect_right(_starts(), now - timedelta(hours=2))]


@functools.cache
def _starts() -> tuple[datetime, ...]:
    return tuple(race.start for race in races())


@functools.lru_cache(maxsize=32)
def all_results(seed: int, count: int) -> tuple[Result, ...]:
    """Every car of the first `count` races."""
    return tuple(row for race in races()[:count] for row in results(seed, race))


@functools.lru_cache(maxsize=32)
def results_by_driver(seed: int, count: int) -> Mapping[str, list[Result]]:
    """Driver -> his results in the first `count` races."""
    return group_rows_of(all_results(seed, count))


def group_rows_of(rows: Iterable[Result]) -> dict[str, list[Result]]:
    """Results by driver."""
    found: dict[str, list[Result]] = {}
    for row in rows:
        found.setdefault(row.driver.id, []).append(row)
    return found


@functools.lru_cache(maxsize=1024)
def table_after(seed: int, season: int, count: int, teams: bool) -> tuple[tuple[str, int, int], ...]:
    """The table of drivers or constructors of a season over the first `count` races of all."""
    rows = (row for race in races()[:count] if race.season == season for row in results(seed, race))
    return tuple(totals(rows, teams=teams))


def totals(rows: Iterable[Result], *, teams: bool = False) -> list[tuple[str, int, int]]:
    """(driver or constructor id, points, wins) of a championship, best first."""
    points: dict[str, int] = {}
    places: dict[str, list[int]] = {}
    for row in rows:
        key = row.constructor.id if teams else row.driver.id
        points[key] = points.get(key, 0) + row.points
        places.setdefault(key, []).append(row.position)
    for found in places.values():
        found.sort()
    order = sorted(points, key=lambda key: (-points[key], places[key], key))
    return [(key, points[key], places[key].count(1)) for key in order]


def clock(milliseconds: int) -> str:
    """A time as h:mm:ss.mmm or m:ss.mmm."""
    minutes, rest = divmod(milliseconds, 60000)
    hours, minutes = divmod(minutes, 60)
    tail = f"{rest // 1000:02d}.{rest % 1000:03d}"
    return f"{hours}:{minutes:02d}:{tail}" if hours else f"{minutes}:{tail}"


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
    known = f"{season} has rounds 1 to {len(rounds)}" if rounds else "seasons 2010 to 2024"
    raise not_found("race", f"season {season} round {number}", such_as=[known])
