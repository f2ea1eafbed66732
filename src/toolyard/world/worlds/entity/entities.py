"""Entity/Wiki_data: the entries of the encyclopaedia as a graph of entities and properties."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Annotated, NamedTuple, TypedDict

from toolyard.world.faults import invalid, not_found
from toolyard.world.reference import wordnet
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.shared.catalogue import catalogue
from toolyard.world.shared.entries import about, by_name, entries, look_up, named
from toolyard.world.shared.entry import Entry, EntryTitle, known_id, made_up_id, names_by_id
from toolyard.world.shared.wide import catalogued, numbered
from toolyard.world.shared.wide import named as wide_named
from toolyard.world.tables import plain, read_table
from toolyard.world.types import SearchText, Semantic
from toolyard.world.worlds.entity.places_meant import PLACES, home_of, keeps, place_meant
from toolyard.world.worlds.entity.relations import ALSO_CALLED, relations

GROUP = "Entity/Wiki_data"
EntityId = Annotated[str, Semantic("entity_id", r"[QX]\d{1,12}")]
RelationId = Annotated[str, Semantic("relation_id", r"P\d{1,6}")]
Tail = Annotated[str, Semantic("entity_id", accepts=("country", "city", "company"))]


class Relation(TypedDict):
    relation_id: RelationId
    relation: str


class Statement(TypedDict):
    relation_id: RelationId
    relation: str
    value: str
    value_id: EntityId | None


class Described(TypedDict):
    entity_id: EntityId
    label: EntryTitle
    description: str
    statements: list[Statement]


class Head(TypedDict):
    entity_id: EntityId
    label: EntryTitle
    relation_id: RelationId
    relation: str


class Match(TypedDict):
    entity_id: EntityId
    label: EntryTitle
    description: str
    aliases: list[str]


class Triple(NamedTuple):
    """Subject, relation and value; the value is an entity id or text."""

    head: str
    relation: str
    tail: str


def _all() -> tuple[Entry, ...]:
    return (*entries(), *catalogue())


@functools.cache
def by_id() -> Mapping[str, Entry]:
    """Entries by entity id, less those that are made when they are asked for."""
    return {entry["qid"]: entry for entry in reversed(_all())}


@functools.cache
def _titles() -> Mapping[str, str]:
    return {entry["qid"]: entry["title"] for entry in _all()}


def label_of(key: str) -> str:
    """The label of an entity id; other values are their own. Only values without an entry need all labels."""
    if key[:1] not in ("Q", "X") or key in _titles():
        return _titles().get(key, key)
    if key in _capitals():
        return _capitals()[key]
    made = numbered(key)
    return made["title"] if made else labels().get(key, key)


@functools.cache
def _capitals() -> Mapping[str, str]:
    """Entity id -> name of each capital: the dictionary calls some by older names."""
    lands = [entry for entry in entries() if entry["kind"] == "country"]
    return {
        target_of(one, "P36", name): name
        for one in lands
        for name in one["properties"].get("P36", ())
        if name
    }


@functools.cache
def labels() -> Mapping[str, str]:
    """Entity id -> label, for entries and for values that have no entry of their own."""
    found = dict(_titles())
    for entry in _all():
        for relation, values in entry["properties"].items():
            for value in values:
                if _is_entity(relation, value):
                    found.setdefault(target_of(entry, relation, value), value)
    return found


_LITERALS = frozenset(
    "P229 P230 P249 P297 P421 P569 P570 P571 P577 P625 P856 P1082 P1083 P1128 P2043 P2044 P2046 P2048 P2067 P2120 "
    "P2583".split()
)


# What entities are instances of.
_CLASSES = {
    "human": "Q5", "country": "Q6256", "city": "Q515", "company": "Q783794", "university": "Q3918", "film": "Q11424",
    "song": "Q7366", "musical group": "Q215380", "literary work": "Q7725634", "television series": "Q5398426",
    "museum": "Q33506", "painting": "Q3305213", "work of art": "Q838948", "planet": "Q634", "continent": "Q5107",
    "Africa": "Q15", "Asia": "Q48", "Europe": "Q46", "North America": "Q49", "South America": "Q18", "Oceania": "Q55643",
    "Antarctica": "Q51", "NYSE": "Q13677",
}  # fmt: skip


def _is_entity(relation: str, value: str) -> bool:
    return relation not in _LITERALS and bool(value)


@functools.lru_cache(maxsize=20_000)
def value_id(value: str) -> str:
    """The entity id of a value: its entry's where it has one."""
    known = _CLASSES.get(value) or known_id("value", value)
    if known:
        return known
    name = plain(value)
    group = by_name().get(name) or catalogued(name) or named(value)
    return group[0]["qid"] if group else made_up_id(value)


def target_of(entry: Entry, relation: str, value: str) -> str:
    """What a statement points to: a place where its relation asks for one, and no company lies in itself."""
    if not _is_entity(relation, value):
        return value
    if relation not in PLACES:
        return value_id(value)
    found, home = value_id(value), home_of(entry, relation)
    known = by_id().get(found) or numbered(found)
    return found if found[0] == "Q" and keeps(known, relation, home) else place_meant(value, relation, home)


def _stated(entry: Entry, relation: str) -> list[str]:
    """The values of a relation; a year gives way to the day where another entry of the same thing has it."""
    first = by_id().get(entry["qid"], entry)
    told_there = relation in _LITERALS and first is not entry and relation in first["properties"]
    return [] if told_there else [value for value in entry["properties"].get(relation, ()) if value]


@functools.cache
def triples() -> tuple[Triple, ...]:
    """Every statement of the graph."""
    stated = (
        Triple(entry["qid"], relation, target_of(entry, relation, value))
        for entry in _all()
        for relation in entry["properties"]
        for value in _stated(entry, relation)
    )
    return tuple(dict.fromkeys((*stated, *_in_office())))


@functools.lru_cache(maxsize=64)
def triples_of(relation: str) -> tuple[Triple, ...]:
    """The statements with one relation, which are told without looking up the values of all others."""
    stated = (
        Triple(entry["qid"], relation, target_of(entry, relation, value))
        for entry in _all()
        for value in _stated(entry, relation)
    )
    return tuple(dict.fromkeys((*stated, *(_in_office() if relation == "P39" else ()))))


@functools.cache
def _in_office() -> tuple[Triple, ...]:
    """Who held an office, as far as there is an entry of the person."""
    found: list[Triple] = []
    for row in read_table("offices.tsv"):
        for name in row["names"].split(";"):
            people = [one for one in named(name) if one["kind"] == "person"]
            found += [Triple(one["qid"], "P39", value_id(row["office"])) for one in people[:1]]
    return tuple(found)


def _description(entry: Entry) -> str:
    where = entry["properties"].get("P17") or entry["properties"].get("P27") or [entry["field"]]
    kind = (entry["properties"].get("P106") or [entry["kind"]])[0]
    if kind == "place":
        kind = entry["properties"]["P31"][0]
    return f"{kind} ({', '.join(where[:2])})"


def _with_office(entry: Entry) -> Mapping[str, list[str]]:
    """What is stated about a thing, with the office that a person held."""
    known = entry["properties"]
    held = [label_of(one.tail) for one in _in_office() if one.head == entry["qid"]]
    return {**known, "P39": held} if held and "P39" not in known else known


@tool(
    GROUP,
    examples=[{"input": "Q76"}, {"input": "Q111"}],
    phrase="get all Wikidata statements about the entity whose id is {input}",
    noun="the statements about the entity",
)
def find_entity(*, input: EntityId) -> Described:  # noqa: A002 - the documented name
    """All statements about an entity: relations and their values.

    input: Id of the entity, e.g. Q76; get_entity_id finds it. What has no known Wikidata id has one with X instead of Q.
    """
    entry = by_id().get(input) or numbered(input)
    if entry is None and input in names_by_id():
        return {"entity_id": input, "label": labels().get(input, names_by_id()[input][0].title()),
                "description": "value of statements", "statements": []}  # fmt: skip
    if entry is None:
        raise not_found("entity with statements", input, such_as=("Q76", "Q2", "Q84", "Q937", "Q90"))
    statements: list[Statement] = [
        {
            "relation_id": relation,
            "relation": relations()[relation],
            "value": value,
            "value_id": target_of(entry, relation, value) if _is_entity(relation, value) else None,
        }
        for relation, values in _with_office(entry).items()
        for value in values
    ]
    return {
        "entity_id": entry["qid"],
        "label": label_of(entry["qid"]),
        "description": _description(entry),
        "statements": statements,
    }


@tool(
    GROUP,
    examples=[{"input": "Q30"}, {"input": "Japan"}],
    phrase="find the Wikidata entities that have a statement whose value is {input}",
    noun="the list of entities with the value",
)
def find_entity_by_tail(*, input: Tail) -> list[Head]:  # noqa: A002 - the documented name
    """Entities that have a statement with this value, 30 at most.

    input: Id or name of the value, e.g. Q30 or physicist.
    """
    wanted = input.strip()
    found = _statements_with(wanted)
    heads: list[Head] = [
        {
            "entity_id": triple.head,
            "label": by_id()[triple.head]["title"],
            "relation_id": triple.relation,
            "relation": relations()[triple.relation],
        }
        for triple in found[:30]
    ]
    heads = heads or _kinds_of(wanted)
    if not heads and value_id(wanted).startswith("X") and not named(wanted) and wanted.upper() not in by_id():
        raise not_found("entity or value", wanted[:60], such_as=("Q30", "Japan", "physicist"))
    return heads


def _statements_with(wanted: str) -> list[Triple]:
    """The statements with a value, given by id or name; only values that may be meant are looked up."""
    targets = {wanted.upper(), wanted.casefold(), value_id(wanted)}
    names = {plain(wanted), *(name for target in targets for name in names_by_id().get(target, ()))}
    names |= {name for name, number in _CLASSES.items() if number in targets}
    for target in targets:
        entry = by_id().get(target) or numbered(target)
        names |= {plain(name) for name in (entry["title"], *entry["aliases"])} if entry else set()
    found = [
        Triple(entry["qid"], relation, target_of(entry, relation, value))
        for entry in _all()
        for relation, values in entry["properties"].items()
        for value in values
        if plain(value) in names
    ]
    found = [triple for triple in found if triple.tail in targets or triple.tail.casefold() in targets]
    # Values without an entry have an id that only the whole graph tells.
    return found or [triple for triple in triples() if wanted.startswith("X1") and triple.tail in targets]


def _kinds_of(wanted: str) -> list[Head]:
    """What the dictionary has as kinds and instances of a noun, given by id or name."""
    entry = by_id().get(wanted.upper()) or numbered(wanted.upper()) or next(iter(named(wanted)), None)
    senses = [sense for sense in wordnet.senses(entry["title"]) if sense.part == "n"] if entry else []
    found: list[Head] = []
    for sense in senses[:1]:
        for sign, relation in (("~", "P279"), ("~i", "P31")):
            for below in wordnet.related(sense, sign)[:15]:
                head = next(iter(named(below.words[0])), None)
                if head is not None:
                    found.append(
                        {
                            "entity_id": head["qid"],
                            "label": head["title"],
                            "relation_id": relation,
                            "relation": relations()[relation],
                        }
                    )
    return found


def _homonyms(name: str) -> list[Entry]:
    """Things of the dictionary that have the name of something else: Mercury is a planet and an element."""
    known = {entry["qid"] for entry in named(name)}
    found = [entry for entry in wide_named(plain(name), True) if "P279" in entry["properties"]]
    return [entry for entry in found if known and entry["qid"] not in known]


@tool(
    GROUP,
    examples=[{"input": "Obama"}, {"input": "Mercury"}],
    phrase="find the Wikidata entity id of something named {input}",
    noun="the Wikidata entity search",
)
def get_entity_id(*, input: SearchText) -> list[Match]:  # noqa: A002 - the documented name
    """Entities with this name or one like it, those called exactly so first.

    input: Name of a person, place or thing.
    """
    if not plain(input):
        raise invalid("input", input, "give the name of a person, place or thing")
    exact = [*named(input), *_homonyms(input)] or [entry for entry in [look_up(input)] if entry]
    asked = set(words(input))
    near = [
        entry
        for entry in about(input, 20)
        if entry not in exact and asked <= set(words(" ".join([entry["title"], *entry["aliases"]])))
    ]
    near = near if exact else [*near, *about(input, 3)]
    return [
        {
            "entity_id": entry["qid"],
            "label": entry["title"],
            "description": _description(entry),
            "aliases": entry["aliases"],
        }
        for entry in (exact + near)[:8]
    ]


@tool(
    GROUP,
    examples=[{"input": "birth"}, {"input": "capital"}],
    phrase="find the Wikidata relation id for relations with {input} in their name",
    noun="the Wikidata relation search",
)
def get_relation_id(*, input: str) -> list[Relation]:  # noqa: A002 - the documented name
    """Relations whose name has these words, with the ids that queries need.

    input: Word of the relation, e.g. birth.
    """
    wanted = plain(input).split()
    if not wanted:
        raise invalid("input", input, "give a word of a relation, such as birth or capital")
    found = [(key, name) for key, name in relations().items() if all(word in plain(name) for word in wanted)]
    found = found or [
        (key, relations()[key]) for key, also in ALSO_CALLED.items() if set(wanted) <= set(also.split())
    ]
    if not found:
        raise not_found("relation with", input[:60], known=list(relations().values()))
    return [{"relation_id": key, "relation": name} for key, name in found[:20]]
