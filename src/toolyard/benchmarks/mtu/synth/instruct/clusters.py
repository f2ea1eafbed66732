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
    for section, classes in tomllib.loads(
        Path(__file__).with_name("tool_words.toml").read_text("utf-8")
    ).items()
}
CLASS_OF, WAYS = WORDS["verbs"], WORDS["ways"]
THRESHOLD = 0.28
# Distances that differ by less are equal: vectors depend in the last digits on what was embedded with them.
DECIMALS = 5
# So far that the mean over any two clusters with one such pair is beyond every threshold.
FORBIDDEN = 1e9
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
Text: TypeAlias = Callable[[CorpusTool], str]
Key: TypeAlias = tuple[str, str]
Matrix: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Tools taken for one; the centroid is the member nearest to all."""

    centroid: CorpusTool
    members: tuple[CorpusTool, ...]


def key_of(tool: CorpusTool) -> Key:
    """What a tool is known by."""
    return (tool.service, tool.name)


def words_of(text: str) -> list[str]:
    """The lower-case words of a name or a sentence: `FindBus`, `find_bus` and "find bus" are two words each."""
    return [part.lower() for part in _PART.findall(text)]


def tool_text(tool: CorpusTool) -> str:
    """The name's words, the description, and the words of the parameters' names."""
    parameters = ", ".join(" ".join(words_of(each.name)) for each in (*tool.required, *tool.optional))
    short = f"{' '.join(words_of(tool.name))}: {tool.description}"
    return f"{short} ({parameters})" if parameters else short


def verb_class(tool: CorpusTool) -> str:
    """The class of the tool's verb; what its corpus says about it goes before its words."""
    if tool.verb in (QUERY, PLAY):
        return str(tool.verb)
    words = words_of(f"{tool.name} {tool.description}")
    readings = (next((CLASS_OF[form] for form in _forms(word) if form in CLASS_OF), OTHER) for word in words)
    unfit = {OTHER} if tool.verb is None else {OTHER, QUERY}
    return next((reading for reading in readings if reading not in unfit), OTHER)


def _forms(word: str) -> Iterator[str]:
    """The word and what it may be an inflection of."""
    yield from (word, word.removesuffix("s"), word.removesuffix("es"))
    for ending in ("ing", "ed"):
        if word.endswith(ending):
            yield from (word.removesuffix(ending), f"{word.removesuffix(ending)}e")


def cluster_tools(
    tools: Sequence[CorpusTool], embed: Embed, threshold: float = THRESHOLD, text: Text = tool_text
) -> tuple[Cluster, ...]:
    """The tools in clusters, in order of their centroids; the order of the tools does not matter."""
    twice = [key for key, count in Counter(map(key_of, tools)).items() if count > 1]
    if twice:
        service, name = min(twice)
        raise DataError(
            f"tool {name!r} of service {service!r} stands twice, wanted each (service, name) once; "
            "merge the documents of the corpus first"
        )
    # Sorted before anything is computed: ties are then broken alike whatever order the tools came in.
    ordered = sorted(tools, key=key_of)
    similarity = np.round(cosines([text(tool) for tool in ordered], embed), DECIMALS)
    apart = _forbidden_pairs(ordered)
    groups: dict[str, list[int]] = {}
    for index, tool in enumerate(ordered):
        groups.setdefault(verb_class(tool), []).append(index)
    found = []
    for group in groups.values():
        for part in _parts(similarity[np.ix_(group, group)], apart[np.ix_(group, group)], threshold):
            members = [group[place] for place in part]
            centre = int(np.argmax(np.round(similarity[np.ix_(members, members)].sum(axis=1), DECIMALS)))
            found.append(Cluster(ordered[members[centre]], tuple(ordered[index] for index in members)))
    return tuple(sorted(found, key=lambda cluster: key_of(cluster.centroid)))


def _parts(similarity: Matrix, apart: NDArray[np.bool_], threshold: float) -> list[list[int]]:
    """The places of one class that belong together: mean distances stay within the threshold."""
    if len(similarity) == 1:
        return [[0]]
    try:
        from scipy.cluster.hierarchy import fcluster, linkage
        from scipy.spatial.distance import squareform
    except ImportError as error:
        raise MissingExtra("clustering tools needs scipy: pip install 'toolyard[corpora]'") from error
    distances = np.where(apart, FORBIDDEN, np.round(1.0 - similarity, DECIMALS))
    tree = linkage(squareform(distances, checks=False), method="average")
    parts: dict[int, list[int]] = {}
    for place, label in enumerate(fcluster(tree, threshold, criterion="distance").tolist()):
        parts.setdefault(label, []).append(place)
    return list(parts.values())


def cosines(texts: Sequence[str], embed: Embed) -> Matrix:
    """The cosine of every pair, exactly symmetric; each distinct text is embedded once, in an order of its own."""
    distinct = sorted(set(texts))
    if not distinct:
        return np.zeros((0, 0))
    vectors = np.asarray(embed(distinct), np.float64)[[distinct.index(text) for text in texts]]
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(lengths == 0, 1, lengths)
    similarity = np.clip(unit @ unit.T, -1.0, 1.0)
    similarity = (similarity + similarity.T) / 2
    np.fill_diagonal(similarity, 1.0)
    return np.asarray(similarity, np.float64)


def _forbidden_pairs(tools: Sequence[CorpusTool]) -> NDArray[np.bool_]:
    """Which pairs are two tools of one service, or are named after different ways to travel."""
    services = np.array([tool.service for tool in tools])
    travel = np.array([_travels(tool.name) for tool in tools])
    apart = services[:, None] == services[None, :]
    apart |= (travel[:, None] != travel[None, :]) & (travel[:, None] != "") & (travel[None, :] != "")
    np.fill_diagonal(apart, False)
    return np.asarray(apart, np.bool_)


def _travels(name: str) -> str:
    """The way to travel that a name speaks of; descriptions of buses and trains are too alike to tell."""
    stems = (
        word.removesuffix("es") if word == "buses" else word.removesuffix("s") for word in words_of(name)
    )
    return next((WAYS[stem] for stem in stems if stem in WAYS), "")


def standard_names(clusters: Sequence[Cluster]) -> list[str]:
    """A name of its own for every cluster: its centroid's, else another member's, else one with the service.

    Larger clusters choose first; names that differ in case only count as equal.
    """
    order = sorted(
        range(len(clusters)), key=lambda i: (-len(clusters[i].members), key_of(clusters[i].centroid))
    )
    taken: set[str] = set()
    names = [""] * len(clusters)
    for index in order:
        centroid = clusters[index].centroid
        with_service = f"{centroid.name}_{centroid.service}"
        candidates = [centroid.name, *(tool.name for tool in clusters[index].members), with_service]
        candidates += [f"{with_service}_{number}" for number in range(2, len(clusters) + 2)]
        names[index] = next(each for each in candidates if each.casefold() not in taken)
        taken.add(names[index].casefold())
    return names


def reduction_table(clusters: Sequence[Cluster]) -> Table:
    """Tools, distinct names and clusters, and names per cluster against the paper's 20 to 1."""
    tools = [tool for cluster in clusters for tool in cluster.members]
    counts = len(tools), len({tool.name for tool in tools})
    ratios = (round(count / len(clusters), 2) if clusters else None for count in counts)
    return Table(
        "Names per cluster",
        ("tools", "names", "clusters", "tools per cluster", "names per cluster", "paper"),
        ((*counts, len(clusters), *ratios, 20.0),),
        "The paper counts free-form names that a model made up and removes what is left twice by hand; here every "
        "corpus has a few names per intent, and nothing is removed by hand.",
    )
