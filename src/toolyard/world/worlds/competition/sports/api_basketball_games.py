"""Competition/API_BASKETBALL: games, meetings of two teams, tables and statistics of teams."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict

from toolyard.world.faults import invalid, not_found
from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.tables import filter_rows
from toolyard.world.types import ClockTime, IsoDate, Page, TimeZoneName
from toolyard.world.worlds.competition.sports import common
from toolyard.world.worlds.competition.sports.api_basketball import (
    GROUP,
    IDS,
    KEYS,
    GameId,
    LeagueId,
    Season,
    Stage,
    TableGroup,
    TeamId,
    group_of,
    league_names,
    seasons,
)
from toolyard.world.worlds.competition.sports.box_scores import (
    Record,
    last_day,
    other_records,
    records,
)
from toolyard.world.worlds.competition.sports.core import (
    BasketballDay,
    Game,
    League,
    Tally,
    Team,
    all_teams,
    leagues,
    ranked,
    tally,
    teams_of,
)
from toolyard.world.worlds.competition.sports.nba_days import after_overtime, none_found
from toolyard.world.worlds.competition.sports.seasons import is_over, played

SHOWN = 20


class Side(TypedDict):
    team_id: TeamId
    team: str
    points: int | None


class GameRow(TypedDict):
    id: GameId
    date: BasketballDay
    time: ClockTime | None
    timezone: TimeZoneName
    league_id: LeagueId
    season: Season
    stage: Stage
    status: str
    home: Side
    away: Side


class StandingRow(TypedDict):
    position: int
    team_id: TeamId
    team: str
    stage: Stage
    group: TableGroup
    played: int
    won: int
    lost: int
    win_percentage: float


class SeasonRecord(TypedDict):
    """Games and points; points are None where only the table of the season is on record."""

    played: int
    won: int
    lost: int
    points_for: int | None
    points_against: int | None
    average_for: float | None
    average_against: float | None


class TeamStatistics(TypedDict):
    league_id: LeagueId
    season: Season
    team_id: TeamId
    team: str
    up_to: IsoDate
    all: SeasonRecord | None
    home: SeasonRecord | None
    away: SeasonRecord | None


def _team(number: int) -> Team:
    found = {team.id: team for team in all_teams() if team.league in KEYS}
    if number not in found:
        raise not_found("team", number, known=list(found))
    return found[number]


def _side(team: Team, points: int, over: bool) -> Side:
    return {"team_id": team.id, "team": team.name, "points": points if over else None}


def _row(game: Game, now: datetime, timezone: TimeZoneName) -> GameRow:
    date, time = common.local(game.start, timezone)
    over = is_over(game, now)
    hour_known = not game.day_only
    return {
        "id": IDS.of(game),
        "date": date if hour_known else game.start.date().isoformat(),
        "time": time if hour_known else None,
        "timezone": timezone if hour_known else "America/New_York",
        "league_id": leagues()[game.league].id,
        "season": game.season,
        "stage": game.stage,
        "status": "AOT" if over and after_overtime(game) else common.status_of(game, now),
        "home": _side(game.home, game.home_score, over),
        "away": _side(game.away, game.away_score, over),
    }


def _page(world: World, found: list[Game], timezone: TimeZoneName) -> Page[GameRow]:
    rows = [_row(game, world.now, timezone) for game in found[:SHOWN]]
    return {"total": len(found), "offset": 0, "items": rows}


@tool(
    GROUP,
    examples=[{"league": 12, "season": 2021}, {"league": 12, "season": 2019, "team": 145}],
    phrase=(
        "get the standings of the basketball league whose number is {league} in the season that began in "
        "{season}[, only for the team whose number is {team}][, only for the stage called {stage}][, only "
        "for the group called {group}]"
    ),
    noun="the basketball standings",
    jobs=("basketball standings",),
)
def standings(
    world: World,
    *,
    league: LeagueId,
    season: Season,
    team: TeamId | None = None,
    stage: Stage | None = None,
    group: TableGroup | None = None,
) -> list[StandingRow]:
    """The table of a league, best first in each group: of the NBA since 2015, of the Euroleague and the NBL of 2023, of
    the WNBA as it stands.

    league: Number of the league.
    season: Year in which the season began.
    team: Only the row of this team.
    stage: Only this stage, as stages_or_groups names it.
    group: Only this group, as stages_or_groups names it.
    """
    found = common.find_league(KEYS, league, league_names())
    common.need_season(found, season)
    if team is not None:
        common.need_team(found, _team(team))
    table = _table(world, found, season)
    for name, given in (("stage", stage), ("group", group)):
        known = list(dict.fromkeys(str(row[name]) for row in table))  # type: ignore[literal-required]
        if given is not None and given.strip().casefold() not in map(str.casefold, known):
            raise not_found(name, given[:60], known=known, listed_by=f"{GROUP}/stages_or_groups")
    rows = filter_rows(table, team_id=team, stage=stage, group=group)
    if group is not None and not rows:
        own = next(row for row in table if row["team_id"] == team)
        raise invalid("group", group[:60], f"the {own['team']} are in the {own['group']}")
    return rows


def _table(world: World, found: League, season: int) -> list[StandingRow]:
    """The whole table: that of the record, or counted from the games that are over."""
    record = _on_record(found, season)
    if record:
        return [
            _standing(one.rank, one.team, (one.won, one.lost), group_of(found, one.team)) for one in record
        ]
    games = played(world.seed, found.key, season, world.now)
    groups = dict.fromkeys(group_of(found, one) for one in teams_of(found.key))
    return [
        _standing(place, one, (tallied.won, tallied.lost), name)
        for name in groups
        for place, (one, tallied) in enumerate(
            ranked(games, [one for one in teams_of(found.key) if group_of(found, one) == name]), 1
        )
    ]


def _on_record(found: League, season: int) -> tuple[Record, ...]:
    return records(season) if found.key == "nba" else other_records(found.key, season)


def _standing(place: int, team: Team, record: tuple[int, int], group: str) -> StandingRow:
    won, lost = record
    return {
        "position": place,
        "team_id": team.id,
        "team": team.name,
        "stage": "Regular Season",
        "group": group,
        "played": won + lost,
        "won": won,
        "lost": lost,
        "win_percentage": round(won / (won + lost), 3) if won + lost else 0.0,
    }


@tool(
    GROUP,
    examples=[{"h2h": "141-137"}, {"h2h": "133-147", "season": 2023, "league": 12}],
    phrase=(
        "get the head-to-head basketball games[ between the two teams whose numbers are {h2h}][, on "
        "{date}][, in the league whose number is {league}][, in the season that began in {season}][, with "
        "the time zone set to {timezone}]"
    ),
    noun="the basketball head-to-head games",
    jobs=("basketball games",),
)
def head_2_head(
    world: World,
    *,
    h2h: str | None = None,
    date: BasketballDay | None = None,
    league: LeagueId | None = None,
    season: int | None = None,
    timezone: TimeZoneName = "UTC",
) -> Page[GameRow]:
    """Games of two teams against each other that are on record, latest season first; the same ones as game lists. Of
    American games the day in New York is known, not the hour: they come with that day and zone, whatever zone is asked for.

    h2h: Numbers of the two teams joined by a hyphen, e.g. 141-137.
    date: Only games on this day in the time zone; of American games on this day in New York.
    league: Only games of this league.
    season: Year in which the season began; by default all of them.
    timezone: Time zone for dates and times of games whose hour is known.
    """
    if h2h is None:
        raise invalid("h2h", None, "give the ids of two teams joined by a hyphen, e.g. 141-137")
    own = [team for team in all_teams() if team.league in KEYS]
    both = common.pair(h2h, own, {team: team.id for team in own})
    shared = [key for key in KEYS if set(both) <= set(teams_of(key))]
    keys = [key for key in shared if league in (None, leagues()[key].id)]
    every = sorted({year for key in keys for year in leagues()[key].seasons}, reverse=True)
    years = [season] if season is not None or date is not None else every
    found = [
        game
        for year in years
        for game in common.search_games(world.seed, world.now, keys, season=year, day=date, timezone=timezone)
        if {game.home, game.away} == set(both)
    ]
    if not shared:
        names = f"{both[0].name} and {both[1].name}"
        raise invalid("h2h", h2h[:60], f"want two teams of one league, which {names} are not")
    if season is not None and season not in seasons():
        raise not_found("season", season, known=seasons(), listed_by=f"{GROUP}/seasons")
    if keys and not found:
        asked = f"{both[0].name} against {both[1].name}"
        none_found(keys, common.said(teams=asked, season=season), date, world.now)
    return _page(world, found, timezone)


@tool(
    GROUP,
    examples=[
        {"league": 12, "season": 2019, "date": "2019-12-25", "timezone": "America/New_York"},
        {"id": 3210},
        {"team": 145, "season": 2019},
    ],
    phrase=(
        "list basketball games with their scores[, only the game whose number is {id}][, on "
        "{date}][, in the league whose number is {league}][, in the season that began in {season}][, with "
        "the team whose number is {team}][, with the time zone set to {timezone}]"
    ),
    noun="the list of basketball games",
    jobs=("basketball games",),
    described_as="Lists basketball games of the leagues with their points, in order of time and in a time zone.",
)
def game(
    world: World,
    *,
    id_: GameId | None = None,
    date: BasketballDay | None = None,
    league: LeagueId | None = None,
    season: Season | None = None,
    team: TeamId | None = None,
    timezone: TimeZoneName = "UTC",
) -> Page[GameRow]:
    """Games in order of time, the first 20 that fit: of the NBA Christmas Day and Finals since 2015 and all play-offs of
    2024, of the WNBA the first week of 2024, of the Euroleague the semi-finals to come. Of American games the day in New
    York is known, not the hour: they come with that day and zone, whatever zone is asked for.

    id: Number of one game.
    date: Only games on this day in the time zone; of American games on this day in New York.
    league: Only games of this league.
    season: Year in which the season began; by default that of the date, or the latest one.
    team: Only games of this team.
    timezone: Time zone for dates and times of games whose hour is known, e.g. Europe/London.
    """
    common.need(id=id_, date=date, league=league, season=season, team=team)
    if id_ is not None:
        return _page(world, [IDS.find(world.seed, id_, world.now)], timezone)
    keys: tuple[str, ...] = (
        (common.find_league(KEYS, league, league_names()).key,) if league is not None else KEYS
    )
    side = _team(team) if team is not None else None
    if side is not None:
        if league is not None:
            common.need_team(leagues()[keys[0]], side)
        keys = tuple(key for key in keys if side in teams_of(key))
    if season is not None and keys and all(season not in leagues()[key].seasons for key in keys):
        common.need_season(leagues()[keys[0]], season)
    games = common.search_games(world.seed, world.now, keys, season=season, day=date, timezone=timezone)
    found = [one for one in games if side in (None, one.home, one.away)]
    if keys and not found:
        asked = common.said(team=side and side.name, season=season)
        none_found(keys, asked, date, world.now)
    return _page(world, found, timezone)


def _record(record: Tally) -> SeasonRecord:
    count = record.played
    return {
        "played": record.played,
        "won": record.won,
        "lost": record.lost,
        "points_for": record.scored,
        "points_against": record.conceded,
        "average_for": round(record.scored / count, 1) if count else None,
        "average_against": round(record.conceded / count, 1) if count else None,
    }


@tool(
    GROUP,
    examples=[{"league": 12, "season": 2022, "team": 139}, {"league": 12, "season": 2019, "team": 145}],
    phrase=(
        "get the season statistics of the basketball team whose number is {team} in the league whose number "
        "is {league} in the season that began in {season}[, counting only games up to {date}]"
    ),
    noun="the basketball team statistics",
    jobs=("basketball statistics",),
)
def teams_statistics(
    world: World, *, league: LeagueId, season: Season, team: TeamId, date: IsoDate | None = None
) -> TeamStatistics:
    """A team's season in figures: won and lost in a whole regular season; of the WNBA the games so far and points in them,
    at home, away and together. How a team stood within a past season is not on record.

    league: Number of the league.
    season: Year in which the season began.
    team: Number of the team.
    date: Count only games up to this day.
    """
    found, side = common.find_league(KEYS, league, league_names()), _team(team)
    common.need_season(found, season)
    common.need_team(found, side)
    until = common.last_counted(date, world.now)
    final = next((one for one in _on_record(found, season) if one.team is side), None)
    if final is not None and until < last_day(season, found.key):
        return _statistics(league, season, side, until.isoformat(), (None, None, None))
    if final is not None:
        nothing = SeasonRecord(
            played=final.won + final.lost, won=final.won, lost=final.lost, points_for=None, points_against=None,
            average_for=None, average_against=None,
        )  # fmt: skip
        return _statistics(league, season, side, until.isoformat(), (nothing, None, None))
    games = common.over_by(played(world.seed, found.key, season, world.now), until, world.now)
    parts = (tally(games, side), tally(games, side, where="home"), tally(games, side, where="away"))
    return _statistics(league, season, side, until.isoformat(), tuple(map(_record, parts)))


def _statistics(
    league: int, season: int, side: Team, until: IsoDate, parts: tuple[SeasonRecord | None, ...]
) -> TeamStatistics:
    return {
        "league_id": league,
        "season": season,
        "team_id": side.id,
        "team": side.name,
        "up_to": until,
        "all": parts[0],
        "home": parts[1],
        "away": parts[2],
    }
