"""Exhibits as drawings: one way to draw each kind, runs in colour, published models in grey."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from toolyard.charts.chart import ACCENT, BASELINE, INK, PAPER, SECOND, Chart, apply_theme, drawn_names
from toolyard.charts.vega_lite import Channel, View, field, grid, layer, step, view
from toolyard.core.exhibits import BOX_PARTS, Exhibit, Kind
from toolyard.core.types import JsonValue, Record
from toolyard.report.charts.figure_charts import hidden_axis, radar_rings, spoke_labels, spoke_point
from toolyard.report.charts.label_places import PlotAxis, padded_axis
from toolyard.report.charts.named_points import axis_channel, named_points
from toolyard.report.tables.exhibit_tables import exhibit_note, exhibit_table
from toolyard.report.tables.formats import words

# As many as a picture shows models, so that no two share a colour.
COLOURS = (
    ACCENT, SECOND, "#3d7a4e", "#7a4fa3", "#a8842c", "#2a8c8c", "#a33f5f",
    "#56708a", "#e08fb0", "#8fb33d", "#5b3a29", "#7fb5e6", "#d3a27f", "#4b4f9e",
)  # fmt: skip
GREYS = (BASELINE, "#b8c0c8", "#7f8a95", "#cdd3d9")
MOST_PANELS = 12
MOST_MODELS = 14
# A radar with fewer spokes has no surface.
FEWEST_SPOKES = 3


def exhibit_charts(exhibits: Sequence[Exhibit]) -> list[Chart]:
    """The exhibits that are figures, drawn."""
    found = []
    for place, exhibit in enumerate(exhibits):
        draw = DRAWN.get(exhibit.kind)
        chart = None if draw is None else draw(_with_fewer_models(exhibit))
        if chart is not None:
            found.append(_chart_of_exhibit(exhibit, chart, place))
    return found


def _with_fewer_models(exhibit: Exhibit) -> Exhibit:
    """The exhibit without models beyond what a picture can show; the table has all."""
    models = list(dict.fromkeys(mark.model for mark in exhibit.marks if mark.source == "run"))
    rest = [mark.model for mark in exhibit.marks if mark.source != "run"]
    kept = (
        set([*models, *dict.fromkeys(rest)][:MOST_MODELS]) if exhibit.kind != "scatter" else {*models, *rest}
    )
    marks = [mark for mark in exhibit.marks if mark.model in kept and mark.value is not None]
    return replace(exhibit, marks=tuple(marks))


def _chart_of_exhibit(exhibit: Exhibit, chart: View, place: int) -> Chart:
    name = re.sub(r"[^a-z0-9]+", "-", f"exhibit-{place}-{exhibit.paper}".lower()).strip("-")
    shown = _with_fewer_models(exhibit)
    numbers = _dot_numbers(shown) if exhibit.kind == "scatter" else {}
    return Chart(
        name=name,
        title=f"{exhibit.paper}: {exhibit.title}",
        caption=exhibit_note(exhibit) or "Runs in colour; the numbers are below.",
        spec=apply_theme(chart),
        table=exhibit_table(exhibit),
        wide=True,
        phone=apply_theme(_draw_scatter(shown, numbers)) if numbers else None,
        numbered=tuple(numbers),
    )


def _dot_numbers(exhibit: Exhibit) -> dict[str, str]:
    """A number for each model that has a dot, by its name as the chart writes it."""
    models = dict.fromkeys(str(row["model"]) for row in _rows_of_exhibit(exhibit) if row["source"] != "fit")
    return {model: str(number) for number, model in enumerate(models, 1)}


def _percent_value(exhibit: Exhibit, value: float | None) -> float | None:
    return None if value is None else 100 * value if exhibit.unit == "percent" else value


def _rows_of_exhibit(exhibit: Exhibit) -> list[dict[str, JsonValue]]:
    names = drawn_names(mark.model for mark in exhibit.marks)
    order = {part: place for place, part in enumerate(dict.fromkeys(mark.part for mark in exhibit.marks))}
    return [
        {
            "model": names[mark.model], "x": words(mark.x), "panel": words(mark.panel), "part": words(mark.part),
            "value": _percent_value(exhibit, mark.value), "source": mark.source, "at": mark.at, "order": order[mark.part],
            "low": _percent_value(exhibit, mark.value if mark.low is None else mark.low),
            "high": _percent_value(exhibit, mark.value if mark.high is None else mark.high),
        }
        for mark in exhibit.marks
    ]  # fmt: skip


def _legend_columns(names: Sequence[str], width: float) -> int:
    """How many names of a legend fit in one row without making the picture wider."""
    widest = max((min(7 * len(name), 375) + 28 for name in names), default=1)
    return max(1, int(width // widest))


def _model_colours(exhibit: Exhibit, width: float = 640) -> Channel:
    """A colour for each run, a grey for each published model."""
    names = drawn_names(mark.model for mark in exhibit.marks)
    own = list(dict.fromkeys(names[mark.model] for mark in exhibit.marks if mark.source != "published"))
    others = [name for name in dict.fromkeys(names.values()) if name not in own]
    colours = [COLOURS[place % len(COLOURS)] for place in range(len(own))]
    colours += [GREYS[place % len(GREYS)] for place in range(len(others))]
    legend = {"columns": _legend_columns([*own, *others], width), "labelLimit": 320, "symbolOpacity": 1}
    return field("model:N", scale={"domain": [*own, *others], "range": colours}, legend=legend)


def _value_axis(exhibit: Exhibit) -> Channel:
    share = exhibit.unit == "percent" and _wants_whole_scale(exhibit)
    unit = ", percent" if exhibit.unit == "percent" else ""
    title = f"{exhibit.y_title}{unit}".lstrip(", ")
    return field("value:Q", scale={"domain": [0, 100]} if share else {"zero": True}, title=title)


def _wants_whole_scale(exhibit: Exhibit) -> bool:
    """Whether values want the whole scale: some are large, or all are 0."""
    highest = max((mark.value or 0.0 for mark in exhibit.marks), default=0.0)
    return highest > 0.4 or highest == 0


def _panel_names(exhibit: Exhibit) -> list[str]:
    return list(dict.fromkeys(words(mark.panel) for mark in exhibit.marks))[:MOST_PANELS]


def _draw_panels(exhibit: Exhibit, draw: Callable[[Sequence[Record]], View], columns: int) -> View:
    """One drawing per panel, side by side. Keys are untrusted text, so no facet sorts them by expression."""
    rows, panels = _rows_of_exhibit(exhibit), _panel_names(exhibit)
    views = [draw([row for row in rows if row["panel"] == panel]).properties(title=panel) for panel in panels]
    return views[0] if len(views) == 1 else grid(*views, columns=columns, spacing={"row": 26, "column": 26})


def _draw_lines(exhibit: Exhibit) -> View:
    colour, width = _model_colours(exhibit, 820), 760 if len(_panel_names(exhibit)) == 1 else 280
    x = field("x:O", sort=None, title=exhibit.x_title or None, axis={"labelAngle": 0})

    def draw(rows: Sequence[Record]) -> View:
        base = view(rows).encode(x=x, color=colour)
        line = base.mark("line", strokeWidth=2, point={"size": 36, "filled": True})
        bars = base.mark("rule", strokeWidth=3, opacity=0.25).encode(y=field("low:Q"), y2=field("high:Q"))
        return layer(bars, line.encode(y=_value_axis(exhibit))).properties(width=width, height=230)

    return _draw_panels(exhibit, draw, 3)


def _draw_bars(exhibit: Exhibit) -> View:
    models = len({mark.model for mark in exhibit.marks})
    panels = min(2, len(_panel_names(exhibit)))
    width = max(
        _bars_width({words(mark.x) for mark in exhibit.marks if words(mark.panel) == panel}, models)
        for panel in _panel_names(exhibit)
    )
    colour = _model_colours(exhibit, panels * width + 60)
    x = field("x:N", sort=None, title=exhibit.x_title or None, axis={"labelAngle": 0, "grid": False})

    def draw(rows: Sequence[Record]) -> View:
        base = view(rows).encode(x=x, xOffset=field("model:N", sort=None))
        bars = base.mark("bar", cornerRadiusEnd=2).encode(y=_value_axis(exhibit), color=colour)
        rules = base.mark("rule", color=INK, opacity=0.5).encode(y=field("low:Q"), y2=field("high:Q"))
        return layer(bars, rules).properties(
            width=_bars_width({row["x"] for row in rows}, models), height=210
        )

    return _draw_panels(exhibit, draw, 2)


def _bars_width(keys: Collection[str], models: int) -> float:
    each = max(13 * models + 14, 7 * max(map(len, keys), default=1) + 10)
    return max(280, min(900, each * len(keys)))


def _draw_stacks(exhibit: Exhibit) -> View:
    parts = list(dict.fromkeys(words(mark.part) for mark in exhibit.marks))
    colours = [COLOURS[place % len(COLOURS)] for place in range(len(parts))]
    colour = field(
        "part:N",
        scale={"domain": parts, "range": colours},
        legend={"columns": _legend_columns(parts, 640), "labelLimit": 260},
    )
    unit = ", percent" if exhibit.unit == "percent" else ""
    names = field("model:N", sort=None, title=None, axis={"labelLimit": 320, "minExtent": 120})
    whole = {"scale": {"domain": [0, 100]}} if exhibit.unit == "percent" else {}
    x = field("value:Q", stack="zero", title=f"{exhibit.y_title}{unit}", **whole)
    width = 260 if len(_panel_names(exhibit)) > 1 else 460

    def draw(rows: Sequence[Record]) -> View:
        bars = view([_with_distinct_name(row) for row in rows]).mark("bar", stroke=PAPER, strokeWidth=1)
        chart = bars.encode(y=names, x=x, color=colour, order=field("order:Q"))
        return chart.properties(width=width, height=step(20))

    return _draw_panels(exhibit, draw, 2)


def _with_distinct_name(row: Record) -> Record:
    """The row of a stack, whose colours say what it is made of: a published one is named so."""
    return {**row, "model": f"{row['model']} (published)"} if row["source"] == "published" else row


def _draw_boxes(exhibit: Exhibit) -> View:
    colour = _model_colours(exhibit)
    models = len({mark.model for mark in exhibit.marks})
    x = field("x:N", sort=None, title=None, axis={"labelAngle": -35, "grid": False})
    scale = {"domain": [0, 100]} if exhibit.unit == "percent" else {"zero": True}

    def draw(rows: Sequence[Record]) -> View:
        boxes = _box_rows(rows)
        base = view(boxes).encode(x=x, xOffset=field("model:N", sort=None), color=colour)
        lowest = field("lowest:Q", scale=scale, title="percent" if exhibit.unit == "percent" else None)
        whisker = base.mark("rule").encode(y=lowest, y2=field("highest:Q"))
        body = base.mark("bar", opacity=0.45, size=9)
        body = body.encode(y=field("lower:Q", scale=scale), y2=field("upper:Q"))
        middle = base.mark("tick", thickness=2, size=9).encode(y=field("median:Q", scale=scale))
        keys = len({row["x"] for row in boxes})
        width = max(140, keys * models * 12 + 30)
        return layer(whisker, body, middle).properties(width=width, height=130)

    return _draw_panels(exhibit, draw, 3 if models <= 3 else 2)


def _box_rows(rows: Sequence[Record]) -> list[dict[str, JsonValue]]:
    keys = dict(zip(BOX_PARTS, ("lowest", "lower", "median", "upper", "highest"), strict=True))
    boxes: dict[tuple[str, str], dict[str, JsonValue]] = {}
    for row in rows:
        box = boxes.setdefault((row["model"], row["x"]), {"model": row["model"], "x": row["x"]})
        box[keys[row["part"]]] = row["value"]
    return list(boxes.values())


def _draw_radar(exhibit: Exhibit) -> View:
    spokes = list(dict.fromkeys(words(mark.x) for mark in exhibit.marks))
    if len(spokes) < FEWEST_SPOKES:
        return _draw_bars(exhibit)
    colour, many = _model_colours(exhibit), len(_panel_names(exhibit)) > 1

    def draw(rows: Sequence[Record]) -> View:
        sides = _radar_sides(rows, spokes)
        models = list(dict.fromkeys(side["model"] for side in sides))
        # Each line is thinner than those under it, so that equal ones stay visible.
        lines = [
            view([side for side in sides if side["model"] == model])
            .mark("line", strokeWidth=max(1.4, 4.5 - 0.8 * place), strokeCap="round")
            .encode(
                x=hidden_axis("x"),
                y=hidden_axis("y"),
                order=field("order:Q"),
                detail=field("side:N"),
                color=colour,
            )
            for place, model in enumerate(models)
        ]
        labels = spoke_labels(spokes, 8.5 if many else 11)
        size = {"width": 300, "height": 190} if many else {"width": 460, "height": 300}
        return layer(radar_rings(len(spokes)), *lines, labels).properties(**size)

    return _draw_panels(exhibit, draw, 3)


def _radar_sides(rows: Sequence[Record], spokes: Sequence[str]) -> list[dict[str, JsonValue]]:
    """The sides between neighbouring spokes that a model has a value on; an undefined one leaves a gap."""
    values = {(row["model"], row["x"]): row["value"] for row in rows}
    count, found = len(spokes), []
    for model in dict.fromkeys(row["model"] for row in rows):
        for side in range(count):
            ends = [values.get((model, spokes[(side + step) % count])) for step in (0, 1)]
            if None not in ends:
                found += [
                    {
                        "model": model,
                        "side": f"{model}{side}",
                        "order": step,
                        **spoke_point(side + step, count, end / 100),
                    }
                    for step, end in enumerate(ends)
                    if end is not None
                ]
    return found


def _draw_scatter(exhibit: Exhibit, numbers: Mapping[str, str] | None = None) -> View:
    """Dots with their names, or on a phone with the numbers given for them."""
    many = len(_panel_names(exhibit)) > 1
    width, height = (270, 180) if many else (290 if numbers else 760, 340)
    colour = {"condition": {"test": "datum.source == 'published'", "value": BASELINE}, "value": ACCENT}

    def draw(rows: Sequence[Record]) -> View:
        across, up = _scatter_axes(exhibit, rows, width, height)
        titles = (exhibit.x_title, _up_title(exhibit))
        x, y = axis_channel("at:Q", across, titles[0]), axis_channel("value:Q", up, titles[1])
        joined = view(rows).mark("line", strokeWidth=1.2, opacity=0.6, color=BASELINE)
        joined = joined.encode(x=x, y=y, detail=field("part:N"), order=field("at:Q"))
        points = [
            {**row, "model": (numbers or {}).get(str(row["model"]), row["model"])}
            for row in rows
            if row["source"] != "fit"
        ]
        named = named_points(points, across, up, colour, titles)
        return layer(joined, *named).properties(width=width, height=height)

    return _draw_panels(exhibit, draw, 3)


def _scatter_axes(
    exhibit: Exhibit, rows: Sequence[Record], width: float, height: float
) -> tuple[PlotAxis, PlotAxis]:
    """Sizes on a logarithmic axis against percent from 0; standardised numbers both as they are."""
    places, values = [row["at"] for row in rows], [row["value"] for row in rows]
    if exhibit.unit != "percent":
        return padded_axis(places, width), padded_axis(values, height, share=0.14)
    highest = 100.0 if _wants_whole_scale(exhibit) else max(values) * 1.15
    return padded_axis(places, width, logarithmic=True), PlotAxis(0.0, highest, height)


def _up_title(exhibit: Exhibit) -> str:
    return f"{exhibit.y_title}, percent" if exhibit.unit == "percent" else exhibit.y_title


def _draw_heat_map(exhibit: Exhibit) -> View:
    base = view(_rows_of_exhibit(exhibit)).encode(
        x=field("x:N", sort=None, title=None, axis={"orient": "top", "labelAngle": -30}),
        y=field("part:N", sort=None, title=None),
    )
    # By opacity: the page gives both colours in light and dark, which a scale of them would fix.
    sign = {"condition": {"test": "datum.value < 0", "value": SECOND}, "value": ACCENT}
    strength = field("value:Q", scale={"domain": [-1, 0, 1], "range": [1, 0, 1]}, legend=None)
    cells = base.mark("rect", stroke=PAPER, strokeWidth=2).encode(color=sign, opacity=strength)
    dark = {"condition": {"test": "abs(datum.value) > 0.7", "value": PAPER}, "value": INK}
    numbers = base.mark("text", fontSize=11).encode(text=field("value:Q", format=".2f"), color=dark)
    return layer(cells, numbers).properties(width=step(70), height=step(30))


DRAWN: Mapping[Kind, Callable[[Exhibit], View]] = {
    "lines": _draw_lines,
    "bars": _draw_bars,
    "stack": _draw_stacks,
    "box": _draw_boxes,
    "radar": _draw_radar,
    "scatter": _draw_scatter,
    "heat": _draw_heat_map,
}
