"""Reading of Thought / Action / Action Input replies."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import cases, each_case
from toolyard.core.types import Failure
from toolyard.text.react import MAX_STEPS, ReactStep, before_played_turns, read_react

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
PIECES = st.sampled_from(cases(__file__, "PIECES"))
WORDS = st.text("abcdefghij ", min_size=1, max_size=12).map(str.strip).filter(bool)
ARGUMENTS = st.dictionaries(
    st.text(max_size=5),
    st.integers() | st.booleans() | st.none() | st.text(max_size=8) | st.just("Action: x\nThought: y"),
    max_size=3,
)


def only(text: str) -> ReactStep:
    steps = read_react(text)
    assert isinstance(steps, tuple)
    assert len(steps) == 1
    return steps[0]


@each_case("text")
def test_case_spacing_decoration_and_fences_do_not_matter(text: str) -> None:
    assert only(text) == ReactStep("known", "find", '{"a": {"b": [1]}}', {"a": {"b": [1]}})


def test_steps_may_lack_a_name_an_action_or_json() -> None:
    assert only("Action: f\nAction Input: {'a': True, 'b': null,}").arguments == {"a": True, "b": None}
    step = only('Action: f\nAction Input: {"a": 1} because.\nObservation: 3')
    assert (step.arguments, step.trailing_text) == ({"a": 1}, "because.\nObservation: 3")
    assert only("Action Input: {}") == ReactStep("", "", "{}", {})
    assert only("Thought: nothing fits.") == ReactStep("nothing fits.")


def test_labels_inside_arguments_and_thoughts_are_content() -> None:
    step = only('Action: f\nAction Input: {"text": "\nAction: g\nAction Input: {}"}')
    assert step.arguments == {"text": "\nAction: g\nAction Input: {}"}
    assert (
        only("Thought: the best Action: f or g\nAction: f\nAction Input: {}").thought
        == "the best Action: f or g"
    )
    assert only("Thought: a\nThought: b\nAction: f\nAction Input: {}").thought == "a\nb"


def test_every_action_is_a_step_of_its_own() -> None:
    text = 'Thought: a\nAction: f\nAction Input: {"x": 1}\nThought: b\nAction: g\nAction Input: {}\nAction: h'
    assert read_react(text) == (
        ReactStep("a", "f", '{"x": 1}', {"x": 1}),
        ReactStep("b", "g", "{}", {}),
        ReactStep("", "h"),
    )


@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ("", Failure("empty")),
        ("5", 5),
        ('"x"', "x"),
        ("[1]", [1]),
        ("x=1", "not_json"),
        ('{"a": 1', "not_json"),
        ("[" * 500 + "]" * 500, "too_deep"),
    ],
    ids=["empty", "number", "text", "list", "prose", "open", "deep"],
)
def test_arguments_are_what_they_are_or_why_they_are_not(written: str, arguments: Any) -> None:
    step = only(f"Action: f\nAction Input: {written}\n")
    assert step.arguments_text == written
    assert step.arguments == arguments or (
        isinstance(step.arguments, Failure) and step.arguments.kind == arguments
    )


WITHOUT_STEPS = {
    **cases(__file__, "without_steps"),
    "too_many": ("Action: f\n" * (MAX_STEPS + 1) + "Action: g", "too_long"),
}


@pytest.mark.parametrize(("text", "kind"), WITHOUT_STEPS.values(), ids=WITHOUT_STEPS)
def test_a_reply_without_steps_says_why(text: str, kind: str) -> None:
    result = read_react(text)
    assert isinstance(result, Failure)
    assert result.kind == kind


@given(ANY_TEXT | st.lists(PIECES, max_size=30).map("".join))
def test_no_text_raises(text: str) -> None:
    steps = read_react(text)
    assert isinstance(steps, Failure) or len(steps) >= 1


@given(st.lists(st.tuples(WORDS, WORDS, ARGUMENTS), min_size=1, max_size=4))
def test_written_steps_are_read_back(steps: list[tuple[str, str, dict[str, Any]]]) -> None:
    text = "\n".join(
        f"Thought: {thought}\nAction: {action}\nAction Input: {json.dumps(arguments)}"
        for thought, action, arguments in steps
    )
    read = read_react(text)
    assert isinstance(read, tuple)
    assert [(step.thought, step.action, step.arguments) for step in read] == steps


@each_case("text, steps")
def test_usual_form_and_its_neighbours(text: str, steps: list[list[str]]) -> None:
    found = read_react(text)
    assert isinstance(found, tuple)
    assert [[step.thought, step.action, step.arguments_text, step.trailing_text] for step in found] == steps


CALL = 'Thought: a\nAction: find\nAction Input: {"x": "one\\nUser: two"}'


OWN_PART = cases(__file__, "own_part")


@pytest.mark.parametrize(("text", "own"), OWN_PART.values(), ids=OWN_PART)
def test_a_reply_is_its_own_up_to_the_first_played_turn(text: str, own: str) -> None:
    assert before_played_turns(text) == own


def test_a_label_inside_the_arguments_is_content_and_a_second_thought_played() -> None:
    multi = 'Action: write\nAction Input: {"text": "a\nObservation: b"}'
    assert before_played_turns(multi) == multi
    assert before_played_turns(f"{CALL}\nThought: b", one_call=True) == CALL
