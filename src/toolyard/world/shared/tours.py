"""Tours and long runs of known performers and shows as they had been announced in May 2024.

tours.tsv: Hamilton	Hamilton	Richard Rodgers Theatre	weekly		(from Tuesday to Sunday, the hour is not known)
           Hamilton	Hamilton	Victoria Palace Theatre	weekdays	19:30	(from Tuesday to Saturday at half past seven)
           Wicked	Wicked	Apollo Victoria Theatre	weekly	19:30	(as well, and on Sunday at an hour that is not known)
           Lollapalooza	Lollapalooza Chicago 2024	Grant Park	2024-08-01	12	(from noon)
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from toolyard.world.shared.events import FIRST_DAY, Event
from toolyard.world.shared.stage_rows import Stage, stages
from toolyard.world.tables import plain, read_table

# Runs with and without performances on Sunday.
_WEEKLY, _WEEKDAYS = "weekly", "weekdays"
_RUNS = frozenset((_WEEKLY, _WEEKDAYS))
_MONDAY = 0
_SUNDAY = 6
# Until when the evenings of a long run are sold.
_SOLD_FOR = timedelta(days=60)


class Night(NamedTuple):
    """One performance of a tour or a run; `time` is empty where it is not known when it begins."""

    title: str
    stage: Stage
    day: str
    time: str


@functools.cache
def _stages() -> Mapping[str, Stage]:
    return {stage.name: stage for stage in stages()}


def _evenings(run: str) -> list[str]:
    free = {_MONDAY} if run == _WEEKLY else {_MONDAY, _SUNDAY}
    days = (FIRST_DAY + timedelta(days=number) for number in range(_SOLD_FOR.days))
    return [day.isoformat() for day in days if day.weekday() not in free]


def _night(row: Mapping[str, str], day: str) -> Night:
    if row["days"] in _RUNS:
        time = "" if date.fromisoformat(day).weekday() == _SUNDAY else row["hour"]
    else:
        time = f"{int(row['hour'] or 18):02d}:00"
    return Night(row["title"], _stages()[row["venue"]], day, time)


@functools.cache
def _nights() -> Mapping[str, tuple[Night, ...]]:
    found: dict[str, list[Night]] = {}
    for row in read_table("tours.tsv"):
        days = _evenings(row["days"]) if row["days"] in _RUNS else row["days"].split(",")
        found.setdefault(plain(row["performer"]), []).extend(_night(row, day) for day in days)
    return {key: tuple(nights) for key, nights in found.items()}


@functools.cache
def houses_of_runs() -> frozenset[Stage]:
    """Theatres where one show plays every evening."""
    return frozenset(_stages()[row["venue"]] for row in read_table("tours.tsv") if row["days"] in _RUNS)


@functools.lru_cache(maxsize=4096)
def nights_of(performer: str) -> Sequence[Night]:
    """The announced performances of a performer; none where nothing is on record."""
    return _nights().get(plain(performer), ())


def announced(event: Event, night: Night) -> Event:
    """A drawn performance when it was announced, with the day alone where the hour is not known, and without prices."""
    return {
        **event,
        "lowest_price": None,
        "highest_price": None,
        "name": night.title,
        "date": night.day,
        "starts": f"{night.day}T{night.time}:00" if night.time else night.day,
        "on_sale_from": None,
        "on_sale_to": None,
    }
