"""What a benchmark prepares with an embedder is computed once, and again where the kept copy is damaged."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toolyard.core.benchmark import Benchmark, Embed, Preparation, SavedResults
from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import Options, Sample, Transcript
from toolyard.run.plan.data_sources import load_predictions, load_samples, prepare_samples
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toy_benchmark import toy_benchmark

SAMPLE = Sample("7", {"text": "a"}, None)


def counting(data: Path, calls: list[int]) -> Benchmark:
    def prepare(
        path: Path, samples: Sequence[Sample], embed: Embed, seed: int
    ) -> Mapping[str, Mapping[str, Any]]:
        calls.append(seed)
        return {sample.id: {"near": [len(calls)]} for sample in samples}

    toy = toy_benchmark(data)
    return replace(toy, task=replace(toy.task, preparation=Preparation(prepare)))


@pytest.mark.parametrize("damage", [b"", b'{"7": {"near"', b"[]", "text", 7])
def test_a_damaged_copy_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: object
) -> None:
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path / "cache"))
    data = tmp_path / "count.txt"
    data.write_text("1")
    calls: list[int] = []
    toy = counting(data, calls)
    for _ in range(2):
        (first,) = prepare_samples(toy, "starter", (SAMPLE,), "hash", 3)
        assert first.input == {"text": "a", "near": [1]}
    with sqlite3.connect(tmp_path / "cache" / "prepared.sqlite") as database:
        database.execute("UPDATE kept SET value = ?", (damage,))
    database.close()
    for _ in range(2):
        (again,) = prepare_samples(toy, "starter", (SAMPLE,), "hash", 3)
        assert again.input == {"text": "a", "near": [2]}
    assert calls == [3, 3]


def test_data_that_a_loader_cannot_read_are_one_line(tmp_path: Path) -> None:
    rows = tmp_path / "count.txt"
    rows.write_text("many")
    with pytest.raises(DataError, match="cannot be read as data of toy"):
        load_samples(toy_benchmark(rows), str(rows), Options())


@pytest.mark.parametrize(
    "error", [RecursionError("too deep"), FileNotFoundError("rows.jsonl"), IndexError("0")]
)
def test_whatever_a_loader_trips_over_is_one_line(tmp_path: Path, error: Exception) -> None:
    rows = tmp_path / "count.txt"
    rows.write_text("1")

    def load(path: Path, options: Options) -> tuple[Sample, ...]:
        raise error

    toy = toy_benchmark(rows)
    with pytest.raises(DataError, match=f"cannot be read as data of toy .{type(error).__name__}"):
        load_samples(replace(toy, data=replace(toy.data, load=load)), str(rows), Options())


def test_two_samples_of_one_id_are_refused_before_anything_is_sent(tmp_path: Path) -> None:
    rows = tmp_path / "count.txt"
    rows.write_text("1")
    toy = toy_benchmark(rows)
    twice = replace(toy, data=replace(toy.data, load=lambda path, options: (SAMPLE, SAMPLE)))
    with pytest.raises(DataError, match="has sample '7' twice"):
        Run.plan(Settings("toy", "scripted/oracle", runs=tmp_path), twice)


def test_predictions_that_a_reader_trips_over_are_one_line(tmp_path: Path) -> None:
    toy = toy_benchmark(tmp_path)
    path = tmp_path / "answers.jsonl"
    with pytest.raises(UsageError, match="has no form of saved predictions"):
        load_predictions(replace(toy, scoring=replace(toy.scoring, saved=None)), path, (SAMPLE,))

    def read(path: Path, samples: tuple[Sample, ...]) -> tuple[Transcript, ...]:
        return ({}["response"],)

    broken = replace(toy, scoring=replace(toy.scoring, saved=SavedResults(read)))
    with pytest.raises(DataError, match=r"cannot be read as predictions of toy \(KeyError: 'response'\)"):
        load_predictions(broken, path, (SAMPLE,))
