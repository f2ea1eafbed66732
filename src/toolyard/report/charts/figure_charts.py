"""Charts of the metrics: intervals with baselines, capability radar, rank among the published models."""

import math
from collections.abc import Iterator, Mapping
from typing import Literal

from toolyard.charts.chart import ACCENT, BASELINE, INK, MUTED, RULE, SECOND, Chart, apply_theme, drawn_names
from toolyard.charts.vega_lite import Channel, View, constant, field, layer, step, view
from toolyard.core.table import Table
from toolyard.core.types import JsonValue, Record
from toolyard.report.abilities import main_figures
from toolyard.report.content import Report
from toolyard.report.tables.formats import percent, words
from toolyard.stats.bootstrap import Estimate

PAPER_PROFILE, OFFICIAL_PROFILE, CHANCE = "paper profile", "official profile", "best trivial baseline"
ONLY_PROFILE = "score"
# A thin upright bar, as a symbol.
TICK = "M-0.18,-1L0.18,-1L0.18,1L-0.18,1Z"
RADAR_AXES = range(5, 13)
MOST_PUBLISHED = 40


def percent_axis(**more: object) -> Channel:
    """A horizontal axis from 0 to 100 percent."""
    return field(
        "value:Q",
        scale={"domain": [0, 100]},
        axis=dict(title="percent", values=[0, 20, 40, 60, 80, 100], **more),
    )


def figure_chart(report: Report) -> Chart | None:
    """Every figure with its interval, the official profile and the best baseline on one scale."""
    paper = report.summaries["paper"].figures
    defined = {name: figure for name, figure in paper.items() if figure.value is not None}
    if not defined:
        return None
    order = field("figure:N", sort=[words(name) for name in defined], title=None)
    chart = layer(_interval_rules(defined, order), *_figure_marks(report, defined, order)).properties(
        width=390, height=step(23 if len(defined) < 20 else 18)
    )
    return Chart(
        name="figures",
        title="All metrics",
        caption="Dots are the run's scores, lines their 95 % intervals; a dash marks the best trivial baseline.",
        spec=apply_theme(chart),
        table=_figure_table(report, defined),
    )


def _figure_marks(report: Report, figures: dict[str, Estimate], order: Channel) -> Iterator[View]:
    """The marks of each series. Equal values lie on each other, so each leaves those below it in sight."""
    both = "official" in report.summaries
    looks = {
        PAPER_PROFILE if both else ONLY_PROFILE: (ACCENT, "circle"),
        **({OFFICIAL_PROFILE: (SECOND, "diamond")} if both else {}),
        CHANCE: (BASELINE, TICK),
    }
    scales = [{"domain": list(looks), "range": [look[part] for look in looks.values()]} for part in (0, 1)]
    series: list[tuple[str, int, Mapping[str, float | None]]] = [
        (CHANCE, 190, {name: report.chance(name) for name in figures}),
        (next(iter(looks)), 64, {name: figure.value for name, figure in figures.items()}),
        (OFFICIAL_PROFILE, 25, {name: report.official_value(name) for name in figures if both}),
    ]
    for title, size, values in series:
        known = {name: value for name, value in values.items() if value is not None}
        points = [
            {"figure": words(name), "series": title, "value": 100 * value} for name, value in known.items()
        ]
        if points:
            yield (
                view(points)
                .mark("point", filled=True, size=size, opacity=1)
                .encode(
                    y=order,
                    x=percent_axis(),
                    color=field("series:N", scale=scales[0]),
                    shape=field("series:N", scale=scales[1]),
                )
            )


def _interval_rules(figures: dict[str, Estimate], order: Channel) -> View:
    rules = [
        {"figure": words(name), "value": 100 * figure.low, "high": 100 * figure.high}
        for name, figure in figures.items()
        if figure.low is not None and figure.high is not None
    ]
    chart = view(rules).mark("rule", strokeWidth=4, color=ACCENT, opacity=0.35, strokeCap="round")
    return chart.encode(y=order, x=percent_axis(), x2=field("high:Q"))


def _figure_table(report: Report, figures: dict[str, Estimate]) -> Table:
    both = "official" in report.summaries
    rows = tuple(
        (
            words(name),
            percent(figure.value),
            percent(figure.low),
            percent(figure.high),
            *([percent(report.official_value(name))] if both else []),
            percent(report.chance(name)),
        )
        for name, figure in figures.items()
    )
    heads = ("paper", "low", "high", "official") if both else ("percent", "low", "high")
    return Table("All metrics", ("metric", *heads, "best baseline"), rows)


def radar_chart(report: Report) -> Chart | None:
    """The abilities around a circle, over what a trivial baseline reaches; from five abilities on."""
    names = main_figures(report)
    if len(names) not in RADAR_AXES:
        return None
    figures = report.summaries["paper"].figures
    run = [figures[name].value for name in names]
    chance = [report.chance(name) for name in names]
    own = drawn_names([CHANCE, report.model])[report.model]
    series = [own, CHANCE]
    outlines = [*_outline_sides(CHANCE, chance), *_outline_sides(own, run)]
    shape = (
        view(outlines)
        .mark("line", strokeWidth=2, strokeJoin="round")
        .encode(
            x=hidden_axis("x"),
            y=hidden_axis("y"),
            order=field("order:Q"),
            detail=field("side:N"),
            color=field(
                "series:N", scale={"domain": series, "range": [ACCENT, BASELINE]}, legend={"columns": 1}
            ),
        )
    )
    chart = layer(radar_rings(len(names)), _radar_area(run), shape, spoke_labels(names)).properties(
        width=420, height=330
    )
    rows = tuple(
        (words(name), percent(value), percent(low))
        for name, value, low in zip(names, run, chance, strict=True)
    )
    return Chart(
        name="radar",
        title="Capabilities",
        caption="Each spoke is one metric from 0 in the middle to 100 at the rim; rings stand at 25, 50 and 75. "
        "A line has a gap where a metric is undefined.",
        spec=apply_theme(chart),
        table=Table("Capabilities", ("metric", "run", "best baseline"), rows),
        rigid=True,
    )


def _radar_area(run: list[float | None]) -> View:
    return (
        view(_outline_corners(run))
        .mark("line", filled=True, fill=ACCENT, fillOpacity=0.14, stroke=None)
        .encode(x=hidden_axis("x"), y=hidden_axis("y"), order=field("order:Q"))
    )


def hidden_axis(axis: str) -> Channel:
    """The hidden axis of a radar's drawing plane."""
    domain = [-1.75, 1.75] if axis == "x" else [-1.3, 1.3]
    return field(f"{axis}:Q", scale={"domain": domain, "nice": False}, axis=None)


def spoke_point(position: int, count: int, radius: float) -> dict[str, float]:
    """The point of a value on one of the spokes."""
    angle = 2 * math.pi * position / count
    return {"x": radius * math.sin(angle), "y": radius * math.cos(angle)}


def _outline_sides(series: str, values: list[float | None]) -> list[dict[str, JsonValue]]:
    """The sides between neighbouring spokes that both have a value; an undefined figure is no zero."""
    count = len(values)
    return [
        {
            "series": series,
            "side": f"{series}{side}",
            "order": order,
            **spoke_point(side + order, count, value),
        }
        for side in range(count)
        for order, value in enumerate((values[side], values[(side + 1) % count]))
        if value is not None and values[side] is not None and values[(side + 1) % count] is not None
    ]


def _outline_corners(values: list[float | None]) -> list[dict[str, JsonValue]]:
    """The corners of a whole outline; nothing where a side is missing."""
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return []
    return [{"order": place, **spoke_point(place, len(known), value)} for place, value in enumerate(known)]


def radar_rings(count: int) -> View:
    """The rings at 25, 50, 75 and 100."""
    corners = [
        {"series": f"{radius}", "order": order, **spoke_point(order, count, radius)}
        for radius in (0.25, 0.5, 0.75, 1.0)
        for order in range(count + 1)
    ]
    chart = view(corners).mark("line", color=RULE, strokeWidth=1)
    return chart.encode(
        x=hidden_axis("x"), y=hidden_axis("y"), order=field("order:Q"), detail=field("series:N")
    )


def spoke_labels(names: list[str], size: float = 11) -> View:
    """The names at the ends of the spokes, written away from the middle."""
    count = len(names)
    labels: list[Record] = [
        {"text": words(name), **spoke_point(order, count, 1.1)} for order, name in enumerate(names)
    ]
    sides: dict[Literal["left", "center", "right"], int] = {"left": 1, "center": 0, "right": -1}
    layers = []
    for align, side in sides.items():
        some = [label for label in labels if (label["x"] > 0.05) - (label["x"] < -0.05) == side]
        chart = view(some).mark("text", align=align, color=MUTED, fontSize=size, baseline="middle")
        layers.append(chart.encode(x=hidden_axis("x"), y=hidden_axis("y"), text=field("text:N")))
    return layer(*layers)


def published_chart(report: Report) -> Chart | None:
    """Where the run's headline stands among the published models."""
    headline = report.setup.headline
    own = report.official_value(headline)
    models: dict[str, float] = {}
    for row in report.benchmark.published:
        value = row.figures.get(headline)
        if value is not None and not row.group:
            models.setdefault(row.model, value)
    if not models or own is None or len(models) > MOST_PUBLISHED:
        return None
    rows: list[Record] = [
        {"model": name, "value": 100 * value, "whose": "published"} for name, value in models.items()
    ]
    rows.append({"model": f"{report.model} (this run)", "value": 100 * own, "whose": "this run"})
    rows.sort(key=lambda row: -row["value"])
    written = drawn_names(row["model"] for row in rows)
    rows = [{**row, "name": written[row["model"]]} for row in rows]
    names = field("name:N", sort=None, title=None)
    color = field(
        "whose:N", scale={"domain": ["this run", "published"], "range": [ACCENT, BASELINE]}, legend=None
    )
    base = view(rows)
    stems = base.mark("rule", strokeWidth=1.5).encode(y=names, x=percent_axis(), x2=constant(0), color=color)
    dots = base.mark("point", filled=True, size=60, opacity=1).encode(y=names, x=percent_axis(), color=color)
    text = base.mark("text", dx=18, color=INK, fontSize=10).encode(
        y=names, x=percent_axis(), text=field("value:Q", format=".1f")
    )
    chart = layer(stems, dots, text).properties(width=380, height=step(18))
    return Chart(
        name="published",
        title=f"{words(headline)} beside the published models",
        caption="The run under the official profile; whether the rows compare is said at the tables.",
        spec=apply_theme(chart),
        table=Table(
            "Published", ("model", "percent"), tuple((r["model"], f"{r['value']:.1f}") for r in rows)
        ),
    )
