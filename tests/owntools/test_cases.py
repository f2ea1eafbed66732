"""Case files: what is read, what counts as right, and what never happens without --live."""

import sys
from pathlib import Path

import jsonschema
import pytest
import yaml
from typer.testing import CliRunner

import toolyard
from cases import each_case
from json_files import read_json
from toolyard.benchmarks import load_benchmark
from toolyard.cli.app import app
from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import Completion, Options
from toolyard.owntools.cases import EXAMPLE
from toolyard.owntools.cases.case_episode import read_calls
from toolyard.owntools.cases.case_file import load, write_example
from toolyard.owntools.cases.case_scoring import PlayedCase, fits_argument, score
from toolyard.report.charts.run_charts import run_charts
from toolyard.report.compare.comparison import compare_runs
from toolyard.report.content import load_report
from toolyard.report.page.run_page import render_page
from toolyard.report.page.sample_index import task_text
from toolyard.report.tables.comparison_tables import leaderboard
from toolyard.report.tables.run_tables import report_tables, summary_tables
from toolyard.run.grade.checking import check_benchmarks

OPTIONS = Options("default", values={"live": "no"})
SHOP = '''"""A shop that writes down every call."""
from pathlib import Path
LOG = Path(__file__).with_name("calls.log")

def get_order(order_id: int) -> dict:
    """One order with its total."""
    with LOG.open("a") as file:
        file.write("get_order\\n")
    return {"order_id": order_id, "total": 42.5}

def refund_order(order_id: int, amount: float) -> dict:
    """Pay an amount back for an order."""
    with LOG.open("a") as file:
        file.write("refund_order\\n")
    return {"order_id": order_id, "refunded": amount}
'''
REFUND = """\
tools: python:cases_shop
cases:
  - id: refund
    request: Order 17 came too late. Refund what I paid.
    expect:
      calls:
        - get_order: {order_id: 17}
        - refund_order: {order_id: 17, amount: {$: 0.total}}
      facts: [{$: 0.total}]
    forbid: [delete_*]
"""


@pytest.fixture
def example(tmp_path: Path) -> Path:
    return write_example(tmp_path / "cases.yaml")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "cases_shop.py").write_text(SHOP)
    (tmp_path / "refund.yaml").write_text(REFUND)
    monkeypatch.delitem(sys.modules, "cases_shop", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path / "cache"))
    return tmp_path


def test_the_example_passes_its_own_checks(example: Path) -> None:
    (result,) = check_benchmarks(str(example), "starter", {})
    assert result.passed, result.checks


@pytest.mark.parametrize("style", ["default", "native"])
def test_a_case_file_runs_in_place_of_a_benchmark(example: Path, tmp_path: Path, style: str) -> None:
    result = toolyard.evaluate(str(example), "scripted/oracle", style=style, runs=tmp_path / "runs")
    assert result.summaries["paper"].figures["success"].value == 1.0
    assert result.folder.name.startswith("cases_")


@pytest.mark.parametrize(
    ("options", "code"), [((), 0), (("--fail-under", "0.3"), 0), (("--fail-under", "1"), 3)]
)
def test_failed_cases_are_counted_and_fail_the_command_where_asked(
    example: Path, tmp_path: Path, options: tuple[str, ...], code: int
) -> None:
    words = ["run", str(example), "-m", "scripted/no-call", "--runs", str(tmp_path / "runs"), "--no-report"]
    done = CliRunner().invoke(app, [*words, *options])
    assert done.exit_code == code, done.output
    assert "2 of 3 cases failed: opening-hours, book-table\n" in done.stdout
    assert ("failed: success is below --fail-under 1\n" in done.stdout) == bool(code)


def test_no_table_of_own_cases_speaks_of_a_paper(example: Path, tmp_path: Path) -> None:
    folder = toolyard.evaluate(str(example), "scripted/oracle", runs=tmp_path / "runs").folder
    report = load_report(folder)
    tables = [*report_tables(report), *(chart.table for chart in run_charts(report))]
    tables += [
        leaderboard(compare_runs([folder])["cases"]),
        *summary_tables(report.benchmark, report.summaries["paper"]),
    ]
    heads = [text for table in tables for text in (table.title, *table.columns)]
    assert [text for text in heads if "paper" in text or "official" in text] == []
    assert "percent [95 %]" in heads
    page = render_page(report)
    assert task_text(report.graded["paper"][0].sample) == "When does the branch in Oslo open on Mondays?"
    assert "official profile" not in page.split("<script>")[0]
    assert "paper profile" not in page


def test_the_schema_takes_the_example_and_refuses_an_unknown_key() -> None:
    schema = read_json(EXAMPLE.parent / "schema.json")
    written = yaml.safe_load((EXAMPLE / "cases.yaml").read_text())
    jsonschema.validate(written, schema)
    written["cases"][0]["reqest"] = "hello"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(written, schema)


@each_case("before, after, line, wanted")
def test_a_mistake_has_its_line(example: Path, before: str, after: str, line: int, wanted: str) -> None:
    text = example.read_text()
    assert before in text
    example.write_text(text.replace(before, after, 1))
    with pytest.raises(DataError, match=rf"cases\.yaml:{line}: .*{wanted}"):
        load_benchmark("cases").data.load(example, OPTIONS)


def test_a_case_file_takes_no_other_data(example: Path) -> None:
    with pytest.raises(UsageError, match="leave out --data"):
        toolyard.evaluate(str(example), "scripted/oracle", data="official")


@each_case("wanted, given, same")
def test_arguments_are_compared_by_meaning(wanted: object, given: object, same: bool) -> None:
    assert fits_argument(wanted, given, "value") is same


def called(
    name: str, text: str = "{}", *, error: str | None = None, **arguments: object
) -> dict[str, object]:
    return {"name": name, "arguments": arguments, "error": error, "forbidden": False, "text": text}


HOURS = called("branch_hours", '{"opens": "09:00"}', city="Oslo", day="Monday")


@pytest.mark.parametrize(
    ("calls", "answer", "success", "label"),
    [
        ([HOURS], "It opens at 09:00.", 1.0, None),
        ([HOURS, HOURS], "It opens at 09:00.", 1.0, None),
        ([HOURS], "It opens at 10:00.", 0.0, "missing_fact"),
        ([], "It opens at 09:00.", 0.0, "missing_call"),
        ([called("branch_hours", city="Oslo", day="Sunday")], "09:00", 0.0, "wrong_arguments"),
        ([HOURS, called("book_table", city="Oslo")], "It opens at 09:00.", 0.0, "extra_call"),
        ([HOURS, {**called("cancel_booking"), "forbidden": True}], "09:00", 0.0, "forbidden_call"),
        ([HOURS], " ", 0.0, "no_answer"),
    ],
)
def test_case_scores(calls: list[dict[str, object]], answer: str, success: float, label: str | None) -> None:
    sample = load_benchmark("cases").data.load(EXAMPLE / "cases.yaml", OPTIONS)[0]
    found = score(sample, PlayedCase(tuple(calls), answer), {}, "paper")
    assert found.values["success"] == success
    assert (label in found.errors["case"]) if label else not found.errors["case"]


@each_case("text")
def test_calls_are_read_from_text(text: str) -> None:
    (call,) = read_calls(Completion(text))
    assert (call.name, call.arguments) == ("f", {"a": 1})


def test_real_tools_are_called_with_live_only_and_only_by_the_model(shop: Path) -> None:
    log = shop / "calls.log"
    toolyard.evaluate("refund.yaml", "scripted/oracle", runs=shop / "runs")
    assert not log.exists()
    result = toolyard.evaluate("refund.yaml", "scripted/oracle", runs=shop / "live", options={"live": "yes"})
    assert result.summaries["paper"].figures["success"].value == 1.0
    # neither estimates nor baselines reach them
    assert log.read_text().split() == ["get_order", "refund_order"]


@pytest.mark.parametrize(
    ("beside", "here", "wanted"),
    [("sold_here", "sold_there", "sold_here"), ("", "sold_there", "sold_there")],
    ids=["beside the case file", "in the current folder"],
)
def test_a_module_is_looked_up_beside_the_case_file_then_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beside: str, here: str, wanted: str
) -> None:
    for folder, function in (("cases", beside), ("start", here)):
        (tmp_path / folder).mkdir()
        if function:
            code = f'def {function}(day: str) -> int:\n    """How much was sold on a day."""\n    return 1\n'
            (tmp_path / folder / "kiosk_of_cases.py").write_text(code)
    case = {"id": "a", "request": "How much?", "expect": {"calls": [{wanted: {"day": "Monday"}}]}}
    written = {"tools": "python:kiosk_of_cases", "cases": [case]}
    (tmp_path / "cases" / "cases.yaml").write_text(yaml.safe_dump(written))
    monkeypatch.chdir(tmp_path / "start")
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path / "cache"))
    for live in ("no", "yes"):
        [sample] = load(tmp_path / "cases" / "cases.yaml", Options("default", values={"live": live}))
        assert [each["name"] for each in sample.input["documents"]] == [wanted]


def test_a_forbidden_call_never_reaches_the_real_tool(shop: Path) -> None:
    (shop / "refund.yaml").write_text(REFUND.replace("delete_*", "refund_*"))
    result = toolyard.evaluate("refund.yaml", "scripted/oracle", runs=shop / "live", options={"live": "yes"})
    assert result.summaries["paper"].figures["success"].value == 0.0
    assert (shop / "calls.log").read_text().split() == ["get_order"]
