"""What a MultiWOZ search would have found: the corpus records no results, its databases do.

    restaurant_db.json  [{"name": "the blue spoon", "area": "centre", "food": "thai", "pricerange": "cheap", ...}]

A value matches without regard to case, spaces and a leading "the"; trains leave at or after `leaveAt` and arrive
at or before `arriveBy`; alternatives are a list. At most `MOST` rows are kept, first those that the system's
answer speaks of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from toolyard.benchmarks.mtu.synth.corpora.corpus_files import entries_in
from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue

Row: TypeAlias = Mapping[str, JsonValue]
MOST = 5
TIMES = frozenset({"leaveAt", "arriveBy"})
# Coordinates, keys and advertising are no answer to anybody's question.
LEFT_OUT = frozenset({"id", "location", "introduction", "signature", "takesbookings", "price"})
KEPT_PRICE = frozenset({"train"})
_NOT_WORD = re.compile(r"[^a-z0-9]+")


class Database:
    """The tables of a folder `db`, by domain."""

    def __init__(self, folder: Path) -> None:
        self._tables: dict[str, tuple[Row, ...]] = {}
        self._compared: dict[str, tuple[dict[str, str], ...]] = {}
        self._places: dict[tuple[str, str], dict[str, list[int]]] = {}
        for file in sorted(folder.glob("*_db.json")):
            domain = file.name.removesuffix("_db.json")
            found = [entry.value for entry in entries_in(file)]
            rows = [row for row in found if isinstance(row, dict)]
            if len(rows) != len(found):
                raise DataError(f"{file} holds rows that are not objects; wanted MultiWOZ's database")
            self._add(domain, rows)

    def columns(self, domain: str) -> tuple[str, ...]:
        """The columns that results of a domain have."""
        return tuple(dict.fromkeys(name for row in self._tables.get(domain, ()) for name in row))

    def choices(self, domain: str, column: str, most: int = 20) -> tuple[str, ...]:
        """The values of a column, sorted, where there are few."""
        found = (row.get(column) for row in self._tables.get(domain, ()))
        values = {value for value in found if isinstance(value, str)}
        return tuple(sorted(values - {"?"})) if len(values) <= most else ()

    def search(
        self, domain: str, constraints: Row, mentioned: Iterable[tuple[str, JsonValue]]
    ) -> tuple[Row, ...]:
        """The rows that meet the constraints; those come first of which more was told (pairs of column and value)."""
        rows, compared = self._tables.get(domain, ()), self._compared.get(domain, ())
        found = set(range(len(rows)))
        # Times last: they are compared row by row, all others are looked up.
        for name, value in sorted(constraints.items(), key=lambda pair: pair[0] in TIMES):
            choices = _alternatives(name, value)
            if name in TIMES:
                found = {one for one in found if _in_time(name, compared[one].get(name), choices)}
            else:
                places = self._places.get((domain, name), {})
                found &= {one for choice in choices for one in places.get(choice, ())}
        normalised = {(name, _compare(name, value)) for name, value in mentioned}
        ranked = sorted(found, key=lambda one: (-len(normalised.intersection(compared[one].items())), one))
        return tuple(rows[one] for one in ranked[:MOST])

    def _add(self, domain: str, rows: Iterable[Row]) -> None:
        self._tables[domain] = tuple(_visible(domain, row) for row in rows)
        self._compared[domain] = tuple(_comparable(row) for row in self._tables[domain])
        for number, row in enumerate(self._compared[domain]):
            for name, value in row.items():
                self._places.setdefault((domain, name), {}).setdefault(value, []).append(number)


def normal(value: JsonValue) -> str:
    """A value as it is compared."""
    text = _NOT_WORD.sub("", str(value).lower().removeprefix("the "))
    return "yes" if text == "free" else text


def _visible(domain: str, row: Row) -> Row:
    return {
        name: value
        for name, value in row.items()
        if (name not in LEFT_OUT or (name == "price" and domain in KEPT_PRICE)) and value != "?"
    }


def _comparable(row: Row) -> dict[str, str]:
    return {name: _compare(name, value) for name, value in row.items()}


def _compare(name: str, value: JsonValue) -> str:
    return str(value) if name in TIMES else normal(value)


def _alternatives(name: str, value: JsonValue) -> tuple[str, ...]:
    return tuple(_compare(name, choice) for choice in (value if isinstance(value, list) else [value]))


def _in_time(name: str, value: str | None, choices: tuple[str, ...]) -> bool:
    if value is None:
        return False
    return any(value >= choice if name == "leaveAt" else value <= choice for choice in choices)
