"""The tools of all corpora under standard names, with a document for each corpus of its own words.

    {"name": "find_ferry", "description": "Ferries between two ports",
     "required_parameters": [{"name": "from_port", "type": "string", "description": "Where it leaves"}],
     "optional_parameters": [{"name": "day", "type": "string", "description": "...", "default": "dontcare"}],
     "result_parameters": [{"name": "departure", "type": "string", "description": "...", "format": "HH:MM"}]}

Documents (Figure 9) come from a corpus' own schema, read from the user's copy, or from a model. Clusters and names are
found over all corpora at once; a document is written from the members of one corpus only, so that no file holds
descriptions under another licence. Tools of held-out topics are clustered apart: no tool of the out-of-domain split
then has a name that training shows. What a dialogue is shown of a document comes from the members that it uses:
another member's word for the same thing (`seats` beside `party_size`) would make the gold name a guess.

Tools that are one tool under several names (MTU-Bench Section 2.2, tool clustering).

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

import random
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
import orjson
from numpy.typing import NDArray

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusTool, group_values
from toolyard.core.benchmark import Embed, Table
from toolyard.core.errors import DataError, MissingExtra
from toolyard.core.types import Failure, JsonValue, Record
from toolyard.core.untrusted.json_safe import safe_object
from toolyard.text import documents
from toolyard.text.documents.dialect_parts import ABSENT, canonical_type
from toolyard.text.parsing import answer_text, excerpt, json_safe, json_values
from toolyard.text.templates import render

TEMPLATE = (Path(__file__).parents[1] / "templates" / "document.txt").read_text(encoding="utf-8")
SECTIONS = ("required_parameters", "optional_parameters", "result_parameters")
MOST_CALLS = 8


def tool_document(tool: CorpusTool) -> dict[str, JsonValue]:
    """The tool's document in the paper's form."""
    required, optional, returns = (
        tuple(replace(each, type=each.type or "string", required=required) for each in section)
        for section, required in ((tool.required, True), (tool.optional, False), (tool.results, False))
    )
    return documents.to_mtu(
        documents.ToolDocument(tool.name, tool.description, (*required, *optional), returns)
    )


def document_prompt(name: str, examples: Sequence[Mapping[str, JsonValue]]) -> str:
    """The request for a tool's document, from its name and the arguments of some of its calls."""
    calls = ({"parameters": arguments, "results": None} for arguments in examples[:MOST_CALLS])
    lines = "\n".join(orjson.dumps(json_safe(call)).decode() for call in calls)
    return render(TEMPLATE, {"name": name, "calls": lines}).strip()


def parse_document(text: str, name: str = "", used: Iterable[str] = ()) -> Record | Failure:
    """The document in a model's reply, with the five keys in the paper's order and nothing besides, or why it is none.

    `name` is the tool that was asked for, `used` the parameters that its calls give; a document must be of
    that tool and have all of them. Kinds: those of reading (`not_found`, `thinking_not_closed` ...),
    `wrong_form`, `wrong_name`, `unknown_type`, `repeated_parameter`, `missing_parameter`.
    """
    answer = answer_text(text)
    if isinstance(answer, Failure):
        return answer
    # The first object that has a name: a model may explain itself before.
    objects = [found.value for found in json_values(answer, "{", lenient=True)]
    named = [value for value in objects if isinstance(value, dict) and "name" in value]
    if not named:
        return Failure("wrong_form" if objects else "not_found", excerpt(answer))
    try:
        parsed = documents.from_mtu({**dict.fromkeys(SECTIONS, ()), **named[0]})
    except DataError as error:
        return Failure("wrong_form", excerpt(str(error)))
    if name and parsed.name != name:
        return Failure("wrong_name", excerpt(f"{parsed.name!r} instead of {name!r}"))
    plain = documents.ToolDocument(parsed.name, parsed.description, parsed.parameters, parsed.returns)
    return _document_failure(parsed, used) or safe_object(documents.to_mtu(plain))


def _document_failure(parsed: documents.ToolDocument, used: Iterable[str]) -> Failure | None:
    for each in (*parsed.parameters, *parsed.returns):
        if each.spelling is ABSENT or not canonical_type(each.spelling):
            return Failure("unknown_type", excerpt(f"{each.name}: {each.spelling!r}"))
    for section in (parsed.parameters, parsed.returns):
        names = [each.name for each in section]
        if len(set(names)) < len(names) or not all(names):
            return Failure("repeated_parameter", excerpt(", ".join(names)))
    missing = sorted(set(used) - {each.name for each in parsed.parameters})
    return Failure("missing_parameter", excerpt(", ".join(missing))) if missing else None


@dataclass(frozen=True, slots=True)
class LibraryTool:
    """A tool of one corpus under its standard name; `members` are its own tools in standard terms."""

    name: str
    members: Mapping[Key, CorpusTool]
    whole: CorpusTool
    originals: tuple[str, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics of all members."""
        return self.whole.topics

    @property
    def document(self) -> dict[str, Any]:
        """The document with all that any dialogue may use."""
        return tool_document(self.whole)

    def document_for(self, keys: Collection[Key], used: Collection[str]) -> dict[str, Any]:
        """The document of the members with these keys, and of the parameters that are used besides theirs."""
        chosen = [member for key, member in self.members.items() if key in keys]
        tool = merge_tools(self.name, chosen) if chosen else self.whole
        held = {each.name for each in (*tool.required, *tool.optional)}
        more = (
            each for each in (*self.whole.required, *self.whole.optional) if each.name in set(used) - held
        )
        return tool_document(replace(tool, optional=(*tool.optional, *more)))


@dataclass(frozen=True, slots=True)
class Library:
    """Standard names by (service, name), tools by source and standard name, and the clusters behind them."""

    names: Mapping[Key, str]
    tools: Mapping[str, Mapping[str, LibraryTool]]
    clusters: tuple[Cluster, ...]

    @property
    def documents(self) -> dict[tuple[str, str], dict[str, JsonValue]]:
        """The whole documents, by source and name."""
        return {
            (source, name): tool.document for source, own in self.tools.items() for name, tool in own.items()
        }

    def originals(self, source: str, name: str) -> tuple[str, ...]:
        """What the corpus itself calls the members of a tool, in small letters."""
        return self.tools[source][name].originals if name in self.tools[source] else ()


def build_library(
    tools: Mapping[str, Sequence[CorpusTool]], held_out: Collection[str], embed: Embed
) -> Library:
    """The library of the corpora; `tools` by source."""
    everything = [tool for source in tools.values() for tool in source]
    kept = [tool for tool in everything if set(tool.topics).isdisjoint(held_out)]
    apart = [tool for tool in everything if not set(tool.topics).isdisjoint(held_out)]
    clusters = (*cluster_tools(kept, embed), *cluster_tools(apart, embed))
    names = {
        tool_key(tool): plain_name(name)
        for cluster, name in zip(clusters, standard_names(clusters), strict=True)
        for tool in cluster.members
    }
    return Library(names, {source: _tools_by_name(own, names) for source, own in tools.items()}, clusters)


class Listed(Protocol):
    """A tool that a list can hold: what its source calls it, and its topics."""

    @property
    def originals(self) -> Collection[str]: ...

    @property
    def topics(self) -> Collection[str]: ...


def names_beside(
    known: Mapping[str, Listed],
    own: Collection[str],
    taken: Collection[str],
    topics: Collection[str],
    count: int,
    rng: random.Random,
) -> list[str]:
    """So many other tools, half of them of the dialogue's topics if there are so many.

    `taken` are the source's names of the dialogue's own tools: one that the source calls so would do as well.
    """
    free = [name for name, tool in known.items() if name not in own and set(taken).isdisjoint(tool.originals)]
    near = [name for name in free if not set(topics).isdisjoint(known[name].topics)]
    chosen = rng.sample(near, min(len(near), round(count / 2)))
    rest = [name for name in free if name not in chosen]
    return chosen + rng.sample(rest, max(0, min(len(rest), count - len(chosen))))


def plain_name(name: str) -> str:
    """The name in letters, digits and underscores, since `Tool.result` refers to a result."""
    return re.sub(r"\W+", "_", name)


def plain_keys(values: Record) -> Record:
    """The values under plain names; as they are where two would become one."""
    plain = {plain_name(name): value for name, value in values.items()}
    return plain if len(plain) == len(values) else values


def _tools_by_name(tools: Iterable[CorpusTool], names: Mapping[Key, str]) -> dict[str, LibraryTool]:
    groups = group_values((names[tool_key(tool)], tool) for tool in tools)
    found = {}
    for name, own in groups.items():
        members = {tool_key(tool): _with_plain_names(tool) for tool in own}
        originals = tuple(sorted({tool.name.casefold() for tool in own}))
        found[name] = LibraryTool(name, members, merge_tools(name, [*members.values()]), originals)
    return found


def _with_plain_names(tool: CorpusTool) -> CorpusTool:
    required, optional, results = (
        tuple(replace(each, name=plain_name(each.name)) for each in section)
        for section in (tool.required, tool.optional, tool.results)
    )
    for section in ((*required, *optional), results):
        if len({each.name for each in section}) < len(section):
            raise DataError(
                f"{tool.name} has two parameters or results of one plain name; rename one of them"
            )
    return replace(tool, required=required, optional=optional, results=results)


def merge_tools(name: str, members: Sequence[CorpusTool]) -> CorpusTool:
    """One tool that takes every call of any member: required is what all require, allowed what any allows."""
    held = group_values((each.name, each) for tool in members for each in (*tool.required, *tool.optional))
    results = group_values((each.name, each) for tool in members for each in tool.results)
    required = set.intersection(*({each.name for each in tool.required} for tool in members))
    return replace(
        members[0],
        name=name,
        required=tuple(
            replace(_merge_parameters(held[key]), default=ABSENT) for key in held if key in required
        ),
        optional=tuple(_merge_parameters(held[key]) for key in held if key not in required),
        results=tuple(_merge_parameters(same) for same in results.values()),
        topics=tuple(sorted({topic for tool in members for topic in tool.topics})),
    )


def _merge_parameters(same: Sequence[documents.Parameter]) -> documents.Parameter:
    choices: tuple[JsonValue, ...] = ()
    if all(each.choices for each in same):
        for each in same:
            choices += tuple(choice for choice in each.choices if choice not in choices)
    formats = {each.format for each in same}
    return replace(same[0], choices=choices, format=same[0].format if len(formats) == 1 else None)


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


def tool_key(tool: CorpusTool) -> Key:
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
    twice = [key for key, count in Counter(map(tool_key, tools)).items() if count > 1]
    if twice:
        service, name = min(twice)
        raise DataError(
            f"tool {name!r} of service {service!r} stands twice, wanted each (service, name) once; "
            "merge the documents of the corpus first"
        )
    # Sorted before anything is computed: ties are then broken alike whatever order the tools came in.
    ordered = sorted(tools, key=tool_key)
    similarity = np.round(text_cosines([text(tool) for tool in ordered], embed), DECIMALS)
    apart = _forbidden_pairs(ordered)
    groups = group_values((verb_class(tool), index) for index, tool in enumerate(ordered))
    found = []
    for group in groups.values():
        for part in _split_class(similarity[np.ix_(group, group)], apart[np.ix_(group, group)], threshold):
            members = [group[place] for place in part]
            centre = int(np.argmax(np.round(similarity[np.ix_(members, members)].sum(axis=1), DECIMALS)))
            found.append(Cluster(ordered[members[centre]], tuple(ordered[index] for index in members)))
    return tuple(sorted(found, key=lambda cluster: tool_key(cluster.centroid)))


def _split_class(similarity: Matrix, apart: NDArray[np.bool_], threshold: float) -> list[list[int]]:
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
    labels = fcluster(tree, threshold, criterion="distance").tolist()
    return list(group_values((label, place) for place, label in enumerate(labels)).values())


def text_cosines(texts: Sequence[str], embed: Embed) -> Matrix:
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
    travel = np.array([_means_of_travel(tool.name) for tool in tools])
    apart = services[:, None] == services[None, :]
    apart |= (travel[:, None] != travel[None, :]) & (travel[:, None] != "") & (travel[None, :] != "")
    np.fill_diagonal(apart, False)
    return np.asarray(apart, np.bool_)


def _means_of_travel(name: str) -> str:
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
        range(len(clusters)), key=lambda i: (-len(clusters[i].members), tool_key(clusters[i].centroid))
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
