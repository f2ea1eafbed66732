"""Loading: what is read, how mistakes are named; saved predictions, published figures and tables."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from nestools_ferry import FERRY, IDS, ROW, WEATHER, write_data
from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.core.benchmark import PublishedRow
from toolyard.core.errors import DataError
from toolyard.core.types import Failure, Options, Sample, Transcript


def load(path: Path) -> Any:
    return BENCHMARK.data.load(path, Options())


def test_records_carry_query_tools_with_ids_and_groups_from_a_file_or_its_folder(tmp_path: Path) -> None:
    (sample,) = load(write_data(tmp_path, [ROW], [IDS]))
    assert sample.id == "7"
    assert sample.input["query"] == ROW["task"]
    assert [(tool["api_name"], tool["api_id"]) for tool in sample.input["tools"]] == [
        ("find_ferry", 311),
        ("book_seats", 96),
        ("split_costs", 20),
    ]
    assert [call["api_id"] for call in sample.gold["calls"]] == [311, 311, 96, 20]
    assert sample.groups == {"depth": "2", "structure": "other", "domain": "Travel"}
    folder = write_data(tmp_path, [ROW], [IDS])
    assert load(folder) == load(folder / "test_data.jsonl")


def test_without_an_ids_file_the_same_tool_has_the_same_number(tmp_path: Path) -> None:
    second = {**ROW, "test_id": 8, "api": [ROW["api"][2], ROW["api"][0], ROW["api"][1]]}
    first_sample, second_sample = load(write_data(tmp_path, [ROW, second]))
    assert [tool["api_id"] for tool in first_sample.input["tools"]] == [0, 1, 2]
    assert [tool["api_id"] for tool in second_sample.input["tools"]] == [2, 0, 1]


@each_case(
    "change, said",
    besides=[({"api": [{**FERRY, "responses": []}]}, "field api[0].responses: wanted an object, found list")],
)
def test_mistakes_are_named_by_line_and_field(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    path = write_data(tmp_path, [{**ROW, "test_id": 1}, {**ROW, **change}])
    with pytest.raises(DataError) as raised:
        load(path)
    assert "test_data.jsonl line 2: " in str(raised.value)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_ids_occur_once_and_fit_the_tools(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="line 2: field test_id: wanted an id that occurs once"):
        load(write_data(tmp_path, [ROW, ROW], [IDS]))
    with pytest.raises(DataError, match="field api: wanted as many tools"):
        load(write_data(tmp_path, [ROW], [{"test_id": 7, "api_ids": [1]}]))
    with pytest.raises(DataError, match="field test_id: wanted an id that"):
        load(write_data(tmp_path, [ROW], [{"test_id": 8, "api_ids": [1]}]))


@pytest.mark.parametrize(
    ("text", "said"),
    [("{broken\n", "line 1 is not JSON"), ("[1]\n", "line 1: found list"), ("", "has no records")],
)
def test_files_of_another_form_are_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "test_data.jsonl").write_text(text, "utf-8")
    with pytest.raises(DataError, match=said):
        load(tmp_path)


def test_a_missing_file_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"holds test_data\.jsonl .* come with: toolyard fetch nestools"):
        load(tmp_path)


def test_distractors_are_read_as_tools_or_as_ids_of_the_pool(tmp_path: Path) -> None:
    folder = write_data(tmp_path, [ROW], [IDS])
    (folder / "pool.jsonl").write_text(json.dumps(WEATHER) + "\n", "utf-8")
    for item in (4000, WEATHER):
        (folder / "distractors.jsonl").write_text(json.dumps({"test_id": 7, "distractors": [item]}), "utf-8")
        assert load(folder)[0].input["distractors"] == [WEATHER]
    (folder / "distractors.jsonl").write_text(json.dumps({"test_id": 7, "distractors": [1]}), "utf-8")
    with pytest.raises(DataError, match=r"field distractors\[0\]: wanted a tool"):
        load(folder)


def test_the_starter_set_has_the_shapes_of_the_paper() -> None:
    samples = load(BENCHMARK.data.starter)
    assert len(samples) >= 40
    structures = Counter(sample.groups["structure"] for sample in samples)
    assert all(structures[name] >= 4 for name in BENCHMARK.scoring.groupings[1].keys)
    assert set(Counter(sample.groups["depth"] for sample in samples)) == {"1", "2", "3+"}
    assert all("distractors" in sample.input for sample in samples)


def test_official_statistics_are_those_of_the_paper_without_a_defect(shared: Path) -> None:
    path = shared / "data" / "nestools"
    tables = {table.title: dict(table.rows) for table in BENCHMARK.data.statistics(path, load(path))}  # type: ignore[misc]
    table_1 = tables["Table 1"]
    assert table_1["tools"] == 3034
    assert table_1["distinct tool names"] == 2799
    assert round(table_1["required parameters per tool"], 3) == 2.243
    assert round(table_1["parameters per tool"], 3) == 2.493
    assert table_1["instances"] == table_1["instances with several calls"] == 1000
    assert table_1["instances with nested calls"] == 830
    assert (table_1["calls"], table_1["calls per instance"]) == (3036, 3.036)
    assert table_1["domains"] == 146
    assert tables["records by number of calls"] == {2: 84, 3: 830, 4: 53, 5: 32, 6: 1}
    assert tables["records by nesting depth"] == {1: 170, 2: 458, 3: 354, 4: 17, 5: 1}
    assert tables["records by structure"] == cases(__file__, "records_by_structure_of_the_paper")
    assert tables["gold parameters"] == cases(__file__, "gold_parameters_of_the_paper")
    assert BENCHMARK.data.audit is not None
    findings = BENCHMARK.data.audit(path, load(path))
    assert Counter((each.kind, each.severity) for each in findings) == {("not_in_query", "note"): 490}


@each_case("call, kind")
def test_the_audit_names_what_is_wrong(tmp_path: Path, call: dict[str, Any], kind: str) -> None:
    row = {**ROW, "call": [{**ROW["call"][0], **call}]}
    path = write_data(tmp_path, [row], [IDS])
    assert BENCHMARK.data.audit is not None
    assert kind in {finding.kind for finding in BENCHMARK.data.audit(path, load(path))}


ASPECTS = ("selection", "order", "parameter", "nested")
# A printed figure lies this far from the computed one at the most.
HALF_A_DIGIT = 0.0005


def write(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture
def two(ferry: Sample) -> tuple[Sample, ...]:
    return (ferry, Sample("8", ferry.input, ferry.gold))


def test_predictions_become_trials_failures_empty_answers(tmp_path: Path, two: tuple[Sample, ...]) -> None:
    rows = [
        {"test_id": 7, "response": "[]", "model": "ignored"},
        {"test_id": "7", "response": None},
        {"test_id": 7, "response": -1},
    ]
    first, second, third, missing = BENCHMARK.scoring.read_predictions(write(tmp_path / "p.jsonl", rows), two)
    assert (first.sample, first.trial, first.text, first.error) == ("7", 0, "[]", None)
    assert (second.trial, second.text, second.error) == (1, "", None)
    assert (third.trial, third.error) == (2, Failure("request_failed", "the response is -1"))
    assert missing == Transcript("8", error=Failure("missing_prediction", "p.jsonl has no line for it"))


@each_case("row, said")
def test_prediction_rows_of_another_form_are_refused(
    tmp_path: Path, two: tuple[Sample, ...], row: dict[str, Any], said: str
) -> None:
    with pytest.raises(DataError, match=f"line 1: {said}"):
        BENCHMARK.scoring.read_predictions(write(tmp_path / "p.jsonl", [row]), two)


def test_an_empty_file_has_no_answer_and_a_folder_holds_one(tmp_path: Path, two: tuple[Sample, ...]) -> None:
    found = BENCHMARK.scoring.read_predictions(write(tmp_path / "p.jsonl", []), two)
    assert [item.error and item.error.kind for item in found] == ["missing_prediction"] * 2
    with pytest.raises(DataError, match=r"a folder without predictions\.jsonl"):
        BENCHMARK.scoring.read_predictions(tmp_path, two)


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def figure(row: PublishedRow, name: str) -> float:
    value = row.figures[name]
    assert value is not None
    return value


def test_twenty_two_models_are_published() -> None:
    assert len(BENCHMARK.published) == len({row.model for row in BENCHMARK.published}) == 22
    assert {row.kind for row in BENCHMARK.published} == {"open", "closed"}
    assert all(
        set(row.figures) <= {metric.name for metric in BENCHMARK.scoring.metrics}
        for row in BENCHMARK.published
    )


@pytest.mark.parametrize("row", BENCHMARK.published, ids=lambda row: row.model)
def test_published_averages_and_f1_follow_from_precision_and_recall(row: PublishedRow) -> None:
    mean = sum(figure(row, f"{aspect}_f1") for aspect in ASPECTS) / 4
    assert figure(row, "average") == pytest.approx(mean, abs=2 * HALF_A_DIGIT + 1e-9)
    for aspect in ASPECTS:
        precision, recall = figure(row, f"{aspect}_precision"), figure(row, f"{aspect}_recall")
        low = f1(max(0, precision - HALF_A_DIGIT), max(0, recall - HALF_A_DIGIT)) - HALF_A_DIGIT
        high = f1(precision + HALF_A_DIGIT, recall + HALF_A_DIGIT) + HALF_A_DIGIT
        assert low - 1e-9 <= figure(row, f"{aspect}_f1") <= high + 1e-9, aspect


def test_the_fetched_files_are_the_pinned_ones(shared: Path) -> None:
    import hashlib

    for source in BENCHMARK.data.sources:
        content = (shared / "data" / "nestools" / source.path).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (source.size, source.sha256)


def test_error_tables_show_every_label(ferry: Sample) -> None:
    transcript = Transcript(ferry.id)
    prediction = BENCHMARK.scoring.parse(ferry, transcript, "paper")
    score = BENCHMARK.scoring.score(ferry, prediction, {}, "paper")
    assert BENCHMARK.scoring.analysis is not None
    errors, unreadable = BENCHMARK.scoring.analysis([(ferry, transcript, score)], "paper")
    assert {(row[0], row[1]) for row in errors.rows} == {
        (name, label) for name, labels in BENCHMARK.scoring.errors.items() for label in labels
    }
    assert ("tool", "format", 1, 1.0, 1) in errors.rows
    assert unreadable.rows == (("empty", 1, 1.0),)


def test_decoding_is_that_of_the_release() -> None:
    assert (BENCHMARK.task.decoding_on().temperature, BENCHMARK.task.decoding_on().max_tokens) == (0.0, 768)


def test_readme_lists_every_deviation() -> None:
    text = (BENCHMARK.data.starter.parent / "README.md").read_text("utf-8")
    for deviation in BENCHMARK.deviations:
        assert deviation.size.split(": ", 1)[1] in text, deviation.size
