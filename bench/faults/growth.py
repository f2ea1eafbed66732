"""How time and memory of grading and reporting grow with a transcript: sizes n, 2n, 4n and 8n, all four benchmarks.

    python bench/faults/growth.py                                # the table to bench/results/growth.md
    python bench/faults/growth.py --only tooleyes --size 4000 --shape "final answer" --out FOLDER
    python bench/faults/growth.py --commands --workers 14 --out FOLDER

A shape is a text repeated up to a size. It stands as the whole answer, inside a value of the right answer, around it,
and in ToolEyes also as answer and observation of an episode, and as many rounds. Processor seconds; a shape is worse
than linear where eight times the size takes more than sixteen times as long, and a quarter of a second. The table
shows the slowest shape of every place and all that are worse. `report` and `compare` are measured as commands.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path

import toolyard
from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark
from toolyard.core.types import Completion, Options, Sample, Transcript

NAMES = ("nestools", "mtu", "toolbehonest", "tooleyes")
FACTORS = (1, 2, 4, 8)
RESULTS = Path(__file__).resolve().parents[1] / "results"
LINEAR, NOTICEABLE = 16, 0.25
UNITS = {
    "one word": "a", "words": "word ", "blanks": " ", "lines": "\n", "short lines": "a\n", "brackets": "[",
    "braces": '{"a":', "parentheses": "(", "quotes": '"', "apostrophes": "'", "backslashes": "\\", "fences": "```\n",
    "fences in a line": "```", "actions": "Action: x\n", "steps": "Thought: a\nAction: b\nAction Input: {}\n",
    "subgoals": "Subgoal 1: x Planned tool: y\n", "answers": "<answer>", "closed answers": "<answer>x</answer>",
    "thinking": "<think>", "digits": "1", "commas": "1,", "stops": "1.", "dashes": "-", "stars": "*", "colons": "a: ",
    "names": "Ab Cd ", "dates": "3 May 2024, ", "times": "10:30 pm ", "money": "$1,000.50 ", "percent": "5% ",
    "accents": "e\u0301", "table": "| a | 1 |\n", "cells": "| a ", "list": "- a: 1\n", "numbered": "1. a\n",
    "labels": "API_call_1, ", "negations": "not no never ", "sentences": "It is not so. ",
}  # fmt: skip
COUNTED = {
    "numbers": "{} ",
    "other names": "Ab{} Cd{} ",
    "other days": "{}-05-03 ",
    "other words": "w{} ",
    "other lines": "- k{}: v{}\n",
}
CALLS = "right answers"
COMMANDS = "commands"
# Shapes whose memory is measured as well, which takes much longer.
WEIGHED = ("words", "brackets", "steps", "numbers", "other names", CALLS)
HEAD = "| benchmark | where | shape | n | 2n | 4n | 8n | MB at 8n | worse than linear |\n" + "|---" * 9 + "|"
Made = Callable[[str], Transcript]


class TooLong(Exception):
    """A measurement that ran out of its time."""


@dataclass(frozen=True, slots=True)
class Growth:
    """Seconds at each size, and the most megabytes that the largest one took where they were measured."""

    benchmark: str
    place: str
    shape: str
    seconds: tuple[float, ...]
    megabytes: float | None

    @property
    def is_worse(self) -> bool:
        """Whether it grows faster than the size."""
        first, last = max(self.seconds[0], 0.002) if self.seconds else 0.0, self.seconds[-1:]
        return len(self.seconds) < len(FACTORS) or (last[0] > NOTICEABLE and last[0] > LINEAR * first)

    def row(self) -> str:
        """The line of the table."""
        seconds = [f"{value:.3f}" for value in self.seconds]
        seconds += ["too long"] * (len(FACTORS) - len(seconds))
        weight = "" if self.megabytes is None else f"{self.megabytes:.0f}"
        cells = (self.benchmark, self.place, self.shape, *seconds, weight, "worse" if self.is_worse else "")
        return f"| {' | '.join(cells)} |"


def text_of(shape: str, size: int) -> str:
    """The shape's text of that size."""
    if shape in UNITS:
        return (UNITS[shape] * (size // len(UNITS[shape]) + 1))[:size]
    form = COUNTED[shape]
    pieces = (form.format(number, number) for number in count(1000))
    return "".join(islice(pieces, size // len(form)))[:size]


def with_value(answer: str, text: str) -> str:
    """The answer with the text in the place of its first written value."""
    for opening, written in (('": "', json.dumps(text)[1:-1]), ("Subgoal 1: ", text)):
        head, found, tail = answer.partition(opening)
        if found:
            ends = (tail.find('"'), tail.find("\n"), len(tail))
            return head + found + written + tail[min(end for end in ends if end >= 0) :]
    return answer + text


def react(action: str, arguments: object) -> str:
    """One round of the ReAct form."""
    return f"Thought: so.\nAction: {action}\nAction Input: {json.dumps(arguments)}"


def episode(sample: Sample, answer: str, observed: str, rounds: int = 1) -> Transcript:
    """Rounds of the plan's first call with what it returned, then the answer."""
    step = sample.gold.plan[0]
    talk = [("assistant", react(step.tool, dict(step.arguments))), ("function", observed)] * rounds
    talk.append(("assistant", react("finish", {"answer": answer})))
    notes = {
        "conversation": [{"from": who, "value": text} for who, text in talk],
        "reference": {"observations": [observed] * 9, "changes": {}},
        "world": {},
    }
    said = tuple(Completion(text) for who, text in talk if who == "assistant")
    return Transcript(sample.id, completions=said, notes=notes)


def places(benchmark: Benchmark, sample: Sample) -> Iterator[tuple[str, Made]]:
    """Where a text can stand, each with what makes the transcript."""
    oracle = benchmark.checks.oracle(sample, (), random.Random(0))
    yield "answer", lambda text: Transcript.answered(sample.id, text)
    yield "value", lambda text: Transcript.answered(sample.id, with_value(oracle, text))
    yield "beside", lambda text: Transcript.answered(sample.id, f"{text}\n{oracle}\n{text}")
    if benchmark.name == "tooleyes":
        yield "final answer", lambda text: episode(sample, text, '{"a": "Oslo 5"}')
        yield "observation", lambda text: episode(sample, "Oslo 5 on 3 May.", text)
        yield "both", lambda text: episode(sample, text, json.dumps({"a": text.split()}))
        yield "rounds", lambda text: episode(sample, text[:500], text[:500], len(text) // 100)


def right_answers(benchmark: Benchmark, sample: Sample, size: int) -> str:
    """The right answer over and over; in NesTools as one list of calls."""
    answer = benchmark.checks.oracle(sample, (), random.Random(0))
    if benchmark.name != "nestools":
        return "\n".join([answer] * (size // len(answer) + 1))
    calls = json.loads(answer)
    return json.dumps(calls * (size // len(answer) + 1))


def grade(benchmark: Benchmark, sample: Sample, answer: Transcript) -> None:
    """Both profiles, and the questions."""
    for profile in benchmark.profiles:
        prediction = benchmark.scoring.parse(sample, answer, profile)
        benchmark.scoring.score(sample, prediction, {}, profile)
        if benchmark.judging is not None:
            benchmark.judging.ask(sample, prediction, profile, {})


def measured(work: Callable[[int], object], size: int, limit: float) -> tuple[float, ...]:
    """Processor seconds at each size until one takes too long."""
    found: list[float] = []
    for factor in FACTORS:
        signal.setitimer(signal.ITIMER_VIRTUAL, limit)
        began = time.process_time()
        try:
            work(size * factor)
        except TooLong:
            break
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        found.append(time.process_time() - began)
    return tuple(found)


def weighed(work: Callable[[int], object], size: int) -> float:
    """The most megabytes that the work holds."""
    tracemalloc.start()
    work(size)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 1e6


def opened(name: str) -> tuple[Benchmark, Sample]:
    """A benchmark with a sample out of the middle of its starter rows."""
    benchmark = load_benchmark(name)
    style = benchmark.task.styles[0] if benchmark.task.styles else ""
    samples = benchmark.data.load(benchmark.data.starter, Options(style))
    return benchmark, samples[len(samples) // 2]


def growths(name: str, place: str, options: argparse.Namespace) -> Iterator[Growth]:
    """All shapes in one place of one benchmark."""
    benchmark, sample = opened(name)
    made = dict(places(benchmark, sample))[place]
    for shape in (*UNITS, *COUNTED, *([CALLS] if place == "answer" else [])):

        def work(size: int, shape: str = shape) -> None:
            text = right_answers(benchmark, sample, size) if shape == CALLS else text_of(shape, size)
            grade(benchmark, sample, made(text))

        if options.shape in f"{place}/{shape}":
            seconds = measured(work, options.size, options.seconds)
            whole = len(seconds) == len(FACTORS) and shape in WEIGHED
            yield Growth(name, place, shape, seconds, weighed(work, options.size * 8) if whole else None)


def commands(name: str, options: argparse.Namespace) -> Iterator[Growth]:
    """`report`, and `compare` with another run, of a run whose answers have that size."""
    with tempfile.TemporaryDirectory() as folder:
        seconds: dict[str, list[float]] = {"report": [], "compare": []}
        megabytes = dict.fromkeys(seconds, 0.0)
        for factor in FACTORS:
            text = text_of("other lines", options.size * factor)
            runs = []
            for trial in "ab":

                def answer(_: object, said: str = trial + text) -> str:
                    return said

                result = toolyard.evaluate(name, answer, runs=Path(folder) / f"{factor}{trial}", limit=1)
                runs.append(str(result.folder))
            for command, given in (("report", runs[:1]), ("compare", runs)):
                used = spent([command, *given])
                seconds[command].append(used[0])
                megabytes[command] = used[1]
        for command, values in seconds.items():
            yield Growth(name, f"`{command}`", "other lines", tuple(values), megabytes[command])


def spent(words: list[str]) -> tuple[float, float]:
    """Processor seconds and peak megabytes of a command."""
    child = subprocess.Popen(
        [sys.executable, "-m", "toolyard", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"toolyard {' '.join(words)}: exit {child.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1000


def table(found: list[Growth]) -> str:
    """The slowest of every place, and all that are worse."""
    slowest: dict[tuple[str, str], Growth] = {}
    for growth in found:
        before = slowest.get((growth.benchmark, growth.place))
        if before is None or growth.seconds[-1:] > before.seconds[-1:]:
            slowest[growth.benchmark, growth.place] = growth
    shown = [growth for growth in found if growth.is_worse or growth in slowest.values()]
    worse = sum(growth.is_worse for growth in found)
    most = max((growth.megabytes for growth in found if growth.megabytes is not None), default=0.0)
    last = f"{len(found)} shapes in places measured, {worse} worse than linear, at most {most:.0f} MB."
    return "\n".join([HEAD, *(growth.row() for growth in shown), "", last])


def main() -> int:
    """Writes the table; 1 where something grows faster than its size."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default=",".join(NAMES))
    parser.add_argument("--size", type=int, default=16_000)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--shape", default="")
    parser.add_argument("--commands", action="store_true", help="measure the commands as well")
    parser.add_argument("--workers", type=int, default=1, help="places measured at once, a process each")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder for growth.md")
    options = parser.parse_args()
    names = options.only.split(",")
    jobs = [(name, COMMANDS, options) for name in names if options.commands]
    jobs += [(name, place, options) for name in names for place, _ in places(*opened(name))]
    with ProcessPoolExecutor(options.workers, get_context("spawn")) as pool:
        parts = list(pool.map(measured_job, *zip(*jobs, strict=True)))
    found = sorted((each for part in parts for each in part), key=lambda each: names.index(each.benchmark))
    text = f"# Growth of grading and reporting (n = {options.size:,} characters)\n\n{table(found)}\n"
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "growth.md").write_text(text, encoding="utf-8")
    print(text)
    return int(any(growth.is_worse for growth in found))


def measured_job(name: str, place: str, options: argparse.Namespace) -> list[Growth]:
    """What one process measures: a place of a benchmark, or its commands."""

    def stop(*_: object) -> None:
        raise TooLong

    signal.signal(signal.SIGVTALRM, stop)
    return list(commands(name, options) if place == COMMANDS else growths(name, place, options))


if __name__ == "__main__":
    sys.exit(main())
