"""The ferry record as a sample, and ways to answer it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graded_answers import grade
from nestools_ferry import IDS, ROW, WEATHER, Calls, write_data
from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.core.types import Options, Profile, Sample, Score


@pytest.fixture
def ferry(tmp_path: Path) -> Sample:
    """Four calls, one tool twice, a list of labels; one distractor is offered."""
    sample = BENCHMARK.data.load(write_data(tmp_path, [ROW], [IDS]), Options())[0]
    return sample.with_input({"distractors": [WEATHER]})


@pytest.fixture
def gold_calls() -> Calls:
    """The perfect answer to the ferry record, to be changed at will."""
    ids = {"find_ferry": 311, "book_seats": 96, "split_costs": 20}
    names = {"find_ferry": ["ferry_code", "price"], "book_seats": ["booking"], "split_costs": ["share"]}
    calls = json.loads(json.dumps(ROW["call"]))
    return [
        {
            "api_name": call["api_name"],
            "api_id": ids[call["api_name"]],
            "parameters": call["parameters"],
            "responses": dict(zip(names[call["api_name"]], call["responses"], strict=True)),
        }
        for call in calls
    ]


@pytest.fixture
def graded(ferry: Sample) -> Callable[[Any, Profile], Score]:
    """The score of an answer (calls or raw text) to the ferry record."""

    def grade_ferry(answer: Any, profile: Profile) -> Score:
        text = answer if isinstance(answer, str) else json.dumps(answer)
        return grade(BENCHMARK, ferry, text, profile)

    return grade_ferry
