"""The published rows, and those whose average is not the mean of its parts."""

from __future__ import annotations

from collections import Counter

from toolyard.benchmarks.mtu.published import PUBLISHED, average_slips


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
    }


def test_these_printed_averages_are_not_the_mean_of_their_parts() -> None:
    found = [
        (row.table, row.group, row.model, row.figures["average"], round(mean, 4))
        for row, mean in average_slips()
    ]
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
