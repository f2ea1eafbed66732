"""Competition/API_FOOTBALL: leagues, countries, players, bookmakers and odds."""

import functools
from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.result_text import fitting_rows
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import containing, filter_rows, fold_case, page_of, read_table, table_texts
from toolyard.world.kernel.types import CountryCode, CountryName, Page, Semantic, TimeZoneName, Within
from toolyard.world.reference.places.geography import countries as all_countries
from toolyard.world.simulated.sports import common
from toolyard.world.simulated.sports.core import (
    FootballDay,
    Game,
    League,
    all_leagues,
    season_years,
    teams_of,
)
from toolyard.world.simulated.sports.football_core import KEYS, LEAGUE_NAMES
from toolyard.world.simulated.sports.seasons import GameIds

GROUP = Group("Competition/API_FOOTBALL")
LeagueId = Annotated[int, Semantic("football_league_id")]
LeagueName = Annotated[str, Semantic("football_league")]
TeamId = Annotated[int, Semantic("football_team_id")]
FixtureId = Annotated[int, Semantic("football_fixture_id")]
PlayerId = Annotated[int, Semantic("football_player_id")]
PlayerName = Annotated[str, Semantic("football_player")]
FootballSeason = Annotated[int, Semantic("football_season")]
SeasonOfLeague = Annotated[FootballSeason, Within("league")]
BetId = Annotated[int, Semantic("football_bet_id")]
Bet = common.Bet[BetId]
# Fixture 198772 is the first of the Premier League season that began in 2019.
IDS = GameIds(198772, 2019, KEYS, 400, f"{GROUP}/fixtures")
_REGIONS = table_texts("api_football.regions")
BETS: tuple[Bet, ...] = (
    {"id": 1, "name": "Match Winner"},
    {"id": 2, "name": "Home/Away"},
    {"id": 5, "name": "Goals Over/Under"},
    {"id": 8, "name": "Both Teams Score"},
    {"id": 12, "name": "Double Chance"},
)


class CountryRow(TypedDict):
    name: CountryName
    code: str


class LeagueRow(TypedDict):
    id: LeagueId
    name: LeagueName
    type: str
    country: CountryName
    first_season: FootballSeason | None
    latest_season: FootballSeason | None
    clubs: int | None


class FixtureOdds(TypedDict):
    fixture_id: FixtureId
    league_id: LeagueId
    season: FootballSeason
    date: FootballDay
    home: str
    away: str
    bookmakers: list[common.BookmakerQuotes[BetId]]


@GROUP.tool(
    examples=[{"search": "bet"}, {"id": 7}],
    phrase=(
        "list the bookmakers that quote odds on football[, only the one whose bookmaker number is {id}][, "
        "only those with {search} in their name]"
    ),
    noun="the list of football bookmakers",
)
def bookmakers(
    *, id_: common.BookmakerId | None = None, search: common.SearchText | None = None
) -> list[common.Bookmaker]:
    """Bookmakers whose odds on football are known.

    id: Number of one bookmaker.
    search: Part of a bookmaker's name.
    """
    common.require_row("bookmaker", id_, common.BOOKMAKERS, f"{GROUP}/bookmakers")
    return containing(filter_rows(common.BOOKMAKERS, id=id_), search, "name")


@GROUP.tool(
    examples=[{"search": "goals"}, {"id": 1}],
    phrase=(
        "list the kinds of bets on football matches that odds exist for[, only the kind whose bet number is "
        "{id}][, only kinds with {search} in their name]"
    ),
    noun="the list of football bet types",
)
def bets(*, id_: BetId | None = None, search: common.SearchText | None = None) -> list[Bet]:
    """Kinds of bets on football matches for which there are odds.

    id: Number of one kind of bet.
    search: Part of its name.
    """
    common.require_row("kind of bet", id_, BETS, f"{GROUP}/bets")
    return containing(filter_rows(BETS, id=id_), search, "name")


@GROUP.tool(
    examples=[
        {"fixture": 198772, "bookmaker": 8},
        {"league": 39, "season": 2023, "bet": 1},
        {"date": "2024-05-18", "bookmaker": 8, "bet": 1},
    ],
    phrase=(
        "get the bookmaker odds on football fixtures[, for the fixture whose number is {fixture}][, for the "
        "league whose number is {league}][, in the season that began in {season}][, on {date}][, from the "
        "bookmaker whose number is {bookmaker}][, for the bet type whose number is {bet}][, showing page "
        "{page}]"
    ),
    noun="the football betting odds",
)
def odds(
    world: World,
    *,
    fixture: FixtureId | None = None,
    league: LeagueId | None = None,
    season: SeasonOfLeague | None = None,
    date: FootballDay | None = None,
    timezone: TimeZoneName = "UTC",
    page: common.PageNumber = 1,
    bookmaker: common.BookmakerId | None = None,
    bet: BetId | None = None,
) -> Page[FixtureOdds]:
    """What bookmakers pay on a fixture, or four of them on the fixtures of a league or day, three a page.

    fixture: Number of one fixture.
    league: Number of the league.
    season: Year in which the season began.
    date: Only fixtures on this day in the time zone.
    timezone: Time zone for the day.
    page: Number of the page, from 1.
    bookmaker: Only the odds of this bookmaker.
    bet: Only this kind of bet.
    """
    common.require_one(fixture=fixture, league=league, date=date)
    common.require_row("kind of bet", bet, BETS, f"{GROUP}/bets")
    common.require_row("bookmaker", bookmaker, common.BOOKMAKERS, f"{GROUP}/bookmakers")
    if fixture is not None:
        found = [IDS.find(world.seed, fixture, world.now)]
    else:
        keys = (find_league(league, season).key,) if league is not None else KEYS
        found = list(
            common.search_games(world.seed, world.now, keys, season=season, day=date, timezone=timezone)
        )
        found = found if date else ([one for one in found if one.start > world.now] or found[::-1])
    makers = filter_rows(common.BOOKMAKERS, id=bookmaker)[: None if fixture is not None else 4]
    kinds = filter_rows(BETS, id=bet)
    return page_of(
        found, lambda one: _fixture_odds(world.seed, one, makers, kinds, timezone), 3, (page - 1) * 3
    )


def _fixture_odds(
    seed: int, game: Game, makers: list[common.Bookmaker], kinds: list[Bet], timezone: TimeZoneName
) -> FixtureOdds:
    return {
        "fixture_id": IDS.of(game),
        "league_id": all_leagues()[game.league].id,
        "season": game.season,
        "date": common.local_date_and_time(game.start, timezone)[0],
        "home": game.home.name,
        "away": game.away.name,
        "bookmakers": common.bookmaker_offers(seed, game, makers, kinds),
    }


@GROUP.tool(
    phrase="list the years in which known football seasons began",
    noun="the list of football seasons",
)
def seasons() -> list[FootballSeason]:
    """Years in which a known football season began, latest first."""
    return season_years(KEYS)


@GROUP.tool(
    examples=[{"search": "land"}, {"code": "JP"}],
    phrase=(
        "list the countries that have football leagues[, only the one whose full name is {name}][, only the "
        "one whose code is {code}][, only those with {search} in their name]"
    ),
    noun="the list of football countries",
)
def countries(
    *,
    name: CountryName | None = None,
    code: CountryCode | None = None,
    search: common.SearchText | None = None,
) -> list[CountryRow]:
    """Countries that leagues can be listed for, the parts of the United Kingdom each for itself; World has the cups of
    whole continents.

    name: Full name of the country.
    code: Code of the country, e.g. IT.
    search: Part of the name.
    """
    for given in (name, code):
        common.require_country(given, (*_REGIONS, *_REGIONS.values()), f"{GROUP}/countries")
    rows: list[CountryRow] = [{"name": key, "code": value} for key, value in _REGIONS.items()]
    with_leagues = {row["country"] for row in _all_league_rows()}
    rows += [
        {"name": row["name"], "code": row["code"]} for row in all_countries() if row["name"] in with_leagues
    ]
    rows.sort(key=lambda row: row["name"])
    if code is not None and code.strip().upper() == "GB":
        rows, code = [row for row in rows if row["code"].startswith("GB-")], None
    return common.named_countries(filter_rows(rows, name=_listed_as(name), code=code), search)


def _listed_as(name: str | None) -> str | None:
    region = next((key for key in _REGIONS if fold_case(key) == fold_case(name or "")), None)
    return region or (name and common.official_name(name))


def _league_row(league: League) -> LeagueRow:
    return {
        "id": league.id,
        "name": league.name,
        "type": league.kind,
        "country": league.country,
        "first_season": league.first,
        "latest_season": league.last,
        "clubs": len(teams_of(league.key)),
    }


@functools.cache
def _written_league_rows() -> tuple[LeagueRow, ...]:
    """Leagues and cups that are listed without games."""
    return tuple(
        {
            "id": int(row["id"]),
            "name": row["name"],
            "type": "cup" if row["type"] == "cup" else "league",
            "country": row["country"],
            "first_season": None,
            "latest_season": None,
            "clubs": None,
        }
        for row in read_table("football_leagues.tsv")
    )


def _all_league_rows() -> list[LeagueRow]:
    return [*_league_rows(), *_written_league_rows()]


def _league_rows() -> list[LeagueRow]:
    return [_league_row(all_leagues()[key]) for key in KEYS]


def find_league(number: int, season: int | None = None) -> League:
    """The league of a number, which has the season; a not_found fault otherwise."""
    found = common.find_league(KEYS, number, {row["id"]: row["name"] for row in _written_league_rows()})
    if season is not None:
        common.require_season(found, season)
    return found


@GROUP.tool(
    examples=[{}, {"country": "England", "season": 2019}, {"type": "cup"}],
    phrase=(
        "list football leagues and cups with their first and latest known seasons[, only the one whose "
        "league number is {id}][, only the one whose full name is {name}][, from the country named "
        "{country}][, from the country whose code is {code}][, with the competition type set to {type}][, "
        "only those that have a season begun in {season}][, only those with {search} in the name of the "
        "league or country][, the {last} most recently added]"
    ),
    noun="the list of football leagues",
)
def leagues(
    *,
    id_: LeagueId | None = None,
    name: LeagueName | None = None,
    country: CountryName | None = None,
    type_: Literal["league", "cup"] | None = None,
    season: FootballSeason | None = None,
    code: CountryCode | None = None,
    search: common.SearchText | None = None,
    last: common.PageNumber | None = None,
) -> list[LeagueRow]:
    """Football leagues and cups with their first and latest seasons. Those without games, and so without seasons, follow
    where a country, type, name or search is given.

    id: Number of one league.
    name: Full name of the league.
    country: Name of the country.
    type: Leagues or cups only.
    season: Only those that have this season; those without games stay.
    code: Code of the country, e.g. IT.
    search: Part of the name of the league or of the country.
    last: Only this many, those added most recently.
    """
    _require_known(id_, name, country, code, season)
    narrowed = any(value is not None for value in (id_, name, country, type_, code, search))
    listed = _all_league_rows() if narrowed else _league_rows()
    british = {key for key, value in _REGIONS.items() if value.startswith("GB-")}
    if code is not None:
        names = {row["name"] for row in countries(code=code)} | (british if code.upper() == "GB" else set())
        listed = [row for row in listed if row["country"] in names]
    if _listed_as(country) == "United Kingdom":
        listed, country = [row for row in listed if row["country"] in british], None
    rows = filter_rows(
        listed, id=id_, name=LEAGUE_NAMES.get(fold_case(name), name), country=_listed_as(country), type=type_
    )
    rows = containing(rows, LEAGUE_NAMES.get(fold_case(search), search), "name", "country")
    rows = [
        row
        for row in rows
        if season is None or season in _seasons_of(row["id"]) or row["first_season"] is None
    ]
    return fitting_rows(rows[-last:] if last is not None else rows)


def _seasons_of(number: int) -> range:
    """The seasons of a league; none where it has no games."""
    found = {all_leagues()[key].id: all_leagues()[key].seasons for key in KEYS}
    return found.get(number, range(0))


def _require_known(
    number: int | None, name: str | None, country: str | None, code: str | None, season: int | None
) -> None:
    """A not_found fault where a filter of the leagues names what does not exist."""
    common.require_row("league", number, _all_league_rows(), f"{GROUP}/leagues")
    for given in (country, code):
        common.require_country(given, (*_REGIONS, *_REGIONS.values()), f"{GROUP}/countries")
    if season is not None and season not in seasons():
        raise not_found("season", season, known=seasons(), listed_by=f"{GROUP}/seasons")
    meant = LEAGUE_NAMES.get(fold_case(name), name)
    if name is not None and not filter_rows(_all_league_rows(), name=meant):
        raise not_found("league", name[:60], known=[row["name"] for row in _all_league_rows()])
