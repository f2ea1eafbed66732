"""The lines of large files, each with the field that says where it belongs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from toolyard.benchmarks.reading import decoded, json_value, lines_of
from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue


def rows_with_lines(path: Path, wanted: str) -> Iterator[tuple[Mapping[str, JsonValue], bytes]]:
    """The objects of a file with one on each line, and the lines as they stand there."""
    for where, line in lines_of(path, wanted):
        row = json_value(decoded(line, where, wanted), where, wanted)
        if not isinstance(row, dict):
            raise DataError(f"{where}: found {type(row).__name__}; {wanted}")
        yield row, line if line.endswith(b"\n") else line + b"\n"
