"""A NesTools record of our own in the official form: two ferries, seats on one, both prices split."""

from pathlib import Path
from typing import Any

from cases import cases
from json_files import write_lines

FERRY = cases(__file__, "FERRY")
SEATS = cases(__file__, "SEATS")
SPLIT = cases(__file__, "SPLIT")
ROW: dict[str, Any] = cases(__file__, "ROW")
IDS = {"test_id": 7, "api_ids": [311, 96, 20]}
WEATHER = cases(__file__, "WEATHER")

Calls = list[dict[str, Any]]


def write_data(folder: Path, rows: list[Any], ids: list[Any] | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    write_lines(folder / "test_data.jsonl", rows)
    if ids is not None:
        write_lines(folder / "test_api_ids.jsonl", ids)
    return folder
