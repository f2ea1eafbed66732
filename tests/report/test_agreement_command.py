"""Figures against people, on two runs that differ by design and on made-up votes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolyard import evaluate
from toolyard.core.errors import DataError, UsageError
from toolyard.report.agreement import agreement, agreement_table, read_labels


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("runs")
    models = ("scripted/oracle", "scripted/no-call")
    first, second = (evaluate("nestools", model, limit=6, runs=folder).plan.folder for model in models)
    return first, second


def votes(path: Path, *lines: tuple[str, str, int]) -> Path:
    rows = [
        {"sample": sample, "annotator": who, "label": label, "dimension": "overall"}
        for sample, who, label in lines
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_people_who_agree_with_the_figure_and_each_other(runs: tuple[Path, Path], tmp_path: Path) -> None:
    ids = [json.loads(line)["sample"] for line in (runs[0] / "scores.jsonl").read_text().splitlines()]
    labels = read_labels(
        votes(tmp_path / "v.jsonl", *[(item, who, 1) for item in ids for who in ("ada", "bo")])
    )
    [found] = agreement(*runs, labels, figures=["tree"], profile="paper")
    assert (found.items, found.annotators, found.same_side, found.human_same_side) == (len(ids), 2, 1.0, 1.0)
    assert found.metric_human is None, "labels that never vary correlate with nothing"
    assert agreement_table([found]).rows[0][0] == "tree"


def test_wrong_labels_figures_and_samples_are_named(runs: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(DataError, match="line 1 has the label 2"):
        read_labels(votes(tmp_path / "a.jsonl", ("1", "ada", 2)))
    labels = read_labels(votes(tmp_path / "b.jsonl", ("nobody", "ada", 1)))
    with pytest.raises(DataError, match="labels name 'nobody'"):
        agreement(*runs, labels, figures=[], profile="paper")
    with pytest.raises(UsageError, match="has no figure beauty"):
        agreement(*runs, labels, figures=["beauty"], profile="paper")
    with pytest.raises(DataError, match="no vote on 'style'"):
        read_labels(tmp_path / "b.jsonl", "style")
