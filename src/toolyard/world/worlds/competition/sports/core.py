"""The core of the ball games: leagues, teams, seasons and games that are played once, whoever asks.

A game is decided by the seed; what has not been played at the time of the world is hidden by `score_of`.
Tables and records are counted from the games, never stored.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from random import Random

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.shared.geography import read_table

LONG_AGO = datetime(1900, 1, 1, tzinfo=UTC)
DURATION = timedelta(hours=2)


@dataclass(frozen=True, slots=True)
class League:
    """A competition; a season is named by the year it opens in."""

    key: str
    sport: str
    id: int
    name: str
    country: str
    kind: str
    first: int
    opening: str
    closing: str
    hour: int

    @property
    def last(self) -> int:
        """The season under way in May 2024, or the latest one."""
        return 2023 if self.opening > self.closing or self.key == "ucl" else 2024

    @property
    def seasons(self) -> range:
        """The known seasons, oldest first."""
        return range(self.first, self.last + 1)

    def day(self, season: int, when: str) -> date:
        """A day of the season from its month and day."""
        late = self.opening > self.closing and when < self.opening
        return date.fromisoformat(f"{season + int(late or self.key == 'ucl')}-{when}")


# Teams and games exist once each, so identity is equality; comparing field by field would cost most of the time.
@dataclass(frozen=True, slots=True, eq=False)
class Team:
    """A team; `group` is "conference/division" where the league has such."""

    league: str
    id: int
    name: str
    code: str
    city: str
    founded: int
    venue: str
    level: int
    group: str

    @property
    def key(self) -> str:
        """What the team is called in the other tables."""
        return f"{self.league}:{self.code}"


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A game with its final score; nobody knows of it before `known`."""

    league: str
    season: int
    number: int
    stage: str
    round: int
    start: datetime
    home: Team
    away: Team
    home_score: int
    away_score: int
    known: datetime = LONG_AGO

    @property
    def key(self) -> str:
        """What the game is called in seeds."""
        return f"{self.league}:{self.season}:{self.number}"

    def side(self, team: Team) -> tuple[int, int]:
        """Points scored and conceded by a team."""
        points = (self.home_score, self.away_score)
        return points if team == self.home else points[::-1]


@functools.cache
def leagues() -> dict[str, League]:
    """Leagues by key."""
    rows = read_table("sports_leagues.tsv")
    found = [
        League(
            row["key"], row["sport"], int(row["id"]), row["name"], row["country"], row["kind"],
            int(row["first"]), row["opening"], row["closing"], int(row["hour"]),
        )
        for row in rows
    ]  # fmt: skip
    return {league.key: league for league in found}


@functools.cache
def all_teams() -> tuple[Team, ...]:
    """Every team of every league."""
    return tuple(
        Team(
            row["league"], int(row["id"]), row["name"], row["code"], row["city"],
            int(row["founded"]), row["venue"], int(row["level"]), row["group"],
        )
        for row in read_table("sports_teams.tsv")
    )  # fmt: skip


@functools.cache
def teams_of(league: str) -> tuple[Team, ...]:
    """The teams of a league; those of the Champions League are the strongest of Europe."""
    if league != "ucl":
        return tuple(team for team in all_teams() if team.league == league)
    europe = [
        team for team in all_teams() if team.league in ("pl", "laliga", "seriea", "bundesliga", "ligue1")
    ]
    return tuple(sorted(europe, key=lambda team: (-team.level, team.id))[:16])


def strength(seed: int, team: Team, season: int) -> float:
    """How good a team is in a season, about 0 to 10."""
    return team.level + 3 * seeds.unit(seed, "form", team.key, season) - 1.5


def poisson(mean: float, chance: Random) -> int:
    """A number of goals."""
    left, count = chance.random(), 0
    term = math.exp(-mean)
    while left > term and count < 12:
        left -= term
        count += 1
        term *= mean / count
    return count


def expected_goals(difference: float) -> tuple[float, float]:
    """Mean goals of the home and the away side for a difference in strength."""
    return min(4.5, 1.5 * 1.13**difference), min(4.5, 1.15 * 1.13**-difference)


def _score(league: League, difference: float, chance: Random) -> tuple[int, int]:
    if league.sport == "football":
        home, away = expected_goals(difference)
        return poisson(home, chance), poisson(away, chance)
    level = 114 if league.key == "nba" else 82
    total, margin = chance.gauss(2 * level, 13), chance.gauss(2.1 * difference + 2.5, 10)
    home_points, away_points = round((total + margin) / 2), round((total - margin) / 2)
    return (home_points + (home_points == away_points), away_points)


def _rounds(teams: Sequence[Team]) -> list[list[tuple[Team, Team]]]:
    """Everybody against everybody, at home and away (the circle method)."""
    ring, count = list(teams), len(teams)
    first = []
    for number in range(count - 1):
        pairs = [(ring[i], ring[count - 1 - i]) for i in range(count // 2)]
        first.append([pair if (number + i) % 2 else pair[::-1] for i, pair in enumerate(pairs)])
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return [*first, *([pair[::-1] for pair in pairs] for pairs in first)]


Slot = tuple[int, datetime, Team, Team]


def _round_robin(seed: int, league: League, season: int) -> Iterator[Slot]:
    chance = seeds.stream(seed, "schedule", league.key, season)
    teams = list(teams_of(league.key))
    chance.shuffle(teams)
    rounds = _rounds(teams)
    first, last = league.day(season, league.opening), league.day(season, league.closing)
    for number, pairs in enumerate(rounds):
        day = first + timedelta(days=number * (last - first).days // (len(rounds) - 1))
        for place, (home, away) in enumerate(pairs):
            late = timedelta(
                days=place * 3 // len(pairs) - 1, hours=league.hour + 2 * (place % 3), minutes=30
            )
            yield number + 1, datetime(day.year, day.month, day.day, tzinfo=UTC) + late, home, away


def _nba_pairs() -> Iterator[tuple[Team, Team]]:
    """82 games for each: 2 with the other conference, 4 with division rivals, 3 or 4 with the rest."""
    teams = teams_of("nba")
    places: dict[str, list[Team]] = {}
    for team in teams:
        places.setdefault(team.group, []).append(team)
    spot = {team: group.index(team) for group in places.values() for team in group}
    for i, one in enumerate(teams):
        for other in teams[i + 1 :]:
            same_conference = one.group.split("/")[0] == other.group.split("/")[0]
            low, high = sorted((one, other), key=lambda team: team.group)
            near = one.group == other.group or (spot[low] - spot[high]) % 5 < 3
            count = (4 if near else 3) if same_conference else 2
            for turn in range(count):
                odd = count == 3 and (spot[one] + spot[other]) % 2
                yield (one, other) if (turn + odd) % 2 else (other, one)


def _nba_slots(seed: int, league: League, season: int) -> Iterator[Slot]:
    chance = seeds.stream(seed, "schedule", league.key, season)
    pairs = list(_nba_pairs())
    chance.shuffle(pairs)
    first, last = league.day(season, league.opening), league.day(season, league.closing)
    span = (last - first).days
    busy: set[tuple[int, Team]] = set()
    for number, (home, away) in enumerate(pairs):
        wanted = number * span // len(pairs)
        free = (n % span for n in range(wanted, wanted + span))
        day = next(n for n in free if (n, home) not in busy and (n, away) not in busy)
        busy |= {(day, home), (day, away)}
        late = timedelta(days=day, hours=league.hour + chance.choice((0, 0, 1, 2, 3)), minutes=30)
        yield day + 1, datetime(first.year, first.month, first.day, tzinfo=UTC) + late, home, away


def play(seed: int, league: League, season: int, slot: Slot, *, name: str = "") -> Game:
    """A game played in a slot; without its number."""
    number, start, home, away = slot
    chance = seeds.stream(seed, "game", league.key, season, number, home.key, away.key, name, start.date())
    difference = strength(seed, home, season) - strength(seed, away, season)
    points = _score(league, difference, chance)
    return Game(league.key, season, 0, name or "Regular Season", number, start, home, away, *points)


@functools.lru_cache(maxsize=256)
def all_games(seed: int, league_key: str, season: int) -> tuple[Game, ...]:
    """Every game of a season in order of time; `number` is the place in that order."""
    from toolyard.world.worlds.competition.sports import knockout

    league = leagues()[league_key]
    if not league.first <= season <= league.last:
        return ()
    if league_key == "ucl":
        return _numbered(knockout.cup(seed, league, season))
    slots = _nba_slots if league_key == "nba" else _round_robin
    regular = _numbered(play(seed, league, season, slot) for slot in slots(seed, league, season))
    if league_key == "nba":
        regular += _numbered(knockout.playoffs(seed, league, season, regular), len(regular))
    return regular


def _numbered(games: Iterable[Game], first: int = 0) -> tuple[Game, ...]:
    ordered = sorted(games, key=lambda game: (game.start, game.home.id))
    return tuple(
        Game(
            game.league, game.season, first + n, game.stage, game.round, game.start, game.home, game.away,
            game.home_score, game.away_score, game.known,
        )
        for n, game in enumerate(ordered)
    )  # fmt: skip


def games(seed: int, league: str, season: int, now: datetime) -> list[Game]:
    """The games of a season that have been scheduled by now."""
    return [game for game in all_games(seed, league, season) if game.known <= now]


def is_over(game: Game, now: datetime) -> bool:
    """Whether the final whistle has been blown."""
    return game.start + DURATION <= now


def played(seed: int, league: str, season: int, now: datetime) -> list[Game]:
    """The games of a season that are over."""
    return [game for game in games(seed, league, season, now) if is_over(game, now)]


@dataclass(frozen=True, slots=True)
class GameIds:
    """How a service numbers games: a block of numbers for each league of each season."""

    base: int
    season: int
    leagues: tuple[str, ...]
    block: int

    def of(self, game: Game) -> int:
        """The service's number of a game."""
        place = (game.season - self.season) * len(self.leagues) + self.leagues.index(game.league)
        return self.base + place * self.block + game.number

    def find(self, seed: int, number: int, now: datetime) -> Game:
        """The game of a number; a not_found fault otherwise."""
        place, index = divmod(number - self.base, self.block)
        years, league = divmod(place, len(self.leagues))
        found = all_games(seed, self.leagues[league], self.season + years) if abs(years) < 50 else ()
        if index >= len(found) or found[index].known > now:
            first = all_games(seed, self.leagues[0], self.season)
            raise not_found("game", number, known=[self.of(game) for game in first[:3]])
        return found[index]


@dataclass(slots=True)
class Tally:
    """Games of one team, counted."""

    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    scored: int = 0
    conceded: int = 0

    def add(self, scored: int, conceded: int) -> None:
        """Count one game."""
        self.played += 1
        self.won += scored > conceded
        self.drawn += scored == conceded
        self.lost += scored < conceded
        self.scored += scored
        self.conceded += conceded

    @property
    def share(self) -> float:
        """The share of games won."""
        return round(self.won / self.played, 3) if self.played else 0.0


def tally(found: Iterable[Game], team: Team, *, where: str = "all") -> Tally:
    """The record of a team over some games: all of them, or those at "home" or "away"."""
    total = Tally()
    for game in found:
        if (team == game.home and where != "away") or (team == game.away and where != "home"):
            total.add(*game.side(team))
    return total


def form(found: Sequence[Game], team: Team, last: int = 5) -> str:
    """The last results of a team as letters, latest last."""
    own = [game.side(team) for game in found if team in (game.home, game.away)]
    return "".join("W" if us > them else "L" if us < them else "D" for us, them in own[-last:])


def tallies(found: Iterable[Game]) -> dict[Team, Tally]:
    """The record of every team over some games."""
    records: dict[Team, Tally] = {}
    for game in found:
        records.setdefault(game.home, Tally()).add(game.home_score, game.away_score)
        records.setdefault(game.away, Tally()).add(game.away_score, game.home_score)
    return records


def ranked(found: Iterable[Game], teams: Iterable[Team]) -> list[tuple[Team, Tally]]:
    """Teams with their records, best first: share of wins, then difference, then points scored."""
    records = tallies(found)
    rows = [(team, records.get(team) or Tally()) for team in teams]
    return sorted(
        rows, key=lambda row: (-row[1].share, row[1].conceded - row[1].scored, -row[1].scored, row[0].id)
    )
