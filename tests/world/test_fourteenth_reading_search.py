"""What a fourteenth reading found in searches, shops, stores and trends."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World

MULTI, ENGINE, CUSTOM = "Search/MultimodelSearch", "Search/EngineSearch", "Search/CostumizeSearch"
SHOP, PLAY, TRENDS = "Search/ShoppingSearch", "Entertainment/Google_play_store", "Trend/Google_Trends"


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def said(world: World, tool: str, **arguments: Any) -> Any:
    result = call(world, tool, arguments)
    assert result.error is None, result.text
    return result.value


def refused(world: World, tool: str, **arguments: Any) -> str:
    result = call(world, tool, arguments)
    assert result.error is not None
    return result.error


# Videos and pictures


def test_videos_last_as_long_as_their_titles_say(world: World) -> None:
    for query in ("how to cook rice", "Taylor Swift", "guitar lesson", "cats", "Tokyo travel"):
        for row in said(world, f"{MULTI}/youtube_search", query=query):
            title, minutes = row["title"], row["length_s"] / 60
            assert ("documentary" not in title) or minutes >= 40
            assert ("full course" not in title) or minutes >= 60
            assert ("easy way" not in title) or minutes <= 6
            assert row["views"] > 1000


def test_nobody_reviews_a_film_before_it_is_out(world: World) -> None:
    assert all(
        row["published"] > "2023-07-21" for row in said(world, f"{MULTI}/youtube_search", query="Oppenheimer")
    )


def test_a_film_in_4k_is_in_4k(world: World) -> None:
    found = said(world, f"{MULTI}/youtube_search", query="Eiffel Tower", sp="EgJwAQ%3D%3D")
    assert "Eiffel Tower in 4K" in [row["title"] for row in found]


@pytest.mark.parametrize(
    ("query", "never"),
    [("Lionel Messi", "desk"), ("sushi", "from below"), ("Leonardo da Vinci", "public event"), ("cat", "day and night")],
)  # fmt: skip
def test_pictures_show_what_can_be_shown(world: World, query: str, never: str) -> None:
    found = said(world, f"{MULTI}/yahoo_image_search", query=query)
    assert found and not [row for row in found if never in row["caption"]]


def test_photographs_come_before_icons(world: World) -> None:
    found = said(world, f"{MULTI}/bing_image_search", query="Mona Lisa", cc="IT", count=4)
    assert all(row["image"].endswith(".jpg") for row in found)


# News and the web


@pytest.mark.parametrize("query", ["BTS", "photosynthesis", "Korean War", "common cold", "Seoul"])
def test_naver_has_no_news_out_of_a_mould(world: World, query: str) -> None:
    titles = str(said(world, f"{ENGINE}/naver_search", query=query)["news"])
    assert not re.search("In pictures|Explained:|From the archive|readers in|teach programming", titles)


def test_true_news_stand_alone(world: World) -> None:
    found = said(world, f"{ENGINE}/bing_news_search", query="inflation", cc="US")
    assert found and "families" not in str(found)


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("northern lights", "What causes the northern lights?"), ("Python", "What is Python?"),
        ("volcanoes", "What causes a volcano to erupt?"), ("Lake Victoria", "How deep is Lake Victoria?"),
    ],
)  # fmt: skip
def test_questions_are_about_what_is_meant(world: World, query: str, question: str) -> None:
    found = said(world, f"{ENGINE}/google_related_question_search", query=query)
    assert question in [row["question"] for row in found]
    assert "Pullman" not in str(found) and "Constance" not in str(found)


def test_no_question_is_asked_twice(world: World) -> None:
    found = said(world, f"{ENGINE}/google_related_question_search", query="keto diet")
    assert [row["question"] for row in found].count("What is the keto diet?") == 1
    assert "What is the Ketogenic diet?" not in str(found)


def test_a_sentence_does_not_end_behind_mount(world: World) -> None:
    found = said(world, f"{ENGINE}/google_related_question_search", query="Mount Vesuvius")
    assert not str(found[0]["answer"]).endswith("Mt.")


@pytest.mark.parametrize(
    ("query", "wanted", "never"),
    [
        ("eiffel tow", "eiffel tower tickets", "for beginners"), ("cute cat", "cute cat pictures", "near me"),
        ("how to ", "how to tie a tie", "how to learn"), ("solar sys", "solar system planets", "books"),
        ("giraffe", "giraffe facts", "examples"), ("stranger th", "stranger things cast", "meaning"),
    ],
)  # fmt: skip
def test_completions_fit_what_they_go_on_from(world: World, query: str, wanted: str, never: str) -> None:
    found = [row["value"] for row in said(world, f"{MULTI}/google_autocomplete_search", query=query)]
    assert wanted in found and not [text for text in found if never in text]


def test_toys_are_for_somebody(world: World) -> None:
    found = [row["value"] for row in said(world, f"{SHOP}/google_autocomplete_search", query="toys for")]
    assert "toys for toddlers" in found and "toys for near me" not in found


# Patents


def test_famous_patents_are_on_record(world: World) -> None:
    patents = f"{CUSTOM}/google_patents_search"
    assert "US174465A" in [row["patent_id"] for row in said(world, patents, query="telephone")]
    assert {row["assignee"] for row in said(world, patents, query="Apple")} == {"Apple", "Apple Computer"}


@pytest.mark.parametrize(
    "query", ["coffee machines", "battery electrolyte", "water purification", "drone delivery"]
)
def test_patents_fit_devices_materials_and_fields(world: World, query: str) -> None:
    found = said(world, f"{CUSTOM}/google_patents_search", query=query)
    assert found and not re.search(
        "load is applied|processing units|for battery electrolyte with", str(found)
    )
    assert all(row["filed"] < row["granted"] for row in found)


# Goods and what buyers say


@pytest.mark.parametrize("query", ["vacuum cleaner", "coffee maker", "milk", "LEGO"])
def test_buyers_speak_of_the_thing_and_differ(world: World, query: str) -> None:
    found = said(world, f"{SHOP}/walmart_review_search", query=query)
    texts = " ".join(row["text"] for row in found["reviews"])
    assert not re.search("cooking for six|colour matches the room|corner shop|My sister has ordered", texts)
    assert max(Counter(row["rating"] for row in found["reviews"]).values()) < 9


def test_collectors_find_real_things(world: World) -> None:
    cameras = said(world, f"{SHOP}/ebay_search", query="vintage film camera")
    assert {"Pentax K1000 35mm SLR Camera"} < {row["title"] for row in cameras}
    assert {row["condition"] for row in cameras} == {"Used"}
    assert all("Rolex " in row["title"] for row in said(world, f"{SHOP}/ebay_search", query="Rolex"))


def test_nobody_opens_cards_before_selling_them(world: World) -> None:
    found = said(world, f"{SHOP}/ebay_search", query="Pokemon cards")
    assert {row["condition"] for row in found} == {"New"}


def test_toys_are_known_toys(world: World) -> None:
    found = said(world, "Product/Walmart/walmart_search", query="toys", limit=20)
    assert found["total"] > 40 and "Brightmoor" not in str(found)


def test_prices_end_as_prices_do(world: World) -> None:
    for row in said(world, f"{SHOP}/bing_shopping_search", query="stand mixer"):
        assert f"{row['best_offer']['price']['amount']:.2f}"[-2:] in ("97", "99", "00")
    phones = said(world, f"{SHOP}/yahoo_shopping_search", query="iPhone 15 Pro")
    assert phones[0]["lowest_usd"] in (999.0, 1099.0)


def test_no_title_says_a_word_twice(world: World) -> None:
    titles = [row["title"] for row in said(world, f"{SHOP}/ebay_search", query="men's leather jacket")]
    assert titles and "Leather Leather" not in str(titles)


def test_who_wants_a_mattress_knows_what_one_is(world: World) -> None:
    found = said(world, f"{SHOP}/google_related_question_search", query="mattress")
    assert found and not [row for row in found if row["question"].startswith("What does")]
    assert "What is robotics?" not in str(
        said(world, f"{SHOP}/google_related_question_search", query="robot vacuum")
    )


def test_an_empty_query_for_reviews_is_refused(world: World) -> None:
    assert refused(world, f"{SHOP}/yelp_reviews_search", query="") == "invalid_value"


# Stores of apps, books and films


def test_free_shakespeare(world: World) -> None:
    found = said(world, f"{PLAY}/books_related_searches", q="Shakespeare", price=1)
    assert found[0]["title"] == "Hamlet" and {row["author"] for row in found} == {"William Shakespeare"}


@pytest.mark.parametrize(
    ("q", "first"),
    [("Studio Ghibli", "Spirited Away"), ("animated movies", "Toy Story"), ("war movies", "Saving Private Ryan")],
)  # fmt: skip
def test_films_of_a_studio_or_kind(world: World, q: str, first: str) -> None:
    assert said(world, f"{PLAY}/movies_related_searches", q=q)[0]["title"] == first


def test_a_family_name_is_a_maker(world: World) -> None:
    films = said(world, f"{PLAY}/movies_related_searches", q="Spielberg")
    assert {row["director"] for row in films} == {"Steven Spielberg"}
    assert {row["author"] for row in said(world, f"{PLAY}/books_related_searches", q="Tolkien")} == {
        "J. R. R. Tolkien"
    }


@pytest.mark.parametrize("tool", ["books_related_searches", "movies_related_searches"])
def test_nothing_is_like_nothing(world: World, tool: str) -> None:
    assert refused(world, f"{PLAY}/{tool}", q="") == "invalid_value"


def test_apps_have_the_category_of_their_store(world: World) -> None:
    found = {row["title"]: row for row in said(world, f"{PLAY}/apps_related_searches", q="hotels")}
    assert found["Booking.com"]["genres"] == ["travel & local"]
    foods = said(world, f"{PLAY}/apps_related_searches", q="food delivery")
    assert all(row["genres"] == ["food & drink"] for row in foods)


def test_games_are_games(world: World) -> None:
    found = said(world, "Product/Apple_Product/apple_app_store_search", term="games", num=5)
    assert "Minecraft" in str(found) and "Todoist" not in str(found)
    assert len(said(world, f"{PLAY}/games_related_searches", q="zombie games")) >= 4
    paid = said(world, f"{PLAY}/games_related_searches", q="Monument Valley 2")[0]
    assert paid["price_usd"] == 4.99


def test_reviews_of_apps_fit_any_app(world: World) -> None:
    found = said(world, "Product/Apple_Product/apple_reviews_search", product_id=389801252, limit=25)
    assert not re.search("trial|grandparents|Syncs between", str(found))


# Trends


def test_more_people_look_for_the_better_known(world: World) -> None:
    found = said(world, f"{TRENDS}/google_trends_search", query=["iPhone", "Samsung Galaxy"], geo="GB")
    first, second = (row["value"] for row in found["averages"])
    assert first > 2 * second


def test_all_states_are_asked(world: World) -> None:
    found = said(world, f"{TRENDS}/google_trends_search", query=["ski"], geo="US", data_type="GEO_MAP_0")
    assert {"US-CO", "US-UT", "US-VT"} <= {row["geo"] for row in found["interest_by_region"]}


def test_the_highest_of_a_map_is_a_hundred(world: World) -> None:
    found = said(world, f"{TRENDS}/google_trends_search", query=["coffee", "tea"], data_type="GEO_MAP")
    assert max(row["value"] for row in found["interest_by_region"][0]["values"]) == 100


def test_completed_topics_are_names_before_words(world: World) -> None:
    complete = f"{TRENDS}/google_trends_autocomplete_search"
    assert said(world, complete, query="amazon")[0]["type"] == "Company"
    assert len(said(world, complete, query="world cup")) >= 3
    assert [row["title"] for row in said(world, complete, query="yoga")] == ["Yoga"]
    assert "Appleton" not in str(said(world, complete, query="apple"))
