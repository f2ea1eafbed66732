"""A run directory of a stranger names data, a judge and an embedder: none of them is asked for anything."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import toolyard
from toolyard.core.errors import MissingAsset, UsageError
from toolyard.report.build import write_report
from toolyard.run.run import Run
from toolyard.run.scoring import score_settings, stays_here
from toolyard.run.settings import ScoreSettings

KEY = "TOOLYARD_PLANTED_KEY"


@contextmanager
def nobody_calls() -> Iterator[str]:
    """An address that must not be called."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()


def forged(folder: Path, name: str, **changes: Any) -> Path:
    """A copy of a run without evidence and baselines, its manifest changed; `__` leads into a record."""
    other = folder.parent / name
    shutil.copytree(folder, other)
    for file in ("evidence.jsonl", "baselines.json"):
        (other / file).unlink(missing_ok=True)
    manifest = json.loads((other / "manifest.json").read_text())
    for path, value in changes.items():
        *way, last = path.split("__")
        place = manifest
        for step in way:
            place = place[step]
        place[last] = value
    (other / "manifest.json").write_text(json.dumps(manifest))
    return other


@pytest.fixture
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(KEY, "sk-planted-9f3a7c51e0d2b846")
    return tmp_path


def test_the_judge_of_a_stranger_is_not_asked(surroundings: Path) -> None:
    judged = toolyard.evaluate(
        "tooleyes", "scripted/oracle", judge="scripted/random", limit=1, runs=surroundings, embedder="hash"
    )
    commands = [f"agent:touch {surroundings / 'ran'}", "python:antigravity:fly", "scripted/replay:/dev/zero"]
    with nobody_calls() as address:
        for number, judge in enumerate((f"openai/j?base_url={address}/v1&key_env={KEY}", *commands)):
            folder = forged(judged.folder, f"judged-{number}", judge=judge)
            with pytest.raises(UsageError, match="named by the run directory alone"):
                score_settings(ScoreSettings(str(folder)))
            write_report(folder)
    assert not (surroundings / "ran").exists()


def test_the_embedder_of_a_stranger_is_not_asked(surroundings: Path) -> None:
    similar = toolyard.evaluate(
        "toolbehonest", "scripted/oracle", limit=1, runs=surroundings, embedder="hash"
    )
    with nobody_calls() as address:
        names = (
            f"openai/e?base_url={address}/v1&key_env={KEY}",
            f"sentence-transformers/{surroundings}/weights",
        )
        for number, name in enumerate(names):
            folder = forged(similar.folder, f"similar-{number}", similarity=name, identity__embedder=name)
            with pytest.raises(MissingAsset, match="named by the run directory alone"):
                score_settings(ScoreSettings(str(folder)))
            write_report(folder)
        again = score_settings(ScoreSettings(str(folder), embedder="hash"))
    assert again.summary.unscored == 0


def test_the_address_of_a_strangers_data_is_not_asked(surroundings: Path) -> None:
    pytest.importorskip("fsspec")
    whole = toolyard.evaluate("nestools", "scripted/oracle", limit=1, runs=surroundings, embedder="none")
    with nobody_calls() as address:
        folder = forged(whole.folder, "elsewhere", data=f"{address}/data")
        with pytest.raises(MissingAsset, match=f"toolyard stats nestools --data '{address}/data'"):
            Run.open(folder)


def test_judges_that_work_on_this_machine_go_on() -> None:
    for name in ("", "local", "local-tuned", "scripted/random", "scripted/oracle"):
        assert stays_here(name)
    for name in (
        "openai/m",
        "local?base_url=http://h",
        "scripted/replay:file",
        "hf/m",
        "agent:ls",
        "inspect/a/b",
    ):
        assert not stays_here(name)
