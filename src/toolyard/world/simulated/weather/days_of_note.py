"""Days whose weather is well known: records of heat and cold, floods and great snowfalls, told as they were."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from toolyard.world.kernel.faults import out_of_range
from toolyard.world.kernel.tables import read_table
from toolyard.world.reference.places.geography import City

# Before this day no weather is told.
FIRST_DAY = date(2010, 1, 1)


@dataclass(frozen=True, slots=True)
class NotedDay:
    """What was measured; `sky` is empty where it was clear."""

    lowest: float
    highest: float
    rain: float
    sky: str


@functools.cache
def _noted_days() -> Mapping[tuple[str, date], NotedDay]:
    return {
        (row["place"], date.fromisoformat(row["date"])): NotedDay(
            float(row["min_c"]), float(row["max_c"]), float(row["rain_mm"]), row["sky"]
        )
        for row in read_table("weather_days.tsv")
    }


def find_noted_day(city: City, day: date) -> NotedDay | None:
    """What is known of a day in a large city, or None."""
    return _noted_days().get((city["id"], day))


def require_past_days(first: date, last: date, today: date) -> None:
    """A fault unless up to 31 days in their order lie within what is covered."""
    if last < first:
        raise out_of_range("end_dt", str(last), f"want a day on or after dt, {first}")
    for name, day in (("dt", first), ("end_dt", last)):
        if not FIRST_DAY <= day <= today:
            raise out_of_range(name, str(day), f"days from {FIRST_DAY} to {today} are covered")
    if (last - first).days > 30:
        raise out_of_range("end_dt", str(last), f"want a day at most 30 days after dt, {first}")
