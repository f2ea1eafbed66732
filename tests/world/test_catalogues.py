"""Searches, papers, news and trends: closed catalogues under one index, and what a seed draws."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.index import Index
from toolyard.world.kernel import seeds
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.state import EPOCH
from toolyard.world.kernel.tables import plain
from toolyard.world.simulated import articles, pages, scholarship

SEEDS = (0, 1, 2)
OURS = ("Search", "Paper", "News", "Entity", "Trend")
TODAY = EPOCH.date().isoformat()
PUBMED, ARXIV, SCHOLAR = "Paper/pubmed/pubmed_query_run", "Paper/arxiv/arxiv_query", "Paper/meta_analysis"
# Every tool that takes free words, and its parameter for them.
SEARCHES = (
    (ARXIV, "search_query"), (PUBMED, "query"), (f"{SCHOLAR}/get_papers_by_keywords", "query"),
    ("News/news_search/get_news_everything", "q"), ("Search/CostumizeSearch/google_patents_search", "query"),
    ("Search/CostumizeSearch/google_scholar_search", "query"), ("Search/CostumizeSearch/wiki_search", "entity"),
    ("Search/EngineSearch/google_search", "query"), ("Search/EngineSearch/bing_news_search", "query"),
    ("Search/EngineSearch/google_related_question_search", "query"), ("Entity/Wiki_data/get_entity_id", "input"),
    ("Search/MultimodelSearch/bing_image_search", "query"), ("Search/MultimodelSearch/youtube_search", "query"),
    ("Search/WolframSearch/get_wolfram_results", "query"),
    ("Trend/Google_Trends/google_trends_autocomplete_search", "query"),
)  # fmt: skip


def ask(tool: str, seed: int = 0, **arguments: Any) -> Any:
    seen = call(World.fresh(seed), tool, arguments)
    assert seen.error is None, seen.value
    return seen.value


def drawn(count: int, most: int, *parts: object) -> list[int]:
    return [seeds.number(*parts, turn) % most for turn in range(count)]


@pytest.mark.parametrize("seed", SEEDS)
def test_citations_are_the_reverse_of_references_and_counts_follow(seed: int) -> None:
    table = scholarship.by_id(seed)
    for paper in table.values():
        assert paper["citation_count"] == len(paper["citations"])
        assert all(paper["paper_id"] in table[other]["citations"] for other in paper["references"])
        assert all(table[other]["date"] <= paper["date"] <= TODAY for other in paper["references"])
        assert paper["abstract"] and paper["year"] == int(paper["date"][:4])
    for author in scholarship.authors(seed).values():
        counts = [table[key]["citation_count"] for key in author["papers"]]
        assert author["citation_count"] == sum(counts) and author["h_index"] == scholarship.h_index(counts)
        assert author["affiliation"]


def test_titles_authors_and_ids_of_papers_are_the_same_in_every_world() -> None:
    names = ("paper_id", "arxiv_id", "doi", "pubmed_id", "title", "url")
    for name in names:
        found = Counter(paper[name] for paper in scholarship.papers(0) if paper[name])  # type: ignore[literal-required]
        assert max(found.values()) == 1, found.most_common(1)
    kept = (*names, "authors", "date", "venue")
    first, second = ([[paper[key] for key in kept] for paper in scholarship.papers(seed)] for seed in (0, 1))  # type: ignore[literal-required]
    assert first == second


@pytest.mark.parametrize("seed", SEEDS)
def test_every_service_shows_the_paper_of_the_table(seed: int) -> None:
    rows = scholarship.papers(seed)
    for place in drawn(12, len(rows), "paper", seed):
        paper = rows[place]
        for key in (paper["paper_id"], paper["doi"], paper["url"]):
            shown = ask(f"{SCHOLAR}/get_paper_details", seed, paper_id=key)
            assert (shown["title"], shown["citationCount"]) == (paper["title"], paper["citation_count"])
        if paper["arxiv_id"]:
            found = ask(ARXIV, seed, id_list=[paper["arxiv_id"]])["items"]
            assert [row["summary"] for row in found] == [paper["abstract"]]


def test_papers_on_a_noun_of_the_dictionary_are_found_again_by_their_ids() -> None:
    for row in ask(PUBMED, 1, query="ibuprofen"):
        shown = ask(f"{SCHOLAR}/get_paper_details", 1, paper_id=row["pubmed_id"])
        assert shown["title"] == row["title"]
        author = ask(f"{SCHOLAR}/get_author_details", 1, author_id=shown["authors"][0]["author_id"])
        assert shown["paperId"] in author["papers"]


@pytest.mark.parametrize("seed", SEEDS)
def test_news_lie_in_the_past_and_every_service_tells_the_same(seed: int) -> None:
    assert all("2023-01-01" <= moment[:10] <= TODAY for moment in articles.moments(seed))
    for place in drawn(15, len(articles.stories()), "story", seed):
        row = articles.article(seed, place)
        assert row["popularity"] == articles.readers(seed, place) and "{" not in row["content"]
        assert pages.find_page(seed, row["url"])["text"] == row["content"]
        told = ask("News/news_search/get_news_everything", seed, q=row["title"], pageSize=1)["items"][0]
        assert (told["title"], told["readers"], told["url"]) == (row["title"], row["popularity"], row["url"])


@pytest.mark.parametrize(("tool", "parameter"), SEARCHES)
def test_nothing_is_invented_for_free_words(tool: str, parameter: str) -> None:
    for text in ("Professor Finkelwhistle", "qqxzvy blorptang"):
        found = call(World.fresh(0), tool, {parameter: text})
        assert found.error == "not_found", (text, found.text[:200])
    assert "Philippines" not in call(World.fresh(0), tool, {parameter: "PHP"}).text


@pytest.mark.parametrize(("tool", "parameter"), SEARCHES)
def test_what_everybody_knows_is_found(tool: str, parameter: str) -> None:
    for text in ("machine learning", "Climate change"):
        if tool != PUBMED:
            assert ask(tool, 2, **{parameter: text})
    assert all("paracetamol" in row["title"].lower() for row in ask(PUBMED, query="paracetamol"))


def test_what_is_called_so_comes_first_and_nothing_below_the_floor() -> None:
    rows = [{"name": name} for name in ("Café de Flore Paris", "Cafe", "Flower show", "Paris")]
    index = Index(rows, ("name",), "name")
    assert index.search("café")[0] == {"name": "Cafe"}
    assert index.search("paris cafe", bound=0.9) == [rows[0]]
    assert index.near("Pariss") == ["Paris"] and index.near("PHP") == []


@pytest.mark.parametrize("seed", SEEDS)
def test_pages_of_a_search_can_be_opened_and_are_dated(seed: int) -> None:
    for query in ("top attractions in Paris", "Mars", "renewable energy", "how to bake a cake"):
        for hit in ask("Search/EngineSearch/baidu_search", seed, query=query):
            page = ask("Search/EngineSearch/get_further_contents", seed, request_url=hit["page"])
            assert (page["title"], page["published"]) == (hit["headline"], hit["cached_on"])
            assert page["published"] <= TODAY


@pytest.mark.parametrize("seed", SEEDS)
def test_trends_are_scaled_to_their_highest_value(seed: int) -> None:
    found = ask("Trend/Google_Trends/google_trends_search", seed, query=["coffee", "tea"], geo="CA")
    values = [row["value"] for moment in found["interest_over_time"] for row in moment["values"]]
    assert max(values) == 100 and min(values) >= 0
    beside = ask(
        "Trend/Google_Trends/google_trends_search", seed, query=["Veganism"], data_type="RELATED_TOPICS"
    )
    values = [row["value"] for row in beside["related_topics"]]
    assert values[0] == 100 and values == sorted(values, reverse=True)
    assert all(plain(row["topic"]) != "veganism" for row in beside["related_topics"])


@pytest.mark.parametrize("category", OURS)
def test_examples_work_and_simulated_tools_differ_between_worlds(category: str) -> None:
    for tool in (
        tool for tool in library().values() if tool.id.split("/")[0] == category and not tool.isolated
    ):
        seen = {
            seed: [call(World.fresh(seed), tool.id, dict(one)) for one in tool.examples] for seed in (0, 1)
        }
        assert not [one.text for rows in seen.values() for one in rows if one.error]
        texts = [[one.text for one in rows] for rows in seen.values()]
        assert tool.content != "simulated" or texts[0] != texts[1], tool.id
