"""What `outcome` grants in NesTools, and what it does not."""

import json
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.benchmarks.nestools.scoring.parse import parse
from toolyard.benchmarks.nestools.scoring.score import score
from toolyard.benchmarks.nestools.synth.written_rows import written_rows
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options, Sample, Transcript
from toolyard.run.grade.grading import grade

ROW = cases(__file__, "ROW")


def sample(folder: Path, distractors: list[Any] | None = None) -> Sample:
    path = folder / "test_data.jsonl"
    path.write_text(json.dumps(ROW) + "\n", encoding="utf-8")
    found = BENCHMARK.data.load(path, Options())[0]
    return found if distractors is None else found.with_input({"distractors": distractors})


def answer(
    find: Any = None, labels: Any = None, book: Any = None, names: tuple[Any, Any] = ("find_trail", 0)
) -> str:
    calls = [
        {
            "api_name": names[0],
            "api_id": names[1],
            "parameters": {"region": "Tatras", "season": "autumn"} | (find or {}),
            "responses": labels
            if labels is not None
            else {"trail_code": "API_call_0", "length": "API_call_1"},
        },
        {
            "api_name": "book_hut",
            "api_id": 1,
            "parameters": {"trail": "API_call_0", "beds": 4} | (book or {}),
            "responses": {"receipt": "API_call_2"},
        },
    ]
    return json.dumps(calls)


def outcome(record: Sample, text: str) -> float | None:
    return score(record, parse(record, Transcript.answered("1", text), "paper"), {}, "paper").values[
        "outcome"
    ]


@pytest.mark.parametrize(
    ("given", "worth"),
    [
        (given, worth)
        for name, worth in (("granted", 1.0), ("refused", 0.0))
        for given in cases(__file__, name)
    ],
)
def test_what_is_right_is_granted_alone(tmp_path: Path, given: dict[str, Any] | str, worth: float) -> None:
    text = answer(**given) if isinstance(given, dict) else given
    assert outcome(sample(tmp_path), text) == worth


LAKE = cases(__file__, "LAKE")


@pytest.mark.parametrize("names", [("find_lake", 0), ("find_trail", 9), ("find_lake", 9)])
def test_runs_and_saved_predictions_agree_on_names_and_ids(tmp_path: Path, names: tuple[str, int]) -> None:
    text = answer(names=names)
    shown, unknown = sample(tmp_path, [LAKE]), sample(tmp_path)
    assert outcome(shown, text) == outcome(unknown, text) == float(names[0] == "find_trail")
    found = [
        score(each, parse(each, Transcript.answered("1", text), "paper"), {}, "paper")
        for each in (shown, unknown)
    ]
    assert found[0].counts == found[1].counts


@each_case("about, codes, right")
def test_references_in_a_list_have_an_order_where_documents_say_so(
    tmp_path: Path, about: str, codes: list[str], right: float
) -> None:
    row = cases(__file__, "joined")
    row["api"][1]["parameters"]["codes"]["description"] = about
    path = tmp_path / "test_data.jsonl"
    path.write_text(json.dumps(row) + "\n", "utf-8")
    sample = BENCHMARK.data.load(path, Options())[0]
    answer = json.loads(json.dumps(row["call"]))
    answer[0]["parameters"]["region"] = "NGC12"
    answer[2]["parameters"]["codes"] = codes
    prediction = parse(sample, Transcript.answered(sample.id, json.dumps(answer)), "paper")
    assert score(sample, prediction, {}, "paper").values["outcome"] == right


ANSWERS = Path(__file__).parent / "outcome_answers.jsonl"


def test_outcome_agrees_with_every_label() -> None:
    samples = {each.id: each for each in BENCHMARK.data.load(BENCHMARK.data.starter, Options("default"))}
    setup, wrong, number = RunSetup.default(BENCHMARK), [], 0
    for row in map(json.loads, ANSWERS.read_text("utf-8").splitlines()):
        if row["sample"] not in samples:  # the record left the set
            continue
        answer = Transcript.answered(row["sample"], row["answer"])
        found = grade(setup, samples[row["sample"]], answer, {}, "paper").score.values["outcome"]
        number += 1
        if found != float(row["right"]):
            wrong.append(f"{row['sample']}, {row['kind']}: outcome {found}")
    assert number > 60
    assert wrong == []


def test_what_written_rows_accept_stands_in_their_records() -> None:
    lines = (load_benchmark("nestools").data.starter / "test_data.jsonl").read_text("utf-8").splitlines()
    records = {record["task"]: record for record in map(json.loads, lines)}
    accepting = [row for row in written_rows() if row.accepts]
    assert len(accepting) > 30
    for row in accepting:
        alternatives = records[row.query]["alternatives"]
        for place, changed in row.accepts:
            if "" in changed.values():
                assert [entry for entry in alternatives if entry.get("call") == place and "tool" in entry]
                continue
            for name, value in changed.items():
                assert {"call": place, "parameter": name, "values": [value]} in alternatives


def test_another_reading_of_a_written_row_is_right_as_well() -> None:
    samples = BENCHMARK.data.load(BENCHMARK.data.starter, Options("default"))
    by_query = {sample.input["query"]: sample for sample in samples}
    reading = [row for row in written_rows() if row.readings]
    assert len(reading) > 5
    for row in reading:
        record = by_query[row.query]
        returns = {tool["api_name"]: list(tool["responses"]) for tool in record.input["tools"]}
        for place, changed in row.readings:
            calls = [{**call, "parameters": {**call["parameters"]}} for call in record.gold["calls"]]
            first = dict(zip(returns[calls[0]["api_name"]], calls[0]["responses"], strict=True))
            for name, value in changed.items():
                words = value if isinstance(value, str) else ""
                label = words.removeprefix("author:$1.")
                calls[place]["parameters"][name] = f"author:{first[label]}" if label != words else value
            assert outcome(record, json.dumps(calls)) == 1.0, (row.place, changed)


def test_no_request_asks_the_statistics_of_teams_for_rebounds() -> None:
    tools = ("game_statistics", "team_statistics")
    asking = [row for row in written_rows() if any(step.tool.endswith(tools) for step in row.plan)]
    assert asking
    assert not [row.place for row in asking if "rebound" in row.query]
