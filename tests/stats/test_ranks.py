"""Kendall's tau-b against values worked out by hand."""

from __future__ import annotations

import pytest

from toolyard.stats.ranks import kendall_tau


@pytest.mark.parametrize(
    ("second", "tau", "pairs"),
    [
        ([1.0, 2.0, 3.0], 1.0, (3, 0, 0)),
        ([3.0, 2.0, 1.0], -1.0, (0, 3, 0)),
        ([1.0, 3.0, 2.0], 1 / 3, (2, 1, 0)),
        ([1.0, 1.0, 2.0], 2 / 6**0.5, (2, 0, 1)),
        ([1.0, 1.0, 1.0], None, (0, 0, 3)),
    ],
)
def test_tau_b(second: list[float], tau: float | None, pairs: tuple[int, int, int]) -> None:
    found = kendall_tau([1.0, 2.0, 3.0], second)
    assert found.tau == (None if tau is None else pytest.approx(tau))
    assert (found.concordant, found.discordant, found.tied) == pairs
