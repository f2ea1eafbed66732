"""Competition/API_NBA: its numbers and what its tools return."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, TypedDict

from toolyard.world.faults import invalid
from toolyard.world.types import CityName, ClockTime, IsoDate, Semantic
from toolyard.world.worlds.competition.sports import common
from toolyard.world.worlds.competition.sports.box_scores import Line, Player
from toolyard.world.worlds.competition.sports.core import BasketballDay, Game, Team
from toolyard.world.worlds.competition.sports.nba_ids import (
    LAST_SEASON,
    NbaSeason,
    Numbering,
    PlayerName,
    TeamCode,
    TeamName,
)
from toolyard.world.worlds.competition.sports.seasons import GameIds, is_over

GROUP = "Competition/API_NBA"
TeamId = Annotated[int, Semantic("nba_team_id")]
PlayerId = Annotated[int, Semantic("nba_player_id")]
GameId = Annotated[int, Semantic("nba_game_id")]
LeagueName = Literal["africa", "orlando", "sacramento", "standard", "utah", "vegas"]
Conference = Literal["East", "West"]
Division = Literal["Atlantic", "Central", "Northwest", "Pacific", "Southeast", "Southwest"]
LEAGUES: tuple[LeagueName, ...] = ("africa", "orlando", "sacramento", "standard", "utah", "vegas")
IDS = Numbering(
    (
        1,
        2,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
        11,
        14,
        15,
        16,
        17,
        19,
        20,
        21,
        22,
        23,
        24,
        25,
        26,
        27,
        28,
        29,
        30,
        31,
        38,
        40,
        41,
    ),
    96,
    GameIds(4000, 2015, ("nba",), 1400, f"{GROUP}/games"),
    GROUP,
    ("teams", "players"),
)


class TeamRow(TypedDict):
    id: TeamId
    name: TeamName
    code: TeamCode
    city: CityName
    league: str
    conference: str
    division: str
    arena: str


class Side(TypedDict):
    team_id: TeamId
    code: TeamCode
    points: int | None


class GameRow(TypedDict):
    id: GameId
    date: BasketballDay
    time_utc: ClockTime | None
    season: NbaSeason
    stage: str
    status: str
    home: Side
    visitors: Side


class Figures(TypedDict):
    """What is on record; None is not."""

    points: int | None
    rebounds: int | None
    assists: int | None


class TeamFigures(TypedDict):
    team_id: TeamId
    team: TeamName
    statistics: Figures


class SeasonFigures(TypedDict):
    team_id: TeamId
    season: NbaSeason
    games: int
    won: int
    lost: int
    percentage: float
    conference_rank: int
    play_off_games_on_record: int
    play_off_points_per_game: float | None


class PlayerRow(TypedDict):
    id: PlayerId
    name: PlayerName
    team_id: TeamId | None
    position: str
    jersey: int | None
    country: str
    birth_date: IsoDate | None
    height_m: float | None
    weight_kg: int | None
    nba_start: int | None


class PlayerFigures(TypedDict):
    player_id: PlayerId
    name: PlayerName
    team_id: TeamId
    game_id: GameId
    date: BasketballDay
    statistics: Figures


class StandingRow(TypedDict):
    season: NbaSeason
    team_id: TeamId
    team: TeamName
    conference: str
    conference_rank: int
    division: str
    won: int
    lost: int
    percentage: float
    games_behind: float


def figures(line: Line) -> Figures:
    """A line on record as the service shows it."""
    return {"points": line.points, "rebounds": line.rebounds, "assists": line.assists}


def team_row(team: Team) -> TeamRow:
    conference, division = team.group.split("/")
    return {
        "id": IDS.of_team(team),
        "name": team.name,
        "code": team.code,
        "city": team.city,
        "league": "standard",
        "conference": conference,
        "division": division,
        "arena": team.venue,
    }


def _side(team: Team, points: int, over: bool) -> Side:
    return {"team_id": IDS.of_team(team), "code": team.code, "points": points if over else None}


def game_row(game: Game, now: datetime) -> GameRow:
    over = is_over(game, now)
    return {
        "id": IDS.games.of(game),
        "date": game.start.date().isoformat(),
        "time_utc": None,  # the hour is not on record
        "season": game.season,
        "stage": game.stage,
        "status": {"NS": "Scheduled", "LIVE": "In Play", "FT": "Finished"}[common.status_of(game, now, 120)],
        "home": _side(game.home, game.home_score, over),
        "visitors": _side(game.away, game.away_score, over),
    }


def is_there(player: Player, season: int | None) -> bool:
    """Whether a player is known to have been with his present team in a season."""
    if season in (None, LAST_SEASON):
        return True
    return season is not None and player.joined is not None and player.joined <= season


def player_row(player: Player, season: int | None = None) -> PlayerRow:
    """A player as the service shows him; the team of an earlier season is told where it was the same one."""
    same = is_there(player, season)
    return {
        "id": IDS.of_player(player),
        "name": player.name,
        "team_id": IDS.of_team(player.team) if same else None,
        "position": player.position,
        "jersey": player.jersey if season in (None, LAST_SEASON) else None,
        "country": player.country,
        "birth_date": player.born,
        "height_m": player.height_cm / 100 if player.height_cm else None,
        "weight_kg": player.weight_kg,
        "nba_start": player.since,
    }


def need_standard(league: LeagueName) -> None:
    """A fault for a summer league, of which nothing is on record."""
    if league != "standard":
        raise invalid("league", league, "of summer leagues nothing is on record; want standard")


_SIDES = {"Atlantic": "East", "Central": "East", "Southeast": "East"}


def need_one_side(conference: Conference | None, division: Division | None, team: Team | None = None) -> None:
    """A fault where a division is asked for in the other conference, or a team where it does not play."""
    for name, given in zip(("conference", "division"), (conference, division), strict=True):
        if team is not None and given is not None and given not in team.group.split("/"):
            raise invalid(name, given, f"the {team.name} play in {team.group.replace('/', ', ')}")
    if division is not None and conference is not None and _SIDES.get(division, "West") != conference:
        raise invalid("division", division, f"this division is not in the {conference}")
