"""A large data set and its predictions as smaller ones of the same form."""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from toolyard.benchmarks.line_division import divide_executions, rows_with_lines
from toolyard.benchmarks.mtu.data import corpus_dialogues as corpora
from toolyard.benchmarks.mtu.data.dialogues import group_and_turn
from toolyard.benchmarks.mtu.data.rows import MULTI_TURN, SETTINGS, benchmark_files
from toolyard.benchmarks.mtu.data.tool_pool import POOL
from toolyard.benchmarks.mtu.scoring.predictions import prediction_files
from toolyard.core.errors import DataError, UsageError
from toolyard.core.pieces import PieceWriter

WANTED = "wanted id, question and answer"


@dataclass(slots=True)
class RowPlaces:
    """Where the rows of one setting went: the piece, and the row that each is there."""

    pieces: array[int] = field(default_factory=lambda: array("H"))
    rows: array[int] = field(default_factory=lambda: array("L"))
    lengths: dict[int, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, piece: int) -> None:
        """The next row of the setting goes to that piece."""
        self.pieces.append(piece)
        self.rows.append(self.lengths[piece])
        self.lengths[piece] += 1


def divide_dialogues(data: Path, predictions: Path | None, pieces: PieceWriter) -> None:
    """Every dialogue with its predictions into a piece; settings without predictions are left out of all."""
    if corpora.detect_corpus(data) is not None:
        raise UsageError(f"{data} is a corpus that is converted as a whole; leave out --workers")
    answered = None if predictions is None else dict(prediction_files(predictions))
    places: dict[str, RowPlaces] = defaultdict(RowPlaces)
    for setting, file in benchmark_files(data):
        for row, line in rows_with_lines(file, WANTED):
            name = str(row.get("id"))
            said = setting or name.partition("_")[0]
            if answered is not None and said not in answered and said in SETTINGS:
                continue
            piece = pieces.piece_of(group_key(said, name))
            places[said].add(piece)
            pieces.add(piece, file.name, line)
    folder = data if data.is_dir() else data.parent
    if (folder / POOL).is_file():
        pieces.in_all(POOL, folder / POOL)
    divide_executions(folder, pieces, lambda name: pieces.piece_of(f"{name.partition('_')[0]} {name}"))
    for setting, file in (answered or {}).items():
        if setting in places:
            pieces.in_all(f"{setting}.jsonl")
            _write_predictions(setting, file, places[setting], pieces)


def group_key(setting: str, row_id: str) -> str:
    """The name of what must stay together: a dialogue with all its turns, or the rows of one id."""
    return f"{setting} {group_and_turn(row_id)[0] if setting in MULTI_TURN else row_id}"


def _write_predictions(setting: str, file: Path, places: RowPlaces, pieces: PieceWriter) -> None:
    for row, line in rows_with_lines(file, "wanted id and response"):
        number = row.get("row")
        if not isinstance(number, int) or isinstance(number, bool):
            piece = pieces.piece_of(group_key(setting, str(row.get("id"))))
            pieces.predict(piece, f"{setting}.jsonl", line)
            continue
        if not 0 <= number < len(places.pieces):
            raise DataError(
                f"{file}: row {number} of {setting} is not in the data; wanted the rows of the data given"
            )
        moved = json.dumps({**row, "row": places.rows[number]}).encode() + b"\n"
        pieces.predict(places.pieces[number], f"{setting}.jsonl", moved)
