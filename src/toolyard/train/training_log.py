"""The log of a training as a resumed one finds it: a line for every step, and one for every evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue, Record
from toolyard.lines import read_records


def read_log(path: Path) -> list[Record]:
    """The lines of a log; one that names no step is an error."""
    return list(read_records(path, _read_line)) if path.exists() else []


def _read_line(line: JsonValue) -> Record:
    if not isinstance(line, dict) or type(line.get("step")) is not int:
        raise DataError("wanted an object with the number of a step")
    return line


def quality_of_evaluation(line: Record, *, by_metrics: bool) -> float | None:
    """How good the weights of an evaluation are, higher is better: mean metric of the benchmarks, else the loss."""
    if not by_metrics:
        loss = line.get("held_out")
        return None if loss is None else -float(loss)
    values = [part["value"] or 0.0 for part in line.get("benchmarks", {}).values()]
    return sum(values) / len(values) if values else None


def quality_at_step(lines: Sequence[Record], step: int, *, by_metrics: bool) -> float | None:
    """What the log says of the weights of a step; None where they were not evaluated."""
    try:
        found = [quality_of_evaluation(line, by_metrics=by_metrics) for line in lines if line["step"] == step]
    except (TypeError, ValueError, KeyError, AttributeError):
        return None
    return next((quality for quality in reversed(found) if quality is not None), None)
