"""Cricket: series, matches and innings in which every run is accounted for."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Annotated, TypedDict

from toolyard.world import seeds
from toolyard.world.shared.geography import read_table
from toolyard.world.shared.people import LAST, MALE
from toolyard.world.types import Semantic
from toolyard.world.worlds.competition.sports.box_scores import deal, named

SeriesId = Annotated[int, Semantic("cricket_series_id")]
SeriesName = Annotated[str, Semantic("cricket_series")]
MatchId = Annotated[int, Semantic("cricket_match_id")]
TeamName = Annotated[str, Semantic("cricket_team")]
FIRST_MATCH = 2431580
_DAYS = {"T20": 1, "ODI": 1, "Test": 5}
_OVERS = {"T20": 20, "ODI": 50, "Test": 90}
_RUNS = {"T20": 165, "ODI": 255, "Test": 290}
_BATTING = (18, 16, 17, 14, 11, 9, 7, 4, 2, 1, 1)


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
        days = _DAYS[self.series.format]
        return self.start + timedelta(days=days - 1, hours=4 if self.series.format == "T20" else 8)


class Batter(TypedDict):
    batter: str
    how_out: str
    runs: int
    balls: int
    fours: int
    sixes: int


class Bowler(TypedDict):
    bowler: str
    overs: str
    runs: int
    wickets: int


class Innings(TypedDict):
    team: TeamName
    runs: int
    wickets: int
    overs: str
    extras: int
    batting: list[Batter]
    bowling: list[Bowler]


@functools.cache
def all_series() -> tuple[Series, ...]:
    """All series, by id."""
    return tuple(
        Series(int(row["id"]), row["name"], row["season"], row["format"], date.fromisoformat(row["first"]),
               date.fromisoformat(row["last"]), tuple(row["teams"].split(";")))
        for row in read_table("cricket_series.tsv")
    )  # fmt: skip


def _pairs(series: Series) -> list[tuple[str, str]]:
    """Everybody with everybody once; two teams play three matches, or five if they are tests."""
    if len(series.teams) == 2:
        one, other = series.teams
        return [(one, other)] * (5 if series.format == "Test" else 3)
    return [(one, other) for n, one in enumerate(series.teams) for other in series.teams[n + 1 :]]


@seeds.table
def matches(seed: int) -> tuple[Match, ...]:
    """All matches; numbers run on within each series."""
    found: list[Match] = []
    for series in all_series():
        pairs = _pairs(series)
        chance = seeds.stream(seed, "cricket schedule", series.id)
        chance.shuffle(pairs)
        span = (series.last - series.first).days
        for number, pair in enumerate(pairs):
            home, away = pair if chance.random() < 0.5 else pair[::-1]
            day = series.first + timedelta(days=number * span // max(1, len(pairs) - 1))
            hour = {"T20": 14, "ODI": 9, "Test": 10}[series.format]
            start = datetime(day.year, day.month, day.day, hour, tzinfo=UTC)
            found.append(Match(FIRST_MATCH + len(found), series, start, home, away))
    return tuple(found)


@functools.lru_cache(maxsize=512)
def eleven(seed: int, team: str) -> tuple[str, ...]:
    """The eleven players of a team in order of batting."""
    known = named().get(f"cricket:{team}")
    if known is not None:
        return tuple(entry[0] for entry in known)
    chance = seeds.stream(seed, "cricketers", team)
    names = dict.fromkeys(f"{chance.choice(MALE)} {chance.choice(LAST)}" for _ in range(30))
    return tuple(names)[:11]


def _overs(balls: int) -> str:
    return f"{balls // 6}.{balls % 6}" if balls % 6 else str(balls // 6)


def _innings(seed: int, match: Match, team: str, other: str, limit: int | None, chance: Random) -> Innings:
    """One innings; a side that chases stops at the first run beyond the target."""
    overs = _OVERS[match.series.format]
    runs = max(60, round(chance.gauss(_RUNS[match.series.format], 30)))
    wickets = min(10, max(2, round(chance.gauss(7, 2))))
    balls = overs * 6 if wickets < 10 else round(overs * 6 * chance.uniform(0.75, 0.99))
    if limit is not None and runs > limit:
        runs, wickets, balls = (
            limit + chance.randrange(1, 5),
            min(wickets, 8),
            round(balls * chance.uniform(0.85, 0.99)),
        )
    extras = min(runs // 8, chance.randrange(3, 16))
    people = eleven(seed, team)[: wickets + 2 if wickets < 10 else 11]
    shares = deal(runs - extras, _BATTING[: len(people)], chance)
    faced = deal(balls, [share + 2 for share in shares], chance)
    attack = eleven(seed, other)[-6:]
    overs_each = [balls // 6 // 6 + (n < balls // 6 % 6) for n in range(6)]
    taken = deal(wickets, overs_each, chance)
    conceded = deal(runs - extras // 2, overs_each, chance)
    return {
        "team": team,
        "runs": runs,
        "wickets": wickets,
        "overs": _overs(balls),
        "extras": extras,
        "batting": _batting(people, shares, faced, wickets, attack, chance),
        "bowling": [
            {"bowler": name, "overs": str(overs_each[n]), "runs": conceded[n], "wickets": taken[n]}
            for n, name in enumerate(attack)
            if overs_each[n]
        ],
    }


def _batting(
    people: Sequence[str],
    shares: Sequence[int],
    faced: Sequence[int],
    wickets: int,
    attack: Sequence[str],
    chance: Random,
) -> list[Batter]:
    staying = set(chance.sample(range(len(people)), len(people) - wickets))
    rows: list[Batter] = []
    for n, name in enumerate(people):
        sixes = shares[n] // 6 * chance.randrange(0, 3) // 4
        fours = (shares[n] - 6 * sixes) // 4 * chance.randrange(1, 4) // 5
        how = f"{chance.choice(('c & b', 'b', 'lbw b', 'st b', 'c sub b'))} {chance.choice(attack)}"
        rows.append(
            {
                "batter": name,
                "how_out": "not out" if n in staying else how,
                "runs": shares[n],
                "balls": max(faced[n], (shares[n] + 5) // 6),
                "fours": fours,
                "sixes": sixes,
            }
        )
    return rows


@functools.lru_cache(maxsize=2048)
def scorecard(seed: int, match: Match) -> tuple[tuple[Innings, ...], str, str | None]:
    """The innings of a match, its result in words, and the winner."""
    chance = seeds.stream(seed, "cricket match", match.id)
    first, second = (match.home, match.away) if chance.random() < 0.5 else (match.away, match.home)
    if match.series.format != "Test":
        one = _innings(seed, match, first, second, None, chance)
        two = _innings(seed, match, second, first, one["runs"], chance)
        return (one, two), *_decided(one, two)
    innings = [
        _innings(seed, match, team, other, None, chance) for team, other in ((first, second), (second, first))
    ]
    innings.append(_innings(seed, match, first, second, None, chance))
    target = innings[0]["runs"] + innings[2]["runs"] - innings[1]["runs"]
    innings.append(_innings(seed, match, second, first, max(0, target), chance))
    left = target - innings[3]["runs"]
    if left < 0:
        return tuple(innings), f"{second} won by {10 - innings[3]['wickets']} wickets", second
    if innings[3]["wickets"] == 10:
        return (
            tuple(innings),
            f"{first} won by {left} runs" if left else "Match tied",
            first if left else None,
        )
    return tuple(innings), "Match drawn", None


def _decided(one: Innings, two: Innings) -> tuple[str, str | None]:
    if two["runs"] > one["runs"]:
        return f"{two['team']} won by {10 - two['wickets']} wickets", two["team"]
    if two["runs"] < one["runs"]:
        return f"{one['team']} won by {one['runs'] - two['runs']} runs", one["team"]
    return "Match tied", None
