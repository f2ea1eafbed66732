"""Searches for pictures, videos, events, services, patents and papers: little is said, and that holds for any query."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call

CUSTOM, MULTI = "Search/CostumizeSearch", "Search/MultimodelSearch"


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def said(world: World, tool: str, **arguments: Any) -> Any:
    result = call(world, tool, arguments)
    assert result.error is None, result.text
    return result.value


# Pictures


@pytest.mark.parametrize(
    "query",
    ["solar system", "northern lights", "Eiffel Tower at night", "Taylor Swift", "Toyota Corolla", "justice"],
)
def test_captions_say_what_is_shown_and_where(world: World, query: str) -> None:
    found = said(world, f"{MULTI}/yahoo_image_search", query=query, imgty="photo")
    shown = query[0].upper() + query[1:]
    assert {row["caption"].partition(" - ")[0] for row in found} == {shown}
    assert len({row["caption"] for row in found}) == len(found) == 6


def test_the_market_is_the_country_searched_from(world: World) -> None:
    found = said(world, f"{MULTI}/bing_image_search", query="Mona Lisa", cc="IT")
    assert {row["market"] for row in found} == {"IT"}
    assert {row["market"] for row in said(world, f"{MULTI}/bing_image_search", query="Mona Lisa")} == {"US"}


def test_pictures_are_not_older_than_what_they_show(world: World) -> None:
    found = said(world, f"{MULTI}/yahoo_image_search", query="2024 solar eclipse")
    assert found and all(row["date"] > "2024-04-08" for row in found)


def test_all_ages_of_pictures_are_there(world: World) -> None:
    for age in ("day", "week", "month", "year"):
        assert said(world, f"{MULTI}/yahoo_image_search", query="Mona Lisa", imgt=age, imgty="gif")


# Videos


@pytest.mark.parametrize(
    "query", ["Oppenheimer trailer", "Lionel Messi best goals", "sunset over the ocean", "umbrella"]
)
def test_titles_of_videos_claim_nothing_of_their_own(world: World, query: str) -> None:
    for row in said(world, f"{MULTI}/yandex_videos_search", query=query):
        rest = row["title"].removeprefix(query[0].upper() + query[1:])
        assert rest in ("", " (full video)", " #shorts")


def test_videos_last_as_long_as_the_query_says(world: World) -> None:
    (row,) = said(world, f"{MULTI}/youtube_search", query="10 minute ab workout")
    assert 600 <= row["length_s"] <= 630 and not row["about"].endswith("Minute")
    trailer = said(world, f"{MULTI}/youtube_search", query="Oppenheimer trailer")
    assert all(row["length_s"] < 180 for row in trailer)


def test_videos_of_what_everybody_looks_for(world: World) -> None:
    found = said(world, f"{MULTI}/yandex_videos_search", query="funny cat videos")
    assert found[0]["about"].endswith("/Cat")
    asked = said(world, f"{MULTI}/yandex_videos_search", query="why is the sky blue")
    assert asked[0]["title"] == "Why is the sky blue?"
    assert said(world, f"{MULTI}/yandex_videos_search", query="The Beatles")[0]["title"] == "The Beatles live"


# The encyclopaedia and pages


@pytest.mark.parametrize(
    ("entity", "kind", "told"),
    [
        ("Inception", "film", "DiCaprio"), ("Madonna", "person", "singer"), ("Batman", "fictional character", "Bruce Wayne"),
        ("MIT", "university", "1861"), ("New York City", "city", "United States"), ("CERN", "organisation", "Geneva"),
        ("Quokka", "organism", "Australia"), ("tigers", "organism", "stripes"), ("dolphins", "organism", "whales"),
        ("Hamlet", "book", "tragedy"), ("Chinese New Year", "holiday", "10 February"),
        ("Florence Nightingale", "person", "nurse"),
    ],
)  # fmt: skip
def test_the_famous_are_told_as_what_they_are(world: World, entity: str, kind: str, told: str) -> None:
    entry = said(world, f"{CUSTOM}/wiki_search", entity=entity)
    assert entry["kind"] == kind and told in entry["summary"]


def test_an_entry_leads_to_what_it_speaks_of_only(world: World) -> None:
    assert said(world, f"{CUSTOM}/wiki_search", entity="Zendaya")["see_also"] == ["United States"]
    assert said(world, f"{CUSTOM}/wiki_search", entity="Kenya")["see_also"] == ["Nairobi"]


def test_pages_on_films_tell_year_and_director(world: World) -> None:
    url = "https://en.wikipedia.org/wiki/Titanic_(1997_film)"
    page = said(world, f"{CUSTOM}/get_further_contents", request_url=url)
    assert page["text"] == "Titanic is a film of 1997, directed by James Cameron."


def test_questions_are_about_the_subject_alone(world: World) -> None:
    found = said(world, f"{MULTI}/google_related_question_search", query="Cristiano Ronaldo")
    assert {row["title"] for row in found} == {"Cristiano Ronaldo"}
    first = said(world, f"{CUSTOM}/google_related_question_search", query="Inception")[0]
    assert first["question"] == "What is Inception?"


# Completions


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("capital of", "capital of france"), ("merry chr", "merry christmas in spanish"), ("nba fi", "nba finals"),
        ("plumber near", "plumber near me"), ("cheapest way to", "cheapest way to ship a package"),
        ("piano les", "piano lessons"), ("lord of the r", "lord of the rings"),
    ],
)  # fmt: skip
def test_completions_are_what_people_type(world: World, query: str, first: str) -> None:
    assert said(world, f"{MULTI}/google_autocomplete_search", query=query)[0]["value"] == first


@pytest.mark.parametrize("query", ["space x la", "violet truck par", "ocean happi"])
def test_no_words_are_glued_together(world: World, query: str) -> None:
    assert said(world, f"{CUSTOM}/google_autocomplete_search", query=query) == []


# Events, services, patents and papers


def test_real_shows_have_no_price_and_simulated_ones_do(world: World) -> None:
    found = said(world, f"{CUSTOM}/google_events_search", query="musicals in New York")
    assert found and all(row["lowest_price"] is None for row in found)
    swans = said(world, f"{CUSTOM}/google_events_search", query="Swan Lake in Chicago")
    assert swans[0]["lowest_price"] > 0


def test_nobody_plays_in_two_cities_on_one_evening(world: World) -> None:
    for query in ("jazz", "France", "US"):
        found = said(world, f"{CUSTOM}/google_events_search", query=query)
        assert len({row["title"] for row in found}) == len(found)
        assert [row["starts"] for row in found] == sorted(row["starts"] for row in found)


def test_a_musical_that_is_called_like_a_city(world: World) -> None:
    found = said(world, f"{CUSTOM}/google_events_search", query="Hamilton musical")
    assert {row["title"] for row in found} == {"Hamilton"}


def test_services_are_few_and_no_branches(world: World) -> None:
    found = said(world, f"{CUSTOM}/google_local_services_search", query="pest control", location="New York")
    assert [row["provider"] for row in found] == ["Safe Home Pest Control", "Bug Off"]
    assert call(world, f"{CUSTOM}/google_local_services_search", {"query": "asdkjh"}).error == "not_found"


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("graphene", "graphene"), ("umbrella", "umbrellas"), ("electric toothbrush", "electric toothbrushes"),
        ("drone delivery", "drone delivery"), ("scissors", "scissors"), ("wireless earbuds", "wireless earbuds"),
    ],
)  # fmt: skip
def test_invented_patents_have_no_number_of_the_office(world: World, query: str, told: str) -> None:
    found = said(world, f"{CUSTOM}/google_patents_search", query=query)
    assert [row["title"] for row in found] == [
        f"{form} relating to {told}" for form in ("System", "Method", "Apparatus")
    ]
    assert all(row["patent_id"].startswith("SIM") for row in found)


@pytest.mark.parametrize(
    ("tool", "query"),
    [("google_patents_search", "qwerzx blarg"), ("google_patents_search", "time machine"),
     ("google_scholar_search", "blorp zqx"), ("google_scholar_search", "author:zzyzx")],
)  # fmt: skip
def test_what_nobody_knows_is_refused(world: World, tool: str, query: str) -> None:
    assert call(world, f"{CUSTOM}/{tool}", {"query": query}).error in ("not_found", "invalid_value")


def test_papers_have_all_words_of_a_query(world: World) -> None:
    found = said(world, f"{CUSTOM}/google_scholar_search", query="coffee and health")
    assert [row["venue"] for row in found] == ["BMJ"]
    later = said(world, f"{CUSTOM}/google_scholar_search", query="graph neural networks", as_ylo=2020)
    assert later and all("graph neural networks" in row["title"].lower() for row in later)


def test_what_is_asked_of_videos_stays_as_it_was_asked(world: World) -> None:
    found = said(world, f"{MULTI}/yandex_videos_search", query="how a car engine works")
    assert found[0]["title"] == "How a car engine works"
    finals = said(world, f"{MULTI}/youtube_search", query="NBA finals 2023 highlights")
    assert finals[0]["about"].endswith("/National_Basketball_Association")
