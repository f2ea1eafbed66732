"""What a run would send and cost, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from toolyard.core.benchmark import Table
from toolyard.run.estimate import JUDGE_REPLY_TOKENS, Estimate


def estimate_table(estimates: Sequence[Estimate]) -> Table:
    """One row per benchmark."""
    rows = tuple(
        (
            item.benchmark,
            item.samples,
            item.kept,
            item.requests,
            f"{item.prompt_tokens:,}",
            f"{item.completion_tokens:,}",
            item.judge_requests,
            f"{item.judge_prompt_tokens:,}",
            f"{item.judge_completion_tokens:,}",
            money(item.judge_cost),
            money(item.cost),
        )
        for item in estimates
    )
    columns = (
        "benchmark",
        "samples",
        "done",
        "requests",
        "tokens in",
        "tokens out",
        "judge requests",
        "judge tokens in",
        "judge tokens out",
        "judge price",
        "price",
    )
    note = "tokens at four characters each, answers as long as the gold ones"
    if any(item.judge_requests for item in estimates):
        note += f"; judge replies of {JUDGE_REPLY_TOKENS} tokens, its price is part of the price"
    if not all(item.exact for item in estimates):
        note += "; scaled up from a part of the samples"
    return Table("estimate", columns, rows, note)


def money(cost: float | None) -> str:
    """A price, or that it is unknown."""
    return "unknown" if cost is None else f"${cost:.4f}"
