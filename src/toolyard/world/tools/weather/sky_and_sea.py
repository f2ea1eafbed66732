"""Weather/weatherapi, the rest: sea, sun and moon, place search, address look-up, time zone."""

import functools
from datetime import date, datetime, time, timedelta
from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel.faults import ToolFault
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import kilometres, plain, table_words
from toolyard.world.kernel.types import (
    CityName,
    ClockTime,
    ContinentName,
    Coordinates,
    CountryCode,
    CountryName,
    IpAddress,
    IsoDate,
    IsoDateTime,
    Latitude,
    Longitude,
    Place,
    PlaceId,
    RegionName,
    TimeZoneName,
    Unit,
    UnixTime,
)
from toolyard.world.reference.climates import is_near_sea, is_on_coast, is_on_shore
from toolyard.world.reference.days import days_between, iso_stamp, zone
from toolyard.world.reference.places.gazetteer import NUMBERED, beginning, large_rows
from toolyard.world.reference.places.gazetteer import read_city as city_of_row
from toolyard.world.reference.places.geography import City, cities, city_or_none, find_country
from toolyard.world.reference.places.places import OWN_ADDRESS, block, check_ip_address, locate, of_parameter
from toolyard.world.reference.sea_water import sea_temperature, tidal_range
from toolyard.world.reference.sun_and_moon import sky_of_day
from toolyard.world.simulated.weather import climate
from toolyard.world.tools.weather.weather import GROUP, Celsius, local_offset

# Arms of the sea with large cities: the fjord of Oslo, Puget Sound, the bay of Chesapeake, the strait of Singapore (south,
# north, west, east).
_INLETS = ((59, 60, 10, 11), (47, 48.6, -123, -122), (38.5, 39.5, -77, -76), (1.1, 1.6, 103.5, 104.2))


def is_on_inlet(city: City) -> bool:
    """Whether a place lies on an arm of the sea."""
    return any(
        south <= city["latitude"] <= north and west <= city["longitude"] <= east
        for south, north, west, east in _INLETS
    )


def has_shore(city: City) -> bool:
    """Whether a place is near enough to the sea to have waves of its own."""
    return plain(city["name"]) not in _INLAND and is_near_sea(city["latitude"], city["longitude"])


# Waves farther away than this say nothing about a place.
_FARTHEST_COAST_KM = 400


def nearest_coast(city: City) -> City:
    """The nearest city by the sea with 150,000 people or more, whose waves are told for a place inland."""
    coast = _nearest_coast_city(city["latitude"], city["longitude"])
    far = kilometres(city["latitude"], city["longitude"], coast["latitude"], coast["longitude"])
    if far > _FARTHEST_COAST_KM:
        raise ToolFault(
            "out_of_range",
            f"{city['name']} lies inland, {far:.0f} km from {coast['name']}; ask for a place by the sea",
            parameter="q",
        )
    return coast


# Ports whose quarter of a degree is land, and cities a short way from the sea without a shore of their own.
_PORTS = frozenset(table_words("coasts.ports"))
_INLAND = frozenset(table_words("coasts.inland"))


def _reaches_the_sea(latitude: float, longitude: float, people: int, name: str) -> bool:
    """Whether a city lies on the coast; ports and the largest ones reach farther than their middle."""
    if is_on_coast(latitude, longitude):
        return True
    return (people > 2_000_000 or plain(name) in _PORTS) and is_near_sea(latitude, longitude)


_LARGE_BY_THE_SEA = 150_000
# A city that everybody knows is named instead of its suburbs, however much nearer they are.
_SUBURB_KM = 40


@functools.lru_cache(maxsize=1024)
def _nearest_coast_city(latitude: float, longitude: float) -> City:
    """The nearest large city by the sea: a well known one (which counts its suburbs), or another."""
    known = [row for row in cities() if row["population"] >= _LARGE_BY_THE_SEA]
    known.sort(key=lambda row: kilometres(latitude, longitude, row["latitude"], row["longitude"]))
    best = next(
        row
        for row in known
        if _reaches_the_sea(row["latitude"], row["longitude"], row["population"], row["name"])
    )
    limit = kilometres(latitude, longitude, best["latitude"], best["longitude"])
    places = ((kilometres(latitude, longitude, one[0], one[1]), one) for one in large_rows(_LARGE_BY_THE_SEA))
    nearer = sorted((place for place in places if place[0] < limit), key=lambda place: place[0])
    for _, (north, east, row) in nearer:
        suburb = kilometres(north, east, best["latitude"], best["longitude"]) < _SUBURB_KM
        if not suburb and (is_on_shore(north, east) or plain(row[0]) in _PORTS):
            return city_of_row(row)
    return best


PHASES = table_words("sky_and_sea.phases")
EUROPEAN_UNION = frozenset(
    "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split()
)


class FoundPlace(TypedDict):
    id: PlaceId
    name: CityName
    region: RegionName
    country: CountryName
    coordinates: Coordinates


class AddressPlace(TypedDict):
    ip: IpAddress
    type: Literal["ipv4", "ipv6"]
    continent: ContinentName
    country_code: CountryCode
    country: CountryName
    is_eu: bool
    city: CityName
    region: RegionName
    latitude: Latitude
    longitude: Longitude
    time_zone: TimeZoneName


class Astronomy(TypedDict):
    city: CityName
    date: IsoDate
    sunrise: ClockTime | None
    sunset: ClockTime | None
    moonrise: ClockTime | None
    moonset: ClockTime | None
    moon_phase: str
    moon_illumination_percent: int


class ZoneNow(TypedDict):
    city: CityName
    time_zone: TimeZoneName
    local_time: IsoDateTime
    local_unix_time: UnixTime
    utc_offset_hours: float
    daylight_saving: bool


class SeaHour(TypedDict):
    time: ClockTime
    wave_height_m: Annotated[float, Unit("m")]
    swell_period_s: Annotated[float, Unit("s")]
    water_temperature_c: Celsius
    wind_kph: Annotated[float, Unit("km/h")]


class Tide(TypedDict):
    time: ClockTime
    type: Literal["high", "low"]
    height_m: Annotated[float, Unit("m")]


class SeaDay(TypedDict):
    date: IsoDate
    hours: list[SeaHour]
    tides: list[Tide]


class Marine(TypedDict):
    nearest_city: CityName
    days: list[SeaDay]


@GROUP.tool(
    examples=[{"q": "Sydney"}, {"q": "Lisbon", "tide": True}],
    phrase=(
        "look up the waves, swell and water temperature near {q}[, with tides set to {tide}][, in the "
        "language {lang}]"
    ),
    noun="the marine forecast",
)
def marine(world: World, *, q: Place, lang: climate.Language = "en", tide: bool = False) -> Marine:
    """Waves, swell, water temperature and, if wanted, tides near a place for the coming seven days. For a place
    inland they are those of the nearest large city by the sea, which is named, if one is
    within 400 km; tides are not told then.

    q: City name, "latitude,longitude", iata:CODE, metar:CODE, postcode, IP address or auto:ip.
    lang: Language of texts; the values are the same in all.
    tide: Whether to list high and low water.
    """
    city = locate(q)
    near = has_shore(city) or is_on_inlet(city)
    if tide and not near:
        raise ToolFault(
            "out_of_range",
            f"{city['name']} does not lie on the coast, where tides are told; ask for a place by the sea, such as Lisbon, "
            "or leave tide out",
            parameter="q",
        )
    coast = city if near else nearest_coast(city)
    days = days_between(world.today, world.today + timedelta(days=6))
    return {"nearest_city": coast["name"], "days": [_sea_day(world, coast, day, tide) for day in days]}


# Seas with a smaller tidal range than this in metres are shut in by land.
_SHUT_IN = 0.45


def _sea_day(world: World, city: City, day: date, tide: bool) -> SeaDay:
    hours: list[SeaHour] = []
    # Waves stay low and short in seas that land shuts in.
    shut_in = tidal_range(city["latitude"], city["longitude"]) < _SHUT_IN
    rough = 0.25 if is_on_inlet(city) else 0.45 if shut_in else 1.0
    for clock in (0, 6, 12, 18):
        air = climate.weather_at(world.seed, city, datetime.combine(day, time(clock)))
        swell = climate.blend_noons(world.seed, city, "swell", day, clock)
        hours.append(
            {
                "time": f"{clock:02d}:00",
                "wave_height_m": round(0.1 + rough * (0.2 + air["wind_kph"] / 14), 1),
                "swell_period_s": round((3 + 2 * swell) if rough < 1 else (5 + 6 * swell), 1),
                "water_temperature_c": round(
                    sea_temperature(city["latitude"], city["longitude"], day) + swell - 0.5, 1
                ),
                "wind_kph": air["wind_kph"],
            }
        )
    return {"date": day.isoformat(), "hours": hours, "tides": _tides_of_day(city, day) if tide else []}


def _tides_of_day(city: City, day: date) -> list[Tide]:
    """The high and low waters of a day, 50 minutes later every day and highest around new and full moon."""
    phase = sky_of_day(city["latitude"], city["longitude"], city["time_zone"], day).moon_phase
    spring = 1 + 0.4 * abs(2 * (2 * phase % 1) - 1)
    # Minutes from midnight to the first high water of the day; the low waters lie half a tide away.
    start = int(day.toordinal() * 50 + city["longitude"] * 4) % 746
    half = 0.4 * spring * tidal_range(city["latitude"], city["longitude"])
    middle = 0.65 * tidal_range(city["latitude"], city["longitude"])
    steps = [step for step in range(-1, 4) if 0 <= start + step * 373 < 24 * 60]
    return [
        {
            "time": f"{(start + step * 373) // 60:02d}:{(start + step * 373) % 60:02d}",
            "type": "high" if step % 2 == 0 else "low",
            "height_m": round(middle + (half if step % 2 == 0 else -half), 2),
        }
        for step in steps
    ]


# A city of so many people is meant by a name that is not its own, such as LA; a small one (Le Port by Port) is not.
_LARGE, _VILLAGE = 300_000, 20_000


@functools.lru_cache(maxsize=512)
def _cities_starting_with(start: str) -> tuple[City, ...]:
    """The well known cities whose name begins so, then the largest others."""
    known = [row for row in cities() if plain(row["name"]).startswith(start)]
    return (*known, *(beginning(start, 5000)[:40] if len(start) > 1 else ()))


def _locate_or_fault(text: str) -> City:
    """The place of a full query; a fault that speaks of names where none was more than a name."""
    try:
        return locate(text)
    except ToolFault as fault:
        if not text.strip().isalpha():
            raise
        wanted = f"no city, town or village is called {text[:60]!r} or begins so; give a part of a known name"
        raise ToolFault("not_found", wanted, parameter="q") from fault


@GROUP.tool(
    examples=[{"q": "San"}, {"q": "London"}],
    phrase="search the weather service for cities matching {q}[ in the language {lang}]",
    noun="the list of matching cities",
    jobs=("find a city",),
)
def search(world: World, *, q: Place, lang: climate.Language = "en") -> list[FoundPlace]:
    """Known cities that match a name or its beginning, twenty at most; a full place query gives the one city it means.

    q: City name or its beginning, "latitude,longitude", iata:CODE, metar:CODE, postcode or IP address.
    lang: Language of texts; place names stay in English.
    """
    exact, start = city_or_none(q), plain(q)
    rows = [row for row in _cities_starting_with(start) if not NUMBERED.search(row["name"])] if start else []
    if exact and (not rows or plain(exact["name"]) == start or exact["population"] >= _LARGE):
        # A village called so comes after the great city that begins so (Rio, Val).
        small = rows and rows[0]["population"] > _LARGE > _VILLAGE > exact["population"]
        rows.insert(1 if small else 0, exact)
    found = list({row["id"]: row for row in rows}.values())[:20] or [_locate_or_fault(q)]
    return [
        {
            "id": city["id"],
            "name": city["name"],
            "region": city["region"],
            "country": city["country"],
            "coordinates": f"{city['latitude']},{city['longitude']}",
        }
        for city in found
    ]


@GROUP.tool(
    examples=[{"q": "8.8.8.8"}, {"q": "auto:ip"}],
    phrase="find out by IP address lookup where {q} is located[, in the language {lang}]",
    noun="the IP address location",
    jobs=("where an address of the internet is",),
)
def ip_lookup(world: World, *, q: IpAddress, lang: climate.Language = "en") -> AddressPlace:
    """Where an IP address is, down to the city.

    q: IPv4 or IPv6 address, or auto:ip for the caller's own.
    lang: Language of texts; place names stay in English.
    """
    try:
        ip = check_ip_address(OWN_ADDRESS if q.strip().lower() == "auto:ip" else q)
    except ToolFault as fault:
        raise of_parameter(fault, "q") from fault
    city = block(ip)["city"]
    country = find_country(city["country_code"])
    return {
        "ip": ip,
        "type": "ipv6" if ":" in ip else "ipv4",
        "continent": country["continent"],
        "country_code": country["code"],
        "country": country["name"],
        "is_eu": country["code"] in EUROPEAN_UNION,
        "city": city["name"],
        "region": city["region"],
        "latitude": city["latitude"],
        "longitude": city["longitude"],
        "time_zone": city["time_zone"],
    }


@GROUP.tool(
    examples=[{"q": "Tokyo"}],
    phrase="tell me today's sunrise, sunset and moon phase for {q}[ in the language {lang}]",
    noun="the astronomy data",
)
def astronomy_info(world: World, *, q: Place, lang: climate.Language = "en") -> Astronomy:
    """Today's sunrise, sunset, moonrise and moonset at a place (null where there is none), and the phase of the moon.

    q: City name, "latitude,longitude", iata:CODE, metar:CODE, postcode, IP address or auto:ip.
    lang: Language of texts; phases stay in English.
    """
    city = locate(q)
    day = world.now.astimezone(zone(city["time_zone"])).date()
    seen = sky_of_day(city["latitude"], city["longitude"], city["time_zone"], day)
    return {
        "city": city["name"],
        "date": day.isoformat(),
        "sunrise": seen.sunrise,
        "sunset": seen.sunset,
        "moonrise": seen.moonrise,
        "moonset": seen.moonset,
        "moon_phase": PHASES[int(seen.moon_phase * 8 + 0.5) % 8],
        "moon_illumination_percent": seen.moon_percent,
    }


def _is_summer_time(local: datetime) -> bool:
    """Whether clocks are ahead of those of the other half of the year; in Ireland that of winter is the law's exception."""
    halves = [local.replace(month=month, day=1).utcoffset() or timedelta() for month in (1, 7)]
    return (local.utcoffset() or timedelta()) > min(halves)


@GROUP.tool(
    examples=[{"q": "New York"}],
    phrase="tell me the time zone, UTC offset and local time for {q}[ in the language {lang}]",
    noun="the time zone information",
    jobs=("date and time of now", "time zone of a city"),
    described_as="Gives the time zone of a place, its offset from UTC, and the local time there now.",
)
def time_zone(world: World, *, q: Place, lang: climate.Language = "en") -> ZoneNow:
    """Time zone of a place, its offset from UTC, and the local time there now.

    q: City name, "latitude,longitude", iata:CODE, metar:CODE, postcode, IP address or auto:ip.
    lang: Language of texts; zone names are the same in all.
    """
    city = locate(q)
    local = world.now.astimezone(zone(city["time_zone"]))
    return {
        "city": city["name"],
        "time_zone": city["time_zone"],
        "local_time": iso_stamp(local),
        "local_unix_time": int(local.timestamp()),
        "utc_offset_hours": local_offset(world, city),
        "daylight_saving": _is_summer_time(local),
    }
