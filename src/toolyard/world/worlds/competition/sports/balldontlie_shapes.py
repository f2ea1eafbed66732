"""Competition/balldontlie: its numbers and what its tools return."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypedDict

from toolyard.world.types import CityName, Range, Semantic
from toolyard.world.worlds.competition.sports.box_scores import Player
from toolyard.world.worlds.competition.sports.core import BasketballDay, Game, Team
from toolyard.world.worlds.competition.sports.nba_ids import (
    NbaSeason,
    Numbering,
    PlayerName,
    TeamCode,
    TeamName,
)
from toolyard.world.worlds.competition.sports.seasons import GameIds, is_over

GROUP = "Competition/balldontlie"
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


class TeamDetails(TypedDict):
    id: TeamId
    abbreviation: TeamCode
    full_name: TeamName
    name: str
    city: CityName
    conference: str
    division: str
    founded: int
    arena: str


class PlayerRow(TypedDict):
    id: PlayerId
    name: PlayerName
    position: str
    team_id: TeamId


class PlayerDetails(TypedDict):
    id: PlayerId
    name: PlayerName
    first_name: str
    last_name: str
    position: str
    height_feet: int | None
    height_inches: int | None
    weight_pounds: int | None
    team: TeamRow


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
    pts: int
    reb: int
    ast: int


def team_row(team: Team) -> TeamRow:
    return {"id": IDS.of_team(team), "abbreviation": team.code, "full_name": team.name}


def player_row(player: Player) -> PlayerRow:
    return {
        "id": IDS.of_player(player),
        "name": player.name,
        "position": player.position,
        "team_id": IDS.of_team(player.team),
    }


def game_row(game: Game, now: datetime) -> GameRow:
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
