"""Seasons: calendars are the same under every seed, scores and knock-out rounds come from it."""

import functools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from random import Random

from toolyard.core.ordered_sums import group_items
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.simulated.sports.core import (
    DURATION,
    LONG_AGO,
    Game,
    League,
    Team,
    all_leagues,
    expected_goals,
    rank_teams,
    team_skill,
    teams_in_season,
    teams_of,
)

_CUP = {16: "Round of 16", 8: "Quarter-finals", 4: "Semi-finals", 2: "Final"}
_PLAYOFFS = ("First Round", "Conference Semifinals", "Conference Finals", "NBA Finals")
_PLAYOFF_DAYS, _BEFORE_PLAYOFFS = 18, 6
# Points of a side in a game of basketball.
POINTS = {"nba": 114, "wnba": 82, "euroleague": 80, "acb": 82, "nbl": 89}
Slot = tuple[int, datetime, Team, Team]


@functools.lru_cache(maxsize=1024)
def _utc_at(day: date, hour: int, minute: int = 30) -> datetime:
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)


def _round_pairs(teams: Sequence[Team]) -> list[list[tuple[Team, Team]]]:
    """Everybody against everybody, at home and away (the circle method)."""
    ring, count = list(teams), len(teams)
    first = []
    for number in range(count - 1):
        pairs = [(ring[i], ring[count - 1 - i]) for i in range(count // 2)]
        first.append([pair if (number + i) % 2 else pair[::-1] for i, pair in enumerate(pairs)])
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return [*first, *([pair[::-1] for pair in pairs] for pairs in first)]


def _round_robin(league: League, season: int) -> Iterator[Slot]:
    teams = list(teams_in_season(league.key, season))
    seeds.stream("calendar", league.key, season).shuffle(teams)
    rounds = _round_pairs(teams)
    first, last = league.day(season, league.opening), league.day(season, league.closing)
    for number, pairs in enumerate(rounds):
        day = first + timedelta(days=number * (last - first).days // (len(rounds) - 1))
        for place, (home, away) in enumerate(pairs):
            when = day + timedelta(days=place * 3 // len(pairs) - 1)
            yield number + 1, _utc_at(when, league.hour + 2 * (place % 3)), home, away


def _nba_pairs() -> Iterator[tuple[Team, Team]]:
    """82 games for each: 2 with the other conference, 4 with division rivals, 3 or 4 with the rest."""
    teams = teams_of("nba")
    places = group_items(teams, lambda team: team.group)
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


def _nba_slots(league: League, season: int) -> Iterator[Slot]:
    """The regular season of the NBA: games on every day, and nobody plays twice on one."""
    chance = seeds.stream("calendar", league.key, season)
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
        yield day + 1, _utc_at(first + timedelta(days=day), league.hour + chance.randrange(4)), home, away


@functools.lru_cache(maxsize=4)
def _season_slots(league_key: str, season: int) -> tuple[Slot, ...]:
    """Who meets whom when in a regular season."""
    make = _nba_slots if league_key == "nba" else _round_robin
    return tuple(sorted(make(all_leagues()[league_key], season), key=lambda slot: (slot[1], slot[2].id)))


def draw_goals(mean: float, chance: Random) -> int:
    """A number of goals."""
    left, count = chance.random(), 0
    term = math.exp(-mean)
    while left > term and count < 12:
        left -= term
        count += 1
        term *= mean / count
    return count


def _draw_score(league: League, difference: float, chance: Random) -> tuple[int, int]:
    if league.sport == "football":
        home, away = expected_goals(difference)
        return draw_goals(home, chance), draw_goals(away, chance)
    total, margin = chance.gauss(2 * POINTS[league.key], 13), chance.gauss(2.1 * difference + 2.5, 10)
    home_points, away_points = round((total + margin) / 2), round((total - margin) / 2)
    return (home_points + (home_points == away_points), away_points)


def _play(
    seed: int, league: League, season: int, slots: Iterable[Slot], name: str, known: datetime = LONG_AGO
) -> Iterator[Game]:
    """The games of some slots with their scores; without numbers."""
    power = functools.cache(lambda team: team_skill(seed, team, season))
    chance = None
    for number, start, home, away in slots:
        if chance is None:
            chance = seeds.stream(seed, "games", league.key, season, name, number, home.key)
        points = _draw_score(league, power(home) - power(away), chance)
        yield Game(league.key, season, 0, name, number, start, home, away, *points, known)


def _winning_team(game: Game) -> Team:
    return game.home if game.home_score > game.away_score else game.away


def _play_cup(seed: int, league: League, season: int) -> Iterator[Game]:
    """The games of a cup; a draw is decided by one more goal of the home side. Pairs are known after the round before."""
    alive = list(teams_of(league.key))
    seeds.stream("calendar", league.key, season).shuffle(alive)
    known = LONG_AGO
    first, last = league.day(season, league.opening), league.day(season, league.closing)
    for number, name in enumerate(_CUP.values(), 1):
        day = first + timedelta(days=(number - 1) * (last - first).days // 3)
        slots = [(number, _utc_at(day + timedelta(days=place % 2), league.hour, 0), alive[2 * place], alive[2 * place + 1])
                 for place in range(len(alive) // 2)]  # fmt: skip
        games = [
            replace(game, home_score=game.home_score + (game.home_score == game.away_score))
            for game in _play(seed, league, season, slots, name, known)
        ]
        yield from games
        alive, known = [_winning_team(game) for game in games], games[-1].start + DURATION


def _play_playoffs(seed: int, league: League, season: int, regular: Sequence[Game]) -> Iterator[Game]:
    """Eight teams of each conference by their records, four rounds, four wins to go on."""
    day = league.day(season, league.closing) + timedelta(days=_BEFORE_PLAYOFFS)
    order = [team for team, _ in rank_teams(regular, teams_of(league.key))]
    sides = [[team for team in order if team.group.startswith(name)][:8] for name in ("East", "West")]
    for number, name in enumerate(_PLAYOFFS, 1):
        pairs = [(side[i], side[-1 - i]) for side in sides for i in range(len(side) // 2)]
        if number == len(_PLAYOFFS):
            pairs = [(sides[0][0], sides[1][0])]
        winners = []
        for place, pair in enumerate(pairs):
            better, other = sorted(pair, key=order.index)
            days = [day + timedelta(days=2 * turn + place % 2) for turn in range(7)]
            slots = [(number, _utc_at(when, league.hour + 2 + place % 2), *((better, other) if at_home else (other, better)))
                     for when, at_home in zip(days, (1, 1, 0, 0, 1, 0, 1), strict=True)]  # fmt: skip
            series = _series(_play(seed, league, season, slots, name, _utc_at(day - timedelta(days=2), 12)))
            winners.append(_winning_team(series[-1]))
            yield from series
        half = len(winners) // 2
        sides = [winners[:half], winners[half:]]
        day += timedelta(days=_PLAYOFF_DAYS)


def _series(games: Iterable[Game]) -> list[Game]:
    """Games until one side has won four; from the fifth on each is known after the one before."""
    found: list[Game] = []
    for game in games:
        found.append(game if len(found) < 4 else replace(game, known=game.start - timedelta(hours=45)))
        if sum(_winning_team(one) is _winning_team(game) for one in found) == 4:
            break
    return found


@seeds.cache_by_seed(256)
def all_games(seed: int, league_key: str, season: int) -> tuple[Game, ...]:
    """Every game of a season in order of time; `number` is the place in that order."""
    league = all_leagues()[league_key]
    if season not in league.seasons:
        return ()
    if league_key == "ucl":
        return _number_games(_play_cup(seed, league, season))
    regular = _number_games(_play(seed, league, season, _season_slots(league_key, season), "Regular Season"))
    if league_key != "nba":
        return regular
    return regular + _number_games(_play_playoffs(seed, league, season, regular), len(regular))


def _number_games(games: Iterable[Game], first: int = 0) -> tuple[Game, ...]:
    ordered = sorted(games, key=lambda game: (game.start, game.home.id))
    return tuple(
        Game(
            game.league, game.season, first + n, game.stage, game.round, game.start, game.home, game.away,
            game.home_score, game.away_score, game.known,
        )
        for n, game in enumerate(ordered)
    )  # fmt: skip


def scheduled_games(seed: int, league: str, season: int, now: datetime) -> list[Game]:
    """The games of a season that have been scheduled by now."""
    return [game for game in all_games(seed, league, season) if game.known <= now]


def is_over(game: Game, now: datetime) -> bool:
    """Whether the final whistle has been blown."""
    return game.start + DURATION <= now


def finished_games(seed: int, league: str, season: int, now: datetime) -> list[Game]:
    """The games of a season that are over."""
    return [game for game in scheduled_games(seed, league, season, now) if is_over(game, now)]


def regular_season(seed: int, league: str, season: int, now: datetime) -> list[Game]:
    """The games of a season that are over, without its play-offs."""
    return [one for one in finished_games(seed, league, season, now) if one.stage == "Regular Season"]


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
            first = self.leagues[0]
            known = [self.of(game) for game in scheduled_games(seed, first, all_leagues()[first].last, now)]
            raise not_found("game", number, known=known, listed_by=self.listed_by)
        return found[index]
