"""Edge cases of the released scorer, equations 1 to 6 as printed, and the error classes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import cases
from tooleyes_harbour import FORCED, HARBOUR, call, finish, replies, saved
from toolyard.benchmarks.tooleyes.scoring.parse import parse
from toolyard.benchmarks.tooleyes.scoring.released_parser import (
    UNKNOWN,
    evaluate_text,
    is_json_form,
    is_react_form,
    stored_text,
)
from toolyard.benchmarks.tooleyes.scoring.score import score
from toolyard.benchmarks.tooleyes.task.rounds import read_round
from toolyard.core.types import Evidence, Failure, Score, Transcript

GOOD = call("find_berth", {"ship": "Meridian"})


def official(transcript: Transcript, turns: int = 0, **others: str) -> Score:
    trajectory = parse(HARBOUR, transcript, "official")
    evidence = replies(turns, 8, **others) if turns else {}
    return score(HARBOUR, trajectory, evidence, "official")


BROKEN = "Thought: \nAction: \nAction Input: {}"
UNKNOWN_TOOL, WRONG = call("nope", {"x": 1}), call("find_berth", {"zzz": 1})
FIRST, LACKING = call("tide", {"port": "Husum", "day": "1"}), call("tide", {"port": "Husum"})


def judged(**scores: int) -> dict[str, str]:
    return {name: f"Evaluation Score: {score}" for name, score in scores.items()}


FULL = judged(
    intent=10, validity=10, integrity=10, quality=10, **{f"match_{place}": 10 for place in range(10)}
)
# What is played, how many turns are judged, what the judge says where it does not say 8, and what that is worth.
PLAYED: dict[str, tuple[tuple[Any, ...], int, dict[str, str], dict[str, float]]] = {
    "finishing at once earns format but no tool selection": (
        (finish(),), 1, judged(match_0=10),
        {"format_alignment": 1.0, "tool_selection": 0.0, "answer_pass": 1.0, "tool_match": 1.0}),
    "nine invalid rounds and a forced stop leave only the judge's word": (
        (*[BROKEN] * 9, FORCED), 10, judged(match_9=10),
        {"format_alignment": 0.0, "tool_selection": 0.0, "answer_pass": 0.0, "answer_organization": 0.8,
         "tool_match": 1.0}),
    "nine valid rounds and a forced stop keep nearly everything": (
        (*(call("find_berth", {"ship": f"S{n}"}) for n in range(9)), FORCED), 10, FULL,
        {"format_alignment": 0.9, "answer_pass": 0.0, "overall": 0.98}),
    "after an unknown tool wrong parameters go unseen": ((UNKNOWN_TOOL, WRONG, finish()), 0, {}, {"tool_reality": 0.5}),
    "before it they are seen": ((WRONG, UNKNOWN_TOOL, finish()), 0, {}, {"tool_reality": 0.0}),
    "a required parameter once given is never missed again": ((FIRST, LACKING, finish()), 0, {}, {"tool_reality": 1.0}),
    "one never given is missed": ((LACKING, finish()), 0, {}, {"tool_reality": 0.0}),
    "the arguments of finish are not read": (
        (GOOD, call("finish", "{'answer': broken")), 0, {}, {"format_alignment": 1.0}),
    "giving up by one's own finish passes": ((finish("I cannot handle the task."),), 0, {}, {"answer_pass": 1.0}),
    "finish in capitals is fine as the last turn": (
        (GOOD, call("Finish", {"answer": "Berth 7."})), 0, {}, {"format_alignment": 1.0, "tool_reality": 1.0}),
    # The first turn skips the reality check, and the broken second one strikes out the first one's score.
    "a turn equal to the last counts as the last and shifts the match scores": (
        (UNKNOWN_TOOL, BROKEN, UNKNOWN_TOOL), 3, judged(match_0=2),
        {"tool_reality": 0.0, "format_alignment": 2 / 3, "tool_match": 0.8}),
    "the published score tree of a forced stop": (
        (BROKEN, FORCED), 2, judged(intent=1, validity=1, integrity=2, quality=1), {"overall": 0.044}),
    "the published score tree of an answer": (
        (GOOD, finish()), 2, judged(intent=3, validity=2, integrity=3, quality=2, match_0=10, match_1=10),
        {"overall": 0.512}),
}  # fmt: skip


@pytest.mark.parametrize("name", PLAYED)
def test_what_a_trajectory_is_worth(name: str) -> None:
    played, turns, said, worth = PLAYED[name]
    found = official(saved(*played), turns=turns, **said).values
    assert {key: found[key] for key in worth} == pytest.approx(worth)


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


@pytest.mark.parametrize("question", ["intent", "validity", "integrity", "quality", "match_0"])
def test_a_reply_without_the_label_crashes(question: str) -> None:
    result = official(saved(finish()), turns=1, **{question: "Too long context."})
    assert result.unscored == "official_crash_no_verdict"


@pytest.mark.parametrize(("reply", "quality"), cases(__file__, "the_first_digit_after_the_label_counts"))
def test_the_first_digit_after_the_label_counts(reply: str, quality: float) -> None:
    result = official(saved(finish()), turns=1, quality=f"Evaluation Score: {reply}")
    assert result.values["answer_quality"] == quality


def test_only_scores_in_digits_and_turns_with_keywords_are_read() -> None:
    assert official(saved(finish()), turns=1, match_0="Evaluation Score: ten").values["tool_match"] == 0.0
    assert (
        official(saved(finish()), turns=1, intent="Evaluation Score: N/A").values["intent_comprehension"]
        == 0.0
    )
    crashed = official(saved(finish()), turns=1, intent="Evaluation Score: ten")
    assert crashed.unscored == "official_crash_text_verdict"
    assert official(saved("I cannot handle this task.", finish())).unscored == "official_crash_no_keywords"
    assert official(saved(GOOD, ("function", "{}"))).unscored == "official_crash_no_keywords"


def test_a_run_is_read_through_the_released_rewriting() -> None:
    raw = 'Sure!\nAction: find_berth\nAction Input: {"ship":\n "Meridian"}'
    run = Transcript(
        HARBOUR.id, notes={"conversation": [{"from": "assistant", "value": text} for text in (raw, finish())]}
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
    assert not isinstance(evaluate_text(text), Failure)


@pytest.mark.parametrize(
    "text",
    ['{"a": true}', "{{'a': 1}}", "{'a': 1} done", "{'a': ship}", "", "{", "f(", "(yield 1)", "[" * 500],
)
def test_what_python_would_refuse_does_not(text: str) -> None:
    assert isinstance(evaluate_text(text), Failure)


def test_keys_of_an_expression_are_known_though_its_values_are_not() -> None:
    assert evaluate_text("{'ship': len('x')}") == {"ship": UNKNOWN}


@given(st.text())
def test_no_text_upsets_the_predicates(text: str) -> None:
    assert is_json_form(text) in (True, False)
    assert is_react_form(text) in (True, False)
    assert is_react_form(stored_text(text)) in (True, False)


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


def test_format_alignment_counts_rounds_and_finish_but_no_forced_stop() -> None:
    assert paper(saved(GOOD, finish())).values["format_alignment"] == 1.0
    assert paper(saved(GOOD, call("finish", "{'answer': broken"))).values["format_alignment"] == 0.5
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


def test_redundant_text_malformed_json_and_irrelevant_answers_are_told_apart() -> None:
    result = paper(saved(GOOD + " Please wait.", call("find_berth", "{"), "hello", finish()))
    assert result.errors["format"] == {"redundant_text": 1, "malformed_json": 1, "missing_keywords": 1}
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
