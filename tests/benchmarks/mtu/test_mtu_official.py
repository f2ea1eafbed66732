"""The released scorer's own rules, kept with their defects (specification 2.2-2.5)."""

import math

import pytest

from cases import cases
from toolyard.benchmarks.mtu.scoring.calls import Call
from toolyard.benchmarks.mtu.scoring.official import (
    are_same_arguments,
    begins_call,
    block_order,
    call_right,
    parse_multi,
    parse_single,
    tool_figures,
)


def calls(**named: dict[str, object]) -> tuple[Call, ...]:
    return tuple(Call(name, arguments) for name, arguments in named.items())


A1, B2 = 'Action: A\nAction Input: {"x": 1}', 'Action: B\nAction Input: {"y": 2}'
IN_VALUE = 'Action: A\nAction Input: {"x": "Thought: y"}'


@pytest.mark.parametrize("text", cases(__file__, "single_takes_what_it_cannot_read_for_no_call"))
def test_single_takes_what_it_cannot_read_for_no_call(text: str) -> None:
    assert parse_single(text) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('Thought: x\nAction: FindBus\nAction Input: {"to": "Oslo"}', Call("FindBus", {"to": "Oslo"})),
        ('Action: "A"\nAction Input: {}', Call('"A"', {})),
        ("Action: A, B\nAction Input: {'x': True}", Call("A", {"x": True})),
        ("Action: A , B\nAction Input: {}", Call("A", {})),
        ('Action: A\nAction Input: {"x": 1', Call("A", {"x": 1})),
        (f"{A1}\n{B2}", Call("A", {"x": 1})),
    ],
    ids=["one call", "quotes stay", "cut at a comma", "blanks before it", "an object broken off", "the first action"],
)  # fmt: skip
def test_single_reads_the_first_call(text: str, found: Call) -> None:
    assert parse_single(text) == (found,)


def test_only_an_action_other_than_none_begins_a_call() -> None:
    assert begins_call("Action: A")
    assert not begins_call("Action: None\nAction Input: None")
    assert not begins_call("Thought: no")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f'{A1}\n{B2}\nAction: A\nAction Input: {{"x": 3}}', (Call("A", {"x": 3}), Call("B", {"y": 2}))),
        ('Action:A\nAction Input: {"x": 1}', ()),
        ("Action: \"A\"\nAction Input: {'x': 1}", (Call("A", {}),)),
        ("Action: A", (Call("A", {}),)),
        ("Action: None\nAction Input: None", (Call("None", {}),)),
        (IN_VALUE, (Call("A", {"x": "y"}),)),
        (f"Thought: go\n{IN_VALUE}", (Call("A", {"x": "Thought: y"}),)),
    ],
    ids=["last arguments, first place", "a blank is needed", "quotes go, what cannot be read is empty", "no input",
         "none is a name", "an empty thought takes the word out of values", "a thought leaves them"],
)  # fmt: skip
def test_multi_reads_calls_with_the_defects_of_the_release(text: str, found: tuple[Call, ...]) -> None:
    assert parse_multi(text) == found


@pytest.mark.parametrize(
    ("predicted", "gold", "equal"), cases(__file__, "values_match_as_parts_of_text_under_the_same_keys")
)
def test_values_match_as_parts_of_text_under_the_same_keys(
    predicted: dict[str, object], gold: dict[str, object], equal: bool
) -> None:
    assert are_same_arguments(predicted, gold) == equal


def test_a_single_prediction_may_say_more_and_a_multiple_one_less() -> None:
    short, long = calls(A={"city": "York"}), calls(A={"city": "New York"})
    assert call_right(long, short)
    assert not call_right(short, long)
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
