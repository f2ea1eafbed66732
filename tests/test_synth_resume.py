"""Killed anywhere, ten times, and gone on with: the data are those of a run that nobody disturbed."""

import multiprocessing
import random
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from synth_killing import SETTINGS, make, write_corpus
from toolyard.synth.command import synthesise
from toolyard.synth.pipeline import StageProgress

KILLS = 10


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", SETTINGS)
def test_ten_kills_leave_no_trace(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The server of processes is told its modules by name alone and looks for them here.
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    base_settings = replace(SETTINGS[name], seed=3, workers=1)
    if base_settings.origin == "corpora":
        base_settings = replace(base_settings, sources=write_corpus(tmp_path / "corpora"))
    calls = 0

    def count(_: StageProgress) -> None:
        nonlocal calls
        calls += 1

    synthesise(replace(base_settings, out=tmp_path / "whole"), count)
    broken = replace(base_settings, out=tmp_path / "broken")
    rng = random.Random(5)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["synth_killing"])
    deaths = 0
    for _ in range(KILLS):
        child = context.Process(target=make, args=(broken, rng.randrange(calls // 2)))
        child.start()
        child.join(120)
        assert child.exitcode in (0, -signal.SIGKILL)
        deaths += child.exitcode == -signal.SIGKILL
    assert deaths >= KILLS // 3, "later attempts have less left to do, and may finish"
    synthesise(broken)
    assert files(tmp_path / "broken") == files(tmp_path / "whole")
