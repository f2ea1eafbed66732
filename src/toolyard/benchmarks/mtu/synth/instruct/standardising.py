"""Calls in standard terms, each dialogue with the documents of its tools and the names of others beside them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence

from toolyard.benchmarks.mtu.synth.clustering.standard import Rename, rekeyed
from toolyard.benchmarks.mtu.synth.corpora import corpus_tools
from toolyard.benchmarks.mtu.synth.corpora.topics import TOPICS
from toolyard.benchmarks.mtu.synth.instruct.library import Library, build_library
from toolyard.benchmarks.mtu.synth.instruct.rows import corpora_of
from toolyard.core.errors import UsageError
from toolyard.core.types import Json, derived_seed
from toolyard.synth.stages import Context, Rejected, Row, Rows

# How many other tools stand beside those of the dialogue; the official lists hold 4.4 on the average.
OTHERS = (1, 1, 2, 2, 3, 4)


def library_of(context: Context) -> Library:
    """The library of the corpora that were asked for."""
    tools = {name: corpus_tools(name, path) for name, path in corpora_of(context).items()}
    return build_library(tools, held_out_of(context), context.embed)


def held_out_of(context: Context) -> list[str]:
    """The topics of the out-of-domain split; one that no corpus has is the user's mistake."""
    chosen = [topic.strip() for topic in context.options["held-out"].split(",") if topic.strip()]
    unknown = [topic for topic in chosen if topic not in TOPICS]
    if unknown:
        raise UsageError(f"--held-out {unknown[0]!r} is no topic; there are {', '.join(TOPICS)}")
    return chosen


def standardised(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """Every row in standard terms; a call of a tool that no schema defines keeps its name and has no document."""
    if len(rows):
        yield from in_standard_terms(rows, library_of(context), context)


def in_standard_terms(rows: Rows, library: Library, context: Context) -> Iterator[dict[str, Json]]:
    """The rows in the terms of a library, each with its documents and others."""
    held_out = set(held_out_of(context))
    for row in rows:
        split = "ood" if held_out & set(row["topics"]) else "train"
        turns = [*turns_of(row["turns"], library.renames)]
        names = dict.fromkeys(name for turn in turns for name in _names(turn))
        rng = random.Random(derived_seed(context.seed, f"others/{row['id']}", 0))
        others = _others(row, split, names, library, held_out, rng)
        yield {
            **{name: row[name] for name in ("id", "source", "licence", "topics", "schema")},
            "split": split,
            "composed": "",
            "origins": [row["id"]],
            "turns": turns,
            "documents": [*_documents(row, turns, names, library)],
            "others": others,
            "originals": {name: library.originals(row["source"], name) for name in (*names, *others)},
        }


def _documents(
    row: Row, turns: Sequence[Json], names: Iterable[str], library: Library
) -> Iterator[dict[str, Json]]:
    """The documents of the tools as the dialogue uses them."""
    keys = {(pair[0], pair[1]) for turn in row["turns"] for pair in turn["intents"]}
    keys |= {(call["service"], call["tool"]) for turn in row["turns"] for call in turn["calls"]}
    calls = [call for turn in turns for call in turn["calls"]]
    for name in names:
        used = {key for call in calls if call["name"] == name for key in call["arguments"]}
        document = library.shown(row["source"], name, keys, used)
        if document is not None:
            yield document


def turns_of(turns: Sequence[Json], renames: Mapping[tuple[str, str], Rename]) -> Iterator[dict[str, Json]]:
    """The turns in standard terms, each with the words known of every tool that is wanted."""
    heard: dict[str, dict[str, Json]] = {}
    for turn in turns:
        for slot, value in turn["slots"].items():
            service, _, name = slot.partition(".")
            heard.setdefault(service, {})[name] = value
        wanted = [
            (pair[0], rename) for pair in turn["intents"] if (rename := renames.get((pair[0], pair[1])))
        ]
        yield {
            "user": turn["user"],
            "assistant": turn["assistant"],
            "label": turn["label"],
            "wants": list(dict.fromkeys(rename.name for _, rename in wanted)),
            "known": _known(wanted, heard),
            "calls": [_call(call, renames.get((call["service"], call["tool"]))) for call in turn["calls"]],
        }


def _known(
    wanted: Iterable[tuple[str, Rename]], heard: Mapping[str, Mapping[str, Json]]
) -> dict[str, dict[str, Json]]:
    """By tool and parameter the words in which the user gave a value, each to the service of the tool only."""
    known: dict[str, dict[str, Json]] = {}
    for service, rename in wanted:
        words = known.setdefault(rename.name, {})
        for name, value in heard.get(service, {}).items():
            if name in rename.parameters:
                words[rename.parameters[name]] = value
    return known


def _call(call: Json, rename: Rename | None) -> dict[str, Json]:
    results = call["results"]
    if rename is not None and results is not None:
        results = [rekeyed(result, rename.results) for result in results]
    names = {} if rename is None else rename.parameters
    return {
        "name": call["tool"] if rename is None else rename.name,
        "arguments": rekeyed(call["arguments"], names),
        "results": results,
        "found": call["found"],
        "failed": call["failed"],
    }


def _names(turn: Json) -> Iterator[str]:
    yield from turn["wants"]
    yield from (call["name"] for call in turn["calls"])


def _others(
    row: Row, split: str, names: Mapping[str, None], library: Library, held_out: set[str], rng: random.Random
) -> list[str]:
    """Names of other tools of the corpus, those of the dialogue's topics first drawn; none held out in training.

    A tool that the corpus calls as it calls one of the dialogue's would do as well, so it is no other.
    """
    source = row["source"]
    own = {original for name in names for original in library.originals(source, name)}
    free = [
        name
        for name in library.names(source)
        if name not in names and own.isdisjoint(library.originals(source, name))
    ]
    if split == "train":
        free = [name for name in free if not held_out & set(library.topics[source, name])]
    near = [name for name in free if set(library.topics[source, name]) & set(row["topics"])]
    count = min(rng.choice(OTHERS), len(free))
    chosen = rng.sample(near, min(len(near), count // 2))
    rest = [name for name in free if name not in chosen]
    return sorted([*chosen, *rng.sample(rest, count - len(chosen))])
