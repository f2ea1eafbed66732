"""Tours and long runs of known performers and shows as they had been announced in May 2024.

tours.tsv: Hamilton	Hamilton	Richard Rodgers Theatre	weekly		(every evening from Tuesday to Sunday)
           Lollapalooza	Lollapalooza Chicago 2024	Grant Park	sale:2024-08-01	12	(still sold; others are not)
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
_SOLD = "sale:"
_MONDAY = 0
_SUNDAY = 6
# Until when the evenings of a long run are sold.
_SOLD_FOR = timedelta(days=60)
_ON_SALE, _SOLD_OUT = "2023-07-11T10:00:00", "2023-12-31T12:00:00"


# What tickets cost about, in dollars, by genre.
_PRICES = {
    "Festival": (250, 420), "Wrestling": (150, 1500), "Mixed Martial Arts": (150, 1500), "Tennis": (60, 300),
    "Theatre": (49, 249), "Motorsport": (50, 250), "Classical": (15, 120), "Soccer": (60, 600), "Olympics": (24, 690),
}  # fmt: skip
_CONCERT = (75, 350)


class Night(NamedTuple):
    """One performance of a tour or a run."""

    title: str
    stage: Stage
    day: str
    hour: int
    sold_out: bool


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
    sold_out = not weekly and not row["days"].startswith(_SOLD)
    return Night(row["title"], _stages()[row["venue"]], day, hour, sold_out)


@functools.cache
def _nights() -> Mapping[str, tuple[Night, ...]]:
    found: dict[str, list[Night]] = {}
    for row in read_table("tours.tsv"):
        days = _evenings() if row["days"] == _WEEKLY else row["days"].removeprefix(_SOLD).split(",")
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
    """A drawn performance on the day and at the hour on which it was announced."""
    low, high = _PRICES.get(event["genre"], _CONCERT)
    return {
        **event,
        "lowest_price": low,
        "highest_price": high,
        "name": night.title,
        "date": night.day,
        "starts": f"{night.day}T{night.hour:02d}:00:00",
        "on_sale_from": _ON_SALE,
        "on_sale_to": _SOLD_OUT if night.sold_out else f"{night.day}T{min(12, night.hour - 1):02d}:00:00",
        "status": "offsale" if night.sold_out else "onsale",
    }
