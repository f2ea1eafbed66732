"""A run, or data under way, that is killed again and again ends like one that never was; same inputs give the same bytes."""

import hashlib
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import toolyard
from synth_killing import SETTINGS, make, write_corpus
from toolyard.synth.command import synthesise
from toolyard.synth.pipeline import StageProgress

SAMPLES = 2 * 150
KILLS = 12
# Everything is imported once, before the process is copied.
CONTEXT = multiprocessing.get_context("forkserver")


def slow(messages: list[dict[str, str]]) -> str:
    """An answer after a moment, so that a kill can fall anywhere."""
    time.sleep(0.004)
    digest = hashlib.sha256(messages[-1]["content"].encode()).hexdigest()
    return json.dumps([{"api_name": "x", "api_id": int(digest, 16) % 3000, "parameters": {}}])


def play(runs: str) -> None:
    toolyard.evaluate("nestools", slow, runs=runs, limit=150, trials=2, concurrency=3, embedder="hash")


def start(runs: Path) -> multiprocessing.process.BaseProcess:
    CONTEXT.set_forkserver_preload(["toolyard", "toolyard.run.run", "test_resume"])
    child = CONTEXT.Process(target=play, args=(str(runs),))
    child.start()
    return child


def lines(runs: Path) -> int:
    files = list(runs.glob("*/transcripts.jsonl"))
    return files[0].read_bytes().count(b"\n") if files else 0


def kill_after_a_few_lines(runs: Path, rng: random.Random) -> None:
    child = start(runs)
    wanted = lines(runs) + rng.randint(1, 8)
    deadline = time.monotonic() + 60
    while child.is_alive() and lines(runs) < wanted and time.monotonic() < deadline:
        time.sleep(0.002)
    time.sleep(rng.random() * 0.01)
    child.kill()
    child.join(60)
    assert child.exitcode == -signal.SIGKILL


def finish(runs: Path) -> tuple[bytes, int]:
    child = start(runs)
    child.join(120)
    assert child.exitcode == 0
    [scores] = runs.glob("*/scores.jsonl")
    return scores.read_bytes(), lines(runs)


def test_twelve_kills_leave_the_same_scores(tmp_path: Path) -> None:
    rng = random.Random(7)
    killed = tmp_path / "killed"
    for _ in range(KILLS):
        kill_after_a_few_lines(killed, rng)
    assert lines(killed) > 0
    after_kills, answered = finish(killed)
    uninterrupted, _ = finish(tmp_path / "whole")
    assert after_kills == uninterrupted
    assert after_kills.count(b"\n") == SAMPLES
    assert answered == SAMPLES, "no sample was answered twice"
    assert finish(killed) == (after_kills, SAMPLES), "a finished run sends nothing"


KILLS_OF_DATA = 10


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
    for _ in range(KILLS_OF_DATA):
        child = context.Process(target=make, args=(broken, rng.randrange(calls // 2)))
        child.start()
        child.join(120)
        assert child.exitcode in (0, -signal.SIGKILL)
        deaths += child.exitcode == -signal.SIGKILL
    assert deaths >= KILLS_OF_DATA // 3, "later attempts have less left to do, and may finish"
    synthesise(broken)
    assert files(tmp_path / "broken") == files(tmp_path / "whole")


RUN = """
import json, sys, toolyard
from pathlib import Path
name, runs, workers = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
judge = "scripted/random" if name == "tooleyes" else ""
for model in ("scripted/oracle", "scripted/random"):
    toolyard.evaluate(
        name, model, judge=judge, data="starter", runs=runs, limit=3, concurrency=workers, name=model[9:]
    )
"""
# (hash seed, time zone, locale, workers)
SURROUNDINGS = (
    ("0", "UTC", "C.UTF-8", "1"),
    ("4294967295", "Pacific/Kiritimati", "POSIX", "7"),
)


def written(name: str, runs: Path, surroundings: tuple[str, str, str, str]) -> dict[str, object]:
    """What two runs leave behind: scores as bytes, transcripts and evidence as sets of lines, figures."""
    seed, zone, locale, workers = surroundings
    environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": locale, "LANG": locale}
    done = subprocess.run(
        [sys.executable, "-c", RUN, name, str(runs), workers],
        env=environment, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, object] = {}
    for folder in sorted(runs.iterdir()):
        found[f"{folder.name} scores"] = (folder / "scores.jsonl").read_bytes()
        for file in ("transcripts.jsonl", "evidence.jsonl"):
            if (folder / file).exists():
                # Workers finish in any order; what they write is the same.
                found[f"{folder.name} {file}"] = sorted((folder / file).read_bytes().splitlines())
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        found[f"{folder.name} identity"] = (manifest["digest"], manifest["identity"])
    return found


@pytest.mark.parametrize("name", ["nestools", "mtu", "toolbehonest", "tooleyes"])
def test_runs_leave_the_same_bytes_wherever_they_are_made(name: str, tmp_path: Path) -> None:
    first, other = (
        written(name, tmp_path / str(place), surroundings) for place, surroundings in enumerate(SURROUNDINGS)
    )
    assert any(first.values())
    assert other == first
