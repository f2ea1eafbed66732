"""Trends: when in the year and where in the world people look for things that have a season or a home."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from datetime import date
from typing import TypeVar

from toolyard.core.sums import added
from toolyard.world import seeds
from toolyard.world.search import words
from toolyard.world.shared.entries import look_up, mentioned
from toolyard.world.shared.geography import country_or_none

_Row = TypeVar("_Row")
# Words -> day of the year on which interest is highest, its height over the rest of the year, and the width in days.
_YEARLY: Mapping[str, tuple[str, float, int]] = {
    "christmas": ("12-21", 25.0, 18), "advent": ("12-05", 20.0, 14), "halloween": ("10-29", 30.0, 14),
    "thanksgiving": ("11-24", 30.0, 9), "black friday": ("11-27", 40.0, 8), "cyber monday": ("11-29", 40.0, 6),
    "easter": ("04-07", 15.0, 12), "valentine": ("02-13", 25.0, 7), "super bowl": ("02-09", 40.0, 6),
    "new year": ("12-31", 15.0, 6), "oscar": ("03-08", 12.0, 7), "eurovision": ("05-13", 50.0, 6),
    "tour de france": ("07-12", 25.0, 14), "wimbledon": ("07-08", 25.0, 9), "roland garros": ("06-03", 20.0, 10),
    "tax return": ("04-08", 6.0, 40), "flu": ("01-02", 2.5, 45), "pumpkin": ("10-25", 6.0, 20),
    "mother day": ("05-10", 20.0, 7), "father day": ("06-16", 20.0, 7), "oktoberfest": ("09-25", 20.0, 14),
    "saint patrick": ("03-16", 25.0, 5), "diwali": ("11-04", 20.0, 12),
}  # fmt: skip
# The same for what the weather brings, half a year later on the southern half of the Earth.
_WEATHER: Mapping[str, tuple[str, float, int]] = {
    "ski": ("01-20", 6.0, 55), "skiing": ("01-20", 6.0, 55), "snow": ("01-10", 5.0, 45), "snowboard": ("01-15", 6.0, 55),
    "snowboarding": ("01-15", 6.0, 55), "sunscreen": ("07-01", 3.0, 50), "beach": ("07-10", 2.5, 50),
    "swimming pool": ("07-01", 3.0, 45), "barbecue": ("07-01", 2.0, 50), "ice cream": ("07-10", 1.0, 55),
    "surfing": ("07-20", 0.8, 60), "camping": ("07-05", 1.5, 50), "lawn mower": ("05-05", 3.0, 40),
    "air conditioner": ("07-05", 4.0, 40), "heater": ("12-20", 2.5, 55), "hay fever": ("05-20", 6.0, 30),
    "mosquito": ("07-10", 3.0, 45), "gardening": ("04-25", 1.2, 45), "winter coat": ("11-20", 5.0, 40),
}  # fmt: skip
# Words -> the days on which interest peaked that does not come every year.
_GAMES: Mapping[str, tuple[str, ...]] = {
    "olympic": ("2004-08-20", "2006-02-18", "2008-08-14", "2010-02-20", "2012-08-03", "2014-02-14", "2016-08-12",
                "2018-02-16", "2021-07-30", "2022-02-11"),
    "world cup": ("2006-06-24", "2010-06-26", "2014-06-26", "2018-06-30", "2022-12-04"),
    "leap year": ("2004-02-29", "2008-02-29", "2012-02-29", "2016-02-29", "2020-02-29", "2024-02-29"),
}  # fmt: skip
# Words -> the days of events that everybody looked up, the height over other days, and the width in days.
_EVENTS: Mapping[str, tuple[str, float, int]] = {
    "eclipse": ("2017-08-21 2024-04-08", 70.0, 3), "barbie": ("2023-07-22", 12.0, 12),
    "oppenheimer": ("2023-07-22", 25.0, 14), "coronation": ("2023-05-06", 40.0, 5),
    "queen elizabeth": ("2022-09-09", 40.0, 6), "aurora": ("2024-05-11", 30.0, 3),
    "northern light": ("2024-05-11", 30.0, 3), "kate middleton": ("2024-03-22", 20.0, 8),
    "coronavirus": ("2020-03-20", 30.0, 40), "covid": ("2020-04-05 2022-01-08", 12.0, 60),
    "gamestop": ("2021-01-28 2024-05-14", 60.0, 5), "ukraine": ("2022-02-26", 40.0, 14),
    "gaza": ("2023-10-12", 20.0, 20), "israel": ("2023-10-10", 15.0, 14), "hama": ("2023-10-09", 30.0, 12),
    "openai": ("2023-11-20 2024-05-14", 4.0, 8), "squid game": ("2021-10-05", 40.0, 16),
    "wordle": ("2022-02-02", 8.0, 40), "pokemon go": ("2016-07-13", 40.0, 20), "titanic": ("2023-06-21", 8.0, 6),
    "titan submarine": ("2023-06-21", 90.0, 5),
    "brexit": ("2016-06-24 2019-03-29", 15.0, 10),
    "election": ("2004-11-02 2008-11-04 2012-11-06 2016-11-08 2020-11-04", 25.0, 7),
    "world series": ("2019-10-28 2020-10-26 2021-10-31 2022-11-02 2023-10-30", 30.0, 8),
}  # fmt: skip
# Words -> the day before which nobody could look for them.
_BEGAN: Mapping[str, str] = {
    "chatgpt": "2022-11-30", "covid": "2020-02-11", "tiktok": "2017-09-01", "openai": "2015-12-11", "gpt-4": "2023-03-14",
    "instagram": "2010-10-06", "netflix streaming": "2007-01-16", "bitcoin": "2009-01-03", "iphone": "2007-01-09",
    "wordle": "2021-11-01", "squid game": "2021-09-17", "pokemon go": "2016-07-05", "brexit": "2012-06-01",
    "android": "2007-11-05", "spotify": "2008-10-07", "uber": "2010-06-01", "tesla model 3": "2016-03-31",
    "electric scooter": "2004-01-01", "zoom meeting": "2013-01-25", "minecraft": "2009-05-17", "fortnite": "2017-07-21",
}  # fmt: skip
_SOUTH = frozenset("AU NZ ZA AR CL BR UY PY BO PE NA BW ZW MZ MG LS SZ FJ".split())
# Words -> countries and states of the USA where most people look for them, most of all first.
_HOMES: Mapping[str, str] = {
    "ski": "AT CH AD NO LI SI SE FR IT FI CZ SK CA DE PL GB RO BG US-UT US-CO US-VT US-MT US-WY US-ID US-NH US-ME",
    "snow": "CA NO FI SE AT CH US JP US-CO US-UT US-VT US-MN US-ME",
    "surfing": "AU NZ PT ZA PE ID FR US US-HI US-CA US-FL US-NC US-SC",
    "cricket": "PK IN BD LK AU NZ GB ZA ZW AE", "baseball": "US JP DO VE KR CU TW PA NI",
    "rugby": "NZ ZA FJ IE GB AU FR", "hockey": "CA FI SE CZ SK LV CH US US-MN US-MI US-ND US-MA",
    "sauna": "FI EE SE LV LT DE", "sushi": "JP US CA AU SG", "kimchi": "KR US JP", "taco": "MX US GT",
    "hurricane": "US CU DO HT JM MX US-FL US-LA US-NC US-TX US-MS", "tornado": "US CA US-OK US-KS US-TX US-NE US-AL",
    "earthquake": "JP TR CL ID PH NZ IR US-CA US-AK US-WA", "kangaroo": "AU NZ", "reindeer": "FI NO SE RU",
    "sumo": "JP MN", "tango": "AR UY", "samba": "BR PT", "bullfighting": "ES MX CO PE", "thanksgiving": "US CA",
    "super bowl": "US CA MX", "diwali": "IN NP LK MU SG", "oktoberfest": "DE AT CH DE-BY DE-BW DE-HE DE-RP",
    "k-pop": "KR PH ID TH MY",
    "anime": "JP PH ID MY PE", "wine": "FR IT PT ES AR US-CA US-OR", "maple syrup": "CA US US-VT US-ME US-NH",
    "beach": "AU PT ES GR BR US-FL US-HI US-CA US-SC", "pizza": "IT US", "tea": "LK KE GB IN TR",
    "veganism": "GB DE AU AT CH NL SE", "vegan": "GB DE AU AT CH NL SE", "baguette": "FR BE", "curling": "CA CH SE GB",
    "football": "GB BR NG GH AR ES EG MA US TR US-AL US-OH US-TX US-NE US-GA", "soccer": "US CA AU ZA IE JP US-CA US-NJ",
    "basketball": "US PH LT SI GR LV RS US-IN US-NC US-KY US-KS", "golf": "US GB IE AU CA NZ SE", "curry": "IN GB JP LK",
    "ramen": "JP US PH AU", "tennis": "AU GB FR ES RS CH", "badminton": "MY ID IN DK", "table tennis": "CN DE JP IN",
    "ramadan": "SA AE EG PK ID MA BD", "eid": "PK BD AE SA MY", "carnival": "BR TT DE PT", "bollywood": "IN PK NP AE BD",
    "reggaeton": "CO PR PE CL ES", "beer": "CZ DE IE BE AT US", "hiking": "CH NO AT NZ CA US US-CO US-UT US-WA US-OR",
    "eurovision": "SE FI IE NO IS CY MT AU", "formula 1": "NL GB BE IT AU HU", "hummus": "IL LB JO GB US",
    "croissant": "FR CA AU", "pasta": "IT US GB AU", "paella": "ES GB FR", "pho": "VN US CA AU", "poutine": "CA",
    "coffee": "FI NO SE NL IT US BR CO PT AU CA ET US-WA US-OR US-HI US-AK", "milk": "NZ IE NL FI US IN GB",
    "bitcoin": "NG SV CH AT US TR BR US-NV US-CA US-FL US-NY", "yoga": "US AU CA GB IN CH US-CO US-VT US-CA US-HI",
    "chocolate": "CH BE GB DE AU", "cheese": "FR CH NL IT US US-WI US-VT", "whiskey": "IE US JP GB US-KY US-TN",
    "python": "IN SG IL US CN", "gun": "US US-WY US-MT US-ID US-AK",
    "country music": "US CA AU US-TN US-TX US-KY US-AL", "nascar": "US CA US-NC US-SC US-VA US-IN",
    "rodeo": "US BR CA US-WY US-OK US-TX",
    "handball": "DK NO DE HU FR", "volleyball": "PL BR IT", "poker": "US CA BR GB US-NV US-NJ",
}  # fmt: skip


# Where English words are looked for most, most of all first.
_ENGLISH = ("GB", "US", "IE", "AU", "CA", "NZ", "SG", "ZA", "PH", "IN", "KE", "NG")


def yearly(term: str, place: str, day: date) -> float | None:
    """How much more than usual people look for something on a day; None for what has no season and no great days."""
    if day.isoformat() < (_of(term, _BEGAN) or ""):
        return 0.0
    event = _of(term, _EVENTS)
    if event is not None:
        days, height, width = event
        gaps = ((day - date.fromisoformat(one)).days / width for one in days.split())
        return 1 + added(height * math.exp(-(gap**2)) for gap in gaps)
    found = _of(term, _YEARLY) or _of(term, _WEATHER)
    games = _of(term, _GAMES)
    if games is not None:
        nearest = (abs((day - date.fromisoformat(peak)).days) for peak in games)
        return 1 + added(12.0 * math.exp(-((gap / 14) ** 2)) for gap in nearest)
    if found is None:
        return None
    peak, height, width = found
    month, number = map(int, (_moved(term, day.year) or peak).split("-"))
    gap = (day - date(day.year, month, number)).days
    if _of(term, _WEATHER) and place[:2] in _SOUTH:
        gap += 182
    gap = min((gap + turn for turn in (-365, 0, 365)), key=abs)
    if gap > 0 and _of(term, _YEARLY) is not None:  # a feast that is over is soon forgotten
        width = max(3, width // 3)
    return 1 + height * math.exp(-((gap / width) ** 2))


# Feasts that move: the day of interest in 2019 and the years after it.
_MOVING: Mapping[str, str] = {
    "easter": "04-21 04-12 04-04 04-17 04-09 03-31", "diwali": "10-26 11-13 11-03 10-23 11-11",
    "thanksgiving": "11-27 11-25 11-24 11-23 11-22", "black friday": "11-29 11-27 11-26 11-25 11-24",
    "cyber monday": "12-02 11-30 11-29 11-28 11-27", "super bowl": "02-03 02-02 02-07 02-13 02-12 02-11",
    "mother day": "05-12 05-10 05-09 05-08 05-14 05-12", "eurovision": "05-18 05-15 05-22 05-14 05-13 05-11",
}  # fmt: skip
_FIRST_MOVED = 2019


def _moved(term: str, year: int) -> str:
    """The day of a moving feast in a year; nothing where it is not on record."""
    days = (_of(term, _MOVING) or "").split()
    place = year - _FIRST_MOVED
    return days[place] if 0 <= place < len(days) else ""


def at_home(term: str, place: str) -> float | None:
    """How much more people of a place look for something than others; None for what has no home."""
    homes = _homes(term) or _ENGLISH
    if homes[0] in _ENGLISH and len(homes) == 1:
        homes = (*homes, *(code for code in _ENGLISH if code not in homes))
    if not any(len(home) == len(place) for home in homes) or len(place) not in (2, 5):
        return None
    alike = [home for home in homes if len(home) == len(place)]
    away = (0.35 + 0.5 * seeds.unit("away", term, place)) * (2.5 if _is_akin(homes[0], place) else 1.0)
    return 3.2 - 0.14 * alike.index(place) if place in alike else away


@functools.cache
def _is_akin(home: str, place: str) -> bool:
    """Whether two countries share a language."""
    lands = (country_or_none(home), country_or_none(place))
    return all(lands) and bool(set.intersection(*(set(row["languages"]) for row in lands if row)))


@functools.lru_cache(maxsize=512)
def _homes(term: str) -> tuple[str, ...]:
    listed = _of(term, _HOMES)
    if listed is not None:
        return tuple(listed.split())
    known = look_up(term)
    found = [
        entry
        for entry in (*mentioned(term), *([known] if known else []))
        if "P279" not in entry["properties"]
    ][:1]
    names = [entry["title"] for entry in found if entry["kind"] == "country"]
    names += [
        name for entry in found for key in ("P17", "P27") for name in entry["properties"].get(key, ())[:1]
    ]
    codes = (row["code"] for name in names if (row := country_or_none(name)))
    return tuple(codes)


@functools.lru_cache(maxsize=2048)
def _parts(text: str) -> frozenset[str]:
    return frozenset(words(text))


def _of(term: str, table: Mapping[str, _Row]) -> _Row | None:
    """What a table says of the longest of its words that a term has."""
    asked = _parts(term)
    names = [name for name in table if _parts(name) <= asked]
    return table[max(names, key=len)] if names else None
