"""Calls that once ended in an exception of the tool: each is answered, or refused in words."""

from __future__ import annotations

from toolyard.world import World, call
from toolyard.world.shared.entry import relations
from toolyard.world.worlds.entity.entity_graph import by_id


def test_every_relation_of_an_entry_has_a_name() -> None:
    used = {relation for entry in by_id().values() for relation in entry["properties"]}
    assert used <= relations().keys()


def test_coins_without_a_price_are_refused_by_name() -> None:
    found = call(
        World.fresh(0), "Stock/Stock/get_exchange_rate", {"from_currency": "NOVA", "to_currency": "USD"}
    )
    assert found.error is not None
    assert "NOVA" in found.text
