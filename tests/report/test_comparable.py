"""What makes a figure comparable with the paper's depends on the figure: on a judge, on an embedder, on neither."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from report_toy import toy_report, with_benchmark
from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark, Judging, PaperSetup, Reference, Scoring
from toolyard.core.metrics import JUDGED as JUDGED_METRIC
from toolyard.core.metrics import SIMILAR as SIMILAR_METRIC
from toolyard.core.metrics import tag_metrics
from toolyard.core.types import Question
from toolyard.report.compare.verdict import JUDGED, Difference, Verdict, published_figures, verdict_of
from toolyard.report.content import Report
from toolyard.report.page.run_page import render_page
from toolyard.report.report_files import write_report
from toolyard.report.tables.published_tables import published_tables
from toolyard.run.api import evaluate

ALL = Difference("other data", "mine")
JUDGE = Difference("other judge", "a instead of b", ("tone",), JUDGED)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return toy_report(tmp_path_factory.mktemp("toy"), "60")


def like(report: Report, judge: str = "", **config: Any) -> Report:
    """The report as if the benchmark declared a judge for `tone` and the run had used this one."""
    benchmark = report.benchmark
    changed = with_benchmark(
        report,
        judging=Judging(nothing_asked),
        scoring=tagged(benchmark, JUDGED_METRIC, "tone"),
        task=replace(benchmark.task, templates={"instruction": "Do.", "judge": "Rate."}),
        reference=Reference(benchmark.published, benchmark.deviations, PaperSetup(judge="gpt-4")),
    )
    plan = replace(changed.run, config=replace(report.run.config, **config))
    return replace(changed, run=plan, manifest={**report.manifest, "judge": judge})


def tagged(benchmark: Benchmark, tag: str, name: str) -> Scoring:
    return replace(benchmark.scoring, metrics=tag_metrics(benchmark.scoring.metrics, {tag: (name,)}))


def nothing_asked(*_: Any) -> tuple[Question, ...]:
    return ()


def embedding(report: Report) -> Report:
    """The report as if `depth` rested on similarities by the paper's MiniLM."""
    benchmark = report.benchmark
    return with_benchmark(
        report,
        judging=Judging(nothing_asked),
        scoring=tagged(benchmark, SIMILAR_METRIC, "depth"),
        task=replace(benchmark.task, templates={}),
        reference=Reference(benchmark.published, benchmark.deviations, PaperSetup(embedder="MiniLM")),
    )


def whats(report: Report) -> dict[str, list[str]]:
    found: dict[str, list[str]] = verdict_of(report).to_json()["figures"]
    return found


def test_a_judge_concerns_only_what_it_judges(plain: Report) -> None:
    run = like(plain, "openai/other", data="official", texts={"instruction": "theirs"})
    assert whats(run) == {
        "average": ["your prompts"],
        "call_f1": ["your prompts"],
        "tone": ["your prompts", "our judge prompts", "other judge"],
        "depth": ["your prompts"],
    }
    found = whats(like(plain))
    assert "no judge" in found["tone"]
    assert "our judge prompts" not in found["tone"], "nobody was asked"
    assert "no judge" not in found["depth"]
    warm = replace(plain.run.config.judge_decoding, temperature=0.7)
    assert "other judge temperature" in whats(like(plain, "openai/gpt-4", judge_decoding=warm))["tone"]
    assert "other judge temperature" not in whats(like(plain, "openai/gpt-4"))["tone"]


@pytest.mark.parametrize(
    ("used", "reason"),
    [
        ("minilm", None),
        ("sentence-transformers/all-MiniLM-L6-v2", None),
        ("sentence-transformers/other", "other embedder"),
        ("none", "no embedder"),
    ],
)
def test_an_embedder_concerns_only_figures_by_similarity(
    plain: Report, used: str, reason: str | None
) -> None:
    run = embedding(plain)
    found = whats(replace(run, manifest={**run.manifest, "similarity": used}))
    assert [what for what in found["depth"] if "embedder" in what] == ([reason] if reason else [])
    assert not [what for what in found["tone"] if "embedder" in what]


def test_figures_with_the_same_reasons_stand_together() -> None:
    verdict = Verdict((ALL, JUDGE), ("order", "tone", "depth"))
    assert [(group.figures, group.own_reasons(verdict.common)) for group in verdict.groups] == [
        (("order", "depth"), "nothing else"),
        (("tone",), "also: other judge"),
    ]
    judged = Verdict((JUDGE,), ("order", "tone"))
    assert [group.own_reasons(judged.common) for group in judged.groups] == [
        "comparable",
        "not comparable: other judge",
    ]
    assert len(Verdict((ALL,), ("order", "tone")).groups) == 1


@pytest.mark.parametrize(
    ("found", "line"),
    [
        ((), "comparable: the official data, the paper's prompts and settings"),
        ((ALL,), "not comparable: other data"),
        ((ALL, JUDGE), "not comparable: other data; judged metrics also: other judge"),
        ((JUDGE,), "comparable except judged metrics: other judge"),
    ],
)
def test_the_line_says_what_holds_for_all_figures_and_what_for_some(
    found: tuple[Difference, ...], line: str
) -> None:
    assert Verdict(found, ("order", "tone")).line == line


def test_a_table_and_a_page_have_the_verdict_on_their_own_figures(plain: Report) -> None:
    assert Verdict((ALL, JUDGE), ("order", "tone")).among(["order"]).line == "not comparable: other data"
    assert Verdict((JUDGE,), ("order", "tone")).among(["order"]).comparable
    both = Verdict((ALL, JUDGE), ("order", "tone"))
    assert both.among(["p_value"]) == both, "a table of none of our figures has the verdict on all"
    first, second = published_tables(like(plain, "openai/other"))
    assert "other judge" not in first.note
    assert "judged metrics also: our judge prompts, other judge" in second.note
    page = render_page(like(plain, "openai/other"))
    assert "<dt>average, call f1, depth</dt><dd>nothing else</dd>" in page
    assert "<b>other judge</b> <i>judged metrics only</i> – openai/other instead of gpt-4" in page
    assert "<dt>average" not in render_page(plain), "one verdict for all needs no list"


@pytest.mark.parametrize(
    ("name", "key", "untouched"),
    [("tooleyes", "judged", "tool_reality"), ("toolbehonest", "similar", "l2_pr")],
)
def test_benchmarks_name_figures_that_they_have(name: str, key: str, untouched: str) -> None:
    benchmark = load_benchmark(name)
    figures = set(benchmark.scoring.metrics_tagged(key))
    assert benchmark.scoring.headline in figures
    assert untouched in set(published_figures(benchmark)) - figures
    assert bool(benchmark.judge_templates) is (key == JUDGED_METRIC)


def test_the_report_file_says_which_figures_compare(tmp_path: Path) -> None:
    folder = evaluate("toolbehonest", "scripted/empty", limit=2, runs=tmp_path, embedder="none").folder
    write_report(folder)
    found = json.loads((folder / "report.json").read_text())["comparable"]
    assert "no embedder" in found["figures"]["l3_ms"]
    assert "no embedder" not in found["figures"]["l2_pr"]
    assert found["line"].endswith("metrics by similarity also: no embedder")
