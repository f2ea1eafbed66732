"""Edge cases of the released scorer, equations 1 to 6 as printed, and the error classes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import cases, each_case
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


# What is played, how many turns are judged, what the judge says where it does not say 8, and what that is worth.
PLAYED = cases(__file__, "played")


@pytest.mark.parametrize("name", PLAYED)
def test_what_a_trajectory_is_worth(name: str) -> None:
    played, turns, said, worth = PLAYED[name]
    told = (tuple(turn) if isinstance(turn, list) else turn for turn in played)
    found = official(saved(*told), turns=turns, **said).values
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


@each_case("reply, quality")
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


@each_case("text, counts")
def test_what_python_would_evaluate_counts_and_what_it_would_refuse_does_not(text: str, counts: bool) -> None:
    assert isinstance(evaluate_text(text), Failure) is not counts


def test_keys_of_an_expression_are_known_though_its_values_are_not() -> None:
    assert evaluate_text("{'ship': len('x')}") == {"ship": UNKNOWN}


@given(st.text())
def test_no_text_upsets_the_predicates(text: str) -> None:
    assert is_json_form(text) in (True, False)
    assert is_react_form(text) in (True, False)
    assert is_react_form(stored_text(text)) in (True, False)


def paper(transcript: Transcript, evidence: dict[str, Evidence] | None = None) -> Score:
    return score(HARBOUR, parse(HARBOUR, transcript, "paper"), evidence or {}, "paper")


@each_case("text, problem")
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
    names = tuple(cases(__file__, "overall_is_the_mean_of_the_five_dimensions_names"))
    assert [result.values[name] for name in names] == [1.0, 0.5, 0.25, 0.5, 0.5]
    assert result.values["overall"] == pytest.approx(0.55)


def test_without_a_valid_round_tool_selection_is_zero() -> None:
    result = paper(saved("chatter", "more"), replies(2))
    assert result.values["tool_selection"] == 0.0
    assert result.errors["episode"] == {"no_valid_round": 1, "forced_stop": 1}


def test_without_a_judge_judged_figures_are_unknown_not_zero() -> None:
    result = paper(saved("chatter", "more"))
    for name in cases(__file__, "without_a_judge_judged_figures_are_unknown_not_zero"):
        assert result.values[name] is None
        assert name in result.missing
    assert result.unscored is None


@each_case("turn, label")
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
