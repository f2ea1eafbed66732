"""The report page: one file that works offline, under a policy that lets nothing in and nothing out."""

import base64
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from toolyard.charts.chart import Chart
from toolyard.charts.fit_width import BESIDE
from toolyard.core.table import Cell, Links, Table, cell_text
from toolyard.report.analyses import all_analyses
from toolyard.report.charts.run_charts import run_charts
from toolyard.report.compare.verdict import paper_verdict
from toolyard.report.content import Report
from toolyard.report.page.run_facts import command_line, left_out_notes, run_facts, run_verdict
from toolyard.report.page.sample_index import pack_samples
from toolyard.report.tables.contamination_tables import contamination_tables
from toolyard.report.tables.formats import interval_text, percent, signed_points, words
from toolyard.report.tables.group_tables import FEW_IN_GROUP, group_tables_with_baselines
from toolyard.report.tables.pooled_notes import pooled_note
from toolyard.report.tables.published_tables import printed_tables
from toolyard.report.tables.resource_tables import resource_tables
from toolyard.report.tables.statistics_tables import trial_rates
from toolyard.stats.bootstrap import Estimate
from toolyard.text.printable import printable_text

# The one that stands beside the headline.
FIRST_CHART = "figures"
PAGE_FOLDER = files("toolyard.report.page") / "assets"
STYLES = ("base.css", "tables.css", "charts.css", "samples.css", "print.css")
SCRIPTS = ("theme.js", "data.js", "filters.js", "list.js", "difference.js", "detail.js", "app.js")


@dataclass(frozen=True, slots=True)
class Assets:
    """Style and script of a page, and the policy that admits exactly these."""

    style: str
    script: str

    @property
    def policy(self) -> str:
        """The Content-Security-Policy: no source but this very style and script, by hash."""
        parts = [
            "default-src 'none'",
            f"script-src {_csp_hash(self.script)}" if self.script else "",
            f"style-src {_csp_hash(self.style)}",
            "base-uri 'none'",
            "form-action 'none'",
        ]
        return "; ".join(part for part in parts if part)


def _csp_hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


@cache
def page_assets() -> Assets:
    """The report page's style and script."""
    return join_assets(STYLES, SCRIPTS)


def join_assets(styles: tuple[str, ...], scripts: tuple[str, ...]) -> Assets:
    """The concatenated files, as the page embeds them."""
    script = "\n".join(map(_read_asset, scripts))
    return Assets("\n".join(map(_read_asset, styles)), f'"use strict";\n{script}' if script else "")


def _read_asset(name: str) -> str:
    return (PAGE_FOLDER / name).read_text(encoding="utf-8")


@cache
def page_environment() -> Environment:
    """Templates of the page; everything is escaped unless it was marked as markup by us."""
    environment = Environment(
        loader=FileSystemLoader(str(PAGE_FOLDER)),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # A mark of direction would turn our own words, and what nobody sees cannot be judged.
        finalize=lambda value: printable_text(value) if type(value) is str else value,
    )
    environment.filters["words"] = words
    environment.filters["cell"] = cell_text
    environment.filters["below"] = lambda value: value.below if isinstance(value, Cell) else ""
    environment.filters["links"] = lambda value: value.names if isinstance(value, Links) else ()
    environment.filters["text_columns"] = text_columns
    return environment


def draw_charts(charts: Sequence[Chart], place: float = 0.0) -> list[tuple[Chart, Markup, Markup]]:
    """The charts with their drawings for a desktop and for a phone."""
    # drawings escape text
    found = [(chart, chart.page_svgs(place)) for chart in charts]
    return [(chart, Markup(desktop), Markup(phone)) for chart, (desktop, phone) in found]  # noqa: S704


def render_page(report: Report, analyses: Sequence[Table] | None = None, *, charts: bool = True) -> str:
    """The whole report as one HTML text; its analyses may be known already."""
    content = page_content(report, all_analyses(report) if analyses is None else analyses, charts=charts)
    page = page_environment().get_template("report.html.j2").render(**content)
    # What UTF-8 cannot hold is shown as its escape, here as in the compressed parts.
    return page.encode("utf-8", "backslashreplace").decode("utf-8")


def page_content(report: Report, analyses: Sequence[Table], *, charts: bool) -> dict[str, object]:
    """What the template fills in."""
    parts = page_assets()
    lines, shown = figure_lines(report), run_charts(report) if charts else []
    return {
        "style": Markup(parts.style),  # noqa: S704  our own file
        "script": Markup(parts.script),  # noqa: S704  our own file
        "policy": parts.policy,
        "report": report,
        "benchmark": report.benchmark,
        "summary": report.summaries["paper"],
        "lines": lines,
        "headline": next(line for line in lines if line.headline),
        "baselines": baseline_names(report),
        "profiles": tuple(report.summaries),
        "pooled": pooled_note(report.benchmark, report.summaries["paper"].figures),
        "groups": group_tables_with_baselines(report),
        "published": printed_tables(report),
        "verdict": run_verdict(report),
        "comparable": paper_verdict(report),
        "trials": trial_rates(report.setup, report.graded["paper"])[-1:],
        "analysis": (*contamination_tables(report), *analyses, *resource_tables(report)),
        "facts": run_facts(report),
        "command": command_line(report),
        "left_out": left_out_notes(report),
        "samples": pack_samples(report),
        "data_name": report.run.config.data,
        "first_chart": draw_charts([chart for chart in shown if chart.name == FIRST_CHART], BESIDE),
        "more_charts": draw_charts([chart for chart in shown if chart.name != FIRST_CHART]),
        "drawn": charts,
        "few": FEW_IN_GROUP,
    }


_NUMERIC = re.compile(r"[<>]?[-−–+]?[\d.,:%\s\[\]±$/()–-]*(?:e[-+]\d+)?|n/a|yes|no")


def text_columns(table: Table) -> set[int]:
    """The places of columns that hold words and so read better from the left."""
    return {
        place
        for place in range(table.heads, len(table.columns))
        if any(not _NUMERIC.fullmatch(cell_text(row[place])) for row in table.rows)
    }


@dataclass(frozen=True, slots=True)
class FigureLine:
    """One figure as the page prints it; numbers in percent."""

    name: str
    value: str
    interval: str
    estimate: Estimate
    official: str
    difference: str
    chance: float | None
    above: str
    baselines: tuple[str, ...]
    headline: bool


def baseline_names(report: Report) -> tuple[str, ...]:
    """The trivial baselines without the prefix that all of them share."""
    return tuple(baseline.name.removeprefix("scripted/") for baseline in report.strongest_first)


def figure_lines(report: Report) -> tuple[FigureLine, ...]:
    """Every metric under both profiles, with every trivial baseline."""
    paper = report.summaries["paper"]
    return tuple(
        FigureLine(
            name=words(name),
            value=percent(figure.value),
            interval=interval_text(figure),
            estimate=figure,
            official=percent(report.official_value(name)),
            difference=signed_points(profile_difference(report, name)),
            chance=report.chance(name),
            above=percent(report.chance_corrected(name)).replace("-", "−"),
            baselines=tuple(percent(item.figures.get(name)) for item in report.strongest_first),
            headline=name == report.setup.headline,
        )
        for name, figure in paper.figures.items()
    )


def profile_difference(report: Report, figure: str) -> float | None:
    """How far the released scorer's figure is from the paper's definition."""
    if "official" not in report.summaries:
        return None
    first, second = report.summaries["official"].figures[figure], report.summaries["paper"].figures[figure]
    if first.value is None or second.value is None:
        return None
    return first.value - second.value
