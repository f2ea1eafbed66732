"""`toolyard check`: attacks on scorers, gold that a scorer refuses, and grading in other processes."""

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner

from toolyard.benchmarks import load_benchmark
from toolyard.cli.app import app
from toolyard.core.benchmark import Benchmark, Finding
from toolyard.core.types import Sample
from toolyard.run.grade import checking
from toolyard.run.grade.attacks import Attacked, AttackResult
from toolyard.run.grade.checking import check_benchmark, check_benchmarks
from toy_benchmark import toy_benchmark


def test_no_attack_on_the_toolbehonest_starter_set_earns_more_than_its_floor() -> None:
    found = CliRunner().invoke(app, "check toolbehonest --attack --json")
    assert found.exit_code == 0, found.output
    (result,) = json.loads(found.output)
    floors = {each["name"]: each["floor"] for each in result["attacks"]}
    assert {
        "do-nothing",
        "paste",
        "longest",
        "injected-verdict",
        "call-everything",
        "list-all",
        "refuse-all",
    } == set(floors)
    assert floors["do-nothing"] == floors["list-all"] == 0.0
    assert 0 < floors["refuse-all"] < 0.5
    assert result["held"]
    assert result["prompts_that_change_with_gold"] == 0


@pytest.mark.parametrize(("earned", "held"), [(0.1, False), (0.05, True), (None, True)])
def test_a_result_above_the_floor_is_no_pass(earned: float | None, held: bool) -> None:
    result = AttackResult("b", "d", "outcome", (Attacked("a", "says a", {}, earned, 0.05),), 0)
    assert result.held is held


def test_a_prompt_that_depends_on_gold_is_no_pass() -> None:
    assert not AttackResult("b", "d", "outcome", (), 1).held


@pytest.mark.parametrize(("kind", "passed"), [("official_unreadable", True), ("typing_mistake", False)])
def test_rows_that_the_scorer_refuses_are_named(tmp_path: Path, kind: str, passed: bool) -> None:
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


def test_other_processes_grade_as_this_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "S-S_eval.jsonl"
    with (load_benchmark("mtu").data.starter / name).open(encoding="utf-8") as rows:
        (tmp_path / name).write_text("".join(islice(rows, 5)), encoding="utf-8")
    monkeypatch.setattr(checking, "SAMPLES_A_PART", 2)
    here = check_benchmarks("mtu", str(tmp_path), {})
    assert here[0].mutations
    assert check_benchmarks("mtu", str(tmp_path), {}, jobs=2) == here
