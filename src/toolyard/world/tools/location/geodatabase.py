"""Location/Geodatabase: countries, regions, cities, currencies, locales, time zones, universities."""

import functools
import re
from collections import Counter
from collections.abc import Mapping
from typing import Annotated, TypedDict

from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.tables import (
    find,
    kilometres,
    page,
    plain,
    rows_between,
    sort_rows,
    table_texts,
    table_words,
    values_of,
)
from toolyard.world.kernel.types import (
    AirportCode,
    CityName,
    Coordinates,
    CountryCode,
    CountryName,
    CurrencyCode,
    Page,
    PlaceId,
    Range,
    RegionCode,
    RegionName,
    Semantic,
    Unit,
    Within,
)
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places.gazetteer import (
    NUMBERED,
    around,
    beginning,
    cities_in_country,
    large_rows,
    read_city,
)
from toolyard.world.reference.places.geography import (
    Airport,
    City,
    Country,
    all_airports,
    cities,
    city_or_none,
    countries,
    country_or_none,
    find_city,
    find_country,
)
from toolyard.world.reference.places.places import parse_point
from toolyard.world.tools.location.region_cities import cities_of_region, iso_codes, region_code

# Parts of the sea and the land that are no regions, and regions of the standard that are abroad or no more.
_UNITS = ("Geographical unit", "Geographical region", "Geographical entity")
_NO_REGIONS = frozenset(table_words("region_names.no_regions"))
_OWN_NAMES: Mapping[str, Mapping[str, str]] = values_of("region_names.own_names")


def _short_region_name(name: str) -> str:
    """A name of the standard without what it adds in brackets."""
    return re.sub(r"\s*[\[(].*[\])]", "", name)


def _distinct_region_names(code: str, found: dict[str, str], kinds: Mapping[str, str]) -> dict[str, str]:
    """Regions of which no two have one name: Hsinchu City and Hsinchu County."""
    often = Counter(found.values())
    return {
        key: name
        if often[name] == 1 or name in kinds.get(key, "")
        else f"{name} {_region_kind(kinds.get(key, ''))}".strip()
        for key, name in found.items()
    }


def _region_kind(text: str) -> str:
    return "City" if "city" in text.lower() or text == "Municipality" else text.split(" ")[-1].title()


def country_regions(code: str, within: bool) -> dict[str, str]:
    """Code -> name of the regions of a country; with the parts of regions on demand."""
    known = [city for city in cities() if city["country_code"] == code]
    names = {
        key: row["region"]
        for row in reversed([*known, *cities_in_country(code)])
        if (key := region_code(row)) == row["region_code"] or (code, row["region"]) in iso_codes()
    }
    rows = packed_table("subdivisions").starting(f"{code}-", 500)
    units = {full for full, _, kind, _ in rows if kind in _UNITS}
    listed = {
        full.partition("-")[2]: _short_region_name(name)
        for full, name, _, parent in rows
        if (within or not parent or parent in units) and full not in units and full not in _NO_REGIONS
    }
    if code in _OWN_NAMES:
        listed |= _OWN_NAMES[code]
        names = {**names, **_OWN_NAMES[code]}
    found = {region: names.get(region, name) for region, name in listed.items()} if listed else dict(names)
    found = _distinct_region_names(code, found, {full.partition("-")[2]: kind for full, _, kind, _ in rows})
    if within:
        found = names | found
    return found


GROUP = Group("Location/Geodatabase")
_NOBODY = "AQ"  # Antarctica has no money of its own
Limit = Annotated[int, Range(1, 100)]
Offset = Annotated[int, Range(0)]
CountryKey = Annotated[str, Semantic("country_code", accepts=("country",))]


class CountrySummary(TypedDict):
    countryCode: CountryCode
    name: CountryName
    currencyCode: CurrencyCode
    population: int
    wikiDataId: str


class PlaceSummary(TypedDict):
    id: PlaceId
    name: CityName
    region: RegionName
    countryCode: CountryCode
    population: int


class RegionSummary(TypedDict):
    regionCode: RegionCode
    name: RegionName
    countryCode: CountryCode


class RegionDetails(TypedDict):
    regionCode: RegionCode
    name: RegionName
    country: CountryName
    number_of_cities: int
    largest_city: CityName | None


class CountryDetails(TypedDict):
    country: Country
    number_of_regions: int
    number_of_cities: int


class PlaceDetails(TypedDict):
    place: City
    coordinates: Coordinates
    airports: list[AirportCode]


_LARGE = 100_000


def _country_currency(row: Country) -> str:
    """The currency of a country; empty where it has none of its own."""
    return "" if row["code"] == _NOBODY else row["currency"]


def _starts_with(text: str, prefix: str | None) -> bool:
    return prefix is None or plain(text).startswith(plain(prefix))


@GROUP.tool(
    examples=[{"namePrefix": "B"}, {"currencyCode": "EUR", "sort_by": "-population", "limit": 5}],
    phrase=(
        "list countries[ whose names begin with {namePrefix}][ that pay with {currencyCode}][, sorted by "
        "{sort_by}][, returning at most {limit} of them][, skipping the first {offset}]"
    ),
    noun="the list of countries",
    jobs=("facts of a country",),
)
def find_countries(
    *,
    currencyCode: CurrencyCode | None = None,
    limit: Limit = 10,
    offset: Offset = 0,
    sort_by: str = "name",
    namePrefix: str | None = None,
) -> Page[CountrySummary]:
    """Countries, all or those that use a currency or whose name begins in a certain way.

    currencyCode: Only countries that pay with this currency.
    limit: How many to return.
    offset: How many to skip.
    sort_by: Comma-separated out of countryCode, name, population; a minus in front turns the order.
    namePrefix: Only names that begin with this.
    """
    money = currencyCode.strip().upper() if currencyCode else None
    if money and money not in {row["currency"] for row in countries()}:
        raise not_found(
            "currency of a country", money[:20], known=sorted({row["currency"] for row in countries()})
        )
    other = country_or_none(namePrefix) if namePrefix and len(namePrefix.strip()) > 2 else None
    meant = other["code"] if other else ""
    rows: list[CountrySummary] = [
        {
            "countryCode": row["code"],
            "name": row["name"],
            "currencyCode": _country_currency(row),
            "population": row["population"],
            "wikiDataId": row["wikidata_id"],
        }
        for row in countries()
        if money in (None, _country_currency(row))
        if _starts_with(row["name"], namePrefix) or row["code"] == meant
    ]
    return page(sort_rows(rows, sort_by, ("countryCode", "name", "population"), "sort_by"), limit, offset)


@GROUP.tool(
    examples=[
        {"namePrefix": "San", "limit": 5},
        {"location": "+51.5074-000.1278", "radius": 120, "sort_by": "-population"},
    ],
    phrase=(
        "list cities[ whose names begin with {namePrefix}][ located around {location}][, with the search "
        "radius set to {radius} km][, with at least {minPopulation} inhabitants][, with at most "
        "{maxPopulation} inhabitants][, sorted by {sort_by}][, returning at most {limit} of them][, skipping "
        "the first {offset}]"
    ),
    noun="the list of cities",
    jobs=("find a city",),
)
def find_places(
    *,
    limit: Limit = 10,
    offset: Offset = 0,
    sort_by: str = "name",
    namePrefix: str | None = None,
    location: Coordinates | None = None,
    radius: Annotated[float, Range(0.1, 2000), Unit("km")] = 100.0,
    minPopulation: Annotated[int, Range(0)] | None = None,
    maxPopulation: Annotated[int, Range(0)] | None = None,
) -> Page[PlaceSummary]:
    """Cities near a point (quarters of large ones too), of a certain size, or with a certain beginning of the name;
    without point and beginning, those of 100,000 people and more.

    limit: How many to return.
    offset: How many to skip.
    sort_by: Comma-separated out of countryCode, name, population; a minus in front turns the order.
    namePrefix: Only names that begin with this.
    location: Only cities around this point, as ±DD.DDDD±DDD.DDDD or latitude,longitude.
    radius: How far around the location.
    minPopulation: Only cities with at least so many inhabitants.
    maxPopulation: Only cities with at most so many inhabitants.
    """
    if minPopulation is not None and maxPopulation is not None and minPopulation > maxPopulation:
        raise invalid("maxPopulation", maxPopulation, f"want at least minPopulation, {minPopulation:,}")
    at = parse_point(location, "location") if location is not None else None
    if location is not None and at is None:
        raise invalid("location", location, "want ±DD.DDDD±DDD.DDDD or latitude,longitude")
    rows: list[PlaceSummary] = [
        {
            "id": row["id"],
            "name": row["name"],
            "region": row["region"],
            "countryCode": row["country_code"],
            "population": row["population"],
        }
        for row in rows_between(
            _candidate_cities(namePrefix, at, radius), "population", minPopulation, maxPopulation
        )
        if _starts_with(row["name"], namePrefix)
    ]
    if namePrefix and not namePrefix.isascii():  # who writes an accent means it, where a name has it
        rows = [row for row in rows if row["name"].casefold().startswith(namePrefix.casefold())] or rows
    shown = page(sort_rows(rows, sort_by, ("countryCode", "name", "population"), "sort_by"), limit, offset)
    shown["items"] = [{**row, "region": _city_region(find_city(row["id"]))} for row in shown["items"]]
    return shown


def _city_region(row: City) -> str:
    """The region of a city under the name that find_regions has for it."""
    return _region_name(row["country_code"], region_code(row)) or row["region"]


@functools.cache
def _large_cities() -> tuple[City, ...]:
    found = (*cities(), *(read_city(row) for _, _, row in large_rows(_LARGE)))
    return tuple({row["id"]: row for row in found if row["population"] >= _LARGE or row in cities()}.values())


def _candidate_cities(prefix: str | None, at: tuple[float, float] | None, radius: float) -> list[City]:
    """The cities among which to look: around a point, of a certain beginning, or the large ones."""
    if at is not None:
        return [row for row in around(*at, 2000, radius) if not NUMBERED.search(row["name"])]
    if prefix is None or not plain(prefix):
        return list(_large_cities())
    named = city_or_none(prefix)
    begun = (row for row in beginning(prefix, 400) if not NUMBERED.search(row["name"]))
    found = [*([named] if named else []), *cities(), *begun]
    return list({row["id"]: row for row in found}.values())


@functools.lru_cache(maxsize=512)
def _regions(code: CountryCode, within: bool = False) -> tuple[RegionSummary, ...]:
    """The first-level regions of ISO 3166-2, under the English names that cities have for them; with parts on demand."""
    found = country_regions(code, within)
    summaries = [RegionSummary(regionCode=key, name=name, countryCode=code) for key, name in found.items()]
    return tuple(sorted(summaries, key=lambda row: (plain(row["name"]), row["regionCode"])))


@GROUP.tool(
    examples=[{"countryId": "US", "namePrefix": "C"}, {"countryId": "DE"}],
    phrase=(
        "list the states, provinces or regions of {countryId}[ whose names begin with {namePrefix}][, "
        "returning at most {limit} of them][, skipping the first {offset}]"
    ),
    noun="the list of regions",
)
def find_regions(
    *, countryId: CountryKey, limit: Limit = 10, offset: Offset = 0, namePrefix: str | None = None
) -> Page[RegionSummary]:
    """States, provinces or other first-level regions of a country.

    countryId: ISO 3166 code, name or Wikidata id of the country.
    limit: How many to return.
    offset: How many to skip.
    namePrefix: Only names that begin with this.
    """
    rows = [row for row in _regions(find_country(countryId)["code"]) if _starts_with(row["name"], namePrefix)]
    return page(rows, limit, offset)


@GROUP.tool(
    examples=[{"countryId": "JP"}, {"countryId": "Q30"}],
    phrase="get the full country details, with the number of regions and cities, of {countryId}",
    noun="the country details",
    jobs=("facts of a country",),
)
def get_country_details(*, countryId: CountryKey) -> CountryDetails:
    """One country: capital, currency, languages, size and more, with the number of its regions and cities.

    countryId: ISO 3166 code, name or Wikidata id of the country.
    """
    row = find_country(countryId)
    return {
        "country": {**row, "currency": _country_currency(row)},
        "number_of_regions": len(_regions(row["code"])),
        "number_of_cities": len(cities_in_country(row["code"])),
    }


@functools.lru_cache(maxsize=512)
def _region_name(country: str, code: str) -> str | None:
    """What the other tools call the region with a code."""
    return country_regions(country, within=True).get(code)


@GROUP.tool(
    examples=[{"placeId": "GB-ENG-london"}],
    phrase="get the coordinates, population, time zone and airports of the city whose place id is {placeId}",
    noun="the city details",
    jobs=("find a city",),
)
def get_place_details(*, placeId: PlaceId) -> PlaceDetails:
    """One city: coordinates, population, time zone and airports.

    placeId: Id of the place, as find_places returns it.
    """
    row = find_city(placeId)
    return {
        "place": {**row, "region": _city_region(row), "region_code": region_code(row)},
        "coordinates": f"{row['latitude']},{row['longitude']}",
        "airports": [
            port["iata"] for port in all_airports() if _serves(port, row) and port["iata"] not in _CLOSED
        ],
    }


# Airports that have closed or are not open yet.
_CLOSED = ("TXL", "THF", "SXF", "NMI", "WSI", "NAY")
# Airports that stand in another town, or across a border, and have another name.
_ALSO = table_texts("geodatabase.also")
# The farthest that an airport lies from its city, and one that only has the name of the city in its own.
_FAR_KM, _NAMED_KM = 90.0, 60.0
_WORDS = re.compile(r"[-/(), ]+")
_MILITARY = re.compile(r"\b(?:air base|ab|afb|naf|nas|raf|army|heliport|seaplane|railway|bus station)\b")


def _serves(airport: Airport, city: City) -> bool:
    """Whether an airport is that of a city: by its town, under any name of that, or by its own name."""
    if airport["iata"] in _ALSO.get(plain(city["name"]), ""):
        return (
            kilometres(airport["latitude"], airport["longitude"], city["latitude"], city["longitude"])
            < _FAR_KM
        )
    if airport["country_code"] != city["country_code"]:
        return False
    away = kilometres(airport["latitude"], airport["longitude"], city["latitude"], city["longitude"])
    name, title = plain(city["name"]), plain(airport["name"])
    if away > _FAR_KM or _MILITARY.search(title):
        return False
    towns = [part.strip() for part in airport["city"].split("/")]
    if name in map(plain, towns[:1]) or (away <= _NAMED_KM and f" {name} " in f" {_WORDS.sub(' ', title)} "):
        return True
    meant = city_or_none(f"{towns[0]}, {city['country_code']}")
    return meant is not None and meant["id"] == city["id"]


@GROUP.tool(
    examples=[{"countryId": "US", "regionCode": "CA"}],
    phrase=(
        "get the details and largest cities of a region in {countryId}, namely the one whose region code is "
        "{regionCode}"
    ),
    noun="the region details",
)
def get_region_details(
    *, countryId: CountryKey, regionCode: Annotated[RegionCode, Within("countryId")]
) -> RegionDetails:
    """One region of a country, with the number of its cities and the largest of them.

    countryId: ISO 3166 code, name or Wikidata id of the country.
    regionCode: Code of the region, as find_regions returns it.
    """
    country = find_country(countryId)
    region = find(
        _regions(country["code"], within=True),
        regionCode.strip().upper().removeprefix(f"{country['code']}-"),
        "regionCode",
        f"region of {country['name']}",
    )
    inside = cities_of_region(country["code"], region["regionCode"], region["name"])
    return {
        "regionCode": region["regionCode"],
        "name": region["name"],
        "country": country["name"],
        "number_of_cities": len(inside),
        "largest_city": inside[0]["name"] if inside else None,
    }
