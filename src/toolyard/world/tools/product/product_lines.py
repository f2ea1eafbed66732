"""Reference: makers and product lines that shops know, and the shelf of each."""

import functools
from collections.abc import Mapping
from typing import NamedTuple

from toolyard.world.kernel.tables import plain, read_table


class Shelf(NamedTuple):
    """Where the things of a product line stand in a shop."""

    category: str
    line: str


@functools.cache
def _product_lines() -> Mapping[str, Shelf]:
    return {
        plain(name): Shelf(row["category"], name)
        for row in read_table("product_lines.tsv")
        for name in row["names"].split(";")
    }


def shelf_of_line(name: str) -> Shelf | None:
    """The shelf of a maker or product line that is called so; None where shops know none."""
    return _product_lines().get(plain(name))
