"""The domestic routes of American airlines, out of bokeh-sampledata: rows for airline_routes.tsv.

python recipes/world_tables/airline_routes.py FOLDER   # holds bokeh_sampledata/ as the wheel unpacks it

Of each hub of the table of airlines, the airports with a timetable to which the airline flew in July 2026. Routes to other
countries, and those of other airlines, are in the table by hand.
"""

from __future__ import annotations

import csv
import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

from toolyard.world.reference.places.geography import main_airports
from toolyard.world.simulated.travel.network import all_airlines

AMERICAN = ("AA", "DL", "UA", "WN", "B6", "AS")


def rows(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Airline, hub and the airports that it is joined with, in order."""
    known = {row["iata"] for row in main_airports()}
    joined: dict[tuple[str, str], set[str]] = {}
    path = folder / "bokeh_sampledata" / "_data" / "routes.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["Airline"] in AMERICAN and row["Destination"] in known:
                joined.setdefault((row["Airline"], row["Source"]), set()).add(row["Destination"])
    for airline in AMERICAN:
        for hub in all_airlines()[airline].hubs:
            yield airline, hub, " ".join(sorted(joined.get((airline, hub), ())))


def main() -> None:
    """Prints the rows."""
    for row in rows(Path(sys.argv[1])):
        print("\t".join(row))


if __name__ == "__main__":
    main()
