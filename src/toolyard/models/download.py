"""Files over HTTP: resumed where they stopped, checked against a pinned sha256."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from toolyard.core.errors import DataError
from toolyard.lines import locked_file

if TYPE_CHECKING:
    from email.message import Message
    from http.client import HTTPResponse

CHUNK = 2**18
STALL_TIMEOUT = 60.0
LOOPBACK = {("http", "127.0.0.1"), ("http", "::1"), ("http", "localhost")}


def file_sha256(path: Path) -> str:
    """The sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_intact(path: Path, sha256: str, size: int) -> bool:
    """Whether the file is there and is the pinned one."""
    return path.is_file() and path.stat().st_size == size and file_sha256(path) == sha256


def fetch_source(url: str, target: Path, sha256: str, size: int) -> Path:
    """The file at `target`, which is the pinned one; a partial download is continued, not repeated."""
    if is_intact(target, sha256, size):
        return target
    address = urlsplit(url)
    if address.scheme != "https" and (address.scheme, address.hostname) not in LOOPBACK:
        raise DataError(
            f"{url} is not an https address; downloads come over https, or over http from this machine"
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    # Two that continue one file would mix it; a lock of its own would stay among the data.
    with locked_file(part, f"{target} is being fetched by another process; wait for it"):
        try:
            return _fetch_file(url, target, part, sha256, size)
        finally:
            if part.exists() and not part.stat().st_size:
                part.unlink()


def _fetch_file(url: str, target: Path, part: Path, sha256: str, size: int) -> Path:
    if part.stat().st_size >= size and not is_intact(part, sha256, size):
        os.truncate(part, 0)
    _download_part(url, part, size)
    if not is_intact(part, sha256, size):
        found = f"{part.stat().st_size} bytes, sha256 {file_sha256(part)[:12]}..."
        part.unlink()
        raise DataError(
            f"{url} is not the pinned file (found {found}; wanted {size} bytes, {sha256[:12]}...); "
            "it was removed; the file has changed at its source, or run again"
        )
    part.replace(target)
    return target


def _download_part(url: str, part: Path, size: int) -> None:
    import http.client
    import urllib.error
    import urllib.request

    here = part.stat().st_size if part.exists() else 0
    if here == size:
        return
    headers = {"Range": f"bytes={here}-"} if here else {}
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 - the scheme was checked
    try:
        with urllib.request.urlopen(request, timeout=STALL_TIMEOUT) as response:  # noqa: S310
            resumed = response.status == 206 and _starts_at(response.headers, here)
            _append_response(response, part, here if resumed else 0, size)
    except urllib.error.HTTPError as error:
        error.close()
        raise DataError(_http_error(url, error.code)) from error
    except (OSError, http.client.HTTPException) as error:
        have = part.stat().st_size if part.exists() else 0
        raise DataError(
            f"{url} stopped after {have} of {size} bytes ({error}); run the same command again to go on, "
            f"or put the file there by hand: {part.with_suffix('')}"
        ) from error


def _starts_at(headers: Message, offset: int) -> bool:
    return headers.get("Content-Range", "").startswith(f"bytes {offset}-")


def _http_error(url: str, status: int) -> str:
    if status == 404:
        return f"{url} is not there (404); the file has moved: update Toolyard, or give its path with --data"
    return f"{url} answered {status}; try again later"


def _append_response(response: HTTPResponse, part: Path, here: int, size: int) -> None:
    with part.open("ab" if here else "wb") as file:
        # One byte more than wanted shows a wrong file; an endless one must not fill the disk.
        while here <= size and (chunk := response.read(min(CHUNK, size + 1 - here))):
            file.write(chunk)
            here += len(chunk)
    if here < size:
        raise ConnectionError("the connection closed early")
