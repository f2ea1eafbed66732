"""`toolyard check` on data whose own scorer refuses some gold answers."""

from dataclasses import replace
from pathlib import Path

import pytest

from toolyard.core.benchmark import Benchmark, Finding
from toolyard.core.types import Sample
from toolyard.run.grade.checking import check_benchmark
from toy_benchmark import toy_benchmark


@pytest.mark.parametrize(("kind", "passed"), [("official_unreadable", True), ("typing_mistake", False)])
def test_rows_that_the_only_scorer_refuses_are_named_instead_of_failing(
    tmp_path: Path, kind: str, passed: bool
) -> None:
    starter = tmp_path / "count"
    starter.write_text("4")
    result = check_benchmark(_refusing_row_2(toy_benchmark(starter), kind), "starter", {})
    (oracle,) = (check for check in result.checks if check.name.startswith("oracle"))
    assert oracle.passed is passed
    assert ("1 row that the official parser cannot read left out" in oracle.detail) is passed


def _refusing_row_2(benchmark: Benchmark, kind: str) -> Benchmark:
    def audit(path: Path, samples: tuple[Sample, ...]) -> tuple[Finding, ...]:
        return (Finding("2", "gold cannot be right", "note", kind),)

    def oracle(sample: Sample, *_: object) -> str:
        return "none" if sample.id == "2" else str(sample.gold)

    return replace(
        benchmark, data=replace(benchmark.data, audit=audit), checks=replace(benchmark.checks, oracle=oracle)
    )
