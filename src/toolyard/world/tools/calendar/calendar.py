"""Calendar: today, countries, and public holidays out of the `holidays` package."""

import functools
import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, NamedTuple, TypedDict

from toolyard.world.kernel.faults import out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import EPOCH, World
from toolyard.world.kernel.tables import read_table, values_of
from toolyard.world.kernel.types import (
    CityName,
    ContinentName,
    CountryCode,
    CountryName,
    CurrencyCode,
    ForecastDate,
    FutureDate,
    IsoDate,
    IsoDateTime,
    LanguageCode,
    Range,
    TimeZoneName,
    UnixTime,
    Year,
)
from toolyard.world.reference.days import WEEKDAYS, iso_stamp
from toolyard.world.reference.places.geography import find_country, large_countries

# Days of one year only are decreed in the autumn before, or nearer: moved days off, bridges, polls, visits.
_ONCE = re.compile(
    r"^Day off \(|Bridge Public|^Additional|^(Special )?Public Holiday$|[Ee]lection|Polling|Non-working"
    r"|[Vv]isit of|Canonization|Burial|\(additional"
)
# Holidays of laws that were passed later.
_LAWS: Mapping[str, tuple[str, ...]] = values_of("later_holidays.laws")
_NO_HOLIDAYS = {"IT": ("National Unity Day",), "TH": ("National Children's Day",)}


def was_known_in_2024(code: str, day: date, name: str) -> bool:
    """Whether a holiday was on the calendar of its country in May 2024."""
    bare = name.removesuffix(" (observed)")
    if bare in _NO_HOLIDAYS.get(code, ()):
        return False
    if day.year < 2025:
        return True
    if code == "CN" and (day.month, day.day) == (5, 2):
        return False
    return not _ONCE.search(name) and bare not in _LAWS.get(code, ())


GROUP = Group("Calendar/Calendar")
HolidayYear = Annotated[Year, Range(1975, 2074)]


class Today(TypedDict):
    date: IsoDate
    weekday: str
    week_of_year: int
    day_of_year: int
    datetime_utc: IsoDateTime
    unix_time: UnixTime


class CountryEntry(TypedDict):
    countryCode: CountryCode
    name: CountryName


class CountryInfo(TypedDict):
    countryCode: CountryCode
    name: CountryName
    capital: CityName
    continent: ContinentName
    currency: CurrencyCode
    languages: list[LanguageCode]
    time_zone: TimeZoneName
    calling_code: str


class Holiday(TypedDict):
    date: IsoDate
    name: str
    countryCode: CountryCode
    weekday: str


class ComingHoliday(TypedDict):
    date: FutureDate
    name: str
    countryCode: CountryCode
    days_from_now: int


class NearHoliday(TypedDict):
    date: ForecastDate
    name: str
    countryCode: CountryCode
    country: CountryName


class LongWeekend(TypedDict):
    startDate: IsoDate
    endDate: IsoDate
    dayCount: int
    needBridgeDay: bool


# Countries whose holidays differ by part: those of the largest part, with what is kept everywhere.
_PARTS = {"GB": "ENG"}
# Countries where holidays of the whole state are told apart from those of its parts.
_KINDS = {"CA": ("public", "government"), "HK": ("public", "optional")}
_NAMES = {"CA": {"Labor Day": "Labour Day"}}
_WEEKEND = frozenset((5, 6))
_NOBODY = "AQ"  # nobody lives in Antarctica for good: it has no money and no language of its own
# Languages of the law that have no locale of their own.
_FURTHER_LANGUAGES: Mapping[str, tuple[str, ...]] = values_of("calendar.further_languages")
_OWN_WEEKENDS = {"NP": frozenset((5,))}


class FreeDays(NamedTuple):
    """The holidays of a country in a year, and the days of the week (Monday is 0) on which nobody works."""

    days: Mapping[date, str]
    weekend: frozenset[int]


@functools.cache
def _name_corrections() -> Mapping[str, Mapping[date, str]]:
    """Country -> day -> its right name; empty for a day of which nobody could know in May 2024."""
    found: dict[str, dict[date, str]] = {}
    for row in read_table("holiday_corrections.tsv"):
        found.setdefault(row["code"], {})[date.fromisoformat(row["date"])] = row["name"]
    return found


@functools.lru_cache(maxsize=256)
def _find_free_days(code: str, year: int) -> FreeDays:
    """The holidays on which nobody works, and the weekend."""
    import holidays

    found = holidays.country_holidays(
        code,
        subdiv=_PARTS.get(code),
        years=year,
        language="en_US",
        categories=_KINDS.get(code, ("public",)),
    )
    own = _NAMES.get(code, {})
    days = {day: own.get(found[day], found[day]) for day in found if was_known_in_2024(code, day, found[day])}
    days = days or (_west_german_holidays(year) if code == "DE" else {})
    days |= {day: name for day, name in _name_corrections().get(code, {}).items() if day.year == year}
    weekend = _OWN_WEEKENDS.get(code) or frozenset(map(int, found.weekend)) or _WEEKEND
    return FreeDays({day: _holiday_name(day, days[day]) for day in sorted(days) if days[day]}, weekend)


def _holiday_name(day: date, name: str) -> str:
    """A holiday as people write it; one that is past is not estimated any more."""
    past = day <= EPOCH.date()
    return (name.replace(" (estimated)", "").replace(", estimated)", ")") if past else name).replace(
        " Of ", " of "
    )


# Fixed days, and days from Easter Monday on, of the Federal Republic before the unity.
_GERMAN_DAYS: Mapping[tuple[int, int], str] = dict(values_of("calendar.german_days").values())
_GERMAN_FEASTS = {-3: "Good Friday", 0: "Easter Monday", 38: "Ascension Day", 49: "Pentecost Monday"}


def _west_german_holidays(year: int) -> dict[date, str]:
    """The holidays of Germany up to 1990, which the package does not have."""
    easter = next(day for day, name in _days_off("GB", year).items() if name == "Easter Monday")
    found = {date(year, *day): name for day, name in _GERMAN_DAYS.items()}
    found |= {easter + timedelta(days=away): name for away, name in _GERMAN_FEASTS.items()}
    return found | ({date(1990, 10, 3): "German Unity Day"} if year == 1990 else {})


def _require_known(code: str, year: int) -> None:
    """A fault where the holidays of a country are not on record for a year."""
    if _public_holidays(code, year):
        return
    from_then = next((one for one in range(year, 2026) if _public_holidays(code, one)), None)
    up_to = next((one for one in range(year, 2023, -1) if _public_holidays(code, one)), None)
    if from_then is not None:
        raise out_of_range("year", year, f"holidays of {code} are on record from {from_then} on")
    if up_to is not None:
        raise out_of_range("year", year, f"holidays of {code} are on record up to {up_to}")


def _days_off(code: str, year: int) -> Mapping[date, str]:
    """The holidays on which nobody works."""
    return _find_free_days(code, year).days


@functools.lru_cache(maxsize=256)
def _public_holidays(code: str, year: int) -> Mapping[date, str]:
    """The public holidays; those on which people work where all are such, as under martial law."""
    import holidays

    found = _days_off(code, year)
    kinds = holidays.country_holidays(code).supported_categories
    if found or "workday" not in kinds:
        return found
    kept = holidays.country_holidays(code, years=year, language="en_US", categories=("workday",))
    return {day: kept[day] for day in sorted(kept)}


def _coming_holidays(world: World, code: str, days: int) -> list[ComingHoliday]:
    first, last = world.today + timedelta(days=1), world.today + timedelta(days=days)
    return [
        {
            "date": day.isoformat(),
            "name": name,
            "countryCode": code,
            "days_from_now": (day - world.today).days,
        }
        for year in range(first.year, last.year + 1)
        for day, name in _public_holidays(code, year).items()
        if first <= day <= last
    ]


@GROUP.tool(
    phrase="tell me today's date, weekday and the present time in UTC",
    noun="the current date information",
    jobs=("date and time of now",),
    chat=False,
)
def current_date(world: World) -> Today:
    """Today's date with its weekday, week and day of the year, and the present time in UTC."""
    today = world.today
    return {
        "date": today.isoformat(),
        "weekday": WEEKDAYS[today.weekday()],
        "week_of_year": today.isocalendar().week,
        "day_of_year": today.timetuple().tm_yday,
        "datetime_utc": iso_stamp(world.now),
        "unix_time": int(world.now.timestamp()),
    }


@GROUP.tool(
    phrase="list the countries whose holidays the calendar knows",
    noun="the list of calendar countries",
    described_as="Lists the countries whose holidays the calendar knows, with their codes.",
)
def available_countries() -> list[CountryEntry]:
    """The countries of a million people or more, with the code that the other calendar tools take; they know all others."""
    return [{"countryCode": row["code"], "name": row["name"]} for row in large_countries()]


@GROUP.tool(
    examples=[{"countryCode": "DE"}],
    phrase="tell me the capital, continent, currency, languages and time zone of {countryCode}",
    noun="the country information",
    jobs=("facts of a country",),
)
def country_info(*, countryCode: CountryCode) -> CountryInfo:
    """Capital, continent, currency, chief languages, time zone and calling code of a country.

    countryCode: Two- or three-letter ISO 3166 code, e.g. DE.
    """
    row = find_country(countryCode)
    settled = row["code"] != _NOBODY
    return {
        "countryCode": row["code"],
        "name": row["name"],
        "capital": row["capital"],
        "continent": row["continent"],
        "currency": row["currency"] if settled else "",
        "languages": []
        if not settled
        else list(dict.fromkeys((*row["languages"], *_FURTHER_LANGUAGES.get(row["code"], ())))),
        "time_zone": row["time_zone"],
        "calling_code": row["calling_code"],
    }


@GROUP.tool(
    examples=[{"year": 2024, "countryCode": "US"}],
    phrase="list all public holidays in {countryCode} for {year}",
    noun="the public holiday calendar",
    jobs=("holidays",),
)
def public_holidays(*, year: HolidayYear, countryCode: CountryCode) -> list[Holiday]:
    """All public holidays of one country in one year, in order of date; for the United Kingdom those of England.

    year: Calendar year.
    countryCode: Two- or three-letter ISO 3166 code, e.g. US.
    """
    code = find_country(countryCode)["code"]
    _require_known(code, year)
    return [
        {"date": day.isoformat(), "name": name, "countryCode": code, "weekday": WEEKDAYS[day.weekday()]}
        for day, name in _public_holidays(code, year).items()
    ]


@GROUP.tool(
    examples=[{"year": 2024, "countryCode": "DE"}],
    phrase="find the long weekends in {countryCode} for {year}",
    noun="the list of long weekends",
    jobs=("holidays",),
    described_as="Lists long weekends, runs of three or more days off around holidays.",
)
def long_weekend(*, year: HolidayYear, countryCode: CountryCode) -> list[LongWeekend]:
    """Runs of three or more days off around holidays and the weekends of the country, at most one bridge day included.

    year: Calendar year.
    countryCode: Two- or three-letter ISO 3166 code, e.g. DE.
    """
    code = find_country(countryCode)["code"]
    _require_known(code, year)
    free = _find_free_days(code, year)
    runs: dict[date, LongWeekend] = {}
    for day in free.days:
        for bridge in (None, day + timedelta(days=1), day - timedelta(days=1)):
            start, end = _free_run(day, free, bridge)
            if bridge is not None and not start < bridge < end:  # it joins nothing
                continue
            length = (end - start).days + 1
            best = runs.get(start)
            if length >= (4 if bridge else 3) and (best is None or length > best["dayCount"]):
                runs[start] = _weekend(start, end, bridge is not None and not _is_free(bridge, free))
    longest = sorted(runs.values(), key=lambda run: (-run["dayCount"], run["startDate"]))
    kept: list[LongWeekend] = []
    for run in longest:
        if all(run["startDate"] > one["endDate"] or run["endDate"] < one["startDate"] for one in kept):
            kept.append(run)
    return sorted(kept, key=lambda run: run["startDate"])


def _is_free(day: date, free: FreeDays) -> bool:
    return day.weekday() in free.weekend or day in free.days


def _free_run(day: date, free: FreeDays, bridge: date | None) -> tuple[date, date]:
    """The first and last day of the days off around a day, the bridge day taken as one."""
    start = end = day
    while _is_free(start - timedelta(days=1), free) or start - timedelta(days=1) == bridge:
        start -= timedelta(days=1)
    while _is_free(end + timedelta(days=1), free) or end + timedelta(days=1) == bridge:
        end += timedelta(days=1)
    return start, end


def _weekend(start: date, end: date, bridged: bool) -> LongWeekend:
    return {
        "startDate": start.isoformat(),
        "endDate": end.isoformat(),
        "dayCount": (end - start).days + 1,
        "needBridgeDay": bridged,
    }


@GROUP.tool(
    examples=[{"countryCode": "FR"}],
    phrase="list the upcoming public holidays of the next 365 days in {countryCode}",
    noun="the list of upcoming public holidays",
    jobs=("holidays",),
)
def next_public_holidays(world: World, *, countryCode: CountryCode) -> list[ComingHoliday]:
    """The public holidays of one country during the coming 365 days.

    countryCode: Two- or three-letter ISO 3166 code, e.g. FR.
    """
    return _coming_holidays(world, find_country(countryCode)["code"], 365)


@GROUP.tool(
    phrase="list every public holiday anywhere in the world during the coming seven days",
    noun="the worldwide holiday list",
    jobs=("holidays",),
)
def next_public_holidays_worldwide(world: World) -> list[NearHoliday]:
    """The public holidays of all countries of a million people or more during the coming seven days, soonest first."""
    found: list[NearHoliday] = [
        {"date": day["date"], "name": day["name"], "countryCode": row["code"], "country": row["name"]}
        for row in large_countries()
        for day in _coming_holidays(world, row["code"], 7)
    ]
    return sorted(found, key=lambda holiday: (holiday["date"], holiday["countryCode"]))
