"""Budgets spent over strata, weighted estimates, and intervals that hold at every look."""

import numpy as np
import pytest

from toolyard.core.metrics import Row, mean
from toolyard.core.types import Sample, Score, Transcript
from toolyard.stats.bootstrap import estimate
from toolyard.stats.sample_strata import allocate_samples, floor_spreads, stratified_weights
from toolyard.stats.sequential import confidence_sequence, find_stop
from toolyard.stats.summary import Graded, rows_of

METRIC = mean("right")


def test_a_budget_follows_sizes_or_size_times_spread() -> None:
    sizes = {"a": 60, "b": 30, "c": 10}
    assert allocate_samples(sizes, 20) == {"a": 12, "b": 6, "c": 2}
    assert allocate_samples(sizes, 20, {"a": 0.0, "b": 1.0, "c": 0.0}) == {"a": 2, "b": 16, "c": 2}
    assert allocate_samples({"a": 3, "b": 50}, 40, {"a": 9.0, "b": 1.0}) == {"a": 3, "b": 37}
    assert allocate_samples({"a": 1, "b": 3}, 4) == {"a": 1, "b": 3}
    assert floor_spreads({"a": 0.0, "b": 0.4}, {"a": 10, "b": 10, "c": 5}) == {"a": 0.05, "b": 0.4, "c": 0.2}


def test_weights_within_a_stratum_sum_to_its_size() -> None:
    weights = stratified_weights(["a", "a", "a", "b"], 50, 3)
    assert np.allclose(weights[:, :3].sum(axis=1), 3.0)
    assert np.all(weights[:, 3] == 1.0)


def test_an_estimate_weights_strata_back_to_the_whole() -> None:
    rows = [Row(Score(f"a{n}", values={"right": 1.0}), f"a{n}", {}, "a", 1.0) for n in range(4)]
    rows += [Row(Score(f"b{n}", values={"right": n % 2}), f"b{n}", {}, "b", 9.0) for n in range(4)]
    found = estimate([METRIC], rows)["right"]
    assert found.value == pytest.approx((4 * 1.0 + 36 * 0.5) / 40)
    assert found.low is not None
    assert found.high is not None
    assert 0.1 <= found.low < found.value < found.high <= 1.0


def test_an_unscored_cluster_is_stood_for_by_the_others_of_its_stratum() -> None:
    def graded(name: str, stratum: str, unscored: str | None = None) -> Graded:
        score = Score(name, values={} if unscored else {"right": 1.0}, unscored=unscored)
        return Graded(Sample(name, {}, None, stratum=stratum, weight=2.0), Transcript(name), score)

    rows = rows_of([graded("x", "a"), graded("y", "a", "timeout"), graded("z", "b")])
    assert [(row.cluster, row.weight) for row in rows] == [("x", 4.0), ("z", 2.0)]


def test_stratified_intervals_cover_the_whole() -> None:
    generator = np.random.default_rng(2)
    whole = {"a": generator.random(80) < 0.9, "b": generator.random(40) < 0.2}
    truth = float(np.concatenate(list(whole.values())).mean())
    covered = 0
    for _ in range(200):
        rows = []
        for name, values in whole.items():
            taken = generator.choice(len(values), 15, replace=False)
            rows += [
                Row(Score(f"{name}{n}", values={"right": float(values[n])}), f"{name}{n}", {}, name, len(values) / 15)
                for n in taken
            ]  # fmt: skip
        found = estimate([METRIC], rows, resamples=200)["right"]
        covered += found.low is not None and found.high is not None and found.low <= truth <= found.high
    assert covered >= 180


def test_a_clear_difference_stops_early_and_equal_runs_are_alike_or_unclear() -> None:
    better = find_stop([0.6, 0.4, 0.5, 0.3] * 50)
    assert better is not None
    assert (better.verdict, better.of) == ("first", 200)
    assert better.look.count < 60
    assert better.saved_share == 1 - better.look.count / 200
    worse = find_stop([-0.6, -0.4, -0.5, -0.3] * 50)
    assert worse is not None
    assert (worse.verdict, worse.look.count) == ("second", better.look.count)
    assert find_stop([]) is None
    alike = find_stop([0.0] * 400, margin=0.1)
    assert alike is not None
    assert alike.verdict == "alike"
    unclear = find_stop([0.3, -0.3] * 40)
    assert unclear is not None
    assert (unclear.verdict, unclear.look.count) == ("unclear", 80)


def test_intervals_hold_at_all_looks_together() -> None:
    generator = np.random.default_rng(8)
    missed = 0
    for _ in range(60):
        differences = generator.choice([-1.0, 0.0, 1.0], size=250, p=[0.1, 0.7, 0.2])
        missed += any(not look.low <= 0.1 <= look.high for look in confidence_sequence(list(differences)))
    assert missed <= 8
