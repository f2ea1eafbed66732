"""Numbers of flights: those that are well known, and made ones; and the aircraft that well-known flights are flown with.

flight_numbers.tsv: BA	LHR	LAX	269	268	388
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from toolyard.world import seeds
from toolyard.world.tables import read_table

_FAR_KM = 5000
# Airlines that number all their flights with three digits at most.
_THREE_DIGITS = frozenset(
    "EK EY QR SQ CX TG KE OZ JL NH QF NZ MH GA VN CI BR ET KQ MS LY GF WY UL VS HA RJ BI SA".split()
)


@functools.cache
def _numbers() -> Mapping[tuple[str, str, str], tuple[str, str]]:
    """Airline and airports -> the number of a flight that is well known, and its aircraft where that is, too."""
    found = {}
    for row in read_table("flight_numbers.tsv"):
        found[row["airline"], row["from"], row["to"]] = row["there"], row["aircraft"]
        found[row["airline"], row["to"], row["from"]] = row["back"], row["aircraft"]
    return found


def is_known(airline: str, origin: str, destination: str) -> bool:
    """Whether the number of a flight is a real one."""
    return (airline, origin, destination) in _numbers()


def known_aircraft(airline: str, origin: str, destination: str) -> str:
    """The code of the aircraft that a well-known flight is flown with; empty where it is not told."""
    return _numbers().get((airline, origin, destination), ("", ""))[1]


def flight_number(seed: int, airline: str, origin: str, destination: str, distance: float) -> str:
    """The number of a flight: the known one, else two that follow each other for the ways there and back."""
    known, _ = _numbers().get((airline, origin, destination), ("", ""))
    pair = seeds.number(seed, "flight number", airline, *sorted((origin, destination)))
    if distance > _FAR_KM:
        first = 20 + 2 * (pair % 440)
    elif airline in _THREE_DIGITS:
        first = 100 + 2 * (pair % 440)
    else:
        first = 1000 + 2 * (pair % 1000)
    return f"{airline}{known or first + (origin > destination)}"
