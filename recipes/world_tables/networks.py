"""Whose IPv4 addresses are: announced ranges of 4,096 addresses and more, out of @ip-location-db/asn.

python recipes/world_tables/networks.py FOLDER   # holds package/ as npm pack and tar leave it
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from packing import write

LEAST = 4096
STEP = 256


def main() -> None:
    """Writes networks (first 24 bits of a range, how many times 256 addresses, number) and network_owners."""
    path = Path(sys.argv[1]) / "package" / "asn-ipv4-num.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = [(int(first), int(last), number, owner) for first, last, number, owner in csv.reader(file)]
    kept = [row for row in rows if row[1] - row[0] + 1 >= LEAST]
    write(
        "networks",
        ["first", "size", "number"],
        [[f"{first >> 8:06x}", (last - first + 1) // STEP, number] for first, last, number, _ in kept],
    )
    owners = {number: owner for _, _, number, owner in kept}
    write("network_owners", ["number", "owner"], sorted(owners.items()))


if __name__ == "__main__":
    main()
