"""The report page without a browser: what is in the file, what it begins with, and what must never be."""

import base64
import hashlib
import html
import json
import re
import shutil
import zlib
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from owntools_desk import DESK, damaged, written
from report_toy import INJECTIONS, hostile_report, toy_report, toy_samples, with_benchmark
from toolyard.certify.certificate import Certificate, ProbeOutcome
from toolyard.certify.certificate_files import render_certificate
from toolyard.charts.chart import apply_theme, drawn_names
from toolyard.charts.vega_lite import field, view
from toolyard.cli.app import app
from toolyard.core.benchmark import Judging, PaperSetup, Reference
from toolyard.core.metrics import CAPABILITY, tag_metrics
from toolyard.core.types import Score
from toolyard.models.shown_tools import UNSEEN_TOOLS
from toolyard.owntools.lint.lint_page import render_review
from toolyard.owntools.lint.lint_rules import review_documents
from toolyard.owntools.probe.model_profile import Headline, ToolProfile
from toolyard.owntools.probe.probe_page import render_profile
from toolyard.owntools.sources import load_source
from toolyard.report.abilities import main_figures
from toolyard.report.charts.figure_charts import CHANCE, OFFICIAL_PROFILE, PAPER_PROFILE, figure_chart
from toolyard.report.charts.run_charts import run_charts
from toolyard.report.compare.verdict import paper_verdict
from toolyard.report.content import Report
from toolyard.report.page.comparison_page import comparison_assets
from toolyard.report.page.run_facts import command_line, left_out_notes, run_facts
from toolyard.report.page.run_page import PAGE_FOLDER, page_assets, render_page
from toolyard.report.page.sample_index import pack_samples
from toolyard.report.page.text_pool import TextPool, pack_json, split_into_pieces
from toolyard.report.report_files import write_report
from toolyard.report.tables.formats import signed_points
from toolyard.report.tables.group_tables import (
    group_table,
    group_table_with_baselines,
    group_tables_with_baselines,
)
from toolyard.report.tables.published_tables import printed_tables
from toolyard.report.tables.run_tables import results_note
from toolyard.run.api import evaluate
from toolyard.stats.bootstrap import Estimate
from toolyard.stats.summary import summarise
from toolyard_command import toolyard
from vega_schema import is_vega_lite


def unpacked(text: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(text), -15))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return toy_report(tmp_path_factory.mktemp("toy"))


@pytest.fixture(scope="module")
def page(report: Report) -> str:
    return render_page(report)


@given(st.text(alphabet=st.sampled_from("ab\n}{, "), max_size=400) | st.text(max_size=300))
def test_pieces_are_the_text_again(text: str) -> None:
    assert "".join(split_into_pieces(text)) == text


def test_a_tool_that_comes_back_is_stored_once() -> None:
    tool = "{'api_name': 'find_train', 'description': '" + "x" * 200 + "'}"
    other = "{'api_name': 'book_seat', 'description': '" + "y" * 200 + "'}"
    pool = TextPool()
    first = pool.add(f"[{{'a': 1}}, {tool}, {other}]")
    second = pool.add(f"[{{'b': 2222}}, {other}, {tool}, {{'c': 3}}]")
    stored = "".join(piece for block in pool.blocks() for piece in block)
    assert stored.count("x" * 200) == 1
    pieces = [piece for block in pool.blocks() for piece in block]
    assert "".join(pieces[n] for n in first) == f"[{{'a': 1}}, {tool}, {other}]"
    assert "".join(pieces[n] for n in second) == f"[{{'b': 2222}}, {other}, {tool}, {{'c': 3}}]"


def test_what_json_cannot_hold_is_packed_all_the_same() -> None:
    assert unpacked(pack_json({"text": "a\ud800b", "big": 10**30})) == {
        "text": "a\\ud800b",
        "big": str(10**30),
    }


def test_the_policy_admits_this_script_and_style_and_nothing_else(page: str) -> None:
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]+)"', page).group(1))  # type: ignore[union-attr]
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert len(scripts) == len(styles) == 1
    for kind, text in (("script-src", scripts[0]), ("style-src", styles[0])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_the_page_holds_no_event_handler_no_style_attribute_and_no_foreign_address(page: str) -> None:
    markup = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    tags = re.findall(r"<[a-zA-Z][^>]*>", markup)
    assert not [tag for tag in tags if re.search(r"\s(on\w+|style|src|srcset|action)=", tag)]
    assert {tag for tag in tags if re.search(r'href="(?!#)', tag)} == set()


def test_the_script_never_parses_text_as_markup() -> None:
    script = page_assets().script
    for name in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "Function(",
        "DOMParser",
    ):
        assert name not in script
    assert "</script" not in script
    assert "<!--" not in script


class Markup(HTMLParser):
    """The tags and attributes of a page, as a browser would find them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes.update(name for name, _ in attrs)


def test_no_injection_string_becomes_a_tag_or_an_attribute(tmp_path: Path) -> None:
    report = hostile_report(tmp_path)
    text = render_page(report)
    found = Markup()
    found.feed(text)
    parts = pack_samples(report)
    assert found.tags["script"] == 2 + len(parts.details) + len(parts.texts)
    assert found.tags["style"] == found.tags["h1"] == 1
    assert not {"iframe", "img", "object", "embed", "link", "base", "b "} & set(found.tags)
    assert not [one for one in found.attributes if one.startswith("on") or one in ("style", "src", "srcdoc")]
    for injection in INJECTIONS:
        assert "<" not in injection or injection not in text


def test_templates_do_not_expand_what_a_model_is_called(tmp_path: Path) -> None:
    text = render_page(toy_report(tmp_path, "9", model="openai/{{ 7 * 7 }}"))
    assert "openai/{{ 7 * 7 }}" in text


def test_the_headline_is_the_mean_of_the_scores_reduced_by_hand(report: Report, page: str) -> None:
    scores = [item.score for item in report.graded["paper"] if item.score.unscored is None]
    means = [
        sum(score.values[name] or 0 for score in scores) / len(scores)
        for name in ("format", "order", "tone", "depth")
    ]
    matched = sum(score.counts["call"].matched for score in scores)
    predicted = sum(score.counts["call"].predicted for score in scores)
    f1 = 2 * matched / (predicted + len(scores))
    headline = 100 * (sum(means) + f1) / 5
    assert f'<p class="figure">{headline:.1f}<small>%</small></p>' in page


def test_more_than_two_percent_unscored_withholds_the_headline(report: Report) -> None:
    failed = [
        replace(item, score=Score(item.sample.id, unscored="timeout")) if place % 10 == 0 else item
        for place, item in enumerate(report.graded["paper"])
    ]
    summary = summarise(report.benchmark, failed, "paper", resamples=10)
    held = replace(
        report, graded={**report.graded, "paper": failed}, summaries={**report.summaries, "paper": summary}
    )
    text = render_page(held)
    assert '<p class="figure withheld">withheld</p>' in text
    assert "unscored samples" not in paper_verdict(report).line


def test_the_index_lists_every_sample_with_score_labels_and_groups(report: Report) -> None:
    index = unpacked(pack_samples(report).index)
    assert index["ids"] == [f"s{n}" for n in range(120)]
    assert index["unscored"][3] == "timeout"
    assert index["scores"][3] is None
    assert index["groups"]["depth"]["keys"] == ["1", "2", "3+"]
    assert [index["groups"]["depth"]["of"][n] for n in (0, 3, 6)] == [0, 1, 2]
    assert ["answer", "wrong_tool"] in index["labels"]
    assert ["answer", "never_seen"] not in index["labels"]


def test_a_detail_holds_prompt_answer_gold_and_both_profiles(report: Report) -> None:
    parts = pack_samples(report)
    index, details = unpacked(parts.index), [item for chunk in parts.details for item in unpacked(chunk)]
    pieces = [piece for block in parts.texts for piece in unpacked(block)]
    place = next(n for n, (a, b) in enumerate(zip(index["scores"], index["official"], strict=True)) if a != b)
    detail, graded = details[place], report.graded["paper"][place]
    assert (
        "".join(pieces[n] for n in detail["messages"][0]["pieces"]) == graded.transcript.messages[0].content
    )
    assert len(detail["messages"]) == 1
    assert detail["completions"][0]["text"] == graded.transcript.text
    assert detail["gold"] == graded.sample.gold
    assert detail["paper"]["reasons"] == list(graded.score.reasons)
    assert detail["figures"]["tone"] == [0.0, 1.0]
    assert details[0]["evidence"][0]["reply"] == "Fine."


def test_a_shared_instruction_is_in_the_file_once(report: Report) -> None:
    blocks = [unpacked(block) for block in pack_samples(report).texts]
    assert sum(piece.startswith("Answer with a JSON list") for block in blocks for piece in block) == 1


def test_an_oracle_of_the_toy_has_full_marks_on_every_sample(tmp_path: Path) -> None:
    answers = {sample.id: json.dumps(sample.gold) for sample in toy_samples(12)}
    index = unpacked(pack_samples(toy_report(tmp_path, "12", answers=answers)).index)
    assert index["scores"] == [1.0] * 12


def test_the_verdict_names_each_difference(report: Report) -> None:
    assert [what for what, _ in paper_verdict(report).differences] == ["other data", "our prompts"]
    config = replace(report.run.config, texts={"instruction": "theirs"}, data="official", limit=3)
    changed = replace(report, run=replace(report.run, config=config))
    assert [what for what, _ in paper_verdict(changed).differences] == ["a part of the data", "your prompts"]


def test_a_judge_other_than_the_papers_is_a_difference(report: Report) -> None:
    setup = PaperSetup(judge="gpt-4", simulated_tools=True)
    reference = Reference(report.benchmark.published, report.benchmark.deviations, setup)
    judged = with_benchmark(report, reference=reference, judging=Judging(lambda *_: ()))
    assert [what for what, _ in paper_verdict(judged).differences][-2:] == ["no judge", "simulated tools"]
    other = replace(judged, manifest={**report.manifest, "judge": "openai/other"})
    assert ("other judge", "openai/other instead of gpt-4") in paper_verdict(other).differences
    same = replace(judged, manifest={**report.manifest, "judge": "openai/gpt-4"})
    assert "judge" not in paper_verdict(same).line


def test_printed_tables_have_one_line_per_model_and_the_run_and_baselines_on_top(report: Report) -> None:
    first, second = printed_tables(report)
    (_, own), (opened, _), (closed, _) = first.sections()
    assert [kind for kind, _ in own] == ["run", "run", "baseline", "baseline"]
    assert (opened, closed) == ("open", "closed")
    assert second.spans == (("travel", 2), ("office", 2))
    (_, lines), (_, models) = second.sections()
    assert models[0][1][second.heads :] == ("50.0", "40.0", "60.0", "30.0")
    value = report.summaries["official"].groups["scenario"]["travel"]["tone"].value
    assert value is not None
    assert lines[0][1][second.heads] == f"{100 * value:.1f}"


def test_group_tables_end_with_all_samples_and_the_best_trivial_baseline_of_each_key(report: Report) -> None:
    table = group_table_with_baselines(report, "depth", list(report.summaries["paper"].groups["depth"]))
    (_, keys), (title, chance) = table.sections()
    assert [row[0] for _, row in keys] == ["1", "2", "3+", "all samples"]
    assert [kind for kind, _ in keys] == ["", "", "", "total"]
    assert title == "best trivial baseline"
    assert [row[0] for _, row in chance] == ["1", "2", "3+", "all samples"]
    assert {kind for kind, _ in chance} == {"baseline"}
    values = [item.groups["depth"]["2"]["order"] or 0 for item in report.baselines["paper"]]
    assert chance[1][1][table.columns.index("order")] == f"{100 * max(values):.1f}"


def test_a_breakdown_begins_with_the_headline_and_says_how_many_lack_its_keys(
    report: Report,
) -> None:
    assert group_table_with_baselines(
        report, "depth", list(report.summaries["paper"].groups["depth"])
    ).columns[:3] == ("depth", "n", report.setup.headline)
    summary = report.summaries["paper"]
    sizes = {"depth": {**summary.group_sizes["depth"], "other": 5}}
    note = group_table(report.benchmark, replace(summary, group_sizes=sizes), "depth").note
    assert note == "5 of 119 answers have another depth or none: they count in all samples alone"
    assert group_table(report.benchmark, summary, "depth").note == ""


def test_groups_of_few_samples_are_folded_and_not_drawn(report: Report) -> None:
    summary = report.summaries["paper"]
    sizes = {**summary.group_sizes, "depth": {**summary.group_sizes["depth"], "2": 4, "3+": 1}}
    few = replace(report, summaries={**report.summaries, "paper": replace(summary, group_sizes=sizes)})
    tables = {
        (large or small).columns[0]: (large, small)  # type: ignore[union-attr]
        for large, small in group_tables_with_baselines(few)
    }
    assert tables["scenario"][1] is None
    large, small = tables["depth"]
    assert large is not None and [row[0] for row in large.rows[:2]] == ["1", "all samples"]
    assert small is not None and [row[0] for row in small.rows[:3]] == ["2", "3+", "all samples"]
    assert "group-depth" not in [chart.name for chart in run_charts(few)]
    page = render_page(few)
    assert page.index("Groups with fewer than 5 samples") > page.index("<h3>By depth</h3>")
    assert "Groups with fewer than 5 samples" not in render_page(report)


def test_a_page_says_its_verdict_and_draws_its_metrics_before_the_samples(page: str) -> None:
    parts = (
        'class="verdict',
        'id="run-chart-figures"',
        'id="samples"',
        'id="figures"',
        'id="charts"',
        'id="groups"',
    )
    places = [page.index(part) for part in parts]
    assert places == sorted(places)
    assert page.count('class="verdict ') == 1


def test_the_charts_are_valid_and_those_the_run_has_data_for(report: Report) -> None:
    names = [chart.name for chart in run_charts(report)]
    assert names == [
        "figures", "radar", "published", "group-scenario", "group-depth", "errors", "distribution", "length",
    ]  # fmt: skip
    assert main_figures(report) == ["format", "order", "tone", "depth", "call_f1"]
    assert [chart.name for chart in run_charts(report) if not is_vega_lite(chart.spec)] == []
    broken = apply_theme(view([{"a": 1}]).mark("point").encode(x=field("a:Q", scale={"domain": {}})))
    assert not is_vega_lite(broken)
    scoring = report.benchmark.scoring
    two = tag_metrics(scoring.metrics, {CAPABILITY: ("format", "order")})
    few = with_benchmark(report, scoring=replace(scoring, metrics=two))
    assert "radar" not in [chart.name for chart in run_charts(few)]


def test_the_theme_has_one_home() -> None:
    texts = {file.name: file.read_text() for file in Path(str(PAGE_FOLDER)).glob("*.js")}
    assert [name for name, text in texts.items() if "toolyard-theme" in text] == ["theme.js"]
    assert [name for name, text in texts.items() if "dataset.theme" in text] == ["theme.js"]
    for scripts in (page_assets().script, comparison_assets().script):
        assert scripts.count("function startTheme") == 1


@pytest.mark.parametrize(
    "model", ["constructor", "x" * 10_000, 'a"] || datum', "\\", "best trivial baseline"]
)
def test_a_chart_survives_what_a_model_is_called(tmp_path: Path, model: str) -> None:
    report = toy_report(tmp_path, "12", model=f"openai/{model}")
    for chart in run_charts(report):
        drawn = ElementTree.fromstring(chart.svg())
        assert all(len(text.text or "") < 200 for text in drawn.iter("{http://www.w3.org/2000/svg}text"))


@given(st.lists(st.text(max_size=80) | st.text("ab", min_size=90, max_size=95), max_size=12))
def test_names_in_a_chart_are_short_and_stay_apart(names: list[str]) -> None:
    written = drawn_names(names)
    assert set(written) == set(names)
    assert len(set(written.values())) == len(written)
    assert all(len(text) <= 70 for text in written.values())


def test_a_chart_is_a_labelled_svg_and_a_png(report: Report) -> None:
    chart = run_charts(report)[0]
    drawn = ElementTree.fromstring(chart.svg())
    assert drawn.get("role") == "img"
    assert str(drawn.get("aria-label")).startswith("All metrics.")
    assert chart.png().startswith(b"\x89PNG\r\n")


def test_the_facts_show_how_the_prompt_was_rendered(report: Report) -> None:
    serving = {"surface": "chat", "rendered_prompt": "<|im_start|>user\n{user}<|im_end|>\n"}
    facts = dict(run_facts(replace(report, manifest={**report.manifest, "serving": serving})))
    assert facts["prompt as rendered"] == "<|im_start|>user⏎ {user}<|im_end|>⏎ "
    assert facts["served by"] == "surface chat"


def test_the_command_line_repeats_the_run(report: Report) -> None:
    config = replace(report.run.config, data="official", limit=5, seed=7, model="openai/a b")
    changed = replace(report, run=replace(report.run, config=config))
    assert command_line(changed) == "toolyard run pagetoy -m 'openai/a b' --data official --limit 5 --seed 7"


@pytest.mark.parametrize(("value", "text"), [(0.0123, "+1.2"), (-0.05, "−5.0"), (0.0001, "0"), (None, "–")])
def test_differences_carry_their_sign(value: float | None, text: str) -> None:
    assert signed_points(value) == text


def test_equal_marks_of_a_metric_leave_each_other_in_sight(tmp_path: Path) -> None:
    """Baseline, score, official profile lie on each other in this order, each mark smaller than the one below."""
    chart = figure_chart(toy_report(tmp_path, "60"))
    assert chart is not None
    points = [each for each in chart.spec["layer"] if each["mark"]["type"] == "point"]
    sizes = {each["data"]["values"][0]["series"]: each["mark"]["size"] for each in points}
    assert list(sizes) == [CHANCE, PAPER_PROFILE, OFFICIAL_PROFILE]
    assert list(sizes.values()) == sorted(sizes.values(), reverse=True)


LINE = re.compile(r'<p class="verdict (yes|no)">(.*?)</p>')
PASSED = ProbeOutcome("chat/plain/1", "chat", "plain", True, True, "", "")


def verdict_in(page: str) -> tuple[str, str]:
    [(kind, text)] = LINE.findall(page)
    assert page.index('class="verdict ') < page.index("<table")
    return kind, text


def test_a_certificate_names_its_defects() -> None:
    assert verdict_in(render_certificate(Certificate("m", (PASSED,)))) == (
        "yes",
        "Sound: 1 of 1 probe passed.",
    )
    lost = replace(PASSED, passed=False, why="usage_missing", layer="server", defects=("usage_missing",))
    kind, text = verdict_in(render_certificate(Certificate("m", (PASSED, lost))))
    assert (kind, text) == ("no", "1 defect found: usage_missing; 1 of 2 probes passed.")


@pytest.mark.parametrize(("sound", "kind"), [(True, "yes"), (False, "no")])
def test_a_review_counts_its_findings(tmp_path: Path, sound: bool, kind: str) -> None:
    found = review_documents(load_source(str(written(tmp_path, DESK if sound else damaged()))), "words")
    assert verdict_in(render_review(found))[0] == kind
    if not sound:
        assert verdict_in(render_review(found))[1] == "6 errors in 9 tools."


@pytest.mark.parametrize(("low", "kind", "above"), [(0.4, "yes", 1), (0.1, "no", 0)])
def test_a_probe_says_in_how_many_suites_a_model_is_better(low: float, kind: str, above: int) -> None:
    headline = Headline("mtu", "average", Estimate(0.5, low, 0.6), 9, "empty", 0.2, "runs/a")
    profile = ToolProfile("m", "desk", "default", (), (), (headline,), (), (), (), (), (), ())
    found = verdict_in(render_profile(profile))
    assert found == (
        kind,
        f"Better than the best trivial baseline in {above} of 1 suite; 0 of 0 samples went wrong.",
    )


def test_traffic_counts_what_has_a_finding(tmp_path: Path) -> None:
    user = {"role": "user", "content": "hello"}
    answer = {"choices": [{"message": {"role": "assistant", "content": "Hello."}}]}
    line = {"request": {"model": "m", "messages": [user]}, "response": answer}
    (tmp_path / "log.jsonl").write_text(json.dumps(line) + "\n")
    page = tmp_path / "traffic.html"
    done = CliRunner().invoke(app, ["traffic", str(tmp_path / "log.jsonl"), "--html", str(page)])
    assert done.exit_code == 0
    assert verdict_in(page.read_text()) == ("yes", "0 of 1 trajectories with a finding.")


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
def cut_report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return cut_run(tmp_path_factory.mktemp("cut"), cut=2)


def test_cut_answers_are_counted_with_what_gives_them_room(cut_report: Report) -> None:
    assert f"2 answers {SENTENCE}" in results_note(cut_report)
    assert f"2 answers {SENTENCE}" in left_out_notes(cut_report)
    for name in ("report.md", "report.html"):
        assert f"2 answers {SENTENCE}" in (cut_report.folder / name).read_text()
    assert orjson.loads((cut_report.folder / "report.json").read_bytes())["cut_answers"] == 2


def test_a_cut_answer_that_lost_points_says_so_first(cut_report: Report) -> None:
    lost, whole, other = cut_report.graded["paper"]
    assert lost.score.reasons[0] == REASON and len(lost.score.reasons) > 1
    assert whole.transcript.is_cut and whole.score.reasons == (), "no point was lost"
    assert other.score.reasons == ()
    first = orjson.loads((cut_report.folder / "scores.jsonl").read_bytes().splitlines()[0])
    for profile in ("paper", "official"):
        assert first["profiles"][profile]["reasons"][0] == REASON


def test_nothing_is_said_where_no_answer_was_cut(tmp_path: Path) -> None:
    cut_report = cut_run(tmp_path, cut=0)
    assert "token" not in results_note(cut_report)
    assert cut_report.cut_answers == 0 and not any("cut" in line for line in left_out_notes(cut_report))


@pytest.mark.parametrize(("style", "said"), [("native", True), ("default", False)])
def test_tools_that_the_model_never_saw_are_named(tmp_path: Path, style: str, said: bool) -> None:
    run = evaluate("nestools", "local", style=style, limit=1, shortest=True, max_tokens=5, runs=tmp_path)
    report = write_report(run.folder)
    assert (UNSEEN_TOOLS in results_note(report)) == said
    for name in ("report.md", "report.html"):
        assert (UNSEEN_TOOLS in (report.folder / name).read_text()) == said


def test_ways_compare_and_estimate_name_the_runs_whose_tools_were_never_seen(tmp_path: Path) -> None:
    said = toolyard(
        "ways", "nestools", "-m", "local", "--ways", "default,native", "--shortest", "--limit", "1",
        "--max-tokens", "5", "--runs", str(tmp_path), "--html", str(tmp_path / "ways.html"), "--json",
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    assert orjson.loads(said.stdout)["unseen_tools"] == ["native"]
    assert f"native: {UNSEEN_TOOLS}" in (tmp_path / "ways.html").read_text()
    (native,) = (path.parent for path in tmp_path.glob("*/manifest.json") if b"native" in path.read_bytes())
    copied = shutil.copytree(native, tmp_path / "copy")
    compared = toolyard("compare", str(native), str(copied), "--json")
    assert orjson.loads(compared.stdout)["nestools"]["remarks"][0].endswith(f": {UNSEEN_TOOLS}")
    estimated = toolyard(
        "estimate", "nestools", "-m", "local", "--style", "native", "--shortest", "--limit", "1",
        "--max-tokens", "5", "--runs", str(tmp_path),
    )  # fmt: skip
    assert f"nestools: {UNSEEN_TOOLS}" in " ".join(estimated.stdout.split())
