"""Processor seconds of each part of a finished run's way from its data to its page.

    python bench/parts.py RUN [--rounds 3]

Every part is done once in a process that has loaded its modules, with the caches between the parts as a command has
them; each round is a process of its own, and the middle of the rounds is printed with the smallest and the largest.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from toolyard.cli import tune_process
from toolyard.report.analyses import all_analyses
from toolyard.report.content import analysis_tables, make_report
from toolyard.report.page.run_page import render_page
from toolyard.report.page.sample_index import pack_samples
from toolyard.report.page.text_pool import TextPool
from toolyard.report.tables.statistics_tables import report_statistics
from toolyard.run.cost.estimate import estimate_run
from toolyard.run.run import Run


def parts(folder: Path) -> dict[str, float]:
    """The seconds of all parts, in the order of a command."""
    found: dict[str, float] = {}

    def timed(name: str, action: Callable[[], object]) -> object:
        started = time.process_time()
        result = action()
        found[name] = found.get(name, 0.0) + time.process_time() - started
        return result

    tune_process()
    run = Run.open(folder)
    timed("plan: read, check, prepare", lambda: Run.plan(run.settings))
    timed("estimate beforehand", lambda: estimate_run(run, None))
    timed("prompts", lambda: [run.benchmark.task.prompt(each, run.options) for each in run.samples])
    instruments = run.instruments()
    timed("grading, all profiles", lambda: run.graded(instruments))
    timed("figures with intervals, all profiles", lambda: run.summaries(instruments))
    report = make_report(run)
    timed("analyses of the benchmark", lambda: analysis_tables(report))
    timed("statistics tables", lambda: report_statistics(report))
    texts = [message.content for item in report.graded["paper"] for message in item.transcript.messages]
    pool = TextPool()
    timed("texts of the page cut into pieces", lambda: [pool.add(text) for text in texts])
    timed("sample browser, those texts included", lambda: pack_samples(report))
    analyses = all_analyses(report)
    timed("page, browser included", lambda: render_page(report, analyses))
    return found


def main() -> None:
    """Prints the table, or as JSON the seconds of one round."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--once", action="store_true", help="One round, as JSON.")
    chosen = parser.parse_args()
    if chosen.once:
        print(json.dumps(parts(chosen.run)))
        return
    command = [sys.executable, __file__, str(chosen.run), "--once"]
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    rounds = [json.loads(subprocess.check_output(command, env=alone)) for _ in range(chosen.rounds)]
    print("| part | CPU s | spread |\n|---|---:|---:|")
    for name in rounds[0]:
        times = [each[name] for each in rounds]
        print(f"| {name} | {statistics.median(times):.2f} | {min(times):.2f} to {max(times):.2f} |")


if __name__ == "__main__":
    main()
