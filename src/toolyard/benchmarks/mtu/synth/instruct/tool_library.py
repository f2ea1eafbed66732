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
from typing import Any

from toolyard.benchmarks.mtu.synth.clustering.clusters import Cluster, Key, cluster_tools, key_of
from toolyard.benchmarks.mtu.synth.clustering.standard import Rename, standardise
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusParameter, CorpusTool
from toolyard.benchmarks.mtu.synth.instruct.tool_documents import tool_document
from toolyard.core.benchmark import Embed
from toolyard.core.types import JsonValue


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

    def shown(self, keys: Collection[Key], used: Collection[str]) -> dict[str, Any]:
        """The document of the members with these keys, and of the parameters that are used besides theirs."""
        chosen = [member for key, member in self.members.items() if key in keys]
        tool = merged(self.name, chosen) if chosen else self.whole
        held = {each.name for each in (*tool.required, *tool.optional)}
        more = (
            each for each in (*self.whole.required, *self.whole.optional) if each.name in set(used) - held
        )
        return tool_document(replace(tool, optional=(*tool.optional, *more)))


@dataclass(frozen=True, slots=True)
class Library:
    """Standard names by (service, name), tools by source and standard name, and the clusters behind them."""

    renames: Mapping[Key, Rename]
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
    renames = {key: plain_names(rename) for key, rename in standardise(clusters, embed).items()}
    return Library(renames, {source: _by_name(own, renames) for source, own in tools.items()}, clusters)


def plain_names(rename: Rename) -> Rename:
    """The same with names of letters, digits and underscores, since `Tool.result` refers to a result."""
    return Rename(_plain(rename.name), _plain_values(rename.parameters), _plain_values(rename.results))


def _plain_values(names: Mapping[str, str]) -> dict[str, str]:
    plain = {key: _plain(name) for key, name in names.items()}
    return plain if len(set(plain.values())) == len(plain) else dict(names)


def _plain(name: str) -> str:
    return re.sub(r"\W+", "_", name)


def _by_name(tools: Iterable[CorpusTool], renames: Mapping[Key, Rename]) -> dict[str, LibraryTool]:
    groups: dict[str, dict[Key, CorpusTool]] = {}
    for tool in tools:
        rename = renames[key_of(tool)]
        groups.setdefault(rename.name, {})[key_of(tool)] = renamed_tool(tool, rename)
    return {
        name: LibraryTool(
            name,
            members,
            merged(name, [*members.values()]),
            tuple(sorted({original.casefold() for _, original in members})),
        )
        for name, members in groups.items()
    }


def renamed_tool(tool: CorpusTool, rename: Rename) -> CorpusTool:
    """The tool in standard terms, in its own words."""

    def named(parameters: Iterable[CorpusParameter], names: Mapping[str, str]) -> tuple[CorpusParameter, ...]:
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
    held: dict[str, list[CorpusParameter]] = {}
    results: dict[str, list[CorpusParameter]] = {}
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


def _one(same: Sequence[CorpusParameter]) -> CorpusParameter:
    choices: tuple[JsonValue, ...] = ()
    if all(each.choices for each in same):
        for each in same:
            choices += tuple(choice for choice in each.choices if choice not in choices)
    formats = {each.format for each in same}
    return replace(same[0], choices=choices, format=same[0].format if len(formats) == 1 else "")
