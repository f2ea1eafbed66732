"""Packed tables: tab-separated text under xz or gzip, in blocks of rows that are searched by bisection.

gzip unpacks four times as fast and takes a third more room: it is for the tables that the first call of many tools
needs. Each of their blocks is a gzip member that is read from the file when a row of it is asked for; the first member
names the columns, then the packed size, the rows and the first key of each of the others. The blocks of xz tables stay
in memory, packed by the fastest means.

A table's first line names its columns. Where rows are looked up by a key, the file is sorted by its first column
(as bytes), and several rows may have the same key:

    abidjan	Abidjan	CI	78	5.35444	-4.00167	5867000	Africa/Abidjan
"""

from __future__ import annotations

import functools
import lzma
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import accumulate, islice, pairwise, takewhile
from typing import NamedTuple

from toolyard.world.kernel.tables import plain

Fields = list[str]
# Bytes of a block, less what is left of its last row.
BLOCK = 1 << 16
_GZIP_OR_ZLIB, _MAGIC, _XZ = 47, b"\x1f\x8b", b"\xfd7z"


def cut_into_blocks(text: bytes) -> Iterator[bytes]:
    """The first line of a table, then its rows in blocks."""
    start, end = 0, text.index(b"\n") + 1
    while start < len(text):
        yield text[start:end]
        start, end = end, text.find(b"\n", end + BLOCK) + 1 or len(text)


class _Block(NamedTuple):
    """Some rows as they are kept, how many they are, and the key of the first."""

    content: bytes
    rows: int
    key: bytes


def _gzip_blocks(content: bytes) -> Iterator[_Block]:
    """The blocks of a gzip file: the first member has a line for each of the others, so that none is unpacked."""
    reader = zlib.decompressobj(_GZIP_OR_ZLIB)
    columns, *index = reader.decompress(content).split(b"\n")[:-1]
    yield _Block(columns + b"\n", 1, b"")
    start = len(content) - len(reader.unused_data)
    for line in index:
        size, rows, key = line.split(b"\t")
        yield _Block(content[start : start + int(size)], int(rows), key)
        start += int(size)


def _unpack_stream(content: bytes) -> Iterator[bytes]:
    """The blocks of an xz file, without the whole in memory at once."""
    reader = lzma.LZMADecompressor()
    head, _, rest = reader.decompress(content, BLOCK).partition(b"\n")
    yield head + b"\n"
    while not reader.eof:
        rest += reader.decompress(b"", BLOCK)
        end = rest.rfind(b"\n") + 1
        yield rest[:end]
        rest = rest[end:]
    if rest:
        yield rest


def table_blocks(content: bytes) -> Iterator[_Block]:
    """The line of the columns, then the blocks of a file or of a text."""
    if content.startswith(_MAGIC):
        return _gzip_blocks(content)
    texts = _unpack_stream(content) if content.startswith(_XZ) else cut_into_blocks(content)
    return (_Block(text, text.count(b"\n"), _line_key(text)) for text in texts)


def _compress_block(block: _Block) -> _Block:
    if block.content.startswith(_MAGIC):
        return block
    return block._replace(content=zlib.compress(block.content, 1))


@functools.lru_cache(maxsize=6)
def _block_lines(table: Packed, block: int) -> list[bytes]:
    return table.unpack(block).split(b"\n")[:-1]


def _plain_text(block: bytes) -> bytes:
    lines = block.decode().split("\n")
    accented = [number for number, line in enumerate(lines) if not line.isascii()]
    # All at once, between marks that keep the blanks at both ends.
    bare = plain("\n".join(("|", *(lines[number] for number in accented), "|"))).split("\n")[1:-1]
    for number, line in zip(accented, bare, strict=True):
        lines[number] = line
    return "\n".join(lines).lower().encode()


def _line_key(line: bytes) -> bytes:
    return line[: line.find(b"\t")]


class Packed:
    """The rows of a packed table; a row is the list of its fields, made when it is asked for."""

    def __init__(self, content: bytes, file: Traversable | None = None) -> None:
        """content: The text of a table, or of its file; file: where gzip members are read when they are needed."""
        found = table_blocks(content)
        self.columns: Sequence[str] = tuple(next(found).content[:-1].decode().split("\t"))
        blocks = list(map(_compress_block, found))
        self._file = file
        self._blocks: list[bytes] | list[slice] = [block.content for block in blocks]
        if file is not None:
            sizes = [len(block.content) for block in blocks]
            starts = accumulate(sizes, initial=len(content) - sum(sizes))
            self._blocks = [slice(start, end) for start, end in pairwise(starts)]
        self._keys = [block.key for block in blocks]
        # How many rows stand before each block, and in all.
        self._starts = list(accumulate((block.rows for block in blocks), initial=0))

    def __len__(self) -> int:
        return self._starts[-1]

    def unpack(self, number: int) -> bytes:
        """The rows of a block."""
        block = self._blocks[number]
        if isinstance(block, slice):
            assert self._file is not None
            with self._file.open("rb") as file:
                file.seek(block.start)
                block = file.read(block.stop - block.start)
        return zlib.decompress(block, _GZIP_OR_ZLIB)

    def __getitem__(self, number: int) -> Fields:
        """The row at this place, counted from 0."""
        block = bisect_right(self._starts, number) - 1
        return _block_lines(self, block)[number - self._starts[block]].decode().split("\t")

    def __iter__(self) -> Iterator[Fields]:
        lines = (line for block in self._block_texts() for line in block.split(b"\n")[:-1])
        return (line.decode().split("\t") for line in lines)

    def _block_texts(self) -> Iterator[bytes]:
        return map(self.unpack, range(len(self._blocks)))

    def plain_text(self) -> bytes:
        """All rows as plain text, made anew each time."""
        # Block by block: copies of the whole would stay in memory.
        return b"".join(map(_plain_text, self._block_texts()))

    @functools.cached_property
    def text(self) -> bytes:
        """All rows as plain text: what is not in it is in no row, which is told before any row is made."""
        return self.plain_text()

    def _find_offset(self, key: bytes) -> tuple[int, int]:
        """The block, and the row in it, before which all keys are before this one."""
        block = max(0, bisect_left(self._keys, key) - 1)
        return block, bisect_left(_block_lines(self, block), key, key=_line_key)

    def place(self, key: str) -> int:
        """How many rows have a key before this one."""
        block, row = self._find_offset(key.encode())
        return self._starts[block] + row

    def _rows_from(self, key: str) -> Iterator[Fields]:
        block, row = self._find_offset(key.encode())
        for number in range(block, len(self._blocks)):
            lines = _block_lines(self, number)
            for at in range(row, len(lines)):
                yield lines[at].decode().split("\t")
            row = 0

    def with_key(self, key: str) -> list[Fields]:
        """All rows with exactly this key, in the order of the table; none where there is no such key."""
        return list(takewhile(lambda row: row[0] == key, self._rows_from(key)))

    def last_up_to(self, key: str) -> Fields | None:
        """The last row whose key is this one or before it; None where all are after it."""
        place = self.place(f"{key}\0")
        return self[place - 1] if place else None

    def starting(self, prefix: str, limit: int) -> list[Fields]:
        """The first rows whose key starts so."""
        return list(islice(takewhile(lambda row: row[0].startswith(prefix), self._rows_from(prefix)), limit))


@functools.cache
def packed_table(kind: str) -> Packed:
    """The packed table of a kind; read once per process, when first asked for."""
    folder = resources.files("toolyard.world").joinpath("data", "reference")
    fast = folder.joinpath(f"{kind}.tsv.gz")
    if fast.is_file():
        return Packed(fast.read_bytes(), fast)
    return Packed(folder.joinpath(f"{kind}.tsv.xz").read_bytes())
