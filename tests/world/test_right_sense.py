"""Search answers what was asked: the right sense of a word, the right kind of thing, nothing that shares a chance word."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call


def told(name: str, **arguments: Any) -> Any:
    observation = call(World.fresh(), name, arguments)
    assert observation.error is None, observation.text
    return observation.value


def test_related_questions_stay_with_the_sense_of_the_query() -> None:
    titles = [
        row["title"] for row in told("Search/EngineSearch/google_related_question_search", query="volcanoes")
    ]
    assert titles[0] == "Volcano"
    assert set(titles) == {"Volcano"}
    assert "Chap" not in titles
    learned = told("Search/EngineSearch/google_related_question_search", query="how to learn piano")
    assert {row["title"] for row in learned} == {"Piano"}


def test_a_word_that_only_asks_names_nothing() -> None:
    found = told("Search/EngineSearch/google_search", query="best hiking trails in Patagonia")
    titles = [hit["title"] for hit in found["organic_results"]]
    assert not any("The Best" in title for title in titles)
    assert "Patagonia" in titles


@pytest.mark.parametrize(("typed", "wanted"), [("solar panels", "Solar panel"), ("taylor", "Taylor Swift")])
def test_trends_complete_what_was_typed_and_propose_nothing_else(typed: str, wanted: str) -> None:
    titles = [
        row["title"] for row in told("Trend/Google_Trends/google_trends_autocomplete_search", query=typed)
    ]
    assert wanted in titles
    assert all(typed.split()[0] in title.lower() for title in titles)


def test_interest_over_three_months_is_told_day_by_day() -> None:
    points = told("Trend/Google_Trends/google_trends_search", query=["yoga"], date="today 3-m")[
        "interest_over_time"
    ]
    assert [points[0]["date"], points[1]["date"], points[-1]["date"]] == [
        "2024-02-15",
        "2024-02-16",
        "2024-05-15",
    ]


def test_a_query_that_names_a_city_is_looked_up_there() -> None:
    assert {row["city"] for row in told("Search/EngineSearch/yelp_search", query="sushi in London")} == {
        "London"
    }
    concerts = told("Search/CostumizeSearch/google_events_search", query="concerts in Berlin")
    assert {row["city"] for row in concerts} == {"Berlin"}


def test_bridge_days_join_two_runs_of_days_off() -> None:
    runs = told("Calendar/Calendar/long_weekend", countryCode="FR", year=2024)
    assert {"startDate": "2024-11-01", "endDate": "2024-11-03", "dayCount": 3, "needBridgeDay": False} in runs
    assert {"startDate": "2024-05-08", "endDate": "2024-05-12", "dayCount": 5, "needBridgeDay": True} in runs
    assert all(run["dayCount"] > 3 or not run["needBridgeDay"] for run in runs)


def test_names_are_whole_and_denied_words_are_said_so() -> None:
    text = "Angela Merkel met Emmanuel Macron on Tuesday. The German chancellor left."
    found = told("NLP/NLP/get_topics", txt=text)
    assert found["other_names"] == ["Angela Merkel", "Emmanuel Macron", "German"]
    assert found["time_expressions"] == ["Tuesday"]
    assert told("NLP/NLP/sentiment_analysis", txt="Not bad at all.")["positive_words"] == ["not bad"]


def test_groceries_and_dishes_are_what_their_last_word_says() -> None:
    name = "Food/spoonacular_products/classify_grocery_product"
    assert told(name, postbody={"title": "oat milk 1 l"})["category"] == "milk substitute"
    guess = told("Food/spoonacular_recipes_analyze/guess_nutrition_by_dish_name", title="Beef lasagna")
    assert all("Lasagna" in title for title in guess["basedOn"])
    rated = told("Food/Tasty/get_more_info", id=715538)["user_ratings"]
    assert rated["score"] == round(rated["positive"] / (rated["positive"] + rated["negative"]), 3)


def test_trains_run_on_some_day_and_take_as_long_as_they_say() -> None:
    for train in told("Travel/Railway/indian_railway_search", search="1"):
        hours = [int(train[key][:2]) * 60 + int(train[key][3:]) for key in ("departs", "arrives")]
        assert train["runs_on"]
        assert (hours[1] - hours[0] - train["duration_minutes"]) % 1440 == 0


def test_an_entity_is_found_by_its_name_alone() -> None:
    assert [row["label"] for row in told("Entity/Wiki_data/get_entity_id", input="Eiffel Tower")] == [
        "Eiffel Tower"
    ]
