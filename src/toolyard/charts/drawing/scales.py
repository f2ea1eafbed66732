"""Where values stand: names in equal steps, numbers on a line, colours by name."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from toolyard.charts.drawing.svg import NotDrawn, Spec, refuse_unknown

SCALE_KEYS = ("domain", "zero", "nice", "padding")
TICKS = 10
PIXELS_PER_TICK = 40


@dataclass(frozen=True, slots=True)
class Names:
    """Names in equal steps along a length."""

    names: tuple[object, ...]
    length: float

    @property
    def step(self) -> float:
        """From the middle of a name to that of the next."""
        return self.length / max(1, len(self.names))

    def place(self, name: object) -> float:
        """The middle of a name."""
        return (self.names.index(name) + 0.5) * self.step


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers from low to high along a length; `upright` runs from the bottom up."""

    low: float
    high: float
    length: float
    upright: bool = False

    def place(self, value: float) -> float:
        """Where a number stands."""
        share = 0.5 if self.high == self.low else (value - self.low) / (self.high - self.low)
        return self.length * (1 - share if self.upright else share)

    def ticks(self, wanted: int | None, least: float = 0) -> list[float]:
        """Round numbers on the scale, about so many."""
        step = max(tick_step(self.low, self.high, wanted or self._fitting()), least)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [place * step for place in range(first, last + 1)]

    def _fitting(self) -> int:
        return max(2, math.ceil(self.length / PIXELS_PER_TICK))


Scale = Names | Numbers


def tick_step(low: float, high: float, count: int) -> float:
    """One, two or five times a power of ten, so that about `count` steps lead from low to high."""
    rough = (high - low) / max(1, count)
    if rough <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    over = rough / power
    return power * (
        10 if over >= math.sqrt(50) else 5 if over >= math.sqrt(10) else 2 if over >= math.sqrt(2) else 1
    )


def numbers_of(values: Sequence[float], settings: Spec, length: float, *, upright: bool) -> Numbers:
    """The scale of numbers under the settings of all channels that share it."""
    refuse_unknown(settings, SCALE_KEYS, "scale")
    if "domain" in settings:
        low, high = settings["domain"]
        return Numbers(float(low), float(high), length, upright)
    if not values:
        raise NotDrawn("a scale without numbers")
    low, high = min(values), max(values)
    if settings.get("zero", True):
        low, high = min(0.0, low), max(0.0, high)
    if settings.get("padding") and high > low:
        margin = (high - low) * settings["padding"] / max(1.0, length - 2 * settings["padding"])
        low, high = low - margin, high + margin
    if settings.get("nice", True):
        low, high = _round_to_steps(low, high)
    return Numbers(low, high, length, upright)


def _round_to_steps(low: float, high: float) -> tuple[float, float]:
    step = tick_step(low, high, TICKS)
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step


def names_of(values: Iterable[object], sort: object, length: float) -> Names:
    """The scale of names: in the order of the data, of a list, or of the alphabet."""
    names = list(dict.fromkeys(values))
    if isinstance(sort, list):
        names = [name for name in sort if name in names] + [name for name in names if name not in sort]
    elif sort is not None:
        raise NotDrawn("names in the order of the alphabet")
    return Names(tuple(names), length)


@dataclass(frozen=True, slots=True)
class ShownNames:
    """What each name of a field is shown as: a colour or a symbol."""

    field: str
    shown: dict[object, Any]

    def of(self, row: Spec) -> object:
        """What the row is shown as."""
        try:
            return self.shown[row.get(self.field)]
        except KeyError:
            raise NotDrawn("a name outside of its scale") from None


def shown_names(channel: Spec) -> ShownNames:
    """A field of names with the colours or symbols that its scale states."""
    scale = channel.get("scale", {})
    if channel.get("type") not in ("nominal", "ordinal") or set(scale) != {"domain", "range"}:
        raise NotDrawn("a scale of names that is not stated")
    return ShownNames(channel["field"], dict(zip(scale["domain"], scale["range"], strict=True)))
