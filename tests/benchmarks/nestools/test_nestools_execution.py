"""What execution grants in rows of the starter and the hard set, by classes of other answers, and what it does not."""

import json
from typing import Any

import pytest

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options, Transcript
from toolyard.run.grade.evidence import executed_book
from toolyard.run.grade.grading import grade_all

SETUP = RunSetup.default(load_benchmark("nestools"))
DATA = SETUP.benchmark.data
ROWS = {
    sample.id: sample
    for folder in (DATA.starter, DATA.hard)
    if folder is not None
    for sample in DATA.load(folder, Options())
}


def outcome(row: str, place: int, changed: dict[str, Any], order: list[int] | None = None) -> float | None:
    """The verdict on gold's calls with some arguments of one changed, or left out where they are None."""
    calls = [dict(call) for call in ROWS[row].gold["calls"]]
    calls[place]["parameters"] = {
        name: value for name, value in {**calls[place]["parameters"], **changed}.items() if value is not None
    }
    answer = json.dumps([calls[index] for index in order or range(len(calls))])
    transcripts = [Transcript.answered(row, answer)]
    book = executed_book(SETUP, (ROWS[row],), transcripts)
    (graded,) = grade_all(SETUP, (ROWS[row],), transcripts, book, "paper")
    return graded.score.values["outcome"]


@pytest.mark.parametrize(
    ("path", "right"), [("/workspace/demo.txt", 1.0), ("/workspace/demo2.txt", 0.0), ("/tmp/demo.txt", 0.0)]
)
def test_a_whole_path_is_the_same_file_and_the_order_of_draws_tells_nothing(path: str, right: float) -> None:
    assert outcome("1468", 1, {"file_path": path}, [2, 0, 1]) == right


@pytest.mark.parametrize(("ages", "right"), [([], 1.0), (None, 0.0), ([[3]], 0.0)])
def test_an_empty_list_says_that_there_are_none(ages: list[Any] | None, right: float) -> None:
    assert outcome("1592", 1, {"children_ages_list": ages}) == right


@pytest.mark.parametrize(
    ("day", "right"),
    [
        ("2024-04-01", 1.0),
        ("2024-04-01T00:00", 1.0),
        ("20240401", 1.0),
        # the tool does not read words
        ("1 April 2024", 0.0),
        ("2024-04-02", 0.0),
        ("2024-01-04", 0.0),
    ],
)
def test_a_day_may_be_written_as_the_tool_reads_it(day: str, right: float) -> None:
    assert outcome("1460", 2, {"time_from": day}) == right


@pytest.mark.parametrize(("month", "right"), [("2024-10-15", 1.0), ("2024-11-01", 0.0), ("2023-10-01", 0.0)])
def test_any_day_stands_for_its_month_where_the_document_says_so(month: str, right: float) -> None:
    assert outcome("3020", 1, {"month": month}) == right


@pytest.mark.parametrize(
    ("fields", "right"), [(["year", "title"], 1.0), (["title"], 0.0), (["title", "venue"], 0.0)]
)
def test_fields_may_be_asked_for_in_any_order(fields: list[str], right: float) -> None:
    assert outcome("3056", 3, {"fields": fields}) == right


@pytest.mark.parametrize(
    ("row", "place", "changed", "right"),
    [
        ("3119", 0, {"keywords": "ADBE"}, 1.0),
        ("3119", 1, {"keywords": "INTC"}, 1.0),
        ("3119", 1, {"keywords": "INTU"}, 0.0),
        ("3014", 3, {"origin": "CPH"}, 1.0),
        # the airport of arrival does not tell where the flight begins
        ("3004", 2, {"origin": "MUC"}, 0.0),
        ("3020", 1, {"origin": "AMS"}, 0.0),
    ],
)
def test_a_lookup_by_what_it_finds_is_right(
    row: str, place: int, changed: dict[str, Any], right: float
) -> None:
    assert outcome(row, place, changed) == right


@pytest.mark.parametrize(("ids", "right"), [(["API_call_6"], 1.0), (None, 0.0), (["API_call_7"], 0.0)])
def test_an_id_that_was_found_by_the_name_states_the_name(ids: list[str] | None, right: float) -> None:
    assert outcome("3027", 0, {"symbol": None, "id": ids}, [2, 0, 1, 3, 4, 5]) == right


@pytest.mark.parametrize("order", ["population", "name", "-name"])
def test_a_minus_turns_an_order(order: str) -> None:
    assert outcome("3011", 1, {"sort_by": order}) == 0.0


@pytest.mark.parametrize(
    ("place", "changed", "right"),
    [
        (6, {"query": "quantum error correction"}, 0.0),
        (3, {"file_path": "qec.txt"}, 1.0),
        (3, {"file_path": "qec.pdf"}, 0.0),
    ],
)
def test_a_part_of_a_result_is_not_the_result(place: int, changed: dict[str, Any], right: float) -> None:
    assert outcome("3059", place, changed) == right
