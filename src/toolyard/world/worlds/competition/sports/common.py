"""What the services of the ball games share: local times, pairs of teams, search over seasons, odds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta, tzinfo
from typing import Annotated, Any, Generic, NamedTuple, TypedDict, TypeVar

from toolyard.core.sums import added
from toolyard.world import seeds
from toolyard.world.faults import ToolFault, invalid, not_found
from toolyard.world.shared.days import parse_date, zone
from toolyard.world.shared.geography import country_or_none
from toolyard.world.state import EPOCH
from toolyard.world.tables import plain
from toolyard.world.types import Range, Semantic, TimeZoneName
from toolyard.world.worlds.competition.sports.box_scores import other_records, records
from toolyard.world.worlds.competition.sports.core import (
    Game,
    League,
    Tally,
    Team,
    expected_goals,
    leagues,
    strength,
    tallies,
    tally,
    teams_of,
)
from toolyard.world.worlds.competition.sports.seasons import all_games, games, is_over

PageNumber = Annotated[int, Range(1, 100000)]
SearchText = Annotated[str, Range(1)]
BookmakerId = Annotated[int, Semantic("bookmaker_id")]
BetId = TypeVar("BetId", bound=int)
ZONES = tuple(
    "Africa/Cairo Africa/Johannesburg Africa/Lagos Africa/Nairobi America/Argentina/Buenos_Aires America/Bogota "
    "America/Chicago America/Denver America/Halifax America/Lima America/Los_Angeles America/Mexico_City "
    "America/New_York America/Phoenix America/Sao_Paulo America/Toronto America/Vancouver Asia/Bangkok Asia/Dubai "
    "Asia/Hong_Kong Asia/Jakarta Asia/Karachi Asia/Kolkata Asia/Manila Asia/Seoul Asia/Shanghai Asia/Singapore "
    "Asia/Tokyo Australia/Brisbane Australia/Melbourne Australia/Perth Australia/Sydney Europe/Amsterdam "
    "Europe/Athens Europe/Berlin Europe/Brussels Europe/Dublin Europe/Helsinki Europe/Istanbul Europe/Kyiv "
    "Europe/Lisbon Europe/London Europe/Madrid Europe/Monaco Europe/Moscow Europe/Oslo Europe/Paris Europe/Prague "
    "Europe/Rome Europe/Stockholm Europe/Vienna Europe/Warsaw Europe/Zurich Pacific/Auckland Pacific/Honolulu "
    "UTC".split()
)


class Bookmaker(TypedDict):
    id: BookmakerId
    name: Annotated[str, Semantic("bookmaker")]


BOOKMAKERS: tuple[Bookmaker, ...] = tuple(
    {"id": number, "name": name}
    for number, name in (
        (1, "10Bet"), (2, "Marathonbet"), (3, "Betfair"), (4, "Pinnacle"),
        (6, "Bwin"), (7, "William Hill"), (8, "Bet365"), (16, "Unibet"),
    )
)  # fmt: skip


class Quote(TypedDict):
    """What a bookmaker pays per unit staked."""

    value: str
    odd: float


class Bet(TypedDict, Generic[BetId]):
    """A kind of bet; each sport numbers its own."""

    id: BetId
    name: str


class BetQuotes(TypedDict, Generic[BetId]):
    """What a bookmaker pays on one kind of bet."""

    id: BetId
    name: str
    values: list[Quote]


class BookmakerQuotes(TypedDict, Generic[BetId]):
    """What one bookmaker pays on a game."""

    id: BookmakerId
    name: str
    bets: list[BetQuotes[BetId]]


def find_league(keys: Iterable[str], number: int, named: Mapping[int, str] | None = None) -> League:
    """The league of a number among some; a not_found fault otherwise, which tells those of which only the name is known."""
    found = {leagues()[key].id: leagues()[key] for key in keys}
    if number in found:
        return found[number]
    one = next(iter(found.values()))
    where = f"Competition/API_{one.sport.upper()}/leagues"
    if named and number in named:
        covered = ", ".join(f"{key} ({league.name})" for key, league in found.items())
        raise ToolFault(
            "not_found",
            f"of league {number}, {named[number]}, only the name is on record; covered are {covered}",
            parameter="league",
        )
    raise not_found("league", number, known=list(found), listed_by=where)


def need_season(league: League, season: int) -> None:
    """A not_found fault unless the league has the season."""
    if season not in league.seasons:
        raise not_found(f"season of {league.name}", season, known=league.seasons)


def need_team(league: League, team: Team) -> None:
    """A not_found fault unless the team plays in the league."""
    own = teams_of(league.key)
    if team not in own:
        raise not_found(f"team of {league.name}", team.id, known=[one.id for one in own])


def need_row(what: str, number: int | None, rows: Iterable[Mapping[str, Any]], listed_by: str) -> None:
    """A not_found fault where a number is given that no row has."""
    known = [row["id"] for row in rows]
    if number is not None and number not in known:
        raise not_found(what, number, known=known, listed_by=listed_by)


def need_country(value: str | None, regions: Iterable[str], listed_by: str) -> None:
    """A not_found fault where the name or code of a country is given and there is none of it in the world."""
    if value is not None and country_or_none(value) is None and plain(value) not in map(plain, regions):
        raise not_found("country", value[:60], such_as=("Spain", "ES"), listed_by=listed_by)


def need_order(first: str | None, last: str | None, names: tuple[str, str]) -> None:
    """A fault where the last day lies before the first one."""
    if first is not None and last is not None and parse_date(last, names[1]) < parse_date(first, names[0]):
        raise invalid(names[1], last, f"want a day on or after {names[0]}, {first}")


def local(moment: datetime, timezone: TimeZoneName) -> tuple[str, str]:
    """Date and time of day in a zone."""
    there = moment.astimezone(zone(timezone))
    return there.date().isoformat(), there.strftime("%H:%M")


def pair(text: str, teams: Iterable[Team], ids: Mapping[Team, int]) -> tuple[Team, Team]:
    """The two teams of "id-id"."""
    parts = text.split("-")
    if len(parts) != 2 or not all(part.strip().isdecimal() and len(part) < 12 for part in parts):
        known = "-".join(map(str, sorted(ids.values())[:2]))
        raise invalid("h2h", text[:60], f"want the ids of two teams joined by a hyphen, e.g. {known}")
    wanted = [int(part) for part in parts]
    if wanted[0] == wanted[1]:
        raise invalid("h2h", text[:60], "want two different teams")
    found = {ids[team]: team for team in teams}
    for number in wanted:
        if number not in found:
            raise not_found("team", number, known=list(found))
    return found[wanted[0]], found[wanted[1]]


def need(**given: object) -> None:
    """A fault unless one of the parameters is given."""
    if all(value is None for value in given.values()):
        raise ToolFault("missing_parameter", f"give at least one of {', '.join(given)}")


def search_games(
    seed: int,
    now: datetime,
    keys: Sequence[str],
    *,
    season: int | None = None,
    day: str | None = None,
    timezone: TimeZoneName = "UTC",
) -> Iterator[Game]:
    """Games of some leagues in one season, on one day (in a zone), or else in each league's latest season."""
    where = zone(timezone)
    wanted = parse_date(day) if day is not None else None
    for key in keys:
        for year in _seasons(key, season, wanted):
            for game in games(seed, key, year, now):
                if wanted is None or (
                    abs((game.start.date() - wanted).days) < 2 and _day(game, where) == wanted
                ):
                    yield game


def _day(game: Game, where: tzinfo) -> date:
    """The day of a game in a zone; where its hour is not known, the day at the place."""
    return game.start.date() if game.day_only else game.start.astimezone(where).date()


def _seasons(key: str, season: int | None, wanted: date | None) -> tuple[int, ...]:
    if season is not None:
        return (season,)
    return (wanted.year - 1, wanted.year) if wanted else (leagues()[key].last,)


def said(**given: object) -> str:
    """What was asked for, as the message of a fault names it."""
    return ", ".join(f"{key} {value}" for key, value in given.items() if value is not None) or "these filters"


def status_of(game: Game, now: datetime, minutes: int = 115) -> str:
    """NS before, LIVE during and FT after a game."""
    if now < game.start:
        return "NS"
    return "FT" if game.start + timedelta(minutes=minutes) <= now else "LIVE"


def last_counted(day: str | None, now: datetime) -> date:
    """The last day whose games count: the one given, or today where that is earlier or none is given."""
    return now.date() if day is None else min(now.date(), parse_date(day))


def over_by(found: Iterable[Game], until: date, now: datetime) -> list[Game]:
    """The games that began on a day or earlier and are over now, however late on that day they ended."""
    return [game for game in found if game.start.date() <= until and is_over(game, now)]


def football_chances(home: float, away: float) -> tuple[float, float, float, float, float]:
    """Probabilities of a home win, draw, away win, three or more goals, and goals on both sides."""
    ours = [math.exp(-home) * home**n / math.factorial(n) for n in range(12)]
    theirs = [math.exp(-away) * away**n / math.factorial(n) for n in range(12)]
    win = added(a * added(theirs[:n]) for n, a in enumerate(ours))
    draw = added(a * b for a, b in zip(ours, theirs, strict=True))
    low = added(ours[i] * theirs[j] for i in range(3) for j in range(3 - i))
    return win, draw, max(0.0, 1 - win - draw), 1 - low, (1 - ours[0]) * (1 - theirs[0])


# What playing at home is worth in football, as a difference in strength.
_HOME_ADVANTAGE = 1.09


def quotes(seed: int, game: Game, bookmaker: int, bet: str) -> list[Quote]:
    """Odds of one bookmaker: fair ones from the strength of the teams, less a margin of his own."""
    football = leagues()[game.league].sport == "football"
    goals = _goals_of_season(seed, game) if football else None
    difference = strength(seed, game.home, game.season) - strength(seed, game.away, game.season)
    if football and game.on_neutral_ground:
        difference -= _HOME_ADVANTAGE
    fair = _football(goals or expected_goals(difference)) if football else _basketball(difference, game)
    margin = 1.03 + 0.05 * seeds.unit(seed, "margin", bookmaker, game.key)
    return [{"value": label, "odd": round(max(1.01, 1 / (p * margin)), 2)} for label, p in fair[bet]]


def offers(
    seed: int, game: Game, makers: Iterable[Bookmaker], kinds: Sequence[Bet[BetId]]
) -> list[BookmakerQuotes[BetId]]:
    """What some bookmakers pay on a game, by kind of bet."""
    return [
        {
            "id": maker["id"],
            "name": maker["name"],
            "bets": [{**kind, "values": quotes(seed, game, maker["id"], kind["name"])} for kind in kinds],
        }
        for maker in makers
    ]


# Matches of average strength that are added to those of a club: a season tells much, not all.
_AVERAGE_MATCHES = 8


@seeds.remembered(64)
def _sides(seed: int, league: str, season: int) -> Mapping[Team, Tally]:
    """What each club scored and conceded in the matches of a season that were over by now."""
    return tallies(game for game in all_games(seed, league, season) if is_over(game, EPOCH))


class _Power(NamedTuple):
    """Goals of a match in a league, and how many more than usual a club scores and concedes in it."""

    usual: float
    attack: float
    defence: float


# How much more than others the ten matches before a game count.
_LATELY = 1.5


def _lately(seed: int, team: Team, season: int, until: datetime) -> Tally:
    """What a club did in its last ten league matches of a season before a moment."""
    own = [
        game
        for game in all_games(seed, team.league, season)
        if team in (game.home, game.away) and is_over(game, min(until, EPOCH))
    ]
    return tally(sorted(own, key=lambda game: game.start)[-10:], team)


@seeds.remembered(512)
def _power(seed: int, team: Team, season: int, until: datetime) -> _Power | None:
    """What a club showed in its league that season, else in the one before; None where too little is on record."""
    for year in (season, season - 1):
        found = _sides(seed, team.league, year)
        own = found.get(team)
        if own and own.played >= 10:
            usual = added(one.scored for one in found.values()) / added(one.played for one in found.values())
            late = _lately(seed, team, year, until)
            count = own.played + _LATELY * late.played + _AVERAGE_MATCHES
            scored, conceded = (
                (goals + _LATELY * latest + _AVERAGE_MATCHES * usual) / count / usual
                for goals, latest in ((own.scored, late.scored), (own.conceded, late.conceded))
            )
            return _Power(usual, scored, conceded)
    return None


def _goals_of_season(seed: int, game: Game) -> tuple[float, float] | None:
    """Mean goals of both sides by what they did in their leagues; None where that is not on record."""
    ours, theirs = (_power(seed, team, game.season, game.start) for team in (game.home, game.away))
    if ours is None or theirs is None:
        return None
    usual, more = (ours.usual + theirs.usual) / 2, 0.0 if game.on_neutral_ground else 0.12
    return (
        (1 + more) * usual * ours.attack * theirs.defence,
        (1 - more) * usual * theirs.attack * ours.defence,
    )


def _football(goals: tuple[float, float]) -> dict[str, list[tuple[str, float]]]:
    win, draw, loss, over, both = (max(0.005, p) for p in football_chances(*goals))
    return {
        "Match Winner": [("Home", win), ("Draw", draw), ("Away", loss)],
        "Home/Away": [("Home", win / (win + loss)), ("Away", loss / (win + loss))],
        "Goals Over/Under": [("Over 2.5", over), ("Under 2.5", 1 - over)],
        "Both Teams Score": [("Yes", both), ("No", 1 - both)],
        "Double Chance": [("Home/Draw", win + draw), ("Home/Away", win + loss), ("Draw/Away", draw + loss)],
    }


# Points of both teams in a game, by league; of the NBA by season, in the regular season and in the play-offs.
_POINTS = {"nbl": 176, "wnba": 163, "euroleague": 160}
_NBA_POINTS = {2015: (205, 207), 2016: (211, 224), 2017: (213, 216), 2018: (222, 214), 2019: (224, 217), 2020: (224, 220),
               2021: (221, 214), 2022: (229, 217), 2023: (228, 210)}  # fmt: skip
# By how many points games of a team of 2023 differ from others, both sides together.
_NBA_PACE = {"ATL": 11, "BKN": -4, "BOS": 1, "CHA": -5, "CHI": -3, "CLE": -6, "DAL": 4, "DEN": -4, "DET": 0, "GSW": 4,
             "HOU": -2, "IND": 13, "LAC": -1, "LAL": 6, "MEM": -9, "MIA": -10, "MIL": 6, "MIN": -9, "NOP": -3, "NYK": -8,
             "OKC": 4, "ORL": -10, "PHI": -2, "PHX": 0, "POR": -6, "SAC": 2, "SAS": 1, "TOR": 2, "UTA": 6,
             "WAS": 9}  # fmt: skip
# What a whole season of wins more is worth in a game, and playing at home.
_POINTS_A_SEASON, _POINTS_AT_HOME = 28.0, 2.5


def _points_ahead(difference: float, game: Game) -> float:
    """By how many points the home side should win: by the tables of the season, else by strength."""
    table = records(game.season) if game.league == "nba" else other_records(game.league, game.season)
    shares = {one.team: one.share for one in table}
    ahead = 2.1 * difference
    if game.home in shares and game.away in shares:
        ahead = _POINTS_A_SEASON * (shares[game.home] - shares[game.away])
    return ahead + (0.0 if game.on_neutral_ground else _POINTS_AT_HOME)


def _points_together(game: Game) -> float:
    """The sum of points that bookmakers draw the line at: what is usual, and more where fast teams meet."""
    late = game.stage != "Regular Season"
    usual = _NBA_POINTS[game.season][late] if game.league == "nba" else _POINTS[game.league]
    if game.league == "nba" and game.season == 2023:
        return usual + 0.5 + _NBA_PACE[game.home.code] + _NBA_PACE[game.away.code]
    both = sorted((game.home.key, game.away.key))
    return usual - 4.5 + round(8 * seeds.unit(0, "pace", *both))


def _basketball(difference: float, game: Game) -> dict[str, list[tuple[str, float]]]:
    margin = _points_ahead(difference, game)
    spread = 13.0 if game.league == "nba" else 11.5
    win = min(0.98, max(0.02, 0.5 * (1 + math.erf(margin / spread / math.sqrt(2)))))
    line = _points_together(game)
    half = (math.floor(abs(margin)) + 0.5) * (1 if margin >= 0 else -1)
    return {
        "Home/Away": [("Home", win), ("Away", 1 - win)],
        "Asian Handicap": [(f"Home {-half:+}", 0.5), (f"Away {half:+}", 0.5)],
        "Over/Under": [(f"Over {line}", 0.5), (f"Under {line}", 0.5)],
    }


def official_name(country: str) -> str:
    """The name under which a country is listed: Great Britain is the United Kingdom; other texts as they are."""
    found = country_or_none(country)
    return found["name"] if found else country


CountryRow = TypeVar("CountryRow", bound=Mapping[str, Any])


def named_countries(rows: Sequence[CountryRow], search: str | None) -> list[CountryRow]:
    """Rows of countries whose name holds a text, accents aside; the one that is also called so where none does."""
    if search is None:
        return list(rows)
    found = [row for row in rows if plain(search) in plain(row["name"])]
    return found or [row for row in rows if row["name"] == official_name(search)]
