"""The tools of all corpora under standard names, with a document for each corpus of its own words.

Clusters and names are found over all corpora at once; a document is written from the members of one corpus only,
so that no file holds descriptions under another licence. Tools of held-out topics are clustered apart: no tool of
the out-of-domain split then has a name that training shows. What a dialogue is shown of a document comes from the
members that it uses: another member's word for the same thing (`seats` beside `party_size`) would make the gold
name a guess.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from toolyard.benchmarks.mtu.synth.clustering.clusters import Cluster, Key, cluster_tools, key_of
from toolyard.benchmarks.mtu.synth.clustering.standard import Rename, renames_of, standardise
from toolyard.benchmarks.mtu.synth.corpora.schema import CorpusTool, Parameter
from toolyard.benchmarks.mtu.synth.instruct.tool_documents import tool_document
from toolyard.core.benchmark import Embed
from toolyard.core.types import Json


@dataclass(frozen=True, slots=True)
class Library:
    """Standard names by (service, name), documents by (source, standard name), and the clusters behind them."""

    renames: Mapping[Key, Rename]
    documents: Mapping[tuple[str, str], dict[str, Json]]
    topics: Mapping[tuple[str, str], tuple[str, ...]]
    members: Mapping[tuple[str, str], Mapping[Key, CorpusTool]]
    clusters: tuple[Cluster, ...]

    def names(self, source: str) -> list[str]:
        """The tools of one corpus."""
        return [name for corpus, name in self.documents if corpus == source]

    def originals(self, source: str, name: str) -> list[str]:
        """What the corpus itself calls the members of a tool, in small letters."""
        return sorted({tool.casefold() for _, tool in self.members.get((source, name), ())})

    def shown(
        self, source: str, name: str, keys: Collection[Key], used: Collection[str]
    ) -> dict[str, Json] | None:
        """The document of the members with these keys, and of the parameters that are used besides theirs."""
        members = self.members.get((source, name))
        if members is None:
            return None
        whole = merged(name, [*members.values()])
        tool = merged(name, [members[key] for key in members if key in keys] or [*members.values()])
        held = {each.name for each in (*tool.required, *tool.optional)}
        more = (each for each in (*whole.required, *whole.optional) if each.name in set(used) - held)
        return tool_document(replace(tool, optional=(*tool.optional, *more)))


def build_library(
    tools: Mapping[str, Sequence[CorpusTool]], held_out: Collection[str], embed: Embed
) -> Library:
    """The library of the corpora; `tools` by source."""
    everything = [tool for source in tools.values() for tool in source]
    kept = [tool for tool in everything if not set(tool.topics) & set(held_out)]
    apart = [tool for tool in everything if set(tool.topics) & set(held_out)]
    clusters = (*cluster_tools(kept, embed), *cluster_tools(apart, embed))
    renames = {key: plain_names(rename) for key, rename in renames_of(standardise(clusters, embed)).items()}
    documents: dict[tuple[str, str], dict[str, Json]] = {}
    topics: dict[tuple[str, str], tuple[str, ...]] = {}
    members: dict[tuple[str, str], Mapping[Key, CorpusTool]] = {}
    for source, own in tools.items():
        for name, group in _by_name(own, renames).items():
            tool = merged(name, [*group.values()])
            documents[source, name] = tool_document(tool)
            topics[source, name] = tool.topics
            members[source, name] = group
    return Library(renames, documents, topics, members, clusters)


def plain_names(rename: Rename) -> Rename:
    """The same with names of letters, digits and underscores, since `Tool.result` refers to a result."""
    return Rename(_plain(rename.name), _plain_values(rename.parameters), _plain_values(rename.results))


def _plain_values(names: Mapping[str, str]) -> dict[str, str]:
    plain = {key: _plain(name) for key, name in names.items()}
    return plain if len(set(plain.values())) == len(plain) else dict(names)


def _plain(name: str) -> str:
    return re.sub(r"\W+", "_", name)


def _by_name(tools: Iterable[CorpusTool], renames: Mapping[Key, Rename]) -> dict[str, dict[Key, CorpusTool]]:
    groups: dict[str, dict[Key, CorpusTool]] = {}
    for tool in tools:
        rename = renames[key_of(tool)]
        groups.setdefault(rename.name, {})[key_of(tool)] = renamed_tool(tool, rename)
    return groups


def renamed_tool(tool: CorpusTool, rename: Rename) -> CorpusTool:
    """The tool in standard terms, in its own words."""

    def named(parameters: Iterable[Parameter], names: Mapping[str, str]) -> tuple[Parameter, ...]:
        return tuple(replace(each, name=names[each.name]) for each in parameters)

    return replace(
        tool,
        name=rename.name,
        required=named(tool.required, rename.parameters),
        optional=named(tool.optional, rename.parameters),
        results=named(tool.results, rename.results),
    )


def merged(name: str, members: Sequence[CorpusTool]) -> CorpusTool:
    """One tool that takes every call of any member: required is what all require, allowed what any allows."""
    held: dict[str, list[Parameter]] = {}
    results: dict[str, list[Parameter]] = {}
    for tool in members:
        for each in (*tool.required, *tool.optional):
            held.setdefault(each.name, []).append(each)
        for each in tool.results:
            results.setdefault(each.name, []).append(each)
    required = set.intersection(*({each.name for each in tool.required} for tool in members))
    return replace(
        members[0],
        name=name,
        required=tuple(replace(_one(held[key]), default=None) for key in held if key in required),
        optional=tuple(_one(held[key]) for key in held if key not in required),
        results=tuple(_one(same) for same in results.values()),
        topics=tuple(sorted({topic for tool in members for topic in tool.topics})),
    )


def _one(same: Sequence[Parameter]) -> Parameter:
    choices: tuple[Json, ...] = ()
    if all(each.choices for each in same):
        for each in same:
            choices += tuple(choice for choice in each.choices if choice not in choices)
    formats = {each.format for each in same}
    return replace(same[0], choices=choices, format=same[0].format if len(formats) == 1 else "")
