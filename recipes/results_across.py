"""The tables of docs/results.md across data sets: ranks, styles and serving, learning curves, what can be detected."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean

from results_summary import summary_table
from results_tables import ENDS, Result, ResultSet, page_head, set_tables
from scipy.stats import kendalltau

from toolyard.core.table import Table
from toolyard.report.tables.formats import p_text, percent, with_interval, words
from toolyard.stats.significance import adjust_holm
from toolyard.text.markdown import markdown_tables

RANK_COLUMNS = (
    "first",
    "second",
    "compared",
    "Kendall's tau-b",
    "pairs in the same order",
    "in the other",
    "tied",
)


def results_document(
    sets: Sequence[ResultSet],
    left_out: Sequence[str],
    looked_at_again: Sequence[Result] = (),
    answers: str = "",
    outdated: Sequence[tuple[str, str]] = (),
) -> str:
    """The whole page; `looked_at_again` are answers of the sets under a judge or another embedder."""
    lines = [*page_head(answers), summary_table(sets, outdated)]
    for some in sets:
        lines += [f"## {some.title}", "", markdown_tables(set_tables(some)), ""]
    lines += ["## Across benchmarks, data sets, styles and serving", ""]
    across = [*rank_tables(sets), moved_table(sets), learning_table(sets), detectable_table(sets)]
    across.insert(-2, instruments_table(looked_at_again))
    lines += [markdown_tables([table for table in across if table.rows]), ""]
    if left_out:
        lines += ["## Left out here", "", *(f"- {line}" for line in left_out), ""]
    return "\n".join(lines)


def standing(some: ResultSet) -> list[Result]:
    """The results with a headline that are no points of a learning curve."""
    return [result for result in some.results if result.paper.headline is not None and result.rows is None]


def rank_tables(sets: Sequence[ResultSet]) -> list[Table]:
    """Whether benchmarks and data sets put models in the same order."""
    between, within = [], []
    for first, second in combinations(sets, 2):
        names = (f"{first.benchmark}, {first.data}", f"{second.benchmark}, {second.data}")
        if first.benchmark == second.benchmark:
            within.append(rank_row(*names, by_setup(first), by_setup(second)))
        elif data_kind(first.data) == data_kind(second.data):
            between.append(rank_row(*names, by_model(first), by_model(second)))
    return [
        Table(
            "Rank agreement between benchmarks", RANK_COLUMNS, tuple(row for row in between if row[2] >= 2),
            "models, each by the mean of its configurations without special options; with two to four models the order "
            "says little, so the pairs are counted",
        ),
        Table(
            "Rank agreement between data sets of one benchmark", RANK_COLUMNS,
            tuple(row for row in within if row[2] >= 2), "models and configurations that were run on both",
        ),
    ]  # fmt: skip


def data_kind(data: str) -> str:
    """Starter, official or fresh: what compares across benchmarks."""
    return data.partition(":")[0]


def by_setup(some: ResultSet) -> dict[object, float]:
    """The headline of each model and configuration."""
    return {(result.model, result.setup): result.paper.headline or 0.0 for result in standing(some)}


def by_model(some: ResultSet) -> dict[object, float]:
    """Each model by the mean headline of its configurations, without variants of the task."""
    members: dict[object, list[float]] = {}
    for result in standing(some):
        if not result.chosen:
            members.setdefault(result.model, []).append(result.paper.headline or 0.0)
    return {model: fmean(values) for model, values in members.items()}


def rank_row(
    first: str, second: str, one: Mapping[object, float], other: Mapping[object, float]
) -> tuple[str, str, int, str, int, int, int]:
    """How far two sets of headlines agree on the order of what both hold."""
    shared = [name for name in one if name in other]
    headlines = [(one[name], other[name]) for name in shared]
    orders = [(a - c) * (b - d) for (a, b), (c, d) in combinations(headlines, 2)]
    tau = float(kendalltau(*zip(*headlines, strict=True)).statistic) if orders else math.nan
    above, below = (sum(sign * order > 0 for order in orders) for sign in (1, -1))
    shown = "–" if math.isnan(tau) else f"{tau:.2f}"
    return (first, second, len(shared), shown, above, below, len(orders) - above - below)


def moved_table(sets: Sequence[ResultSet]) -> Table:
    """What another style or way of serving did to one model on the same samples."""
    rows = []
    for some in sets:
        own = [(first, second, item) for first, second, item in some.tests if first.model == second.model]
        known = [item.test.p_value for _, _, item in own if item.test.p_value is not None]
        corrected = iter(adjust_holm(known))
        rows += [
            (f"{some.benchmark}, {some.data}", first.model, first.setup, second.setup,
             with_interval(item.test.difference),
             p_text(None if item.test.p_value is None else next(corrected)), item.test.clusters)
            for first, second, item in own
        ]  # fmt: skip
    columns = (
        "data",
        "model",
        "first configuration",
        "second configuration",
        "difference",
        "p (Holm)",
        "clusters",
    )
    note = "headline in points, first minus second; Holm over the lines of one data set"
    return Table("Effect of style and serving", columns, tuple(rows), note)


def instruments_table(results: Sequence[Result]) -> Table:
    """Answers under a judge or another embedder: the headline that this gives, beside what the usual instruments give."""
    rows = tuple(
        (f"{result.paper.benchmark.name}, {result.data}", result.model, result.setup, result.instruments,
         result.paper.answers, result.paper.summary.unscored, words(result.headline),
         "withheld" if result.paper.summary.withheld else with_interval(result.paper.summary.figures[result.headline]),
         with_interval(result.official))
        for result in sorted(results, key=lambda item: (item.paper.benchmark.name, item.data, item.instruments))
    )  # fmt: skip
    columns = (
        "data",
        "model",
        "configuration",
        "judge or embedder",
        "n",
        "unscored",
        "metric",
        "paper",
        "official",
    )
    note = (
        "the same answers as above; Qwen2.5-Coder-1.5B is a weak and lenient judge (8 or more in 69 of 80 verdicts on good "
        "and in 44 of 80 on bad transcripts, bench/results/judge_injection.md), so judged metrics show what such a judge "
        "says; unscored: its reply could not be read, or it was stopped before it replied"
    )
    return Table("Under a judge, or another embedder", columns, rows, note)


def learning_table(sets: Sequence[ResultSet]) -> Table:
    """The headline of one model against the number of rows that it was tuned on."""
    rows = []
    for some in sets:
        for setup in dict.fromkeys(item.setup for item in some.results if item.rows is not None):
            own = [item for item in some.results if item.setup == setup]
            counted = [(ENDS.get(item.model) if item.rows is None else item.rows, item) for item in own]
            known = sorted(
                ((count, item) for count, item in counted if count is not None), key=lambda point: point[0]
            )
            rows += [
                (f"{some.benchmark}, {some.data}", setup, f"{count:,}", item.paper.answers,
                 with_interval(item.paper.summary.figures[some.headline]), with_interval(item.official))
                for count, item in known
            ]  # fmt: skip
    columns = ("data", "configuration", "training rows", "n", "headline", "headline, official profile")
    return Table("Learning curve of SmolLM2-135M", columns, tuple(rows), "each line is another model")


def detectable_table(sets: Sequence[ResultSet]) -> Table:
    """The smallest difference that each data set can show between two of these runs."""
    rows = []
    for some in sets:
        known = sorted(item.test.detectable for _, _, item in some.tests if item.test.detectable)
        if known:
            clusters = sorted({item.test.clusters for _, _, item in some.tests})
            rows.append(
                (some.benchmark, some.data,
                 f"{clusters[0]} to {clusters[-1]}" if len(clusters) > 1 else clusters[0],
                 len(known), percent(known[0]), percent(known[len(known) // 2]), percent(known[-1]))
            )  # fmt: skip
    columns = ("benchmark", "data", "clusters", "pairs", "smallest", "median", "largest")
    note = "points of the headline between two paired runs, alpha 0.05 two-sided, power 0.8"
    return Table("Smallest detectable difference", columns, tuple(rows), note)
