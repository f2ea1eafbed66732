"""A large data set and its predictions as smaller ones of the same form."""

import json
from collections.abc import Sequence
from pathlib import Path

from toolyard.benchmarks.line_division import divide_executions, rows_with_lines
from toolyard.benchmarks.nestools.data.rows import (
    DATA_FILE,
    DISTRACTORS_FILE,
    IDS_FILE,
    POOL_FILE,
    WANTED,
    data_file,
    data_folder,
    tool_key,
)
from toolyard.benchmarks.nestools.scoring.predictions import PREDICTIONS_FILE, predictions_file
from toolyard.core.pieces import PieceWriter


def _list_or_empty(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()


def divide_records(data: Path, predictions: Path | None, pieces: PieceWriter) -> None:
    """Every record with its ids, distractors and predictions into the piece of its test_id."""
    folder = data_folder(data)
    # Without an ids file tools are numbered by first appearance, over all pieces.
    numbers: dict[str, int] | None = None if (folder / IDS_FILE).exists() else {}
    for row, line in rows_with_lines(data_file(data), WANTED):
        piece = pieces.piece_of(str(row.get("test_id")))
        pieces.add(piece, DATA_FILE, line)
        if numbers is not None:
            ids = [
                numbers.setdefault(tool_key(tool), len(numbers)) for tool in _list_or_empty(row.get("api"))
            ]
            entry = {"test_id": row.get("test_id"), "api_ids": ids}
            pieces.add(piece, IDS_FILE, json.dumps(entry).encode() + b"\n")
    for name in (IDS_FILE, DISTRACTORS_FILE):
        source = folder / name
        for row, line in rows_with_lines(source, WANTED) if source.exists() else ():
            pieces.add(pieces.piece_of(str(row.get("test_id"))), name, line)
    if (folder / POOL_FILE).exists():
        pieces.in_all(POOL_FILE, folder / POOL_FILE)
    divide_executions(folder, pieces, pieces.piece_of)
    if predictions is None:
        return
    pieces.in_all(PREDICTIONS_FILE)
    for row, line in rows_with_lines(predictions_file(predictions), WANTED):
        pieces.predict(pieces.piece_of(str(row.get("test_id"))), PREDICTIONS_FILE, line)
