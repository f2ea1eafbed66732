"""Scores 2,100 level answers with more than 1,000 distinct texts: in batches once each, and one by one.

    python bench/toolbehonest_scoring.py [pairs per subtask]

Both ways use the same MiniLM weights in the same process, nothing is read from the disk cache. One by one is what
the released scorer does for predicted texts and gold descriptions; `database_in_batches` grants it a database that is
encoded in batches.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from toolyard.benchmarks.toolbehonest import BENCHMARK
from toolyard.benchmarks.toolbehonest.data.rows import SUBTASKS
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Evidence, Options, Sample, Transcript
from toolyard.models.assets import EMBEDDER, require_asset
from toolyard.models.embed.embedding import load_embedder
from toolyard.models.embed.minilm import MiniLM, load_minilm
from toolyard.models.judge.judge_answers import AskedQuestion, find_nearest_candidates
from toolyard.run.grade.grading import grade_all, questions_by_key
from toolyard.run.play.offline import play_offline
from toolyard.stats.summary import summarise

SETUP = RunSetup.default(BENCHMARK)

HERE = Path(__file__).parent
ROUNDS = 3
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


def asked_of(
    per_subtask: int, folder: Path
) -> tuple[list[AskedQuestion], tuple[Sample, ...], list[Transcript]]:
    """The similarity questions of a run whose every answer names the gap in its own words."""
    write_pairs(folder / "test_en.json", per_subtask)
    samples = BENCHMARK.data.load(folder, Options())
    transcripts = play_offline(
        SETUP,
        samples,
        lambda sample, messages, rng: BENCHMARK.checks.oracle(sample, messages, rng).replace(
            "It ", "A thing that "
        ),
    )
    asked = [
        AskedQuestion(sample.id, question, key=key)
        for sample, transcript in zip(samples, transcripts, strict=True)
        for key, question in questions_by_key(SETUP, sample, transcript).items()
    ]
    return asked, samples, transcripts


def in_batches(asked: Sequence[AskedQuestion]) -> tuple[float, list[Evidence]]:
    """Seconds for all similarities with a fresh embedder, and what they are; asserts one look at each text."""
    embedder = load_embedder("minilm", keep=False)
    embedder(["warm up"])
    started = time.perf_counter()
    evidence = find_nearest_candidates(asked, embedder)
    seconds = time.perf_counter() - started
    assert embedder.computed == len(distinct_texts(asked)) + 1, "a text was embedded more than once"
    return seconds, evidence


def distinct_texts(asked: Sequence[AskedQuestion]) -> set[str]:
    """All texts that the questions hold."""
    databases = {item.question.candidates for item in asked}
    return {text for database in databases for text in database} | {item.question.text for item in asked}


def one_by_one(encoder: MiniLM, texts: Sequence[str]) -> float:
    """Seconds for every text in a call of its own."""
    started = time.perf_counter()
    for text in texts:
        encoder.encode([text])
    return time.perf_counter() - started


def measure(asked: Sequence[AskedQuestion]) -> tuple[dict[str, float], list[Evidence]]:
    """The best of some rounds, taken in turn, of each way to get all similarities."""
    encoder = load_minilm(require_asset(EMBEDDER))
    pairs = [
        text
        for item in asked
        for text in (item.question.text, item.question.candidates[item.question.target])
    ]
    stored = [text for database in {item.question.candidates for item in asked} for text in database]
    rounds: dict[str, list[float]] = {"each_once_in_batches": [], "one_by_one": [], "database_in_batches": []}
    evidence: list[Evidence] = []
    for _ in range(ROUNDS):
        seconds, evidence = in_batches(asked)
        rounds["each_once_in_batches"].append(seconds)
        started = time.perf_counter()
        encoder.encode(stored)
        database = time.perf_counter() - started
        singly = one_by_one(encoder, pairs)
        rounds["database_in_batches"].append(singly + database)
        rounds["one_by_one"].append(singly + one_by_one(encoder, stored))
    return {name: min(times) for name, times in rounds.items()}, evidence


def main() -> None:
    """Prints the times, their ratios and the peak of memory, and writes results/toolbehonest_scoring.json."""
    per_subtask = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    with tempfile.TemporaryDirectory() as folder:
        asked, samples, transcripts = asked_of(per_subtask, Path(folder))
    seconds, evidence = measure(asked)
    started = time.perf_counter()
    book = {(item.sample, item.trial, item.key): item for item in evidence}
    graded = grade_all(SETUP, samples, transcripts, book, "official")
    overall = summarise(BENCHMARK, graded, "official").figures["overall"].value
    seconds["scoring_and_intervals"] = time.perf_counter() - started
    once = seconds["each_once_in_batches"]
    result = {
        "answers": len(transcripts),
        "similarities": len(asked),
        "distinct_texts": len(distinct_texts(asked)),
        "overall": overall,
        "rounds": ROUNDS,
        "seconds": seconds,
        "ratio_one_by_one": seconds["one_by_one"] / once,
        "ratio_database_in_batches": seconds["database_in_batches"] / once,
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "machine": {"python": platform.python_version(), "cores": os.cpu_count()},
    }
    text = json.dumps(result, indent=2)
    print(text)
    (HERE / "results" / "toolbehonest_scoring.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
