"""SNIPS of June 2017: `<Intent>/train_<Intent>_full.json` and `<Intent>/validate_<Intent>.json`.

    {"BookRestaurant": [{"data": [{"text": "A table for "}, {"text": "seven", "entity": "party_size_number"}]}]}

One utterance is one dialogue with one call: intent -> tool, entities -> parameters. `train_<Intent>.json` repeats
rows of the full file and is not read. A slot that occurs twice is a list. Numbers in slots that count something
are digits ("seven" -> "7"), as in the official rows; the user's words stay.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from toolyard.benchmarks.mtu.synth.corpora.corpus_files import CorpusEntry, convert_entries, entries_in_file
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    SNIPS,
    TABLES,
    CorpusTool,
    DialogueCall,
    DialogueTurn,
    Item,
    Skipped,
    calls_of_items,
    digits,
    group_values,
    one_line,
    one_or_all,
    public_dialogue,
    sort_topics,
    tools_of_calls,
)
from toolyard.text.names import name_in_words

NAME = "snips"
FOLDER = "2017-06-custom-intent-engines"
FILES = {"train": "train_{intent}_full.json", "validate": "validate_{intent}.json"}
COUNTING = frozenset({"party_size_number", "rating_value", "best_rating"})


def is_here(folder: Path) -> bool:
    """Whether the folder holds SNIPS."""
    return any(_intent_files(folder))


def load(folder: Path) -> Iterator[Item]:
    """Every utterance, intent by intent, as a dialogue of one turn."""
    for intent, split, path in _intent_files(folder):
        for whole in entries_in_file(path, f"{NAME}/{path.name}"):
            rows = enumerate(whole.value if isinstance(whole.value, list) else ())
            where = f"{NAME}/{path.name} row"
            entries = (
                CorpusEntry(f"{NAME}/{split}/{intent}/{place}", row, f"{where} {place}")
                for place, row in rows
            )
            yield from convert_entries(entries, partial(_convert_entry, intent=intent))


def tools(folder: Path) -> tuple[CorpusTool, ...]:
    """One tool per intent; required is what most calls have."""
    return tools_of_calls(
        calls_of_items(load(folder)),
        lambda name: TABLES["snips_descriptions"].get(name, f"Does this: {name_in_words(name)}."),
        lambda call: sort_topics([SNIPS.get(call.name)]),
    )


def _intent_files(folder: Path) -> Iterator[tuple[str, str, Path]]:
    for base in (folder / FOLDER, folder):
        if not base.is_dir():
            continue
        for inner in sorted(path for path in base.iterdir() if path.is_dir()):
            for split, name in FILES.items():
                path = inner / name.format(intent=inner.name)
                if path.is_file():
                    yield inner.name, split, path


def _convert_entry(entry: CorpusEntry, intent: str) -> Iterator[Item]:
    pieces = entry.value["data"]
    text = one_line(["".join(piece["text"] for piece in pieces)])
    if not text:
        yield Skipped("empty_utterance", entry.where)
        return
    said = [(piece["entity"], one_line([piece["text"]])) for piece in pieces if "entity" in piece]
    arguments = one_or_all(
        group_values((name, digits(value) if name in COUNTING else value) for name, value in said if value)
    )
    slots = {f"{NAME}.{name}": value for name, value in arguments.items()}
    calls = (DialogueCall(intent, arguments, service=NAME),)
    turn = DialogueTurn(text, "", "call", ((NAME, intent),), slots, calls)
    yield public_dialogue(entry.key, entry.key.split("/")[1], [turn], [NAME], [SNIPS.get(intent)])
