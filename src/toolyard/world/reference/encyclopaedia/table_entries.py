"""Entries that come behind the nouns of the dictionary: venues, space travel, breeds and topics of tables of our own.

space.tsv: space agency	Japan	JAXA 2003=Japan Aerospace Exploration Agency (year, then other names)
new_words.tsv: quinoa	n	food	small round seeds of a South American plant, cooked like rice	grain
topics.tsv: drink	food	Kombucha	fermented sweet tea
"""

import functools
import re
from collections.abc import Iterator, Mapping

from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import plain, read_table
from toolyard.world.reference.encyclopaedia.entry import Entry, article, compose_entry, land
from toolyard.world.reference.encyclopaedia.stage_rows import venue_rows

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
