"""Boards, papers, jobs, texts and addresses: what is told is little, and right for whatever is asked."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World
from toolyard.world.tables import read_table


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def told(world: World, tool: str, **arguments: Any) -> Any:
    """What a tool answers."""
    outcome = call(world, tool, arguments)
    assert outcome.error is None, outcome.text
    return outcome.value


def refused(world: World, tool: str, **arguments: Any) -> str:
    """Why a tool refuses."""
    outcome = call(world, tool, arguments)
    assert outcome.error is not None, outcome.text
    return outcome.text


CHAN = "Social/chan"


@pytest.mark.parametrize("board", ["b", "sci", "po", "vip", "sp", "vg"])
def test_every_post_of_a_board_is_written_for_its_thread(world: World, board: str) -> None:
    written = {
        row["opener"]: row["replies"].split("|")
        for row in read_table("chan_written.tsv")
        if row["board"] == board
    }
    numbers = list(told(world, f"{CHAN}/get_archive", board=board)["threads"])
    for page in range(1, 11):
        numbers += [
            row["no"] for row in told(world, f"{CHAN}/get_threads", board=board, page=page)["threads"]
        ]
    seen = set()
    for number in numbers:
        first, *others = told(world, f"{CHAN}/get_posts", board=board, thread_no=number)["posts"]
        assert {post["com"] for post in others} <= set(written[first["com"]])
        seen.add(first["com"])
    assert len(seen) == len(numbers)


def test_later_pages_of_a_board_are_empty_and_there_are_ten(world: World) -> None:
    assert told(world, f"{CHAN}/get_catalog", board="sci", page=9)["threads"] == []
    assert "1 to 10" in refused(world, f"{CHAN}/get_catalog", board="sci", page=11)


def test_boards_threads_and_posts_say_only_what_is_sure(world: World) -> None:
    assert set(told(world, f"{CHAN}/get_boards")["items"][0]) == {
        "board",
        "title",
        "meta_description",
        "bump_limit",
    }
    row = told(world, f"{CHAN}/get_catalog", board="g")["threads"][0]
    assert not {"unique_ips", "images", "sticky"} & set(row)
    assert "filename" not in told(world, f"{CHAN}/get_posts", board="g", thread_no=row["no"])["posts"][0]


PAPERS, ARXIV, PUBMED = "Paper/meta_analysis", "Paper/arxiv/arxiv_query", "Paper/pubmed/pubmed_query_run"


@pytest.mark.parametrize(
    "query", ["dark matter", "quantum error correction", "elliptic curves", "ransomware"]
)
def test_abstracts_of_simulated_preprints_are_one_plain_sentence(world: World, query: str) -> None:
    for row in told(world, ARXIV, search_query=query)["items"]:
        assert row["summary"].count(".") <= 1 and not any(sign.isdigit() for sign in row["summary"])
        assert "evidence from" not in row["title"] and "tells us" not in row["title"]


@pytest.mark.parametrize("query", ["malaria", "migraine acupuncture", "HIV pre-exposure prophylaxis"])
def test_simulated_articles_say_nothing_of_their_subject_but_its_name(world: World, query: str) -> None:
    found = [row for row in told(world, PUBMED, query=query) if row["doi"].startswith("10.5555")]
    assert 0 < len(found) <= 3
    for row in found:
        assert not set(query.lower().split()) & set(row["abstract"].lower().split())
    assert not any("pre exposure" in row["title"] for row in found)


def test_other_papers_do_not_fill_a_list_up(world: World) -> None:
    assert told(world, ARXIV, search_query="antibiotic resistance")["total"] == 0
    found = told(world, f"{PAPERS}/get_papers_by_keywords", query="elections and social media")["items"]
    assert all("lections" in row["title"] for row in found)


@pytest.mark.parametrize(
    ("key", "day", "category"),
    [
        ("hep-th/9711200", "1997-11-27", "hep-th"),
        ("1412.6572", "2014-12-20", "stat.ML"),
        ("2001.08361", "2020-01-23", "cs.LG"),
        ("0709.1163", "2007-09-08", "cond-mat.other"),
    ],
)
def test_well_known_preprints_have_their_day(world: World, key: str, day: str, category: str) -> None:
    row = told(world, ARXIV, id_list=[key])["items"][0]
    assert (row["published"], row["category"]) == (day, category)


def test_a_day_and_a_doi_that_are_not_known_are_not_given(world: World) -> None:
    found = told(world, f"{PAPERS}/get_paper_details", paper_id="The Part-Time Parliament")
    assert (found["publicationDate"], found["externalIds"]["doi"]) in {
        (None, None),
        ("1998-05-01", "10.1145/279227.279229"),
    }
    for row in told(world, f"{PAPERS}/get_papers_by_keywords", query="economics", fields=["externalIds"])[
        "items"
    ]:
        assert row["externalIds"]["doi"] is None or not row["externalIds"]["doi"].endswith("15")


def test_nobody_is_made_up_as_an_author(world: World) -> None:
    assert told(world, f"{PAPERS}/get_author_by_name", query="Marta Lindqvist")["total"] == 0


def test_a_subject_without_a_known_field_has_none(world: World) -> None:
    ask = f"{PAPERS}/get_papers_by_keywords"
    rows = told(world, ask, query="Roman law", fields=["title", "fieldsOfStudy"])["items"]
    assert rows and all(row["fieldsOfStudy"] == ["Law"] for row in rows)
    rows = told(world, ask, query="French Revolution", fields=["title"])["items"]
    assert rows and all(row["title"].startswith("French Revolution: ") for row in rows)


def test_trials_are_of_the_type_of_trials(world: World) -> None:
    found = told(
        world, f"{PAPERS}/get_papers_by_keywords", query="aspirin", publicationTypes=["ClinicalTrial"]
    )
    assert found["total"] >= 4


def test_adverts_say_what_the_fields_say_and_the_work(world: World) -> None:
    found = told(world, "Job/Google_Jobs/google_jobs_search", query="accountant in London")["jobs_results"]
    assert found
    for row in found:
        assert "books are closed" not in row["description"] and "Call us" not in row["description"]
        listing = told(world, "Job/Google_Jobs/google_jobs_listing_search", job_id=row["job_id"])
        assert len(listing["ratings"]) <= 1 and all(
            set(one) == {"source", "rating"} for one in listing["ratings"]
        )


def test_details_of_jobs_have_no_made_up_reviews(world: World) -> None:
    found = told(world, "Job/job_search/basic_job_search", query="accountant in London")["data"]
    row = told(world, "Job/job_search/get_job_details", job_ids=[found[0]["job_id"]])[0]
    assert "employer_reviews" not in row


def test_base_forms_of_names_keep_their_capital(world: World) -> None:
    text = "The bridge was built by Roman soldiers. She rests on Mondays."
    forms = {
        row["form"]: row["lemma"] for row in told(world, "NLP/NLP/linguistic_analysis", txt=text)["tokens"]
    }
    assert (forms["Roman"], forms["Mondays"]) == ("Roman", "Monday")
