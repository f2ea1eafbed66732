"""The US consumer price index of all urban consumers by month, out of cpi.

python recipes/world_tables/consumer_prices.py FOLDER   # holds cpi/ as an unpacked wheel
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

from packing import write

SERIES = "CUUR0000SA0"
QUERY = "select year, period, value from indexes where series = ? and period like 'M%' and period != 'M13' order by 1, 2"


def main() -> None:
    """Writes consumer_prices: month and index, not adjusted for the season, 1982 to 1984 being 100."""
    base = sqlite3.connect(Path(sys.argv[1]) / "cpi" / "cpi" / "cpi.db")
    rows = [(f"{year}-{period[1:]}", f"{value:g}") for year, period, value in base.execute(QUERY, (SERIES,))]
    write("consumer_prices", ("month", "index"), rows)


if __name__ == "__main__":
    main()
