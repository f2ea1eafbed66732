"""The official profile prints what the released evaluator prints."""

from pathlib import Path
from typing import Any

import pytest

from graded_answers import grade
from json_files import read_json
from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.benchmarks.nestools.scoring.official import similarity_or_zero
from toolyard.benchmarks.nestools.scoring.parse import parse_official
from toolyard.core.types import Failure, Options, Sample
from toolyard.stats.summary import Graded, Summary, summarise

SETS = (
    "perfect",
    "drop_calls_10",
    "rename_id_10",
    "int_to_str_50",
    "nested_index_30",
    "invalid_json_05",
    "duplicate_all",
)
ASPECTS = {"selection": "api", "order": "order", "parameter": "param", "nested": "nest"}
GROUPS = {
    ("depth", "1"): "depth_1",
    ("depth", "2"): "depth_2",
    ("depth", "3+"): "depth_3_4_5",
    ("structure", "1->2,2->3"): "structure_0",
    ("structure", "1->2,1->3"): "structure_2",
    ("structure", "1->2,2->3,1->3"): "structure_3",
    ("structure", "1->3,2->3"): "structure_7",
}


@pytest.fixture(scope="module")
def expected(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = read_json(shared / "parity" / "nestools" / "expected.json")
    return found


@pytest.fixture(scope="module")
def samples(shared: Path) -> tuple[Sample, ...]:
    return BENCHMARK.data.load(shared / "data" / "nestools", Options())


@pytest.fixture(scope="module", params=SETS)
def scored(request: pytest.FixtureRequest, shared: Path, samples: tuple[Sample, ...]) -> tuple[str, Summary]:
    by_id = {sample.id: sample for sample in samples}
    path = shared / "parity" / "nestools" / f"{request.param}.jsonl"
    graded = []
    for transcript in BENCHMARK.scoring.read_predictions(path, samples):
        sample = by_id[transcript.sample]
        graded.append(Graded(sample, transcript, grade(BENCHMARK, sample, transcript, "official")))
    return request.param, summarise(BENCHMARK, graded, "official")


def test_every_set_is_tested(expected: dict[str, Any]) -> None:
    assert tuple(expected["sets"]) == SETS


def test_figures_agree_to_a_billionth(scored: tuple[str, Summary], expected: dict[str, Any]) -> None:
    name, summary = scored
    wanted = expected["sets"][name]
    exact = {
        f"{aspect}_{part}": wanted["exact"][theirs][index]
        for aspect, theirs in ASPECTS.items()
        for index, part in enumerate(("precision", "recall", "f1"))
    }
    exact |= {figure: wanted["exact"][figure] for figure in ("format", "average")}
    exact["tree"] = wanted["tree_pass_rate"]
    found = {figure: summary.figures[figure].value for figure in exact}
    assert found == pytest.approx(exact, abs=1e-9)


def test_error_counts_agree_exactly(scored: tuple[str, Summary], expected: dict[str, Any]) -> None:
    name, summary = scored
    assert summary.errors["parameter"] == expected["sets"][name]["cli_errors_nonnested"]
    assert summary.errors["nested"] == expected["sets"][name]["cli_errors_nested"]


@pytest.mark.parametrize(("group", "theirs"), GROUPS.items(), ids=GROUPS.values())
def test_groups_agree_to_the_printed_decimal(
    scored: tuple[str, Summary], expected: dict[str, Any], group: tuple[str, str], theirs: str
) -> None:
    name, summary = scored
    wanted = expected["sets"][name]["cli_percent_1dp"][theirs]
    figures = summary.groups[group[0]][group[1]]
    for column, value in wanted.items():
        part, _, their_aspect = column.partition("_")
        aspect = next((ours for ours, name in ASPECTS.items() if name == their_aspect), "")
        figure = f"{aspect}_{ {'P': 'precision', 'R': 'recall', 'F1': 'f1'}[part] }" if aspect else column
        found = figures[figure].value
        assert found is not None
        assert 100 * found == pytest.approx(value, abs=0.05 + 1e-9), figure


def test_depth_one_has_no_nested_figures_and_no_average(scored: tuple[str, Summary]) -> None:
    figures = scored[1].groups["depth"]["1"]
    assert figures["average"].value is None
    assert figures["nested_f1"].value is None


def test_values_score_as_released(expected: dict[str, Any]) -> None:
    for case in expected["value_cases"]:
        assert similarity_or_zero(case["gold"], case["predicted"]) == pytest.approx(
            case["score"], abs=1e-12
        ), case


def test_replies_are_read_as_released(expected: dict[str, Any]) -> None:
    for case in expected["parse_cases"]:
        # The release calls a response that is no text unreadable; such a response is read as an empty text.
        calls = parse_official(case["text"] if isinstance(case["text"], str) else "")
        assert (not isinstance(calls, Failure)) == bool(case["format_ok"]), case
        if not isinstance(calls, Failure):
            assert len(calls) == case["n_calls"], case
