"""Shops and media: one catalogue behind all shops, tokens that open products, works that are really alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.kernel.state import EPOCH
from toolyard.world.simulated import media
from toolyard.world.simulated.media import listing, works
from toolyard.world.simulated.product.goods import PRICE_FACTORS, RATINGS, STARS, goods, offers, rating
from toolyard.world.simulated.product.shop_catalogue import shop_catalogue

GOOGLE = "Product/Google_Product"


def answer(tool: str, arguments: Any, seed: int = 0) -> Any:
    observation = call(World.fresh(seed), tool, arguments)
    assert observation.error is None, observation.text
    return observation.value


def test_a_token_of_the_search_opens_the_product_it_came_with() -> None:
    for row in answer(f"{GOOGLE}/google_shopping_search", {"query": "headphones"})["shopping_results"]:
        opened = answer(
            f"{GOOGLE}/google_immersive_product_search", {"page_token": row["immersive_page_token"]}
        )
        assert (opened["product_id"], opened["query"]) == (row["product_id"], "headphones")


def test_the_token_that_a_benchmark_query_quotes_opens_a_sweater(shared: Path) -> None:
    rows = json.loads((shared / "data/tooleyes/Test_Data/scenario_data_raw.json").read_text("utf-8"))
    query = next(row["query"] for row in rows if row["path"].endswith("Product/Google_Product"))
    opened = answer(f"{GOOGLE}/google_immersive_product_search", {"page_token": query.split("'")[1]}, seed=3)
    assert "Sweater" in opened["title"]


@pytest.mark.parametrize("token", ["", "%%%", "AAAA", "W10=", "eyJjYXRhbG9naWQiOiI1In0="])
def test_other_tokens_are_refused(token: str) -> None:
    observation = call(World.fresh(), f"{GOOGLE}/google_immersive_product_search", {"page_token": token})
    assert observation.error in ("invalid_value", "not_found")


def test_shops_agree_on_price_and_rating() -> None:
    (first, *_) = answer("Search/ShoppingSearch/walmart_search", {"query": "espresso machine"})
    shelf = answer("Product/Walmart/walmart_search", {"query": "espresso machine", "limit": 40})["items"]
    same = next(row for row in shelf if row["us_item_id"] == first["us_item_id"])
    assert (same["price"], same["rating"]) == (first["primary_offer"], first["rating"])
    written = answer("Search/ShoppingSearch/walmart_review_search", {"query": first["us_item_id"]})
    assert (written["title"], written["overall_rating"]) == (first["title"], first["rating"])
    google = answer(f"{GOOGLE}/google_shopping_search", {"query": "espresso machine", "num": 1})
    sellers = answer(
        f"{GOOGLE}/google_product_search",
        {"product_id": google["shopping_results"][0]["product_id"], "offers": True},
    )["online_sellers"]
    assert first["primary_offer"] in [offer["price"] for offer in sellers if offer["store"] == "Walmart"]


def test_groceries_cost_at_walmart_what_the_food_world_says() -> None:
    shelf = answer("Product/Walmart/walmart_search", {"query": "greek yogurt", "limit": 40})["items"]
    row = next(row for row in shelf if row["title"] == "Olympia Plain Greek Yogurt")
    food = answer("Food/spoonacular_products/get_product_information", {"id": 200102})
    assert (food["title"], food["price"]) == (row["title"], row["price"])


def test_walmart_filters_and_pages() -> None:
    search = "Product/Walmart/walmart_search"
    found = answer(
        search, {"query": "coffee", "min_price": 5, "max_price": 20, "sort": "price_low", "limit": 40}
    )
    prices = [row["price"]["amount"] for row in found["items"]]
    assert prices == sorted(prices)
    assert all(5 <= price <= 20 for price in prices)
    assert len(prices) == found["total"] > 5
    rest = answer(
        search, {"query": "coffee", "min_price": 5, "max_price": 20, "sort": "price_low", "offset": 5}
    )
    assert rest["items"] == found["items"][5:10]
    assert call(World.fresh(), search, {"query": "coffee", "store_id": "1"}).error == "not_found"


@pytest.mark.parametrize(
    ("tool", "query", "wanted"),
    [
        ("apps_related_searches", "Please suggest apps similar to 'Microsoft Word'", "Google Docs"),
        ("apps_related_searches", "Zoom", "Microsoft Teams"),
        ("games_related_searches", "Minecraft", "Terraria"),
        ("movies_related_searches", "The Godfather", "Goodfellas"),
        ("movies_related_searches", "The Conjuring", "Insidious"),
        ("movies_related_searches", "comedies", "The Hangover"),
        ("books_related_searches", "how to cook", "Joy of Cooking"),
        ("books_related_searches", "To Kill a Mockingbird", "The Help"),
    ],
)
def test_works_like_those_asked_for_are_found(tool: str, query: str, wanted: str) -> None:
    found = answer(f"Entertainment/Google_play_store/{tool}", {"q": query})
    assert wanted in [row["title"] for row in found]


def test_free_books_are_free() -> None:
    books = "Entertainment/Google_play_store/books_related_searches"
    free, paid = (answer(books, {"q": "psychology", "price": price}) for price in (1, 2))
    assert {row["price_usd"] for row in free} == {0.0}
    assert 0.0 not in {row["price_usd"] for row in paid}


def test_both_app_stores_know_the_same_app() -> None:
    found = answer("Product/Apple_Product/apple_app_store_search", {"term": "Slack"})["items"][0]
    song_store = answer("Music/Music/search_itunes", {"term": "Slack", "country": "US", "media": "software"})
    play = answer("Entertainment/Google_play_store/apps_related_searches", {"q": "Slack"})[0]
    assert found["product_id"] == song_store["results"][0]["appId"]
    assert (found["title"], found["developer"]) == (play["title"], play["developer"])


def test_itunes_narrows_by_entity_attribute_and_explicitness() -> None:
    songs = answer("Music/Music/search_itunes", {"term": "Eminem", "country": "DE", "entity": "song"})
    assert {row["artistName"] for row in songs["results"]} == {"Eminem"}
    assert {row["price"]["currency"] for row in songs["results"]} == {"EUR"}
    clean = [
        answer(
            "Music/Music/search_itunes",
            {"term": "Queen", "country": "DE", "limit": 200, "explicit": explicit},
        )
        for explicit in (False, True)
    ]
    assert 0 < clean[0]["resultCount"] < clean[1]["resultCount"]
    titles = {"term": "Bohemian Rhapsody", "country": "US", "attribute": "artistTerm"}
    assert answer("Music/Music/search_itunes", titles)["resultCount"] == 0


def test_binary_music_is_two_styles_and_differs_with_each_draw() -> None:
    world = World.fresh()
    drawn = [call(world, "Music/Music/generate_music", {}).value for _ in range(5)]
    assert all(row["binary_music_type"] == f"{row['first']}-{row['second']}" for row in drawn)
    assert len({row["binary_music_type"] for row in drawn}) > 1


def test_tourist_questions_name_sights_of_the_continent() -> None:
    query = "What are the most popular tourist destinations in Europe?"
    found = answer("Search/ShoppingSearch/google_related_question_search", {"query": query})
    assert any("Paris" in row["snippet"] for row in found)


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_goods_are_within_their_bounds_and_shops_show_them(seed: int) -> None:
    low, high = PRICE_FACTORS
    for good, listed in zip(goods(seed), shop_catalogue(), strict=False):
        assert good["product_id"] == listed["product_id"]
        assert low * listed["cents"] - 1 <= good["cents"] <= high * listed["cents"] + 1
    for good in goods(seed)[seed::997]:
        stars, count = rating(seed, good)
        assert STARS[0] <= stars <= STARS[1] and RATINGS[0] <= count <= RATINGS[1]
        prices = [offer["price"]["amount"] for offer in offers(seed, good)]
        assert prices == sorted(prices) and prices[-1] <= good["cents"] / 100 + 0.01
        page = answer(
            "Product/Google_Product/google_product_search", {"product_id": good["product_id"]}, seed
        )
        assert page["price_range_usd"] == [prices[0], prices[-1]]
        assert (page["rating"], page["reviews"]) == (stars, count)


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_stores_show_one_listing_of_a_work(seed: int) -> None:
    for work in [work for work in works() if work.kind in ("app", "game") and work.apple_id and work.play_id][
        ::97
    ]:
        said = listing(seed, work)
        assert media.STARS[0] <= said.stars <= media.STARS[1] and said.price >= 0
        days = [version.released for version in said.versions]
        assert days == sorted(days, reverse=True) and days[0] < EPOCH.date().isoformat()
        page = answer("Product/Apple_Product/apple_product_search", {"product_id": work.apple_id}, seed)
        assert (page["title"], page["rating"], page["size_mb"]) == (work.title, said.stars, said.size_mb)
        tool = "games" if work.kind == "game" else "apps"
        play = answer(f"Entertainment/Google_play_store/{tool}_related_searches", {"q": work.title}, seed)
        own = next(row for row in play if row["title"] == work.title)
        assert (own["price_usd"], own["installs"]) == (said.price, said.installs)


def test_another_seed_has_other_prices() -> None:
    pairs = list(zip(goods(0), goods(1), strict=True))
    assert [one["title"] for one, _ in pairs] == [other["title"] for _, other in pairs]
    assert sum(one["cents"] == other["cents"] for one, other in pairs) < 0.1 * len(pairs)


@pytest.mark.parametrize("query", ["unicorn horn", "quantum flux toaster", "blorpmatic", "dishwasher 9000"])
def test_nothing_is_invented_for_words(query: str) -> None:
    seen = call(World.fresh(), "Product/Walmart/walmart_search", {"query": query})
    assert seen.error == "not_found"
