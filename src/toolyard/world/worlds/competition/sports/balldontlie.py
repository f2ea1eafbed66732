"""Competition/balldontlie: the same NBA under other numbers, listed page by page, with averages."""

from __future__ import annotations

from collections.abc import Iterator

from toolyard.world.registry import tool
from toolyard.world.shared.days import parse_date
from toolyard.world.state import World
from toolyard.world.tables import containing, page
from toolyard.world.types import IsoDate, Page
from toolyard.world.worlds.competition.sports.balldontlie_shapes import (
    GROUP,
    IDS,
    Averages,
    GameDetails,
    GameId,
    GameRow,
    PerPage,
    PlayerDetails,
    PlayerId,
    PlayerRow,
    StatRow,
    TeamDetails,
    TeamId,
    TeamRow,
    game_row,
    player_row,
    team_row,
)
from toolyard.world.worlds.competition.sports.box_scores import (
    ACTIVE,
    ROSTER,
    Line,
    Player,
    add,
    box,
    own_line,
    roster,
)
from toolyard.world.worlds.competition.sports.box_scores import players as all_players
from toolyard.world.worlds.competition.sports.common import PageNumber
from toolyard.world.worlds.competition.sports.core import Game, Team, teams_of
from toolyard.world.worlds.competition.sports.nba_ids import (
    FIRST,
    LAST_SEASON,
    NbaSeason,
    PlayerName,
)
from toolyard.world.worlds.competition.sports.seasons import games as season_games
from toolyard.world.worlds.competition.sports.seasons import is_over, played


@tool(
    GROUP,
    examples=[{"search": "James"}, {"page": 3}],
    phrase=(
        "page through the NBA players on balldontlie[, only those with {search} in their name][, showing "
        "page {page}][, with {per_page} players per page]"
    ),
    noun="the balldontlie list of players",
    jobs=("basketball players",),
)
def get_all_players(
    world: World, *, page_: PageNumber = 1, per_page: PerPage = 25, search: PlayerName | None = None
) -> Page[PlayerRow]:
    """Players of the NBA, page by page, or those with some text in their names.

    page: Number of the page, from 1.
    per_page: Players on a page.
    search: Part of the name.
    """
    rows = containing(map(player_row, all_players(world.seed)), search, "name")
    return page(rows, per_page, (page_ - 1) * per_page)


@tool(
    GROUP,
    examples=[{"player_id": 237}],
    phrase="look up on balldontlie the single NBA player whose id is {player_id}",
    noun="the balldontlie player",
    jobs=("basketball players",),
)
def get_a_specific_player(world: World, *, player_id: PlayerId) -> PlayerDetails:
    """One player with height, weight, position and team.

    player_id: Number of the player.
    """
    player = IDS.player(world.seed, player_id)
    inches = round(player.height_cm / 2.54)
    return {
        "id": player_id,
        "name": player.name,
        "first_name": player.first,
        "last_name": player.last,
        "position": player.position,
        "height_feet": inches // 12,
        "height_inches": inches % 12,
        "weight_pounds": round(player.weight_kg * 2.20462),
        "team": team_row(player.team),
    }


@tool(
    GROUP,
    examples=[{}, {"page": 2, "per_page": 10}],
    phrase=(
        "page through the thirty NBA teams on balldontlie[, showing page {page}][, with {per_page} teams per "
        "page]"
    ),
    noun="the balldontlie list of teams",
    jobs=("basketball teams",),
)
def get_all_teams(*, page_: PageNumber = 1, per_page: PerPage = 30) -> Page[TeamRow]:
    """The thirty teams of the NBA, page by page.

    page: Number of the page, from 1.
    per_page: Teams on a page.
    """
    return page([team_row(team) for team in teams_of("nba")], per_page, (page_ - 1) * per_page)


@tool(
    GROUP,
    examples=[{"team_id": 14}],
    phrase="look up on balldontlie the single NBA team whose id is {team_id}",
    noun="the balldontlie team",
    jobs=("basketball teams",),
)
def get_a_specific_team(*, team_id: TeamId) -> TeamDetails:
    """One team with city, arena, conference and division.

    team_id: Number of the team, 1 to 30.
    """
    team = IDS.team(team_id)
    conference, division = team.group.split("/")
    nickname = "Trail Blazers" if team.code == "POR" else team.name.split()[-1]
    return {
        **team_row(team),
        "name": nickname,
        "city": team.city,
        "conference": conference,
        "division": division,
        "founded": team.founded,
        "arena": team.venue,
    }


def _wanted(
    world: World,
    dates: list[IsoDate] | None,
    seasons: list[NbaSeason] | None,
    postseason: bool | None,
    span: tuple[IsoDate | None, IsoDate | None],
) -> Iterator[Game]:
    days = {parse_date(day, "dates") for day in dates or ()}
    first = parse_date(span[0], "start_date") if span[0] is not None else None
    last = parse_date(span[1], "end_date") if span[1] is not None else None
    years = seasons if seasons is not None else range(LAST_SEASON, FIRST - 1, -1)
    bounds = {day.year for day in days} | {first.year if first else 0, last.year if last else 9999}
    for year in dict.fromkeys(years):
        if days and not {year, year + 1} & bounds:
            continue
        for game in season_games(world.seed, "nba", year, world.now):
            day = game.start.date()
            if (
                (not days or day in days)
                and (first is None or day >= first)
                and (last is None or day <= last)
                and postseason in (None, game.stage != "Regular Season")
            ):
                yield game


@tool(
    GROUP,
    examples=[
        {"seasons": [2023], "team_ids": [14], "postseason": True},
        {"dates": ["2023-12-25"]},
        {"start_date": "2024-01-10", "end_date": "2024-01-12"},
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
    dates: list[IsoDate] | None = None,
    seasons: list[NbaSeason] | None = None,
    team_ids: list[TeamId] | None = None,
    postseason: bool | None = None,
    start_date: IsoDate | None = None,
    end_date: IsoDate | None = None,
) -> Page[GameRow]:
    """Games of the NBA with their scores, page by page, latest season first.

    page: Number of the page, from 1.
    per_page: Games on a page.
    dates: Only games on these days (UTC).
    seasons: Only seasons that began in these years.
    team_ids: Only games in which one of these teams plays.
    postseason: True for play-off games only, false for the regular season only.
    start_date: Only games on or after this day.
    end_date: Only games on or before this day.
    """
    clubs = {IDS.team(number) for number in team_ids or ()}
    found = [
        game
        for game in _wanted(world, dates, seasons, postseason, (start_date, end_date))
        if not clubs or clubs & {game.home, game.away}
    ]
    chosen = found[(page_ - 1) * per_page : page_ * per_page]
    rows = [game_row(game, world.now) for game in chosen]
    return {"total": len(found), "offset": (page_ - 1) * per_page, "items": rows}


@tool(
    GROUP,
    examples=[{"game_id": 27100}],
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
        "home_team": team_row(game.home),
        "visitor_team": team_row(game.away),
        "stage": game.stage,
        "arena": game.home.venue,
    }


def _stat_row(seed: int, game: Game, team: Team, place: int, line: Line) -> StatRow:
    player = roster(seed, team)[place]
    return {
        "id": IDS.games.of(game) * 30 + place + 15 * (team is game.away),
        "player_id": IDS.of_player(player),
        "player": player.name,
        "team_id": IDS.of_team(team),
        "game_id": IDS.games.of(game),
        "date": game.start.date().isoformat(),
        "min": line.minutes,
        "pts": line.points,
        "reb": line.offensive + line.defensive,
        "ast": line.assists,
        "stl": line.steals,
        "blk": line.blocks,
        "turnover": line.turnovers,
        "fgm": line.fgm,
        "fga": line.fga,
    }


@tool(
    GROUP,
    examples=[
        {"game_ids": [27100]},
        {"player_ids": [237], "seasons": [2019], "per_page": 5},
        {"dates": ["2023-12-25"]},
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
    dates: list[IsoDate] | None = None,
    seasons: list[NbaSeason] | None = None,
    player_ids: list[PlayerId] | None = None,
    game_ids: list[GameId] | None = None,
    postseason: bool | None = None,
    start_date: IsoDate | None = None,
    end_date: IsoDate | None = None,
) -> Page[StatRow]:
    """Lines of the box scores, one per player and game, page by page; of the latest season unless told otherwise.

    page: Number of the page, from 1.
    per_page: Lines on a page.
    dates: Only games on these days (UTC).
    seasons: Only seasons that began in these years.
    player_ids: Only these players.
    game_ids: Only these games, whatever their date and season.
    postseason: True for play-off games only, false for the regular season only.
    start_date: Only games on or after this day.
    end_date: Only games on or before this day.
    """
    people = [IDS.player(world.seed, number) for number in player_ids or ()]
    clubs = {player.team for player in people}
    if game_ids:
        found = [IDS.games.find(world.seed, number, world.now) for number in game_ids]
    else:
        years = seasons if seasons is not None or dates or start_date or end_date else [LAST_SEASON]
        found = list(_wanted(world, dates, years, postseason, (start_date, end_date)))
    over = [game for game in found if is_over(game, world.now)]
    sides = [(game, team) for game in over for team in (game.home, game.away) if not clubs or team in clubs]
    start = (page_ - 1) * per_page
    total, lines = _lines(world.seed, sides, start, per_page)
    if people:
        every = _lines_of(world.seed, sides, people)
        total, lines = len(every), every[start : start + per_page]
    return {"total": total, "offset": start, "items": [_stat_row(world.seed, *line) for line in lines]}


Found = tuple[Game, Team, int, Line]


def _lines_of(seed: int, sides: list[tuple[Game, Team]], people: list[Player]) -> list[Found]:
    own = [
        (game, one, own_line(seed, game, one)) for game, team in sides for one in people if one.team is team
    ]
    return [(game, one.team, one.index % ROSTER, line) for game, one, line in own if line]


def _lines(seed: int, sides: list[tuple[Game, Team]], start: int, count: int) -> tuple[int, list[Found]]:
    """How many lines there are and some of them; only the box scores that hold them are worked out."""
    first = start // ACTIVE
    found = [
        (game, team, place, line)
        for game, team in sides[first : (start + count) // ACTIVE + 1]
        for place, line in box(seed, game, team is game.home)
    ]
    return ACTIVE * len(sides), found[start - first * ACTIVE :][:count]


def _share(made: int, tried: int) -> float:
    return round(made / tried, 3) if tried else 0.0


@tool(
    GROUP,
    examples=[{"season": 2018, "player_ids": [237]}, {}],
    phrase=(
        "get NBA season averages per game on balldontlie[ for the season that began in {season}][, for "
        "{player_ids} by player id]"
    ),
    noun="the balldontlie season averages",
    jobs=("basketball statistics",),
)
def get_averages(
    world: World, *, season: NbaSeason = LAST_SEASON, player_ids: list[PlayerId] | None = None
) -> list[Averages]:
    """Averages per game of some players over a regular season; of LeBron James when no player is named.

    season: Year in which the season began.
    player_ids: Numbers of up to 20 players.
    """
    people = [IDS.player(world.seed, number) for number in (player_ids or [237])[:20]]
    found = [game for game in played(world.seed, "nba", season, world.now) if game.stage == "Regular Season"]
    rows = [_averages(world.seed, found, season, player) for player in people]
    return [row for row in rows if row["games_played"]]


def _averages(seed: int, found: list[Game], season: int, player: Player) -> Averages:
    own = [own_line(seed, game, player) for game in found if player.team in (game.home, game.away)]
    lines = [line for line in own if line]
    total, count = add(lines), max(1, len(lines))
    return {
        "player_id": IDS.of_player(player),
        "season": season,
        "games_played": len(lines),
        "min": round(total.minutes / count, 1),
        "pts": round(total.points / count, 2),
        "reb": round((total.offensive + total.defensive) / count, 2),
        "ast": round(total.assists / count, 2),
        "stl": round(total.steals / count, 2),
        "blk": round(total.blocks / count, 2),
        "turnover": round(total.turnovers / count, 2),
        "fg_pct": _share(total.fgm, total.fga),
        "fg3_pct": _share(total.tpm, total.tpa),
        "ft_pct": _share(total.ftm, total.fta),
    }
