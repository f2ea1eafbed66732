"""Several models and benchmarks in one command, settings out of a file, and runs that are already finished."""

import json
import shutil
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import toolyard
from cases import each_case
from toolyard.benchmarks import load_benchmark
from toolyard.cli import progress
from toolyard.cli.app import app
from toolyard.cli.output_cache import Showing, finished_run
from toolyard.cli.progress import play_runs, watch_runs
from toolyard.core.errors import DataError, RunBusy, RunMismatch, UsageError
from toolyard.run.run import Run
from toolyard.run.settings import Settings, split_label

ORACLE = Settings("nestools", "scripted/oracle", limit=1)


def run_command(*words: str, folder: Path) -> str:
    given = ["run", *words, "--limit", "1", "--no-report", "--runs", str(folder)]
    done = CliRunner().invoke(app, given, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_every_model_runs_every_benchmark(tmp_path: Path) -> None:
    models = ["-m", "good=scripted/oracle", "-m", "scripted/empty"]
    found = json.loads(run_command("nestools,mtu", *models, "--json", folder=tmp_path))
    assert [each["model"] for each in found] == ["good", "good", "scripted/empty", "scripted/empty"]
    assert sorted(path.name.rsplit("_", 1)[0] for path in tmp_path.iterdir()) == [
        "mtu_good",
        "mtu_scripted-empty",
        "nestools_good",
        "nestools_scripted-empty",
    ]


def test_progress_says_which_run_it_is_about(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    several = [replace(ORACLE, style=style, runs=tmp_path) for style in ("default", "native")]
    play_runs(several, Showing(reports=False))
    said = capsys.readouterr().err
    assert all(f"NesTools: nested tool calls, style {each.style}: 1/1 sample" in said for each in several)
    play_runs(several[:1], Showing(reports=False))
    assert "NesTools: nested tool calls: 1/1 sample" in capsys.readouterr().err


def test_of_several_runs_one_that_another_process_writes_is_played_last(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    several = [replace(ORACLE, style=style, runs=tmp_path) for style in ("default", "native")]
    other = Run.plan(several[0]).store
    with ExitStack() as held:
        held.enter_context(other.locked())
        monkeypatch.setattr(time, "sleep", lambda _: held.close())
        reports = play_runs(several, Showing(reports=False))
    said = capsys.readouterr().err
    assert said.index("style native: 1/1") < said.index(f"waits: {other.folder} is being written")
    assert said.index("waits:") < said.index("style default: 1/1")
    assert [report.run.config.style for report in reports] == ["default", "native"]
    with other.locked(), pytest.raises(RunBusy, match="is being written by another process"):
        play_runs(several[:1], Showing(reports=False))


@pytest.mark.parametrize("flag", ["--name", "--label"])
def test_one_name_is_not_for_several_runs(tmp_path: Path, flag: str) -> None:
    with pytest.raises(UsageError, match=f"{flag} is for one run, these are 2"):
        run_command("mtu", "-m", "scripted/oracle", "-m", "scripted/empty", flag, "x", folder=tmp_path)


def test_a_command_that_takes_one_model_refuses_the_second() -> None:
    with pytest.raises(UsageError, match="--model is given 2 times"):
        CliRunner().invoke(app, "estimate mtu -m local -m local-tuned", catch_exceptions=False)


@each_case("written, label, model")
def test_a_label_stands_before_the_model(written: str, label: str, model: str) -> None:
    assert split_label(written) == (label, model)


def test_a_file_gives_options_and_the_command_line_goes_first(tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text("benchmark: mtu\nmodel: [a=scripted/oracle]\nseed: 3\noptions: {history: own}\n")
    found = json.loads(run_command("--config", str(file), "--seed", "4", "--json", folder=tmp_path / "runs"))
    assert found["model"] == "a"
    (manifest,) = (tmp_path / "runs").glob("*/manifest.json")
    identity = json.loads(manifest.read_text())["identity"]
    assert identity["seed"] == 4
    assert identity["options"]["history"] == "own"


@pytest.mark.parametrize(
    ("text", "message"),
    [("limt: 3", "did you mean limit"), ("- 3", "is not an object"), ("a: [", "is not YAML")],
)
def test_a_file_that_holds_no_options_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text(text)
    with pytest.raises(DataError, match=message):
        run_command("mtu", "-m", "scripted/oracle", "--config", str(file), folder=tmp_path)


def test_the_system_prompt_of_the_user_goes_before_the_benchmarks_own(tmp_path: Path) -> None:
    seen: list[dict[str, str]] = []

    def answer(messages: list[dict[str, str]]) -> str:
        seen.extend(messages)
        return ""

    file = tmp_path / "system.txt"
    file.write_text("You are a careful clerk.")
    plain = toolyard.evaluate("nestools", answer, limit=1, runs=tmp_path)
    before = seen[0]
    seen.clear()
    result = toolyard.evaluate("nestools", answer, limit=1, runs=tmp_path, system=file)
    assert seen[0]["role"] == "system"
    assert seen[0]["content"].startswith("You are a careful clerk.")
    assert before["content"] in (message["content"] for message in seen) or before["role"] == "system"
    assert result.folder != plain.folder


SHOWING = Showing(reports=False)


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
def test_a_changed_file_is_looked_at(name: str, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_report_that_is_gone_is_written_again(settings: Settings) -> None:
    watch_runs([settings], Showing())
    report = settings.runs / "r" / "report.html"
    before = report.read_bytes()
    report.unlink()
    watch_runs([settings], Showing())
    assert report.read_bytes() == before


def test_changed_data_are_refused_what_needs_more_than_files_goes_the_long_way(
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
