"""Competition/API_BASKETBALL: games, meetings of two teams, tables and statistics of teams."""

from datetime import datetime
from typing import TypedDict

from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import filter_rows, page_of
from toolyard.world.kernel.types import ClockTime, IsoDate, Page, TimeZoneName
from toolyard.world.simulated.sports import common
from toolyard.world.simulated.sports.core import (
    BasketballDay,
    Game,
    League,
    Tally,
    Team,
    all_leagues,
    all_teams,
    rank_teams,
    season_years,
    team_tally,
    teams_of,
)
from toolyard.world.simulated.sports.seasons import finished_games, is_over
from toolyard.world.tools.competition.sports import api_basketball as service
from toolyard.world.tools.competition.sports.api_basketball import (
    GROUP,
    IDS,
    KEYS,
    GameId,
    LeagueId,
    Season,
    SeasonOfLeague,
    Stage,
    TableGroup,
    TeamId,
)

SHOWN = 20


class Side(TypedDict):
    team_id: TeamId
    team: str
    points: int | None


class GameRow(TypedDict):
    id: GameId
    date: BasketballDay
    time: ClockTime
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
    """Games and points."""

    played: int
    won: int
    lost: int
    points_for: int
    points_against: int
    average_for: float
    average_against: float


class TeamStatistics(TypedDict):
    league_id: LeagueId
    season: Season
    team_id: TeamId
    team: str
    up_to: IsoDate
    all: SeasonRecord
    home: SeasonRecord
    away: SeasonRecord


def _find_team(number: int) -> Team:
    found = {team.id: team for team in all_teams() if team.league in KEYS}
    if number not in found:
        raise not_found("team", number, known=list(found))
    return found[number]


def _require_team(league: League, team: Team) -> None:
    """A not_found fault unless the team plays in the league."""
    own = teams_of(league.key)
    if team not in own:
        raise not_found(f"team of {league.name}", team.id, known=[one.id for one in own])


def _game_side(team: Team, points: int, over: bool) -> Side:
    return {"team_id": team.id, "team": team.name, "points": points if over else None}


def _game_row(game: Game, now: datetime, timezone: TimeZoneName) -> GameRow:
    date, time = common.local_date_and_time(game.start, timezone)
    over = is_over(game, now)
    return {
        "id": IDS.of(game),
        "date": date,
        "time": time,
        "timezone": timezone,
        "league_id": all_leagues()[game.league].id,
        "season": game.season,
        "stage": game.stage,
        "status": common.status_now(game, now),
        "home": _game_side(game.home, game.home_score, over),
        "away": _game_side(game.away, game.away_score, over),
    }


def _page_of_games(world: World, found: list[Game], timezone: TimeZoneName) -> Page[GameRow]:
    return page_of(found, lambda game: _game_row(game, world.now, timezone), SHOWN)


@GROUP.tool(
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
    season: SeasonOfLeague,
    team: TeamId | None = None,
    stage: Stage | None = None,
    group: TableGroup | None = None,
) -> list[StandingRow]:
    """The table of a league, best first in each group, after the games of the regular season that are over.

    league: Number of the league.
    season: Year in which the season began.
    team: Only the row of this team.
    stage: Only this stage, as stages_or_groups names it.
    group: Only this group, as stages_or_groups names it.
    """
    found = service.find_league(league, season)
    if team is not None:
        _require_team(found, _find_team(team))
    table = _league_table(world, found, season)
    stages, groups = [str(row["stage"]) for row in table], [str(row["group"]) for row in table]
    for name, given, every in (("stage", stage, stages), ("group", group, groups)):
        known = list(dict.fromkeys(every))
        if given is not None and given.strip().casefold() not in map(str.casefold, known):
            raise not_found(name, given[:60], known=known, listed_by=f"{GROUP}/stages_or_groups")
    rows = filter_rows(table, team_id=team, stage=stage, group=group)
    if group is not None and not rows:
        own = next(row for row in table if row["team_id"] == team)
        raise invalid("group", group[:60], f"the {own['team']} are in the {own['group']}")
    return rows


def _league_table(world: World, found: League, season: int) -> list[StandingRow]:
    """The whole table, counted from the games that are over."""
    done = [
        one
        for one in finished_games(world.seed, found.key, season, world.now)
        if one.stage == "Regular Season"
    ]
    order = rank_teams(done, teams_of(found.key))
    groups = dict.fromkeys(service.table_group(found, team) for team in teams_of(found.key))
    sides = {name: [row for row in order if service.table_group(found, row[0]) == name] for name in groups}
    return [_standing(place, *row, name) for name, rows in sides.items() for place, row in enumerate(rows, 1)]


def _standing(place: int, team: Team, record: Tally, group: str) -> StandingRow:
    return {
        "position": place,
        "team_id": team.id,
        "team": team.name,
        "stage": "Regular Season",
        "group": group,
        "played": record.played,
        "won": record.won,
        "lost": record.lost,
        "win_percentage": record.share,
    }


@GROUP.tool(
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
    """Games of two teams against each other, latest season first: the first 20, and how many there are.

    h2h: Numbers of the two teams joined by a hyphen, e.g. 141-137.
    date: Only games on this day in the time zone.
    league: Only games of this league.
    season: Year in which the season began; by default all of them.
    timezone: Time zone for dates and times.
    """
    if h2h is None:
        raise invalid("h2h", None, "give the ids of two teams joined by a hyphen, e.g. 141-137")
    own = [team for team in all_teams() if team.league in KEYS]
    both = common.pair(h2h, own, {team: team.id for team in own})
    shared = [key for key in KEYS if set(both) <= set(teams_of(key))]
    keys = [key for key in shared if league in (None, all_leagues()[key].id)]
    years = [season] if season is not None or date is not None else season_years(keys)
    found = [
        game
        for year in years
        for game in common.search_games(world.seed, world.now, keys, season=year, day=date, timezone=timezone)
        if {game.home, game.away} == set(both)
    ]
    if not shared:
        names = f"{both[0].name} and {both[1].name}"
        raise invalid("h2h", h2h[:60], f"want two teams of one league, which {names} are not")
    if season is not None and season not in service.seasons():
        raise not_found("season", season, known=service.seasons(), listed_by=f"{GROUP}/seasons")
    return _page_of_games(world, found, timezone)


@GROUP.tool(
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
    """Games in order of time: the first 20 that fit, and how many there are.

    id: Number of one game.
    date: Only games on this day in the time zone.
    league: Only games of this league.
    season: Year in which the season began; by default that of the date, or the latest one.
    team: Only games of this team.
    timezone: Time zone for dates and times, e.g. Europe/London.
    """
    common.require_one(id=id_, date=date, league=league, season=season, team=team)
    if id_ is not None:
        return _page_of_games(world, [IDS.find(world.seed, id_, world.now)], timezone)
    keys = (service.find_league(league).key,) if league is not None else KEYS
    side = _find_team(team) if team is not None else None
    if side is not None:
        if league is not None:
            _require_team(all_leagues()[keys[0]], side)
        keys = tuple(key for key in keys if side in teams_of(key))
    if season is not None and keys and all(season not in all_leagues()[key].seasons for key in keys):
        common.require_season(all_leagues()[keys[0]], season)
    games = common.search_games(world.seed, world.now, keys, season=season, day=date, timezone=timezone)
    found = [one for one in games if side in (None, one.home, one.away)]
    return _page_of_games(world, found, timezone)


def _season_record(record: Tally) -> SeasonRecord:
    count = max(1, record.played)
    return {
        "played": record.played,
        "won": record.won,
        "lost": record.lost,
        "points_for": record.scored,
        "points_against": record.conceded,
        "average_for": round(record.scored / count, 1),
        "average_against": round(record.conceded / count, 1),
    }


@GROUP.tool(
    examples=[{"league": 12, "season": 2022, "team": 139}, {"league": 12, "season": 2019, "team": 145}],
    phrase=(
        "get the season statistics of the basketball team whose number is {team} in the league whose number "
        "is {league} in the season that began in {season}[, counting only games up to {date}]"
    ),
    noun="the basketball team statistics",
    jobs=("basketball statistics",),
)
def teams_statistics(
    world: World, *, league: LeagueId, season: SeasonOfLeague, team: TeamId, date: IsoDate | None = None
) -> TeamStatistics:
    """A team's regular season in figures: games won and lost and points, at home, away and together.

    league: Number of the league.
    season: Year in which the season began.
    team: Number of the team.
    date: Count only games up to this day.
    """
    found, side = service.find_league(league, season), _find_team(team)
    _require_team(found, side)
    until = common.last_counted_day(date, world.now)
    regular = [
        one
        for one in finished_games(world.seed, found.key, season, world.now)
        if one.stage == "Regular Season"
    ]
    games = common.games_over_by(regular, until, world.now)
    return {
        "league_id": league,
        "season": season,
        "team_id": side.id,
        "team": side.name,
        "up_to": until.isoformat(),
        "all": _season_record(team_tally(games, side)),
        "home": _season_record(team_tally(games, side, where="home")),
        "away": _season_record(team_tally(games, side, where="away")),
    }
