"""The bytes of a response, unpacked and never more than a limit."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from toolyard.core.errors import ProviderError
from toolyard.core.untrusted.limits import BYTES_PER_RESPONSE

if TYPE_CHECKING:
    import aiohttp

RESPONSE_LIMIT = BYTES_PER_RESPONSE
# zlib's own number for "gzip or zlib, see the header".
GZIP_OR_ZLIB = 47
ENCODINGS = ("gzip", "deflate")


async def read_bounded(response: aiohttp.ClientResponse) -> bytes:
    """The whole body; one that is too large or packed in an unknown way is a ProviderError."""
    return b"".join([chunk async for chunk in bounded_chunks(response)])


async def read_lines(response: aiohttp.ClientResponse, most: int, take: Callable[[bytes], None]) -> None:
    """Hands on the body line by line; a body beyond `most` is a ProviderError, a line beyond one answer is dropped."""
    line, is_dropped = bytearray(), False
    async for chunk in bounded_chunks(response, most):
        first, *others = chunk.split(b"\n")
        for number, piece in enumerate((first, *others)):
            if number:
                if not is_dropped:
                    take(bytes(line))
                line, is_dropped = bytearray(), False
            is_dropped = is_dropped or len(line) + len(piece) > RESPONSE_LIMIT
            line += b"" if is_dropped else piece
    if not is_dropped:
        take(bytes(line))


async def bounded_chunks(response: aiohttp.ClientResponse, most: int | None = None) -> AsyncIterator[bytes]:
    """The body as it comes.

    It is unpacked here and not by aiohttp, piece by piece, because a few kilobytes can stand for gigabytes.
    """
    unpack = _decompressor_for(response.headers.get("Content-Encoding", ""))
    size, limit = 0, most or RESPONSE_LIMIT
    async for packed in response.content.iter_any():
        chunk = packed if unpack is None else _decompress_part(unpack, packed, limit - size + 1)
        size += len(chunk)
        if size > limit:
            response.close()
            raise ProviderError("too_large", f"the endpoint sent more than {limit >> 20} MiB")
        yield chunk


def _decompressor_for(encoding: str) -> zlib._Decompress | None:
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return None
    if name not in ENCODINGS:
        raise ProviderError(
            "bad_response", f"the endpoint packed its answer as {name[:40]!r}, wanted gzip or nothing"
        )
    return zlib.decompressobj(GZIP_OR_ZLIB)


def _decompress_part(unpack: zlib._Decompress, packed: bytes, most: int) -> bytes:
    try:
        return unpack.decompress(packed, most)
    except zlib.error as error:
        raise ProviderError("bad_response", f"the endpoint's answer cannot be unpacked ({error})") from None
