"""Baselines that ship with the starter sets: about today's data, and what playing them gives."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.run.grade import baselines
from toolyard.run.grade.baselines import Baseline, baselines_of, play_baselines, shipped_baselines
from toolyard.run.run import Run
from toolyard.run.settings import Settings

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
    found = baselines_of(run, run.planned_instruments())
    assert {"scripted/empty", "scripted/word-overlap"} <= {item.name for item in found["paper"]}


def test_shipped_baselines_are_about_samples_wherever_their_files_lie(tmp_path: Path) -> None:
    elsewhere = shutil.copytree(load_benchmark("nestools").data.starter, tmp_path / "data")
    (elsewhere / "LICENSE").write_text("beside the data\n")
    run = planned("nestools", tmp_path, data=str(elsewhere))
    assert shipped_baselines(run, run.planned_instruments()) is not None


@pytest.mark.parametrize("changed", [{"limit": 3}, {"style": "example"}, {"seed": 1}], ids=str)
def test_shipped_baselines_stand_for_their_own_settings_alone(
    tmp_path: Path, changed: dict[str, object]
) -> None:
    run = planned("mtu", tmp_path, **changed)
    assert shipped_baselines(run, run.planned_instruments()) is None
