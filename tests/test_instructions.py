"""Inner loops in bytecode instructions: they grow with the rows, not faster, and a slower one is noticed."""

from pathlib import Path

import pytest


def test_inner_loops_are_linear_and_a_slower_one_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "bench"))
    from instructions import measured, worse

    found = measured()
    assert {case for case, values in found.items() if values["growth"] > 1.5} == set()
    assert worse(found, found) == []
    half = {case: {"per_row": values["per_row"] / 2} for case, values in found.items()}
    assert len(worse(found, half)) == len(found)
