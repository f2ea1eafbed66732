"""Dialogues of the corpora as rows of the pipeline."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from toolyard.benchmarks.mtu.synth.corpora import load_corpus
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    CorpusCall,
    CorpusDialogue,
    CorpusTurn,
    Item,
    Skipped,
)
from toolyard.benchmarks.mtu.synth.instruct import leaks
from toolyard.benchmarks.mtu.synth.instruct.corpus_tools import corpora_of, tools_of
from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import all_written
from toolyard.core.types import JsonValue
from toolyard.synth.stages import Context, Rejected, Row

MOST_RESULTS = 10
# Shorter values ("2", "Yes", "True") stand in any text.
TELLING = 4


def dialogue_rows(context: Context) -> Iterator[Row | Rejected]:
    """Every dialogue of every corpus as a row; what a loader leaves out and what leaks is rejected by name.

    `schema` stands for the tools of the corpus, on which later stages depend.
    """
    known = leaks.evaluation_turns(context.options.get("exclude", ""))
    tools = tools_of(context)
    for name, path in corpora_of(context).items():
        schema = hashlib.blake2b(repr(tools[name]).encode(), digest_size=8).hexdigest()
        for item, mended in with_remarks(load_corpus(name, path)):
            if isinstance(item, Skipped):
                yield Rejected(item.reason, item.where, row=item.where)
            elif leaks.leaks_into(item, known):
                yield Rejected("leaks_from_evaluation", row=item.id)
            else:
                yield {**row_of(item, mended), "source": name, "schema": schema}


def with_remarks(items: Iterable[Item]) -> Iterator[tuple[Item, list[str]]]:
    """Dialogues with the labels of what was mended in them or left out of them; loaders say that afterwards."""
    held: CorpusDialogue | None = None
    remarks: list[str] = []
    for item in items:
        if isinstance(item, Skipped) and item.scope != "dialogue":
            remarks.append(item.reason if item.scope == "repair" else f"{item.scope}_left_out_{item.reason}")
            continue
        if held is not None:
            yield held, remarks
            held, remarks = None, []
        if isinstance(item, Skipped):
            yield item, []
        else:
            held = item
    if held is not None:
        yield held, remarks


def row_of(dialogue: CorpusDialogue, mended: Sequence[str] = ()) -> Row:
    """One dialogue as a row."""
    turns = dialogue.turns
    return {
        "id": dialogue.id,
        "source": dialogue.source,
        "licence": dialogue.licence,
        "services": list(dialogue.services),
        "topics": list(dialogue.topics),
        "mended": list(mended),
        "turns": all_written(_turn(turn, turns[place + 1 :]) for place, turn in enumerate(turns)),
    }


def _turn(turn: CorpusTurn, later: Sequence[CorpusTurn]) -> CorpusTurn:
    said = [turn.assistant, *(text for each in later for text in (each.user, each.assistant))]
    after = " ".join(said).lower() if turn.calls else ""
    calls = tuple(_call(call, after) for call in turn.calls)
    return replace(turn, user=_line(turn.user), assistant=_line(turn.assistant), calls=calls)


def _call(call: CorpusCall, later: str) -> CorpusCall:
    if call.results is None:
        return call
    return replace(call, results=call.results[: spoken_of(call.results, later)], found=len(call.results))


def spoken_of(results: Sequence[Mapping[str, JsonValue]], later: str) -> int:
    """How many of the results it takes so that all that the dialogue names later are among them; 1 at least."""
    seen: set[str] = set()
    count = min(1, len(results))
    for number, result in enumerate(results[:MOST_RESULTS], 1):
        values = {value for value in result.values() if isinstance(value, str) and len(value) >= TELLING}
        if any(value.lower() in later for value in values - seen):
            count = max(count, number)
        seen |= values
    return count


def _line(text: str) -> str:
    return " ".join(text.split())
