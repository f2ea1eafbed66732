"""Cricket: series, the matches on record, and fixtures to come."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, TypedDict

from toolyard.world import seeds
from toolyard.world.shared.geography import read_table
from toolyard.world.state import EPOCH
from toolyard.world.types import Semantic

SeriesId = Annotated[int, Semantic("cricket_series_id")]
SeriesName = Annotated[str, Semantic("cricket_series")]
MatchId = Annotated[int, Semantic("cricket_match_id")]
TeamName = Annotated[str, Semantic("cricket_team")]
FIRST_MATCH = 2431580
_DAYS = {"T20": 1, "ODI": 1, "Test": 5, "First-class": 4}
_HOURS = {"T20": 14, "ODI": 9, "Test": 10, "First-class": 10}


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
    """A match of a series; `id` tells the place in the list of all matches. `first` batted first.

    Scores are runs and wickets of each innings; they and the result are empty while it is to come.
    """

    id: int
    series: Series
    start: datetime
    first: str
    second: str
    first_score: str
    second_score: str
    result: str

    @property
    def end(self) -> datetime:
        """When it is over."""
        days = _DAYS[self.series.format]
        return self.start + timedelta(days=days - 1, hours=4 if self.series.format == "T20" else 8)

    @property
    def winner(self) -> str | None:
        """Who won; None where nobody did."""
        return next(
            (team for team in (self.first, self.second) if self.result.startswith(f"{team} won")), None
        )


class Innings(TypedDict):
    team: TeamName
    runs: int
    wickets: int


@functools.cache
def all_series() -> tuple[Series, ...]:
    """All series, by id."""
    return tuple(
        Series(int(row["id"]), row["name"], row["season"], row["format"], date.fromisoformat(row["first"]),
               date.fromisoformat(row["last"]), tuple(row["teams"].split(";")))
        for row in read_table("cricket_series.tsv")
    )  # fmt: skip


def _rounds(teams: list[str]) -> list[list[tuple[str, str]]]:
    """Everybody against everybody in rounds in which nobody plays twice (the circle method)."""
    ring = [*teams, *([""] if len(teams) % 2 else [])]
    found = []
    for _ in range(len(ring) - 1):
        pairs = [(ring[n], ring[-1 - n]) for n in range(len(ring) // 2)]
        found.append([pair for pair in pairs if all(pair)])
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return found


def _start(series: Series, day: date) -> datetime:
    return datetime(day.year, day.month, day.day, _HOURS[series.format], tzinfo=UTC)


@functools.cache
def _on_record() -> tuple[Match, ...]:
    """The matches that are known, in the order of the table."""
    known = {series.id: series for series in all_series()}
    found: list[Match] = []
    for row in read_table("cricket_matches.tsv"):
        series = known[int(row["series"])]
        found.append(
            Match(FIRST_MATCH + len(found), series, _start(series, date.fromisoformat(row["date"])), row["first"],
                  row["second"], row["first_score"], row["second_score"], row["result"])
        )  # fmt: skip
    return tuple(found)


@seeds.table
def matches(seed: int) -> tuple[Match, ...]:
    """The matches on record, then simulated fixtures of series of which nothing is: of days to come alone."""
    found = list(_on_record())
    held = {match.series.id for match in found}
    for series in all_series():
        if series.id in held or series.last <= EPOCH.date():
            continue
        teams = list(series.teams)
        seeds.stream(seed, "cricket schedule", series.id).shuffle(teams)
        rounds = _rounds(teams)
        first = max(series.first, EPOCH.date() + timedelta(days=2))
        span = (series.last - first).days - _DAYS[series.format]
        for number, pairs in enumerate(rounds):
            day = first + timedelta(days=number * span // max(1, len(rounds) - 1))
            for place, (one, other) in enumerate(pairs):
                # Long matches of a round are played at once, short ones on one day after the other.
                later = timedelta(
                    days=place % 3 if _DAYS[series.format] == 1 and len(rounds) < span // 3 else 0
                )
                start = _start(series, day + later)
                found.append(Match(FIRST_MATCH + len(found), series, start, one, other, "", "", ""))
    return tuple(found)


def innings(match: Match) -> list[Innings]:
    """The innings of a match that is over, in the order of batting."""
    sides = ((match.first, match.first_score.split(",")), (match.second, match.second_score.split(",")))
    turns = [(team, scores[turn]) for turn in range(2) for team, scores in sides if turn < len(scores)]
    return [
        Innings(team=team, runs=int(score.split("/")[0]), wickets=int(score.split("/")[1]))
        for team, score in turns
        if score
    ]
