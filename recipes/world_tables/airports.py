"""Airports with an IATA code, out of airportsdata; the city of well-known ones is the one they serve.

python recipes/world_tables/airports.py FOLDER   # holds airportsdata/ as an unpacked wheel
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

from packing import write

from toolyard.world.kernel.tables import read_table


def rows(folder: Path) -> Iterator[tuple[str, ...]]:
    """One row per airport."""
    served = {row["iata"]: row["city"] for row in read_table("airports.tsv")}
    with (folder / "airportsdata" / "airportsdata" / "airports.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["iata"]:
                city = served.get(row["iata"]) or row["city"] or row["name"].removesuffix(" Airport")
                place = f"{float(row['lat']):.4f}", f"{float(row['lon']):.4f}"
                yield row["iata"], row["icao"], row["name"], city, row["country"], *place, row["tz"]


def main() -> None:
    """Writes airports."""
    columns = ("iata", "icao", "name", "city", "country", "latitude", "longitude", "zone")
    write("airports", columns, rows(Path(sys.argv[1])))


if __name__ == "__main__":
    main()
