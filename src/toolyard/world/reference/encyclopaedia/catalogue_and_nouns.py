"""The wide part of the encyclopaedia: people, works and places of the catalogue, films, and the nouns of the dictionary.

Entries are made when somebody asks for a name; nothing here is indexed by its text.
"""

from __future__ import annotations

import functools
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence

from toolyard.world.index.prefixes import Completions
from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import plain, read_table, values_of
from toolyard.world.reference import wordnet
from toolyard.world.reference.encyclopaedia.catalogue import catalogue
from toolyard.world.reference.encyclopaedia.entry import (
    WORKS,
    Entry,
    article,
    compose_entry,
    join_names,
    known_id,
    land,
    made_up_id,
    names_by_id,
)
from toolyard.world.reference.encyclopaedia.place_entries import (
    entry_by_number,
    listed_company_entries,
    organisation_entries,
    town_entries,
)
from toolyard.world.reference.encyclopaedia.stage_rows import venue_rows
from toolyard.world.reference.films import Film, film_by_number, film_credits, film_people, films_called
from toolyard.world.reference.packed_tables import packed_table

_DATED = re.compile(r"(?P<name>.+?)(?: (?P<year>\d{4}))?")
_BEYOND = ("space", "Solar System", "International", "Europe")


def _venue_entries() -> Iterator[Entry]:
    for one in venue_rows():
        where = one.town if one.town == one.country else f"{one.town}, {land(one.country)}"
        yield compose_entry(
            one.name, one.kind, "travel",
            f"{one.name} is {article(one.kind)} in {where}, with about {one.seats:,} places.",
            {"P31": [one.kind], "P17": [one.country], "P131": [one.town], "P1083": [str(one.seats)]}, one.other_names,
        )  # fmt: skip


def _space_entries() -> Iterator[Entry]:
    for row in read_table("space.tsv"):
        home = "" if row["country"] in _BEYOND else f" of {land(row['country'])}"
        for text in row["names"].split(";"):
            first, *aliases = text.split("=")
            match = _DATED.fullmatch(first)
            if match is None:
                continue
            since = f" ({match['year']})" if match["year"] else ""
            called = f" Also called {', '.join(aliases)}." if aliases else ""
            known = {
                "P31": [row["kind"]],
                "P17": [row["country"]] if home else [],
                "P571": [match["year"] or ""],
            }
            shown = match["name"][0].upper() + match["name"][1:]
            yield compose_entry(
                shown,
                row["kind"],
                "space",
                f"{shown}{since}: {article(row['kind'])}{home}.{called}",
                known,
                aliases,
            )


def _breed_entries() -> Iterator[Entry]:
    for row in read_table("cat_breeds.tsv"):
        name = row["breed"]
        text = f"{name} is a breed of cats from {land(row['country'])} with a coat that is {row['coat'].lower()}."
        yield compose_entry(
            name,
            "cat breed",
            "animals",
            text,
            {"P31": ["cat breed"], "P495": [row["country"]]},
            [f"{name} cat"],
        )


def _topic_entries() -> Iterator[Entry]:
    for row in read_table("topics.tsv"):
        name = row["name"]
        aliases = [] if name.endswith("s") else [f"{name}s"]
        yield compose_entry(
            name, row["kind"], row["field"], f"{name}: {row['text']}.", {"P31": [row["kind"]]}, aliases
        )


@functools.cache
def new_noun_rows() -> Mapping[str, Mapping[str, str]]:
    """Plain word -> row of the nouns that are younger or rarer than the dictionary."""
    return {plain(row["word"]): row for row in read_table("new_words.tsv") if row["part"] == "n"}


def _new_noun_entries() -> Iterator[Entry]:
    for row in new_noun_rows().values():
        title = row["word"][0].upper() + row["word"][1:]
        also = [] if title.endswith("s") else [f"{title}s"]
        text = f"{title}: {row['definition']}."
        yield compose_entry(title, row["kind"], "society", text, {"P279": [row["kind"]]}, also)


@functools.cache
def _entries_by_name() -> Mapping[str, tuple[Entry, ...]]:
    return seeds.build_without_gc(_group_by_name)


def _group_by_name() -> Mapping[str, tuple[Entry, ...]]:
    found: dict[str, list[Entry]] = {}
    rows = (*_topic_entries(), *_space_entries(), *_venue_entries(), *_breed_entries(), *_new_noun_entries())
    for key in ("title", "aliases"):
        for entry in rows:
            for name in [entry["title"]] if key == "title" else entry["aliases"]:
                found.setdefault(plain(name), []).append(entry)
    return {name: tuple(group) for name, group in found.items()}


def table_entries_named(name: str) -> tuple[Entry, ...]:
    """The entries with this plain name."""
    return _entries_by_name().get(name, ())


@functools.cache
def _entries_by_id() -> Mapping[str, Entry]:
    return {entry["qid"]: entry for group in _entries_by_name().values() for entry in group}


def table_entry_by_id(qid: str) -> Entry | None:
    """The entry with this entity id; None where there is none."""
    return _entries_by_id().get(qid)


_LIVED = re.compile(r"\(?(?:born (?:in )?)?(\d{3,4})-(\d{3,4})\)?|\bborn (?:in )?(\d{4})")
# What the fields of the dictionary's nouns are called here.
_FIELDS: Mapping[int, str] = dict(values_of("catalogue_and_nouns.fields").values())
# What stands too high among the dictionary's kinds to say anything.
_GENERAL = frozenset(
    "entity object whole thing attribute abstraction psychological feature matter state group act".split()
)
_INSTANCE = "@i"
_PEOPLE = 18  # the dictionary's field of people
# A hundred times the Zipf frequency of words that everybody uses.
_COMMON = 350
# Edsger Dijkstra is Edsger W. Dijkstra.
_INITIAL = re.compile(r" (?:[a-z]\. ?)+ ?")
# Words that stand in no name of a person, so that the names of films need not be read for questions.
_NOT_IN_NAMES = frozenset(
    "in of for to with and how what who is are from on at near best top where when which".split()
)
_YEAR = re.compile(r" \d{4}$")


@functools.cache
def _catalogue_by_name() -> Mapping[str, tuple[Entry, ...]]:
    return seeds.build_without_gc(_group_by_plain_name)


def _group_by_plain_name() -> Mapping[str, tuple[Entry, ...]]:
    found: dict[str, list[Entry]] = {}
    titles = [(plain(entry["title"]), entry) for entry in catalogue()]
    for title, entry in titles:
        found.setdefault(title, []).append(entry)
    for _, entry in titles:
        for name in entry["aliases"]:
            found.setdefault(plain(name), []).append(entry)
    for title, entry in titles:
        if entry["kind"] == "person" and (short := _INITIAL.sub(" ", title)) != title:
            found.setdefault(short, []).append(entry)
    return {name: tuple(group) for name, group in found.items()}


def catalogue_entries_named(name: str) -> tuple[Entry, ...]:
    """The entries of the catalogue with this plain name."""
    return _catalogue_by_name().get(name, ())


def catalogue_names() -> tuple[str, ...]:
    """The plain names of the catalogue."""
    return tuple(_catalogue_by_name())


@functools.cache
def _title_completions() -> Completions[Entry]:
    return Completions(catalogue(), "title")


def complete_catalogue_title(typed: str, limit: int) -> list[Entry]:
    """Entries of the catalogue whose title begins so, then those with a later word that does, in its order."""
    return _title_completions().starting(typed, limit)


# Entities of the dictionary and of the film table have ids of the world's own that say which row they are.
_SENSE, _FILM = "X98{:08d}", "X97{:08d}"


def entry_by_id(qid: str) -> Entry | None:
    """The entry of the wide part with this entity id; None where there is none."""
    if qid in names_by_id():
        return _well_known_entry(qid)
    if re.fullmatch(r"X98\d{8}", qid):
        sense = wordnet.noun_by_number(int(qid[3:]))
        return _noun_entry(sense, plain(sense.words[0])) if sense else None
    if re.fullmatch(r"X97\d{8}", qid):
        film = film_by_number(int(qid[3:]))
        return _film_entry(film) if film else None
    name = _film_person_by_number(int(qid[2:])) if re.fullmatch(r"X1[0-9]{10}", qid) else None
    return _film_person_entry(name)[0] if name else entry_by_number(qid) or table_entry_by_id(qid)


def _well_known_entry(qid: str) -> Entry | None:
    """The entry with this Wikidata id; films are listed with their year."""
    names = (_YEAR.sub("", name) for name in names_by_id()[qid])
    return next((entry for name in names for entry in wide_entries_named(name) if entry["qid"] == qid), None)


@functools.cache
def _people_numbers() -> tuple[array[int], bytes]:
    """The numbers in the made-up ids of film people, and a line with the name of each: a fifth of a mapping's memory."""
    names = film_people()
    return array("Q", (int(made_up_id(f"person {name}")[2:]) for name in names)), "\n".join(names).encode()


def _film_person_by_number(number: int) -> str | None:
    """Who has a number; None where nobody has."""
    numbers, names = _people_numbers()
    return names.split(b"\n")[numbers.index(number)].decode() if number in numbers else None


def _film_entry(film: Film) -> Entry:
    makers = f", directed by {join_names(film.directors)}" if film.directors else ""
    return compose_entry(
        film.title, "film", "film", f"{film.title} is a film of {film.year}{makers}.",
        {"P31": ["film"], "P57": list(film.directors), "P161": list(film.cast[:8]), "P136": list(film.genres),
         "P577": [str(film.year)], "P495": list(film.countries)},
        qid=known_id("film", f"{film.title} {film.year}") or _FILM.format(film.number),
    )  # fmt: skip


def films_with(name: str, relation: str) -> list[Entry]:
    """The films that somebody directed (P57) or plays in (P161)."""
    found = film_credits(name)
    films = () if found is None else found.directed if relation == "P57" else found.played
    return [_film_entry(film) for film in films]


def _film_person_entry(name: str) -> list[Entry]:
    found = film_credits(name)
    if found is None:
        return []
    jobs = [job for job, films in (("film director", found.directed), ("actor", found.played)) if films]
    if len(found.played) > len(found.directed):
        jobs.reverse()
    best = sorted((*found.directed, *found.played), key=lambda film: (-film.oscars, film.year))[:5]
    titles = list(dict.fromkeys(film.title for film in sorted(best, key=lambda film: film.year)))
    text = f"{found.name}: {article(join_names(jobs))}. Films include {join_names(titles)}."
    known = {"P31": ["human"], "P106": jobs, "P800": titles}
    return [compose_entry(found.name, "person", "film", text, known)]


def _add_films(entry: Entry) -> Entry:
    """The entry of an actor or director with the films that the table has."""
    if not {"actor", "film director"} & set(entry["properties"].get("P106", ())):
        return entry
    for other in _film_person_entry(plain(entry["title"])):
        text = f"{entry['text']} {other['text'].split('. ', 1)[-1]}"
        return Entry(
            **{
                **entry,
                "text": text,
                "properties": {**entry["properties"], "P800": other["properties"]["P800"]},
            }
        )
    return entry


def _sense_kind(sense: wordnet.Sense) -> str:
    """What a sense is, in the nearest word that says something."""
    for above in wordnet.hypernyms(sense):
        if above.words[0] not in _GENERAL:
            return above.words[0]
    return "thing"


def _noun_title(sense: wordnet.Sense, name: str) -> str:
    """What a sense is called: as it was asked for, but a person by the full name."""
    forms = (name, name.removesuffix("s"), name.removesuffix("es"), f"{name.removesuffix('ies')}y")
    asked = next((word for form in forms for word in sense.words if plain(word) == form), sense.words[0])
    full = [word for word in sense.words if " " in word and plain(word).split()[-1] == name]
    if wordnet.related_senses(sense, _INSTANCE):
        # The capital of Australia is Canberra, whatever it was asked for as.
        asked = full[0] if full else sense.words[0] if name.startswith("capital of ") else asked
    return asked[0].upper() + asked[1:]


_CAPITAL = re.compile(r"^capital of | capital$")


def _noun_entry(sense: wordnet.Sense, name: str) -> Entry:
    title, kind = _noun_title(sense, name), _sense_kind(sense)
    instance = bool(wordnet.related_senses(sense, _INSTANCE))
    person = instance and sense.field == 18
    also = [word for word in sense.words if plain(word) != plain(title) and not _CAPITAL.search(word)]
    called = f" Also called {join_names(also[:4])}." if also else ""
    years = _LIVED.search(sense.definition)
    born = (years[1] or years[3] or "") if years and person else ""
    text = f"{title}: {sense.definition}.{called}"
    known = {
        "P31": ["human"] if person else [kind] if instance else [],
        "P279": [] if instance else [kind],
        "P106": [kind] if person else [],
        "P569": [born],
        "P570": [(years[2] or "") if years and person else ""],
    }
    field = _FIELDS.get(sense.field, "society")
    number = known_id("person", title) if person else _noun_id(sense)
    number = number or _SENSE.format(sense.place)
    return compose_entry(title, "person" if person else kind, field, text, known, also, number)


def _noun_id(sense: wordnet.Sense) -> str:
    """The Wikidata id of a noun: known for a word and a field of the dictionary, and meant is its first sense there."""
    for word in sense.words:
        number = known_id(f"noun {sense.field}", word)
        if number:
            peers = (one for one in wordnet.senses(word) if one.part == "n" and one.field == sense.field)
            return number if next(peers, sense).place == sense.place else ""
    return ""


def _noun_entries(name: str) -> list[Entry]:
    """The entries of a noun, the commonest sense first; adjectives and verbs are words, not things."""
    senses = [sense for sense in wordnet.senses(name) if sense.part == "n" and sense.definition]
    # "The fur of an otter" comes after the otter.
    of_it = re.compile(rf"\b{re.escape(name.removesuffix('s'))}s?\b")
    senses.sort(key=lambda sense: of_it.search(plain(sense.definition)) is not None)
    return [_noun_entry(sense, name) for sense in senses[:4]]


def word_frequency(word: str) -> int:
    """How often a plain word is used: a hundred times its Zipf frequency, 0 where it is in no list."""
    row = next(iter(packed_table("words").with_key(word)), None)
    return int(row[1] or 0) if row else 0


@functools.lru_cache(maxsize=8192)
def wide_entries_named(name: str, known: bool = False) -> tuple[Entry, ...]:
    """Everything of the wide part that has this plain name: the catalogue, then words for things, then films.

    known: Whether something is called so elsewhere; small companies, towns and people of films are not looked for then.
    """
    if not name or len(name) > 90:
        return ()
    nouns, own = _noun_entries(name), _catalogue_by_name().get(name, ())
    # The lion and Africa are meant before a work or a club that is called after them.
    after = any(one["kind"] in WORKS or one["field"] == "sport" for one in own[:1])
    known_word = " " not in name and word_frequency(name) >= _COMMON
    names_first = (
        nouns[:1]
        if after and (known_word or any("P279" not in one["properties"] for one in nouns[:1]))
        else []
    )
    found = [*names_first, *own, *organisation_entries(name), *nouns]
    found += [
        entry
        for entry in table_entries_named(name)
        if plain(entry["title"]) not in {plain(one["title"]) for one in found}
    ]
    found += [] if found or known else listed_company_entries(name)
    found += [] if found or known else town_entries(name)
    films = _other_films(name, found)
    found = [_add_films(entry) for entry in found]
    # A single name is that of somebody in films only where it is no other name.
    known = known or any(entry["kind"] == "person" or "P279" in entry["properties"] for entry in found)
    people = (
        []
        if known or (found and " " not in name) or _NOT_IN_NAMES & set(name.split())
        else _film_person_entry(name)
    )
    unique: dict[tuple[str, str], Entry] = {}
    for entry in (*found, *people, *films):
        unique.setdefault((entry["title"], entry["text"]), entry)
    return tuple(unique.values())


def _other_films(name: str, found: Sequence[Entry]) -> list[Entry]:
    """Up to three films of a name that are not told of yet, those with most awards first."""
    told = {
        (plain(one["title"]), one["properties"].get("P577", [""])[0])
        for one in found
        if one["kind"] == "film"
    }
    others = (film for film in films_called(name) if (plain(film.title), str(film.year)) not in told)
    return [_film_entry(film) for film in sorted(others, key=lambda film: (-film.oscars, -film.year))[:3]]


def sense_entry(sense: wordnet.Sense) -> Entry:
    """The entry of a noun of the dictionary, a person under the full name."""
    whole = next((word for word in sense.words if " " in word), sense.words[0])
    person = bool(wordnet.related_senses(sense, _INSTANCE)) and sense.field == _PEOPLE
    return _noun_entry(sense, plain(whole if person else sense.words[0]))
