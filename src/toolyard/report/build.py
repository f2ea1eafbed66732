"""Writes the reports of a run: report.json, report.md and report.html."""

from __future__ import annotations

from pathlib import Path

import orjson

from toolyard.core.benchmark import Table
from toolyard.lines import write_whole
from toolyard.report.compare.verdict import verdict_of
from toolyard.report.content import Report, load_report
from toolyard.report.export.markdown import markdown
from toolyard.report.page.run_page import render_page
from toolyard.report.tables.contamination_tables import contamination_tables
from toolyard.report.tables.run_tables import report_tables
from toolyard.report.tables.statistics_tables import report_statistics
from toolyard.text.parsing import json_safe

PAGE = "report.html"


def write_report(folder: Path) -> Report:
    """The run's reports, written again from its files."""
    report = load_report(folder)
    content = json_safe({**report.to_json(), "comparable": verdict_of(report).to_json()})
    write_whole(folder / "report.json", orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n")
    write_whole(folder / "report.md", markdown(document_tables(report)).encode("utf-8", "replace"))
    write_whole(folder / PAGE, render_page(report).encode("utf-8", "replace"))
    return report


def document_tables(report: Report) -> list[Table]:
    """Figures, groups, errors, published rows, analyses and statistics, in reading order."""
    return [
        *report_tables(report, published=bool(report.benchmark.published)),
        *contamination_tables(report),
        *report.analysis["paper"],
        *report_statistics(report),
    ]
