"""Searches: real events before filler, the famous thing before its namesakes, and queries answered as they are written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World


def ask(name: str, **arguments: object) -> Any:
    result = call(World.fresh(0), name, arguments)
    assert result.error is None, result.text
    return json.loads(result.text)


NEWS = "Search/EngineSearch/bing_news_search"


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("NVIDIA earnings", "Nvidia before its results"),
        ("Eurovision 2024", "Nemo wins"),
        ("Boeing safety", "Boeing broke agreement"),
        ("Fed interest rate decision", "Federal Reserve holds rates"),
        ("Slovakia Fico", "Fico's Smer"),
        ("Gaza ceasefire", "Rafah"),
        ("Manchester City Premier League title race", "Manchester City beat Tottenham"),
    ],
)
def test_news_of_several_words_find_the_events_and_no_filler(query: str, told: str) -> None:
    titles = [row["title"] for row in ask(NEWS, query=query)]
    assert told in titles[0]
    assert not any(title.startswith(("In pictures:", "Explained:", "From the archive:")) for title in titles)


def test_the_name_of_one_thing_is_no_news_about_another() -> None:
    assert all("apple pie" in row["title"].lower() for row in ask(NEWS, query="apple pie"))


GRAPH = "Entity/Wiki_data/search_by_code"


def rows_of(query: str) -> list[dict[str, str]]:
    return list(ask(GRAPH, query=query))


def test_capitals_are_the_cities_of_their_countries() -> None:
    pairs = rows_of("SELECT ?cLabel ?townLabel WHERE { ?c wdt:P31 wd:Q6256 . ?c wdt:P36 ?town . } LIMIT 300")
    found = {row["cLabel"]: row["townLabel"] for row in pairs}
    assert {
        "Libya": "Tripoli",
        "Seychelles": "Victoria",
        "Syria": "Damascus",
        "Lebanon": "Beirut",
    }.items() <= found.items()
    assert "" not in found.values()
    assert rows_of("SELECT ?t WHERE { wd:Q800 wdt:P36 ?t . }") == [{"t": "Q3070"}]
    assert rows_of("SELECT ?t ?tLabel WHERE { wd:Q9676 wdt:P36 ?t . }")[0]["tLabel"] == "Douglas"


def test_conditions_order_and_limit_are_applied() -> None:
    cities = "SELECT ?c ?cLabel ?pop WHERE { ?c wdt:P17 wd:Q183 . ?c wdt:P1082 ?pop . FILTER(?pop > %s) } ORDER BY ?pop"
    assert [row["cLabel"] for row in rows_of(cities % "1500000")] == ["Munich", "Hamburg", "Berlin"]
    assert rows_of("SELECT ?t WHERE { wd:Q183 wdt:P36 ?t . FILTER(?t != wd:Q64) }") == []
    assert len(rows_of("SELECT ?p WHERE { ?p wdt:P39 wd:Q11696 . } LIMIT 60")) == 45
    assert rows_of("SELECT ?b WHERE { wd:Q937 wdt:P569 ?b . }") == [{"b": "1879-03-14"}]
    films = rows_of("SELECT ?f ?d WHERE { ?f wdt:P57 wd:Q25191 . ?f wdt:P577 ?d . } ORDER BY DESC(?d)")
    assert [row["d"] for row in films][:3] == ["2023", "2020", "2017"]


@pytest.mark.parametrize(
    "clause", ["FILTER NOT EXISTS { ?c wdt:P36 ?x }", "FILTER(SHA1(?c) = 3)", "MINUS { ?c wdt:P36 ?x }"]
)
def test_what_a_query_may_not_say_is_refused(clause: str) -> None:
    query = f"SELECT ?c WHERE {{ ?c wdt:P30 wd:Q46 . {clause} }}"
    assert call(World.fresh(0), GRAPH, {"query": query}).error == "invalid_value"


PAPERS = "Paper/meta_analysis/get_papers_by_keywords"


def papers_on(**arguments: object) -> list[dict[str, Any]]:
    shown = ["title", "citationCount", "fieldsOfStudy", "publicationTypes", "publicationDate"]
    return list(ask(PAPERS, fields=shown, **arguments)["items"])


def test_well_known_papers_come_before_simulated_ones() -> None:
    for query in ("transformer", "attention transformer"):
        cited = [row["citationCount"] > 1000 for row in papers_on(query=query)]
        assert cited == sorted(cited, reverse=True)
    assert any(
        "Carbon Films" in row["title"] for row in papers_on(query="graphene", fieldsOfStudy=["Physics"])
    )
    assert any(
        "Multiplex" in row["title"] for row in papers_on(query="CRISPR gene editing", year="2012-2016")
    )


def test_papers_of_an_asked_type_and_field() -> None:
    for query in ("statins", "exercise depression", "malaria"):
        found = papers_on(query=query, publicationTypes=["MetaAnalysis"])
        assert found
        assert all(row["publicationTypes"] == ["MetaAnalysis"] for row in found)
        assert all((row["publicationDate"] or "") <= "2024-05-15" for row in found)
    assert papers_on(query="global warming economics")[0]["fieldsOfStudy"] == ["Economics"]


def test_a_paper_of_an_asked_type_is_found_again() -> None:
    world = World.fresh(0)
    found = call(world, PAPERS, {"query": "malaria", "publicationTypes": ["MetaAnalysis"]})
    key = json.loads(found.text)["items"][0]["paperId"]
    assert call(world, "Paper/meta_analysis/get_paper_details", {"paper_id": key}).error is None


def test_addresses_of_the_encyclopaedia_lead_to_what_is_told_there() -> None:
    read = "Search/CostumizeSearch/get_further_contents"
    told = {
        "Titanic": "15 April 1912",
        "Inception": "film of 2010",
        "Google": "Larry Page",
        "Great_Fire_of_London": "1666",
    }
    for title, text in told.items():
        assert text in ask(read, request_url=f"https://en.wikipedia.org/wiki/{title}")["text"]
    assert ask(read, request_url="https://en.wikipedia.org/wiki/Taylor_Swift")["published"] > "2024-04-19"


def test_space_news_are_told_after_what_happened() -> None:
    found = ask("News/space_news/get_news_articles", search="Turkish astronaut")["items"]
    assert found[0]["published_at"] > "2024-01-18T21:49:00Z"


def test_captions_of_pictures_do_not_contradict_the_query() -> None:
    search = "Search/MultimodelSearch/yahoo_image_search"
    captions = " ".join(row["caption"] for row in ask(search, query="Eiffel Tower at night"))
    assert not any(text in captions for text in ("sunset", "morning", "at night, at night"))
    captions = " ".join(row["caption"] for row in ask(search, query="Taylor Swift", imgt="week"))
    assert not any(text in captions for text in ("simple sign", "pattern", "icon"))


def test_preprints_free_books_and_the_page_for_examples_open_at_their_own_addresses() -> None:
    for url, title in (
        ("https://arxiv.org/abs/1706.03762", "Attention Is All You Need"),
        ("https://www.gutenberg.org/ebooks/1342", "Pride and Prejudice"),
        ("https://example.com", "Example Domain"),
    ):
        found = call(World.fresh(0), "Search/EngineSearch/get_further_contents", {"request_url": url})
        assert found.value["title"] == title  # type: ignore[index, call-overload]
