"""Which days and clubs of football are on record; what lies outside is refused, not answered with nothing."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from datetime import date

from toolyard.world.faults import ToolFault, invalid, not_found
from toolyard.world.shared.days import parse_date
from toolyard.world.worlds.competition.sports.core import League, Team, leagues
from toolyard.world.worlds.competition.sports.football_core import KEYS
from toolyard.world.worlds.competition.sports.seasons import all_games

ON_RECORD = (
    "on record are five leagues from the season of 2017 on and the late rounds of the Champions League"
)


@functools.cache
def _bounds() -> tuple[date, date]:
    """The first and the last day that has a match on record."""
    days = [
        game.start.date()
        for key in KEYS
        for season in (leagues()[key].seasons[0], leagues()[key].last)
        for game in all_games(0, key, season)
    ]
    return min(days), max(days)


def need_days(first: str | None, last: str | None, season: int | None = None) -> None:
    """A fault where no match from a day to another can be on record, or none of the season."""
    start = parse_date(first) if first is not None else None
    end = parse_date(last) if last is not None else None
    known = _bounds()
    if (start is not None and start > known[1]) or (end is not None and end < known[0]):
        told = first if first == last else f"{first or 'the beginning'} to {last or 'today'}"
        raise ToolFault(
            "not_found", f"no fixture on record for {told}; {ON_RECORD}, from {known[0]} to {known[1]}"
        )
    if season is None or start is None or start != end:
        return
    if not date(season, 7, 1) <= start <= date(season + 1, 8, 31):
        raise invalid(
            "date", str(first), f"this day is not in the season that began in {season}; leave one out"
        )


def need_late_rounds(day: str | None) -> None:
    """A fault where a day of the Champions League lies before the rounds of its season that are on record."""
    if day is None:
        return
    when = parse_date(day)
    season = when.year if when.month > 6 else when.year - 1
    first = min((game.start.date() for game in all_games(0, "ucl", season)), default=None)
    if first is not None and date(season, 9, 1) <= when < first:
        told = f"of the season of {season} the rounds from {first} on are on record"
        raise ToolFault("not_found", f"no fixture of the Champions League on record for {day}; {told}")


@functools.cache
def taking_part(league: League, season: int) -> frozenset[Team]:
    """The clubs that a league has matches of in a season."""
    return frozenset(side for game in all_games(0, league.key, season) for side in (game.home, game.away))


def need_part(league: League, club: Team, season: int | None) -> None:
    """A fault where a club has no match on record in a league, in a season where one is given."""
    seasons: Sequence[int] = league.seasons if season is None else (season,)
    if not any(club in taking_part(league, year) for year in seasons):
        known = {one.id for year in seasons for one in taking_part(league, year)}
        when = f" {season}" if season is not None else ""
        raise not_found(
            f"match of {club.name} on record in the {league.name}{when}", club.id, known=sorted(known)
        )
