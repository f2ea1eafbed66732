"""The map of the tool clusters (Figure 8) as table and picture, and how many names the clusters save."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolyard.benchmarks.mtu.synth.clustering.clusters import (
    VERB_CLASSES,
    Cluster,
    Text,
    tool_text,
    vectors_of,
)
from toolyard.charts.vega_lite import field, layer, view
from toolyard.core.benchmark import Embed, Table
from toolyard.core.types import JsonValue
from toolyard.core.untrusted.json_safe import safe_object

POINTS = ("x", "y", "verb_class", "members", "tool")
PUBLISHED_REDUCTION = 20.0
DECIMALS = 4


def cluster_vectors(clusters: Sequence[Cluster], embed: Embed, text: Text = tool_text) -> NDArray[np.float64]:
    """The mean vector of each cluster's members, in the clusters' order."""
    texts = [text(tool) for cluster in clusters for tool in cluster.members]
    vectors = vectors_of(texts, embed)
    ends = np.cumsum([len(cluster.members) for cluster in clusters])[:-1]
    return np.array([part.mean(axis=0) for part in np.split(vectors, ends)]) if clusters else vectors


def cluster_points(clusters: Sequence[Cluster], vectors: NDArray[np.float64]) -> Table:
    """One row per cluster: its place in the plane of the two main components, verb class, size and tool."""
    places = principal_plane(vectors)
    rows = tuple(
        (float(x), float(y), cluster.verb_class, len(cluster.members), cluster.centroid.name)
        for (x, y), cluster in zip(places, clusters, strict=True)
    )
    return Table("Tool clusters", POINTS, rows, "The first two principal components of the mean embeddings.")


def principal_plane(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coordinates on the first two principal components; the largest of each is positive, so that they are unique."""
    places = np.zeros((len(vectors), 2))
    if len(vectors) < 2:
        return places
    centred = vectors - vectors.mean(axis=0)
    left, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    found = left[:, :2] * sizes[:2]
    largest = found[np.abs(found).argmax(axis=0), np.arange(found.shape[1])]
    places[:, : found.shape[1]] = np.round(found * np.where(largest < 0, -1, 1), DECIMALS)
    # No negative zero: the data are compared byte by byte.
    return places + 0.0


def reduction_table(clusters: Sequence[Cluster]) -> Table:
    """Tools, distinct names and clusters by verb class, and names per cluster against the paper's 20 to 1."""
    present = {cluster.verb_class for cluster in clusters}
    rows = [_row(name, [each for each in clusters if each.verb_class == name]) for name in VERB_CLASSES]
    return Table(
        "Names per cluster",
        ("verb class", "tools", "names", "clusters", "tools per cluster", "names per cluster", "paper"),
        (*(row for row in rows if row[0] in present), (*_row("all", clusters)[:-1], PUBLISHED_REDUCTION)),
        "The paper counts free-form names that a model made up and removes what is left twice by hand; here every "
        "corpus has a few names per intent, and nothing is removed by hand.",
    )


def _row(label: str, clusters: Sequence[Cluster]) -> tuple[str | int | float | None, ...]:
    tools = [tool for cluster in clusters for tool in cluster.members]
    names = len({tool.name for tool in tools})
    ratios = [round(count / len(clusters), 2) if clusters else None for count in (len(tools), names)]
    return (label, len(tools), names, len(clusters), *ratios, None)


VEGA_LITE = "6.4"
LABELS = 24
# What a name takes of the picture.
LABEL_WIDTH, LABEL_HEIGHT = 0.17, 0.035
WIDTH, HEIGHT = 720, 460
INK, MUTED = "#1d2733", "#5d6875"
FONT = "system-ui, -apple-system, Segoe UI, Roboto, DejaVu Sans, sans-serif"
# Names come from strangers' corpora: what XML cannot hold is shown as a replacement character.
_UNDRAWABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u2028\u2029\ufffe\uffff]")


def cluster_chart(points: Table, labels: int = LABELS) -> dict[str, object]:
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
    names = view(_clusters_to_label(rows, labels)).mark("text", dy=-12, fontSize=10, color=INK, limit=150)
    names = names.encode(x=x, y=y, text=field("tool:N"))
    spec: dict[str, Any] = safe_object(layer(dots, names).properties(width=WIDTH, height=HEIGHT).spec)
    legend = {"orient": "top", "labelColor": MUTED, "titleColor": MUTED, "labelFontSize": 11}
    spec["config"] = {"font": FONT, "view": {"stroke": None}, "mark": {"aria": False}, "legend": legend}
    return spec


def _clusters_to_label(rows: list[dict[str, Any]], labels: int) -> list[dict[str, JsonValue]]:
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
