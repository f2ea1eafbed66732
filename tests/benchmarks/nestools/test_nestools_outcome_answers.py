"""Answers in the forms that small models give, right and wrong, labelled before they were scored."""

from __future__ import annotations

import json
from pathlib import Path

from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options, Transcript
from toolyard.run.grading import grade

ANSWERS = Path(__file__).parent / "outcome_answers.jsonl"


def test_outcome_agrees_with_every_label() -> None:
    samples = {each.id: each for each in BENCHMARK.data.load(BENCHMARK.data.starter, Options("default"))}
    setup, wrong, number = RunSetup.default(BENCHMARK), [], 0
    for row in map(json.loads, ANSWERS.read_text("utf-8").splitlines()):
        if row["sample"] not in samples:  # the record left the set
            continue
        answer = Transcript.answered(row["sample"], row["answer"])
        found = grade(setup, samples[row["sample"]], answer, {}, "paper").score.values["outcome"]
        number += 1
        if found != float(row["right"]):
            wrong.append(f"{row['sample']}, {row['kind']}: outcome {found}")
    assert number > 70
    assert wrong == []
