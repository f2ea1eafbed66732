"""Tables as one self-contained page, in the report's look and under the report's policy."""

from collections.abc import Mapping, Sequence

from toolyard.charts.chart import Chart
from toolyard.core.table import Table
from toolyard.report.page.comparison_page import page_text
from toolyard.report.page.run_page import draw_charts
from toolyard.report.page.verdict_line import VerdictLine


def render_tables(
    title: str,
    kicker: str,
    tables: Sequence[Table],
    charts: Sequence[Chart] = (),
    short: Mapping[str, str] | None = None,
    verdict: VerdictLine | None = None,
) -> str:
    """The charts, then one section per table; `short` names tables for the bar at the top. Every cell is text."""
    names = short or {}
    links = [(f"part-{place}", names.get(table.title, table.title)) for place, table in enumerate(tables, 1)]
    return page_text(
        "parts.html.j2",
        title=title,
        kicker=kicker,
        links=[*([("pictures", "Pictures")] if charts else []), *links],
        verdict=verdict,
        charts=draw_charts(list(charts)),
        tables=tables,
        samples=[],
    )
