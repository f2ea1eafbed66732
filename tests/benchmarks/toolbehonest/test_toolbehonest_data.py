"""Loading: six samples a record, and one clear line for every mistake in the file."""

import json
from pathlib import Path
from typing import Any

import pytest

from cases import cases
from toolyard.benchmarks.toolbehonest import BENCHMARK
from toolyard.core.errors import DataError
from toolyard.core.types import Options, Sample

ROW: dict[str, Any] = {
    "id": 7,
    "subtask": "multi_step_wo_rep",
    "task": "Do:\n1. a\n2. b",
    "tools": "1. A: does a\n2. B: does b\n3. Finish: ends",
    "unsolvable_task": "Do:\n1. a\n2. b",
    "unsolvable_tools": "1. A: does a\n2. Finish: ends",
    "planning_tools": ["A", "B", "Finish"],
    "planning_tools_unsolvable": ["A", "UnsolvableQuery", "Finish"],
}


def load(tmp_path: Path, *rows: Any, language: str = "en") -> tuple[Sample, ...]:
    file = tmp_path / "test.json"
    file.write_text(json.dumps(list(rows)))
    return BENCHMARK.data.load(file, Options(values={"language": language}))


def test_a_record_is_six_samples_of_one_cluster_that_share_a_database(tmp_path: Path) -> None:
    samples = load(tmp_path, ROW)
    assert [sample.id for sample in samples] == [
        f"multi_step_wo_rep/7/{variant}/{level}"
        for variant in ("solvable", "unsolvable")
        for level in (1, 2, 3)
    ]
    assert {sample.cluster for sample in samples} == {"multi_step_wo_rep/7"}
    assert samples[5].groups == {
        "scenario": "MNT", "subtask": "multi_step_wo_rep", "level": "level_3", "variant": "unsolvable"
    }  # fmt: skip
    samples = load(tmp_path, ROW, {**ROW, "id": 8})
    first, second = samples[5].gold, samples[11].gold
    assert first.database.descriptions == ("does a", "does b", "ends", "does a", "does b", "ends")
    assert first.database.descriptions is second.database.descriptions
    assert (first.needed[0].row, second.needed[0].row) == (1, 4)
    row = {key: value for key, value in ROW.items() if key != "id"}
    assert load(tmp_path, ROW, row)[6].id == "multi_step_wo_rep/1/solvable/1"


@pytest.mark.parametrize(
    ("change", "said"), cases(__file__, "a_mistake_in_a_record_is_one_line_that_names_it")
)
def test_a_mistake_in_a_record_is_one_line_that_names_it(tmp_path: Path, change: Any, said: str) -> None:
    with pytest.raises(DataError) as caught:
        load(tmp_path, {**ROW, **change})
    assert "7" in str(caught.value)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_field_an_id_twice_and_another_language_are_refused(tmp_path: Path) -> None:
    row = {key: value for key, value in ROW.items() if key != "unsolvable_tools"}
    with pytest.raises(DataError, match=r"item 7 .*'unsolvable_tools' is missing"):
        load(tmp_path, row)
    with pytest.raises(DataError, match=r"multi_step_wo_rep/7.* 2 times"):
        load(tmp_path, ROW, ROW)
    with pytest.raises(DataError, match="--language en"):
        load(tmp_path, ROW, language="zh")


@pytest.mark.parametrize("text", ["{", '{"a": 1}', "[1]", "[" * 100_000])
def test_files_in_another_form_are_refused_in_one_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "test.json"
    file.write_text(text)
    with pytest.raises(DataError) as caught:
        BENCHMARK.data.load(file, Options())
    assert "\n" not in str(caught.value)


def test_a_folder_without_the_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no test_en\.json"):
        BENCHMARK.data.load(tmp_path, Options())


def test_a_needed_tool_that_is_not_listed_is_a_finding_and_does_not_stop_the_load(tmp_path: Path) -> None:
    samples = load(tmp_path, {**ROW, "planning_tools": ["A", "C", "Finish"]})
    assert BENCHMARK.data.audit is not None
    findings = BENCHMARK.data.audit(tmp_path / "test.json", samples)
    assert any(finding.what.startswith("G4") for finding in findings)
    unreadable = {finding.where for finding in findings if finding.kind == "official_unreadable"}
    assert "multi_step_wo_rep/7/unsolvable/3" in unreadable


def test_predictions_are_aligned_by_place_and_gaps_are_not_zeros(tmp_path: Path) -> None:
    samples = load(tmp_path, ROW, {**ROW, "id": 8})
    file = tmp_path / "results.json"
    file.write_text(json.dumps({"multi_step_wo_rep": {"level_1": [{"solvable": "", "unsolvable": "x"}]}}))
    found = {
        transcript.sample: transcript for transcript in BENCHMARK.scoring.read_predictions(file, samples[6:])
    }
    assert set(found) == {"multi_step_wo_rep/8/solvable/1", "multi_step_wo_rep/8/unsolvable/1"}
    assert all(item.error and item.error.kind == "missing_prediction" for item in found.values())
    first = {
        transcript.sample: transcript for transcript in BENCHMARK.scoring.read_predictions(file, samples[:6])
    }
    assert first["multi_step_wo_rep/7/solvable/1"].completions[0].text == ""
    assert first["multi_step_wo_rep/7/unsolvable/1"].text == "x"


@pytest.mark.parametrize("content", ["[]", '{"oracle": {}}', "{", '{"os": {"level_1": [{"solvable": 3}]}}'])
def test_predictions_in_another_form_are_refused(tmp_path: Path, content: str) -> None:
    samples = load(tmp_path, {**ROW, "subtask": "os"})
    file = tmp_path / "results.json"
    file.write_text(content)
    with pytest.raises(DataError):
        BENCHMARK.scoring.read_predictions(file, samples)


@pytest.mark.parametrize(
    ("pair", "said"), [("text", r"os/level_1\[0\] is a str"), ({"solvable": 3}, r"\[0\]\.solvable is a int")]
)
def test_a_prediction_of_another_type_is_named_with_its_place(tmp_path: Path, pair: Any, said: str) -> None:
    samples = load(tmp_path, {**ROW, "subtask": "os"})
    file = tmp_path / "results.json"
    file.write_text(json.dumps({"os": {"level_1": [pair]}}))
    with pytest.raises(DataError, match=said):
        BENCHMARK.scoring.read_predictions(file, samples)
