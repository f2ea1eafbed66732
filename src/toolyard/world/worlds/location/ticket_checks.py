"""Location/Ticket: wishes that nothing can fulfil are refused before anything is searched."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from typing import Any

from toolyard.world.faults import invalid, not_found
from toolyard.world.reference.packed import packed
from toolyard.world.shared.contests import is_contest
from toolyard.world.shared.days import moment
from toolyard.world.shared.events import Event, classifications
from toolyard.world.shared.gazetteer import city_at, regions, size
from toolyard.world.shared.geography import cities, city_or_none, find_country, plain
from toolyard.world.shared.locales import check_locale
from toolyard.world.shared.performances import listed_events, performance_of
from toolyard.world.shared.performers import any_performer, further_kinds, further_performer
from toolyard.world.shared.venues import any_venue, names_venue
from toolyard.world.shared.wide import named
from toolyard.world.state import World

_SPANS = (("startDateTime", "endDateTime"), ("onsaleStartDateTime", "onsaleEndDateTime"))


@functools.cache
def _states() -> frozenset[str]:
    """The codes of all regions, each with that of its country: us-ca."""
    listed = (plain(full) for full, *_ in packed("subdivisions"))
    towns = (f"{row['country_code']}-{row['region_code']}" for row in cities())
    named = (f"{key.partition('.')[0]}-{code}" for key, (_, code) in regions().items())
    return frozenset((*listed, *map(plain, towns), *map(plain, named)))


@functools.cache
def _codes() -> frozenset[str]:
    return frozenset(state.partition("-")[2] for state in _states())


def check_place(filters: Mapping[str, object]) -> None:
    """Refuses a country, a state or a city that does not exist, and a radius around nothing."""
    country, state = str(filters.get("countryCode", "")).strip(), plain(str(filters.get("stateCode", "")))
    code = plain(find_country(country)["code"]) if country else ""
    if state and (f"{code}-{state}" not in _states() if code else state not in _codes()):
        within = f" of {find_country(country)['name']}" if country else ""
        raise invalid("stateCode", filters["stateCode"], f"no state or region{within} has this code")
    if "radius" in filters and "geoPoint" not in filters:
        raise invalid("radius", filters["radius"], "give geoPoint as well, e.g. 9q5c for Los Angeles")
    city = str(filters.get("city", ""))
    if city and city_or_none(city) is None:
        raise not_found("city", city[:60], count=size(), such_as=("London", "Chicago"))
    market = filters.get("marketId")
    if isinstance(market, int) and (market < 1 or city_at(market - 1) is None):
        raise invalid("marketId", market, f"want the number of a market, from 1 to {size():,}")


# Where tickets of this kind are sold.
_SHOPS = re.compile(
    r"(?:www\.)?(?:ticketmaster\.[a-z]{2,3}(?:\.[a-z]{2})?|(?:universe|frontgatetickets|ticketweb|livenation)\.[a-z]{2,3})",
    re.I,
)


def check_domain(domain: str | None) -> None:
    """Refuses domains on which no tickets are sold."""
    for one in () if domain is None else domain.split(","):
        if not _SHOPS.fullmatch(one.strip()):
            raise invalid(
                "domain",
                str(domain)[:60],
                "want domains that sell tickets, e.g. ticketmaster.com,universe.com",
            )


def check_caller(filters: Mapping[str, object]) -> None:
    """Refuses a locale that does not exist and domains on which no tickets are sold."""
    check_locale(str(filters.get("locale", "en-us")))
    check_domain(str(filters["domain"]) if filters.get("domain") is not None else None)


def city_names(text: str) -> frozenset[str]:
    """How a city may be written in a row; none where no city is wanted."""
    found = city_or_none(text) if text else None
    return frozenset((plain(text).split(",")[0], plain(found["name"]))) if found else frozenset()


def check_times(world: World, filters: Mapping[str, object]) -> None:
    """Refuses times in the wrong order, and an end of the search before now."""
    for first, last in _SPANS:
        low = moment(str(filters[first]), first) if first in filters else ""
        high = moment(str(filters[last]), last, end=True) if last in filters else "9"
        if first in filters and last in filters and low > high:
            raise invalid(last, filters[last], f"want a time after {first}, {filters[first]}")
    now = world.now.strftime("%Y-%m-%dT%H:%M:%SZ")
    if "endDateTime" in filters and moment(str(filters["endDateTime"]), "endDateTime", end=True) < now:
        raise invalid("endDateTime", filters["endDateTime"], f"only coming events are known; it is {now}")


def check_event_keys(world: World, filters: Mapping[str, object]) -> None:
    """Refuses the id of an event, a performer or a venue that there is none of."""
    key, venue = str(filters.get("id", "")).strip(), str(filters.get("venueId", "")).strip()
    if key:
        event_with(world, key)
    if venue:
        any_venue(world.seed, venue)
    check_performer(world, str(filters.get("attractionId", "")).strip())


def event_with(world: World, key: str) -> Event:
    """The event with an id; a not_found fault otherwise."""
    row = performance_of(world.seed, key)
    if row is None:
        fault = not_found("event with id", key.strip()[:40], such_as=(listed_events(world.seed)[0]["id"],))
        fault.listed_by = "Location/Ticket/event_search"
        raise fault
    return row


def check_performer(world: World, key: str) -> None:
    """Refuses the id of a performer that there is none of."""
    if key:
        any_performer(world.seed, key)


def check_venue(world: World, key: str) -> None:
    """Refuses the id of a venue that there is none of."""
    if key:
        any_venue(world.seed, key)


# Streets and quarters of theatres, and their town.
_SCENES = {"broadway": "New York", "west end": "London"}
_OF_SCENES = re.compile(r"\b(?:shows?|musicals?|plays?|tickets?|theatres?|theaters?)\b")


# Names of sub-genres that are words for much else.
_COMMON = frozenset(("open", "race", "games", "show", "league", "tournament", "exhibition", "rock", "pop"))


# Words for what is made for children.
_FOR_FAMILIES = frozenset(
    ("kids", "children", "family", "for kids", "kids shows", "family shows", "family events")
)
# Other words for genres and sub-genres.
_ALSO = {
    "metal": "heavy metal", "hip hop": "hip-hop/rap", "hip-hop": "hip-hop/rap", "rap": "hip-hop/rap",
    "electronic": "dance/electronic", "edm": "dance/electronic", "techno": "dance/electronic", "football": "soccer",
    "musicals": "musical", "standup": "stand-up", "stand up": "stand-up", "festivals": "festival", "kpop": "k-pop",
    "classical music": "classical", "symphonies": "symphony", "ballets": "ballet", "operas": "opera",
}  # fmt: skip


def is_name(seed: int, keyword: str) -> bool:
    """Whether a keyword names one thing or person, so that events which only share a word with it are not meant."""
    person = any(entry["kind"] == "person" for entry in named(plain(keyword)))
    own = further_performer(seed, keyword) is not None
    return person or own or is_contest(keyword) or names_venue(keyword)


def kind_called(keyword: str) -> Callable[[Mapping[str, Any]], bool] | None:
    """What events a keyword asks for that is the name of a sub-genre or of a quarter of theatres."""
    asked = " ".join(plain(keyword).split())
    if asked in _ALSO:
        return lambda row: _ALSO[asked] in (plain(row["genre"]), plain(row["subgenre"]))
    if asked in _FOR_FAMILIES:
        return lambda row: bool(row["family"])
    scene = _SCENES.get(" ".join(_OF_SCENES.sub(" ", asked).split()))
    if scene:
        return lambda row: row["genre"] == "Theatre" and row["city"] == scene
    rows = (*classifications(), *further_kinds())
    if asked in {plain(row["genre"]) for row in rows}:
        alone = re.compile(rf"\b{re.escape(asked)}\b")
        return lambda row: (
            asked in (plain(row["genre"]), plain(row["subgenre"]))
            or (row["genre"] == "Festival" and bool(alone.search(plain(row["name"]))))
        )
    below = {plain(row["subgenre"]) for row in rows} - {plain(row["genre"]) for row in rows} - _COMMON
    return (lambda row: plain(row["subgenre"]) == asked) if asked in below else None
