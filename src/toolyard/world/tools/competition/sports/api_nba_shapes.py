"""Competition/API_NBA: its numbers and what its tools return."""

from datetime import datetime
from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.types import CityName, ClockTime, IsoDate, Semantic
from toolyard.world.kernel.views import View
from toolyard.world.simulated.sports import common
from toolyard.world.simulated.sports.box_scores import NbaSeason, Numbering, PlayerName, TeamCode, TeamName
from toolyard.world.simulated.sports.core import BasketballDay, Game, Team
from toolyard.world.simulated.sports.seasons import GameIds, is_over

GROUP = Group("Competition/API_NBA")
TeamId = Annotated[int, Semantic("nba_team_id")]
PlayerId = Annotated[int, Semantic("nba_player_id")]
GameId = Annotated[int, Semantic("nba_game_id")]
LeagueName = Literal["africa", "orlando", "sacramento", "standard", "utah", "vegas"]
Conference = Literal["East", "West"]
Division = Literal["Atlantic", "Central", "Northwest", "Pacific", "Southeast", "Southwest"]
LEAGUES: tuple[LeagueName, ...] = ("africa", "orlando", "sacramento", "standard", "utah", "vegas")
_TEAMS = "1 2 4 5 6 7 8 9 10 11 14 15 16 17 19 20 21 22 23 24 25 26 27 28 29 30 31 38 40 41"
IDS = Numbering(
    tuple(map(int, _TEAMS.split())),
    96,
    GameIds(4000, 2015, ("nba",), 1400, f"{GROUP}/games"),
    GROUP,
    ("teams", "players"),
)


class TeamFacts(TypedDict):
    id: TeamId
    name: TeamName
    code: TeamCode
    city: CityName
    league: str
    conference: str
    division: str
    arena: str


class TeamRow(TeamFacts):
    """A team, with what it won and lost in the latest regular season."""

    won: int
    lost: int


class Side(TypedDict):
    team_id: TeamId
    code: TeamCode
    points: int | None


class GameRow(TypedDict):
    id: GameId
    date: BasketballDay
    time_utc: ClockTime
    season: NbaSeason
    stage: str
    status: str
    home: Side
    visitors: Side


class Figures(TypedDict):
    """What a player or a team did in a game."""

    points: int
    field_goals_made: int
    field_goals_attempted: int
    three_pointers_made: int
    free_throws_made: int
    rebounds: int
    assists: int
    steals: int
    blocks: int
    turnovers: int


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
    points_per_game: float
    points_against_per_game: float
    play_off_games: int
    play_off_wins: int


class PlayerRow(TypedDict):
    id: PlayerId
    name: PlayerName
    team_id: TeamId
    position: str
    jersey: int
    country: str
    birth_date: IsoDate
    height_m: float
    weight_kg: int
    nba_start: int


class PlayerFigures(TypedDict):
    player_id: PlayerId
    name: PlayerName
    team_id: TeamId
    game_id: GameId
    date: BasketballDay
    minutes: int
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


TEAMS = View.of(
    TeamFacts,
    id=IDS.of_team,
    league=lambda _: "standard",
    conference=lambda team: team.group.split("/")[0],
    division=lambda team: team.group.split("/")[1],
    arena="venue",
)
PLAYERS = View.of(
    PlayerRow,
    id=IDS.of_player,
    team_id=lambda player: IDS.of_team(player.team),
    birth_date="born",
    height_m=lambda player: player.height_cm / 100,
    nba_start="since",
)
FIGURES = View.of(
    Figures,
    field_goals_made="fgm",
    field_goals_attempted="fga",
    three_pointers_made="tpm",
    free_throws_made="ftm",
)


def _game_side(team: Team, points: int, over: bool) -> Side:
    return {"team_id": IDS.of_team(team), "code": team.code, "points": points if over else None}


def game_row(game: Game, now: datetime) -> GameRow:
    """A game, with its score once it is over."""
    over = is_over(game, now)
    return {
        "id": IDS.games.of(game),
        "date": game.start.date().isoformat(),
        "time_utc": game.start.strftime("%H:%M"),
        "season": game.season,
        "stage": game.stage,
        "status": {"NS": "Scheduled", "LIVE": "In Play", "FT": "Finished"}[common.status_now(game, now, 120)],
        "home": _game_side(game.home, game.home_score, over),
        "visitors": _game_side(game.away, game.away_score, over),
    }


def require_standard(league: LeagueName) -> None:
    """A fault for a summer league, which has no games."""
    if league != "standard":
        raise invalid("league", league, "summer leagues have no games; want standard")


_SIDES = {"Atlantic": "East", "Central": "East", "Southeast": "East"}


def need_one_side(conference: Conference | None, division: Division | None, team: Team | None = None) -> None:
    """A fault where a division is asked for in the other conference, or a team where it does not play."""
    for name, given in zip(("conference", "division"), (conference, division), strict=True):
        if team is not None and given is not None and given not in team.group.split("/"):
            raise invalid(name, given, f"the {team.name} play in {team.group.replace('/', ', ')}")
    if division is not None and conference is not None and _SIDES.get(division, "West") != conference:
        raise invalid("division", division, f"this division is not in the {conference}")
