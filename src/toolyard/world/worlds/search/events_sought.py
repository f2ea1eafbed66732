"""What a search for events means: a performer, a kind of event, a place; and what is on in a place."""

from __future__ import annotations

import calendar
import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from toolyard.world.search import words
from toolyard.world.shared.entries import named
from toolyard.world.shared.events import Event, events_with
from toolyard.world.shared.found_pictures import SIGHTS
from toolyard.world.shared.geography import City, city_or_none, find_city
from toolyard.world.shared.venues import venues
from toolyard.world.tables import kilometres

_MONTHS = 12

_ANY_EVENT = frozenset(
    words("events things to do shows happening tickets this weekend tonight what is on upcoming next month")
)
_IDLE = _ANY_EVENT | frozenset(words("concert tour live gig musical"))
# What a query calls a kind of events, as the search spells it, and the segments or genres that are meant.
_SEGMENTS = frozenset(("Music", "Sports"))
_KINDS_OF_EVENTS: Mapping[str, str] = {
    word: kind
    for kind, names in {
        "Music": "concert music gig band", "Sports": "sport match game", "Soccer": "soccer football",
        "Theatre": "play theatre theater drama", "Musical": "musical musicals broadway", "Comedy": "comedy standup comedian",
        "Dance": "ballet dance", "Hip-Hop/Rap": "rap hiphop hip", "Family": "family kids children circus",
        "Rock": "rock", "Pop": "pop", "Jazz": "jazz", "Classical": "classical", "Country": "country", "Opera": "opera",
        "Tennis": "tennis", "Hockey": "hockey", "Basketball": "basketball", "Baseball": "baseball",
        "Festival": "festival", "Olympics": "olympics", "Wrestling": "wrestling", "Motorsport": "motorsport racing",
    }.items()
    for word in words(names)
}  # fmt: skip
_NO_SHOW = SIGHTS | frozenset(
    ("city", "country", "company", "university", "landmark", "place", "museum", "airline", "town")
)


def performer_in(query: str) -> str:
    """The performer that a query for tickets or concerts names; nothing where it names none, or a place."""
    name = without_idle_words(query)
    shorter = 0 < len(name) < len(query)
    staged = "musical" in query.lower().split()  # Hamilton is a city, too
    return name if shorter and (staged or not city_or_none(name)) and is_performer(name) else ""


def without_idle_words(query: str) -> str:
    """A query without words such as tickets and tonight."""
    return " ".join(word for word in query.split() if not set(words(word)) <= _IDLE)


def is_performer(query: str) -> bool:
    """Whether a query is the name of somebody or something that is seen on a stage or a field."""
    if set(words(query)) <= _KINDS_OF_EVENTS.keys():
        return False
    return any("P279" not in entry["properties"] and entry["kind"] not in _NO_SHOW for entry in named(query))


def events_in(seed: int, city: City, query: str, what: str, days: tuple[str, str]) -> list[Event]:
    """What a query may mean of what is on in a city, or at the venue nearest to it; of each show the first evening."""
    near = min(
        venues().values(),
        key=lambda venue: kilometres(city["latitude"], city["longitude"], venue.latitude, venue.longitude),
    )
    first: dict[str, Event] = {}
    for event in events_with(seed, city["id"]) or events_with(seed, near.place_id):
        if days[0] <= event.date <= days[1]:
            first.setdefault(event.show.id, event)
    return fitting(list(first.values()), query, what, True)


def kinds_in(query: str) -> set[str]:
    """The kinds of events that a query names."""
    found = {_KINDS_OF_EVENTS[word] for word in words(query) if word in _KINDS_OF_EVENTS}
    return found - _SEGMENTS or found  # a rock concert is rock before it is music


def fitting(found: Sequence[Event], query: str, what: str, placed: bool) -> list[Event]:
    """The events of the kind that a query asks for; where it names none beside a place, those with its words."""
    kinds = kinds_in(query)
    if kinds:
        wanted = kinds if "Festival" in kinds else set()  # a jazz festival is both
        held = {
            event.id: {event.show.kind.segment, event.show.kind.genre, event.show.kind.subgenre}
            for event in found
        }
        return [event for event in found if kinds & held[event.id] and wanted <= held[event.id]]
    sought = set(words(what)) - _ANY_EVENT if placed else set()
    return [event for event in found if not sought or sought & event.words]


_WHEN = re.compile(
    r"\s*\b(?:today|tonight|tomorrow|this (?:weekend|week|month)|next (?:week|month|weekend)|"
    rf"(?:in|this|on) (?:{'|'.join(calendar.month_name[1:])})(?: 2024)?)\b",
    re.I,
)


def when(query: str, today: date) -> tuple[str, str, str]:
    """A query without the time that it names, and the days from and to which it is meant."""
    rest, first, last = _timed(query, today)
    return rest, first.isoformat(), last.isoformat()


def _timed(query: str, today: date) -> tuple[str, date, date]:
    match = _WHEN.search(query)
    if match is None:
        return query, today, date.max
    rest = " ".join(f"{query[: match.start()]} {query[match.end() :]}".split())
    named_time = match[0].strip().lower().removesuffix(" 2024")
    return (rest, *_days(named_time, today)) if rest else (query, today, date.max)


def _days(named_time: str, today: date) -> tuple[date, date]:
    monday = today - timedelta(today.weekday())
    sunday = monday + timedelta(6)
    fixed = {
        "today": (today, today),
        "tonight": (today, today),
        "tomorrow": (today + timedelta(1), today + timedelta(1)),
        "this week": (today, sunday),
        "this weekend": (max(today, monday + timedelta(4)), sunday),
        "next week": (sunday + timedelta(1), sunday + timedelta(7)),
        "next weekend": (sunday + timedelta(5), sunday + timedelta(7)),
    }
    if named_time in fixed:
        return fixed[named_time]
    month = today.month + named_time.startswith("next")
    for number, name in enumerate(calendar.month_name):
        if number and named_time.endswith(name.lower()):
            month = number
    year = today.year + (month < today.month or month > _MONTHS)
    month = (month - 1) % _MONTHS + 1
    last = calendar.monthrange(year, month)[1]
    return max(today, date(year, month, 1)), date(year, month, last)


def check_place(query: str, known: bool) -> None:
    """A not_found fault where events are asked for in a place that nobody knows."""
    what, _, place = query.rpartition(" in ")
    asking = set(words(what)) - _ANY_EVENT
    if what and place and not known and all(word in _KINDS_OF_EVENTS for word in asking):
        find_city(place)
