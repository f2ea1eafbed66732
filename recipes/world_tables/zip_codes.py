"""US ZIP codes with city, state and place, out of zipcodes.

python recipes/world_tables/zip_codes.py FOLDER   # holds zipcodes/ as an unpacked wheel
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from packing import write


def main() -> None:
    """Writes zip_codes."""
    sys.path.insert(0, str(Path(sys.argv[1]) / "zipcodes"))
    rows = importlib.import_module("zipcodes").list_all()
    table = [
        (row["zip_code"], row["city"], row["state"], f"{float(row['lat']):.2f}", f"{float(row['long']):.2f}")
        for row in rows
        if row["lat"] and row["long"]
    ]
    write("zip_codes", ("zip", "city", "state", "latitude", "longitude"), table)


if __name__ == "__main__":
    main()
