"""A run on a budget: what it takes, that it resumes, and what comparisons and gates make of it."""

import json
from pathlib import Path

import pytest

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import UsageError
from toolyard.core.types import Options
from toolyard.report.compare.compared_runs import load_compared
from toolyard.report.compare.sequential import compare_sequentially, sequential_table
from toolyard.report.content import load_report
from toolyard.report.tables.run_tables import results_note
from toolyard.run.api import evaluate
from toolyard.run.run import Run
from toolyard.run.settings import Settings

BENCH = "mtu"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("runs")
    found = {
        name: evaluate(BENCH, f"scripted/{name}", budget=24, runs=folder, name=name).folder
        for name in ("oracle", "random")
    }
    found["pilot"] = evaluate(
        BENCH, "scripted/random", budget=24, pilot=found["random"], runs=folder, name="pilot"
    ).folder
    return found


def lines(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "scores.jsonl").read_text().splitlines()]


def test_a_budget_takes_whole_clusters_of_every_stratum_and_weights_them_to_all(
    runs: dict[str, Path],
) -> None:
    benchmark = load_benchmark(BENCH)
    everything = benchmark.data.load(benchmark.data.starter, Options("default"))
    clusters = {line["cluster"]: line["weight"] for line in lines(runs["oracle"])}
    assert len(clusters) == 24
    total = len({sample.cluster for sample in everything})
    assert sum(float(str(weight)) for weight in clusters.values()) == pytest.approx(total)
    for line in lines(runs["oracle"]):
        assert str(line["stratum"]).startswith(str(line["groups"]["setting"]))  # type: ignore[index]
    wanted = {sample.id for sample in everything if sample.cluster in clusters}
    assert {line["sample"] for line in lines(runs["oracle"])} == wanted


def test_the_same_budget_and_seed_take_the_same_and_none_keeps_the_identity(tmp_path: Path) -> None:
    first, again, other = (
        Run.plan(Settings(BENCH, "scripted/empty", budget=20, seed=seed, runs=tmp_path)) for seed in (0, 0, 1)
    )
    assert first.samples == again.samples
    assert {sample.id for sample in first.samples} != {sample.id for sample in other.samples}
    plain = Run.plan(Settings(BENCH, "scripted/empty", limit=3, runs=tmp_path)).config.identity()
    assert not {"budget", "allocation", "pilot"} & set(plain)


def test_a_run_on_a_budget_is_opened_again_without_its_pilot(runs: dict[str, Path]) -> None:
    planned = Run.open(runs["pilot"])
    assert planned.is_answered()
    kept = json.loads((runs["pilot"] / "manifest.json").read_text())["identity"]["allocation"]
    assert planned.config.allocation == kept
    spent = json.loads((runs["random"] / "manifest.json").read_text())["identity"]["allocation"]
    assert sum(planned.config.allocation.values()) == sum(spent.values()) == 24
    assert planned.config.allocation != spent


def test_figures_say_that_they_stand_on_a_part_and_the_oracle_is_perfect(runs: dict[str, Path]) -> None:
    report = load_report(runs["oracle"])
    assert report.summaries["paper"].figures["average"].value == 1.0
    assert "a part: 24 of" in results_note(report)
    compared = load_compared(runs["oracle"], "paper", {})
    assert compared.summary.figures == report.summaries["paper"].figures


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"budget": 1}, "no interval"),
        ({"budget": 10, "limit": 3}, "leave out --limit"),
        ({"pilot": Path("nowhere")}, "give --budget N"),
        ({"budget": 10_000}, "more than the"),
    ],
)
def test_a_budget_that_makes_no_sense_is_one_line(
    settings: dict[str, object], complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=complaint):
        Run.plan(Settings(BENCH, "scripted/empty", runs=tmp_path, **settings))  # type: ignore[arg-type]


def test_a_sequential_comparison_stops_early_and_says_what_it_saved(runs: dict[str, Path]) -> None:
    for order in ("seeded", "run"):
        (found,) = compare_sequentially([runs["oracle"], runs["random"]], order=order)
        assert found.stopped is not None
        assert found.stopped.verdict == "first"
        assert found.stopped.look.count < 24
        assert found.to_json()["saved"] == found.stopped.saved_share
        assert sequential_table([found], 0.0).rows[0][3] == "first is better"
    with pytest.raises(UsageError, match="--order"):
        compare_sequentially([runs["oracle"], runs["random"]], order="other")
