"""Calculators, Wolfram and the encyclopaedia: they answer what they know, and say so where they do not."""

from __future__ import annotations

import pytest

from toolyard.world import World, call
from toolyard.world.index import Index, words
from toolyard.world.reference.places.geography import find_country

ALPHA = "Calculator/Calculator/wolfram_alpha_calculator"
RESULTS = "Search/WolframSearch/get_wolfram_results"
WIKI = "Search/CostumizeSearch/wiki_search"


@pytest.mark.parametrize(
    ("question", "exact"),
    [
        ("10 km in miles", "6.21371192237 mi"),
        ("convert 5 lb to kg", "2.26796185 kg"),
        ("32 degrees Fahrenheit in Celsius", "0 °C"),
        ("How many feet are in a mile?", "5280 ft"),
        ("5 ft 11 in to cm", "180.34 cm"),
        ("twenty-five miles in km", "40.2336 km"),
        ("minutes in a week", "10080 min"),
        ("half of 90", "45"),
        ("60 mph to km/h", "96.56064 km/h"),
        ("2.5 GB in MB", "2500 MB"),
        ("days between 2024-01-01 and May 15, 2024", "135 days"),
        ("day of the week of July 4, 1776", "Thursday"),
        ("90 days from today", "2024-08-13 (Tuesday)"),
        ("is 1900 a leap year?", "no"),
        ("prime factorization of 360", "2^3 * 3^2 * 5"),
        ("gcd of 12 and 18", "6"),
        ("median of 3, 1, 10", "3"),
        ("percent change from 50 to 75", "50%"),
        ("255 in hexadecimal", "ff"),
        ("17 mod 5", "2"),
        ("log base 2 of 8", "3"),
        ("limit of sin(x)/x as x approaches 0", "1"),
        ("derivative of x^3 at x=2", "12"),
        ("integral from 0 to 1 of x^2", "1/3"),
        ("x + y = 10, x - y = 2", "x = 6; y = 4"),
        ("determinant of [[1, 2], [3, 4]]", "-2"),
        ("eigenvalues of {{2, 0}, {0, 3}}", "2, 3"),
        ("[[1, 2], [3, 4]] * [[0, 1], [1, 0]]", "[[2, 1], [4, 3]]"),
        ("cos 60 degrees", "1/2"),
        ("log10(1000)", "3"),
        ("speed of light", "299792458 m/s"),
    ],
)
def test_what_can_be_computed_is_computed(question: str, exact: str) -> None:
    assert call(World.fresh(), ALPHA, {"input_query": question}).value["exact"] == exact


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("5 zorks to kg", "'zorks' is no unit"),
        ("1 kg to meters", "measure different things"),
        ("-500 C to K", "no such value"),
        ("days between 31 February 2024 and 1 May 2024", "no possible date"),
        ("inverse of [[1, 2], [2, 4]]", "no inverse"),
        ("determinant of [[1, 2, 3]]", "square matrix"),
        ("log(0)", "infinite or undefined"),
        ("2 +", "not a mathematical expression"),
    ],
)
def test_what_has_no_answer_is_refused_with_the_reason(question: str, reason: str) -> None:
    for tool, parameter in ((ALPHA, "input_query"), (RESULTS, "query")):
        observation = call(World.fresh(), tool, {parameter: question})
        assert observation.error == "invalid_value"
        assert reason in observation.value["error"]["message"]
        assert observation.value["error"]["parameter"] == parameter


def test_the_plain_calculator_converts_units_too() -> None:
    found = call(World.fresh(), "Calculator/Calculator/calculator", {"input_query": "10 km in miles"})
    assert found.value["result"] == 6.21371192237
    spoken = call(
        World.fresh(), "Calculator/Calculator/calculator", {"input_query": "two to the power of ten"}
    )
    assert spoken.value["result"] == 1024


@pytest.mark.parametrize(
    ("question", "result"),
    [
        ("What is the capital of Australia?", "Canberra"),
        ("What time is it in Tokyo?", "18:00 on Wednesday, 2024-05-15"),
        ("What country is Paris in?", "France"),
        ("What is two hundred and fifty plus seventy-five divided by three?", "275"),
        ("100 USD to USD", "100.00 USD"),
    ],
)
def test_facts_come_from_the_tables(question: str, result: str) -> None:
    assert call(World.fresh(), RESULTS, {"query": question}).value["result"] == result


def test_figures_come_from_the_tables() -> None:
    people = call(World.fresh(), RESULTS, {"query": "population of Japan"}).value["result"]
    assert people == f"{find_country('JP')['population']:,} people"
    way = call(World.fresh(), RESULTS, {"query": "how far is Paris from Rome"}).value["result"]
    assert 1_080 < int(way.removesuffix(" km").replace(",", "")) < 1_130


@pytest.mark.parametrize(
    "question",
    [
        "capital of Zembla",
        "flurb the glorp",
        "population of Snorvel",
    ],
)
def test_a_question_about_nothing_known_is_not_found(question: str) -> None:
    observation = call(World.fresh(), RESULTS, {"query": question})
    assert observation.error == "not_found"
    assert "10 km in miles" in observation.value["error"]["message"]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("bogota", "Bogotá"),
        ("Albert Einstien", "Albert Einstein"),
        ("Einstein", "Albert Einstein"),
        ("Who was Albert Einstein?", "Albert Einstein"),
        ("the Eiffel Tower", "Eiffel Tower"),
    ],
)
def test_an_entry_is_found_by_its_name_however_it_is_written(name: str, title: str) -> None:
    assert call(World.fresh(), WIKI, {"entity": name}).value["title"] == title


@pytest.mark.parametrize("name", ["Snorvel Cathedral", "qwrtzx", "the flurb of glorp"])
def test_a_name_that_shares_a_word_at_most_is_not_found(name: str) -> None:
    assert call(World.fresh(), WIKI, {"entity": name}).error == "not_found"


def test_a_name_that_is_not_found_comes_with_near_ones() -> None:
    message = call(World.fresh(), WIKI, {"entity": "Mount Evr"}).value["error"]["message"]
    assert "did you mean Mount Everest" in message


def test_related_questions_are_about_the_subject() -> None:
    name = "Search/EngineSearch/google_related_question_search"
    asked = call(World.fresh(), name, {"query": "attractions in Paris"}).value
    assert {row["title"] for row in asked} == {"Paris"}
    titles = [row["title"] for row in call(World.fresh(), name, {"query": "eigenvalues of a matrix"}).value]
    assert titles[0] == "Eigenvalue"


def test_a_bound_leaves_out_rows_that_share_too_little_of_a_query() -> None:
    rows = [{"text": "the cathedral of Florence"}, {"text": "the Snorvel cathedral"}, {"text": "a cathedral"}]
    index = Index(rows, ["text"])
    assert len(index.search("snorvel cathedral")) == 3
    assert index.search("snorvel cathedral", bound=0.5) == [rows[1]]
    assert index.search("gothic cathedral", bound=0.5) == []
    assert words("Café Zürich") == words("cafe zurich") == ["cafe", "zurich"]


def test_small_countries_have_their_inhabitants_counted_out() -> None:
    summary = call(World.fresh(), WIKI, {"entity": "San Marino"}).value["summary"]
    assert "0.0 million" not in summary
    assert "people live on 61 square kilometres" in summary


def test_elements_have_their_symbols_and_numbers() -> None:
    for query, result in (("chemical symbol of iron", "Fe"), ("What is the atomic number of gold?", "79")):
        assert call(World.fresh(), RESULTS, {"query": query}).value["result"] == result
    assert call(World.fresh(), RESULTS, {"query": "chemical symbol of unobtainium"}).error == "not_found"
