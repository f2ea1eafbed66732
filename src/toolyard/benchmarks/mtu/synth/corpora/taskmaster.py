"""Taskmaster: the releases TM-1-2019, TM-2-2020, TM-3-2020 and TM-4-2024 beside one another.

TM-1 and TM-2 annotate spans (see `taskmaster_spans`), TM-3 and TM-4 calls (see `taskmaster_calls`). A tool's
service is its release ("TM-1"): two releases use the same names for other parameters. `sample.json` of TM-1 is read
only where the dialogues themselves are not there; so are the linearised rows of TM-3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import cast

from toolyard.benchmarks.mtu.synth.corpora.corpus_files import (
    CorpusEntry,
    entries_in,
    items_of,
    json_entries,
    json_value,
    read_text,
    tools_of_entries,
)
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusParameter, CorpusTool, Item, Verb
from toolyard.benchmarks.mtu.synth.corpora.frequency import calls_of, tools_of_calls, verb_of, words
from toolyard.benchmarks.mtu.synth.corpora.source_rows import ApiDocument, OntologyGroup, OntologyTool
from toolyard.benchmarks.mtu.synth.corpora.taskmaster_calls import TM3, TM4, linearised, tm3, tm4
from toolyard.benchmarks.mtu.synth.corpora.taskmaster_spans import DETAIL, TM1, TM2, spans
from toolyard.benchmarks.mtu.synth.corpora.topics import TASKMASTER, topics_of

NAME = "taskmaster"
FOLDERS = {TM1: "TM-1-2019", TM2: "TM-2-2020", TM3: "TM-3-2020", TM4: "TM-4-2024"}
DESCRIPTIONS = {
    "uber_lyft": "Orders a ride.",
    "movie_ticket": "Buys tickets for a film at a cinema.",
    "restaurant_reservation": "Reserves a table at a restaurant.",
    "coffee_ordering": "Orders a drink at a coffee shop.",
    "pizza_ordering": "Orders a pizza.",
    "auto_repair": "Makes an appointment at a car repair shop.",
    "flight_search": "Looks up flights.",
    "food_order": "Orders food to take away.",
    "hotel_search": "Looks up hotels.",
    "movie_search": "Looks up films and where they are shown.",
    "music": "Looks up music to listen to.",
    "restaurant": "Looks up restaurants.",
    "book_tickets": "Buys tickets for a showing.",
    "check_tickets": "Tells whether there are tickets left for a showing.",
    "find_movies": "Looks up films by place, cinema, genre and other properties.",
    "find_theaters": "Looks up cinemas by place, film and kind of screening.",
    "find_showtimes": "Looks up when a cinema shows a film.",
    "get_movie_attribute": "Tells one property of a film.",
    "resolve_movie": "Finds the official title of a film by what somebody calls it.",
    "resolve_location": "Finds the full name of a place by what somebody calls it.",
    "resolve_theater": "Finds the full name of a cinema by what somebody calls it and where it is.",
    "add_order_item": "Puts a drink or dish from the menu on the order.",
    "finish_order": "Sends the order off to be made.",
    "get_addons": "Looks up what can be added to or chosen for an item of the menu.",
    "get_menu_items": "Looks up items of the menu by words.",
    "get_order_details": "Tells what is on the order so far.",
    "show_menu": "Shows the whole menu.",
    "update_order": "Changes the order as a whole, for example the name on it.",
    "update_order_item": "Changes one item that is already on the order.",
}
CREATING = frozenset({
    "uber_lyft", "movie_ticket", "restaurant_reservation", "coffee_ordering", "pizza_ordering", "auto_repair",
})  # fmt: skip


def is_here(folder: Path) -> bool:
    """Whether the folder holds a release of Taskmaster."""
    return any((folder / name).is_dir() for name in FOLDERS.values())


def load(folder: Path) -> Iterator[Item]:
    """Every dialogue of the releases that are there, in order."""
    for release, convert in ((TM1, spans), (TM2, spans), (TM3, tm3), (TM4, tm4)):
        files = _files(folder, release)
        for path in files:
            yield from _converted(path, release, convert)
        if release == TM3 and not files:
            for path in sorted((folder / FOLDERS[TM3]).glob("splits/*/*.tsv")):
                yield from linearised(path)


def tools(folder: Path) -> tuple[CorpusTool, ...]:
    """Documents by ontology (TM-1, TM-2), by `apis.json` (TM-3), and by the calls themselves (TM-4)."""
    documented = (tool for release in ONTOLOGIES for tool in _ontology(folder, release))
    return (*documented, *_calls_4(folder))


def _files(folder: Path, release: str) -> list[Path]:
    base = folder / FOLDERS[release]
    if release != TM1:
        return sorted((base / "data").glob("*.json"))
    found = [base / name for name in ("self-dialogs.json", "woz-dialogs.json") if (base / name).is_file()]
    sample = base / "sample.json"
    return found or ([sample] if sample.is_file() else [])


def _converted(
    path: Path, release: str, convert: Callable[[CorpusEntry, str], Iterator[Item]]
) -> Iterator[Item]:
    where = f"{NAME}/{release}/{path.name}"
    text = read_text(path)
    # The sample of TM-1 is one conversation, the other files are lists of them.
    single = text.lstrip()[:1] == "{"
    entries = [CorpusEntry("0", json_value(text, where), where)] if single else json_entries(text, where)
    yield from items_of(entries, lambda entry: convert(entry, release))


def _ontology(folder: Path, release: str) -> Iterator[CorpusTool]:
    files, convert = ONTOLOGIES[release]
    for path in sorted((folder / FOLDERS[release]).glob(files)):
        yield from tools_of_entries(
            entries_in(path), convert, "entry of Taskmaster's ontology", "fetch it again"
        )


def _ontology_1(entry: CorpusEntry) -> Iterator[CorpusTool]:
    row = cast(OntologyTool, entry.value)
    yield _document(TM1, row.get("id", entry.key), row.get("required", ()), row.get("optional", ()))


def _ontology_2(entry: CorpusEntry) -> Iterator[CorpusTool]:
    for group in cast(list[OntologyGroup], entry.value):
        if not DETAIL.search(group["prefix"]):
            yield _document(TM2, group["prefix"], (), group["annotations"])


def _apis_3(entry: CorpusEntry) -> Iterator[CorpusTool]:
    row = cast(ApiDocument, entry.value)
    arguments = row["args"]
    results = [key for key in row["response"]["keys"] if key != "empty"]
    yield _document(TM3, entry.key, arguments.get("all_of", ()), arguments.get("any_of", ()), results)


ONTOLOGIES: Mapping[str, tuple[str, Callable[[CorpusEntry], Iterator[CorpusTool]]]] = {
    TM1: ("ontology.json", _ontology_1),
    TM2: ("ontology/*.json", _ontology_2),
    TM3: ("ontology/apis.json", _apis_3),
}


def _calls_4(folder: Path) -> tuple[CorpusTool, ...]:
    items = (item for path in _files(folder, TM4) for item in _converted(path, TM4, tm4))
    return tools_of_calls(calls_of(items), _description, lambda _: topics_of([TASKMASTER["coffee"]]))


def _document(
    release: str, name: str, required: Iterable[str], optional: Iterable[str], results: Iterable[str] = ()
) -> CorpusTool:
    verb: Verb = "create" if name in CREATING else verb_of(name)
    topic = TASKMASTER["movie"] if release == TM3 else TASKMASTER.get(name)
    return CorpusTool(
        name,
        release,
        _description(name),
        tuple(_parameter(one) for one in required),
        tuple(_parameter(one.strip(" .")) for one in optional),
        tuple(_parameter(one) for one in results),
        verb,
        topics_of([topic]),
    )


def _description(name: str) -> str:
    return DESCRIPTIONS.get(name, f"Answers questions about {words(name).upper()} matches and players.")


def _parameter(name: str) -> CorpusParameter:
    return CorpusParameter(name, "string", f"The {' of the '.join(words(part) for part in name.split('.'))}.")
