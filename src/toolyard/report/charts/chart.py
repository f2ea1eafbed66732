"""A chart: one theme for all of them, drawn as SVG and PNG, with the numbers it shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain, count
from typing import TYPE_CHECKING, Any

from toolyard.core.benchmark import RunSetup, Table
from toolyard.core.types import Json
from toolyard.stats.bootstrap import Estimate
from toolyard.text.parsing import json_safe

if TYPE_CHECKING:
    from toolyard.report.content import Report

VEGA_LITE = "6.4"
# The page's style sheet turns these into its own colours (light or dark) by attribute: page/assets/charts.css.
INK, MUTED, RULE = "#1d2733", "#5d6875", "#e3e7eb"
ACCENT, SECOND, BASELINE, PAPER = "#1f5f99", "#b3541e", "#98a2ad", "#ffffff"
FONT = "system-ui, -apple-system, Segoe UI, Roboto, DejaVu Sans, sans-serif"


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture with its words and the numbers it shows."""

    name: str
    title: str
    caption: str
    spec: dict[str, Any]
    table: Table
    wide: bool = False

    def svg(self) -> str:
        """The chart as an SVG document, labelled for screen readers."""
        import vl_convert

        drawn: str = vl_convert.vegalite_to_svg(self.spec, vl_version=VEGA_LITE)
        label = escape(f"{self.title}. {self.caption}", quote=True)
        return drawn.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)

    def png(self, scale: float = 2.0) -> bytes:
        """The chart as a PNG on white."""
        import vl_convert

        spec = {**self.spec, "background": PAPER}
        drawn: bytes = vl_convert.vegalite_to_png(spec, vl_version=VEGA_LITE, scale=scale)
        return drawn


def main_figures(report: Report) -> list[str]:
    """The run's figures that stand for abilities."""
    return abilities(report.setup, report.summaries["paper"].figures)


def abilities(setup: RunSetup, figures: Mapping[str, Estimate]) -> list[str]:
    """The figures that stand for abilities: no totals, no precision or recall beside an F1, no variants."""
    scoring = setup.benchmark.scoring
    known = [name for name, figure in figures.items() if figure.value is not None]
    if scoring.capabilities:
        return [
            name
            for name in (*scoring.capabilities, *scoring.beyond)
            if name in known and name != setup.headline
        ]
    return [name for name in known if not _secondary(name, setup.headline, figures)]


def _secondary(name: str, headline: str, figures: Any) -> bool:
    part = re.fullmatch(r"(.+)_(?:precision|recall)", name)
    return (
        name == headline
        or name in ("average", "overall")
        or name.endswith(("_soft", "_overall", "_printed"))
        or (part is not None and f"{part.group(1)}_f1" in figures)
    )


# What XML cannot hold, and line separators that Vega's expressions trip over.
_UNDRAWABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u2028\u2029\ufffe\uffff]")


def drawable(value: Json) -> Json:
    """The value with a replacement character for what no drawing can show: names and keys are strangers' text."""
    if isinstance(value, str):
        return _UNDRAWABLE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {key: drawable(item) for key, item in value.items()}
    return [drawable(item) for item in value] if isinstance(value, list) else value


MOST_LETTERS = 60


def drawn_names(names: Iterable[str]) -> dict[str, str]:
    """Each name as a chart writes it: drawable, its middle left out where it is long, and no two alike."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        text, half = str(drawable(json_safe(name))), MOST_LETTERS // 2
        short = text if len(text) <= MOST_LETTERS else f"{text[:half]}…{text[-half:]}"
        numbered = (f"{short} ({number})" for number in count(2))
        found[name] = next(form for form in chain([short], numbered) if form not in found.values())
    return found


def themed(chart: Any) -> dict[str, Any]:
    """The Vega-Lite specification in the house theme."""
    axis = {
        "domain": False, "ticks": False, "gridColor": RULE, "labelColor": MUTED, "titleColor": MUTED,
        "labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal", "labelPadding": 6,
        "titlePadding": 8, "labelLimit": 220,
    }  # fmt: skip
    legend = {
        "orient": "top", "title": None, "labelColor": MUTED, "labelFontSize": 11, "symbolSize": 70, "offset": 6,
    }  # fmt: skip
    header = {"labelColor": INK, "labelFontSize": 11.5, "labelFontWeight": 600, "title": None}
    spec: dict[str, Any] = drawable(json_safe(chart.to_dict()))
    spec["background"] = None
    spec["config"] = {
        "font": FONT,
        "view": {"stroke": None},
        # The drawing is one labelled image with its numbers in a table below; no label on every mark.
        "mark": {"aria": False},
        "axis": axis,
        "legend": legend,
        "header": header,
        "title": {"color": INK, "fontSize": 11.5, "fontWeight": 600, "anchor": "start", "offset": 6},
    }
    return spec


def shown(value: float | None) -> str:
    """A fraction in percent, for a table."""
    return "–" if value is None else f"{100 * value:.1f}"


def chart_data(rows: Sequence[dict[str, Any]]) -> Any:
    """Rows as altair wants them, without a data frame library."""
    import altair

    return altair.InlineData(values=list(rows))
