"""The statements of the encyclopaedia as triples, and the ids and labels of what they name."""

import functools
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from toolyard.core.ordered_sums import group_items
from toolyard.world.kernel.tables import plain, read_table, table_texts, table_words
from toolyard.world.reference.companies import companies
from toolyard.world.reference.encyclopaedia.catalogue import catalogue
from toolyard.world.reference.encyclopaedia.catalogue_and_nouns import catalogue_entries_named, entry_by_id
from toolyard.world.reference.encyclopaedia.catalogue_and_nouns import wide_entries_named as wide_named
from toolyard.world.reference.encyclopaedia.entries import by_name, core_entries, entries_named
from toolyard.world.reference.encyclopaedia.entry import Entry, known_id, laureates, made_up_id
from toolyard.world.reference.encyclopaedia.place_entries import town_entry
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places.gazetteer import TABLES, read_city
from toolyard.world.reference.places.geography import cities, countries, country_names

# Relations whose values are places, and those whose values lie in the country of what is told about.
PLACES = frozenset(("P36", "P131", "P19", "P20", "P159", "P740", "P551"))
_AT_HOME = frozenset(("P36", "P131", "P159"))
_AREA = re.compile(
    r"state\b|province|district|region|country|island|area|territory|county|archipelago|range|"
    r"principality|department|peninsula|valley|landmark|place"
)
_KINDS = frozenset(("city", "place", "country", "continent", "landmark"))


@functools.cache
def _country_codes() -> Mapping[str, str]:
    return {row["name"]: row["code"] for row in countries()}


def home_country(entry: Entry, relation: str) -> str:
    """The country in which the value of a statement lies; "" where the statement does not tell."""
    if relation not in _AT_HOME:
        return ""
    own = entry["title"] if entry["kind"] == "country" else ""
    return own or next(iter(entry["properties"].get("P17", ())), "")


def _is_place(entry: Entry) -> bool:
    return entry["kind"] in _KINDS or (entry["field"] == "geography" and entry["kind"] != "person")


def _has_name(entry: Entry, value: str) -> bool:
    names = (plain(name).replace("-", " ") for name in (entry["title"], *entry["aliases"]))
    return plain(value).replace("-", " ") in names


def _lies_in(entry: Entry, home: str) -> bool:
    """Whether a place is one of a country, as far as its entry tells."""
    lands = entry["properties"].get("P17")
    return home in lands if lands else plain(home) in plain(entry["text"])


def _best_at_home(found: Iterable[Entry], value: str, relation: str, home: str) -> str:
    fitting = [entry for entry in found if _is_place(entry) and _has_name(entry, value)]
    if not home:
        return fitting[0]["qid"] if fitting else ""
    at_home = [entry["qid"] for entry in fitting if _lies_in(entry, home)]
    if relation == "P131" and not at_home:  # a region need not say where it lies
        plain_ones = [entry for entry in fitting if "P17" not in entry["properties"]]
        at_home = [entry["qid"] for entry in plain_ones if _AREA.search(entry["kind"])]
    return at_home[0] if at_home else ""


def _town_id(value: str, home: str) -> str:
    """The largest town of this name, in a country where one is given."""
    code = _country_codes().get(home, "")
    if home and not code:
        return ""
    names = (plain(value), plain(value).replace("-", " "), plain(value).replace(" ", "-"))
    rows = [
        row for table in TABLES for name in dict.fromkeys(names) for row in packed_table(table).with_key(name)
    ]
    rows = [row for row in rows if not home or row[2] == code]
    if not rows:
        return ""
    city = read_city(max(rows, key=lambda row: int(row[6])))
    if city["id"] in {row["id"] for row in cities()}:
        return known_id("city", f"{city['name']}, {city['country_code']}")
    return town_entry(city)["qid"]


def is_place_meant(entry: Entry | None, relation: str, home: str) -> bool:
    """Whether the thing that has the name of a place is that place: one with a known id, unless its entry says otherwise."""
    if entry is None or not home:
        return entry is None or _is_place(entry)
    lands = entry["properties"].get("P17")
    return _is_place(entry) and (home in lands if lands else relation == "P131")


@functools.lru_cache(maxsize=20_000)
def find_place_id(value: str, relation: str, home: str) -> str:
    """The entity id of the place that a value of this relation names; one of our own where nothing on record is it."""
    name = plain(value)
    known = (*by_name().get(name, ()), *entries_named(value), *wide_named(name, True))
    found = _best_at_home(known, value, relation, home) or _town_id(value, home)
    return found or made_up_id(f"{value}, {home}" if home else value)


# Relations of which a thing has one value, the encyclopaedia's before ours.
_SINGLE = frozenset(("P20", "P571", "P856"))
_CODE, _NEIGHBOURS = 0, -1
_NO_BORDER = {"US", "CU"}  # a naval base is none


@functools.cache
def _further_statements() -> Mapping[str, Mapping[str, list[str]]]:
    """Title -> relation -> values, out of the table and of what is known of countries and companies."""
    found: dict[str, dict[str, list[str]]] = {}
    for row in read_table("entity_statements.tsv"):
        pairs = (part.split("=", 1) for part in row["statements"].split(";"))
        found[row["title"]] = {key: value.split("|") for key, value in pairs}
    for row in read_table("entity_groups.tsv"):
        for title in row["titles"].split(";"):
            found.setdefault(title, {"P21": []}).setdefault(row["relation"], []).append(row["value"])
    names = country_names()
    for land in packed_table("countries"):
        beside = sorted(
            names[code]
            for code in land[_NEIGHBOURS].split(",")
            if code in names and {code, land[_CODE]} != _NO_BORDER
        )
        if beside and land[_CODE] in names:
            found.setdefault(names[land[_CODE]], {})["P47"] = beside
    called = {row["ticker"]: row["name"] for row in companies()}
    for row in read_table("officers.tsv"):
        if row["title"] == "Chief Executive Officer" and row["ticker"] in called:
            found.setdefault(called[row["ticker"]], {})["P169"] = [row["name"]]
    return found


_LANGUAGES = frozenset("Q1860 Q150 Q188 Q1321 Q652 Q5287 Q7850 Q7737 Q13955 Q1568 Q5146".split())
_AGENCIES = frozenset(("NASA", "UNESCO", "NATO"))


def add_statements(entry: Entry) -> Entry:
    """An entry with all that is stated about it; a song called after a band is not that band."""
    if entry["qid"] in _LANGUAGES:
        return {**entry, "kind": "language", "properties": {"P31": ["language"], **entry["properties"]}}
    if entry["title"] in _AGENCIES and "P279" in entry["properties"]:
        kinds = {"P31" if key == "P279" else key: values for key, values in entry["properties"].items()}
        entry = {**entry, "properties": kinds}
    told = _further_statements().get(entry["title"])
    own = entry["properties"]
    about_person = told is not None and ("P21" in told) == (entry["kind"] == "person")
    if told is None or not about_person or entry["kind"] in ("song", "book", "album", "film", "word"):
        return entry
    if {"P47", "P35"} & told.keys() and entry["kind"] != "country":
        return entry
    if "P2043" in told and "river" not in (entry["kind"], *own.get("P31", ())):
        return entry
    merged = {
        key: list(dict.fromkeys((*own.get(key, ()), *values)))
        for key, values in told.items()
        if values and not (key in _SINGLE and key in own)
    }
    return {**entry, "properties": {**own, **merged}}


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
