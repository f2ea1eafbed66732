"""Variations against their base, as one picture per model."""

from toolyard.charts.chart import BASELINE, Chart, apply_theme, dots_with_intervals
from toolyard.charts.vega_lite import field, layer, step, view
from toolyard.core.table import Table
from toolyard.core.types import Record
from toolyard.report.compare.sensitivity import Sensitivity, Varied
from toolyard.report.tables.formats import with_interval

CAPTION = "Points that the headline moves by on the same samples, with 95 % intervals; the line is the base."


def sensitivity_charts(found: Sensitivity) -> list[Chart]:
    """How far each variation moves each model's headline."""
    models = list(dict.fromkeys(item.model for item in found.varied))
    return [
        _chart_of_model(place, model, [item for item in found.varied if item.model == model])
        for place, model in enumerate(models)
        if any(_percent_difference(item) is not None for item in found.varied if item.model == model)
    ]


def _percent_difference(item: Varied) -> tuple[float, float, float] | None:
    known = None if item.test is None else item.test.difference
    if known is None or known.value is None or known.low is None or known.high is None:
        return None
    return 100 * known.value, 100 * known.low, 100 * known.high


def _chart_of_model(place: int, model: str, items: list[Varied]) -> Chart:
    rows: list[Record] = [
        {"variation": item.variation, "value": moved[0], "low": moved[1], "high": moved[2]}
        for item in items
        if (moved := _percent_difference(item)) is not None
    ]
    # Letters of the page may be wider than those that the drawing was laid out with.
    room = {"minExtent": min(260, 8 * max(len(row["variation"]) for row in rows) + 10)}
    base = view(rows).encode(y=field("variation:N", sort=None, title=None, axis=room))
    axis = field("value:Q", title="points against the base", scale={"zero": True})
    zero = view([{"value": 0}]).mark("rule", color=BASELINE, strokeWidth=1.5).encode(x=axis)
    cells = tuple(
        (item.variation, with_interval(item.test.difference)) for item in items if item.test is not None
    )
    spec = apply_theme(layer(zero, *dots_with_intervals(base, axis)).properties(width=300, height=step(26)))
    title = f"What moves {model}"
    return Chart(f"moved-{place}", title, CAPTION, spec, Table(title, ("variation", "points [95 %]"), cells))
