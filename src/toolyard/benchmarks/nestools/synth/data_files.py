"""The files of a NesTools data set, out of rows with `api`, `call`, `task` and `field`.

A row may bring `spare`: tools that only go into the pool. Same rows, same bytes.
"""

import hashlib
import itertools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TextIO

from toolyard.benchmarks.nestools.data.distractors import PER_GOLD_TOOL, is_distinct_name
from toolyard.benchmarks.nestools.data.rows import (
    DATA_FILE,
    DISTRACTORS_FILE,
    IDS_FILE,
    ORIGIN,
    POOL_FILE,
    tool_key,
    with_id,
)
from toolyard.core.types import Record
from toolyard.synth.stages import Context, Row, Rows

# Beyond the form of the release: what else is right, and whether a person or a goal's phrasing gave the words.
OPTIONAL = ("alternatives", ORIGIN)


def pool_of_rows(rows: Rows) -> Record:
    """Every tool once, by its key, in the order of its id.

    Tools are numbered in the order of a hash: numbers by appearance would give away which tools of a prompt
    belong together.
    """
    tools = {tool_key(tool): tool for row in rows for tool in (*row["api"], *row.get("spare", ()))}
    ordered = sorted(tools, key=lambda key: hashlib.blake2b(key.encode(), digest_size=16).digest())
    return {key: tools[key] for key in ordered}


def write(rows: Rows, folder: Path, context: Context) -> None:  # noqa: ARG001
    """Writes records, tool ids and the pool that distractors are drawn from."""
    pool = pool_of_rows(rows)
    ids = {key: number for number, key in enumerate(pool)}
    with (
        (folder / DATA_FILE).open("w", encoding="utf-8", newline="\n") as data,
        (folder / IDS_FILE).open("w", encoding="utf-8", newline="\n") as numbers,
    ):
        for test_id, row in enumerate(rows, 1):
            _write_line(data, _record_of_row(test_id, row))
            _write_line(
                numbers, {"test_id": test_id, "api_ids": [ids[tool_key(tool)] for tool in row["api"]]}
            )
    with (folder / POOL_FILE).open("w", encoding="utf-8", newline="\n") as file:
        for key, tool in pool.items():
            _write_line(file, with_id(tool, ids[key]))


def write_distractors(rows: Rows, folder: Path) -> None:
    """Writes the tools that each record is offered with, for rows that name them in `distractors`."""
    ids = {tool["api_name"]: number for number, tool in enumerate(pool_of_rows(rows).values())}
    with (folder / DISTRACTORS_FILE).open("w", encoding="utf-8", newline="\n") as file:
        for test_id, row in enumerate(rows, 1):
            _write_line(file, {"test_id": test_id, "distractors": [ids[name] for name in row["distractors"]]})


def _record_of_row(test_id: int, row: Row) -> Record:
    fields = {name: row[name] for name in ("api", "task", "call", "field")}
    return {"test_id": test_id, **fields, **{name: row[name] for name in OPTIONAL if row.get(name)}}


def _write_line(file: TextIO, record: Record) -> None:
    file.write(json.dumps(record, ensure_ascii=False) + "\n")


def short_of_distractors(rows: Rows) -> list[int]:
    """The test ids of records for which the pool has too few tools with names of their own."""
    pool = pool_of_rows(rows)
    names = {key: tool["api_name"] for key, tool in pool.items()}
    return [
        test_id
        for test_id, row in enumerate(rows, 1)
        if not _has_enough_others(row, names, PER_GOLD_TOOL * len(row["api"]))
    ]


def _has_enough_others(row: Row, names: Mapping[str, str], wanted: int) -> bool:
    gold = [tool["api_name"] for tool in row["api"]]
    own = {tool_key(tool) for tool in row["api"]}

    def others() -> Iterator[str]:
        for key, name in names.items():
            if key not in own and is_distinct_name(name, gold):
                yield key

    return sum(1 for _ in itertools.islice(others(), wanted)) == wanted
