"""What searches of papers, museums and trends must hold: answers do not hang on the order of calls."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World

PAPERS = "Paper/meta_analysis"


def _value(tool: str, arguments: dict[str, Any], world: World | None = None) -> Any:
    found = call(world or World.fresh(0), tool, arguments)
    assert found.error is None, found.text
    return found.value


@pytest.mark.parametrize("subject", ["malaria", "semaglutide obesity", "beekeeping"])
def test_authors_of_papers_are_found_by_their_ids_whatever_ran_before(subject: str) -> None:
    world = World.fresh(0)
    found = _value(f"{PAPERS}/get_papers_by_keywords", {"query": subject, "limit": 20}, world)["items"]
    for author in [author for paper in found for author in paper["authors"]]:
        asked = {"author_id": author["author_id"]}
        assert _value(f"{PAPERS}/get_author_details", asked)["name"] == author["name"]
    for paper in found:
        for author in paper["authors"]:
            asked = {"author_id": author["author_id"]}
            assert paper["paperId"] in _value(f"{PAPERS}/get_author_details", asked, world)["papers"]


def test_an_affiliation_is_given_where_citations_are() -> None:
    row = _value(f"{PAPERS}/get_author_details", {"author_id": "1700002"})
    assert row["affiliations"]
    assert row["citationCount"] is not None
    assert row["hIndex"] is not None
    real = _value(f"{PAPERS}/get_author_details", {"author_id": "1974486"})
    assert (real["affiliations"], real["citationCount"], real["hIndex"]) == ([], None, None)


@pytest.mark.parametrize("query", ["Lionel Messi best goals", "best pancake recipe"])
def test_titles_of_videos_do_not_praise_twice(query: str) -> None:
    found = _value("Search/MultimodelSearch/yandex_videos_search", {"query": query})
    assert found
    for video in found:
        assert video["title"].lower().count("best") <= 1
        assert "top ten" not in video["title"]


def test_bitcoin_is_a_cryptocurrency_among_the_completions() -> None:
    found = _value("Trend/Google_Trends/google_trends_autocomplete_search", {"query": "bitc"})
    assert [row["type"] for row in found if row["title"] == "Bitcoin"] == ["Cryptocurrency"]
