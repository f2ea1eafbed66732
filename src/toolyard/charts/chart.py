"""A chart: one theme for reports and data sets, drawn as SVG and PNG, with the numbers it shows."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from itertools import chain, count
from typing import Any

from toolyard.charts.fit_width import HALF, PHONE, WHOLE, draw_in_width
from toolyard.charts.svg_drawing import FONT, draw
from toolyard.charts.vega_lite import Channel, View, field
from toolyard.core.table import Table
from toolyard.core.types import JsonValue
from toolyard.core.untrusted.json_safe import safe_object
from toolyard.text.parsing import json_safe
from toolyard.text.printable import printable_text

# The page's style sheet turns these into its own colours (light or dark) by attribute: page/assets/charts.css.
INK, MUTED, RULE = "#1d2733", "#5d6875", "#e3e7eb"
ACCENT, SECOND, BASELINE, PAPER = "#1f5f99", "#b3541e", "#98a2ad", "#ffffff"


def dots_with_intervals(base: View, values: Channel) -> tuple[View, View]:
    """A dot at each value, on a line from its low to its high end."""
    lines = base.mark("rule", color=ACCENT, strokeWidth=3, opacity=0.5)
    dots = base.mark("point", color=ACCENT, filled=True, size=60, opacity=1)
    return lines.encode(x={**values, "field": "low"}, x2=field("high:Q")), dots.encode(x=values)


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture with its words and the numbers it shows."""

    name: str
    title: str
    caption: str
    spec: dict[str, Any]
    table: Table
    wide: bool = False
    # A picture whose height follows from its width.
    rigid: bool = False
    # Where names beside dots need the width of a desktop: the picture for a phone, and the names of its numbered dots.
    phone: dict[str, object] | None = None
    numbered: tuple[str, ...] = ()

    def svg(self) -> str:
        """The chart as an SVG document, labelled for screen readers."""
        return self._add_label(draw(self.spec))

    def page_svgs(self, place: float = 0.0) -> tuple[str, str]:
        """The chart as wide as its place on a page, by default as it says itself, and as wide as a phone."""
        if self.rigid:
            return self.svg(), ""
        desktop = draw_in_width(self.spec, place or (WHOLE if self.wide else HALF))
        phone = draw_in_width(self.phone or self.spec, PHONE)
        return self._add_label(desktop), self._add_label(phone) + self._legend()

    def _legend(self) -> str:
        """The names of numbered dots as a list below the picture."""
        if not self.numbered:
            return ""
        return f'<ol class="dots">{"".join(f"<li>{escape(name)}</li>" for name in self.numbered)}</ol>'

    def _add_label(self, svg: str) -> str:
        label = escape(f"{self.title}. {self.caption}", quote=True)
        return svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)

    def png(self, scale: float = 2.0) -> bytes:
        """The chart as a PNG on white."""
        import vl_convert

        white = f'<rect width="100%" height="100%" fill="{PAPER}"/>'
        drawn: bytes = vl_convert.svg_to_png(draw(self.spec).replace(">", f">{white}", 1), scale=scale)
        return drawn


def drawable_value(value: JsonValue) -> JsonValue:
    """The value without invisible characters, which break XML and Vega expressions: names and keys are untrusted."""
    if isinstance(value, str):
        return printable_text(value)
    if isinstance(value, dict):
        return {key: drawable_value(item) for key, item in value.items()}
    return [drawable_value(item) for item in value] if isinstance(value, list) else value


MOST_LETTERS = 60


def drawn_names(names: Iterable[str]) -> dict[str, str]:
    """Each name as a chart writes it: drawable, its middle left out where it is long, and no two alike."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        text, half = str(drawable_value(json_safe(name))), MOST_LETTERS // 2
        short = text if len(text) <= MOST_LETTERS else f"{text[:half]}…{text[-half:]}"
        numbered = (f"{short} ({number})" for number in count(2))
        found[name] = next(form for form in chain([short], numbered) if form not in found.values())
    return found


def apply_theme(chart: View) -> dict[str, object]:
    """The Vega-Lite specification in the house theme."""
    axis = {
        "domain": False, "ticks": False, "gridColor": RULE, "labelColor": MUTED, "titleColor": MUTED,
        "labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal", "labelPadding": 6,
        "titlePadding": 8, "labelLimit": 220,
    }  # fmt: skip
    legend = {
        "orient": "top", "title": None, "labelColor": MUTED, "labelFontSize": 11, "symbolSize": 70, "offset": 6,
        "rowPadding": 0, "columns": 6, "labelLimit": 320,
    }  # fmt: skip
    header = {
        "labelColor": INK,
        "labelFontSize": 11.5,
        "labelFontWeight": 600,
        "labelAnchor": "start",
        "title": None,
    }
    spec: dict[str, object] = {name: drawable_value(part) for name, part in safe_object(chart.spec).items()}
    spec["background"] = None
    spec["config"] = {
        "font": FONT,
        "view": {"stroke": None},
        # The drawing is one labelled image with its numbers in a table below; no label on every mark and axis.
        "aria": False,
        "axis": axis,
        "legend": legend,
        "header": header,
        "title": {"color": INK, "fontSize": 11.5, "fontWeight": 600, "anchor": "start", "offset": 6},
    }
    return spec
