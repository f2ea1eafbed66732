"""Competition/API_FOOTBALL: leagues, countries, players, bookmakers and odds."""

from __future__ import annotations

import functools
from typing import Annotated, Literal, TypedDict

from toolyard.world.faults import not_found, out_of_range
from toolyard.world.registry import tool
from toolyard.world.shared.geography import countries as all_countries
from toolyard.world.state import World
from toolyard.world.tables import containing, filter_rows, fold, plain, read_table
from toolyard.world.types import CountryCode, CountryName, IsoDate, Page, Semantic, TimeZoneName
from toolyard.world.worlds.competition.sports import common
from toolyard.world.worlds.competition.sports.core import Game, League, teams_of
from toolyard.world.worlds.competition.sports.core import leagues as all_leagues
from toolyard.world.worlds.competition.sports.football_core import (
    KEYS,
    LEAGUE_NAMES,
    Footballer,
    club_in,
    figures,
    find_club,
    footballers,
)
from toolyard.world.worlds.competition.sports.seasons import GameIds

GROUP = "Competition/API_FOOTBALL"
LeagueId = Annotated[int, Semantic("football_league_id")]
LeagueName = Annotated[str, Semantic("football_league")]
TeamId = Annotated[int, Semantic("football_team_id")]
FixtureId = Annotated[int, Semantic("football_fixture_id")]
PlayerId = Annotated[int, Semantic("football_player_id")]
PlayerName = Annotated[str, Semantic("football_player")]
FootballSeason = Annotated[int, Semantic("football_season")]
BetId = Annotated[int, Semantic("football_bet_id")]
Bet = common.Bet[BetId]
# Fixture 198772 is the first of the Premier League season that began in 2019.
IDS = GameIds(198772, 2019, KEYS, 400)
_REGIONS = {
    "England": "GB-ENG",
    "Scotland": "GB-SCT",
    "Wales": "GB-WLS",
    "Northern Ireland": "GB-NIR",
    "Europe": "EU",
    "World": "WW",
}
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


class PlayerRow(TypedDict):
    id: PlayerId
    name: PlayerName
    nationality: str
    position: str
    team_id: TeamId
    team: str
    league_id: LeagueId
    season: FootballSeason
    appearances: int | None
    goals: int | None
    assists: int | None


class FixtureOdds(TypedDict):
    fixture_id: FixtureId
    league_id: LeagueId
    season: FootballSeason
    date: IsoDate
    home: str
    away: str
    bookmakers: list[common.BookmakerQuotes[BetId]]


@tool(
    GROUP,
    examples=[{"search": "bet"}, {"id": 7}],
    phrase=(
        "list the bookmakers that quote odds on football[, only the one whose bookmaker number is {id}][, "
        "only those with {search} in their name]"
    ),
    noun="the list of football bookmakers",
)
def bookmakers(*, id_: common.BookmakerId | None = None, search: str | None = None) -> list[common.Bookmaker]:
    """Bookmakers whose odds on football are known.

    id: Number of one bookmaker.
    search: Part of a bookmaker's name.
    """
    return containing(filter_rows(common.BOOKMAKERS, id=id_), search, "name")


@tool(
    GROUP,
    examples=[{"search": "goals"}, {"id": 1}],
    phrase=(
        "list the kinds of bets on football matches that odds exist for[, only the kind whose bet number is "
        "{id}][, only kinds with {search} in their name]"
    ),
    noun="the list of football bet types",
)
def bets(*, id_: BetId | None = None, search: str | None = None) -> list[Bet]:
    """Kinds of bets on football matches for which there are odds.

    id: Number of one kind of bet.
    search: Part of its name.
    """
    return containing(filter_rows(BETS, id=id_), search, "name")


@tool(
    GROUP,
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
    season: FootballSeason | None = None,
    date: IsoDate | None = None,
    timezone: TimeZoneName = "UTC",
    page: common.PageNumber = 1,
    bookmaker: common.BookmakerId | None = None,
    bet: BetId | None = None,
) -> Page[FixtureOdds]:
    """What bookmakers pay on a fixture, or on the fixtures of a league or day, three fixtures a page.

    fixture: Number of one fixture.
    league: Number of the league.
    season: Year in which the season began.
    date: Only fixtures on this day in the time zone.
    timezone: Time zone for the day.
    page: Number of the page, from 1.
    bookmaker: Only the odds of this bookmaker.
    bet: Only this kind of bet.
    """
    common.need(fixture=fixture, league=league, date=date)
    if fixture is not None:
        found = [IDS.find(world.seed, fixture, world.now)]
    else:
        keys = (common.find_league(KEYS, league).key,) if league is not None else KEYS
        found = list(
            common.search_games(world.seed, world.now, keys, season=season, day=date, timezone=timezone)
        )
        found = found if date else ([one for one in found if one.start > world.now] or found[::-1])
    makers = filter_rows(common.BOOKMAKERS, id=bookmaker)[: None if fixture is not None else 4]
    kinds = filter_rows(BETS, id=bet)
    start = (page - 1) * 3
    rows = [_odds(world.seed, one, makers, kinds) for one in found[start : start + 3]]
    return {"total": len(found), "offset": start, "items": rows}


def _odds(seed: int, game: Game, makers: list[common.Bookmaker], kinds: list[Bet]) -> FixtureOdds:
    return {
        "fixture_id": IDS.of(game),
        "league_id": all_leagues()[game.league].id,
        "season": game.season,
        "date": game.start.date().isoformat(),
        "home": game.home.name,
        "away": game.away.name,
        "bookmakers": common.offers(seed, game, makers, kinds),
    }


@tool(
    GROUP,
    examples=[{}],
    phrase="list the years in which known football seasons began",
    noun="the list of football seasons",
)
def seasons() -> list[FootballSeason]:
    """Years in which a known football season began, latest first."""
    return sorted({year for key in KEYS for year in all_leagues()[key].seasons}, reverse=True)


@tool(
    GROUP,
    examples=[{"search": "land"}, {"code": "JP"}],
    phrase=(
        "list the countries that have football leagues[, only the one whose full name is {name}][, only the "
        "one whose code is {code}][, only those with {search} in their name]"
    ),
    noun="the list of football countries",
)
def countries(
    *, name: CountryName | None = None, code: CountryCode | None = None, search: str | None = None
) -> list[CountryRow]:
    """Countries that leagues can be listed for, with those that have a football association of their own.

    name: Full name of the country.
    code: Code of the country, e.g. IT.
    search: Part of the name.
    """
    rows: list[CountryRow] = [{"name": key, "code": value} for key, value in _REGIONS.items()]
    rows += [{"name": row["name"], "code": row["code"]} for row in all_countries()]
    rows.sort(key=lambda row: row["name"])
    return common.named_countries(filter_rows(rows, name=_listed_as(name), code=code), search)


def _listed_as(name: str | None) -> str | None:
    region = next((key for key in _REGIONS if fold(key) == fold(name or "")), None)
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
def _named_leagues() -> tuple[LeagueRow, ...]:
    """Leagues and cups of which only name, country and number are known."""
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


@tool(
    GROUP,
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
    search: str | None = None,
    last: common.PageNumber | None = None,
) -> list[LeagueRow]:
    """Football leagues and cups with their first and latest known seasons. Those of which only the name is known are
    listed for a country, a name or a search.

    id: Number of one league.
    name: Full name of the league.
    country: Name of the country.
    type: Leagues or cups only.
    season: Only those that have this season.
    code: Code of the country, e.g. IT.
    search: Part of the name of the league or of the country.
    last: Only this many, those added most recently.
    """
    found = [all_leagues()[key] for key in KEYS]
    if season is not None:
        found = [league for league in found if season in league.seasons]
    named = any(value is not None for value in (id_, name, country, code, search))
    listed = [*map(_league_row, found), *(_named_leagues() if named and season is None else ())]
    if code is not None:
        british = {key for key, value in _REGIONS.items() if value.startswith("GB-") and code.upper() == "GB"}
        names = {row["name"] for row in countries(code=code)} | british
        listed = [row for row in listed if row["country"] in names]
    rows = filter_rows(listed, id=id_, name=LEAGUE_NAMES.get(fold(name), name), country=country, type=type_)
    rows = containing(rows, LEAGUE_NAMES.get(fold(search), search), "name", "country")
    return rows[-last:] if last is not None else rows


_FIRST_FIGURES = 2022


def _is_on_record(player: Footballer, season: int) -> bool:
    """Whether the club of a player in a season is known: the present one, or one for which figures are on record."""
    return season == all_leagues()[player.team.league].last or (player.name, season) in figures()


def _player_row(player: Footballer, season: int) -> PlayerRow:
    row, club = figures().get((player.name, season)), club_in(player, season)
    return {
        "id": player.id,
        "name": player.name,
        "nationality": player.nationality,
        "position": player.position,
        "team_id": club.id,
        "team": club.name,
        "league_id": all_leagues()[club.league].id,
        "season": season,
        "appearances": row.games if row else None,
        "goals": row.goals if row else None,
        "assists": row.assists if row else None,
    }


@tool(
    GROUP,
    examples=[
        {"season": 2023, "team": 40},
        {"season": 2022, "search": "Haaland"},
        {"season": 2022, "league": 78},
    ],
    phrase=(
        "get well-known football players with their figures for the season that began in {season}[, only the player "
        "whose number is {id}][, only players of the club whose number is {team}][, only players of the "
        "league whose number is {league}][, only players with {search} in their name][, showing page {page}]"
    ),
    noun="the football player figures",
)
def players(
    *,
    season: FootballSeason,
    id_: PlayerId | None = None,
    team: TeamId | None = None,
    league: LeagueId | None = None,
    search: PlayerName | None = None,
    page: common.PageNumber = 1,
) -> Page[PlayerRow]:
    """Well-known players with their clubs of May 2024, or with their league figures of 2022, fifteen a page.

    season: Year in which the season began: 2022 for those whose figures are on record, else the present one.
    id: Number of one player.
    team: Only players of this club.
    league: Only players of this league.
    search: Part of the name.
    page: Number of the page, from 1.
    """
    common.need(id=id_, team=team, league=league, search=search)
    if season not in seasons():
        raise not_found("season", season, known=seasons(), listed_by=f"{GROUP}/seasons")
    if season < _FIRST_FIGURES:
        raise out_of_range("season", season, f"players are on record from {_FIRST_FIGURES} on")
    found = common.find_league(KEYS, league) if league is not None else None
    if id_ is not None and id_ not in footballers():
        raise not_found("player", id_, known=list(footballers()))
    chosen = [
        player
        for player in footballers().values()
        if id_ in (None, player.id) and _is_on_record(player, season)
    ]
    if team is not None:
        chosen = [player for player in chosen if club_in(player, season) is find_club(team)]
    if found is not None:
        chosen = [
            player
            for player in chosen
            if (club := club_in(player, season)).league == found.key or club in teams_of(found.key)
        ]
    if search is not None:
        names = [player.name for player in chosen]
        chosen = [player for player in chosen if plain(search) in plain(player.name)]
        if not chosen:
            raise not_found(f"player on record for {season}", search[:60], known=names)
    rows = [_player_row(player, season) for player in chosen[15 * page - 15 : 15 * page]]
    return {"total": len(chosen), "offset": 15 * page - 15, "items": rows}
