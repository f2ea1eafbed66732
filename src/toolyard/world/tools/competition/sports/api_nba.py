"""Competition/API_NBA: teams, players, games, box scores and tables of the NBA."""

from datetime import datetime
from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import containing, filter_rows, page_of, plain
from toolyard.world.kernel.types import CityName, ClockTime, IsoDate, Page, Semantic
from toolyard.world.kernel.views import View
from toolyard.world.simulated.sports import box_scores as nba
from toolyard.world.simulated.sports import common
from toolyard.world.simulated.sports.box_scores import NbaSeason, Numbering, PlayerName, TeamCode, TeamName
from toolyard.world.simulated.sports.core import (
    BasketballDay,
    Game,
    Tally,
    Team,
    all_leagues,
    all_tallies,
    rank_teams,
    team_tally,
    teams_of,
)
from toolyard.world.simulated.sports.seasons import GameIds, finished_games, is_over, regular_season

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


@GROUP.tool(
    phrase="list the years in which known NBA seasons began",
    noun="the list of NBA seasons",
)
def seasons() -> list[NbaSeason]:
    """Years in which a known NBA season began."""
    return list(nba.SEASONS)


@GROUP.tool(
    phrase="list the league names that the NBA service knows, summer leagues included",
    noun="the list of NBA leagues",
    jobs=("basketball leagues",),
)
def leagues() -> list[str]:
    """Names of the leagues; the NBA proper is "standard", the others are summer leagues without games here."""
    return list(LEAGUES)


@GROUP.tool(
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
    """NBA games in order of time: the first 20 that fit, and how many there are.

    id: Number of one game.
    live: Only games that are being played right now.
    date: Only games on this day.
    league: Name of the league; only standard has games.
    season: Year in which the season began; by default that of the date, or the latest one.
    team: Only games of this team.
    h2h: Only meetings of two teams, their numbers joined by a hyphen, e.g. 1-4.
    """
    require_standard(league)
    common.require_one(id=id_, live=live, date=date, season=season, team=team, h2h=h2h)
    if id_ is not None:
        found = [IDS.games.find(world.seed, id_, world.now)]
    else:
        found = list(common.search_games(world.seed, world.now, ("nba",), season=season, day=date))
    if season is not None:
        common.require_season(all_leagues()["nba"], season)
    sides = {IDS.team(team)} if team is not None else set()
    if h2h is not None:
        sides |= set(common.pair(h2h, teams_of("nba"), {one: IDS.of_team(one) for one in teams_of("nba")}))
    found = [game for game in found if sides <= {game.home, game.away}]
    if live:
        found = [game for game in found if common.status_now(game, world.now, 120) == "LIVE"]
    return page_of(found, lambda game: game_row(game, world.now), 20)


def _find_finished_game(world: World, number: int) -> Game:
    game = IDS.games.find(world.seed, number, world.now)
    if not is_over(game, world.now):
        raise invalid("id", number, f"this game is played on {game.start:%Y-%m-%d} and has no statistics yet")
    return game


@GROUP.tool(
    examples=[{"id": 11010}],
    phrase="get the statistics of both teams in the NBA game whose number is {id}",
    noun="the NBA game statistics",
    jobs=("basketball games", "basketball statistics"),
)
def game_statistics(world: World, *, id_: GameId) -> list[TeamFigures]:
    """What the two teams of a game did: points, goals, rebounds, assists and more.

    id: Number of the game.
    """
    game = _find_finished_game(world, id_)
    return [
        {
            "team_id": IDS.of_team(team),
            "team": team.name,
            "statistics": FIGURES.row(nba.add_lines(nba.box_score(world.seed, game, team).values())),
        }
        for team in (game.home, game.away)
    ]


@GROUP.tool(
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
    world: World,
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
    records = all_tallies(_regular_games(world, nba.SEASONS[-1]))
    rows: list[TeamRow] = [
        {**TEAMS.row(team), "won": records[team].won, "lost": records[team].lost} for team in teams_of("nba")
    ]
    if league is not None:
        require_standard(league)
    common.require_row("team", id_, rows, f"{GROUP}/teams")
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


def _family_name(player: nba.Player) -> str:
    """The family name of a player without Jr. or a number."""
    return player.last.removesuffix(" Jr.").removesuffix(" III").removesuffix(" II")


def _regular_games(world: World, season: int) -> list[Game]:
    """The games of a regular season that are over."""
    common.require_season(all_leagues()["nba"], season)
    return regular_season(world.seed, "nba", season, world.now)


def _tables(world: World, season: int) -> list[tuple[int, Team, Tally]]:
    """Place in the conference, team and record after a regular season, the East first."""
    order = rank_teams(_regular_games(world, season), teams_of("nba"))
    sides = ([row for row in order if row[0].group.startswith(name)] for name in ("East", "West"))
    return [(place, *row) for side in sides for place, row in enumerate(side, 1)]


@GROUP.tool(
    examples=[{"id": 17, "season": 2020}],
    phrase=("sum up how the NBA team whose number is {id} did in the season that began in {season}"),
    noun="the NBA team statistics",
    jobs=("basketball statistics",),
)
def team_statistics(world: World, *, id_: TeamId, season: NbaSeason) -> SeasonFigures:
    """How a team did in a regular season and in the play-offs after it.

    id: Number of the team.
    season: Year in which the season began.
    """
    team = IDS.team(id_)
    rank, record = next((place, tallied) for place, one, tallied in _tables(world, season) if one is team)
    late = team_tally(
        (
            game
            for game in finished_games(world.seed, "nba", season, world.now)
            if game.stage != "Regular Season"
        ),
        team,
    )
    return {
        "team_id": id_,
        "season": season,
        "games": record.played,
        "won": record.won,
        "lost": record.lost,
        "percentage": record.share,
        "conference_rank": rank,
        "points_per_game": round(record.scored / record.played, 1),
        "points_against_per_game": round(record.conceded / record.played, 1),
        "play_off_games": late.played,
        "play_off_wins": late.won,
    }


@GROUP.tool(
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
    season: Only players who had begun by this season.
    country: Only players from this country, e.g. USA.
    search: Part of the name.
    """
    if season is not None:
        common.require_season(all_leagues()["nba"], season)
    if country is not None and plain(country) != "usa":
        common.require_country(country, [one.country for one in nba.all_players()], "")
    for given in (name, search):
        if given is not None and not any(plain(given) in plain(one.name) for one in nba.all_players()):
            known = [one.name for one in nba.all_players()]
            raise not_found("player", given[:60], known=known, listed_by=f"{GROUP}/players")
    side = IDS.team(team) if team is not None else None
    home = {"united states": "USA", "us": "USA"}.get((country or "").strip().casefold(), country)
    found = [
        one
        for one in ([IDS.player(id_)] if id_ is not None else nba.all_players())
        if side in (None, one.team)
        and (season is None or one.since <= season)
        and (home is None or plain(home) == plain(one.country))
        and (name is None or plain(name) in map(plain, (one.first, one.last, _family_name(one), one.name)))
        and (search is None or plain(search) in plain(one.name))
    ]
    return PLAYERS.page(found, 0, 25)


@GROUP.tool(
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
    """Lines of players in single games, latest game first: the first 20, and how many there are.

    id: Only this player.
    game: Only this game.
    team: Only players of this team.
    season: Year in which the season began; by default the latest one.
    """
    common.require_one(id=id_, game=game, team=team)
    year = season if season is not None else nba.SEASONS[-1]
    common.require_season(all_leagues()["nba"], year)
    player = IDS.player(id_) if id_ is not None else None
    side = IDS.team(team) if team is not None else None
    games = (
        [_find_finished_game(world, game)]
        if game is not None
        else finished_games(world.seed, "nba", year, world.now)[::-1]
    )
    found = [
        (one, at, person)
        for one in games
        for at in (one.home, one.away)
        if side in (None, at)
        for person in ([player] if player else nba.team_roster(at, one.season))
        if person.team is at and person.since <= one.season
    ]
    return page_of(found, lambda row: _player_figures(world.seed, *row), 20)


def _player_figures(seed: int, game: Game, team: Team, player: nba.Player) -> PlayerFigures:
    line = nba.box_score(seed, game, team)[player]
    return {
        "player_id": IDS.of_player(player),
        "name": player.name,
        "team_id": IDS.of_team(team),
        "game_id": IDS.games.of(game),
        "date": game.start.date().isoformat(),
        "minutes": line.minutes,
        "statistics": FIGURES.row(line),
    }


@GROUP.tool(
    examples=[{"league": "standard", "season": 2020}, {"league": "standard", "season": 2023, "team": 17}],
    phrase=(
        "get the NBA standings for the league named {league} in the season that began in {season}[, only in "
        "the conference called {conference}][, only in the division called {division}][, only for the team "
        "whose number is {team}]"
    ),
    noun="the NBA standings",
    jobs=("basketball standings",),
)
def standings(
    world: World,
    *,
    league: LeagueName,
    season: NbaSeason,
    conference: Conference | None = None,
    team: TeamId | None = None,
    division: Division | None = None,
) -> list[StandingRow]:
    """The tables of both NBA conferences after a regular season, best first.

    league: Name of the league; only standard has a table.
    season: Year in which the season began.
    conference: East or West only.
    team: Only the row of this team.
    division: Teams of one division only.
    """
    require_standard(league)
    wanted = IDS.team(team) if team is not None else None
    need_one_side(conference, division, wanted)
    tables = _tables(world, season)
    leaders = {one.group.split("/")[0]: tallied for place, one, tallied in tables if place == 1}
    rows = [
        _standing_row(season, place, one, tallied, leaders[one.group.split("/")[0]])
        for place, one, tallied in tables
        if wanted in (None, one)
    ]
    return filter_rows(rows, conference=conference, division=division)


def _standing_row(season: int, place: int, team: Team, record: Tally, best: Tally) -> StandingRow:
    conference, division = team.group.split("/")
    return {
        "season": season,
        "team_id": IDS.of_team(team),
        "team": team.name,
        "conference": conference,
        "conference_rank": place,
        "division": division,
        "won": record.won,
        "lost": record.lost,
        "percentage": record.share,
        "games_behind": (best.won - record.won + record.lost - best.lost) / 2,
    }
