"""Sun and moon at a place on a day, computed by ephem."""

import functools
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo


class SkyDay(NamedTuple):
    """Local times as HH:MM, none for what does not happen on that day; phase from 0 (new) over 0.5 (full) to 1."""

    sunrise: str | None
    sunset: str | None
    moonrise: str | None
    moonset: str | None
    moon_phase: float
    moon_percent: int


@functools.lru_cache(maxsize=2048)
def sky_of_day(latitude: float, longitude: float, zone: str, day: date) -> SkyDay:
    """What sun and moon do at a place on a local day."""
    import ephem

    start = datetime.combine(day, time(), ZoneInfo(zone))
    observer = ephem.Observer()
    observer.lat, observer.lon, observer.pressure = str(latitude), str(longitude), 0
    observer.horizon = "-0:34"
    noon = ephem.Date((start + timedelta(hours=12)).astimezone(UTC).replace(tzinfo=None))
    moon = ephem.Moon(noon)
    new = ephem.previous_new_moon(noon)
    share = float(noon - new) / float(ephem.next_new_moon(noon) - new)
    return SkyDay(
        _rise_or_set_time(observer, ephem.Sun(), start, rising=True),
        _rise_or_set_time(observer, ephem.Sun(), start, rising=False),
        _rise_or_set_time(observer, ephem.Moon(), start, rising=True),
        _rise_or_set_time(observer, ephem.Moon(), start, rising=False),
        share,
        round(float(moon.phase)),
    )


def _rise_or_set_time(observer: Any, body: Any, start: datetime, *, rising: bool) -> str | None:
    """When a body rises or sets within the day that begins then; none where it does not."""
    import ephem

    observer.date = ephem.Date(start.astimezone(UTC).replace(tzinfo=None))
    try:
        found = observer.next_rising(body) if rising else observer.next_setting(body)
    except ephem.CircumpolarError:
        return None
    local = found.datetime().replace(tzinfo=UTC).astimezone(start.tzinfo)
    return f"{local:%H:%M}" if local.date() == start.date() else None
