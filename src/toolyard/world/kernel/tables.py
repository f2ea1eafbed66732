"""Handlers that most tools consist of: find by key, filter, sort, page, complete, sample.

Rows are mappings (usually TypedDicts) out of a table; they are never changed.
"""

import csv
import functools
import itertools
import json
import math
import random
import re
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from importlib import resources
from typing import Any, TypeVar, cast, get_type_hints

from toolyard.core.types import JsonValue, Record
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.result_text import fitting_rows
from toolyard.world.kernel.types import Page

Row = TypeVar("Row", bound=Record)
Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)


def fold_case(value: object) -> str:
    """Text as it is compared: lower case, outer blanks gone; the same object where nothing changes."""
    text = str(value)
    folded = text.strip().casefold()
    return text if folded == text else folded


_LETTERS = {
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ı": "i",
    "æ": "ae",
    "œ": "oe",
    "ð": "d",
    "þ": "th",
    "ħ": "h",
    "’": "'",
}


_SPECIAL = re.compile(f"[{''.join(_LETTERS)}]")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_FOREIGN = re.compile(r"[^\x00-\x7f]")


def plain(text: object) -> str:
    """Folded text without accents, so that Bogota finds Bogotá and Lodz finds Łódź."""
    if isinstance(text, str) and text.isascii():
        lowered = text.strip().lower()
        return text if lowered == text else lowered
    folded = fold_case(text)
    if folded.isascii():
        return folded
    if _SPECIAL.search(folded):
        for letter, spelt in _LETTERS.items():
            folded = folded.replace(letter, spelt)
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", folded))
    for sign in set() if bare.isascii() else set(_FOREIGN.findall(bare)):
        bare = bare.replace(sign, "") if unicodedata.combining(sign) else bare
    return bare


def slug_of(text: object) -> str:
    """The plain text with a dash for whatever is no letter and no digit."""
    return re.sub(r"[^a-z0-9]+", "-", plain(text)).strip("-")


@functools.cache
def _empty_row(names: tuple[str, ...]) -> dict[str, object]:
    """A row of these fields whose copies share its keys, as Python does it for the attributes of a class."""
    kind = type("Row", (), {})
    # With each object Python keeps less room for further attributes.
    for made in (kind() for _ in range(32)):
        for name in names:
            setattr(made, name, None)
    found: dict[str, object] = vars(made)
    return found


def share_keys(row: Row) -> Row:
    """The same row in half the memory: a dictionary that shares its keys with all rows of the same fields."""
    found = _empty_row(tuple(row)).copy()
    found.update(row)
    return cast("Row", found)


@functools.lru_cache(maxsize=8192)
def shared_list(*texts: str) -> list[str]:
    """Texts as one list for all rows with the same; like every row, nobody changes it."""
    return list(texts)


def read_table(name: str) -> Iterator[dict[str, str]]:
    """Rows of a tab-separated file of the package, as strings; equal ones are in memory once."""
    text = resources.files("toolyard.world").joinpath("data", name).read_text("utf-8")
    once: dict[str, str] = {}
    names, *rows = csv.reader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    for fields in filter(None, rows):
        yield share_keys(
            {name: once.setdefault(field, field) for name, field in zip(names, fields, strict=True)}
        )


@functools.cache
def table_rows(name: str) -> tuple[Mapping[str, str], ...]:
    """The rows of a table that is read more than once."""
    return tuple(read_table(name))


# How a column is read that fills a field of such a type; others stay as they are written.
_COLUMN_READERS: Mapping[Any, Callable[[str], object]] = {
    int: int,
    float: float,
    date: date.fromisoformat,
    int | None: lambda text: int(text) if text else None,
    str | None: lambda text: text or None,
    list[str]: lambda text: text.split(";"),
    tuple[str, ...]: lambda text: tuple(filter(None, text.split(";"))),
}


@functools.cache
def _field_readers(kind: Callable[..., object]) -> Mapping[str, Callable[[str], object]]:
    return {name: _COLUMN_READERS.get(hint, str) for name, hint in get_type_hints(kind).items()}


def read_record(kind: Callable[..., Item], row: Mapping[str, str], /, **others: object) -> Item:
    """A row of a table as a record: each field out of the column of its name, as its type says, but for those given."""
    readers = _field_readers(kind).items()
    return kind(**{name: others[name] if name in others else read(row[name]) for name, read in readers})


@functools.cache
def _short_tables() -> Mapping[str, dict[str, str]]:
    """Table -> key -> value, out of the file that holds all short ones."""
    found: dict[str, dict[str, str]] = {}
    text = resources.files("toolyard.world").joinpath("data", "short_tables.tsv").read_text("utf-8")
    for table, key, value in map(str.split, text.splitlines()[1:], itertools.repeat("\t")):
        found.setdefault(table, {})[key] = value
    return found


def table_words(table: str) -> tuple[str, ...]:
    """The keys of a short table, in its order."""
    return tuple(_short_tables()[table])


def table_texts(table: str) -> dict[str, str]:
    """Key -> text of a short table."""
    return _short_tables()[table]


def values_of(table: str) -> Any:
    """Key -> value of a short table whose values are written as JSON, lists as tuples; who reads it names their type."""
    return {key: _with_tuples(json.loads(value)) for key, value in _short_tables()[table].items()}


def _with_tuples(value: JsonValue) -> object:
    if isinstance(value, list):
        return tuple(map(_with_tuples, value))
    return {key: _with_tuples(part) for key, part in value.items()} if isinstance(value, dict) else value


def index_by(rows: Iterable[Row], key: str) -> dict[str, Row]:
    """Rows by the folded value of a key; the first of equal keys stays. Put it into a `seeds.table`."""
    found: dict[str, Row] = {}
    for row in rows:
        found.setdefault(fold_case(row[key]), row)
    return found


def find(
    rows: Iterable[Row] | Mapping[str, Row],
    wanted: object,
    key: str = "id",
    what: str = "entry",
    listed_by: str = "",
) -> Row:
    """The row whose key equals the wanted value (case aside); a not_found fault with near ones otherwise."""
    target = fold_case(wanted)
    if isinstance(rows, Mapping):
        if target in rows:
            return rows[target]
        raise not_found(what, wanted, known=list(rows), listed_by=listed_by)
    rows = tuple(rows)
    for row in rows:
        if fold_case(row[key]) == target:
            return row
    raise not_found(what, wanted, known=[row[key] for row in rows], listed_by=listed_by)


def filter_rows(rows: Iterable[Row], **equals: object) -> list[Row]:
    """Rows whose fields equal (case and accents aside) every wanted value that is not None; a list field must hold it."""
    wanted = {key: plain(value) for key, value in equals.items() if value is not None}
    return [row for row in rows if all(_equals_folded(row.get(key), value) for key, value in wanted.items())]


def _equals_folded(value: JsonValue, wanted: str) -> bool:
    if isinstance(value, str):
        return (value.casefold() if value.isascii() else plain(value)) == wanted
    if isinstance(value, list | tuple):
        return any(plain(item) == wanted for item in value)
    return value is not None and fold_case(value) == wanted


def rows_between(rows: Iterable[Row], key: str, low: JsonValue = None, high: JsonValue = None) -> list[Row]:
    """Rows whose field lies within the closed bounds; None is no bound. ISO dates compare as text."""
    return [row for row in rows if (low is None or row[key] >= low) and (high is None or row[key] <= high)]


def containing(rows: Iterable[Row], text: str | None, *keys: str) -> list[Row]:
    """Rows where one of the fields contains the text (case and accents aside); all rows for None."""
    if text is None:
        return list(rows)
    wanted = plain(text)
    return [row for row in rows if any(wanted in plain(row[key]) for key in keys)]


def complete(rows: Iterable[Row], prefix: str, key: str = "name", limit: int = 10) -> list[Row]:
    """Rows whose field starts with the prefix, or has it from the start of one of its words on; the former come first."""
    wanted = plain(prefix)
    first, later = [], []
    for row in rows:
        value = plain(row[key])
        if value.startswith(wanted):
            first.append(row)
        elif f" {wanted}" in f" {' '.join(value.split())}":
            later.append(row)
    return (first + later)[:limit]


def sort_rows(
    rows: Iterable[Row], order: str | None, allowed: Sequence[str], parameter: str = "sort"
) -> list[Row]:
    """Rows by comma-separated fields, each descending with a leading minus; a fault for others."""
    ordered = list(rows)
    for field in reversed([part.strip() for part in (order or "").split(",") if part.strip()]):
        name = field.lstrip("+-")
        if name not in allowed:
            raise invalid(
                parameter, order, f"sort by one of {', '.join(allowed)}, minus in front for descending"
            )
        ordered.sort(key=lambda row: (row[name] is None, row[name]), reverse=field.startswith("-"))
    return ordered


def page(rows: Sequence[Row], limit: int = 10, offset: int = 0) -> Page[Row]:
    """`limit` rows from `offset` on, or as many of them as fit into one answer, and how many there are in all."""
    return {"total": len(rows), "offset": offset, "items": fitting_rows(rows[offset : offset + limit])}


def page_of(found: Sequence[Item], row: Callable[[Item], Row], limit: int, offset: int = 0) -> Page[Row]:
    """A page with the rows of `limit` things from `offset` on, made only of these, and how many there are in all."""
    return {
        "total": len(found),
        "offset": offset,
        "items": [row(one) for one in found[offset : offset + limit]],
    }


def sample_rows(rows: Sequence[Row], count: int, chance: random.Random) -> list[Row]:
    """Some rows drawn without replacement; all of them in drawn order when there are too few."""
    return chance.sample(list(rows), min(count, len(rows)))


def kilometres(latitude: float, longitude: float, other_latitude: float, other_longitude: float) -> float:
    """Great-circle distance on a sphere of 6,371 km."""
    a, b = math.radians(latitude), math.radians(other_latitude)
    half = math.sin((b - a) / 2) ** 2
    half += math.cos(a) * math.cos(b) * math.sin(math.radians(other_longitude - longitude) / 2) ** 2
    return round(2 * 6371 * math.asin(min(1.0, math.sqrt(half))), 1)
