"""Training rows as they lie on disk, plain or packed.

{"id": "ferry-3", "source": "mtu", "messages": [{"role": "system", "content": "You book ferries."},
 {"role": "user", "content": "Two to Skye"}, {"role": "assistant", "content": "Action: book ..."}]}
"""

from __future__ import annotations

import gzip
import hashlib
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

import orjson

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue
from toolyard.core.untrusted.unpacking import unpacked_lines
from toolyard.text.counted_nouns import how_many

ENDINGS = (".jsonl", ".jsonl.xz", ".jsonl.gz")
ROLES = ("system", "user", "assistant", "tool")


@dataclass(frozen=True, slots=True)
class LearningRow:
    """One conversation that ends with what the assistant is to learn."""

    id: str
    source: str
    messages: tuple[dict[str, str], ...]


def read_rows(path: Path, limit: int = 0) -> list[LearningRow]:
    """The rows of a file, or of all files of a folder in the order of their names."""
    rows: list[LearningRow] = []
    for file in data_files(path):
        for number, line in _numbered_lines(file):
            rows.append(_learning_row(line, file, number))
            if limit and len(rows) == limit:
                return rows
    if not rows:
        raise DataError(f"{path} holds no rows; wanted JSONL with id, source and messages")
    return rows


def data_files(path: Path) -> list[Path]:
    """The files of rows at that place."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise DataError(f"{path}: no such file or folder; wanted rows as JSONL (also .xz or .gz)")
    found = sorted(file for file in path.iterdir() if file.name.endswith(ENDINGS))
    if not found:
        raise DataError(f"{path} holds no {', '.join(ENDINGS)} file; wanted rows as JSONL")
    return found


def rows_digest(rows: list[LearningRow]) -> str:
    """A digest of what the rows say, in their order; how they are packed does not matter."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(orjson.dumps([row.id, row.source, row.messages], option=orjson.OPT_APPEND_NEWLINE))
    return digest.hexdigest()


def split_rows(rows: list[LearningRow], share: float) -> tuple[list[LearningRow], list[LearningRow]]:
    """Rows for training and, by a digest of their ids, about that share of them for evaluation."""
    apart = [_fraction_of_name(row.id) < share for row in rows]
    if all(apart):
        raise DataError(f"the share {share:g} takes all of {how_many(len(rows), 'row')}; lower --eval-share")
    return (
        [row for row, is_apart in zip(rows, apart, strict=True) if not is_apart],
        [row for row, is_apart in zip(rows, apart, strict=True) if is_apart],
    )


def _fraction_of_name(name: str) -> float:
    return int.from_bytes(hashlib.sha256(name.encode("utf-8", "replace")).digest()[:6], "big") / 2**48


def _open_rows(path: Path) -> IO[bytes]:
    if path.name.endswith(".xz"):
        return lzma.open(path, "rb")
    return cast("IO[bytes]", gzip.open(path, "rb")) if path.name.endswith(".gz") else path.open("rb")


def _numbered_lines(path: Path) -> Iterator[tuple[int, JsonValue]]:
    number = 0
    try:
        with _open_rows(path) as file:
            for number, line in enumerate(unpacked_lines(file), 1):
                if line.strip():
                    yield number, orjson.loads(line)
    except (DataError, orjson.JSONDecodeError) as error:
        raise DataError(f"{path}, line {number}: {str(error)[:120]}; wanted one JSON object a line") from None


def _learning_row(found: Any, path: Path, number: int) -> LearningRow:
    wrong = _row_problem(found)
    if wrong:
        raise DataError(
            f"{path}, line {number}: {wrong}; wanted id, source and messages ending with the assistant's"
        )
    messages = tuple({"role": item["role"], "content": item["content"]} for item in found["messages"])
    return LearningRow(str(found.get("id", number)), str(found.get("source", "")), messages)


def _row_problem(found: object) -> str:
    messages = found.get("messages") if isinstance(found, dict) else None
    if not isinstance(messages, list) or not messages:
        return "no messages"
    for place, message in enumerate(messages):
        if not isinstance(message, dict) or not isinstance(message.get("content"), str):
            return f"message {place} has no text"
        if message.get("role") not in ROLES:
            return f"message {place} has the role {str(message.get('role'))[:40]!r}"
    if messages[-1]["role"] != "assistant":
        return f"the last message is the {messages[-1]['role']}'s"
    return ""
