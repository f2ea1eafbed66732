"""Tables beyond the figures: scenarios by dimension, turns, ANOVA, correlations, distributions, errors."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean, quantiles
from typing import TypeAlias

from toolyard.benchmarks.tooleyes.data.rows import SCENARIOS
from toolyard.benchmarks.tooleyes.data.sample import ToolEyesSample
from toolyard.benchmarks.tooleyes.scoring.score import DIMENSIONS
from toolyard.benchmarks.tooleyes.task.episode import MAX_ROUNDS
from toolyard.core.benchmark import F_STATISTIC, P_VALUE, Derived, Size, Table
from toolyard.core.table import TableValue
from toolyard.core.types import Profile, Score, Transcript
from toolyard.stats.significance import FEW_SAMPLES, classical_anova, pearson_correlation, welch_anova

Scored: TypeAlias = tuple[ToolEyesSample, Transcript, Score]
UNIT = "sample"
SUBCATEGORY_FIGURES = ("overall", "format_alignment", "tool_reality", "answer_pass", "outcome")
TESTED = ("overall", "format_alignment", "tool_reality", "outcome")


def _bin_by_rounds(_: ToolEyesSample, score: Score) -> str | None:
    if not score.graded:
        return None
    count = int(score.graded["rounds_used"])
    return str(count) if count <= MAX_ROUNDS else f"{MAX_ROUNDS + 1}+"


SIZES = (Size("rounds of the episode", _bin_by_rounds),)


def analysis(graded: Sequence[Scored], _profile: Profile) -> tuple[Table, ...]:
    """Every table that the scores have something to say to."""
    scored = [item for item in graded if item[2].unscored is None]
    tested = (anova_table(scored), correlation_table(scored)) if len(scored) >= FEW_SAMPLES else ()
    tables = (
        dimension_table(scored),
        subcategory_table(scored),
        turn_table(scored),
        *tested,
        distribution_table(scored),
        error_table(scored),
    )
    return tuple(table for table in tables if table.rows)


def _values_of_figure(scored: Sequence[Scored], name: str) -> list[float]:
    return [value for _, _, score in scored if (value := score.values.get(name)) is not None]


def _scores_in_scenario(scored: Sequence[Scored], scenario: str) -> list[Scored]:
    return [item for item in scored if item[0].groups.get("scenario") == scenario]


def dimension_table(scored: Sequence[Scored]) -> Table:
    """Mean of each dimension in each scenario (Figures 5 and 12)."""
    rows: list[tuple[TableValue, ...]] = []
    for scenario in SCENARIOS:
        members = _scores_in_scenario(scored, scenario)
        means = [
            fmean(values) if (values := _values_of_figure(members, name)) else None for name in DIMENSIONS
        ]
        if members:
            rows.append((scenario, len(members), *means))
    return Table("dimensions by scenario", ("scenario", "samples", *DIMENSIONS), tuple(rows))


def subcategory_table(scored: Sequence[Scored]) -> Table:
    """A few means in each subcategory: eight of them hold nearly half of the official queries."""
    groups = dict.fromkeys(item[0].groups.get("subcategory", "") for item in scored)
    rows: list[tuple[TableValue, ...]] = []
    for group in sorted(groups):
        members = [item for item in scored if item[0].groups.get("subcategory") == group]
        means = [
            fmean(values) if (values := _values_of_figure(members, name)) else None
            for name in SUBCATEGORY_FIGURES
        ]
        rows.append((group, len(members), *means))
    known = [row for row in rows if row[2] is not None]
    macro = f"{fmean(row[2] for row in known):.4f}" if known else "not known"
    note = f"overall with every subcategory weighing the same: {macro}"
    return Table("by subcategory", ("subcategory", "samples", *SUBCATEGORY_FIGURES), tuple(rows), note)


def turn_table(scored: Sequence[Scored]) -> Table:
    """How many turns episodes took (Figure 4)."""
    turns = [int(score.graded["rounds_used"]) for _, _, score in scored if score.graded]
    counts = Counter(turns)
    rows = tuple((turn, counts[turn], counts[turn] / len(turns)) for turn in sorted(counts))
    note = (
        f"mean {fmean(turns):.2f} turns; the paper prints 2.8 for GPT-4 and 7.0 for LLaMA-2-chat-7B"
        if turns
        else ""
    )
    return Table("turns per episode", ("turns", "episodes", "share"), rows, note)


def anova_table(scored: Sequence[Scored]) -> Table:
    """Whether scenarios differ (Table 3), by Welch's test and by the classical one."""
    rows: list[tuple[TableValue, ...]] = []
    for name in TESTED:
        groups = [
            values
            for scenario in SCENARIOS
            if (values := _values_of_figure(_scores_in_scenario(scored, scenario), name))
        ]
        if len(groups) < 2:
            continue
        rows.extend(
            (name, test.kind, test.statistic, test.df_between, test.df_within, test.p_value)
            for test in (welch_anova(groups), classical_anova(groups))
        )
    columns = ("metric", "test", "F", "df between", "df within", "p")
    note = "Table 3 names Welch's test, but its F and p fit the classical one; a group without spread has no test"
    return Table("differences between scenarios", columns, tuple(rows), note)


def derived_metrics(scored: Sequence[Scored]) -> Derived:
    """F and p of the classical test on the overall score, which Table 3's figures fit."""
    groups = [
        values
        for scenario in SCENARIOS
        if (values := _values_of_figure(_scores_in_scenario(scored, scenario), "overall"))
    ]
    if len(groups) < 2:
        return {}
    test = classical_anova(groups)
    return {("", F_STATISTIC): test.statistic, ("", P_VALUE): test.p_value}


def correlation_table(scored: Sequence[Scored]) -> Table:
    """Pearson's r between the dimensions (Figure 6), over samples."""
    columns = {name: [score.values.get(name) for _, _, score in scored] for name in DIMENSIONS}
    known = [name for name, values in columns.items() if any(value is not None for value in values)]
    rows = tuple(
        (first, *(pearson_correlation(columns[first], columns[second], unit=UNIT).value for second in known))
        for first in known
        if len(known) > 1
    )
    note = f"unit: {UNIT}; the paper does not say its unit, and 0.97 for intent and planning reads like means of models"
    return Table("correlation of dimensions", ("", *known), rows, note)


def distribution_table(scored: Sequence[Scored]) -> Table:
    """Where the scores of each dimension lie in each scenario (Figure 10)."""
    rows: list[tuple[TableValue, ...]] = []
    for scenario in SCENARIOS:
        for name in DIMENSIONS:
            values = sorted(_values_of_figure(_scores_in_scenario(scored, scenario), name))
            if len(values) > 1:
                low, middle, high = quantiles(values, n=4, method="inclusive")
                rows.append((scenario, name, len(values), values[0], low, middle, high, values[-1]))
    columns = (
        "scenario",
        "dimension",
        "samples",
        "lowest",
        "lower quartile",
        "median",
        "upper quartile",
        "highest",
    )
    return Table("score distributions", columns, tuple(rows))


def error_table(scored: Sequence[Scored]) -> Table:
    """Errors per round and episodes without a valid round (Figure 7, Section 3.4)."""
    rounds = sum(len(score.graded["rounds"]) for _, _, score in scored if score.graded)
    totals: Counter[tuple[str, str]] = Counter()
    for _, _, score in scored:
        for kind, labels in score.errors.items():
            for label, count in labels.items():
                totals[kind, label] += count
    rows = tuple(
        (kind, label, count, count / (len(scored) if kind in ("answer", "episode") else max(1, rounds)))
        for (kind, label), count in sorted(totals.items())
    )
    note = f"shares of {rounds} rounds, or of {len(scored)} episodes for answer and episode"
    return Table("errors", ("class", "error", "count", "share"), rows, note)
