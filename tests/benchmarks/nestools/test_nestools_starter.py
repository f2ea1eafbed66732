"""The starter set: written by hand, varied, and not to be solved by words alone."""

from __future__ import annotations

import json
import random
import re
from collections import Counter

import pytest

from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.benchmarks.nestools.baselines import word_overlap
from toolyard.benchmarks.nestools.data import nested_calls, offered_tools
from toolyard.core.nesting import edges
from toolyard.core.types import Options, Sample

GRAM = 6


@pytest.fixture(scope="module")
def samples() -> tuple[Sample, ...]:
    return BENCHMARK.data.load(BENCHMARK.data.starter, Options())


def test_records_are_many_and_varied(samples: tuple[Sample, ...]) -> None:
    written = [sample for sample in samples if sample.groups.get("origin") == "written"]
    assert len(samples) >= 600 and len(written) >= 560
    assert len({sample.groups["domain"] for sample in samples}) >= 100
    shapes = {(len(s.gold["calls"]), edges(nested_calls(s.gold["calls"]))) for s in samples}
    assert len(shapes) >= 40


def test_no_sentence_frame_comes_again_and_again(samples: tuple[Sample, ...]) -> None:
    runs = []
    for sample in samples:
        words = re.findall(r"[a-z0-9]+", sample.input["query"].lower())
        runs.append({tuple(words[n : n + GRAM]) for n in range(len(words) - GRAM + 1)})
    having = Counter(run for own in runs for run in own)
    shared = sum(having[run] > 1 for own in runs for run in own)
    assert shared <= 0.05 * sum(map(len, runs))


def test_no_tool_is_offered_twice(samples: tuple[Sample, ...]) -> None:
    for sample in samples:
        names = [tool["api_name"] for tool in offered_tools(sample)]
        assert len(set(names)) == len(names), sample.id


def test_words_alone_seldom_find_the_tools(samples: tuple[Sample, ...]) -> None:
    found = 0
    for sample in samples:
        messages = BENCHMARK.task.prompt(sample, Options(values={"variant": "base"}))
        answer = json.loads(word_overlap(sample, messages, random.Random(0)))
        gold = {call["api_name"] for call in sample.gold["calls"]}
        found += {call["api_name"] for call in answer} == gold
    assert found <= 0.31 * len(samples)
