"""What a run would send and cost, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from toolyard.core.table import Table
from toolyard.report.tables.formats import money
from toolyard.run.cost.estimate import JUDGE_REPLY_TOKENS, RunEstimate

JUDGE_COLUMNS = ("judge requests", "judge tokens in", "judge tokens out", "judge price")


PRICE = (
    "price unknown: give it in dollars for a million tokens in and out, "
    'e.g. -m "openai/NAME?price=0.15,0.60" (likewise --judge), and --max-cost can be kept'
)


def estimate_table(estimates: Sequence[RunEstimate]) -> Table:
    """One row per benchmark."""
    judged = any(item.judge_requests for item in estimates)
    rows = tuple(
        (
            item.benchmark, item.samples, item.kept, item.requests,
            f"{item.prompt_tokens:,}", f"{item.completion_tokens:,}",
            *(_judge_cells(item) if judged else ()),
            money(item.cost), "–" if item.batch_cost is None else money(item.batch_cost),
        )
        for item in estimates
    )  # fmt: skip
    columns = (
        "benchmark", "samples", "done", "requests", "tokens in", "tokens out",
        *(JUDGE_COLUMNS if judged else ()), "price", "by batch",
    )  # fmt: skip
    note = "tokens at four characters each, answers as long as the gold ones"
    if judged:
        note += f"; judge replies of {JUDGE_REPLY_TOKENS} tokens, its price is part of the price"
    if any(item.batch_cost is not None for item in estimates):
        note += "; by batch: with --batch, the model's part at half its price"
    if any(item.cost is None for item in estimates):
        note += f"; {PRICE}"
    if not all(item.exact for item in estimates):
        note += "; scaled up from a part of the samples"
    return Table("estimate", columns, rows, note)


def _judge_cells(item: RunEstimate) -> tuple[object, ...]:
    return (
        item.judge_requests,
        f"{item.judge_prompt_tokens:,}",
        f"{item.judge_completion_tokens:,}",
        money(item.judge_cost),
    )
