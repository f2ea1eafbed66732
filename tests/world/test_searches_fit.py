"""Searches answer with what they name, and what is told about seasons, homes, words and works fits."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call

ENGINE, CUSTOM, SHOP = "Search/EngineSearch", "Search/CostumizeSearch", "Search/ShoppingSearch"


def said(tool: str, **arguments: Any) -> Any:
    """What a tool answers in a fresh world; a fault is a failure of the test."""
    answer = call(World.fresh(seed=0), tool, arguments)
    assert answer.error is None, answer.text
    return answer.value


@pytest.mark.parametrize(
    ("query", "wanted", "unwanted"),
    [
        ("history of chess", "Chess", "Stephen Hawking"),
        ("side effects of ibuprofen", "Ibuprofen", "Side Effects"),
        ("best time to visit Iceland", "Iceland", "Time"),
        ("how to grow tomatoes", "How to grow tomatoes", "Pizza"),
        ("population of Nairobi", "Nairobi", "University of Nairobi"),
    ],
)
def test_pages_are_about_what_a_query_names(query: str, wanted: str, unwanted: str) -> None:
    titles = [row["title"] for row in said(f"{ENGINE}/google_search", query=query)["organic_results"]]
    assert wanted in titles
    assert unwanted not in titles


def test_chess_is_a_game_before_it_is_a_weed() -> None:
    first = said("Word/Word/get_definition", word="chess")["definitions"][0]
    assert first["definition"].startswith("a board game")


def test_sources_of_a_country_are_its_own_or_the_country_is_refused() -> None:
    (own,) = said("News/news_search/get_news_headlines_sources", country="ke")
    assert own["country"] == "KE"
    found = said("News/news_search/get_news_headlines_sources", country="au")
    assert {row["country"] for row in found} == {"AU"}
    answer = call(World.fresh(seed=0), "News/news_search/get_news_headlines_sources", {"country": "zz"})
    assert answer.error == "not_found"


def test_known_domains_rank_high_and_made_up_ones_are_not_found() -> None:
    rows = said("URL/URL/paper_rank", domains=["spiegel.de", "uni-heidelberg.de", "my-tiny-blog-482.net"])
    assert rows[0]["page_rank"] > 6.5
    assert rows[1]["found"]
    assert not rows[2]["found"]


def test_a_name_is_listed_with_all_that_it_names() -> None:
    ids = [row["entity_id"] for row in said("Entity/Wiki_data/get_entity_id", input="Mercury")]
    assert ids[:2] == ["Q308", "Q925"]
    relations = {row["relation_id"] for row in said("Entity/Wiki_data/get_relation_id", input="born")}
    assert relations == {"P19", "P569"}
    query = "SELECT ?f ?fLabel WHERE { ?f wdt:P57 wd:Q25191 . }"
    films = {row["fLabel"] for row in said("Entity/Wiki_data/search_by_code", query=query)}
    assert {"Inception", "Memento", "Oppenheimer"} <= films


def test_apps_and_goods_are_what_was_asked_for() -> None:
    apps = said("Product/Apple_Product/apple_app_store_search", term="podcast", num=20)["items"]
    assert "Netflix" not in {row["title"] for row in apps}
    reviews = said("Product/Apple_Product/apple_reviews_search", product_id=310633997, limit=25)["items"]
    assert not [row for row in reviews if "broke" in row["text"] or "pictures" in row["text"]]
    goods = said("Product/Google_Product/google_shopping_search", query="Nintendo Switch OLED")
    assert [row["title"] for row in goods["shopping_results"]] == ["Nintendo Switch OLED"]


def test_a_trade_is_found_by_its_own_word_and_its_city() -> None:
    rows = said(f"{CUSTOM}/google_local_services_search", query="roof repair in Denver")
    assert {row["service"] for row in rows} == {"Roofing"}
    assert said(f"{SHOP}/yelp_reviews_search", query="dentist Austin")["city"] == "Austin"


def test_words_have_the_opposites_and_syllables_that_people_know() -> None:
    assert said("Word/Word/get_antonyms", word="ancient")["antonyms"] == ["modern"]
    assert said("Word/Word/get_pronunciation", word="thorough")["syllables"] == ["thor", "ough"]
    assert said("Word/Word/get_pronunciation", word="mathematics")["syllables"] == ["math", "e", "mat", "ics"]


def test_texts_have_their_subject_and_their_verbs() -> None:
    text = "The midfielder scored twice as the club won the cup final on penalties."
    assert [row["label"] for row in said("NLP/NLP/get_categorization", txt=text)] == ["sport"]
    tokens = said("NLP/NLP/linguistic_analysis", txt="They were quickly eating lunch.")["tokens"]
    assert {row["form"]: row["part_of_speech"] for row in tokens}["eating"] == "verb"


def test_works_of_art_are_made_and_shown_as_their_kind_is() -> None:
    museum = "Art/Harvard_art_museum/search_resource"
    rows = said(museum, res_type="object", culture="Japanese", size=20)["records"]
    assert not [
        row for row in rows if row["medium"] == "Oil" or row.get("technique") in ("Etching", "Engraving")
    ]
    bronzes = said(museum, res_type="object", classification="Sculpture", medium="Bronze", size=20)["records"]
    assert not [row for row in bronzes if "support" in row or row["technique"] != "Casting"]


def test_gifts_go_on_until_today() -> None:
    rows = said("Social/Open_Collective/get_transactions", collectiveSlug="vuejs", limit=5)["items"]
    assert rows[0]["date"] >= "2024-05-10"
