"""Packed data unpacked up to a limit, because a few kilobytes can stand for gigabytes."""

import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from typing import IO

from toolyard.core.errors import DataError

# Of one file that is held whole; the largest of the corpora that are read is a third of it.
LARGEST_UNPACKED = 512 * 2**20
# Of a file that is read line by line: one line, and all of them.
LARGEST_LINE = 64 * 2**20
LARGEST_LINES = 8 * 2**30
# More would take minutes even where they are empty; of rows they would not fit into memory.
MOST_LINES = 5_000_000
# Of a packed member, read at a time.
PIECE = 4096
# The end of a zip file without a comment, and what stands before it where numbers need 64 bits.
END, END_SIZE, LOCATOR, LOCATOR_SIZE = b"PK\5\6", 22, b"PK\6\7", 20
# Bytes that the directory of a zip file has for one member, names of usual length.
LARGEST_ENTRY = 512
# Ways of packing that zipfile unpacks no further than it is asked to.
BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
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


def open_zip(file: IO[bytes], most: int, methods: Sequence[int] = BOUNDED) -> zipfile.ZipFile:
    """A stranger's archive of at most so many members, packed in one of these ways; DataError where it is another.

    Its directory, which may list millions, is not read before its size is known.
    """
    file.seek(0, io.SEEK_END)
    file.seek(max(0, file.tell() - END_SIZE - LOCATOR_SIZE))
    tail = file.read()
    end = tail[-END_SIZE:]
    if not end.startswith(END):
        raise DataError("it is not a zip file, or has a comment")
    size = int.from_bytes(end[12:16], "little")
    if tail.startswith(LOCATOR) or size > most * LARGEST_ENTRY:
        raise DataError(f"it lists more than {most:,} members")
    try:
        archive = zipfile.ZipFile(file)
    except (*DAMAGED, OSError) as error:
        raise DataError(str(error)[:120]) from None
    if any(info.compress_type not in methods for info in archive.infolist()):
        raise DataError("a member is packed in another way than zip files usually are")
    return archive


def read_zip_member(archive: zipfile.ZipFile, name: str, most: int = LARGEST_UNPACKED) -> bytes:
    """One file of an archive, nothing of which is written to disk; DataError where it is too large or damaged."""
    # One that is read in memory has no name.
    file = archive.filename or "it"
    try:
        # What the archive says about sizes may be a lie: read no more than allowed.
        with archive.open(name) as member:
            found = bytearray()
            # In small pieces: but for deflate, all that was read is unpacked at once, whatever that stands for.
            while len(found) <= most and (piece := member.read(PIECE)):
                found += piece
    except (*DAMAGED, OSError) as error:
        raise DataError(f"{file} holds no readable {name} ({error})") from None
    if len(found) > most:
        raise DataError(f"{name} in {file} unpacks to more than {most:,} bytes")
    return bytes(found)


def unpacked_lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a packed file that was opened; DataError where one, or all of them, are too large or damaged."""
    size = 0
    for _ in range(MOST_LINES):
        try:
            line = file.readline(LARGEST_LINE + 1)
        except (*DAMAGED, OSError) as error:
            raise DataError(str(error)[:120]) from None
        size += len(line)
        if len(line) > LARGEST_LINE or size > LARGEST_LINES:
            raise DataError(
                f"it has a line of more than {LARGEST_LINE:,} bytes, or unpacks to more than {LARGEST_LINES:,}"
            )
        if not line:
            return
        yield line
    raise DataError(f"it has more than {MOST_LINES:,} lines")
