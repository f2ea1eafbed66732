"""The map of tool clusters as a picture: place by meaning, colour by verb class, size by members (Figure 8)."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from toolyard.charts.vega_lite import field, layer, view
from toolyard.core.benchmark import Table
from toolyard.core.json_safe import safe_object
from toolyard.core.types import JsonValue

VEGA_LITE = "6.4"
LABELS = 24
# What a name takes of the picture.
LABEL_WIDTH, LABEL_HEIGHT = 0.17, 0.035
WIDTH, HEIGHT = 720, 460
INK, MUTED = "#1d2733", "#5d6875"
FONT = "system-ui, -apple-system, Segoe UI, Roboto, DejaVu Sans, sans-serif"
# Names come from strangers' corpora: what XML cannot hold is shown as a replacement character.
_UNDRAWABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u2028\u2029\ufffe\uffff]")


def cluster_chart(points: Table, labels: int = LABELS) -> dict[str, Any]:
    """The Vega-Lite specification for a table with columns x, y, verb_class, members, tool; the largest have labels."""
    rows = [dict(zip(points.columns, row, strict=True)) for row in points.rows]
    x = field("x:Q", axis=None, scale={"zero": False, "padding": 24})
    y = field("y:Q", axis=None, scale={"zero": False, "padding": 18})
    dots = view(rows).mark("circle", opacity=0.65).encode(
        x=x,
        y=y,
        color=field("verb_class:N", title=None, scale={"scheme": "tableau10"}),
        size=field("members:Q", title="tools", scale={"range": [20, 500]}),
    )  # fmt: skip
    names = view(_labelled(rows, labels)).mark("text", dy=-12, fontSize=10, color=INK, limit=150)
    names = names.encode(x=x, y=y, text=field("tool:N"))
    spec: dict[str, Any] = safe_object(layer(dots, names).properties(width=WIDTH, height=HEIGHT).spec)
    legend = {"orient": "top", "labelColor": MUTED, "titleColor": MUTED, "labelFontSize": 11}
    spec["config"] = {"font": FONT, "view": {"stroke": None}, "mark": {"aria": False}, "legend": legend}
    return spec


def _labelled(rows: list[dict[str, Any]], labels: int) -> list[dict[str, Any]]:
    """The largest clusters, without those whose names would be written over one another."""
    across = _span([row["x"] for row in rows]) * LABEL_WIDTH
    along = _span([row["y"] for row in rows]) * LABEL_HEIGHT
    kept: list[dict[str, Any]] = []
    for row in sorted(rows, key=lambda row: (-row["members"], row["tool"])):
        clear = all(abs(row["x"] - one["x"]) > across or abs(row["y"] - one["y"]) > along for one in kept)
        if clear and len(kept) < labels:
            kept.append(row)
    return kept


def _span(values: list[float]) -> float:
    return max(values) - min(values) if values else 0.0


def cluster_svg(points: Table, labels: int = LABELS) -> str:
    """The map as an SVG document, labelled for screen readers."""
    import vl_convert

    rows = tuple(tuple(_drawable(value) for value in row) for row in points.rows)
    spec = cluster_chart(Table(points.title, points.columns, rows, points.note), labels)
    drawn: str = vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE)
    label = escape(f"{points.title}: {len(rows)} clusters. {points.note}", quote=True)
    return drawn.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)


def _drawable(value: JsonValue) -> JsonValue:
    return _UNDRAWABLE.sub("\ufffd", value) if isinstance(value, str) else value
