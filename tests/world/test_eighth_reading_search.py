"""Searches, news, trends, entities, art, music and papers: what a strict reader of their answers met."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World
from toolyard.world.tables import read_table


def _said(name: str, **arguments: Any) -> Any:
    result = call(World.fresh(0), name, arguments)
    assert not result.error, result.text
    return json.loads(result.text)


def _refused(name: str, **arguments: Any) -> str:
    result = call(World.fresh(0), name, arguments)
    assert result.error, result.text
    return result.text


def test_news_tell_what_happened_and_no_quizzes() -> None:
    for subject, told in (
        ("Eurovision", "Nemo"),
        ("OpenAI", "GPT-4o"),
        ("inflation", "percent"),
        ("Tesla", "Tesla"),
    ):
        titles = [row["title"] for row in _said("Search/EngineSearch/bing_news_search", query=subject)]
        assert any(told in title for title in titles)
        assert not any(title.startswith(("Quiz", "Evening talk", "Letters")) for title in titles)
    week = _said("Search/EngineSearch/bing_news_search", query="Nvidia", qft='interval="8"')
    assert week and all(row["published"] >= "2024-05-08" for row in week)
    assert _said("Search/EngineSearch/bing_news_search", query="intitle:inflation")
    first = _said("News/news_search/get_news_everything", q="Champions League")["items"][0]
    page = _said("Search/EngineSearch/get_further_contents", request_url=first["url"])
    assert page["title"] == first["title"]


def test_events_of_the_news_lie_in_the_past_of_the_world() -> None:
    rows = list(read_table("news_events.tsv"))
    assert len({row["headline"] for row in rows}) == len(rows)
    assert all("2023-01-01" <= row["date"] <= "2024-05-15" for row in rows)


def test_space_news_tell_each_event_once() -> None:
    for kind in ("articles", "blogs", "reports"):
        found = _said(f"News/space_news/get_news_{kind}", limit=20)
        titles = [row["title"] for row in found["items"]]
        assert len(set(titles)) == len(titles)
    landed = _said("News/space_news/get_news_articles", search="Chandrayaan")["items"]
    assert any("lands" in row["title"] for row in landed)
    assert _said("News/space_news/get_news_reports", search="Progress")["total"]
    assert "published_at_gte" in _refused(
        "News/space_news/get_news_articles", published_at_gte="2024-05-10", published_at_lt="2024-05-01"
    )
    assert "event" in _refused("News/space_news/get_news_blogs", event=99999)


def test_people_ask_what_people_ask() -> None:
    def asked(query: str) -> list[str]:
        tool = "Search/CostumizeSearch/google_related_question_search"
        return [row["question"] for row in _said(tool, query=query)]

    assert not any("What is a" in question for question in asked("electric bike"))
    assert any("learn guitar" in question for question in asked("how to learn guitar"))
    assert not any("Alibaba" in question for question in asked("chocolate cake"))
    assert any("official languages" in question for question in asked("South Africa"))
    assert _said("Search/EngineSearch/google_search", query="best restaurants in Tokyo")["total"] > 3


def test_completions_begin_with_the_best_known() -> None:
    for typed, first in (
        ("tayl", "taylor swift"),
        ("elon", "elon musk"),
        ("chat", "chatgpt"),
        ("barcelona", "barcelona"),
    ):
        found = [row["value"] for row in _said("Search/EngineSearch/google_autocomplete_search", query=typed)]
        assert found[0] == first and found == [text.lower() for text in found]
    found = [
        row["value"] for row in _said("Search/EngineSearch/google_autocomplete_search", query="barcelona")
    ]
    assert found.index("barcelona fc") < found.index("barcelona sc")


def test_shops_have_more_than_one_article() -> None:
    for query in (
        "running shoes",
        "lego set",
        "tv",
        "espresso machine",
        "headphones",
        "electric bike",
        "umbrella",
    ):
        titles = [row["title"] for row in _said("Search/ShoppingSearch/bing_shopping_search", query=query)]
        assert len(set(titles)) == len(titles) > 5, query
    cheap = _said("Search/ShoppingSearch/walmart_search", query="cheap tv under 300")
    assert cheap and all(row["primary_offer"]["amount"] <= 300 for row in cheap)
    assert not _said("Search/ShoppingSearch/walmart_search", query="flight to paris")


def test_people_have_days_and_places_the_people_of_2024() -> None:
    queen = {
        row["relation"]: row["value"]
        for row in _said("Entity/Wiki_data/find_entity", input="Q9682")["statements"]
    }
    assert (queen["occupation"], queen["date of birth"], queen["date of death"]) == (
        "monarch",
        "1926-04-21",
        "2022-09-08",
    )
    bach = {
        row["relation"]: row["value"]
        for row in _said("Entity/Wiki_data/find_entity", input="Q1339")["statements"]
    }
    assert bach["date of death"] == "1750-07-28"
    answer = _said("Search/WolframSearch/get_wolfram_results", query="population of Nigeria")["result"]
    assert answer.startswith(("232", "233"))
    assert "music" in _said("Search/CostumizeSearch/wiki_search", entity="jazz")["kind"]


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("Search/CostumizeSearch/get_nobel_results", {"year": 2024}, "1901 to 2023"),
        ("Search/CostumizeSearch/get_nobel_results", {"year": 1940}, "was awarded"),
        ("Search/CostumizeSearch/get_nobel_results", {"year": 1903, "nobelPrizeCategory": "eco"}, "1969"),
        ("Search/CostumizeSearch/google_scholar_search", {"query": "waves", "as_ylo": 2030}, "2024"),
        ("Search/CostumizeSearch/google_local_services_search", {"query": "dragon tamer"}, "exists"),
        ("Search/CostumizeSearch/google_patents_search", {"query": "unicorn repellent"}, "exists"),
        ("Entity/Wiki_data/get_relation_id", {"input": "wibble"}, "country"),
        ("Entity/Wiki_data/search_by_code", {"query": "SELECT ?x WHERE { ?x wdt:P9999999 ?y }"}, "P17"),
        ("Art/Harvard_art_museum/search_resource", {"res_type": "object", "culture": "Klingon"}, "American"),
        ("Art/Harvard_art_museum/search_resource", {"res_type": "gallery", "floor": "9"}, "floors are"),
        ("Art/Harvard_art_museum/search_resource", {"res_type": "object", "fields": ["foo"]}, "fields are"),
        ("Music/Music/search_itunes", {"term": "", "country": "US"}, "give words"),
        ("Paper/arxiv/arxiv_query", {"id_list": ["9999.99999"]}, "1706.03762"),
        ("Paper/arxiv/arxiv_query", {"search_query": "cat:foo.bar"}, "categories are"),
        (
            "Paper/meta_analysis/get_papers_by_keywords",
            {"query": "learning", "year": "2022-2018"},
            "first year",
        ),
        ("Paper/meta_analysis/get_papers_by_keywords", {"query": "learning", "year": "3000"}, "2024"),
        (
            "Paper/meta_analysis/get_papers_by_keywords",
            {"query": "learning", "venue": "Nowhere"},
            "known ones",
        ),
    ],
)
def test_what_cannot_be_is_refused(name: str, arguments: dict[str, Any], told: str) -> None:
    assert told in _refused(name, **arguments)


def test_landmark_articles_are_found_and_nothing_on_covid_is_older_than_it() -> None:
    found = _said("Paper/pubmed/pubmed_query_run", query="covid-19 vaccine efficacy")
    assert "33301246" in {row["pubmed_id"] for row in found}
    assert all(row["published"] >= "2020" for row in found if "covid" in row["title"].lower())
    paper = _said("Paper/meta_analysis/get_paper_details", paper_id="PMID:33301246")
    assert paper["externalIds"]["doi"] == "10.1056/NEJMoa2034577"
    assert len(_said("Paper/pubmed/pubmed_query_run", query="metformin")) >= 3


def test_the_museum_and_the_store_have_what_exists() -> None:
    rows = _said("Art/Harvard_art_museum/search_resource", res_type="object", person="Edgar Degas")["records"]
    assert {"The Rehearsal", "Singer with a Glove"} <= {row["title"] for row in rows}
    films = _said("Music/Music/search_itunes", term="Star Wars", country="JP", media="movie")["results"]
    assert films and all("Star Wars" in row["trackName"] for row in films)
    assert _said("Music/Music/search_itunes", term="meditation", country="DE", media="podcast")["resultCount"]


def test_nobody_searches_for_what_is_no_word() -> None:
    found = _said("Trend/Google_Trends/google_trends_search", query=["asdfqwerz"], limit=3)
    assert all(value["value"] == 0 for row in found["interest_over_time"] for value in row["values"])
    places = _said(
        "Trend/Google_Trends/google_trends_search", query=["football"], data_type="GEO_MAP_0", limit=6
    )
    assert places["interest_by_region"][0]["geo"] == "GB"


def test_stories_about_music_differ() -> None:
    world = World.fresh(0)
    told = [json.loads(call(world, "Music/Music/generate_story", {}).text)["story"] for _ in range(8)]
    assert len({story.rsplit(".", 2)[1].split()[1] for story in told}) > 2
