"""Inner loops in bytecode instructions: they grow with the rows, not faster, and a slower one is noticed."""

import importlib.util
from pathlib import Path

BENCH = Path(__file__).parents[1] / "bench" / "instructions.py"


def test_inner_loops_are_linear_and_a_slower_one_is_noticed() -> None:
    spec = importlib.util.spec_from_file_location("instructions", BENCH)
    assert spec is not None
    assert spec.loader is not None
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    found = bench.measured()
    assert {case for case, values in found.items() if values["growth"] > 1.5} == set()
    assert bench.worse(found, found) == []
    half = {case: {"per_row": values["per_row"] / 2} for case, values in found.items()}
    assert len(bench.worse(found, half)) == len(found)
