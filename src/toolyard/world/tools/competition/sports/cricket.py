"""Competition/Cricket_Live_Data: series, fixtures, results and scores."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import TypedDict

from toolyard.world.kernel.faults import not_found, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import page_of
from toolyard.world.kernel.types import IsoDate, IsoDateTime, Page
from toolyard.world.reference.days import iso_stamp, parse_date
from toolyard.world.simulated.sports.core import CricketDay
from toolyard.world.simulated.sports.cricket_core import (
    FIRST_MATCH,
    Innings,
    Match,
    MatchId,
    SeriesId,
    SeriesName,
    TeamName,
    all_matches,
    all_series,
    match_outcome,
)

GROUP = Group("Competition/Cricket_Live_Data")


class SeriesRow(TypedDict):
    series_id: SeriesId
    series_name: SeriesName
    season: str
    match_type: str
    start_date: IsoDate
    end_date: IsoDate
    status: str
    latest_result: str | None


class FixtureRow(TypedDict):
    id: MatchId
    series_id: SeriesId
    match_title: str
    match_type: str
    date: IsoDateTime
    home: TeamName
    away: TeamName
    status: str


class DayFixture(FixtureRow):
    result: str | None


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


def _match_status(match: Match, now: datetime) -> str:
    return "Fixture" if now < match.start else "Result" if match.end <= now else "Live"


def _match_title(match: Match) -> str:
    return f"{match.home} v {match.away}"


def _fixture(match: Match, now: datetime) -> FixtureRow:
    return {
        "id": match.id,
        "series_id": match.series.id,
        "match_title": _match_title(match),
        "match_type": match.series.format,
        "date": iso_stamp(match.start),
        "home": match.home,
        "away": match.away,
        "status": _match_status(match, now),
    }


def _result(seed: int, match: Match) -> ResultRow:
    ended = match_outcome(seed, match)
    scores = {
        team: " & ".join(f"{one['runs']}/{one['wickets']}" for one in ended.innings if one["team"] == team)
        for team in (match.home, match.away)
    }
    return {
        "id": match.id,
        "series_id": match.series.id,
        "match_title": _match_title(match),
        "date": match.start.date().isoformat(),
        "home": match.home,
        "home_score": scores[match.home],
        "away": match.away,
        "away_score": scores[match.away],
        "winner": ended.winner,
        "result": ended.result,
    }


def _sorted(found: Iterable[Match], *, latest: bool = False) -> list[Match]:
    return sorted(found, key=lambda match: (match.start, match.id), reverse=latest)


@GROUP.tool(
    phrase="list all cricket series with their format and dates",
    noun="the list of cricket series",
)
def series(world: World) -> list[SeriesRow]:
    """Cricket series of 2023 and 2024 with format, dates and whether they are over."""
    today, latest = (
        world.today,
        {match.series.id: match for match in _sorted(all_matches()) if match.end <= world.now},
    )
    return [
        {
            "series_id": one.id,
            "series_name": one.name,
            "season": one.season,
            "match_type": one.format,
            "start_date": one.first.isoformat(),
            "end_date": one.last.isoformat(),
            "status": "upcoming" if today < one.first else "finished" if today > one.last else "running",
            "latest_result": match_outcome(world.seed, latest[one.id]).result if one.id in latest else None,
        }
        for one in all_series()
    ]


@GROUP.tool(
    phrase="list the next cricket matches of all series",
    noun="the list of upcoming cricket matches",
    jobs=("cricket matches",),
)
def fixtures(world: World) -> Page[FixtureRow]:
    """The next 30 matches of all series, soonest first, and how many are to come."""
    found = _sorted(match for match in all_matches() if match.start > world.now)
    return page_of(found, lambda match: _fixture(match, world.now), 30)


@GROUP.tool(
    examples=[{"series_id": 606}, {"series_id": 615}],
    phrase="list all matches of the cricket series whose number is {series_id}",
    noun="the cricket matches of the series",
    jobs=("cricket matches",),
)
def fixtures_by_series(world: World, *, series_id: SeriesId) -> list[SeriesMatch]:
    """The matches of one series with their results so far, in order of time: the last 56.

    series_id: Number of the series, as `series` lists it.
    """
    found = _sorted(match for match in all_matches() if match.series.id == series_id)
    if not found:
        raise not_found(
            "series", series_id, known=[one.id for one in all_series()], listed_by=f"{GROUP}/series"
        )
    return [
        {
            "id": match.id,
            "date": match.start.date().isoformat(),
            "home": match.home,
            "away": match.away,
            "status": _match_status(match, world.now),
            "result": _known_result(world, match),
        }
        for match in found[-56:]
    ]


def _is_played_on(match: Match, day: date) -> bool:
    return match.start.date() <= day <= match.end.date()


@GROUP.tool(
    examples=[{"date": "2024-06-02"}, {"date": "2024-05-12"}],
    phrase="list the cricket matches, finished or not, that are played on {date}",
    noun="the cricket matches of the day",
    jobs=("cricket matches",),
)
def fixtures_by_date(world: World, *, date: CricketDay) -> list[DayFixture]:
    """Matches that are played on a day, whether to come, under way or over; a test lasts up to five days.

    date: The day; series run from June 2023 to October 2024.
    """
    day = parse_date(date)
    found = _sorted(match for match in all_matches() if _is_played_on(match, day))
    return [{**_fixture(match, world.now), "result": _known_result(world, match)} for match in found]


def _known_result(world: World, match: Match) -> str | None:
    """How a match ended, once it is over."""
    return match_outcome(world.seed, match).result if match.end <= world.now else None


@GROUP.tool(
    phrase="list the latest cricket results of all series",
    noun="the list of latest cricket results",
    jobs=("cricket matches",),
)
def results(world: World) -> Page[ResultRow]:
    """The latest 30 results of all series, latest first, and how many there are."""
    found = _sorted((match for match in all_matches() if match.end <= world.now), latest=True)
    return page_of(found, lambda match: _result(world.seed, match), 30)


@GROUP.tool(
    examples=[{"date": "2023-10-05"}],
    phrase="list the results of the cricket matches that ended on {date}",
    noun="the cricket results of the day",
    jobs=("cricket matches",),
)
def results_by_date(world: World, *, date: CricketDay) -> list[ResultRow]:
    """Results of the matches that ended on a day.

    date: The day, today at the latest.
    """
    day = parse_date(date)
    if day > world.today:
        raise out_of_range("date", date, f"there are no results after today, {world.today}")
    found = _sorted(match for match in all_matches() if match.end <= world.now and match.end.date() == day)
    return [_result(world.seed, match) for match in found]


@GROUP.tool(
    examples=[{"match_id": FIRST_MATCH}],
    phrase="get the scorecard of the cricket match whose number is {match_id}",
    noun="the cricket scorecard",
    jobs=("cricket matches",),
)
def match_scorecard(world: World, *, match_id: MatchId) -> Scorecard:
    """The full scorecard of a match with batters and bowlers; while it runs, the innings that are over so far.

    match_id: Number of the match.
    """
    place = match_id - FIRST_MATCH
    if not 0 <= place < len(all_matches()):
        raise not_found("match", match_id, known=range(FIRST_MATCH, FIRST_MATCH + len(all_matches())))
    match = all_matches()[place]
    ended, over = match_outcome(world.seed, match), match.end <= world.now
    gone = min(1.0, max(0.0, (world.now - match.start) / (match.end - match.start)))
    return {
        "match_id": match_id,
        "series_id": match.series.id,
        "match_title": _match_title(match),
        "date": match.start.date().isoformat(),
        "status": _match_status(match, world.now),
        "toss": f"{ended.innings[0]['team']} batted first" if world.now >= match.start else None,
        "result": ended.result if over else None,
        "winner": ended.winner if over else None,
        "innings": list(ended.innings[: int(gone * len(ended.innings))]),
    }
