"""Competition/balldontlie: the same NBA under other numbers, listed page by page, with averages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolyard.world.faults import not_found
from toolyard.world.registry import tool
from toolyard.world.shared.days import parse_date
from toolyard.world.state import World
from toolyard.world.tables import containing, page
from toolyard.world.types import Page
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
from toolyard.world.worlds.competition.sports.box_scores import Line, averages, lines
from toolyard.world.worlds.competition.sports.box_scores import players as all_players
from toolyard.world.worlds.competition.sports.common import PageNumber, need_order, need_season, said
from toolyard.world.worlds.competition.sports.core import BasketballDay, Game, leagues, teams_of
from toolyard.world.worlds.competition.sports.nba_days import Span, need_games, need_lines
from toolyard.world.worlds.competition.sports.nba_ids import (
    FIRST,
    LAST_SEASON,
    NbaSeason,
    PlayerName,
    arena_of,
)
from toolyard.world.worlds.competition.sports.seasons import games as season_games
from toolyard.world.worlds.competition.sports.seasons import is_over


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
    *, page_: PageNumber = 1, per_page: PerPage = 25, search: PlayerName | None = None
) -> Page[PlayerRow]:
    """Well-known players of the NBA in May 2024, page by page, or those with some text in their names.

    page: Number of the page, from 1.
    per_page: Players on a page.
    search: Part of the name.
    """
    rows = containing(map(player_row, all_players()), search, "name")
    if not rows and search is not None:
        raise not_found(
            "player of May 2024 on record", search[:60], known=[one.name for one in all_players()]
        )
    return page(rows, per_page, (page_ - 1) * per_page)


@tool(
    GROUP,
    examples=[{"player_id": 237}],
    phrase="look up on balldontlie the single NBA player whose id is {player_id}",
    noun="the balldontlie player",
    jobs=("basketball players",),
)
def get_a_specific_player(*, player_id: PlayerId) -> PlayerDetails:
    """One player with position and team, and height and weight where they are known.

    player_id: Number of the player.
    """
    player = IDS.player(player_id)
    inches = round(player.height_cm / 2.54) if player.height_cm else None
    return {
        "id": player_id,
        "name": player.name,
        "first_name": player.first,
        "last_name": player.last,
        "position": player.position,
        "height_feet": inches // 12 if inches else None,
        "height_inches": inches % 12 if inches else None,
        "weight_pounds": player.weight_lb,
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
    dates: list[BasketballDay] | None,
    seasons: list[NbaSeason] | None,
    postseason: bool | None,
    span: tuple[BasketballDay | None, BasketballDay | None],
) -> Iterator[Game]:
    days = {parse_date(day, "dates") for day in dates or ()}
    need_order(*span, ("start_date", "end_date"))
    for year in seasons or ():
        need_season(leagues()["nba"], year)
    first = parse_date(span[0], "start_date") if span[0] is not None else None
    last = parse_date(span[1], "end_date") if span[1] is not None else None
    years = sorted(set(seasons), reverse=True) if seasons is not None else range(LAST_SEASON, FIRST - 1, -1)
    bounds = {day.year for day in days} | {first.year if first else 0, last.year if last else 9999}
    for year in years:
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


def _listed(values: Sequence[object] | None) -> str | None:
    return ", ".join(map(str, values[:8])) if values else None


def _spans(
    dates: list[BasketballDay] | None, first: BasketballDay | None, last: BasketballDay | None
) -> list[Span]:
    """The days that are asked for, from and to; those of a list one by one."""
    if dates:
        return [(parse_date(day, "dates"), parse_date(day, "dates")) for day in dates]
    if first is None and last is None:
        return []
    return [(parse_date(first) if first else None, parse_date(last) if last else None)]


@tool(
    GROUP,
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
    """NBA games on record (Christmas Day and the Finals since 2015, all play-offs of 2024), latest season first.

    page: Number of the page, from 1.
    per_page: Games on a page.
    dates: Only games on these days (in New York).
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
    asked = said(dates=_listed(dates), start_date=start_date, end_date=end_date, seasons=_listed(seasons),
                 teams=_listed(team_ids))  # fmt: skip
    need_games(found, asked, _spans(dates, start_date, end_date), world.now)
    chosen = found[(page_ - 1) * per_page : page_ * per_page]
    rows = [game_row(game, world.now) for game in chosen]
    return {"total": len(found), "offset": (page_ - 1) * per_page, "items": rows}


@tool(
    GROUP,
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
        "home_team": team_row(game.home),
        "visitor_team": team_row(game.away),
        "stage": game.stage,
        "arena": arena_of(game),
    }


def _stat_row(game: Game, place: int, line: Line) -> StatRow:
    return {
        "id": IDS.games.of(game) * 30 + place,
        "player_id": IDS.of_player(line.player),
        "player": line.player.name,
        "team_id": IDS.of_team(line.team),
        "game_id": IDS.games.of(game),
        "date": game.start.date().isoformat(),
        "pts": line.points,
        "reb": line.rebounds,
        "ast": line.assists,
    }


@tool(
    GROUP,
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
    """Lines of players that are on record, page by page, latest season first: leading ones in the Finals of 2016 to 2023, in
    other games none.

    page: Number of the page, from 1.
    per_page: Lines on a page.
    dates: Only games on these days (in New York).
    seasons: Only seasons that began in these years.
    player_ids: Only these players.
    game_ids: Only these games, whatever their date and season.
    postseason: True for play-off games only, false for the regular season only.
    start_date: Only games on or after this day.
    end_date: Only games on or before this day.
    """
    people = [IDS.player(number) for number in player_ids or ()]
    need_lines(people)
    if game_ids:
        found = [IDS.games.find(world.seed, number, world.now) for number in game_ids]
    else:
        found = list(_wanted(world, dates, seasons, postseason, (start_date, end_date)))
    rows = [
        _stat_row(game, place, line)
        for game in found
        if is_over(game, world.now)
        for place, line in enumerate(lines(game))
        if not people or line.player in people
    ]
    return page(rows, per_page, (page_ - 1) * per_page)


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
    *, season: NbaSeason = LAST_SEASON, player_ids: list[PlayerId] | None = None
) -> list[Averages]:
    """Averages per game of some thirty leading players over a regular season; of LeBron James when no player is named.

    season: Year in which the season began: 2023 for leading players, 2022 for eight of them, from 2015 on for LeBron James.
    player_ids: Numbers of up to 20 players.
    """
    people = [IDS.player(number) for number in (player_ids or [237])[:20]]
    found = [(one, averages().get((one, season))) for one in people]
    if not any(row for _, row in found):
        years = sorted({year for one, year in averages() if one in people})
        if years:
            raise not_found("season on record of these players", season, known=years)
        leading = sorted(
            f"{one.name} ({IDS.of_player(one)})" for one, year in averages() if year == LAST_SEASON
        )
        names = ", ".join(one.name for one in people)[:80]
        raise not_found("averages on record of", names, known=leading, listed_by=f"{GROUP}/get_all_players")
    return [
        Averages(player_id=IDS.of_player(one), season=season, games_played=int(row["games"]), min=row["min"],
                 pts=row["pts"], reb=row["reb"], ast=row["ast"], stl=row["stl"], blk=row["blk"],
                 turnover=row["turnover"], fg_pct=row["fg_pct"], fg3_pct=row["fg3_pct"], ft_pct=row["ft_pct"])
        for one, row in found
        if row
    ]  # fmt: skip
