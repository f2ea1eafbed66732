"""Calls in standard terms, each dialogue with the documents of its tools and the names of others beside them."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from toolyard.benchmarks.mtu.synth.clustering.clusters import Key
from toolyard.benchmarks.mtu.synth.clustering.standard import Rename, rekeyed
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusCall, CorpusTurn
from toolyard.benchmarks.mtu.synth.instruct.corpus_tools import held_out_of, library_of
from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import (
    Document,
    StandardCall,
    StandardRow,
    StandardTurn,
    Values,
    read_turns,
    written,
)
from toolyard.benchmarks.mtu.synth.instruct.settings import TRAIN, split_of
from toolyard.benchmarks.mtu.synth.instruct.tool_library import Library, LibraryTool
from toolyard.core.types import JsonValue, derived_seed
from toolyard.synth.stages import Context, Rejected, Row, Rows

# How many other tools stand beside those of the dialogue; the official lists hold 4.4 on the average.
OTHERS = (1, 1, 2, 2, 3, 4)


def standardised(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """Every row in standard terms; a call of a tool that no schema defines keeps its name and has no document."""
    if len(rows):
        yield from map(written, in_standard_terms(rows, library_of(context), context))


def in_standard_terms(rows: Rows, library: Library, context: Context) -> Iterator[StandardRow]:
    """The rows in the terms of a library, each with its documents and others."""
    held_out = held_out_of(context)
    for row in rows:
        source, topics, read = row["source"], row["topics"], read_turns(row)
        split = split_of(topics, held_out)
        turns = tuple(turns_of(read, library.renames))
        names = list(dict.fromkeys(name for turn in turns for name in _names(turn)))
        rng = random.Random(derived_seed(context.seed, f"others/{row['id']}", 0))
        free = _free(library.tools[source], names, held_out if split == TRAIN else ())
        others = _others(free, [tool.name for tool in free if set(tool.topics) & set(topics)], rng)
        yield StandardRow(
            row["id"],
            source,
            row["licence"],
            topics,
            row["schema"],
            split,
            origins=[row["id"]],
            turns=turns,
            documents=[*_documents(source, read, turns, names, library)],
            others=others,
            originals={name: library.originals(source, name) for name in (*names, *others)},
        )


def _documents(
    source: str,
    read: Sequence[CorpusTurn],
    turns: Sequence[StandardTurn],
    names: Iterable[str],
    library: Library,
) -> Iterator[Document]:
    """The documents of the tools as the dialogue uses them."""
    keys = {(service, intent) for turn in read for service, intent in turn.intents}
    keys |= {(call.service, call.tool) for turn in read for call in turn.calls}
    calls = [call for turn in turns for call in turn.calls]
    for name in names:
        if name in library.tools[source]:
            used = {key for call in calls if call.name == name for key in call.arguments}
            yield library.tools[source][name].shown(keys, used)


def turns_of(turns: Iterable[CorpusTurn], renames: Mapping[Key, Rename]) -> Iterator[StandardTurn]:
    """The turns in standard terms, each with the words known of every tool that is wanted."""
    heard: dict[str, dict[str, JsonValue]] = {}
    for turn in turns:
        for slot, value in turn.slots.items():
            service, _, name = slot.partition(".")
            heard.setdefault(service, {})[name] = value
        pairs = ((service, renames.get((service, intent))) for service, intent in turn.intents)
        wanted = [(service, rename) for service, rename in pairs if rename]
        yield StandardTurn(
            turn.user,
            turn.assistant,
            turn.label,
            list(dict.fromkeys(rename.name for _, rename in wanted)),
            _known(wanted, heard),
            tuple(standard_call(call, renames) for call in turn.calls),
        )


def _known(wanted: Iterable[tuple[str, Rename]], heard: Mapping[str, Values]) -> dict[str, Values]:
    """By tool and parameter the words in which the user gave a value, each to the service of the tool only."""
    known: dict[str, Values] = {}
    for service, rename in wanted:
        said = heard.get(service, {}).items()
        words = {rename.parameters[name]: value for name, value in said if name in rename.parameters}
        known[rename.name] = {**known.get(rename.name, {}), **words}
    return known


def standard_call(call: CorpusCall, renames: Mapping[Key, Rename]) -> StandardCall:
    """The call in standard terms; one of a tool that is not there keeps its name.

    A parameter that the document lacks keeps its name, or gets a free one.
    """
    rename = renames.get((call.service, call.tool), Rename(call.tool, {}, {}))
    results = None if call.results is None else [rekeyed(each, rename.results) for each in call.results]
    arguments = rekeyed(call.arguments, rename.parameters)
    return StandardCall(rename.name, arguments, results, call.found, call.failed)


def _names(turn: StandardTurn) -> Iterator[str]:
    yield from turn.wants
    yield from (call.name for call in turn.calls)


def _free(
    tools: Mapping[str, LibraryTool], names: Collection[str], held_out: Collection[str]
) -> list[LibraryTool]:
    """The tools of the corpus that can stand beside those of a dialogue; none of a held-out topic.

    A tool that the corpus calls as it calls one of the dialogue's would do as well, so it is no other.
    """
    own = {original for name in names if name in tools for original in tools[name].originals}
    return [
        tool
        for name, tool in tools.items()
        if name not in names and own.isdisjoint(tool.originals) and set(tool.topics).isdisjoint(held_out)
    ]


def _others(free: Sequence[LibraryTool], near: Sequence[str], rng: random.Random) -> list[str]:
    """Some of the free tools, half of them of the dialogue's topics if there are so many."""
    count = min(rng.choice(OTHERS), len(free))
    chosen = rng.sample(near, min(len(near), count // 2))
    rest = [tool.name for tool in free if tool.name not in chosen]
    return sorted([*chosen, *rng.sample(rest, count - len(chosen))])
