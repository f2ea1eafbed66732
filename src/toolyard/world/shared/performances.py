"""Where and when performers and shows come: tours and runs as announced, other evenings on days that their houses have free.

{"id": "G5x48927120a25", "name": "Hamilton", "venue": "Richard Rodgers Theatre", "starts": "2024-05-16T19:00:00", ...}
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from random import Random

from toolyard.world import seeds
from toolyard.world.derived import derived
from toolyard.world.shared.events import (
    FIRST_DAY,
    SMALL,
    Attraction,
    Event,
    Venue,
    attractions,
    drawn_day,
    performance,
)
from toolyard.world.shared.gazetteer import city_at, number_of
from toolyard.world.shared.geography import City, city_or_none
from toolyard.world.shared.performer_kinds import (
    ANNOUNCED_ONLY,
    COMEDY_CLUBS,
    FESTIVAL_HOUSES,
    STAGES,
    UNSUITED,
    is_music_house,
)
from toolyard.world.shared.performers import (
    ARTISTS,
    TRIBUTE,
    further_performer,
    known_with_country,
    performer_of,
)
from toolyard.world.shared.stage_rows import Stage, stages
from toolyard.world.shared.tours import announced, houses_of_runs, nights_of
from toolyard.world.shared.venues import further_venues, known_hall, stage_of, venue_of
from toolyard.world.shared.wide import named
from toolyard.world.tables import plain

# Evenings of a work, a show or the music of somebody; operas, ballets and symphonies are given all over the world.
_COMING, _GIVEN = 3, {"Opera": 8, "Ballet": 7, "Symphony": 10, "Film Music": 6, "Jazz": 7, "Blues": 6}
# Evenings of an invented act or of a work that is played everywhere at least, the days that they are spread over, and
# a town where some are.
_TOUR, _SPREAD = 8, 192
_HOMES = {
    "Northern Static": "Vienna", "Blue Corner Quintet": "Vienna", "Night Ferry Orchestra": "Vienna",
    "Elmore Trio": "New Orleans", "Swan Lake": "Toronto;Chicago",
}  # fmt: skip
_UNITED = dict.fromkeys(("England", "Scotland", "Wales", "Northern Ireland"), "United Kingdom")


@functools.cache
def _stages_of(kind: str) -> tuple[Stage, ...]:
    return tuple(stage for stage in stages() if stage.kind == kind and stage not in houses_of_runs())


def _title(show: Attraction) -> str:
    """What an event is called: real people do not come themselves, their music does."""
    if show["name"].startswith(TRIBUTE):
        return f"The music of {show['name'].removeprefix(TRIBUTE)}"
    known = show["id"] in known_with_country() or any(
        one["kind"] in ARTISTS for one in named(plain(show["name"]))
    )
    if show["segment"] == "Music" and known and not _listed(show):
        return f"The music of {show['name']}"
    return show["name"].removesuffix(" (ballet)")


def _listed(show: Attraction) -> bool:
    """Whether a show is an invented act or a work that is played everywhere."""
    return show["id"].startswith("K8vZ")


def _places(show: Attraction) -> tuple[Stage, ...]:
    if show["name"] in SMALL:
        return tuple(stage for stage in _stages_of("theatre") if stage.name in COMEDY_CLUBS)
    if show["segment"] == "Music":
        return _music_houses(show["genre"])  # evenings of their music, not their tours
    country = (
        known_with_country()[show["id"]][1]
        if show["id"] in known_with_country() and show["segment"] == "Sports"
        else ""
    )
    return _stages_for(show["genre"], _UNITED.get(country, country), plain(show["name"]) if country else "")


@functools.cache
def _music_houses(genre: str) -> tuple[Stage, ...]:
    return tuple(stage for stage in _stages_of("concert hall") if is_music_house(stage.name, genre))


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
    if _listed(show):
        return _tour(seed, show["id"])[turn]
    drawn = seeds.pick(_places(show), seed, "stage", show["id"], turn)
    if drawn.name not in _apart(show["genre"], show["subgenre"]):
        return drawn
    return seeds.pick(_fit(show), seed, "other stage", show["id"], turn)


def _fit(show: Attraction) -> tuple[Stage, ...]:
    apart = _apart(show["genre"], show["subgenre"])
    return tuple(stage for stage in _places(show) if stage.name not in apart)


@seeds.remembered(256)
def _tour(seed: int, key: str) -> tuple[Stage, ...]:
    """The houses of an invented act or a work, all different where there are enough."""
    show = known_with_country()[key][0]
    places = _fit(show)
    many = _nights(show)
    found = seeds.stream(seed, "tour", key).sample(places * (many // len(places) + 1), many)
    for turn, town in enumerate(filter(None, _HOMES.get(show["name"], "").split(";")), 2):
        found[turn] = next(stage for stage in places if stage.town == town)
    return tuple(found)


@functools.cache
def _apart(genre: str, subgenre: str) -> frozenset[str]:
    """The houses where a kind of show is never given."""
    found = UNSUITED.get(subgenre, frozenset()) | FESTIVAL_HOUSES
    found |= COMEDY_CLUBS if genre != "Comedy" else frozenset()
    return found | _opera_houses() if subgenre == "Dance Show" else found


@functools.cache
def _opera_houses() -> frozenset[str]:
    return frozenset(stage.name for stage in _stages_of("opera house"))


@seeds.table
def _days_free(seed: int) -> Mapping[tuple[str, int], date]:
    """Id and turn of an evening that nobody announced -> a day on which nothing else is on at its house."""
    found: dict[tuple[str, int], date] = {}
    for stage, rows in _bookings(seed).items():
        told = [(known_with_country()[key][0], key, turn) for key, turn in rows]
        nights = [nights_of(show["name"])[turn].day for show, _, turn in told if nights_of(show["name"])]
        taken = set(map(date.fromisoformat, nights))
        for show, key, turn in told:
            if nights_of(show["name"]):
                continue
            chance = seeds.stream(seed, "performance", key, turn)
            drawn = _tour_day(show, turn, chance) if _listed(show) else drawn_day(turn, chance)
            day = _in_season(show, stage, drawn)
            while day in taken:
                day += timedelta(days=1)
            taken.add(day)
            found[key, turn] = day
    return found


def _nights(show: Attraction) -> int:
    """How many evenings an invented act or a work has; no two of a kind the same."""
    return _TOUR + (2 * int(show["id"][4:]) + 8) % 9


def _tour_day(show: Attraction, turn: int, chance: Random) -> date:
    apart = _SPREAD // _nights(show)
    return FIRST_DAY + timedelta(days=1 + turn * apart + chance.randrange(apart - 3))


def _performance(seed: int, show: Attraction, turn: int) -> Event:
    venue = venue_of(_stage(seed, show, turn))
    key = f"G5x{show['id'][4:]}{turn}{seeds.token(3, seed, show['id'], turn)}"
    if _listed(show):
        key = f"G5v{show['id'][4:]}{turn:02d}{seeds.token(3, show['id'], turn)}"
    chance = seeds.stream(seed, "performance", show["id"], turn)
    event = performance(show, venue, turn, chance, title=_title(show), key=key)
    nights = nights_of(show["name"])
    if nights:
        return announced(event, nights[turn])
    day = _days_free(seed).get((show["id"], turn))
    return _moved(event, day.isoformat()) if day else event


def _moved(event: Event, day: str) -> Event:
    """An event on another day; tickets are sold until then."""
    ends = event["on_sale_to"]
    return {
        **event,
        "date": day,
        "starts": f"{day}{event['starts'][10:]}",
        "on_sale_to": f"{day}{ends[10:]}" if ends else None,
    }


_SOUTH = frozenset(("Australia", "Argentina", "Brazil", "Uruguay"))


def _in_season(show: Attraction, stage: Stage, day: date) -> date:
    """A day on which a house plays: in the north opera houses close in July and August, one ballet is for Christmas."""
    if show["name"] == "The Nutcracker":
        return date(2024, 12, 1) + (day - FIRST_DAY) % timedelta(days=24)
    closed = show["genre"] == "Opera" and day.month in (7, 8) and stage.country not in _SOUTH
    return day + timedelta(days=63) if closed else day


def _turns(show: Attraction) -> range:
    """How many events are coming: those announced, else a few of works, shows and music; no games of real teams."""
    if _listed(show):
        return range(_nights(show))
    usual = 0 if _stays_away(show) else _GIVEN.get(show["subgenre"], _COMING)
    return range(len(nights_of(show["name"])) or usual)


def is_coming(show: Attraction) -> bool:
    """Whether a performer, team or show has events on record."""
    return len(_turns(show)) > 0


def _stays_away(show: Attraction) -> bool:
    """Whether only what was announced may be told: teams, festivals, orchestras, comedians and magicians of the tables."""
    if show["id"] not in known_with_country():
        return False
    kinds = ("Sports", "Comedy", "Festival")
    own = not known_with_country()[show["id"]][1] and show["subgenre"] in ("Symphony", "Recital")
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
    match = re.fullmatch(r"G5(?:x(\d{7})\d{1,3}|v(\d{4})\d\d)[0-9a-f]{3}", key.strip(), re.I)
    show = performer_of(seed, f"K8vX{match[1]}" if match[1] else f"K8vZ{match[2]}") if match else None
    found = performances(seed, show) if show else []
    return next((event for event in found if event["id"].lower() == key.strip().lower()), None)


def known_performances(seed: int) -> Iterator[Event]:
    """The coming events of all performers of the tables."""
    for show, _ in known_with_country().values():
        for turn in _turns(show):
            yield _performance(seed, show, turn)


@seeds.table
def listed_events(seed: int) -> tuple[Event, ...]:
    """The coming events of invented acts and of works that are played everywhere, soonest first."""
    found = [_performance(seed, show, turn) for show in attractions() for turn in _turns(show)]
    return tuple(sorted(found, key=lambda event: (event["starts"], event["id"])))


@seeds.table
def _bookings(seed: int) -> Mapping[Stage, tuple[tuple[str, int], ...]]:
    """Venue of the table -> the ids and turns of the performers of the tables who come there."""
    found: dict[Stage, list[tuple[str, int]]] = {}
    for show, _ in known_with_country().values():
        for turn in _turns(show):
            found.setdefault(_stage(seed, show, turn), []).append((show["id"], turn))
    return {stage: tuple(rows) for stage, rows in found.items()}


def performances_at(seed: int, venue_id: str) -> list[Event]:
    """The coming events at a venue of the table, soonest first; none at others."""
    stage = stage_of(venue_id)
    rows = _bookings(seed).get(stage, ()) if stage else ()
    found = [_performance(seed, known_with_country()[key][0], turn) for key, turn in rows]
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
    key = f"G5y{number:07d}{turn}{seeds.token(3, seed, city['id'], turn)}"
    return performance(show, hall, turn, chance, title=show["name"], key=key)


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
