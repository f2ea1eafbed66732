"""Large sets piece by piece: the figures are those of the whole, whatever the number of pieces and processes."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from small_sets import first_rows
from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.nestools.scoring.graded_calls import wanted_of
from toolyard.core.benchmark import Benchmark
from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import Options, Sample
from toolyard.run.grade import pieces as pieces_module
from toolyard.run.grade import scoring
from toolyard.run.grade.checking import Check, CheckResult, MutationClass, check_benchmark
from toolyard.run.grade.pieces import (
    DATA,
    PREDICTIONS,
    PieceEngine,
    PieceFolders,
    PieceScoring,
    split_into_pieces,
    work_in_processes,
)
from toolyard.run.grade.piecewise_checking import check_in_pieces, merge_results
from toolyard.run.grade.scoring import score_settings
from toolyard.run.settings import ScoreSettings
from toolyard.stats.cluster_tally import ClusterTally, summarise_tally

# Part of each starter set: what holds of figures holds of these.
FEW: dict[str, Path] = {}


@pytest.fixture(scope="module", autouse=True)
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    for name, rows in (("nestools", 120), ("mtu", 60)):
        FEW[name] = first_rows(name, tmp_path_factory.mktemp("few") / name, rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces_module, "BYTES_OF_A_PIECE", 60_000)
        yield


def answers(benchmark: Benchmark, samples: tuple[Sample, ...]) -> list[str]:
    """The oracle, every baseline and nothing, in turn."""
    answerers = [benchmark.checks.oracle, *benchmark.checks.baselines.values()]
    chosen = [number % (len(answerers) + 1) for number in range(len(samples))]
    return [
        answerers[choice](sample, (), random.Random(number)) if choice < len(answerers) else ""
        for number, (sample, choice) in enumerate(zip(samples, chosen, strict=True))
    ]


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return path


def nestools_predictions(folder: Path) -> Path:
    benchmark = load_benchmark("nestools")
    samples = benchmark.data.load(FEW["nestools"], Options())
    rows = [
        {"test_id": int(sample.id), "response": text}
        for sample, text in zip(samples, answers(benchmark, samples), strict=True)
    ]
    return write(folder / "predictions.jsonl", [*rows[3:], rows[0]])


def mtu_predictions(folder: Path, *, by_row: bool) -> Path:
    benchmark = load_benchmark("mtu")
    samples = benchmark.data.load(FEW["mtu"], Options())
    by_setting: dict[str, list[dict[str, object]]] = {}
    for sample, text in zip(samples, answers(benchmark, samples), strict=True):
        name = {"row": sample.gold["row"]} if by_row else {"id": sample.id.split("#")[0]}
        by_setting.setdefault(sample.input["setting"], []).append({**name, "response": text})
    by_setting.pop("S-M")
    for setting, rows in by_setting.items():
        write(folder / f"{setting}.jsonl", rows)
    return folder


def summary_in_pieces(name: str, predictions: Path, number: int, profile: str = "paper") -> dict[str, object]:
    benchmark = load_benchmark(name)
    scoring = PieceScoring(name, Options(benchmark.task.styles[0]), profile)  # type: ignore[arg-type]
    total = ClusterTally()
    with split_into_pieces(benchmark, FEW[name], predictions, number) as pieces:
        for tally in work_in_processes(scoring, pieces, workers=1):
            total.add(tally)
    return summarise_tally(benchmark, total, scoring.profile).to_json()


def whole(name: str, predictions: Path, profile: str = "paper") -> dict[str, object]:
    settings = ScoreSettings(name, data=str(FEW[name]), predictions=predictions, profile=profile)
    return score_settings(settings).to_json()


@pytest.mark.parametrize("profile", ["paper", "official"])
def test_nestools_in_pieces_has_the_figures_of_the_whole(tmp_path: Path, profile: str) -> None:
    predictions = nestools_predictions(tmp_path)
    together, apart = (
        whole("nestools", predictions, profile),
        summary_in_pieces("nestools", predictions, 7, profile),
    )
    assert {**apart, "intervals": None} == {**together, "intervals": None}
    assert together["unscored"] == 2


@pytest.mark.parametrize("by_row", [True, False], ids=["by row", "by id"])
def test_mtu_in_pieces_has_the_figures_of_the_whole(tmp_path: Path, by_row: bool) -> None:
    predictions = mtu_predictions(tmp_path / "responses", by_row=by_row)
    for profile in ("paper", "official"):
        together, apart = (
            whole("mtu", predictions, profile),
            summary_in_pieces("mtu", predictions, 5, profile),
        )
        assert {**apart, "intervals": None} == {**together, "intervals": None}
        assert "S-M" not in together["groups"]["setting"]  # type: ignore[index]


def test_intervals_of_pieces_agree_and_do_not_depend_on_their_number(tmp_path: Path) -> None:
    predictions = nestools_predictions(tmp_path)
    together = whole("nestools", predictions)["intervals"]["figures"]  # type: ignore[index]
    few, many = (
        summary_in_pieces("nestools", predictions, number)["intervals"]["figures"]  # type: ignore[index]
        for number in (2, 11)
    )
    assert few == many
    for name in ("average", "selection_f1", "tree"):
        assert few[name] == pytest.approx(together[name], abs=0.03)


def test_several_processes_give_what_one_gives(tmp_path: Path) -> None:
    predictions = nestools_predictions(tmp_path)
    one, two = (
        score_settings(
            ScoreSettings("nestools", data=str(FEW["nestools"]), predictions=predictions, workers=workers)
        ).to_json()
        for workers in (1, 2)
    )
    assert one == two


def test_a_large_set_is_scored_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    predictions = nestools_predictions(tmp_path)
    settings = ScoreSettings("nestools", predictions=predictions)
    asked = score_settings(replace(settings, workers=1))
    monkeypatch.setattr(scoring, "LARGEST_WHOLE", 0)
    large = score_settings(settings, per_sample=False)
    assert (large.graded, large.to_json()) == ((), asked.to_json())
    assert score_settings(settings).graded
    wrong = write(tmp_path / "wrong.jsonl", [{"test_id": 999_999, "response": "[]"}])
    with pytest.raises(DataError, match=r"wrong\.jsonl") as refused:
        score_settings(replace(settings, predictions=wrong), per_sample=False)
    assert "--workers" not in str(refused.value)


def test_what_cannot_be_divided_or_read_is_told(tmp_path: Path) -> None:
    predictions = write(tmp_path / "predictions.json", [])
    with pytest.raises(UsageError, match="leave out --workers"):
        score_settings(ScoreSettings("toolbehonest", predictions=predictions, workers=2))
    predictions = write(tmp_path / "predictions.jsonl", [{"test_id": 999_999, "response": "[]"}])
    with pytest.raises(DataError, match="without --workers names file and line"):
        score_settings(ScoreSettings("nestools", predictions=predictions, workers=1))


def test_pieces_hold_the_lines_of_their_keys(tmp_path: Path) -> None:
    writer = PieceFolders(tmp_path, 3)
    for number in range(30):
        piece = writer.piece_of(str(number))
        writer.add(piece, "rows.jsonl", b"%d\n" % number)
        writer.predict(piece, "said.jsonl", b"said %d\n" % number)
    writer.flush()
    found = [(folder / DATA / "rows.jsonl").read_text().split() for folder in writer.pieces()]
    assert sorted(int(each) for part in found for each in part) == list(range(30))
    first = writer.pieces()[0]
    said = (first / PREDICTIONS / "said.jsonl").read_text().splitlines()
    assert said == [f"said {each}" for each in found[0]]


def test_checks_hold_in_pieces_where_they_hold_for_the_whole() -> None:
    data = str(FEW["mtu"])
    whole_set = {
        check.name: check.passed
        for check in check_benchmark(load_benchmark("mtu"), data, {}, mutate=False).checks
    }
    found = check_in_pieces("mtu", data, {}, PieceEngine())
    assert {check.name: check.passed for check in found.checks} == whole_set
    assert all(check.passed for check in found.checks)
    with pytest.raises(UsageError, match="name a benchmark"):
        check_in_pieces("all", "starter", {}, PieceEngine())


def test_one_failing_piece_fails_the_whole() -> None:
    good = CheckResult(
        "toy", "d", (Check("ids", True, "2 ids"),), (), (MutationClass("swap", False, 3, 3, 0),)
    )
    bad = CheckResult(
        "toy", "d", (Check("ids", False, "1 id twice"),), (), (MutationClass("swap", False, 2, 1, 1),)
    )
    for first, second in ((good, bad), (bad, good)):
        together = merge_results(first, second)
        assert not together.passed
        assert together.checks == (Check("ids", False, "1 id twice"),)
        assert together.mutations == (MutationClass("swap", False, 5, 4, 1),)


def test_a_process_forgets_a_piece_when_it_is_done_with_it(tmp_path: Path) -> None:
    sample = load_benchmark("nestools").data.load(load_benchmark("nestools").data.starter, Options())[0]
    first = wanted_of(sample)
    assert wanted_of(sample) is first
    assert list(work_in_processes(str, [tmp_path], 1)) == [str(tmp_path)]
    assert wanted_of(sample) is not first


def test_single_turns_do_not_gather_in_one_piece() -> None:
    benchmark = load_benchmark("mtu")
    with split_into_pieces(benchmark, benchmark.data.starter, None, 4) as pieces:
        single = [
            sum(
                (piece / DATA / f"{setting}_eval.jsonl").read_bytes().count(b"\n")
                for setting in ("S-S", "S-M")
            )
            for piece in pieces
        ]
    # A quarter each, give or take.
    assert len(single) == 4
    assert max(single) < 2 * min(single)
