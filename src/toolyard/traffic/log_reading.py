"""Which form a file of recorded traffic has, and its trajectories."""

import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.lines import whole_text
from toolyard.traffic.atif import is_atif, read_atif
from toolyard.traffic.inspect_samples import is_inspect_log, read_eval_file, read_inspect_log
from toolyard.traffic.openai_log import Row, is_openai_log, read_openai_log
from toolyard.traffic.otel import is_otlp, read_otlp
from toolyard.traffic.trajectory import TracedEpisode

# A request and its answers take about 5 KB in memory until all are judged.
MOST_LINES = 200_000
WANTED = (
    "OTLP JSON with resourceSpans, one OpenAI-format request with its response a line, ATIF trajectories, or a log of "
    "inspect (.eval, .json)"
)
FORMS: tuple[
    tuple[Callable[[Mapping[str, JsonValue]], bool], Callable[[list[Row]], list[TracedEpisode]]], ...
] = (
    (is_otlp, read_otlp),
    (is_atif, read_atif),
    (is_inspect_log, read_inspect_log),
    (is_openai_log, read_openai_log),
)


def read_traffic(path: Path) -> list[TracedEpisode]:
    """The trajectories of a file; a form that is not known is refused."""
    found = read_eval_file(path) if _is_zip(path) else _read_rows(_objects_of_file(path))
    if not found:
        raise DataError(f"{path} holds no message and no call of a model; wanted {WANTED}")
    return found


def _read_rows(rows: list[Row]) -> list[TracedEpisode]:
    for has_form, read in FORMS:
        if all(has_form(row) for _, row in rows):
            return read(rows)
    first = next(((has_form for has_form, _ in FORMS if has_form(rows[0][1]))), None)
    where = next(place for place, row in rows if first is None or not first(row))
    raise DataError(f"{where} is neither a trace nor a request; wanted {WANTED}")


def _is_zip(path: Path) -> bool:
    try:
        return path.is_file() and zipfile.is_zipfile(path)
    except OSError:
        return False


def _objects_of_file(path: Path) -> list[tuple[str, Mapping[str, JsonValue]]]:
    """The objects of a file, which is one JSON value or has one a line."""
    text = whole_text(path, f"wanted {WANTED}", errors="replace")
    if not text.strip():
        raise DataError(f"{path} is empty; wanted {WANTED}")
    try:
        whole = json_safe(json.loads(text))
        values = [(str(path), item) for item in (whole if isinstance(whole, list) else [whole])]
    except (ValueError, RecursionError):
        if text.count("\n") > MOST_LINES:
            raise DataError(
                f"{path} has {text.count(chr(10)):,} lines; at most {MOST_LINES:,} are read, give a part of it"
            ) from None
        values = [
            _parse_line(path, number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()
        ]
    rows: list[tuple[str, Mapping[str, JsonValue]]] = [
        (where, value) for where, value in values if isinstance(value, dict)
    ]
    if not rows or len(rows) < len(values):
        raise DataError(f"{path} holds something that is not an object; wanted {WANTED}")
    return rows


def _parse_line(path: Path, number: int, line: str) -> tuple[str, JsonValue]:
    try:
        return f"{path}, line {number}", json_safe(json.loads(line))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}, line {number} is not JSON ({error}); wanted {WANTED}") from None
