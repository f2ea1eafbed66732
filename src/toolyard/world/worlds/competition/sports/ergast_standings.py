"""Competition/Ergast_F1: seasons, drivers and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from toolyard.world.faults import ToolFault, not_found, out_of_range
from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.tables import page
from toolyard.world.types import Page
from toolyard.world.worlds.competition.sports import grand_prix as f1
from toolyard.world.worlds.competition.sports.ergast import GROUP
from toolyard.world.worlds.competition.sports.ergast_filters import (
    DriverFilters,
    SeasonListFilters,
    check_ids,
    matching,
    on_record_only,
)
from toolyard.world.worlds.competition.sports.ergast_shapes import (
    SHOWN,
    ConstructorId,
    ConstructorStanding,
    DriverId,
    DriverRow,
    DriverStanding,
    Position,
    RecordedRound,
    SeasonRow,
)
from toolyard.world.worlds.competition.sports.f1_record import (
    FIRST_SEASON,
    Season,
    before_results,
    calendar,
    seasons_on_record,
    took_part,
)
from toolyard.world.worlds.competition.sports.grand_prix import F1Season


def _champion(season: int, *, teams: bool = False) -> list[str]:
    return [key for key, _, _ in f1.table(season, teams)]


def _stands(order: Sequence[str], place: int | None, key: str | None) -> bool:
    """Whether somebody (or the one named) ended in a place of a table."""
    if place is None:
        return True
    return place <= len(order) and key in (None, order[place - 1])


@tool(
    GROUP,
    examples=[{"driver_id": "hamilton", "results_position": 1}, {}, {"circuit_id": "sochi"}],
    phrase=(
        "list Formula 1 seasons with their champions from Ergast[, only the season of {season}][, with the "
        "driver whose id is {driver_id}][, with the constructor whose id is {constructor_id}][, with the "
        "circuit whose id is {circuit_id}][, with the finishing place set to {results_position}]"
    ),
    noun="the Ergast list of seasons",
    jobs=("Formula 1 seasons",),
)
def season_list(world: World, **filters: Unpack[SeasonListFilters]) -> list[SeasonRow]:
    """Seasons with the number of their races and the champion (none while a season runs).

    Before 2010 it is on record who took part, and of the tables the first three drivers and the first constructor.
    """
    check_ids(filters)  # type: ignore[arg-type]
    found = _earlier_seasons(filters)
    if on_record_only(filters, "driver_id", "driver_standings", "circuit_id"):  # type: ignore[arg-type]
        return found
    asked = {key: value for key, value in filters.items() if not key.endswith("standings")}
    try:
        rows = matching(world, asked)  # type: ignore[arg-type]
    except ToolFault:
        if found:
            return found
        raise
    drove = {(row.race.season, row.driver.id) for row in rows}
    place = filters.get("driver_standings")
    for season in sorted({row.race.season for row in rows} | _planned_seasons(filters)):
        drivers, teams = _champion(season), _champion(season, teams=True)
        if (
            _stands(drivers, place, filters.get("driver_id"))
            and _stands(teams, filters.get("constructor_standings"), filters.get("constructor_id"))
            and (place is None or "constructor_id" not in filters or (season, drivers[place - 1]) in drove)
        ):
            count = sum(race.season == season for race in f1.races())
            over = sum(race.season == season for race in f1.run(world.now)) == count
            found.append(SeasonRow(season=season, races=count, champion=drivers[0] if over else None))
    return found


def _planned_seasons(filters: SeasonListFilters) -> set[int]:
    """Seasons with a race that fits where nothing but the season and the circuit is asked for, held already or not."""
    if not set(filters) <= {"season", "circuit_id"}:
        return set()
    return {
        race.season
        for race in f1.races()
        if filters.get("season", race.season) == race.season
        and filters.get("circuit_id", race.circuit.id) == race.circuit.id
    }


_OF_SEASONS = frozenset(
    ("season", "circuit_id", "driver_id", "driver_standings", "constructor_id", "constructor_standings")
)


def _earlier_seasons(filters: SeasonListFilters) -> list[SeasonRow]:
    """Seasons before 2010; on record are circuits, who took part, the first three drivers and the champion team."""
    team, rank = filters.get("constructor_id"), filters.get("constructor_standings")
    driver, place = filters.get("driver_id"), filters.get("driver_standings")
    if not set(filters) <= _OF_SEASONS or (team is not None and driver is not None and place is None):
        return []  # who drove for whom is on record of the first three of the table
    circuit = filters.get("circuit_id")
    return [
        SeasonRow(season=one.year, races=one.races, champion=one.first[0])
        for one in seasons_on_record().values()
        if one.year < FIRST_SEASON
        and filters.get("season", one.year) == one.year
        and (circuit is None or circuit in {race.circuit_id for race in calendar()[one.year]})
        and (driver is None or one.year in took_part()["driver_id"][driver])
        and (team is None or one.year in took_part()["constructor_id"][team])
        and _stands(one.first, place, driver)
        and (place is None or one.drove(place, team))
        and _stands([one.constructor] if one.constructor else [], rank, team)
    ]


def _table(
    world: World, season: int | None, race: int | None, *, teams: bool
) -> tuple[int, int, list[tuple[str, float, int]]]:
    year = season if season is not None else f1.run(world.now)[-1].season
    found = f1.table(year, teams)
    last = f1.TABLES_AFTER.get(year, max((one.round for one in f1.races() if one.season == year), default=0))
    if not found or race not in (None, last):
        if not found:
            raise not_found("table of the season", year, known=range(1950, 2025))
        raise not_found("table of the round", race, known=[last])
    return year, last, found


def _need_place(year: int, order: Sequence[str], key: str | None, place: tuple[str, int | None]) -> None:
    """Refuses a place, or somebody, beyond the part of a table that is on record."""
    part = f"the first {len(order)} are" if len(order) > 1 else "only the first is"
    known = f"of the table of {year} {part} on record"
    if place[1] is not None and place[1] > len(order):
        raise out_of_range(place[0], place[1], known)
    if key is not None and key not in order:
        raise ToolFault("not_found", f"{known}, and {key} is not among them")


@tool(
    GROUP,
    name="Driver_Standings",
    examples=[{"season": 2021}, {"season": 2010, "race": 19, "driver_id": "alonso"}],
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
    race: RecordedRound | None = None,
    driver_id: DriverId | None = None,
    driver_standings: Position | None = None,
) -> list[DriverStanding]:
    """The first ten of the drivers' table with points and wins, after the last race of a season.

    season: Year of the season, from 1950; by default the present one. Before 2010 only the top of the final
        table is known, without points.
    race: Round after which the table stood: the last one (6 in 2024).
    driver_id: Only this driver.
    driver_standings: Only the driver in this place of the table.
    """
    check_ids({"driver_id": driver_id} if driver_id is not None else {})
    record = before_results(season)
    if record is not None and race in (None, record.races):
        _need_place(record.year, record.first, driver_id, ("driver_standings", driver_standings))
        return [
            DriverStanding(season=record.year, round=record.races, position=place, driver_id=key,
                           driver=f1.drivers()[key].name, points=None, wins=None)
            for place, key in enumerate(record.first, 1)
            if driver_id in (None, key) and driver_standings in (None, place)
        ]  # fmt: skip
    year, after, table = _table(world, season, race, teams=False)
    _need_place(year, [key for key, _, _ in table], driver_id, ("driver_standings", driver_standings))
    return [
        DriverStanding(season=year, round=after, position=place, driver_id=key,
                       driver=f1.drivers()[key].name, points=points, wins=wins)
        for place, (key, points, wins) in enumerate(table, 1)
        if driver_id in (None, key) and driver_standings in (None, place)
    ]  # fmt: skip


@tool(
    GROUP,
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
    race: RecordedRound | None = None,
    constructor_id: ConstructorId | None = None,
    constructor_standings: Position | None = None,
) -> list[ConstructorStanding]:
    """The whole table of the constructors with points and wins, after the last race of a season.

    season: Year of the season, from 1950; by default the present one. Before 2010 only the top of the final
        table is known, without points.
    race: Round after which the table stood: the last one (6 in 2024).
    constructor_id: Only this constructor.
    constructor_standings: Only the constructor in this place of the table.
    """
    check_ids({"constructor_id": constructor_id} if constructor_id is not None else {})
    record = before_results(season)
    if record is not None and record.constructor is None:
        raise ToolFault(
            "not_found", f"constructors had no table in {season}: their championship began in 1958"
        )
    if record is not None and race in (None, record.races):
        first = record.constructor
        place = ("constructor_standings", constructor_standings)
        _need_place(record.year, [first] if first else [], constructor_id, place)
        fits = first is not None and constructor_id in (None, first) and constructor_standings in (None, 1)
        return [
            ConstructorStanding(season=record.year, round=record.races, position=1, constructor_id=first,
                                constructor=f1.constructors()[first].name, points=None, wins=None)
        ] if first and fits else []  # fmt: skip
    year, after, table = _table(world, season, race, teams=True)
    _need_place(
        year, [key for key, _, _ in table], constructor_id, ("constructor_standings", constructor_standings)
    )
    return [
        ConstructorStanding(season=year, round=after, position=place, constructor_id=key,
                            constructor=f1.constructors()[key].name, points=points, wins=wins)
        for place, (key, points, wins) in enumerate(table, 1)
        if constructor_id in (None, key) and constructor_standings in (None, place)
    ]  # fmt: skip


@tool(
    GROUP,
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
def driver_information(world: World, **filters: Unpack[DriverFilters]) -> Page[DriverRow]:
    """Drivers with number, birthday and nationality that have a result that fits: the first 30, and how many.

    Of a season before 2010 the first three are on record.
    """
    check_ids(filters)
    early = set(filters) <= _OF_DRIVERS
    record, place = before_results(filters.get("season")), filters.get("driver_standings")
    if early and (place is not None or (record is not None and "constructor_id" not in filters)):
        return page([_driver(f1.drivers()[key]) for key in _placed(world, filters, record)], SHOWN)
    if on_record_only(filters, "driver_id") and "driver_id" in filters:
        return page([_driver(f1.drivers()[filters["driver_id"]])], SHOWN)
    team = filters.get("constructor_id")
    if set(filters) == {"constructor_id"} and on_record_only(filters, "constructor_id") and team is not None:
        return page([_driver(f1.drivers()[key]) for key in f1.constructors()[team].drivers], SHOWN)
    found = dict.fromkeys(row.driver for row in _in_place(matching(world, filters), filters))
    return page([_driver(one) for one in found], SHOWN)


_OF_DRIVERS = frozenset(("season", "driver_id", "driver_standings", "constructor_id"))


def _placed(world: World, filters: DriverFilters, record: Season | None) -> list[str]:
    """The drivers in a place of the table of a season before 2010, or of any season."""
    early = [record] if record else [one for one in seasons_on_record().values() if one.year < FIRST_SEASON]
    team, wanted = filters.get("constructor_id"), filters.get("driver_standings")
    found = [
        key
        for one in early
        if record or "season" not in filters
        for place, key in enumerate(one.first, 1)
        if wanted in (None, place) and filters.get("driver_id", key) == key and one.drove(place, team)
    ]
    if record is not None and not found:
        known = f"of the drivers of {record.year} the first three are on record: {', '.join(record.first)}"
        raise ToolFault("not_found", known)
    if record is None and not on_record_only(filters, *_OF_DRIVERS):
        try:
            found += [row.driver.id for row in _in_place(matching(world, filters), filters)]
        except ToolFault:
            if not found:
                raise
    if not found and "season" not in filters and wanted is not None and wanted > _TOP:
        known = f"before {FIRST_SEASON} the first {_TOP} of a table are on record, and since then nobody fits"
        raise out_of_range("driver_standings", wanted, known)
    return list(dict.fromkeys(found))


# So many drivers of the tables before 2010 are on record.
_TOP = 3


def _in_place(rows: list[f1.Result], filters: DriverFilters) -> list[f1.Result]:
    """Results of those who ended the season in the place that is asked for; a fault for one that is not on record."""
    place, season = filters.get("driver_standings"), filters.get("season")
    if place is None:
        return rows
    if season is not None:
        _need_place(season, _champion(season), None, ("driver_standings", place))
    years = dict.fromkeys(row.race.season for row in rows)
    placed = {(year, order[place - 1]) for year in years if len(order := _champion(year)) >= place}
    return [row for row in rows if (row.race.season, row.driver.id) in placed]


def _driver(one: f1.Driver) -> DriverRow:
    return DriverRow(
        driver_id=one.id,
        name=one.name,
        code=one.code,
        number=one.car,
        born=one.born,
        nationality=one.nationality,
    )
