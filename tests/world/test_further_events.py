"""Performers and venues beyond the listed ones: real names of the tables, others derived, nonsense refused."""

from __future__ import annotations

from typing import Any

from toolyard.world import World, call
from toolyard.world.shared.geography import city_or_none, find_country
from toolyard.world.shared.stage_rows import stages


def ask(world: World, name: str, **arguments: Any) -> Any:
    seen = call(world, f"Location/Ticket/{name}", arguments)
    assert seen.error is None, seen.value
    return seen.value


def test_a_known_performer_has_events_that_all_tools_agree_on() -> None:
    world = World.fresh(0)
    event = ask(world, "event_search", keyword="Coldplay")["items"][0]
    details = ask(world, "get_event_details", id=event["id"])
    performer = ask(world, "get_attraction_details", id=details["attraction_id"])
    venue = ask(world, "get_venue_details", id=details["venue_id"])
    assert performer["name"] == "Coldplay" and event["id"] in performer["next_events"]
    assert venue["name"] == details["venue"] and venue["city"] == details["city"]
    at_venue = ask(world, "event_search", venueId=details["venue_id"], size=25, sort_by="date,asc")
    assert event["id"] in [row["id"] for row in at_venue["items"]]
    hits = call(world, "Search/CostumizeSearch/google_events_search", {"query": "coldplay tickets"}).value
    assert event["id"] in [hit["event_id"] for hit in hits]
    assert ("performances", "coldplay") in world.simulated


def test_the_dead_do_not_play_and_plays_are_shown_in_theatres() -> None:
    world = World.fresh(0)
    assert (
        ask(world, "event_search", keyword="Elvis Presley")["items"][0]["name"]
        == "The music of Elvis Presley"
    )
    rows = ask(world, "event_search", keyword="Hamilton")["items"]
    assert {row["genre"] for row in rows} == {"Theatre"}


def test_a_venue_is_found_by_any_of_its_names_and_in_the_encyclopaedia() -> None:
    world = World.fresh(0)
    found = ask(world, "venue_search", keyword="Staples Center")["items"]
    assert [(row["name"], row["city"]) for row in found] == [("Crypto.com Arena", "Los Angeles")]
    entry = call(world, "Search/CostumizeSearch/wiki_search", {"entity": "Wrigley Field"}).value
    assert "stadium in Chicago" in entry["summary"]


def test_unlisted_performers_and_venues_are_derived_where_they_can_be_and_nonsense_is_not() -> None:
    world = World.fresh(0)
    act = ask(world, "attraction_search", keyword="Crimson Kettle Parade")["items"][0]
    assert ask(world, "get_attraction_details", id=act["id"])["name"] == "Crimson Kettle Parade"
    hall = ask(world, "venue_search", keyword="Riverside Theatre")["items"][0]
    assert ask(world, "get_venue_details", id=hall["id"])["city"] == "Riverside"
    assert ask(world, "attraction_search", keyword="things to do")["items"] == []
    assert ask(world, "attraction_search", keyword="Xqzzt Blorps")["items"] == []
    assert ask(world, "venue_search", keyword="Vrkpt Hall")["items"] == []


def test_every_venue_of_the_table_stands_in_a_town_of_its_country() -> None:
    towns = {(row.town, find_country(row.country)["code"]) for row in stages()}
    assert [town for town, code in sorted(towns) if city_or_none(f"{town}, {code}") is None] == []
