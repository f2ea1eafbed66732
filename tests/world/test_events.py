"""Ticketed events: one table drawn from the seed, shown alike by search, details, suggestions and web search."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.reference.encyclopaedia.stage_rows import stages
from toolyard.world.reference.places.geography import city_or_none, find_country
from toolyard.world.simulated.events import attractions, coming_events, events_with, kinds
from toolyard.world.simulated.venues import venues
from toolyard.world.tools.location.ticket_details import EVENT

SEEDS = (0, 1, 2)


def ask(name: str, seed: int = 0, **arguments: Any) -> Any:
    seen = call(World.fresh(seed), f"Location/Ticket/{name}", arguments)
    assert seen.error is None, seen.value
    return seen.value


@pytest.mark.parametrize("seed", SEEDS)
def test_events_are_complete_and_within_bounds(seed: int) -> None:
    events = list(coming_events(seed).values())
    assert len({event.id for event in events}) == len(events)
    assert len({(event.venue.id, event.date) for event in events}) == len(events)
    for event in events:
        assert "2024-05-16" <= event.date < "2025-06-01"
        assert event.on_sale_from < "2024-05-16" < event.on_sale_to < event.starts
        assert 12 <= event.lowest_price < event.highest_price <= 400
        assert event.show.kind in kinds()
    for show in attractions():
        assert 3 <= len(events_with(seed, show)) <= 8


def test_the_first_events_of_a_performer_bear_the_same_ids_in_every_world() -> None:
    worlds = [coming_events(seed) for seed in SEEDS]
    for show in attractions().values():
        shared = set.intersection(*({event.id for event in events_with(seed, show.id)} for seed in SEEDS))
        assert len(shared) >= 3
    assert len({tuple(world.values()) for world in worlds}) == len(SEEDS)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["Coldplay", "Paper Lanterns", "Arsenal"])
def test_all_services_show_the_same_event(name: str, seed: int) -> None:
    found = ask("event_search", seed, keyword=name, sort_by="date,asc")["items"]
    details = ask("get_event_details", seed, id=found[0]["id"])
    assert details == EVENT.row(coming_events(seed)[found[0]["id"]])
    performer = ask("get_attraction_details", seed, id=details["attraction_id"])
    assert performer["name"] == name
    assert performer["next_events"] == [row["id"] for row in found]
    assert ask("attraction_search", seed, keyword=name)["items"][0]["upcoming_events"] == len(found)
    venue = ask("get_venue_details", seed, id=details["venue_id"])
    assert (venue["name"], venue["city"]) == (details["venue"], details["city"])
    there = ask("event_search", seed, venueId=details["venue_id"], size=25)["items"]
    assert details["id"] in [row["id"] for row in there]
    hits = call(
        World.fresh(seed), "Search/CostumizeSearch/google_events_search", {"query": f"{name} tickets"}
    )
    hit = next(row for row in hits.value if row["event_id"] == details["id"])
    assert (hit["starts"], hit["lowest_price"]) == (details["starts"], details["price_from_usd"])


def test_a_venue_is_found_by_any_of_its_names() -> None:
    found = ask("venue_search", keyword="Staples Center")["items"]
    assert [(row["name"], row["city"]) for row in found] == [("Crypto.com Arena", "Los Angeles")]


def test_every_venue_stands_in_a_town_of_its_country() -> None:
    towns = {(row.town, find_country(row.country)["code"]) for row in stages()}
    assert [town for town, code in sorted(towns) if city_or_none(f"{town}, {code}") is None] == []
    assert len(venues()) == len(stages())


@pytest.mark.parametrize("name", ["event_search", "attraction_search", "venue_search", "find_suggest"])
def test_a_ticket_search_for_what_nobody_has_heard_of_is_refused(name: str) -> None:
    seen = call(World.fresh(), f"Location/Ticket/{name}", {"keyword": "qqzzqq"})
    assert (seen.error, "known ones are" in seen.text) == ("not_found", True)


@pytest.mark.parametrize("seed", [0, 1])
def test_every_performer_of_the_catalogue_is_found_by_name_whatever_town_is_called_so(seed: int) -> None:
    world = World.fresh(seed)
    for show in list(attractions().values())[::40]:
        found = call(world, "Search/CostumizeSearch/google_events_search", {"query": show.name})
        assert show.name in [row["title"] for row in found.value], show.name
