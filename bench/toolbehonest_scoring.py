"""Scores 2,100 level answers with more than 1,000 distinct texts: in batches once each, and one by one.

    python bench/toolbehonest_scoring.py [pairs per subtask]

Both ways use the same MiniLM weights in the same process, nothing is read from the disk cache. One by one is what
the released scorer does for predicted texts and gold descriptions; its database, too, is counted text by text here
and, in the last line, as one batch.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from toolyard.benchmarks.toolbehonest import BENCHMARK
from toolyard.benchmarks.toolbehonest.data import SUBTASKS
from toolyard.core.aggregate import summarise
from toolyard.core.types import Evidence, Options
from toolyard.models.embed import Embedder, load_embedder
from toolyard.models.judge import Asked, similarities
from toolyard.run.grading import grade_all, questions_of
from toolyard.run.offline import play_offline

VERBS = (
    "measures",
    "records",
    "repairs",
    "sorts",
    "prints",
    "counts",
    "paints",
    "delivers",
    "checks",
    "stores",
)
THINGS = (
    "water",
    "flour",
    "letters",
    "bicycles",
    "bridges",
    "choir books",
    "beehives",
    "lamps",
    "maps",
    "sails",
)
PLACES = (
    "at the harbour",
    "in the mill",
    "for the school",
    "on the farm",
    "under the roof",
    "along the river",
)


def description(number: int) -> str:
    """A short sentence that no other number has."""
    verb, thing = VERBS[number % 10], THINGS[number // 10 % 10]
    return f"It {verb} {thing} {PLACES[number // 100 % 6]} for order {number}."


def write_pairs(path: Path, per_subtask: int) -> None:
    """Pairs in the official form, three tools each, all of them different."""
    rows = []
    for order, subtask in enumerate(SUBTASKS):
        for place in range(per_subtask):
            first = 3 * (order * per_subtask + place)
            names = [f"Tool{first + offset}" for offset in range(3)]
            tools = "\n".join(f"{k + 1}. {name}: {description(first + k)}" for k, name in enumerate(names))
            plan = [names[0], names[1], "Finish"]
            rows.append(
                {"id": place, "subtask": subtask, "task": "t", "tools": tools, "unsolvable_task": "t"}
                | {"unsolvable_tools": tools, "planning_tools": plan}
                | {"planning_tools_unsolvable": [names[0], "UnsolvableQuery", "Finish"]}
            )
    path.write_text(json.dumps(rows))


def asked_of(per_subtask: int, folder: Path) -> tuple[list[Asked], Sequence[object], Sequence[object]]:
    """The similarity questions of a run whose every answer names the gap in its own words."""
    write_pairs(folder / "test_en.json", per_subtask)
    samples = BENCHMARK.load(folder, Options())
    transcripts = play_offline(
        BENCHMARK,
        samples,
        Options(),
        lambda sample, messages, rng: BENCHMARK.oracle(sample, messages, rng).replace("It ", "A thing that "),
    )
    asked = [
        Asked(sample.id, question, key=key)
        for sample, transcript in zip(samples, transcripts, strict=True)
        for key, question in questions_of(BENCHMARK, sample, transcript).items()
    ]
    return asked, samples, transcripts


def one_by_one(embedder: Embedder, texts: Sequence[str]) -> float:
    """Seconds for every text in a call of its own, without remembering any."""
    started = time.perf_counter()
    for text in texts:
        embedder._compute([text])
    return time.perf_counter() - started


def main() -> None:
    """Prints both times, their ratio and the peak of memory."""
    per_subtask = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    with tempfile.TemporaryDirectory() as folder:
        asked, samples, transcripts = asked_of(per_subtask, Path(folder))
    embedder = load_embedder("minilm", keep=False)
    embedder(["warm up"])
    started = time.perf_counter()
    evidence = similarities(asked, embedder)
    batched = time.perf_counter() - started
    started = time.perf_counter()
    book: dict[tuple[str, int, str], Evidence] = {
        (item.sample, item.trial, item.key): item for item in evidence
    }
    graded = grade_all(BENCHMARK, samples, transcripts, book, "official")  # type: ignore[arg-type]
    overall = summarise(BENCHMARK, graded, "official").figures["overall"].value
    scoring = time.perf_counter() - started
    databases = {item.question.candidates for item in asked}
    distinct = {text for database in databases for text in database} | {item.question.text for item in asked}
    assert embedder.computed == len(distinct) + 1, "a text was embedded more than once"
    singly = [
        text
        for item in asked
        for text in (item.question.text, item.question.candidates[item.question.target])
    ]
    stored = [text for database in databases for text in database]
    seconds_singly, seconds_stored = one_by_one(embedder, singly), one_by_one(embedder, stored)
    started = time.perf_counter()
    vectors: NDArray[np.float32] = embedder._compute(stored)
    seconds_batch = time.perf_counter() - started
    print(
        f"{len(transcripts)} answers, {len(asked)} similarities, {len(distinct)} distinct texts, overall {overall:.4f}"
    )
    print(f"each distinct text once, in batches: {batched:.2f} s; scoring and intervals: {scoring:.2f} s")
    print(f"one by one, {len(singly) + len(stored)} texts: {seconds_singly + seconds_stored:.2f} s")
    print(f"ratio: {(seconds_singly + seconds_stored) / batched:.1f}")
    print(
        f"one by one with the database of {len(vectors)} texts as one batch: {seconds_singly + seconds_batch:.2f} s"
    )
    print(f"ratio: {(seconds_singly + seconds_batch) / batched:.1f}")
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
