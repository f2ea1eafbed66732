"""Competition/balldontlie: its numbers and what its tools return."""

from datetime import datetime
from typing import Annotated, TypedDict

from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.types import CityName, Range, Semantic
from toolyard.world.kernel.views import View
from toolyard.world.simulated.sports.box_scores import NbaSeason, Numbering, PlayerName, TeamCode, TeamName
from toolyard.world.simulated.sports.core import BasketballDay, Game, Team
from toolyard.world.simulated.sports.seasons import GameIds, is_over

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
