"""Which days of basketball are on record: where no game is found on such a day, none was played."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta

from toolyard.world.faults import ToolFault
from toolyard.world.shared.days import parse_date
from toolyard.world.worlds.competition.sports.box_scores import Player, with_lines
from toolyard.world.worlds.competition.sports.common import said
from toolyard.world.worlds.competition.sports.core import Game, leagues
from toolyard.world.worlds.competition.sports.seasons import all_games

ON_RECORD = "on record are the games of Christmas Day and the Finals since the season of 2015 and all play-offs of 2024"
# When seasons began after the Finals of the year; other ones in the second half of October.
_OPENINGS = {2020: date(2020, 12, 22)}
_PLAY_OFFS = date(2024, 4, 20)
_SETTLED = date(2024, 5, 18)
# After 11 March 2020 no game was played until the end of July.
_BREAK = (date(2020, 3, 12), date(2020, 7, 29))
_LONGEST = 200
Span = tuple[date | None, date | None]


@functools.cache
def _finals() -> tuple[tuple[date, date], ...]:
    """First and last day of the Finals of each season that are over."""
    found = []
    for season in leagues()["nba"].seasons[:-1]:
        days = [game.start.date() for game in all_games(0, "nba", season) if game.stage == "NBA Finals"]
        found.append((min(days), max(days)))
    return tuple(found)


def _whole(day: date) -> bool:
    """Whether every game of a day is on record."""
    if (day.month, day.day) == (12, 25) and 2015 <= day.year <= 2023:
        return True
    if _BREAK[0] <= day <= _BREAK[1] or _PLAY_OFFS <= day <= _SETTLED:
        return True
    return any(first <= day < _OPENINGS.get(last.year, date(last.year, 10, 16)) for first, last in _finals())


def _days(spans: Iterable[Span]) -> Iterator[date | None]:
    """The days of some spans; None where a span is open or too long to be on record."""
    for first, last in spans:
        if first is None or last is None or (last - first).days > _LONGEST:
            yield None
            return
        yield from (first + timedelta(days=more) for more in range((last - first).days + 1))


def need_games(found: Sequence[object], asked: str, spans: Sequence[Span], now: datetime) -> None:
    """A fault where nothing is found, unless it is known that nothing was played on the days asked for.

    Past games are not all on record, and later ones are not settled.
    """
    if found or (spans and all(day is not None and _whole(day) for day in _days(spans))):
        return
    firsts = [first for first, _ in spans if first is not None]
    if firsts and min(firsts) > max(_SETTLED, (now + timedelta(days=2)).date()):
        raise ToolFault(
            "not_found",
            f"no NBA game for {asked}: which games of the play-offs follow is settled two days ahead, "
            f"so far up to {_SETTLED}",
        )
    raise ToolFault("not_found", f"no NBA game on record for {asked}; {ON_RECORD}")


def need_lines(people: Sequence[Player]) -> None:
    """A fault where players are named of none of whom a line is on record."""
    if people and not any(one in with_lines() for one in people):
        names = ", ".join(one.name for one in people[:5])
        known = sorted(one.name for one in with_lines())
        raise ToolFault(
            "not_found",
            f"no line of {names} on record; there are lines of {', '.join(known)}, from games of the Finals",
        )


_COVERED = {
    "nba": "Christmas Day and the Finals of the NBA since the season of 2015 and all its play-offs of 2024",
    "wnba": "games of the WNBA from 14 to 20 May 2024",
    "euroleague": "the semi-finals of the Euroleague on 2024-05-24",
    "nbl": "no games of the NBL, only its table",
}
_WEEK = ("2024-05-14", "2024-05-20")


def none_found(keys: Sequence[str], asked: str, day: str | None, now: datetime) -> None:
    """A fault where leagues have no game on record that was asked for, unless it is known that none was played."""
    told = (day if asked == said() else f"{asked} on {day}") if day else asked
    if list(keys) == ["nba"]:
        moment = parse_date(day) if day else None
        need_games((), told, [(moment, moment)] if moment else [], now)
    elif list(keys) != ["wnba"] or day is None or not _WEEK[0] <= day <= _WEEK[1]:
        covered = ", ".join(_COVERED[key] for key in keys)
        raise ToolFault("not_found", f"no game on record for {told}; on record are {covered}")


# Games that were decided after overtime: day and home team.
_OVERTIME = frozenset(
    ("2015-12-25 MIA", "2018-05-31 GSW", "2018-12-25 BOS", "2022-12-25 DEN", "2024-04-26 IND", "2024-04-30 NYK",
     "2024-05-21 BOS")
)  # fmt: skip


def after_overtime(game: Game) -> bool:
    """Whether a game was decided after overtime."""
    return f"{game.start:%Y-%m-%d} {game.home.code}" in _OVERTIME
