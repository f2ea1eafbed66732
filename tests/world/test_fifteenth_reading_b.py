"""What a stranger found in completions, papers, pictures, jobs, journeys, boards, businesses and recipes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.worlds.product import goods, shop_catalogue

_KITS = ("CostumizeSearch", "EngineSearch", "MultimodelSearch", "ShoppingSearch")


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def _told(world: World, tool: str, **arguments: Any) -> Any:
    return json.loads(call(world, tool, arguments).text)


def _completions(world: World, query: str, kit: str = "CostumizeSearch") -> list[str]:
    return [row["value"] for row in _told(world, f"Search/{kit}/google_autocomplete_search", query=query)]


@pytest.mark.parametrize("kit", _KITS)
def test_completions_go_on_from_what_was_typed(world: World, kit: str) -> None:
    baked = _completions(world, "how to bake", kit)
    assert len(baked) > 4 and all(text.startswith("how to bake ") for text in baked)
    assert "olympic games paris 2024" in _completions(world, "olympic games par", kit)


@pytest.mark.parametrize(
    "query",
    ["how to whittle", "best vegan ramen", "what is dark", "who discovered", "climate policy", "world cup qat",
     "berlin film fest", "used car", "recipes with chick", "marathon lon", "is coffee", "stock price"],
)  # fmt: skip
def test_common_beginnings_complete(world: World, query: str) -> None:
    found = _completions(world, query)
    assert all(text.startswith(query) for text in found)
    assert any(text != query for text in found)


@pytest.mark.parametrize("query", ["olympic games xqz", "photosynthesiss", "why do people go to", "xqzvw"])
def test_no_completion_is_shorter_than_what_was_typed(world: World, query: str) -> None:
    found = _completions(world, query)
    assert all(len(text) >= len(query) for text in found) and found != [query]


def test_questions_ask_who_of_people_and_where_of_places(world: World) -> None:
    assert "who was marie curie" in _completions(world, "who was mar")
    assert "where is machu picchu" in _completions(world, "where is mach")


def test_titles_of_goods_are_those_of_the_goods() -> None:
    built = [(good["title"], good["category"]) for good in goods.goods(0)]
    assert [(good["title"], good["category"]) for good in shop_catalogue.titled_goods()] == built


def test_words_beside_a_venue_still_count(world: World) -> None:
    tool = "Search/CostumizeSearch/google_scholar_search"
    assert _told(world, tool, query="language models source:nature") == []
    found = _told(world, tool, query="deep learning source:nature")
    assert found[0]["title"] == "Deep learning"


@pytest.mark.parametrize("query", ["Toyota Corolla", "Nike Air Max", "Samsung Galaxy S24"])
def test_models_keep_their_capitals_in_captions(world: World, query: str) -> None:
    found = _told(world, "Search/MultimodelSearch/yahoo_image_search", query=query)
    assert found and all(row["caption"].startswith(query) for row in found)


def test_the_page_of_a_picture_writes_a_car_as_its_caption_does(world: World) -> None:
    first = _told(world, "Search/MultimodelSearch/yahoo_image_search", query="Toyota Corolla")[0]
    assert "building" not in first["caption"]
    page = _told(world, "Search/MultimodelSearch/get_further_contents", request_url=first["found_on"])
    assert page["title"] == first["caption"]


def test_other_captions_begin_with_one_capital(world: World) -> None:
    found = _told(world, "Search/MultimodelSearch/yahoo_image_search", query="climate change")
    assert found[0]["caption"].startswith("Climate change - ")


def test_all_companies_that_hire_have_jobs_and_none_comes_twice(world: World) -> None:
    first = _told(world, "Job/the_muse/search_companies")
    pages = [_told(world, "Job/the_muse/search_companies", page=n) for n in range(first["page_count"])]
    rows = [row for page in pages for row in page["results"]]
    assert len(rows) == first["total"] and all(row["open_jobs"] > 0 for row in rows)
    names = {row["name"] for row in rows}
    assert "Google" in names and "Alphabet Inc." not in names


def test_the_busiest_routes_have_flights_all_day(world: World) -> None:
    tool = "Travel/BMTool_Travel/flightProducts"
    for origin, destination in (("Tokyo", "Sapporo"), ("Sapporo", "Tokyo"), ("Tokyo", "Osaka")):
        found = _told(world, tool, origin=origin, destination=destination, exhibit_maxnum=12)
        assert len({row["flight_number"] for row in found}) == len(found) == 12
        assert [row["total_usd"] for row in found] == sorted(row["total_usd"] for row in found)
    assert len(_told(world, tool, origin="Tokyo", destination="Sapporo")) == 3


def test_hotels_at_a_point_of_manhattan_are_in_new_york(world: World) -> None:
    found = _told(world, "Travel/Hotels_Data/search_city_hotels", query="40.758,-73.9855")
    assert found["locations"][0]["name"] == "New York"
    assert all(row["address"].endswith(", New York") for row in found["hotels"])
    assert not any(
        word in row["address"] for row in found["hotels"] for word in ("Station Road", "Mill Street")
    )


def test_towns_beside_a_metropolis_keep_their_hotels(world: World) -> None:
    for point, name in (("40.7440,-74.0324", "Hoboken"), ("48.8,2.12", "Versailles")):
        found = _told(world, "Travel/Hotels_Data/search_city_hotels", query=point)
        assert found["locations"][0]["name"] == name


def test_threads_of_another_age_are_read_but_not_in_the_archive(world: World) -> None:
    for board, number in (("b", 789123), ("vg", 456789), ("tg", 789123)):
        archive = _told(world, "Social/chan/get_archive", board=board)
        assert min(archive["threads"]) > 0.9 * max(archive["threads"])
        assert archive["number_of_threads"] == len(archive["threads"])
        assert _told(world, "Social/chan/get_posts", board=board, thread_no=number)["archived"] is True


def test_pets_have_vets_groomers_and_shops(world: World) -> None:
    pets = _told(world, "Finance/Yelp/yelp_category_details", alias="pets")
    assert {"petservices", "vet", "groomer", "petstore"} <= set(pets["subcategories"])
    assert len(pets["typical_offers"]) > 3
    rows = {row["alias"]: row for row in _told(world, "Finance/Yelp/yelp_all_categories")}
    for alias in pets["subcategories"]:
        told = _told(world, "Finance/Yelp/yelp_category_details", alias=alias)
        assert "pets" in told["parent_aliases"]
        assert alias not in rows or rows[alias]["parent_aliases"] == told["parent_aliases"]


def test_recipes_are_counted_as_they_are_listed(world: World) -> None:
    total = _told(world, "Food/Tasty/get_recipes", from_=0, size=1)["total"]
    assert f"({total} in all)" in _told(world, "Food/Tasty/get_more_info", id=1)["error"]["message"]


def test_cocktails_come_from_no_kitchen_and_in_glasses(world: World) -> None:
    drink = _told(world, "Food/Tasty/get_recipes", from_=0, size=1, q="Tom Collins")["items"][0]
    told = _told(world, "Food/Tasty/get_more_info", id=drink["id"])
    assert "kitchen" not in told["description"]
    assert told["num_servings"] > 1 and "glasses" in told["instructions"]
    lassi = _told(world, "Food/Tasty/get_recipes", from_=0, size=1, q="Lassi")["items"][0]
    assert "Indian drink" in _told(world, "Food/Tasty/get_more_info", id=lassi["id"])["description"]


@pytest.mark.parametrize("query", ["burg", "chic", "cheeseb", "egg"])
def test_menu_completions_begin_a_word_and_come_once(world: World, query: str) -> None:
    rows = _told(world, "Food/spoonacular_menu/autocomplete_menu_item_search", query=query, number=25)
    titles = [row["title"].lower() for row in rows]
    assert titles and len(set(titles)) == len(titles)
    assert all(f" {query}" in f" {title}" for title in titles)
