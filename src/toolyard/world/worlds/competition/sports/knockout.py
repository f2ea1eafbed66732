"""Knock-out rounds: a cup of single games, and play-offs in which four wins count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from toolyard.world.worlds.competition.sports.core import (
    DURATION,
    LONG_AGO,
    Game,
    League,
    Team,
    play,
    ranked,
    teams_of,
)

ROUNDS = {16: "Round of 16", 8: "Quarter-finals", 4: "Semi-finals", 2: "Final"}
PLAYOFFS = ("First Round", "Conference Semifinals", "Conference Finals", "NBA Finals")


def _at(day: date, hour: int) -> datetime:
    return datetime(day.year, day.month, day.day, hour, tzinfo=UTC)


def _won(game: Game) -> Team:
    return game.home if game.home_score > game.away_score else game.away


def cup(seed: int, league: League, season: int) -> Iterator[Game]:
    """The games of a cup; a draw is decided by one more goal of the home side."""
    alive = list(teams_of(league.key))
    known = LONG_AGO
    first, last = league.day(season, league.opening), league.day(season, league.closing)
    for number, (size, name) in enumerate(ROUNDS.items()):
        pairs = [(alive[i], alive[size - 1 - i]) for i in range(size // 2)]
        day = first + timedelta(days=number * (last - first).days // 3)
        winners = []
        for place, (home, away) in enumerate(pairs):
            start = _at(day + timedelta(days=place % 2), league.hour)
            game = play(seed, league, season, (number + 1, start, home, away), name=name)
            if game.home_score == game.away_score:
                game = replace(game, home_score=game.home_score + 1)
            winners.append(_won(game))
            yield replace(game, known=known)
        alive, known = winners, _at(day + timedelta(days=1), league.hour) + DURATION


def playoffs(seed: int, league: League, season: int, regular: Sequence[Game]) -> Iterator[Game]:
    """Eight teams of each conference by their records, four rounds, four wins to go on."""
    day = league.day(season, league.closing) + timedelta(days=5)
    order = [team for team, _ in ranked(regular, teams_of(league.key))]
    sides = [[team for team in order if team.group.startswith(name)][:8] for name in ("East", "West")]
    known = _at(day - timedelta(days=2), 12)
    for number, name in enumerate(PLAYOFFS):
        pairs = [(s[i], s[len(s) - 1 - i]) for s in sides for i in range(len(s) // 2)]
        winners = []
        for place, pair in enumerate(pairs):
            better, other = sorted(pair, key=order.index)
            series = list(_series(seed, league, season, (number + 1, name, day, place), better, other))
            winners.append(max(pair, key=lambda team: sum(_won(game) == team for game in series)))
            yield from (replace(game, known=known) for game in series)
        half = len(winners) // 2
        sides = [winners[:half], winners[half:]] if half > 1 else [winners]
        known, day = _at(day + timedelta(days=14), 12), day + timedelta(days=15)


def _series(
    seed: int, league: League, season: int, where: tuple[int, str, date, int], better: Team, other: Team
) -> Iterator[Game]:
    number, name, day, place = where
    wins = {better: 0, other: 0}
    for turn, at_home in enumerate((True, True, False, False, True, False, True)):
        if max(wins.values()) == 4:
            return
        home, away = (better, other) if at_home else (other, better)
        start = _at(day + timedelta(days=2 * turn + place % 2), league.hour)
        game = play(seed, league, season, (number, start, home, away), name=name)
        wins[_won(game)] += 1
        yield game
