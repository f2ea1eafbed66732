"""The released scorer's own rules, kept with their defects (specification 2.2-2.5)."""

from __future__ import annotations

import math

import pytest

from toolyard.benchmarks.mtu.calls import Call
from toolyard.benchmarks.mtu.official import (
    begins_call,
    block_order,
    call_right,
    parse_multi,
    parse_single,
    same,
    tool_figures,
)


def calls(**named: dict[str, object]) -> tuple[Call, ...]:
    return tuple(Call(name, arguments) for name, arguments in named.items())


def test_single_reads_one_call() -> None:
    text = 'Thought: x\nAction: FindBus\nAction Input: {"to": "Oslo"}'
    assert parse_single(text) == (Call("FindBus", {"to": "Oslo"}),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Thought: nothing to do",
        "Action: FindBus",
        'Action: FindBus\nActionInput: {"to": "Oslo"}',
        "Action: FindBus\nAction Input: none",
        'Action: FindBus\nAction Input: {"to": {"city": "Oslo"}}',
        'Action: FindBus\nAction Input: {"to": Oslo}',
        'Action: None\nAction Input: {"to": "Oslo"}',
    ],
)
def test_single_takes_what_it_cannot_read_for_no_call(text: str) -> None:
    assert parse_single(text) == ()


def test_single_keeps_quotes_cuts_at_a_comma_and_reads_python_quotes() -> None:
    assert parse_single('Action: "A"\nAction Input: {}') == (Call('"A"', {}),)
    assert parse_single("Action: A, B\nAction Input: {'x': True}") == (Call("A", {"x": True}),)


def test_single_drops_blanks_before_the_comma_too() -> None:
    assert parse_single("Action: A , B\nAction Input: {}") == (Call("A", {}),)


def test_single_closes_an_object_that_was_broken_off() -> None:
    assert parse_single('Action: A\nAction Input: {"x": 1') == (Call("A", {"x": 1}),)
    assert parse_single('Action: A\nAction Input: {"x": "brok') == ()


def test_single_ignores_later_actions() -> None:
    text = 'Action: A\nAction Input: {"x": 1}\nAction: B\nAction Input: {"y": 2}'
    assert parse_single(text) == (Call("A", {"x": 1}),)


def test_only_an_action_other_than_none_begins_a_call() -> None:
    assert begins_call("Action: A")
    assert not begins_call("Action: None\nAction Input: None")
    assert not begins_call("Thought: no")


def test_multi_keeps_the_last_arguments_at_the_first_place_of_a_repeated_tool() -> None:
    text = 'Action: A\nAction Input: {"x": 1}\nAction: B\nAction Input: {"y": 2}\nAction: A\nAction Input: {"x": 3}'
    assert parse_multi(text) == (Call("A", {"x": 3}), Call("B", {"y": 2}))


def test_multi_needs_a_blank_after_the_marker_drops_quotes_and_empties_what_it_cannot_read() -> None:
    assert parse_multi('Action:A\nAction Input: {"x": 1}') == ()
    assert parse_multi("Action: \"A\"\nAction Input: {'x': 1}") == (Call("A", {}),)
    assert parse_multi("Action: A") == (Call("A", {}),)
    assert parse_multi("Action: None\nAction Input: None") == (Call("None", {}),)


def test_multi_with_an_empty_thought_loses_the_word_inside_values() -> None:
    call = 'Action: A\nAction Input: {"x": "Thought: y"}'
    assert parse_multi(call) == (Call("A", {"x": "y"}),)
    assert parse_multi("Thought: go\n" + call) == (Call("A", {"x": "Thought: y"}),)


def test_values_match_as_parts_of_text_with_digits_spelled() -> None:
    assert same({"city": "new york"}, {"city": "New York City"})
    assert not same({"city": "New York City"}, {"city": "new york"})
    assert same({"n": 10}, {"n": "onezero"})
    assert same({"list": "my list"}, {"list": "list"})
    assert same({"day": "today"}, {"day": "Monday"})
    assert same({"x": ""}, {"x": "anything"})


def test_keys_must_be_the_same_but_hotels_do_not_count() -> None:
    assert not same({"a": 1}, {"a": 1, "b": 2})
    assert not same({"A": 1}, {"a": 1})
    assert same({"a": 1, "type": "hotel"}, {"a": 1})


def test_a_single_prediction_may_say_more_and_a_multiple_one_less() -> None:
    short, long = calls(A={"city": "York"}), calls(A={"city": "New York"})
    assert call_right(long, short)
    assert not call_right(short, long)
    assert tool_figures(short, long).number == 1
    assert tool_figures(long, short).number == 0


def test_number_is_blind_to_foreign_calls_and_punishes_a_wrong_parameter_twice() -> None:
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


def test_the_predicted_order_never_matters() -> None:
    gold = calls(A={"x": 1}, B={"y": 2})
    assert tool_figures(calls(B={"y": 2}, A={"x": 1}), gold).order == 1.0


def test_order_is_the_longest_block_counted_from_zero() -> None:
    assert block_order(["a", "c"], ["a", "b", "c"]) == pytest.approx(1 / 3)
    assert block_order(["awrong", "b", "c"], ["a", "b", "c"]) == pytest.approx(math.cos(math.pi / 6) * 2 / 3)
    assert block_order(["c", "b", "a"], ["a", "b", "c"]) == pytest.approx(0.1667, abs=5e-5)
    assert block_order([], ["a"]) == 0


def test_both_empty_is_right_and_one_empty_is_wrong() -> None:
    assert (tool_figures((), ()).number, tool_figures((), ()).order) == (1, 1)
    assert (tool_figures((), calls(A={})).number, tool_figures(calls(A={}), ()).order) == (0, 0)
