"""Seasons: the games of a league in order of time; those that were played, and those that are on the calendar."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.reference.packed import packed
from toolyard.world.shared.days import zone
from toolyard.world.shared.geography import read_table
from toolyard.world.worlds.competition.sports.core import (
    DURATION,
    LONG_AGO,
    Game,
    League,
    all_teams,
    leagues,
)

# Games that begin earlier in the evening than others of their competition, by day and home team.
_EARLY = {"2024-05-24 Panathinaikos": 18}
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
        # Nights of European cups begin at nine in Paris, a quarter of an hour earlier until 2018. Of American games the
        # day is on record, the hour is not.
        hour, minute = _EARLY.get(f"{row['date']} {row['home']}", 21), 0
        if league.key == "ucl" and season == 2017:
            hour, minute = 20, 45
        evening = day.replace(hour=hour, minute=minute, tzinfo=zone("Europe/Paris")).astimezone(UTC)
        start = day.replace(hour=23, tzinfo=UTC) if league.key in ("nba", "wnba") else evening
        known = start - timedelta(hours=48) if league.key == "nba" and start >= _OPEN_FROM else LONG_AGO
        yield Game(league.key, season, 0, row["stage"], stages.index(row["stage"]) + 1, start, named[row["home"]],
                   named[row["away"]], int(row["home_score"]), int(row["away_score"]), known)  # fmt: skip


@seeds.remembered(256)
def all_games(seed: int, league_key: str, season: int) -> tuple[Game, ...]:
    """Every game of a season in order of time; `number` is the place in that order."""
    league = leagues()[league_key]
    if not league.first <= season <= league.last:
        return ()
    if league_key in _ZONES:
        return _numbered(_league_matches(league, season))
    return _numbered(_single_games(league, season))


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
    listed_by: str = ""

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
            raise not_found("game", number, known=[self.of(game) for game in self._every(seed, now)],
                            listed_by=self.listed_by)  # fmt: skip
        return found[index]

    def _every(self, seed: int, now: datetime) -> Iterator[Game]:
        """All games that are numbered, those of the latest season first."""
        for key in self.leagues:
            for season in reversed(leagues()[key].seasons):
                yield from games(seed, key, season, now)
