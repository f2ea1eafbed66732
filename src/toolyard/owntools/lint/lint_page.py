"""A review as one self-contained page, with the likeness of tools as a picture."""

import numpy as np

from toolyard.charts.chart import Chart
from toolyard.core.table import Table
from toolyard.owntools.lint.likeness import Likeness
from toolyard.owntools.lint.lint_findings import RULES, SEVERITIES, ToolReview, finding_location
from toolyard.owntools.matrix_charts import MOST_DRAWN, matrix_chart
from toolyard.report.page.comparison_page import page_text
from toolyard.report.page.run_page import draw_charts
from toolyard.report.page.verdict_line import VerdictLine
from toolyard.text.counted_nouns import how_many


def render_review(review: ToolReview) -> str:
    """The page; what a source says is escaped like any text."""
    tables = [_count_findings(review), *_tables_by_severity(review)]
    charts = likeness_charts(review.likeness)
    return page_text(
        "parts.html.j2",
        title="Review of tool documents",
        kicker=f"{review.source.name}: {how_many(len(review.source.tools), 'tool')} ({review.source.kind})",
        links=[(f"part-{place}", table.title) for place, table in enumerate(tables, 1)],
        verdict=_verdict_line(review),
        charts=draw_charts(charts),
        tables=tables,
        samples=[],
    )


def _verdict_line(review: ToolReview) -> VerdictLine:
    counts = [how_many(number, name) for name, number in review.to_json()["counts"].items() if number]
    tools = how_many(len(review.source.tools), "tool")
    if not counts:
        return VerdictLine(True, f"Nothing found in {tools}.")
    return VerdictLine(not review.at_least("error"), f"{', '.join(counts)} in {tools}.")


def _count_findings(review: ToolReview) -> Table:
    rows = []
    for rule, (severity, about) in RULES.items():
        number = sum(finding.rule == rule for finding in review.findings)
        if number:
            rows.append((rule.replace("_", " "), severity, number, about))
    return Table("Findings", ("rule", "severity", "findings", "what it is"), tuple(rows))


def _tables_by_severity(review: ToolReview) -> list[Table]:
    tables = []
    for severity in SEVERITIES:
        rows = tuple(
            (finding_location(each), each.place.short, each.reason, each.proposal)
            for each in review.findings
            if each.severity == severity
        )
        if rows:
            columns = ("what", "place", "reason", "proposed text")
            tables.append(Table(f"{severity.capitalize()}s", columns, rows))
    return tables


def likeness_charts(likeness: Likeness) -> list[Chart]:
    """The matrix of the tools that are most alike to another one."""
    if len(likeness.names) < 2:
        return []
    apart = likeness.values - np.eye(len(likeness.names))
    nearest = np.argsort(-apart.max(axis=1), kind="stable")[:MOST_DRAWN]
    order = [likeness.names[place] for place in sorted(nearest)]
    cells = [
        (likeness.names[row], likeness.names[column], float(likeness.values[row, column]),
         f"{100 * likeness.values[row, column]:.0f}")
        for row in sorted(nearest)
        for column in sorted(nearest)
        if row != column
    ]  # fmt: skip
    more = len(likeness.names) - len(order)
    left = f" The {more} tools that are least alike to any are left out." if more else ""
    caption = f"How alike two descriptions are in percent, by {likeness.method}.{left}"
    return [
        matrix_chart(
            "confusability", "Confusability of the tools", caption, cells, ("tool", "other tool"), order
        )
    ]
