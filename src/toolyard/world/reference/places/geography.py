"""Countries, currencies, cities and airports: public facts under weather, travel, business and jobs.

Rows are in `atlas` and `gazetteer`; here they are found as people write them.
"""

import functools
import re

from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.tables import kilometres, plain, read_table, table_texts
from toolyard.world.reference.places import gazetteer
from toolyard.world.reference.places.atlas import Airport as Airport
from toolyard.world.reference.places.atlas import City as City
from toolyard.world.reference.places.atlas import Country as Country
from toolyard.world.reference.places.atlas import Currency as Currency
from toolyard.world.reference.places.atlas import airport_keys as airport_keys
from toolyard.world.reference.places.atlas import all_airports as all_airports
from toolyard.world.reference.places.atlas import cities as cities
from toolyard.world.reference.places.atlas import countries as countries
from toolyard.world.reference.places.atlas import country_names as country_names
from toolyard.world.reference.places.atlas import country_or_none as country_or_none
from toolyard.world.reference.places.atlas import currencies as currencies
from toolyard.world.reference.places.atlas import find_country as find_country
from toolyard.world.reference.places.atlas import known_city as known_city
from toolyard.world.reference.places.atlas import large_countries as large_countries
from toolyard.world.reference.places.atlas import main_airports as main_airports


@functools.lru_cache(maxsize=4096)
def city_or_none(wanted: str) -> City | None:
    """The city of a name, "name, country", "name, region" or place id; the largest where several fit.

    Three capital letters are the code of an airport before they are a village, and the name of a country is no
    village: India is not Inđija.
    """
    parts = [part.strip() for part in plain(wanted[:200]).split(",") if part.strip()]
    if not parts:
        return None
    code = wanted.strip()
    if len(code) == 3 and code.isupper() and code in airport_keys() and known_city(parts) is None:
        return _airport_city(code)
    if parts[0] in _MEANT and wanted != _MEANT[parts[0]]:
        meant = city_or_none(_MEANT[parts[0]])
        if len(parts) == 1 or (len(parts) == 2 and meant and _is_in_country(meant, parts[1])):
            return meant
    known, country = known_city(parts), _country_named(wanted)
    if known is None and country:
        return gazetteer.largest_city_named(
            [parts[0], plain(country["code"])]
        )  # Luxembourg and Macau are cities as well
    return known or gazetteer.largest_city_named(parts) or _town_of_track(parts)


def _town_of_track(parts: list[str]) -> City | None:
    """The listed place that the town of a race track belongs to, where the town itself is not listed."""
    points = (
        (float(row["latitude"]), float(row["longitude"]))
        for row in read_table("f1_circuits.tsv")
        if plain(row["city"]) == parts[0]
    )
    found = next((gazetteer.nearest_place(*point) for point in points), None)
    return found if found and all(_is_in_country(found, part) for part in parts[1:]) else None


def _is_in_country(city: City, name: str) -> bool:
    country = country_or_none(name)
    return country is not None and country["code"] == city["country_code"]


# Names that people give to one city though a larger one, or a village of that spelling, bears them; islands by their town.
_MEANT = table_texts("geography.meant")


def _country_named(wanted: str) -> Country | None:
    """The country that is called so; its two- and three-letter codes are no names."""
    return country_or_none(wanted) if len(wanted.strip()) > 3 else None


def find_city(wanted: str) -> City:
    """As `city_or_none`, and the capital for the name of a country; with a not_found fault instead of None."""
    country = _country_named(wanted)
    row = city_or_none(wanted) or (capital_city(country) if country else None)
    if row is None:
        near = gazetteer.similar_city_names(wanted)
        raise not_found(
            "city",
            wanted[:80],
            nearest=near,
            known=("London", "Paris", "New York", "Beijing", "Sydney"),
            count=gazetteer.count_cities(),
            listed_by="Location/Geodatabase/find_places",
        )
    return row


def capital_city(country: Country) -> City:
    """The capital of a country; its largest city where none is listed by the capital's name."""
    named = city_or_none(f"{country['capital']}, {country['code']}") if country["capital"] else None
    return named or gazetteer.largest_city(country["code"])


_POST_CODE = re.compile(
    r"^(?:[A-Z]{1,2}-)?\d{4,6}(?:-\d+)?\s+(?=\D)|\s+\d{4,6}(?:-\d+)?$|(?:\s+(?=\D*\d)[A-Z\d]{3,4}){2}$"
)
# Countries that are one city: their name at the end of an address is that of the town.
_CITY_STATES = ("SG", "HK", "MO", "MC", "VA", "GI", "LU", "DJ", "KW", "SM")
# How far from the middle of a city its quarters are, and how large a town is that a text without commas may end in.
_QUARTER_KM, _LARGE = 25.0, 100_000


def city_in_address(text: str) -> City | None:
    """The city, or quarter of one, that an address such as "350 5th Ave, New York, NY 10118" names; else None."""
    found = place_in_address(text)
    return found[1] if found else None


def place_in_address(text: str) -> tuple[City, City] | None:
    """The city that an address is in, and the quarter of it that is named (the city itself where none is).

    A street is no town, even where a village bears its name (12 Ocean Drive, Miami): what stands in front of a town
    counts only where it lies in that town.
    """
    given = [_POST_CODE.sub("", part.strip()).strip() for part in text[:300].split(",")]
    given = [part for part in given if part]
    towns = [part for part in given[:-1] if not part[0].isdigit()] + given[-1:]
    parts = [bare for part in towns if (bare := " ".join(w for w in part.split() if not w.isdigit()))]
    if len(parts) < 2:
        alone = (city_or_none(parts[0]) or _city_at_end(parts[0])) if parts else None
        return (alone, alone) if alone else None
    exact = next(
        (city for start in range(len(parts) - 1) if (city := city_or_none(",".join(parts[start:])))), None
    )
    main = next((city for part in reversed(parts) if (city := _town_in_part(part))), None)
    if exact:
        return (main if main and _is_quarter_of(exact, main) else exact), exact
    quarter = gazetteer.nearby_city_named(plain(parts[0]), main, _QUARTER_KM) if main else None
    return (main, quarter or main) if main else None


def _is_quarter_of(quarter: City, city: City) -> bool:
    """Whether a place is a quarter of a city: near to it and much smaller."""
    far = kilometres(quarter["latitude"], quarter["longitude"], city["latitude"], city["longitude"])
    return (
        far <= _QUARTER_KM
        and 10 * quarter["population"] < city["population"]
        and quarter["country_code"] == city["country_code"]
    )


def _town_in_part(part: str) -> City | None:
    """The town of the last part of an address; a country or state alone is none."""
    country = country_or_none(part)
    if country and country["code"] not in _CITY_STATES:
        return None
    return city_or_none(part) if len(part) > 2 else None


def _city_at_end(text: str) -> City | None:
    """The large town that an address without commas ends in: 10 Downing Street London."""
    words = text.split()
    for count in range(min(3, len(words) - 1), 0, -1):
        city = city_or_none(" ".join(words[-count:]))
        if city and city["population"] >= _LARGE:
            return city
    return None


def find_airport(wanted: str) -> Airport:
    """The airport of an IATA or ICAO code; a not_found fault otherwise."""
    key = wanted.strip().upper()
    row = airport_keys().get(key)
    if row is None:
        raise not_found(
            "airport with code",
            wanted[:20],
            known=("LHR", "CDG", "JFK", "PEK", "SIN"),
            count=sum(1 for code in airport_keys() if len(code) == 3),
            listed_by="Travel/Flight_JSON_Data/search_airport",
        )
    return row


# Airports that lie by a village but serve a town or an island.
_SERVES = table_texts("geography.serves")


@functools.lru_cache(maxsize=2048)
def _airport_city(iata: str) -> City:
    row = airport_keys()[iata]
    served = _SERVES.get(iata) or row["city"].partition("/")[0]
    named = city_or_none(served if ", " in served else f"{served}, {row['country_code']}")
    if named and kilometres(named["latitude"], named["longitude"], row["latitude"], row["longitude"]) < 120:
        return named
    return nearest_city(row["latitude"], row["longitude"])


def airport_city(airport: Airport) -> City:
    """The city that an airport serves."""
    return _airport_city(airport["iata"])


def nearest_city(latitude: float, longitude: float) -> City:
    """The city that a point belongs to: the closest one, where a large city reaches farther than a small one."""
    return gazetteer.metropolis_at(latitude, longitude) or gazetteer.nearest_place(latitude, longitude)
