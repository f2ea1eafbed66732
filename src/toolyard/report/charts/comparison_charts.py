"""Charts of a comparison: places with intervals, size against score, price and pace against score."""

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from toolyard.charts.chart import ACCENT, BASELINE, SECOND, Chart, apply_theme, drawn_names
from toolyard.charts.vega_lite import Channel, View, field, layer, step, view
from toolyard.core.table import Table
from toolyard.core.types import JsonValue, Record
from toolyard.report.charts.figure_charts import percent_axis
from toolyard.report.charts.label_places import PlotAxis, padded_axis
from toolyard.report.charts.named_points import named_points
from toolyard.report.compare.compared_runs import ComparedRun
from toolyard.report.compare.comparison import Comparison
from toolyard.report.tables.formats import percent, words
from toolyard.stats.significance import pearson_correlation

THIRD, FOURTH = "#3d7a4e", "#7a4fa3"
KIND_COLOURS = {"open": ACCENT, "tool-oriented": THIRD, "closed": SECOND, "run": FOURTH}
PUBLISHED = "published"
FEWEST_SIZES = 2
WIDTH = 760
# What a phone leaves beside the labels of the other axis.
PHONE_WIDTH = 290.0


def comparison_charts(comparison: Comparison) -> list[Chart]:
    """Every chart that the runs have data for."""
    candidates = [
        leaderboard_chart(comparison),
        scaling_chart(comparison),
        trade_chart(comparison, "cost"),
        trade_chart(comparison, "latency"),
    ]
    return [chart for chart in candidates if chart is not None]


def model_kind(run: ComparedRun) -> str:
    """The run's kind of model for a legend."""
    return run.facts.kind or "run"


def _kind_colour(kinds: list[str]) -> Channel:
    colours = {**KIND_COLOURS, "baseline": BASELINE, PUBLISHED: BASELINE}
    scale = {"domain": kinds, "range": [colours[kind] for kind in kinds]}
    return field("kind:N", scale=scale, legend={"symbolOpacity": 1})


def leaderboard_chart(comparison: Comparison) -> Chart | None:
    """The headline of each run with its interval, above the trivial baselines."""
    headline = comparison.setup.headline
    rows = named_for_drawing(_ranked_rows(comparison))
    if not rows:
        return None
    # The data are in order: Vega compiles a sort list into an expression, and names are strangers' text.
    names = field("name:N", sort=None, title=None, axis={"labelLimit": 380})
    colour = _kind_colour(list(dict.fromkeys(row["kind"] for row in rows)))
    base = view(rows)
    rules = base.mark("rule", strokeWidth=4, opacity=0.35, strokeCap="round").encode(
        y=names, x={**percent_axis(), "field": "low"}, x2=field("high:Q"), color=colour
    )
    dots = base.mark("point", filled=True, size=64, opacity=1).encode(y=names, x=percent_axis(), color=colour)
    chart = layer(rules, dots).properties(width=620, height=step(24))
    return Chart(
        name="leaderboard",
        title=words(headline).capitalize(),
        caption=f"Dots are the runs' scores, lines their 95 % intervals; {_answer_counts(rows)}.",
        spec=apply_theme(chart),
        wide=True,
        table=Table(
            "Leaderboard",
            ("model", "kind", "n", "percent", "low", "high"),
            tuple(
                (
                    row["model"],
                    row["kind"],
                    row["n"],
                    *(f"{row[key]:.1f}" for key in ("value", "low", "high")),
                )
                for row in rows
            ),
        ),
    )


def _answer_counts(rows: Sequence[Record]) -> str:
    """On how many answers the runs stand."""
    counts = sorted({row["n"] for row in rows if row["n"] is not None})
    return f"n {counts[0]:,}" if len(counts) == 1 else f"n {counts[0]:,} to {counts[-1]:,}"


def named_for_drawing(rows: Sequence[Record]) -> list[Record]:
    """The rows with each model's name as the chart writes it; the table below has it whole."""
    names = drawn_names(row["model"] for row in rows)
    return [{**row, "name": names[row["model"]]} for row in rows]


def _ranked_rows(comparison: Comparison) -> list[Record]:
    """Runs from the best down, then the baselines that are not among them; nothing where no run has a figure."""
    headline = comparison.setup.headline
    rows: list[Record] = []
    for run in comparison.ranked_runs:
        figure = run.summary.figures[headline]
        if run.headline is not None:
            low = run.headline if figure.low is None else figure.low
            high = run.headline if figure.high is None else figure.high
            rows.append(_point_row(run.label, model_kind(run), run.headline, (low, high), run.answers))
    shown_already = {row["model"] for row in rows}
    baselines = {item.name: item.figures.get(headline) for item in comparison.strongest_first if rows}
    return rows + [
        _point_row(name, "baseline", value, (value, value), None)
        for name, value in baselines.items()
        if value is not None and name not in shown_already
    ]


def _point_row(
    model: str, kind: str, value: float, interval: tuple[float, float], samples: int | None
) -> Record:
    low, high = interval
    return {
        "model": model, "kind": kind, "n": samples, "value": 100 * value, "low": 100 * low, "high": 100 * high,
    }  # fmt: skip


def scaling_chart(comparison: Comparison) -> Chart | None:
    """Size against headline on a logarithmic axis; published models of known size in grey."""
    headline = comparison.setup.headline
    own, published = _rows_of_known_size(comparison), _published_sizes(comparison, headline)
    if not own or len({row["size"] for row in [*own, *published]}) < FEWEST_SIZES:
        return None
    rows = named_for_drawing([*published, *own])
    across = padded_axis([row["size"] for row in rows], WIDTH, logarithmic=True)
    titles = ("billions of parameters", f"{words(headline)}, percent")
    return Chart(
        name="scaling",
        title="Size against score",
        caption=f"One point per model, its configurations averaged. {_size_correlation(own)} Published rows come from the "
        "released scorer.",
        spec=apply_theme(_draw_points(rows, "size", across, 340, titles)),
        phone=apply_theme(_draw_points(number_names(rows), "size", narrow_axis(across), 340, titles)),
        numbered=tuple(row["name"] for row in rows),
        wide=True,
        table=Table(
            "Size against score",
            ("model", "kind", "billions", "percent"),
            tuple((row["model"], row["kind"], row["size"], f"{row['value']:.1f}") for row in rows),
        ),
    )


def number_names(rows: Sequence[Record]) -> list[Record]:
    """The rows with numbers from 1 up in place of their names."""
    return [{**row, "name": str(number)} for number, row in enumerate(rows, 1)]


def narrow_axis(axis: PlotAxis) -> PlotAxis:
    """The axis on a phone."""
    return replace(axis, length=PHONE_WIDTH)


def _draw_points(
    rows: Sequence[Record], key: str, across: PlotAxis, height: float, titles: tuple[str, str]
) -> View:
    """The rows at their places, coloured by kind, with names that find room."""
    points = [
        {"model": row["name"], "kind": row["kind"], "at": row[key], "value": row["value"]} for row in rows
    ]
    colour = _kind_colour(list(dict.fromkeys(row["kind"] for row in rows)))
    drawn = named_points(points, across, PlotAxis(0.0, 100.0, height), colour, titles)
    return layer(*drawn).properties(width=across.length, height=height)


def _rows_of_known_size(comparison: Comparison) -> list[dict[str, JsonValue]]:
    """One row per model of known size: several runs of it are one point, at their mean."""
    models: dict[str, list[ComparedRun]] = {}
    for run in comparison.runs:
        if run.facts.size is not None and run.headline is not None:
            models.setdefault(run.facts.name or run.model, []).append(run)
    return [
        {
            "model": name,
            "kind": model_kind(runs[0]),
            "size": runs[0].facts.size,
            "value": 100 * fmean(run.headline for run in runs if run.headline is not None),
        }
        for name, runs in models.items()
    ]


def _published_sizes(comparison: Comparison, headline: str) -> list[dict[str, JsonValue]]:
    return [
        {"model": row.model, "kind": PUBLISHED, "size": row.size, "value": 100 * value}
        for row in comparison.benchmark.published
        if row.size is not None and not row.group and (value := row.figures.get(headline)) is not None
    ]


def _size_correlation(own: Sequence[Record]) -> str:
    """The correlation over models."""
    sizes = [math.log10(row["size"]) for row in own]
    found = pearson_correlation(sizes, [row["value"] for row in own], unit="models")
    if found.value is None or found.p_value is None:
        return "Too few sizes among these runs for a correlation."
    return (
        f"Pearson's r of log size and score over {found.pairs} {found.unit}: {found.value:.2f}, "
        f"p {found.p_value:.3f}."
    )


def trade_chart(comparison: Comparison, price: str) -> Chart | None:
    """Money or seconds against headline, one dot per run."""
    what = {"cost": "cost of the run, $", "latency": "median seconds per sample"}[price]
    rows: Sequence[Record] = [
        {"model": run.label, "kind": model_kind(run), "price": paid, "value": 100 * run.headline}
        for run in comparison.runs
        if run.headline is not None and (paid := run.cost if price == "cost" else run.latency) is not None
    ]
    if len({row["price"] for row in rows}) < FEWEST_SIZES:
        return None
    rows = named_for_drawing(rows)
    across = PlotAxis(0.0, padded_axis([0.0, *(row["price"] for row in rows)], WIDTH).high, WIDTH)
    return Chart(
        name=f"trade-{price}",
        title=f"{price.capitalize()} against score",
        caption="Up and to the left is better.",
        spec=apply_theme(_draw_points(rows, "price", across, 260, (what, "percent"))),
        phone=apply_theme(
            _draw_points(number_names(rows), "price", narrow_axis(across), 260, (what, "percent"))
        ),
        numbered=tuple(row["name"] for row in rows),
        wide=True,
        table=Table(
            price,
            ("model", what, words(comparison.setup.headline)),
            tuple((row["model"], f"{row['price']:.4f}", percent(row["value"] / 100)) for row in rows),
        ),
    )
