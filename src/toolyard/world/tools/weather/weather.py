"""Weather/openweathermap and Weather/weatherapi: conditions now, in the coming days and on past ones."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Annotated, Literal, TypedDict

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.kernel.faults import invalid, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import values_of
from toolyard.world.kernel.types import (
    CityName,
    ClockTime,
    CountryCode,
    CountryName,
    ForecastDate,
    FutureDate,
    IsoDateTime,
    Latitude,
    Longitude,
    PastDate,
    Place,
    Range,
    RegionName,
    Unit,
    UnixTime,
    Within,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.days import days_between, from_unix, iso_stamp, offset_hours, parse_date, zone
from toolyard.world.reference.places.geography import City
from toolyard.world.reference.places.places import locate
from toolyard.world.simulated.weather import climate
from toolyard.world.simulated.weather.days_of_note import require_past_days


class AirQuality(TypedDict):
    pm2_5: Annotated[float, Unit("µg/m³")]
    pm10: Annotated[float, Unit("µg/m³")]
    ozone: Annotated[float, Unit("µg/m³")]
    us_epa_index: int


# Fine dust of a usual day in micrograms per cubic metre where the air is bad; elsewhere it is 9.
_DUST: Mapping[str, int] = values_of("air.dust")


def air_quality(world: World, city: City) -> AirQuality:
    """The air of today at a place."""
    chance = world.random("air", city["id"], world.today)
    fine = round(_DUST.get(city["country_code"], 9) * (0.6 + 0.8 * chance.random()), 1)
    return {
        "pm2_5": fine,
        "pm10": round(fine * 1.6, 1),
        "ozone": round(30 + 60 * chance.random(), 1),
        "us_epa_index": 1 + sum(fine > limit for limit in (12.0, 35.4, 55.4, 150.4, 250.4)),
    }


GROUP = Group("Weather/weatherapi")
HourOfDay = Annotated[int, Range(0, 23), Unit("h")]
Celsius = Annotated[float, Unit("°C")]


class Location(TypedDict):
    name: CityName
    region: RegionName
    country: CountryName
    latitude: Latitude
    longitude: Longitude
    local_time: IsoDateTime


class Now(TypedDict):
    condition: str
    temperature_c: Celsius
    feels_like_c: Celsius
    humidity_percent: int
    wind_kph: Annotated[float, Unit("km/h")]
    wind_degree: int
    pressure_mb: Annotated[int, Unit("mbar")]
    cloud_percent: int
    rain_mm: Annotated[float, Unit("mm")]
    uv_index: float


class Report(TypedDict):
    location: Location
    current: Now


class Summary(TypedDict):
    city: CityName
    country_code: CountryCode
    summary: str


class HourReport(TypedDict):
    time: ClockTime
    condition: str
    temperature_c: Celsius
    rain_mm: Annotated[float, Unit("mm")]
    wind_kph: Annotated[float, Unit("km/h")]


class DayValues(TypedDict):
    condition: str
    min_c: Celsius
    max_c: Celsius
    mean_c: Celsius
    total_rain_mm: Annotated[float, Unit("mm")]
    max_wind_kph: Annotated[float, Unit("km/h")]
    hours: list[HourReport]


class ForecastDay(DayValues):
    date: ForecastDate


class PastDay(DayValues):
    date: PastDate


class FutureDay(DayValues):
    date: FutureDate


class Alert(TypedDict):
    headline: str
    severity: Literal["moderate", "severe"]
    date: ForecastDate


class Forecast(TypedDict):
    location: Location
    days: list[ForecastDay]
    alerts: list[Alert]
    air_quality: AirQuality | None


class History(TypedDict):
    location: Location
    days: list[PastDay]


class Future(TypedDict):
    location: Location
    day: FutureDay


# The condition is told in a language.
NOW = View.of(Now, condition="sky")


def _make_location(world: World, city: City) -> Location:
    return {
        "name": city["name"],
        "region": city["region"],
        "country": city["country"],
        "latitude": city["latitude"],
        "longitude": city["longitude"],
        "local_time": iso_stamp(world.now.astimezone(zone(city["time_zone"]))),
    }


def _current_weather(world: World, city: City, lang: climate.Language) -> Now:
    hour = climate.weather_at(world.seed, city, world.now.astimezone(zone(city["time_zone"])))
    return {**NOW.row(hour), "condition": climate.SKY_TEXT[lang][hour["sky"]]}


def _day(world: World, city: City, day: date, lang: climate.Language, shown: list[time]) -> DayValues:
    hours = [climate.weather_at(world.seed, city, datetime.combine(day, time(clock))) for clock in range(24)]
    temperatures = [hour["temperature_c"] for hour in hours]
    quarters = any(clock.minute for clock in shown)
    return {
        "condition": climate.SKY_TEXT[lang][climate.sky_of_day(hours)],
        "min_c": min(temperatures),
        "max_c": max(temperatures),
        "mean_c": round(sum_in_order(temperatures) / 24, 1),
        "total_rain_mm": round(sum_in_order(hour["rain_mm"] for hour in hours), 1),
        "max_wind_kph": max(hour["wind_kph"] for hour in hours),
        "hours": [_hour(world, city, datetime.combine(day, clock), lang, quarters) for clock in shown],
    }


def _hour(world: World, city: City, moment: datetime, lang: climate.Language, quarter: bool) -> HourReport:
    values = climate.weather_at(world.seed, city, moment)
    return {
        "time": moment.strftime("%H:%M"),
        "condition": climate.SKY_TEXT[lang][values["sky"]],
        "temperature_c": values["temperature_c"],
        "rain_mm": round(values["rain_mm"] / 4, 2) if quarter else values["rain_mm"],
        "wind_kph": values["wind_kph"],
    }


def _listed_times(hour: int | None, tp: int | None, every: int = 6) -> list[time]:
    """Which times of a day are listed: every few hours, one hour, or that hour in quarters."""
    if hour is None and tp is not None:
        raise invalid("tp", tp, "quarters of an hour need hour as well, such as hour=14")
    if hour is None:
        return [time(clock) for clock in range(0, 24, every)]
    return [time(hour, minute) for minute in ((0, 15, 30, 45) if tp else (0,))]


def _chosen_day(dt: str | None, unixdt: int | None) -> date | None:
    if dt is not None and unixdt is not None:
        raise invalid("unixdt", unixdt, "give dt or unixdt, not both")
    if unixdt is not None:
        return from_unix(unixdt, "unixdt").date()
    return parse_date(dt, "dt") if dt is not None else None


@Group("Weather/openweathermap").tool(
    name="current_weather",
    examples=[{"location": "Beijing"}, {"location": "London,GB"}],
    phrase="tell me in one sentence from OpenWeatherMap what the weather is right now in {location}",
    noun="the one-sentence weather report",
    jobs=("weather about now",),
)
def openweathermap_current_weather(world: World, *, location: Place) -> Summary:
    """The weather at a place right now, in one sentence.

    location: City name, with a country code where the name alone is ambiguous, e.g. London,GB.
    """
    city = locate(location, "location")
    now = _current_weather(world, city, "en")
    text = (
        f"{now['condition']}, {now['temperature_c']} °C (feels like {now['feels_like_c']} °C), "
        f"wind {now['wind_kph']} km/h from {now['wind_degree']}°, humidity {now['humidity_percent']} %, "
        f"clouds {now['cloud_percent']} %, rain {now['rain_mm']} mm."
    )
    return {"city": city["name"], "country_code": city["country_code"], "summary": text}


@GROUP.tool(
    examples=[{"q": "Paris"}, {"q": "48.8567,2.3508", "lang": "fr"}],
    phrase="show the current weather conditions from WeatherAPI for {q}[ in the language {lang}]",
    noun="the current weather conditions",
    jobs=("weather about now",),
    described_as="Gives the weather conditions at a place right now: temperature, wind, humidity, clouds and rain.",
)
def current_weather(world: World, *, q: Place, lang: climate.Language = "en") -> Report:
    """Conditions at a place right now.

    q: City name, "latitude,longitude", iata:CODE, metar:CODE, postcode, IP address or auto:ip.
    lang: Language of the condition text.
    """
    city = locate(q)
    return {"location": _make_location(world, city), "current": _current_weather(world, city, lang)}


@GROUP.tool(
    examples=[
        {"q": "London", "days": 7, "aqi": False},
        {"q": "iata:DXB", "days": 1, "aqi": True, "hour": 17},
    ],
    phrase=(
        "look up the weather forecast for {q}, with the number of days set to {days} and air quality set to "
        "{aqi}[, for the hour {hour} only][, in the language {lang}][, with weather alerts set to {alerts}]"
    ),
    noun="the weather forecast",
    jobs=("weather about now",),
)
def forecast(
    world: World,
    *,
    q: Place,
    days: Annotated[int, Range(1, 14)],
    aqi: bool,
    lang: climate.Language = "en",
    dt: ForecastDate | None = None,
    unixdt: UnixTime | None = None,
    alerts: bool = True,
    tp: Literal[15] | None = None,
    hour: HourOfDay | None = None,
) -> Forecast:
    """Weather for today and up to 13 days after it, with warnings and, if wanted, air quality.

    q: City name, "latitude,longitude", iata:CODE, metar:CODE, postcode, IP address or auto:ip.
    days: How many days to cover, today included.
    aqi: Whether to add today's air quality.
    lang: Language of the condition text.
    dt: Only this day, as YYYY-MM-DD; it must lie within the coming 14 days.
    unixdt: The same as dt, as a Unix timestamp.
    alerts: Whether to list weather warnings.
    tp: 15 lists the chosen hour in quarters; needs hour.
    hour: Only this hour of each day; every sixth one by default.
    """
    city, only = locate(q), _chosen_day(dt, unixdt)
    last = world.today + timedelta(days=13)
    if only is not None and not world.today <= only <= last:
        raise out_of_range("dt", str(only), f"forecasts run from {world.today} to {last}")
    wanted = [only] if only else list(days_between(world.today, world.today + timedelta(days=days - 1)))
    found: list[ForecastDay] = [
        {"date": day.isoformat(), **_day(world, city, day, lang, _listed_times(hour, tp))} for day in wanted
    ]
    return {
        "location": _make_location(world, city),
        "days": found,
        "alerts": _weather_alerts(found) if alerts else [],
        "air_quality": air_quality(world, city) if aqi else None,
    }


def _weather_alerts(days: list[ForecastDay]) -> list[Alert]:
    found: list[Alert] = []
    for day in days:
        if day["max_c"] >= 38:
            found.append(
                {
                    "headline": "Heat",
                    "severity": "severe" if day["max_c"] >= 42 else "moderate",
                    "date": day["date"],
                }
            )
        if day["min_c"] <= -30:
            found.append({"headline": "Severe cold", "severity": "severe", "date": day["date"]})
        if day["total_rain_mm"] > 25:
            cold = day["max_c"] < 1
            found.append(
                {
                    "headline": "Heavy snow" if cold else "Heavy rain",
                    "severity": "moderate",
                    "date": day["date"],
                }
            )
    return found


@GROUP.tool(
    examples=[{"q": "London", "dt": "2024-05-01"}, {"q": "Oslo", "dt": "2023-12-24", "end_dt": "2023-12-26"}],
    phrase=(
        "look up the past weather for {q} from {dt}[ through to {end_dt}][, for the hour {hour} only][, in "
        "the language {lang}]"
    ),
    noun="the past weather record",
    jobs=("weather about now",),
)
def history(
    world: World,
    *,
    q: Place,
    dt: PastDate,
    lang: climate.Language = "en",
    unixdt: UnixTime | None = None,
    end_dt: Annotated[PastDate, Within("dt")] | None = None,
    endunix_dt: UnixTime | None = None,
    tp: Literal[15] | None = None,
    hour: HourOfDay | None = None,
) -> History:
    """Weather on past days, from 2010 up to today: as it was on some fifty days of record heat, cold, rain or snow in large
    cities; all other days are simulated from the climate of the place and the time of the year, not measured.

    q: City name, "latitude,longitude", iata:CODE, metar:CODE, postcode, IP address or auto:ip.
    dt: First day, as YYYY-MM-DD.
    lang: Language of the condition text.
    unixdt: First day as a Unix timestamp; where given, it takes the place of dt.
    end_dt: Last day, at most 30 days after the first; the first day alone if left out.
    endunix_dt: The same as end_dt, as a Unix timestamp.
    tp: 15 lists the chosen hour in quarters; needs hour.
    hour: Only this hour of each day; midnight and noon by default.
    """
    city = locate(q)
    first = _chosen_day(None if unixdt is not None else dt, unixdt) or world.today
    last = _chosen_day(end_dt, endunix_dt) or first
    require_past_days(first, last, world.today)
    return {
        "location": _make_location(world, city),
        "days": [
            {"date": day.isoformat(), **_day(world, city, day, lang, _listed_times(hour, tp, 12))}
            for day in days_between(first, last)
        ],
    }


@GROUP.tool(
    examples=[{"q": "Rome", "dt": "2024-09-01"}],
    phrase=(
        "look up the expected long-range weather, weeks or months ahead, for {q} on {dt}[ in the language "
        "{lang}]"
    ),
    noun="the long-range weather outlook",
)
def future(world: World, *, q: Place, dt: FutureDate, lang: climate.Language = "en") -> Future:
    """Expected weather of one day 14 to 300 days ahead and of every third hour of it (rain within that hour), such as the
    climate of the place has.

    q: City name, "latitude,longitude", iata:CODE, metar:CODE, postcode, IP address or auto:ip.
    dt: The day, as YYYY-MM-DD.
    lang: Language of the condition text.
    """
    city, day = locate(q), parse_date(dt, "dt")
    if not 14 <= (day - world.today).days <= 300:
        earliest, latest = world.today + timedelta(days=14), world.today + timedelta(days=300)
        raise out_of_range(
            "dt", dt, f"days from {earliest} to {latest} are covered; nearer ones have a forecast"
        )
    found = _day(world, city, day, lang, _listed_times(None, None, 3))
    return {"location": _make_location(world, city), "day": {"date": day.isoformat(), **found}}


def local_offset(world: World, city: City) -> float:
    """Hours ahead of UTC at a city now."""
    return offset_hours(world.now, city["time_zone"])
