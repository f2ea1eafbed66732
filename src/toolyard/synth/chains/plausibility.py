"""How much sense it makes that one tool feeds another, as a weight: 0 is never drawn.

A value with a narrow meaning (a recipe id, a ticker) goes wherever it is taken. A wide one (a city, a date, a
topic) goes to tools of a related kind only, and what random or invented data show of the world goes nowhere.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from toolyard.synth.chains.projection import DROPPED, fields, first_path
from toolyard.world.graph import Edge, edges
from toolyard.world.registry import library

# Wide meanings and what they weigh beside a narrow one (1.0).
WIDE: Mapping[str, float] = {
    "city": 0.7,
    "country": 0.5,
    "country_code": 0.5,
    "person": 0.5,
    "company": 0.6,
    "product": 0.5,
    "dish": 0.7,
    "ingredient": 0.6,
    "topic": 0.4,
    "word": 0.4,
    "prose": 0.7,
    "url": 0.4,
    "page_url": 0.6,
    "currency_code": 0.4,
    "iso_date": 0.2,
    "past_date": 0.2,
    "trading_date": 0.2,
    "forecast_date": 0.4,
    "future_date": 0.4,
    "travel_date": 0.5,
    "time_zone": 0.4,
}
_DATES = frozenset({"iso_date", "past_date", "trading_date", "forecast_date", "future_date", "travel_date"})
_PLACES = frozenset({"city", "country", "country_code", "time_zone"})
_MONEY = frozenset({"currency_code"})
# Kinds of tools; a category may be of several.
KINDS: Mapping[str, frozenset[str]] = {
    "places": frozenset(
        {"Travel", "Location", "Weather", "Calendar", "IP", "Entertainment", "Job", "Database"}
    ),
    "food": frozenset({"Food", "Health", "Product"}),
    "money": frozenset({"Finance", "Stock"}),
    "knowledge": frozenset({"Paper", "Search", "News", "Entity", "Art", "Trend", "Database"}),
    "media": frozenset({"Music", "Entertainment", "Social", "News", "Search", "Product"}),
    "text": frozenset({"NLP", "Translation", "Comparison", "Word", "Mail", "File", "Zapier"}),
    "web": frozenset({"Anti_Malware", "IP", "URL", "Validation"}),
    "sports": frozenset({"Competition"}),
    "animals": frozenset({"Animal"}),
    "cars": frozenset({"Vehicle"}),
}
# Whom a real-world place, date or currency of anybody may interest.
_PLACE_TAKERS = frozenset({"Weather", "Travel", "Location", "Calendar", "Entertainment"})
_DATE_TAKERS = frozenset({"Calendar"})
_TEXT_TAKERS = KINDS["text"]
_CONSTANT = 0.3
# Groups whose category does not say what they are about.
_ABOUT: Mapping[str, str] = {"Search/ShoppingSearch": "Product", "Finance/Yelp": "Location"}
# Others name reviewers, users and sellers, whom nobody looks up elsewhere.
_OF_PUBLIC_PEOPLE = frozenset(
    {"Paper", "Art", "Music", "Entity", "Search", "Database", "Competition", "Entertainment"}
)
_INVENTED = frozenset({"Faker", "Joke", "Random", "Advice", "Predict", "Word", "Translation", "Comparison"})


def weight(edge: Edge) -> float:
    """How plausible the edge is; a rare pair of a narrow meaning weighs 1."""
    if edge.semantic in DROPPED or edge.path.count("[]") > 2 or "*" in edge.path:
        return 0.0
    producer, consumer = library()[edge.producer], library()[edge.consumer]
    base = WIDE.get(edge.semantic, 1.0)
    if edge.semantic not in WIDE:
        return base
    if edge.semantic == "prose":
        return base if consumer.category in _TEXT_TAKERS else 0.0
    if consumer.category == "Faker" or (producer.category in _INVENTED and edge.semantic != "word"):
        return 0.0
    # The same place, date or word on every call: nobody asks for it.
    constant = not producer.document.parameters
    return (
        base
        * (_CONSTANT if constant else 1.0)
        * _share(edge.semantic, about(producer.id), about(consumer.id), constant)
    )


def about(tool: str) -> str:
    """What a tool is about: its category, but for groups that are about something else."""
    return _ABOUT.get(tool.rsplit("/", 1)[0], tool.split("/", 1)[0])


def _share(meaning: str, producer: str, consumer: str, constant: bool) -> float:
    """What stays of a wide meaning between tools of these fields."""
    if meaning in _PLACES and constant and producer not in KINDS["places"]:
        return 0.0
    if meaning == "person" and producer not in _OF_PUBLIC_PEOPLE:
        return 0.0
    if meaning in _DATES:
        near = producer == consumer or any(
            {producer, consumer} <= KINDS[kind] for kind in ("places", "money")
        )
        return 1.0 if near else _unrelated(meaning, producer, consumer)
    return 1.0 if related(producer, consumer) else _unrelated(meaning, producer, consumer)


def related(one: str, other: str) -> bool:
    """Whether two categories are of one kind."""
    return one == other or any(one in kind and other in kind for kind in KINDS.values())


def _unrelated(meaning: str, producer: str, consumer: str) -> float:
    """The share that stays when the tools are of different kinds."""
    if meaning in _PLACES:
        return 0.6 if consumer in _PLACE_TAKERS else 0.0
    if meaning in _DATES:
        return 0.5 if consumer in _DATE_TAKERS else 0.0
    if meaning in _MONEY:
        return 0.6 if consumer in KINDS["money"] and producer in KINDS["places"] else 0.0
    if meaning in ("url", "page_url"):
        return 0.5
    return 0.3 if consumer in KINDS["knowledge"] else 0.0


@functools.cache
def links() -> Mapping[tuple[str, str], tuple[tuple[Edge, float], ...]]:
    """(producer, consumer) -> their plausible edges over projected fields, with weights."""
    found: dict[tuple[str, str], list[tuple[Edge, float]]] = {}
    for edge in edges():
        value = weight(edge)
        if value > 0 and _projected(edge):
            found.setdefault((edge.producer, edge.consumer), []).append((edge, value))
    return {pair: tuple(known) for pair, known in found.items()}


def _projected(edge: Edge) -> bool:
    """Whether the value and its partners are among the producer's returned fields."""
    known = {item.path for item in fields(edge.producer)}
    paths = (edge.path, *(path for _, path in edge.partners))
    return len({*paths}) == len(paths) and all(first_path(path) in known for path in paths)
