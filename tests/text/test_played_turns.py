"""Where a reply begins to play the tool or the user."""

from __future__ import annotations

import pytest

from toolyard.text.react import before_played_turns

CALL = 'Thought: a\nAction: find\nAction Input: {"x": "one\\nUser: two"}'


@pytest.mark.parametrize(
    ("text", "own"),
    [
        (f"{CALL}\nObservation: 3\nThought: b", CALL),
        (f"{CALL}\n\n**User:** thanks", CALL),
        (
            f"{CALL}\nAction: next\nAction Input: {{}}\nobservation: : 3",
            f"{CALL}\nAction: next\nAction Input: {{}}",
        ),
        ("Thought: which city?\nUser: Oslo", "Thought: which city?"),
        ("User: Oslo", "User: Oslo"),
        (CALL, CALL),
        (f"{CALL}\nThought: b", f"{CALL}\nThought: b"),
        ("", ""),
    ],
    ids=["observation", "decorated", "several", "no-call", "first-line", "clean", "thought", "empty"],
)
def test_a_reply_is_its_own_up_to_the_first_played_turn(text: str, own: str) -> None:
    assert before_played_turns(text) == own


def test_where_one_call_is_allowed_a_second_thought_is_played_too() -> None:
    assert before_played_turns(f"{CALL}\nThought: b", one_call=True) == CALL


def test_a_label_inside_the_arguments_is_content() -> None:
    multi = 'Action: write\nAction Input: {"text": "a\nObservation: b"}'
    assert before_played_turns(multi) == multi
