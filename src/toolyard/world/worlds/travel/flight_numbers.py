"""Numbers of flights: those that are well known, and made ones.

flight_numbers.tsv: BA	LHR	JFK	117	112
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from toolyard.world import seeds
from toolyard.world.tables import read_table


@functools.cache
def _numbers() -> Mapping[tuple[str, str, str], str]:
    """Airline and airports -> the number of a flight that is well known."""
    found = {}
    for row in read_table("flight_numbers.tsv"):
        found[row["airline"], row["from"], row["to"]] = row["there"]
        found[row["airline"], row["to"], row["from"]] = row["back"]
    return found


def flight_number(seed: int, airline: str, origin: str, destination: str, distance: float) -> str:
    """The number of a flight: the known one, else two that follow each other for the ways there and back."""
    known = _numbers().get((airline, origin, destination))
    pair = seeds.number(seed, "flight number", airline, *sorted((origin, destination)))
    first = 20 + 2 * (pair % 440) if distance > 5000 else 1000 + 2 * (pair % 1000)
    return f"{airline}{known or first + (origin > destination)}"
