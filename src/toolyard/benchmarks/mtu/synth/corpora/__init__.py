"""Dialogue corpora read into one form (`schema`), entry by entry, and the tools that they call.

for item in load_corpus("sgd", folder): ...    # Dialogue, or Skipped where something was left out
corpus_tools("sgd", folder)                    # what the corpus' tools need and give
find_corpora(folder)                           # {"sgd": folder/sgd, ...}: what lies there
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import cast

from toolyard.benchmarks.mtu.synth.corpora import (
    metalwoz,
    multiwoz,
    multiwoz_fields,
    own,
    sgd,
    snips,
    taskmaster,
)
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusTool, Item
from toolyard.core.errors import DataError

CORPORA: dict[str, ModuleType] = {
    "sgd": sgd,
    "multiwoz": multiwoz,
    "taskmaster": taskmaster,
    "snips": snips,
    "metalwoz": metalwoz,
}
# A corpus read in another way; only where it is asked for by name, since its dialogues are those of the corpus.
READING, READ_AGAIN = "multiwoz-fields", "multiwoz"


def load_corpus(name: str, folder: Path) -> Iterator[Item]:
    """The dialogues of a corpus and what was skipped of it; any name but the five is the user's own."""
    return cast(Iterator[Item], _corpus_module(name, folder).load(folder))


def corpus_tools(name: str, folder: Path) -> tuple[CorpusTool, ...]:
    """The tools of a corpus; their order is stable."""
    return cast(tuple[CorpusTool, ...], _corpus_module(name, folder).tools(folder))


def find_corpora(folder: Path) -> Mapping[str, Path]:
    """The corpora in a folder or in the folders right inside it, by name; the user's own by the folder's name."""
    if not folder.exists():
        raise DataError(f"{folder} does not exist; give a folder with corpora, e.g. sgd/ or dialogues.jsonl")
    inner = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    places = [folder, *inner]
    first = {name: next(filter(module.is_here, places), None) for name, module in CORPORA.items()}
    found = {name: place for name, place in first.items() if place is not None}
    for place in filter(own.is_here, places):
        name = place.resolve().name
        found[f"own-{name}" if name in CORPORA else name] = place
    if not found:
        raise DataError(
            f"{folder} holds no corpus that is known ({', '.join(CORPORA)}) and no dialogues.jsonl; "
            "give the folder above the corpora"
        )
    return found


def _corpus_module(name: str, folder: Path) -> ModuleType:
    module = multiwoz_fields if name == READING else CORPORA.get(name, own)
    if not module.is_here(folder):
        wanted = name if name in CORPORA else "dialogues.jsonl"
        raise DataError(f"{folder} does not hold {wanted}; find_corpora says what lies where")
    return module
