"""Files of JSON, whole or a value a line."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def read_json(path: Path) -> Any:
    """The value that a file holds."""
    return json.loads(path.read_text("utf-8"))


def read_lines(path: Path) -> list[Any]:
    """The values of a file that has one a line."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write_lines(path: Path, values: Iterable[object]) -> Path:
    """The file, with one value a line."""
    path.write_text("".join(json.dumps(value) + "\n" for value in values), "utf-8")
    return path
