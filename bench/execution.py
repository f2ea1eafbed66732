"""Answers judged per second of one core where the calls of refused ones are executed, and whether every process agrees.

    python bench/execution.py [--data FOLDER] [--rounds 3] [--benchmark nestools]

Answers are gold, gold with one argument rewritten in every way that recipes/rewritten_gold.py knows, and those of the
trivial baselines. Rates are in processor seconds: with an empty cache of observations (the world's tables are built
before), and with a full one. "executed" counts only answers that are executed, the most costly ones. Two further processes
judge the same answers in another order; their verdicts must be the same.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

from spread import side_by_side

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options, Sample, Transcript
from toolyard.run.grade import executed_calls as executing
from toolyard.run.grade.evidence import collect_questions, executed_book
from toolyard.run.grade.grading import grade_all
from toolyard.run.play.offline import play_offline

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "recipes"))
AIMS = {"cached": 2_000, "cold": 150}
Answers = list[tuple[Sample, Transcript]]


def answers_of(setup: RunSetup, folder: Path) -> Answers:
    """Gold, rewritten gold and baselines' answers to every row of the set."""
    import rewritten_gold

    samples = setup.benchmark.data.load(folder, Options(setup.benchmark.task.styles[0]))
    found: Answers = []
    for answerer in (setup.benchmark.checks.oracle, *setup.benchmark.checks.baselines.values()):
        found += zip(samples, play_offline(setup, samples, answerer), strict=True)
    changed = rewritten_gold.rewritten_answers(setup.benchmark.name, folder)
    return [*found, *((each.sample, each.transcript) for each in changed)]


def judge(setup: RunSetup, answers: Answers) -> list[float | None]:
    """The outcome of every answer, executed where that is asked: what `score --predictions` does."""
    samples = {sample.id: sample for sample, _ in answers}
    transcripts = [replace(each, trial=place) for place, (_, each) in enumerate(answers)]
    book = executed_book(setup, (*samples.values(),), transcripts)
    graded = grade_all(setup, (*samples.values(),), transcripts, book, "paper")
    found = {item.transcript.trial: item.score.values["outcome"] for item in graded}
    return [found[place] for place in range(len(answers))]


def judge_cold(setup: RunSetup, answers: Answers) -> list[float | None]:
    """The same, with nothing kept of earlier executions."""
    executing.forget_results()
    return judge(setup, answers)


def shuffled_digest(setup: RunSetup, answers: Answers, seed: int) -> str:
    """A digest of all verdicts, which were found in an order of the seed's own."""
    order = random.Random(seed).sample(range(len(answers)), len(answers))
    found = dict(zip(order, judge(setup, [answers[place] for place in order]), strict=True))
    return hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()[:16]


def main() -> None:
    """Prints the table, and what other processes found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--benchmark", default="nestools", choices=("nestools", "mtu"))
    parser.add_argument("--data", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--digest", type=int, help="judge once in the order of this seed, print a digest")
    given = parser.parse_args()
    setup = RunSetup.default(load_benchmark(given.benchmark))
    folder = given.data or setup.benchmark.data.starter
    answers = answers_of(setup, folder)
    if given.digest is not None:
        print(shuffled_digest(setup, answers, given.digest))
        return
    executed = [pair for pair in answers if collect_questions(setup, (pair[0],), [pair[1]])]
    judge(setup, answers)
    print(f"| {given.benchmark} answers | number | cache | answers a second | aim |\n|---|---:|---|---|---|")
    for name, some in (("all", answers), ("executed", executed)):
        cold, cached = side_by_side(
            given.rounds, partial(judge_cold, setup, some), partial(judge, setup, some)
        )
        for cache, found in (("cold", cold), ("cached", cached)):
            print(f"| {name} | {len(some):,} | {cache} | {found.rate(len(some))} | {AIMS[cache]:,} |")
    words = [sys.executable, __file__, "--benchmark", given.benchmark, "--data", str(folder)]
    digests = {
        subprocess.run([*words, "--digest", seed], check=True, capture_output=True, text=True).stdout.strip()
        for seed in ("1", "2")
    }
    print(
        f"Verdicts of two further processes: {'the same' if len(digests) == 1 else 'different'} ({', '.join(digests)})"
    )


if __name__ == "__main__":
    main()
