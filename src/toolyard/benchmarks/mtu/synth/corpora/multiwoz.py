"""MultiWOZ 2.1 as ConvLab keeps it (`val.json`, or in `val.json.zip`), beside `db/` and the schema of 2.2.

    {"PMUL0001": {"goal": {...}, "log": [
      {"text": "I need a cheap place to eat .", "metadata": {}, "dialog_act": {"Restaurant-Inform": [["Price", "cheap"]]}},
      {"text": "The Blue Spoon is cheap .", "dialog_act": {"Restaurant-Inform": [["Name", "the blue spoon"]]},
       "metadata": {"restaurant": {"semi": {"pricerange": "cheap", "area": "not mentioned"},
                                   "book": {"people": "", "booked": []}}}}]}}
    restaurant_db.json  [{"name": "the blue spoon", "area": "centre", "food": "thai", "pricerange": "cheap", ...}]

There are no calls; these rules make them. find_<domain> with the constraints (`semi`) when the system informs about
the domain and the constraints changed since the last search. book_<domain> with the booking (`book`) and the name
or train when `booked` changes and the answer shows it: by a booking act, or by the reference or telephone number in
its text; a change that is not shown yet waits for the turn that shows it. Booking-NoBook with a booking under way
is a failed call. Booking acts name no domain: the last active one is meant. "dontcare" is no parameter.

Results are those of the databases. A value matches without regard to case, spaces and a leading "the"; trains leave at
or after `leaveAt` and arrive at or before `arriveBy`; alternatives are a list. At most `MOST` rows are kept, first those
that the system's answer speaks of.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from toolyard.benchmarks.mtu.synth.corpora.corpus_files import (
    CorpusEntry,
    convert_entries,
    entries_in_file,
    tools_of_entries,
)
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    MULTIWOZ,
    CorpusTool,
    DialogueCall,
    DialogueTurn,
    Item,
    Label,
    Skipped,
    detokenise,
    label_turn,
    public_dialogue,
    sort_topics,
)
from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue, Record
from toolyard.text.documents import Parameter

Row: TypeAlias = Mapping[str, JsonValue]
Acts: TypeAlias = Mapping[str, Sequence[Sequence[str]]]
MOST = 5
TIMES = frozenset({"leaveAt", "arriveBy"})
# Coordinates, keys and advertising are no answer to anybody's question; only the price of a train is kept.
LEFT_OUT = frozenset({"id", "location", "introduction", "signature", "takesbookings", "price"})
_NOT_WORD = re.compile(r"[^a-z0-9]+")


class Database:
    """The tables of a folder `db`, by domain."""

    def __init__(self, folder: Path) -> None:
        self._tables: dict[str, list[Row]] = {}
        self._compared: dict[str, list[dict[str, str]]] = {}
        self._places: defaultdict[tuple[str, str, str], set[int]] = defaultdict(set)
        for file in sorted(folder.glob("*_db.json")):
            domain = file.name.removesuffix("_db.json")
            found = [entry.value for entry in entries_in_file(file)]
            if not all(isinstance(row, dict) for row in found):
                raise DataError(f"{file} holds rows that are not objects; wanted MultiWOZ's database")
            hidden = LEFT_OUT - ({"price"} if domain == "train" else set())
            rows = self._tables[domain] = [
                {name: value for name, value in row.items() if name not in hidden and value != "?"}
                for row in found
            ]
            self._compared[domain] = [{name: _compare(name, row[name]) for name in row} for row in rows]
            for number, row in enumerate(self._compared[domain]):
                for name, value in row.items():
                    self._places[domain, name, value].add(number)

    def columns(self, domain: str) -> tuple[str, ...]:
        """The columns that results of a domain have."""
        return tuple(dict.fromkeys(name for row in self._tables.get(domain, ()) for name in row))

    def choices(self, domain: str, column: str, most: int = 20) -> tuple[str, ...]:
        """The values of a column, sorted, where there are few."""
        found = (row.get(column) for row in self._tables.get(domain, ()))
        values = {value for value in found if isinstance(value, str)}
        return tuple(sorted(values - {"?"})) if len(values) <= most else ()

    def search(
        self, domain: str, constraints: Row, mentioned: Iterable[tuple[str, JsonValue]]
    ) -> tuple[Row, ...]:
        """The rows that meet the constraints, first those that match more of what was said (pairs of column and value)."""
        rows, compared = self._tables.get(domain, ()), self._compared.get(domain, ())
        found = set(range(len(rows)))
        # Times last: they are compared row by row, all others are looked up.
        for name, value in sorted(constraints.items(), key=lambda pair: pair[0] in TIMES):
            choices = [_compare(name, one) for one in (value if isinstance(value, list) else [value])]
            if name in TIMES:
                found = {one for one in found if _is_in_time(name, compared[one].get(name), choices)}
            else:
                found &= {one for choice in choices for one in self._places.get((domain, name, choice), ())}
        normalised = {(name, _compare(name, value)) for name, value in mentioned}
        ranked = sorted(found, key=lambda one: (-len(normalised.intersection(compared[one].items())), one))
        return tuple(rows[one] for one in ranked[:MOST])


def normal(value: JsonValue) -> str:
    """A value in the form used for comparison."""
    text = _NOT_WORD.sub("", str(value).lower().removeprefix("the "))
    return "yes" if text == "free" else text


def _compare(name: str, value: JsonValue) -> str:
    return str(value) if name in TIMES else normal(value)


def _is_in_time(name: str, value: str | None, choices: Sequence[str]) -> bool:
    return value is not None and any(
        value >= choice if name == "leaveAt" else value <= choice for choice in choices
    )


EMPTY = frozenset({"", "not mentioned", "none"})
FINDING = frozenset({"Inform", "Recommend", "Select", "NoOffer", "OfferBook"})
SEARCHABLE = frozenset({"attraction", "bus", "hospital", "hotel", "police", "restaurant", "train"})
# What a booking is of; taxis are booked by their constraints alone.
BOOKABLE = {"hotel": "name", "restaurant": "name", "train": "trainID"}
# Acts abbreviate the names of slots.
SLOT_OF_ACT = {
    "Addr": "address", "Area": "area", "Arrive": "arriveBy", "Day": "day", "Depart": "departure",
    "Dest": "destination", "Fee": "entrance fee", "Food": "food", "Id": "trainID", "Internet": "internet",
    "Leave": "leaveAt", "Name": "name", "Open": "openhours", "Parking": "parking", "Phone": "phone",
    "Post": "postcode", "Price": "pricerange", "Stars": "stars", "Ticket": "price", "Time": "duration",
    "Type": "type",
}  # fmt: skip


@dataclass(slots=True)
class DomainState:
    """One domain after a turn: constraints, booking under way, and what is booked."""

    semi: dict[str, JsonValue] = field(default_factory=dict)
    book: dict[str, JsonValue] = field(default_factory=dict)
    booked: list[Row] = field(default_factory=list)


@dataclass(slots=True)
class Tracker:
    """Reads a log pair by pair; `turns` and `lost` (reasons) grow, `close` says what was never shown.

    `ahead` holds what will be booked, by domain: a search must have found it.
    """

    source = "multiwoz"
    database: Database
    ahead: Mapping[str, tuple[tuple[str, JsonValue], ...]] = field(default_factory=dict)
    turns: list[DialogueTurn] = field(default_factory=list)
    services: set[str] = field(default_factory=set)
    lost: list[str] = field(default_factory=list)
    active: str = ""
    states: dict[str, DomainState] = field(default_factory=dict)
    searched: dict[str, dict[str, JsonValue]] = field(default_factory=dict)
    waiting: dict[str, list[Row]] = field(default_factory=dict)
    offered: dict[str, str] = field(default_factory=dict)

    def add(self, user: Record, system: Record) -> None:
        """One more turn."""
        acts = system["dialog_act"]
        text = detokenise(system["text"])
        slots = self._update_slots(system["metadata"])
        self._activate_domain(slots, user["dialog_act"], acts)
        calls = (*self._finds(acts), *self._bookings(acts, text), *self._failed_bookings(acts))
        self._remember_last_domain(acts)
        said = detokenise(user["text"])
        label = "call" if calls else _label_turn(acts, said, text)
        named = [name.partition(".") for name in slots]
        intents = dict.fromkeys(
            self.tool("book" if slot.startswith("book_") or domain == "taxi" else "find", domain)
            for domain, _, slot in named
        )
        self.turns.append(DialogueTurn(said, text, label, tuple(intents), slots, calls))

    @staticmethod
    def tool(kind: str, domain: str) -> tuple[str, str]:
        """The service and the name of the tool that finds or books something of a domain."""
        return domain, f"{kind}_{domain}"

    def call(
        self, kind: str, domain: str, arguments: Record, results: Sequence[Row], *, failed: bool = False
    ) -> DialogueCall:
        """A call of that tool."""
        service, name = self.tool(kind, domain)
        return DialogueCall(name, arguments, results, service=service, failed=failed)

    def close(self) -> None:
        """The dialogue is over: bookings that no answer showed are lost."""
        self.lost += ["call_left_out_booked_but_never_shown" for rows in self.waiting.values() for _ in rows]

    def _update_slots(self, metadata: Mapping[str, Record]) -> dict[str, JsonValue]:
        slots: dict[str, JsonValue] = {}
        for domain, content in metadata.items():
            before = self.states.get(domain, DomainState())
            book = {name: value for name, value in content["book"].items() if name != "booked"}
            after = DomainState(
                _stated_slots(content["semi"]), _stated_slots(book), [*content["book"].get("booked", ())]
            )
            slots |= {f"{domain}.{n}": v for n, v in after.semi.items() if before.semi.get(n) != v}
            slots |= {f"{domain}.book_{n}": v for n, v in after.book.items() if before.book.get(n) != v}
            fresh = [row for row in after.booked if row not in before.booked]
            if fresh:
                self.waiting[domain] = fresh
            self.states[domain] = after
        return slots

    def _activate_domain(self, slots: Mapping[str, JsonValue], asked: Acts, answered: Acts) -> None:
        named = [act.partition("-")[0].lower() for act in (*asked, *answered)]
        domains = [name for name in named if name not in ("booking", "general")]
        domains += [slot.partition(".")[0] for slot in slots]
        self.services.update(domains)
        if domains:
            # What the user speaks of comes first; the state may still be filling in an earlier domain.
            self.active = domains[0]

    def _finds(self, acts: Acts) -> Iterator[DialogueCall]:
        for domain in dict.fromkeys(_domain_of_act(act) for act in acts if _kind_of_act(act) in FINDING):
            if domain not in SEARCHABLE:
                continue
            wanted = wanted_slots(self.states.get(domain, DomainState()).semi)
            if self.searched.get(domain) == wanted or (not wanted and domain != "police"):
                continue
            self.searched[domain] = wanted
            yield self.call("find", domain, wanted, self._results(domain, wanted, acts))

    def _results(self, domain: str, wanted: dict[str, JsonValue], acts: Acts) -> tuple[Row, ...]:
        mine = [(_kind_of_act(act), pairs) for act, pairs in acts.items() if _domain_of_act(act) == domain]
        kinds = {kind for kind, _ in mine} & FINDING
        if kinds == {"NoOffer"}:
            return ()
        mentioned = [
            (SLOT_OF_ACT[slot], value) for _, pairs in mine for slot, value in pairs if slot in SLOT_OF_ACT
        ]
        mentioned = [(slot, value) for slot, value in mentioned if value not in ("?", "none", "")]
        found = self.database.search(domain, wanted, [*mentioned, *self.ahead.get(domain, ())])
        news = [pair for pair in mentioned if normal(wanted.get(pair[0])) != normal(pair[1])]
        # An answer about something that the constraints exclude: what the system says of it is all there is.
        if found or "NoOffer" in kinds or not news:
            return found
        return ({**wanted, **dict(reversed(mentioned))},)

    def _bookings(self, acts: Acts, text: str) -> Iterator[DialogueCall]:
        for domain in sorted(self.waiting):
            if self._is_shown(domain, acts, text):
                rows = self.waiting.pop(domain)
                yield self.call("book", domain, self._booking(domain, rows[0]), tuple(rows))

    def _is_shown(self, domain: str, acts: Acts, text: str) -> bool:
        if domain == "taxi" and "Taxi-Inform" in acts:
            return True
        if domain != "taxi" and ("Booking-Book" in acts or f"{domain.capitalize()}-OfferBooked" in acts):
            return True
        flat = normal(text)
        return any(normal(row.get("reference") or row.get("phone")) in flat for row in self.waiting[domain])

    def _booking(self, domain: str, row: Row) -> dict[str, JsonValue]:
        state = self.states[domain]
        if domain not in BOOKABLE:
            return wanted_slots(state.semi)
        key = BOOKABLE[domain]
        thing = row.get(key) or state.semi.get(key)
        return {**({key: thing} if thing else {}), **wanted_slots(state.book)}

    def _failed_bookings(self, acts: Acts) -> Iterator[DialogueCall]:
        if "Booking-NoBook" not in acts:
            return
        state, domain = self.states.get(self.active, DomainState()), self.active
        if domain not in BOOKABLE or not wanted_slots(state.book):
            self.lost.append("call_left_out_refused_without_a_booking")
            return
        names = [value for slot, value in acts["Booking-NoBook"] if slot == "Name" and value not in EMPTY]
        named = names[0] if names and domain != "train" else None
        offered = None if state.semi.get(BOOKABLE[domain]) else self.offered.get(domain)
        parameters = self._booking(domain, {BOOKABLE[domain]: named or offered})
        if BOOKABLE[domain] in parameters:
            yield self.call("book", domain, parameters, (), failed=True)
        else:
            self.lost.append("call_left_out_refused_without_a_name")

    def _remember_last_domain(self, acts: Acts) -> None:
        """What the system spoke of last: a booking that names nothing is of that."""
        for act, pairs in acts.items():
            for slot, value in pairs:
                if SLOT_OF_ACT.get(slot) in ("name", "trainID") and value not in ("?", *EMPTY):
                    self.offered[_domain_of_act(act)] = value


def _domain_of_act(act: str) -> str:
    return act.partition("-")[0].lower()


def _kind_of_act(act: str) -> str:
    return act.partition("-")[2]


def _stated_slots(slots: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The slots that say something; alternatives ("a|b") as a list."""
    texts = {name: str(value).strip() for name, value in slots.items()}
    return {
        name: text.split("|") if "|" in text else text for name, text in texts.items() if text not in EMPTY
    }


def wanted_slots(slots: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """What a call can ask for: neither "dontcare" nor what must not be ("NOT(...)")."""
    return {
        name: value
        for name, value in slots.items()
        if value != "dontcare" and not (isinstance(value, str) and value.startswith("NOT("))
    }


def _label_turn(acts: Acts, user: str, assistant: str) -> Label:
    kinds = {_kind_of_act(act) for act in acts if _domain_of_act(act) != "general"}
    if "Request" in kinds:
        return "missing"
    if "Booking-Inform" in acts or "OfferBook" in kinds:
        return "confirmed"
    if kinds:
        return "exists"
    return "chat" if acts else label_turn(user, assistant, called=False)


NAME = "multiwoz"
SPLITS = ("train", "val", "test")
# What 2.2 calls otherwise than 2.1, whose names the calls have.
NAMES_OF_2_1 = {"arriveby": "arriveBy", "leaveat": "leaveAt", "trainid": "trainID", "ref": "reference"}


def is_here(folder: Path) -> bool:
    """Whether the folder holds MultiWOZ."""
    return (folder / "db" / "restaurant_db.json").is_file() and any(_dialogue_files(folder))


def load(folder: Path, tracker: type[Tracker] = Tracker) -> Iterator[Item]:
    """Every dialogue, split by split; the tracker says which calls its states imply."""
    database = Database(folder / "db")
    for split, path in _dialogue_files(folder):
        entries = entries_in_file(path, f"{NAME}/{path.name}", f"{split}.json")
        named = (replace(entry, where=f"{entry.where} ({entry.key})") for entry in entries)
        yield from convert_entries(named, partial(_convert_entry, split=split, database=database, of=tracker))


def _dialogue_files(folder: Path) -> Iterator[tuple[str, Path]]:
    for split in SPLITS:
        for name in (f"{split}.json", f"{split}.json.zip"):
            found = sorted(path for path in (folder / name, *folder.glob(f"*/{name}")) if path.is_file())
            if found:
                yield split, found[0]
                break


def _convert_entry(entry: CorpusEntry, split: str, database: Database, of: type[Tracker]) -> Iterator[Item]:
    log = entry.value["log"]
    tracker = of(database, _bookings_by_domain(log))
    if not log or len(log) % 2:
        yield Skipped("odd_number_of_utterances" if log else "no_user_turn", entry.where)
        return
    for user, system in zip(log[::2], log[1::2], strict=True):
        tracker.add(user, system)
    tracker.close()
    domains = sorted(tracker.services)
    services = (tracker.tool("find", domain)[0] for domain in domains)
    identity = f"{tracker.source}/{split}/{entry.key.removesuffix('.json')}"
    yield public_dialogue(identity, split, tracker.turns, services, map(MULTIWOZ.get, domains), tracker.lost)


def _bookings_by_domain(log: list[Record]) -> dict[str, tuple[tuple[str, JsonValue], ...]]:
    """What is booked at any time, by domain, as pairs of column and value."""
    found: dict[str, dict[tuple[str, JsonValue], None]] = {}
    states = (pair for utterance in log[1::2] for pair in utterance["metadata"].items())
    for domain, row in (
        (domain, row) for domain, content in states for row in content["book"].get("booked", ())
    ):
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

    read = partial(_service_tools, database=database)
    return tuple(tools_of_entries(entries_in_file(path), read, "service", "fetch the schema again"))


def _service_tools(entry: CorpusEntry, database: Database) -> Iterator[CorpusTool]:
    domain = entry.value["service_name"]
    slots = {slot["name"].partition("-")[2]: slot for slot in entry.value["slots"]}
    for intent in entry.value["intents"]:
        books = intent["name"].startswith("book_")
        returned = (BOOKABLE.get(domain, ""), "reference") if books else database.columns(domain)
        given = _parameter_names(domain, intent, books)
        required, optional, results = (
            tuple(_make_parameter(domain, name, slots, database) for name in names)
            for names in (*given, ("type", "phone") if domain == "taxi" else returned)
        )
        yield CorpusTool(
            f"{'book' if books else 'find'}_{domain}",
            domain,
            intent["description"],
            required,
            optional,
            results,
            "create" if books else "query",
            sort_topics([MULTIWOZ.get(domain)]),
        )


def _parameter_names(domain: str, intent: Record, books: bool) -> tuple[list[str], list[str]]:
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


def _make_parameter(domain: str, name: str, slots: Mapping[str, Record], database: Database) -> Parameter:
    older = {new: old for old, new in NAMES_OF_2_1.items()}.get(name, name)
    slot = slots.get(older) or slots.get(f"book{older}")
    choices = tuple(slot.get("possible_values", ())) if slot and slot.get("is_categorical") else ()
    if not choices and name in ("area", "pricerange", "departure", "destination"):
        choices = database.choices(domain, name)
    written = "HH:MM" if name in ("leaveAt", "arriveBy", "time") else None
    otherwise = f"{name} of the {domain}"
    description = slot.get("description", otherwise) if slot else otherwise
    return Parameter(name, "string", description, choices=choices, format=written)
