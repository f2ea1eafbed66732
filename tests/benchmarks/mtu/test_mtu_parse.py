"""Reading of answers under both profiles: what counts as a call, and that no text raises."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cases import cases
from graded_answers import grade
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.scoring.calls import Call, gold_calls
from toolyard.benchmarks.mtu.scoring.official import parse_multi, parse_single
from toolyard.benchmarks.mtu.scoring.parse import read_answer
from toolyard.core.types import PROFILES, Completion, Failure, Options, Transcript

FRAGMENTS = (
    "Thought: ", "\nAction: ", "\nAction Input: ", "Action", "Action:", "None", "{", "}", '{"a": 1}', "{'a': \"b\"}",
    "[", "]", '"', "'", "\\", "\\'", "\n", "\n\n", "\n  ", "True", "null", ", ", ":", "```json\n", "```", "<think>",
    "</think>", "Observation: ", "\ud800", "\u2028", "1e999", "9" * 4400, "{" * 300, "[" * 300, "find_trains", "é",
    "Please provide your", "The name of the API to be called.", "Tool.field", "2024-01-08", "NaN", "\x00", "**", "#",
)  # fmt: skip


def test_calls_are_read_in_order_and_repeated_ones_kept() -> None:
    text = 'Thought: x\nAction: b\nAction Input: {"x": 1}\nAction: a\nAction Input: {}\nAction: b\nAction Input: {"x": 2}'
    assert read_answer(text).calls == (Call("b", {"x": 1}), Call("a", {}), Call("b", {"x": 2}))


@pytest.mark.parametrize("text", cases(__file__, "these_call_nothing"))
def test_these_call_nothing(text: str) -> None:
    prediction = read_answer(text)
    assert (prediction.calls, prediction.failure) == ((), None)


@pytest.mark.parametrize(
    ("text", "kind"), cases(__file__, "a_call_that_is_begun_and_cannot_be_read_is_a_failure")
)
def test_a_call_that_is_begun_and_cannot_be_read_is_a_failure(text: str, kind: str) -> None:
    failure = read_answer(text).failure
    assert failure is not None
    assert failure.kind == kind


@pytest.mark.parametrize(
    "text",
    [
        'Action: `a`\nAction Input: ```json\n{"x": {"y": true}}\n```',
        "**Action:** a\n**Action Input:** {'x': {'y': True}}",
        '<think>Action: wrong</think>Action: "a"\nActionInput: {"x": {"y": true,}}',
        'Action: a.\nAction Input: {"x": {"y": true}}\nObservation: fine',
    ],
)
def test_the_paper_profile_reads_what_a_careful_reader_would(text: str) -> None:
    assert read_answer(text).calls == (Call("a", {"x": {"y": True}}),)


def test_calls_through_a_tool_interface_are_read_in_both_profiles() -> None:
    sample = next(
        sample for sample in BENCHMARK.data.load(BENCHMARK.data.starter, Options()) if sample.id == "S-S_1"
    )
    function = {"name": "get_weather", "arguments": '{"town": "Turin", "day": "2024-05-20"}'}
    completion = Completion("", tool_calls=({"type": "function", "function": function},))
    transcript = Transcript(sample.id, completions=(completion,))
    for profile in PROFILES:
        assert grade(BENCHMARK, sample, transcript, profile).values["right"] == 1


@pytest.mark.parametrize(
    ("answer", "calls"),
    [
        ({}, ()),
        ({"": {}}, ()),
        ({"": "{}"}, ()),
        ({" a": {"x": 1}}, (Call("a", {"x": 1}),)),
        ({"a": '{"x": "y"}'}, (Call("a", {"x": "y"}),)),
        ('{"a": {}}', (Call("a", {}),)),
    ],
)
def test_gold_is_read_in_all_its_spellings(answer: object, calls: tuple[Call, ...]) -> None:
    assert gold_calls(answer) == calls


@pytest.mark.parametrize("answer", [[], None, 3, "text", {"a": "text"}, {"a": [1]}])
def test_gold_that_cannot_be_read_is_a_failure(answer: object) -> None:
    assert isinstance(gold_calls(answer), Failure)


def test_generated_answers_never_raise() -> None:
    samples = BENCHMARK.data.load(BENCHMARK.data.starter, Options())
    rng = random.Random(11710)
    for number in range(2_000):
        sample = samples[number % len(samples)]
        text = "".join(rng.choices(FRAGMENTS, k=rng.randrange(16)))
        if number % 4 == 0:
            perfect = BENCHMARK.checks.oracle(sample, (), rng)
            cut = rng.randrange(len(perfect) + 1)
            text = perfect[:cut] + text + perfect[cut:]
        for profile in PROFILES:
            assert grade(BENCHMARK, sample, text, profile).values["right"] in (0.0, 1.0)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(st.characters(), max_size=300))
def test_any_text_is_read(text: str) -> None:
    read_answer(text)
    parse_single(text)
    parse_multi(text)


@pytest.mark.parametrize(
    "unit", ["Action: a\nAction Input: {", "{", "'", "\\'", "Action", "Thought: \n", "}{"]
)
def test_long_answers_are_read_to_the_end(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    read_answer(text)
    parse_single(text)
    parse_multi(text)


@pytest.mark.parametrize(
    ("text", "failure", "calls"), cases(__file__, "an_answer_without_the_word_calls_nothing")
)
def test_an_answer_without_the_word_calls_nothing(text: str, failure: str | None, calls: int) -> None:
    found = read_answer(text)
    assert (found.failure.kind if found.failure else None, len(found.calls)) == (failure, calls)
    assert found.said == text
