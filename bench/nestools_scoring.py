"""Reads and scores saved NesTools predictions under both profiles, and says how long each step took.

    python bench/nestools_scoring.py DATA PREDICTIONS.jsonl [repeats]

Times are the best of the repeats (default 5): reading the reply, scoring it, and - once - figures with intervals.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.core.types import PROFILES, Options
from toolyard.stats.summary import Graded, summarise

Result = TypeVar("Result")


def timed(action: Callable[[], Result]) -> tuple[float, Result]:
    """Seconds that the action took, and what it gave."""
    start = time.perf_counter()
    result = action()
    return time.perf_counter() - start, result


def main(data: Path, predictions: Path, repeats: int) -> None:
    """Prints one line per profile."""
    samples = BENCHMARK.data.load(data, Options())
    by_id = {sample.id: sample for sample in samples}
    rows = [
        (by_id[row.sample], row)
        for row in BENCHMARK.scoring.read_predictions(predictions, samples)
        if not row.error
    ]
    for profile in PROFILES:
        reading, scoring = [], []
        for _ in range(repeats):
            seconds, read = timed(lambda: [BENCHMARK.scoring.parse(*row, profile) for row in rows])  # noqa: B023
            reading.append(seconds)
            pairs = list(zip(rows, read, strict=True))
            seconds, scores = timed(
                lambda: [BENCHMARK.scoring.score(row[0], calls, {}, profile) for row, calls in pairs]  # noqa: B023
            )
            scoring.append(seconds)
        graded = [Graded(*row, score) for row, score in zip(rows, scores, strict=True)]
        figures, _ = timed(lambda: summarise(BENCHMARK, graded, profile))  # noqa: B023
        print(
            f"{profile:8} {len(rows)} predictions: read {min(reading):.2f} s, scored {min(scoring):.2f} s, "
            f"figures with intervals {figures:.2f} s"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 5)
