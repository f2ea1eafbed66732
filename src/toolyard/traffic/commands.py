"""traffic: recorded requests and traces, judged without gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from toolyard.cli.output import print_json, print_tables, write_output, write_page
from toolyard.cli.signature import takes_options
from toolyard.core.options import option

if TYPE_CHECKING:
    from toolyard.core.table import Table
    from toolyard.traffic.traffic_scoring import JudgedEpisode

SHOWN = 30


@dataclass(frozen=True, slots=True)
class TrafficSettings:
    """What a user can ask of `traffic`, each option stated once."""

    file: Path = option(
        ...,
        help="OTLP JSON traces, an OpenAI-format log (JSONL), ATIF trajectories, or a log of inspect (.eval, .json).",
    )
    export: Path | None = option(
        None,
        "--export",
        help="Folder for failing ones as drafts (a case file and MTU-Bench rows), which a person corrects.",
    )
    html: Path | None = option(None, "--html", help="Also write one self-contained page to this file.")
    json: bool = option(False, "--json", help="Print JSON instead of tables.")


@takes_options(TrafficSettings)
def traffic(settings: TrafficSettings) -> None:
    """Check recorded traffic without gold answers.

    It checks format, tools, parameters, repetition, claims and recovery.

    Example: toolyard traffic traces.json --html traffic.html --export drafts
    """
    from toolyard.traffic.log_reading import read_traffic
    from toolyard.traffic.traffic_scoring import estimate_figures, judge_trajectory

    judged = [judge_trajectory(item) for item in read_traffic(settings.file)]
    if settings.json:
        from toolyard.stats.summary import figure_intervals, figure_values

        figures = estimate_figures(judged)
        print_json(
            {
                "trajectories": len(judged),
                "failing": sum(item.failing for item in judged),
                "figures": figure_values(figures),
                "intervals": figure_intervals(figures),
                "found": [item.to_json() for item in judged],
            }
        )
    else:
        print_tables(_traffic_tables(judged, SHOWN))
    if settings.html is not None:
        from toolyard.report.page.tables_page import render_tables
        from toolyard.report.page.verdict_line import VerdictLine

        failing = sum(item.failing for item in judged)
        verdict = VerdictLine(not failing, f"{failing} of {len(judged):,} trajectories with a finding.")
        page = render_tables(
            "Recorded traffic", settings.file.name, _traffic_tables(judged, None), verdict=verdict
        )
        write_page(settings.html, page)
    if settings.export is not None:
        _export_drafts(judged, settings.export)


def _traffic_tables(judged: Sequence[JudgedEpisode], most: int | None) -> list[Table]:
    from toolyard.core.table import Table
    from toolyard.report.tables.formats import with_interval, words
    from toolyard.traffic.traffic_scoring import FIGURES, estimate_figures

    figures = estimate_figures(judged)
    counted = {name: sum(item.counts[name].gold for item in judged) for name in FIGURES}
    rows = tuple(
        (words(name), with_interval(figures[name]), int(counted[name]), about)
        for name, about in FIGURES.items()
    )
    failing = [item for item in judged if item.failing]
    note = f"{len(judged):,} checked, {len(failing):,} with a finding; percent, intervals over trajectories"
    found = [(item.trajectory.id, words(each.figure), each.why) for item in failing for each in item.findings]
    shown = found if most is None else found[:most]
    more = f"{len(found) - len(shown)} more: --json lists all" if len(shown) < len(found) else ""
    return [
        Table("Metrics", ("metric", "percent [95 %]", "of", "what is counted"), rows, note),
        Table("Findings", ("trajectory", "metric", "why"), tuple(shown), more),
    ]


def _export_drafts(judged: Sequence[JudgedEpisode], folder: Path) -> None:
    from toolyard.lines import encode
    from toolyard.traffic.case_drafts import CASES, TOOLS, case_drafts
    from toolyard.traffic.row_drafts import FILE, draft_rows

    rows = list(draft_rows(judged))
    text, tools = case_drafts(judged)
    files = {FILE: b"".join(map(encode, rows)), CASES: text.encode("utf-8", "replace"), TOOLS: encode(tools)}
    for name, content in files.items():
        write_output(folder / name, content)
    typer.echo(
        f"{len(rows)} drafts: {folder / CASES} (correct it, then: toolyard run {folder / CASES} -m MODEL) and "
        f"{folder / FILE} (rows of MTU-Bench: toolyard review {folder} --annotator NAME, "
        f"toolyard review {folder} --export REVIEWED, toolyard run mtu -m MODEL --data REVIEWED)",
        err=True,
    )


def register(app: typer.Typer) -> None:
    """Adds `traffic` to the program."""
    app.command("traffic")(traffic)
