"""A run that is killed again and again ends like one that never was."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from toolyard.benchmarks import load_benchmark

# The child answers with the first tool's name after a moment, so that a kill can fall anywhere.
CHILD = """
import hashlib, sys, time
import toolyard

def slow(messages):
    time.sleep(0.004)
    digest = hashlib.sha256(messages[-1]["content"].encode()).hexdigest()
    return '[{"api_name": "x", "api_id": %d, "parameters": {}}]' % (int(digest, 16) % 3000)

toolyard.evaluate("nestools", slow, runs=sys.argv[1], trials=2, concurrency=3, embedder="hash")
"""
ROWS = load_benchmark("nestools").data.starter / "test_data.jsonl"
SAMPLES = 2 * ROWS.read_bytes().count(b"\n")


def start(runs: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", CHILD, str(runs)], stderr=subprocess.PIPE)


def lines(runs: Path) -> int:
    files = list(runs.glob("*/transcripts.jsonl"))
    return files[0].read_bytes().count(b"\n") if files else 0


def kill_after_a_few_lines(runs: Path, rng: random.Random) -> None:
    before = lines(runs)
    child = start(runs)
    wanted = before + rng.randint(1, 8)
    deadline = time.monotonic() + 60
    while child.poll() is None and lines(runs) < wanted and time.monotonic() < deadline:
        time.sleep(0.002)
    time.sleep(rng.random() * 0.01)
    child.send_signal(signal.SIGKILL)
    child.communicate()


def finish(runs: Path) -> tuple[bytes, int]:
    child = start(runs)
    _, errors = child.communicate(timeout=120)
    assert child.returncode == 0, errors.decode()
    [scores] = runs.glob("*/scores.jsonl")
    return scores.read_bytes(), lines(runs)


def test_twenty_kills_leave_the_same_scores(tmp_path: Path) -> None:
    rng = random.Random(7)
    killed = tmp_path / "killed"
    for _ in range(20):
        kill_after_a_few_lines(killed, rng)
    assert lines(killed) > 0
    after_kills, answered = finish(killed)
    uninterrupted, _ = finish(tmp_path / "whole")
    assert after_kills == uninterrupted
    assert after_kills.count(b"\n") == SAMPLES
    assert answered == SAMPLES, "no sample was answered twice"
    assert finish(killed) == (after_kills, SAMPLES), "a finished run sends nothing"
