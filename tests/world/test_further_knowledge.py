"""Facts in answer to questions, topics, space travel, apps, and pages on any known subject."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call


def ask(world: World, tool: str, **arguments: Any) -> Any:
    seen = call(world, tool, arguments)
    assert seen.error is None, seen.value
    return seen.value


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("melting point of gold", "1,064.18 °C (1,337.33 K)"),
        ("What is the atomic mass of oxygen?", "15.999 u"),
        ("radius of the Sun", "695,700 km"),
        ("How tall is the Eiffel Tower?", "330 m"),
        ("Who invented the telephone?", "Alexander Graham Bell (1876)"),
        ("When did the Berlin Wall fall?", "9 November 1989"),
        ("When was Albert Einstein born?", "1879-03-14"),
        ("largest ocean in the world", "Pacific Ocean"),
        ("gravitational constant", "6.6743e-11 m³/(kg·s²)"),
        ("What languages are spoken in Belgium?", "Dutch, French, German"),
    ],
)
def test_questions_with_one_answer(question: str, answer: str) -> None:
    found = ask(World.fresh(0), "Search/WolframSearch/get_wolfram_results", query=question)
    assert found["result"] == answer


def test_calories_come_from_the_table_of_foods() -> None:
    found = ask(World.fresh(0), "Search/WolframSearch/get_wolfram_results", query="calories in a banana")
    assert found["result"].endswith("kcal per 100 g") and "anana" in found["interpretation"]


def test_topics_stand_behind_the_words_of_the_dictionary() -> None:
    world = World.fresh(0)
    assert (
        "fermented sweet tea"
        in ask(world, "Search/CostumizeSearch/wiki_search", entity="kombucha")["summary"]
    )
    first = ask(world, "Search/CostumizeSearch/wiki_search", entity="curiosity")["title"]
    assert first == "Curiosity"
    rover = ask(world, "Entity/Wiki_data/get_entity_id", input="Curiosity rover")[0]
    assert ask(world, "Entity/Wiki_data/find_entity", input=rover["entity_id"])["label"] == "Curiosity rover"


def test_space_news_is_derived_for_space_and_for_nothing_else() -> None:
    world = World.fresh(0)
    found = ask(world, "News/space_news/get_news_articles", search="Blue Origin")["items"]
    read = ask(world, "News/space_news/get_news_articles_by_id", id=found[0]["id"])
    assert read["title"] == found[0]["title"]
    assert ask(world, "News/space_news/get_news_articles", search="cheesecake")["items"] == []


def test_pages_on_a_known_subject_are_derived_and_can_be_read() -> None:
    world = World.fresh(0)
    found = ask(world, "Search/EngineSearch/yahoo_search", query="sourdough")
    assert "sourdough" in found[0]["heading"].lower()
    read = ask(world, "Search/EngineSearch/get_further_contents", request_url=found[0]["address"])
    assert read["title"] == found[0]["heading"]
    assert (
        call(world, "Search/EngineSearch/yahoo_search", {"query": "xqzzt vrkpt blorp"}).error == "not_found"
    )


def test_apps_and_games_keep_their_makers_in_both_stores() -> None:
    world = World.fresh(0)
    play = ask(world, "Entertainment/Google_play_store/apps_related_searches", q="Instagram")[0]
    apple = ask(world, "Product/Apple_Product/apple_app_store_search", term="Instagram")["items"][0]
    assert (play["title"], play["developer"]) == (apple["title"], apple["developer"]) == ("Instagram", "Meta")
    page = ask(world, "Product/Apple_Product/apple_product_search", product_id=apple["product_id"])
    assert page["title"] == "Instagram"
    seen = call(world, "Product/Apple_Product/apple_app_store_search", {"term": "Vrkptify"})
    assert seen.error == "not_found"


@pytest.mark.parametrize(
    ("tool", "arguments", "shown"),
    [
        (
            "Search/CostumizeSearch/get_nobel_results",
            {"year": 1957, "nobelPrizeCategory": "lit"},
            "Albert Camus",
        ),
        ("Weather/weatherapi/time_zone", {"q": "1012 AB"}, "Amsterdam"),
        ("Weather/weatherapi/time_zone", {"q": "80331"}, "Munich"),
        ("Finance/Yelp/yelp_search", {"location": "Chicago", "term": "cafe"}, "cafes"),
        ("Job/Google_Jobs/google_jobs_search", {"query": "nurse in Boston"}, "Nurse"),
        ("Entertainment/Google_play_store/books_related_searches", {"q": "dinosaurs"}, "Dinosaurs"),
        ("Database/non_local/gutendex", {"languages": ["ka"]}, '"total":0'),
        ("News/news_search/get_news_headlines_sources", {"language": "de"}, '"language":"de"'),
        ("Food/spoonacular_products/search_grocery_products", {"query": "kombucha"}, "Kombucha"),
        ("Animal/Animal/all_dog_image_by_breed", {"breed": "bullmastiff"}, "bullmastiff"),
        (
            "Art/Harvard_art_museum/search_resource",
            {"res_type": "object", "title": "Guernica"},
            "print after",
        ),
        ("Entity/Wiki_data/find_entity", {"input": "Q4916"}, "Euro"),
        (
            "Database/non_local/poetry",
            {"input_field": ["author"], "search_term": ["John Keats"]},
            "Bright star",
        ),
    ],
)
def test_what_was_not_known(tool: str, arguments: dict[str, Any], shown: str) -> None:
    seen = call(World.fresh(0), tool, arguments)
    assert seen.error is None and shown in seen.text


def test_three_letters_that_are_no_currency_have_no_rate() -> None:
    seen = call(
        World.fresh(0), "Stock/Stock/get_exchange_rate", {"from_currency": "ZZZ", "to_currency": "CHF"}
    )
    assert seen.error == "not_found"
