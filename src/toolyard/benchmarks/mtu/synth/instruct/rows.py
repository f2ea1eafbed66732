"""Dialogues of the corpora as rows of the pipeline.

    {"id": "sgd/train/9_00000", "source": "sgd", "licence": "CC BY-SA 4.0", "topics": ["Restaurant"],
     "mended": [], "schema": "4f1c..", "turns": [
       {"user": "Thai food in Oslo.", "assistant": "How about The Blue Spoon?", "label": "call",
        "intents": [["Restaurants_1", "FindRestaurants"]], "slots": {"Restaurants_1.city": "Oslo"},
        "calls": [{"tool": "FindRestaurants", "service": "Restaurants_1", "arguments": {"city": "Oslo"},
                   "results": [{"restaurant_name": "The Blue Spoon"}], "found": 7, "failed": false}]}]}

A search may find more than the dialogue ever speaks of: `results` are kept up to the last that it names, and
`found` says how many there were. `schema` stands for the tools of the corpus, on which later stages depend.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from toolyard.benchmarks.mtu.synth.corpora import corpus_tools, find_corpora, load_corpus
from toolyard.benchmarks.mtu.synth.corpora.schema import Call, Dialogue, Item, Skipped, Turn
from toolyard.benchmarks.mtu.synth.instruct import leaks
from toolyard.core.errors import UsageError
from toolyard.core.types import Json
from toolyard.synth.stages import Context, Rejected, Row

MOST_RESULTS = 10
# Shorter values ("2", "Yes", "True") stand in any text.
TELLING = 4
ALL = "all"


def corpora_of(context: Context) -> Mapping[str, Path]:
    """The corpora that lie in the sources folder and were asked for."""
    folder = context.folders.get("sources")
    if folder is None:
        raise UsageError("no folder of corpora was named; wanted: --sources DIR")
    found = find_corpora(folder)
    asked = context.options.get("corpora", ALL)
    names = list(found) if asked == ALL else [name.strip() for name in asked.split(",")]
    absent = [name for name in names if name not in found]
    if absent or not names:
        there = ", ".join(found) or "none"
        raise UsageError(
            f"{folder} holds these corpora: {there}; wanted {', '.join(absent) or 'at least one'}"
        )
    return {name: found[name] for name in names}


def corpus_files(context: Context) -> Iterator[Path]:
    """Every file that the rows depend on: those of the corpora, and those of the evaluation to keep apart."""
    for path in corpora_of(context).values():
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        yield from (file for file in files if file.is_file())
    yield from leaks.evaluation_files(context.options.get("exclude", ""))


def dialogue_rows(context: Context) -> Iterator[Row | Rejected]:
    """Every dialogue of every corpus as a row; what a loader leaves out and what leaks is rejected by name."""
    known = leaks.evaluation_turns(context.options.get("exclude", ""))
    for name, path in corpora_of(context).items():
        schema = hashlib.blake2b(repr(corpus_tools(name, path)).encode(), digest_size=8).hexdigest()
        for item, mended in with_remarks(load_corpus(name, path)):
            if isinstance(item, Skipped):
                yield Rejected(item.reason, item.where, row=item.where)
            elif leaks.leaks_into(item, known):
                yield Rejected("leaks_from_evaluation", row=item.id)
            else:
                yield {**row_of(item, mended), "source": name, "schema": schema}


def with_remarks(items: Iterable[Item]) -> Iterator[tuple[Item, list[str]]]:
    """Dialogues with the labels of what was mended in them or left out of them; loaders say that afterwards."""
    held: Dialogue | None = None
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


def row_of(dialogue: Dialogue, mended: Sequence[str] = ()) -> Row:
    """One dialogue as plain JSON."""
    return {
        "id": dialogue.id,
        "source": dialogue.source,
        "licence": dialogue.licence,
        "services": list(dialogue.services),
        "topics": list(dialogue.topics),
        "mended": list(mended),
        "turns": [_turn(dialogue.turns, place) for place in range(len(dialogue.turns))],
    }


def _turn(turns: Sequence[Turn], place: int) -> dict[str, Json]:
    turn = turns[place]
    return {
        "user": _line(turn.user),
        "assistant": _line(turn.assistant),
        "label": turn.label,
        "intents": [list(pair) for pair in turn.intents],
        "slots": dict(turn.slots),
        "calls": [_call(call, _later(turns, place)) for call in turn.calls],
    }


def _call(call: Call, later: str) -> dict[str, Json]:
    results = None if call.results is None else [dict(result) for result in call.results]
    return {
        "tool": call.tool,
        "service": call.service,
        "arguments": dict(call.parameters),
        "results": None if results is None else results[: spoken_of(results, later)],
        "found": 0 if results is None else len(results),
        "failed": call.failed,
    }


def spoken_of(results: Sequence[Mapping[str, Json]], later: str) -> int:
    """How many of the results it takes so that all that the dialogue names later are among them; 1 at least."""
    seen: set[str] = set()
    count = min(1, len(results))
    for number, result in enumerate(results[:MOST_RESULTS], 1):
        values = {value for value in result.values() if isinstance(value, str) and len(value) >= TELLING}
        if any(value.lower() in later for value in values - seen):
            count = max(count, number)
        seen |= values
    return count


def _later(turns: Sequence[Turn], place: int) -> str:
    texts = [turns[place].assistant]
    for turn in turns[place + 1 :]:
        texts += [turn.user, turn.assistant]
    return " ".join(texts).lower()


def _line(text: str) -> str:
    return " ".join(text.split())
