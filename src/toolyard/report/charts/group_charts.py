"""Charts of breakdowns and errors: curves where keys are numbers, heat maps elsewhere, bars for labels."""

import math
import re
from collections.abc import Mapping, Sequence

from toolyard.charts.chart import ACCENT, INK, PAPER, SECOND, Chart, apply_theme
from toolyard.charts.vega_lite import View, facet_view, field, grid, layer, step, view
from toolyard.core.table import Table
from toolyard.core.types import JsonValue
from toolyard.report.tables.formats import percent, words
from toolyard.report.tables.group_tables import largest_groups
from toolyard.stats.bootstrap import Estimate
from toolyard.stats.summary import Summary

_NUMBER = re.compile(r"\d+(\.\d+)?\+?")
MOST_CURVES = 12
MOST_PANELS = 6
MOST_KEYS = 30

Members = Mapping[str, Mapping[str, Estimate]]


def group_charts(summary: Summary, main: Sequence[str]) -> list[Chart]:
    """One chart per breakdown that has at least two groups of some size."""
    charts = [
        group_chart(name, {key: members[key] for key in keys}, main, summary.group_sizes.get(name, {}))
        for name, members in summary.groups.items()
        if 2 <= len(keys := largest_groups(summary, name)) <= MOST_KEYS
    ]
    return [chart for chart in charts if chart is not None]


def group_chart(name: str, members: Members, main: Sequence[str], sizes: Mapping[str, int]) -> Chart | None:
    """Curves over numbered keys (depth, turn, number of tools), a heat map over named ones."""
    figures = list(dict.fromkeys(figure for values in members.values() for figure in values))
    chosen = [figure for figure in figures if figure in main] or figures
    known = [f for f in chosen if any(f in row and row[f].value is not None for row in members.values())]
    if not known:
        return None
    table = _group_table(name, members, known, sizes)
    if all(_NUMBER.fullmatch(key) for key in members):
        return _chart_of_groups(name, members, known[:MOST_CURVES], table)
    return _heat_map(name, members, known, table)


def _group_table(name: str, members: Members, figures: Sequence[str], sizes: Mapping[str, int]) -> Table:
    rows = tuple(
        (key, sizes.get(key, 0), *(percent(values[f].value) if f in values else "–" for f in figures))
        for key, values in members.items()
    )
    return Table(f"by {name}", (name, "n", *map(words, figures)), rows)


def _points_of_group(members: Members, figures: Sequence[str]) -> list[dict[str, JsonValue]]:
    return [
        {
            "key": key,
            "figure": words(figure),
            "value": 100 * estimate.value,
            "low": 100 * (estimate.value if estimate.low is None else estimate.low),
            "high": 100 * (estimate.value if estimate.high is None else estimate.high),
        }
        for key, values in members.items()
        for figure in figures
        if (estimate := values.get(figure)) is not None and estimate.value is not None
    ]


def _chart_of_groups(name: str, members: Members, figures: Sequence[str], table: Table) -> Chart:
    x = field("key:O", sort=None, title=None, axis={"labelAngle": 0})
    axis = {"values": [0, 25, 50, 75, 100]}
    y = field("value:Q", scale={"domain": [0, 100]}, title=None, axis=axis)
    base = view(_points_of_group(members, figures))
    band = base.mark("area", color=ACCENT, opacity=0.15).encode(
        x=x, y={**y, "field": "low"}, y2=field("high:Q")
    )
    line = base.mark("line", color=ACCENT, strokeWidth=2, point={"color": ACCENT, "size": 36}).encode(
        x=x, y=y
    )
    facet = field("figure:N", sort=[words(figure) for figure in figures], title=None)
    columns = math.ceil(len(figures) / math.ceil(len(figures) / MOST_PANELS))
    panel = layer(band, line).properties(width=min(210, 960 // columns - 24), height=120)
    chart = facet_view(panel, facet, columns).properties(resolve={"axis": {"x": "independent"}})
    return Chart(
        name=f"group-{_slug_of_name(name)}",
        title=f"By {words(name)}",
        caption="One panel per metric, in percent; the band is the 95 % interval.",
        spec=apply_theme(chart),
        table=table,
        wide=True,
    )


def _heat_map(name: str, members: Members, figures: Sequence[str], table: Table) -> Chart:
    longest = max(map(len, members))
    flat = len(members) <= 10 and longest <= 24
    each = max(64, min(150, 7 * longest + 14)) if flat and len(members) <= 6 else 64
    angle = -40 if not flat or 7 * longest > each else 0
    across = {"orient": "top", "labelAngle": angle}
    # Keys keep the order of the data: Vega compiles a sort list into an expression, and keys are strangers' text.
    names = [words(figure) for figure in figures]
    base = view(_points_of_group(members, figures)).encode(
        x=field("key:N" if flat else "figure:N", sort=None if flat else names, title=None, axis=across),
        y=field("figure:N" if flat else "key:N", sort=names if flat else None, title=None),
    )
    cells = base.mark("rect", color=ACCENT, cornerRadius=2, stroke=PAPER, strokeWidth=2).encode(
        opacity=field("value:Q", scale={"domain": [0, 100], "range": [0.05, 1]}, legend=None)
    )
    numbers = base.mark("text", fontSize=11).encode(
        text=field("value:Q", format=".0f"),
        color={"condition": {"test": "datum.value > 55", "value": PAPER}, "value": INK},
    )
    chart = layer(cells, numbers).properties(width=step(each), height=step(26))
    return Chart(
        name=f"group-{_slug_of_name(name)}",
        title=f"By {words(name)}",
        caption="Percent; the stronger the colour, the higher.",
        spec=apply_theme(chart),
        table=table,
        wide=len(members if flat else figures) * each > 400,
    )


def error_chart(summary: Summary) -> Chart | None:
    """How often each error label was given, class by class on one scale."""
    classes = {kind: labels for kind, labels in summary.errors.items() if labels}
    most = max((count for labels in classes.values() for count in labels.values()), default=0)
    if not most:
        return None
    columns = min(3, len(classes)) if len(classes) > 2 else 1
    panels = [
        _error_panel(kind, labels, most, 170 if columns > 1 else 360) for kind, labels in classes.items()
    ]
    rows_of_table = tuple(
        (words(kind), words(label), count)
        for kind, labels in classes.items()
        for label, count in labels.items()
    )
    return Chart(
        name="errors",
        title="Errors by class",
        caption="How often each label was given over all scored samples.",
        spec=apply_theme(grid(*panels, columns=columns, spacing={"row": 18, "column": 34})),
        table=Table("errors", ("class", "label", "count"), rows_of_table),
        wide=columns > 1,
    )


def _error_panel(kind: str, labels: Mapping[str, int], most: int, width: int) -> View:
    rows = [{"label": words(label), "count": count} for label, count in labels.items()]
    base = view(rows).encode(
        y=field("label:N", sort=None, title=None, axis={"minExtent": 130}),
        x=field("count:Q", scale={"domain": [0, most]}, axis=None),
    )
    bars = base.mark("bar", color=SECOND, height=12, cornerRadiusEnd=2)
    text = base.mark("text", align="left", dx=4, color=INK, fontSize=10.5).encode(text=field("count:Q"))
    return layer(bars, text).properties(width=width, height=step(19), title=words(kind))


def _slug_of_name(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower())
