"""The published rows, and those whose average is not the mean of its parts."""

from collections import Counter

import pytest

from toolyard.benchmarks.mtu.papers.published import PUBLISHED
from toolyard.core.exhibits import ModelRun
from toolyard.report.compare.exhibits import published_exhibit
from toolyard.stats.bootstrap import Estimate


def test_every_table_is_there_with_all_its_rows() -> None:
    assert Counter(row.table for row in PUBLISHED) == {
        "Table 2": 36,
        "Table 3": 36,
        "Table 4": 72,
        "Table 5": 9,
        "Table 9": 24,
        "Table 10": 24,
        "Table 11": 36,
        "Table 12": 36,
        "Table 16": 20,
        "Tables 2 and 11, pooled": 18,
        "Tables 3 and 12, pooled": 18,
        "Table 9, pooled": 6,
        "Table 10, pooled": 6,
    }


@pytest.mark.parametrize(
    ("table", "setting", "percent"),
    [
        # 412, 330 of 473 turns and 16 of 85 dialogues
        (
            "Tables 2 and 11, pooled",
            "M-S",
            {"tool_selection": 87.10, "parameter_selection": 69.77, "success_rate": 18.82},
        ),
        ("Tables 3 and 12, pooled", "M-M", {"average_turn_success": 59.64, "success_rate": 16.46}),
    ],
)
def test_normal_and_hard_rows_together_are_what_runs_on_the_release_compare_with(
    table: str, setting: str, percent: dict[str, float]
) -> None:
    (row,) = [row for row in PUBLISHED if (row.table, row.model, row.group) == (table, "GPT-4", setting)]
    assert {name: 100 * (row.figures[name] or 0) for name in percent} == pytest.approx(percent, abs=0.01)
    parts = [value for name, value in row.figures.items() if name != "average"]
    assert row.figures["average"] == pytest.approx(sum(value or 0 for value in parts) / 6)
    found = ModelRun(
        "m", "", "", None, {}, {"setting": {setting: dict.fromkeys(row.figures, Estimate(0.5, None, None))}}, {}, ()
    )  # fmt: skip
    marks = published_exhibit([found], table, [each for each in PUBLISHED if each.table == table]).marks
    assert [mark.value for mark in marks if mark.source == "run"] == [0.5] * 7


def test_these_printed_averages_are_not_the_mean_of_their_parts() -> None:
    found = []
    for row in PUBLISHED:
        average = row.figures.get("average")
        parts = [value for name, value in row.figures.items() if name != "average"]
        known = [value for value in parts if value is not None]
        if average is not None and known and len(known) == len(parts):
            mean = sum(known) / len(known)
            # Printed with four digits.
            if abs(mean - average) > 0.00011:
                found.append((row.table, row.group, row.model, average, round(mean, 4)))
    assert found == [
        ("Table 2", "S-S normal", "LLaMA2-70B", 0.4728, 0.5196),
        ("Table 2", "M-S normal", "Qwen1.5-72B", 0.4875, 0.4959),
        ("Table 3", "S-M normal", "Qwen-Max", 0.3929, 0.4429),
        ("Table 3", "M-M normal", "LLaMA2-7B", 0.1992, 0.1818),
        ("Table 3", "M-M normal", "LLaMA2-70B", 0.2877, 0.2449),
        ("Table 3", "M-M normal", "Qwen2-72B", 0.2976, 0.351),
        ("Table 9", "M-S normal", "Qwen2.5-72B", 0.5155, 0.5511),
        ("Table 10", "M-M normal", "MTU-LLaMA3-70B", 0.5415, 0.5419),
        ("Table 11", "M-S hard", "ToolLLaMA2-7B", 0.1019, 0.0597),
        ("Table 12", "S-M hard", "Qwen2-7B", 0.175, 0.1581),
        ("Table 12", "S-M hard", "Qwen2-72B", 0.3714, 0.3563),
    ]


def test_the_hard_averages_of_table_4_differ_from_tables_11_and_12_in_three_places() -> None:
    detailed = {
        (row.model, row.group): row.figures["average"]
        for row in PUBLISHED
        if row.table in ("Table 11", "Table 12")
    }
    differing = [
        (row.model, row.group)
        for row in PUBLISHED
        if row.table == "Table 4" and row.figures["average"] != detailed[row.model, row.group]
    ]
    assert differing == [("ChatGLM3-6B", "S-M hard"), ("ChatGLM3-6B", "M-M hard"), ("MTU-LLaMA", "S-S hard")]


def test_table_16_adds_up_to_the_printed_total() -> None:
    assert sum(row.total or 0 for row in PUBLISHED if row.table == "Table 16") == 2781
