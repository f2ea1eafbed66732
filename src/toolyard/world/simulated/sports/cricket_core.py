"""Cricket: series and calendars are reference; innings in which every run is accounted for come from the seed."""

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Annotated, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import read_record, read_table
from toolyard.world.kernel.types import Semantic
from toolyard.world.reference.people import LAST, MALE
from toolyard.world.simulated.sports.box_scores import distribute_total, known_players

SeriesId = Annotated[int, Semantic("cricket_series_id")]
SeriesName = Annotated[str, Semantic("cricket_series")]
MatchId = Annotated[int, Semantic("cricket_match_id")]
TeamName = Annotated[str, Semantic("cricket_team")]
FIRST_MATCH = 2431580
# By format: days, overs of an innings, usual runs, hour of the start, hours of play a day.
_FORMS = {"T20": (1, 20, 165, 14, 4), "100-ball": (1, 16, 140, 17, 3), "ODI": (1, 50, 255, 9, 8),
          "Test": (5, 90, 290, 10, 8), "First-class": (4, 90, 290, 10, 8)}  # fmt: skip
_BATTING = (18, 16, 17, 14, 11, 9, 7, 4, 2, 1, 1)
_BOWLERS = 6


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """A tournament or tour."""

    id: int
    name: str
    season: str
    format: str
    first: date
    last: date
    teams: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """A match of a series; `id` tells the place in the list of all matches."""

    id: int
    series: Series
    start: datetime
    home: str
    away: str

    @property
    def end(self) -> datetime:
        """When it is over."""
        days, _, _, _, hours = _FORMS[self.series.format]
        return self.start + timedelta(days=days - 1, hours=hours)


class Innings(TypedDict):
    """Batters with runs and balls, "Virat Kohli 54 (31)", with * where not out; bowlers with wickets and runs, "2-26"."""

    team: TeamName
    runs: int
    wickets: int
    overs: str
    extras: int
    batting: list[str]
    bowling: list[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match went: innings in the order of batting, the result in words, and who won (None for a draw)."""

    innings: tuple[Innings, ...]
    result: str
    winner: str | None


@functools.cache
def all_series() -> tuple[Series, ...]:
    """All series, by id."""
    return tuple(read_record(Series, row) for row in read_table("cricket_series.tsv"))


def _match_pairs(series: Series) -> list[tuple[str, str]]:
    """Everybody with everybody once, at most two matches a day; two teams as often as there is time, up to five times."""
    days, span = _FORMS[series.format][0], (series.last - series.first).days
    if len(series.teams) == 2:
        return [(series.teams[0], series.teams[1])] * min(5, span // (days + 1) + 1)
    pairs = [(one, other) for n, one in enumerate(series.teams) for other in series.teams[n + 1 :]]
    chance = seeds.stream("cricket calendar", series.id)
    chance.shuffle(pairs)
    return [pair if chance.random() < 0.5 else pair[::-1] for pair in pairs[: 2 * span]]


def _match_slots(series: Series) -> Iterator[tuple[date, str, str]]:
    """The matches of a series spread over its time; nobody plays two at once."""
    pairs, days = _match_pairs(series), _FORMS[series.format][0]
    span = (series.last - series.first).days - days + 1
    busy: set[tuple[int, str]] = set()
    for number, (home, away) in enumerate(pairs):
        wanted = number * span // max(1, len(pairs) - 1)
        order = (*range(wanted, span + 1), *range(wanted - 1, -1, -1))
        free = (
            n for n in order if not busy & {(n + more, team) for more in range(days) for team in (home, away)}
        )
        first = next(free, wanted)
        busy |= {(first + more, team) for more in range(days) for team in (home, away)}
        yield series.first + timedelta(days=first), home, away


@functools.cache
def all_matches() -> tuple[Match, ...]:
    """All matches; numbers run on within each series."""
    found: list[Match] = []
    for series in all_series():
        hour = _FORMS[series.format][3]
        for day, home, away in sorted(_match_slots(series)):
            start = datetime(day.year, day.month, day.day, hour, tzinfo=UTC)
            found.append(Match(FIRST_MATCH + len(found), series, start, home, away))
    return tuple(found)


@functools.cache
def team_eleven(team: str) -> tuple[str, ...]:
    """The eleven players of a team in order of batting: those who are known, or made-up ones."""
    known = known_players().get(f"cricket:{team}")
    if known is not None:
        return tuple(entry[0] for entry in known)
    chance = seeds.stream("cricketers", team)
    return tuple(dict.fromkeys(f"{chance.choice(MALE)} {chance.choice(LAST)}" for _ in range(40)))[:11]


def _play_innings(match: Match, team: str, other: str, target: int | None, chance: Random) -> Innings:
    """One innings; a side that chases stops at the first run beyond the target."""
    _, overs, usual, _, _ = _FORMS[match.series.format]
    runs = max(60, round(chance.gauss(usual, 30)))
    wickets = min(10, max(2, round(chance.gauss(7, 2))))
    balls = overs * 6 if wickets < 10 else round(overs * 6 * chance.uniform(0.75, 0.99))
    if target is not None and runs == target:
        runs -= 1  # nothing ends in a tie
    elif target is not None and runs > target:
        runs, wickets, balls = (
            target + chance.randrange(1, 5),
            min(wickets, 8),
            round(balls * chance.uniform(0.85, 0.99)),
        )
    extras = min(runs // 8, chance.randrange(3, 16))
    people, attack = team_eleven(team)[: wickets + 2 if wickets < 10 else 11], team_eleven(other)[-_BOWLERS:]
    shares = distribute_total(runs - extras, _BATTING[: len(people)], chance)
    faced = distribute_total(balls, [share + 2 for share in shares], chance)
    each = [balls // 6 // _BOWLERS + (n < balls // 6 % _BOWLERS) for n in range(_BOWLERS)]
    taken, conceded = distribute_total(wickets, each, chance), distribute_total(runs, each, chance)
    staying = set(chance.sample(range(len(people)), len(people) - wickets))
    return {
        "team": team,
        "runs": runs,
        "wickets": wickets,
        "overs": f"{balls // 6}.{balls % 6}" if balls % 6 else str(balls // 6),
        "extras": extras,
        "batting": [
            f"{name} {shares[n]}{'*' if n in staying else ''} ({max(faced[n], (shares[n] + 5) // 6)})"
            for n, name in enumerate(people)
        ],
        "bowling": [f"{name} {taken[n]}-{conceded[n]}" for n, name in enumerate(attack)],
    }  # fmt: skip


@seeds.cache_by_seed(512)
def match_outcome(seed: int, match: Match) -> Outcome:
    """The innings of a match and how it ended."""
    chance = seeds.stream(seed, "cricket match", match.id)
    first, second = (match.home, match.away) if chance.random() < 0.5 else (match.away, match.home)
    one = _play_innings(match, first, second, None, chance)
    if _FORMS[match.series.format][0] == 1:
        two = _play_innings(match, second, first, one["runs"], chance)
        left = one["runs"] - two["runs"]
        return Outcome((one, two), *_result_and_winner(first, second, left, two["wickets"]))
    two = _play_innings(match, second, first, None, chance)
    three = _play_innings(match, first, second, None, chance)
    target = max(0, one["runs"] + three["runs"] - two["runs"])
    four = _play_innings(match, second, first, target, chance)
    left = one["runs"] + three["runs"] - two["runs"] - four["runs"]
    drawn = left >= 0 and four["wickets"] < 10
    told = ("Match drawn", None) if drawn else _result_and_winner(first, second, left, four["wickets"])
    return Outcome((one, two, three, four), *told)


def _result_and_winner(first: str, second: str, left: int, wickets: int) -> tuple[str, str]:
    """The result in words and the winner, by the runs that the second side was short of."""
    margin, what = (left, "run") if left > 0 else (10 - wickets, "wicket")
    winner = first if left > 0 else second
    return f"{winner} won by {margin} {what}{'s' if margin > 1 else ''}", winner
