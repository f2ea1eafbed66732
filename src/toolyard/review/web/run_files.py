"""Run directories below a folder, and their files; no link is followed and nothing but a plain file is read.

Names are looked up among those that the folder lists and never put together from a request.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeAlias

import orjson

from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import JsonValue
from toolyard.run.store.run_directory import MANIFEST

LARGEST_JSON = 16_000_000
Stamp: TypeAlias = tuple[int, int, int] | None


@dataclass(frozen=True, slots=True)
class RunFolder:
    """One run directory: its name in addresses, the folder that was named by the user, and the way from there."""

    name: str
    root: Path
    below: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self.root.joinpath(*self.below)

    @contextmanager
    def open_file(self, file: str) -> Iterator[BinaryIO]:
        """A plain file of the run; raises DataError that says what is there instead."""
        try:
            descriptor = _open_below(self.root, (*self.below, file))
        except OSError as error:
            # A link met with O_NOFOLLOW; as a folder it is "not a directory".
            link = error.errno in (errno.ELOOP, errno.ENOTDIR)
            why = (
                "is or lies behind a link, which is not followed"
                if link
                else f"cannot be read: {error.strerror}"
            )
            raise DataError(f"{file} {why}") from None
        kind = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(kind):
            os.close(descriptor)
            raise DataError(f"{file} is {_kind_of_file(kind)}; wanted is a file")
        with os.fdopen(descriptor, "rb") as found:
            yield found

    def json(self, file: str) -> dict[str, JsonValue]:
        """The JSON object in a file; raises DataError where it is something else."""
        with self.open_file(file) as found:
            data = found.read(LARGEST_JSON + 1)
        if len(data) > LARGEST_JSON:
            raise DataError(f"{file} is larger than {LARGEST_JSON // 1_000_000} MB")
        try:
            value = orjson.loads(data)
        except orjson.JSONDecodeError as error:
            raise DataError(f"{file} is not JSON: {error}") from None
        if not isinstance(value, dict):
            raise DataError(f"{file} holds a {type(value).__name__}; wanted is an object")
        return value

    def has(self, file: str) -> bool:
        """Whether there is anything of that name."""
        return self.stamp(file) is not None

    def stamp(self, file: str) -> Stamp:
        """Time, size and number of what has that name, None where there is nothing."""
        try:
            found = os.lstat(self.path / file)
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino


def _open_below(root: Path, names: tuple[str, ...]) -> int:
    """A descriptor of the file that the names lead to, folder by folder, so that no link can come between."""
    *folders, file = names
    held = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for folder in folders:
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
            inner = os.open(folder, flags, dir_fd=held)
            os.close(held)
            held = inner
        # Opened without blocking: a pipe would wait for a writer for ever.
        return os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=held)
    finally:
        os.close(held)


def _kind_of_file(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a pipe" if stat.S_ISFIFO(mode) else "a device or socket"


def find_runs(target: Path) -> dict[str, RunFolder]:
    """The run directories that `target` is or holds, by name, newest first."""
    if not target.is_dir():
        raise UsageError(f"{target} is not a folder; give a run directory, or the folder that holds runs")
    itself = RunFolder(target.resolve().name, target)
    if itself.has(MANIFEST):
        return {itself.name: itself}
    try:
        names = [path.name for path in target.iterdir()]
    except OSError as error:
        raise UsageError(f"{target} cannot be read ({error.strerror}); give another folder") from None
    found = [
        (run, stamp)
        for run in (RunFolder(name, target, (name,)) for name in names)
        if (stamp := run.stamp(MANIFEST))
    ]
    if not found:
        raise UsageError(f"{target} holds no run; make one with: toolyard run BENCH -m MODEL --runs {target}")
    found.sort(key=lambda pair: pair[1], reverse=True)
    return {run.name: run for run, _ in found}
