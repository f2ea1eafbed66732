"""The run beside the published rows: on the same parts, in the same units, and what makes a figure comparable."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cases import each_case
from json_files import read_json
from report_toy import toy_report, with_benchmark
from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import (
    F_STATISTIC,
    P_VALUE,
    Benchmark,
    Judging,
    PaperPrompts,
    PaperSetup,
    Printed,
    PublishedRow,
    Reference,
    Scoring,
)
from toolyard.core.metrics import JUDGED as JUDGED_METRIC
from toolyard.core.metrics import SIMILAR as SIMILAR_METRIC
from toolyard.core.metrics import tag_metrics
from toolyard.core.types import Question, Sample, Score, Transcript
from toolyard.report.charts.comparison_charts import _rows_of_known_size, _size_correlation
from toolyard.report.charts.figure_charts import _outline_corners, _outline_sides
from toolyard.report.charts.run_charts import run_charts
from toolyard.report.compare.verdict import JUDGED, Difference, Verdict, paper_verdict, published_figures
from toolyard.report.content import Report
from toolyard.report.page.run_page import render_page
from toolyard.report.report_files import write_report
from toolyard.report.tables.published_tables import printed_tables, published_tables
from toolyard.report.tables.run_tables import report_tables
from toolyard.run.api import evaluate
from toolyard.run.run import Run
from toolyard.run.settings import Settings


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return toy_report(tmp_path_factory.mktemp("toy"), "60")


def published(report: Report, *rows: PublishedRow, derived: object = None) -> Report:
    return with_benchmark(report, reference=Reference(rows, printed=Printed(derived)))  # type: ignore[arg-type]


def test_the_run_stands_beside_the_parts_that_it_has(plain: Report) -> None:
    groups = plain.summaries["official"].groups["scenario"]
    table = published_tables(plain)[1]
    own = {row[1]: row[2:] for row in table.rows if "this run" in row[0]}
    assert set(own) == {"travel", "office"}
    assert own["travel"][0] == f"{100 * (groups['travel']['tone'].value or 0):.1f}"
    report = published(plain, PublishedRow("Table 5", "GPT-4", {"tone": 0.5}, group="OOD"))
    table = published_tables(report)[0]
    assert [row[0] for row in table.rows] == ["GPT-4"]
    assert table.note.endswith("the run has none of these parts")


def test_in_short_one_table_stands_with_its_best_rows(plain: Report) -> None:
    rows = [
        PublishedRow("Table 2", f"model {place}", {"tone": place / 10}, group=part)
        for place in range(8)
        for part in ("travel", "moon")
    ]
    report = published(plain, PublishedRow("Table 1", "GPT-4", {"unknown": 0.5}), *rows)
    [table] = published_tables(report, full=False)
    assert [row[0] for row in table.rows if "this run" not in str(row[0])] == [
        "model 7",
        "model 6",
        "model 5",
    ]
    assert {row[1] for row in table.rows} == {"travel"}
    assert "all, and Table 1: --full, or the page" in table.note


def test_f_and_p_are_numbers_and_the_run_has_its_own(plain: Report) -> None:
    row = PublishedRow("Table 3", "GPT-4", {F_STATISTIC: 8.47, P_VALUE: 1.23e-8})
    report = published(plain, row, derived=lambda scored: {("", F_STATISTIC): 2.0, ("", P_VALUE): 0.25})
    table = published_tables(report)[0]
    assert [line[1:] for line in table.rows] == [("2.00", "2.50e-01"), ("8.47", "1.23e-08")]
    assert printed_tables(report)[0].rows[0][1:] == ("2.00", "2.50e-01")


def test_published_error_totals_are_no_sizes_of_models() -> None:
    rows = [row for row in load_benchmark("mtu").published if row.table == "Table 16"]
    assert rows and all(row.size is None for row in rows)
    assert "shares of 43 errors" in rows[0].note


def score(name: str, scenario: str, **values: float) -> tuple[Sample, Transcript, Score]:
    sample = Sample(name, {}, None, groups={"scenario": scenario})
    return (sample, Transcript(name), Score(name, values=values))


def test_tooleyes_derives_the_classical_f_test_over_scenarios() -> None:
    reference = load_benchmark("tooleyes").reference
    assert reference is not None and reference.printed.derived is not None
    rows = [score(f"a{n}", "TG", overall=value) for n, value in enumerate((0.1, 0.2, 0.3))]
    rows += [score(f"b{n}", "DU", overall=value) for n, value in enumerate((0.4, 0.5, 0.6))]
    found = reference.printed.derived(rows)
    assert found["", F_STATISTIC] == pytest.approx(13.5)
    assert found["", P_VALUE] == pytest.approx(0.0213, abs=1e-4)


def test_mtu_derives_the_other_corpora_of_table_5_and_its_error_shares() -> None:
    reference = load_benchmark("mtu").reference
    assert reference is not None and reference.printed.derived is not None
    rows = []
    for place, (source, right) in enumerate((("ToolTalk easy", 1.0), ("ToolTalk hard", 0.0))):
        values = {"tool_selection": right, "parameter_selection": right, "right": right}
        values |= {"turn": 0.0, "turns": 1.0, "dialogue": float(place), "row": float(place)}
        sample = Sample(source, {}, None, source, {"setting": "M-S", "source": source})
        errors = {"M-S": {"missed": 3, "format": 1}}
        rows.append((sample, Transcript(source), Score(source, values=values, errors=errors)))
    found = reference.printed.derived(rows)
    assert found["ToolTalk", "tool_selection"] == 0.5
    assert found["ToolTalk", "average"] == 0.5
    assert ("API-Bank", "average") not in found
    assert found["M-S", "missed"] == 0.75


def test_toolbehonest_derives_level_3_in_one_number() -> None:
    reference = load_benchmark("toolbehonest").reference
    assert reference is not None and reference.printed.derived is not None
    assert reference.printed.derived([score("a", "MNT", l3_pr=0.5, l3_ms=0.25)])["", "l3_mean"] == 0.375


def test_official_text_and_data_are_the_papers(plain: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    task = replace(plain.benchmark.task, styles=("default", "verbatim"))
    setup = PaperSetup(prompts=PaperPrompts(verbatim=("verbatim",)))
    assert plain.benchmark.reference is not None
    report = with_benchmark(plain, task=task, reference=replace(plain.benchmark.reference, setup=setup))
    config = replace(report.run.config, style="verbatim", data="official")
    found = paper_verdict(replace(report, run=replace(report.run, config=config)))
    assert not {"our prompts", "other style"} & {item.what for item in found.found}
    other = paper_verdict(replace(report, run=replace(report.run, config=replace(config, data="mine"))))
    assert "our prompts" in {item.what for item in other.found}


@pytest.mark.parametrize("name", ["mtu", "tooleyes"])
def test_the_verbatim_styles_are_declared(name: str) -> None:
    benchmark = load_benchmark(name)
    found = tuple(style for style in benchmark.task.styles if style.startswith("verbatim"))
    assert benchmark.paper_prompts.verbatim == found


def test_nestools_verdict_names_the_other_distractors(tmp_path: Path) -> None:
    from toolyard.report.content import load_report

    folder = evaluate("nestools", "scripted/empty", limit=2, runs=tmp_path).folder
    whats = [what for what, _ in paper_verdict(load_report(folder)).differences]
    assert {"other distractor pool", "other distractor embedder"} <= set(whats)


def test_figures_that_pool_what_the_paper_prints_apart_say_so(plain: Report) -> None:
    note = report_tables(plain)[0].note
    assert "pooled over parts that the paper prints apart" in note
    assert "tone, depth" in note, "printed by scenario only"
    assert "average" not in note.split("compares:")[1].split(";")[0], "printed over all"


def test_mtu_settings_say_that_they_hold_normal_and_hard_together() -> None:
    from toolyard.report.tables.pooled_notes import pooled_keys

    assert pooled_keys(load_benchmark("mtu"), ["S-S", "OOD", "S-S hard"]) == ["S-S"]


def test_a_radar_has_a_gap_where_a_figure_is_undefined() -> None:
    whole = _outline_sides("a", [1.0, 0.5, 0.2])
    assert len(whole) == 6 and len(_outline_corners([1.0, 0.5, 0.2])) == 3
    broken = _outline_sides("a", [1.0, None, 0.2])
    assert len(broken) == 2 and {row["side"] for row in broken} == {"a2"}
    assert _outline_corners([1.0, None, 0.2]) == []


def test_breakdowns_show_the_headline_too(plain: Report) -> None:
    chart = next(chart for chart in run_charts(plain) if chart.name == "group-scenario")
    assert "average" in chart.table.columns


def test_runs_of_one_model_are_one_model_in_the_correlation_with_size() -> None:
    def run(model: str, size: float, headline: float) -> SimpleNamespace:
        return SimpleNamespace(
            model=model, facts=SimpleNamespace(name="", size=size, kind="open"), headline=headline
        )

    runs = [run("a", 1, 0.1), run("a", 1, 0.3), run("b", 10, 0.4), run("c", 100, 0.6)]
    points = _rows_of_known_size(SimpleNamespace(runs=runs))  # type: ignore[arg-type]
    assert [(point["model"], round(point["value"])) for point in points] == [("a", 20), ("b", 40), ("c", 60)]
    told = _size_correlation(points)
    assert "over 3 models: 1.00" in told


def test_answer_length_over_one_run_is_not_called_the_papers_figure() -> None:
    from toolyard.benchmarks.toolbehonest.papers.analysis import length_table

    sample = Sample("a", {}, None, groups={"variant": "unsolvable", "level": "level_1", "scenario": "MNT"})
    table = length_table([(sample, Transcript("a"), Score("a", values={"l1_em": 1.0}))])
    assert "Figure" not in table.title and "over the answers of this one run" in table.note


def test_saved_answers_come_from_elsewhere(tmp_path: Path) -> None:
    run = Run.plan(Settings("nestools", "predictions/gpt", limit=2, runs=tmp_path))
    from toolyard.report.compare.verdict import made_differences

    assert [item.what for item in made_differences(run.benchmark, run.config)] == ["answers from elsewhere"]


ALL = Difference("other data", "mine")
JUDGE = Difference("other judge", "a instead of b", ("tone",), JUDGED)


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
    found: dict[str, list[str]] = paper_verdict(report).to_json()["figures"]
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


@each_case("used, reason")
def test_an_embedder_concerns_similarities_alone(plain: Report, used: str, reason: str | None) -> None:
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
def test_the_line_says_what_all_or_some_figures_have(found: tuple[Difference, ...], line: str) -> None:
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
    found = read_json(folder / "report.json")["comparable"]
    assert "no embedder" in found["figures"]["l3_ms"]
    assert "no embedder" not in found["figures"]["l2_pr"]
    assert found["line"].endswith("metrics by similarity also: no embedder")
