"""Labelled dots, for every chart of models against a size, a price or a length."""

from collections.abc import Sequence

from toolyard.charts.chart import MUTED
from toolyard.charts.vega_lite import Channel, View, field, view
from toolyard.core.types import Record
from toolyard.report.charts.label_places import OFFSETS, PlotAxis, label_sides

SIZE_OF_NAMES = 8.5


def named_points(
    points: Sequence[Record], across: PlotAxis, up: PlotAxis, colour: Channel, titles: tuple[str, str]
) -> list[View]:
    """The points (`model`, `at`, `value`) as layers: the dots, and the names where they find room."""
    x, y = axis_channel("at:Q", across, titles[0]), axis_channel("value:Q", up, titles[1])
    dots = view(points).mark("point", filled=True, size=50, opacity=1).encode(x=x, y=y, color=colour)
    places = label_sides(
        [(row["model"], across.place(row["at"]), up.length - up.place(row["value"])) for row in points],
        across.length, up.length,
    )  # fmt: skip
    names = [
        view([row for row, own in zip(points, places, strict=True) if own == place])
        .mark("text", fontSize=SIZE_OF_NAMES, color=MUTED, baseline="middle", **OFFSETS[place])
        .encode(x=x, y=y, text=field("model:N"))
        for place in dict.fromkeys(places)
        if place
    ]
    return [dots, *names]


def axis_channel(shorthand: str, axis: PlotAxis, title: str) -> Channel:
    """The channel of an axis whose ends are known beforehand."""
    kind = {"type": "log"} if axis.logarithmic else {}
    scale = {**kind, "domain": [axis.low, axis.high], "nice": False, "zero": False}
    ticks = {"values": axis.ticks(), "format": "~g"} if axis.logarithmic else {"tickCount": 6}
    return field(shorthand, scale=scale, title=title, axis=ticks)
