"""Competition/API_NBA: teams, players, games, box scores and tables of the NBA."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from toolyard.world.faults import invalid
from toolyard.world.registry import tool
from toolyard.world.state import World
from toolyard.world.tables import containing, filter_rows, page
from toolyard.world.types import IsoDate, Page, Semantic
from toolyard.world.worlds.competition.sports import common
from toolyard.world.worlds.competition.sports.api_nba_shapes import (
    GROUP,
    IDS,
    LEAGUES,
    Conference,
    Division,
    GameId,
    GameRow,
    LeagueName,
    PlayerFigures,
    PlayerId,
    PlayerRow,
    SeasonFigures,
    TeamFigures,
    TeamId,
    TeamRow,
    figures,
    game_row,
    player_row,
    team_row,
)
from toolyard.world.worlds.competition.sports.box_scores import (
    Line,
    add,
    box,
    roster,
    team_line,
)
from toolyard.world.worlds.competition.sports.box_scores import players as all_players
from toolyard.world.worlds.competition.sports.core import Game, Team, teams_of
from toolyard.world.worlds.competition.sports.nba_ids import (
    FIRST,
    LAST_SEASON,
    NbaSeason,
    PlayerName,
    TeamCode,
    TeamName,
)
from toolyard.world.worlds.competition.sports.seasons import is_over, played


@tool(
    GROUP,
    examples=[{}],
    phrase="list the years in which known NBA seasons began",
    noun="the list of NBA seasons",
)
def seasons() -> list[NbaSeason]:
    """Years in which a known NBA season began."""
    return list(range(FIRST, LAST_SEASON + 1))


@tool(
    GROUP,
    examples=[{}],
    phrase="list the league names that the NBA service knows, summer leagues included",
    noun="the list of NBA leagues",
    jobs=("basketball leagues",),
)
def leagues() -> list[str]:
    """Names of the leagues; the NBA proper is "standard", the others are summer leagues without games here."""
    return list(LEAGUES)


@tool(
    GROUP,
    examples=[{"season": 2020}, {"season": 2019, "h2h": "17-2"}, {"date": "2023-12-25"}, {"id": 11500}],
    phrase=(
        "list NBA games with points by quarter from API-NBA[, only the game whose number is {id}][, with the "
        "live filter set to {live}][, on {date}][, in the league named {league}][, in the season that began "
        "in {season}][, with the team whose number is {team}][, only meetings of the two teams whose numbers "
        "are {h2h}]"
    ),
    noun="the API-NBA list of games",
    jobs=("basketball games",),
)
def games(
    world: World,
    *,
    id_: GameId | None = None,
    live: Literal["all"] | None = None,
    date: IsoDate | None = None,
    league: LeagueName = "standard",
    season: NbaSeason | None = None,
    team: TeamId | None = None,
    h2h: str | None = None,
) -> Page[GameRow]:
    """NBA games with points by quarter: the first 20 that fit, and how many there are.

    id: Number of one game.
    live: Only games that are being played right now.
    date: Only games on this day (UTC).
    league: Name of the league; only standard has games.
    season: Year in which the season began; by default that of the date, or the latest one.
    team: Only games of this team.
    h2h: Only meetings of two teams, their numbers joined by a hyphen, e.g. 1-4.
    """
    common.need(id=id_, live=live, date=date, season=season, team=team, h2h=h2h)
    if id_ is not None:
        found = [IDS.games.find(world.seed, id_, world.now)]
    else:
        found = list(common.search_games(world.seed, world.now, ("nba",), season=season, day=date))
    sides = {IDS.team(team)} if team is not None else set()
    if h2h is not None:
        sides |= set(common.pair(h2h, teams_of("nba"), {one: IDS.of_team(one) for one in teams_of("nba")}))
    found = [game for game in found if league == "standard" and sides <= {game.home, game.away}]
    if live:
        found = [game for game in found if common.status_of(game, world.now, 120) == "LIVE"]
    rows = [game_row(world.seed, game, world.now) for game in found[:20]]
    return {"total": len(found), "offset": 0, "items": rows}


def _finished(world: World, number: int) -> Game:
    game = IDS.games.find(world.seed, number, world.now)
    if not is_over(game, world.now):
        raise invalid(
            "id", number, f"this game begins at {game.start:%Y-%m-%d %H:%M} UTC and has no statistics yet"
        )
    return game


@tool(
    GROUP,
    examples=[{"id": 11500}],
    phrase="get what both teams did (shots, rebounds, assists) in the NBA game whose number is {id}",
    noun="the NBA game statistics",
    jobs=("basketball games", "basketball statistics"),
)
def game_statistics(world: World, *, id_: GameId) -> list[TeamFigures]:
    """What the two teams of a game did: shots, rebounds, assists and so on.

    id: Number of the game.
    """
    game = _finished(world, id_)
    return [
        {
            "team_id": IDS.of_team(team),
            "team": team.name,
            "statistics": figures(team_line(world.seed, game, team is game.home)),
        }
        for team in (game.home, game.away)
    ]


@tool(
    GROUP,
    examples=[{}, {"conference": "West", "division": "Pacific"}, {"name": "Atlanta Hawks"}],
    phrase=(
        "look up NBA teams with arena, conference and division in API-NBA[, only the team whose number is "
        "{id}][, only the team whose full name is {name}][, only the team whose three-letter code is "
        "{code}][, only in the conference called {conference}][, only in the division called {division}][, "
        "only teams with {search} in their name]"
    ),
    noun="the API-NBA list of teams",
    jobs=("basketball teams",),
)
def teams(
    *,
    id_: TeamId | None = None,
    name: TeamName | None = None,
    code: TeamCode | None = None,
    league: LeagueName | None = None,
    conference: Conference | None = None,
    search: str | None = None,
    division: Division | None = None,
) -> list[TeamRow]:
    """NBA teams with city, arena, conference and division.

    id: Number of one team.
    name: Full name, e.g. Atlanta Hawks.
    code: Three letters, e.g. ATL.
    league: Name of the league; the teams are all in standard.
    conference: East or West only.
    search: Part of the name.
    division: Teams of one division only.
    """
    rows = [team_row(team) for team in teams_of("nba")]
    rows = filter_rows(
        rows, id=id_, name=name, code=code, league=league, conference=conference, division=division
    )
    return containing(rows, search, "name")


def of_team(found: Iterable[Game], team: Team) -> list[Game]:
    """Those of the games that a team plays in."""
    return [game for game in found if team in (game.home, game.away)]


@tool(
    GROUP,
    examples=[{"id": 17, "season": 2020}],
    phrase=(
        "sum up everything that the NBA team whose number is {id} did in the season that began in {season}"
    ),
    noun="the NBA team statistics",
    jobs=("basketball statistics",),
)
def team_statistics(world: World, *, id_: TeamId, season: NbaSeason) -> SeasonFigures:
    """Everything a team did in a season summed up, over the games played so far.

    id: Number of the team.
    season: Year in which the season began.
    """
    team = IDS.team(id_)
    own = of_team(played(world.seed, "nba", season, world.now), team)
    total = add(team_line(world.seed, game, team is game.home) for game in own)
    return {"team_id": id_, "season": season, "games": len(own), "statistics": figures(total)}


@tool(
    GROUP,
    examples=[{"name": "James"}, {"team": 17, "season": 2020}, {"country": "Canada"}],
    phrase=(
        "look up NBA players with position, size and birthday in API-NBA[, only the player whose number is "
        "{id}][, only players called {name}][, only players of the team whose number is {team}][, only "
        "players of the season that began in {season}][, only players from {country}][, only players with "
        "{search} in their name]"
    ),
    noun="the API-NBA list of players",
    jobs=("basketball players",),
)
def players(
    world: World,
    *,
    id_: PlayerId | None = None,
    name: str | None = None,
    team: TeamId | None = None,
    season: NbaSeason | None = None,
    country: Annotated[str, Semantic("country")] | None = None,
    search: PlayerName | None = None,
) -> Page[PlayerRow]:
    """NBA players with team, position, size and birthday: the first 25 that fit, and how many there are.

    id: Number of one player.
    name: First, last or full name, e.g. James.
    team: Only players of this team.
    season: Only players of this season.
    country: Only players from this country, e.g. USA.
    search: Part of the name.
    """
    found = [IDS.player(world.seed, id_)] if id_ is not None else list(all_players(world.seed))
    if team is not None:
        own = roster(world.seed, IDS.team(team))
        found = [player for player in found if player in own]
    if season is not None and not FIRST <= season <= LAST_SEASON:
        found = []
    if name is not None:
        wanted = name.strip().casefold()
        found = [
            one for one in found if wanted in (one.first.casefold(), one.last.casefold(), one.name.casefold())
        ]
    home = {"united states": "USA", "us": "USA"}.get((country or "").strip().casefold(), country)
    rows = filter_rows(map(player_row, found), country=home)
    return page(containing(rows, search, "name"), 25)


@tool(
    GROUP,
    examples=[{"game": 11500}, {"id": 265, "season": 2019}, {"team": 2, "season": 2022}],
    phrase=(
        "get the game-by-game statistics of NBA players from API-NBA[, only for the player whose number is "
        "{id}][, only in the game whose number is {game}][, only for the team whose number is {team}][, in "
        "the season that began in {season}]"
    ),
    noun="the API-NBA player statistics",
    jobs=("basketball statistics",),
)
def player_statistics(
    world: World,
    *,
    id_: PlayerId | None = None,
    game: GameId | None = None,
    team: TeamId | None = None,
    season: NbaSeason | None = None,
) -> Page[PlayerFigures]:
    """What players did, game by game, latest game first: up to 20 lines, and how many there are.

    id: Only this player.
    game: Only this game.
    team: Only players of this team.
    season: Year in which the season began; by default the latest one.
    """
    common.need(id=id_, game=game, team=team)
    player = IDS.player(world.seed, id_) if id_ is not None else None
    if game is not None:
        found = [_finished(world, game)]
    else:
        found = played(world.seed, "nba", LAST_SEASON if season is None else season, world.now)[::-1]
    side = IDS.team(team) if team is not None else player.team if player else None
    pairs = [(one, club) for one in found for club in (one.home, one.away) if side in (None, club)]
    rows = [
        (one, club, place, line)
        for one, club in pairs
        for place, line in box(world.seed, one, club is one.home)
        if player is None or player is roster(world.seed, club)[place]
    ]
    items = [_player_figures(world.seed, *row) for row in rows[:20]]
    return {"total": len(rows), "offset": 0, "items": items}


def _player_figures(seed: int, game: Game, team: Team, place: int, line: Line) -> PlayerFigures:
    player = roster(seed, team)[place]
    return {
        "player_id": IDS.of_player(player),
        "name": player.name,
        "team_id": IDS.of_team(team),
        "game_id": IDS.games.of(game),
        "minutes": line.minutes,
        "statistics": figures(line),
    }
