"""Formula 1 from 1950 on: what is on record of whole seasons. Nothing here is invented."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from toolyard.world.tables import read_table

# Results of single races begin here.
FIRST_SEASON = 2010


@dataclass(frozen=True, slots=True)
class Season:
    """What is on record of a season: its races, the first three drivers, the constructors' champion (from 1958)."""

    year: int
    races: int
    first: tuple[str, ...]
    constructor: str | None


@functools.cache
def seasons_on_record() -> Mapping[int, Season]:
    """Finished seasons by year, from 1950."""
    return {
        int(row["season"]): Season(
            int(row["season"]), int(row["races"]), tuple(row["drivers"].split()), row["constructor"] or None
        )
        for row in read_table("f1_champions.tsv")
    }


def before_results(season: int | None) -> Season | None:
    """The record of a season that has no results of single races."""
    found = seasons_on_record().get(season) if season is not None else None
    return found if found is not None and found.year < FIRST_SEASON else None
