"""Goals and written rows: every value is said, every link has a reason, no text talks like a form."""

import re

import pytest

from toolyard.benchmarks.nestools.synth.record_documents import documented_fields
from toolyard.benchmarks.nestools.synth.written_rows import written_rows
from toolyard.core.errors import DataError
from toolyard.core.types import Failure
from toolyard.synth.chains.chain import Chain, PlannedStep, ResultReference, execute
from toolyard.synth.chains.projection import returned_fields
from toolyard.synth.goals.accepts import accepted_alternatives
from toolyard.synth.goals.goal_book import LEAST_PHRASINGS, goals
from toolyard.synth.goals.goal_plans import plan
from toolyard.synth.goals.sayings import DATE, DECLARED, NUMBER, WORD, find_unsaid, rule

FORMS = re.compile(r"\bset to\b|\bparameter\b|API_call|\b\w+_\w+ (?:is|=|as) ", re.IGNORECASE)


@pytest.mark.parametrize(
    ("text", "value", "by"),
    [
        ("Fly to Oslo", "oslo", WORD),
        ("a table for four", 4, NUMBER),
        ("1,500 dollars", 1500, NUMBER),
        ("half a mile", 0.5, NUMBER),
        ("on June 3, 2024", "2024-06-03", DATE),
        ("on the 3rd of June 2024", "2024-06-03", DATE),
        ("in Norway", "NO", DECLARED),
        ("room 14", 4, None),
        ("Oslofjord", "Oslo", None),
        ("with air quality", True, None),
    ],
)
def test_by_which_rule_a_text_says_a_value(text: str, value: object, by: str | None) -> None:
    assert rule(text, "x", value, {"NO": "Norway"}) == by


def test_a_truth_value_is_said_by_the_words_of_its_parameter() -> None:
    assert rule("with air quality", "aqi", True, {"aqi": "air quality"}) == DECLARED


def test_calls_are_read_by_the_end_of_an_id() -> None:
    steps = plan([["weatherapi/search", {"q": "Oslo"}], ["marine", {"q": "$1.coordinates"}]], "here")
    assert steps == (
        PlannedStep("Weather/weatherapi/search", {"q": "Oslo"}),
        PlannedStep("Weather/weatherapi/marine", {"q": ResultReference(0, "coordinates")}),
    )


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (["nowhere", {}], "nowhere names 0 tools"),
        (["weatherapi/search", {"city": "Oslo"}], "has no parameter city"),
        (["weatherapi/search"], "wanted [tool, {parameter = value}]"),
    ],
)
def test_a_wrong_call_is_one_line(call: list[object], problem: str) -> None:
    with pytest.raises(DataError, match=re.escape(problem)):
        plan([call], "here")


def test_references_in_a_list_are_executed() -> None:
    steps = plan(
        [
            ["get_stock_symbol_search_endpoint", {"keywords": "Nike"}],
            ["get_spark", {"symbols": ["$1.ticker", "IBM"], "interval": "1d", "range": "3mo"}],
        ],
        "here",
    )
    chain = execute(steps, 0, returned_fields)
    assert isinstance(chain, Chain)
    assert chain.resolved(1)["symbols"] == ["NKE", "IBM"]
    assert chain.edges == {(0, 1)}


def test_there_are_enough_goals_each_with_phrasings_and_reasons() -> None:
    known = goals()
    assert len({goal.name for goal in known}) == len(known) >= 150
    for goal in known:
        assert len(set(goal.ask)) >= LEAST_PHRASINGS, goal.name
        linked = any(
            isinstance(given, ResultReference) for step in goal.plan for given in step.arguments.values()
        )
        assert goal.why or not linked, goal.name


def test_every_phrasing_of_a_goal_says_every_value() -> None:
    for goal in goals():
        for number in range(min(goal.fillings, 4)):
            for phrasing in range(len(goal.ask)):
                filling = goal.fill(number, phrasing)
                assert find_unsaid(filling.text, filling.plan, filling.says) == (), (goal.name, phrasing)
                assert not FORMS.search(filling.text), filling.text


def test_slots_are_spelled_as_a_person_would() -> None:
    goal = next(goal for goal in goals() if goal.name == "same app on the other platform")
    texts = {goal.fill(number, 2).text for number in range(goal.fillings)}
    assert any("to an iPad" in text for text in texts)
    assert any("to a Mac" in text for text in texts)


def test_every_written_row_says_every_value_in_words_of_its_own() -> None:
    rows = written_rows()
    assert len(rows) >= 200
    assert len({row.query for row in rows}) == len(rows)
    for row in rows:
        assert find_unsaid(row.query, row.plan, row.says) == (), row.place
        assert len(row.plan) >= 2, row.place


def _sea_of(town: str) -> Chain:
    calls = [["weatherapi/search", {"q": town}], ["weatherapi/marine", {"q": "$1.coordinates", "tide": True}]]
    chain = execute(plan(calls, "here"), 0, returned_fields)
    assert isinstance(chain, Chain)
    return chain


def test_other_arguments_are_right_where_the_tool_returns_the_same_with_them() -> None:
    def whole(place: int, arguments: object) -> object:
        return {"tool": "marine", "parameters": arguments}

    chain = _sea_of("Lisbon")
    found = accepted_alternatives(chain, [(1, {"q": "Lisbon"})], whole, returned_fields)
    assert isinstance(found, list)
    assert found[0] == {"call": 1, "parameter": "q", "values": ["Lisbon"]}
    # Another town's sea is another result, and so is the same sea without its tides.
    for changed in ({"q": "Naples"}, {"tide": ""}):
        found = accepted_alternatives(chain, [(1, changed)], whole, returned_fields)
        assert isinstance(found, Failure) and found.kind == "other_result"


def test_an_argument_that_is_left_out_makes_a_whole_call() -> None:
    calls = [
        ["attraction_search", {"keyword": "Northern Static"}],
        [
            "event_search",
            {"attractionId": "$1.ticket_attraction_id", "countryCode": "KR", "sort_by": "date,asc"},
        ],
    ]
    chain = execute(plan(calls, "here"), 0, returned_fields)
    assert isinstance(chain, Chain)
    changed = {"keyword": "Northern Static", "attractionId": ""}
    found = accepted_alternatives(
        chain, [(1, changed)], lambda _, given: {"tool": "event_search", "parameters": given}, returned_fields
    )
    given = {"sort_by": "date,asc", "countryCode": "KR", "keyword": "Northern Static"}
    assert isinstance(found, list)
    assert found[0] == {"call": 1, "tool": "event_search", "parameters": given}


def test_what_goals_accept_gives_what_their_gold_gives() -> None:
    accepting = [goal for goal in goals() if goal.accepts]
    assert len(accepting) >= 9
    for goal in accepting:
        filling = goal.fill(0, 0)
        chain = execute(filling.plan, 0, documented_fields)
        assert isinstance(chain, Chain), goal.name
        found = accepted_alternatives(
            chain, filling.accepts, lambda _, given: {"parameters": dict(given)}, documented_fields
        )
        assert not isinstance(found, Failure), goal.name
        assert found, goal.name
