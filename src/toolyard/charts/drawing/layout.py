"""Panels, one alone or many in rows and columns, with their titles and one legend above them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolyard.charts.drawing.axes import axis_along
from toolyard.charts.drawing.layers import Layer, layers_of, scale_along
from toolyard.charts.drawing.marks import MarkPlace, draw_symbol, drawn_layer, overhang_of_texts
from toolyard.charts.drawing.scales import shown_names
from toolyard.charts.drawing.svg import (
    FONT,
    NotDrawn,
    Spec,
    element,
    format_coordinate,
    refuse_unknown,
    text_width,
    translate,
    words_at,
)

TOP_KEYS = (
    "background", "config", "data", "hconcat", "concat", "columns", "spacing", "facet", "spec", "layer", "mark",
    "encoding", "width", "height", "title",
)  # fmt: skip
LEGEND_KEYS = ("columns",)
FACET_SPACING, MARGIN, SYMBOL_ROOM, ENTRY_SPACING = 20.0, 5.0, 16.0, 14.0


@dataclass(frozen=True, slots=True)
class Panel:
    """A drawn panel, and the room around it that its axes and title take."""

    content: str
    width: float
    height: float
    rooms: Mapping[str, float]
    legend: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One name of a legend with its symbol."""

    name: str
    color: str
    shape: str


@dataclass(frozen=True, slots=True)
class Grid:
    """Panels in rows of so many columns."""

    panels: Sequence[Panel]
    columns: int
    across: float
    down: float


def draw_specification(spec: Spec) -> str:
    """The drawing of a themed specification; raises `NotDrawn` for what is not known here."""
    refuse_unknown(spec, TOP_KEYS, "specification")
    theme = spec["config"]
    try:
        grid = _grid_of_panels(spec, theme)
        content, width, height = _arrange_panels(grid)
        legend, wide, high = _draw_legend(grid.panels, width, theme["legend"])
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise NotDrawn(f"{type(error).__name__}: {error}") from error
    whole = translate(legend, MARGIN, MARGIN) + translate(content, MARGIN, MARGIN + high)
    width, height = max(width, wide) + 2 * MARGIN, height + high + 2 * MARGIN
    return element(
        "svg", whole, xmlns="http://www.w3.org/2000/svg", width=width, height=height,
        viewBox=f"0 0 {format_coordinate(width)} {format_coordinate(height)}", font_family=FONT,
    )  # fmt: skip


def _grid_of_panels(spec: Spec, theme: Spec) -> Grid:
    if "hconcat" in spec:
        panels = [_draw_panel(inner, theme, spec) for inner in spec["hconcat"]]
        return Grid(panels, len(panels), spec["spacing"], spec["spacing"])
    if "concat" in spec:
        panels = [_draw_panel(inner, theme, spec) for inner in spec["concat"]]
        return Grid(panels, spec["columns"], spec["spacing"]["column"], spec["spacing"]["row"])
    if "facet" in spec:
        panels = list(_panels_by_field(spec, theme))
        return Grid(panels, spec["columns"], FACET_SPACING, FACET_SPACING)
    inner = {key: value for key, value in spec.items() if key not in ("background", "config")}
    return Grid([_draw_panel(inner, theme)], 1, 0, 0)


def _draw_panel(spec: Spec, theme: Spec, outer: Spec | None = None) -> Panel:
    """One view with its axes; rows that all views share stand in the outer specification."""
    shared = None if outer is None or "data" not in outer else outer["data"]["values"]
    layers = list(layers_of(spec, shared))
    place = _place_for_marks(layers, spec)
    content, rooms = _draw_with_axes(layers, layers, place, theme)
    content, rooms = _add_title(content, rooms, spec.get("title"), theme["title"])
    return Panel(content, place.x.length, place.y.length, rooms, tuple(_legend_entries(layers)))


def _place_for_marks(layers: Sequence[Layer], spec: Spec) -> MarkPlace:
    return MarkPlace(
        scale_along(layers, "x", spec.get("width")), scale_along(layers, "y", spec.get("height"))
    )


def _draw_with_axes(
    layers: Sequence[Layer],
    everything: Sequence[Layer],
    place: MarkPlace,
    theme: Spec,
    *,
    inner: bool = False,
) -> tuple[str, dict[str, float]]:
    """The layers between their axes, and the room around them; an inner panel has no labels at its left."""
    axes = [
        axis_along(everything, "x", place.x, place.y.length, theme["axis"]),
        axis_along(everything, "y", place.y, place.x.length, theme["axis"]),
    ]
    rooms = overhang_of_texts(layers, place)
    # The last label of a horizontal axis stands half beyond its end.
    rooms["right"] = max(rooms["right"], 0.0 if axes[0] is None else 12.0)
    content = "".join(axis.behind for axis in axes if axis is not None)
    for axis in axes:
        if axis is not None and not (inner and axis.side == "left"):
            content += axis.beside
            rooms[axis.side] = max(rooms[axis.side], axis.room)
    return content + "".join(drawn_layer(layer, place) for layer in layers), rooms


def _add_title(
    content: str, rooms: dict[str, float], title: str | None, theme: Spec
) -> tuple[str, dict[str, float]]:
    if not title:
        return content, rooms
    size = theme["fontSize"]
    words = words_at(
        title, 0, -rooms["top"] - theme["offset"], size=size, color=theme["color"], font_weight=600
    )
    return content + words, {**rooms, "top": rooms["top"] + theme["offset"] + size}


def _panels_by_field(spec: Spec, theme: Spec) -> Iterator[Panel]:
    """One panel for each value of the field; scales are shared, so all rows of the others take part in them."""
    by, rows, inner = spec["facet"], spec["data"]["values"], spec["spec"]
    refuse_unknown(by, ("field", "type", "sort", "title"), "facet")
    names = list(dict.fromkeys(row[by["field"]] for row in rows))
    if isinstance(by.get("sort"), list):
        names.sort(key=by["sort"].index)
    everything = list(layers_of(inner, rows))
    place, header = _place_for_marks(everything, inner), theme["header"]
    above = {"fontSize": header["labelFontSize"], "color": header["labelColor"], "offset": 6}
    for order, name in enumerate(names):
        layers = [
            replace(layer, rows=[row for row in rows if row[by["field"]] == name]) for layer in everything
        ]
        content, rooms = _draw_with_axes(layers, everything, place, theme, inner=order % spec["columns"] > 0)
        content, rooms = _add_title(content, rooms, name, above)
        yield Panel(content, place.x.length, place.y.length, rooms, ())


def _arrange_panels(grid: Grid) -> tuple[str, float, float]:
    """All panels at their places, and how much room they take together."""
    rows = [grid.panels[start : start + grid.columns] for start in range(0, len(grid.panels), grid.columns)]
    columns = [
        [row[place] for row in rows if place < len(row)]
        for place in range(min(grid.columns, len(grid.panels)))
    ]
    lefts, x = [], 0.0
    for column in columns:
        x += max(panel.rooms["left"] for panel in column)
        lefts.append(x)
        x += max(panel.width + panel.rooms["right"] for panel in column) + grid.across
    content, y = "", 0.0
    for row in rows:
        y += max(panel.rooms["top"] for panel in row)
        content += "".join(translate(panel.content, left, y) for panel, left in zip(row, lefts, strict=False))
        y += max(panel.height + panel.rooms["bottom"] for panel in row) + grid.down
    return content, x - grid.across, y - grid.down


def _legend_entries(layers: Sequence[Layer]) -> Iterator[Entry]:
    """The names that colours stand for, with the symbol of the layer that shows them best."""
    for layer in layers:
        channel = layer.channels.get("color", {})
        if (
            "field" not in channel
            or channel.get("legend", {}) is None
            or channel.get("type") == "quantitative"
        ):
            continue
        refuse_unknown(channel.get("legend", {}), LEGEND_KEYS, "legend")
        colors = shown_names(channel).shown
        shape = layer.channels.get("shape")
        shapes: Mapping[Any, Any] = {} if shape is None else shown_names(shape).shown
        plain = "line" if layer.kind in ("line", "rule") else "circle"
        for name, color in colors.items():
            yield Entry(str(name), color, shapes.get(name, plain))


def _draw_legend(panels: Sequence[Panel], width: float, theme: Spec) -> tuple[str, float, float]:
    """The legend of all panels in lines as wide as they are: what is drawn, its width and its height."""
    found: dict[str, Entry] = {}
    for entry in (entry for panel in panels for entry in panel.legend):
        before = found.get(entry.name)
        if before is None or before.shape == "line":
            found[entry.name] = entry
    if not found:
        return "", 0.0, 0.0
    size, color, left = (
        theme["labelFontSize"],
        theme["labelColor"],
        max(panel.rooms["left"] for panel in panels[:1]),
    )
    x, y, widest, content = left, size, 0.0, ""
    for entry in found.values():
        wide = SYMBOL_ROOM + text_width(entry.name, size)
        if x > left and x + wide > max(width, left + 200):
            x, y = left, y + size + 6
        content += _draw_legend_symbol(entry, x + 5, y - 0.36 * size, theme["symbolSize"])
        content += words_at(entry.name, x + SYMBOL_ROOM, y, size=size, color=color)
        x += wide + ENTRY_SPACING
        widest = max(widest, x - ENTRY_SPACING)
    return content, widest, y + 4 + theme["offset"]


def _draw_legend_symbol(entry: Entry, x: float, y: float, size: float) -> str:
    if entry.shape == "line":
        return element("line", x1=x - 5, y1=y, x2=x + 5, y2=y, stroke=entry.color, stroke_width=2)
    return draw_symbol(entry.shape, x, y, size, fill=entry.color)
