"""Competition/Ergast_F1: the table of all cars in all races, looked at from twelve sides."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Unpack, cast

from toolyard.world.kernel.faults import ToolFault, invalid, not_found, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import page
from toolyard.world.kernel.types import Page, Range
from toolyard.world.kernel.views import View
from toolyard.world.simulated.sports import grand_prix as f1
from toolyard.world.simulated.sports.grand_prix import F1Season
from toolyard.world.tools.competition.sports import ergast_shapes as shapes
from toolyard.world.tools.competition.sports.ergast_shapes import (
    SHOWN,
    ConstructorId,
    DriverId,
    Filters,
    Position,
    Round,
)

GROUP = Group("Competition/Ergast_F1")


def _part(number: int) -> Callable[[f1.Finish], str | None]:
    """What reads the time of a part of qualifying; None for a car that did not reach it."""
    return lambda row: f1.clock(row.qualifying[number]) if len(row.qualifying) > number else None


CIRCUITS = View.of(shapes.CircuitRow, circuit_id="id", length_km="length")
CONSTRUCTORS = View.of(shapes.ConstructorRow, constructor_id="id")
DRIVERS = View.of(shapes.DriverRow, driver_id="id", number="car")
RACES = View.of(
    shapes.RaceRow,
    race="name",
    circuit_id="circuit.id",
    circuit="circuit.name",
    country="circuit.country",
    date=lambda race: race.start.date().isoformat(),
    time=lambda race: race.start.strftime("%H:%M"),
)
QUALIFYING = View[shapes.QualifyingRow]({
    "season": "race.season", "round": "race.round", "position": "grid", "driver_id": "driver.id",
    "constructor_id": "constructor.id", "q1": _part(0), "q2": _part(1), "q3": _part(2),
})  # fmt: skip
RESULTS = View.of(
    shapes.ResultRow,
    position_text="text",
    driver_id="driver.id",
    driver="driver.name",
    constructor_id="constructor.id",
    status_id="status",
    status=lambda row: f1.STATUSES[row.status],
    time=lambda row: f1.clock(row.total),
    fastest_lap_time=lambda row: f1.clock(row.fastest),
    fastest_lap_rank="rank",
)
_PLACE = {"season": "season", "round": "round", "position": "position"}
DRIVER_TABLE = View[shapes.DriverStanding](
    {**_PLACE, "driver_id": "who.id", "driver": "who.name", "points": "points", "wins": "wins"}
)
TEAM_TABLE = View[shapes.ConstructorStanding](
    {**_PLACE, "constructor_id": "who.id", "constructor": "who.name", "points": "points", "wins": "wins"}
)

_LISTS: dict[str, tuple[str, Callable[[], Iterable[object]]]] = {
    "season": ("season_list", f1.seasons),
    "circuit_id": ("circuit_information", f1.all_circuits),
    "constructor_id": ("constructor_information", f1.all_constructors),
    "driver_id": ("driver_information", f1.all_drivers),
}
_READERS: dict[str, Callable[[f1.Finish], int | str]] = {
    "race": lambda row: row.race.round,
    "circuit_id": lambda row: row.race.circuit.id,
    "constructor_id": lambda row: row.constructor.id,
    "driver_id": lambda row: row.driver.id,
    "grid_position": lambda row: row.grid,
    "results_position": lambda row: row.position,
    "finishing_position": lambda row: row.position,
    "rank": lambda row: row.rank,
    "status_id": lambda row: row.status,
}


def check_known_ids(**given: object) -> None:
    """A not_found fault for a season or an id that no circuit, constructor or driver has."""
    for name, (lister, table) in _LISTS.items():
        wanted = given.get(name)
        if wanted is not None and wanted not in table():
            raise not_found(name, wanted, known=list(table()), listed_by=f"{GROUP}/{lister}")


def require_run(world: World, season: int, number: int) -> f1.Race:
    """A race that is over; refuses one that is still to come."""
    race = f1.find_race(season, number)
    if race.index >= len(f1.finished_races(world.now)):
        day = race.start.date().isoformat()
        raise ToolFault("not_found", f"{race.name} {season} has no result yet: it starts on {day}")
    return race


def matching(world: World, filters: Filters) -> list[f1.Finish]:
    """The cars of races that are over which fit all filters."""
    check_known_ids(**filters)
    season = filters.get("season")
    if season is not None and "race" in filters:
        require_run(world, season, filters["race"])
    driver = filters.get("driver_id")
    rows = f1.finishes_so_far(world.seed, world.now, season, () if driver is None else (driver,))
    wanted = [(_READERS[name], value) for name, value in filters.items() if name in _READERS]
    return [row for row in rows if all(read(row) == value for read, value in wanted)]


def _calendar_races(filters: Filters) -> Iterable[f1.Race] | None:
    """Races by season, round and circuit, held already or not; None where something else is asked for, too."""
    if not set(filters) <= {"season", "race", "circuit_id"}:
        return None
    check_known_ids(**filters)
    season, number, circuit = filters.get("season"), filters.get("race"), filters.get("circuit_id")
    if season is not None and number is not None:
        f1.find_race(season, number)
    return (race for race in f1.all_races()
            if season in (None, race.season) and number in (None, race.round)
            and circuit in (None, race.circuit.id))  # fmt: skip


@GROUP.tool(
    examples=[{"driver_id": "hamilton", "results_position": 1}, {}, {"circuit_id": "sochi"}],
    phrase=(
        "list Formula 1 seasons with their champions from Ergast[, only the season of {season}][, with the "
        "driver whose id is {driver_id}][, with the constructor whose id is {constructor_id}][, with the "
        "circuit whose id is {circuit_id}][, with the finishing place set to {results_position}]"
    ),
    noun="the Ergast list of seasons",
    jobs=("Formula 1 seasons",),
)
def season_list(world: World, **filters: Unpack[shapes.SeasonListFilters]) -> list[shapes.SeasonRow]:
    """Seasons with the number of their races and the champion (none while a season runs)."""
    place, rank = filters.get("driver_standings"), filters.get("constructor_standings")
    asked = cast("Filters", {key: value for key, value in filters.items() if not key.endswith("standings")})
    held = _calendar_races(asked)
    rows = held if held is not None else [row.race for row in matching(world, asked)]
    found = []
    for season in dict.fromkeys(race.season for race in rows):
        drivers = _ids_by_standing(world, season, teams=False)
        teams = _ids_by_standing(world, season, teams=True)
        if _ended_in_place(drivers, place, filters.get("driver_id")) and _ended_in_place(
            teams, rank, filters.get("constructor_id")
        ):
            over = f1.seasons()[season][-1].index < len(f1.finished_races(world.now))
            champion = drivers[0] if over else None
            found.append(shapes.SeasonRow(season=season, races=len(f1.seasons()[season]), champion=champion))
    return found


def _ids_by_standing(world: World, season: int, *, teams: bool) -> list[str]:
    return [row.who.id for row in f1.standings(world.seed, world.now, season, None, teams=teams)]


def _ended_in_place(order: Sequence[str], place: int | None, key: str | None) -> bool:
    """Whether somebody (or the one named) ended in a place of a table."""
    return place is None or (place <= len(order) and key in (None, order[place - 1]))


@GROUP.tool(
    examples=[{"season": 2021, "race": 22}, {"driver_id": "hamilton", "season": 2020}],
    phrase=(
        "get Formula 1 qualifying results from Ergast[ for the season of {season}][, in the "
        "round whose number is {race}][, for the driver whose id is {driver_id}][, for the constructor whose "
        "id is {constructor_id}][, at the circuit whose id is {circuit_id}][, with the place on the grid set "
        "to {grid_position}]"
    ),
    noun="the qualifying results",
    jobs=("Formula 1 races",),
)
def qualifying_results(
    world: World, **filters: Unpack[shapes.QualifyingFilters]
) -> Page[shapes.QualifyingRow]:
    """Qualifying times and places of the cars that fit, in order of races and places: the first 30, and how many there
    are. Fifteen cars reach the second part of qualifying and ten the third.
    """
    place, other = filters.get("finishing_position"), filters.get("results_position")
    if None not in (place, other) and place != other:
        raise out_of_range("finishing_position", place, f"results_position is the same, and is {other}")
    rows = sorted(matching(world, filters), key=lambda row: (row.race.index, row.grid))
    return QUALIFYING.page(rows, 0, SHOWN)


@GROUP.tool(
    examples=[{}, {"driver_id": "alonso"}, {"season": 2010, "circuit_id": "monza"}],
    phrase=(
        "look up Formula 1 constructors in Ergast[ for the season of {season}][, in the round whose number "
        "is {race}][, at the circuit whose id is {circuit_id}][, only those that the driver whose id is "
        "{driver_id} drove for][, only the constructor whose id is {constructor_id}]"
    ),
    noun="the Ergast constructor information",
    jobs=("Formula 1 teams",),
)
def constructor_information(world: World, **filters: Unpack[Filters]) -> Page[shapes.ConstructorRow]:
    """Constructors (teams) with a result that fits: the first 30, and how many there are."""
    if not filters:
        return CONSTRUCTORS.page(list(f1.all_constructors().values()), 0, SHOWN)
    return CONSTRUCTORS.page(
        list(dict.fromkeys(row.constructor for row in matching(world, filters))), 0, SHOWN
    )


@GROUP.tool(
    examples=[
        {"season": 2010, "round": 5, "lap_number": 10},
        {"season": 2021, "round": 22, "lap_number": 1, "driver_id": "hamilton"},
    ],
    phrase=(
        "get the Formula 1 lap times for the season of {season} where the round number is {round} and the "
        "lap number is {lap_number}[, only for the driver whose id is {driver_id}]"
    ),
    noun="the lap times",
)
def lap_times(
    world: World,
    *,
    season: F1Season,
    round_: Round,
    lap_number: Annotated[int, Range(1, 100)],
    driver_id: DriverId | None = None,
) -> list[shapes.LapRow]:
    """Times of one lap of a race and the order in which the cars crossed the line at its end.

    season: Year of the season.
    round: Round of the season.
    lap_number: Number of the lap, from 1.
    driver_id: Only this driver.
    """
    race = require_run(world, season, round_)
    check_known_ids(driver_id=driver_id)
    if lap_number > race.circuit.laps:
        raise out_of_range(
            "lap_number", lap_number, f"{race.name} {season} has laps 1 to {race.circuit.laps}"
        )
    laps = f1.lap_times(world.seed, race)
    sums = {key: sum(times[:lap_number]) for key, times in laps.items() if len(times) >= lap_number}
    return [
        shapes.LapRow(lap=lap_number, position=place, driver_id=key, time=f1.clock(laps[key][lap_number - 1]))
        for place, key in enumerate(sorted(sums, key=sums.__getitem__), 1)
        if driver_id in (None, key)
    ]


@GROUP.tool(
    examples=[{"season": 2010}, {"driver_id": "hamilton", "results_position": 1}],
    phrase=(
        "get the Formula 1 race schedule from Ergast[ for the season of {season}][, at the circuit whose id "
        "is {circuit_id}][, with the driver whose id is {driver_id}][, with the constructor whose id is "
        "{constructor_id}][, with the finishing place set to {results_position}]"
    ),
    noun="the race schedule",
    jobs=("Formula 1 races",),
)
def race_schedule(world: World, **filters: Unpack[Filters]) -> Page[shapes.RaceRow]:
    """Races with date and circuit: the first 30 that fit, and how many; coming ones too unless a result is asked for."""
    held = _calendar_races(filters)
    races = list(held) if held is not None else dict.fromkeys(row.race for row in matching(world, filters))
    return RACES.page(list(races), 0, SHOWN)


@GROUP.tool(
    examples=[{}, {"season": 2021, "race": 22}],
    phrase=(
        "look up Formula 1 circuits in Ergast[ for the season of {season}][, in the round whose number is "
        "{race}][, only the circuit whose id is {circuit_id}][, raced by the driver whose id is "
        "{driver_id}][, raced by the constructor whose id is {constructor_id}]"
    ),
    noun="the Ergast circuit information",
    jobs=("circuits",),
)
def circuit_information(world: World, **filters: Unpack[Filters]) -> Page[shapes.CircuitRow]:
    """Circuits with place and length that have a race that fits: the first 30, and how many there are."""
    held = _calendar_races(filters)
    races = list(held) if held is not None else [row.race for row in matching(world, filters)]
    found = dict.fromkeys(race.circuit for race in races)
    ordered = sorted(found, key=lambda one: one.number)
    return CIRCUITS.page(ordered, 0, SHOWN)


@GROUP.tool(
    examples=[{"season": 2021, "race": 22}, {"season": 2014, "race": 19, "driver_id": "hamilton"}],
    phrase=(
        "get the Formula 1 pit stops from Ergast for the season of {season} where the round number is "
        "{race}[, only for the driver whose id is {driver_id}][, with the stop number set to "
        "{stop_number}][, only in the lap whose number is {lap_number}]"
    ),
    noun="the Ergast pit stops",
    jobs=("pit stops",),
)
def pit_stops(
    world: World,
    *,
    season: F1Season,
    race: Round,
    stop_number: Annotated[int, Range(1, 10)] | None = None,
    driver_id: DriverId | None = None,
    lap_number: Annotated[int, Range(1, 100)] | None = None,
) -> Page[shapes.StopRow]:
    """Stops in the pits during a race in order of laps, with the seconds that each took: the first 30, and how many.

    season: Year of the season.
    race: Round of the season.
    stop_number: Only the first, second ... stop of each driver.
    driver_id: Only this driver.
    lap_number: Only stops in this lap.
    """
    found = require_run(world, season, race)
    check_known_ids(driver_id=driver_id)
    rows = [
        shapes.StopRow(driver_id=row.driver.id, stop=number, lap=lap, duration_s=time / 1000)
        for row in f1.race_results(world.seed, found)
        for number, (lap, time) in enumerate(row.stops, 1)
        if stop_number in (None, number) and driver_id in (None, row.driver.id) and lap_number in (None, lap)
    ]
    return page(sorted(rows, key=lambda row: row["lap"]), SHOWN)


@GROUP.tool(
    examples=[{"season": 2021, "race": 22}, {"season": 2021, "race": 22, "driver_id": "hamilton"}],
    phrase=(
        "get the Formula 1 race result from Ergast for the season of {season} where the round number is "
        "{race}[, only for the driver whose id is {driver_id}][, only for the constructor whose id is "
        "{constructor_id}][, only for the car whose grid place is {grid_position}][, only for the car whose "
        "finishing place is {finishing_position}]"
    ),
    noun="the Ergast race result",
    jobs=("Formula 1 races",),
)
def race_results(
    world: World,
    *,
    season: F1Season,
    race: Round,
    circuit_id: str | None = None,
    constructor_id: ConstructorId | None = None,
    driver_id: DriverId | None = None,
    grid_position: Position | None = None,
    rank: Position | None = None,
    status_id: shapes.StatusId | None = None,
    finishing_position: Position | None = None,
) -> shapes.RaceResults:
    """The result of a race: place, grid, laps, points, time, fastest lap and how it ended for each car.

    season: Year of the season.
    race: Round of the season.
    circuit_id: The circuit of the race, which is one already by season and round; another one is refused.
    constructor_id: Only this constructor.
    driver_id: Only this driver.
    grid_position: Only the car from this place on the grid.
    rank: Only the car with this rank of the fastest lap.
    status_id: Only cars that ended in this way, by number.
    finishing_position: Only the car that finished in this place.
    """
    found = require_run(world, season, race)
    check_known_ids(circuit_id=circuit_id)
    if circuit_id not in (None, found.circuit.id):
        raise invalid("circuit_id", circuit_id, f"{found.name} {season} was held at {found.circuit.id}")
    wanted = {"season": season, "race": race, "constructor_id": constructor_id, "driver_id": driver_id, "rank": rank,
              "grid_position": grid_position, "results_position": finishing_position,
              "status_id": status_id}  # fmt: skip
    given = cast("Filters", {key: value for key, value in wanted.items() if value is not None})
    return {
        "season": season,
        "round": race,
        "race": found.name,
        "date": found.start.date().isoformat(),
        "results": RESULTS.rows(matching(world, given)),
    }


@GROUP.tool(
    examples=[{}, {"season": 2010, "driver_id": "alonso"}],
    phrase=(
        "count in Ergast in which ways Formula 1 races ended for the cars[ in the season of {season}][, in "
        "the round whose number is {race}][, for the driver whose id is {driver_id}][, for the constructor "
        "whose id is {constructor_id}][, at the circuit whose id is {circuit_id}]"
    ),
    noun="the count of finishing statuses",
)
def finishing_status(world: World, **filters: Unpack[Filters]) -> list[shapes.StatusRow]:
    """Ways in which a race can end for a car, with how often each occurs among the results that fit."""
    counts = Counter(row.status for row in matching(world, filters))
    return [
        shapes.StatusRow(status_id=key, status=f1.STATUSES[key], count=counts[key]) for key in sorted(counts)
    ]


def _standings_table(world: World, season: int | None, race: int | None, *, teams: bool) -> list[f1.Standing]:
    year = season if season is not None else f1.finished_races(world.now)[-1].season
    return f1.standings(world.seed, world.now, year, race, teams=teams)


@GROUP.tool(
    name="Driver_Standings",
    examples=[{"season": 2021}, {"season": 2010, "race": 5, "driver_id": "alonso"}],
    phrase=(
        "get the Formula 1 driver standings from Ergast[ for the season of {season}][, counted after the "
        "round whose number is {race}][, only for the driver whose id is {driver_id}][, only for the driver "
        "whose place in the table is {driver_standings}]"
    ),
    noun="the Ergast driver standings",
    jobs=("drivers",),
)
def driver_standings_table(
    world: World,
    *,
    season: F1Season | None = None,
    race: Round | None = None,
    driver_id: DriverId | None = None,
    driver_standings: Position | None = None,
) -> list[shapes.DriverStanding]:
    """The table of the drivers with points and wins, after a round or after the latest race.

    season: Year of the season, from 1950; by default the present one.
    race: Round after which to count; by default the latest one that is over.
    driver_id: Only this driver.
    driver_standings: Only the driver in this place of the table.
    """
    check_known_ids(driver_id=driver_id)
    return DRIVER_TABLE.rows(
        row
        for row in _standings_table(world, season, race, teams=False)
        if driver_id in (None, row.who.id) and driver_standings in (None, row.position)
    )


@GROUP.tool(
    name="constructor_Standings",
    examples=[{"season": 2021}, {"season": 2014, "constructor_standings": 1}],
    phrase=(
        "get the Formula 1 constructor standings from Ergast[ for the season of {season}][, counted after "
        "the round whose number is {race}][, only for the constructor whose id is {constructor_id}][, only "
        "for the constructor whose place in the table is {constructor_standings}]"
    ),
    noun="the Ergast constructor standings",
    jobs=("Formula 1 teams",),
)
def constructor_standings_table(
    world: World,
    *,
    season: F1Season | None = None,
    race: Round | None = None,
    constructor_id: ConstructorId | None = None,
    constructor_standings: Position | None = None,
) -> list[shapes.ConstructorStanding]:
    """The table of the constructors with points and wins, after a round or after the latest race.

    season: Year of the season, from 1950; by default the present one.
    race: Round after which to count; by default the latest one that is over.
    constructor_id: Only this constructor.
    constructor_standings: Only the constructor in this place of the table.
    """
    check_known_ids(constructor_id=constructor_id)
    return TEAM_TABLE.rows(
        row
        for row in _standings_table(world, season, race, teams=True)
        if constructor_id in (None, row.who.id) and constructor_standings in (None, row.position)
    )


@GROUP.tool(
    examples=[{"season": 2010}, {"driver_id": "alonso"}, {"driver_standings": 1}],
    phrase=(
        "look up Formula 1 drivers with birthday and nationality in Ergast[ for the season of {season}][, "
        "only the driver whose id is {driver_id}][, only drivers of the constructor whose id is "
        "{constructor_id}][, at the circuit whose id is {circuit_id}][, only the driver whose place in the "
        "season table is {driver_standings}]"
    ),
    noun="the Ergast driver information",
    jobs=("drivers",),
)
def driver_information(world: World, **filters: Unpack[shapes.DriverFilters]) -> Page[shapes.DriverRow]:
    """Drivers with number, birthday and nationality that have a result that fits: the first 30, and how many."""
    place = filters.get("driver_standings")
    asked = cast("Filters", {key: value for key, value in filters.items() if key != "driver_standings"})
    rows = matching(world, asked)
    if place is not None:
        years = dict.fromkeys(row.race.season for row in rows)
        placed = {(year, _ids_by_standing(world, year, teams=False)[place - 1 : place][-1]) for year in years
                  if place <= len(_ids_by_standing(world, year, teams=False))}  # fmt: skip
        rows = [row for row in rows if (row.race.season, row.driver.id) in placed]
    return DRIVERS.page(list(dict.fromkeys(row.driver for row in rows)), 0, SHOWN)
