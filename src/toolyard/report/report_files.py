"""Writes the reports of a run: report.json, report.md and report.html."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import orjson

from toolyard import __version__
from toolyard.core.table import Table
from toolyard.lines import read_json_object, write_whole
from toolyard.report.analyses import all_analyses, report_json
from toolyard.report.compare.verdict import paper_verdict
from toolyard.report.content import Report, make_report
from toolyard.report.tables.contamination_tables import contamination_tables
from toolyard.report.tables.run_tables import report_tables
from toolyard.run.grade.judge_trials import JUDGE_SPREAD
from toolyard.run.run import Run
from toolyard.run.store.object_storage import publish_changes
from toolyard.run.store.run_directory import BASELINES, EVIDENCE, MANIFEST, SCORES, TRANSCRIPTS
from toolyard.text.markdown import markdown_tables
from toolyard.text.parsing import json_safe

PAGE, MARKDOWN, REPORT = "report.html", "report.md", "report.json"
# The files of a run that a report shows.
SOURCES = (MANIFEST, TRANSCRIPTS, EVIDENCE, SCORES, JUDGE_SPREAD, BASELINES)


def write_report(run: Run | Path, *, charts: bool = True) -> Report:
    """The run's reports, written from its files.

    Charts take seconds to draw: without them the page says how to get them, and nothing is written where all reports
    are of the same files.
    """
    run = run if isinstance(run, Run) else Run.open(run)
    run.take_back_end()
    report = make_report(run)
    folder, source = report.folder, digest_of_sources(report)
    if not charts and is_current(folder, source):
        return report
    analyses = all_analyses(report)
    comparable = paper_verdict(report).to_json()
    content = json_safe({**report_json(report, analyses), "comparable": comparable, "source": source})
    write_whole(
        folder / MARKDOWN, markdown_tables(document_tables(report, analyses)).encode("utf-8", "replace")
    )
    from toolyard.report.page.run_page import render_page

    write_whole(folder / PAGE, render_page(report, analyses, charts=charts).encode("utf-8", "replace"))
    # Last: it says what the others were written from.
    write_whole(folder / REPORT, orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n")
    publish_changes(folder)
    return report


def digest_of_sources(report: Report) -> str:
    """The digest of all that a report shows: the run's files, its neighbour's difference, this package."""
    digest = hashlib.sha256(__version__.encode())
    for name in SOURCES:
        digest.update(f"\0{name}\0".encode())
        digest.update(bytes.fromhex(report.run.store.sha256(name)))
    beside = None if report.contamination is None else report.contamination.to_json()
    digest.update(orjson.dumps(json_safe(beside)))
    return digest.hexdigest()


def is_current(folder: Path, source: str) -> bool:
    """Whether the reports in a folder were written from this source."""
    written = read_json_object(folder / REPORT) or {}
    return written.get("source") == source and all((folder / name).exists() for name in (MARKDOWN, PAGE))


def document_tables(report: Report, analyses: Sequence[Table]) -> list[Table]:
    """Figures, groups, errors, published rows, analyses and statistics, in reading order."""
    return [
        *report_tables(report, published=bool(report.benchmark.published)),
        *contamination_tables(report),
        *analyses,
    ]
