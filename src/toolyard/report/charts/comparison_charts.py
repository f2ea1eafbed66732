"""Charts of a comparison: places with intervals, size against score, price and pace against score."""

from __future__ import annotations

import math
from statistics import fmean
from typing import Any

from toolyard.charts.chart import ACCENT, BASELINE, MUTED, SECOND, Chart, drawn_names, themed
from toolyard.charts.vega_lite import Channel, field, layer, step, view
from toolyard.core.table import Table
from toolyard.report.charts.figure_charts import percent_axis
from toolyard.report.compare.compared_runs import ComparedRun
from toolyard.report.compare.comparison import Comparison
from toolyard.report.tables.formats import percent, words
from toolyard.stats.significance import pearson

THIRD, FOURTH = "#3d7a4e", "#7a4fa3"
KIND_COLOURS = {"open": ACCENT, "tool-oriented": THIRD, "closed": SECOND, "run": FOURTH}
PUBLISHED = "published"
FEWEST_SIZES = 2


def comparison_charts(comparison: Comparison) -> list[Chart]:
    """Every chart that the runs have data for."""
    candidates = [
        leaderboard_chart(comparison),
        scaling_chart(comparison),
        trade_chart(comparison, "cost"),
        trade_chart(comparison, "latency"),
    ]
    return [chart for chart in candidates if chart is not None]


def kind_of(run: ComparedRun) -> str:
    """The run's kind of model for a legend."""
    return run.facts.kind or "run"


def _kind_colour(kinds: list[str]) -> Channel:
    colours = {**KIND_COLOURS, "baseline": BASELINE, PUBLISHED: BASELINE}
    return field("kind:N", scale={"domain": kinds, "range": [colours[kind] for kind in kinds]})


def leaderboard_chart(comparison: Comparison) -> Chart | None:
    """The headline of each run with its interval, above the trivial baselines."""
    headline = comparison.setup.headline
    rows = named_for_drawing(_places(comparison))
    if not rows:
        return None
    # The data are in order: Vega compiles a sort list into an expression, and names are strangers' text.
    names = field("name:N", sort=None, title=None)
    colour = _kind_colour(list(dict.fromkeys(row["kind"] for row in rows)))
    base = view(rows)
    rules = base.mark("rule", strokeWidth=4, opacity=0.35, strokeCap="round").encode(
        y=names, x=field("low:Q", scale={"domain": [0, 100]}), x2=field("high:Q"), color=colour
    )
    dots = base.mark("point", filled=True, size=64, opacity=1).encode(y=names, x=percent_axis(), color=colour)
    chart = layer(rules, dots).properties(width=460, height=step(24))
    return Chart(
        name="leaderboard",
        title=words(headline).capitalize(),
        caption="Dots are the runs' figures, lines their 95 % intervals.",
        spec=themed(chart),
        table=Table(
            "Leaderboard",
            ("model", "kind", "percent", "low", "high"),
            tuple(
                (row["model"], row["kind"], f"{row['value']:.1f}", f"{row['low']:.1f}", f"{row['high']:.1f}")
                for row in rows
            ),
        ),
    )


def named_for_drawing(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with each model's name as the chart writes it; the table below has it whole."""
    names = drawn_names(row["model"] for row in rows)
    return [{**row, "name": names[row["model"]]} for row in rows]


def _places(comparison: Comparison) -> list[dict[str, Any]]:
    """Runs from the best down, then the baselines that are not among them; nothing where no run has a figure."""
    headline = comparison.setup.headline
    rows: list[dict[str, Any]] = []
    for run in comparison.ranked:
        figure = run.summary.figures[headline]
        if run.headline is not None:
            low = run.headline if figure.low is None else figure.low
            high = run.headline if figure.high is None else figure.high
            rows.append(_point(run.label, kind_of(run), run.headline, low, high))
    shown_already = {row["model"] for row in rows}
    baselines = {item.name: item.figures.get(headline) for item in comparison.strongest_first if rows}
    return rows + [
        _point(name, "baseline", value, value, value)
        for name, value in baselines.items()
        if value is not None and name not in shown_already
    ]


def _point(model: str, kind: str, value: float, low: float, high: float) -> dict[str, Any]:
    return {"model": model, "kind": kind, "value": 100 * value, "low": 100 * low, "high": 100 * high}


def scaling_chart(comparison: Comparison) -> Chart | None:
    """Size against headline on a logarithmic axis; published models of known size in grey."""
    headline = comparison.setup.headline
    own, published = _own_sizes(comparison), _published_sizes(comparison, headline)
    if not own or len({row["size"] for row in [*own, *published]}) < FEWEST_SIZES:
        return None
    rows = named_for_drawing([*published, *own])
    base = view(rows).encode(
        x=field("size:Q", scale={"type": "log", "nice": True}, title="billions of parameters"),
        y=field("value:Q", scale={"domain": [0, 100]}, title=f"{words(headline)}, percent"),
    )
    dots = base.mark("point", filled=True, size=70, opacity=0.9).encode(
        color=_kind_colour(list(dict.fromkeys(row["kind"] for row in rows)))
    )
    names = base.mark("text", dy=-10, color=MUTED, fontSize=10).encode(text=field("name:N"))
    return Chart(
        name="scaling",
        title="Size against score",
        caption=f"{_size_correlation(own)} Published rows come from the released scorer.",
        spec=themed(layer(dots, names).properties(width=820, height=340)),
        wide=True,
        table=Table(
            "Size against score",
            ("model", "kind", "billions", "percent"),
            tuple((row["model"], row["kind"], row["size"], f"{row['value']:.1f}") for row in rows),
        ),
    )


def _own_sizes(comparison: Comparison) -> list[dict[str, Any]]:
    return [
        {
            "model": run.label,
            "of": run.facts.name or run.model,
            "kind": kind_of(run),
            "size": run.facts.size,
            "value": 100 * run.headline,
        }
        for run in comparison.runs
        if run.facts.size is not None and run.headline is not None
    ]


def _published_sizes(comparison: Comparison, headline: str) -> list[dict[str, Any]]:
    return [
        {"model": row.model, "kind": PUBLISHED, "size": row.size, "value": 100 * value}
        for row in comparison.benchmark.published
        if row.size is not None and not row.group and (value := row.figures.get(headline)) is not None
    ]


def _size_correlation(own: list[dict[str, Any]]) -> str:
    """The correlation over models: several runs of one model are one point, at their mean."""
    models: dict[str, list[dict[str, Any]]] = {}
    for row in own:
        models.setdefault(row["of"], []).append(row)
    sizes = [math.log10(rows[0]["size"]) for rows in models.values()]
    scores = [fmean(row["value"] for row in rows) for rows in models.values()]
    found = pearson(sizes, scores, unit="models")
    if found.value is None or found.p_value is None:
        return "Too few sizes among these runs for a correlation."
    return (
        f"Pearson's r of log size and score over {found.pairs} {found.unit}: {found.value:.2f}, "
        f"p {found.p_value:.3f}."
    )


def trade_chart(comparison: Comparison, price: str) -> Chart | None:
    """Money or seconds against headline, one dot per run."""
    what = {"cost": "cost of the run, $", "latency": "median seconds per sample"}[price]
    rows: list[dict[str, Any]] = [
        {"model": run.label, "kind": kind_of(run), "price": paid, "value": 100 * run.headline}
        for run in comparison.runs
        if run.headline is not None and (paid := run.cost if price == "cost" else run.latency) is not None
    ]
    if len({row["price"] for row in rows}) < FEWEST_SIZES:
        return None
    rows = named_for_drawing(rows)
    base = view(rows).encode(
        x=field("price:Q", title=what),
        y=field("value:Q", scale={"domain": [0, 100]}, title="percent"),
    )
    dots = base.mark("point", filled=True, size=70, opacity=0.9).encode(
        color=_kind_colour(list(dict.fromkeys(row["kind"] for row in rows)))
    )
    names = base.mark("text", dy=-10, color=MUTED, fontSize=10).encode(text=field("name:N"))
    return Chart(
        name=f"trade-{price}",
        title=f"{price.capitalize()} against score",
        caption="Up and to the left is better.",
        spec=themed(layer(dots, names).properties(width=380, height=240)),
        table=Table(
            price,
            ("model", what, words(comparison.setup.headline)),
            tuple((row["model"], f"{row['price']:.4f}", percent(row["value"] / 100)) for row in rows),
        ),
    )
