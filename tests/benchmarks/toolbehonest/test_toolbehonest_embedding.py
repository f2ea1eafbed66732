"""Scoring a whole run embeds each distinct text once."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from toolyard.benchmarks.toolbehonest import BENCHMARK
from toolyard.benchmarks.toolbehonest.data.rows import SUBTASKS
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options
from toolyard.models.embed.embedding import hash_vectors
from toolyard.models.judge.judge_answers import AskedQuestion, find_nearest_candidates
from toolyard.run.grade.grading import questions_of
from toolyard.run.play.offline import play_offline

SETUP = RunSetup.default(BENCHMARK)

PAIRS_PER_SUBTASK = 50


def write_pairs(path: Path) -> None:
    """350 pairs in the official form, with 1,050 tools that all do something else."""
    rows = []
    for subtask in SUBTASKS:
        for place in range(PAIRS_PER_SUBTASK):
            names = [f"{subtask}Tool{place}{letter}" for letter in "abc"]
            tools = "\n".join(
                f"{number}. {name}: Handles what {name} is for." for number, name in enumerate(names, 1)
            )
            rows.append(
                {
                    "id": place,
                    "subtask": subtask,
                    "task": "t",
                    "tools": tools,
                    "unsolvable_task": "t",
                    "unsolvable_tools": tools,
                    "planning_tools": [names[0], names[1], "Finish"],
                    "planning_tools_unsolvable": [names[0], "UnsolvableQuery", "Finish"],
                }
            )
    path.write_text(json.dumps(rows))


def test_each_distinct_text_is_embedded_once(tmp_path: Path) -> None:
    write_pairs(tmp_path / "test_en.json")
    samples = BENCHMARK.data.load(tmp_path, Options())
    transcripts = play_offline(SETUP, samples, BENCHMARK.checks.oracle)
    assert len(transcripts) == 2100
    asked = [
        AskedQuestion(sample.id, question, key=key)
        for sample, transcript in zip(samples, transcripts, strict=True)
        for key, question in questions_of(SETUP, sample, transcript).items()
    ]
    questions = Counter(item.question.id.partition("/")[0] for item in asked)
    assert questions == {"needed": 350, "missing": 350}
    shared = {id(item.question.candidates) for item in asked if item.question.id.startswith("needed")}
    assert len(shared) == len(SUBTASKS)
    seen: Counter[str] = Counter()

    def counting(texts: Sequence[str]) -> NDArray[np.float32]:
        seen.update(texts)
        return hash_vectors(texts)

    found = find_nearest_candidates(asked, counting)
    assert len(found) == 700
    assert len(seen) == 2100  # a description alone, and behind its tool's name
    assert set(seen.values()) == {1}
