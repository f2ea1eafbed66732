"""Answers are read, embedded once and scored; tables beyond the figures, and the published rows."""

import json
import math
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cases import cases, each_case
from graded_answers import grade
from toolyard.benchmarks.toolbehonest import BENCHMARK
from toolyard.benchmarks.toolbehonest.data.rows import SUBTASKS
from toolyard.benchmarks.toolbehonest.data.sample import Gold, Needed, ToolDatabase
from toolyard.benchmarks.toolbehonest.papers.analysis import (
    Scored,
    abstention_table,
    analysis,
    answer_length,
    consistency_table,
    outside_length,
    pearson_r,
    verdict_probability,
)
from toolyard.benchmarks.toolbehonest.scoring import official, paper
from toolyard.benchmarks.toolbehonest.scoring.errors import level_2_label, level_3_label, potential_label
from toolyard.benchmarks.toolbehonest.scoring.parse import parse
from toolyard.benchmarks.toolbehonest.scoring.plan_progress import (
    PlanStep,
    in_order_progress,
    prefix_progress,
)
from toolyard.benchmarks.toolbehonest.scoring.score import ask_similarities, score
from toolyard.core.benchmark import PublishedRow, RunSetup
from toolyard.core.types import (
    Completion,
    Evidence,
    Failure,
    Options,
    Profile,
    Sample,
    Score,
    TokenLogprob,
    Transcript,
    Usage,
)
from toolyard.models.embed.embedding import hash_vectors
from toolyard.models.judge.judge_answers import AskedQuestion, find_nearest_candidates
from toolyard.run.grade.grading import questions_by_key
from toolyard.run.play.offline import play_offline

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
        else {question.id: evidence for question in ask_similarities(sample, prediction, profile, {})}
    )
    return score(sample, prediction, found, profile)


def steps(*pairs: tuple[str, str]) -> str:
    lines = (f"Subgoal {number}: {text} Planned tool: {tool}" for number, (text, tool) in enumerate(pairs, 1))
    return "<answer>" + "\n".join(lines) + "</answer>"


@each_case("predicted, hard, soft")
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


@each_case("predicted, second, third")
def test_labels_in_the_released_order(predicted: tuple[str, ...], second: str, third: str) -> None:
    gold = ("a", UQ)
    rate = prefix_progress(predicted, gold)
    assert level_2_label(predicted, gold, KNOWN, rate) == second
    assert level_3_label(predicted, gold, KNOWN, rate) == third


def test_a_truncated_plan_with_the_gap_in_place_is_wrong_reasoning() -> None:
    assert level_2_label((UQ,), (UQ, "b"), KNOWN, 0.5) == "wrong_tool_reasoning"


@each_case("profile, level, kind, label")
def test_an_unreadable_answer_is_an_error(profile: Profile, level: int, kind: str, label: str) -> None:
    errors = graded("no tags", None, profile, level).errors
    assert errors[kind] == {label: 1}
    assert profile == "official" or f"level_{level}" not in errors


@each_case("name, label")
def test_unlisted_names_tell_where_they_come_from(name: str, label: str) -> None:
    assert potential_label(name) == label


def test_a_shell_command_in_the_potential_tools_scenario_is_counted() -> None:
    errors = graded(f"<answer>ufw\n{UQ}</answer>", None, "paper", 2).errors
    assert errors["potential_tools"] == {"shell_command": 1}


@each_case("plan, last_reason")
def test_a_lost_point_has_a_reason_and_a_perfect_plan_none(plan: str, last_reason: list[str]) -> None:
    assert [*graded(f"<answer>{plan}</answer>", None, "paper", 2).reasons[-1:]] == last_reason


@given(
    st.lists(st.sampled_from(["a", "b", "c", UQ]), max_size=8),
    st.lists(st.sampled_from(["a", "b", UQ]), min_size=1, max_size=6),
)
def test_rates_lie_within_bounds_and_soft_is_never_below_hard(predicted: list[str], gold: list[str]) -> None:
    hard, soft = prefix_progress(predicted, gold), in_order_progress(predicted, gold)
    assert 0 <= hard <= soft <= 1
    assert prefix_progress([*gold, *predicted], gold) == 1
    assert (hard == 1) == (predicted[: len(gold)] == gold)


TOOLS = "1. Alpha: Does a.\n2. Beta-2: Does b.\n3. Finish: Ends.\n4. UnsolvableQuery: Gap."
# The released scorer's contract for a level-3 step, as a pattern; ours must agree with it without backtracking.
STEP = re.compile(r"(Subgoal \d+[:：]\s*.*?)(?= Planned tool[:：]) Planned tool[:：]\s*([\w\s\+\-]+)(?=\n|$)")
LABEL = re.compile(r"Subgoal\s*\d+[:：]\s*(.*)")
PIECES = st.sampled_from(cases(__file__, "PIECES"))


def read(text: str, level: int, profile: Profile) -> tuple[str, ...]:
    sample = Sample("x", {"task": "", "tools": TOOLS, "level": level, "language": "en"}, None)
    return parse(sample, Transcript.answered("x", text), profile).tools


@given(st.lists(PIECES, max_size=40).map("".join))
def test_level_3_steps_agree_with_the_released_pattern(body: str) -> None:
    wanted = [(LABEL.sub(r"\1", text.strip()), tool.strip()) for text, tool in STEP.findall(body.strip())]
    if wanted and wanted[-1][1].lower() == "finish":
        wanted.pop()
    found = official.planned_steps(f"<answer>{body}</answer>")
    assert [(step.subgoal, step.tool) for step in found] == wanted


@pytest.mark.parametrize(
    "text",
    [
        "Subgoal 1: " * 60000,
        "<answer>" * 60000,
        " Planned tool:" * 60000,
        "[" * 300000 + "]" * 300000,
        "Subgoal 1: x Planned tool: A." * 30000,
        "1. " * 200000,
        " " * 500000,
        "Subgoal 1:\n" * 60000,
        "<think>" * 60000,
    ],
)
def test_long_texts_are_read_in_passing(text: str) -> None:
    for level in (1, 2, 3):
        read(f"<answer>{text}</answer>", level, "official")
        read(f"<answer>{text}</answer>", level, "paper")


@each_case("text, strict, sane")
def test_verdicts(text: str, strict: str, sane: str) -> None:
    body = paper.answer_body(text)
    assert official.official_verdict(text) == strict
    assert ("" if isinstance(body, Failure) else paper.paper_verdict(body)) == sane


@each_case("level, text, strict, sane")
def test_names_of_levels_2_and_3(level: int, text: str, strict: list[str], sane: list[str]) -> None:
    assert read(text, level, "official") == tuple(strict)
    assert read(text, level, "paper") == tuple(sane)


def test_a_subgoal_keeps_its_words_and_loses_its_brackets() -> None:
    steps = paper.planned_steps(
        "Subgoal 1: [Weigh (to the gram) the flour.] Planned tool: UnsolvableQuery", ()
    )
    assert steps == (PlanStep("Weigh (to the gram) the flour.", "UnsolvableQuery"),)


SETUP = RunSetup.default(BENCHMARK)

PAIRS_PER_SUBTASK = 50


def write_pairs(path: Path) -> None:
    """350 pairs in the official form, with 1,050 tools that all do something else."""
    rows = []
    for subtask in SUBTASKS:
        for place in range(PAIRS_PER_SUBTASK):
            names = [f"{subtask}Tool{place}{letter}" for letter in "abc"]
            tools = "\n".join(
                f"{number}. {name}: Handles what {name} is for." for number, name in enumerate(names, 1)
            )
            rows.append(
                {
                    "id": place,
                    "subtask": subtask,
                    "task": "t",
                    "tools": tools,
                    "unsolvable_task": "t",
                    "unsolvable_tools": tools,
                    "planning_tools": [names[0], names[1], "Finish"],
                    "planning_tools_unsolvable": [names[0], "UnsolvableQuery", "Finish"],
                }
            )
    path.write_text(json.dumps(rows))


def test_each_distinct_text_is_embedded_once(tmp_path: Path) -> None:
    write_pairs(tmp_path / "test_en.json")
    samples = BENCHMARK.data.load(tmp_path, Options())
    transcripts = play_offline(SETUP, samples, BENCHMARK.checks.oracle)
    assert len(transcripts) == 2100
    asked = [
        AskedQuestion(sample.id, question, key=key)
        for sample, transcript in zip(samples, transcripts, strict=True)
        for key, question in questions_by_key(SETUP, sample, transcript).items()
    ]
    questions = Counter(item.question.id.partition("/")[0] for item in asked)
    assert questions == {"needed": 350, "missing": 350}
    shared = {id(item.question.candidates) for item in asked if item.question.id.startswith("needed")}
    assert len(shared) == len(SUBTASKS)
    seen: Counter[str] = Counter()

    def counting(texts: Sequence[str]) -> NDArray[np.float32]:
        seen.update(texts)
        return hash_vectors(texts)

    found = find_nearest_candidates(asked, counting)
    assert len(found) == 700
    assert len(seen) == 2100  # a description alone, and behind its tool's name
    assert set(seen.values()) == {1}


SAMPLES = {sample.id: sample for sample in BENCHMARK.data.load(BENCHMARK.data.starter, Options())}


def scored(name: str, completion: Completion | str) -> Scored:
    sample: Sample = SAMPLES[name]
    answer = Completion(completion) if isinstance(completion, str) else completion
    transcript = Transcript(name, completions=(answer,))
    return sample, transcript, grade(BENCHMARK, sample, transcript)


def test_consistency_compares_levels_2_and_3_of_one_task() -> None:
    second, third = (
        scored("os/1150/unsolvable/2", f"<answer>AccountCreator\n{UQ}</answer>"),
        scored("os/1150/unsolvable/3", "<answer>Subgoal 1: x Planned tool: AccountCreator</answer>"),
    )
    (row,) = consistency_table([second, third]).rows
    assert row == (1, 0, 1, 0, 0, None, 0.0)


def test_lengths_are_counted_or_estimated_and_correlate_where_they_vary() -> None:
    counted = Completion("a" * 40, usage=Usage(5, 7))
    assert answer_length(Transcript("x", completions=(counted,))) == 7
    assert answer_length(Transcript.answered("x", "a" * 40)) == 10
    assert pearson_r([1, 2, 3], [1, 1, 1]) is None
    assert pearson_r([1, 2, 3], [2, 4, 6]) == pytest.approx(1.0)


@each_case("text, tokens")
def test_words_outside_the_first_pair_of_tags_are_counted(text: str, tokens: float) -> None:
    assert outside_length(Transcript.answered("x", text)) == tokens


def test_every_table_speaks_about_a_whole_run() -> None:
    rows = [
        scored(name, BENCHMARK.checks.oracle(sample, (), random.Random(0)))
        for name, sample in SAMPLES.items()
    ]
    titles = [table.title for table in analysis(rows, "paper")]
    assert titles == cases(__file__, "every_table_speaks_about_a_whole_run")
    assert analysis([], "paper") == ()


def verdict(word: str, logprob: float) -> Completion:
    tokens = tuple(
        TokenLogprob(token, value)
        for token, value in (("<answer>", 0.0), (word, logprob), ("</answer>", 0.0))
    )
    return Completion("".join(token.token for token in tokens), logprobs=tokens)


def test_the_abstention_curve_puts_the_surest_verdicts_first() -> None:
    rows = [
        scored("single_step/1000/unsolvable/1", verdict("unsolvable", math.log(0.9))),
        scored("single_step/1001/unsolvable/1", verdict("solvable", math.log(0.4))),
    ]
    assert verdict_probability(rows[0][1].completions[0]) == pytest.approx(0.9)
    table = abstention_table(rows)
    assert table is not None
    assert [(row[0], row[3]) for row in table.rows][4:] == [
        (0.5, 1.0), (0.6, 1.0), (0.7, 1.0), (0.8, 0.5), (0.9, 0.5), (1.0, 0.5)
    ]  # fmt: skip
    assert abstention_table([scored("single_step/1000/unsolvable/1", "<answer>unsolvable</answer>")]) is None


def overall_of(cells: list[PublishedRow]) -> float:
    """Mean over 350 samples and four metrics: scenarios weigh 150, 100 and 100."""
    weights = {"MNT": 3, "PT": 2, "LFT": 2}
    means = [
        weights[row.group] * sum(value for value in row.figures.values() if value is not None) / 4
        for row in cells
    ]
    return sum(means) / 7


def printed(row: PublishedRow, figure: str) -> float:
    value = row.figures[figure]
    assert value is not None
    return value


def test_the_overall_column_follows_from_the_cells_for_13_of_14_models() -> None:
    table = [row for row in BENCHMARK.published if row.table == "Table 2"]
    totals = [row for row in table if row.group == ""]
    assert len(totals) == 14
    off = set()
    for row in totals:
        cells = [cell for cell in table if cell.model == row.model and cell.group]
        if abs(overall_of(cells) - printed(row, "overall")) > 0.00051:
            off.add(row.model)
    assert off == {"Gemini-1.0-Pro"}
    assert {row.model for row in table if "misprint" in row.note} == off


def test_tables_3_and_4_are_there() -> None:
    third = [row for row in BENCHMARK.published if row.table == "Table 3"]
    fourth = [row for row in BENCHMARK.published if row.table == "Table 4"]
    assert (len(third), len(fourth)) == (4, 30)
    gpt = next(row for row in third if row.model == "GPT-4o")
    assert (gpt.figures["solvable_overall"], gpt.figures["l3_mean"]) == (0.89, 0.21)
    gaps = [
        abs(printed(row, "l3_ms") - printed(other, "l3_ms"))
        for row in fourth
        for other in fourth
        if row.group == other.group == "PT" and row.model == other.model and row.note < other.note
    ]
    assert sum(gaps) / len(gaps) == pytest.approx(0.023, abs=0.0005)
