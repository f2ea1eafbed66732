"""Goals and requests by grammar: every value is said, every link has a reason, no text talks like a form."""

import dataclasses
import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from cases import cases, each_case
from toolyard.benchmarks.nestools.synth.record_documents import documented_fields
from toolyard.benchmarks.nestools.synth.written_rows import written_rows
from toolyard.core.errors import DataError
from toolyard.core.types import Failure
from toolyard.synth.chains.chain import Chain, ChainStep, PlannedStep, ResultReference, execute
from toolyard.synth.chains.projection import returned_fields
from toolyard.synth.chains.sampling import SHAPES, draw
from toolyard.synth.command import synthesise
from toolyard.synth.goals.accepts import accepted_alternatives
from toolyard.synth.goals.goal_book import LEAST_PHRASINGS, all_goals
from toolyard.synth.goals.goal_plans import plan
from toolyard.synth.goals.sayings import find_unsaid, saying_rule
from toolyard.synth.settings import SynthSettings
from toolyard.synth.wording.phrasing import literal_text
from toolyard.synth.wording.requests import chain_query
from toolyard.world.kernel.checks.lint import lint_tool
from toolyard.world.kernel.facts import Facts
from toolyard.world.kernel.phrase import phrases, read_phrase, speakable
from toolyard.world.kernel.registry import library

FORMS = re.compile(r"\bset to\b|\bparameter\b|API_call|\b\w+_\w+ (?:is|=|as) ", re.IGNORECASE)


@each_case("text, name, value, words, by")
def test_by_which_rule_a_text_says_a_value(
    text: str, name: str, value: object, words: dict[str, str], by: str | None
) -> None:
    assert saying_rule(text, name, value, words) == by


def test_calls_are_read_by_the_end_of_an_id() -> None:
    steps = plan([["weatherapi/search", {"q": "Oslo"}], ["marine", {"q": "$1.coordinates"}]], "here")
    assert steps == (
        PlannedStep("Weather/weatherapi/search", {"q": "Oslo"}),
        PlannedStep("Weather/weatherapi/marine", {"q": ResultReference(0, "coordinates")}),
    )


@each_case("call, problem")
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
    known = all_goals()
    assert len({goal.name for goal in known}) == len(known) >= 150
    for goal in known:
        assert len(set(goal.ask)) >= LEAST_PHRASINGS, goal.name
        linked = any(
            isinstance(given, ResultReference) for step in goal.plan for given in step.arguments.values()
        )
        assert goal.why or not linked, goal.name


def test_every_phrasing_of_a_goal_says_every_value() -> None:
    for goal in all_goals():
        for number in range(min(goal.fillings, 4)):
            for phrasing in range(len(goal.ask)):
                filling = goal.fill(number, phrasing)
                assert find_unsaid(filling.text, filling.plan, filling.says) == (), (goal.name, phrasing)
                assert not FORMS.search(filling.text), filling.text


def test_slots_are_spelled_as_a_person_would() -> None:
    goal = next(goal for goal in all_goals() if goal.name == "same app on the other platform")
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
    calls = cases(__file__, "an_argument_that_is_left_out_makes_a_whole_call_calls")
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
    accepting = [goal for goal in all_goals() if goal.accepts]
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


ADVICE = "Advice/Advice_slip/advice_by_id"


@pytest.fixture(scope="module")
def chains() -> list[Chain]:
    """Chains of all shapes."""
    drawn = (draw(17, n, structure) for structure in SHAPES for n in range(6))
    return [each for each in drawn if isinstance(each, Chain)]


def test_every_official_tool_can_be_asked_for() -> None:
    assert len(phrases()) >= 568
    assert phrases().keys() == speakable().keys()


def test_queries_say_every_literal_value(chains: list[Chain]) -> None:
    for number, chain in enumerate(chains):
        for style in range(4):
            text = chain_query(chain, Random(100 * number + style))
            unsaid = find_unsaid(text, chain.plan, {})
            assert not [each for each in unsaid if not each.endswith((": True", ": False"))], text


def test_queries_are_clean_sentences(chains: list[Chain]) -> None:
    for number, chain in enumerate(chains):
        text = chain_query(chain, Random(number))
        assert text[0].isupper() and text.rstrip('"')[-1] in ".?!"
        assert not {"{", "}"} & set(text) or any("{" in str(step.arguments) for step in chain.steps)
        literals = [str(value) for step in chain.steps for value in step.literals.values()]
        assert "  " not in text or any("  " in value for value in literals)


def test_queries_say_no_value_of_a_reference_and_are_the_same_for_one_generator(chains: list[Chain]) -> None:
    for number, chain in enumerate(chains):
        text = chain_query(chain, Random(number))
        for index, step in enumerate(chain.steps):
            for name in step.references:
                value = str(chain.resolved(index)[name])
                assert len(value) < 6 or value not in text
    assert chain_query(chains[0], Random(1)) == chain_query(chains[0], Random(1))
    assert len({chain_query(chains[0], Random(n)) for n in range(20)}) > 3


@each_case("value, text")
def test_literals_are_written_as_they_are(value: object, text: str) -> None:
    assert literal_text(value) == text


def test_references_name_the_field_and_its_source() -> None:
    chain = execute(
        [
            PlannedStep(ADVICE, {"slip_id": 234}),
            PlannedStep("Advice/Advice_slip/search_advice", {"query": ResultReference(0, "topic")}),
        ]
    )
    assert isinstance(chain, Chain)
    texts = {chain_query(chain, Random(n)) for n in range(40)}
    assert any(f"the topic from {phrases()[ADVICE].noun}" in text for text in texts)
    assert any("that topic" in text for text in texts)
    assert not any("love" in text for text in texts)


EARNINGS = "Finance/Yahoo_Finance_market/get_earnings"
PRICES = "Finance/Commodities/get_commodity_price"


@pytest.mark.parametrize(
    ("first", "second", "short", "long"),
    [
        (
            PlannedStep(PRICES, {"commodity": "Crude Oil WTI"}),
            PlannedStep(EARNINGS, {"start_date": "2024-04-20", "end_date": ResultReference(0, "date")}),
            "that date",
            "the first date from ",
        )
    ],
)
def test_a_value_of_the_same_kind_that_was_said_keeps_references_long(
    first: PlannedStep, second: PlannedStep, short: str, long: str
) -> None:
    chain = with_results(first, second)
    texts = {chain_query(chain, Random(n)) for n in range(60)}
    assert len(texts) > 3
    assert all(long in text.split(short)[0] for text in texts), texts


def test_references_are_short_only_beside_values_of_another_kind() -> None:
    earnings = PlannedStep(EARNINGS, {"start_date": "2024-04-20", "end_date": ResultReference(0, "date")})
    chain = with_results(PlannedStep(PRICES, {"commodity": "Crude Oil WTI"}), earnings)
    assert not any("that date" in chain_query(chain, Random(n)) for n in range(60))
    prices = PlannedStep(
        "Stock/Stock/get_daily_prices", {"symbol": "AMZN", "date": ResultReference(0, "date")}
    )
    chain = with_results(PlannedStep(PRICES, {"commodity": "Crude Oil WTI"}), prices)
    assert any("that date" in chain_query(chain, Random(n)) for n in range(60))


def with_results(first: PlannedStep, second: PlannedStep) -> Chain:
    """The plan as a chain, whether or not the world has an answer to its second step."""
    executed = execute([first])
    assert isinstance(executed, Chain)
    return Chain((*executed.steps, ChainStep(second.tool, second.arguments, {}, None)), executed.seed)


def test_no_request_speaks_of_a_thing_that_it_does_not_give() -> None:
    fixed = {
        tool: " ".join(piece.before for piece in phrase.pieces if not piece.optional)
        for tool, phrase in phrases().items()
    }
    assert not [
        tool for tool, text in fixed.items() if re.search(r"\b(my|our|your) (dates?|trip|stay)\b", text)
    ]
    # What is left out must leave nothing behind: a radius says no centre, a flexibility no date.
    bare = execute([PlannedStep("Location/Geodatabase/find_places", {"radius": 120})])
    assert isinstance(bare, Chain)
    assert "within" not in chain_query(bare, Random(0))


@each_case("phrase, noun, kind, complaint")
def test_a_bad_phrase_is_refused_with_the_reason(phrase: str, noun: str, kind: str, complaint: str) -> None:
    slip = dataclasses.replace(library()[ADVICE], facts=Facts(phrase=phrase, noun=noun))
    assert read_phrase(slip) == Failure(kind, complaint)


def test_a_tool_may_lack_a_phrase_but_not_have_a_wrong_one() -> None:
    slip = library()[ADVICE]
    assert lint_tool(dataclasses.replace(slip, facts=Facts())) == ()
    wrong = dataclasses.replace(slip, facts=Facts(phrase="show a slip", noun="the slip"))
    assert lint_tool(wrong) == ("phrase 'show a slip': required slip_id has no slot outside brackets",)


# A process of its own: the library of this one is complete and stays so.
WITH_A_SILENT_TOOL = """
import json, sys, warnings
from pathlib import Path
from toolyard.synth.command import synthesise
from toolyard.synth.settings import SynthSettings
from toolyard.world import World, call, library
from toolyard.world.kernel.registry import tool
from toolyard.world.kernel.types import CityName

@tool("Weather/window", examples=[{"city": "Oslo"}])
def look_out(*, city: CityName) -> list[CityName]:
    '''Cities that can be seen from a window.

    city: City in which the window is.
    '''
    return [city, "Lima"]

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for name in sys.argv[2:]:
        synthesise(SynthSettings(name, "world", rows=2, seed=7, out=Path(sys.argv[1]) / name, workers=1))
answer = call(World.fresh(), "look_out", {"city": "Oslo"})
print(json.dumps({
    "listed": "Weather/window/look_out" in library(),
    "answer": answer.value,
    "warnings": [str(each.message) for each in caught if issubclass(each.category, UserWarning)],
}))
"""
BENCHMARKS = ("nestools", "mtu", "toolbehonest")


@pytest.fixture(scope="module")
def silent(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, object], Path]:
    """What the process says, and the folder with the data that it made."""
    folder = tmp_path_factory.mktemp("silent")
    done = subprocess.run(
        [sys.executable, "-c", WITH_A_SILENT_TOOL, str(folder), *BENCHMARKS], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    said: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return said, folder


def test_it_can_be_called_and_one_warning_names_it(silent: tuple[dict[str, object], Path]) -> None:
    said, _ = silent
    assert said["listed"] is True
    assert said["answer"] == ["Oslo", "Lima"]
    assert said["warnings"] == [
        "no data are made with Weather/window/look_out (no phrase); give each a phrase and a noun in its @tool(...)"
    ]


@pytest.mark.parametrize("name", ["nestools", "mtu"])
def test_the_data_do_without_it(name: str, silent: tuple[dict[str, object], Path], tmp_path: Path) -> None:
    made = synthesise(SynthSettings(name, "world", rows=2, seed=7, out=tmp_path / name, workers=1))
    written = {path.name: path.read_bytes() for path in made.folder.iterdir()}
    assert written
    assert {path.name: path.read_bytes() for path in (silent[1] / name).iterdir()} == written
