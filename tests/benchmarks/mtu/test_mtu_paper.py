"""Answers read, matched and graded under `paper` and `official`, with the paper's cases and the scorer's defects."""

import math
import random
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cases import cases, each_case
from graded_answers import grade
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.data.rows import RawRow, build_samples
from toolyard.benchmarks.mtu.scoring.calls import Call, TurnPrediction, gold_calls
from toolyard.benchmarks.mtu.scoring.official import (
    are_same_arguments,
    begins_call,
    block_order,
    is_call_right,
    parse_multi,
    parse_single,
    tool_figures,
)
from toolyard.benchmarks.mtu.scoring.paper import (
    average_turn_success,
    common_subsequence,
    dialogue_success,
    soft_average_turn_success,
    task_process,
    tool_number,
    tool_order,
)
from toolyard.benchmarks.mtu.scoring.parse import read_answer
from toolyard.benchmarks.mtu.scoring.score import grade_paper, score
from toolyard.benchmarks.mtu.scoring.value_equality import arguments_equal, exactly_equal, reference_day
from toolyard.core.types import PROFILES, Completion, Failure, Options, Sample, Transcript
from toolyard.text.canonical_values import to_canonical, values_equal

NAMES = st.lists(st.sampled_from("abcdefgh"), max_size=8, unique=True)
FLAGS = st.lists(st.booleans(), min_size=1, max_size=12)


def turn(answer: Any, setting: str = "S-S") -> Sample:
    question = 'Rules.\nTools: [{"name": "t", "description": "d"}]\nUser: Do it.'
    return build_samples([RawRow(f"{setting}_0", question, answer, "", "here")], setting)[0]


def graded(gold: Any, calls: list[tuple[str, Any]], setting: str = "S-S") -> dict[str, float | None]:
    prediction = TurnPrediction(tuple(Call(name, arguments) for name, arguments in calls))
    return dict(score(turn(gold, setting), prediction, {}, "paper").values)


def test_selection_examples() -> None:
    call = {"query": "latest news on AI"}
    assert graded({"search_web": call}, [("search_web", call)])["tool_selection"] == 1
    assert graded({"calculate": {"formula": "16"}}, [("search_web", {"query": "16"})])["tool_selection"] == 0
    right = {"text": "good evening", "target_language": "German"}
    assert graded({"translate": right}, [("translate", right)])["parameter_selection"] == 1
    gold = {"set_alarm": {"time": "6 AM", "date": "tomorrow"}}
    values = graded(gold, [("set_alarm", {"time": "6 PM", "name": "tomorrow"})])
    assert (values["tool_selection"], values["parameter_selection"]) == (1, 0)


@pytest.mark.parametrize(
    ("rate", "flags", "value"),
    [
        (dialogue_success, [True, True], 1),
        (dialogue_success, [True, False], 0),
        (average_turn_success, [True, True, True], 1.0),
        (average_turn_success, [True, False, True], 2 / 3),
        (soft_average_turn_success, [True, True], 1.0),
        (soft_average_turn_success, [True, True, False, True, True], 0.6994),
        # the most recent error counts when there are several
        (soft_average_turn_success, [False, True, False, True], 2 * (1 - math.exp(-1)) / 4),
        (task_process, [True] * 4, 1.0),
        (task_process, [True, True, False, True, True], 0.4),
    ],
)
def test_rates_of_dialogues(rate: Callable[[list[bool]], float], flags: list[bool], value: float) -> None:
    assert rate(flags) == pytest.approx(value, abs=5e-5)


def test_number_and_order_examples_in_the_printed_form_and_counted_from_zero() -> None:
    assert (
        tool_number(
            ["search_web", "summarize_text", "translate_text"],
            ["translate_text", "search_web", "summarize_text"],
        )
        == 1
    )
    assert tool_number(["search_web", "play_music", "set_alarm"], ["search_web", "translate_text"]) == 0.25
    calls = ["search_web", "extract_data", "generate_report"]
    assert tool_order(calls, calls, first=1) == pytest.approx(0.8660, abs=5e-5)
    assert tool_order(calls, calls) == 1.0
    assert tool_order(["set_alarm"], ["set_alarm"], first=1) == 0.0
    predicted, gold = ["book_hotel", "plan_route", "get_weather"], ["get_weather", "plan_route", "book_hotel"]
    assert tool_order(predicted, gold, first=1) == pytest.approx(math.cos(math.pi / 6) / 3)
    assert tool_order(predicted, gold) == pytest.approx(1 / 3)
    assert math.cos(math.pi / 2 * 2 / 3) / 3 == pytest.approx(0.1667, abs=5e-5)


@each_case(
    "predicted, gold, order",
    besides=[(["a", "c"], ["a", "b", "c"], 2 / 3), (["x", "a", "b"], ["a", "b"], math.cos(math.pi / 6))],
)
def test_order_is_the_longest_common_sequence(predicted: list[str], gold: list[str], order: float) -> None:
    assert tool_order(predicted, gold) == pytest.approx(order)


def test_of_equally_long_subsequences_the_earliest_counts() -> None:
    assert common_subsequence(["c", "a", "b"], ["a", "b", "c"]) == (1, 2)
    assert common_subsequence(["b", "a"], ["a", "b"]) == (0, 1)
    assert common_subsequence(["x"], ["a"]) == (0, 0)


@given(NAMES, NAMES)
def test_number_and_order_are_shares_and_one_only_when_perfect(predicted: list[str], gold: list[str]) -> None:
    assert 0 <= tool_number(predicted, gold) <= 1
    assert 0 <= tool_order(predicted, gold) <= 1 + 1e-12
    assert (tool_number(predicted, gold) == 1) == (set(predicted) == set(gold))
    assert tool_order(gold, gold) == 1


@given(FLAGS)
def test_rates_are_ordered(flags: list[bool]) -> None:
    soft, hard = soft_average_turn_success(flags), average_turn_success(flags)
    assert dialogue_success(flags) <= task_process(flags) <= soft + 1e-12
    assert soft <= hard + 1e-12


def test_a_right_turn_needs_names_parameters_and_order_or_nothing_at_all() -> None:
    for empty in ({}, {"": {}}):
        values = graded(empty, [], "S-M")
        assert (values["tool_number"], values["tool_order"], values["right"]) == (1, 1, 1)
    gold = {"a": {"x": 1}, "b": {"y": 2}}
    assert graded(gold, [("a", {"x": 1}), ("b", {"y": 2})], "S-M")["right"] == 1
    assert graded(gold, [("b", {"y": 2}), ("a", {"x": 1})], "S-M")["right"] == 0
    assert graded(gold, [("a", {"x": 1}), ("b", {"y": 3})], "S-M")["right"] == 0
    assert graded(gold, [("a", {"x": 1}), ("b", {"y": 2}), ("b", {"y": 2})], "S-M")["right"] == 0
    values = graded({"book": {"guests": 7}}, [("book", {"guests": "seven"})])
    assert (values["parameter_selection"], values["exact"]) == (1, 0)


def test_an_unreadable_answer_is_wrong_even_where_no_call_is_wanted() -> None:
    grade = grade_paper(turn({}, "S-M"), TurnPrediction((), Failure("no_action_input")))
    assert (grade.right, grade.number, grade.order) == (False, 0.0, 0.0)


def calls(**named: dict[str, object]) -> tuple[Call, ...]:
    return tuple(Call(name, arguments) for name, arguments in named.items())


READERS = {"single": parse_single, "multi": parse_multi}


@pytest.mark.parametrize(
    ("reader", "text", "found"),
    [
        pytest.param(reader, *row, id=name)
        for reader, rows in cases(__file__, "released_readers").items()
        for name, row in rows.items()
    ],
)
def test_calls_are_read_with_the_defects_of_the_release(reader: str, text: str, found: list[Any]) -> None:
    assert READERS[reader](text) == tuple(Call(*each) for each in found)


def test_only_an_action_other_than_none_begins_a_call() -> None:
    assert begins_call("Action: A")
    assert not begins_call("Action: None\nAction Input: None")
    assert not begins_call("Thought: no")


@each_case("predicted, gold, equal")
def test_values_match_as_parts_of_text_under_the_same_keys(
    predicted: dict[str, object], gold: dict[str, object], equal: bool
) -> None:
    assert are_same_arguments(predicted, gold) == equal


def test_a_single_prediction_may_say_more_and_a_multiple_one_less() -> None:
    short, long = calls(A={"city": "York"}), calls(A={"city": "New York"})
    assert is_call_right(long, short)
    assert not is_call_right(short, long)
    assert tool_figures(short, long).number == 1
    assert tool_figures(long, short).number == 0


def test_number_is_blind_to_foreign_calls_and_order_to_the_predicted_one() -> None:
    gold = calls(A={"x": 1}, B={"y": 2})
    assert tool_figures(calls(A={"x": 1}, B={"y": 2}, C={}), gold).number == 1
    assert tool_figures(calls(A={"x": 1}), gold).number == 1 / 2
    assert tool_figures(calls(A={"x": 9}, B={"y": 2}), gold).number == 1 / 3
    assert (
        tool_figures(
            calls(search_web={}, play_music={}, set_alarm={}), calls(search_web={}, translate_text={})
        ).number
        == 0.5
    )
    assert tool_figures(calls(B={"y": 2}, A={"x": 1}), gold).order == 1.0


def test_order_is_the_longest_block_counted_from_zero() -> None:
    assert block_order(["a", "c"], ["a", "b", "c"]) == pytest.approx(1 / 3)
    assert block_order(["awrong", "b", "c"], ["a", "b", "c"]) == pytest.approx(math.cos(math.pi / 6) * 2 / 3)
    assert block_order(["c", "b", "a"], ["a", "b", "c"]) == pytest.approx(0.1667, abs=5e-5)
    assert block_order([], ["a"]) == 0


def test_both_empty_is_right_and_one_empty_is_wrong() -> None:
    assert (tool_figures((), ()).number, tool_figures((), ()).order) == (1, 1)
    assert (tool_figures((), calls(A={})).number, tool_figures(calls(A={}), ()).order) == (0, 0)


FRAGMENTS = (
    "Thought: ", "\nAction: ", "\nAction Input: ", "Action", "Action:", "None", "{", "}", '{"a": 1}', "{'a': \"b\"}",
    "[", "]", '"', "'", "\\", "\\'", "\n", "\n\n", "\n  ", "True", "null", ", ", ":", "```json\n", "```", "<think>",
    "</think>", "Observation: ", "\ud800", "\u2028", "1e999", "9" * 4400, "{" * 300, "[" * 300, "find_trains", "é",
    "Please provide your", "The name of the API to be called.", "Tool.field", "2024-01-08", "NaN", "\x00", "**", "#",
)  # fmt: skip


def test_calls_are_read_in_order_and_repeated_ones_kept() -> None:
    text = 'Thought: x\nAction: b\nAction Input: {"x": 1}\nAction: a\nAction Input: {}\nAction: b\nAction Input: {"x": 2}'
    assert read_answer(text).calls == (Call("b", {"x": 1}), Call("a", {}), Call("b", {"x": 2}))


@each_case("text")
def test_these_call_nothing(text: str) -> None:
    prediction = read_answer(text)
    assert (prediction.calls, prediction.failure) == ((), None)


@each_case("text, kind")
def test_a_call_that_is_begun_and_cannot_be_read_is_a_failure(text: str, kind: str) -> None:
    failure = read_answer(text).failure
    assert failure is not None
    assert failure.kind == kind


@each_case("text")
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


@each_case("answer, calls")
def test_gold_is_read_in_all_its_spellings(answer: object, calls: list[Any]) -> None:
    assert gold_calls(answer) == tuple(Call(*each) for each in calls)


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


@each_case("text, failure, calls")
def test_an_answer_without_the_word_calls_nothing(text: str, failure: str | None, calls: int) -> None:
    found = read_answer(text)
    assert (found.failure.kind if found.failure else None, len(found.calls)) == (failure, calls)
    assert found.said == text


TODAY = date(2024, 1, 4)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@each_case("first, second")
def test_these_mean_the_same(first: Any, second: Any) -> None:
    assert values_equal(first, second, TODAY)
    assert values_equal(second, first, TODAY)


@each_case("first, second")
def test_these_differ(first: Any, second: Any) -> None:
    assert not values_equal(first, second, TODAY)


def test_relative_days_need_a_day_to_start_from() -> None:
    assert not values_equal("tomorrow", "2024-01-05")


def test_names_of_parameters_are_exact() -> None:
    assert arguments_equal({"city": "OSLO"}, {"city": "Oslo"})
    assert not arguments_equal({"City": "Oslo"}, {"city": "Oslo"})
    assert not arguments_equal({"city": "Oslo", "more": 1}, {"city": "Oslo"})


def test_exact_equality_knows_types() -> None:
    assert exactly_equal({"a": [1, "x"]}, {"a": [1, "x"]})
    assert not exactly_equal(7, "7")
    assert not exactly_equal(1, True)
    assert not exactly_equal("a", "A")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("7. Today is Monday, January 4, 2024.", TODAY),
        ("8. Today is January 4th, 2024. ", TODAY),
        ("Today is Thursday, 2024-05-16.", date(2024, 5, 16)),
        ("Today is a nice day.", None),
        ("Today is February 31, 2024.", None),
    ],
)
def test_the_prompt_names_its_day(text: str, day: date | None) -> None:
    assert reference_day(text) == day


@given(JSON)
def test_every_value_equals_itself_and_has_a_canonical_form(value: Any) -> None:
    assert to_canonical(value, TODAY) == to_canonical(value, TODAY)
    assert values_equal(value, value, TODAY)


ODD = {
    "huge integer": 10**5000,
    "many digits": "9" * 5000,
    "long text": "1" * 30_000,
    "infinity": float("inf"),
    "lone surrogate": "\ud800",
    "many number words": "one " * 4000,
}


@pytest.mark.parametrize("name", ODD)
def test_odd_values_are_compared_and_do_not_raise(name: str) -> None:
    assert values_equal(ODD[name], ODD[name])
    assert not values_equal(ODD[name], "another")


@pytest.mark.parametrize(("number", "text"), [(0.2, "0.2"), (1e-7, "0.0000001"), (12.50, "12.5"), (3.0, "3")])
def test_a_float_equals_its_usual_spelling(number: float, text: str) -> None:
    assert values_equal(number, text)
    assert values_equal(text, number)
