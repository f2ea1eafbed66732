"""Parts of a set: on a budget, by the shortest prompts, and the harder set that a benchmark may ship."""

from pathlib import Path

import pytest

from json_files import read_json, read_lines
from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import UsageError
from toolyard.core.types import Generate, Options
from toolyard.lines import encode
from toolyard.report.compare.compared_runs import load_compared
from toolyard.report.compare.sequential import compare_sequentially, sequential_table
from toolyard.report.content import load_report
from toolyard.report.tables.run_tables import results_note
from toolyard.run.api import evaluate
from toolyard.run.plan.data_sources import data_path
from toolyard.run.plan.run_config import command_line, is_own_data, run_decoding
from toolyard.run.plan.selection import prompt_length
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toy_benchmark import toy_benchmark

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
    return read_lines(folder / "scores.jsonl")


def test_a_budget_takes_whole_clusters_of_each_stratum_and_weights_them(
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
    kept = read_json(runs["pilot"] / "manifest.json")["identity"]["allocation"]
    assert planned.config.allocation == kept
    spent = read_json(runs["random"] / "manifest.json")["identity"]["allocation"]
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
def test_a_senseless_budget_is_one_line(settings: dict[str, object], complaint: str, tmp_path: Path) -> None:
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


def planned(tmp_path: Path, name: str = "mtu", **more: object) -> Run:
    return Run.plan(Settings(name, "scripted/oracle", runs=tmp_path, **more))  # type: ignore[arg-type]


def test_the_dialogue_with_the_shortest_prompts_of_every_kind(tmp_path: Path) -> None:
    run = planned(tmp_path, limit=5, shortest=True)
    every = planned(tmp_path)
    length = prompt_length(load_benchmark("mtu"), every.config.prompt_options())
    totals: dict[str, dict[str, int]] = {}
    for sample in every.samples:
        of_kind = totals.setdefault(sample.groups["setting"], {})
        of_kind[sample.cluster] = of_kind.get(sample.cluster, 0) + length(sample)
    assert {sample.cluster for sample in run.samples} == {min(kind, key=kind.get) for kind in totals.values()}  # type: ignore[arg-type]
    assert len(totals) == 5


def test_a_limit_below_the_number_of_kinds_takes_the_kinds_with_the_shortest_prompts(tmp_path: Path) -> None:
    every = planned(tmp_path, limit=5, shortest=True)
    length = prompt_length(load_benchmark("mtu"), every.config.prompt_options())
    totals: dict[str, int] = {}
    for sample in every.samples:
        totals[sample.groups["setting"]] = totals.get(sample.groups["setting"], 0) + length(sample)
    chosen = {sample.groups["setting"] for sample in planned(tmp_path, limit=3, shortest=True).samples}
    assert chosen == set(sorted(totals, key=totals.__getitem__)[:3])
    # without it, kinds come in the order of the data
    first = list(dict.fromkeys(sample.groups["setting"] for sample in planned(tmp_path).samples))[:3]
    assert {sample.groups["setting"] for sample in planned(tmp_path, limit=3).samples} == set(first) != chosen


def test_functions_that_are_offered_natively_are_read_like_words(tmp_path: Path) -> None:
    """A short question beside long documents of functions is no short prompt."""
    every = planned(tmp_path, "nestools", style="native")
    read: dict[str, dict[str, int]] = {}
    for sample in every.samples:
        first = next(every.benchmark.task.episode((sample,), every.setup))
        assert isinstance(first, Generate)
        assert first.request.tools
        words = sum(len(message.content) for message in first.request.messages)
        functions = sum(len(encode(tool)) for tool in first.request.tools)
        read.setdefault(sample.groups["depth"], {})[sample.cluster] = words + functions
    chosen = planned(tmp_path, "nestools", style="native", limit=len(read), shortest=True).samples
    lengths = {sample.groups["depth"]: read[sample.groups["depth"]][sample.cluster] for sample in chosen}
    assert lengths == {kind: min(of_kind.values()) for kind, of_kind in read.items()}


def test_it_is_part_of_the_run_and_wants_a_limit(tmp_path: Path) -> None:
    run = planned(tmp_path, limit=2, shortest=True)
    assert "--limit 2 --shortest" in command_line(run.config, run.benchmark)
    assert run.config.digest() != planned(tmp_path, limit=2).config.digest()
    assert "shortest" not in planned(tmp_path, limit=2).config.identity()
    with pytest.raises(UsageError, match="give --limit N, too"):
        planned(tmp_path, shortest=True)


def test_hard_is_the_folder_beside_the_starter_set_where_there_is_one(tmp_path: Path) -> None:
    with_hard = toy_benchmark(tmp_path / "starter")
    (tmp_path / "hard").mkdir()
    assert data_path(with_hard, "hard") == tmp_path / "hard"
    assert with_hard.data.shipped_folders == (tmp_path / "starter", tmp_path / "hard")
    assert is_own_data("hard")
    with pytest.raises(UsageError, match="toy has no hard set"):
        data_path(toy_benchmark(tmp_path / "elsewhere" / "starter"), "hard")


@pytest.mark.parametrize(
    ("data", "given", "room"), [("starter", None, 768), ("hard", None, 2048), ("hard", 300, 300)]
)
def test_an_answer_to_the_hard_set_has_more_room(data: str, given: int | None, room: int) -> None:
    settings = Settings("nestools", "scripted", data=data, max_tokens=given)
    assert run_decoding(settings, load_benchmark("nestools")).max_tokens == room
