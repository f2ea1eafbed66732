"""The map of the clusters (Figure 8) and how many names they save, as tables that can be drawn and printed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from toolyard.benchmarks.mtu.synth.clustering.clusters import Cluster, Text, tool_text, vectors_of
from toolyard.benchmarks.mtu.synth.clustering.verbs import VERB_CLASSES
from toolyard.core.benchmark import Embed, Table

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
    """Tools, distinct names and clusters by verb class, and names per cluster beside the paper's 20 to 1."""
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
