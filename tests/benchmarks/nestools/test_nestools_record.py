"""Saved predictions, published figures and tables."""

import json
from pathlib import Path
from typing import Any

import pytest

from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.core.benchmark import PublishedRow
from toolyard.core.errors import DataError
from toolyard.core.types import Failure, Sample, Transcript

ASPECTS = ("selection", "order", "parameter", "nested")
# A printed figure lies this far from the computed one at the most.
HALF_A_DIGIT = 0.0005


def write(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture
def two(ferry: Sample) -> tuple[Sample, ...]:
    return (ferry, Sample("8", ferry.input, ferry.gold))


def test_predictions_become_trials_failures_and_empty_answers(
    tmp_path: Path, two: tuple[Sample, ...]
) -> None:
    rows = [
        {"test_id": 7, "response": "[]", "model": "ignored"},
        {"test_id": "7", "response": None},
        {"test_id": 7, "response": -1},
    ]
    first, second, third, missing = BENCHMARK.scoring.read_predictions(write(tmp_path / "p.jsonl", rows), two)
    assert (first.sample, first.trial, first.text, first.error) == ("7", 0, "[]", None)
    assert (second.trial, second.text, second.error) == (1, "", None)
    assert (third.trial, third.error) == (2, Failure("request_failed", "the response is -1"))
    assert missing == Transcript("8", error=Failure("missing_prediction", "p.jsonl has no line for it"))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"test_id": 9, "response": ""}, "field test_id: wanted the id of a record, found 9"),
        ({"response": ""}, "field test_id: wanted an integer"),
        ({"test_id": 7}, "field response: wanted the model's answer"),
    ],
)
def test_prediction_rows_of_another_form_are_refused(
    tmp_path: Path, two: tuple[Sample, ...], row: dict[str, Any], said: str
) -> None:
    with pytest.raises(DataError, match=f"line 1: {said}"):
        BENCHMARK.scoring.read_predictions(write(tmp_path / "p.jsonl", [row]), two)


def test_an_empty_file_answers_no_record_and_a_folder_must_hold_one(
    tmp_path: Path, two: tuple[Sample, ...]
) -> None:
    found = BENCHMARK.scoring.read_predictions(write(tmp_path / "p.jsonl", []), two)
    assert [item.error and item.error.kind for item in found] == ["missing_prediction"] * 2
    with pytest.raises(DataError, match=r"a folder without predictions\.jsonl"):
        BENCHMARK.scoring.read_predictions(tmp_path, two)


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def figure(row: PublishedRow, name: str) -> float:
    value = row.figures[name]
    assert value is not None
    return value


def test_twenty_two_models_are_published() -> None:
    assert len(BENCHMARK.published) == len({row.model for row in BENCHMARK.published}) == 22
    assert {row.kind for row in BENCHMARK.published} == {"open", "closed"}
    assert all(
        set(row.figures) <= {metric.name for metric in BENCHMARK.scoring.metrics}
        for row in BENCHMARK.published
    )


@pytest.mark.parametrize("row", BENCHMARK.published, ids=lambda row: row.model)
def test_published_averages_and_f1_follow_from_precision_and_recall(row: PublishedRow) -> None:
    mean = sum(figure(row, f"{aspect}_f1") for aspect in ASPECTS) / 4
    assert figure(row, "average") == pytest.approx(mean, abs=2 * HALF_A_DIGIT + 1e-9)
    for aspect in ASPECTS:
        precision, recall = figure(row, f"{aspect}_precision"), figure(row, f"{aspect}_recall")
        low = f1(max(0, precision - HALF_A_DIGIT), max(0, recall - HALF_A_DIGIT)) - HALF_A_DIGIT
        high = f1(precision + HALF_A_DIGIT, recall + HALF_A_DIGIT) + HALF_A_DIGIT
        assert low - 1e-9 <= figure(row, f"{aspect}_f1") <= high + 1e-9, aspect


def test_the_fetched_files_are_the_pinned_ones(shared: Path) -> None:
    import hashlib

    for source in BENCHMARK.data.sources:
        content = (shared / "data" / "nestools" / source.path).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (source.size, source.sha256)


def test_error_tables_show_every_label(ferry: Sample) -> None:
    transcript = Transcript(ferry.id)
    prediction = BENCHMARK.scoring.parse(ferry, transcript, "paper")
    score = BENCHMARK.scoring.score(ferry, prediction, {}, "paper")
    assert BENCHMARK.scoring.analysis is not None
    errors, unreadable = BENCHMARK.scoring.analysis([(ferry, transcript, score)], "paper")
    assert {(row[0], row[1]) for row in errors.rows} == {
        (name, label) for name, labels in BENCHMARK.scoring.errors.items() for label in labels
    }
    assert ("tool", "format", 1, 1.0, 1) in errors.rows
    assert unreadable.rows == (("empty", 1, 1.0),)


def test_decoding_is_that_of_the_release() -> None:
    assert (BENCHMARK.task.decoding_on().temperature, BENCHMARK.task.decoding_on().max_tokens) == (0.0, 768)


def test_readme_lists_every_deviation() -> None:
    text = (BENCHMARK.data.starter.parent / "README.md").read_text("utf-8")
    for deviation in BENCHMARK.deviations:
        assert deviation.size.split(": ", 1)[1] in text, deviation.size
