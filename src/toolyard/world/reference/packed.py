"""Packed tables: tab-separated text under xz, kept as bytes and searched by bisection.

A table's first line names its columns. Where rows are looked up by a key, the file is sorted by its first column
(as bytes), and several rows may have the same key:

    abidjan	Abidjan	CI	78	5.35444	-4.00167	5867000	Africa/Abidjan
"""

from __future__ import annotations

import functools
import lzma
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from importlib import resources
from itertools import accumulate

Fields = list[str]


class Packed:
    """The rows of a packed table; a row is the list of its fields, made when it is asked for."""

    def __init__(self, content: bytes) -> None:
        head, _, body = content.partition(b"\n")
        self.columns: Sequence[str] = tuple(head.decode().split("\t"))
        self._body = body
        self._starts = array("I", accumulate(map(len, body.splitlines(keepends=True)), initial=0))

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, number: int) -> Fields:
        """The row at this place, counted from 0."""
        return self._line(number).decode().split("\t")

    def __iter__(self) -> Iterator[Fields]:
        return (line.split("\t") for line in self._body.decode().splitlines())

    def _line(self, number: int) -> bytes:
        return self._body[self._starts[number] : self._starts[number + 1] - 1]

    def place(self, key: str) -> int:
        """Where the first row stands whose key is not before this one."""
        return bisect_left(range(len(self)), key.encode(), key=lambda n: self._line(n).split(b"\t", 1)[0])

    def under(self, key: str) -> list[Fields]:
        """All rows with exactly this key, in the order of the table; none where there is no such key."""
        found = []
        for number in range(self.place(key), len(self)):
            row = self[number]
            if row[0] != key:
                break
            found.append(row)
        return found

    def starting(self, prefix: str, limit: int) -> list[Fields]:
        """The first rows whose key starts so."""
        found: list[Fields] = []
        for number in range(self.place(prefix), len(self)):
            row = self[number]
            if len(found) == limit or not row[0].startswith(prefix):
                break
            found.append(row)
        return found


@functools.cache
def packed(kind: str) -> Packed:
    """The packed table of a kind; read once per process, when first asked for."""
    path = resources.files("toolyard.world").joinpath("data", "reference", f"{kind}.tsv.xz")
    return Packed(lzma.decompress(path.read_bytes()))
