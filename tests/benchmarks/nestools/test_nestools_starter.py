"""The starter set: written by hand, varied, and not to be solved by words alone."""

import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from starter_sets import left_out

from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.benchmarks.nestools.data.rows import load, nested_calls, offered_tools
from toolyard.benchmarks.nestools.data.sample import NestoolsSample
from toolyard.benchmarks.nestools.scoring.baselines import word_overlap
from toolyard.core.errors import DataError
from toolyard.core.nesting import depth, edges
from toolyard.core.types import Options, Sample
from toolyard.synth.chains.chain import Chain, ChainStep, ResultReference

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


def test_a_request_that_does_not_hold_any_more_is_named() -> None:
    old = [
        {"test_id": 7, "task": "by hand"},
        {"test_id": 1001, "task": "kept"},
        {"test_id": 1002, "task": "gone"},
    ]
    (line,) = left_out(old, [{"test_id": 1, "task": "kept"}])
    assert "1002" in line and line.endswith(": gone")


HARD = BENCHMARK.data.hard


@pytest.fixture(scope="module")
def samples_hard() -> tuple[NestoolsSample, ...]:
    assert HARD is not None
    return load(HARD, Options())


def test_the_hard_set_has_long_plans_and_lists_and_is_small(samples_hard: tuple[NestoolsSample, ...]) -> None:
    assert 100 <= len(samples_hard) <= 150
    assert all(5 <= len(sample.gold["calls"]) <= 10 for sample in samples_hard)
    assert all("execution" in sample.gold for sample in samples_hard)
    chains = [nested_calls(sample.gold["calls"]) for sample in samples_hard]
    deep = sum(depth(len(chain), edges(chain)) >= 4 for chain in chains)
    joined = sum(max(Counter(after for _, after in edges(chain)).values()) > 1 for chain in chains)
    assert deep >= 0.4 * len(samples_hard) and joined >= 0.4 * len(samples_hard)
    sizes = []
    for sample in samples_hard:
        names = [tool["api_name"] for tool in offered_tools(sample)]
        assert len(set(names)) == len(names), sample.id
        assert {call["api_name"] for call in sample.gold["calls"]} <= set(names)
        sizes.append(len(names))
    assert min(sizes) >= 50 and max(sizes) <= 568
    assert sum(size >= 200 for size in sizes) >= 0.2 * len(sizes)
    assert HARD is not None
    assert sum(path.stat().st_size for path in HARD.iterdir()) <= 2_000_000


def test_a_row_without_tools_names_them_by_number(tmp_path: Path) -> None:
    tool = {"api_name": "a", "api_description": "", "parameters": {}, "required": [], "responses": {}}
    row = {"test_id": 1, "task": "t", "call": [{"api_name": "a", "parameters": {}, "responses": []}]}
    for name, line in (
        ("test_data.jsonl", row),
        ("pool.jsonl", {**tool, "api_id": 7}),
        ("test_api_ids.jsonl", {"test_id": 1, "api_ids": [7]}),
    ):
        (tmp_path / name).write_text(json.dumps(line) + "\n", "utf-8")
    (sample,) = load(tmp_path, Options())
    assert [tool["api_id"] for tool in sample.input["tools"]] == [7]
    (tmp_path / "test_api_ids.jsonl").write_text('{"test_id": 1, "api_ids": [8]}\n', "utf-8")
    with pytest.raises(DataError, match="that has number 8"):
        load(tmp_path, Options())


@pytest.mark.parametrize(
    ("city", "said", "needed"), [("Oslo", "Bergen", True), ("Oslo", "Oslo", False), ("Oslo", "oslo ", False)]
)
def test_a_call_is_needed_where_nothing_else_tells_its_value(city: str, said: str, needed: bool) -> None:
    pytest.importorskip("toolyard.world.kernel.registry")
    from toolyard.benchmarks.nestools.synth.hard_set import is_needed

    find = ChainStep("find", {}, {"city": city}, {"city": city})
    rain = ChainStep("rain", {"q": ResultReference(0, "city")}, {"mm": 3}, {"city": city, "mm": 3})
    other = ChainStep("trains", {"to": said}, {"line": "R10"}, {"line": "R10"})
    chain = Chain((find, rain, other), 0)
    assert is_needed(chain, 0) is needed
    assert is_needed(chain, 1) and is_needed(chain, 2)


def test_a_last_call_that_tells_nothing_new_is_idle() -> None:
    pytest.importorskip("toolyard.world.kernel.registry")
    from toolyard.benchmarks.nestools.synth.hard_set import is_needed

    weather = ChainStep("weather", {}, {"mm": 3}, {"time": "18:00", "mm": 3})
    clock = ChainStep("clock", {}, {"time": "18:00"}, {"time": "18:00"})
    assert is_needed(Chain((weather, clock), 0), 0)
    assert not is_needed(Chain((weather, clock), 0), 1)
