"""A comparison ranks, tests in pairs, names what flipped, and refuses what does not compare."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cases import each_case
from compared_runs import LIMIT, changed_copy, make_runs, rewrite_scores, score_lines
from toolyard.benchmarks import load_benchmark
from toolyard.charts.chart import drawn_names
from toolyard.core.errors import DataError, RunMismatch, UsageError
from toolyard.report.charts.comparison_charts import comparison_charts
from toolyard.report.compare.capability import AXES, SOURCES, capability_profiles, profile_table
from toolyard.report.compare.compared_runs import load_compared
from toolyard.report.compare.comparison import compare_runs, paired_differences
from toolyard.report.compare.model_facts import ModelFacts, find_model_facts, read_model_facts
from toolyard.report.page.capability_page import render_profiles
from toolyard.report.page.comparison_page import render_comparison
from toolyard.report.tables.comparison_tables import comparison_tables, leaderboard, run_statistics
from toolyard.report.tables.overview_tables import overview_table
from toolyard.stats.significance import adjust_holm
from toolyard_command import toolyard
from vega_schema import is_vega_lite

ORACLE, RANDOM, FIRST = "scripted/oracle", "scripted/random", "scripted/first-tool"
FACTS = {ORACLE: ModelFacts("closed", 70.0), "scripted/*": ModelFacts("open", 7.0)}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return make_runs(tmp_path_factory.mktemp("runs"), RANDOM, ORACLE, FIRST)


def f1_by_hand(run: Path, key: str) -> float:
    counts = [line["profiles"]["paper"]["counts"].get(key, [0, 0, 0]) for line in score_lines(run)]
    matched, predicted, gold = (sum(column) for column in zip(*counts, strict=True))
    return float(2 * matched / (predicted + gold))


def test_leaderboard_figures_are_the_scores_reduced_by_hand(runs: list[Path]) -> None:
    comparison = compare_runs(runs)["nestools"]
    for run, folder in zip(comparison.runs, runs, strict=True):
        parts = [f1_by_hand(folder, key) for key in ("selection", "order", "parameter", "nested")]
        assert run.summary.figures["average"].value == pytest.approx(sum(parts) / 4)


def test_the_best_run_comes_first_within_its_kind_and_baselines_stand_below(runs: list[Path]) -> None:
    comparison = compare_runs(runs)["nestools"]
    assert comparison.ranked_runs[0].model == ORACLE
    table = leaderboard(comparison)
    kinds = [row[3] for row in table.rows]
    assert [row[0] for row in table.rows][:1] == [ORACLE]
    assert kinds[3:] == ["baseline"] * (len(kinds) - 3)
    assert {row[0] for row in table.rows[3:]} >= {"scripted/empty", RANDOM, FIRST}
    comparison = compare_runs(runs, known={FIRST: ModelFacts("closed"), "*": ModelFacts("open")})["nestools"]
    assert [row[0] for row in leaderboard(comparison).rows[:3]] == [FIRST, ORACLE, RANDOM]


def test_paired_differences_are_differences_of_the_figures(runs: list[Path]) -> None:
    comparison = compare_runs(runs)["nestools"]
    value = {run.label: run.headline or 0.0 for run in comparison.runs}
    assert len(comparison.differences) == 3
    for item in comparison.differences:
        assert item.test.difference.value == pytest.approx(value[item.first] - value[item.second])
        assert item.p_holm is not None
        assert item.test.p_value is not None
        assert item.p_holm >= item.test.p_value
    first, second, *_ = compare_runs(runs)["nestools"].runs
    [item] = paired_differences(
        [(first, replace(second, label=first.label))], [first.benchmark.scoring.headline]
    )
    assert item.test.difference.value == pytest.approx((first.headline or 0.0) - (second.headline or 0.0))
    assert item.test.difference.value != 0


def test_the_oracle_is_better_beyond_chance_and_a_copy_no_different(runs: list[Path]) -> None:
    [item] = compare_runs(runs[:2])["nestools"].differences
    # All swaps of 12 samples: only none and all of them reach the difference, so p is 2 of 2^12.
    assert item.test.p_value == 2 / 2**LIMIT
    assert item.better == ORACLE
    twin = changed_copy(runs[0], "twin", lambda manifest: None)
    comparison = compare_runs([runs[0], twin])["nestools"]
    [item] = comparison.differences
    assert (item.test.p_value, item.better) == (1.0, "")
    assert comparison.flipped == ()
    assert [run.label for run in comparison.runs] == [f"{RANDOM} ({runs[0].name})", f"{RANDOM} (twin)"]


def test_runs_of_one_model_are_named_by_what_differs_and_how_it_was_served(runs: list[Path]) -> None:
    def native(manifest: dict[str, Any]) -> None:
        manifest["identity"]["style"] = "native"

    other = changed_copy(runs[0], "other-style", native)
    labels = [run.label for run in compare_runs([runs[0], other])["nestools"].runs]
    assert labels == [f"{RANDOM} (default)", f"{RANDOM} (native)"]
    thinking = changed_copy(
        runs[0],
        "thinking",
        lambda manifest: manifest.update(serving={"surface": "chat", "reasoning": "high"}),
    )
    plain = changed_copy(runs[0], "plain", lambda manifest: manifest.update(serving={"surface": "chat"}))
    labels = [run.label for run in compare_runs([plain, thinking])["nestools"].runs]
    assert labels == [f"{RANDOM} (default)", f"{RANDOM} (reasoning high)"]


def test_more_figures_are_tested_on_demand_and_corrected_together(runs: list[Path]) -> None:
    items = compare_runs(runs[:2], figures=["tree", "nested_f1"])["nestools"].differences
    assert [item.figure for item in items] == ["tree", "nested_f1"]
    assert [item.p_holm for item in items] == adjust_holm([item.test.p_value or 0.0 for item in items])
    with pytest.raises(
        UsageError, match=r"nestools has no metric averge; did you mean average\? it has format"
    ):
        compare_runs(runs[:2], figures=["averge"])


def test_wins_ties_and_losses_add_up_and_flipped_samples_are_solved_by_exactly_one(runs: list[Path]) -> None:
    records = compare_runs(runs)["nestools"].records
    total = next(
        item for item in records if item.group == "all" and (item.first, item.second) == (RANDOM, ORACLE)
    )
    assert (total.wins, total.wins + total.ties + total.losses) == (0, LIMIT)
    by_depth = [r for r in records if r.group == "depth" and (r.first, r.second) == (RANDOM, ORACLE)]
    assert sum(r.losses for r in by_depth) == total.losses
    assert [r.key for r in by_depth] == ["1", "2", "3+"]
    flipped = compare_runs(runs[:2])["nestools"].flipped
    assert {item.sample for item in flipped} == {line["sample"] for line in score_lines(runs[0])}
    assert {item.solved_by for item in flipped} == {ORACLE}


def test_other_versions_and_other_data_are_refused_and_the_reason_is_said(runs: list[Path]) -> None:
    def older(manifest: dict[str, Any]) -> None:
        manifest["identity"]["version"] = "0.9"

    old = changed_copy(runs[0], "older", older)
    with pytest.raises(RunMismatch, match=r"benchmark versions differ \(.*older: 0.9.*scorer.*--force"):
        compare_runs([runs[1], old])
    forced = compare_runs([runs[1], old], force=True)["nestools"]
    assert any("benchmark versions differ" in remark for remark in forced.remarks)
    assert "benchmark versions differ" in leaderboard(forced).note

    def moved(manifest: dict[str, Any]) -> None:
        manifest["identity"]["data_sha256"] = "f" * 64

    other = changed_copy(runs[0], "moved", moved)
    with pytest.raises(RunMismatch, match=r"data hashes differ \(.*moved: ffffffff\)"):
        compare_runs([runs[1], other])
    with pytest.raises(RunMismatch, match="data hashes differ"):
        capability_profiles([runs[1], other], "paper", {})


def test_settings_that_differ_are_told(runs: list[Path], tmp_path: Path) -> None:
    [fewer] = make_runs(tmp_path, ORACLE, ids=("1", "2", "4"), seed=3)
    remarks = " ".join(compare_runs([runs[0], fewer])["nestools"].remarks)
    assert "seed differs" in remarks
    assert "different samples, so that only those on the same ones rank" in remarks


def test_a_withheld_run_is_ranked_last_and_not_tested(runs: list[Path]) -> None:
    broken = changed_copy(runs[1], "broken", lambda manifest: None)

    def lose(line: dict[str, Any]) -> None:
        if line["sample"] in ("1", "2"):
            for score in line["profiles"].values():
                score["unscored"] = "timeout"

    rewrite_scores(broken, lose)
    comparison = compare_runs([broken, runs[0]])["nestools"]
    assert comparison.ranked_runs[-1].folder == broken
    assert comparison.differences == ()
    assert "withheld" in [row[1] for row in leaderboard(comparison).rows]


def test_a_directory_that_is_no_run_is_one_line(tmp_path: Path, runs: list[Path]) -> None:
    with pytest.raises(DataError, match=r"holds no manifest.json"):
        compare_runs([tmp_path])
    with pytest.raises(UsageError, match="named twice"):
        compare_runs([runs[0], runs[0]])
    done = toolyard("compare", *runs, "--figures", "outcome", "--short")
    assert done.returncode == 1
    assert "--short shows the headline of each benchmark; leave it out to see --figures" in done.stderr


@each_case("finished, scores, code, line")
def test_an_unfinished_run_is_left_out_where_two_others_are_finished(
    runs: list[Path], tmp_path: Path, finished: int, scores: int, code: int, line: str
) -> None:
    stopped = tmp_path / "stopped"
    stopped.mkdir()
    for name in ("manifest.json", "transcripts.jsonl"):
        (stopped / name).write_bytes((runs[0] / name).read_bytes())
    if scores:
        lines = (runs[0] / "scores.jsonl").read_text().splitlines(keepends=True)
        (stopped / "scores.jsonl").write_text("".join(lines[:scores]))
    done = toolyard("compare", stopped, *runs[:finished], "--short")
    assert done.returncode == code
    assert line.format(run=stopped) in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_charts_show_size_only_where_sizes_are_known(runs: list[Path]) -> None:
    assert [chart.name for chart in comparison_charts(compare_runs(runs)["nestools"])] == ["leaderboard"]
    charts = {chart.name: chart for chart in comparison_charts(compare_runs(runs, known=FACTS)["nestools"])}
    scaling = charts["scaling"]
    assert all(is_vega_lite(chart.spec) for chart in charts.values())
    assert (ORACLE, "closed", 70.0, "100.0") in scaling.table.rows
    assert any(row[1] == "published" for row in scaling.table.rows)
    assert "over 3 models" in scaling.caption
    assert scaling.svg().startswith("<svg")


def test_trials_give_pass_rates_with_their_convention(tmp_path: Path) -> None:
    [run] = make_runs(tmp_path, RANDOM, trials=3)
    tables = {table.title: table for table in run_statistics(load_compared(run, "paper", {}))}
    table = tables[f"{RANDOM}: repeated trials"]
    assert [row[0] for row in table.rows] == [1, 2, 3]
    assert "C(c, k) / C(n, k)" in table.note
    assert (
        "smallest detectable difference = (z(1 - alpha/2)"
        in tables[f"{RANDOM}: smallest detectable difference"].note
    )


def test_facts_come_from_json_and_toml(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text(
        '{"openai/a*": {"kind": "closed"}, "local": {"kind": "open", "size": 0.1}}'
    )
    (tmp_path / "m.toml").write_text('["tool*"]\nkind = "tool-oriented"\nname = "T"\n')
    known = read_model_facts(tmp_path / "m.json")
    assert find_model_facts("openai/abc?base_url=http://x", known) == ModelFacts("closed")
    assert find_model_facts("local", known).size == 0.1
    assert find_model_facts("other", known) == ModelFacts()
    assert read_model_facts(tmp_path / "m.toml") == {"tool*": ModelFacts("tool-oriented", None, "T")}


@each_case("text, complaint")
def test_wrong_facts_are_one_line(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "m.json").write_text(text)
    with pytest.raises(DataError, match=complaint):
        read_model_facts(tmp_path / "m.json")


def test_the_page_is_self_contained_and_tables_have_as_many_cells_as_heads(runs: list[Path]) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    page = render_comparison(compare_runs(runs, known={"*oracle": ModelFacts("closed", 1.0, hostile)}))
    assert hostile not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "default-src &#39;none&#39;" in page
    assert not [word for word in ("<link", "<img", "src=", "@import") if word in page.replace("src=x", "")]
    for table in comparison_tables(compare_runs(runs, known=FACTS)["nestools"]):
        assert {len(row) for row in table.rows} == {len(table.columns)}


def test_axes_are_means_of_the_figures_they_name_or_say_what_to_run(runs: list[Path]) -> None:
    profiles = {profile.model: profile for profile in capability_profiles(runs, "paper", {})}
    axes = {axis.name: axis for axis in profiles[RANDOM].axes}
    figures = load_compared(runs[0], "paper", {}).summary.figures
    assert axes["selection"].estimate.value == figures["selection_f1"].value
    assert axes["nesting"].estimate.value == pytest.approx(
        ((figures["nested_f1"].value or 0) + (figures["tree"].value or 0)) / 2
    )
    assert [part.figure for part in axes["nesting"].parts] == ["nested_f1", "tree"]
    assert axes["honesty"].estimate.value is None
    assert axes["honesty"].missing == ("toolbehonest",)
    assert profiles[ORACLE].weakest is None
    [profile] = capability_profiles(runs[:1], "paper", {})
    rows = {row[0]: row for row in profile_table(profile).rows}
    assert tuple(rows) == AXES
    assert rows["honesty"][2] == "not measured: run toolbehonest"
    page = render_profiles([profile])
    assert "not measured: run toolbehonest" in page


@pytest.mark.parametrize("name", ["nestools", "toolbehonest", "mtu", "tooleyes"])
def test_the_mapping_names_figures_that_exist(name: str) -> None:
    try:
        benchmark = load_benchmark(name)
    except (UsageError, AttributeError):
        pytest.skip(f"{name} is not installed")
    figures = {metric.name for metric in benchmark.scoring.metrics}
    named = {figure.rpartition(":")[2] for sources in SOURCES.values() for figure in sources.get(name, ())}
    assert named
    assert named <= figures
    keys = {(grouping.name, key) for grouping in benchmark.scoring.groupings for key in grouping.keys}
    places = {f.rpartition(":")[0] for sources in SOURCES.values() for f in sources.get(name, ())} - {""}
    assert {tuple(place.split("=")) for place in places} <= keys


def test_compare_prints_json_and_tables_and_writes_the_page(runs: list[Path], tmp_path: Path) -> None:
    done = toolyard("compare", *runs, "--json", "--html", tmp_path / "deep" / "c.html")
    found = json.loads(done.stdout)["nestools"]
    assert found["runs"][0]["model"] == ORACLE
    assert found["runs"][0]["figures"]["average"] == 1.0
    assert found["baselines"]["scripted/empty"]["average"] == 0.0
    assert {"p", "p_holm", "q_benjamini_hochberg", "cohens_d"} <= set(found["differences"][0])
    assert (tmp_path / "deep" / "c.html").read_text().startswith("<!doctype html>")
    assert "paired differences" in toolyard("compare", *runs).stdout
    found = json.loads(toolyard("compare", "--capabilities", runs[0], "--json").stdout)
    assert found[0]["axes"]["format"]["figures"] == {"nestools.format": 1.0}


def test_a_refused_mixture_is_one_line_and_exit_1(runs: list[Path]) -> None:
    def older(manifest: dict[str, Any]) -> None:
        manifest["identity"]["version"] = "0.1"

    old = changed_copy(runs[0], "ancient", older)
    done = toolyard("compare", runs[1], old)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "--force" in done.stderr
    assert toolyard("compare", runs[1], old, "--force").returncode == 0


HOSTILE_NAMES = (
    "constructor", "__proto__", 'b"] === 1 || true ? datum : "', "datum.value", "it's", "\\", '\\"', "\\u0022+alert(1)//",
    "${datum}", "</script><svg onload=x>", "\u2028", "\ud800", "x" * 10_000, "x" * 10_000 + "y",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_charts_stand_whatever_a_model_is_called(runs: list[Path], name: str) -> None:
    facts = {ORACLE: ModelFacts("closed", 70.0, name), RANDOM: ModelFacts("open", 7.0, name + " two")}
    comparison = compare_runs(runs, known={**facts, FIRST: ModelFacts("open", 1.0)})["nestools"]
    charts = comparison_charts(comparison)
    assert [chart.name for chart in charts][:2] == ["leaderboard", "scaling"]
    written = drawn_names(run.label for run in comparison.ranked_runs)
    for chart in charts:
        drawn = ElementTree.fromstring(chart.svg())
        texts = [text.text or "" for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
        assert all(len(text) < 80 for text in texts)
        assert not list(drawn.iter("{http://www.w3.org/2000/svg}script"))
        if chart.name == "scaling":
            assert {text for text in written.values() if text} <= set(texts)


def test_the_leaderboard_is_drawn_from_the_best_down_in_no_other_order(runs: list[Path]) -> None:
    known = {
        ORACLE: ModelFacts("", None, "zz"),
        RANDOM: ModelFacts("", None, "mm"),
        FIRST: ModelFacts("", None, "aa"),
    }
    comparison = compare_runs(runs, known=known)["nestools"]
    chart = comparison_charts(comparison)[0]
    drawn = ElementTree.fromstring(chart.svg())
    names = [
        text.text
        for text in drawn.iter("{http://www.w3.org/2000/svg}text")
        if text.text in ("aa", "mm", "zz")
    ]
    assert names == [run.label for run in comparison.ranked_runs]
    assert "sort" not in str(chart.spec).replace("'sort': None", "")


def test_n_counts_the_answers_that_the_headline_is_based_on(runs: list[Path]) -> None:
    """An answer without a value of the headline is scored, but stands in no mean."""
    copy = changed_copy(runs[0], "few-values", lambda manifest: None)
    lost = iter(range(LIMIT))

    def lose(line: dict[str, Any]) -> None:
        if next(lost) < 5:
            for name in ("selection", "order", "parameter", "nested"):
                line["profiles"]["paper"]["counts"][name] = [0, 0, 0]

    rewrite_scores(copy, lose)
    found = compare_runs([copy])["nestools"]
    assert (found.runs[0].summary.samples, found.runs[0].answers) == (LIMIT, LIMIT - 5)
    assert leaderboard(found).rows[0][2] == LIMIT - 5
    assert overview_table([found]).rows[0][1] == LIMIT - 5
    assert found.to_json()["runs"][0]["answers"] == LIMIT - 5  # type: ignore[index, call-overload]
