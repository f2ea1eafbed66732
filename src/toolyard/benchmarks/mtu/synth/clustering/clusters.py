"""Tools that are one tool under several names (MTU-Bench Section 2.2, tool clustering).

    cluster_tools((FindBus of Buses_1, SearchBus of Buses_11, BuyBusTicket of Buses_1), embed)
    -> Cluster(FindBus, members=(FindBus, SearchBus), ...), Cluster(BuyBusTicket, members=(BuyBusTicket,), ...)

Agglomerative, average linkage, cosine distance of what the tools say, never across classes of verbs, and never
two tools of one service: whoever wrote its schema meant them to differ, however alike they sound (asking for a
payment and making one). The class comes from the first word that tells ("HotelReservation" acquires, "MakePayment"
sends); a word that is not in the table is passed over, so that "confirm the purchase" is a purchase.

The paper gives neither its encoder nor its threshold. Text and threshold here were chosen on the services of SGD
that `labelled.halves(..., seed=0)` puts into the first half, and are measured on the others
(`bench/mtu_clusters.py`).
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusTool
from toolyard.core.benchmark import Embed, Table
from toolyard.core.errors import DataError, MissingExtra

QUERY, PLAY, OTHER = "query", "play", "other"
# Section -> word -> class.
WORDS: Mapping[str, Mapping[str, str]] = {
    section: {word: name for name, words in classes.items() for word in words.split()}
    for section, classes in tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8")).items()
}
CLASS_OF, WAYS = WORDS["verbs"], WORDS["ways"]
VERB_CLASSES = (*dict.fromkeys(CLASS_OF.values()), OTHER)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")


def words_of(text: str) -> list[str]:
    """The lower-case words of a name or a sentence: `FindBus`, `find_bus` and "find bus" are two words each."""
    return [part.lower() for part in _PART.findall(text)]


def verb_class(tool: CorpusTool) -> str:
    """The class of the tool's verb; what its corpus says about it goes before its words."""
    if tool.verb in (QUERY, PLAY):
        return str(tool.verb)
    readings = [*_readings(tool.name), *_readings(tool.description)]
    if tool.verb is not None:
        readings = [reading for reading in readings if reading != QUERY]
    return readings[0] if readings else OTHER


def _readings(text: str) -> Iterator[str]:
    for word in words_of(text):
        found = next((CLASS_OF[form] for form in _forms(word) if form in CLASS_OF), None)
        if found is not None:
            yield found


def _forms(word: str) -> Iterator[str]:
    """The word and what it may be an inflection of."""
    yield word
    if word.endswith("s"):
        yield word[:-1]
        yield word.removesuffix("es")
    for ending in ("ing", "ed"):
        if word.endswith(ending):
            yield word.removesuffix(ending)
            yield word.removesuffix(ending) + "e"


THRESHOLD = 0.28
# Distances that differ by less are equal: vectors depend in the last digits on what was embedded with them.
DECIMALS = 5
# So far that the mean over any two clusters with one such pair is beyond every threshold.
FORBIDDEN = 1e9

Text: TypeAlias = Callable[[CorpusTool], str]
Key: TypeAlias = tuple[str, str]
Distances: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Tools taken for one; the centroid is the member nearest to all, `similarity` their mean cosine to it."""

    centroid: CorpusTool
    members: tuple[CorpusTool, ...]
    similarity: float
    verb_class: str


def key_of(tool: CorpusTool) -> Key:
    """What a tool is known by."""
    return (tool.service, tool.name)


def name_text(tool: CorpusTool) -> str:
    """The words of the name."""
    return " ".join(words_of(tool.name))


def description_text(tool: CorpusTool) -> str:
    """The description alone."""
    return tool.description


def short_text(tool: CorpusTool) -> str:
    """The name's words and the description."""
    return f"{name_text(tool)}: {tool.description}"


def tool_text(tool: CorpusTool) -> str:
    """The name's words, the description, and the words of the parameters' names."""
    parameters = ", ".join(" ".join(words_of(each.name)) for each in (*tool.required, *tool.optional))
    return f"{short_text(tool)} ({parameters})" if parameters else short_text(tool)


TEXTS: Mapping[str, Text] = {
    "name": name_text,
    "description": description_text,
    "name and description": short_text,
    "name, description and parameters": tool_text,
}


def cluster_tools(
    tools: Sequence[CorpusTool], embed: Embed, threshold: float = THRESHOLD, text: Text = tool_text
) -> tuple[Cluster, ...]:
    """The tools in clusters, in order of their centroids; the order of the tools does not matter."""
    return Forest(tools, embed, text).cut(threshold)


class Forest:
    """One tree of mergers per class of verbs; cutting it at a threshold gives clusters."""

    def __init__(self, tools: Sequence[CorpusTool], embed: Embed, text: Text = tool_text) -> None:
        # Sorted before anything is computed: ties are then broken alike whatever order the tools came in.
        self._tools = _require_distinct(tools)
        self._similarity = cosines(vectors_of([text(tool) for tool in self._tools], embed))
        self._groups = _groups(self._tools)
        self._apart = _forbidden_pairs(self._tools)
        self._trees = {name: self._tree(group) for name, group in self._groups.items() if len(group) > 1}

    def cut(self, threshold: float) -> tuple[Cluster, ...]:
        """The clusters whose mean distance stays within the threshold."""
        clusters = [
            self._cluster(part, name)
            for name, group in self._groups.items()
            for part in self._parts(name, group, threshold)
        ]
        return tuple(sorted(clusters, key=lambda cluster: key_of(cluster.centroid)))

    def _tree(self, group: Sequence[int]) -> Distances:
        try:
            from scipy.cluster.hierarchy import linkage
            from scipy.spatial.distance import squareform
        except ImportError as error:
            raise MissingExtra("clustering tools needs scipy: pip install 'toolyard[corpora]'") from error

        distances = np.round(1.0 - self._similarity[np.ix_(group, group)], DECIMALS)
        distances[self._apart[np.ix_(group, group)]] = FORBIDDEN
        tree: Distances = linkage(squareform(distances, checks=False), method="average")
        return tree

    def _parts(self, name: str, group: Sequence[int], threshold: float) -> list[list[int]]:
        from scipy.cluster.hierarchy import fcluster

        if name not in self._trees:
            return [list(group)]
        parts: dict[int, list[int]] = {}
        flat = fcluster(self._trees[name], threshold, criterion="distance")
        for index, label in zip(group, flat.tolist(), strict=True):
            parts.setdefault(label, []).append(index)
        return list(parts.values())

    def _cluster(self, part: Sequence[int], name: str) -> Cluster:
        similarity = np.round(self._similarity[np.ix_(part, part)], DECIMALS)
        centre = int(np.argmax(np.round(similarity.sum(axis=1), DECIMALS)))
        members = tuple(self._tools[index] for index in part)
        mean = round(float(similarity[centre].mean()), DECIMALS)
        return Cluster(members[centre], members, mean, name)


def vectors_of(texts: Sequence[str], embed: Embed) -> NDArray[np.float64]:
    """One vector per text; each distinct text is embedded once, in an order of its own."""
    distinct = sorted(set(texts))
    place = {text: index for index, text in enumerate(distinct)}
    vectors = embed(distinct)
    return np.asarray(vectors[[place[text] for text in texts]] if distinct else vectors, np.float64)


def cosines(vectors: NDArray[np.float64]) -> Distances:
    """The cosine of every pair, exactly symmetric and 1 on the diagonal."""
    if not len(vectors):
        return np.zeros((0, 0))
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(lengths == 0, 1, lengths)
    similarity = np.clip(unit @ unit.T, -1.0, 1.0)
    similarity = (similarity + similarity.T) / 2
    np.fill_diagonal(similarity, 1.0)
    return np.asarray(similarity, np.float64)


def _require_distinct(tools: Sequence[CorpusTool]) -> list[CorpusTool]:
    twice = [key for key, count in Counter(map(key_of, tools)).items() if count > 1]
    if twice:
        service, name = min(twice)
        raise DataError(
            f"tool {name!r} of service {service!r} stands twice, wanted each (service, name) once; "
            "merge the documents of the corpus first"
        )
    return sorted(tools, key=key_of)


def _forbidden_pairs(tools: Sequence[CorpusTool]) -> NDArray[np.bool_]:
    """Which pairs are two tools of one service, or are named after different ways to travel."""
    services = sorted({tool.service for tool in tools})
    numbers = np.array([services.index(tool.service) for tool in tools])
    apart = numbers[:, None] == numbers[None, :]
    travel = np.array([_travels(tool.name) for tool in tools])
    apart |= (travel[:, None] != travel[None, :]) & (travel[:, None] != "") & (travel[None, :] != "")
    np.fill_diagonal(apart, False)
    return np.asarray(apart, np.bool_)


def _travels(name: str) -> str:
    """The way to travel that a name speaks of; descriptions of buses and trains are too alike to tell."""
    stems = (
        word.removesuffix("es") if word == "buses" else word.removesuffix("s") for word in words_of(name)
    )
    return next((WAYS[stem] for stem in stems if stem in WAYS), "")


def _groups(tools: Sequence[CorpusTool]) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for index, tool in enumerate(tools):
        groups.setdefault(verb_class(tool), []).append(index)
    return groups


PUBLISHED_REDUCTION = 20.0


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
