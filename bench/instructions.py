"""Bytecode instructions of the inner loops, compared with those written down: a slower machine changes nothing.

    python bench/instructions.py            exit 1 where one needs over 5 % more than results/instructions.json says
    python bench/instructions.py --write    writes that file, after a change that was wanted

Counted is what Python executes in our own code; work inside C libraries is not seen. Counts depend on the minor version
of Python, which the file names. `growth` is the count for ten times the rows over ten times the count: 1 is linear.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import orjson

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options, Transcript
from toolyard.lines import encode
from toolyard.run.grade.grading import grade_all, keep_printed_metrics
from toolyard.run.play.offline import play_offline
from toolyard.run.store import records
from toolyard.stats.cluster_tally import summarise_tally, tally_clusters
from toolyard.stats.summary import summarise

EXPECTED = Path(__file__).parent / "results" / "instructions.json"
MORE_THAN = 1.05
ROWS = (6, 60)


def counted(action: Callable[[], object]) -> int:
    """The instructions that Python executes for the action."""
    total = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ARG001 - the signature of a tracer
        nonlocal total
        if event == "call":
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        elif event == "opcode":
            total += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before)
    return total


def graded_rows(name: str, rows: int) -> dict[str, Callable[[], object]]:
    """What is done with so many answers of all kinds, by name; everything is warmed up once."""
    benchmark = load_benchmark(name)
    setup = RunSetup.default(benchmark)
    samples = benchmark.data.load(benchmark.data.starter, Options())[:rows]
    answerers = [benchmark.checks.oracle, *list(benchmark.checks.baselines.values())[:1]]
    played = [play_offline(setup, samples, answerer) for answerer in answerers]
    answers = [played[place % len(played)][place] for place in range(len(samples))]
    actions: dict[str, Callable[[], object]] = {
        f"{name} score {profile}": lambda profile=profile: grade_all(setup, samples, answers, {}, profile)  # type: ignore[misc]
        for profile in benchmark.profiles
    }
    if benchmark.reference is not None and benchmark.reference.printed.score is not None:
        alone = RunSetup.default(keep_printed_metrics(benchmark))
        actions[f"{name} printed figures alone"] = lambda: grade_all(alone, samples, answers, {}, "paper")
    graded = grade_all(setup, samples, answers, {}, "paper")
    actions[f"{name} prompt"] = lambda: [benchmark.task.prompt(each, setup.options) for each in samples]
    actions[f"{name} transcript"] = lambda: [_written_and_read(each) for each in answers]
    actions[f"{name} figures"] = lambda: summarise(benchmark, graded, "paper", resamples=10)
    actions[f"{name} tally"] = lambda: summarise_tally(
        benchmark, tally_clusters(benchmark, graded), "paper", resamples=10
    )
    return actions


def _written_and_read(transcript: Transcript) -> Transcript:
    return records.read_transcript(orjson.loads(encode(records.transcript_line(transcript))))


def measured() -> dict[str, dict[str, float]]:
    """Instructions per row of every case, and how they grow with the rows."""
    found: dict[str, dict[str, float]] = {}
    for name in ("nestools", "mtu", "toolbehonest"):
        small, large = (graded_rows(name, rows) for rows in ROWS)
        for case in small:
            for actions in (small, large):
                actions[case]()
            first, second = counted(small[case]), counted(large[case])
            found[case] = {
                "per_row": round(second / ROWS[1], 1),
                "growth": round(second / ROWS[1] / (first / ROWS[0]), 3),
            }
    return found


def worse(found: dict[str, dict[str, float]], expected: dict[str, dict[str, float]]) -> list[str]:
    """One sentence for each case that needs more than was written down."""
    return [
        f"{case}: {now['per_row']:,.0f} instructions per row, {expected[case]['per_row']:,.0f} written down"
        for case, now in found.items()
        if case in expected and now["per_row"] > MORE_THAN * expected[case]["per_row"]
    ]


def main() -> None:
    """Prints the table and compares."""
    version = ".".join(platform.python_version_tuple()[:2])
    written = json.loads(EXPECTED.read_text())
    if written["python"] != version and "--write" not in sys.argv:
        print(f"written down for Python {written['python']}, this is {version}: not counted")
        return
    found = measured()
    print("| case | instructions per row | growth |\n|---|---:|---:|")
    for case, values in found.items():
        print(f"| {case} | {values['per_row']:,.0f} | {values['growth']:.2f} |")
    if "--write" in sys.argv:
        EXPECTED.write_text(json.dumps({"python": version, "cases": found}, indent=2) + "\n")
        return
    problems = worse(found, written["cases"])
    print("\n".join(problems) or "none needs more than was written down")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
