"""Films from 1940 to 2014 with director, cast, genre and length, and the people who appear in at least four of them.

python recipes/world_tables/films.py FOLDER    # with bokeh_sampledata unpacked in it
"""

from __future__ import annotations

import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from packing import write

from toolyard.world.kernel.tables import plain

PARTS = 4
COLUMNS = ("key", "title", "year", "minutes", "genres", "director", "cast", "countries", "oscars")


def listed(text: str | None) -> list[str]:
    """The names of a list as the database writes it."""
    return [part.strip() for part in (text or "").split(", ") if part.strip()]


def rows(folder: Path) -> Iterator[tuple[object, ...]]:
    """One row for each film, with up to 12 of those of its cast who play in other films too."""
    database = sqlite3.connect(folder / "bokeh_sampledata" / "_data" / "movies.db")
    found = database.execute(
        'select Title, Year, Runtime, Genre, Director, "Cast", Country, Oscars from omdb order by Year, Title, ID'
    ).fetchall()
    parts = Counter(name for row in found for name in listed(row[5]))
    for title, year, minutes, genres, director, cast, countries, oscars in found:
        known = [name for name in listed(cast) if parts[name] >= PARTS]
        known.sort(key=lambda name: (-parts[name], name))
        yield (
            plain(title), title, year, round(minutes or 0) or "", ";".join(listed(genres)[:3]),
            ";".join(listed(director)[:2]), ";".join(known[:12]), ";".join(listed(countries)[:2]), oscars or "",
        )  # fmt: skip


if __name__ == "__main__":
    write("films", COLUMNS, rows(Path(sys.argv[1])))
