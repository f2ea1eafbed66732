"""Formula 1 from 1950 to 2024: calendars, circuits, drivers and entries are reference; every result comes from the seed.

One table holds a car in a race. Positions are ranks of race times, laps add up to them, points and tables are counted.
"""

import functools
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain
from random import Random
from typing import Annotated

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found, out_of_range
from toolyard.world.kernel.tables import read_record, read_table, values_of
from toolyard.world.kernel.types import Semantic

F1Season = Annotated[int, Semantic("f1_season")]
DriverName = Annotated[str, Semantic("f1_driver")]
CircuitName = Annotated[str, Semantic("f1_circuit")]
POINTS = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)
STATUSES: Mapping[int, str] = dict(values_of("grand_prix.statuses").values())
_LAPPED = 10
_BROKEN = (3, 4, 5, 6, 9, 22, 23)
# Bounds of the draws: how much slower than the best a team and a driver is, and how likely a car breaks down.
TEAM_SLOWER, DRIVER_SLOWER, BREAKS = 0.016, 0.008, 0.12


Stops = tuple[tuple[int, int], ...]  # laps and times


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
    code: str
    car: int
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


@dataclass(frozen=True, slots=True, eq=False)
class Finish:
    """One car in one race. Times are in milliseconds; `total` is the time over `laps` with the stops (lap, time) in it."""

    race: Race
    driver: Driver
    constructor: Constructor
    grid: int
    position: int
    status: int
    laps: int
    fastest: int
    fastest_lap: int
    rank: int
    # Time in all, how many times of qualifying there are, they, the stops: as numbers they take four times the room.
    numbers_bytes: bytes

    @property
    def total(self) -> int:
        """The time over all laps, with the stops in it."""
        return array("i", self.numbers_bytes)[0]

    @property
    def qualifying(self) -> tuple[int, ...]:
        """The times in the parts of qualifying that the car reached."""
        _, count, *numbers = array("i", self.numbers_bytes)
        return tuple(numbers[:count])

    @property
    def stops(self) -> Stops:
        """Laps and times of the stops."""
        _, count, *numbers = array("i", self.numbers_bytes)
        return tuple(zip(numbers[count::2], numbers[count + 1 :: 2], strict=True))

    @property
    def finished(self) -> bool:
        """Whether the car saw the flag."""
        return self.status not in _BROKEN

    @property
    def text(self) -> str:
        """The position, or R for a car that did not finish."""
        return str(self.position) if self.finished else "R"

    @property
    def points(self) -> int:
        """Points for the place: 25, 18, 15, 12, 10, 8, 6, 4, 2 and 1."""
        return POINTS[self.position - 1] if self.finished and self.position <= len(POINTS) else 0


@functools.cache
def all_circuits() -> Mapping[str, Circuit]:
    """Circuits by id."""
    rows = enumerate(read_table("f1_circuits.tsv"), 1)
    return {
        row["id"]: read_record(
            Circuit,
            row,
            number=number,
            distance=float(row["distance"] or round(float(row["length"]) * int(row["laps"]), 3)),
        )
        for number, row in rows
    }


@functools.cache
def all_drivers() -> Mapping[str, Driver]:
    """Drivers by id; without a code of their own they have the start of their name, without a number their place."""
    rows = enumerate(read_table("f1_drivers.tsv"), 1)
    return {
        row["id"]: read_record(
            Driver,
            row,
            number=number,
            code=row["code"] or row["name"].split()[-1][:3].upper(),
            car=int(row["number"] or 1 + number % 99),
        )
        for number, row in rows
    }


@functools.cache
def all_constructors() -> Mapping[str, Constructor]:
    """Constructors by id."""
    rows = enumerate(read_table("f1_constructors.tsv"), 1)
    return {row["id"]: read_record(Constructor, row, number=number) for number, row in rows}


@functools.cache
def all_races() -> tuple[Race, ...]:
    """All races in order of time."""
    found: list[Race] = []
    for row in read_table("f1_calendar.tsv"):
        days, times = row["days"].split(), row["times"].split()
        for turn, text in enumerate(row["circuits"].split()):
            key, _, title = text.partition(":")
            clock = times[turn] if times else "13:00"
            start = datetime.fromisoformat(f"{row['season']}-{days[turn]}T{clock}").replace(tzinfo=UTC)
            found.append(Race(len(found), int(row["season"]), turn + 1, start, all_circuits()[key],
                              _race_title(title) or all_circuits()[key].race))  # fmt: skip
    return tuple(found)


def _race_title(text: str) -> str:
    """The name of a race that is not called as usual at its circuit: São_Paulo, Indianapolis_500."""
    name = text.replace("_", " ")
    return name if not name or name[-1].isdigit() else f"{name} Grand Prix"


@functools.cache
def seasons() -> Mapping[int, tuple[Race, ...]]:
    """The races of each season."""
    found: dict[int, tuple[Race, ...]] = {}
    for race in all_races():
        found[race.season] = (*found.get(race.season, ()), race)
    return found


@functools.cache
def _entries_by_season() -> Mapping[int, tuple[tuple[str, str], ...]]:
    rows = ((int(row["season"]), row["teams"].split(";")) for row in read_table("f1_entries.tsv"))
    return {
        season: tuple((one, name) for name, *people in map(str.split, teams) for one in people)
        for season, teams in rows
    }


@functools.cache
def _substitutes() -> Mapping[tuple[int, int], Mapping[tuple[str, str], str]]:
    """(season, round) -> who of a constructor's drivers did not drive there, and who did ("" for nobody)."""
    found: dict[tuple[int, int], dict[tuple[str, str], str]] = {}
    for row in read_table("f1_substitutes.tsv"):
        first, _, last = row["rounds"].partition("-")
        for number in range(int(first), int(last or first) + 1):
            changes = found.setdefault((int(row["season"]), number), {})
            changes[row["instead_of"], row["constructor"]] = row["driver"]
    return found


@functools.cache
def race_starters(race: Race) -> tuple[tuple[Driver, Constructor], ...]:
    """Drivers of a race with their teams: those of the season, save where others drove or a car stayed out."""
    changes = _substitutes().get((race.season, race.round), {})
    cars = ((changes.get((one, team), one), team) for one, team in _entries_by_season()[race.season])
    return tuple(_driver_and_team(one, team) for one, team in cars if one)


@functools.cache
def _driver_and_team(driver: str, constructor: str) -> tuple[Driver, Constructor]:
    """A driver with a team: one object for all their races."""
    return all_drivers()[driver], all_constructors()[constructor]


@seeds.cache_by_seed(8192)
def lap_slowness(seed: int, season: int, driver: Driver, team: Constructor) -> float:
    """By which part of a lap a car is slower than the best possible one in a season."""
    slower = TEAM_SLOWER * seeds.unit(seed, "f1 team", season, team.id)
    return slower + DRIVER_SLOWER * seeds.unit(seed, "f1 driver", season, driver.id)


def lap_time(circuit: Circuit) -> float:
    """A fast lap in milliseconds, at about 220 km/h."""
    return circuit.length * 1e6 / 61.5


def _qualifying_times(base: float, paces: Sequence[float], chance: Random) -> list[tuple[int, ...]]:
    """Times of the cars in the parts of qualifying that each reached: all, the first fifteen, the first ten."""
    times: list[tuple[int, ...]] = [()] * len(paces)
    left = list(range(len(paces)))
    for part, kept in enumerate((15, 10, 0)):
        for car in left:
            lap = round(base * (1.012 - 0.004 * part + paces[car] + 0.008 * chance.random()))
            times[car] = (*times[car], lap)
        left = sorted(left, key=lambda car: times[car][-1])[:kept]
    return times


def _draw_stops(laps: int, chance: Random) -> Stops:
    count = 1 + int(2.5 * chance.random())
    spots = sorted({round(laps * (n + 1) / (count + 1) + 8 * chance.random() - 4) for n in range(count)})
    return tuple((lap, 21500 + int(5000 * chance.random())) for lap in spots if 1 < lap < laps - 5)


def _simulate_race(seed: int, race: Race) -> tuple[Finish, ...]:
    """Every car of a race in order of position: those that saw the flag by laps and time, then those that broke down."""
    chance = seeds.stream(seed, "grand prix", race.season, race.round)
    cars, base, length = race_starters(race), lap_time(race.circuit), race.circuit.laps
    paces = [lap_slowness(seed, race.season, *car) for car in cars]
    times = _qualifying_times(base, paces, chance)
    fast = sorted(range(len(cars)), key=lambda car: (-len(times[car]), times[car][-1], car))
    grid = {car: place for place, car in enumerate(fast, 1)}
    stops = [_draw_stops(length, chance) for _ in cars]
    laps = [base * (1.035 + slower + 0.006 * chance.random()) + 400 * grid[car] / length
            for car, slower in enumerate(paces)]  # fmt: skip
    totals = [lap * length + sum(time for _, time in own) for lap, own in zip(laps, stops, strict=True)]
    winning = min(totals)
    drives = [
        _drive_race(
            lap,
            length,
            stops[car],
            None if total > winning and chance.random() < BREAKS else total - winning,
            chance,
        )
        for car, (lap, total) in enumerate(zip(laps, totals, strict=True))
    ]
    order = sorted(
        range(len(cars)), key=lambda car: (drives[car][0] in _BROKEN, -drives[car][1], drives[car][2])
    )
    ranks = {car: rank for rank, car in enumerate(sorted(order, key=lambda car: drives[car][3]), 1)}
    return tuple(
        Finish(
            race,
            *cars[car],
            grid[car],
            place,
            *drives[car][:2],
            *drives[car][3:5],
            ranks[car],
            _pack_numbers(drives[car][2], len(times[car]), *times[car], *chain.from_iterable(drives[car][5])),
        )
        for place, car in enumerate(order, 1)
    )


def _pack_numbers(*values: int) -> bytes:
    return array("i", values).tobytes()


def _drive_race(
    lap: float, length: int, stops: Stops, behind: float | None, chance: Random
) -> tuple[int, int, int, int, int, Stops]:
    """Status, laps, total time, fastest lap with its number, and stops of a car that ends so far behind, or breaks down."""
    laps = length - int(behind / lap) if behind is not None else chance.randrange(1, length)
    status = chance.choice(_BROKEN) if behind is None else 1 if laps == length else _LAPPED + length - laps
    made = tuple(stop for stop in stops if stop[0] < laps)
    total = round(lap * laps) + sum(time for _, time in made)
    number = int(laps * chance.random()) + 1
    while laps > len(made) and any(stop[0] == number for stop in made):
        number = number % laps + 1
    return (
        status,
        laps,
        total,
        round(lap * (0.975 + 0.014 * chance.random())) if laps > 1 else total,
        number,
        made,
    )


@seeds.cache_by_seed(256)
def season_finishes(seed: int, season: int) -> tuple[tuple[Finish, ...], ...]:
    """The cars of each race of a season, in order of position."""
    return tuple(_simulate_race(seed, race) for race in seasons()[season])


def race_results(seed: int, race: Race) -> tuple[Finish, ...]:
    """Every car of a race, in order of position."""
    return season_finishes(seed, race.season)[race.round - 1]


def finishes_so_far(
    seed: int, now: datetime, season: int | None = None, drivers: Iterable[str] = ()
) -> Iterable[Finish]:
    """Every car of the races that are over, of all seasons or of one, or of those that some drivers took part in."""
    last = len(finished_races(now))
    years = [year for one in drivers for year in seasons_by_entrant()[one]] if drivers else seasons()
    for year in (season,) if season is not None else sorted(set(years)):
        for race in season_finishes(seed, year):
            if race[0].race.index < last:
                yield from race


def lap_records(seed: int, now: datetime, first: int) -> dict[Circuit, Finish]:
    """Circuit -> the car that drove the fastest lap there in the races from a season on."""
    found: dict[Circuit, Finish] = {}
    for year in filter(first.__le__, seasons()):
        for row in finishes_so_far(seed, now, year):
            best = found.setdefault(row.race.circuit, row)
            found[row.race.circuit] = min(best, row, key=lambda one: one.fastest)
    return found


@functools.cache
def seasons_by_entrant() -> Mapping[str, frozenset[int]]:
    """Driver -> the seasons in which he drove."""
    found: dict[str, set[int]] = {}
    for race in all_races():
        for driver, _ in race_starters(race):
            found.setdefault(driver.id, set()).add(race.season)
    return {key: frozenset(years) for key, years in found.items()}


@seeds.cache_by_seed(64)
def lap_times(seed: int, race: Race) -> Mapping[str, tuple[int, ...]]:
    """Driver -> his laps; they add up to his race time, one is his fastest, those with a stop are longer."""
    found = {}
    for row in race_results(seed, race):
        chance = seeds.stream(seed, "f1 laps", race.index, row.driver.id)
        stops = dict(row.stops)
        weights = [1 + 0.008 * chance.random() for _ in range(row.laps)]
        weights[row.fastest_lap - 1] = 0.0
        unit = (row.total - row.fastest - sum(stops.values())) / (sum(weights) or 1.0)
        laps = [round(unit * weight) + stops.get(n, 0) for n, weight in enumerate(weights, 1)]
        laps[row.fastest_lap - 1] = row.fastest
        longest = max(range(row.laps), key=laps.__getitem__)
        laps[longest] += row.total - sum(laps)
        found[row.driver.id] = tuple(laps)
    return found


@dataclass(frozen=True, slots=True)
class Standing:
    """A place of a table; `who` is a driver or a constructor, `team` the constructor of the latest race."""

    season: int
    round: int
    position: int
    who: Driver | Constructor
    team: Constructor
    points: int
    wins: int
    behind: int


def standings(seed: int, now: datetime, season: int, number: int | None, *, teams: bool) -> list[Standing]:
    """The table of a season after a round, or after the latest race that is over, best first."""
    if season not in seasons():
        raise not_found("season", season, known=list(seasons()))
    held = [race for race in seasons()[season] if race.index < len(finished_races(now))]
    if number is not None and not 1 <= number <= len(held):
        raise out_of_range("race", number, f"{len(held)} rounds of {season} are over; want 1 to {len(held)}")
    after = held[-1].round if number is None else number
    places: dict[str, list[Finish]] = {}
    for race in season_finishes(seed, season)[:after]:
        for row in race:
            places.setdefault(row.constructor.id if teams else row.driver.id, []).append(row)
    points = {key: sum(row.points for row in rows) for key, rows in places.items()}
    order = sorted(places, key=lambda key: (-points[key], sorted(row.position for row in places[key]), key))
    return [
        Standing(season, after, place, all_constructors()[key] if teams else all_drivers()[key], places[key][-1].constructor,
                 points[key], sum(row.position == 1 for row in places[key]), points[order[0]] - points[key])
        for place, key in enumerate(order, 1)
    ]  # fmt: skip


def finished_races(now: datetime) -> tuple[Race, ...]:
    """The races that are over."""
    return all_races()[: bisect_right(_race_starts(), now - timedelta(hours=2))]


@functools.cache
def _race_starts() -> tuple[datetime, ...]:
    return tuple(race.start for race in all_races())


def clock(milliseconds: int) -> str:
    """A time as h:mm:ss.mmm or m:ss.mmm."""
    minutes, rest = divmod(milliseconds, 60000)
    hours, minutes = divmod(minutes, 60)
    tail = f"{rest // 1000:02d}.{rest % 1000:03d}"
    return f"{hours}:{minutes:02d}:{tail}" if hours else f"{minutes}:{tail}"


def find_race(season: int, number: int) -> Race:
    """The race of a season and round; a fault otherwise."""
    if season not in seasons():
        raise not_found("season", season, known=list(seasons()))
    held = seasons()[season]
    if not 1 <= number <= len(held):
        raise out_of_range("race", number, f"{season} has rounds 1 to {len(held)}")
    return held[number - 1]
