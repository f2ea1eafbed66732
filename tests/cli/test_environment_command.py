"""toolyard env: the table of trivial agents, the folder for a library, and one line for each mistake."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cases import cases
from toolyard.cli.app import app
from toolyard.core.errors import UsageError


def invoked(*words: str) -> str:
    done = CliRunner().invoke(app, ["env", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_try_prints_what_each_agent_earns_with_intervals() -> None:
    found = json.loads(invoked("tooleyes", "--try", "2", "--split", "eval", "--json"))
    assert (found["benchmark"], found["split"], found["tasks"]) == ("tooleyes", "eval", 2)
    assert list(found["agents"]) == [
        "do-nothing",
        "call-everything",
        "replay",
        "refuse",
        "talk-only",
        "oracle",
    ]
    assert found["agents"]["oracle"]["reward"]["value"] == 1
    assert found["agents"]["do-nothing"]["outcome"]["interval"][0] == 0
    assert "oracle" in invoked("tooleyes", "--try", "1")


def test_to_writes_a_folder_that_says_how_to_start_it(tmp_path: Path) -> None:
    folder = tmp_path / "gym"
    assert "README.md" in invoked("mtu", "--to", "gymnasium", "--out", str(folder))
    assert "make(NAME, split=split)" in (folder / "environment.py").read_text("utf-8")
    assert "gymnasium==" in (folder / "requirements.txt").read_text("utf-8")


def test_draw_keeps_tasks_in_a_pool_that_the_next_command_reads(tmp_path: Path) -> None:
    words = ("tooleyes", "--draw", "1", "--pool", str(tmp_path / "tasks"))
    assert "1 of them drawn now" in invoked(*words)
    assert json.loads(invoked(*words, "--json"))["drawn"] == 0
    assert "oracle" in invoked("tooleyes", "--try", "1", "--pool", str(tmp_path / "tasks"))


@pytest.mark.parametrize(
    ("words", "wanted"),
    cases(__file__, "a_mistake_is_named"),
    ids=["nothing", "library", "no file", "benchmark", "try", "split"],
)
def test_a_mistake_is_named(words: tuple[str, ...], wanted: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=wanted):
        CliRunner().invoke(app, ["env", *words], catch_exceptions=False)
