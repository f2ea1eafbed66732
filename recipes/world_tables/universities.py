"""Universities with country and site, out of universities.

python recipes/world_tables/universities.py FOLDER   # holds universities-0.0.3/ as an unpacked npm package
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from urllib.parse import urlsplit

from packing import write

from toolyard.world.kernel.tables import plain


def domain(address: str) -> str:
    """The domain of a site, without www."""
    return (urlsplit(address.strip()).hostname or "").removeprefix("www.")


def main() -> None:
    """Writes universities, by folded name."""
    path = Path(sys.argv[1]) / "universities-0.0.3" / "package" / "world-universities.csv"
    with path.open(encoding="utf-8") as file:
        rows = [
            (plain(name), name.strip(), code, domain(address)) for code, name, address in csv.reader(file)
        ]
    write("universities", ("key", "name", "country", "domain"), sorted(set(rows)))


if __name__ == "__main__":
    main()
