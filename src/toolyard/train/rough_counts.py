"""Rows, steps and lengths of a training without its packages: tokens are estimated from the text."""

from __future__ import annotations

from statistics import median

from toolyard.core.errors import DataError
from toolyard.core.table import Table
from toolyard.train.rows import LearningRow, read_rows, split_rows
from toolyard.train.settings import TrainSettings
from toolyard.train.step_plan import plan_steps
from toolyard.train.training_result import Trained

CHARACTERS_PER_TOKEN = 4
# What a chat template writes around a message, about.
AROUND_A_MESSAGE = 4


def estimate_dry_run_counts(settings: TrainSettings) -> Trained:
    """The counts of a dry run, from the rows alone."""
    rows = read_rows(settings.data, settings.limit)
    held_out = read_rows(settings.eval) if settings.eval is not None else None
    if held_out is None:
        rows, held_out = split_rows(rows, settings.eval_share)
    lengths = [rough_length(row) for row in rows]
    short = [length for length in lengths if not settings.max_length or length <= settings.max_length]
    if not short:
        raise DataError(
            f"none of {len(rows)} rows has at most {settings.max_length} tokens; raise --max-length"
        )
    plan = plan_steps(
        short, seed=settings.seed, epochs=settings.epochs or settings.max_steps,
        batch_tokens=settings.batch_tokens, most=settings.max_steps,
    )  # fmt: skip
    facts = {
        "rows": len(short),
        "held_out": len(held_out),
        "too_long": len(rows) - len(short),
        "tokens": sum(short),
        "median_tokens": int(median(short)),
        "longest_tokens": max(short),
        "steps": len(plan),
        "estimated": True,
    }
    shown = tuple((name.replace("_", " "), value) for name, value in facts.items() if name != "estimated")
    return Trained(facts, (Table("Estimate", ("of", "value"), shown),), settings.out)


def rough_length(row: LearningRow) -> int:
    """About how many tokens a conversation has."""
    return sum(len(message["content"]) // CHARACTERS_PER_TOKEN + AROUND_A_MESSAGE for message in row.messages)
