"""Performers, teams and shows: invented acts, musicians and clubs of the catalogue, well-known shows, others.

performers.tsv: Theatre	Musical	Hamilton;The Lion King;Wicked
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from random import Random

from toolyard.world import seeds
from toolyard.world.derived import derived, noted, titled, well_formed
from toolyard.world.faults import not_found
from toolyard.world.reference.packed import packed
from toolyard.world.shared.contests import is_contest, is_edition
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.events import (
    Attraction,
    Classification,
    attractions,
    classifications,
    classified,
)
from toolyard.world.shared.performer_kinds import (
    FOR_CHILDREN,
    GENRES,
    GONE,
    PLAYED,
    SEGMENTS,
    SPORTS,
    SUNG,
)
from toolyard.world.shared.subjects import known_words
from toolyard.world.shared.tours import nights_of
from toolyard.world.shared.venues import names_venue
from toolyard.world.shared.wide import named
from toolyard.world.tables import plain, read_table

TRIBUTE = "A Tribute to "
_ASKED = re.compile(
    r"\b(?:tickets?|concerts?|tour|live|gigs?|shows?|events?|games?|match(?:es)?|upcoming|next|the musical)\b",
    re.I,
)
_KINDS_OF_EVENTS = frozenset(
    "music rock pop jazz classical country hip hop rap sports basketball soccer baseball hockey tennis football arts "
    "theatre theater comedy dance opera ballet family circus festival food drink concert concerts event events show shows "
    "tickets exhibition musical musicals match game live".split()
)
ARTISTS = ("band", "person")
# Shorter words are the end of too many names.
_LAST_NAME = 4


def _kind(segment: str, genre: str, subgenre: str) -> Classification:
    return classified(segment, genre, subgenre, family=genre == "Family")


def _attraction(name: str, kind: Classification) -> Attraction:
    number = seeds.number("performer", plain(name))
    family = kind["family"] or name in FOR_CHILDREN
    return {
        **kind,
        "family": family,
        "id": f"K8vX{number % 10**7:07d}",
        "name": name,
        "source": "ticketmaster",
    }


def _musicians() -> Iterator[tuple[Attraction, str]]:
    for row in read_table("artists.tsv"):
        genre = next((value for key, value in GENRES.items() if key in plain(row["genre"])), None)
        genre = SUNG.get(row["name"], genre)
        artist = _attraction(row["name"], _kind("Music", *(genre or ("Pop", "Pop"))))
        # The works of a composer are played; a tribute is paid to a singer or a band.
        gone = row["name"] in GONE and row["kind"] != "composer"
        yield ({**artist, "name": f"{TRIBUTE}{row['name']}"} if gone else artist), row["country"]


def _shows() -> Iterator[tuple[Attraction, str]]:
    for row in read_table("performers.tsv"):
        kind = _kind(SEGMENTS.get(row["genre"], "Music"), row["genre"], row["subgenre"])
        for names in row["names"].split(";"):
            yield _attraction(names.split("/")[0], kind), ""


def _clubs() -> Iterator[tuple[Attraction, str]]:
    for row in read_table("clubs.tsv"):
        kind = _kind("Sports", *SPORTS.get(plain(row["sport"]), ("Soccer", "League")))
        for names in row["names"].split(";"):
            yield _attraction(names.split("/")[0], kind), row["country"]


@functools.cache
def known_with_country() -> Mapping[str, tuple[Attraction, str]]:
    """Performers of the tables with their country ("" where they have none), by id; the first of a name stays."""
    found: dict[str, tuple[Attraction, str]] = {}
    own = ((attraction, "") for attraction in attractions())
    for attraction, country in (*own, *_musicians(), *_shows(), *_clubs()):
        found.setdefault(attraction["id"], (attraction, country))
    return found


@functools.cache
def _by_name() -> Mapping[str, Attraction]:
    found: dict[str, Attraction] = {}
    for attraction, _ in known_with_country().values():
        key = plain(attraction["name"].removeprefix(TRIBUTE))
        for form in (key, key.rstrip("!"), key.removeprefix("the ")):
            found.setdefault(form, attraction)
    for row in (*read_table("clubs.tsv"), *read_table("performers.tsv")):
        for names in row["names"].split(";"):
            first, *others = names.split("/")
            for name in others:
                found.setdefault(plain(name), found[plain(first)])
    return found


@functools.cache
def further_kinds() -> tuple[Classification, ...]:
    """Kinds of events that only further performers have."""
    listed = {row["subgenre_id"] for row in classifications()}
    rows = {attraction["subgenre_id"]: attraction for attraction, _ in known_with_country().values()}
    return tuple(
        _kind(row["segment"], row["genre"], row["subgenre"]) for key, row in rows.items() if key not in listed
    )


def further_performer(seed: int, text: str) -> Attraction | None:
    """The performer, team or show that is called so beyond the listed ones; None where it can be none."""
    for form in dict.fromkeys((text, _ASKED.sub(" ", text))):
        name = " ".join(plain(form).split())
        if name in _by_name():
            return _by_name()[name]
    if last := _called_last(" ".join(plain(text).split())):
        return last
    bare = text.strip() if is_contest(text) else " ".join(_ASKED.sub(" ", text).split())
    artist = any(one["kind"] in ARTISTS for one in named(plain(bare)))
    return _unlisted(seed, bare) if artist or not names_venue(bare) else None


@functools.lru_cache(maxsize=512)
def _called_last(name: str) -> Attraction | None:
    """The one musician of the tables whose name ends so: Beethoven."""
    if len(name) < _LAST_NAME or name in _KINDS_OF_EVENTS:
        return None
    rows = {row["id"]: row for key, row in _by_name().items() if key.endswith(f" {name}")}
    found = [row for row in rows.values() if row["segment"] == "Music"]
    return found[0] if len(rows) == len(found) == 1 else None


def known_performer(text: str) -> Attraction | None:
    """The performer, team or show of the tables that is called exactly so."""
    return _by_name().get(" ".join(plain(text).split()))


@functools.cache
def known_performers() -> tuple[Attraction, ...]:
    """All performers, teams and shows, those with an announced event first."""
    rows = (attraction for attraction, _ in known_with_country().values())
    return tuple(sorted(rows, key=lambda row: not nights_of(row["name"])))


def performers_beginning(letters: str) -> list[Attraction]:
    """Performers of the tables with a word that begins so, those that begin with it themselves first."""
    start = plain(letters).removeprefix("the ")
    names = {key: row for key, row in _by_name().items() if key.startswith(start) or f" {start}" in key}
    found = {names[key]["id"]: names[key] for key in sorted(names, key=lambda key: not key.startswith(start))}
    return list(found.values())


def _unlisted(seed: int, name: str) -> Attraction | None:
    """A performer that no table holds: an artist of the encyclopaedia, a person, or a title written as one."""
    words = plain(name).split()
    if not 0 < len(words) < 7 or not well_formed(name) or _KINDS_OF_EVENTS.issuperset(words):
        return None
    entry = next((one for one in named(plain(name)) if one["kind"] in ARTISTS), None)
    if entry is not None:
        known = _by_name().get(plain(entry["title"])) or _of_encyclopaedia(entry)
        return derived(seed, "performer", name, lambda _: known) if known else None
    if named(plain(name)) or is_contest(name) or is_edition(name):
        return None
    written = plain(name) in noted("performer") or name[:1].isupper() or name[:1].isdigit()
    if not (written and (is_person(name) or (len(words) > 1 and known_words(name)))):
        return None

    def built(chance: Random) -> Attraction:
        choices = [("Music", "Pop", "Pop"), ("Music", "Rock", "Rock")]
        if is_person(name):
            choices.append(("Arts & Theatre", "Comedy", "Stand-up"))
        return _attraction(titled(name), _kind(*chance.choice(choices)))

    return derived(seed, "performer", name, built)


def _of_encyclopaedia(entry: Entry) -> Attraction | None:
    """A band or a musician of the encyclopaedia; nobody of another trade."""
    if entry["kind"] == "band":
        told = plain(entry["text"])[:120]
        genre = next((value for key, value in GENRES.items() if f"{key} " in told), ("Pop", "Pop"))
        return _attraction(entry["title"], _kind("Music", *genre))
    trades = entry["properties"].get("P106", [])
    kind = next((PLAYED[trade] for trade in trades if trade in PLAYED), None)
    return _attraction(entry["title"], _kind("Music", *kind)) if kind else None


def is_person(name: str) -> bool:
    """Whether a name begins with a first name of the register and goes on with words that can be spoken."""
    words = plain(name).replace(".", " ").split()
    return (
        1 < len(words) < 6
        and well_formed(name)
        and any(packed("first_names").under(word) for word in words[:-1])
    )


def performer_of(seed: int, key: str) -> Attraction | None:
    """The further performer with an id; derived ones only once the running world has named them."""
    if key in known_with_country():
        return known_with_country()[key][0]
    own = (_unlisted(seed, name) for name in noted("performer"))
    return next((one for one in own if one and one["id"] == key), None)


def any_performer(seed: int, key: str) -> Attraction:
    """The performer, team or show with an id, listed or further; a not_found fault otherwise."""
    found = performer_of(seed, key)
    if found is None:
        known = known_with_country()
        fault = not_found("attraction", key[:40], known=known, count=len(known))
        fault.listed_by = "Location/Ticket/attraction_search"
        raise fault
    return found
