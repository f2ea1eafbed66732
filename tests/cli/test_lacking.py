"""`run all` where something is not installed: nothing is sent, and all that is missing is named in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from toolyard.cli.app import app
from toolyard.core.errors import MissingAsset, MissingExtra


def test_everything_that_is_missing_is_named_before_anything_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_weights(name: str) -> None:
        raise MissingAsset(f"{name} is not here: toolyard fetch embedder")

    def no_world(run: object, price: object) -> object:
        name = run.benchmark.name  # type: ignore[attr-defined]
        if name == "tooleyes":
            raise MissingExtra("calculator needs sympy: pip install 'toolyard[world]'")
        return original(run, price)  # type: ignore[arg-type]

    from toolyard.cli import progress

    original = progress.estimate_run
    monkeypatch.setattr("toolyard.models.embed.refuse_unready", no_weights)
    monkeypatch.setattr(progress, "estimate_run", no_world)
    words = ["run", "all", "-m", "scripted/random", "--limit", "1", "--runs", str(tmp_path)]
    result = CliRunner().invoke(app, words)
    told = str(result.exception)
    assert isinstance(result.exception, MissingExtra), result.output
    assert "2 of 4 benchmarks lack something" in told
    assert "toolyard fetch embedder" in told and "toolyard[world]" in told
    assert not list(tmp_path.iterdir()), "no run was begun"
