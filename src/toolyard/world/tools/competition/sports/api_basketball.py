"""Competition/API_BASKETBALL: leagues, their games, tables, statistics and odds."""

import functools
from typing import Annotated, Literal, NotRequired, TypedDict

from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import containing, filter_rows, page_of, read_table
from toolyard.world.kernel.types import CountryCode, CountryName, Page, Semantic, TimeZoneName, Within
from toolyard.world.reference.places.geography import countries as all_countries
from toolyard.world.simulated.sports import common
from toolyard.world.simulated.sports.core import (
    BasketballDay,
    Game,
    League,
    Team,
    all_leagues,
    rank_teams,
    season_years,
    teams_of,
)
from toolyard.world.simulated.sports.seasons import GameIds, regular_season

GROUP = Group("Competition/API_BASKETBALL")
LeagueId = Annotated[int, Semantic("basketball_league_id")]
LeagueName = Annotated[str, Semantic("basketball_league")]
TeamId = Annotated[int, Semantic("basketball_team_id")]
GameId = Annotated[int, Semantic("basketball_game_id")]
Season = Annotated[int, Semantic("basketball_season")]
SeasonOfLeague = Annotated[Season, Within("league")]
BetId = Annotated[int, Semantic("basketball_bet_id")]
CountryId = Annotated[int, Semantic("basketball_country_id")]
Stage = Annotated[str, Semantic("basketball_stage")]
TableGroup = Annotated[str, Semantic("basketball_group")]
Bet = common.Bet[BetId]
BETS: tuple[Bet, ...] = (
    {"id": 2, "name": "Home/Away"},
    {"id": 3, "name": "Asian Handicap"},
    {"id": 4, "name": "Over/Under"},
)
KEYS = tuple(key for key, league in all_leagues().items() if league.sport == "basketball")
IDS = GameIds(1800, 2015, ("nbl", "nba", "wnba", "euroleague", "acb"), 1400, f"{GROUP}/game")
# Two leagues cross borders and belong to a region that is no country.
_REGIONS = {"Europe": (4, "EU")}
_CODES = ("Europe", "EU")


@functools.cache
def _leagues_without_games() -> tuple[tuple[int, str, str, str], ...]:
    """Leagues and cups that are listed without games."""
    rows = read_table("basketball_leagues.tsv")
    return tuple((int(row["id"]), row["name"], row["country"], row["type"]) for row in rows)


def league_names() -> dict[int, str]:
    """Number -> name of the leagues that are listed without games."""
    return {number: name for number, name, _, _ in _leagues_without_games()}


def find_league(number: int, season: int | None = None) -> League:
    """The league of a number, which has the season; a not_found fault otherwise."""
    found = common.find_league(KEYS, number, league_names())
    if season is not None:
        common.require_season(found, season)
    return found


class CountryRow(TypedDict):
    id: CountryId
    name: CountryName
    code: CountryCode


class LeagueRow(TypedDict):
    id: LeagueId
    name: LeagueName
    type: str
    country_id: CountryId
    country: CountryName
    seasons: list[Season]
    leader: NotRequired[str]


class GameOdds(TypedDict):
    game_id: GameId
    league_id: LeagueId
    season: Season
    date: BasketballDay
    home: str
    away: str
    bookmakers: list[common.BookmakerQuotes[BetId]]


@GROUP.tool(
    phrase="list the time zones in which basketball games can be shown",
    noun="the list of basketball time zones",
)
def timezone() -> list[TimeZoneName]:
    """Names of the time zones in which games can be listed."""
    return list(common.ZONES)


@GROUP.tool(
    examples=[{"search": "bet"}, {"id": 4}],
    phrase=(
        "list the bookmakers that quote odds on basketball[, only the one whose bookmaker number is {id}][, "
        "only those with {search} in their name]"
    ),
    noun="the list of basketball bookmakers",
)
def bookmakers(
    *, id_: common.BookmakerId | None = None, search: common.SearchText | None = None
) -> list[common.Bookmaker]:
    """Bookmakers whose odds are known.

    id: Number of one bookmaker.
    search: Part of a bookmaker's name.
    """
    common.require_row("bookmaker", id_, common.BOOKMAKERS, f"{GROUP}/bookmakers")
    return containing(filter_rows(common.BOOKMAKERS, id=id_), search, "name")


@GROUP.tool(
    examples=[{"search": "over"}, {"id": 2}],
    phrase=(
        "list the kinds of bets on basketball games that odds exist for[, only the kind whose bet number is "
        "{id}][, only kinds with {search} in their name]"
    ),
    noun="the list of basketball bet types",
)
def bets(*, id_: BetId | None = None, search: common.SearchText | None = None) -> list[Bet]:
    """Kinds of bets on basketball games for which there are odds.

    id: Number of one kind of bet.
    search: Part of its name.
    """
    common.require_row("kind of bet", id_, BETS, f"{GROUP}/bets")
    return containing(filter_rows(BETS, id=id_), search, "name")


@GROUP.tool(
    examples=[{"league": 12, "season": 2023, "bookmaker": 8}, {"game": 3210, "bet": 2}],
    phrase=(
        "get the bookmaker odds on basketball games[, for the league whose number is {league}][, in the "
        "season that began in {season}][, for the game whose number is {game}][, from the bookmaker whose "
        "number is {bookmaker}][, for the bet type whose number is {bet}]"
    ),
    noun="the basketball betting odds",
)
def odds(
    world: World,
    *,
    league: LeagueId | None = None,
    season: SeasonOfLeague | None = None,
    game: GameId | None = None,
    bookmaker: common.BookmakerId | None = None,
    bet: BetId | None = None,
) -> Page[GameOdds]:
    """What bookmakers pay on a game, or three of them on the next (else the latest) three games of a league.

    league: Number of the league.
    season: Year in which the season began.
    game: Number of one game.
    bookmaker: Only the odds of this bookmaker.
    bet: Only this kind of bet.
    """
    common.require_one(league=league, game=game)
    common.require_row("kind of bet", bet, BETS, f"{GROUP}/bets")
    common.require_row("bookmaker", bookmaker, common.BOOKMAKERS, f"{GROUP}/bookmakers")
    if game is not None:
        found = [IDS.find(world.seed, game, world.now)]
    else:
        one_league = find_league(league or 0, season)
        found = list(common.search_games(world.seed, world.now, (one_league.key,), season=season))
        found = [one for one in found if one.start > world.now] or found[::-1]
    makers = filter_rows(common.BOOKMAKERS, id=bookmaker)[: None if game is not None else 3]
    kinds = filter_rows(BETS, id=bet)
    return page_of(found, lambda one: _game_odds(world.seed, one, makers, kinds), 3)


def _game_odds(seed: int, game: Game, makers: list[common.Bookmaker], kinds: list[Bet]) -> GameOdds:
    return {
        "game_id": IDS.of(game),
        "league_id": all_leagues()[game.league].id,
        "season": game.season,
        "date": game.start.date().isoformat(),
        "home": game.home.name,
        "away": game.away.name,
        "bookmakers": common.bookmaker_offers(seed, game, makers, kinds),
    }


def table_group(league: League, team: Team) -> str:
    """The part of the table that a team is in."""
    side = team.group.split("/")[0]
    names = {"nba": f"{side}ern Conference", "wnba": f"{side} Conference"}
    return names.get(league.key, "Table")


class StageNames(TypedDict):
    league_id: LeagueId
    season: Season
    stages: list[Stage]
    groups: list[TableGroup]


@GROUP.tool(
    examples=[
        {"target": "groups", "league": 12, "season": 2021},
        {"target": "stages", "league": 5, "season": 2023},
    ],
    phrase=(
        "name all {target} of the basketball league whose number is {league} in the season that began in "
        "{season}"
    ),
    noun="the list of basketball stages or groups",
)
def stages_or_groups(
    *, target: Literal["stages", "groups"], league: LeagueId, season: SeasonOfLeague
) -> StageNames:
    """The names of the stages, or of the groups, that the table of a league can be limited to.

    target: Which of the two to list; the other list stays empty.
    league: Number of the league.
    season: Year in which the season began.
    """
    found = find_league(league, season)
    groups = list(dict.fromkeys(table_group(found, team) for team in teams_of(found.key)))
    return {
        "league_id": league,
        "season": season,
        "stages": ["Regular Season"] if target == "stages" else [],
        "groups": groups if target == "groups" else [],
    }


@GROUP.tool(
    phrase="list the years in which known basketball seasons began",
    noun="the list of basketball seasons",
)
def seasons() -> list[Season]:
    """Years in which a known season began, latest first."""
    return season_years(KEYS)


def _country_rows() -> list[CountryRow]:
    own: list[CountryRow] = [
        {"id": number, "name": name, "code": code} for name, (number, code) in _REGIONS.items()
    ]
    rows = enumerate(sorted(all_countries(), key=lambda row: row["name"]))
    with_leagues = {
        *(all_leagues()[key].country for key in KEYS),
        *(land for _, _, land, _ in _leagues_without_games()),
    }
    return own + [
        {"id": 10 + place, "name": row["name"], "code": row["code"]}
        for place, row in rows
        if row["name"] in with_leagues
    ]


@GROUP.tool(
    examples=[{"search": "united"}, {"code": "ES"}],
    phrase=(
        "list the countries that have basketball leagues[, only the one whose number is {id}][, only the one "
        "whose full name is {name}][, only the one whose two-letter code is {code}][, only those with "
        "{search} in their name]"
    ),
    noun="the list of basketball countries",
)
def countries(
    *,
    id_: CountryId | None = None,
    name: CountryName | None = None,
    code: CountryCode | None = None,
    search: common.SearchText | None = None,
) -> list[CountryRow]:
    """Countries (and Europe as a whole) that leagues can be listed for.

    id: Number of one country.
    name: Full name of the country.
    code: Two-letter code of the country.
    search: Part of the name.
    """
    common.require_row("country", id_, _country_rows(), f"{GROUP}/countries")
    for given in (name, code):
        common.require_country(given, _CODES, f"{GROUP}/countries")
    rows = filter_rows(_country_rows(), id=id_, name=name and common.official_name(name), code=code)
    return common.named_countries(rows, search)


@GROUP.tool(
    examples=[{}, {"id": 5}, {"country": "Spain", "type": "league"}],
    phrase=(
        "list basketball leagues and cups with their known seasons[, only the one whose league number is "
        "{id}][, only the one whose full name is {name}][, from the country named {country}][, from the "
        "country whose code is {code}][, with the competition type set to {type}][, only those that have a "
        "season begun in {season}][, only those with {search} in the name of the league or country]"
    ),
    noun="the list of basketball leagues",
    jobs=("basketball leagues",),
    described_as="Lists basketball leagues and cups, only those that have a name if given, with the seasons known.",
)
def leagues(
    world: World,
    *,
    id_: LeagueId | None = None,
    name: LeagueName | None = None,
    country_id: CountryId | None = None,
    country: CountryName | None = None,
    type_: Literal["league", "cup"] | None = None,
    season: Season | None = None,
    code: CountryCode | None = None,
    search: common.SearchText | None = None,
) -> list[LeagueRow]:
    """Leagues and cups with the seasons that are known of each; those without seasons have no games.

    id: Number of one league.
    name: Full name of the league.
    country_id: Number of the country.
    country: Name of the country.
    type: Leagues or cups only.
    season: Only those that have this season; where another filter is given, those without games stay.
    code: Two-letter code of the country.
    search: Part of the name of the league or of the country.
    """
    every = _league_rows(world, None)
    common.require_row("league", id_, every, f"{GROUP}/leagues")
    common.require_row("country", country_id, _country_rows(), f"{GROUP}/countries")
    for given in (country, code):
        common.require_country(given, _CODES, f"{GROUP}/countries")
    if season is not None and season not in seasons():
        raise not_found("season", season, known=seasons(), listed_by=f"{GROUP}/seasons")
    if name is not None and not filter_rows(every, name=name):
        raise not_found("league", name[:60], known=[row["name"] for row in every])
    place = country and common.official_name(country)
    rows = filter_rows(
        _league_rows(world, code), id=id_, name=name, country_id=country_id, country=place, type=type_
    )
    named = any(value is not None for value in (id_, name, country_id, country, type_, code, search))
    found = [
        row for row in rows if season is None or season in row["seasons"] or (named and not row["seasons"])
    ]
    return containing(found, search, "name", "country")


class _Leader(TypedDict, total=False):
    leader: str


def _leading_team(world: World, league: League) -> _Leader:
    """The team that leads the table of the latest season, once there is one."""
    games = regular_season(world.seed, league.key, league.last, world.now)
    return {"leader": rank_teams(games, teams_of(league.key))[0][0].name} if games else {}


def _league_rows(world: World, code: str | None) -> list[LeagueRow]:
    """All leagues, or those of the country with a code."""
    places = {row["name"]: row for row in _country_rows()}
    found = [all_leagues()[key] for key in KEYS]
    rows: list[LeagueRow] = [
        {
            "id": one.id,
            "name": one.name,
            "type": one.kind,
            "country_id": places[one.country]["id"],
            "country": one.country,
            "seasons": list(one.seasons),
            **_leading_team(world, one),
        }
        for one in found
        if code is None or places[one.country]["code"].casefold() == code.strip().casefold()
    ]
    rows += [
        {"id": number, "name": title, "type": kind, "country_id": places[land]["id"], "country": land, "seasons": []}
        for number, title, land, kind in _leagues_without_games()
        if code is None or places[land]["code"].casefold() == code.strip().casefold()
    ]  # fmt: skip
    return rows
