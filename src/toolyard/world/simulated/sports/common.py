"""What the services of the ball games share: local times, pairs of teams, search over seasons, odds."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Annotated, Generic, TypedDict, TypeVar

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import ToolFault, invalid, not_found
from toolyard.world.kernel.tables import plain, table_words, values_of
from toolyard.world.kernel.types import Range, Semantic, TimeZoneName
from toolyard.world.reference.days import parse_date, zone
from toolyard.world.reference.places.geography import country_or_none
from toolyard.world.simulated.sports.core import Game, League, Team, all_leagues, expected_goals, team_skill
from toolyard.world.simulated.sports.seasons import POINTS, is_over, scheduled_games

PageNumber = Annotated[int, Range(1, 100000)]
SearchText = Annotated[str, Range(1)]
BookmakerId = Annotated[int, Semantic("bookmaker_id")]
BetId = TypeVar("BetId", bound=int)
ZONES = table_words("common.zones")


class Bookmaker(TypedDict):
    id: BookmakerId
    name: Annotated[str, Semantic("bookmaker")]


BOOKMAKERS: tuple[Bookmaker, ...] = tuple(values_of("common.bookmakers").values())


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
    """The league of a number among some; a fault otherwise, which tells those that are listed without games."""
    found = {all_leagues()[key].id: all_leagues()[key] for key in keys}
    if number in found:
        return found[number]
    one = next(iter(found.values()))
    where = f"Competition/API_{one.sport.upper()}/leagues"
    if named and number in named:
        covered = ", ".join(f"{key} ({league.name})" for key, league in found.items())
        raise ToolFault(
            "out_of_range",
            f"league {number}, {named[number]}, is listed without games; those with games are {covered}",
            parameter="league",
        )
    raise not_found("league", number, known=list(found), listed_by=where)


def require_season(league: League, season: int) -> None:
    """A not_found fault unless the league has the season."""
    if season not in league.seasons:
        raise not_found(f"season of {league.name}", season, known=league.seasons)


def require_row(what: str, number: int | None, rows: Iterable[Mapping[str, object]], listed_by: str) -> None:
    """A not_found fault where a number is given that no row has."""
    known = [row["id"] for row in rows]
    if number is not None and number not in known:
        raise not_found(what, number, known=known, listed_by=listed_by)


def require_country(value: str | None, regions: Iterable[str], listed_by: str) -> None:
    """A not_found fault where the name or code of a country is given and there is none of it in the world."""
    if value is not None and country_or_none(value) is None and plain(value) not in map(plain, regions):
        raise not_found("country", value[:60], such_as=("Spain", "ES"), listed_by=listed_by)


def require_order(first: str | None, last: str | None, names: tuple[str, str]) -> None:
    """A fault where the last day lies before the first one."""
    if first is not None and last is not None and parse_date(last, names[1]) < parse_date(first, names[0]):
        raise invalid(names[1], last, f"want a day on or after {names[0]}, {first}")


def local_date_and_time(moment: datetime, timezone: TimeZoneName) -> tuple[str, str]:
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


def require_one(**given: object) -> None:
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
        for year in _seasons_to_search(key, season, wanted):
            for game in scheduled_games(seed, key, year, now):
                if wanted is None or (
                    abs((game.start.date() - wanted).days) < 2
                    and game.start.astimezone(where).date() == wanted
                ):
                    yield game


def _seasons_to_search(key: str, season: int | None, wanted: date | None) -> tuple[int, ...]:
    if season is not None:
        return (season,)
    return (wanted.year - 1, wanted.year) if wanted else (all_leagues()[key].last,)


def status_now(game: Game, now: datetime, minutes: int = 115) -> str:
    """NS before, LIVE during and FT after a game."""
    if now < game.start:
        return "NS"
    return "FT" if game.start + timedelta(minutes=minutes) <= now else "LIVE"


def last_counted_day(day: str | None, now: datetime) -> date:
    """The last day whose games count: the one given, or today where that is earlier or none is given."""
    return now.date() if day is None else min(now.date(), parse_date(day))


def games_over_by(found: Iterable[Game], until: date, now: datetime) -> list[Game]:
    """The games that began on a day or earlier and are over now, however late on that day they ended."""
    return [game for game in found if game.start.date() <= until and is_over(game, now)]


def football_chances(home: float, away: float) -> tuple[float, float, float, float, float]:
    """Probabilities of a home win, draw, away win, three or more goals, and goals on both sides."""
    ours = [math.exp(-home) * home**n / math.factorial(n) for n in range(12)]
    theirs = [math.exp(-away) * away**n / math.factorial(n) for n in range(12)]
    win = sum_in_order(a * sum_in_order(theirs[:n]) for n, a in enumerate(ours))
    draw = sum_in_order(a * b for a, b in zip(ours, theirs, strict=True))
    low = sum_in_order(ours[i] * theirs[j] for i in range(3) for j in range(3 - i))
    return win, draw, max(0.0, 1 - win - draw), 1 - low, (1 - ours[0]) * (1 - theirs[0])


def quotes(seed: int, game: Game, bookmaker: int, bet: str) -> list[Quote]:
    """Odds of one bookmaker: fair ones from the strength of the teams, less a margin of his own."""
    difference = team_skill(seed, game.home, game.season) - team_skill(seed, game.away, game.season)
    football = all_leagues()[game.league].sport == "football"
    fair = _football_bets(expected_goals(difference)) if football else _basketball_bets(difference, game)
    margin = 1.03 + 0.05 * seeds.unit(seed, "margin", bookmaker, game.key)
    return [{"value": label, "odd": round(max(1.01, 1 / (p * margin)), 2)} for label, p in fair[bet]]


def bookmaker_offers(
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


def _football_bets(goals: tuple[float, float]) -> dict[str, list[tuple[str, float]]]:
    win, draw, loss, over, both = (max(0.005, p) for p in football_chances(*goals))
    return {
        "Match Winner": [("Home", win), ("Draw", draw), ("Away", loss)],
        "Home/Away": [("Home", win / (win + loss)), ("Away", loss / (win + loss))],
        "Goals Over/Under": [("Over 2.5", over), ("Under 2.5", 1 - over)],
        "Both Teams Score": [("Yes", both), ("No", 1 - both)],
        "Double Chance": [("Home/Draw", win + draw), ("Home/Away", win + loss), ("Draw/Away", draw + loss)],
    }


def _basketball_bets(difference: float, game: Game) -> dict[str, list[tuple[str, float]]]:
    margin, line = 2.1 * difference + 2.5, 2 * POINTS[game.league] + 0.5
    win = min(0.98, max(0.02, 0.5 * (1 + math.erf(margin / 10 / math.sqrt(2)))))
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


CountryRow = TypeVar("CountryRow", bound=Mapping[str, object])


def named_countries(rows: Sequence[CountryRow], search: str | None) -> list[CountryRow]:
    """Rows of countries whose name holds a text, accents aside; the one that is also called so where none does."""
    if search is None:
        return list(rows)
    found = [row for row in rows if plain(search) in plain(row["name"])]
    return found or [row for row in rows if row["name"] == official_name(search)]
