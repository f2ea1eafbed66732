"""Requests by grammar: every literal is said, sentences are clean, bad phrases are refused."""

import dataclasses
import re
from random import Random

import pytest

from cases import cases
from toolyard.core.types import Failure
from toolyard.synth.chains.chain import Chain, ChainStep, PlannedStep, ResultReference, execute
from toolyard.synth.chains.sampling import SHAPES, draw
from toolyard.synth.goals.sayings import find_unsaid
from toolyard.synth.wording.phrasing import literal_text
from toolyard.synth.wording.requests import query
from toolyard.world.kernel.checks.lint import problems
from toolyard.world.kernel.facts import Facts
from toolyard.world.kernel.phrase import phrases, read_phrase, speakable
from toolyard.world.kernel.registry import library

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
            text = query(chain, Random(100 * number + style))
            unsaid = find_unsaid(text, chain.plan, {})
            assert not [each for each in unsaid if not each.endswith((": True", ": False"))], text


def test_queries_are_clean_sentences(chains: list[Chain]) -> None:
    for number, chain in enumerate(chains):
        text = query(chain, Random(number))
        assert text[0].isupper() and text.rstrip('"')[-1] in ".?!"
        assert not {"{", "}"} & set(text) or any("{" in str(step.arguments) for step in chain.steps)
        literals = [str(value) for step in chain.steps for value in step.literals.values()]
        assert "  " not in text or any("  " in value for value in literals)


def test_queries_never_say_what_a_reference_stands_for(chains: list[Chain]) -> None:
    for number, chain in enumerate(chains):
        text = query(chain, Random(number))
        for index, step in enumerate(chain.steps):
            for name in step.references:
                value = str(chain.resolved(index)[name])
                assert len(value) < 6 or value not in text


def test_the_same_generator_writes_the_same_query(chains: list[Chain]) -> None:
    assert query(chains[0], Random(1)) == query(chains[0], Random(1))
    assert len({query(chains[0], Random(n)) for n in range(20)}) > 3


@pytest.mark.parametrize(("value", "text"), cases(__file__, "literals_are_written_as_they_are"))
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
    texts = {query(chain, Random(n)) for n in range(40)}
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
    texts = {query(chain, Random(n)) for n in range(60)}
    assert len(texts) > 3
    assert all(long in text.split(short)[0] for text in texts), texts


def test_no_second_date_is_called_that_date_beside_one_that_is_said() -> None:
    earnings = PlannedStep(EARNINGS, {"start_date": "2024-04-20", "end_date": ResultReference(0, "date")})
    chain = with_results(PlannedStep(PRICES, {"commodity": "Crude Oil WTI"}), earnings)
    assert not any("that date" in query(chain, Random(n)) for n in range(60))


def test_a_value_of_another_kind_lets_references_be_short() -> None:
    prices = PlannedStep(
        "Stock/Stock/get_daily_prices", {"symbol": "AMZN", "date": ResultReference(0, "date")}
    )
    chain = with_results(PlannedStep(PRICES, {"commodity": "Crude Oil WTI"}), prices)
    assert any("that date" in query(chain, Random(n)) for n in range(60))


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
    assert "within" not in query(bare, Random(0))


@pytest.mark.parametrize(
    ("phrase", "noun", "kind", "complaint"), cases(__file__, "a_bad_phrase_is_refused_with_the_reason")
)
def test_a_bad_phrase_is_refused_with_the_reason(phrase: str, noun: str, kind: str, complaint: str) -> None:
    slip = dataclasses.replace(library()[ADVICE], facts=Facts(phrase=phrase, noun=noun))
    assert read_phrase(slip) == Failure(kind, complaint)


def test_a_tool_may_lack_a_phrase_but_not_have_a_wrong_one() -> None:
    slip = library()[ADVICE]
    assert problems(dataclasses.replace(slip, facts=Facts())) == ()
    wrong = dataclasses.replace(slip, facts=Facts(phrase="show a slip", noun="the slip"))
    assert problems(wrong) == ("phrase 'show a slip': required slip_id has no slot outside brackets",)
