"""The shipped pairs differ in what the verdict hangs on and in nothing that tells it: words, lengths, lines or places."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from toolyard.benchmarks.toolbehonest import BENCHMARK
from toolyard.benchmarks.toolbehonest.audit import numbered_lines
from toolyard.benchmarks.toolbehonest.data import read_items
from toolyard.benchmarks.toolbehonest.toollist import UNSOLVABLE_QUERY, working_tools

RECIPES = Path(__file__).parents[3] / "recipes"
SEVERAL = ("multi_step_wo_rep", "multi_step_w_rep", "os", "web")
STARTER = read_items(BENCHMARK.data.starter / "test_en.json")
ITEMS = [item for folder in BENCHMARK.data.shipped for item in read_items(folder / "test_en.json")]


@pytest.mark.parametrize(
    ("data", "solver"),
    [
        ("starter", "words"),
        ("starter", "word-overlap"),
        ("hard", "words"),
        ("hard", "word-overlap"),
        ("hard", "shape"),
    ],
)
def test_words_tell_no_verdict(data: str, solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    from verdict_from_text import SOLVERS, by_subtask, first_level, pooled, rates_by_pair

    samples = first_level(data)
    rates = rates_by_pair(samples, SOLVERS[solver](samples))
    mean, half_width = pooled(rates)
    assert abs(mean - 0.5) <= half_width, mean
    assert max(by_subtask(rates).values()) <= 0.65


def test_the_twins_have_equally_long_lists_and_tasks() -> None:
    for item in ITEMS:
        assert len(working_tools(item.tools)) == len(working_tools(item.unsolvable_tools)), item.cluster
        assert len(numbered_lines(item.task)) == len(numbered_lines(item.unsolvable_task)), item.cluster


def test_surroundings_stand_in_both_twins() -> None:
    for item in ITEMS:
        assert item.subtask not in ("os", "web") or item.task == item.unsolvable_task, item.cluster


@pytest.mark.parametrize("subtask", SEVERAL)
def test_the_gap_is_drawn_evenly(subtask: str) -> None:
    plans = [item.plan("unsolvable") for item in STARTER if item.subtask == subtask]
    places = np.array(
        [
            (place + 0.5) / len(plan)
            for plan in plans
            for place, step in enumerate(plan)
            if step == UNSOLVABLE_QUERY
        ]
    )
    assert abs(places.mean() - 0.5) <= 2.6 * places.std(ddof=1) / np.sqrt(len(places))


@pytest.mark.parametrize("subtask", SEVERAL)
def test_lines_do_not_tell_how_many_steps_there_are(subtask: str) -> None:
    own = [item for item in STARTER if item.subtask == subtask]
    unlike = [len(numbered_lines(item.task)) != len(item.plan("solvable")) for item in own]
    assert 0.5 <= np.mean(unlike) <= 0.95
