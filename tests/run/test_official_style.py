"""`--style official`: the paper's text and options where the official data hold them, one line where they do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from toolyard.benchmarks import load_benchmark
from toolyard.cli.app import app
from toolyard.core.errors import UsageError
from toolyard.report.compare.verdict import prompt_differences, setting_differences
from toolyard.run.config import RunConfig, resolve
from toolyard.run.settings import Settings


def planned(name: str, **settings: object) -> RunConfig:
    return resolve(Settings(name, "scripted/empty", **settings), load_benchmark(name), "0" * 64, {})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["mtu", "tooleyes"])
def test_official_is_the_papers_text_and_options(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    config = planned(name, style="official", data="official")
    assert config.style == "verbatim" and config.options["recover"] == "no"
    monkeypatch.setattr("toolyard.report.compare.verdict.is_official", lambda *_: True)
    benchmark = load_benchmark(name)
    assert prompt_differences(benchmark, config) == () and setting_differences(benchmark, config) == ()


def test_what_the_user_asks_for_stays() -> None:
    assert planned("mtu", style="official", options={"recover": "yes"}).options["recover"] == "yes"
    assert planned("mtu").options["recover"] == "yes"


@pytest.mark.parametrize("name", ["nestools", "toolbehonest"])
def test_where_no_pinned_file_holds_prompts_it_says_what_to_do(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--templates DIR"):
        planned(name, style="official")
    result = CliRunner().invoke(app, ["fetch", name, "--prompts", "--into", str(tmp_path)])
    assert result.exit_code != 0 and not list(tmp_path.iterdir())
