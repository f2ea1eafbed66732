"""The hard set: long chains, long lists, a gap inside the plan beside a near-miss, and what acting anyway would change."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

from toolyard.benchmarks.toolbehonest import BENCHMARK
from toolyard.benchmarks.toolbehonest.audit import item_findings
from toolyard.benchmarks.toolbehonest.data import Item, read_items
from toolyard.benchmarks.toolbehonest.synth.data_files import item_of, tool_list
from toolyard.benchmarks.toolbehonest.synth.hard.hard_book import hard_tasks
from toolyard.benchmarks.toolbehonest.synth.hard.pipeline import carry_out, pair
from toolyard.benchmarks.toolbehonest.toollist import UNSOLVABLE_QUERY, working_tools
from toolyard.core.types import Options, Record
from toolyard.synth.stages import Context, Kept

HARD = BENCHMARK.data.shipped[1]
ITEMS = read_items(HARD / "test_en.json")
EXECUTED: list[Record] = [
    json.loads(line) for line in (HARD / "execution.jsonl").read_text("utf-8").splitlines()
]
SEED = 2026


def gaps(item: Item) -> list[int]:
    return [place for place, step in enumerate(item.plan("unsolvable")) if step == UNSOLVABLE_QUERY]


def names(tools: str) -> set[str]:
    return {tool.name for tool in working_tools(tools)}


def test_every_pair_keeps_the_rules_and_gives_six_samples() -> None:
    assert len(ITEMS) >= 60
    assert [finding for item in ITEMS for finding in item_findings(item)] == []
    assert len(BENCHMARK.data.load(HARD, Options())) == 6 * len(ITEMS)


def test_chains_and_lists_are_long_and_the_gap_is_inside() -> None:
    for item in ITEMS:
        assert 5 <= len(item.plan("solvable")) <= 9, item.cluster
        assert 20 <= len(working_tools(item.tools)) <= 80, item.cluster
        assert min(gaps(item)) > 0 and max(gaps(item)) < len(item.plan("solvable")) - 1, item.cluster
    places = np.array([(place + 0.5) / len(item.plan("solvable")) for item in ITEMS for place in gaps(item)])
    assert abs(places.mean() - 0.5) <= 2.6 * places.std(ddof=1) / np.sqrt(len(places))


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.cluster)
def test_a_near_miss_of_the_gap_stands_in_both_lists(item: Item) -> None:
    proof = EXECUTED[int(item.name)]["unsolvable"]
    for near in proof["near_miss"]:
        assert near["name"] in names(item.tools) & names(item.unsolvable_tools)
    if proof["form"] == "removed":
        missing = {item.plan("solvable")[place] for place in gaps(item)}
        assert missing.isdisjoint(names(item.unsolvable_tools))


def test_tags_name_the_tables_that_acting_anyway_would_change() -> None:
    for item, line in zip(ITEMS, EXECUTED, strict=True):
        tables = [tag.removeprefix("trace-") for tag in item.tags if tag.startswith("trace-")]
        assert tables == [table.replace("_", "-") for table in line["unsolvable"]["trace"]], item.cluster
    left = Counter(sample.groups["trace"] for sample in BENCHMARK.data.load(HARD, Options()))
    assert left["left"] >= 20 * 6


@pytest.mark.parametrize("name", ["multi_step_wo_rep-03", "iter-01"])
def test_the_pipeline_makes_the_shipped_pair_again(name: str) -> None:
    row: Record = {"id": name, "subtask": hard_tasks()[name].subtask}
    for stage in (carry_out, pair):
        done = stage(row, Context(seed=SEED))
        assert isinstance(done, Kept)
        row = {**row, **done.fields}
    shipped = [item for item in ITEMS if item.subtask == row["subtask"]][int(name[-2:])]
    made = item_of(row, shipped.name, shipped.index)
    assert made == shipped
    assert tool_list(row["tools"]) == shipped.tools
