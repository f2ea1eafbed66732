"""Progress rates, matching score and labels of single answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import cases
from toolyard.benchmarks.toolbehonest.data.sample import Gold, Needed, ToolDatabase
from toolyard.benchmarks.toolbehonest.scoring.errors import level_2_label, level_3_label, potential_label
from toolyard.benchmarks.toolbehonest.scoring.parse import parse
from toolyard.benchmarks.toolbehonest.scoring.plan_progress import in_order_progress, prefix_progress
from toolyard.benchmarks.toolbehonest.scoring.score import ask, score
from toolyard.core.types import Evidence, Profile, Sample, Score, Transcript

UQ = "UnsolvableQuery"
KNOWN = {"a", "b", "c", UQ}
DATABASE = ToolDatabase(("a", "b", "c", "b"), ("does a", "does b", "does c", "does b elsewhere"))
GOLD = Gold("unsolvable", ("a", UQ), ("a", "b", "c"), 0, (Needed(1, "b", "does b", 1),), DATABASE)


# The figures beside the paper's, which have tests of their own.
OUTCOME = {"outcome": 1.0, "outcome_l3": 1.0, "outcome_unsolvable": 1.0, "format": 1.0}


def graded(answer: str, evidence: Evidence | None, profile: Profile = "paper", level: int = 3) -> Score:
    groups = {"level": f"level_{level}", "scenario": "PT", "subtask": "os", "variant": "unsolvable"}
    shown = {"task": "t", "tools": "1. a: does a\n2. c: does c", "level": level, "language": "en"}
    sample = Sample("s", shown, GOLD, groups=groups)
    prediction = parse(sample, Transcript.answered("s", answer), profile)
    found = (
        {}
        if evidence is None
        else {question.id: evidence for question in ask(sample, prediction, profile, {})}
    )
    return score(sample, prediction, found, profile)


def steps(*pairs: tuple[str, str]) -> str:
    lines = (f"Subgoal {number}: {text} Planned tool: {tool}" for number, (text, tool) in enumerate(pairs, 1))
    return "<answer>" + "\n".join(lines) + "</answer>"


@pytest.mark.parametrize(("predicted", "hard", "soft"), cases(__file__, "progress_counts_leading_gold_steps"))
def test_progress_counts_leading_gold_steps(predicted: str, hard: float, soft: float) -> None:
    assert prefix_progress(predicted, "abcd") == hard
    assert in_order_progress(predicted, "abcd") == soft


def test_a_match_is_1_a_miss_the_cosine_and_what_nobody_computed_left_out() -> None:
    answer = steps(("first", "a"), ("something like b", UQ))
    near = Evidence("s", "q", nearest=1, nearest_similarity=0.9, target_similarity=0.9)
    far = Evidence("s", "q", nearest=2, nearest_similarity=0.5, target_similarity=-0.1)
    assert graded(answer, near).values | OUTCOME == {"l3_pr": 1.0, "l3_pr_soft": 1.0, "l3_ms": 1.0} | OUTCOME
    assert graded(answer, far).values["l3_ms"] == -0.1
    elsewhere = Evidence("s", "q", nearest=3, nearest_similarity=0.9, target_similarity=0.8)
    assert graded(answer, elsewhere, "official").values["l3_ms"] == 1.0
    assert graded(answer, elsewhere, "paper").values["l3_ms"] == 0.8
    missing = graded(steps(("first", "a"), ("something like b", UQ)), None)
    assert missing.values["l3_ms"] is None
    assert "l3_ms" in missing.missing
    assert graded(steps(("first", "a"), ("next", "c")), None).values["l3_ms"] == 0.0
    assert graded(steps(("b is missing", UQ), ("then", "a")), None).values["l3_ms"] == 0.0
    values = graded(steps(("first", "sudo"), ("like b", UQ)), near).values
    assert values | OUTCOME == {"l3_pr": 0.0, "l3_pr_soft": 0.0, "l3_ms": 1.0} | OUTCOME


def test_the_removed_tool_exists_only_for_the_released_scorer() -> None:
    answer = f"<answer>a\n{UQ}\nb</answer>"
    assert graded(answer, None, "official", 2).values["l2_pr"] == 1.0
    assert graded(answer, None, "official", 2).errors["level_2"] == {"wrong_tools": 1}
    assert graded(answer, None, "paper", 2).values["l2_pr"] == 0.0
    assert graded(answer, None, "paper", 2).errors["level_2"] == {"non_existent_tools": 1}


@pytest.mark.parametrize(
    ("predicted", "second", "third"),
    [
        (("a", UQ), "correct", "correct"),
        (("a", UQ, "a"), "correct", "correct"),
        (("x", "b"), "non_existent_tools", "solvability_hallucination"),
        (("x", UQ), "non_existent_tools", "non_existent_tools"),
        (("a", "b"), "solvability_hallucination", "solvability_hallucination"),
        (("a", UQ, "c"), "wrong_tools", "wrong_tools"),
        ((UQ, "a"), "wrong_unsolvable_query_index", "wrong_unsolvable_query_index"),
        ((), "solvability_hallucination", "solvability_hallucination"),
    ],
)
def test_labels_in_the_released_order(predicted: tuple[str, ...], second: str, third: str) -> None:
    gold = ("a", UQ)
    rate = prefix_progress(predicted, gold)
    assert level_2_label(predicted, gold, KNOWN, rate) == second
    assert level_3_label(predicted, gold, KNOWN, rate) == third


def test_a_truncated_plan_with_the_gap_in_place_is_wrong_reasoning() -> None:
    assert level_2_label((UQ,), (UQ, "b"), KNOWN, 0.5) == "wrong_tool_reasoning"


@pytest.mark.parametrize(
    ("profile", "level", "kind", "label"),
    [
        ("paper", 2, "unreadable_answer", "level_2"),
        ("paper", 3, "unreadable_answer", "level_3"),
        ("official", 2, "level_2", "non_existent_tools"),
        ("official", 3, "level_3", "solvability_hallucination"),
    ],
)
def test_an_answer_that_cannot_be_read_is_an_error_of_its_own(
    profile: Profile, level: int, kind: str, label: str
) -> None:
    errors = graded("no tags", None, profile, level).errors
    assert errors[kind] == {label: 1}
    assert profile == "official" or f"level_{level}" not in errors


@pytest.mark.parametrize(("name", "label"), cases(__file__, "unlisted_names_tell_where_they_come_from"))
def test_unlisted_names_tell_where_they_come_from(name: str, label: str) -> None:
    assert potential_label(name) == label


def test_a_shell_command_in_the_potential_tools_scenario_is_counted() -> None:
    errors = graded(f"<answer>ufw\n{UQ}</answer>", None, "paper", 2).errors
    assert errors["potential_tools"] == {"shell_command": 1}


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (f"c\n{UQ}", "step 1 is 'c', wanted was 'a'"),
        ("a", "the plan takes every step to be possible"),
        (f"a\na\n{UQ}", "step 2 is 'a', wanted was 'UnsolvableQuery'"),
        ("ufw", "the plan names 'ufw', which is not listed"),
    ],
)
def test_a_lost_point_has_a_reason(plan: str, reason: str) -> None:
    assert graded(f"<answer>{plan}</answer>", None, "paper", 2).reasons[-1] == reason


def test_a_perfect_plan_needs_no_reason() -> None:
    assert graded(f"<answer>a\n{UQ}</answer>", None, "paper", 2).reasons == ()


@given(
    st.lists(st.sampled_from(["a", "b", "c", UQ]), max_size=8),
    st.lists(st.sampled_from(["a", "b", UQ]), min_size=1, max_size=6),
)
def test_rates_lie_between_zero_and_one_and_soft_is_never_below_hard(
    predicted: list[str], gold: list[str]
) -> None:
    hard, soft = prefix_progress(predicted, gold), in_order_progress(predicted, gold)
    assert 0 <= hard <= soft <= 1
    assert prefix_progress([*gold, *predicted], gold) == 1
    assert (hard == 1) == (predicted[: len(gold)] == gold)
