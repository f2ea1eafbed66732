"""Axes: labels, grid lines and title of a panel, and the space that they take."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from toolyard.charts.drawing.layers import Layer, Way, channels_along
from toolyard.charts.drawing.scales import Names, Numbers, Scale
from toolyard.charts.drawing.svg import (
    NotDrawn,
    Spec,
    cut_to,
    element,
    format_value,
    refuse_unknown,
    text_width,
    words_at,
)
from toolyard.core.types import JsonValue, Record

AXIS_KEYS = (
    "title", "values", "grid", "tickCount", "tickMinStep", "format", "labelAngle", "orient", "labelLimit", "minExtent",
)  # fmt: skip
SINK = 0.36
NO_TITLE = object()


@dataclass(frozen=True, slots=True)
class DrawnAxis:
    """What is drawn behind a panel and at its side, and how much space that takes."""

    behind: str
    beside: str
    side: str
    room: float


def axis_along(
    layers: Sequence[Layer], way: Way, scale: Scale, across: float, theme: Spec
) -> DrawnAxis | None:
    """The axis that all layers share; None where they want none."""
    found = [channel for _, channel in channels_along(layers, way)]
    if any("axis" in channel and channel["axis"] is None for channel in found):
        return None
    settings: dict[str, JsonValue] = {}
    for channel in found:
        settings = {**channel.get("axis", {}), **settings}
    refuse_unknown(settings, AXIS_KEYS, "axis")
    drawn = _horizontal_axis if way == "x" else _vertical_axis
    return drawn(scale, {**settings, "title": first_title(found)}, across, theme)


def first_title(channels: Sequence[Spec]) -> str | None:
    stated = [channel.get("title", channel.get("axis", {}).get("title", NO_TITLE)) for channel in channels]
    stated = [title for title in stated if title is not NO_TITLE]
    if not stated:
        raise NotDrawn("an axis whose title is the name of a field")
    return next((title for title in stated if title), None)


def labelled_places(scale: Scale, settings: Spec) -> list[tuple[float, str]]:
    """Each label with its place."""
    if isinstance(scale, Names):
        return [(scale.place(name), format_value(name, None)) for name in scale.names]
    values = settings.get("values")
    if values is None:
        values = scale.ticks(settings.get("tickCount"), settings.get("tickMinStep", 0))
    values = [value for value in values if min(scale.low, scale.high) <= value <= max(scale.low, scale.high)]
    form = settings.get("format")
    return [
        (scale.place(value), label_of_number(value, values) if form is None else format_value(value, form))
        for value in values
    ]


def label_of_number(value: float, values: Sequence[float]) -> str:
    """A number as precise as the step to the next."""
    if len(values) < 2:
        return f"{value:,.12g}"
    step = min(abs(after - before) for before, after in pairwise(values))
    digits = max(0, -math.floor(math.log10(step) + 1e-9)) if step else 0
    return f"{value:,.{digits}f}"


def has_grid_lines(scale: Scale, settings: Spec) -> bool:
    return bool(settings.get("grid", isinstance(scale, Numbers)))


def _vertical_axis(scale: Scale, settings: Spec, across: float, theme: Record) -> DrawnAxis:
    """The axis at the left: labels end before the panel, the title is turned."""
    size, color, padding = theme["labelFontSize"], theme["labelColor"], theme["labelPadding"]
    limit = settings.get("labelLimit", theme["labelLimit"])
    marks = _thin_labels(
        [(place, cut_to(text, size, limit)) for place, text in labelled_places(scale, settings)],
        scale,
        size + 2,
    )
    behind = "".join(
        element("line", x1=0.0, y1=place, x2=across, y2=place, stroke=theme["gridColor"])
        for place, _ in marks
    )
    beside = "".join(
        words_at(text, -padding, place + SINK * size, size=size, color=color, anchor="end")
        for place, text in marks
    )
    room = padding + max((text_width(text, size) for _, text in marks), default=0.0)
    room = max(room, float(settings.get("minExtent", 0)))
    if settings["title"]:
        tall = theme["titleFontSize"]
        room += theme["titlePadding"]
        beside += words_at(
            settings["title"],
            -room,
            scale.length / 2,
            size=tall,
            color=theme["titleColor"],
            anchor="middle",
            angle=-90,
        )
        room += tall
    return DrawnAxis(behind if has_grid_lines(scale, settings) else "", beside, "left", room)


def _horizontal_axis(scale: Scale, settings: Spec, across: float, theme: Record) -> DrawnAxis:
    """The axis at the bottom or the top, with labels that may be turned."""
    size, color, padding = theme["labelFontSize"], theme["labelColor"], theme["labelPadding"]
    top, angle = settings.get("orient") == "top", settings.get("labelAngle", 0)
    if isinstance(scale, Names) and "labelAngle" not in settings:
        raise NotDrawn("names whose angle is not stated")
    limit = settings.get("labelLimit", theme["labelLimit"])
    marks = [(place, cut_to(text, size, limit)) for place, text in labelled_places(scale, settings)]
    widest = max((text_width(text, size) for _, text in marks), default=0.0)
    marks = _thin_labels(marks, scale, widest + 4) if not angle else marks
    behind = "".join(
        element("line", x1=place, y1=0.0, x2=place, y2=across, stroke=theme["gridColor"])
        for place, _ in marks
    )
    turn = math.radians(abs(angle))
    tall = size if not angle else widest * math.sin(turn) + size * math.cos(turn)
    base = -padding if top else across + padding + size * 0.8
    anchor = "middle" if not angle else ("start" if top == (angle < 0) else "end")
    beside = "".join(
        words_at(text, place, base, size=size, color=color, anchor=anchor, angle=angle)
        for place, text in marks
    )
    room = padding + tall
    if settings["title"]:
        high = theme["titleFontSize"]
        room += theme["titlePadding"] + high
        line = -room + high if top else across + room - 0.2 * high
        beside += words_at(
            settings["title"], scale.length / 2, line, size=high, color=theme["titleColor"], anchor="middle"
        )
    return DrawnAxis(
        behind if has_grid_lines(scale, settings) else "", beside, "top" if top else "bottom", room
    )


def _thin_labels(marks: list[tuple[float, str]], scale: Scale, least: float) -> list[tuple[float, str]]:
    """Every label, or every second, fourth ... where numbers would stand too close; names are never left out."""
    if isinstance(scale, Names):
        return marks
    while len(marks) > 2 and min(abs(b[0] - a[0]) for a, b in pairwise(marks)) < least:
        marks = marks[::2]
    return marks
