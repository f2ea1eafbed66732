"""Whole runs: a judge that fails now and then, another judge later, a user at the other end."""

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import toolyard
from cases import cases
from tooleyes_harbour import own_queries
from toolyard import evaluate
from toolyard.benchmarks.tooleyes import BENCHMARK
from toolyard.core.types import Options
from toolyard.run.grade.checking import check_benchmark
from toolyard.run.grade.scoring import score_settings
from toolyard.run.plan.data_sources import load_samples
from toolyard.run.settings import ScoreSettings

GOOD_REPLY = "Scoring Reason: it fits.\nEvaluation Score: 7"


WANTED = ("ip-who-am-i", "ip-registry-change", "calendar-france-next", "mail-forward-invoice")


def test_a_judge_that_fails_now_and_then_leaves_samples_unscored_not_zero(tmp_path: Path) -> None:
    number = count()
    refused: list[dict[str, Any]] = []

    def judge(messages: list[dict[str, Any]]) -> str:
        if next(number) == 5:
            refused.extend(messages)
        return "I would rather not say." if refused and messages[: len(refused)] == refused else GOOD_REPLY

    data = str(own_queries(tmp_path, WANTED))
    result = toolyard.evaluate(
        "tooleyes", "scripted/oracle", judge=judge, data=data, runs=tmp_path, name="judged"
    )
    summary = result.summaries["paper"]
    assert (summary.samples, summary.unscored, dict(summary.unscored_reasons)) == (
        3,
        1,
        {"judge_unparsable": 1},
    )
    assert summary.figures["intent_comprehension"].value == pytest.approx(0.7)
    assert summary.figures["overall"].value == pytest.approx((1 + 0.7 + 0.49 + 0.7 + 0.7) / 5)
    assert summary.withheld

    before = (tmp_path / "judged" / "transcripts.jsonl").read_bytes()
    replies = "\n".join(json.dumps({"id": name, "response": GOOD_REPLY.replace("7", "9")}) for name in WANTED)
    (tmp_path / "second.jsonl").write_text(replies)
    other = f"scripted/replay:{tmp_path / 'second.jsonl'}"
    again = score_settings(ScoreSettings(what=str(tmp_path / "judged"), judge=other))
    assert (again.summary.samples, again.summary.unscored) == (4, 0)
    assert again.summary.figures["intent_comprehension"].value == pytest.approx(0.9)
    assert (tmp_path / "judged" / "transcripts.jsonl").read_bytes() == before


def test_without_a_judge_rule_based_figures_stand_alone(tmp_path: Path) -> None:
    data = str(own_queries(tmp_path, WANTED))
    result = toolyard.evaluate("tooleyes", "scripted/oracle", data=data, runs=tmp_path, name="plain")
    figures = result.summaries["paper"].figures
    assert figures["overall"].value is None
    for name in cases(__file__, "without_a_judge_rule_based_figures_stand_alone"):
        assert figures[name].value == 1.0
    assert result.summaries["paper"].unscored == 0


def test_native_calls_reach_the_world_and_change_it(tmp_path: Path) -> None:
    data = str(own_queries(tmp_path, ("mail-forward-invoice",)))
    result = toolyard.evaluate(
        "tooleyes", "scripted/oracle", data=data, style="native", runs=tmp_path, name="native"
    )
    (item,) = result.graded["paper"]
    assert item.score.values["outcome"] == 1.0
    assert set(item.transcript.notes["world"]) == {"mailbox"}


def test_a_broken_query_is_named_with_its_reason(tmp_path: Path) -> None:
    path = own_queries(tmp_path, ("ip-who-am-i",))
    path.write_text(path.read_text().replace('{"value": {"$": "1.city"}', '{"value": "Lisbon"'))
    result = check_benchmark(BENCHMARK, str(path), {}, mutate=False)
    failed = [check for check in result.checks if not check.passed]
    assert [check.name for check in failed] == ["oracle scores 1.0 (paper)", "oracle scores 1.0 (official)"]
    assert "ip-who-am-i: the answer lacks 'Lisbon'" in failed[0].detail


def test_documents_come_from_the_library_where_the_data_bring_none() -> None:
    for sample in load_samples(BENCHMARK, "starter", Options("zero-shot")):
        assert sample.input["documents"]
        assert all(set(each) == {"name", "description", "parameters"} for each in sample.input["documents"])


def test_official_data_need_no_gold_to_be_checked(shared: Path, tmp_path: Path) -> None:
    rows = json.loads((shared / "data/tooleyes/Test_Data/scenario_data_zero_processed.json").read_text())
    (tmp_path / "Test_Data").mkdir()
    part = [row for row in rows if row["path"].endswith(("IP/IP", "Calendar/Calendar", "Predict/Predict"))]
    (tmp_path / "Test_Data" / "scenario_data_zero_processed.json").write_text(json.dumps(part))
    result = check_benchmark(BENCHMARK, str(tmp_path), {}, mutate=False)
    assert result.passed, [check for check in result.checks if not check.passed]
    assert "every document resolves to a tool" in [check.name for check in result.checks]


@pytest.mark.parametrize(("judge", "perfect"), [("scripted/oracle", True), ("scripted/random", False)])
def test_a_scripted_judge_needs_no_model(tmp_path: Path, judge: str, perfect: bool) -> None:
    result = evaluate("tooleyes", "scripted/oracle", judge=judge, limit=3, runs=tmp_path)
    overall = result.summaries["paper"].figures["overall"].value
    assert overall is not None
    assert (overall == 1.0) is perfect
