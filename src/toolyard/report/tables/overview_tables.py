"""Comparisons of several benchmarks in one table: a line each."""

from collections.abc import Iterable, Sequence

from toolyard.core.table import Table
from toolyard.report.compare.compared_runs import ComparedRun
from toolyard.report.compare.comparison import Comparison
from toolyard.report.compare.short_verdict import lies_above, strongest_baseline
from toolyard.report.tables.formats import money_text, percent, with_interval
from toolyard.run.cost.estimate import JUDGE_REPLY_TOKENS, RunEstimate

COLUMNS = ("benchmark", "n", "best model", "score [95 %]", "best baseline", "verdict")


def overview_table(comparisons: Iterable[Comparison]) -> Table:
    """The best model of each benchmark: its score, the best trivial baseline, and what is shown beyond chance."""
    rows = (overview_row(comparison, comparison.ranked_runs[0]) for comparison in comparisons)
    return Table("scores in percent", COLUMNS, tuple(rows))


def overview_row(comparison: Comparison, run: ComparedRun) -> tuple[object, ...]:
    """One run of a comparison in a line."""
    headline = comparison.setup.headline
    baseline = strongest_baseline(comparison, comparison.set_of(run))
    return (
        comparison.benchmark.about.title.partition(":")[0],
        run.answers,
        run.label,
        "withheld" if run.summary.withheld else with_interval(run.summary.figures[headline]),
        None
        if baseline is None
        else f"{baseline.name.removeprefix('scripted/')} {percent(baseline.figures.get(headline))}",
        verdict_in_short(comparison, run),
    )


def verdict_in_short(comparison: Comparison, run: ComparedRun) -> str:
    """How many of the other runs it is better or worse than beyond chance, and whether it lies above the baseline."""
    tested = [
        item
        for item in comparison.differences
        if item.figure == comparison.setup.headline and run.label in (item.first, item.second)
    ]
    better = sum(item.better == run.label for item in tested)
    worse = sum(bool(item.better) for item in tested) - better
    parts = [
        f"{word} {count} of {len(tested)}" for word, count in (("beats", better), ("behind", worse)) if count
    ]
    if tested and not parts:
        parts.append("no clear lead")
    baseline = strongest_baseline(comparison, comparison.set_of(run))
    if baseline is not None and run.headline is not None:
        parts.append("above baseline" if lies_above(run, baseline) else "not above baseline")
    return ", ".join(parts)


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
            money_text(item.cost), "–" if item.batch_cost is None else money_text(item.batch_cost),
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
    note = "; ".join(
        [*(f"{item.benchmark}: {item.unseen_tools}" for item in estimates if item.unseen_tools), note]
    )
    return Table("estimate", columns, rows, note)


def _judge_cells(item: RunEstimate) -> tuple[object, ...]:
    return (
        item.judge_requests,
        f"{item.judge_prompt_tokens:,}",
        f"{item.judge_completion_tokens:,}",
        money_text(item.judge_cost),
    )
