"""Packed tables: tab-separated text under xz or gzip, kept as bytes and searched by bisection.

gzip unpacks four times as fast and takes a third more room: it is for the tables that the first call of many tools needs.

A table's first line names its columns. Where rows are looked up by a key, the file is sorted by its first column
(as bytes), and several rows may have the same key:

    abidjan	Abidjan	CI	78	5.35444	-4.00167	5867000	Africa/Abidjan
"""

from __future__ import annotations

import functools
import gzip
import io
import lzma
from array import array
from collections.abc import Iterator, Sequence
from importlib import resources
from itertools import accumulate, islice, takewhile

from toolyard.world.kernel.tables import plain

Fields = list[str]


class Packed:
    """The rows of a packed table; a row is the list of its fields, made when it is asked for."""

    def __init__(self, content: bytes) -> None:
        head, _, body = content.partition(b"\n")
        self.columns: Sequence[str] = tuple(head.decode().split("\t"))
        self._body = body

    @functools.cached_property
    def _starts(self) -> array[int]:
        return array("I", accumulate(map(len, io.BytesIO(self._body)), initial=0))

    def __len__(self) -> int:
        return self._length

    @functools.cached_property
    def _length(self) -> int:
        return self._body.count(b"\n")

    def __getitem__(self, number: int) -> Fields:
        """The row at this place, counted from 0."""
        starts = self._starts
        return self._body[starts[number] : starts[number + 1] - 1].decode().split("\t")

    def __iter__(self) -> Iterator[Fields]:
        return (line[:-1].decode().split("\t") for line in io.BytesIO(self._body))

    @functools.cached_property
    def text(self) -> str:
        """All rows as plain text: what is not in it is in no row, which is told before any row is made."""
        lines = self._body.decode().split("\n")
        accented = [number for number, line in enumerate(lines) if not line.isascii()]
        # All at once, between marks that keep the blanks at both ends.
        bare = plain("\n".join(("|", *(lines[number] for number in accented), "|"))).split("\n")[1:-1]
        for number, line in zip(accented, bare, strict=True):
            lines[number] = line
        return "\n".join(lines).lower()

    def place(self, key: str) -> int:
        """How many rows have a key before this one."""
        return self._body.count(b"\n", 0, self._offset(key.encode()))

    def _offset(self, key: bytes) -> int:
        """Where the first row begins whose key is not before this one; no list of rows is needed for it."""
        body, low, high = self._body, 0, len(self._body)
        while low < high:
            start = body.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = body.index(b"\n", start)
            if body[start : body.index(b"\t", start, end)] < key:
                low = end + 1
            else:
                high = start
        return low

    def _from(self, key: str) -> Iterator[Fields]:
        start = self._offset(key.encode())
        while start < len(self._body):
            end = self._body.index(b"\n", start)
            yield self._body[start:end].decode().split("\t")
            start = end + 1

    def under(self, key: str) -> list[Fields]:
        """All rows with exactly this key, in the order of the table; none where there is no such key."""
        return list(takewhile(lambda row: row[0] == key, self._from(key)))

    def last_up_to(self, key: str) -> Fields | None:
        """The last row whose key is this one or before it; None where all are after it."""
        end = self._offset(key.encode() + b"\0") - 1
        if end < 0:
            return None
        return self._body[self._body.rfind(b"\n", 0, end) + 1 : end].decode().split("\t")

    def starting(self, prefix: str, limit: int) -> list[Fields]:
        """The first rows whose key starts so."""
        return list(islice(takewhile(lambda row: row[0].startswith(prefix), self._from(prefix)), limit))


@functools.cache
def packed(kind: str) -> Packed:
    """The packed table of a kind; read once per process, when first asked for."""
    folder = resources.files("toolyard.world").joinpath("data", "reference")
    fast = folder.joinpath(f"{kind}.tsv.gz")
    if fast.is_file():
        return Packed(gzip.decompress(fast.read_bytes()))
    return Packed(lzma.decompress(folder.joinpath(f"{kind}.tsv.xz").read_bytes()))
