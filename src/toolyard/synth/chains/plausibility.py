"""How much sense it makes that one tool feeds another, as a weight: 0 is never drawn.

A value with a narrow meaning (a recipe id, a ticker) goes wherever it is taken. A wide one (a city, a date, a
topic) goes to tools of a related kind only, and what random or invented data show of the world goes nowhere.
"""

import functools
from collections.abc import Mapping

from toolyard.synth.chains.projection import DROPPED, first_path, output_fields, speakable_edges
from toolyard.world.kernel.categories import are_related_categories, category
from toolyard.world.kernel.graph import Edge
from toolyard.world.kernel.registry import library

# Wide meanings and what they weigh beside a narrow one (1.0).
WIDE: Mapping[str, float] = {
    "city": 0.7, "country": 0.5, "country_code": 0.5, "person": 0.5, "company": 0.6, "product": 0.5, "dish": 0.7,
    "ingredient": 0.6, "topic": 0.4, "word": 0.4, "prose": 0.7, "url": 0.4, "page_url": 0.6, "currency_code": 0.4,
    "iso_date": 0.2, "past_date": 0.2, "trading_date": 0.2, "forecast_date": 0.4, "future_date": 0.4,
    "travel_date": 0.5, "time_zone": 0.4,
}  # fmt: skip
_DATES = frozenset({"iso_date", "past_date", "trading_date", "forecast_date", "future_date", "travel_date"})
_PLACES = frozenset({"city", "country", "country_code", "time_zone"})
_MONEY = frozenset({"currency_code"})
_CONSTANT = 0.3


def edge_weight(edge: Edge) -> float:
    """How plausible the edge is; a rare pair of a narrow meaning weighs 1."""
    if edge.semantic in DROPPED or edge.path.count("[]") > 2 or "*" in edge.path:
        return 0.0
    producer, consumer = library()[edge.producer], library()[edge.consumer]
    base = WIDE.get(edge.semantic, 1.0)
    if edge.semantic not in WIDE:
        return base
    if edge.semantic == "prose":
        return base if "text" in category(consumer.category).kinds else 0.0
    invented = category(producer.category).invented and edge.semantic != "word"
    if invented or not category(consumer.category).fed:
        return 0.0
    # The same place, date or word on every call: nobody asks for it.
    constant = not producer.document.parameters
    return (
        base
        * (_CONSTANT if constant else 1.0)
        * _share_kept(edge.semantic, producer.about, consumer.about, constant)
    )


def _share_kept(meaning: str, producer: str, consumer: str, constant: bool) -> float:
    """What stays of a wide meaning between tools about things of these categories."""
    if meaning in _PLACES and constant and "places" not in category(producer).kinds:
        return 0.0
    if meaning == "person" and not category(producer).public_people:
        return 0.0
    if meaning in _DATES:
        kinds = {*category(producer).kinds} & {*category(consumer).kinds}
        near = producer == consumer or not kinds.isdisjoint(("places", "money"))
        return 1.0 if near else _unrelated_weight(meaning, producer, consumer)
    return (
        1.0 if are_related_categories(producer, consumer) else _unrelated_weight(meaning, producer, consumer)
    )


def _unrelated_weight(meaning: str, producer: str, consumer: str) -> float:
    """The share that stays when the tools are of different kinds."""
    taker = category(consumer)
    if meaning in _PLACES:
        return 0.6 if "places" in taker.takes else 0.0
    if meaning in _DATES:
        return 0.5 if "dates" in taker.takes else 0.0
    if meaning in _MONEY:
        return 0.6 if "money" in taker.kinds and "places" in category(producer).kinds else 0.0
    if meaning in ("url", "page_url"):
        return 0.5
    return 0.3 if "knowledge" in taker.kinds else 0.0


@functools.cache
def plausible_links() -> Mapping[tuple[str, str], tuple[tuple[Edge, float], ...]]:
    """(producer, consumer) -> their plausible edges over projected fields, with weights."""
    found: dict[tuple[str, str], list[tuple[Edge, float]]] = {}
    for edge in speakable_edges():
        value = edge_weight(edge)
        if value > 0 and _is_projected(edge):
            found.setdefault((edge.producer, edge.consumer), []).append((edge, value))
    return {pair: tuple(known) for pair, known in found.items()}


def _is_projected(edge: Edge) -> bool:
    """Whether the value and its partners are among the producer's returned fields."""
    known = {item.path for item in output_fields(edge.producer)}
    paths = (edge.path, *(path for _, path in edge.partners))
    return len({*paths}) == len(paths) and all(first_path(path) in known for path in paths)
