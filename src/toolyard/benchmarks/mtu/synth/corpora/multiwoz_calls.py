"""The turns of a MultiWOZ dialogue with the calls that its state implies; the rules stand in `multiwoz`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusCall, CorpusTurn, Label
from toolyard.benchmarks.mtu.synth.corpora.detokenise import detokenise
from toolyard.benchmarks.mtu.synth.corpora.exchanges import label_of
from toolyard.benchmarks.mtu.synth.corpora.multiwoz_database import Database, Row, normal
from toolyard.benchmarks.mtu.synth.corpora.source_rows import MultiwozActs, MultiwozDomain, MultiwozUtterance
from toolyard.core.types import JsonValue

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

    database: Database
    ahead: Mapping[str, tuple[tuple[str, JsonValue], ...]] = field(default_factory=dict)
    turns: list[CorpusTurn] = field(default_factory=list)
    services: set[str] = field(default_factory=set)
    lost: list[str] = field(default_factory=list)
    active: str = ""
    states: dict[str, DomainState] = field(default_factory=dict)
    searched: dict[str, dict[str, JsonValue]] = field(default_factory=dict)
    waiting: dict[str, list[Row]] = field(default_factory=dict)
    offered: dict[str, str] = field(default_factory=dict)

    def add(self, user: MultiwozUtterance, system: MultiwozUtterance) -> None:
        """One more turn."""
        acts = system["dialog_act"]
        text = detokenise(system["text"])
        slots = self._update(system["metadata"])
        self._activate(slots, user["dialog_act"], acts)
        calls = (*self._finds(acts), *self._bookings(acts, text), *self._failures(acts))
        self._remember(acts)
        self.services.update(call.service for call in calls)
        said = detokenise(user["text"])
        label = "call" if calls else _label(acts, said, text)
        self.turns.append(CorpusTurn(said, text, label, _intents(slots), slots, calls))

    def close(self) -> None:
        """The dialogue is over: bookings that no answer showed are lost."""
        self.lost += ["booked_but_never_shown" for rows in self.waiting.values() for _ in rows]

    def _update(self, metadata: Mapping[str, MultiwozDomain]) -> dict[str, JsonValue]:
        slots: dict[str, JsonValue] = {}
        for domain, content in metadata.items():
            before = self.states.get(domain, DomainState())
            book = {name: value for name, value in content["book"].items() if name != "booked"}
            after = DomainState(_values(content["semi"]), _values(book), booked_rows(content))
            slots |= {f"{domain}.{n}": v for n, v in after.semi.items() if before.semi.get(n) != v}
            slots |= {f"{domain}.book_{n}": v for n, v in after.book.items() if before.book.get(n) != v}
            fresh = [row for row in after.booked if row not in before.booked]
            if fresh:
                self.waiting[domain] = fresh
            self.states[domain] = after
        return slots

    def _activate(self, slots: Mapping[str, JsonValue], asked: MultiwozActs, answered: MultiwozActs) -> None:
        named = [act.partition("-")[0].lower() for act in (*asked, *answered)]
        domains = [name for name in named if name not in ("booking", "general")]
        domains += [slot.partition(".")[0] for slot in slots]
        self.services.update(domains)
        if domains:
            # What the user speaks of comes first; the state may still be filling in an earlier domain.
            self.active = domains[0]

    def _finds(self, acts: MultiwozActs) -> Iterator[CorpusCall]:
        for domain in dict.fromkeys(_domain(act) for act in acts if _kind(act) in FINDING):
            if domain not in SEARCHABLE:
                continue
            wanted = wanted_of(self.states.get(domain, DomainState()).semi)
            if self.searched.get(domain) == wanted or (not wanted and domain != "police"):
                continue
            self.searched[domain] = wanted
            yield CorpusCall(f"find_{domain}", domain, wanted, self._results(domain, wanted, acts))

    def _results(self, domain: str, wanted: dict[str, JsonValue], acts: MultiwozActs) -> tuple[Row, ...]:
        mine = [(_kind(act), pairs) for act, pairs in acts.items() if _domain(act) == domain]
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

    def _bookings(self, acts: MultiwozActs, text: str) -> Iterator[CorpusCall]:
        for domain in sorted(self.waiting):
            if self._is_shown(domain, acts, text):
                rows = self.waiting.pop(domain)
                yield CorpusCall(f"book_{domain}", domain, self._booking(domain, rows[0]), tuple(rows))

    def _is_shown(self, domain: str, acts: MultiwozActs, text: str) -> bool:
        if domain == "taxi" and "Taxi-Inform" in acts:
            return True
        if domain != "taxi" and ("Booking-Book" in acts or f"{domain.capitalize()}-OfferBooked" in acts):
            return True
        flat = normal(text)
        return any(normal(row.get("reference") or row.get("phone")) in flat for row in self.waiting[domain])

    def _booking(self, domain: str, row: Row) -> dict[str, JsonValue]:
        state = self.states[domain]
        if domain not in BOOKABLE:
            return wanted_of(state.semi)
        key = BOOKABLE[domain]
        thing = row.get(key) or state.semi.get(key)
        return {**({key: thing} if thing else {}), **wanted_of(state.book)}

    def _failures(self, acts: MultiwozActs) -> Iterator[CorpusCall]:
        if "Booking-NoBook" not in acts:
            return
        state, domain = self.states.get(self.active, DomainState()), self.active
        if domain not in BOOKABLE or not wanted_of(state.book):
            self.lost.append("refused_without_a_booking")
            return
        names = [value for slot, value in acts["Booking-NoBook"] if slot == "Name" and value not in EMPTY]
        named = names[0] if names and domain != "train" else None
        offered = None if state.semi.get(BOOKABLE[domain]) else self.offered.get(domain)
        parameters = self._booking(domain, {BOOKABLE[domain]: named or offered})
        if BOOKABLE[domain] in parameters:
            yield CorpusCall(f"book_{domain}", domain, parameters, (), True)
        else:
            self.lost.append("refused_without_a_name")

    def _remember(self, acts: MultiwozActs) -> None:
        """What the system spoke of last: a booking that names nothing is of that."""
        for act, pairs in acts.items():
            for slot, value in pairs:
                if SLOT_OF_ACT.get(slot) in ("name", "trainID") and value not in ("?", *EMPTY):
                    self.offered[_domain(act)] = value


def booked_rows(domain: MultiwozDomain) -> list[Row]:
    """What is booked in a domain; the list stands among the slots of the booking."""
    return list(cast(Sequence[Row], domain["book"].get("booked", ())))


def _domain(act: str) -> str:
    return act.partition("-")[0].lower()


def _kind(act: str) -> str:
    return act.partition("-")[2]


def _values(slots: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The slots that say something; alternatives ("a|b") as a list."""
    found: dict[str, JsonValue] = {}
    for name, value in slots.items():
        text = str(value).strip()
        if text in EMPTY:
            continue
        found[name] = text.split("|") if "|" in text else text
    return found


def wanted_of(slots: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """What a call can ask for: neither "dontcare" nor what must not be ("NOT(...)")."""
    return {
        name: value
        for name, value in slots.items()
        if value != "dontcare" and not (isinstance(value, str) and value.startswith("NOT("))
    }


def _intents(slots: Mapping[str, JsonValue]) -> tuple[tuple[str, str], ...]:
    found: dict[tuple[str, str], None] = {}
    for name in slots:
        domain, _, slot = name.partition(".")
        books = slot.startswith("book_") or domain == "taxi"
        found[domain, f"{'book' if books else 'find'}_{domain}"] = None
    return tuple(found)


def _label(acts: MultiwozActs, user: str, assistant: str) -> Label:
    kinds = {_kind(act) for act in acts if _domain(act) != "general"}
    if "Request" in kinds:
        return "missing"
    if "Booking-Inform" in acts or "OfferBook" in kinds:
        return "confirmed"
    if kinds:
        return "exists"
    return "chat" if acts else label_of(user, assistant, called=False)
