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

from toolyard.benchmarks.mtu.synth.corpora.files import json_entries, read_text
from toolyard.core.errors import DataError
from toolyard.core.types import Json

Row = Mapping[str, Json]
MOST = 5
# Coordinates, keys and advertising are no answer to anybody's question.
LEFT_OUT = frozenset({"id", "location", "introduction", "signature", "takesbookings", "price"})
KEPT_PRICE = frozenset({"train"})
_NOT_WORD = re.compile(r"[^a-z0-9]+")


class Database:
    """The tables of a folder `db`, by domain."""

    def __init__(self, folder: Path) -> None:
        self._tables: dict[str, tuple[Row, ...]] = {}
        self._compared: dict[str, tuple[dict[str, str], ...]] = {}
        for file in sorted(folder.glob("*_db.json")):
            domain = file.name.removesuffix("_db.json")
            rows = [entry.value for entry in json_entries(read_text(file), str(file))]
            if not all(isinstance(row, dict) for row in rows):
                raise DataError(f"{file} holds rows that are no objects; wanted MultiWOZ's database")
            self._tables[domain] = tuple(_visible(domain, row) for row in rows)
            self._compared[domain] = tuple(_comparable(row) for row in self._tables[domain])

    def columns(self, domain: str) -> tuple[str, ...]:
        """The columns that results of a domain have."""
        return tuple(dict.fromkeys(name for row in self._tables.get(domain, ()) for name in row))

    def choices(self, domain: str, column: str, most: int = 20) -> tuple[str, ...]:
        """The values of a column, sorted, where there are few."""
        values = {row[column] for row in self._tables.get(domain, ()) if isinstance(row.get(column), str)}
        return tuple(sorted(values - {"?"})) if len(values) <= most else ()

    def search(self, domain: str, constraints: Row, told: Iterable[tuple[str, Json]]) -> tuple[Row, ...]:
        """The rows that meet the constraints; those come first of which more was told (pairs of column and value)."""
        wanted = {name: _alternatives(name, value) for name, value in constraints.items()}
        mentioned = {(name, _compare(name, value)) for name, value in told}
        pairs = zip(self._tables.get(domain, ()), self._compared.get(domain, ()), strict=True)
        found = [(row, compared) for row, compared in pairs if _meets(compared, wanted)]
        found.sort(key=lambda pair: -len(mentioned.intersection(pair[1].items())))
        return tuple(row for row, _ in found[:MOST])


def normal(value: Json) -> str:
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


def _compare(name: str, value: Json) -> str:
    return str(value) if name in ("leaveAt", "arriveBy") else normal(value)


def _alternatives(name: str, value: Json) -> tuple[str, ...]:
    return tuple(_compare(name, choice) for choice in (value if isinstance(value, list) else [value]))


def _meets(row: dict[str, str], wanted: Mapping[str, tuple[str, ...]]) -> bool:
    return all(name in row and _matches(name, row[name], choices) for name, choices in wanted.items())


def _matches(name: str, value: str, choices: tuple[str, ...]) -> bool:
    if name == "leaveAt":
        return any(value >= choice for choice in choices)
    if name == "arriveBy":
        return any(value <= choice for choice in choices)
    return value in choices
