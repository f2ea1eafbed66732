"""Bytes by key in one SQLite file: a cache of completions and embeddings.

Several runs may share a file, and one that is killed leaves it whole. A file that is damaged all the
same is put aside with a warning and begun anew: what is kept can always be had again.
"""

import logging
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from toolyard.core.errors import DataError

LOG = logging.getLogger("toolyard")
# sqlite takes at most 32,766 values in one statement.
LOOKUP_SIZE = 10_000
LOCK_TIMEOUT = 60.0
DAMAGED = ".damaged"

Result = TypeVar("Result")


class KeptStore:
    """What is kept in one file; `advice` tells the user what to do where it cannot be written."""

    def __init__(self, path: Path, *, advice: str) -> None:
        self._path = path
        self._advice = advice

    def read(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The values that are kept."""
        ordered = list(keys)
        if not self._path.exists():
            return {}
        parts = [ordered[start : start + LOOKUP_SIZE] for start in range(0, len(ordered), LOOKUP_SIZE)]
        return self._run_with_repair(
            lambda database: dict(row for part in parts for row in _rows_of_keys(database, part))
        )

    def write(self, values: Mapping[bytes, bytes]) -> None:
        """Keeps the values, in the place of those that were there."""
        self._run_with_repair(lambda database: _insert_rows(database, values))

    def _run_with_repair(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """What the work gives; a damaged file is put aside, and the work is done on a new one."""
        try:
            return self._run_once(work)
        except sqlite3.OperationalError as error:
            raise self._unusable(str(error)) from error
        except sqlite3.DatabaseError as error:
            aside = self._path.with_name(self._path.name + DAMAGED)
            LOG.warning("%s is damaged (%s); it is now %s and begun anew", self._path, error, aside.name)
        try:
            self._path.replace(aside)
            return self._run_once(work)
        except (sqlite3.Error, OSError) as error:
            raise self._unusable(str(error)) from error

    def _run_once(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._unusable(error.strerror or str(error)) from error
        with closing(sqlite3.connect(self._path, timeout=LOCK_TIMEOUT)) as database:
            # A killed run loses nothing by this; a machine that loses power may, which is then read as damage.
            database.execute("PRAGMA synchronous = OFF")
            # Not WITHOUT ROWID: a lookup would then read whole values on its way, some of which have 100 MB.
            database.execute("CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, value BLOB)")
            return work(database)

    def _unusable(self, why: str) -> DataError:
        return DataError(f"{self._path} cannot be used ({why}); {self._advice}")


def _rows_of_keys(database: sqlite3.Connection, keys: Sequence[bytes]) -> list[tuple[bytes, bytes]]:
    places = ",".join("?" * len(keys))
    return database.execute(f"SELECT key, value FROM kept WHERE key IN ({places})", keys).fetchall()  # noqa: S608 - question marks only


def _insert_rows(database: sqlite3.Connection, values: Mapping[bytes, bytes]) -> None:
    with database:
        database.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", values.items())
