"""A comparison's first words: who leads, where anybody does, and why trivial answers earn what they earn."""

from dataclasses import replace
from pathlib import Path

import pytest

from compared_runs import LIMIT, changed_copy, make_runs
from toolyard.benchmarks import load_benchmark
from toolyard.report.compare.comparison import compare_runs
from toolyard.report.compare.short_verdict import short_verdict
from toolyard.report.content import Report, load_report
from toolyard.report.page.comparison_page import render_comparison
from toolyard.report.page.run_facts import run_verdict
from toolyard.report.tables.run_tables import few_note
from toolyard.run.api import evaluate

ORACLE, RANDOM, FIRST, EMPTY = "scripted/oracle", "scripted/random", "scripted/first-tool", "scripted/empty"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return make_runs(tmp_path_factory.mktemp("runs"), RANDOM, ORACLE, FIRST, EMPTY)


def test_first_words_name_the_leader_the_baseline_and_that_answers_are_few(runs: list[Path]) -> None:
    comparison = compare_runs(runs[:3])["nestools"]
    leader, baseline, pairs, few = short_verdict(comparison).lines
    assert leader == f"Highest average: {ORACLE}, 100.0 [73.5, 100.0] percent on {LIMIT} answers."
    assert baseline.startswith("Best trivial baseline: scripted/word-overlap, ")
    assert baseline.endswith("1 of 3 runs lie above it with their whole interval.")
    assert pairs.endswith("pairs of runs differ beyond chance (Holm-corrected 0.05).")
    assert f"{LIMIT} scored, too few to say much" in few
    page = render_comparison({"nestools": comparison})
    places = [page.index(one) for one in ("nestools-chart-leaderboard", "<table", "Best trivial baseline: ")]
    assert places == sorted(places)
    weak = short_verdict(compare_runs([runs[0], runs[2]])["nestools"])
    assert not weak.above_chance and "No run lies above it" in weak.lines[1]


def test_answers_are_few_where_their_clusters_are(tmp_path: Path) -> None:
    found = evaluate("toolbehonest", ORACLE, limit=7, runs=tmp_path, embedder="hash").summaries["paper"]
    assert few_note(found).startswith("42 scored in 7 clusters, too few to say much")


def test_why_trivial_answers_earn_much_is_said_where_the_benchmark_knows() -> None:
    for name in ("toolbehonest", "mtu"):
        assert "outcome" in load_benchmark(name).checks.trivial.why


def test_nobody_leads_where_all_have_nothing(runs: list[Path]) -> None:
    for some in (runs[3:], [runs[3], changed_copy(runs[3], "twin", lambda manifest: None)]):
        assert (
            short_verdict(compare_runs(some)["nestools"]).lines[0]
            == "No run stands out in average: 0.0 percent."
        )


def test_nobody_leads_where_no_difference_is_shown(tmp_path: Path) -> None:
    few = [evaluate("nestools", model, limit=1, runs=tmp_path).folder for model in (ORACLE, EMPTY)]
    first, *_, _pair, _unreachable, _few = short_verdict(compare_runs(few)["nestools"]).lines
    assert first == "No run stands out in average: 0.0 to 100.0 percent."
    untested = short_verdict(compare_runs(few, figures=["tree"])["nestools"]).lines[0]
    assert untested.startswith(f"Highest average: {ORACLE}, 100.0 ")


def led_by(report: Report, baseline: str) -> Report:
    """The report as if this trivial baseline had earned all, and the run nothing."""
    name = report.setup.headline
    found = tuple(
        replace(item, figures={**item.figures, name: float(item.name == baseline)})
        for item in report.baselines["paper"]
    )
    return replace(report, baselines={**report.baselines, "paper": found})


def test_never_calling_explains_only_baselines_that_never_call(tmp_path: Path) -> None:
    trivial = load_benchmark("mtu").checks.trivial
    folder = evaluate("mtu", FIRST, limit=4, runs=tmp_path).folder
    report, comparison = load_report(folder), compare_runs([folder])["mtu"]
    for name, never_calls in ((EMPTY, True), ("scripted/no-call", True), ("scripted/word-overlap", False)):
        assert bool(trivial.why_much(name)) is never_calls
        told = led_by(report, name)
        line = run_verdict(told)
        assert line is not None and not line.good
        assert ("never calls" in line.text) is never_calls
        lines = short_verdict(
            replace(comparison, sets=(replace(comparison.sets[0], baselines=told.baselines["paper"]),))
        ).lines
        (sentence,) = [each for each in lines if each.startswith(f"Best trivial baseline: {name}")]
        assert ("never calls" in sentence) is never_calls
        assert sentence.endswith("shows no ability yet.") is not never_calls
    assert load_benchmark("toolbehonest").checks.trivial.why_much("scripted/word-overlap")
