"""Tables beyond the figures, and the published rows."""

import math
import random

import pytest

from graded_answers import grade
from toolyard.benchmarks.toolbehonest import BENCHMARK
from toolyard.benchmarks.toolbehonest.papers.analysis import (
    Scored,
    abstention_table,
    analysis,
    answer_length,
    consistency_table,
    correlate,
    outside_length,
    verdict_probability,
)
from toolyard.core.benchmark import PublishedRow
from toolyard.core.types import Completion, Options, Sample, TokenLogprob, Transcript, Usage

SAMPLES = {sample.id: sample for sample in BENCHMARK.data.load(BENCHMARK.data.starter, Options())}
UQ = "UnsolvableQuery"


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
    assert correlate([1, 2, 3], [1, 1, 1]) is None
    assert correlate([1, 2, 3], [2, 4, 6]) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("<answer>a</answer>", 0),
        (" <answer>a</answer>\n", 0),
        ("Sure! <answer>a</answer> bye", 2.5),
        ("12345678", 2),
    ],
)
def test_words_outside_the_first_pair_of_tags_are_counted(text: str, tokens: float) -> None:
    assert outside_length(Transcript.answered("x", text)) == tokens


def test_every_table_speaks_about_a_whole_run() -> None:
    rows = [
        scored(name, BENCHMARK.checks.oracle(sample, (), random.Random(0)))
        for name, sample in SAMPLES.items()
    ]
    titles = [table.title for table in analysis(rows, "paper")]
    assert titles == [
        "Errors on unsolvable plans",
        "Calibration of the verdict",
        "Consistency of levels 2 and 3 (E.4)",
        "Answer length and score within this run",
        "Words outside the tags and score (E.2)",
    ]
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
