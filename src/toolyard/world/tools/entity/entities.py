"""Entity/Wiki_data: the entries of the encyclopaedia as a graph of entities and properties."""

import functools
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, TypedDict

from toolyard.world.index import words
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.tables import plain, read_table
from toolyard.world.kernel.types import SearchText, Semantic
from toolyard.world.reference import wordnet
from toolyard.world.reference.encyclopaedia.catalogue_and_nouns import entry_by_id, films_with, sense_entry
from toolyard.world.reference.encyclopaedia.catalogue_and_nouns import wide_entries_named as wide_named
from toolyard.world.reference.encyclopaedia.entries import about, entries_named, look_up_entry, suggest_titles
from toolyard.world.reference.encyclopaedia.entry import Entry, EntryTitle, laureates, names_by_id, relations
from toolyard.world.tools.entity.entity_graph import (
    CLASSES,
    Triple,
    all_triples,
    award_triples,
    by_id,
    every_entry,
    find_entry,
    id_label,
    is_entity,
    job_id,
    office_triples,
    target_id,
    titles_by_id,
    triples_by_relation,
    value_id,
)

GROUP = Group("Entity/Wiki_data")
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


# Kinds that say less than what a thing is an instance of.
_VAGUE = frozenset(("place", "work", "celestial", "technology", "concept", "product", "landmark"))


# What stands behind a title to tell it from others: Python (programming language).
_APART = re.compile(r" \(([^)]+)\)$")


def _kind(entry: Entry) -> str:
    """What a thing is, as closely as is known."""
    known, apart = entry["properties"], _APART.search(entry["title"])
    if apart:
        return apart[1]
    job, instance = next(iter(known.get("P106", ())), ""), next(iter(known.get("P31", ())), "")
    return job or (instance if entry["kind"] in _VAGUE and instance else entry["kind"])


def _entry_description(entry: Entry) -> str:
    """What a thing is, and what tells it from others of its name: its country, its continent, its year, its maker."""
    known, kind = entry["properties"], _kind(entry)
    held = [id_label(one.tail) for one in office_triples() if one.head == entry["qid"]]
    if held and "P106" not in known:
        return held[0]
    where = known.get("P17") or known.get("P27") or known.get("P30")
    if where:
        return f"{kind} ({', '.join(where[:2])})"
    maker = next((known[key][0] for key in ("P50", "P57", "P175", "P170") if known.get(key)), "")
    made = f"{kind} by {maker}" if maker and maker != "Unknown" else kind
    year = next(iter(known.get("P577", ())), "")[:4]
    return f"{made} ({year})" if year else made


def _add_offices(entry: Entry) -> Mapping[str, list[str]]:
    """What is stated about a thing, with the office that a person held and the prizes that he or she received."""
    known = entry["properties"]
    if entry["kind"] == "person" and entry["title"] in laureates():
        known = {**known, "P166": list(dict.fromkeys((*known.get("P166", ()), *laureates()[entry["title"]])))}
    held = [id_label(one.tail) for one in office_triples() if one.head == entry["qid"]]
    return {**known, "P39": held} if held and "P39" not in known else known


@GROUP.tool(
    examples=[{"input": "Q76"}, {"input": "Q111"}],
    phrase="get all Wikidata statements about the entity whose id is {input}",
    noun="the statements about the entity",
)
def find_entity(*, input: EntityId) -> Described:  # noqa: A002 - the documented name
    """Statements about an entity; value_id is given where the value is an entity.

    input: Id of the entity, e.g. Q76; get_entity_id finds it. What has no known Wikidata id has one with X instead of Q.
    """
    entry = find_entry(input)
    if entry is None and (input in names_by_id() or input in CLASSES.values()):
        return _described_number(input)
    if entry is None:
        raise not_found("entity with statements", input, such_as=("Q76", "Q2", "Q84", "Q937", "Q90"))
    statements: list[Statement] = [
        {
            "relation_id": relation,
            "relation": relations()[relation].name,
            "value": value,
            "value_id": _known_target(entry, relation, value),
        }
        for relation, values in _add_offices(entry).items()
        for value in values
    ]
    return {
        "entity_id": entry["qid"],
        "label": id_label(entry["qid"]),
        "description": _entry_description(entry),
        "statements": statements,
    }


def _known_target(entry: Entry, relation: str, value: str) -> str | None:
    """The Wikidata id of a value; None where it is a text or its id is not known."""
    found = target_id(entry, relation, value) if is_entity(relation, value) else ""
    return found if found.startswith("Q") else None


def _described_number(number: str) -> Described:
    """What is known of an entity that other things only point to: a class, a prize, an office."""
    own = next((name for name, known in CLASSES.items() if known == number), "")
    offices = {plain(row["office"]): row["office"] for row in read_table("offices.tsv")}
    given = [row["value"] for row in read_table("entity_groups.tsv") if row["relation"] == "P166"]
    prizes = {plain(name): name for name in (*given, *(one for won in laureates().values() for one in won))}
    called = names_by_id().get(number, (number,))[0]
    label = own or offices.get(called) or prizes.get(called) or called.title()
    kind = "class" if own else "position" if called in offices else "award" if called in prizes else ""
    statement = Statement(relation_id="P31", relation="instance of", value=kind, value_id=value_id(kind))
    return {
        "entity_id": number,
        "label": label,
        "description": kind or "value of statements",
        "statements": [statement] if kind in ("position", "award") else [],
    }


@GROUP.tool(
    examples=[{"input": "Q30"}, {"input": "Japan"}],
    phrase="find the Wikidata entities that have a statement whose value is {input}",
    noun="the list of entities with the value",
)
def find_entity_by_tail(*, input: Tail) -> list[Head]:  # noqa: A002 - the documented name
    """Some entities that have a statement with this value, 30 at most.

    input: Id or name of the value, e.g. Q30 or physicist.
    """
    wanted = input.strip()
    found = dict.fromkeys((triple.head, triple.relation) for triple in _statements_with(wanted))
    known_first = sorted(found, key=lambda pair: pair[1] == "P17" and not pair[0].startswith("Q"))
    heads = [_make_head(*pair) for pair in known_first[:30]]
    heads = heads or _kinds_of_noun(wanted)
    if (
        not heads
        and value_id(wanted).startswith("X")
        and not entries_named(wanted)
        and not find_entry(wanted.upper())
    ):
        raise not_found("entity or value", wanted[:60], such_as=("Q30", "Japan", "physicist"))
    return heads


def _make_head(entity: str, relation: str) -> Head:
    label = id_label(entity)
    return {
        "entity_id": entity,
        "label": label,
        "relation_id": relation,
        "relation": relations()[relation].name,
    }


_IN_FILMS = re.compile(r"act(?:or|ress)|director|film|comedian|singer|rapper|musician|model|wrestler|dancer")


def _film_triples(targets: set[str]) -> list[Triple]:
    """The films that somebody made or plays in, which have no entry before they are asked for."""
    label = next((id_label(key) for key in targets if key[:1] in "QX" and key in titles_by_id()), "")
    jobs = {job for one in entries_named(label) if label for job in one["properties"].get("P106", ())}
    if jobs and not any(_IN_FILMS.search(job) for job in jobs):
        return []  # who is only seen in a documentary plays no part
    return [
        Triple(film["qid"], relation, label)
        for relation in ("P57", "P161")
        for film in (films_with(label, relation) if label else ())
    ]


@functools.lru_cache(maxsize=256)
def _statements_with(wanted: str) -> list[Triple]:
    """The statements with a value, given by id or name; only values that may be meant are looked up."""
    targets = {wanted.upper(), wanted.casefold(), value_id(wanted), job_id(wanted)}
    names = {plain(wanted), *(name for target in targets for name in names_by_id().get(target, ()))}
    names |= {name for name, number in CLASSES.items() if number in targets}
    for target in targets:
        entry = by_id().get(target) or entry_by_id(target)
        names |= {plain(name) for name in (entry["title"], *entry["aliases"])} if entry else set()
    prize = next((sign for sign, called in _PRIZES.items() if called & {plain(wanted), wanted.upper()}), "")
    if prize:
        return [row for row in triples_by_relation("P166") if plain(id_label(row.tail)).startswith(prize)]
    found = [
        Triple(entry["qid"], relation, target_id(entry, relation, value))
        for entry in every_entry()
        for relation, values in entry["properties"].items()
        for value in values
        if plain(value) in names
    ]
    found = [triple for triple in found if triple.tail in targets or triple.tail.casefold() in targets]
    found += [triple for triple in award_triples() if triple.tail in targets] if _is_prize(names) else []
    told = {id_label(triple.head) for triple in found}
    found += [film for film in _film_triples(targets) if id_label(film.head) not in told]
    if found or not wanted.startswith("X1"):
        return found
    # Values without an entry have an id that only the whole graph tells.
    return [triple for triple in all_triples() if triple.tail in targets]


# What people call prizes of several kinds together -> how the kinds begin.
_PRIZES = {
    "academy award for": frozenset(("oscar", "oscars", "academy award", "academy awards", "Q19020")),
    "nobel ": frozenset(("nobel prize", "nobel prizes", "Q7191")),
}


def _is_prize(names: set[str]) -> bool:
    return any(name.startswith("nobel ") for name in names)


def _kinds_of_noun(wanted: str) -> list[Head]:
    """What the dictionary has as kinds and instances of a noun, given by id or name."""
    entry = (
        by_id().get(wanted.upper()) or entry_by_id(wanted.upper()) or next(iter(entries_named(wanted)), None)
    )
    senses = [sense for sense in wordnet.senses(entry["title"]) if sense.part == "n"] if entry else []
    found: list[Head] = []
    for sense in senses[:1]:
        for sign, relation in (("~", "P279"), ("~i", "P31")):
            for below in wordnet.related_senses(sense, sign)[:15]:
                head = sense_entry(below)
                if head is not None:
                    job = head["kind"] == "person" and relation == "P31"
                    found.append(_make_head(head["qid"], "P106" if job else relation))
    return found


def _entries_of_same_name(name: str, known: Sequence[Entry]) -> list[Entry]:
    """What has the name of something that is known: Mercury is an element, too, and Georgia a state."""
    kinds = {_kind(entry) for entry in known}
    wider = wide_named(plain(name), True)
    return [one for one in wider if one["qid"][0] == "Q" and not _is_slang(one) and _kind(one) not in kinds]


def _is_slang(entry: Entry) -> bool:
    """Whether a word of the dictionary only stands for what is usually called otherwise: java is coffee."""
    called = names_by_id().get(entry["qid"], (plain(entry["title"]),))
    return entry["text"].startswith(f"{entry['title']}: ") and plain(entry["title"]) not in called


@GROUP.tool(
    examples=[{"input": "Obama"}, {"input": "Mercury"}],
    phrase="find the Wikidata entity id of something named {input}",
    noun="the Wikidata entity search",
)
def get_entity_id(*, input: SearchText) -> list[Match]:  # noqa: A002 - the documented name
    """Entities called so, else some with such words in their name.

    input: Name of a person, place or thing. What has no known Wikidata id has one with X instead of Q.
    """
    if not plain(input):
        raise invalid("input", input, "give the name of a person, place or thing")
    group = entries_named(input)
    known = [one for one in group if one["qid"].startswith("Q") and not _is_slang(one)]
    known += [one for one in _entries_of_same_name(input, known) if group and one not in known]
    known.sort(
        key=lambda one: (
            one["qid"][0] != "Q",
            plain(one["title"]) != plain(input),
            "P27" not in one["properties"],
        )
    )
    exact = known or list(group) or [entry for entry in [look_up_entry(input)] if entry] or _holding(input)
    if not exact:
        raise not_found("entity called", input[:60], nearest=suggest_titles(input))
    # A person has one entry, whoever else tells of her.
    found = {id_label(one["qid"]) if one["kind"] == "person" else one["qid"]: one for one in reversed(exact)}
    return [
        {"entity_id": one["qid"], "label": id_label(one["qid"]), "description": _entry_description(one)}
        for one in list(found.values())[::-1][:_MOST]
    ]


_MOST = 5


def _holding(name: str) -> list[Entry]:
    """Entities that have all words of a name in theirs."""
    asked = set(words(name))
    return [
        entry
        for entry in about(name, 20)
        if asked <= set(words(" ".join([entry["title"], *entry["aliases"]])))
    ]


@GROUP.tool(
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
    named_so = [one for one in relations().values() if all(word in plain(one.name) for word in wanted)]
    found = dict.fromkeys((*named_so, *(one for one in relations().values() if set(wanted) <= set(one.also))))
    if not found:
        raise not_found("relation with", input[:60], known=[one.name for one in relations().values()])
    return [{"relation_id": one.id, "relation": one.name} for one in list(found)[:20]]
