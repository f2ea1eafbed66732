"""Papers and authors beyond the generated ones: the table of well-known papers, and derived ones."""

from __future__ import annotations

from typing import Any

from toolyard.world import World, call

SCHOLAR = "Paper/meta_analysis"


def ask(world: World, tool: str, **arguments: Any) -> Any:
    seen = call(world, tool, arguments)
    assert seen.error is None, seen.value
    return seen.value


def test_well_known_authors_have_their_papers() -> None:
    world = World.fresh(0)
    hinton = ask(world, f"{SCHOLAR}/get_author_by_name", query="Geoffrey Hinton")["items"][0]
    papers = ask(
        world,
        f"{SCHOLAR}/get_author_papers",
        author_id=hinton["authorId"],
        fields=["title", "year"],
        limit=20,
    )
    assert {"title": "Deep learning", "year": 2015} in [
        {"title": row["title"], "year": row["year"]} for row in papers["items"]
    ]
    assert ask(world, f"{SCHOLAR}/get_author_by_name", query="LeCun")["items"][0]["name"] == "Yann LeCun"
    hits = ask(world, "Search/CostumizeSearch/google_scholar_search", query="Yann LeCun")
    assert all("Yann LeCun" in hit["authors"] for hit in hits[:3])


def test_a_paper_is_the_same_by_title_id_and_engine() -> None:
    world = World.fresh(0)
    found = ask(world, "Paper/arxiv/arxiv_query", id_list=["1505.04597"])["items"][0]
    details = ask(world, f"{SCHOLAR}/get_paper_details", paper_id="ARXIV:1505.04597")
    assert found["title"] == details["title"] and details["title"].startswith("U-Net")
    cited = [
        ask(world, f"{SCHOLAR}/get_paper_details", paper_id=key)["year"] for key in details["references"]
    ]
    assert all(year <= details["year"] for year in cited)


def test_papers_on_a_subject_are_derived_and_noted() -> None:
    world = World.fresh(0)
    found = ask(world, f"{SCHOLAR}/get_papers_by_keywords", query="beekeeping")["items"]
    assert all("beekeeping" in row["title"].lower() for row in found[:5])
    assert (
        ask(world, f"{SCHOLAR}/get_paper_details", paper_id=found[0]["paperId"])["title"] == found[0]["title"]
    )
    assert ask(world, f"{SCHOLAR}/get_author_by_name", query="Marta Lindqvist")["items"] == []
    assert ("papers", "beekeeping") in world.simulated
    assert ask(world, f"{SCHOLAR}/get_author_by_name", query="Xqzzt Vrkptson")["items"] == []
    assert ask(world, f"{SCHOLAR}/get_papers_by_keywords", query="xqzzt blorp")["items"] == []
