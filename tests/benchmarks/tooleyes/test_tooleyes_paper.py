"""Equations 1 to 6 as printed, and the error classes of Section 3.4."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tooleyes_harbour import FORCED, HARBOUR, call, finish, replies, saved
from toolyard.benchmarks.tooleyes.scoring.parse import parse
from toolyard.benchmarks.tooleyes.scoring.score import score
from toolyard.benchmarks.tooleyes.task.rounds import read_round
from toolyard.core.types import Evidence, Failure, Score, Transcript

GOOD = call("find_berth", {"ship": "Meridian"})


def paper(transcript: Transcript, evidence: dict[str, Evidence] | None = None) -> Score:
    return score(HARBOUR, parse(HARBOUR, transcript, "paper"), evidence or {}, "paper")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (GOOD, ""),
        (call("find_berth", "{'ship': 'Meridian'}"), ""),
        (call("find_berth", '{"ship": true}'), ""),
        ("<think>hm</think>\n" + GOOD, ""),
        ("I cannot handle this task.", "missing_keywords"),
        ('Action: find_berth\nAction Input: {"ship": "x"}', "missing_keywords"),
        ("Thought: hm\nAction: find_berth", "missing_keywords"),
        ('Thought: hm\nAction: \nAction Input: {"ship": "x"}', "missing_keywords"),
        ("", "missing_keywords"),
        ("<think>never closed " + GOOD, "missing_keywords"),
        ("Sure! " + GOOD, "redundant_text"),
        (GOOD + "\nPlease provide the result.", "redundant_text"),
        (GOOD + "\n" + GOOD, "redundant_text"),
        (call("find_berth", '{"ship": "Meri'), "malformed_json"),
        (call("find_berth", "Meridian"), "malformed_json"),
        (call("find_berth", '["Meridian"]'), "malformed_json"),
        (call("find_berth", ""), "malformed_json"),
    ],
)
def test_a_round_needs_keywords_one_object_and_nothing_else(text: str, problem: str) -> None:
    assert read_round(text).problem == problem


def test_format_alignment_counts_rounds_and_reads_finish_too() -> None:
    assert paper(saved(GOOD, finish())).values["format_alignment"] == 1.0
    assert paper(saved(GOOD, call("finish", "{'answer': broken"))).values["format_alignment"] == 0.5


def test_the_turn_that_stands_for_a_forced_stop_is_no_round() -> None:
    result = paper(saved(*[GOOD] * 9, FORCED))
    assert result.values["format_alignment"] == 1.0
    assert result.values["answer_pass"] == 0.0


def test_tool_selection_is_the_mean_product_over_valid_rounds() -> None:
    turns = (GOOD, call("nope", {}), "chatter", finish())
    judged = replies(
        4, match_0="Evaluation Score: 6", match_1="Evaluation Score: 10", match_3="Evaluation Score: 9"
    )
    result = paper(saved(*turns), judged)
    assert result.values["tool_selection"] == pytest.approx((0.6 + 0.0 + 0.9) / 3)
    assert result.values["tool_reality"] == pytest.approx(2 / 3)
    assert result.values["tool_match"] == pytest.approx((0.6 + 1.0 + 0.9) / 3)


def test_required_parameters_count_in_every_round() -> None:
    full, short = call("tide", {"port": "Husum", "day": "1"}), call("tide", {"port": "Husum"})
    assert paper(saved(full, short, finish())).values["tool_reality"] == pytest.approx(2 / 3)


def test_no_answer_in_time_is_worth_nothing_and_asks_no_judge() -> None:
    judged = replies(9)
    del judged["quality"]
    result = paper(saved(*[GOOD] * 9, FORCED), judged)
    assert result.unscored is None
    assert (result.values["answer_organization"], result.values["answer_quality"]) == (0.0, None)


def test_overall_is_the_mean_of_the_five_dimensions() -> None:
    result = paper(saved(GOOD, finish()), replies(2, score=5))
    names = (
        "format_alignment",
        "intent_comprehension",
        "behavior_planning",
        "tool_selection",
        "answer_organization",
    )
    assert [result.values[name] for name in names] == [1.0, 0.5, 0.25, 0.5, 0.5]
    assert result.values["overall"] == pytest.approx(0.55)


def test_without_a_valid_round_tool_selection_is_zero() -> None:
    result = paper(saved("chatter", "more"), replies(2))
    assert result.values["tool_selection"] == 0.0
    assert result.errors["episode"] == {"no_valid_round": 1, "forced_stop": 1}


def test_without_a_judge_judged_figures_are_unknown_not_zero() -> None:
    result = paper(saved("chatter", "more"))
    for name in (
        "overall",
        "tool_selection",
        "answer_organization",
        "intent_comprehension",
        "behavior_planning",
    ):
        assert result.values[name] is None
        assert name in result.missing
    assert result.unscored is None


@pytest.mark.parametrize(
    ("turn", "label"),
    [
        (call("get_berths", {"ship": "x"}), "tool_hallucination"),
        (call("find\\_berth", {"ship": "x"}), "escaped_name"),
        (call("find_berth", {"ship": "x", "api_key": "y"}), "parameter_hallucination"),
        (call("find_berth", {}), "parameter_hallucination"),
    ],
)
def test_hallucinations_have_their_class(turn: str, label: str) -> None:
    assert paper(saved(turn, finish())).errors["tool"] == {label: 1}


def test_redundant_text_is_told_from_malformed_json() -> None:
    result = paper(saved(GOOD + " Please wait.", call("find_berth", "{"), "hello", finish()))
    assert result.errors["format"] == {"redundant_text": 1, "malformed_json": 1, "missing_keywords": 1}


def test_an_answer_that_the_judge_finds_beside_the_point_is_irrelevant() -> None:
    low = paper(saved(GOOD, finish()), replies(2, quality="Evaluation Score: 3"))
    assert low.errors["answer"] == {"irrelevant_answer": 1}
    fair = paper(saved(GOOD, finish()), replies(2, quality="Evaluation Score: 4"))
    assert "answer" not in fair.errors


@given(
    st.text()
    | st.builds(
        "".join,
        st.lists(
            st.sampled_from(["Thought:", "Action:", "Action Input:", "{", "}", '"', "\n", "x", "\ud800"])
        ),
    )
)
def test_any_text_is_one_round(text: str) -> None:
    turn = read_round(text)
    assert turn.valid == (turn.problem == "")
    assert not (turn.valid and isinstance(turn.arguments, Failure))
