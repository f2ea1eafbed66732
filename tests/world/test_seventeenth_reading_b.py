"""What answers say of grounds, sounds, places, shares, texts and tastes is known, or is not said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.registry import registered
from toolyard.world.shared.geography import find_city
from toolyard.world.worlds.travel.rooms import hotels, location_id


def ask(tool: str, **arguments: Any) -> Any:
    return json.loads(call(World.fresh(0), tool, arguments).text)


def test_no_ground_is_told_of_clubs_that_moved() -> None:
    rows = ask("Competition/API_FOOTBALL/fixtures_head_to_head", h2h="541-529")["items"]
    assert rows
    assert all("venue_id" not in row for row in rows)
    at_home = ask("Competition/API_FOOTBALL/fixtures", venue=1029, last=3)
    assert [row["fixture"]["home"] for row in at_home["items"]] == ["Barcelona"] * 3


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Lake Titicaca", "lake (Peru, Bolivia)"),
        ("Lake Louise", "lake (Canada)"),
        ("Mount Kinabalu", "mountain (Malaysia)"),
        ("Arenal Volcano", "volcano (Costa Rica)"),
    ],
)
def test_a_sight_is_what_its_name_says(name: str, told: str) -> None:
    found = ask("Entity/Wiki_data/get_entity_id", input=name)
    assert found[0]["description"] == told


def test_a_search_for_shares_finds_full_names_and_classes() -> None:
    def symbols(words: str) -> list[str]:
        rows = ask("Finance/USStockRealTime/get_stock_symbol_search_endpoint", keywords=words)
        return [row["symbol"] for row in rows]

    assert "SMCI" in symbols("micro")
    assert symbols("becton dickinson")[0] == "BDX"
    assert symbols("BRK") == ["BRK.B", "BRK.A"]


def test_plurals_of_latin_and_days_of_every_week_are_read() -> None:
    text = "Photosynthesis turns sunlight into energy. Plants and algae use photosynthesis. Bacteria cause disease."
    forms = {row["form"]: row["count"] for row in ask("NLP/NLP/get_topics", txt=text, tt="c")["concepts"]}
    assert forms["photosynthesis"] == 2
    assert {"algae", "bacteria", "disease"} <= forms.keys()
    times = ask("NLP/NLP/get_topics", txt="It is free on Sundays and on Friday evenings.", tt="t")
    assert times["time_expressions"] == ["Sundays", "Friday evenings"]


def test_a_group_of_texts_is_not_named_by_fillers() -> None:
    assert (
        ask("NLP/NLP/text_cluster", txt="Single line about gardening")[0]["title"] == "single line gardening"
    )
    apart = ask("NLP/NLP/text_cluster", txt="Something about whales\nEverything about taxes")
    assert [group["size"] for group in apart] == [1, 1]


def test_a_drink_of_beer_and_lime_is_sour_before_it_is_bitter() -> None:
    taste = ask("Food/spoonacular_recipes_id/taste_by_id", id=850416)
    assert taste["sourness"] == 100
    assert taste["bitterness"] < 100
    assert taste["saltiness"] > 30


@pytest.mark.parametrize("town", ["Kyoto", "Osaka", "Prague", "Amsterdam", "Bergen", "Frankfurt", "Seoul"])
def test_a_house_named_by_a_place_stands_nowhere_else(town: str) -> None:
    rows = ask(
        "Travel/Hotels_Statistical_Data/list_hotels", locationId=location_id(find_city(town)), page_size=20
    )
    for row in rows["items"]:
        if "Station" in row["name"] or "Bahnhof" in row["name"] or "Old Town" in row["name"]:
            quarter = row["address"].split(",")[0]
            assert quarter in (town, "Kyoto Station", "Old Town"), row


def test_a_house_has_a_quarter_or_is_somewhere_in_town() -> None:
    for hotel in hotels(0, find_city("Osaka")["id"]):
        assert hotel["address"].startswith(hotel["area"] or "Osaka, Japan")


def test_sounds_are_counted_where_they_are_listed() -> None:
    rows = ask("Word/Word/search_word", letterPattern="^(baleful|baneful)$")["words"]
    assert [(row["word"], row["sounds"]) for row in rows] == [("baleful", 6), ("baneful", None)]


@pytest.mark.parametrize("name", ["cheapest_tickets_each_day", "cheapest_tickets_each_month"])
def test_an_airport_stands_for_its_city_and_the_document_says_so(name: str) -> None:
    document = registered(f"Travel/Flight_Data_v1/{name}").function.__doc__ or ""
    assert document.count("that of an airport stands for its whole city") == 2
