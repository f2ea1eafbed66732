"""Competition/balldontlie: the NBA under numbers of its own, listed page by page, with averages."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Annotated, TypedDict

from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import page, page_of, plain
from toolyard.world.kernel.types import CityName, Page, Range, Semantic
from toolyard.world.kernel.views import View
from toolyard.world.reference.days import parse_date
from toolyard.world.simulated.sports import box_scores as nba
from toolyard.world.simulated.sports.box_scores import NbaSeason, Numbering, PlayerName, TeamCode, TeamName
from toolyard.world.simulated.sports.common import PageNumber, require_order, require_season
from toolyard.world.simulated.sports.core import BasketballDay, Game, Team, all_leagues, all_tallies, teams_of
from toolyard.world.simulated.sports.seasons import (
    GameIds,
    finished_games,
    is_over,
    regular_season,
    scheduled_games,
)

GROUP = Group("Competition/balldontlie")
PerPage = Annotated[int, Range(1, 100)]
TeamId = Annotated[int, Semantic("balldontlie_team_id")]
PlayerId = Annotated[int, Semantic("balldontlie_player_id")]
GameId = Annotated[int, Semantic("balldontlie_game_id")]
IDS = Numbering(
    tuple(range(1, 31)), 68, GameIds(15000, 2015, ("nba",), 1500, f"{GROUP}/get_all_games"),
    GROUP, ("get_all_teams", "get_all_players"),
)  # fmt: skip


class TeamRow(TypedDict):
    id: TeamId
    abbreviation: TeamCode
    full_name: TeamName


class TeamRecord(TypedDict):
    """What a team won and lost in the latest regular season."""

    wins: int
    losses: int


class ListedTeam(TeamRow, TeamRecord):
    pass


class TeamFacts(TeamRow):
    name: str
    city: CityName
    conference: str
    division: str
    founded: int
    arena: str


class TeamDetails(TeamFacts, TeamRecord):
    pass


class PlayerRow(TypedDict):
    id: PlayerId
    name: PlayerName
    position: str
    team_id: TeamId


class ListedPlayer(PlayerRow):
    """A player, with his points in the latest game of his team."""

    latest_points: int


class PlayerFacts(TypedDict):
    id: PlayerId
    name: PlayerName
    first_name: str
    last_name: str
    position: str
    height_feet: int
    height_inches: int
    weight_pounds: int
    team: TeamRow


class PlayerDetails(PlayerFacts):
    points_per_game: float


class GameRow(TypedDict):
    id: GameId
    date: BasketballDay
    season: NbaSeason
    postseason: bool
    status: str
    home_team_id: TeamId
    visitor_team_id: TeamId
    home_team_score: int | None
    visitor_team_score: int | None


class GameDetails(TypedDict):
    game: GameRow
    home_team: TeamRow
    visitor_team: TeamRow
    stage: str
    arena: str


class Averages(TypedDict):
    player_id: PlayerId
    season: NbaSeason
    games_played: int
    min: float
    pts: float
    reb: float
    ast: float
    stl: float
    blk: float
    turnover: float
    fg_pct: float
    fg3_pct: float
    ft_pct: float


class StatRow(TypedDict):
    id: int
    player_id: PlayerId
    player: PlayerName
    team_id: TeamId
    game_id: GameId
    date: BasketballDay
    min: int
    pts: int
    fgm: int
    fga: int
    fg3m: int
    ftm: int
    reb: int
    ast: int
    stl: int
    blk: int
    turnover: int


def _team_nickname(team: Team) -> str:
    return "Trail Blazers" if team.code == "POR" else team.name.split()[-1]


TEAMS = View[TeamRow]({"id": IDS.of_team, "abbreviation": "code", "full_name": "name"})
TEAM = View.of(
    TeamFacts,
    id=IDS.of_team,
    abbreviation="code",
    full_name="name",
    name=_team_nickname,
    conference=lambda team: team.group.split("/")[0],
    division=lambda team: team.group.split("/")[1],
    arena="venue",
)
PLAYERS = View.of(PlayerRow, id=IDS.of_player, team_id=lambda player: IDS.of_team(player.team))
PLAYER = View.of(
    PlayerFacts,
    id=IDS.of_player,
    first_name="first",
    last_name="last",
    height_feet=lambda player: round(player.height_cm / 2.54) // 12,
    height_inches=lambda player: round(player.height_cm / 2.54) % 12,
    weight_pounds="weight_lb",
    team=lambda player: TEAMS.row(player.team),
)


def game_row(game: Game, now: datetime) -> GameRow:
    """A game, with its score once it is over."""
    over = is_over(game, now)
    return {
        "id": IDS.games.of(game),
        "date": game.start.date().isoformat(),
        "season": game.season,
        "postseason": game.stage != "Regular Season",
        "status": "Final" if over else "Scheduled",
        "home_team_id": IDS.of_team(game.home),
        "visitor_team_id": IDS.of_team(game.away),
        "home_team_score": game.home_score if over else None,
        "visitor_team_score": game.away_score if over else None,
    }


LEBRON = 237


@GROUP.tool(
    examples=[{"search": "James"}, {"page": 3}],
    phrase=(
        "page through the NBA players on balldontlie[, only those with {search} in their name][, showing "
        "page {page}][, with {per_page} players per page]"
    ),
    noun="the balldontlie list of players",
    jobs=("basketball players",),
)
def get_all_players(
    world: World,
    *,
    page_: PageNumber = 1,
    per_page: PerPage = 25,
    search: PlayerName | None = None,
) -> Page[ListedPlayer]:
    """Players of the NBA, page by page, or those with some text in their names.

    page: Number of the page, from 1.
    per_page: Players on a page.
    search: Part of the name.
    """
    found = [one for one in nba.all_players() if search is None or plain(search) in plain(one.name)]
    if not found and search is not None:
        raise not_found("player", search[:60], known=[one.name for one in nba.all_players()])
    games = finished_games(world.seed, "nba", nba.SEASONS[-1], world.now)
    latest = {team: game for game in games for team in (game.home, game.away)}
    first = (page_ - 1) * per_page
    items: list[ListedPlayer] = [
        {
            **PLAYERS.row(one),
            "latest_points": nba.box_score(world.seed, latest[one.team], one.team)[one].points,
        }
        for one in found[first : first + per_page]
    ]
    return {"total": len(found), "offset": first, "items": items}


@GROUP.tool(
    examples=[{"player_id": 237}],
    phrase="look up on balldontlie the single NBA player whose id is {player_id}",
    noun="the balldontlie player",
    jobs=("basketball players",),
)
def get_a_specific_player(world: World, *, player_id: PlayerId) -> PlayerDetails:
    """One player with position, team, height and weight.

    player_id: Number of the player.
    """
    player, season = IDS.player(player_id), nba.SEASONS[-1]
    found = _player_averages(world.seed, season, player, _regular_games(world, season))
    return {**PLAYER.row(player), "points_per_game": found["pts"]}


@GROUP.tool(
    examples=[{}, {"page": 2, "per_page": 10}],
    phrase=(
        "page through the thirty NBA teams on balldontlie[, showing page {page}][, with {per_page} teams per "
        "page]"
    ),
    noun="the balldontlie list of teams",
    jobs=("basketball teams",),
)
def get_all_teams(world: World, *, page_: PageNumber = 1, per_page: PerPage = 30) -> Page[ListedTeam]:
    """The thirty teams of the NBA, page by page.

    page: Number of the page, from 1.
    per_page: Teams on a page.
    """
    rows: list[ListedTeam] = [{**TEAMS.row(team), **record} for team, record in _team_records(world).items()]
    return page(rows, per_page, (page_ - 1) * per_page)


def _team_records(world: World) -> dict[Team, TeamRecord]:
    """What the teams of the NBA won and lost in the latest regular season."""
    found = all_tallies(_regular_games(world, nba.SEASONS[-1]))
    return {team: {"wins": found[team].won, "losses": found[team].lost} for team in teams_of("nba")}


@GROUP.tool(
    examples=[{"team_id": 14}],
    phrase="look up on balldontlie the single NBA team whose id is {team_id}",
    noun="the balldontlie team",
    jobs=("basketball teams",),
)
def get_a_specific_team(world: World, *, team_id: TeamId) -> TeamDetails:
    """One team with city, arena, conference and division.

    team_id: Number of the team, 1 to 30.
    """
    team = IDS.team(team_id)
    return {**TEAM.row(team), **_team_records(world)[team]}


def _filter_games(
    world: World,
    dates: list[BasketballDay] | None,
    seasons: list[NbaSeason] | None,
    postseason: bool | None,
    span: tuple[BasketballDay | None, BasketballDay | None],
) -> Iterator[Game]:
    days = {parse_date(day, "dates") for day in dates or ()}
    require_order(*span, ("start_date", "end_date"))
    for year in seasons or ():
        require_season(all_leagues()["nba"], year)
    first = parse_date(span[0], "start_date") if span[0] is not None else date.min
    last = parse_date(span[1], "end_date") if span[1] is not None else date.max
    for year in sorted(set(seasons or nba.SEASONS), reverse=True):
        if (
            year + 1 < first.year
            or year > last.year
            or (days and not {year, year + 1} & {day.year for day in days})
        ):
            continue
        for game in scheduled_games(world.seed, "nba", year, world.now):
            day = game.start.date()
            late = game.stage != "Regular Season"
            if (not days or day in days) and first <= day <= last and postseason in (None, late):
                yield game


@GROUP.tool(
    examples=[
        {"seasons": [2023], "team_ids": [14], "postseason": True},
        {"dates": ["2023-12-25"]},
        {"start_date": "2024-05-06", "per_page": 5},
        {"end_date": "2016-06-30", "postseason": True},
    ],
    phrase=(
        "page through the NBA games on balldontlie[, on {dates}][, in seasons begun in {seasons}][, for "
        "{team_ids} by team id][, with the play-off filter set to {postseason}][, starting from "
        "{start_date}][, until {end_date}][, showing page {page}][, with {per_page} games per page]"
    ),
    noun="the balldontlie list of games",
    jobs=("basketball games",),
)
def get_all_games(
    world: World,
    *,
    page_: PageNumber = 1,
    per_page: PerPage = 20,
    dates: list[BasketballDay] | None = None,
    seasons: list[NbaSeason] | None = None,
    team_ids: list[TeamId] | None = None,
    postseason: bool | None = None,
    start_date: BasketballDay | None = None,
    end_date: BasketballDay | None = None,
) -> Page[GameRow]:
    """NBA games, the latest season first and each in order of time. Seasons run from October, play-offs from April to June.

    page: Number of the page, from 1.
    per_page: Games on a page.
    dates: Only games on these days.
    seasons: Only seasons that began in these years.
    team_ids: Only games in which one of these teams plays.
    postseason: True for play-off games only, false for the regular season only.
    start_date: Only games on or after this day.
    end_date: Only games on or before this day.
    """
    clubs = {IDS.team(number) for number in team_ids or ()}
    found = [
        game
        for game in _filter_games(world, dates, seasons, postseason, (start_date, end_date))
        if not clubs or clubs & {game.home, game.away}
    ]
    return page_of(found, lambda game: game_row(game, world.now), per_page, (page_ - 1) * per_page)


@GROUP.tool(
    examples=[{"game_id": 27005}],
    phrase="look up on balldontlie the single NBA game whose id is {game_id}",
    noun="the balldontlie game",
    jobs=("basketball games",),
)
def get_a_specific_game(world: World, *, game_id: GameId) -> GameDetails:
    """One game with its teams, score, stage and arena.

    game_id: Number of the game.
    """
    game = IDS.games.find(world.seed, game_id, world.now)
    return {
        "game": game_row(game, world.now),
        "home_team": TEAMS.row(game.home),
        "visitor_team": TEAMS.row(game.away),
        "stage": game.stage,
        "arena": game.home.venue,
    }


Place = tuple[Game, Team, nba.Player]


def _wanted_lines(games: list[Game], people: list[nba.Player]) -> list[Place]:
    """The players of some games whose lines are wanted."""
    return [
        (game, team, one)
        for game in games
        for team in (game.home, game.away)
        for one in (people or nba.team_roster(team, game.season))
        if one.team is team and one.since <= game.season
    ]


def _stat_row(seed: int, game: Game, team: Team, player: nba.Player) -> StatRow:
    line = nba.box_score(seed, game, team)[player]
    return {
        "id": IDS.games.of(game) * 30 + player.index % nba.ROSTER + nba.ROSTER * (team is game.away),
        "player_id": IDS.of_player(player),
        "player": player.name,
        "team_id": IDS.of_team(team),
        "game_id": IDS.games.of(game),
        "date": game.start.date().isoformat(),
        "min": line.minutes,
        "pts": line.points,
        "fgm": line.fgm,
        "fga": line.fga,
        "fg3m": line.tpm,
        "ftm": line.ftm,
        "reb": line.rebounds,
        "ast": line.assists,
        "stl": line.steals,
        "blk": line.blocks,
        "turnover": line.turnovers,
    }


@GROUP.tool(
    examples=[
        {"player_ids": [237], "seasons": [2019], "per_page": 5},
        {"dates": ["2023-06-07"]},
    ],
    phrase=(
        "get the NBA box score lines per player and game on balldontlie[, for {game_ids} by game id][, for "
        "{player_ids} by player id][, in seasons begun in {seasons}][, on {dates}][, with the play-off "
        "filter set to {postseason}][, starting from {start_date}][, until {end_date}][, with {per_page} "
        "lines per page]"
    ),
    noun="the balldontlie box score lines",
    jobs=("basketball statistics",),
)
def get_all_stats(
    world: World,
    *,
    page_: PageNumber = 1,
    per_page: PerPage = 20,
    dates: list[BasketballDay] | None = None,
    seasons: list[NbaSeason] | None = None,
    player_ids: list[PlayerId] | None = None,
    game_ids: list[GameId] | None = None,
    postseason: bool | None = None,
    start_date: BasketballDay | None = None,
    end_date: BasketballDay | None = None,
) -> Page[StatRow]:
    """Lines of players in single games, page by page, the latest season first.

    page: Number of the page, from 1.
    per_page: Lines on a page.
    dates: Only games on these days.
    seasons: Only seasons that began in these years.
    player_ids: Only these players.
    game_ids: Only these games, whatever their date and season.
    postseason: True for play-off games only, false for the regular season only.
    start_date: Only games on or after this day.
    end_date: Only games on or before this day.
    """
    people = [IDS.player(number) for number in player_ids or ()]
    if game_ids:
        found = [IDS.games.find(world.seed, number, world.now) for number in game_ids]
    else:
        found = list(_filter_games(world, dates, seasons, postseason, (start_date, end_date)))
    places = _wanted_lines([game for game in found if is_over(game, world.now)], people)
    return page_of(places, lambda place: _stat_row(world.seed, *place), per_page, (page_ - 1) * per_page)


@GROUP.tool(
    examples=[{"season": 2018, "player_ids": [237]}, {}],
    phrase=(
        "get NBA season averages per game on balldontlie[ for the season that began in {season}][, for "
        "{player_ids} by player id]"
    ),
    noun="the balldontlie season averages",
    jobs=("basketball statistics",),
)
def get_averages(
    world: World, *, season: NbaSeason = nba.SEASONS[-1], player_ids: list[PlayerId] | None = None
) -> list[Averages]:
    """Averages per game over a regular season; of LeBron James when no player is named. Who had not begun is left out.

    season: Year in which the season began.
    player_ids: Numbers of up to 20 players.
    """
    require_season(all_leagues()["nba"], season)
    people = [IDS.player(number) for number in (player_ids or [LEBRON])[:20]]
    games = _regular_games(world, season)
    return [_player_averages(world.seed, season, one, games) for one in people if one.since <= season]


def _regular_games(world: World, season: int) -> list[Game]:
    return regular_season(world.seed, "nba", season, world.now)


def _player_averages(seed: int, season: int, player: nba.Player, games: list[Game]) -> Averages:
    own = [game for game in games if player.team in (game.home, game.away)]
    total, count = nba.add_lines(nba.box_score(seed, game, player.team)[player] for game in own), len(own)
    return {
        "player_id": IDS.of_player(player),
        "season": season,
        "games_played": count,
        "min": round(total.minutes / count, 1),
        "pts": round(total.points / count, 1),
        "reb": round(total.rebounds / count, 1),
        "ast": round(total.assists / count, 1),
        "stl": round(total.steals / count, 1),
        "blk": round(total.blocks / count, 1),
        "turnover": round(total.turnovers / count, 1),
        "fg_pct": round(total.fgm / max(1, total.fga), 3),
        "fg3_pct": round(total.tpm / max(1, total.tpa), 3),
        "ft_pct": round(total.ftm / max(1, total.fta), 3),
    }
