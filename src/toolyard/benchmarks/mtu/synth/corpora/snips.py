"""SNIPS of June 2017: `<Intent>/train_<Intent>_full.json` and `<Intent>/validate_<Intent>.json`.

    {"BookRestaurant": [{"data": [{"text": "A table for "}, {"text": "seven", "entity": "party_size_number"}]}]}

One utterance is one dialogue with one call: intent -> tool, entities -> parameters. `train_<Intent>.json` repeats
rows of the full file and is not read. A slot that occurs twice is a list. Numbers in slots that count something
are digits ("seven" -> "7"), as in the official rows; the user's words stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from toolyard.benchmarks.mtu.synth.corpora.files import Entry, json_entries, read_text
from toolyard.benchmarks.mtu.synth.corpora.frequency import tools_of_calls, words
from toolyard.benchmarks.mtu.synth.corpora.numbers import digits
from toolyard.benchmarks.mtu.synth.corpora.schema import Call, CorpusTool, Dialogue, Item, Skipped, Turn
from toolyard.benchmarks.mtu.synth.corpora.topics import LICENCES, SNIPS, topics_of
from toolyard.core.types import Json

NAME = "snips"
FOLDER = "2017-06-custom-intent-engines"
FILES = {"train": "train_{intent}_full.json", "validate": "validate_{intent}.json"}
COUNTING = frozenset({"party_size_number", "rating_value", "best_rating"})
DESCRIPTIONS = {
    "AddToPlaylist": "Puts a song, an album or an artist on a playlist.",
    "BookRestaurant": "Reserves a table at a restaurant.",
    "GetWeather": "Tells the weather at a place and a time.",
    "PlayMusic": "Plays music by artist, title, album, genre or playlist.",
    "RateBook": "Gives a book or another work a rating.",
    "SearchCreativeWork": "Looks up a book, film, song, game or another work by its title.",
    "SearchScreeningEvent": "Looks up when and where films are shown.",
}


def is_here(folder: Path) -> bool:
    """Whether the folder holds SNIPS."""
    return any(_files(folder))


def load(folder: Path) -> Iterator[Item]:
    """Every utterance, intent by intent, as a dialogue of one turn."""
    for intent, split, path in _files(folder):
        for whole in json_entries(read_text(path), f"{NAME}/{path.name}"):
            for number, row in enumerate(whole.value if isinstance(whole.value, list) else ()):
                entry = Entry(f"{NAME}/{split}/{intent}/{number}", row, f"{NAME}/{path.name} row {number}")
                try:
                    yield _dialogue(entry, intent, split)
                except (KeyError, TypeError, AttributeError) as error:
                    yield Skipped("not_the_row_form", f"{entry.where}: {error!r}")


def tools(folder: Path) -> tuple[CorpusTool, ...]:
    """One tool per intent; required is what most calls have."""
    calls = (call for item in load(folder) if isinstance(item, Dialogue) for call in item.turns[0].calls)
    return tools_of_calls(
        calls,
        lambda name: DESCRIPTIONS.get(name, f"Does this: {words(name)}."),
        lambda call: topics_of([SNIPS.get(call.tool)]),
    )


def _files(folder: Path) -> Iterator[tuple[str, str, Path]]:
    for base in (folder / FOLDER, folder):
        if not base.is_dir():
            continue
        for inner in sorted(path for path in base.iterdir() if path.is_dir()):
            for split, name in FILES.items():
                path = inner / name.format(intent=inner.name)
                if path.is_file():
                    yield inner.name, split, path


def _dialogue(entry: Entry, intent: str, split: str) -> Item:
    pieces = entry.value["data"]
    text = " ".join("".join(piece["text"] for piece in pieces).split())
    if not text:
        return Skipped("empty_utterance", entry.where)
    parameters: dict[str, Json] = {}
    for piece in pieces:
        value = " ".join(piece["text"].split())
        if "entity" in piece and value:
            _add(parameters, piece["entity"], digits(value) if piece["entity"] in COUNTING else value)
    slots = {f"{NAME}.{name}": value for name, value in parameters.items()}
    turn = Turn(text, "", "call", ((NAME, intent),), slots, (Call(intent, NAME, parameters),))
    topics = topics_of([SNIPS.get(intent)])
    return Dialogue(entry.key, NAME, split, (turn,), (NAME,), topics, LICENCES[NAME])


def _add(parameters: dict[str, Json], name: str, value: str) -> None:
    """One more value of a slot; from the second on they are a list."""
    before = parameters.get(name)
    if before is None:
        parameters[name] = value
    else:
        parameters[name] = [*(before if isinstance(before, list) else [before]), value]
