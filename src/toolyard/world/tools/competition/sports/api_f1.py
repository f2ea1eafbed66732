"""Competition/API_F1: the races since 2012 as sessions with numbers, with circuits, drivers, teams and rankings."""

from datetime import datetime
from typing import Annotated

from toolyard.world.kernel.faults import invalid, not_found, out_of_range
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import containing, filter_rows, page_of
from toolyard.world.kernel.types import CityName, CountryName, IsoDate, Page, Range, TimeZoneName
from toolyard.world.kernel.views import View
from toolyard.world.reference.days import parse_date
from toolyard.world.reference.places.geography import country_or_none
from toolyard.world.simulated.sports import common
from toolyard.world.simulated.sports import grand_prix as f1
from toolyard.world.simulated.sports.f1_weekends import (
    RACE,
    SESSIONS,
    Session,
    race_sessions,
    session_classification,
)
from toolyard.world.simulated.sports.grand_prix import CircuitName, DriverName, F1Season
from toolyard.world.tools.competition.sports import api_f1_shapes as shapes
from toolyard.world.tools.competition.sports.api_f1_shapes import (
    GROUP,
    CircuitId,
    CompetitionId,
    DriverId,
    RaceId,
    TeamId,
    competition_names,
    own_races,
    require_known,
    require_name,
)

SHOWN = 25
CIRCUITS = View.of(
    shapes.CircuitFacts,
    id="number",
    competition_id=lambda one: competition_names().index(one.race) + 1,
    length_km="length",
    race_distance_km="distance",
)
STOPS = View[shapes.StopRow]({
    "race_id": lambda row: _number(row.race, RACE), "driver_id": "driver.number", "driver": "driver.name",
    "team_id": "constructor.number", "stops": lambda row: len(row.stops), "lap": lambda row: row.stops[-1][0],
    "time_s": lambda row: row.stops[-1][1] / 1000,
})  # fmt: skip
RANKING = View.of(
    shapes.SeasonRank, driver_id="who.number", driver="who.name", team_id="team.number", team="team.name"
)


def _number(race: f1.Race, kind: int) -> int:
    """The number of a session: seven for each race."""
    return (race.index - own_races()[0].index) * len(SESSIONS) + kind + 1


def _find_session(number: int) -> Session:
    """The session of a number; a fault where there is none."""
    place, kind = divmod(number - 1, len(SESSIONS))
    if number < 1 or place >= len(own_races()):
        raise not_found("race", number, known=range(1, len(own_races()) * len(SESSIONS) + 1))
    found = {one.kind: one for one in race_sessions(own_races()[place])}
    if kind not in found:
        race = own_races()[place]
        raise not_found("race", number, known=[_number(race, one) for one in found])
    return found[kind]


def _row(world: World, session: Session, timezone: TimeZoneName) -> shapes.SessionRow:
    race, over = session.race, session.over_by <= world.now
    date, time = common.local_date_and_time(session.start, timezone)
    return {
        "id": _number(race, session.kind),
        "competition_id": competition_names().index(race.name) + 1,
        "competition": race.name,
        "circuit_id": race.circuit.number,
        "circuit": race.circuit.name,
        "city": race.circuit.city,
        "season": race.season,
        "type": session.title,
        "laps": session.laps,
        "date": date,
        "time": time,
        "timezone": timezone,
        "status": "Completed" if over else "Scheduled",
        "winner": session_classification(world.seed, session)[0].driver.name if over else None,
    }


@GROUP.tool(
    phrase="list the time zones in which Formula 1 races can be shown",
    noun="the list of Formula 1 time zones",
)
def timezone() -> list[TimeZoneName]:
    """Names of the usual time zones in which races can be listed; `races` takes every other name of a zone, too."""
    return list(common.ZONES)


@GROUP.tool(
    phrase="list the Formula 1 season years that API-F1 knows",
    noun="the API-F1 list of seasons",
    jobs=("Formula 1 seasons",),
)
def seasons() -> list[F1Season]:
    """Years of the seasons whose sessions can be listed; `rankings_drivers` goes back to 1950."""
    return sorted({race.season for race in own_races()})


@GROUP.tool(
    examples=[{}, {"name": "Albert Park Grand Prix Circuit"}, {"search": "monza"}],
    phrase=(
        "list Formula 1 circuits with length and laps from API-F1[, only the circuit whose number is {id}][, "
        "only circuits of the competition whose number is {competition}][, only the circuit whose full name "
        "is {name}][, only circuits with {search} in their name]"
    ),
    noun="the API-F1 list of circuits",
    jobs=("circuits",),
)
def circuits(
    world: World,
    *,
    id_: CircuitId | None = None,
    competition: CompetitionId | None = None,
    name: CircuitName | None = None,
    search: str | None = None,
) -> list[shapes.CircuitRow]:
    """Circuits with place, length, laps and the official race distance, which is shorter or longer
    than the laps together where the lines of start and finish lie apart.

    id: Number of one circuit.
    competition: Only circuits on which this competition is held.
    name: Full name of the circuit.
    search: Part of the name.
    """
    require_known(circuit=id_, competition=competition, search=search)
    known = shapes.known_circuits()
    require_name("circuit", name, [one.name for one in known])
    rows = filter_rows(CIRCUITS.rows(known), id=id_, name=name)
    if competition is not None:
        title = competition_names()[competition - 1]
        held = {race.circuit.number for race in f1.all_races() if race.name == title}
        rows = [row for row in rows if row["id"] in held]
    best = {
        one.number: row
        for one, row in f1.lap_records(world.seed, world.now, shapes.FIRST_OF_CIRCUITS).items()
    }
    return [
        {**row, "lap_record": _lap_record(best.get(row["id"]))} for row in containing(rows, search, "name")
    ]


def _lap_record(row: f1.Finish | None) -> shapes.LapRecord | None:
    if row is None:
        return None
    return {"time": f1.clock(row.fastest), "driver": row.driver.name, "year": row.race.season}


@GROUP.tool(
    examples=[{}, {"country": "Australia"}, {"search": "monaco"}],
    phrase=(
        "list the Formula 1 Grands Prix with their host cities[, only the one whose competition number is "
        "{id}][, only the one whose full name is {name}][, only those whose country is {country}][, only "
        "those whose city is {city}][, only those with {search} in their name]"
    ),
    noun="the list of Grands Prix",
    jobs=("circuits", "Formula 1 races"),
)
def competition(
    world: World,
    *,
    id_: CompetitionId | None = None,
    name: shapes.CompetitionName | None = None,
    country: CountryName | None = None,
    city: CityName | None = None,
    search: str | None = None,
) -> list[shapes.CompetitionRow]:
    """Grands Prix with the city and country where each was held last.

    id: Number of one competition.
    name: Full name, e.g. Australian Grand Prix.
    country: Name of the country.
    city: Name of the city.
    search: Part of the name.
    """
    require_known(competition=id_, search=search)
    require_name("competition", name, competition_names())
    land = country_or_none(country) if country is not None else None
    if country is not None and land is None:
        raise not_found("country", country[:60], such_as=["Italy", "United States"])
    where = land["name"] if land is not None else None
    shapes.require_city(city)
    held = {race.name: race.circuit for race in f1.all_races()}
    last = {race.name: race for race in f1.finished_races(world.now)}
    rows = [
        shapes.CompetitionRow(
            id=number,
            name=name,
            city=held[name].city,
            country=held[name].country,
            latest_winner=f1.race_results(world.seed, last[name])[0].driver.name if name in last else None,
        )
        for number, name in enumerate(competition_names(), 1)
    ]
    return containing(filter_rows(rows, id=id_, name=name, country=where, city=city), search, "name")


@GROUP.tool(
    examples=[{"search": "lewi"}, {"id": 20}],
    phrase=(
        "look up Formula 1 drivers with their career figures in API-F1[, only the driver whose number in the "
        "database is {id}][, only the driver whose full name is {name}][, only drivers with {search} in "
        "their name]"
    ),
    noun="the API-F1 list of drivers",
    jobs=("drivers",),
)
def drivers(
    world: World, *, id_: DriverId | None = None, name: DriverName | None = None, search: str | None = None
) -> Page[shapes.DriverRow]:
    """Drivers with latest team and number, and the wins and podiums of their careers: the first 25 that fit, and how many.

    id: Number of one driver.
    name: Full name, e.g. Lewis Hamilton.
    search: Part of the name.
    """
    keys = [{"id": one.number, "name": one.name, "key": one.id} for one in f1.all_drivers().values()]
    require_known(driver=id_, search=search)
    require_name("driver", name, [one.name for one in f1.all_drivers().values()])
    found = containing(filter_rows(keys, id=id_, name=name), search, "name")
    own: dict[str, list[f1.Finish]] = {str(row["key"]): [] for row in found[:SHOWN]}
    for finish in f1.finishes_so_far(world.seed, world.now, None, own):
        if finish.driver.id in own:
            own[finish.driver.id].append(finish)
    items = [_driver_row(f1.all_drivers()[key], rows) for key, rows in own.items()]
    return {"total": len(found), "offset": 0, "items": items}


def _driver_row(driver: f1.Driver, rows: list[f1.Finish]) -> shapes.DriverRow:
    return {
        "id": driver.number,
        "name": driver.name,
        "abbreviation": driver.code,
        "number": driver.car,
        "nationality": driver.nationality,
        "birth_date": driver.born,
        "latest_team": rows[-1].constructor.name,
        "wins": sum(row.position == 1 for row in rows),
        "podiums": sum(row.position <= 3 for row in rows),
    }


@GROUP.tool(
    name="drivers_2",
    examples=[{"search": "red bull"}, {"id": 3}],
    phrase=(
        "look up Formula 1 teams with their nationality, races and wins[, only the team whose number is "
        "{id}][, only the team whose full name is {name}][, only teams with {search} in their name]"
    ),
    noun="the list of Formula 1 teams",
    jobs=("Formula 1 teams",),
    listed_as="FormulaOneTeams",
    called_as="f1_teams",
    described_as="Lists Formula 1 teams with nationality, seasons, races and wins.",
)
def teams(
    world: World, *, id_: TeamId | None = None, name: shapes.TeamName | None = None, search: str | None = None
) -> list[shapes.TeamRow]:
    """Teams with nationality, first and latest season, races and wins; drivers themselves are listed by `drivers`.

    id: Number of one team.
    name: Full name, e.g. Red Bull Racing.
    search: Part of the name.
    """
    require_known(team=id_, search=search)
    own: dict[str, list[f1.Finish]] = {key: [] for key in f1.all_constructors()}
    for finish in f1.finishes_so_far(world.seed, world.now):
        own[finish.constructor.id].append(finish)
    require_name("team", name, [one.name for one in f1.all_constructors().values()])
    rows = [_team_row(one, own[key]) for key, one in f1.all_constructors().items()]
    return containing(filter_rows(rows, id=id_, name=name), search, "name")


def _team_row(team: f1.Constructor, rows: list[f1.Finish]) -> shapes.TeamRow:
    return {
        "id": team.number,
        "name": team.name,
        "nationality": team.nationality,
        "first_season": rows[0].race.season,
        "latest_season": rows[-1].race.season,
        "races": len({row.race.index for row in rows}),
        "wins": sum(row.position == 1 for row in rows),
    }


@GROUP.tool(
    examples=[
        {"date": "2021-12-12"},
        {"season": 2021, "type": "Race"},
        {"id": 400},
        {"next": 2, "type": "Race", "timezone": "Europe/London"},
    ],
    phrase=(
        "list Formula 1 sessions (races, qualifying and practice) from API-F1[, only the session whose "
        "number is {id}][, on {date}][, for the Grand Prix whose competition number is {competition}][, in "
        "the season of {season}][, on the circuit whose number is {circuits}][, the last {last} that are "
        "over][, the next {next} to come][, with the session type set to {type}][, with the time zone set to "
        "{timezone}]"
    ),
    noun="the list of Formula 1 sessions",
    jobs=("Formula 1 races",),
)
def races(
    world: World,
    *,
    id_: RaceId | None = None,
    date: IsoDate | None = None,
    competition: CompetitionId | None = None,
    season: F1Season | None = None,
    circuits: CircuitId | None = None,
    last: Annotated[int, Range(1, 50)] | None = None,
    next_: Annotated[int, Range(1, 50)] | None = None,
    type_: shapes.SessionType | None = None,
    timezone: TimeZoneName = "UTC",
) -> Page[shapes.SessionRow]:
    """Races, sprints, qualifying and practice sessions in order of time: the first 25 that fit, and how many there are.

    id: Number of one session.
    date: Only sessions on this day in the time zone.
    competition: Only this Grand Prix, by number.
    season: Year of the season, from 2012 on.
    circuits: Only this circuit, by number.
    last: The latest sessions that are over, this many.
    next: The sessions to come, this many.
    type: Kind of session.
    timezone: Time zone for dates and times.
    """
    given = {"id": id_, "date": date, "competition": competition, "season": season, "circuits": circuits}
    common.require_one(**given, last=last, next=next_)
    require_known(circuit=circuits, competition=competition)
    if None not in (last, next_):
        raise invalid("next", next_, "no session is both over and to come; want last or next")
    if season is not None and season not in seasons():
        covered = f"seasons from {min(seasons())} to {max(seasons())} are covered"
        raise out_of_range("season", season, covered)
    day = parse_date(date) if date is not None else None
    chosen = _find_session(id_) if id_ is not None else None
    found = [
        session
        for race in own_races()
        if season in (None, race.season)
        and circuits in (None, race.circuit.number)
        and competition in (None, competition_names().index(race.name) + 1)
        and (day is None or abs((race.start.date() - day).days) < 5)
        for session in race_sessions(race)
        if type_ in (None, session.title)
        and chosen in (None, session)
        and (day is None or common.local_date_and_time(session.start, timezone)[0] == day.isoformat())
    ]
    found = _last_or_next_sessions(found, world.now, last, next_)
    return page_of(found, lambda one: _row(world, one, timezone), SHOWN)


def _last_or_next_sessions(
    found: list[Session], now: datetime, last: int | None, coming: int | None
) -> list[Session]:
    if last is not None:
        found = [one for one in found if one.over_by <= now][-last:]
    if coming is not None:
        found = [one for one in found if one.over_by > now][:coming]
    return found


def _finished_session(world: World, number: int) -> Session:
    session = _find_session(number)
    if session.over_by > world.now:
        what = f"the {session.title} of the {session.race.name} {session.race.season}"
        raise invalid("race", number, f"{what} is on {session.start.date()} and has no results yet")
    return session


@GROUP.tool(
    examples=[{"race": 400}, {"race": 400, "driver": 20}],
    phrase=(
        "get the last pit stop and the stop count of each driver in the API-F1 race whose session number is "
        "{race}[, only for the team whose number is {team}][, only for the driver whose number is {driver}]"
    ),
    noun="the API-F1 pit stops",
    jobs=("pit stops",),
)
def pit_stops(
    world: World, *, race: RaceId, team: TeamId | None = None, driver: DriverId | None = None
) -> list[shapes.StopRow]:
    """The last stop in the pits of each driver in a race, with how many stops he made and the seconds that it took.

    race: Number of the race (a session of the type Race).
    team: Only this team.
    driver: Only this driver.
    """
    session = _finished_session(world, race)
    require_known(team=team, driver=driver)
    if session.kind:
        what = f"it is no race but the {session.title} of the {session.race.name} {session.race.season}"
        raise invalid("race", race, f"{what}; the race is session {_number(session.race, RACE)}")
    rows = f1.race_results(world.seed, session.race)
    return STOPS.rows(row for row in rows if row.stops and _is_wanted(row, team, driver))


def _is_wanted(row: f1.Finish, team: int | None, driver: int | None) -> bool:
    return team in (None, row.constructor.number) and driver in (None, row.driver.number)


@GROUP.tool(
    examples=[{"season": 2021}, {"season": 2019, "driver": 20}],
    phrase=(
        "get the drivers' championship ranking from API-F1 for the season of {season}[, only for the team "
        "whose number is {team}][, only for the driver whose number is {driver}]"
    ),
    noun="the API-F1 drivers' championship",
    jobs=("drivers",),
)
def rankings_drivers(
    world: World, *, season: F1Season, team: TeamId | None = None, driver: DriverId | None = None
) -> list[shapes.SeasonRank]:
    """The drivers' championship of a season; of the present one after the latest race.

    season: Year of the season, from 1950.
    team: Only drivers of this team.
    driver: Only this driver.
    """
    require_known(team=team, driver=driver)
    table = f1.standings(world.seed, world.now, season, None, teams=False)
    return filter_rows(RANKING.rows(table), team_id=team, driver_id=driver)


@GROUP.tool(
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
) -> list[shapes.RaceRank]:
    """The cars of a race, sprint, qualifying or practice session in the order in which they ended it; grid and points are
    those of a race.

    race: Number of the session.
    team: Only this team.
    driver: Only this driver.
    """
    session = _finished_session(world, race)
    require_known(team=team, driver=driver)
    rows = session_classification(world.seed, session)
    return [_rank(session, place, row) for place, row in enumerate(rows, 1) if _is_wanted(row, team, driver)]


def _rank(session: Session, place: int, row: f1.Finish) -> shapes.RaceRank:
    race = session.kind == RACE
    return {
        "race_id": _number(session.race, session.kind),
        "position": place,
        "driver_id": row.driver.number,
        "driver": row.driver.name,
        "team_id": row.constructor.number,
        "team": row.constructor.name,
        "grid": row.grid if race else None,
        "laps": row.laps if race else session.laps,
        "points": row.points if race else 0,
    }
