"""Performers, teams and shows beyond the listed ones: musicians and clubs of the catalogue, well-known shows, others.

performers.tsv: Theatre	Musical	Hamilton;The Lion King;Wicked
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from random import Random

from toolyard.world import seeds
from toolyard.world.derived import derived, noted, titled, well_formed
from toolyard.world.faults import not_found
from toolyard.world.reference.packed import packed
from toolyard.world.shared.contests import is_contest, is_edition
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.events import (
    SOURCES,
    Attraction,
    Classification,
    Event,
    Venue,
    attractions,
    classifications,
    classified,
    performance,
)
from toolyard.world.shared.gazetteer import city_at, number_of
from toolyard.world.shared.geography import City, city_or_none
from toolyard.world.shared.performer_kinds import (
    ANNOUNCED_ONLY,
    COMEDY_CLUBS,
    GENRES,
    GONE,
    PLAYED,
    SEGMENTS,
    SPORTS,
    STAGES,
    UNSUITED,
)
from toolyard.world.shared.stage_rows import Stage, stages
from toolyard.world.shared.subjects import known_words
from toolyard.world.shared.tours import announced, houses_of_runs, nights_of
from toolyard.world.shared.venues import further_venues, known_hall, names_venue, stage_of, venue_of
from toolyard.world.shared.wide import named
from toolyard.world.tables import plain, read_table

_COMING = 4
_TRIBUTE = "A Tribute to "
_UNITED = dict.fromkeys(("England", "Scotland", "Wales", "Northern Ireland"), "United Kingdom")
_ASKED = re.compile(
    r"\b(?:tickets?|concerts?|tour|live|gigs?|shows?|events?|games?|match(?:es)?|upcoming|next|the musical)\b",
    re.I,
)
_KINDS_OF_EVENTS = frozenset(
    "music rock pop jazz classical country hip hop rap sports basketball soccer baseball hockey tennis football arts "
    "theatre theater comedy dance opera ballet family circus festival food drink concert concerts event events show shows "
    "tickets exhibition musical musicals match game live".split()
)
_ARTISTS = ("band", "person")


def _kind(segment: str, genre: str, subgenre: str) -> Classification:
    family = segment in ("Sports", "Miscellaneous") or genre in ("Classical", "Dance")
    return classified(segment, genre, subgenre, family=family)


def _attraction(name: str, kind: Classification) -> Attraction:
    number = seeds.number("performer", plain(name))
    return {**kind, "id": f"K8vX{number % 10**7:07d}", "name": name, "source": SOURCES[number % 7 % 4]}


def _musicians() -> Iterator[tuple[Attraction, str]]:
    for row in read_table("artists.tsv"):
        genre = next((value for key, value in GENRES.items() if key in plain(row["genre"])), None)
        artist = _attraction(row["name"], _kind("Music", *(genre or ("Pop", "Pop"))))
        gone = row["name"] in GONE
        yield ({**artist, "name": f"{_TRIBUTE}{row['name']}"} if gone else artist), row["country"]


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
def _known() -> Mapping[str, tuple[Attraction, str]]:
    """Performers of the tables with their country ("" where they have none), by id; the first of a name stays."""
    found: dict[str, tuple[Attraction, str]] = {}
    for attraction, country in (*_musicians(), *_shows(), *_clubs()):
        found.setdefault(attraction["id"], (attraction, country))
    return found


@functools.cache
def _by_name() -> Mapping[str, Attraction]:
    found: dict[str, Attraction] = {}
    for attraction, _ in _known().values():
        key = plain(attraction["name"].removeprefix(_TRIBUTE))
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
    rows = {attraction["subgenre_id"]: attraction for attraction, _ in _known().values()}
    return tuple(
        _kind(row["segment"], row["genre"], row["subgenre"]) for key, row in rows.items() if key not in listed
    )


def further_performer(seed: int, text: str) -> Attraction | None:
    """The performer, team or show that is called so beyond the listed ones; None where it can be none."""
    for form in dict.fromkeys((text, _ASKED.sub(" ", text))):
        name = " ".join(plain(form).split())
        if name in _by_name():
            return _by_name()[name]
    bare = text.strip() if is_contest(text) else " ".join(_ASKED.sub(" ", text).split())
    artist = any(one["kind"] in _ARTISTS for one in named(plain(bare)))
    return _unlisted(seed, bare) if artist or not names_venue(bare) else None


def known_performer(text: str) -> Attraction | None:
    """The performer, team or show of the tables that is called exactly so."""
    return _by_name().get(" ".join(plain(text).split()))


@functools.cache
def known_performers() -> tuple[Attraction, ...]:
    """The performers, teams and shows of the tables, those with an announced event first."""
    rows = (attraction for attraction, _ in _known().values())
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
    entry = next((one for one in named(plain(name)) if one["kind"] in _ARTISTS), None)
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
    if key in _known():
        return _known()[key][0]
    own = (_unlisted(seed, name) for name in noted("performer"))
    return next((one for one in own if one and one["id"] == key), None)


def any_performer(seed: int, key: str) -> Attraction:
    """The performer, team or show with an id, listed or further; a not_found fault otherwise."""
    listed = {row["id"]: row for row in attractions()}
    found = performer_of(seed, key) or listed.get(key)
    if found is None:
        raise not_found("attraction", key[:40], known=listed, count=len(listed) + len(_known()))
    return found


@functools.cache
def _stages_of(kind: str) -> tuple[Stage, ...]:
    return tuple(stage for stage in stages() if stage.kind == kind and stage not in houses_of_runs())


def _title(show: Attraction, city: str) -> str:
    """What an event is called: real people do not come themselves, their music does."""
    real = show["id"] in _known() or any(one["kind"] in _ARTISTS for one in named(plain(show["name"])))
    if show["name"].startswith(_TRIBUTE):
        return f"The music of {show['name'].removeprefix(_TRIBUTE)}"
    if show["segment"] == "Music":
        return f"The music of {show['name']}" if real else f"{show['name']} live"
    return f"{show['name']} in {city}"


def _places(show: Attraction) -> tuple[Stage, ...]:
    if show["segment"] == "Music":
        return _stages_of("concert hall")  # evenings of their music, not their tours
    country = _known()[show["id"]][1] if show["id"] in _known() and show["segment"] == "Sports" else ""
    return _stages_for(show["genre"], _UNITED.get(country, country), plain(show["name"]) if country else "")


# Fewer people than these do not come to a musical or an opera.
_LEAST_SEATS = 400


@functools.lru_cache(maxsize=2048)
def _stages_for(genre: str, country: str, name: str) -> tuple[Stage, ...]:
    """Where a genre is shown: in the town of its name, else in its country, else anywhere."""
    kinds = STAGES.get(genre, ("arena", "stadium"))
    least = _LEAST_SEATS if kinds != ("concert hall",) else 0
    pool = tuple(stage for kind in kinds for stage in _stages_of(kind) if stage.seats >= least)
    home = tuple(stage for stage in pool if stage.country == country)
    own = tuple(stage for stage in home if plain(stage.town) in name)
    return own or home or pool


def _stage(seed: int, show: Attraction, turn: int) -> Stage:
    nights = nights_of(show["name"])
    if nights:
        return nights[turn].stage
    drawn = seeds.pick(_places(show), seed, "stage", show["id"], turn)
    apart = UNSUITED.get(show["subgenre"], frozenset()) | (
        COMEDY_CLUBS if show["genre"] != "Comedy" else frozenset()
    )
    if drawn.name not in apart:
        return drawn
    others = tuple(stage for stage in _places(show) if stage.name not in apart)
    return seeds.pick(others, seed, "other stage", show["id"], turn)


def _performance(seed: int, show: Attraction, turn: int) -> Event:
    venue = venue_of(_stage(seed, show, turn))
    key = f"G5x{show['id'][4:]}{turn}{seeds.token(3, seed, show['id'], turn)}"
    chance = seeds.stream(seed, "performance", show["id"], turn)
    event = performance(show, venue, turn, chance, title=_title(show, venue["city"]), key=key)
    nights = nights_of(show["name"])
    return announced(event, nights[turn]) if nights else _in_season(event)


def _in_season(event: Event) -> Event:
    """An event on a day on which its house plays: opera houses close in July and August."""
    if event["genre"] != "Opera" or event["date"][5:7] not in ("07", "08"):
        return event
    day = (date.fromisoformat(event["date"]) + timedelta(days=63)).isoformat()
    return {**event, "date": day, "starts": f"{day}{event['starts'][10:]}"}


def _turns(show: Attraction) -> range:
    """How many events are coming: those announced, else a few of works, shows and music; no games of real teams."""
    return range(len(nights_of(show["name"])) or (0 if _stays_away(show) else _COMING))


def _stays_away(show: Attraction) -> bool:
    """Whether only what was announced may be told: teams, festivals, orchestras, comedians and magicians of the tables."""
    if show["id"] not in _known():
        return False
    kinds = ("Sports", "Comedy", "Festival")
    own = not _known()[show["id"]][1] and show["genre"] == "Classical"
    company = show["genre"] == "Dance" and show["name"].endswith(("Ballet", "Theater", "Theatre"))
    person = show["name"] in ANNOUNCED_ONLY
    return show["segment"] in kinds or show["genre"] in kinds or own or company or person


def performances(seed: int, show: Attraction) -> list[Event]:
    """The coming events of a further performer, soonest first."""

    def built(_: Random) -> list[Event]:
        found = [_performance(seed, show, turn) for turn in _turns(show)]
        return sorted(found, key=lambda event: (event["starts"], event["id"]))

    return derived(seed, "performances", show["name"], built)


def performance_of(seed: int, key: str) -> Event | None:
    """The event of a further performer with an id; None where there is none."""
    local = re.fullmatch(r"G5y(\d{7})\d[0-9a-f]{3}", key.strip(), re.I)
    town = city_at(int(local[1])) if local else None
    if town:
        return next(
            (row for row in local_events(seed, town) if row["id"].lower() == key.strip().lower()), None
        )
    match = re.fullmatch(r"G5x(\d{7})\d{1,3}[0-9a-f]{3}", key.strip(), re.I)
    show = performer_of(seed, f"K8vX{match[1]}") if match else None
    found = performances(seed, show) if show else []
    return next((event for event in found if event["id"].lower() == key.strip().lower()), None)


def known_performances(seed: int) -> Iterator[Event]:
    """The coming events of all performers of the tables."""
    for show, _ in _known().values():
        for turn in _turns(show):
            yield _performance(seed, show, turn)


@seeds.table
def _bookings(seed: int) -> Mapping[Stage, tuple[tuple[str, int], ...]]:
    """Venue of the table -> the ids and turns of the performers of the tables who come there."""
    found: dict[Stage, list[tuple[str, int]]] = {}
    for show, _ in _known().values():
        for turn in _turns(show):
            found.setdefault(_stage(seed, show, turn), []).append((show["id"], turn))
    return {stage: tuple(rows) for stage, rows in found.items()}


def performances_at(seed: int, venue_id: str) -> list[Event]:
    """The coming events at a venue of the table, soonest first; none at others."""
    stage = stage_of(venue_id)
    rows = _bookings(seed).get(stage, ()) if stage else ()
    found = [_performance(seed, _known()[key][0], turn) for key, turn in rows]
    return sorted(found, key=lambda event: (event["starts"], event["id"]))


def local_events(seed: int, city: City) -> list[Event]:
    """The coming events in a town whose venues no list shows, by performers who do not exist."""
    number = number_of(city["id"])
    hall = further_venues(seed, f"{city['name']} Theatre")[:1]

    def built(_: Random) -> list[Event]:
        return [_local(seed, city, hall[0], number, turn) for turn in range(_COMING)]

    found = derived(seed, "events", city["id"], built) if hall and hall[0]["place_id"] == city["id"] else []
    return sorted(found, key=lambda event: (event["starts"], event["id"]))


def _local(seed: int, city: City, hall: Venue, number: int, turn: int) -> Event:
    chance = seeds.stream(seed, "local event", city["id"], turn)
    show = chance.choice([one for one in attractions() if one["segment"] != "Sports"])
    title = f"{show['name']} {'live' if show['segment'] == 'Music' else 'in ' + city['name']}"
    key = f"G5y{number:07d}{turn}{seeds.token(3, seed, city['id'], turn)}"
    return performance(show, hall, turn, chance, title=title, key=key)


def events_about(seed: int, text: str) -> list[Event]:
    """The events of the further performer or venue that a text names, at one place where it says so ("Adele in London")."""
    name, _, place = text.rpartition(" in ")
    city = city_or_none(place) if name else None
    hall = known_hall(text)
    if hall is not None:
        return performances_at(seed, hall["id"])
    show = further_performer(seed, name if city else text)
    if show is not None:
        return [row for row in performances(seed, show) if not city or row["place_id"] == city["id"]]
    halls = further_venues(seed, text)[:1]
    return performances_at(seed, halls[0]["id"]) if halls else []
