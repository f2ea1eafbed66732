"""Shops, app stores, music, names and coins: what is asked for and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.worlds.product.goods import search_goods

SHOP, GOOGLE, APPLE = "Search/ShoppingSearch", "Product/Google_Product", "Product/Apple_Product"
PLAY, COINS, NAMES = "Entertainment/Google_play_store", "Finance/CoinMarketCap", "Predict/Predict"
ITUNES = "Music/Music/search_itunes"


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def said(world: World, tool: str, **arguments: object) -> Any:
    found = json.loads(call(world, tool, arguments).text)
    assert "error" not in found, found
    return found


def titles(query: str) -> list[str]:
    return [good["title"] for good in search_goods(0, query)]


@pytest.mark.parametrize(
    ("query", "never"),
    [
        ("iphone se", "Doxie"),
        ("pixel 8 pro", "Instant Pot"),
        ("bra", "Briefs"),
        ("slippers", "Sandals"),
        ("kayak", "Paddle Board"),
        ("lipstick", "Balm"),
        ("smart tv", "Stick"),
        ("extension cord", "Surge"),
        ("vitamin d", "Vitamin C"),
        ("yamaha keyboard", "Logitech"),
        ("bikini", "Trunks"),
    ],
)
def test_goods_are_what_is_asked_for(query: str, never: str) -> None:
    found = titles(query)
    assert found and not [title for title in found if never in title]


@pytest.mark.parametrize(
    "query",
    ["macbook air m2", "nike air max 90", "dyson v15", "galaxy z fold 5", "airtag", "skis", "cookbook", "elden ring", "ps5",
     "apple pencil", "stanley tumbler", "garmin fenix", "echo show", "spam", "sriracha", "louis vuitton bag", "nuptse"],
)  # fmt: skip
def test_well_known_goods_are_sold_under_their_own_names(query: str) -> None:
    found = titles(query)
    made_up = (
        "Brightmoor",
        "Oakline",
        "Fernhill",
        "Kestrel",
        "Lumaro",
        "Havenway",
        "Pebble",
        "Quillstone",
        "Alderbrook",
    )
    assert found and not [title for title in found if title.startswith(made_up)]


def test_nothing_is_made_of_a_makers_name_and_a_colour() -> None:
    assert titles("steinway") == []
    for query in ("garmin fenix", "nike air max", "motorola razr"):
        assert not [
            title for title in titles(query) if " - " in title or title.endswith(("Bundle", "Renewed"))
        ]
    assert len(titles("toilet brush")) == 3


def test_vacuum_cleaners_are_upright_or_not() -> None:
    assert len(titles("vacuum cleaner")) > 10
    assert len(titles("baby stroller")) > 10


def test_offers_say_what_stores_ask_and_no_more(world: World) -> None:
    row = said(world, f"{SHOP}/bing_shopping_search", query="olive oil")[0]
    assert set(row["best_offer"]) == {"store", "price", "link"}
    assert "eBay" not in [row["best_offer"]["store"], *row["other_stores"]]


def test_reviews_fit_anything(world: World) -> None:
    for query in ("air fryer", "bananas", "lego set", "gift card"):
        found = said(world, f"{SHOP}/walmart_review_search", query=query)
        assert len(found["reviews"]) == 5
        assert all(row["text"].count(".") == 1 and len(row["text"]) < 40 for row in found["reviews"])


def test_a_page_tells_the_kind_and_the_maker(world: World) -> None:
    row = said(world, f"{GOOGLE}/google_shopping_search", query="ridge wallet")["shopping_results"][0]
    page = said(world, f"{GOOGLE}/google_product_search", product_id=row["product_id"], specs=True)
    assert page["description"] == "Wallet by Ridge."
    assert "leather" not in str(page).lower()


def test_telephones_are_rated_by_many(world: World) -> None:
    rows = said(world, f"{GOOGLE}/google_shopping_search", query="iphone 15", num=5)["shopping_results"]
    assert all(row["rating"] >= 4.4 and row["reviews"] > 8000 for row in rows)


def test_the_newest_ten_reviews_are_listed(world: World) -> None:
    row = said(world, f"{GOOGLE}/google_shopping_search", query="blender")["shopping_results"][0]
    tool = f"{GOOGLE}/google_product_search"
    assert len(said(world, tool, product_id=row["product_id"], reviews=True)["reviews_results"]) == 10
    assert said(world, tool, product_id=row["product_id"], reviews=True, start=10)["reviews_results"] == []


def test_ebay_lists_a_thing_once(world: World) -> None:
    found = [row["title"] for row in said(world, f"{SHOP}/ebay_search", query="pokemon cards")]
    assert len(found) == len(set(found)) > 3


def test_questions_ask_the_price_where_nothing_else_is_asked(world: World) -> None:
    tool = f"{SHOP}/google_related_question_search"
    assert "any good" not in str(said(world, tool, query="standing desk"))
    assert "cost?" not in str(said(world, tool, query="coffee"))


def test_a_search_does_not_complete_to_itself(world: World) -> None:
    assert "best" not in [
        row["value"] for row in said(world, f"{SHOP}/google_autocomplete_search", query="best")
    ]


def test_three_guests_speak(world: World) -> None:
    assert len(said(world, f"{SHOP}/yelp_reviews_search", query="sushi in London")["reviews"]) == 3


@pytest.mark.parametrize("tool", [f"{PLAY}/apps_related_searches", f"{APPLE}/apple_app_store_search"])
def test_a_maker_is_known_by_its_apps(world: World, tool: str) -> None:
    found = said(world, tool, **{"q" if "Play" in tool or "play" in tool else "term": "Microsoft"})
    rows = found if isinstance(found, list) else found["items"]
    assert {row["developer"] for row in rows} == {"Microsoft"} and len(rows) > 5


def test_apps_for_nothing_known_are_none(world: World) -> None:
    assert said(world, f"{PLAY}/apps_related_searches", q="QR code scanner") == []
    found = said(world, f"{APPLE}/apple_app_store_search", term="podcast player")["items"]
    assert "Roblox" not in [row["title"] for row in found]
    games = said(world, f"{APPLE}/apple_app_store_search", term="games for kids")["items"]
    assert not {"Khan Academy", "Disney+"} & {row["title"] for row in games}


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Call of Duty", "Call of Duty: Mobile"),
        ("Wordle", "NYT Games"),
        ("horror", "Five Nights at Freddy's"),
    ],
)
def test_well_known_games_come_first(world: World, query: str, first: str) -> None:
    assert said(world, f"{PLAY}/games_related_searches", q=query)[0]["title"] == first


def test_what_is_like_a_game_is_a_short_list(world: World) -> None:
    found = [row["title"] for row in said(world, f"{PLAY}/games_related_searches", q="Pokémon GO")]
    assert found[0] == "Pokémon GO" and "Grand Theft Auto: San Andreas" not in found


def test_sequels_stand_beside_a_film(world: World) -> None:
    found = [row["title"] for row in said(world, f"{PLAY}/movies_related_searches", q="Top Gun")]
    assert found[:2] == ["Top Gun", "Top Gun: Maverick"] and len(found) <= 5
    titanic = said(world, f"{PLAY}/movies_related_searches", q="Titanic")
    assert "The Terminator" not in [row["title"] for row in titanic]


def test_an_app_page_has_no_invented_versions(world: World) -> None:
    page = said(world, f"{APPLE}/apple_product_search", product_id=324684580, history=True)
    assert page["version_history"] == []
    assert "(56 in all)" not in call(world, f"{APPLE}/apple_product_search", {"product_id": 123}).text


def test_users_write_of_any_app(world: World) -> None:
    found = said(world, f"{APPLE}/apple_reviews_search", product_id=329218549, limit=25)
    assert found["total"] == 50
    assert not [row for row in found["items"] if "Search finds" in row["text"] or "Login" in row["text"]]


def test_artists_have_neither_price_nor_year(world: World) -> None:
    rows = said(world, ITUNES, term="The Beatles", country="US", entity="musicArtist")["results"]
    assert rows and not {"price", "releaseYear", "trackExplicitness"} & set(rows[0])
    bach = said(world, ITUNES, term="Bach", country="DE", entity="song")["results"]
    assert bach and "releaseYear" not in bach[0]


def test_series_have_a_genre_only_where_it_is_known(world: World) -> None:
    rows = said(world, ITUNES, term="Friends", country="US", media="tvShow")["results"]
    told = {row["trackName"]: row.get("primaryGenreName") for row in rows}
    assert (told["Friends"], told["Thomas & Friends"]) == ("Comedy", None)


def test_the_best_known_songs_come_first(world: World) -> None:
    rows = said(world, ITUNES, term="Taylor Swift", country="US", entity="song")["results"]
    assert {"Blank Space", "Shake It Off"} <= {row["trackName"] for row in rows[:4]}


def test_podcasts_are_real(world: World) -> None:
    rows = said(world, ITUNES, term="history", country="US", media="podcast")["results"]
    assert "History in Ten Objects" not in [row["trackName"] for row in rows]
    assert len(rows) >= 5


@pytest.mark.parametrize(
    ("name", "home"),
    [("Andrew", "US"), ("Philip", "GB"), ("Angela", "US"), ("Victoria", "GB"), ("Vijay", "IN"), ("Stavros", "GR"),
     ("Khaled", "EG"), ("Yumi", "JP"), ("Sasha", "RU"), ("Tobias", "DE"), ("Declan", "IE")],
)  # fmt: skip
def test_names_are_at_home_where_most_bearers_live(world: World, name: str, home: str) -> None:
    row = said(world, f"{NAMES}/predict_nationality", names=[name])[0]
    assert row["countries"][0]["country_id"] == home and len(row["countries"]) <= 3
    assert set(row) == {"name", "countries"}


def test_ages_are_those_of_the_name(world: World) -> None:
    assert set(said(world, f"{NAMES}/predict_age", names=["Anna"])[0]) == {"name", "age", "country_id"}
    ages = [
        said(world, f"{NAMES}/predict_age", names=["Olumide"], country_id=code)[0]["age"]
        for code in ("NG", "GB")
    ]
    assert ages[0] == ages[1]


def test_exchanges_hold_five_coins_about(world: World) -> None:
    found = said(world, f"{COINS}/get_exchange_assets", id=24)
    assert len(found["assets"]) == 5 and "total_value_usd" not in found
    assert found["assets"][0]["balance"] == round(found["assets"][0]["balance"], -2)


def test_an_exchange_is_an_exchange(world: World) -> None:
    rows = said(world, f"{COINS}/get_exchange_metadata", slug=["binance", "ftx"])
    assert [row["description"] for row in rows] == ["Binance is a coin exchange.", "FTX was a coin exchange."]


def test_market_pairs_are_not_on_record(world: World) -> None:
    row = said(world, f"{COINS}/get_cryptocurrency_quotes_latest_v2", symbol=["ETH"])[0]
    assert "num_market_pairs" not in row["extra"]


def test_a_search_goes_on_once_in_one_or_many(world: World) -> None:
    tool = f"{SHOP}/google_autocomplete_search"
    values = [row["value"] for row in said(world, tool, query="lap")]
    assert "laptop" in values and "laptops" not in values
    assert "wireless history" not in str(said(world, tool, query="wireless h"))


def test_guests_say_one_thing_each(world: World) -> None:
    rows = said(world, f"{SHOP}/yelp_reviews_search", query="plumber in Houston")["reviews"]
    assert all(row["text"].count(". ") == 0 for row in rows)


def test_a_lost_item_is_refused_for_its_own_reason(world: World) -> None:
    tool = f"{SHOP}/walmart_review_search"
    assert "in all" not in call(world, tool, {"query": "flux capacitor 9000"}).text
    assert "invalid_value" in call(world, tool, {"query": ""}).text


def test_consoles_cost_the_same_everywhere(world: World) -> None:
    row = said(world, f"{SHOP}/yahoo_shopping_search", query="playstation 5")[0]
    assert row["lowest_usd"] == row["highest_usd"] == 499.99
