"""Chemical elements with symbol, number, weight, melting and boiling point and density, out of mendeleev.

python recipes/world_tables/elements.py FOLDER   # holds mendeleev/ as an unpacked wheel
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

from packing import write

QUERY = """select e.name, e.symbol, e.atomic_number, e.atomic_weight, min(p.melting_point), min(p.boiling_point), e.density,
    e.discovery_year from elements e left join phasetransitions p on p.atomic_number = e.atomic_number
    group by e.atomic_number order by e.atomic_number"""


def main() -> None:
    """Writes elements; temperatures in kelvin, densities in g/cm³, empty where not known."""
    base = sqlite3.connect(Path(sys.argv[1]) / "mendeleev" / "mendeleev" / "elements.db")
    columns = ("key", "name", "symbol", "number", "weight", "melting", "boiling", "density", "discovered")
    rows = [
        (row[0].lower(), *("" if value is None else shown(value) for value in row))
        for row in base.execute(QUERY)
    ]
    write("elements", columns, rows)


def shown(value: object) -> object:
    """A number without the noise of its last digits."""
    return f"{value:.6g}" if isinstance(value, float) else value


if __name__ == "__main__":
    main()
