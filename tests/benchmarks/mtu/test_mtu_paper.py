"""The paper's worked examples (appendix D) and the rules of the `paper` profile."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolyard.benchmarks.mtu.data.rows import RawRow, build
from toolyard.benchmarks.mtu.scoring.calls import Call, TurnPrediction
from toolyard.benchmarks.mtu.scoring.paper import (
    average_turn_success,
    common_subsequence,
    dialogue_success,
    soft_average_turn_success,
    task_process,
    tool_number,
    tool_order,
)
from toolyard.benchmarks.mtu.scoring.score import grade_paper, score
from toolyard.core.types import Failure, Sample

NAMES = st.lists(st.sampled_from("abcdefgh"), max_size=8, unique=True)
FLAGS = st.lists(st.booleans(), min_size=1, max_size=12)


def turn(answer: Any, setting: str = "S-S") -> Sample:
    question = 'Rules.\nTools: [{"name": "t", "description": "d"}]\nUser: Do it.'
    return build([RawRow(f"{setting}_0", question, answer, "", "here")], setting)[0]


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


@pytest.mark.parametrize(
    ("predicted", "gold", "order"),
    [
        ([], [], 1.0),
        (["a"], [], 0.0),
        ([], ["a"], 0.0),
        (["a", "c"], ["a", "b", "c"], 2 / 3),
        (["x", "a", "b"], ["a", "b"], math.cos(math.pi / 6)),
        (["a", "x", "b"], ["a", "b"], 1.0),
    ],
)
def test_order_uses_the_longest_common_subsequence(
    predicted: list[str], gold: list[str], order: float
) -> None:
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


def test_nothing_wanted_and_nothing_called_is_right() -> None:
    for empty in ({}, {"": {}}):
        values = graded(empty, [], "S-M")
        assert (values["tool_number"], values["tool_order"], values["right"]) == (1, 1, 1)


def test_a_right_turn_needs_names_parameters_and_order() -> None:
    gold = {"a": {"x": 1}, "b": {"y": 2}}
    assert graded(gold, [("a", {"x": 1}), ("b", {"y": 2})], "S-M")["right"] == 1
    assert graded(gold, [("b", {"y": 2}), ("a", {"x": 1})], "S-M")["right"] == 0
    assert graded(gold, [("a", {"x": 1}), ("b", {"y": 3})], "S-M")["right"] == 0
    assert graded(gold, [("a", {"x": 1}), ("b", {"y": 2}), ("b", {"y": 2})], "S-M")["right"] == 0


def test_exact_stands_beside_the_normalised_figure() -> None:
    values = graded({"book": {"guests": 7}}, [("book", {"guests": "seven"})])
    assert (values["parameter_selection"], values["exact"]) == (1, 0)


def test_an_unreadable_answer_is_wrong_even_where_no_call_is_wanted() -> None:
    grade = grade_paper(turn({}, "S-M"), TurnPrediction((), Failure("no_action_input")))
    assert (grade.right, grade.number, grade.order) == (False, 0.0, 0.0)
