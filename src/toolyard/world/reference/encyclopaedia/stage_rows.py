"""Well-known stadiums, arenas, halls, theatres and opera houses as the table has them.

venues.tsv: arena	Germany	Uber Arena=Mercedes-Benz Arena/17000@Berlin (other names behind =, seats behind /)
"""

import functools
import re
from typing import NamedTuple

from toolyard.world.kernel.tables import read_table

_WRITTEN = re.compile(r"(?P<names>[^/]+)/(?P<seats>\d+)@(?P<town>.+)")


class Stage(NamedTuple):
    """A venue of the table."""

    kind: str
    country: str
    name: str
    other_names: tuple[str, ...]
    seats: int
    town: str


@functools.cache
def venue_rows() -> tuple[Stage, ...]:
    """All venues of the table."""
    found = []
    for row in read_table("venues.tsv"):
        for match in map(_WRITTEN.fullmatch, row["names"].split(";")):
            if match is not None:
                name, *others = match["names"].split("=")
                found.append(
                    Stage(
                        row["kind"], row["country"], name, tuple(others), int(match["seats"]), match["town"]
                    )
                )
    return tuple(found)
