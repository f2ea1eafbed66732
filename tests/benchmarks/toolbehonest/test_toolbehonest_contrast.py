"""The shipped pairs differ in what the verdict hangs on and in nothing that tells it: words, lengths, lines or places."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from toolyard.benchmarks.toolbehonest import BENCHMARK
from toolyard.benchmarks.toolbehonest.audit import numbered_lines
from toolyard.benchmarks.toolbehonest.data import read_items
from toolyard.benchmarks.toolbehonest.sample import ToolBeHonestSample
from toolyard.benchmarks.toolbehonest.toollist import UNSOLVABLE_QUERY, working_tools
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options
from toolyard.run.grading import grade
from toolyard.run.offline import play_offline

Verdicts = Mapping[str, bool]
SEVERAL = ("multi_step_wo_rep", "multi_step_w_rep", "os", "web")
ITEMS = read_items(BENCHMARK.data.starter / "test_en.json")
STEPS, RATE, DECAY = 200, 0.5, 0.001


def first_level() -> list[ToolBeHonestSample]:
    samples = BENCHMARK.data.load(BENCHMARK.data.starter, Options())
    return [sample for sample in samples if sample.input["level"] == 1]


def word_overlap(samples: Sequence[ToolBeHonestSample]) -> Verdicts:
    """Which verdicts the baseline that matches words gets right."""
    setup = RunSetup.default(BENCHMARK)
    answers = play_offline(setup, tuple(samples), BENCHMARK.checks.baselines["word-overlap"])
    return {
        sample.id: grade(setup, sample, answer, {}, "paper").score.values["outcome"] == 1.0
        for sample, answer in zip(samples, answers, strict=True)
    }


def words_alone(samples: Sequence[ToolBeHonestSample]) -> Verdicts:
    """Which verdicts a classifier of words gets right: trained on half of the pairs, tested on the others."""
    pairs: dict[str, list[str]] = defaultdict(list)
    for cluster in sorted({sample.cluster for sample in samples}):
        pairs[cluster.split("/")[0]].append(cluster)
    half = {name for own in pairs.values() for name in random.Random(1).sample(own, len(own) // 2)}
    halves = [[each for each in samples if (each.cluster in half) == chosen] for chosen in (True, False)]
    right: dict[str, bool] = {}
    for training, test in (halves, halves[::-1]):
        vocabulary = {word: n for n, word in enumerate(sorted({w for s in training for w in words_in(s)}))}
        weights = fitted(counted(training, vocabulary), verdicts(training))
        predicted = counted(test, vocabulary) @ weights > 0
        right |= {
            sample.id: bool(found == wanted)
            for sample, found, wanted in zip(test, predicted, verdicts(test), strict=True)
        }
    return right


def words_in(sample: ToolBeHonestSample) -> list[str]:
    return re.findall(r"[a-z]+|\d+", f"{sample.input['task']} {sample.input['tools']}".lower())


def counted(samples: Sequence[ToolBeHonestSample], vocabulary: Mapping[str, int]) -> NDArray[np.float64]:
    found = np.zeros((len(samples), len(vocabulary) + 1))
    for row, sample in enumerate(samples):
        for word in words_in(sample):
            if word in vocabulary:
                found[row, vocabulary[word]] += 1
    found[:, -1] = 1
    return np.log1p(found)


def verdicts(samples: Sequence[ToolBeHonestSample]) -> NDArray[np.bool_]:
    return np.array([sample.gold.verdict == "unsolvable" for sample in samples])


def fitted(features: NDArray[np.float64], wanted: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Logistic regression by gradient descent."""
    weights = np.zeros(features.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-features @ weights))
        weights -= RATE * (features.T @ (likely - wanted) / len(wanted) + DECAY * weights)
    return weights


@pytest.mark.parametrize("solver", [word_overlap, words_alone])
def test_words_tell_no_verdict(solver: Callable[[Sequence[ToolBeHonestSample]], Verdicts]) -> None:
    samples = first_level()
    right = solver(samples)
    pairs: dict[str, list[float]] = defaultdict(list)
    for sample in samples:
        pairs[sample.cluster].append(right[sample.id])
    rates = np.array([np.mean(each) for each in pairs.values()])
    half_width = 1.96 * rates.std(ddof=1) / np.sqrt(len(rates))
    assert abs(rates.mean() - 0.5) <= half_width, rates.mean()
    for subtask in {name.split("/")[0] for name in pairs}:
        own = [np.mean(each) for name, each in pairs.items() if name.startswith(f"{subtask}/")]
        assert np.mean(own) <= 0.65, subtask


def test_the_twins_have_equally_long_lists_and_tasks() -> None:
    for item in ITEMS:
        assert len(working_tools(item.tools)) == len(working_tools(item.unsolvable_tools)), item.cluster
        assert len(numbered_lines(item.task)) == len(numbered_lines(item.unsolvable_task)), item.cluster


def test_surroundings_stand_in_both_twins() -> None:
    for item in ITEMS:
        assert item.subtask not in ("os", "web") or item.task == item.unsolvable_task, item.cluster


@pytest.mark.parametrize("subtask", SEVERAL)
def test_the_gap_is_drawn_evenly(subtask: str) -> None:
    plans = [item.plan("unsolvable") for item in ITEMS if item.subtask == subtask]
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
    own = [item for item in ITEMS if item.subtask == subtask]
    unlike = [len(numbered_lines(item.task)) != len(item.plan("solvable")) for item in own]
    assert 0.5 <= np.mean(unlike) <= 0.95
