"""ATIS in its two forms.

    SlotGated   train/seq.in   flights from boston to denver
                train/seq.out  O O B-fromloc.city_name O B-toloc.city_name
                train/label    atis_flight
    JointSLU    atis.train.w-intent.iob
                BOS flights from boston to denver EOS<TAB>O O O B-fromloc.city_name O B-toloc.city_name atis_flight

JointSLU puts BOS and EOS around the words and the intent in the place of the last tag. Intent -> tool without
"atis_", spans -> parameters; `fromloc.city_name` is `from_location`, other names lose their dots. A label "a#b" is
one call per part over the same parameters (the corpus does not split them). A slot that occurs twice is a list.
There are no answers and no results.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from toolyard.benchmarks.mtu.synth.corpora.corpus_files import read_text
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    CorpusTool,
    Item,
    Skipped,
    calls_of,
    labelled_utterance,
    one_or_all,
    tools_of_calls,
)
from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue
from toolyard.text.names import name_in_words

NAME = "atis"
SPLITS = ("train", "valid", "dev", "test")
PARALLEL = ("seq.in", "seq.out", "label")
PLACES = {"fromloc": "from", "toloc": "to", "stoploc": "stop"}


class AtisRow(NamedTuple):
    """One utterance: words, a tag for each, and the label."""

    words: list[str]
    tags: list[str]
    label: str
    where: str


def is_here(folder: Path) -> bool:
    """Whether the folder holds ATIS in either form."""
    return any(_parallel(folder)) or any(_joint(folder))


def load(folder: Path) -> Iterator[Item]:
    """Every utterance as a dialogue of one turn."""
    for split, base in _parallel(folder):
        yield from _items(split, _parallel_rows(base, split))
    for split, path in _joint(folder):
        yield from _items(split, _joint_rows(path))


def tools(folder: Path) -> tuple[CorpusTool, ...]:
    """One tool per intent; required is what most calls have."""
    return tools_of_calls(
        calls_of(load(folder)),
        lambda name: f"Answers questions about air travel: {name_in_words(name)}.",
        lambda _: ("Flight",),
    )


def parameter_name(slot: str) -> str:
    """A slot's name without dots: `toloc.city_name` -> `to_location`, `toloc.state_code` -> `to_state_code`."""
    head, _, tail = slot.partition(".")
    place = PLACES.get(head)
    if place and tail == "city_name":
        return f"{place}_location"
    return "_".join(part for part in (place or head, tail.replace(".", "_")) if part)


def _parallel(folder: Path) -> Iterator[tuple[str, Path]]:
    for split in SPLITS:
        if all((folder / split / name).is_file() for name in PARALLEL):
            yield split, folder / split


def _joint(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.glob("atis*.iob")):
        yield next((split for split in SPLITS if split in path.name), "train"), path


def _parallel_rows(base: Path, split: str) -> Iterator[AtisRow]:
    columns = [read_text(base / name).splitlines() for name in PARALLEL]
    lengths = [len(column) for column in columns]
    if len(set(lengths)) > 1:
        found = ", ".join(f"{name} {length}" for name, length in zip(PARALLEL, lengths, strict=True))
        raise DataError(
            f"{base} has files of different length ({found} lines); wanted one line per utterance"
        )
    for number, (said, tags, label) in enumerate(zip(*columns, strict=True), start=1):
        yield AtisRow(said.split(), tags.split(), label.strip(), f"{NAME}/{split} line {number}")


def _joint_rows(path: Path) -> Iterator[AtisRow]:
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        said, tab, tagged = line.partition("\t")
        if not tab:
            raise DataError(f"{path} line {number} has no tab; wanted words, a tab, tags and the intent")
        tags = tagged.split()
        yield AtisRow(
            said.split()[1:-1], tags[1:-1], tags[-1] if tags else "", f"{NAME}/{path.name} line {number}"
        )


def _items(split: str, rows: Iterator[AtisRow]) -> Iterator[Item]:
    for number, row in enumerate(rows):
        if not row.words or not row.label:
            yield Skipped("empty_utterance", row.where)
        elif len(row.words) != len(row.tags):
            yield Skipped("words_and_tags_differ", row.where)
        else:
            intents = dict.fromkeys(part.removeprefix("atis_") for part in row.label.split("#"))
            text = " ".join(row.words)
            yield labelled_utterance(f"{NAME}/{split}/{number}", text, intents, _parameters(row), "Flight")


def _parameters(row: AtisRow) -> dict[str, JsonValue]:
    spans: list[tuple[str, list[str]]] = []
    before = "O"
    for word, tag in zip(row.words, row.tags, strict=True):
        kind, _, slot = tag.partition("-")
        # An I- that goes on nothing starts a span: the value is there all the same.
        if kind == "B" or (kind == "I" and before != slot):
            spans.append((slot, [word]))
        elif kind == "I":
            spans[-1][1].append(word)
        before = slot if kind in ("B", "I") else "O"
    found: dict[str, list[str]] = {}
    for slot, said in spans:
        found.setdefault(parameter_name(slot), []).append(" ".join(said))
    return one_or_all(found)
