"""What people ask for beyond the lists: foods, dishes, words, businesses, breeds, companies, and who is not lied about."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.reference.packed import packed
from toolyard.world.tables import plain, read_table


def ask(name: str, arguments: dict[str, Any], world: World | None = None) -> Any:
    seen = call(world or World.fresh(0), name, arguments)
    assert seen.error is None, seen.value
    return seen.value


def refused(name: str, **arguments: Any) -> str:
    error = call(World.fresh(0), name, arguments).error
    assert error is not None
    return error


@pytest.mark.parametrize("name", ["saffron", "bok choy", "lemongrass", "halloumi", "gochujang"])
def test_a_food_beyond_the_table_is_an_ingredient_everywhere(name: str) -> None:
    world = World.fresh(0)
    found = ask("ingredient_search", {"query": name}, world)["items"][0]
    facts = ask("get_ingredient_information", {"id": found["id"]}, world)
    assert facts["name"] == found["name"]
    answer = ask("quick_answer", {"q": f"How much protein is in 100 g of {name}?"}, world)
    assert answer["amount"] == pytest.approx(
        next(row["amount"] for row in facts["nutrients"] if row["name"] == "Protein"), abs=0.02
    )


def test_what_is_no_food_is_no_ingredient() -> None:
    assert ask("ingredient_search", {"query": "glorbfruit"})["items"] == []
    assert ask("ingredient_search", {"query": "blockchain"})["items"] == []
    assert refused("get_ingredient_substitutes", ingredientName="computer") == "not_found"


def test_a_derived_food_is_noted_as_simulated() -> None:
    world = World.fresh(0)
    ask("get_ingredient_substitutes", {"ingredientName": "halloumi"}, world)
    assert ("ingredient", "halloumi") in world.simulated


def test_a_known_dish_is_on_a_menu_of_a_chain_that_does_not_exist() -> None:
    world = World.fresh(0)
    item = ask("search_menu_items", {"query": "pad thai"}, world)["items"][0]
    real = {row["chain"] for row in read_table("food_menu_items.tsv")}
    assert item["title"] == "Pad Thai" and item["restaurantChain"] not in real
    assert ask("get_menu_item_info", {"id": item["id"]}, world)["title"] == "Pad Thai"
    assert ask("search_restaurants", {"query": "moussaka", "lat": 40.71, "lng": -74.0})["items"]
    seen = ask("detect_food_in_text", {"text": "We had moussaka and two bibimbaps."})["annotations"]
    assert [row["dish"] for row in seen] == ["moussaka", "bibimbap"]


def test_words_younger_or_rarer_than_the_dictionary_are_known() -> None:
    assert "rain" in ask("get_definition", {"word": "petrichor"})["definitions"][0]["definition"]
    assert ask("get_synonyms", {"word": "limerence"})["synonyms"] == ["infatuation"]
    assert ask("get_pronunciation", {"word": "doomscrolling"})["syllable_count"] == 3
    assert ask("Search/CostumizeSearch/wiki_search", {"entity": "graphene"})["title"] == "Graphene"


def test_a_business_of_any_kind_is_found_by_what_it_is() -> None:
    world = World.fresh(0)
    assert ask("Finance/Yelp/yelp_search", {"location": "Chicago", "term": "falconry"}, world)["items"] == []
    found = ask("Finance/Yelp/yelp_search", {"location": "Chicago", "term": "language school"}, world)[
        "items"
    ]
    details = ask("Finance/Yelp/yelp_business_details", {"business_id_or_alias": found[0]["id"]}, world)
    assert details["name"] == found[0]["name"]
    assert ask("Finance/Yelp/yelp_search", {"location": "Chicago", "term": "xqzzt"})["items"] == []
    nails = ask("Finance/Yelp/yelp_search", {"location": "Chicago", "term": "nail salon"})["items"][0]
    assert "othersalons" in nails["categories"]


def test_pictures_are_of_the_breed_that_people_mean() -> None:
    french = ask("random_dog_image_by_breed", {"breed": "French bulldog", "limit": 1})["random_images"][0]
    assert "/bulldog-french/" in french
    russell = ask("all_dog_image_by_breed", {"breed": "Jack Russell Terrier"})["images"]
    assert all("/terrier-russell/" in address for address in russell)
    assert refused("all_dog_image_by_breed", breed="flurbhound") == "not_found"


@pytest.mark.parametrize(
    ("name", "title"),
    [("Palantir", "Palantir Technologies"), ("TU Delft", "Delft University of Technology"), ("lithium", "Lithium"),
     ("natural selection", "Natural selection"), ("green tea", "Green tea"), ("Neuschwanstein", "Neuschwanstein Castle")],
)  # fmt: skip
def test_the_encyclopaedia_has_what_people_call_so(name: str, title: str) -> None:
    entry = ask("Search/CostumizeSearch/wiki_search", {"entity": name})
    assert entry["title"] == title and entry["kind"] != "song"


def test_codes_of_airports_are_places_and_wrong_zones_are_put_right() -> None:
    rooms = ask("lodgingProducts", {"destination": "SIN"})
    assert all(row["address"].endswith("Singapore") for row in rooms)
    wrong = call(World.fresh(0), "get_time_zone_date_time", {"zoneId": "Europe/Reykjavik"})
    assert "Atlantic/Reykjavik" in wrong.text


def test_a_domain_ends_as_domains_do() -> None:
    assert refused("analyze_scan", website="foo.zzqq") == "invalid_value"
    world = World.fresh(0)
    past = ask("get_host_history", {"host_name": "arxiv.org"}, world)
    assert ask("get_scan_results", {"id": past[0]["scan_id"]}, world)["host"] == "arxiv.org"


def test_a_town_without_listed_venues_has_events_of_its_own() -> None:
    world = World.fresh(0)
    hit = ask("google_events_search", {"query": "Lausanne"}, world)[0]
    assert hit["city"] == "Lausanne"
    assert ask("get_event_details", {"id": hit["event_id"]}, world)["venue"] == hit["venue"]


def test_numbers_of_vehicles_are_those_of_the_package_or_of_the_world_itself() -> None:
    known = {row[0]: row for row in packed("vehicle_wmis")}
    for row in read_table("vehicle_wmis.tsv"):
        own = known.get(row["wmi"])
        if own and plain(own[3]) == plain(row["make"]):
            assert row["manufacturer_id"] == own[1], row["wmi"]
        elif row["manufacturer_id"] not in {one[1] for one in known.values()}:
            assert row["manufacturer_id"].startswith("X"), row["wmi"]
    makes = {row[0].upper(): row[1] for row in packed("vehicle_models")}
    for row in read_table("vehicle_models.tsv"):
        assert row["make_id"] == makes.get(row["make"], row["make_id"]), row["make"]


def test_a_language_may_be_named_as_people_name_it() -> None:
    assert ask("get_translation_baidu", {"text": "water", "tgt_lang": "French"})["result"] == "eau"
    assert ask("get_translation_baidu", {"text": "water", "tgt_lang": "fi"})["result"] == "vesi"
    assert ask("get_translation_baidu", {"text": "kiitos", "tgt_lang": "en"})["result"] == "thank you"
    other = call(World.fresh(0), "get_translation_baidu", {"text": "water", "tgt_lang": "tlh"})
    assert "the dictionary has en" in other.text


def test_the_sea_is_told_by_the_coast_and_not_far_inland() -> None:
    assert call(World.fresh(0), "marine", {"q": "Denver"}).error == "not_found"
    water = ask("marine", {"q": "Honolulu"})["days"][0]["hours"][0]["water_temperature_c"]
    assert 23 < water < 29


def test_works_of_a_museum_are_by_those_who_made_them() -> None:
    rows = ask("search_resource", {"res_type": "object", "person": "Francisco Goya", "size": 20})["records"]
    assert rows and all(row["person"] == ["Francisco Goya"] for row in rows)
    known = ask("get_resource_by_id", {"res_type": "object", "id": 299843})["record"]
    assert known["person"] == ["Vincent van Gogh"]


def test_a_model_is_told_where_its_pattern_is_registered_and_not_guessed() -> None:
    assert ask("decode_vin", {"vin": "1HGCM82633A004352"})["model"] == "Accord"
    golf = ask("decode_vin", {"vin": "WVWZZZ1JZXW000001"})
    assert golf["model"] is None and "not known" in golf["notes"][-1]


def test_an_animal_comes_before_its_fur_and_a_rocket_starts_where_it_stands() -> None:
    assert "mammal" in ask("Search/CostumizeSearch/wiki_search", {"entity": "otters"})["summary"]
    assert ask("Search/CostumizeSearch/wiki_search", {"entity": "volcanoes"})["title"] == "Volcano"
    world = World.fresh(0)
    article = ask("get_news_articles", {"search": "XPoSat"}, world)["items"][0]
    assert ask("get_news_articles_by_id", {"id": article["id"]}, world)["rocket"] == "PSLV"


def test_old_formula_one_seasons_have_their_calendar() -> None:
    races = ask("race_schedule", {"season": 1976})["items"]
    assert len(races) == 16 and (races[0]["circuit_id"], races[-1]["race"]) == (
        "interlagos",
        "Japanese Grand Prix",
    )
    assert ask("race_schedule", {"season": 1955, "race": 3})["items"][0]["race"] == "Indianapolis 500"
    assert ask("circuit_information", {"circuit_id": "bremgarten"})["items"][0]["country"] == "Switzerland"


def test_no_abusive_word_is_proposed() -> None:
    found = call(World.fresh(), "Search/EngineSearch/google_related_question_search", {"query": "volcanoes"})
    assert found.error is None
    assert "slur" not in found.text
    assert "Volcano" in found.text
