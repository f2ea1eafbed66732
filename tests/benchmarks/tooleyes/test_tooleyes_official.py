"""Every edge case of the released scorer (specification, section 3.4), each on a trajectory."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tooleyes_harbour import FORCED, HARBOUR, call, finish, replies, saved
from toolyard.benchmarks.tooleyes.evaluation import UNKNOWN, evaluated, json_ok, react_ok, stored_text
from toolyard.benchmarks.tooleyes.parse import parse
from toolyard.benchmarks.tooleyes.score import score
from toolyard.core.types import Failure, Score, Transcript

GOOD = call("find_berth", {"ship": "Meridian"})


def official(transcript: Transcript, turns: int = 0, **others: str) -> Score:
    trajectory = parse(HARBOUR, transcript, "official")
    evidence = replies(turns, 8, **others) if turns else {}
    return score(HARBOUR, trajectory, evidence, "official")


def value(result: Score, name: str) -> float:
    found = result.values[name]
    assert found is not None
    return found


def test_finishing_at_once_earns_format_but_no_tool_selection() -> None:
    result = official(saved(finish()), turns=1, **{"match_0": "Evaluation Score: 10"})
    assert (result.values["format_alignment"], result.values["tool_selection"]) == (1.0, 0.0)
    assert result.values["answer_pass"] == 1.0
    assert result.values["tool_match"] == 1.0


def test_nine_invalid_rounds_and_a_forced_stop_leave_only_the_judges_word() -> None:
    broken = "Thought: \nAction: \nAction Input: {}"
    perfect = {"match_9": "Evaluation Score: 10"}
    result = official(saved(*([broken] * 9), FORCED), turns=10, **perfect)
    assert result.values["format_alignment"] == 0.0
    assert result.values["tool_selection"] == 0.0
    assert result.values["answer_pass"] == 0.0
    assert result.values["answer_organization"] == 0.8
    assert result.values["tool_match"] == 1.0


def test_nine_valid_rounds_and_a_forced_stop_keep_nearly_everything() -> None:
    turns = [call("find_berth", {"ship": f"S{n}"}) for n in range(9)]
    full = dict.fromkeys(("intent", "validity", "integrity", "quality"), "Evaluation Score: 10")
    full |= {f"match_{place}": "Evaluation Score: 10" for place in range(10)}
    result = official(saved(*turns, FORCED), turns=10, **full)
    assert result.values["format_alignment"] == 0.9
    assert result.values["answer_pass"] == 0.0
    assert value(result, "overall") == pytest.approx(0.98)


def test_after_an_unknown_tool_wrong_parameters_go_unseen() -> None:
    unknown, wrong = call("nope", {"x": 1}), call("find_berth", {"zzz": 1})
    assert official(saved(unknown, wrong, finish())).values["tool_reality"] == 0.5
    assert official(saved(wrong, unknown, finish())).values["tool_reality"] == 0.0


def test_a_required_parameter_once_given_is_never_missed_again() -> None:
    first, second = call("tide", {"port": "Husum", "day": "1"}), call("tide", {"port": "Husum"})
    assert official(saved(first, second, finish())).values["tool_reality"] == 1.0
    assert official(saved(second, finish())).values["tool_reality"] == 0.0


def test_the_arguments_of_finish_are_not_read() -> None:
    result = official(saved(GOOD, call("finish", "{'answer': broken")))
    assert result.values["format_alignment"] == 1.0


def test_json_words_are_no_python() -> None:
    result = official(saved(call("find_berth", {"ship": True}), finish()))
    assert result.values["format_alignment"] == 0.5
    assert result.errors["format"] == {"malformed_json": 1}


@pytest.mark.parametrize("arguments", ['"Meridian"', "[1, 2]", "5", "{1, 2}", "print(1)"])
def test_arguments_that_are_no_object_crash_on_a_documented_tool(arguments: str) -> None:
    assert (
        official(saved(call("find_berth", arguments), finish())).unscored
        == "official_crash_arguments_no_object"
    )
    assert official(saved(call("nope", arguments), finish())).values["tool_reality"] == 0.0


def test_giving_up_by_ones_own_finish_passes() -> None:
    assert official(saved(finish("I cannot handle the task."))).values["answer_pass"] == 1.0


def test_finish_in_capitals_is_fine_as_the_last_turn() -> None:
    result = official(saved(GOOD, call("Finish", {"answer": "Berth 7."})))
    assert (result.values["format_alignment"], result.values["tool_reality"]) == (1.0, 1.0)


def test_a_turn_equal_to_the_last_counts_as_the_last_and_shifts_the_match_scores() -> None:
    again = call("nope", {"x": 1})
    broken = "Thought: \nAction: \nAction Input: {}"
    low = {"match_0": "Evaluation Score: 2"}
    result = official(saved(again, broken, again), turns=3, **low)
    # The first turn skips the reality check, and the broken second one strikes out the first one's score.
    assert result.values["tool_reality"] == 0.0
    assert result.values["format_alignment"] == pytest.approx(2 / 3)
    assert result.values["tool_match"] == 0.8


@pytest.mark.parametrize("question", ["intent", "validity", "integrity", "quality", "match_0"])
def test_a_reply_without_the_label_crashes(question: str) -> None:
    result = official(saved(finish()), turns=1, **{question: "Too long context."})
    assert result.unscored == "official_crash_no_verdict"


@pytest.mark.parametrize(
    ("reply", "quality"),
    [
        ("8.5", 0.8),
        ("10/10", 1.0),
        ("100", 1.0),
        ("between 6 and 7", 0.6),
        ("**7**", 0.7),
        ("N/A", 0.0),
        ("ten", 0.0),
    ],
)
def test_the_first_digit_after_the_label_counts(reply: str, quality: float) -> None:
    result = official(saved(finish()), turns=1, quality=f"Evaluation Score: {reply}")
    assert result.values["answer_quality"] == quality


def test_a_score_in_words_is_zero_or_a_crash_by_question() -> None:
    assert official(saved(finish()), turns=1, match_0="Evaluation Score: ten").values["tool_match"] == 0.0
    assert (
        official(saved(finish()), turns=1, intent="Evaluation Score: N/A").values["intent_comprehension"]
        == 0.0
    )
    crashed = official(saved(finish()), turns=1, intent="Evaluation Score: ten")
    assert crashed.unscored == "official_crash_text_verdict"


def test_a_turn_without_keywords_crashes_the_prompt_building() -> None:
    assert official(saved("I cannot handle this task.", finish())).unscored == "official_crash_no_keywords"
    assert official(saved(GOOD, ("function", "{}"))).unscored == "official_crash_no_keywords"


def test_the_two_published_score_trees_follow_from_their_parts() -> None:
    parts = {"intent": 1, "validity": 1, "integrity": 2, "quality": 1}
    judged = {name: f"Evaluation Score: {score}" for name, score in parts.items()}
    forced = official(saved("Thought: \nAction: \nAction Input: {}", FORCED), turns=2, **judged)
    assert value(forced, "overall") == pytest.approx(0.044)
    parts = {"intent": 3, "validity": 2, "integrity": 3, "quality": 2, "match_0": 10, "match_1": 10}
    judged = {name: f"Evaluation Score: {score}" for name, score in parts.items()}
    ranked = official(saved(GOOD, finish()), turns=2, **judged)
    assert value(ranked, "overall") == pytest.approx(0.512)


def test_a_run_is_read_through_the_released_rewriting() -> None:
    raw = 'Sure!\nAction: find_berth\nAction Input: {"ship":\n "Meridian"}'
    run = Transcript(
        HARBOUR.id,
        notes={"conversation": [{"from": "assistant", "value": text} for text in (raw, finish())]},
    )
    # The missing thought and the chatter are repaired before they are scored; the paper's reading sees them.
    assert official(run).values["format_alignment"] == 1.0
    assert score(HARBOUR, parse(HARBOUR, run, "paper"), {}, "paper").values["format_alignment"] == 0.5


def test_the_released_rewriting_closes_what_finish_left_open() -> None:
    assert stored_text("no keywords") == "Thought: \nAction: \nAction Input: {}"
    assert stored_text(call("finish", "{'answer': 'ok'}")).endswith("{'answer': 'ok'}\"}")
    assert stored_text(finish()) == finish()


@pytest.mark.parametrize(
    "text", ["{'a': 1}", "5", "1 + 2", "print(1)", "{'a': len('x')}", "None", "{'a': print}"]
)
def test_what_python_would_evaluate_counts(text: str) -> None:
    assert not isinstance(evaluated(text), Failure)


@pytest.mark.parametrize(
    "text",
    ['{"a": true}', "{{'a': 1}}", "{'a': 1} done", "{'a': ship}", "", "{", "f(", "(yield 1)", "[" * 500],
)
def test_what_python_would_refuse_does_not(text: str) -> None:
    assert isinstance(evaluated(text), Failure)


def test_keys_of_an_expression_are_known_though_its_values_are_not() -> None:
    assert evaluated("{'ship': len('x')}") == {"ship": UNKNOWN}


@given(st.text())
def test_no_text_upsets_the_predicates(text: str) -> None:
    assert json_ok(text) in (True, False)
    assert react_ok(text) in (True, False)
    assert react_ok(stored_text(text)) in (True, False)
