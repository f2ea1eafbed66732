"""Seasons: the games of a league in order of time; past ones as they were played, coming ones simulated."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.reference.packed import packed
from toolyard.world.shared.days import zone
from toolyard.world.shared.geography import read_table
from toolyard.world.state import EPOCH
from toolyard.world.worlds.competition.sports.core import (
    DURATION,
    LONG_AGO,
    SIMULATED_FROM,
    Game,
    League,
    Slot,
    Team,
    all_teams,
    leagues,
    play,
    teams_of,
)


def _rounds(teams: Sequence[Team]) -> list[list[tuple[Team, Team]]]:
    """Everybody against everybody, at home and away (the circle method)."""
    ring, count = list(teams), len(teams)
    first = []
    for number in range(count - 1):
        pairs = [(ring[i], ring[count - 1 - i]) for i in range(count // 2)]
        first.append([pair if (number + i) % 2 else pair[::-1] for i, pair in enumerate(pairs)])
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return [*first, *([pair[::-1] for pair in pairs] for pairs in first)]


# Where and at which hours simulated games begin, one after the other, and the weekdays (Monday is 0) of their rounds.
_HOURS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "j1": ("Asia/Tokyo", ("14:00", "15:00", "16:00", "19:00")),
    "acb": ("Europe/Madrid", ("12:30", "17:00", "18:00", "20:00")),
    "euroleague": ("Europe/Berlin", ("19:00", "20:00", "20:30", "20:45")),
    "nbl": ("Australia/Sydney", ("15:00", "17:30")),
    "wnba": ("America/New_York", ("19:00", "19:30", "20:00")),
}
_WEEKDAYS = {"j1": (5,), "acb": (5,), "euroleague": (1, 3), "nbl": (5,), "wnba": (0, 1, 2, 3, 4, 5, 6)}
_WEST = frozenset(("Los Angeles", "Las Vegas", "Seattle", "Phoenix"))
# The round that is next in May 2024, and its day, where a season is under way.
_NEXT = {"j1": (15, date(2024, 5, 18))}


def _round_days(league: League, season: int, rounds: int) -> list[tuple[int, date]]:
    """Number and first day of each round that can be simulated, spread evenly over the season."""
    number, first = _NEXT.get(league.key, (1, league.day(season, league.opening)))
    last = league.day(season, league.closing)
    found = []
    for place in range(rounds - number + 1):
        day = first + timedelta(days=place * (last - first).days // (rounds - number))
        while day.weekday() not in _WEEKDAYS[league.key]:
            day += timedelta(days=1)
        found.append((number + place, day))
    return found


def _round_robin(seed: int, league: League, season: int) -> Iterator[Slot]:
    chance = seeds.stream(seed, "schedule", league.key, season)
    teams = list(teams_of(league.key))
    chance.shuffle(teams)
    rounds = _rounds(teams)
    where, hours = _HOURS[league.key]
    for number, day in _round_days(league, season, len(rounds)):
        pairs = rounds[number - 1]
        for place, (home, away) in enumerate(pairs):
            later = day + timedelta(days=place * 2 // len(pairs))
            clock = time.fromisoformat(hours[place % len(hours)])
            there = "America/Los_Angeles" if league.key == "wnba" and home.city in _WEST else where
            yield number, datetime.combine(later, clock, zone(there)).astimezone(UTC), home, away


_ZONES = {"pl": "Europe/London", "laliga": "Europe/Madrid", "seriea": "Europe/Rome", "bundesliga": "Europe/Berlin",
          "ligue1": "Europe/Paris"}  # fmt: skip
# From this day on it depends on other games whether a game of the play-offs takes place.
_OPEN_FROM = datetime(2024, 5, 19, tzinfo=UTC)


def _league_matches(league: League, season: int) -> Iterator[Game]:
    """The matches of a football league as they were played."""
    teams = {team.name: team for team in all_teams() if team.league == league.key}
    where = zone(_ZONES[league.key])
    for _, moment, number, home, away, scored, conceded in packed("football_matches").under(
        f"{league.key}:{season}"
    ):
        start = datetime.fromisoformat(moment).replace(tzinfo=where).astimezone(UTC)
        yield Game(league.key, season, 0, "Regular Season", int(number), start, teams[home], teams[away],
                   int(scored), int(conceded))  # fmt: skip


@functools.cache
def _on_record(league: str) -> tuple[dict[str, str], ...]:
    return tuple(row for row in read_table("played_games.tsv") if row["league"] == league)


def _single_games(league: League, season: int) -> Iterator[Game]:
    """The games of a league that are on record one by one."""
    named = {name: team for team in all_teams() for name in ((team.code if team.league == "nba" else team.name),)
             if leagues()[team.league].sport == league.sport}  # fmt: skip
    days = [row for row in _on_record(league.key) if int(row["season"]) == season]
    stages = list(dict.fromkeys(row["stage"] for row in days))
    for row in days:
        day = datetime.fromisoformat(row["date"])
        # Nights of the Champions League begin at nine in Paris. Of American games the day is on record, the hour is not.
        evening = day.replace(hour=21, tzinfo=zone("Europe/Paris")).astimezone(UTC)
        start = day.replace(hour=23, tzinfo=UTC) if league.key in ("nba", "wnba") else evening
        known = start - timedelta(hours=48) if league.key == "nba" and start >= _OPEN_FROM else LONG_AGO
        yield Game(league.key, season, 0, row["stage"], stages.index(row["stage"]) + 1, start, named[row["home"]],
                   named[row["away"]], int(row["home_score"]), int(row["away_score"]), known)  # fmt: skip


def _to_come(seed: int, league: League, season: int) -> Iterator[Game]:
    """Fixtures that nobody can know yet: simulated, and only of days after the present one of the world."""
    games = (play(seed, league, season, slot) for slot in _round_robin(seed, league, season))
    first = SIMULATED_FROM.get(league.key, EPOCH + timedelta(days=1))
    return (game for game in games if game.start > first)


@seeds.remembered(256)
def all_games(seed: int, league_key: str, season: int) -> tuple[Game, ...]:
    """Every game of a season in order of time; `number` is the place in that order."""
    league = leagues()[league_key]
    if not league.first <= season <= league.last:
        return ()
    if league_key in _ZONES:
        return _numbered(_league_matches(league, season))
    if league_key in ("ucl", "nba"):
        return _numbered(_single_games(league, season))
    return _numbered([*_single_games(league, season), *_to_come(seed, league, season)])


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
            raise not_found("game", number, known=[self.of(game) for game in self._every(seed, now)])
        return found[index]

    def _every(self, seed: int, now: datetime) -> Iterator[Game]:
        """All games that are numbered, those of the latest season first."""
        for key in self.leagues:
            for season in reversed(leagues()[key].seasons):
                yield from games(seed, key, season, now)
