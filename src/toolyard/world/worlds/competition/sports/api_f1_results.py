"""Competition/API_F1: pit stops, standings and results."""

from __future__ import annotations

from typing import Annotated

from toolyard.world.faults import ToolFault, invalid, not_found, out_of_range
from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.tables import filter_rows
from toolyard.world.types import Range
from toolyard.world.worlds.competition.sports import grand_prix as f1
from toolyard.world.worlds.competition.sports.api_f1 import session_of
from toolyard.world.worlds.competition.sports.api_f1_checks import need_known
from toolyard.world.worlds.competition.sports.api_f1_shapes import (
    FIRST,
    GROUP,
    DriverId,
    RaceId,
    RaceRank,
    Recorded,
    SeasonRank,
    StopRow,
    TeamId,
    is_wanted,
    rank_row,
    ranking,
)
from toolyard.world.worlds.competition.sports.f1_record import Season, before_results
from toolyard.world.worlds.competition.sports.f1_weekends import SESSIONS, sessions, title_of
from toolyard.world.worlds.competition.sports.grand_prix import F1Season


def _finished(world: World, number: int) -> tuple[f1.Race, int]:
    race, kind = session_of(number)
    if race not in f1.run(world.now):
        held = next((one for one in sessions(race) if one.kind == kind), sessions(race)[-1])
        what = f"the {title_of(race, kind)} is on {held.day}"
        raise invalid("race", number, f"{what} and has no results yet")
    return race, kind


@tool(
    GROUP,
    examples=[{"race": 400}, {"race": 400, "driver": 20}],
    phrase=(
        "get the last pit stop and the stop count of each driver in the API-F1 race whose session number is "
        "{race}[, only for the team whose number is {team}][, only for the driver whose number is {driver}]"
    ),
    noun="the API-F1 pit stops",
    jobs=("pit stops",),
)
def pit_stops(
    world: World,
    *,
    race: Annotated[int, Range(1, 100_000)],
    team: Recorded | None = None,
    driver: Recorded | None = None,
) -> list[StopRow]:
    """The last stop in the pits, with how many he made, of each driver on record: two or three leading ones in nine races,
    the last of 2014, seven of 2021 (Bahrain, Spain, France, United States, Mexico, Brazil, Abu Dhabi) and Singapore 2023.

    race: Number of the race (a session of the type Race).
    team: Only this team.
    driver: Only this driver.
    """
    found, kind = _finished(world, race)
    need_known(team=team, driver=driver)
    if kind:
        itself = race - kind
        raise invalid(
            "race", race, f"it is no race but the {title_of(found, kind)}; the race is session {itself}"
        )
    if not any(row.stops for row in f1.results(found)):
        raise not_found("stops on record of session", race, known=_sessions_with_stops())
    on_record = [row for row in f1.results(found) if row.stops]
    wanted = [row for row in on_record if is_wanted(row, team, driver)]
    if not wanted:
        known = ", ".join(row.driver.name for row in on_record)
        raise ToolFault("not_found", f"of session {race} the stops of {known} are on record")
    return [
        {
            "race_id": race,
            "driver_id": row.driver.number,
            "driver": row.driver.name,
            "team_id": row.constructor.number,
            "stops": len(row.stops),
            "lap": row.stops[-1],
        }
        for row in wanted
    ]


def _sessions_with_stops() -> list[int]:
    own = [race for race in f1.races() if race.season >= FIRST]
    return [
        place * len(SESSIONS) + 1
        for place, race in enumerate(own)
        if race.podium and any(row.stops for row in f1.results(race))
    ]


def _on_record(season: Season, place: int, driver: f1.Driver) -> SeasonRank:
    """A driver of a season before 2010, of which only the first three places are known."""
    return {
        "position": place,
        "driver_id": driver.number,
        "driver": driver.name,
        "team_id": None,
        "team": None,
        "points": None,
        "wins": None,
        "behind": None,
        "season": season.year,
    }


@tool(
    GROUP,
    examples=[{"season": 2021}, {"season": 2019, "driver": 20}],
    phrase=(
        "get the drivers' championship ranking from API-F1 for the season of {season}[, only for the team "
        "whose number is {team}][, only for the driver whose number is {driver}]"
    ),
    noun="the API-F1 drivers' championship",
    jobs=("drivers",),
)
def rankings_drivers(
    *, season: F1Season, team: TeamId | None = None, driver: DriverId | None = None
) -> list[SeasonRank]:
    """The first ten of the drivers' championship of a season; of 2024 after six races, before 2010 the first three without
    teams and points.

    season: Year of the season.
    team: Only drivers of this team.
    driver: Only this driver.
    """
    need_known(team=team, driver=driver)
    record = before_results(season)
    if record is not None:
        if team is not None:
            raise out_of_range("team", team, f"teams of {season} are not on record; leave it out")
        return [_on_record(record, place, f1.drivers()[key]) for place, key in enumerate(record.first, 1)
                if driver in (None, f1.drivers()[key].number)]  # fmt: skip
    table = f1.table(season, False)
    if not table:
        raise not_found("table of the season", season, known=range(1950, 2025))
    teams = {one.id: team for one, team in f1.entries(season)}
    rows: list[SeasonRank] = [
        {
            "position": place,
            "driver_id": f1.drivers()[key].number,
            "driver": f1.drivers()[key].name,
            "team_id": teams[key].number,
            "team": teams[key].name,
            "points": points,
            "wins": wins,
            "behind": table[0][1] - points,
            "season": season,
        }
        for place, (key, points, wins) in enumerate(table, 1)
    ]
    fitting = filter_rows(rows, team_id=team, driver_id=driver)
    if not fitting:
        raise ToolFault("not_found", f"nothing fits: of {season} the first {len(rows)} are on record")
    return fitting


@tool(
    GROUP,
    examples=[{"race": 400}, {"race": 400, "driver": 20}],
    phrase=(
        "get the finishing order of the API-F1 race or qualifying session whose number is {race}[, only for "
        "the team whose number is {team}][, only for the driver whose number is {driver}]"
    ),
    noun="the API-F1 session ranking",
    jobs=("Formula 1 races",),
)
def rankings_races(
    world: World, *, race: RaceId, team: TeamId | None = None, driver: DriverId | None = None
) -> list[RaceRank]:
    """The first three of a race (points without the one for the fastest lap), the fastest of the last qualifying, or who
    won a sprint; other places, earlier parts of qualifying and practice are not on record.

    race: Number of the session.
    team: Only this team.
    driver: Only this driver.
    """
    found, kind = _finished(world, race)
    need_known(team=team, driver=driver)
    if not ranking(found, kind):
        wanted = "of practice and of the first two parts of qualifying no results are on record"
        raise out_of_range("race", race, wanted)
    rows = [rank_row(race, place, row, kind) for place, row in enumerate(ranking(found, kind), 1)]
    fitting = filter_rows(rows, team_id=team, driver_id=driver)
    if not fitting and driver is not None:
        known = ", ".join(row["driver"] for row in rows)
        raise ToolFault("not_found", f"nothing fits: of session {race} on record are {known}")
    return fitting
