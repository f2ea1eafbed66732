"""Marks: points, lines, bands, bars, rectangles and words at their places."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolyard.charts.drawing.layers import Layer, position_of
from toolyard.charts.drawing.scales import Names, Scale, shown_names
from toolyard.charts.drawing.svg import (
    NotDrawn,
    Spec,
    element,
    format_coordinate,
    format_value,
    refuse_unknown,
    text_width,
    words_at,
)

CHANNELS = ("x", "x2", "y", "y2", "color", "shape", "opacity", "detail", "order", "text", "tooltip")
SETTINGS = (
    "type", "color", "opacity", "filled", "size", "strokeWidth", "strokeCap", "strokeJoin", "stroke", "fill",
    "fillOpacity", "point", "align", "baseline", "dx", "dy", "fontSize", "cornerRadius", "cornerRadiusEnd", "height",
    "strokeDash", "thickness", "fontWeight",
)  # fmt: skip
ANCHORS = {"left": "start", "center": "middle", "right": "end"}
# The part of a text that stands before its place, and how far its base line is below, in its size.
BEFORE = {"left": 0.0, "center": 0.5, "right": 1.0}
SINKS = {"middle": 0.36, "top": 0.8, "bottom": -0.2, "alphabetic": 0.0}
POINT_SIZE, BAR_SHARE, FONT_SIZE = 30.0, 0.9, 11.0
TEST = re.compile(
    r"(?P<size>abs\()?datum\.(?P<field>\w+)\)? (?P<how>==|>) (?:'(?P<word>[^']*)'|(?P<number>-?[\d.]+))"
)
_PATH = re.compile(r"[MLZ]|-?\d*\.?\d+")


@dataclass(frozen=True, slots=True)
class MarkPlace:
    """The two scales of a panel."""

    x: Scale
    y: Scale


def drawn_layer(layer: Layer, place: MarkPlace) -> str:
    """All marks of a layer."""
    refuse_unknown(layer.channels, CHANNELS, "channel")
    refuse_unknown(layer.mark, SETTINGS, "mark")
    return DRAW[layer.kind](layer, place)


def color_of(layer: Layer, row: Spec) -> str:
    """The colour of a row's mark."""
    channel = layer.channels.get("color")
    if channel is None:
        color = layer.mark.get("color")
        if not isinstance(color, str):
            raise NotDrawn("a mark without a colour")
        return color
    if "condition" in channel:
        holds = _fulfils_condition(channel["condition"]["test"], row)
        return str(channel["condition"]["value"] if holds else channel["value"])
    if "value" in channel:
        return str(channel["value"])
    if channel.get("type") == "quantitative":
        return _interpolate_color(channel["scale"], row.get(channel["field"]))
    return str(shown_names(channel).of(row))


def _fulfils_condition(test: str, row: Spec) -> bool:
    found = TEST.fullmatch(test)
    if found is None:
        raise NotDrawn(f"condition {test}")
    value = row.get(found["field"])
    if found["word"] is not None:
        return value == found["word"]
    if not isinstance(value, (int, float)):
        return False
    value = abs(value) if found["size"] else value
    return value == float(found["number"]) if found["how"] == "==" else value > float(found["number"])


def _interpolate_color(scale: Spec, value: object) -> str:
    """The colour between those of the neighbouring values."""
    if not isinstance(value, (int, float)) or set(scale) != {"domain", "range"}:
        raise NotDrawn("a colour scale that is not stated")
    domain, colors = scale["domain"], scale["range"]
    value = min(max(value, domain[0]), domain[-1])
    place = max(place for place in range(len(domain) - 1) if domain[place] <= value)
    share = (value - domain[place]) / (domain[place + 1] - domain[place])
    ends = [[int(color[start : start + 2], 16) for start in (1, 3, 5)] for color in colors[place : place + 2]]
    parts = [round(low + share * (high - low)) for low, high in zip(*ends, strict=True)]
    return "#" + "".join(f"{part:02x}" for part in parts)


def _opacity_of(layer: Layer, row: Spec) -> object:
    channel = layer.channels.get("opacity")
    if channel is None:
        return layer.mark.get("opacity")
    scale, value = channel["scale"], row.get(channel["field"])
    if not isinstance(value, (int, float)):
        return scale["range"][0]
    (low, high), (faint, strong) = scale["domain"], scale["range"]
    return round(faint + (strong - faint) * min(1, max(0, (value - low) / (high - low))), 3)


def _place_of_row(layer: Layer, place: MarkPlace, row: Spec) -> tuple[float, float] | None:
    """Where a row's mark stands; None where one of its values is missing."""
    x, y = position_of(place.x, layer.value(row, "x")), position_of(place.y, layer.value(row, "y"))
    return None if x is None or y is None else (x, y)


def draw_symbol(shape: str, x: float, y: float, size: float, **attributes: object) -> str:
    """A symbol in a square of that area: a circle, a diamond, or the path of one."""
    if shape == "circle":
        return element("circle", cx=x, cy=y, r=math.sqrt(size) / 2, **attributes)
    half = math.sqrt(size) / 2
    if shape == "diamond":
        corners = ((x, y - half), (x + half, y), (x, y + half), (x - half, y))
        points = " ".join(
            f"{format_coordinate(across)},{format_coordinate(down)}" for across, down in corners
        )
        return element("polygon", points=points, **attributes)
    if not shape.startswith("M"):
        raise NotDrawn(f"symbol {shape}")
    words, path, coordinate = _PATH.findall(shape), "", 0
    for word in words:
        if word in "MLZ":
            path += word
            continue
        path += f"{format_coordinate((x if coordinate % 2 == 0 else y) + float(word) * half)}" + (
            " " if coordinate % 2 == 0 else ""
        )
        coordinate += 1
    return element("path", d=path, **attributes)


def _draw_points(layer: Layer, place: MarkPlace) -> str:
    shape = layer.channels.get("shape")
    shapes = None if shape is None else shown_names(shape)
    return "".join(
        _draw_point(layer, layer.mark, row, found, "circle" if shapes is None else str(shapes.of(row)))
        for row in layer.rows
        if (found := _place_of_row(layer, place, row)) is not None
    )


def _draw_point(layer: Layer, mark: Spec, row: Spec, found: tuple[float, float], shape: str) -> str:
    if not mark.get("filled"):
        raise NotDrawn("a point that is not filled")
    size = float(mark.get("size", POINT_SIZE))
    return draw_symbol(shape, *found, size, fill=color_of(layer, row), opacity=_opacity_of(layer, row))


def _rows_by_line(layer: Layer) -> list[list[Spec]]:
    """The rows of each line: those that agree in colour and detail, in their order."""
    names = [
        layer.channels[name]["field"]
        for name in ("color", "detail")
        if "field" in layer.channels.get(name, {})
    ]
    groups: dict[tuple[object, ...], list[Spec]] = {}
    for row in layer.rows:
        groups.setdefault(tuple(row.get(name) for name in names), []).append(row)
    order = layer.channels.get("order")
    along = layer.channels["x"].get("field")
    for rows in groups.values():
        if order is not None:
            rows.sort(key=lambda row: float(row[order["field"]]))
        elif layer.channels["x"].get("type") == "quantitative":
            rows.sort(key=lambda row: float(row[along]))
    return list(groups.values())


def _path_through(corners: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{format_coordinate(x)},{format_coordinate(y)}" for x, y in corners)


def _draw_lines(layer: Layer, place: MarkPlace) -> str:
    mark, parts = layer.mark, []
    for rows in _rows_by_line(layer):
        # A missing value is a gap.
        stretch: list[tuple[float, float]] = []
        for found in [*(_place_of_row(layer, place, row) for row in rows), None]:
            if found is not None:
                stretch.append(found)
                continue
            if len(stretch) > 1:
                parts.append(_draw_line(layer, rows[0], stretch))
            stretch = []
    dots = mark.get("point")
    if isinstance(dots, dict):
        refuse_unknown(dots, ("color", "size", "filled"), "points of a line")
        for row in layer.rows:
            where = _place_of_row(layer, place, row)
            parts += (
                [] if where is None else [_draw_point(layer, {**dots, "filled": True}, row, where, "circle")]
            )
    return "".join(parts)


def _draw_line(layer: Layer, row: Spec, corners: Sequence[tuple[float, float]]) -> str:
    mark = layer.mark
    filled, bare = bool(mark.get("filled")), mark.get("stroke", "") is None
    return element(
        "path", d=_path_through(corners) + ("Z" if filled else ""),
        fill=mark["fill"] if filled else "none", fill_opacity=mark.get("fillOpacity"),
        stroke="none" if bare else color_of(layer, row),
        stroke_width=mark.get("strokeWidth", 2), stroke_linejoin=mark.get("strokeJoin"),
        opacity=_opacity_of(layer, row), stroke_dasharray=_dash_pattern(mark),
    )  # fmt: skip


def _dash_pattern(mark: Spec) -> str | None:
    return " ".join(map(str, mark["strokeDash"])) if "strokeDash" in mark else None


def _draw_bands(layer: Layer, place: MarkPlace) -> str:
    parts = []
    for rows in _rows_by_line(layer):
        upper, lower = [], []
        for row in rows:
            x, ends = (
                position_of(place.x, layer.value(row, "x")),
                [position_of(place.y, layer.value(row, way)) for way in ("y", "y2")],
            )
            if x is None or ends[0] is None or ends[1] is None:
                raise NotDrawn("a band with a gap")
            lower.append((x, ends[0]))
            upper.append((x, ends[1]))
        if len(upper) > 1:
            color = color_of(layer, rows[0])
            parts.append(
                element(
                    "path",
                    d=_path_through([*lower, *reversed(upper)]) + "Z",
                    fill=color,
                    opacity=_opacity_of(layer, rows[0]),
                )
            )
    return "".join(parts)


def _draw_rules(layer: Layer, place: MarkPlace) -> str:
    parts, mark = [], layer.mark
    for row in layer.rows:
        ends = []
        for scale, way in ((place.x, "x"), (place.y, "y")):
            first = position_of(scale, layer.value(row, way))
            second = position_of(scale, layer.value(row, f"{way}2")) if f"{way}2" in layer.channels else first
            ends.append((first, second))
        (left, right), (top, bottom) = ends
        if "x" not in layer.channels and "y" in layer.channels:
            left, right = 0.0, place.x.length
        if "y" not in layer.channels and "x" in layer.channels:
            top, bottom = 0.0, place.y.length
        if None in (left, right, top, bottom):
            continue
        parts.append(
            element(
                "line",
                x1=left,
                y1=top,
                x2=right,
                y2=bottom,
                stroke=color_of(layer, row),
                stroke_width=mark.get("strokeWidth", 1),
                opacity=_opacity_of(layer, row),
                stroke_linecap=mark.get("strokeCap"),
                stroke_dasharray=_dash_pattern(mark),
            )
        )
    return "".join(parts)


def _span_of_row(layer: Layer, row: Spec, scale: Scale, way: str) -> tuple[float, float] | None:
    """From where to where a rectangle goes in one way; a name is as wide as its step, a bar begins at nothing."""
    first = position_of(scale, layer.value(row, way))
    if first is None:
        return None
    if f"{way}2" in layer.channels:
        second = position_of(scale, layer.value(row, f"{way}2"))
        return None if second is None else (min(first, second), max(first, second))
    if isinstance(scale, Names):
        share = BAR_SHARE if layer.kind == "bar" else 1.0
        thick = float(layer.mark["height"]) if way == "y" and "height" in layer.mark else scale.step * share
        return first - thick / 2, first + thick / 2
    if layer.kind != "bar":
        raise NotDrawn("a rectangle without an end")
    zero = scale.place(min(max(0.0, scale.low), scale.high))
    return min(first, zero), max(first, zero)


def _draw_rectangles(layer: Layer, place: MarkPlace) -> str:
    mark, parts = layer.mark, []
    for row in layer.rows:
        across, down = _span_of_row(layer, row, place.x, "x"), _span_of_row(layer, row, place.y, "y")
        if across is None or down is None:
            continue
        parts.append(
            element(
                "rect",
                x=across[0],
                y=down[0],
                width=across[1] - across[0],
                height=down[1] - down[0],
                rx=mark.get("cornerRadius", mark.get("cornerRadiusEnd")),
                fill=color_of(layer, row),
                stroke=mark.get("stroke"),
                stroke_width=mark.get("strokeWidth"),
                opacity=_opacity_of(layer, row),
            )
        )
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text where it is written: the left end of its base line, and how far it reaches."""

    text: str
    row: Spec
    x: float
    y: float
    width: float


def texts_at_places(layer: Layer, place: MarkPlace) -> Iterator[PlacedText]:
    """The texts of a layer at their places."""
    mark, channel = layer.mark, layer.channels["text"]
    refuse_unknown(channel, ("field", "type", "format"), "text")
    size = float(mark.get("fontSize", FONT_SIZE))
    for row in layer.rows:
        found = _place_of_row(layer, place, row)
        text = format_value(row.get(channel["field"]), channel.get("format"))
        if found is not None and text:
            wide = text_width(text, size)
            x = found[0] + mark.get("dx", 0) - wide * BEFORE[mark.get("align", "center")]
            y = found[1] + mark.get("dy", 0) + SINKS[mark.get("baseline", "middle")] * size
            yield PlacedText(text, row, x, y, wide)


def _draw_texts(layer: Layer, place: MarkPlace) -> str:
    size, align = float(layer.mark.get("fontSize", FONT_SIZE)), layer.mark.get("align", "center")
    return "".join(
        words_at(
            each.text, each.x + each.width * BEFORE[align], each.y,
            size=size, color=color_of(layer, each.row), anchor=ANCHORS[align],
        )
        for each in texts_at_places(layer, place)
    )  # fmt: skip


def overhang_of_texts(layers: Sequence[Layer], place: MarkPlace) -> dict[str, float]:
    """How far texts reach beyond each side of the panel."""
    rooms = {"left": 0.0, "right": 0.0, "top": 0.0, "bottom": 0.0}
    for layer in layers:
        if layer.kind != "text":
            continue
        size = float(layer.mark.get("fontSize", FONT_SIZE))
        for each in texts_at_places(layer, place):
            reached = {"left": -each.x, "right": each.x + each.width - place.x.length}
            reached |= {"top": 0.8 * size - each.y, "bottom": each.y + 0.25 * size - place.y.length}
            rooms = {side: max(room, reached[side]) for side, room in rooms.items()}
    return rooms


DRAW: Mapping[str, Callable[[Layer, MarkPlace], str]] = {
    "area": _draw_bands, "bar": _draw_rectangles, "line": _draw_lines, "point": _draw_points, "rect": _draw_rectangles,
    "rule": _draw_rules, "text": _draw_texts,
}  # fmt: skip
