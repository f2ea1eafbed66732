"""Analyses are data: numbers in report.json, in CSV, in the full report of saved predictions too."""

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from toolyard.cli.app import app
from toolyard.report.analyses import analyses_of
from toolyard.report.content import report_of
from toolyard.report.export.run_export import export_run
from toolyard.report.report_files import write_report
from toolyard.run.api import evaluate


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
    table = analysis(json.loads((folder / "report.json").read_text()), "differences between groups")
    assert table["columns"][4:] == ["F", "df between", "df within", "p"]
    numbers = [row[4:] for row in table["rows"] if row[4] is not None]
    assert numbers, "at least one test is defined"
    assert all(isinstance(value, (int, float)) for row in numbers for value in row)
    export_run(folder, "csv", tmp_path)
    with (tmp_path / "analyses.csv").open() as file:
        titles = {row["analysis"] for row in csv.DictReader(file)}
    export_run(folder, "json", tmp_path)
    written = {
        item["title"]
        for item in json.loads((tmp_path / "report.json").read_text())["analyses"]
        if item["rows"]
    }
    assert titles == written and {"errors", "smallest detectable difference"} <= titles
    shown = CliRunner().invoke(app, ["report", str(folder), "--full"]).stdout
    assert "differences between groups" in shown and "correlations between metrics" in shown
    assert "differences between groups" not in CliRunner().invoke(app, ["report", str(folder)]).stdout


def test_fewer_than_thirty_samples_have_no_tests_of_groups_and_metrics(tmp_path: Path) -> None:
    result = evaluate("nestools", "scripted/word-overlap", limit=29, runs=tmp_path)
    titles = {table.title for table in analyses_of(report_of(result.run))}
    tests = ("smallest detectable difference", "differences between groups", "correlations between metrics")
    assert not titles & set(tests)


def test_trials_print_pass_hat_k_and_notes_come_with_full_alone(tmp_path: Path) -> None:
    result = evaluate("nestools", "scripted/oracle", limit=3, trials=2, runs=tmp_path)
    command = ["report", str(result.folder)]
    short = CliRunner().invoke(app, command).stdout
    assert "pass^2" in short and "pass@2" in short
    assert "6 scored" in short and "above chance =" not in short
    assert "above chance =" in CliRunner().invoke(app, [*command, "--full"]).stdout
