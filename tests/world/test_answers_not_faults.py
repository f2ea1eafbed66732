"""Calls that once ended in an exception of the tool: each is answered, or refused in words."""

from __future__ import annotations

from toolyard.world import World, call
from toolyard.world.shared.entries import about, mentioned, named
from toolyard.world.worlds.entity.entity_graph import by_id
from toolyard.world.worlds.entity.relations import relations


def test_every_relation_of_an_entry_has_a_name() -> None:
    used = {relation for entry in by_id().values() for relation in entry["properties"]}
    assert used <= relations().keys()


def test_coins_without_a_price_are_refused_by_name() -> None:
    found = call(
        World.fresh(0), "Stock/Stock/get_exchange_rate", {"from_currency": "NOVA", "to_currency": "USD"}
    )
    assert found.error is not None
    assert "NOVA" in found.text


def test_an_entry_that_a_query_names_is_found_where_nothing_is_mentioned() -> None:
    name = next(
        entry["title"]
        for entry in by_id().values()
        if named(entry["title"]) and not mentioned(entry["title"])
    )
    assert named(name)[0] in about(name, 5)
