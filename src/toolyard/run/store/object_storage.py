"""Runs and data in object storage (`s3://`, `gs://`, any URL that fsspec knows): worked on here, kept there.

A remote folder has a copy in the cache. Reading takes over what has changed there; writing puts back what has changed
here, at the end of every step and now and then on the way. Object stores do not know locks: one process at a time
writes to a run.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from toolyard.core.errors import DataError, MissingExtra, ToolyardError, UsageError
from toolyard.core.types import JsonValue, Record
from toolyard.lines import read_json_object, write_whole
from toolyard.models.assets import cache_folder
from toolyard.models.http.address import refuse_keys

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

# What a copy knows of its original: the address, and the state of each file when both were the same.
# It stands beside the copy, so that the copy has exactly the files of the original.
MARK = "remote.json"
NEVER_SENT = frozenset({".lock"})
# A path takes one of the two slashes away.
_URL = re.compile(r"^([a-z][a-z0-9+.-]+):/+", re.IGNORECASE)


def is_remote(place: str | Path) -> bool:
    """Whether the place is an address of a store rather than a path."""
    return _URL.match(str(place)) is not None


def stored_url(place: str | Path) -> str:
    """The address as it was written, also where a path took a slash away."""
    return _URL.sub(lambda found: f"{found.group(1)}://", str(place)).rstrip("/")


def local_copy(place: str | Path) -> Path:
    """Where a remote file or folder is worked on, with all that is there now; what is not there yet is an empty folder."""
    url = stored_url(place)
    refuse_unusable_address(url)
    with one_line_errors(url):
        files, root = _open_storage(url)
        return _download_files(url, files, root)


def has_copy(place: str | Path) -> bool:
    """Whether a command of this user has asked for that address before."""
    folder = _copy_folder(stored_url(place))
    return folder.is_dir() and any(folder.iterdir())


def refuse_unusable_address(url: str) -> None:
    """An address with a password in it would be written down; one that ends in no name has no folder to be copied to."""
    name = url.partition("://")[2].partition("?")[0].rsplit("/", 1)[-1]
    if name in ("", ".", "..") or not url.isprintable() or "::" in url:
        raise UsageError(f"{url} is not the address of one file or folder; wanted e.g. s3://bucket/folder")
    try:
        refuse_keys(url)
    except UsageError:
        raise UsageError(
            f"{url.partition('://')[0]}://... holds a password or a key, which would be written down; leave it out: "
            "the store's own settings and environment variables hold it"
        ) from None


@contextmanager
def one_line_errors(url: str) -> Iterator[None]:
    """Whatever a store's client raises is one line; its libraries have exceptions of their own."""
    try:
        yield
    except (ToolyardError, OSError):
        raise
    except Exception as error:  # the boundary to code that is not ours
        reason = " ".join(str(error).split())[:200]
        raise DataError(
            f"{url} cannot be reached ({type(error).__name__}: {reason}); try it with the store's own tool"
        ) from error


def _copy_folder(url: str) -> Path:
    return cache_folder() / "remote" / hashlib.sha256(url.encode()).hexdigest()[:24]


def _download_files(url: str, files: AbstractFileSystem, root: str) -> Path:
    copy = _copy_folder(url) / root.rsplit("/", 1)[-1]
    if files.isfile(root):
        copy.parent.mkdir(parents=True, exist_ok=True)
        files.get_file(root, str(copy))
        return copy
    copy.mkdir(parents=True, exist_ok=True)
    known = _known_files(copy)
    states = {name: _remote_state(files.info(path)) for name, path in _list_files(files, root).items()}
    for name, state in states.items():
        mine = copy / name
        if not mine.exists() or known.get(name, {}).get("there") != state:
            mine.parent.mkdir(parents=True, exist_ok=True)
            files.get_file(f"{root}/{name}", str(mine))
    _remember_files(
        copy,
        url,
        {name: {"there": state, "here": _local_state(copy / name)} for name, state in states.items()},
    )
    return copy


def copy_mark_path(copy: Path) -> Path:
    """Where it is written down what a folder is a copy of."""
    return copy.parent / MARK


def is_copy(folder: Path) -> bool:
    """Whether a folder is the copy of a remote one."""
    return folder.parent.parent == cache_folder() / "remote" and copy_mark_path(folder).exists()


def publish_changes(copy: Path) -> int:
    """Puts every changed file of a copy back; how many there were. A folder that is no copy stays where it is."""
    mark = read_json_object(copy_mark_path(copy)) if is_copy(copy) else None
    if mark is None:
        return 0
    with one_line_errors(mark["url"]):
        return _upload_changes(copy, mark)


def _upload_changes(copy: Path, mark: Record) -> int:
    files, root = _open_storage(mark["url"])
    known: dict[str, Record] = dict(mark["files"])
    changed = [
        path.relative_to(copy).as_posix()
        for path in sorted(copy.rglob("*"))
        if path.is_file() and path.name not in NEVER_SENT and not path.name.endswith(".part")
    ]
    changed = [name for name in changed if known.get(name, {}).get("here") != _local_state(copy / name)]
    for name in changed:
        here = _local_state(copy / name)
        files.makedirs(f"{root}/{name}".rsplit("/", 1)[0], exist_ok=True)
        files.put_file(str(copy / name), f"{root}/{name}")
        known[name] = {"there": _remote_state(files.info(f"{root}/{name}")), "here": here}
    if changed:
        _remember_files(copy, mark["url"], known)
    return len(changed)


def _open_storage(url: str) -> tuple[AbstractFileSystem, str]:
    """The file system of an address and the path in it."""
    try:
        import fsspec
    except ImportError:
        raise MissingExtra(f"{url} needs fsspec: pip install 'toolyard[storage]'") from None
    try:
        files, root = fsspec.core.url_to_fs(url)
    except ImportError as error:
        raise MissingExtra(f"{url}: {error}; pip install 'toolyard[storage]'") from None
    except ValueError as error:
        raise UsageError(f"{url} is not an address that fsspec knows ({error})") from None
    files.invalidate_cache()
    return files, str(root).rstrip("/")


def _list_files(files: AbstractFileSystem, root: str) -> dict[str, str]:
    """The files below a folder by their relative names; none where it does not exist."""
    if not files.exists(root):
        return {}
    found = (str(path) for path in files.find(root))
    named = {path.rstrip("/")[len(root) :].lstrip("/"): path for path in found}
    strange = [name for name in named if ".." in name.split("/") or "\0" in name]
    if strange:
        raise DataError(f"{root} holds {strange[0]!r}, which would leave its copy; remove it there")
    return named


def _remote_state(info: Mapping[str, JsonValue]) -> str:
    """What changes when a remote file does."""
    names = ("ETag", "etag", "md5Hash", "generation", "mtime", "LastModified", "created", "size")
    return "/".join(str(info[name]) for name in names if name in info)


def _local_state(path: Path) -> str:
    found = path.stat()
    return f"{found.st_mtime_ns}/{found.st_size}"


def _known_files(copy: Path) -> Record:
    found: Record = (read_json_object(copy_mark_path(copy)) or {}).get("files", {})
    return found


def _remember_files(copy: Path, url: str, files: Mapping[str, object]) -> None:
    write_whole(copy_mark_path(copy), orjson.dumps({"url": url, "files": dict(files)}))
