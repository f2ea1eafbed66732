"""Small real runs of NesTools for comparisons and exports, made once per test module."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from toolyard.run.api import evaluate

LIMIT = 12


def make_runs(runs: Path, *models: str, **settings: Any) -> list[Path]:
    """The run directories of these models, in order."""
    return [evaluate("nestools", model, limit=LIMIT, runs=runs, **settings).folder for model in models]


def changed_copy(run: Path, name: str, change: Callable[[dict[str, Any]], None]) -> Path:
    """A copy of a run with another manifest."""
    folder = run.parent / name
    shutil.copytree(run, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    change(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def score_lines(run: Path) -> list[dict[str, Any]]:
    """The lines of scores.jsonl."""
    return [json.loads(line) for line in (run / "scores.jsonl").read_text().splitlines()]


def rewrite_scores(run: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Changes every line of scores.jsonl."""
    lines = score_lines(run)
    for line in lines:
        change(line)
    (run / "scores.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
