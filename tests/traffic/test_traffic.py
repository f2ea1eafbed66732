"""Recorded traffic: both forms, every figure, and drafts that the benchmark reads."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cases import cases
from toolyard.benchmarks import load_benchmark
from toolyard.cli.app import app
from toolyard.core.errors import DataError
from toolyard.core.types import Options
from toolyard.review.label_export import export_review
from toolyard.review.review_requests import RowDesk
from toolyard.review.review_sitting import open_review
from toolyard.review.review_subject import DataSubject, ReviewTarget
from toolyard.traffic.log_reading import read_traffic
from toolyard.traffic.row_drafts import draft_rows
from toolyard.traffic.traffic_scoring import FIGURES, estimate_figures, judge_trajectory
from toolyard.traffic.unsupported_claims import unsupported_claims

BUS = cases(__file__, "BUS")
USER = {"role": "user", "content": "A bus from Oslo to Bergen, please."}


def call(arguments: str, name: str = "find_bus", identity: str = "c1") -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": identity, "type": "function", "function": function}],
    }


def result(text: str, identity: str = "c1") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": identity, "content": text}


def said(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


GOOD = call('{"from": "Oslo", "to": "Bergen"}')


def log(tmp_path: Path, *conversations: list[dict[str, Any]]) -> Path:
    """A log with one request per assistant message, as a client writes it."""
    lines = []
    for messages in conversations:
        for place, message in enumerate(messages):
            if message["role"] == "assistant":
                request = {"model": "m", "messages": messages[:place], "tools": [BUS]}
                lines.append({"request": request, "response": {"choices": [{"message": message}]}})
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def found(path: Path) -> list[tuple[str, str]]:
    return [(one.figure, one.why) for item in read_traffic(path) for one in judge_trajectory(item).findings]


def test_requests_that_repeat_an_earlier_one_are_one_conversation(tmp_path: Path) -> None:
    path = log(
        tmp_path, [USER, GOOD, result('{"departs": "09:40", "price": 399.5}'), said("At 9:40, 399.5 kroner.")]
    )
    (only,) = read_traffic(path)
    assert [turn.role for turn in only.turns] == ["user", "assistant", "tool", "assistant"]
    assert only.answer == "At 9:40, 399.5 kroner."
    assert found(path) == []


@pytest.mark.parametrize(
    ("wrong", "figure", "why"),
    [
        (call('{"from": "Oslo", '), "format", "is no JSON object"),
        (call('["Oslo"]'), "format", "(list)"),
        (call("{}", name="find_train"), "tool_reality", "'find_train' was not offered"),
        (call('{"from": "Oslo", "to": "Bergen", "day": 1}'), "parameter_reality", "no parameter 'day'"),
        (call('{"from": "Oslo"}'), "parameter_reality", "'to' is missing"),
        (
            call('{"from": "Oslo", "to": "B", "seats": true}'),
            "parameter_reality",
            "'seats' is bool, wanted integer",
        ),
        (call('{"from": "Oslo", "to": "B", "class": "third"}'), "parameter_reality", "none of first, second"),
    ],
)
def test_a_call_out_of_order_is_found(tmp_path: Path, wrong: dict[str, Any], figure: str, why: str) -> None:
    ((where, told),) = found(log(tmp_path, [USER, wrong, result("{}")]))
    assert where == figure
    assert why in told


def test_repeated_calls_and_failures_that_nothing_follows_are_found(tmp_path: Path) -> None:
    again = call('{"to": "Bergen", "from": "Oslo"}', identity="c2")
    twice = [USER, GOOD, result("{}"), again, result("{}", "c2"), said("Done.")]
    assert found(log(tmp_path, twice)) == [
        ("no_repetition", "find_bus is called again with the same arguments")
    ]
    failed = [USER, GOOD, result('{"error": "timeout"}'), again, result("{}", "c2"), said("Done.")]
    assert found(log(tmp_path, failed)) == []
    given_up = [USER, GOOD, result("Error: no such town"), said("I could not find one.")]
    assert found(log(tmp_path, given_up)) == [("recovery", "find_bus failed and never succeeded afterwards")]


def test_claims_stand_in_a_message_or_result_or_are_reported() -> None:
    sources = ["From Oslo to Bergen.", '{"price": 1234.56, "share": 0.375, "at": "09:40"}']
    assert unsupported_claims("It costs 1,234.56, or about 1235, leaves Oslo at 9:40.", sources) == ([], 4)
    assert unsupported_claims("That is 37.5 percent in 3 steps.", sources) == ([], 1)
    missing, count = unsupported_claims("It costs 99.5 and stops in Trondheim at 10:15.", sources)
    assert (missing, count) == (["99.5", "10:15", "Trondheim"], 3)
    assert unsupported_claims("", sources) == ([], 0)
    for shown in ('{"due": "2026-12-24"}', "December 24, 2026"):
        assert unsupported_claims("Due 2026-12-24.", [shown]) == ([], 1)
    assert unsupported_claims("Due 2026-12-24.", ['{"due": "2026-12-04"}']) == (["2026-12-24"], 1)


def otlp(path: Path, spans: list[dict[str, Any]]) -> Path:
    path.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}))
    return path


def test_traces_are_read_from_messages_and_from_spans_of_tools(tmp_path: Path) -> None:
    spans = cases(__file__, "spans")
    first, second = read_traffic(otlp(tmp_path / "t.json", spans))
    assert [turn.role for turn in first.turns] == ["user", "assistant", "tool", "assistant"]
    assert (first.answer, first.model) == ("It leaves at 9:40.", "m")
    assert [each.why for each in judge_trajectory(first).findings] == ["find_bus: 'from' is missing"]
    assert second.turns[1].error
    assert [each.figure for each in judge_trajectory(second).findings] == ["recovery"]


@pytest.mark.parametrize(
    "text", ["", "nonsense", "[1, 2]", '{"a": 1}', '{"resourceSpans": []}', '{"messages": 3}']
)
def test_a_file_of_another_form_is_one_clear_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(DataError, match="wanted OTLP JSON") as caught:
        read_traffic(path)
    assert "\n" not in str(caught.value)


def test_figures_are_shares_over_all_calls(tmp_path: Path) -> None:
    path = log(
        tmp_path, [USER, GOOD, result("{}"), said("Done.")], [USER, call("{}", name="none"), result("{}")]
    )
    figures = estimate_figures([judge_trajectory(item) for item in read_traffic(path)])
    assert set(figures) == set(FIGURES)
    assert figures["tool_reality"].value == 0.5
    assert figures["format"].value == 1.0
    assert figures["recovery"].value is None


def test_failing_ones_become_draft_rows_that_the_benchmark_reads(tmp_path: Path) -> None:
    early = [USER, GOOD, result("{}"), said("There is one.")]
    later = [
        {"role": "user", "content": "And back?"},
        call('{"from": "Bergen"}', identity="c2"),
        result("{}", "c2"),
    ]
    path = log(tmp_path, [*early, *later], [USER, GOOD, result("{}"), said("Done.")])
    folder = tmp_path / "drafts"
    done = CliRunner().invoke(
        app, ["traffic", str(path), "--export", str(folder), "--html", str(tmp_path / "t.html")]
    )
    assert done.exit_code == 0, done.output
    assert "<script>alert" not in (tmp_path / "t.html").read_text()
    (row,) = [json.loads(line) for line in (folder / "traffic.jsonl").read_text().splitlines()]
    assert row["answer"] == {"find_bus": {"from": "Bergen"}}
    assert row["review"]["found"] == ["parameter_reality: find_bus: 'to' is missing"]
    (sample,) = load_benchmark("mtu").data.load(folder, Options("default"))
    assert sample.draft
    assert sample.input["user"] == "And back?"
    assert [turn["user"] for turn in sample.input["history"]] == [USER["content"]]
    assert sample.gold["calls"][0]["name"] == "find_bus"
    assert list(draft_rows([])) == []
    shown = json.loads(CliRunner().invoke(app, ["traffic", str(path), "--json"]).stdout)
    assert (shown["trajectories"], shown["failing"]) == (2, 1)


def test_drafts_make_no_figures_until_they_are_reviewed(tmp_path: Path) -> None:
    path = log(tmp_path, [USER, call('{"from": "Oslo"}'), result("{}")])
    folder, runs = tmp_path / "drafts", ["--runs", str(tmp_path / "runs")]
    assert CliRunner().invoke(app, ["traffic", str(path), "--export", str(folder)]).exit_code == 0
    for words in (["run", "mtu", "-m", "scripted/oracle", *runs], ["check", "mtu"]):
        with pytest.raises(DataError, match="1 of 1 rows are drafts that nobody has reviewed"):
            CliRunner().invoke(app, [*words, "--data", str(folder)], catch_exceptions=False)
    sitting = open_review(ReviewTarget(str(folder)), tmp_path / "review", begin=True)
    assert isinstance(sitting.subject, DataSubject)
    (entry,) = sitting.subject.entries
    right = {**entry.row, "answer": {"find_bus": {"from": "Oslo", "to": "Bergen"}}}
    with sitting.folder.writing("ada", adjudicate=False) as appender:
        desk = RowDesk(sitting.subject, sitting.folder, "ada", appender, lambda: "now", adjudicate=False)
        desk.decide({"item": entry.id, "verdict": "edit", "row": json.dumps(right)})
    out = export_review(sitting.subject, sitting.folder, tmp_path / "reviewed")
    row = json.loads((out / "traffic.jsonl").read_text())
    assert (row["review"]["status"], row["answer"]["find_bus"]["to"]) == ("reviewed", "Bergen")
    done = CliRunner().invoke(app, ["run", "mtu", "-m", "scripted/oracle", "--data", str(out), *runs])
    assert done.exit_code == 0, done.output
