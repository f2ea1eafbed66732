"""The hard set: long plans in which every call is needed, offered among many tools."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.benchmarks.nestools.data import load, nested_calls, offered_tools
from toolyard.benchmarks.nestools.sample import NestoolsSample
from toolyard.core.errors import DataError
from toolyard.core.nesting import depth, edges
from toolyard.core.types import Options
from toolyard.synth.chains.chain import Chain, ChainStep, ResultReference

HARD = BENCHMARK.data.hard


@pytest.fixture(scope="module")
def samples() -> tuple[NestoolsSample, ...]:
    assert HARD is not None
    return load(HARD, Options())


def test_plans_are_long_nested_and_executed(samples: tuple[NestoolsSample, ...]) -> None:
    assert 100 <= len(samples) <= 150
    assert all(5 <= len(sample.gold["calls"]) <= 10 for sample in samples)
    assert all("execution" in sample.gold for sample in samples)
    chains = [nested_calls(sample.gold["calls"]) for sample in samples]
    deep = sum(depth(len(chain), edges(chain)) >= 4 for chain in chains)
    joined = sum(max(Counter(after for _, after in edges(chain)).values()) > 1 for chain in chains)
    assert deep >= 0.4 * len(samples) and joined >= 0.4 * len(samples)


def test_lists_hold_50_to_568_tools_and_all_that_are_needed(samples: tuple[NestoolsSample, ...]) -> None:
    sizes = []
    for sample in samples:
        names = [tool["api_name"] for tool in offered_tools(sample)]
        assert len(set(names)) == len(names), sample.id
        assert {call["api_name"] for call in sample.gold["calls"]} <= set(names)
        sizes.append(len(names))
    assert min(sizes) >= 50 and max(sizes) <= 568
    assert sum(size >= 200 for size in sizes) >= 0.2 * len(sizes)


def test_the_set_is_small() -> None:
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
    ("city", "said", "needed"),
    [("Oslo", "Bergen", True), ("Oslo", "Oslo", False), ("Oslo", "oslo ", False)],
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
