"""Success against size: how a figure falls with more turns, more calls, deeper nesting."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from toolyard.charts.chart import ACCENT, MUTED, Chart, apply_theme
from toolyard.charts.vega_lite import View, constant, field, layer, view, views_side_by_side
from toolyard.core.benchmark import Size
from toolyard.core.table import Table
from toolyard.core.types import JsonValue
from toolyard.report.content import Report
from toolyard.report.tables.formats import percent, words
from toolyard.stats.bootstrap import Estimate, estimate
from toolyard.stats.summary import Graded, rows_of

FEWEST_KEYS = 2
MOST_KEYS = 12
PANEL_WIDTH, STEP = 290, 30


@dataclass(frozen=True, slots=True)
class SizePoint:
    """One figure on the samples of one size."""

    key: str
    samples: int
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class SizeCurve:
    """One figure over all sizes that occur, smallest first."""

    name: str
    figure: str
    points: tuple[SizePoint, ...]


def size_chart(curves: Sequence[SizeCurve]) -> Chart | None:
    """One panel per size that the benchmark declares and the samples differ in."""
    if not curves:
        return None
    figures = ", ".join(dict.fromkeys(words(curve.figure) for curve in curves))
    return Chart(
        name="sizes",
        title=f"{figures} by size",
        caption="The score on the samples of each size, in percent; bars are 95 % intervals, n counts samples. "
        + " ".join(map(_describe_curve, curves)),
        spec=apply_theme(views_side_by_side(*map(_panel_of_curve, curves), spacing=34)),
        table=_table_of_curves(curves),
        wide=len(curves) > 1,
    )


def size_curves(report: Report) -> list[SizeCurve]:
    """The curves that have at least two points."""
    items = [item for item in report.graded["paper"] if item.score.unscored is None]
    found = [_curve_by_size(report, size, items) for size in report.benchmark.scoring.sizes]
    return [curve for curve in found if FEWEST_KEYS <= len(curve.points) <= MOST_KEYS]


def _curve_by_size(report: Report, size: Size, items: Sequence[Graded]) -> SizeCurve:
    figure = size.figure or report.setup.headline
    members: dict[str, list[Graded]] = {}
    for item in items:
        key = size.key_of(item.sample, item.score)
        if key is not None:
            members.setdefault(key, []).append(item)
    metric = report.benchmark.scoring.metric(figure)
    points = [
        SizePoint(key, len(some), estimate([metric], rows_of(some), seed=report.run.config.seed)[figure])
        for key, some in sorted(members.items(), key=lambda member: _number_of_key(member[0]))
    ]
    return SizeCurve(size.name, figure, tuple(point for point in points if point.estimate.value is not None))


def _number_of_key(key: str) -> tuple[int, str]:
    digits = re.match(r"\d+", key)
    return (int(digits.group()) if digits else 0, key)


def _panel_of_curve(curve: SizeCurve) -> View:
    up = {"scale": {"domain": [0, 100]}, "title": None, "axis": {"values": [0, 25, 50, 75, 100]}}
    x = field("size:O", sort=None, title=None, axis={"labelAngle": 0, "grid": False})
    base = view(_rows_of_curve(curve)).encode(x=x)
    intervals = base.mark("rule", color=ACCENT, strokeWidth=4, opacity=0.35, strokeCap="round").encode(
        y=field("low:Q", **up), y2=field("high:Q")
    )
    line = base.mark(
        "line", color=ACCENT, strokeWidth=1.5, point={"color": ACCENT, "size": 44, "filled": True}
    ).encode(y=field("value:Q", **up))
    counts = base.mark("text", color=MUTED, fontSize=9.5, baseline="top", dy=26).encode(
        y=constant(0, **up), text=field("samples:N")
    )
    width = max(150, min(PANEL_WIDTH, 2 * STEP * len(curve.points)))
    layers = layer(intervals, line, counts)
    return layers.properties(width=width, height=150, title=f"{words(curve.figure)} by {curve.name}")


def _rows_of_curve(curve: SizeCurve) -> list[dict[str, JsonValue]]:
    return [
        {
            "size": point.key,
            "samples": f"n {point.samples:,}",
            "value": 100 * value,
            "low": 100 * (value if point.estimate.low is None else point.estimate.low),
            "high": 100 * (value if point.estimate.high is None else point.estimate.high),
        }
        for point in curve.points
        if (value := point.estimate.value) is not None
    ]


def _describe_curve(curve: SizeCurve) -> str:
    """The curve's two ends as a sentence, for who cannot see it."""
    first, last = curve.points[0], curve.points[-1]
    return (
        f"{curve.name.capitalize()}: {percent(first.estimate.value)} at {first.key}, "
        f"{percent(last.estimate.value)} at {last.key}."
    )


def _table_of_curves(curves: Sequence[SizeCurve]) -> Table:
    rows = tuple(
        (
            curve.name, point.key, point.samples, words(curve.figure), percent(point.estimate.value),
            percent(point.estimate.low), percent(point.estimate.high),
        )
        for curve in curves
        for point in curve.points
    )  # fmt: skip
    return Table("Success by size", ("by", "size", "samples", "metric", "percent", "low", "high"), rows)
