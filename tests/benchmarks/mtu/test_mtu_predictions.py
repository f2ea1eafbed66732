"""Saved answers are aligned by row, else by id, repeated ids in order."""

import json
from pathlib import Path

import pytest

from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.data.rows import RawRow, build
from toolyard.benchmarks.mtu.scoring.predictions import read_predictions
from toolyard.core.errors import DataError
from toolyard.core.types import Options, Sample

QUESTION = 'Rules.\nTools: [{"name": "t", "description": "d"}]\nUser: Go.'


def samples(*ids: str) -> tuple[Sample, ...]:
    return tuple(build([RawRow(name, QUESTION, {}, "", "here") for name in ids], "M-M"))


def write(folder: Path, name: str, *rows: dict[str, object]) -> Path:
    (folder / name).write_text("\n".join(json.dumps(row) for row in rows))
    return folder


def test_rows_align_by_number_and_others_by_id_in_order(tmp_path: Path) -> None:
    given = samples("M-M_1_0", "M-M_2_0", "M-M_1_0")
    by_row = [{"row": 2, "id": "M-M_1_0", "response": "c"}, {"row": 0, "id": "M-M_1_0", "response": "a"}]
    write(tmp_path, "M-M.jsonl", *by_row, {"id": "M-M_2_0", "response": "b"})
    assert [found.text for found in read_predictions(tmp_path, given)] == ["a", "b", "c"]
    by_id = [
        {"id": "M-M_1_0", "response": "a"},
        {"id": "M-M_2_0", "response": ""},
        {"id": "M-M_1_0", "response": "c"},
    ]
    write(tmp_path, "M-M.jsonl", *by_id)
    found = read_predictions(tmp_path, given)
    assert [each.text for each in found] == ["a", "", "c"]
    assert all(each.error is None for each in found)


def test_a_missing_row_is_a_missing_prediction_and_a_surplus_one_is_noted(tmp_path: Path) -> None:
    rows = [{"id": "M-M_1_0", "response": "a"}, {"id": "M-M_1_0", "response": "b"}]
    write(tmp_path, "M-M_gpt4_response.jsonl", *rows)
    first, second = read_predictions(tmp_path, samples("M-M_1_0", "M-M_2_0"))
    assert (first.text, first.notes) == ("a", {"surplus_answers_with_this_id": 1})
    assert second.error is not None
    assert second.error.kind == "missing_prediction"


def test_a_setting_without_a_file_is_not_evaluated(tmp_path: Path) -> None:
    starter = BENCHMARK.data.load(BENCHMARK.data.starter, Options())
    write(tmp_path, "S-S.jsonl", *({"id": f"S-S_{n}", "response": ""} for n in range(14)))
    assert {found.sample.split("_")[0] for found in read_predictions(tmp_path, starter)} == {"S-S"}


@pytest.mark.parametrize(
    ("name", "row", "message"),
    [
        ("other.jsonl", {}, "holds no predictions"),
        ("M-M.jsonl", {"id": "M-M_1_0"}, "no text in `response`"),
        ("M-M.jsonl", {"response": "a"}, "neither `row` nor `id`"),
        ("M-M.jsonl", {"id": "S-S_9", "response": "a"}, "answers none of the 1 rows"),
    ],
)
def test_files_in_another_form_are_named(
    tmp_path: Path, name: str, row: dict[str, object], message: str
) -> None:
    write(tmp_path, name, row)
    with pytest.raises(DataError, match=message):
        read_predictions(tmp_path, samples("M-M_1_0"))


def test_an_empty_file_answers_no_row(tmp_path: Path) -> None:
    write(tmp_path, "M-M.jsonl")
    found = read_predictions(tmp_path, samples("M-M_1_0"))
    assert [item.error and item.error.kind for item in found] == ["missing_prediction"]


def test_a_lone_surrogate_is_an_answer(tmp_path: Path) -> None:
    write(tmp_path, "M-M.jsonl", {"id": "M-M_1_0", "response": "\ud83d"})
    assert [found.text for found in read_predictions(tmp_path, samples("M-M_1_0"))] == ["\ud83d"]


def test_a_setting_that_the_data_do_not_hold_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, "S-S.jsonl", {"id": "S-S_0", "response": "a"})
    with pytest.raises(DataError, match="answers no setting of the data given; wanted one of M-M"):
        read_predictions(tmp_path, samples("M-M_1_0"))
    write(tmp_path, "M-M.jsonl", {"id": "M-M_1_0", "response": "b"})
    assert [found.text for found in read_predictions(tmp_path, samples("M-M_1_0"))] == ["b"]


def test_two_files_for_one_setting_are_refused(tmp_path: Path) -> None:
    row = {"id": "M-M_1_0", "response": "a"}
    write(tmp_path, "M-M_a_response.jsonl", row)
    write(tmp_path, "M-M_b_response.jsonl", row)
    with pytest.raises(DataError, match="several files for M-M"):
        read_predictions(tmp_path, samples("M-M_1_0"))
