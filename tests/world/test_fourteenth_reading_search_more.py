"""More of what a fourteenth reading found in searches, shops, stores and trends."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World

MULTI, ENGINE, CUSTOM = "Search/MultimodelSearch", "Search/EngineSearch", "Search/CostumizeSearch"
SHOP, PLAY, TRENDS = "Search/ShoppingSearch", "Entertainment/Google_play_store", "Trend/Google_Trends"
WOLFRAM = "Search/WolframSearch/get_wolfram_results"


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def said(world: World, tool: str, **arguments: Any) -> Any:
    result = call(world, tool, arguments)
    assert result.error is None, result.text
    return result.value


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("convert 100 fahrenheit to celsius", "37.78 °C"), ("25 celsius in fahrenheit", "77 °F"),
        ("prime numbers below 30", "2, 3, 5, 7, 11, 13, 17, 19, 23, 29"), ("roman numeral 2024", "MMXXIV"),
    ],
)  # fmt: skip
def test_figures_as_people_write_them(world: World, query: str, answer: str) -> None:
    assert said(world, WOLFRAM, query=query)["result"] == answer


def test_nothing_far_off_is_proposed(world: World) -> None:
    assert "nearest" not in call(world, WOLFRAM, {"query": "weather in London"}).text


# The web


def test_an_initial_ends_no_sentence(world: World) -> None:
    found = said(world, f"{ENGINE}/google_search", query="Great Gatsby author")["organic_results"]
    assert found[0]["snippet"] == "The Great Gatsby was written by F. Scott Fitzgerald."


def test_a_capital_is_called_one(world: World) -> None:
    for city, country in (("Seoul", "South Korea"), ("Paris", "France"), ("Washington", "the United States")):
        summary = said(world, f"{CUSTOM}/wiki_search", entity=city)["summary"]
        assert summary.startswith(f"{city} is the capital of {country}")


def test_what_is_asked_for_stands_in_the_extract(world: World) -> None:
    found = said(world, f"{ENGINE}/google_search", query="population of Brazil")["organic_results"]
    assert all("million people" in row["snippet"] for row in found)


def test_a_fact_comes_before_advice(world: World) -> None:
    found = said(world, f"{ENGINE}/google_search", query="height of Eiffel Tower")["organic_results"]
    assert found[0]["snippet"] == "The Eiffel Tower is 330 m tall."


def test_who_asks_for_light_wants_no_shutter(world: World) -> None:
    assert "Photography" not in str(said(world, f"{ENGINE}/duckduckgo_search", query="speed of light"))
    assert "Xi'an" not in str(said(world, f"{ENGINE}/baidu_search", query="Great Wall of China"))


def test_extracts_are_cut_behind_a_word(world: World) -> None:
    found = said(world, f"{ENGINE}/yahoo_search", query="World War II causes")
    assert all(row["summary"].endswith((".", "!", "?", "...")) for row in found)


def test_a_page_on_the_country_comes_first(world: World) -> None:
    found = said(world, f"{ENGINE}/bing_search", query="renewable energy", cc="DE")
    assert found[0]["name"] == "Renewable energy in Germany"


@pytest.mark.parametrize("query", ["Huawei", "K-pop", "how to use chopsticks", "Rolex", "IKEA"])
def test_known_names_have_a_page(world: World, query: str) -> None:
    assert said(world, f"{ENGINE}/baidu_search", query=query)


def test_no_year_is_an_article(world: World) -> None:
    found = said(world, f"{CUSTOM}/wiki_search", entity="FC Barcelona")
    assert "1899" not in found["see_also"]


# Events and businesses


def test_a_place_may_stand_first(world: World) -> None:
    found = said(world, f"{CUSTOM}/google_events_search", query="Vienna opera")
    assert found and {row["city"] for row in found} == {"Vienna"}


def test_a_jazz_festival_is_no_food_festival(world: World) -> None:
    assert "Street Food" not in str(said(world, f"{CUSTOM}/google_events_search", query="jazz festival"))


def test_each_show_is_told_once(world: World) -> None:
    titles = [row["title"] for row in said(world, f"{CUSTOM}/google_events_search", query="Nairobi")]
    assert len(set(titles)) == len(titles)


def test_who_cleans_houses_is_no_laundry(world: World) -> None:
    tool = f"{CUSTOM}/google_local_services_search"
    found = said(world, tool, query="house cleaning in Toronto")
    assert {row["service"] for row in found} == {"Home Cleaning"}
    assert len(said(world, tool, query="moving company in Austin")) > 2


@pytest.mark.parametrize("query", ["Louvre", "Eiffel Tower"])
def test_a_sight_is_no_chain(world: World, query: str) -> None:
    assert said(world, f"{ENGINE}/yelp_search", query=query, find_loc="Paris") == []


# Shops


@pytest.mark.parametrize(
    "query", ["red dress", "baseball bat", "unicorn backpack", "kettlebell", "chess set", "flowers"]
)
def test_goods_are_of_makers_that_there_are(world: World, query: str) -> None:
    found = said(world, f"{SHOP}/bing_shopping_search", query=query)
    assert found and not {"Brightmoor", "Oakline", "Pebble"} & {row["title"].split()[0] for row in found}


def test_bread_without_gluten_has_none(world: World) -> None:
    found = said(world, f"{SHOP}/walmart_search", query="gluten free bread")
    assert found and all("Gluten Free" in row["title"] for row in found)


def test_used_ones_are_used(world: World) -> None:
    found = said(world, f"{SHOP}/ebay_search", query="used iPhone")
    assert found and all("iPhone" in row["title"] and row["condition"] != "New" for row in found)


def test_the_parts_of_cars_are_known_ones(world: World) -> None:
    assert "Car Parts" not in str(said(world, f"{SHOP}/ebay_search", query="car parts"))


def test_questions_on_a_machine_are_not_on_the_drink(world: World) -> None:
    found = said(world, f"{SHOP}/google_related_question_search", query="coffee maker")
    assert found and "Is coffee good for you?" not in str(found)


# Stores, videos, patents


def test_films_of_a_book_and_of_an_actor(world: World) -> None:
    tool = f"{PLAY}/movies_related_searches"
    assert said(world, tool, q="The Lord of the Rings")[0]["director"] == "Peter Jackson"
    assert "Critters 3" not in str(said(world, tool, q="Leonardo DiCaprio"))
    assert "War of 1940" not in str(said(world, tool, q="Alfred Hitchcock"))


def test_maps_are_like_maps(world: World) -> None:
    found = said(world, "Product/Apple_Product/apple_product_search", product_id=585027354, also_like=True)
    assert found["you_may_also_like"][0]["title"] == "Waze"


def test_reviews_come_after_the_device(world: World) -> None:
    found = said(world, f"{MULTI}/youtube_search", query="iPhone 15 review")
    assert found[0]["title"] == "iPhone 15 review"
    assert all(row["published"] > "2023-09-22" for row in found)


def test_true_papers_on_editing_genes(world: World) -> None:
    found = said(world, f"{CUSTOM}/google_scholar_search", query="CRISPR gene editing", as_ylo=2015, num=4)
    assert {"Nature", "Cell"} <= {row["venue"] for row in found}


def test_countries_without_a_listed_city_search_too(world: World) -> None:
    tool = f"{TRENDS}/google_trends_search"
    found = said(world, tool, query=["cricket"], geo="Asia", data_type="GEO_MAP_0")["interest_by_region"]
    assert "LK" in {row["geo"] for row in found}
    topics = said(world, tool, query=["football"], data_type="RELATED_TOPICS")["related_topics"]
    assert all(row["type"][0].isupper() for row in topics)
    assert [row["value"] for row in topics] != [100, 91, 82, 73, 64]
