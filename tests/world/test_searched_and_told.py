"""What a sixth reading found in searches, news, papers, goods and words, and how it is now."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.reference.packed import packed
from toolyard.world.shared.articles import articles


def said(tool: str, **arguments: Any) -> Any:
    """What a tool answers in a fresh world; a fault is a failure of the test."""
    answer = call(World.fresh(seed=0), tool, arguments)
    assert answer.error is None, answer.text
    return answer.value


def test_free_books_have_names_without_markup_and_no_empty_subjects() -> None:
    assert [row for row in packed("free_books") if "<" in "".join(row)] == []
    books = said("Database/non_local/gutendex", topic="children", languages=["fr"])["items"]
    assert "Wilhelm Grimm" in {book["author"] for book in books}
    (book,) = said("Database/non_local/gutendex", ids=[34079])["items"]
    assert book["subjects"] == []


def test_invented_news_leave_real_companies_alone() -> None:
    told = " ".join(row["title"] for row in articles(0))
    assert not [name for name in ("Apple", "Microsoft", "Infosys", "Moderna", "UnitedHealth") if name in told]


@pytest.mark.parametrize("country", ["gb", "de", "in", "fr"])
@pytest.mark.parametrize("category", ["sports", "business", "health"])
def test_every_listed_country_has_news_in_each_category(country: str, category: str) -> None:
    page = said("News/news_search/get_news_headlines", country=country, category=category)
    assert page["total"] >= 1
    assert {row["category"] for row in page["items"]} == {category}


def test_daily_news_in_other_languages_are_general() -> None:
    foreign = [row for row in articles(0)[:2004] if row["language"] != "en"]
    assert {row["category"] for row in foreign} == {"general"}
    assert not any("reports from" in row["content"] for row in foreign)


def test_an_author_who_exists_has_no_figures_counted_from_a_few_papers() -> None:
    wanted = ["name", "citationCount", "hIndex"]
    (known,) = said("Paper/meta_analysis/get_author_by_name", query="Yann LeCun", fields=wanted)["items"]
    assert (known["citationCount"], known["hIndex"]) == (None, None)
    invented = said("Paper/meta_analysis/get_author_details", author_id="1700000", fields=wanted)
    assert invented["hIndex"] >= 1


@pytest.mark.parametrize(
    "wanted",
    [
        {"query": "Golden Gate Bridge", "imgty": "photo"},
        {"query": "red panda", "imgt": "week"},
        {"query": "Eiffel Tower night", "imgty": "transparent"},
    ],
)
def test_ten_images_of_the_type_and_age_that_is_wanted(wanted: dict[str, str]) -> None:
    images = said("Search/MultimodelSearch/yahoo_image_search", **wanted)
    assert 6 <= len({image["original"] for image in images}) == len(images) <= 10
    assert all(image["type"] == wanted.get("imgty", image["type"]) for image in images)
    assert all(image["date"] >= ("2024-05-08" if "imgt" in wanted else "") for image in images)


@pytest.mark.parametrize(
    "tool",
    [
        "Search/MultimodelSearch/yahoo_image_search",
        "Search/EngineSearch/google_search",
        "Search/EngineSearch/bing_news_search",
        "Search/EngineSearch/yelp_search",
        "Search/CostumizeSearch/google_scholar_search",
        "Search/CostumizeSearch/google_patents_search",
        "Search/CostumizeSearch/google_events_search",
    ],
)
def test_a_search_for_nothing_is_refused(tool: str) -> None:
    assert call(World.fresh(seed=0), tool, {"query": " "}).error == "invalid_value"


@pytest.mark.parametrize("thing", ["flux capacitor 9000", "time machine", "dishwasher 9000", "unicorn horn"])
def test_nobody_sells_what_does_not_exist(thing: str) -> None:
    for tool in ("walmart_review_search", "bing_shopping_search"):
        found = call(World.fresh(seed=0), f"Search/ShoppingSearch/{tool}", {"query": thing})
        assert found.error == "not_found"


def test_what_broke_after_a_few_weeks_was_not_owned_for_long_and_diapers_are_bought_again() -> None:
    for item in ("vacuum cleaner", "kids bicycle", "backpack", "desk chair", "toaster"):
        for review in said("Search/ShoppingSearch/walmart_review_search", query=item)["reviews"]:
            if review["text"].startswith("It broke after a few weeks"):
                assert int(review["text"].split()[-2]) <= 10
    texts = [
        row["text"] for row in said("Search/ShoppingSearch/walmart_review_search", query="diapers")["reviews"]
    ]
    assert texts
    assert not any(
        word in text for text in texts for word in ("Stopped working", "set up", "Tastes", "recipe")
    )


def test_nobel_prizes_of_a_field_leave_out_no_year() -> None:
    prizes = said("Search/CostumizeSearch/get_nobel_results", nobelPrizeCategory="lit")
    assert [prize["year"] for prize in prizes] == list(range(2023, 2003, -1))


def test_events_are_in_the_city_that_a_query_names() -> None:
    events = said("Search/CostumizeSearch/google_events_search", query="jazz in New Orleans")
    assert {event["city"] for event in events} == {"New Orleans"}
    assert said("Search/CostumizeSearch/google_events_search", query="events in Leeds")


def test_completions_patents_and_countries_fit_what_was_typed() -> None:
    typed = said("Search/EngineSearch/google_autocomplete_search", query="how to ti")
    assert "how to tie a tie" in {row["value"] for row in typed}
    assert not any("tianjin" in row["value"].lower() for row in typed)
    assert said("Search/CostumizeSearch/google_patents_search", query="Dyson") == []
    nowhere = {"query": "espresso", "cc": "ZZ"}
    assert call(World.fresh(seed=0), "Search/EngineSearch/bing_search", nowhere).error == "not_found"


def test_snippets_say_something_and_videos_are_about_the_whole_query() -> None:
    results = said("Search/EngineSearch/google_search", query="Frida Kahlo")["organic_results"]
    assert not any(row["snippet"].startswith("This page explains") for row in results)
    videos = said("Search/MultimodelSearch/youtube_search", query="guitar lesson for beginners")
    assert {"Lesson", "Beginner"}.isdisjoint(video["title"] for video in videos)


def test_german_nouns_have_a_capital_and_other_words_have_none() -> None:
    def german(word: str) -> str:
        return str(said("Translation/Translation/get_translation_baidu", text=word, tgt_lang="de")["result"])

    assert [german(word) for word in ("cat", "dog", "happy")] == ["Katze", "Hund", "glücklich"]


def test_running_is_a_verb_after_was_and_boring_is_not() -> None:
    tokens = said(
        "NLP/NLP/linguistic_analysis", txt="It was raining. The film was boring. I saw three dogs."
    )["tokens"]
    kinds = {token["form"]: token["part_of_speech"] for token in tokens}
    assert (kinds["raining"], kinds["boring"], kinds["three"]) == ("verb", "adjective", "number")


def test_a_tip_is_worked_out() -> None:
    answer = said("Calculator/Calculator/wolfram_alpha_calculator", input_query="18 percent tip on 64.50")
    assert answer["decimal"] == 11.61


def test_names_of_this_century_are_young_and_irish_names_are_irish() -> None:
    ages = said("Predict/Predict/predict_age", names=["Jayden", "Ava", "Gertrude"])
    assert [row["age"] < 25 for row in ages] == [True, True, False]
    (name,) = said("Predict/Predict/predict_nationality", names=["O'Connor"])
    assert name["countries"][0]["country_id"] == "IE"
