"""Placement of point labels: next to the dot, inside the frame, without overlap where possible."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolyard.core.types import Record

LETTER_WIDTH, LETTER_HEIGHT, DOT = 4.7, 9.0, 4.5
# In the order of preference; how far the name stands from its dot, and what of it is at that place.
PLACES = ("above", "below", "right", "left", "upper right", "lower right", "upper left", "lower left")
OFFSETS: Mapping[str, Record] = {
    "above": {"dx": 0, "dy": -10, "align": "center"},
    "below": {"dx": 0, "dy": 11, "align": "center"},
    "right": {"dx": 8, "dy": 0, "align": "left"},
    "left": {"dx": -8, "dy": 0, "align": "right"},
    "upper right": {"dx": 6, "dy": -9, "align": "left"},
    "lower right": {"dx": 6, "dy": 9, "align": "left"},
    "upper left": {"dx": -6, "dy": -9, "align": "right"},
    "lower left": {"dx": -6, "dy": 9, "align": "right"},
}
# A name that would lie over others with more of its area is left out; the table below a chart has all.
MOST_COVERED = 0.3
# A dot inside a name hides letters: it weighs more than what it covers.
DOT_COUNTS = 6.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels from the upper left corner."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: "Box") -> float:
        """The area that both cover."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(width, 0.0) * max(height, 0.0)

    @property
    def area(self) -> float:
        """Width times height."""
        return (self.right - self.left) * (self.bottom - self.top)


@dataclass(frozen=True, slots=True)
class PlotAxis:
    """A scale from values to pixels."""

    low: float
    high: float
    length: float
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """Pixels from where the axis begins."""
        low, high = self._transform(self.low), self._transform(self.high)
        return (self._transform(value) - low) / (high - low) * self.length

    def _transform(self, value: float) -> float:
        return math.log10(value) if self.logarithmic else value

    def ticks(self) -> list[float]:
        """1, 2 and 5 times the powers of ten inside a logarithmic axis."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        values = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
        return [value for value in values if self.low <= value <= self.high]


def padded_axis(
    values: Sequence[float], length: float, *, logarithmic: bool = False, share: float = 0.08
) -> PlotAxis:
    """An axis with room on both sides of the values."""
    low, high = min(values), max(values)
    if logarithmic:
        room = max(high / low, 2.0) ** share
        return PlotAxis(low / room, high * room, length, logarithmic=True)
    room = (high - low or abs(high) or 1.0) * share
    return PlotAxis(low - room, high + room, length)


def label_sides(points: Sequence[tuple[str, float, float]], width: float, height: float) -> list[str]:
    """For each name with its dot, in pixels from the upper left corner, its side; "" where it finds no room."""
    frame = Box(-DOT, -DOT, width + DOT, height + DOT)
    dots = [Box(x - DOT, y - DOT, x + DOT, y + DOT) for _, x, y in points]
    names: list[Box] = []
    chosen = []
    for (name, x, y), dot in zip(points, dots, strict=True):
        boxes = {place: _box_of_label(name, x, y, place) for place in PLACES}

        def cost(place: str, boxes: dict[str, Box] = boxes, dot: Box = dot) -> float:
            box = boxes[place]
            covered = sum(DOT_COUNTS * box.overlap(other) for other in dots if other is not dot)
            return box.area - box.overlap(frame) + covered + sum(map(box.overlap, names))

        best = min(PLACES, key=cost)
        if cost(best) > MOST_COVERED * boxes[best].area:
            chosen.append("")
            continue
        chosen.append(best)
        names.append(boxes[best])
    return chosen


def _box_of_label(name: str, x: float, y: float, place: str) -> Box:
    width, offset = LETTER_WIDTH * len(name), OFFSETS[place]
    share = {"center": 0.5, "left": 0.0, "right": 1.0}[str(offset["align"])]
    left, middle = x + float(offset["dx"]) - share * width, y + float(offset["dy"])
    return Box(left, middle - LETTER_HEIGHT / 2, left + width, middle + LETTER_HEIGHT / 2)
