"""MultiWOZ 2.1 as ConvLab keeps it (`val.json`, or in `val.json.zip`), beside `db/` and the schema of 2.2.

    {"PMUL0001": {"goal": {...}, "log": [
      {"text": "I need a cheap place to eat .", "metadata": {}, "dialog_act": {"Restaurant-Inform": [["Price", "cheap"]]}},
      {"text": "The Blue Spoon is cheap .", "dialog_act": {"Restaurant-Inform": [["Name", "the blue spoon"]]},
       "metadata": {"restaurant": {"semi": {"pricerange": "cheap", "area": "not mentioned"},
                                   "book": {"people": "", "booked": []}}}}]}}

There are no calls; these rules make them. find_<domain> with the constraints (`semi`) when the system informs about
the domain and the constraints changed since the last search. book_<domain> with the booking (`book`) and the name
or train when `booked` changes and the answer shows it: by a booking act, or by the reference or telephone number in
its text; a change that is not shown yet waits for the turn that shows it. Booking-NoBook with a booking under way
is a failed call. Booking acts name no domain: the last active one is meant. "dontcare" is no parameter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

from toolyard.benchmarks.mtu.synth.corpora.corpus_files import (
    CorpusEntry,
    entries_in,
    items_of,
    json_entries,
    open_zip,
    read_member,
    read_text,
    tools_of_entries,
)
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    CorpusDialogue,
    CorpusParameter,
    CorpusTool,
    Item,
    Skipped,
)
from toolyard.benchmarks.mtu.synth.corpora.multiwoz_calls import BOOKABLE, Tracker, booked_rows
from toolyard.benchmarks.mtu.synth.corpora.multiwoz_database import Database
from toolyard.benchmarks.mtu.synth.corpora.source_rows import (
    MultiwozDialogue,
    MultiwozUtterance,
    SchemaIntent,
    SchemaService,
    SchemaSlot,
)
from toolyard.benchmarks.mtu.synth.corpora.topics import LICENCES, MULTIWOZ, topics_of
from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue

NAME = "multiwoz"
SPLITS = ("train", "val", "test")
# What 2.2 calls otherwise than 2.1, whose names the calls have.
NAMES_OF_2_1 = {"arriveby": "arriveBy", "leaveat": "leaveAt", "trainid": "trainID", "ref": "reference"}


def is_here(folder: Path) -> bool:
    """Whether the folder holds MultiWOZ."""
    return (folder / "db" / "restaurant_db.json").is_file() and any(_files(folder))


def load(folder: Path, tracker: type[Tracker] = Tracker) -> Iterator[Item]:
    """Every dialogue, split by split; the tracker says which calls its states imply."""
    database = Database(folder / "db")
    for split, path in _files(folder):
        entries = json_entries(_text(path, f"{split}.json"), f"{NAME}/{path.name}")
        named = (replace(entry, where=f"{entry.where} ({entry.key})") for entry in entries)
        yield from items_of(named, partial(_items, split=split, database=database, of=tracker))


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for split in SPLITS:
        for name in (f"{split}.json", f"{split}.json.zip"):
            found = sorted(path for path in (folder / name, *folder.glob(f"*/{name}")) if path.is_file())
            if found:
                yield split, found[0]
                break


def _text(path: Path, member: str) -> str:
    if path.suffix != ".zip":
        return read_text(path)
    with open_zip(path) as archive:
        return read_member(archive, member)


def _items(entry: CorpusEntry, split: str, database: Database, of: type[Tracker]) -> Iterator[Item]:
    log = cast(MultiwozDialogue, entry.value)["log"]
    tracker = of(database, _booked(log))
    if not log or len(log) % 2:
        yield Skipped("odd_number_of_utterances" if log else "no_user_turn", entry.where)
        return
    for user, system in zip(log[::2], log[1::2], strict=True):
        tracker.add(user, system)
    tracker.close()
    services = tuple(sorted(tracker.services))
    topics = topics_of(MULTIWOZ.get(service) for service in services)
    identity = f"{NAME}/{split}/{entry.key.removesuffix('.json')}"
    yield CorpusDialogue(identity, NAME, split, tuple(tracker.turns), services, topics, LICENCES[NAME])
    for reason in tracker.lost:
        yield Skipped(reason, identity, "call")


def _booked(log: list[MultiwozUtterance]) -> dict[str, tuple[tuple[str, JsonValue], ...]]:
    """What is booked at any time, by domain, as pairs of column and value."""
    found: dict[str, dict[tuple[str, JsonValue], None]] = {}
    for utterance in log[1::2]:
        for domain, content in utterance["metadata"].items():
            for row in booked_rows(content):
                if domain in BOOKABLE and BOOKABLE[domain] in row:
                    found.setdefault(domain, {})[BOOKABLE[domain], row[BOOKABLE[domain]]] = None
    return {domain: tuple(pairs) for domain, pairs in found.items()}


def tools(folder: Path) -> tuple[CorpusTool, ...]:
    """find_ and book_ of each domain: documents of the 2.2 schema, choices and results of the databases."""
    places = (folder / "MultiWOZ_2.2" / "schema.json", folder / "schema.json")
    path = next((place for place in places if place.exists()), None)
    if path is None:
        raise DataError(f"{folder} holds no MultiWOZ_2.2/schema.json; fetch it to document the tools")
    database = Database(folder / "db")

    def documented(entry: CorpusEntry) -> Iterator[CorpusTool]:
        service = cast(SchemaService, entry.value)
        return (_tool(service, intent, database) for intent in service["intents"])

    return tuple(tools_of_entries(entries_in(path), documented, "service", "fetch the schema again"))


def _tool(service: SchemaService, intent: SchemaIntent, database: Database) -> CorpusTool:
    domain = service["service_name"]
    slots = {slot["name"].partition("-")[2]: slot for slot in service["slots"]}
    books = intent["name"].startswith("book_")
    required, optional = _names(domain, intent, books)
    results = _results(domain, books, database)
    return CorpusTool(
        f"{'book' if books else 'find'}_{domain}",
        domain,
        intent["description"],
        tuple(_parameter(domain, name, slots, database) for name in required),
        tuple(_parameter(domain, name, slots, database) for name in optional),
        tuple(_parameter(domain, name, slots, database) for name in results),
        "create" if books else "query",
        topics_of([MULTIWOZ.get(domain)]),
    )


def _names(domain: str, intent: SchemaIntent, books: bool) -> tuple[list[str], list[str]]:
    """Required and optional parameters; the schema of 2.2 requires none, a booking needs what it books."""
    listed = [name.partition("-")[2] for name in intent["optional_slots"]]
    semi = [NAMES_OF_2_1.get(name, name) for name in listed if not name.startswith("book")]
    if not books:
        return [], semi
    if domain == "taxi":
        return ["departure", "destination"], [
            name for name in semi if name not in ("departure", "destination")
        ]
    booking = [name.removeprefix("book") for name in listed if name.startswith("book")]
    return [BOOKABLE[domain], "people"], [name for name in booking if name != "people"]


def _results(domain: str, books: bool, database: Database) -> tuple[str, ...]:
    if domain == "taxi":
        return ("type", "phone")
    return (BOOKABLE[domain], "reference") if books else database.columns(domain)


def _parameter(
    domain: str, name: str, slots: Mapping[str, SchemaSlot], database: Database
) -> CorpusParameter:
    older = {new: old for old, new in NAMES_OF_2_1.items()}.get(name, name)
    slot = slots.get(older) or slots.get(f"book{older}")
    choices = tuple(slot.get("possible_values", ())) if slot and slot.get("is_categorical") else ()
    if not choices and name in ("area", "pricerange", "departure", "destination"):
        choices = database.choices(domain, name)
    written = "HH:MM" if name in ("leaveAt", "arriveBy", "time") else ""
    otherwise = f"{name} of the {domain}"
    description = slot.get("description", otherwise) if slot else otherwise
    return CorpusParameter(name, "string", description, choices, None, written)
