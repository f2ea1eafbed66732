"""Seasons: every game of a league in order of time, each played once."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.worlds.competition.sports import knockout
from toolyard.world.worlds.competition.sports.core import (
    DURATION,
    Game,
    League,
    Slot,
    Team,
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


@functools.lru_cache(maxsize=256)
def all_games(seed: int, league_key: str, season: int) -> tuple[Game, ...]:
    """Every game of a season in order of time; `number` is the place in that order."""
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
            raise not_found("game", number, known=[self.of(game) for game in first])
        return found[index]
