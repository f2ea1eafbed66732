"""All towns and villages that GeoNames lists with 1,000 people or more: by name, by beginning, by place, by number.

The best known cities stand in `atlas.cities`; here they are given back in place of their row.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from sys import intern
from typing import TYPE_CHECKING

from toolyard.world.kernel.faults import ALIKE
from toolyard.world.kernel.tables import kilometres, plain, read_table, share_keys, values_of
from toolyard.world.reference.packed_tables import Fields, packed_table
from toolyard.world.reference.places.atlas import City, cities, country_names, country_or_none, place_id

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]

TABLES = ("cities", "villages")
# Zones that were set apart after May 2024, and what they belonged to.
ZONES_SINCE = {"America/Coyhaique": "America/Santiago"}
_ID = re.compile(r"([a-z]{2})-([^-]*)-(.+)")
# Places that are listed with the number of a whole district, and about how many people live there.
_COUNTED: Mapping[tuple[str, str], int] = dict(values_of("gazetteer.counted").values())
# Districts of a city that have a number for a name.
NUMBERED = re.compile(r"Circoiscrizione|kerület$|\d+e? Arrondissement$")
# From so many people on a place is meant by its own name, whatever larger city has it as another name.
_OWN_NAME = 50_000
# From so many kilometres on a point does not belong to a town, however large.
_FAR = 120
_SHORT = {"st ": "saint ", "st. ": "saint ", "ste ": "sainte ", "ste. ": "sainte ", "ft ": "fort ", "ft. ": "fort ",
          "mt ": "mount ", "mt. ": "mount "}  # fmt: skip


@functools.cache
def regions() -> Mapping[str, tuple[str, str]]:
    """Country.GeoNames code -> name and ISO code of a region."""
    put_right = {
        (row["country"], row["name"]): (row["now"] or row["name"], row["code"])
        for row in read_table("region_codes.tsv")
    }
    return {key: put_right.get((key[:2], name), (name, code)) for key, name, code in packed_table("regions")}


@functools.cache
def _cities_by_key() -> Mapping[tuple[str, str, str], City]:
    """(GeoNames key, country, GeoNames region) -> the best known city that the row stands for."""
    return {
        (row["key"], row["country"], row["geonames_region"]): city
        for row, city in zip(read_table("cities.tsv"), cities(), strict=True)
        if row["key"]
    }


def _population(row: Fields) -> int:
    """How many people live in the place of a row."""
    return _COUNTED.get((row[0], row[2]), int(row[6]))


def read_city(row: Fields) -> City:
    """The city of a row of the tables."""
    key, name, country, region, latitude, longitude, _, zone = row
    known = _cities_by_key().get((key, country, region))
    if known:
        return known
    title = name or key.title()
    region_name, code = regions().get(f"{country}.{region}", (country_names()[country], region or "00"))
    found = City(
        id=place_id(country, code, title),
        name=title,
        country=country_names()[country],
        country_code=intern(country),
        region=region_name,
        region_code=code,
        latitude=float(latitude),
        longitude=float(longitude),
        population=_population(row),
        time_zone=intern(ZONES_SINCE.get(zone, zone)),
    )
    return share_keys(found)


def _spellings(name: str) -> Iterator[str]:
    """A folded name, and other ways to write it."""
    yield name
    forms = [name.replace("-", " "), name.replace(" ", "-"), name.replace("'", ""), name.replace(".", "")]
    forms += [long + name.removeprefix(short) for short, long in _SHORT.items() if name.startswith(short)]
    forms += [name + " city", name.removesuffix(" city"), name.removeprefix("the ")]
    yield from dict.fromkeys(form for form in forms if form and form != name)


def _rows(name: str, tails: Sequence[str] = ()) -> list[Fields]:
    """The rows of the places with this name that fit; by another name only where none or a small one has it."""
    found = [row for row in packed_table("cities").with_key(name) if _fits_region(row, tails)]
    if any(int(row[6]) >= _OWN_NAME for row in found):
        return found
    largest = max((int(row[6]) for row in found), default=0)
    for _, key, country, region in packed_table("city_names").with_key(name):
        rows = [row for row in packed_table("cities").with_key(key) if row[2:4] == [country, region]]
        found += [row for row in rows if int(row[6]) > 10 * largest and _fits_region(row, tails)]
    return found or [row for row in packed_table("villages").with_key(name) if _fits_region(row, tails)]


def _fits_region(row: Fields, tails: Sequence[str]) -> bool:
    """Whether every part behind the name is the region or the country of a row."""
    country = country_names()[row[2]]
    region, code = regions().get(f"{row[2]}.{row[3]}", ("", ""))
    own = {plain(country), row[2].lower(), plain(region), code.lower(), f"{row[2]}-{code}".lower()}
    return all(tail in own or _is_country(tail, row[2]) for tail in tails)


def _is_country(text: str, code: str) -> bool:
    country = country_or_none(text)
    return country is not None and country["code"] == code


def _largest_city(rows: Sequence[Fields]) -> City | None:
    return read_city(max(rows, key=lambda row: int(row[6]))) if rows else None


# Fewer people than these make no city.
_CITY = 20_000


def largest_city_named(parts: Sequence[str]) -> City | None:
    """The largest city that folded parts name: its name, and behind it region or country; or a place id."""
    by_id = _ID.fullmatch(parts[0]) if len(parts) == 1 else None
    found = _city_by_id(*by_id.groups()) if by_id else None
    if found:
        return found
    for spelling in _spellings(parts[0]):
        found = _largest_city(_rows(spelling, parts[1:]))
        if found and spelling == parts[0].removesuffix(" city") != parts[0] and found["population"] < _CITY:
            continue  # Gotham City is not the village of Gotham
        if found:
            return found
    return _city_before_hyphen(parts) or _city_without_comma(parts)


def nearby_city_named(name: str, city: City, most_km: float) -> City | None:
    """The place of a folded name that is nearest to a city, in its country and at most so far away."""
    rows = [row for spelling in _spellings(name) for row in _rows(spelling, [city["country_code"].lower()])]
    near = [
        (far, one["id"], one)
        for one in map(read_city, rows)
        if (far := kilometres(city["latitude"], city["longitude"], one["latitude"], one["longitude"]))
        <= most_km
    ]
    return min(near)[2] if near else None


def _city_before_hyphen(parts: Sequence[str]) -> City | None:
    """The city whose name goes on behind a hyphen: Chamonix for Chamonix-Mont-Blanc."""
    if len(parts[0]) < 5:
        return None
    rows = [row for table in TABLES for row in packed_table(table).starting(f"{parts[0]}-", 40)]
    return _largest_city([row for row in rows if _fits_region(row, parts[1:])])


def _city_without_comma(parts: Sequence[str]) -> City | None:
    """The city of "Portland Maine": the last one to three words are region or country."""
    words = parts[0].split()
    if len(parts) > 1 or len(words) < 2:
        return None
    for count in range(1, min(4, len(words))):
        name, tail = " ".join(words[:-count]), " ".join(words[-count:])
        found = _largest_city(_rows(name, [tail]))
        if found:
            return found
    return None


def _city_by_id(country: str, region: str, slug: str) -> City | None:
    """The city of an id: of its two plain spellings first, then of all names that begin with its first word."""
    for table in TABLES:
        rows = packed_table(table)
        exact = [*rows.with_key(slug.replace("-", " ")), *rows.with_key(slug)]
        for near in (exact, rows.starting(slug.partition("-")[0], 3000)):
            own = [row for row in near if row[2].lower() == country and row[0].replace(" ", "-") == slug]
            fitting = [row for row in own if read_city(row)["region_code"].lower() == region]
            if fitting:
                return _largest_city(fitting)
    return None


def similar_city_names(wanted: str) -> list[str]:
    """Up to three names of larger cities that are written almost so."""
    from rapidfuzz import fuzz, process

    name = plain(wanted[:80]).partition(",")[0]
    if len(name) < 3:
        return []
    rows = [row for row in packed_table("cities").starting(name[0], 20_000) if int(row[6]) > 50_000]
    keys = {number: row[0] for number, row in enumerate(rows)}
    found = process.extract(name, keys, scorer=fuzz.ratio, limit=6, score_cutoff=ALIKE)
    return list(dict.fromkeys(read_city(rows[number])["name"] for _, _, number in found))[:3]


def beginning(prefix: str, limit: int = 2000) -> list[City]:
    """Cities whose name begins so, the largest first."""
    start = plain(prefix)
    rows = packed_table("cities").starting(start, limit)
    if len(rows) < 10 and len(start) > 2:
        rows += packed_table("villages").starting(start, 50)
    rows.sort(key=lambda row: -_population(row))
    return [read_city(row) for row in rows]


class _Grid:
    """The places of 5,000 people or more by half degree of latitude and longitude."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], list[tuple[float, float, float, int]]] = {}
        for number, row in enumerate(packed_table("cities")):
            latitude, longitude = float(row[4]), float(row[5])
            cell = (int(latitude * 2 // 1), int(longitude * 2 // 1))
            place = (latitude, longitude, int(row[6]) ** 0.45, number)
            self.cells.setdefault(cell, []).append(place)

    def within(self, latitude: float, longitude: float, rings: int) -> Iterator[tuple[float, float, int]]:
        """Distance in kilometres, reach and number of the places at most so many cells away, roughly."""
        shrink = max(0.02, math.cos(math.radians(latitude)))
        wide = min(360, int(rings / shrink) + 1)
        top, left = int(latitude * 2 // 1), int(longitude * 2 // 1)
        for row in range(top - rings, top + rings + 1):
            for column in range(left - wide, left + wide + 1):
                for lat, lon, reach, number in self.cells.get((row, (column + 360) % 720 - 360), ()):
                    east = ((lon - longitude + 180) % 360 - 180) * shrink
                    yield 111.2 * math.hypot(lat - latitude, east), reach, number


_grid = functools.cache(_Grid)


@functools.cache
def _metropolis_radii() -> tuple[tuple[float, float, float, City], ...]:
    """Place and radius in degrees of the best known cities: 15 km for three and a half million people."""
    return tuple(
        (row["latitude"], row["longitude"], row["population"] ** 0.5 / 14_000, row) for row in cities()
    )


@functools.lru_cache(maxsize=1024)
def metropolis_at(latitude: float, longitude: float) -> City | None:
    """The best known city whose built-up area a point lies in, the nearest where there are several."""
    shrink = math.cos(math.radians(latitude))
    found = [
        (far, row["id"], row)
        for lat, lon, radius, row in _metropolis_radii()
        if (far := math.hypot(lat - latitude, (lon - longitude) * shrink)) < radius
    ]
    return min(found)[2] if found else None


@functools.lru_cache(maxsize=1024)
def around(latitude: float, longitude: float, count: int, within_km: float | None = None) -> tuple[City, ...]:
    """The cities that are closest to a point, where a large city reaches farther than a small one."""
    grid = _grid()
    found: list[tuple[float, float, int]] = []
    for rings in (1, 4, 12, 60, 360) if within_km is None else (int(within_km / 55) + 1,):
        found = list(grid.within(latitude, longitude, rings))
        if len(found) >= count:
            break
    near = [place for place in found if within_km is None or place[0] <= within_km]
    near.sort(key=lambda place: (place[0] / place[1], place[2]))
    return tuple(read_city(packed_table("cities")[number]) for _, _, number in near[:count])


@functools.cache
def large_rows(people: int) -> tuple[tuple[float, float, Fields], ...]:
    """Latitude, longitude and row of the cities with so many people or more."""
    return tuple(
        (float(row[4]), float(row[5]), row) for row in packed_table("cities") if _population(row) >= people
    )


@functools.lru_cache(maxsize=1024)
def nearest_place(latitude: float, longitude: float) -> City:
    """The place a point belongs to; where no town is near, the nearest place of all, be it a village."""
    found = around(latitude, longitude, 1)[0]
    if kilometres(latitude, longitude, found["latitude"], found["longitude"]) <= _FAR:
        return found

    import numpy as np

    towards = _place_vectors() @ _unit_vector(latitude, longitude)
    # A kilometre more than the nearest, since the rounded distance decides, and of equals the first in the tables.
    near = np.flatnonzero(towards >= math.cos(math.acos(min(1.0, float(towards.max()))) + 1 / 6371))
    rows = map(_row_by_number, near.tolist())
    return read_city(min(rows, key=lambda row: kilometres(latitude, longitude, float(row[4]), float(row[5]))))


def _unit_vector(latitude: float, longitude: float) -> FloatArray:
    """A point of the globe as a vector of length 1."""
    import numpy as np

    up, east = math.radians(latitude), math.radians(longitude)
    return np.array((math.cos(up) * math.cos(east), math.cos(up) * math.sin(east), math.sin(up)))


@functools.cache
def _place_vectors() -> FloatArray:
    """The vectors of all places, in the order of the tables."""
    import numpy as np

    points = np.array(
        [(float(row[4]), float(row[5])) for table in TABLES for row in packed_table(table)], dtype=np.float64
    )
    up, east = np.radians(points).T
    return np.stack((np.cos(up) * np.cos(east), np.cos(up) * np.sin(east), np.sin(up)), axis=1)


def _row_by_number(number: int) -> Fields:
    """The row at a place among those of all tables."""
    first = packed_table(TABLES[0])
    return first[number] if number < len(first) else packed_table(TABLES[1])[number - len(first)]


@functools.lru_cache(maxsize=4)
def cities_in_country(code: str) -> tuple[City, ...]:
    """The cities of a country with 5,000 people or more, the largest first; villages where it has none."""
    for table in TABLES:
        rows = [row for row in packed_table(table) if row[2] == code]
        if rows:
            rows.sort(key=lambda row: -_population(row))
            return tuple(read_city(row) for row in rows)
    return ()


def largest_city(code: str) -> City:
    """The largest city of a country; for one without towns, the place nearest to no place at all."""
    found = cities_in_country(code)
    return found[0] if found else around(-80.0, 0.0, 1)[0]


@functools.cache
def _known_numbers() -> Mapping[str, int]:
    return {row["id"]: number for number, row in enumerate(cities())}


@functools.lru_cache(maxsize=4096)
def city_number(place: str) -> int:
    """The number of a city by its id: the best known first, then the tables in their order."""
    known = _known_numbers().get(place)
    if known is not None:
        return known
    slug = place.split("-", 2)[2]
    start = len(cities())
    for table in TABLES:
        rows = packed_table(table)
        for key in (slug.replace("-", " "), slug, slug.partition("-")[0]):
            for turn, row in enumerate(rows.starting(key, 3000)):
                if read_city(row)["id"] == place:
                    return start + rows.place(key) + turn
        start += len(rows)
    raise KeyError(place)


def count_cities() -> int:
    """How many cities, towns and villages are known."""
    return len(cities()) + sum(len(packed_table(table)) for table in TABLES)


def city_by_number(number: int) -> City | None:
    """The city with a number; none where there is no such number."""
    if 0 <= number < len(cities()):
        return cities()[number]
    number -= len(cities())
    for table in TABLES:
        if 0 <= number < len(packed_table(table)):
            return read_city(packed_table(table)[number])
        number -= len(packed_table(table))
    return None
