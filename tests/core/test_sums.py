"""Sums that do not depend on the Python that adds."""

from __future__ import annotations

from toolyard.core.sums import added


def test_numbers_are_added_one_after_the_other() -> None:
    assert added([0.1] * 10) == 0.9999999999999999
    assert added(iter([])) == 0.0
    assert added([True, 2, 0.5]) == 3.5
