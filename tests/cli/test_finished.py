"""A finished run says so from its files: the same words as before, and the long way as soon as anything differs."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from toolyard.benchmarks import load_benchmark
from toolyard.cli import progress
from toolyard.cli.output_cache import Showing, finished_run
from toolyard.cli.progress import watch_runs
from toolyard.core.errors import RunMismatch
from toolyard.run.run import Run
from toolyard.run.settings import Settings

SHOWING = Showing(draw=False)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path / "cache"))
    data = tmp_path / "data"
    shutil.copytree(load_benchmark("nestools").data.starter, data)
    return Settings("nestools", "scripted/oracle", data=str(data), limit=2, runs=tmp_path / "runs", name="r")


def plans(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The models of all runs that are planned, and so loaded, from now on."""
    seen: list[str] = []

    class Counted(Run):
        @classmethod
        def plan(cls, settings: Settings, benchmark: object = None) -> Run:
            seen.append(settings.model)
            return Run.plan(settings)

    monkeypatch.setattr(progress, "Run", Counted)
    return seen


def test_a_finished_run_prints_the_same_without_being_loaded(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    planned = plans(monkeypatch)
    assert watch_runs([settings], SHOWING) == 0
    first = capsys.readouterr()
    assert watch_runs([settings], SHOWING) == 0
    again = capsys.readouterr()
    assert planned == ["scripted/oracle"]
    assert again.out == first.out and "NesTools" in first.out
    assert again.err == f"nestools: 2 samples, all done, nothing to send -> {settings.runs / 'r'}\n"
    watch_runs([settings], replace(SHOWING, json=True))
    written = capsys.readouterr().out
    watch_runs([settings], replace(SHOWING, json=True))
    assert capsys.readouterr().out == written
    assert len(planned) == 2, "another way of showing it was made once"


@pytest.mark.parametrize("name", ["transcripts.jsonl", "scores.jsonl", "baselines.json", "manifest.json"])
def test_a_changed_file_of_the_run_is_looked_at(
    name: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch_runs([settings], SHOWING)
    path = settings.runs / "r" / name
    before = path.read_bytes()
    planned = plans(monkeypatch)
    # The last line is lost: whatever it held is made again.
    path.write_bytes(b"" if name == "manifest.json" else before.rstrip(b"\n").rpartition(b"\n")[0] + b"\n")
    watch_runs([settings], SHOWING)
    assert planned
    if name == "scores.jsonl":
        assert path.read_bytes() == before


def test_a_report_that_is_gone_is_drawn_again(settings: Settings) -> None:
    drawn = Showing()
    watch_runs([settings], drawn)
    page = settings.runs / "r" / "report.html"
    before = page.read_bytes()
    page.unlink()
    watch_runs([settings], drawn)
    assert page.read_bytes() == before


def test_changed_data_are_refused_and_what_needs_more_than_the_files_goes_the_long_way(
    settings: Settings,
) -> None:
    watch_runs([settings], SHOWING)
    assert finished_run(settings, SHOWING) is not None
    for other in (
        replace(settings, judge="scripted/oracle"),
        replace(settings, max_cost=1.0),
        replace(settings, limit=None, budget=2, name="b"),
        replace(settings, benchmark="toolbehonest", data="starter", name="t"),
        replace(settings, name="never"),
    ):
        assert finished_run(other, SHOWING) is None
    rows = Path(settings.data) / "test_data.jsonl"
    rows.write_text(rows.read_text("utf-8").replace("a", "b", 1), "utf-8")
    with pytest.raises(RunMismatch, match=r"the data of this run .* have changed since"):
        watch_runs([settings], SHOWING)
