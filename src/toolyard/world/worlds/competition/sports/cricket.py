"""Competition/Cricket_Live_Data: series, fixtures, results and scores."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import TypedDict

from toolyard.world.faults import ToolFault, not_found, out_of_range
from toolyard.world.registry import tool
from toolyard.world.shared.days import parse_date, stamp
from toolyard.world.state import World
from toolyard.world.types import IsoDate, IsoDateTime, Page
from toolyard.world.worlds.competition.sports.core import CricketDay
from toolyard.world.worlds.competition.sports.cricket_core import (
    FIRST_MATCH,
    Innings,
    Match,
    MatchId,
    SeriesId,
    SeriesName,
    TeamName,
    all_series,
    days_on_record,
    innings,
    matches,
)

GROUP = "Competition/Cricket_Live_Data"


class SeriesRow(TypedDict):
    series_id: SeriesId
    series_name: SeriesName
    season: str
    match_type: str
    start_date: IsoDate
    end_date: IsoDate
    status: str


class FixtureRow(TypedDict):
    id: MatchId
    series_id: SeriesId
    match_title: str
    match_type: str
    date: IsoDateTime
    home: TeamName
    away: TeamName
    status: str


class SeriesMatch(TypedDict):
    id: MatchId
    date: IsoDate
    home: TeamName
    away: TeamName
    status: str
    result: str | None


class ResultRow(TypedDict):
    id: MatchId
    series_id: SeriesId
    match_title: str
    date: CricketDay
    home: TeamName
    home_score: str
    away: TeamName
    away_score: str
    winner: TeamName | None
    result: str


class Scorecard(TypedDict):
    match_id: MatchId
    series_id: SeriesId
    match_title: str
    date: IsoDate
    status: str
    toss: str | None
    result: str | None
    winner: TeamName | None
    innings: list[Innings]


def _status(match: Match, now: datetime) -> str:
    return "Fixture" if now < match.start else "Result" if match.end <= now else "Live"


def _title(match: Match) -> str:
    return f"{match.home} v {match.away}"


def _fixture(match: Match, now: datetime) -> FixtureRow:
    return {
        "id": match.id,
        "series_id": match.series.id,
        "match_title": _title(match),
        "match_type": match.series.format,
        "date": stamp(match.start),
        "home": match.home,
        "away": match.away,
        "status": _status(match, now),
    }


def _told(score: str) -> str:
    return score.replace(",", " & ") or "did not bat"


def _runs_of(match: Match, team: str) -> str:
    """What a team scored; nobody did in a match that was abandoned before the first ball."""
    return _told(match.scores[team]) if any(match.scores.values()) else "no play"


def _result(match: Match) -> ResultRow:
    return {
        "id": match.id,
        "series_id": match.series.id,
        "match_title": _title(match),
        "date": match.start.date().isoformat(),
        "home": match.home,
        "home_score": _runs_of(match, match.home),
        "away": match.away,
        "away_score": _runs_of(match, match.away),
        "winner": match.winner,
        "result": match.result,
    }


def _by_time(found: Iterable[Match], *, latest: bool = False) -> list[Match]:
    return sorted(found, key=lambda match: (match.start, match.id), reverse=latest)


@tool(
    GROUP,
    examples=[{}],
    phrase="list all cricket series with their format and dates",
    noun="the list of cricket series",
)
def series(world: World) -> list[SeriesRow]:
    """Cricket series of 2023 and 2024 with format, dates and whether they are over. Not all matches of all are on
    record: of PSL, BBL and SA20 the final, of the County Championship one to come, of the Blast, the Hundred, Major League
    Cricket and the Caribbean Premier League none.
    """
    today = world.today
    return [
        {
            "series_id": one.id,
            "series_name": one.name,
            "season": one.season,
            "match_type": one.format,
            "start_date": one.first.isoformat(),
            "end_date": one.last.isoformat(),
            "status": "upcoming" if today < one.first else "finished" if today > one.last else "running",
        }
        for one in all_series()
    ]


@tool(
    GROUP,
    examples=[{}],
    phrase="list the next cricket matches of all series",
    noun="the list of upcoming cricket matches",
    jobs=("cricket matches",),
)
def fixtures(world: World) -> Page[FixtureRow]:
    """The next 30 matches on record of the known series, soonest first, and how many are on record to come.

    Leagues whose fixtures are not on record (the Blast, the Hundred and most of the County Championship) have none.
    """
    found = _by_time(match for match in matches() if match.start > world.now)
    return {"total": len(found), "offset": 0, "items": [_fixture(match, world.now) for match in found[:30]]}


@tool(
    GROUP,
    examples=[{"series_id": 606}, {"series_id": 615}],
    phrase="list all matches of the cricket series whose number is {series_id}",
    noun="the cricket matches of the series",
    jobs=("cricket matches",),
)
def fixtures_by_series(world: World, *, series_id: SeriesId) -> list[SeriesMatch]:
    """The matches of one series that are on record, with their results so far: the last 56, in order of time. Of PSL, BBL
    and SA20 the final alone is on record, of the County Championship one match to come, of the Blast, the Hundred, Major
    League Cricket and the Caribbean Premier League none.

    series_id: Number of the series, as `series` lists it.
    """
    found = _by_time(match for match in matches() if match.series.id == series_id)
    if not found:
        named = {one.id: one.name for one in all_series()}
        if series_id in named:
            raise ToolFault("not_found", f"no matches of {named[series_id]} are on record yet")
        raise not_found("series", series_id, known=list(named))
    return [
        {
            "id": match.id,
            "date": match.start.date().isoformat(),
            "home": match.home,
            "away": match.away,
            "status": _status(match, world.now),
            "result": match.result or None if match.end <= world.now else None,
        }
        for match in found[-56:]
    ]


def _known_day(text: str, *, until: date | None = None) -> date:
    """The day; a fault for one beyond the matches on record, and for one before them."""
    day, (first, last) = parse_date(text), days_on_record()
    last = min(last, until or last)
    if not first <= day <= last:
        raise out_of_range("date", text, f"matches are on record from {first} to {last}")
    return day


def _on(match: Match, day: date) -> bool:
    return match.start.date() <= day <= match.end.date()


@tool(
    GROUP,
    examples=[{"date": "2024-06-02"}, {"date": "2024-05-12"}],
    phrase="list the cricket matches, finished or not, that are played on {date}",
    noun="the cricket matches of the day",
    jobs=("cricket matches",),
)
def fixtures_by_date(world: World, *, date: CricketDay) -> list[FixtureRow]:
    """Matches on record that are played on a day, whether to come, under way or over; a test lasts up to five days.

    date: The day, from 16 June 2023 to 29 June 2024.
    """
    day = _known_day(date)
    found = _by_time(match for match in matches() if _on(match, day))
    return [_fixture(match, world.now) for match in found]


@tool(
    GROUP,
    examples=[{}],
    phrase="list the latest cricket results of all series",
    noun="the list of latest cricket results",
    jobs=("cricket matches",),
)
def results(world: World) -> Page[ResultRow]:
    """The latest 30 results of the known series, latest first, and how many are on record; of the County Championship
    there are none.
    """
    found = _by_time((match for match in matches() if match.result and match.end <= world.now), latest=True)
    return {"total": len(found), "offset": 0, "items": [_result(match) for match in found[:30]]}


@tool(
    GROUP,
    examples=[{"date": "2023-10-05"}],
    phrase="list the results of the cricket matches that ended on {date}",
    noun="the cricket results of the day",
    jobs=("cricket matches",),
)
def results_by_date(world: World, *, date: CricketDay) -> list[ResultRow]:
    """Results on record of the matches that ended on a day; of PSL, BBL and SA20 the final alone is on record.

    date: The day, from 16 June 2023 until today.
    """
    day = _known_day(date, until=world.today)
    found = _by_time(
        match for match in matches() if match.result and match.end <= world.now and match.end.date() == day
    )
    return [_result(match) for match in found]


@tool(
    GROUP,
    examples=[{"match_id": FIRST_MATCH}],
    phrase="get the scorecard of the cricket match whose number is {match_id}",
    noun="the cricket scorecard",
    jobs=("cricket matches",),
)
def match_scorecard(world: World, *, match_id: MatchId) -> Scorecard:
    """The score of a match: runs and wickets of every innings once it is over. Single batters and bowlers are not on record.

    match_id: Number of the match.
    """
    place = match_id - FIRST_MATCH
    if not 0 <= place < len(matches()):
        raise not_found("match", match_id, known=range(FIRST_MATCH, FIRST_MATCH + len(matches())))
    match = matches()[place]
    over = match.end <= world.now and bool(match.result)
    return {
        "match_id": match_id,
        "series_id": match.series.id,
        "match_title": _title(match),
        "date": match.start.date().isoformat(),
        "status": _status(match, world.now),
        "toss": f"{match.first} batted first" if over and match.first_score else None,
        "result": match.result if over else None,
        "winner": match.winner if over else None,
        "innings": innings(match) if over else [],
    }
