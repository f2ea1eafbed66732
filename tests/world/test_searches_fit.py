"""Searches answer with what they name, and what is told about seasons, homes, words and works fits."""

from __future__ import annotations

from datetime import date
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
        ("director of the film Inception", "Inception", "Director"),
    ],
)
def test_pages_are_about_what_a_query_names(query: str, wanted: str, unwanted: str) -> None:
    titles = [row["title"] for row in said(f"{ENGINE}/google_search", query=query)["organic_results"]]
    assert wanted in titles
    assert unwanted not in titles


def test_chess_is_a_game_before_it_is_a_weed() -> None:
    first = said("Word/Word/get_definition", word="chess")["definitions"][0]
    assert first["definition"].startswith("a board game")


def test_related_questions_are_about_the_facts_of_a_thing() -> None:
    rows = said(f"{ENGINE}/google_related_question_search", query="Marie Curie")
    asked = {row["question"]: row["answer"] for row in rows}
    assert asked["When was Marie Curie born?"] == "Marie Curie was born on 7 November 1867."
    assert "What is Poland?" not in asked
    fryers = said(f"{SHOP}/google_related_question_search", query="air fryer")
    assert not [row for row in fryers if "chicken" in row["snippet"]]


def test_completions_go_on_with_what_was_typed_first() -> None:
    values = [row["value"] for row in said(f"{CUSTOM}/google_autocomplete_search", query="lisbon")]
    assert all(value.lower().startswith("lisbon") for value in values)


def test_news_on_any_words_keeps_names_and_claims_nothing() -> None:
    titles = [row["title"] for row in said(f"{ENGINE}/bing_news_search", query="earthquake Turkey")]
    assert titles
    assert any("Turkey" in title for title in titles)
    stories = said("News/news_search/get_news_everything", q="inflation", pageSize=20)["items"]
    assert stories
    assert not [row for row in stories if "tenths" in row["title"]]


def test_sources_of_a_country_are_its_own_or_the_country_is_refused() -> None:
    (own,) = said("News/news_search/get_news_headlines_sources", country="ke")
    assert own["country"] == "KE"
    found = said("News/news_search/get_news_headlines_sources", country="au")
    assert {row["country"] for row in found} == {"AU"}
    answer = call(World.fresh(seed=0), "News/news_search/get_news_headlines_sources", {"country": "zz"})
    assert answer.error == "not_found"


def test_papers_are_about_the_subject_of_small_words() -> None:
    rows = said("Paper/meta_analysis/get_papers_by_keywords", query="coral reef bleaching")["items"]
    assert all("coral reef" in row["title"].lower() for row in rows[:3])
    assert said("Paper/arxiv/arxiv_query", search_query="au:LeCun AND cat:math.NT")["total"] == 0
    first = said("Paper/arxiv/arxiv_query", search_query="cat:math.NT")["items"][0]
    assert (first["arxiv_id"], first["published"][:7]) == ("math/0404188", "2004-04")
    drug = said("Paper/pubmed/pubmed_query_run", query="migraine prophylaxis with propranolol")
    assert drug
    assert "propranolol" in drug[0]["title"]


def test_interest_has_its_season_and_its_home() -> None:
    trends = "Trend/Google_Trends/google_trends_search"
    rows = said(trends, query=["Christmas"], date="2022-02-01 2023-01-31")["interest_over_time"]
    highest = max(rows, key=lambda row: row["values"][0]["value"])["date"]
    assert date(2022, 12, 10) <= date.fromisoformat(highest) <= date(2022, 12, 28)
    states = said(trends, query=["surfing"], data_type="GEO_MAP", geo="US", region="REGION")
    assert states["interest_by_region"][0]["location"] == "Hawaii"
    assert said(trends, query=["ski"], data_type="GEO_MAP")["interest_by_region"][0]["geo"] == "AT"
    topics = said(trends, query=["volcano"], data_type="RELATED_TOPICS")["related_topics"]
    assert not {"Crack", "Mars"} & {row["topic"] for row in topics}


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


def test_patents_are_granted_on_a_tuesday() -> None:
    rows = said(f"{CUSTOM}/google_patents_search", query="folding bicycle")
    assert {date.fromisoformat(row["granted"]).weekday() for row in rows} == {1}
    assert all(row["filed"] < row["granted"] for row in rows)


def test_words_have_the_opposites_and_syllables_that_people_know() -> None:
    assert said("Word/Word/get_antonyms", word="ancient")["antonyms"] == ["modern"]
    assert said("Word/Word/get_pronunciation", word="thorough")["syllables"] == ["thor", "ough"]
    assert said("Word/Word/get_pronunciation", word="mathematics")["syllables"] == ["math", "e", "mat", "ics"]


def test_texts_have_their_subject_and_their_verbs() -> None:
    text = "The midfielder scored twice as the club won the cup final on penalties."
    assert [row["label"] for row in said("NLP/NLP/get_categorization", txt=text)] == ["sport"]
    tokens = said("NLP/NLP/linguistic_analysis", txt="They were quickly eating lunch.")["tokens"]
    assert {row["form"]: row["part_of_speech"] for row in tokens}["eating"] == "verb"


def test_gifts_go_on_until_today() -> None:
    rows = said("Social/Open_Collective/get_transactions", collectiveSlug="vuejs", limit=5)["items"]
    assert rows[0]["date"] >= "2024-05-10"


def test_real_authors_are_given_no_university_by_chance() -> None:
    key = said("Paper/meta_analysis/get_author_by_name", query="Yoshua Bengio")["items"][0]["authorId"]
    assert said("Paper/meta_analysis/get_author_details", author_id=key)["affiliations"] == []


def test_facts_on_places_are_divided_by_each_other() -> None:
    query = "population of France / population of Germany"
    assert said("Search/WolframSearch/get_wolfram_results", query=query)["result"].startswith("0.81")
