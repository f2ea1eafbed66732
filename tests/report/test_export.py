"""Exports, analyses and tables on a terminal hold the figures of the run, in forms that other programs can read."""

import base64
import csv
import json
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexEnvironmentNode, LatexMacroNode, LatexWalker
from rich.console import Console
from typer.testing import CliRunner

from compared_runs import LIMIT, make_runs
from json_files import read_json, read_lines
from report_toy import hostile_report, toy_report
from toolyard.cli.app import app
from toolyard.cli.output import print_tables
from toolyard.core.errors import MissingExtra, UsageError
from toolyard.core.table import Cell, Part, Table
from toolyard.core.types import Completion, Failure, Sample, Transcript, Usage
from toolyard.lines import encode
from toolyard.models.base import Price
from toolyard.report.analyses import all_analyses
from toolyard.report.content import Report, load_report, make_report
from toolyard.report.export.hub_export import detail_rows, yaml_text
from toolyard.report.export.latex import escape_latex, latex_tables
from toolyard.report.export.run_export import FORMS, export_run
from toolyard.report.export.terminal import Fitted, fit_to_width, rich_table
from toolyard.report.page.sample_index import pack_samples
from toolyard.report.report_files import write_report
from toolyard.report.resources import Resource, measure_resources, price_in, resource_of
from toolyard.report.tables.comparison_tables import undecidable_note
from toolyard.report.tables.formats import share_above_chance
from toolyard.review.row_sections import one_word_facts, sections_of_row
from toolyard.run.api import evaluate
from toolyard.stats.significance import too_few_clusters


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_runs(tmp_path_factory.mktemp("runs"), "scripted/random")[0]


@pytest.fixture(scope="module")
def report(run: Path) -> Report:
    return load_report(run)


def rows_in(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_an_unknown_form_is_refused_with_the_known_ones(run: Path, tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match="--to 'word' is not one of markdown, csv, json, latex, charts, atif, inspect, hub"
    ):
        export_run(run, "word", tmp_path)


def test_csv_holds_figures_samples_groups_errors_as_is(run: Path, report: Report, tmp_path: Path) -> None:
    export_run(run, "csv", tmp_path)
    found = {(row["profile"], row["figure"]): row for row in rows_in(tmp_path / "figures.csv")}
    for profile, summary in report.summaries.items():
        for name, figure in summary.figures.items():
            row = found[profile, name]
            assert (row["value"], row["low"]) == tuple(
                "" if number is None else str(number) for number in (figure.value, figure.low)
            )
    rows = rows_in(tmp_path / "samples.csv")
    assert [row["sample"] for row in rows] == [sample.id for sample in report.run.samples]
    mean = sum(float(row["paper_format"]) for row in rows) / len(rows)
    assert mean == report.summaries["paper"].figures["format"].value
    assert {row["group_depth"] for row in rows} == {"1", "2", "3+"}
    groups = rows_in(tmp_path / "groups.csv")
    depth = {row["key"]: int(row["samples"]) for row in groups if row["group"] == "depth"}
    assert depth == report.summaries["paper"].group_sizes["depth"]
    errors = [row for row in rows_in(tmp_path / "errors.csv") if row["profile"] == "paper"]
    assert {row["class"] for row in errors} == {"parameter", "nested", "tool"}


def test_json_is_the_report_markdown_has_its_tables(run: Path, report: Report, tmp_path: Path) -> None:
    [path] = export_run(run, "json", tmp_path)
    assert read_json(path)["profiles"]["paper"] == json.loads(json.dumps(report.summaries["paper"].to_json()))
    [path] = export_run(run, "markdown", tmp_path)
    text = path.read_text()
    assert "| average |" in text
    assert "GPT-4o" in text
    assert "smallest detectable difference" not in text
    assert "Welch" not in text


def test_charts_come_as_svg_and_png(tmp_path: Path) -> None:
    written = FORMS["charts"](toy_report(tmp_path), tmp_path)
    names = {path.name for path in written}
    assert {"figures.svg", "figures.png", "errors.svg", "errors.png"} <= names
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in written if path.suffix == ".png")
    assert all("<svg" in path.read_text() for path in written if path.suffix == ".svg")


def environments(text: str, name: str) -> list[Any]:
    """All environments of that name, parsed strictly."""
    nodes, _, _ = LatexWalker(text, tolerant_parsing=False).get_latex_nodes()
    found: list[Any] = []

    def walk(some: Any) -> None:
        for node in some:
            if isinstance(node, LatexEnvironmentNode) and node.environmentname == name:
                found.append(node)
            walk(getattr(node, "nodelist", None) or [])
            for argument in getattr(getattr(node, "nodeargd", None), "argnlist", None) or []:
                walk([argument] if argument is not None else [])

    walk(nodes)
    return found


def columns_of(tabular: str) -> set[int]:
    """How many columns the rows of a tabular fill, spans counted."""
    body = tabular[tabular.index("\\toprule") : tabular.index("\\bottomrule")]
    widths = set()
    for line in body.splitlines():
        if line.endswith("\\\\"):
            plain = line.replace("\\&", "")
            spans = [int(part.split("}")[0]) - 1 for part in plain.split("\\multicolumn{")[1:]]
            widths.add(plain.count("&") + 1 + sum(spans))
    return widths


@pytest.mark.parametrize("hostile", [False, True])
def test_latex_passes_a_strict_parser_and_rows_fit_their_columns(tmp_path: Path, hostile: bool) -> None:
    report = hostile_report(tmp_path) if hostile else toy_report(tmp_path)
    [path] = FORMS["latex"](report, tmp_path)
    tables = environments(path.read_text(), "tabular")
    assert len(tables) >= 3
    for table in tables:
        text = table.latex_verbatim()
        width = len(text.split("{tabular}{")[1].split("}")[0])
        assert columns_of(text) == {width}


def test_latex_of_a_real_run_has_the_papers_rows_and_booktabs_rules(run: Path, tmp_path: Path) -> None:
    [path] = export_run(run, "latex", tmp_path)
    text = path.read_text()
    assert environments(text, "tabular")
    assert "GPT-4o &" in text
    assert "\\textbf{scripted/random" in text
    assert text.count("\\toprule") == text.count("\\bottomrule") == text.count("\\begin{tabular}")
    assert "\\hline" not in text


def test_latex_spans_stand_over_their_columns() -> None:
    table = Table(
        "T",
        ("model", "x", "y", "z"),
        (("m_1", "1", Cell("1", "0 – 2"), None), ("run", 1, 1, 1)),
        spans=(("A", 2), ("B", 1)),
        parts=(Part("open", 1), Part("", 1)),
        kinds={1: "run"},
    )
    text = latex_tables([table])
    assert " & \\multicolumn{2}{c}{A} & \\multicolumn{1}{c}{B} \\\\" in text
    assert "\\cmidrule(lr){2-3} \\cmidrule(lr){4-4}" in text
    assert "\\textit{open}} \\\\\nm\\_1 & 1 & 1 & -- \\\\\n\\midrule\n\\textbf{run} & " in text


@given(st.text(max_size=60))
def test_any_text_survives_latex(text: str) -> None:
    source = latex_tables([Table("t", ("a", "b"), ((text, 1),), text)])
    assert len(environments(source, "tabular")) == 1
    nodes, _, _ = LatexWalker(escape_latex(text), tolerant_parsing=False).get_latex_nodes()
    macros = {node.macroname for node in nodes if isinstance(node, LatexMacroNode)}
    assert all(name.startswith("text") or name in set("{}$&%#_") for name in macros)


def test_special_characters_read_back_as_themselves() -> None:
    text = r"50% of {x}_1 & #2 costs $3 ~ \ done"
    assert LatexNodes2Text().latex_to_text(escape_latex(text)) == text


def test_the_hub_card_is_read_by_the_hubs_own_library(run: Path, report: Report, tmp_path: Path) -> None:
    hub = pytest.importorskip("huggingface_hub")
    export_run(run, "hub", tmp_path)
    results = hub.ModelCard.load(tmp_path / "README.md").data.eval_results
    found = {result.metric_name: result for result in results}
    value = report.summaries["paper"].figures["selection_f1"].value
    assert value is not None
    assert found["selection_f1 (paper profile)"].metric_value == round(100 * value, 2)
    assert found["average (official profile)"].dataset_revision == report.run.config.data_sha256
    card = hub.DatasetCard.load(tmp_path / "details" / "README.md")
    assert card.data.to_dict()["configs"][0]["data_files"][0]["path"] == "nestools.jsonl"


def test_the_hub_gets_a_result_and_a_task_definition(run: Path, report: Report, tmp_path: Path) -> None:
    import yaml

    export_run(run, "hub", tmp_path)
    (entry,) = yaml.safe_load((tmp_path / ".eval_results" / "nestools.yaml").read_text())
    value = report.summaries["paper"].figures["average"].value
    assert value is not None and entry["value"] == round(100 * value, 2)
    assert entry["dataset"] == {
        "id": "toolyard/nestools",
        "task_id": "nestools",
        "revision": report.run.config.data_sha256,
    }
    assert "n 12, 95 % interval [" in entry["notes"]
    hub = pytest.importorskip("huggingface_hub")
    (read,) = hub.parse_eval_result_entries([entry])
    assert (read.dataset_id, read.task_id, read.value) == ("toolyard/nestools", "nestools", entry["value"])
    definition = yaml.safe_load((tmp_path / "benchmark" / "eval.yaml").read_text())
    assert [task["id"] for task in definition["tasks"]] == ["nestools"]


def test_hub_details_have_a_row_of_like_columns_each(run: Path, report: Report, tmp_path: Path) -> None:
    export_run(run, "hub", tmp_path)
    rows = read_lines(tmp_path / "details" / "nestools.jsonl")
    assert len(rows) == LIMIT
    assert len({tuple((key, type(value)) for key, value in row.items()) for row in rows}) == 1
    assert rows[0]["answer"] == report.graded["paper"][0].transcript.text
    assert json.loads(rows[0]["paper"])["values"] == dict(report.graded["paper"][0].score.values)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.from_regex(r"\A[a-z_-]{1,8}\Z"), inner, max_size=3)
        ),
    )
)
def test_blocks_of_cards_read_back_as_written(value: Any) -> None:
    assert yaml.safe_load(yaml_text({"key": value})) == {"key": value}


def test_an_inspect_log_opens_with_the_runs_figures(run: Path, report: Report, tmp_path: Path) -> None:
    log = pytest.importorskip("inspect_ai.log", reason="needs inspect-ai: pip install 'toolyard[inspect]'")
    [path] = export_run(run, "inspect", tmp_path)
    found = log.read_eval_log(str(path))
    assert (found.status, len(found.samples), found.eval.model) == ("success", LIMIT, "scripted/random")
    by_name = {score.name: score.metrics for score in found.results.scores}
    for profile, summary in report.summaries.items():
        for name, figure in summary.figures.items():
            if figure.value is None:
                assert name not in by_name[profile]
            else:
                assert by_name[profile][name].value == figure.value
    samples = {sample.id: sample for sample in found.samples}
    first = report.graded["paper"][0]
    assert samples[first.sample.id].output.completion == first.transcript.text
    assert [info.task for info in log.list_eval_logs(str(tmp_path))] == ["nestools"]


def test_inspect_names_its_package(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "inspect_ai.log", None)
    with pytest.raises(MissingExtra, match=r"pip install 'toolyard\[inspect\]'"):
        export_run(run, "inspect", tmp_path)


SECRET = "a-description-that-only-scoring-needs"


@dataclass(frozen=True, slots=True)
class SecretiveGold:
    """A gold answer with a private field, as ToolBeHonest's tool database is."""

    plan: tuple[str, ...]
    _database: tuple[str, ...]


def with_private_gold(report: Report) -> Report:
    graded = {
        profile: tuple(
            replace(item, sample=replace(item.sample, gold=SecretiveGold(("public-step",), (SECRET,))))
            for item in items
        )
        for profile, items in report.graded.items()
    }
    return replace(report, graded=graded)


def test_private_fields_of_gold_are_in_no_export_page_or_review(report: Report) -> None:
    rows = json.dumps(list(detail_rows(with_private_gold(report))))
    assert "public-step" in rows
    assert SECRET not in rows
    assert "_database" not in rows
    packed = pack_samples(with_private_gold(report))
    pages = "".join(zlib.decompress(base64.b64decode(text), -15).decode() for text in packed.details)
    assert "public-step" in pages
    assert SECRET not in pages
    sample = Sample("s", {"task": "do it"}, SecretiveGold(("public-step",), (SECRET,)))
    shown = json.dumps(
        [sections_of_row({"task": "do it"}, [sample]), one_word_facts({"task": "do it"}, [sample])]
    )
    assert "public-step" in shown
    assert SECRET not in shown


def test_records_are_written_alike_whether_or_not_their_text_is_safe() -> None:
    safe = encode({"gold": SecretiveGold(("public-step",), (SECRET,))})
    unsafe = encode({"gold": SecretiveGold(("public-step \ud800",), (SECRET,))})
    assert json.loads(safe) == {"gold": {"plan": ["public-step"]}}
    assert json.loads(unsafe) == {"gold": {"plan": ["public-step \\ud800"]}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = evaluate("nestools", "scripted/word-overlap", limit=30, runs=tmp_path_factory.mktemp("runs"))
    write_report(result.run)
    return result.folder


def analysis(content: dict[str, object], title: str) -> dict[str, list[list[object]]]:
    found = content["analyses"]
    assert isinstance(found, list)
    return next(item for item in found if item["title"] == title)


def test_analyses_are_numbers_in_json_csv_and_the_full_report(folder: Path, tmp_path: Path) -> None:
    table = analysis(read_json(folder / "report.json"), "differences between groups")
    assert table["columns"][4:] == ["F", "df between", "df within", "p"]
    numbers = [row[4:] for row in table["rows"] if row[4] is not None]
    assert numbers, "at least one test is defined"
    assert all(isinstance(value, (int, float)) for row in numbers for value in row)
    export_run(folder, "csv", tmp_path)
    with (tmp_path / "analyses.csv").open() as file:
        titles = {row["analysis"] for row in csv.DictReader(file)}
    export_run(folder, "json", tmp_path)
    written = {item["title"] for item in read_json(tmp_path / "report.json")["analyses"] if item["rows"]}
    assert titles == written and {"errors", "smallest detectable difference"} <= titles
    shown = CliRunner().invoke(app, ["report", str(folder), "--full"]).stdout
    assert "differences between groups" in shown and "correlations between metrics" in shown
    assert "differences between groups" not in CliRunner().invoke(app, ["report", str(folder)]).stdout


def test_fewer_than_thirty_samples_have_no_tests_of_groups_and_metrics(tmp_path: Path) -> None:
    result = evaluate("nestools", "scripted/word-overlap", limit=29, runs=tmp_path)
    titles = {table.title for table in all_analyses(make_report(result.run))}
    tests = ("smallest detectable difference", "differences between groups", "correlations between metrics")
    assert not titles & set(tests)


def test_trials_print_pass_hat_k_and_notes_come_with_full_alone(tmp_path: Path) -> None:
    result = evaluate("nestools", "scripted/oracle", limit=3, trials=2, runs=tmp_path)
    command = ["report", str(result.folder)]
    short = CliRunner().invoke(app, command).stdout
    assert "pass^2" in short and "pass@2" in short
    assert "6 scored" in short and "above chance =" not in short
    assert "above chance =" in " ".join(CliRunner().invoke(app, [*command, "--full"]).stdout.split())


def answered(number: int, **more: object) -> Transcript:
    completion = Completion("x", usage=Usage(100 * number, 10), latency=float(number), **more)  # type: ignore[arg-type]
    return Transcript(str(number), completions=(completion,))


def test_percentiles_are_those_of_the_nearest_rank() -> None:
    assert resource_of([float(number) for number in range(1, 101)]) == Resource(50.5, 50, 90, 99, 100, 5050)
    assert resource_of([7.0]) == Resource(7, 7, 7, 7, 7, 7)


def test_samples_that_failed_are_not_among_them_and_what_nobody_measured_is_left_out() -> None:
    failed = Transcript("f", error=Failure("timeout", "late"))
    found = measure_resources([answered(1), answered(3), failed], Price(1.0, 10.0))
    assert set(found) == {"requests", "tokens_read", "tokens_written", "seconds", "cost"}
    assert found["tokens_read"] == Resource(200, 100, 300, 300, 300, 400)
    assert found["cost"].total == pytest.approx((400 * 1 + 20 * 10) / 1e6)
    assert "cost" not in measure_resources([answered(1)], None)
    assert measure_resources([failed], None) == {}


def test_a_batch_costs_half_and_a_kept_answer_nothing() -> None:
    price = Price(1.0, 10.0)
    batched = Transcript("b", completions=(Completion("x", usage=Usage(100, 10).as_batched),))
    assert price.cost(batched.usage) == pytest.approx(100 / 1e6)
    assert price.cost(answered(1).usage) == pytest.approx(200 / 1e6)
    assert price.cost(answered(1, kept=True).usage) == 0.0
    # What was read from the endpoint's own cache has its price only where it was no batch.
    cached = Price(1.0, 10.0, 0.1)
    assert cached.cost(Usage(100, 10, 0, 50)) == pytest.approx((50 * 1 + 50 * 0.1 + 100) / 1e6)
    assert cached.cost(Usage(100, 10, 0, 50).as_batched) == pytest.approx(100 / 1e6)


def test_a_manifest_keeps_the_price() -> None:
    assert price_in(
        {"price": {"input_per_million": 1, "output_per_million": 2, "cached_per_million": None}}
    ) == Price(1, 2)
    assert price_in({}) is None


ROW = ("parameter f1", "37.8 [30.1, 45.0]", "37.8", "0.0", "37.8", "3.9", "1.9", "1.9", "0.0")
FIGURES = Table(
    "figures",
    (
        "figure",
        "paper [95 %]",
        "official",
        "above chance",
        "word-overlap",
        "random",
        "first-tool",
        "copy",
        "empty",
    ),
    (ROW,),
    "in percent",
)


def drawn(found: Fitted, width: int) -> list[str]:
    console = Console(width=width, no_color=True)
    with console.capture() as captured:
        console.print(rich_table(found.table, found.widths))
    return captured.get().splitlines()


def test_columns_without_room_are_named_and_no_number_is_broken() -> None:
    found = fit_to_width(FIGURES, 80)
    lines = drawn(found, 80)
    assert {len(line) for line in lines} == {len(lines[0])}
    assert len(lines[0]) <= 80
    assert "37.8 [30.1, 45.0]" in "\n".join(lines)
    assert found.left_out == ("first-tool", "copy", "empty")
    assert found.note == (
        "in percent; no room for first-tool, copy, empty: a wider terminal or --json shows them"
    )
    sentence = Fitted(Table("t", ("a", "b"), (), "In percent."), ("b",)).note
    assert sentence.startswith("In percent; no room for b: ")
    found = fit_to_width(FIGURES, 160)
    assert found.table is FIGURES
    assert (found.left_out, found.note) == ((), "in percent")
    assert fit_to_width(FIGURES, 10).table.columns == ("figure", "paper [95 %]")


def test_texts_are_broken_before_a_column_is_left_out_and_words_are_not() -> None:
    table = Table("t", ("name", "about", "more"), (("a", "one two three " * 9, "four five six " * 9),))
    found = fit_to_width(table, 40)
    assert found.left_out == ()
    assert all(len(line) <= 40 for line in drawn(found, 40))
    table = Table("Options", ("from", "option", "meaning"), (("model", "--per-subtask", "many words " * 20),))
    shown = fit_to_width(table, 60)
    assert shown.widths[1] >= len("--per-subtask")


def test_so_few_clusters_can_never_show_a_difference() -> None:
    assert too_few_clusters(6) == ""
    assert too_few_clusters(5) == (
        "5 clusters can never reach p < 0.05: the smallest p is 0.0625, however large the difference; "
        "6 or more are needed"
    )
    assert "with 3 tests to correct for: the smallest p is 0.09375" in too_few_clusters(6, 3)
    # beside a clearer test the correction may spare the one with fewer clusters
    assert undecidable_note([40, 6, 6]) == ""
    assert undecidable_note([6, 6, 6]).startswith("6 clusters can never reach p < 0.05, with 3 tests")
    assert undecidable_note([1]).startswith("1 cluster can never reach p < 0.05:")
    assert undecidable_note([40, 5]).startswith("5 clusters can never reach p < 0.05:")
    assert undecidable_note([]) == ""


@pytest.mark.parametrize(
    ("share", "text"), [(None, "–"), (0.0, "0.0"), (0.25, "25.0"), (-0.007, "below"), (-2.03, "below")]
)
def test_a_figure_below_chance_says_so_and_by_how_much(share: float | None, text: str) -> None:
    assert share_above_chance(share) == text


def test_pipes_get_every_column(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    columns = ("model", *(f"parameter selection {number}" for number in range(9)))
    print_tables([Table("Figures", columns, (("local", *("80.0",) * 9),))])
    assert "parameter selection 8" in capsys.readouterr().out
