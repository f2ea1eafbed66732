"""Answers that ended at the token limit are counted under the tables, and named among the reasons of lost points."""

from pathlib import Path

import orjson
import pytest

from toolyard.report.content import Report
from toolyard.report.page.run_facts import left_out
from toolyard.report.report_files import write_report
from toolyard.report.tables.run_tables import results_note
from toolyard.run.api import evaluate

SENTENCE = "cut at the limit of 48 tokens: --max-tokens N gives more room"
REASON = "an answer was cut at the limit of 48 tokens"


def cut_run(folder: Path, *, cut: int, of: int = 3) -> Report:
    """A run of NesTools whose first answers end at the token limit, the last of these with all points."""
    whole = evaluate("nestools", "scripted/oracle", limit=of, runs=folder).folder
    rows = [orjson.loads(line) for line in (whole / "transcripts.jsonl").read_bytes().splitlines()]
    for place, row in enumerate(rows[:cut]):
        text = row["completions"][0]["text"]
        half = text if place == cut - 1 else text[: len(text) // 2]
        row["completions"][0] |= {"text": half, "finish_reason": "length"}
    answers = folder / "answers.jsonl"
    answers.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    run = evaluate("nestools", f"scripted/replay:{answers}", limit=of, max_tokens=48, runs=folder)
    return write_report(run.folder)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return cut_run(tmp_path_factory.mktemp("cut"), cut=2)


def test_cut_answers_are_counted_with_what_gives_them_room(report: Report) -> None:
    assert f"2 answers {SENTENCE}" in results_note(report)
    assert f"2 answers {SENTENCE}" in left_out(report)
    for name in ("report.md", "report.html"):
        assert f"2 answers {SENTENCE}" in (report.folder / name).read_text()
    assert orjson.loads((report.folder / "report.json").read_bytes())["cut_answers"] == 2


def test_a_cut_answer_that_lost_points_says_so_first(report: Report) -> None:
    lost, whole, other = report.graded["paper"]
    assert lost.score.reasons[0] == REASON and len(lost.score.reasons) > 1
    assert whole.transcript.is_cut and whole.score.reasons == (), "no point was lost"
    assert other.score.reasons == ()
    first = orjson.loads((report.folder / "scores.jsonl").read_bytes().splitlines()[0])
    for profile in ("paper", "official"):
        assert first["profiles"][profile]["reasons"][0] == REASON


def test_nothing_is_said_where_no_answer_was_cut(tmp_path: Path) -> None:
    report = cut_run(tmp_path, cut=0)
    assert "token" not in results_note(report)
    assert report.cut_answers == 0 and not any("cut" in line for line in left_out(report))
