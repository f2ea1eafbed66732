"""Several models and benchmarks in one command, labels, settings out of a file, and a system prompt of the user's own."""

import json
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import toolyard
from toolyard.cli.app import app
from toolyard.cli.output_cache import Showing
from toolyard.cli.progress import play_runs
from toolyard.core.errors import DataError, RunBusy, UsageError
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
    play_runs(several, Showing(draw=False))
    said = capsys.readouterr().err
    assert all(f"NesTools: nested tool calls, style {each.style}: 1/1 sample" in said for each in several)
    play_runs(several[:1], Showing(draw=False))
    assert "NesTools: nested tool calls: 1/1 sample" in capsys.readouterr().err


def test_of_several_runs_one_that_another_process_writes_is_played_last(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    several = [replace(ORACLE, style=style, runs=tmp_path) for style in ("default", "native")]
    other = Run.plan(several[0]).store
    with ExitStack() as held:
        held.enter_context(other.locked())
        monkeypatch.setattr(time, "sleep", lambda _: held.close())
        reports = play_runs(several, Showing(draw=False))
    said = capsys.readouterr().err
    assert said.index("style native: 1/1") < said.index(f"waits: {other.folder} is being written")
    assert said.index("waits:") < said.index("style default: 1/1")
    assert [report.run.config.style for report in reports] == ["default", "native"]
    with other.locked(), pytest.raises(RunBusy, match="is being written by another process"):
        play_runs(several[:1], Showing(draw=False))


@pytest.mark.parametrize("flag", ["--name", "--label"])
def test_one_name_is_not_for_several_runs(tmp_path: Path, flag: str) -> None:
    with pytest.raises(UsageError, match=f"{flag} is for one run, these are 2"):
        run_command("mtu", "-m", "scripted/oracle", "-m", "scripted/empty", flag, "x", folder=tmp_path)


def test_a_command_that_takes_one_model_refuses_the_second() -> None:
    with pytest.raises(UsageError, match="--model is given 2 times"):
        CliRunner().invoke(app, "estimate mtu -m local -m local-tuned", catch_exceptions=False)


@pytest.mark.parametrize(
    ("written", "label", "model"),
    [
        ("base=local", "base", "local"),
        ("openai/m?base_url=http://x/v1", "", "openai/m?base_url=http://x/v1"),
        ("big=openai/m?price=1,2", "big", "openai/m?price=1,2"),
        ("local", "", "local"),
    ],
)
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
