"""Tours and long runs of known performers and shows as they had been announced in May 2024.

tours.tsv: Hamilton	Hamilton	Richard Rodgers Theatre	weekly		(every evening from Tuesday to Sunday)
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

_WEEKLY = "weekly"
_MONDAY = 0
_SUNDAY = 6
# Until when the evenings of a long run are sold.
_SOLD_FOR = timedelta(days=60)


class Night(NamedTuple):
    """One performance of a tour or a run."""

    title: str
    stage: Stage
    day: str
    hour: int


@functools.cache
def _stages() -> Mapping[str, Stage]:
    return {stage.name: stage for stage in stages()}


def _evenings() -> list[str]:
    days = (FIRST_DAY + timedelta(days=number) for number in range(_SOLD_FOR.days))
    return [day.isoformat() for day in days if day.weekday() != _MONDAY]


def _night(row: Mapping[str, str], day: str) -> Night:
    weekly = row["days"] == _WEEKLY
    usual = 18 if not weekly or date.fromisoformat(day).weekday() == _SUNDAY else 19
    hour = int(row["hour"] or usual)
    return Night(row["title"], _stages()[row["venue"]], day, hour)


@functools.cache
def _nights() -> Mapping[str, tuple[Night, ...]]:
    found: dict[str, list[Night]] = {}
    for row in read_table("tours.tsv"):
        days = _evenings() if row["days"] == _WEEKLY else row["days"].split(",")
        found.setdefault(plain(row["performer"]), []).extend(_night(row, day) for day in days)
    return {key: tuple(nights) for key, nights in found.items()}


@functools.cache
def houses_of_runs() -> frozenset[Stage]:
    """Theatres where one show plays every evening."""
    return frozenset(_stages()[row["venue"]] for row in read_table("tours.tsv") if row["days"] == _WEEKLY)


@functools.lru_cache(maxsize=4096)
def nights_of(performer: str) -> Sequence[Night]:
    """The announced performances of a performer; none where nothing is on record."""
    return _nights().get(plain(performer), ())


def announced(event: Event, night: Night) -> Event:
    """A drawn performance on the day and at the hour on which it was announced; what tickets cost is not on record."""
    return {
        **event,
        "lowest_price": None,
        "highest_price": None,
        "name": night.title,
        "date": night.day,
        "starts": f"{night.day}T{night.hour:02d}:00:00",
        "on_sale_from": None,
        "on_sale_to": None,
    }
