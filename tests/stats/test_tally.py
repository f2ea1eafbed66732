"""Clusters that score alike are counted: the figures are those of all clusters one by one."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from toolyard.core.metrics import Metric, Row, average, f1, mean
from toolyard.core.types import Counts, Score
from toolyard.stats import bootstrap
from toolyard.stats.bootstrap import clusters_of, estimate, estimated, resampling_weights, weight_blocks
from toolyard.stats.tally import CountedTerms, columns_of

METRICS: list[Metric] = [mean("right"), f1("calls"), average("both", [mean("right"), f1("calls")])]


def rows(number: int) -> list[Row]:
    return [
        Row(
            Score(f"s{place}", values={"right": place % 3 / 3}, counts={"calls": Counts(place % 2, 1, 2)}),
            cluster=f"c{place // 2}",
        )
        for place in range(number)
    ]


def lines(members: list[Row]) -> Counter[bytes]:
    columns = columns_of(METRICS)
    return Counter(
        np.array([term for terms in columns for term in terms(cluster)], dtype=np.float64).tobytes()
        for cluster in clusters_of(members)
    )


def test_values_are_exactly_those_of_all_clusters() -> None:
    members = rows(600)
    together = estimate(METRICS, members)
    counted = CountedTerms(METRICS, lines(members), Counter(), 1000, 0)
    apart = {metric.name: estimated(metric, counted, 1000) for metric in METRICS}
    for name, figure in together.items():
        assert apart[name].value == figure.value
        assert apart[name].low == pytest.approx(figure.low, abs=0.01)
        assert apart[name].high == pytest.approx(figure.high, abs=0.01)


def test_terms_that_metrics_share_stand_once() -> None:
    assert [(place.start, place.stop) for place in columns_of(METRICS).values()] == [(0, 2), (2, 5), (5, 7)]


def test_weights_in_blocks_are_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = resampling_weights(40, 25, 3)
    monkeypatch.setattr(bootstrap, "LARGEST_BLOCK", 200)
    blocks = list(weight_blocks(40, 25, 3))
    assert [len(block) for block in blocks] == [5] * 5
    assert np.array_equal(np.concatenate(blocks), whole)


def test_figures_do_not_depend_on_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    members = rows(300)
    whole = estimate(METRICS, members)
    monkeypatch.setattr(bootstrap, "LARGEST_BLOCK", 1000)
    blocked = estimate(METRICS, members)
    for name, figure in whole.items():
        assert blocked[name].value == figure.value
        assert blocked[name].low == pytest.approx(figure.low, abs=1e-12)
