"""Competition/API_F1: the same races as sessions with numbers, from 2012 on, with circuits, drivers and teams."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from datetime import date as date_type
from datetime import datetime
from typing import Annotated

from toolyard.world.faults import invalid, not_found
from toolyard.world.registry import tool
from toolyard.world.shared.days import parse_date
from toolyard.world.shared.geography import country_or_none
from toolyard.world.state import World
from toolyard.world.tables import containing, filter_rows
from toolyard.world.types import (
    CityName,
    CountryName,
    IsoDate,
    Page,
    Range,
    TimeZoneName,
)
from toolyard.world.worlds.competition.sports import common
from toolyard.world.worlds.competition.sports import grand_prix as f1
from toolyard.world.worlds.competition.sports.api_f1_checks import (
    competition_names,
    need_city,
    need_known,
    need_name,
)
from toolyard.world.worlds.competition.sports.api_f1_shapes import (
    FIRST,
    GROUP,
    CircuitId,
    CircuitRow,
    CompetitionId,
    CompetitionName,
    CompetitionRow,
    DriverId,
    DriverRow,
    RaceId,
    SessionRow,
    SessionType,
    TeamId,
    TeamName,
    TeamRow,
)
from toolyard.world.worlds.competition.sports.f1_careers import CAREERS, TEAM_WINS
from toolyard.world.worlds.competition.sports.f1_weekends import (
    SESSIONS,
    Session,
    laps_of,
    sessions,
    winner_of,
)
from toolyard.world.worlds.competition.sports.grand_prix import CircuitName, DriverName, F1Season


@functools.cache
def _own() -> tuple[f1.Race, ...]:
    return tuple(race for race in f1.races() if race.season >= FIRST)


def session_of(number: int) -> tuple[f1.Race, int]:
    """The race that a number of a session belongs to, and which of its sessions it is."""
    place, kind = divmod(number - 1, len(SESSIONS))
    if number < 1 or place >= len(_own()):
        raise not_found("race", number, known=range(1, len(_own()) * len(SESSIONS) + 1))
    return _own()[place], kind


def _row(world: World, place: int, session: Session, timezone: TimeZoneName) -> SessionRow:
    race, over = session.race, session.over_by <= world.now
    date, time = common.local(session.start, timezone) if session.start else (session.day.isoformat(), None)
    return {
        "id": place * len(SESSIONS) + session.kind + 1,
        "competition_id": competition_names().index(race.name) + 1,
        "competition": race.name,
        "circuit_id": race.circuit.number,
        "circuit": race.circuit.name,
        "city": race.circuit.city,
        "season": race.season,
        "type": session.title,
        "laps": laps_of(session),
        "date": date,
        "time": time,
        "timezone": timezone,
        "status": "Completed" if over else "Scheduled",
        "winner": winner_of(session) if over else None,
    }


@tool(
    GROUP,
    examples=[{}],
    phrase="list the time zones in which Formula 1 races can be shown",
    noun="the list of Formula 1 time zones",
)
def timezone() -> list[TimeZoneName]:
    """Names of the usual time zones in which races can be listed; `races` takes every other name of a zone, too."""
    return list(common.ZONES)


@tool(
    GROUP,
    examples=[{}],
    phrase="list the Formula 1 season years that API-F1 knows",
    noun="the API-F1 list of seasons",
    jobs=("Formula 1 seasons",),
)
def seasons() -> list[F1Season]:
    """Years of the seasons whose sessions are on record; `rankings_drivers` goes back to 1950."""
    return sorted({race.season for race in _own()})


def _circuit_row(circuit: f1.Circuit) -> CircuitRow:
    return {
        "id": circuit.number,
        "name": circuit.name,
        "competition_id": competition_names().index(circuit.race) + 1,
        "city": circuit.city,
        "country": circuit.country,
        "length_km": circuit.length,
        "laps": circuit.laps,
        "race_distance_km": circuit.distance,
    }


@tool(
    GROUP,
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
    *,
    id_: CircuitId | None = None,
    competition: CompetitionId | None = None,
    name: CircuitName | None = None,
    search: str | None = None,
) -> list[CircuitRow]:
    """Circuits of the seasons since 2010 with place, length, laps and the official race distance, which is shorter or longer
    than the laps together where the lines of start and finish lie apart.

    id: Number of one circuit.
    competition: Only circuits on which this competition is held.
    name: Full name of the circuit.
    search: Part of the name.
    """
    need_known(circuit=id_, competition=competition, search=search)
    known = [one for one in f1.circuits().values() if one.id in f1.raced()["circuit_id"]]
    need_name("circuit", name, [one.name for one in known])
    rows = filter_rows(map(_circuit_row, known), id=id_, name=name)
    if competition is not None:
        names = competition_names()
        title = names[competition - 1] if 0 < competition <= len(names) else ""
        held = {race.circuit.number for race in f1.races() if race.name == title}
        rows = [row for row in rows if row["id"] in held]
    return containing(rows, search, "name")


def _competitions() -> Iterator[CompetitionRow]:
    where = {race.name: race.circuit for race in f1.races()}
    for number, name in enumerate(competition_names(), 1):
        yield {"id": number, "name": name, "city": where[name].city, "country": where[name].country}


@tool(
    GROUP,
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
    *,
    id_: CompetitionId | None = None,
    name: CompetitionName | None = None,
    country: CountryName | None = None,
    city: CityName | None = None,
    search: str | None = None,
) -> list[CompetitionRow]:
    """Grands Prix with the city and country where each was held last.

    id: Number of one competition.
    name: Full name, e.g. Australian Grand Prix.
    country: Name of the country.
    city: Name of the city.
    search: Part of the name.
    """
    need_known(competition=id_, search=search)
    need_name("competition", name, competition_names())
    land = country_or_none(country) if country is not None else None
    if country is not None and land is None:
        raise not_found("country", country[:60], such_as=["Italy", "United States"])
    where = land["name"] if land is not None else None
    need_city(city)
    return containing(
        filter_rows(_competitions(), id=id_, name=name, country=where, city=city), search, "name"
    )


def _driver_row(driver: f1.Driver, own: list[f1.Result]) -> DriverRow:
    places = [row.position for row in own if row.position is not None]
    if driver.name not in CAREERS and driver.id not in f1.raced()["driver_id"]:
        career: tuple[int | None, int | None] = (None, None)
    else:
        wins, podiums = CAREERS.get(driver.name, (0, 0))
        career = (max(wins, places.count(1)), max(podiums, len(places)))
    return {
        "id": driver.number,
        "name": driver.name,
        "abbreviation": driver.code or "",
        "number": 1 if driver.id == f1.CHAMPION else driver.car,
        "nationality": driver.nationality,
        "birth_date": driver.born,
        "latest_team": own[-1].constructor.name if own else None,
        "wins": career[0],
        "podiums": career[1],
    }


@tool(
    GROUP,
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
) -> Page[DriverRow]:
    """Drivers with team and number, and the wins and podiums of their careers: the first 25 that fit, and how many. Teams
    are known from 2012 on.

    id: Number of one driver.
    name: Full name, e.g. Lewis Hamilton.
    search: Part of the name.
    """
    keys = [{"id": one.number, "name": one.name, "key": one.id} for one in f1.drivers().values()]
    need_known(driver=id_, search=search)
    need_name("driver", name, [one.name for one in f1.drivers().values()])
    found = containing(filter_rows(keys, id=id_, name=name), search, "name")
    done = [one for one in f1.all_results(len(f1.run(world.now))) if one.race.season >= FIRST]
    rows = []
    for row in found[:25]:
        own = [one for one in done if one.driver.id == row["key"]]
        rows.append(_driver_row(f1.drivers()[str(row["key"])], own))
    return {"total": len(found), "offset": 0, "items": rows}


@tool(
    GROUP,
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
    described_as="Lists Formula 1 teams with nationality, seasons and races since 2012, and all wins.",
)
def teams(
    world: World, *, id_: TeamId | None = None, name: TeamName | None = None, search: str | None = None
) -> list[TeamRow]:
    """Teams with nationality, seasons and races since 2012, and all wins; drivers themselves are listed by `drivers`.

    id: Number of one team.
    name: Full name, e.g. Red Bull Racing.
    search: Part of the name.
    """
    need_known(search=search)
    own: dict[str, list[f1.Result]] = {}
    for row in f1.all_results(len(f1.run(world.now))):
        if row.race.season >= FIRST:
            own.setdefault(row.constructor.id, []).append(row)
    rows: list[TeamRow] = [
        {
            "id": team.number,
            "name": team.name,
            "nationality": team.nationality,
            "first_season_on_record": own[team.id][0].race.season,
            "latest_season": own[team.id][-1].race.season,
            "races_since_2012": len({row.race.index for row in own[team.id]}),
            "wins": max(TEAM_WINS.get(team.name, 0), sum(row.position == 1 for row in own[team.id])),
        }
        for team in f1.constructors().values()
        if team.id in own
    ]
    if id_ is not None and id_ not in [row["id"] for row in rows]:
        raise not_found("team", id_, known=[row["id"] for row in rows], listed_by=f"{GROUP}/drivers_2")
    need_name("team", name, [row["name"] for row in rows])
    return containing(filter_rows(rows, id=id_, name=name), search, "name")


@tool(
    GROUP,
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
    type_: SessionType | None = None,
    timezone: TimeZoneName = "UTC",
) -> Page[SessionRow]:
    """Races, qualifying and practice sessions in order of time: the first 25 that fit, and how many there are. Of sessions
    before the race outside Europe (but Las Vegas), in Britain, Russia, Baku, with sprints and in 2020 the hour is not known.

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
    common.need(**given, last=last, next=next_)
    need_known(circuit=circuits, competition=competition)
    if None not in (last, next_):
        raise invalid("next", next_, "no session is both over and to come; want last or next")
    if season is not None and season not in seasons():
        raise not_found("season", season, known=seasons(), listed_by=f"{GROUP}/seasons")
    day = parse_date(date) if date is not None else None
    chosen = session_of(id_) if id_ is not None else None
    found = [
        (place, session)
        for place, race in enumerate(_own())
        if season in (None, race.season)
        and circuits in (None, race.circuit.number)
        and competition in (None, competition_names().index(race.name) + 1)
        for session in sessions(race)
        if type_ in (None, session.title)
        and chosen in (None, (race, session.kind))
        and (day is None or _is_on(session, day, timezone))
    ]
    found = _nearest(found, world.now, last, next_)
    return {"total": len(found), "offset": 0, "items": [_row(world, *one, timezone) for one in found[:25]]}


Numbered = tuple[int, Session]


def _nearest(found: list[Numbered], now: datetime, last: int | None, coming: int | None) -> list[Numbered]:
    if last is not None:
        found = [one for one in found if one[1].over_by <= now][-last:]
    if coming is not None:
        found = [one for one in found if one[1].over_by > now][:coming]
    return found


def _is_on(session: Session, day: date_type, timezone: TimeZoneName) -> bool:
    if abs((session.day - day).days) > 1:
        return False
    shown = common.local(session.start, timezone)[0] if session.start else session.day.isoformat()
    return shown == day.isoformat()
