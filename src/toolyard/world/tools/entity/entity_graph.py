"""The statements of the encyclopaedia as triples, and the ids and labels of what they name."""

import functools
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from toolyard.core.ordered_sums import group_items
from toolyard.world.kernel.tables import plain, read_table, table_texts, table_words
from toolyard.world.reference.encyclopaedia.catalogue import catalogue
from toolyard.world.reference.encyclopaedia.catalogue_and_nouns import catalogue_entries_named, entry_by_id
from toolyard.world.reference.encyclopaedia.entries import by_name, core_entries, entries_named
from toolyard.world.reference.encyclopaedia.entry import Entry, known_id, laureates, made_up_id
from toolyard.world.tools.entity.extra_statements import add_statements
from toolyard.world.tools.entity.place_resolution import PLACES, find_place_id, home_country, is_place_meant


class Triple(NamedTuple):
    """Subject, relation and value; the value is an entity id or text."""

    head: str
    relation: str
    tail: str


@functools.cache
def every_entry() -> tuple[Entry, ...]:
    """The entries that statements are told about."""
    return tuple(add_statements(entry) for entry in (*core_entries(), *catalogue()))


@functools.cache
def by_id() -> Mapping[str, Entry]:
    """Entries by entity id, less those that are made when they are asked for."""
    return {entry["qid"]: entry for entry in reversed(every_entry())}


@functools.cache
def titles_by_id() -> Mapping[str, str]:
    """Entity id -> title of the entries."""
    return {entry["qid"]: entry["title"] for entry in every_entry()}


def find_entry(key: str) -> Entry | None:
    """The entry with an entity id, with all that is stated about it."""
    made = by_id().get(key) or entry_by_id(key)
    return add_statements(made) if made else None


def id_label(key: str) -> str:
    """The label of an entity id; other values are their own. Only values without an entry need all labels."""
    if key[:1] not in ("Q", "X") or key in titles_by_id():
        return titles_by_id().get(key, key)
    known = _office_names().get(key) or _capital_names().get(key)
    if known:
        return known
    made = entry_by_id(key)
    return made["title"] if made else labels_by_id().get(key, key)


@functools.cache
def _office_names() -> Mapping[str, str]:
    """Entity id -> name of each office that somebody held."""
    return {value_id(row["office"]): row["office"] for row in read_table("offices.tsv")}


@functools.cache
def _capital_names() -> Mapping[str, str]:
    """Entity id -> name of each capital: the dictionary calls some by older names."""
    lands = [entry for entry in core_entries() if entry["kind"] == "country"]
    named = [(one, name) for one in lands for name in one["properties"].get("P36", ()) if name]
    # Looked up in the order of the alphabet, as tables are sorted: each block of theirs is unpacked once.
    found = {
        (one["qid"], name): target_id(one, "P36", name)
        for one, name in sorted(named, key=lambda each: plain(each[1]))
    }
    return {found[one["qid"], name]: name for one, name in named}


@functools.cache
def labels_by_id() -> Mapping[str, str]:
    """Entity id -> label, for entries and for values that have no entry of their own."""
    found = dict(titles_by_id())
    for entry in every_entry():
        for relation, values in entry["properties"].items():
            for value in values:
                if is_entity(relation, value):
                    found.setdefault(target_id(entry, relation, value), value)
    return found


_LITERALS = frozenset(table_words("entity_graph.literals"))


# What entities are instances of.
CLASSES = table_texts("entity_graph.classes")


def is_entity(relation: str, value: str) -> bool:
    """Whether a value of a relation is an entity rather than a text."""
    return relation not in _LITERALS and bool(value)


@functools.lru_cache(maxsize=20_000)
def value_id(value: str) -> str:
    """The entity id of a value: its entry's where it has one."""
    known = CLASSES.get(value) or known_id("value", value)
    if known:
        return known
    name = plain(value)
    group = by_name().get(name) or catalogue_entries_named(name) or entries_named(value)
    return group[0]["qid"] if group else made_up_id(value)


# Relations whose values are people.
_PEOPLE = frozenset("P6 P22 P25 P26 P35 P40 P61 P84 P112 P169 P451 P802 P1066 P3373".split())


@functools.lru_cache(maxsize=20_000)
def _person_id(name: str) -> str:
    """The entity id of somebody: no town or film of that name is meant."""
    group = (*by_name().get(plain(name), ()), *catalogue_entries_named(plain(name)), *entries_named(name))
    people = sorted((one for one in group if one["kind"] == "person"), key=lambda one: one["title"] != name)
    return people[0]["qid"] if people else made_up_id(f"person {name}")


@functools.lru_cache(maxsize=2_000)
def job_id(name: str) -> str:
    """The entity id of an occupation: a painter is an artist here, no rope."""
    group = (one for one in entries_named(name) if one["field"] == "people" and "P279" in one["properties"])
    return next((one["qid"] for one in group), value_id(name))


def target_id(entry: Entry, relation: str, value: str) -> str:
    """What a statement points to: a place or a person where its relation asks for one, and no company lies in itself."""
    if not is_entity(relation, value):
        return value
    if relation == "P106":
        return job_id(value)
    if relation in _PEOPLE or (relation == "P527" and entry["kind"] == "band"):
        return _person_id(value)
    if relation not in PLACES:
        return value_id(value)
    found, home = value_id(value), home_country(entry, relation)
    known = by_id().get(found) or entry_by_id(found)
    return (
        found
        if found[0] == "Q" and is_place_meant(known, relation, home)
        else find_place_id(value, relation, home)
    )


def _stated_values(entry: Entry, relation: str) -> list[str]:
    """The values of a relation; a year gives way to the day where another entry of the same thing has it."""
    first = by_id().get(entry["qid"], entry)
    told_there = relation in _LITERALS and first is not entry and relation in first["properties"]
    return [] if told_there else [value for value in entry["properties"].get(relation, ()) if value]


@functools.cache
def all_triples() -> tuple[Triple, ...]:
    """Every statement of the graph."""
    stated = (
        Triple(entry["qid"], relation, target_id(entry, relation, value))
        for entry in every_entry()
        for relation in entry["properties"]
        for value in _stated_values(entry, relation)
    )
    return tuple(dict.fromkeys((*stated, *office_triples(), *award_triples())))


@functools.lru_cache(maxsize=64)
def triples_by_relation(relation: str) -> tuple[Triple, ...]:
    """The statements with one relation, which are told without looking up the values of all others."""
    return _collect_triples(every_entry(), relation, _office_or_award_triples(relation))


def triples_about(head: str, relation: str) -> tuple[Triple, ...]:
    """The statements about one entity with one relation, which are told without those of others."""
    further = (triple for triple in _office_or_award_triples(relation) if triple.head == head)
    return _collect_triples(_entries_with_id().get(head, ()), relation, further)


def _collect_triples(
    told_about: Iterable[Entry], relation: str, further: Iterable[Triple]
) -> tuple[Triple, ...]:
    stated = (
        Triple(entry["qid"], relation, target_id(entry, relation, value))
        for entry in told_about
        for value in _stated_values(entry, relation)
    )
    return tuple(dict.fromkeys((*stated, *further)))


def _office_or_award_triples(relation: str) -> tuple[Triple, ...]:
    return office_triples() if relation == "P39" else award_triples() if relation == "P166" else ()


@functools.cache
def _entries_with_id() -> Mapping[str, list[Entry]]:
    """Entity id -> its entries, of which there may be several."""
    return group_items(every_entry(), lambda entry: entry["qid"])


@functools.cache
def office_triples() -> tuple[Triple, ...]:
    """Who held an office, as far as there is an entry of the person."""
    found: list[Triple] = []
    for row in read_table("offices.tsv"):
        for name in row["names"].split(";"):
            people = [one for one in entries_named(name) if one["kind"] == "person"]
            found += [Triple(one["qid"], "P39", value_id(row["office"])) for one in people[:1]]
    return tuple(found)


@functools.cache
def award_triples() -> tuple[Triple, ...]:
    """Who received a Nobel prize, the latest first, as far as there is an entry of the person."""
    found: list[Triple] = []
    for name, prizes in reversed(list(laureates().items())):
        group = (*by_name().get(plain(name), ()), *catalogue_entries_named(plain(name)))
        people = [one for one in group if one["kind"] == "person"]
        found += [Triple(one["qid"], "P166", value_id(prize)) for one in people[:1] for prize in prizes]
    return tuple(dict.fromkeys(found))
