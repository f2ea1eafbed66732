"""Who can feed whom: edges exist between equal meanings only, and those drawn at random execute."""

import random
from itertools import islice

import pytest

from toolyard.world import World, call, library
from toolyard.world.kernel.graph import Edge, edges, example_with_values, feeds, values_at
from toolyard.world.kernel.types import GENERIC

# A subcategory that no edge touches yet, such as one with a single new tool in it, is nobody's fault.
GROUPS = sorted({tool_id.rsplit("/", 1)[0] for edge in edges() for tool_id in (edge.producer, edge.consumer)})


def works(edge: Edge) -> bool:
    """Whether the consumer takes one of the first values that the producer's examples return."""
    world, consumer = World.fresh(), library()[edge.consumer]
    results = [call(world, edge.producer, example).value for example in library()[edge.producer].examples]
    return any(
        call(world.copy(), consumer.id, example_with_values(consumer, edge.parameter, fed)).error is None
        for fed in islice(feeds(edge, results), 12)
    )


def test_edges_join_equal_and_never_generic_meanings() -> None:
    found = edges()
    assert found
    assert not {edge.semantic for edge in found} & GENERIC
    assert all(edge.producer != edge.consumer for edge in found)
    assert len(edges()) >= 2000


def test_country_details_feed_the_calendar() -> None:
    wanted = ("Location/Geodatabase/get_country_details", "Calendar/Calendar/public_holidays")
    found = [edge for edge in edges() if (edge.producer, edge.consumer) == wanted]
    assert ("country.code", "countryCode") in {(edge.path, edge.parameter) for edge in found}


def test_a_region_comes_with_its_country_or_not_at_all() -> None:
    into = [edge for edge in edges() if edge.consumer == "Location/Geodatabase/get_region_details"]
    assert into
    assert all(edge.partners for edge in into)
    assert all(map(works, into))


def test_every_parameter_with_a_meaning_takes_it_from_some_tool_drawn_at_random() -> None:
    offers: dict[tuple[str, str, str], list[Edge]] = {}
    for edge in edges():
        offers.setdefault((edge.consumer, edge.parameter, edge.semantic), []).append(edge)
    draw = random.Random(568)
    drawn = [draw.choice(found) for found in offers.values()]
    assert [edge for edge in drawn if not works(edge)] == []


@pytest.mark.parametrize("group", GROUPS)
def test_subcategory_takes_part_in_a_chain(group: str) -> None:
    touching = [edge for edge in edges() if f"{group}/" in (edge.producer + "|" + edge.consumer)]
    assert any(map(works, touching[:20]))


def test_95_subcategories_take_part_in_chains() -> None:
    assert len(GROUPS) >= 95
    assert {tool_id.rsplit("/", 1)[0] for tool_id in library()} >= set(GROUPS)


def test_values_at_steps_into_lists_and_open_objects() -> None:
    value = {"rows": [{"city": "Oslo"}, {"city": "Rome"}], "by_code": {"a": {"id": 1}, "b": {"id": 2}}}
    assert values_at(value, "rows[].city") == ["Oslo", "Rome"]
    assert values_at(value, "by_code.*.id") == [1, 2]
    assert values_at([{"x": 1}], "[].x") == [1]
    assert values_at(value, "rows[].none") == []
