"""Dialogues of the corpora that a run asked for as rows, then in standard terms with the tools that they list.

A dialogue that an evaluation set already shows is left out: a turn
counts as shown where its words are those of a turn of the evaluation, user's or assistant's, and there are at least 25
characters of them. Dates and numbers are left out of the comparison: the official rows moved them.

    {"id": "sgd/train/9_00000", "source": "sgd", "licence": "CC BY-SA 4.0", "topics": ["Restaurant"], ...,
     "turns": [{"user": "Thai food in Oslo.", "assistant": "How about The Blue Spoon?", "label": "call",
        "wants": ["FindRestaurants"], "known": {"FindRestaurants": {"city": "Oslo"}},
        "calls": [{"name": "FindRestaurants", "arguments": {"city": "Oslo"},
                   "results": [{"restaurant_name": "The Blue Spoon"}], "found": 7}]}]}

Before that a row has the turns of its corpus (`corpora.corpus_schema`). Only the logs of the stages have rows as JSON,
without fields that have nothing to say, such as the thought of a turn that has none yet.

Settings count calls in a turn, as the official rows do, not tools in the dialogue. Dialogues of held-out topics go by a
name of their own.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from toolyard.benchmarks.mtu.data.rows import SETTINGS, benchmark_files, load_official
from toolyard.benchmarks.mtu.synth.corpora import READ_AGAIN, READING, corpus_tools, find_corpora, load_corpus
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    HELD_OUT,
    TOPICS,
    CorpusDialogue,
    CorpusTool,
    DialogueCall,
    DialogueTurn,
    Skipped,
    one_line,
)
from toolyard.benchmarks.mtu.synth.instruct.tool_library import (
    Key,
    Library,
    build_library,
    names_beside,
    plain_keys,
)
from toolyard.core.benchmark import Choice
from toolyard.core.errors import UsageError
from toolyard.core.types import JsonValue, Record, derived_seed
from toolyard.synth.stages import Context, Rejected, Row, Rows
from toolyard.text.ordinals import MONTH_NAMES

SHORTEST = 25
# Besides the months the short forms of those that the corpora's dates are in.
_LEFT_OUT = frozenset((*(month.lower() for month in MONTH_NAMES), "jan", "feb", "mar"))
_WORD = re.compile(r"[^\W\d_]+")


def evaluation_paths(exclude: str) -> list[Path]:
    """The folders and files that the option names, separated by commas."""
    paths = [Path(part.strip()) for part in exclude.split(",") if part.strip()]
    for path in paths:
        if not path.exists():
            raise UsageError(
                f"--exclude names {path}, which is not there; wanted a folder or file of MTU-Eval rows"
            )
    return paths


def evaluation_turns(exclude: str) -> frozenset[str]:
    """The turns of the evaluation sets in comparable form."""
    shown: set[str] = set()
    for path in evaluation_paths(exclude):
        for sample in load_official(path):
            shown.add(comparable_words(sample.input["user"]))
            for turn in sample.input["history"]:
                shown |= {comparable_words(turn["user"]), comparable_words(turn["assistant"])}
    return frozenset(shown - {""})


def comparable_words(text: str) -> str:
    """The words of a turn without its numbers and months; nothing where the turn is too short to tell."""
    if len(text.strip()) < SHORTEST:
        return ""
    words = _WORD.findall(text.casefold())
    return " ".join(word for word in words if word not in _LEFT_OUT)


ALL = "all"
WHAT_TO_READ = (
    Choice(
        "corpora",
        "which corpora of the sources folder to use, separated by commas, `all,multiwoz-fields` for MultiWOZ once more "
        "with tools that return chosen fields; all of each is read, also for a few "
        "--rows: which rows are taken, and the tools beside theirs, depend on the whole",
        ALL,
    ),
    Choice("held-out", "topics of the out-of-domain split, separated by commas", ",".join(HELD_OUT)),
    Choice("exclude", "MTU-Eval files or folders whose dialogues are left out, separated by commas", ""),
)
# Name, folder, and the state of every file: a corpus that was changed is another one.
Stamp: TypeAlias = tuple[str, Path, tuple[tuple[Path, int, int], ...]]


def corpora_asked_for(context: Context) -> Mapping[str, Path]:
    """The corpora that lie in the sources folder and were asked for."""
    folder = context.folders.get("sources")
    if folder is None:
        raise UsageError("no folder of corpora was named; wanted: --sources DIR")
    plain = find_corpora(folder)
    found = {**plain, **({READING: plain[READ_AGAIN]} if READ_AGAIN in plain else {})}
    asked = [name.strip() for name in context.options.get("corpora", ALL).split(",")]
    names = list(dict.fromkeys(name for each in asked for name in (plain if each == ALL else [each])))
    absent = [name for name in names if name not in found]
    if absent or not names:
        there = ", ".join(found) or "none"
        raise UsageError(
            f"{folder} holds these corpora: {there}; wanted {', '.join(absent) or 'at least one'}"
        )
    return {name: found[name] for name in names}


def held_out_topics(context: Context) -> tuple[str, ...]:
    """The topics of the out-of-domain split; one that no corpus has is the user's mistake."""
    chosen = tuple(topic.strip() for topic in context.options["held-out"].split(",") if topic.strip())
    unknown = [topic for topic in chosen if topic not in TOPICS]
    if unknown:
        raise UsageError(f"--held-out: unknown topic {unknown[0]!r}; topics: {', '.join(TOPICS)}")
    return chosen


def corpus_files(context: Context) -> Iterator[Path]:
    """Every file that the rows depend on: those of the corpora, and those of the evaluation to keep apart."""
    for path in corpora_asked_for(context).values():
        yield from _files(path)
    for path in evaluation_paths(context.options.get("exclude", "")):
        yield from (file for _, file in benchmark_files(path))


def corpora_library(context: Context) -> Library:
    """The library of the corpora that were asked for."""
    return _build_library(_corpus_stamps(context), held_out_topics(context), context.embedder)


@lru_cache(maxsize=1)
def _tools_of_corpora(stamps: tuple[Stamp, ...]) -> Mapping[str, tuple[CorpusTool, ...]]:
    return {name: corpus_tools(name, folder) for name, folder, _ in stamps}


@lru_cache(maxsize=1)
def _build_library(stamps: tuple[Stamp, ...], held_out: tuple[str, ...], embedder: str) -> Library:
    return build_library(_tools_of_corpora(stamps), held_out, Context(embedder=embedder).embed)


def _corpus_stamps(context: Context) -> tuple[Stamp, ...]:
    return tuple(
        (name, folder, tuple((file, file.stat().st_size, file.stat().st_mtime_ns) for file in _files(folder)))
        for name, folder in corpora_asked_for(context).items()
    )


def _files(path: Path) -> Iterator[Path]:
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    return (file for file in files if file.is_file())


MOST_RESULTS = 10
# Shorter values ("2", "Yes", "True") stand in any text.
TELLING = 4


def dialogue_rows(context: Context) -> Iterator[Row | Rejected]:
    """Every dialogue of every corpus as a row; what a loader leaves out and what leaks is rejected by name.

    `schema` stands for the tools of the corpus, on which later stages depend.
    """
    known = evaluation_turns(context.options.get("exclude", ""))
    tools = _tools_of_corpora(_corpus_stamps(context))
    for name, path in corpora_asked_for(context).items():
        schema = hashlib.blake2b(repr(tools[name]).encode(), digest_size=8).hexdigest()
        for item in load_corpus(name, path):
            if isinstance(item, Skipped):
                yield Rejected(item.reason, item.where, row=item.where)
                continue
            texts = (text for turn in item.turns for text in (turn.user, turn.assistant))
            if known and any(comparable_words(text) in known for text in texts):
                yield Rejected("leaks_from_evaluation", row=item.id)
            else:
                yield {**dialogue_row(item), "source": name, "schema": schema}


def dialogue_row(dialogue: CorpusDialogue) -> Row:
    """One dialogue as a row."""
    turns = dialogue.turns
    return {
        "id": dialogue.id,
        "source": dialogue.source,
        "licence": dialogue.licence,
        "services": list(dialogue.services),
        "topics": list(dialogue.topics),
        "mended": list(dialogue.remarks),
        "turns": items_to_json(_trim_turn(turn, turns[place + 1 :]) for place, turn in enumerate(turns)),
    }


def _trim_turn(turn: DialogueTurn, later: Sequence[DialogueTurn]) -> DialogueTurn:
    said = [turn.assistant, *(text for each in later for text in (each.user, each.assistant))]
    after = " ".join(said).lower() if turn.calls else ""
    calls = tuple(
        call
        if call.results is None
        else replace(call, results=call.results[: count_spoken(call.results, after)], found=len(call.results))
        for call in turn.calls
    )
    return replace(turn, user=one_line([turn.user]), assistant=one_line([turn.assistant]), calls=calls)


def count_spoken(results: Sequence[Mapping[str, JsonValue]], later: str) -> int:
    """How many of the results it takes so that all that the dialogue names later are among them; 1 at least."""
    seen: set[str] = set()
    count = min(1, len(results))
    for number, result in enumerate(results[:MOST_RESULTS], 1):
        values = {value for value in result.values() if isinstance(value, str) and len(value) >= TELLING}
        if any(value.lower() in later for value in values - seen):
            count = max(count, number)
        seen |= values
    return count


# How many other tools stand beside those of the dialogue; the official lists hold 4.4 on the average.
OTHERS = (1, 1, 2, 2, 3, 4)


def standardise_rows(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """Every row in standard terms; a call of a tool that no schema defines keeps its name and has no document."""
    if len(rows):
        yield from map(item_to_json, standard_rows(rows, corpora_library(context), context))


def standard_rows(rows: Rows, library: Library, context: Context) -> Iterator[StandardRow]:
    """The rows in the terms of a library, each with its documents and others."""
    held_out = held_out_topics(context)
    for row in rows:
        source, topics, read = row["source"], row["topics"], read_turns(row)
        # A dialogue is held out whole where any of its topics is.
        split = TRAIN if set(topics).isdisjoint(held_out) else APART
        turns = tuple(standard_turns(read, library.names))
        calls = [call for turn in turns for call in turn.calls]
        named = (name for turn in turns for name in (*turn.wants, *(call.name for call in turn.calls)))
        names = [*dict.fromkeys(named)]
        rng = random.Random(derived_seed(context.seed, f"others/{row['id']}", 0))
        hidden = set(held_out if split == TRAIN else ())
        known = {name: tool for name, tool in library.tools[source].items() if hidden.isdisjoint(tool.topics)}
        taken = {original for name in names for original in library.originals(source, name)}
        others = sorted(names_beside(known, names, taken, topics, rng.choice(OTHERS), rng))
        keys = {(service, intent) for turn in read for service, intent in turn.intents}
        keys |= {(call.service, call.name) for turn in read for call in turn.calls}
        documents = [
            library.tools[source][name].document_for(
                keys, {key for call in calls if call.name == name for key in call.arguments}
            )
            for name in names
            if name in library.tools[source]
        ]
        yield StandardRow(
            row["id"],
            source,
            row["licence"],
            topics,
            row["schema"],
            split,
            origins=[row["id"]],
            turns=turns,
            documents=documents,
            others=others,
            originals={name: library.originals(source, name) for name in (*names, *others)},
        )


def standard_turns(turns: Iterable[DialogueTurn], names: Mapping[Key, str]) -> Iterator[DialogueTurn]:
    """The turns in standard terms, each with the words known of every tool that is wanted, by service of the tool."""
    heard: dict[str, dict[str, JsonValue]] = {}
    for turn in turns:
        for slot, value in turn.slots.items():
            service, _, name = slot.partition(".")
            heard.setdefault(service, {})[name] = value
        known: dict[str, Values] = {}
        for service, intent in turn.intents:
            if tool := names.get((service, intent)):
                known[tool] = {**known.get(tool, {}), **plain_keys(heard.get(service, {}))}
        calls = tuple(standard_call(call, names) for call in turn.calls)
        yield DialogueTurn(turn.user, turn.assistant, turn.label, wants=[*known], known=known, calls=calls)


def standard_call(call: DialogueCall, names: Mapping[Key, str]) -> DialogueCall:
    """The call in standard terms; one of a tool that is not there keeps its name."""
    results = None if call.results is None else [plain_keys(each) for each in call.results]
    name = names.get((call.service, call.name), call.name)
    return DialogueCall(name, plain_keys(call.arguments), results, found=call.found, failed=call.failed)


TRAIN, APART = "train", "ood"
ONE_TEST_ROW_OF = 10


def dialogue_setting(turns: Sequence[DialogueTurn]) -> str:
    """The setting of a dialogue: one turn or several, at most one call in every turn or more in some."""
    return "-".join("SM"[several] for several in (len(turns) > 1, any(len(turn.calls) > 1 for turn in turns)))


def shown_name(setting: str, split: str) -> str:
    """The name that ids and tables have: the setting's, or the one of the held-out topics."""
    return setting if split == TRAIN else SETTINGS[-1]


def is_evaluation(origins: Sequence[str]) -> bool:
    """Whether a row is for evaluation and not for training: the first dialogue that it is made of decides, always alike."""
    return derived_seed(0, f"test/{origins[0]}", 0) % ONE_TEST_ROW_OF == 0


Values: TypeAlias = Record
Document: TypeAlias = Record
# Written also where they say nothing: stages look at them in the row itself.
_ALWAYS = frozenset({"assistant", "calls", "composed"})


@dataclass(frozen=True, slots=True)
class StandardRow:
    """A dialogue; `originals` are what the corpus calls the tools that it lists, `hard` the hard types by turn."""

    id: str
    source: str
    licence: str
    topics: Sequence[str]
    schema: str
    split: str
    origins: Sequence[str]
    turns: tuple[DialogueTurn, ...]
    documents: Sequence[Document]
    others: Sequence[str]
    originals: Mapping[str, Sequence[str]]
    composed: str = ""
    setting: str = ""
    made_hard: str = ""
    hard: Sequence[Sequence[str]] = ()


def read_turns(row: Row) -> tuple[DialogueTurn, ...]:
    """The turns of a row."""
    return tuple(
        DialogueTurn(**{**turn, "calls": tuple(DialogueCall(**call) for call in turn["calls"])})
        for turn in row["turns"]
    )


def standard_row(row: Row) -> StandardRow:
    """A whole row in standard terms."""
    return StandardRow(**{**row, "turns": read_turns(row)})


def item_to_json(item: Any) -> dict[str, JsonValue]:
    """A call, a turn or a whole row as JSON."""
    made = {each.name: getattr(item, each.name) for each in fields(item)}
    empty = {
        each.name for each in fields(item) if each.default_factory is not MISSING and not made[each.name]
    }
    silent = {each.name for each in fields(item) if made[each.name] == each.default} | empty
    made = {name: value for name, value in made.items() if name not in silent - _ALWAYS}
    for name in made.keys() & {"turns", "calls"}:
        made[name] = items_to_json(made[name])
    return made


def items_to_json(items: Iterable[object]) -> list[dict[str, JsonValue]]:
    """Calls or turns as JSON."""
    return [item_to_json(item) for item in items]


def documents_by_tool(rows: Rows) -> dict[tuple[str, str], Document]:
    """The document of every tool that a dialogue wants or calls, by source and name, as the first shows it."""
    found: dict[tuple[str, str], Document] = {}
    for row in rows:
        if not row["made_hard"]:
            for document in row["documents"]:
                found.setdefault((row["source"], document["name"]), document)
    return found


def number_rows(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """As many rows as were asked for, every setting with the same number where it has so many; all of them for 0.

    Of the other tools that a row lists those stay that some row documents.
    """
    documents = documents_by_tool(rows)
    chosen = _choose_row_ids(rows, context.rows) if context.rows else None
    numbers: Counter[str] = Counter()
    for row in rows:
        if chosen is not None and row["id"] not in chosen:
            yield Rejected("surplus", row=row["id"])
            continue
        name = shown_name(row["setting"], row["split"])
        others = [other for other in row["others"] if (row["source"], other) in documents]
        yield {**row, "id": f"{name}_{numbers[name]}", "others": others}
        numbers[name] += 1


def _choose_row_ids(rows: Rows, wanted: int) -> set[str]:
    """The first of every setting in turn; sources take turns within a setting."""
    ranked = []
    seen: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        key = (row["setting"], row["split"], row["source"])
        ranked.append((seen[key], key, row["id"]))
        seen[key] += 1
    order = []
    taken: Counter[str] = Counter()
    for _, (setting, *_), name in sorted(ranked):
        order.append((taken[setting], setting, name))
        taken[setting] += 1
    return {name for _, _, name in sorted(order)[:wanted]}
