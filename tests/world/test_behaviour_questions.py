"""Questions and dates are read as people write them; what has no answer is refused with the reason."""

from datetime import date
from typing import Any

import pytest

from cases import each_case
from toolyard.world import World, call
from toolyard.world.index import words
from toolyard.world.kernel.faults import ToolFault
from toolyard.world.reference.days import find_clock, find_day, moment, parse_date, read_date
from toolyard.world.reference.encyclopaedia.catalogue import catalogue
from toolyard.world.reference.encyclopaedia.entries import core_entries
from toolyard.world.simulated.scholarship import h_index
from toolyard.world.tools.database.name_match import similarity_key
from world_answers import ask

ALPHA = "Calculator/Calculator/wolfram_alpha_calculator"
RESULTS = "Search/WolframSearch/get_wolfram_results"
WIKI = "Search/CostumizeSearch/wiki_search"


@each_case("tool, arguments, field, wanted")
def test_what_can_be_computed_or_looked_up_is_answered_however_it_is_written(
    tool: str, arguments: dict[str, Any], field: str, wanted: Any
) -> None:
    assert call(World.fresh(), tool, arguments).value[field] == wanted


@each_case("question, reason")
def test_what_has_no_answer_is_refused_with_the_reason(question: str, reason: str) -> None:
    for tool, parameter in ((ALPHA, "input_query"), (RESULTS, "query")):
        observation = call(World.fresh(), tool, {parameter: question})
        assert observation.error == "invalid_value"
        assert reason in observation.value["error"]["message"]
        assert observation.value["error"]["parameter"] == parameter


@pytest.mark.parametrize("question", ["capital of Zembla", "flurb the glorp", "population of Snorvel"])
def test_a_question_about_nothing_known_is_not_found(question: str) -> None:
    observation = call(World.fresh(), RESULTS, {"query": question})
    assert observation.error == "not_found"
    assert "10 km in miles" in observation.value["error"]["message"]


@pytest.mark.parametrize("name", ["Snorvel Cathedral", "qwrtzx", "the flurb of glorp"])
def test_a_name_that_is_like_none_is_not_found_and_near_ones_are_named(name: str) -> None:
    assert call(World.fresh(), WIKI, {"entity": name}).error == "not_found"


def test_a_name_that_is_not_found_comes_with_near_ones() -> None:
    message = call(World.fresh(), WIKI, {"entity": "Mount Evr"}).value["error"]["message"]
    assert "did you mean Mount Everest" in message


def test_words_are_compared_without_accents() -> None:
    assert words("Café Zürich") == words("cafe zurich") == ["cafe", "zurich"]


TODAY = date(2024, 5, 15)
ADD = "Stock/Stock/add_date"


@each_case("text")
def test_a_date_is_read_in_any_usual_form(text: str) -> None:
    assert read_date(text) == TODAY


@pytest.mark.parametrize(
    "text", ["", "hello", "May 2024", "2024", "2024-05-15garbage", "room 5/15", "15 May"]
)
def test_other_text_is_no_date(text: str) -> None:
    assert read_date(text) is None
    with pytest.raises(ToolFault, match="want a calendar date as YYYY-MM-DD"):
        parse_date(text)


@pytest.mark.parametrize("text", ["2024-02-31", "31 February 2024", "2/30/2024", "2023-02-29", "2024-13-01"])
def test_a_day_that_the_calendar_does_not_have_is_refused(text: str) -> None:
    with pytest.raises(ToolFault, match="the calendar has no such day"):
        parse_date(text)
    observation = call(World.fresh(), ADD, {"date": text, "days": 1})
    assert observation.error == "invalid_value"


def test_the_declared_form_stays_in_the_document() -> None:
    from toolyard.world import library

    (schema,) = [each.schema for each in library()[ADD].document.parameters if each.name == "date"]
    assert schema["pattern"].startswith("^(?:\\d{4}-")


@each_case("sentence, day, clock")
def test_days_and_times_are_found_in_sentences(sentence: str, day: str | None, clock: str | None) -> None:
    found_day, found_clock = find_day(sentence, TODAY), find_clock(sentence)
    assert (str(found_day.day) if found_day else None) == day
    assert (f"{found_clock.clock:%H:%M}" if found_clock else None) == clock


@pytest.mark.parametrize("sentence", ["at 25:00", "at 13 pm", "call at 3"])
def test_a_time_that_is_none_or_may_be_two_is_refused(sentence: str) -> None:
    with pytest.raises(ValueError, match=r"hour|no time|may be"):
        find_clock(sentence)


def test_moments_take_dates_in_words_and_the_end_of_a_day() -> None:
    assert moment("15 May 2024 3 pm", "from") == "2024-05-15T15:00:00Z"
    assert moment("May 15, 2024", "to", end=True) == "2024-05-15T23:59:59Z"
    assert moment("2024-05-15T10:00:00+02:00", "from") == "2024-05-15T08:00:00Z"


def test_every_link_of_every_engine_can_be_read() -> None:
    found = ask("Search/EngineSearch/google_search", query="quantum computing")["organic_results"]
    found += ask("Search/EngineSearch/duckduckgo_search", query="quantum computing")["results"]
    links = [row["link"] for row in found]
    links += [row["page"] for row in ask("Search/MultimodelSearch/bing_image_search", query="Mars")]
    links += [row["link"] for row in ask("Search/CostumizeSearch/google_scholar_search", query="Mars")]
    links += [row["url"] for row in ask("News/news_search/get_news_headlines")["items"]]
    assert len(links) > 20
    for link in links:
        assert ask("Search/EngineSearch/get_further_contents", request_url=link)["url"] == link


def test_operators_narrow_a_web_search() -> None:
    only = ask("Search/EngineSearch/google_search", query="Paris site:wayfarer.example")["organic_results"]
    assert only
    assert all(row["link"].startswith("https://wayfarer.example/") for row in only)
    without = ask("Search/EngineSearch/baidu_search", query="Paris -tourists", rn=30)
    assert without
    assert not any("tourists" in row["headline"].lower() for row in without)


def test_h_index_of_a_known_list() -> None:
    assert h_index([10, 8, 5, 4, 3]) == 4
    assert h_index([]) == 0


def test_sparql_joins_patterns() -> None:
    rows = ask(
        "Entity/Wiki_data/search_by_code",
        query='SELECT ?who ?bornLabel WHERE { ?who wdt:P19 ?born . ?born rdfs:label "Warsaw"@en . } LIMIT 3',
    )
    assert rows == [{"who": "Q7186", "bornLabel": "Warsaw"}]


@each_case("one, other")
def test_spellings_of_one_name_share_a_key(one: str, other: str) -> None:
    assert similarity_key(one) == similarity_key(other)
    assert similarity_key(one) != similarity_key("Boeing")


@each_case("name, number")
def test_entity_ids_are_those_of_wikidata(name: str, number: str) -> None:
    assert number in [row["entity_id"] for row in ask("Entity/Wiki_data/get_entity_id", input=name)]
    assert name.lower() in ask("Entity/Wiki_data/find_entity", input=number)["label"].lower()


def test_other_entity_ids_are_visibly_our_own() -> None:
    own = ask("Entity/Wiki_data/get_entity_id", input="Phitsanulok")[0]
    assert own["entity_id"].startswith("X")
    assert ask("Entity/Wiki_data/find_entity", input=own["entity_id"])["label"] == own["label"]


def test_an_entity_id_stands_for_one_thing() -> None:
    things: dict[str, set[str]] = {}
    for entry in (*core_entries(), *catalogue()):
        things.setdefault(entry["qid"], set()).add(entry["title"])
    shared = {number: names for number, names in things.items() if len(names) > 1}
    assert set(shared) == {"Q160112", "Q460889", "Q208460"}, (
        "the Prado, the Reina Sofía and 1984 have two names each"
    )
