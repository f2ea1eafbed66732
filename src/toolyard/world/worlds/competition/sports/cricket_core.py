"""Cricket: series, and the matches that are on record."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, TypedDict

from toolyard.world.shared.geography import read_table
from toolyard.world.types import Semantic

SeriesId = Annotated[int, Semantic("cricket_series_id")]
SeriesName = Annotated[str, Semantic("cricket_series")]
MatchId = Annotated[int, Semantic("cricket_match_id")]
TeamName = Annotated[str, Semantic("cricket_team")]
FIRST_MATCH = 2431580
_DAYS = {"T20": 1, "100-ball": 1, "ODI": 1, "Test": 5, "First-class": 4}


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
    """A match of a series; `id` tells the place in the list of all matches. `first` bats first, `home` hosts.

    Scores are runs and wickets of each innings; they and the result are empty while it is to come.
    """

    id: int
    series: Series
    start: datetime
    last: date
    home: str
    first: str
    second: str
    first_score: str
    second_score: str
    result: str

    @property
    def end(self) -> datetime:
        """When it is over."""
        hours = 4 if self.series.format in ("T20", "100-ball") else 8
        return self.start + timedelta(days=(self.last - self.start.date()).days, hours=hours)

    @property
    def away(self) -> str:
        """The guests."""
        return self.second if self.home == self.first else self.first

    @property
    def scores(self) -> dict[str, str]:
        """What each team scored, its innings joined by commas."""
        return {self.first: self.first_score, self.second: self.second_score}

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


def _start(day: date, time: str) -> datetime:
    return datetime.fromisoformat(f"{day.isoformat()}T{time}:00").replace(tzinfo=UTC)


def _last(series: Series, first: date) -> date:
    return first + timedelta(days=_DAYS[series.format] - 1)


@functools.cache
def matches() -> tuple[Match, ...]:
    """The matches that are known, in the order of the table."""
    known = {series.id: series for series in all_series()}
    found: list[Match] = []
    for row in read_table("cricket_matches.tsv"):
        series, day = known[int(row["series"])], date.fromisoformat(row["date"])
        last = date.fromisoformat(row["last"]) if row["last"] else _last(series, day)
        found.append(
            Match(FIRST_MATCH + len(found), series, _start(day, row["time"]), last, row["home"] or row["first"],
                  row["first"], row["second"], row["first_score"], row["second_score"], row["result"])
        )  # fmt: skip
    return tuple(found)


@functools.cache
def days_on_record() -> tuple[date, date]:
    """The first and the last day on which a known match is played."""
    return min(match.start.date() for match in matches()), max(match.last for match in matches())


def innings(match: Match) -> list[Innings]:
    """The innings of a match that is over, in the order of batting."""
    sides = ((match.first, match.first_score.split(",")), (match.second, match.second_score.split(",")))
    turns = [(team, scores[turn]) for turn in range(2) for team, scores in sides if turn < len(scores)]
    return [
        Innings(team=team, runs=int(score.split("/")[0]), wickets=int(score.split("/")[1]))
        for team, score in turns
        if score
    ]
