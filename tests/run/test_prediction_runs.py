"""Saved predictions as a run: the same figures, a report, and a refusal of rows that the data do not have."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from toolyard.benchmarks import load_benchmark
from toolyard.cli.app import app
from toolyard.core.errors import DataError
from toolyard.core.types import Options
from toolyard.run.grade.scoring import score_settings
from toolyard.run.settings import ScoreSettings
from toolyard.run.store.prediction_runs import run_of_predictions


def answers(path: Path, *names: str) -> Path:
    """Empty answers to the first rows of NesTools' starter set, or to rows of these names."""
    benchmark = load_benchmark("nestools")
    samples = benchmark.data.load(benchmark.data.starter, Options())[:3]
    chosen = names or [sample.id for sample in samples]
    lines = [json.dumps({"test_id": int(name), "response": "[]"}) for name in chosen]
    path.write_text("\n".join(lines))
    return path


def test_the_run_has_the_figures_of_the_predictions(tmp_path: Path) -> None:
    settings = ScoreSettings(
        "nestools", predictions=answers(tmp_path / "a.jsonl"), runs=tmp_path, name="mine"
    )
    result = run_of_predictions(settings)
    scored = score_settings(settings)
    assert result.run.config.model == "predictions/mine"
    assert result.summaries["paper"].samples == scored.summary.samples == 3
    assert result.summaries["paper"].figures == scored.summary.figures
    again = run_of_predictions(settings)
    assert again.folder == result.folder
    assert len((again.folder / "transcripts.jsonl").read_text().splitlines()) == 3, "nothing is kept twice"


def test_a_row_that_the_data_lack_cannot_become_part_of_a_run(tmp_path: Path) -> None:
    path = answers(tmp_path / "a.jsonl", "999999")
    with pytest.raises(DataError, match="999999"):
        run_of_predictions(ScoreSettings("nestools", predictions=path, runs=tmp_path))


def test_the_command_writes_the_report_and_keeps_json_clean(tmp_path: Path) -> None:
    path = answers(tmp_path / "a.jsonl")
    words = ["score", "nestools", "--predictions", str(path), "--report", "--runs", str(tmp_path), "--json"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["samples"] == 3
    assert list(tmp_path.glob("nestools_predictions-a_*/report.html"))
