"""A run that is killed again and again ends like one that never was."""

import hashlib
import json
import multiprocessing
import random
import signal
import time
from pathlib import Path

import toolyard

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
