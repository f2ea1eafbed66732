"""Searches, pages, pictures, news, papers, trends and entities: what two strict readers met."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.shared.scholarship import papers
from toolyard.world.state import World

ENGINE, MULTI, CUSTOM = "Search/EngineSearch", "Search/MultimodelSearch", "Search/CostumizeSearch"


def _said(name: str, **arguments: Any) -> Any:
    result = call(World.fresh(0), name, arguments)
    assert not result.error, result.text
    return json.loads(result.text)


def _refused(name: str, **arguments: Any) -> str:
    result = call(World.fresh(0), name, arguments)
    assert result.error, result.text
    return result.text


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("best budget smartphones 2024", "smartphone"),
        ("how to prune roses", "prune"),
        ("weather in Tokyo in spring", "spring"),
        ("World Cup 2022 winner", "argentina"),
        ("capital of Australia", "canberra"),
    ],
)
def test_pages_cover_the_words_of_a_query_together(query: str, told: str) -> None:
    found = _said(f"{ENGINE}/baidu_search", query=query)
    assert told in f"{found[0]['headline']} {found[0]['extract']}".lower()
    assert not any(row["headline"] in ("Budget", "Rose", "Winner") for row in found)


@pytest.mark.parametrize("query", ["Great Wall of China", "Albert Einstein", "Brazil", "black holes", "yoga"])
def test_every_result_has_an_extract_of_its_own_and_can_be_opened(query: str) -> None:
    found = _said(f"{ENGINE}/google_search", query=query, num=8)["organic_results"]
    assert len(found) >= 3
    assert len({row["snippet"] for row in found}) == len(found)
    for row in found:
        page = _said(f"{ENGINE}/get_further_contents", request_url=row["link"])
        assert page["title"] == row["title"]


def test_pages_that_are_not_kept_are_refused() -> None:
    for address in ("https://www.totallyinventedsite12345.com/page", "https://www.nytimes.com"):
        assert "links that a search" in _refused(f"{CUSTOM}/get_further_contents", request_url=address)
    address = "https://en.wikipedia.org/wiki/Python_(programming_language)"
    assert "Guido" in _said(f"{MULTI}/get_further_contents", request_url=address)["text"]


def test_what_makes_no_sense_is_refused() -> None:
    for tool in ("google_search", "bing_search", "naver_search", "google_related_question_search"):
        assert "xqzzt" in _refused(f"{ENGINE}/{tool}", query="xqzzt vrkpt")


def test_pictures_have_captions_and_pages_of_their_own() -> None:
    found = _said(f"{MULTI}/yahoo_image_search", query="golden retriever puppy", imgty="photo")
    assert len({row["caption"] for row in found}) == len({row["found_on"] for row in found}) == 6
    for row in _said(f"{MULTI}/yahoo_image_search", query="Mona Lisa", imgt="week")[:3]:
        page = _said(f"{MULTI}/get_further_contents", request_url=row["found_on"])
        assert page["published"] == row["date"] >= "2024-05-08"


def test_events_are_found_by_subject_and_country() -> None:
    titles = [row["title"] for row in _said(f"{ENGINE}/bing_news_search", query="artificial intelligence")]
    assert len(titles) > 5
    assert not any(title.startswith("Assistants built") for title in titles[:5])
    assert _said("News/news_search/get_news_everything", q="Ukraine", from_date="2024-05-01")["total"] > 1
    assert "2024-05-15" in _refused("News/news_search/get_news_everything", q="AI", from_date="2025-06-01")
    newest = _said("News/space_news/get_news_info")["newest"]
    assert newest >= _said("News/space_news/get_news_blogs", limit=1)["items"][0]["published_at"]


def test_papers_have_what_was_typed_and_are_not_older_than_their_subject() -> None:
    for typed in ("large language", "gradient", "deep learn"):
        found = [row["title"] for row in _said("Paper/meta_analysis/get_paper_complete", query=typed)]
        assert found
        assert len(set(found)) == len(found)
        assert all(typed in title.lower() for title in found)
    assert "beginning" in _refused("Paper/meta_analysis/get_paper_complete", query="")
    dated = [row["year"] for row in papers(0) if "large language" in row["title"].lower()]
    assert min(dated) >= 2021
    first = _said("Paper/arxiv/arxiv_query", search_query="large language models", max_results=1)["items"][0]
    assert first["arxiv_id"] == "2201.11903"


def test_trends_peak_on_great_days_and_begin_with_the_thing() -> None:
    def course(query: str, days: str) -> dict[str, int]:
        found = _said("Trend/Google_Trends/google_trends_search", query=[query], geo="US", date=days)
        return {row["date"]: row["values"][0]["value"] for row in found["interest_over_time"]}

    eclipse = course("solar eclipse", "2024-04-01 2024-04-15")
    assert eclipse["2024-04-08"] > 5 * eclipse["2024-04-01"]
    assert course("chatgpt", "2022-11-01 2023-01-01")["2022-11-10"] == 0


@pytest.mark.parametrize(
    ("query", "result"),
    [
        ("capital of Mongolia", "Ulaanbaatar"),
        ("factorial of 20", "2432902008176640000"),
        ("binary of 255", "11111111"),
        ("population of Tokyo vs London", "London"),
    ],
)
def test_short_questions_are_answered(query: str, result: str) -> None:
    assert result in _said("Search/WolframSearch/get_wolfram_results", query=query)["result"]


def test_entities_and_stores_keep_to_what_is_asked() -> None:
    rows = _said("Entity/Wiki_data/search_by_code", query="SELECT ?c WHERE { ?c wdt:P30 wd:Q15 } LIMIT 3")
    assert len(rows) == 3
    counted = "SELECT (COUNT(?c) AS ?n) WHERE { ?c wdt:P31 wd:Q6256 }"
    assert int(_said("Entity/Wiki_data/search_by_code", query=counted)[0]["n"]) > 150
    assert _said("Entity/Wiki_data/get_entity_id", input="Africa")[0]["entity_id"] == "Q15"
    store = "Music/Music/search_itunes"
    artists = _said(store, term="Taylor Swift", country="US", entity="musicArtist")["results"]
    assert [row["artistName"] for row in artists] == ["Taylor Swift"]
    assert "movie" in _refused(store, term="Adele", country="US", media="movie", entity="song")
