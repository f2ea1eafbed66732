"""What strangers found in papers, news, music, names and words when they read the answers once more."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World

PAPER, WORD, PREDICT = "Paper/meta_analysis/", "Word/Word/", "Predict/Predict/"
ITUNES, PUBMED, ARXIV = (
    "Music/Music/search_itunes",
    "Paper/pubmed/pubmed_query_run",
    "Paper/arxiv/arxiv_query",
)


def answer(tool: str, **arguments: Any) -> Any:
    """What a tool answers in a fresh world."""
    return json.loads(call(World.fresh(0), tool, arguments).text)


def titles(query: str, **filters: Any) -> list[str]:
    """The titles of papers for some words."""
    return [row["title"] for row in answer(f"{PAPER}get_papers_by_keywords", query=query, **filters)["items"]]


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("malaria", "Efficacy and safety of RTS,S/AS01 malaria vaccine"),
        ("BRCA1", "A strong candidate for the breast and ovarian cancer susceptibility gene BRCA1"),
        ("CRISPR gene therapy for sickle cell disease", "CRISPR-Cas9 Gene Editing for Sickle Cell Disease"),
        ("statins side effects", "Effect of statin therapy on muscle symptoms"),
        ("how does sleep affect memory", "About sleep's role in memory"),
    ],
)
def test_landmark_studies_come_first(query: str, title: str) -> None:
    assert answer(PUBMED, query=query)[0]["title"].startswith(title)


def test_simulated_studies_are_not_always_the_same_five() -> None:
    forms = {
        tuple(row["title"].partition(":")[2] for row in answer(PUBMED, query=query))
        for query in ("tuberculosis", "autism", "migraine treatment", "asthma in children")
    }
    assert len(forms) > 1


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("effect of yoga on back pain", "oga and back pain"),
        ("Parkinson's disease", "Parkinson's disease"),
        ("antibiotic resistance", "ntibiotic resistance"),
    ],
)
def test_subjects_are_written_as_titles_write_them(query: str, words: str) -> None:
    found = answer(PUBMED, query=query)
    assert all(words in row["title"] for row in found)
    assert not any(" Antibiotic" in row["abstract"] or "parkinson" in row["abstract"] for row in found)


def test_empty_questions_for_papers_and_authors_are_refused() -> None:
    assert answer(f"{PAPER}get_papers_by_keywords", query="")["error"]["parameter"] == "query"
    assert answer(f"{PAPER}get_author_by_name", query=" ")["error"]["parameter"] == "query"


def test_well_known_papers_on_climate_change_and_of_a_field_come_first() -> None:
    assert titles("climate change")[0] == "A safe operating space for humanity"
    assert "The Pricing of Options and Corporate Liabilities" in titles(
        "economics", fieldsOfStudy=["Economics"]
    )
    assert not [title for title in titles("sustainable development") if "machine learning" in title]


def test_preprints_are_filed_where_they_belong() -> None:
    kinds = {row["category"] for row in answer(ARXIV, search_query="topological insulators")["items"]}
    assert kinds == {"cond-mat.mes-hall"}
    found = answer(ARXIV, search_query="Riemann hypothesis")["items"]
    assert {row["category"] for row in found} == {"math.NT"}
    assert all("the Riemann hypothesis" in row["summary"] for row in found if "Riemann" in row["summary"])


def test_preprints_of_an_author_and_without_a_word() -> None:
    assert answer(ARXIV, search_query="au:LeCun")["total"] == 4
    every = {row["title"] for row in answer(ARXIV, search_query="au:Hinton")["items"]}
    less = {row["title"] for row in answer(ARXIV, search_query="au:Hinton ANDNOT ti:capsules")["items"]}
    assert every - less == {"Dynamic Routing Between Capsules"}


def test_invented_headlines_stay_at_home() -> None:
    rows = answer("News/news_search/get_news_headlines", country="US", pageSize=20)["items"]
    assert not [row for row in rows if "São Paulo" in row["headline"] or "Hanoi" in row["headline"]]


def test_space_news_have_webb_and_times_of_their_own() -> None:
    found = answer("News/space_news/get_news_articles", search="James Webb")
    assert found["total"] == 5
    assert all(row["published_at"] < row["updated_at"] for row in found["items"])
    assert len({row["updated_at"][11:] for row in found["items"]}) > 1


def test_films_stand_beside_books_of_the_same_name() -> None:
    found = answer(ITUNES, term="Harry Potter", country="US", limit=10)["results"]
    films = [row["trackName"] for row in found if row["kind"] == "feature-movie"]
    assert films[0] == "Harry Potter and the Philosopher's Stone"
    assert len(films) == 8


def test_artists_own_songs_come_before_namesakes() -> None:
    found = answer(ITUNES, term="Queen", country="GB", limit=8)["results"]
    assert {row["artistName"] for row in found} == {"Queen"}


def test_explicit_songs_are_marked_and_genres_written_one_way() -> None:
    assert answer(ITUNES, term="Bad Bunny", country="MX", media="music", explicit=False)["resultCount"] == 0
    genres = {
        row["primaryGenreName"] for row in answer(ITUNES, term="BTS", country="KR", entity="song")["results"]
    }
    assert genres == {"K-Pop"}


def test_names_are_at_home_where_they_are() -> None:
    homes = answer(f"{PREDICT}predict_nationality", names=["Jovanović", "Kang", "Meyer"])
    assert [row["countries"][0]["country_id"] for row in homes] == ["RS", "KR", "DE"]
    assert answer(f"{PREDICT}predict_age", names=["Chantal"], country_id="FR")[0]["age"] > 60


def test_the_plainest_opposite_and_synonym_come_first() -> None:
    assert answer(f"{WORD}get_antonyms", word="good")["antonyms"][0] == "bad"
    assert answer(f"{WORD}get_antonyms", word="hot")["antonyms"][0] == "cold"
    assert "tempestuous" not in answer(f"{WORD}get_synonyms", word="angry")["synonyms"]
    assert "well-chosen" not in answer(f"{WORD}get_synonyms", word="happy")["synonyms"]


def test_advice_fits_the_question() -> None:
    slips = answer("Advice/Advice_slip/search_advice", query="how to fall asleep faster")["slips"]
    assert {slip["topic"] for slip in slips} == {"sleep"}
    slips = answer("Advice/Advice_slip/search_advice", query="dealing with a difficult boss")["slips"]
    assert {slip["topic"] for slip in slips} == {"boss"}


def test_galleries_filter_and_periods_end() -> None:
    museum = "Art/Harvard_art_museum/search_resource"
    assert answer(museum, res_type="object", gallery="1201")["total"] > 0
    last = answer(
        museum, res_type="object", period="Impressionism", sort="yearmade", sortorder="desc", size=1
    )
    assert last["records"][0]["yearmade"] <= 1900


@pytest.mark.parametrize(("entity", "kind"), [("Q515", "class"), ("Q11696", "position"), ("Q38104", "award")])
def test_what_statements_point_to_can_be_asked_for(entity: str, kind: str) -> None:
    assert answer("Entity/Wiki_data/find_entity", input=entity)["description"] == kind


def test_topics_know_times_and_firms_at_the_start() -> None:
    found = answer("NLP/NLP/get_topics", txt="Last summer BMW sold cars. CRISPR edits genes in mice.")
    assert (found["time_expressions"], found["companies"]) == (["Last summer"], ["BMW"])
    labour = answer("NLP/NLP/get_categorization", txt="Teachers went on strike for higher wages.")
    assert labour[0]["label"] == "labour"
