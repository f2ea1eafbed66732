"""A view taken apart: its layers, each with rows, mark and channels, and the two scales that they share."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from toolyard.charts.drawing.scales import Names, Numbers, Scale, names_of, numbers_of
from toolyard.charts.drawing.svg import NotDrawn, Spec, refuse_unknown
from toolyard.core.types import JsonValue

Way = Literal["x", "y"]
VIEW_KEYS = ("data", "encoding", "layer", "mark", "width", "height", "title")
POSITION_KEYS = ("field", "type", "datum", "scale", "axis", "sort", "title", "stack")
DISCRETE = ("nominal", "ordinal")
LENGTH, STEP = 200.0, 20.0
MARKS = ("area", "bar", "line", "point", "rect", "rule", "text")


@dataclass(frozen=True, slots=True)
class Layer:
    """Rows drawn with one mark."""

    rows: Sequence[Spec]
    kind: str
    mark: Spec
    channels: Spec

    def value(self, row: Spec, name: str) -> Any:
        """What a channel shows of a row; None where it has no such channel."""
        channel = self.channels.get(name)
        if channel is None:
            return None
        return channel["datum"] if "datum" in channel else row.get(channel["field"])


def layers_of(spec: Spec, rows: Sequence[Spec] | None = None) -> Iterator[Layer]:
    """The layers of a view, the lowest first."""
    refuse_unknown(spec, VIEW_KEYS, "view")
    rows = spec["data"]["values"] if "data" in spec else rows
    if "layer" in spec:
        if "encoding" in spec:
            raise NotDrawn("channels of a group of layers")
        for inner in spec["layer"]:
            yield from layers_of(inner, rows)
        return
    mark = spec.get("mark")
    if rows is None or not isinstance(mark, dict) or mark.get("type") not in MARKS:
        raise NotDrawn("a view without rows or with another mark")
    yield Layer(rows, mark["type"], mark, spec.get("encoding", {}))


def channels_along(layers: Sequence[Layer], way: Way) -> list[tuple[Layer, Spec]]:
    """The channels of all layers that share the scale of that way."""
    found = [(layer, layer.channels[way]) for layer in layers if way in layer.channels]
    for _, channel in found:
        refuse_unknown(channel, POSITION_KEYS, way)
        if channel.get("stack"):
            raise NotDrawn("stacked bars")
    return found


def scale_along(layers: Sequence[Layer], way: Way, size: object) -> Scale:
    """The scale that all layers share."""
    found = channels_along(layers, way)
    kinds = {channel["type"] in DISCRETE for _, channel in found if "type" in channel}
    if len(kinds) != 1:
        raise NotDrawn(f"{way}: names beside numbers, or nothing")
    if kinds == {True}:
        values = [
            row.get(channel["field"]) for layer, channel in found if "field" in channel for row in layer.rows
        ]
        sorts = [channel.get("sort", "ascending") for _, channel in found if "field" in channel]
        if any(sort != sorts[0] for sort in sorts):
            raise NotDrawn("names in two orders")
        return names_of(values, sorts[0], length_of(size, len(set(values))))
    settings: dict[str, JsonValue] = {}
    for _, channel in found:
        if channel.get("type", "quantitative") != "quantitative":
            raise NotDrawn("a scale of times")
        settings = {**(channel.get("scale") or {}), **settings}
    return numbers_of(numbers_on_axis(layers, way), settings, length_of(size, None), upright=way == "y")


def length_of(size: object, names: int | None) -> float:
    """The width or height that a view states."""
    if isinstance(size, dict):
        if set(size) != {"step"} or names is None:
            raise NotDrawn("a step without names")
        return float(size["step"] * max(1, names))
    if size is None:
        return LENGTH if names is None else STEP * max(1, names)
    if not isinstance(size, (int, float)):
        raise NotDrawn("a size in words")
    return float(size)


def numbers_on_axis(layers: Sequence[Layer], way: Way) -> list[float]:
    found = []
    for layer in layers:
        for name in (way, f"{way}2"):
            values = (layer.value(row, name) for row in layer.rows)
            found += [value for value in values if isinstance(value, (int, float))]
        if layer.kind in ("bar", "area") and f"{way}2" not in layer.channels:
            found.append(0.0)
    return found


def position_of(scale: Scale, value: object) -> float | None:
    """Where a value stands; None where it is missing."""
    if value is None:
        return None
    if isinstance(scale, Names):
        return scale.place(value)
    assert isinstance(scale, Numbers)
    if not isinstance(value, (int, float)):
        raise NotDrawn("words on a scale of numbers")
    return scale.place(value)
