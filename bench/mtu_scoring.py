"""Time to read and score MTU-Bench answers against the number of rows, under both profiles.

    python bench/mtu_scoring.py [largest]      # default 100000

Rows are the starter's turns, repeated under new ids, answered in turn by the oracle, the trivial baselines and
nothing. Linear growth shows as a steady time per row; the last column is it relative to the smallest size.
"""

from __future__ import annotations

import random
import sys
import time
from dataclasses import replace

from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.core.types import PROFILES, Completion, Options, Profile, Sample, Transcript
from toolyard.stats.summary import Graded, summarise

SIZES = (1_000, 10_000, 30_000, 100_000)


def rows_of(count: int) -> list[tuple[Sample, Transcript]]:
    """So many turns with an answer each, in complete dialogues but for the last."""
    samples = BENCHMARK.data.load(BENCHMARK.data.starter, Options())
    answerers = [BENCHMARK.checks.oracle, *BENCHMARK.checks.baselines.values()]
    rows = []
    for number in range(count):
        round_, place = divmod(number, len(samples))
        sample = samples[place]
        sample = replace(sample, id=f"{sample.id}/{round_}", cluster=f"{sample.cluster}/{round_}")
        choice = number % (len(answerers) + 1)
        text = answerers[choice](sample, (), random.Random(number)) if choice < len(answerers) else ""
        rows.append((sample, Transcript(sample.id, completions=(Completion(text),))))
    return rows


def seconds(rows: list[tuple[Sample, Transcript]], profile: Profile) -> tuple[float, float]:
    """Time to read and score every row, and time for all figures with their intervals."""
    start = time.perf_counter()
    graded = [
        Graded(
            sample,
            answer,
            BENCHMARK.scoring.score(sample, BENCHMARK.scoring.parse(sample, answer, profile), {}, profile),
        )
        for sample, answer in rows
    ]
    scored = time.perf_counter()
    summarise(BENCHMARK, graded, profile)
    return scored - start, time.perf_counter() - scored


def main(largest: int) -> None:
    """Prints one line per profile and size."""
    print(f"{'profile':9}{'rows':>8}{'score s':>10}{'us/row':>9}{'figures s':>11}{'us/row':>9}{'growth':>8}")
    for profile in PROFILES:
        first = 0.0
        for size in [size for size in SIZES if size <= largest]:
            scoring, figures = seconds(rows_of(size), profile)
            per_row = (scoring + figures) / size
            first = first or per_row
            print(
                f"{profile:9}{size:8}{scoring:10.2f}{scoring / size * 1e6:9.0f}"
                f"{figures:11.2f}{figures / size * 1e6:9.0f}{per_row / first:8.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SIZES[-1])
