"""The lines of large files, each with the field that says where it belongs."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from toolyard.benchmarks.execution_verdict import EXECUTION_FILE, MANIFEST_FILE, is_executable
from toolyard.benchmarks.user_files import decode_utf8, json_value, lines_of
from toolyard.core.errors import DataError
from toolyard.core.pieces import PieceWriter
from toolyard.core.types import JsonValue


def rows_with_lines(path: Path, wanted: str) -> Iterator[tuple[Mapping[str, JsonValue], bytes]]:
    """The objects of a file with one on each line, and the lines as they stand there."""
    for where, line in lines_of(path, wanted):
        row = json_value(decode_utf8(line, where, wanted), where, wanted)
        if not isinstance(row, dict):
            raise DataError(f"{where}: found {type(row).__name__}; {wanted}")
        yield row, line if line.endswith(b"\n") else line + b"\n"


def divide_executions(folder: Path, pieces: PieceWriter, piece_of: Callable[[str], int]) -> None:
    """How gold was executed, each line into the piece of its row or dialogue."""
    if not is_executable(folder):
        return
    manifest, told = (folder / MANIFEST_FILE).read_bytes(), set[int]()
    for row, line in rows_with_lines(folder / EXECUTION_FILE, "wanted id, seed and calls"):
        piece = piece_of(str(row.get("id")))
        pieces.add(piece, EXECUTION_FILE, line)
        if piece not in told:
            told.add(piece)
            pieces.add(piece, MANIFEST_FILE, manifest)
