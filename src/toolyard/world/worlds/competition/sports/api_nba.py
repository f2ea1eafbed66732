"""Competition/API_NBA: teams, players, games, box scores and tables of the NBA."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from toolyard.world.faults import ToolFault, invalid, not_found
from toolyard.world.registry import tool
from toolyard.world.shared.days import parse_date
from toolyard.world.state import World
from toolyard.world.tables import containing, filter_rows, page, plain
from toolyard.world.types import Page, Semantic
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
    is_there,
    need_one_side,
    need_standard,
    player_row,
    team_row,
)
from toolyard.world.worlds.competition.sports.box_scores import Line, Player, lines, records, roster
from toolyard.world.worlds.competition.sports.box_scores import players as all_players
from toolyard.world.worlds.competition.sports.core import BasketballDay, Game, Team, teams_of
from toolyard.world.worlds.competition.sports.core import leagues as all_leagues
from toolyard.world.worlds.competition.sports.nba_days import need_games, need_lines
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
    examples=[{"season": 2020}, {"season": 2019, "h2h": "17-20"}, {"date": "2023-12-25"}, {"id": 11010}],
    phrase=(
        "list NBA games with their points from API-NBA[, only the game whose number is {id}][, with the "
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
    date: BasketballDay | None = None,
    league: LeagueName = "standard",
    season: NbaSeason | None = None,
    team: TeamId | None = None,
    h2h: str | None = None,
) -> Page[GameRow]:
    """NBA games on record (Christmas Day and the Finals since 2015, all play-offs of 2024): the first 20 that fit.

    id: Number of one game.
    live: Only games that are being played right now.
    date: Only games on this day in New York.
    league: Name of the league; only standard has games.
    season: Year in which the season began; by default that of the date, or the latest one.
    team: Only games of this team.
    h2h: Only meetings of two teams, their numbers joined by a hyphen, e.g. 1-4.
    """
    need_standard(league)
    common.need(id=id_, live=live, date=date, season=season, team=team, h2h=h2h)
    if id_ is not None:
        found = [IDS.games.find(world.seed, id_, world.now)]
    else:
        found = list(common.search_games(world.seed, world.now, ("nba",), season=season, day=date))
    sides = {IDS.team(team)} if team is not None else set()
    if h2h is not None:
        sides |= set(common.pair(h2h, teams_of("nba"), {one: IDS.of_team(one) for one in teams_of("nba")}))
    found = [game for game in found if sides <= {game.home, game.away}]
    if live:
        found = [game for game in found if common.status_of(game, world.now, 120) == "LIVE"]
    else:
        day = parse_date(date) if date is not None else None
        asked = common.said(date=date, season=season, team=team, h2h=h2h)
        need_games(found, asked, [(day, day)] if day else [], world.now)
    rows = [game_row(game, world.now) for game in found[:20]]
    return {"total": len(found), "offset": 0, "items": rows}


def _finished(world: World, number: int) -> Game:
    game = IDS.games.find(world.seed, number, world.now)
    if not is_over(game, world.now):
        raise invalid("id", number, f"this game is played on {game.start:%Y-%m-%d} and has no statistics yet")
    return game


@tool(
    GROUP,
    examples=[{"id": 11010}],
    phrase="get what both teams scored in the NBA game whose number is {id}",
    noun="the NBA game statistics",
    jobs=("basketball games", "basketball statistics"),
)
def game_statistics(world: World, *, id_: GameId) -> list[TeamFigures]:
    """What the two teams of a game scored; rebounds and assists of whole teams are not on record.

    id: Number of the game.
    """
    game = _finished(world, id_)
    return [
        {
            "team_id": IDS.of_team(team),
            "team": team.name,
            "statistics": {"points": game.side(team)[0], "rebounds": None, "assists": None},
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
    search: common.SearchText | None = None,
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
    if league is not None:
        need_standard(league)
    common.need_row("team", id_, rows, f"{GROUP}/teams")
    need_one_side(conference, division, IDS.team(id_) if id_ is not None else None)
    name = next(
        (row["name"] for row in rows if name and plain(row["name"]).endswith(f" {plain(name)}")), name
    )
    for key, given in (("name", name), ("code", code)):
        known = [row["name"] if key == "name" else row["code"] for row in rows]
        if given is not None and plain(given) not in map(plain, known):
            raise not_found("team", given[:60], known=known, listed_by=f"{GROUP}/teams")
    rows = filter_rows(
        rows, id=id_, name=name, code=code, league=league, conference=conference, division=division
    )
    return containing(rows, search, "name")


def _family(player: Player) -> str:
    """The family name of a player without Jr. or a number."""
    return player.last.removesuffix(" Jr.").removesuffix(" III").removesuffix(" II")


def of_team(found: Iterable[Game], team: Team) -> list[Game]:
    """Those of the games that a team plays in."""
    return [game for game in found if team in (game.home, game.away)]


@tool(
    GROUP,
    examples=[{"id": 17, "season": 2020}],
    phrase=("sum up how the NBA team whose number is {id} did in the season that began in {season}"),
    noun="the NBA team statistics",
    jobs=("basketball statistics",),
)
def team_statistics(world: World, *, id_: TeamId, season: NbaSeason) -> SeasonFigures:
    """How a team did in a regular season, and how much it scored in those of its play-off games that are on record.

    id: Number of the team.
    season: Year in which the season began.
    """
    team = IDS.team(id_)
    common.need_season(all_leagues()["nba"], season)
    record = next(one for one in records(season) if one.team is team)
    own = of_team(played(world.seed, "nba", season, world.now), team)
    scored = [game.side(team)[0] for game in own if game.stage != "Regular Season"]
    return {
        "team_id": id_,
        "season": season,
        "games": record.won + record.lost,
        "won": record.won,
        "lost": record.lost,
        "percentage": record.share,
        "conference_rank": record.rank,
        "play_off_games_on_record": len(scored),
        "play_off_points_per_game": round(sum(scored) / len(scored), 1) if scored else None,
    }


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
    """Well-known NBA players of May 2024 with team, position, and size and birthday where known: the first 25 that fit. Of
    earlier seasons the best known are listed, with a team where it was the same one.

    id: Number of one player.
    name: First, last or full name, e.g. James.
    team: Only players of this team.
    season: Only players of this season.
    country: Only players from this country, e.g. USA.
    search: Part of the name.
    """
    if season is not None:
        common.need_season(all_leagues()["nba"], season)
    if country is not None and plain(country) != "usa":
        common.need_country(country, [one.country for one in all_players()], "")
    found = [IDS.player(id_)] if id_ is not None else list(all_players())
    if team is not None:
        own = roster(IDS.team(team))
        found = [player for player in found if player in own and is_there(player, season)]
    if season is not None and season != LAST_SEASON:
        found = [one for one in found if one.since and one.since <= season]
    if name is not None:
        wanted = plain(name)
        found = [one for one in found if wanted in map(plain, (one.first, one.last, _family(one), one.name))]
    for given in (name, search):
        if given is not None and not any(plain(given) in plain(one.name) for one in all_players()):
            known = [one.name for one in all_players()]
            raise not_found(
                "player of May 2024 on record", given[:60], known=known, listed_by=f"{GROUP}/players"
            )
    if not found and team is not None and season not in (None, LAST_SEASON):
        told = (
            f"no player on record who was with the {IDS.team(team).name} in {season} and was so in May 2024"
        )
        raise ToolFault("not_found", told, parameter="season")
    home = {"united states": "USA", "us": "USA"}.get((country or "").strip().casefold(), country)
    rows = filter_rows([player_row(one, season) for one in found], country=home)
    return page(containing(rows, search, "name"), 25)


@tool(
    GROUP,
    examples=[{"game": 11010}, {"id": 265, "season": 2019}, {"team": 9, "season": 2022}],
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
    """Lines of players that are on record, latest game first, up to 20 of them: leading ones in the Finals of 2016 to 2023,
    in other games none.

    id: Only this player.
    game: Only this game.
    team: Only players of this team.
    season: Year in which the season began; by default all of them.
    """
    common.need(id=id_, game=game, team=team)
    if season is not None:
        common.need_season(all_leagues()["nba"], season)
    player = IDS.player(id_) if id_ is not None else None
    need_lines([player] if player else [])
    if game is not None:
        found = [_finished(world, game)]
    else:
        years = range(FIRST, LAST_SEASON + 1) if season is None else (season,)
        found = [one for year in years for one in played(world.seed, "nba", year, world.now)][::-1]
    side = IDS.team(team) if team is not None else None
    rows = [
        (one, line)
        for one in found
        for line in lines(one)
        if side in (None, line.team) and player in (None, line.player)
    ]
    items = [_player_figures(*row) for row in rows[:20]]
    return {"total": len(rows), "offset": 0, "items": items}


def _player_figures(game: Game, line: Line) -> PlayerFigures:
    return {
        "player_id": IDS.of_player(line.player),
        "name": line.player.name,
        "team_id": IDS.of_team(line.team),
        "game_id": IDS.games.of(game),
        "date": game.start.date().isoformat(),
        "statistics": figures(line),
    }
