"""Searches, news, papers, trends, entities and music: what must hold for any query of its kind."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.shared.found_pictures import pictures
from toolyard.world.shared.videos import videos
from toolyard.world.shared.web_guides import guides
from toolyard.world.state import World


def told(tool: str, **arguments: object) -> Any:
    result = call(World.fresh(0), tool, arguments)
    assert result.error is None, result.text
    return json.loads(result.text)


def test_guides_are_dated_after_what_they_tell() -> None:
    for page in guides():
        years = re.findall(r"\b202[34]\b", f"{page['title']} {page['text']}")
        assert not years or page["date"] >= "2024-01-01"
        assert "2024" not in years or page["date"] >= "2024-05-10"


def test_explicit_albums_are_left_out_where_they_are_not_wanted() -> None:
    for artist in ("Eminem", "Kendrick Lamar", "Drake", "Jay-Z"):
        found = told("Music/Music/search_itunes", term=artist, country="US", entity="album", explicit=False)
        assert all(row["artistName"] != artist for row in found["results"])
    beatles = told("Music/Music/search_itunes", term="Beatles", country="US", entity="album", explicit=False)
    assert beatles["resultCount"] > 3


def test_news_of_elections_are_about_elections() -> None:
    found = told("News/news_search/get_news_headlines", q="election", pageSize=20)["items"]
    assert not any("Apple store workers" in row["headline"] for row in found)
    assert sum("election" in row["headline"].lower() for row in found) > 4


def test_space_news_has_only_what_it_counts() -> None:
    counted = told("News/space_news/get_news_info")["blogs"]
    found = told("News/space_news/get_news_blogs", search="Mars")
    assert 0 < found["total"] <= counted and all(row["id"] <= 140 for row in found["items"])
    last = told("News/space_news/get_news_articles_by_id", id=303)
    assert last["published_at"] > "2024-04-09T16:53:00Z"


def test_papers_are_found_by_their_own_doi_and_come_newest_first() -> None:
    known = told("Paper/meta_analysis/get_paper_details", paper_id="DOI:10.1038/nature14539")
    assert known["title"] == "Deep learning" and known["publicationDate"] == "2015-05-28"
    author = told("Paper/meta_analysis/get_author_by_name", query="Hinton")["items"][0]["authorId"]
    rows = told(
        "Paper/meta_analysis/get_author_papers",
        author_id=author,
        fields=["year", "publicationDate"],
        limit=20,
    )["items"]
    keys = [row["year"] for row in rows]
    assert keys == sorted(keys, reverse=True)


@pytest.mark.parametrize("subject", ["lion", "aurora borealis", "volcano", "solar system", "rain"])
def test_pictures_of_things_are_no_works_of_art(subject: str) -> None:
    captions = " ".join(picture.caption for picture in pictures(subject))
    assert "in an exhibition" not in captions and "reproduction" not in captions


def test_long_forms_of_videos_last_long() -> None:
    for subject in ("yoga for beginners", "chess", "formula 1", "albert einstein"):
        for video in videos(subject):
            assert "documentary" not in video.title or video.seconds >= 1500
            assert "full course" not in video.title or video.seconds >= 3000


def test_related_queries_name_no_country_or_trade() -> None:
    rows = told(
        "Trend/Google_Trends/google_trends_search",
        query=["Taylor Swift"],
        data_type="RELATED_QUERIES",
        limit=20,
    )["related_queries"]
    assert {"united states", "singer"}.isdisjoint(row["query"] for row in rows)
    titles = [
        row["title"] for row in told("Trend/Google_Trends/google_trends_autocomplete_search", query="bitc")
    ]
    assert titles == ["Bitcoin", "Bitcoin Cash"]


def test_entities_of_one_name_and_of_one_trade() -> None:
    found = told("Entity/Wiki_data/get_entity_id", input="Cambridge")
    assert any("Massachusetts" in row["description"] for row in found)
    assert len({row["entity_id"] for row in found}) == len(found)
    labels = {row["label"] for row in told("Entity/Wiki_data/find_entity_by_tail", input="novelist")}
    assert {"Jane Austen", "Charles Dickens"} <= labels
    query = "SELECT ?p ?pLabel WHERE { ?p wdt:P19 wd:Q64 . }"
    assert told("Entity/Wiki_data/search_by_code", query=query)


def test_local_search_knows_cuisines_and_diets() -> None:
    thai = told("Search/EngineSearch/yelp_search", query="thai food", find_loc="Chicago")
    assert thai and all("Thai" in row["categories"] for row in thai)
    both = told("Search/EngineSearch/yelp_search", query="vegan bakery", find_loc="Chicago")
    assert any("Bakeries" in row["categories"] for row in both)


def test_questions_are_written_as_people_write_them() -> None:
    for query, wanted in (
        ("inflation", "What is inflation?"),
        ("DNA", "What is DNA?"),
        ("Nile", "What is the Nile?"),
    ):
        rows = told("Search/EngineSearch/google_related_question_search", query=query)
        assert rows[0]["question"] == wanted
