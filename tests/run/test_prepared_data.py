"""What is computed once: data that a benchmark prepares, and baselines that ship with the starter sets."""

import shutil
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.core.benchmark import Benchmark, Embed, Preparation, SavedResults
from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import Options, Sample, Transcript
from toolyard.run.grade import baselines
from toolyard.run.grade.baselines import Baseline, play_baselines, run_baselines, shipped_baselines
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
def test_a_damaged_copy_is_redone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: object) -> None:
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


REBUILD = "out of date; make it again: python recipes/starter_baselines.py {}"


def planned(benchmark: str, runs: Path, **settings: object) -> Run:
    return Run.plan(Settings(benchmark, "scripted/empty", runs=runs, **settings))  # type: ignore[arg-type]


@pytest.mark.parametrize("benchmark", benchmark_names())
def test_shipped_baselines_are_what_playing_gives(benchmark: str, tmp_path: Path) -> None:
    run = planned(benchmark, tmp_path)
    instruments = run.planned_instruments()
    shipped = shipped_baselines(run, instruments)
    assert shipped is not None, REBUILD.format(benchmark)
    # the smallest group stands for all: every baseline is played on its samples
    grouping = run.benchmark.scoring.groupings[0].name
    sizes = Counter(sample.groups[grouping] for sample in run.samples if grouping in sample.groups)
    smallest = min(sizes, key=lambda key: (sizes[key], key))
    samples = tuple(sample for sample in run.samples if sample.groups.get(grouping) == smallest)
    played = play_baselines(run.setup, samples, instruments)

    def scores(items: tuple[Baseline, ...]) -> dict[str, object]:
        return {item.name: pytest.approx(item.groups[grouping][smallest]) for item in items}

    for profile, items in played.items():
        found = {item.name: item.groups[grouping][smallest] for item in shipped[profile]}
        assert found == scores(items), REBUILD.format(benchmark)


def test_shipped_baselines_are_used_without_playing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.delattr(baselines, "play_baselines")
    run = planned("mtu", tmp_path)
    found = run_baselines(run, run.planned_instruments())
    assert {"scripted/empty", "scripted/word-overlap"} <= {item.name for item in found["paper"]}


def test_shipped_baselines_are_about_samples_wherever_their_files_lie(tmp_path: Path) -> None:
    elsewhere = shutil.copytree(load_benchmark("nestools").data.starter, tmp_path / "data")
    (elsewhere / "LICENSE").write_text("beside the data\n")
    run = planned("nestools", tmp_path, data=str(elsewhere))
    assert shipped_baselines(run, run.planned_instruments()) is not None


@pytest.mark.parametrize("changed", [{"limit": 3}, {"style": "example"}, {"seed": 1}], ids=str)
def test_shipped_baselines_hold_for_own_settings(tmp_path: Path, changed: dict[str, object]) -> None:
    run = planned("mtu", tmp_path, **changed)
    assert shipped_baselines(run, run.planned_instruments()) is None
