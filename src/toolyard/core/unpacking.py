"""Packed data unpacked up to a limit, because a few kilobytes can stand for gigabytes."""

from __future__ import annotations

import lzma
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

from toolyard.core.errors import DataError

# Of one file that is held whole; the largest of the corpora that are read is a third of it.
LARGEST_UNPACKED = 512 * 2**20
# Of a file that is read line by line: one line, and all of them.
LARGEST_LINE = 64 * 2**20
LARGEST_LINES = 8 * 2**30
# More would take minutes even where they are empty; of rows they would not fit into memory.
MOST_LINES = 5_000_000
# What a decoder of xz may ask for; the strongest preset needs 65 MiB.
DECODER_MEMORY = 128 * 2**20
# What readers of packed data raise over damaged ones.
DAMAGED = (
    lzma.LZMAError, zlib.error, zipfile.BadZipFile, EOFError, KeyError, NotImplementedError, RuntimeError,
    ValueError,
)  # fmt: skip


def unpack_xz(data: bytes, most: int = LARGEST_UNPACKED) -> bytes:
    """What one xz stream stands for; DataError where that is more than `most` bytes, or the stream is damaged."""
    decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=DECODER_MEMORY)
    found = bytearray()
    try:
        while not decoder.eof and len(found) <= most:
            found += decoder.decompress(data, most + 1 - len(found))
            if decoder.needs_input:
                raise DataError("it ends too early")
            data = b""
    except lzma.LZMAError as error:
        raise DataError(str(error)) from None
    if len(found) > most:
        raise DataError(f"it unpacks to more than {most:,} bytes")
    return bytes(found)


def read_zip_member(archive: zipfile.ZipFile, name: str, most: int = LARGEST_UNPACKED) -> bytes:
    """One file of an archive, nothing of which is written to disk; DataError where it is too large or damaged."""
    try:
        # What the archive says about sizes may be a lie: read no more than allowed.
        with archive.open(name) as member:
            found = member.read(most + 1)
    except (*DAMAGED, OSError) as error:
        raise DataError(f"{archive.filename} holds no readable {name} ({error})") from None
    if len(found) > most:
        raise DataError(f"{name} in {archive.filename} unpacks to more than {most:,} bytes")
    return found


def unpacked_lines(
    file: IO[bytes], longest: int = LARGEST_LINE, most: int = LARGEST_LINES
) -> Iterator[bytes]:
    """The lines of a packed file that was opened; DataError where one, or all of them, are too large or damaged."""
    size = 0
    for _ in range(MOST_LINES):
        try:
            line = file.readline(longest + 1)
        except (*DAMAGED, OSError) as error:
            raise DataError(str(error)[:120]) from None
        size += len(line)
        if len(line) > longest or size > most:
            raise DataError(f"it has a line of more than {longest:,} bytes, or unpacks to more than {most:,}")
        if not line:
            return
        yield line
    raise DataError(f"it has more than {MOST_LINES:,} lines")
