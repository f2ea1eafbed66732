"""Killed anywhere, twenty times, and gone on with: the data are those of a run that nobody disturbed."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from toolyard.run.synthesis import SynthWish, synthesise
from toolyard.synth.pipeline import Progress

KILLS = 20


async def echo(messages: list[dict[str, str]]) -> str:
    """A model that rewords nothing."""
    return messages[-1]["content"]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def killed_after(steps: int) -> Callable[[Progress], None]:
    """Shows nothing, and ends the process the hard way when it has been called that often."""
    left = steps

    def show(_: Progress) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return show


def make(wish: SynthWish, steps: int) -> None:
    synthesise(wish, killed_after(steps))


def wishes(shared: Path) -> dict[str, SynthWish]:
    return {
        "nestools": SynthWish("nestools", "world", rows=8, seed=3, workers=1),
        "nestools rephrased": SynthWish("nestools", "world", rows=6, seed=3, workers=1, model=echo),
        "toolbehonest": SynthWish("toolbehonest", "world", rows=14, seed=3, workers=1),
        "mtu": SynthWish("mtu", "world", rows=12, seed=3, workers=1),
    }


@pytest.mark.parametrize("name", ["nestools", "nestools rephrased", "toolbehonest", "mtu"])
def test_twenty_kills_leave_no_trace(name: str, shared: Path, tmp_path: Path) -> None:
    from dataclasses import replace

    wish = wishes(shared)[name]
    calls = 0

    def count(_: Progress) -> None:
        nonlocal calls
        calls += 1

    synthesise(replace(wish, out=tmp_path / "whole"), count)
    broken = replace(wish, out=tmp_path / "broken")
    rng = random.Random(5)
    context = multiprocessing.get_context("fork")
    deaths = 0
    for _ in range(KILLS):
        child = context.Process(target=make, args=(broken, rng.randrange(calls)))
        child.start()
        child.join(120)
        deaths += child.exitcode == -signal.SIGKILL
        assert child.exitcode in (0, -signal.SIGKILL)
    assert deaths >= KILLS // 2
    synthesise(broken)
    assert files(tmp_path / "broken") == files(tmp_path / "whole")
