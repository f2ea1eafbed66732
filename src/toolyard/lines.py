"""JSON lines on disk that survive any kill, and whole files that are replaced at once."""

import errno
import fcntl
import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, TypeVar

import orjson

from toolyard.core.errors import DataError, RunBusy
from toolyard.core.types import Record
from toolyard.core.untrusted.json_safe import SAFE_DEPTH, json_safe
from toolyard.core.untrusted.json_size import LARGEST_TEXT, reason_too_large

Line = TypeVar("Line")
# A file of settings that a person writes: YAML takes far more memory than its text.
LARGEST_SETTINGS = 2_000_000


def encode(record: object, option: int = orjson.OPT_APPEND_NEWLINE) -> bytes:
    """One line of JSON; text that JSON cannot hold (lone surrogates, huge integers) is made safe.

    Whatever holds a word of a model, an endpoint or a file of others is written by this, with orjson's `option`.
    """
    try:
        return orjson.dumps(record, option=option)
    except TypeError:
        return orjson.dumps(json_safe(to_plain_json(record)), option=option)


def encode_readable(record: object) -> bytes:
    """The same over many lines, for a file of its own."""
    return encode(record, orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def indented_json(value: object) -> bytes:
    """The same for what strangers wrote: made safe before it is written, however deep it is."""
    return orjson.dumps(json_safe(value), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def to_plain_json(value: object, depth: int = 0) -> Any:
    """Dataclasses as dictionaries without their private fields, tuples as lists, all the way down.

    Private fields are left out as `encode` leaves them out, so that both write the same of a sample.
    """
    if depth > SAFE_DEPTH:
        # What lies deeper is cut by `json_safe`, and would be too deep for Python as well.
        return value
    if is_dataclass(value) and not isinstance(value, type):
        public = (item.name for item in fields(value) if not item.name.startswith("_"))
        return {name: to_plain_json(getattr(value, name), depth + 1) for name in public}
    if isinstance(value, Mapping):
        return {key: to_plain_json(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain_json(item, depth + 1) for item in value]
    return value


def path_exists(path: Path) -> bool:
    """Whether there is a file to read; a pipe, a device or a folder in its place is refused, as they have no end."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    if not stat.S_ISREG(found.st_mode):
        raise DataError(f"{path} is not a file but {_kind_of_file(found.st_mode)}; remove it and run again")
    return True


class FileStamp(NamedTuple):
    """What changes whenever a file does."""

    inode: int
    changed_ns: int
    size: int


def file_stamp(path: Path) -> FileStamp | None:
    """The stamp of a file; None where there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return FileStamp(found.st_ino, max(found.st_mtime_ns, found.st_ctime_ns), found.st_size)


def _kind_of_file(mode: int) -> str:
    return "a folder" if stat.S_ISDIR(mode) else "a pipe or a device"


def open_for_writing(path: Path, flags: int) -> int:
    """A descriptor for writing to a file of our own; a link, which may lead out of the folder, is refused."""
    if path.is_symlink():
        raise DataError(
            f"{path} is a link, and what it leads to would be written to; remove it and run again"
        )
    path_exists(path)
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | flags, 0o644)


def own_folder(path: Path) -> None:
    """Makes a folder within one of ours; a link in its place, which may lead out of it, is refused."""
    if path.is_symlink():
        raise DataError(
            f"{path} is a link, and files would be written where it leads; remove it and run again"
        )
    if path.exists() and not path.is_dir():
        raise DataError(f"{path} is not a folder; remove it and run again")
    path.mkdir(parents=True, exist_ok=True)


class Appender:
    """An open JSONL file; each line is written with one call, so a kill can tear only the last."""

    def __init__(self, path: Path) -> None:
        self._descriptor = open_for_writing(path, os.O_APPEND)
        drop_torn_line(path)

    def append(self, record: object) -> int:
        """Adds one line; its length in bytes."""
        return len(self.append_line(record))

    def append_line(self, record: object) -> bytes:
        """Adds one line; the line as it was written. One that finds no room leaves nothing of itself."""
        line = data = encode(record)
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError:
            # The next line would be joined to the half of this one.
            size = os.fstat(self._descriptor).st_size
            os.ftruncate(self._descriptor, size - (len(line) - len(data)))
            raise
        return line

    def close(self) -> None:
        """Closes the file."""
        os.close(self._descriptor)

    def __enter__(self) -> "Appender":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def drop_torn_line(path: Path) -> None:
    """Cuts a last line that a kill left without its end."""
    if not path_exists(path):
        return
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        keep = last_line_end(file.fileno(), size)
        if keep < size:
            file.truncate(keep)


def last_line_end(descriptor: int, size: int) -> int:
    """The offset just behind the last newline, read from the end."""
    position = size
    while position > 0:
        start = max(0, position - 65536)
        found = os.pread(descriptor, position - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        position = start
    return 0


def read_lines(path: Path, seen: Callable[[bytes], object] = len) -> Iterator[Any]:
    """The complete lines of a JSONL file, each shown as it is to `seen`; a torn last line is passed over."""
    if not path_exists(path):
        return
    with path.open("rb") as file:
        for number, line in enumerate(iter(partial(file.readline, LARGEST_TEXT + 1), b""), 1):
            if not line.endswith(b"\n") and len(line) <= LARGEST_TEXT:
                return
            seen(line)
            try:
                yield _load_json(line)
            except ValueError as error:
                raise DataError(
                    f"{path}, line {number} is not JSON ({error}); remove that line and run again"
                ) from None


def read_json_object(path: Path) -> Record | None:
    """The JSON object of a file that can be made again; None where it is not there or damaged."""
    try:
        found = read_json_file(path) if path.is_file() else None
    except (FileNotFoundError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def read_json_file(path: Path) -> Any:
    """The value of a file; ValueError where it is no JSON, or would fill the memory."""
    with path.open("rb") as file:
        # A reader allocates all that it may read at once.
        return _load_json(file.read(min(LARGEST_TEXT, os.fstat(file.fileno()).st_size) + 1))


def _load_json(text: bytes) -> Any:
    why = reason_too_large(text)
    if why:
        raise ValueError(why)
    return orjson.loads(text)


def whole_text(path: Path, wanted: str, *, most: int = LARGEST_TEXT, errors: str = "strict") -> str:
    """The text of a file that a user named; a pipe or a device, which may have no end, is refused."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise DataError(f"{path} is {_kind_of_file(found.st_mode)}, no file; {wanted}")
        # Before it is read: a file of more bytes would fill the memory by itself.
        why = reason_too_large(path.read_bytes()) if found.st_size <= most else f"{found.st_size:,} bytes"
        if why:
            raise DataError(f"{path} is too large to be read at once ({why}, at most {most:,}); {wanted}")
        return path.read_text(encoding="utf-8-sig", errors=errors)
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); {wanted}") from None
    except ValueError as error:
        raise DataError(f"{path} cannot be read ({' '.join(str(error).split())[:160]}); {wanted}") from None


def text_lines(path: Path, wanted: str) -> Iterator[str]:
    """The lines of a file that a user named, one at a time and with their ends; broken characters are replaced."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise DataError(f"{path} is {_kind_of_file(mode)}, no file; {wanted}")
        with path.open("rb") as file:
            for number, line in enumerate(iter(partial(file.readline, LARGEST_TEXT + 1), b""), 1):
                why = reason_too_large(line)
                if why:
                    raise DataError(
                        f"{path}, line {number} is too large to be read at once ({why}); {wanted}"
                    )
                yield line.decode("utf-8-sig" if number == 1 else "utf-8", "replace")
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); {wanted}") from None


def read_records(
    path: Path, read: Callable[[Any], Line], seen: Callable[[bytes], object] = len
) -> Iterator[Line]:
    """What each complete line stands for; a line of another form is named with its number."""
    for number, line in enumerate(read_lines(path, seen), 1):
        try:
            yield read(line)
        except DataError as error:
            raise DataError(f"{path}, line {number}: {error}; remove that line and run again") from None


def write_whole(path: Path, data: bytes) -> None:
    """Replaces a file in one step, so that a reader sees the old or the new one, and two writers one of theirs."""
    with whole_file(path) as temporary, os.fdopen(open_for_writing(temporary, os.O_TRUNC), "wb") as file:
        file.write(data)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Where to write a file, which is put in its place at the end; nothing stays of one that could not be written."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        yield temporary
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """Where to write the files of a folder, which get there together at the end; a kill leaves all of them or none.

    Into a folder that holds something, perhaps since then, they are written one by one.
    """
    place = folder.resolve()
    if place.exists() and any(place.iterdir()):
        yield place
        return
    made = place.with_name(f".{place.name}.{os.getpid()}.part")
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    try:
        yield made
        move_folder(made, place, errno.ENOTEMPTY)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def move_folder(made: Path, place: Path, *more: int) -> None:
    """Puts a folder where nothing or an empty folder is, in one step where the system can.

    File by file where another disk is mounted there, or at `more` refusals of the system.
    """
    try:
        made.rename(place)
    except OSError as error:
        if error.errno not in (errno.EBUSY, errno.EXDEV, *more):
            raise
        for path in sorted(made.rglob("*")):
            target = place / path.relative_to(made)
            if path.is_dir():
                target.mkdir(exist_ok=True)
                continue
            with whole_file(target) as temporary:
                shutil.copyfile(path, temporary)
        shutil.rmtree(made)


@contextmanager
def lock_folder(folder: Path, busy: str) -> Iterator[None]:
    """Holds a folder against a second process, which is told `busy`; the lock ends with the process."""
    folder.mkdir(parents=True, exist_ok=True)
    with locked_file(folder / ".lock", busy):
        yield


@contextmanager
def locked_file(path: Path, busy: str) -> Iterator[None]:
    """Holds a file of our own against a second process, which is told `busy`; the lock ends with the process."""
    with os.fdopen(open_for_writing(path, 0), "wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunBusy(busy) from None
        if not _is_still_at(path, file.fileno()):
            # Its holder has removed it with the folder; a third process may hold the next file of that name.
            raise RunBusy(busy)
        yield


def _is_still_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
