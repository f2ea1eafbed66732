"""What the figures of a run can and cannot say: sensitivity, trials, differences between groups, correlations."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from toolyard.core.benchmark import RunSetup
from toolyard.core.cache_by_object import PerObject
from toolyard.core.metrics import Floats, Metric, Row
from toolyard.core.table import Table
from toolyard.report.abilities import ability_figures
from toolyard.report.content import Report
from toolyard.report.tables.formats import percent, with_interval, words
from toolyard.stats.bootstrap import Estimate, TermMatrices
from toolyard.stats.means import mean_of_known
from toolyard.stats.significance import (
    DETECTABLE_FORMULA,
    FEW_SAMPLES,
    TRIALS_CONVENTION,
    Anova,
    PassRates,
    classical_anova,
    detectable_between_runs,
    pass_rates,
    pearson_correlation,
    welch_anova,
)
from toolyard.stats.summary import Graded, Summary, rows_of

SOLVED = 1 - 1e-9
FEWEST_PAIRS = 3


def figure_per_sample(metric: Metric, graded: Sequence[Graded]) -> list[float | None]:
    """The metric on each sample alone; None where it is undefined there or nothing was scored."""
    return figures_per_sample([metric], graded)[metric.name]


def figures_per_sample(metrics: Sequence[Metric], graded: Sequence[Graded]) -> dict[str, list[float | None]]:
    """Each metric on each sample alone; terms that metrics share are computed once."""
    if not graded:
        return {metric.name: [] for metric in metrics}
    matrices = _terms_alone(graded)
    return {metric.name: _known_values(metric.value(matrices.matrix(metric)), graded) for metric in metrics}


def _single_rows(graded: Sequence[Graded]) -> TermMatrices:
    return TermMatrices([[Row(item.score, item.sample.cluster, item.sample.groups)] for item in graded], {})


# Tables, charts and the sample browser ask for the figures of the same samples, those of each profile.
_terms_alone: PerObject[Sequence[Graded], TermMatrices] = PerObject(_single_rows, most_kept=4)


def _known_values(found: Floats, graded: Sequence[Graded]) -> list[float | None]:
    values: list[float] = np.broadcast_to(found, (len(graded),)).tolist()
    return [
        # Only NaN differs from itself.
        None if value != value or item.score.unscored is not None else value
        for value, item in zip(values, graded, strict=True)
    ]


def sample_scores(setup: RunSetup, graded: Sequence[Graded]) -> list[float | None]:
    """The headline on each sample alone, or the mean of the abilities defined there; None where unscored."""
    alone = figure_per_sample(setup.benchmark.scoring.metric(setup.headline), graded)
    if all(value is not None or item.score.unscored for value, item in zip(alone, graded, strict=True)):
        return alone
    everything = {metric.name: Estimate(0.0, None, None) for metric in setup.benchmark.scoring.metrics}
    named = [setup.benchmark.scoring.metric(name) for name in ability_figures(setup, everything)]
    columns = figures_per_sample(named, graded).values()
    return [
        value if value is not None else mean_of_known([column[place] for column in columns])
        for place, value in enumerate(alone)
    ]


def sample_score_words(setup: RunSetup) -> str:
    """What a sample's own score is, in words."""
    return f"its own {words(setup.headline)} (or, where undefined on it alone, the mean of its abilities)"


def statistics_tables(
    setup: RunSetup, graded: Sequence[Graded], summary: Summary, *, seed: int = 0
) -> list[Table]:
    """Every statistics table that the run has data for; of few samples the repeated trials alone."""
    trials = trials_table(setup, graded)
    if summary.samples < FEW_SAMPLES:
        return [] if trials is None else [trials]
    candidates = [
        detectable_table(setup, graded, summary, seed=seed),
        trials,
        anova_table(setup, graded),
        correlation_table(setup, graded, summary),
    ]
    return [table for table in candidates if table is not None]


def report_statistics(report: Report) -> list[Table]:
    """The statistics tables of a run under the paper profile."""
    return statistics_tables(
        report.setup, report.graded["paper"], report.summaries["paper"], seed=report.run.config.seed
    )


def detectable_table(
    setup: RunSetup, graded: Sequence[Graded], summary: Summary, *, seed: int = 0
) -> Table | None:
    """The smallest difference to another model that a data set of this size can show, per figure."""
    rows = rows_of(graded)
    if not rows:
        return None
    names = list(dict.fromkeys([setup.headline, *ability_figures(setup, summary.figures)]))
    found = detectable_between_runs([setup.benchmark.scoring.metric(name) for name in names], rows, seed=seed)
    body = tuple(
        (words(name), with_interval(summary.figures[name]), percent(found[name] or None)) for name in names
    )
    clusters = len({row.cluster for row in rows})
    note = (
        f"{clusters} clusters; {DETECTABLE_FORMULA}; between two models that fail independently, so that "
        "the standard error is sqrt(2) times this run's; – where the clusters show no spread to go by"
    )
    return Table(
        "smallest detectable difference", ("metric", "percent [95 %]", "points to detect"), body, note
    )


def trial_rates(setup: RunSetup, graded: Sequence[Graded]) -> Sequence[PassRates]:
    """The pass rates for each k; none where samples were answered once."""
    if all(item.score.trial == 0 for item in graded):
        return ()
    outcomes: dict[str, list[bool]] = {}
    for item, score in zip(graded, sample_scores(setup, graded), strict=True):
        if score is not None:
            outcomes.setdefault(item.sample.id, []).append(score >= SOLVED)
    rates = pass_rates(list(outcomes.values()))
    return rates if len(rates) > 1 else ()


def trials_table(setup: RunSetup, graded: Sequence[Graded]) -> Table | None:
    """pass@k and pass^k where samples were answered more than once."""
    rates = trial_rates(setup, graded)
    if not rates:
        return None
    rows = tuple(
        (rate.k, percent(rate.at_least_one), percent(rate.all_of_them), rate.samples) for rate in rates
    )
    note = f"a trial succeeds when {sample_score_words(setup)} is 100; {TRIALS_CONVENTION}"
    return Table("repeated trials", ("k", "pass@k", "pass^k", "samples"), rows, note)


def anova_table(setup: RunSetup, graded: Sequence[Graded]) -> Table | None:
    """Whether the headline differs between the keys of each breakdown (as Table 3 of ToolEyes asks)."""
    rows = []
    for grouping in setup.benchmark.scoring.groupings:
        groups = [values for values in headline_by_key(setup, graded, grouping.name).values() if values]
        if len(groups) < 2:
            continue
        rows += [_anova_row(grouping.name, groups, test(groups)) for test in (welch_anova, classical_anova)]
    if not rows:
        return None
    note = (
        f"F tests of the {words(setup.headline)} of single clusters (samples, or dialogues) on which it is "
        "defined; Welch's does not assume equal variances, the classical one does; undefined where a group has "
        "no spread"
    )
    columns = ("breakdown", "groups", "clusters", "test", "F", "df between", "df within", "p")
    return Table("differences between groups", columns, tuple(rows), note)


def headline_by_key(setup: RunSetup, graded: Sequence[Graded], group: str) -> dict[str, list[float]]:
    """The headline of each cluster's rows within each key of a breakdown, where it is defined."""
    metric = setup.benchmark.scoring.metric(setup.headline)
    members: dict[tuple[str, str], list[Row]] = {}
    for row in rows_of(graded):
        if group in row.groups:
            members.setdefault((row.groups[group], row.cluster), []).append(row)
    if not members:
        return {}
    values = metric.value(np.array([metric.terms(rows) for rows in members.values()], dtype=np.float64))
    found: dict[str, list[float]] = {}
    for (key, _), value in zip(members, np.broadcast_to(values, (len(members),)), strict=True):
        if not np.isnan(value):
            found.setdefault(key, []).append(float(value))
    return found


def _anova_row(name: str, groups: Sequence[Sequence[float]], test: Anova) -> tuple[object, ...]:
    size = sum(map(len, groups))
    return (
        words(name), len(groups), size, test.kind, test.statistic, test.df_between, test.df_within, test.p_value,
    )  # fmt: skip


def correlation_table(setup: RunSetup, graded: Sequence[Graded], summary: Summary) -> Table | None:
    """Pearson's r between abilities over the samples of this run."""
    names = ability_figures(setup, summary.figures)
    columns = figures_per_sample([setup.benchmark.scoring.metric(name) for name in names], graded)
    rows = []
    for first, second in combinations(names, 2):
        found = pearson_correlation(columns[first], columns[second], unit="samples")
        if found.value is not None and found.pairs >= FEWEST_PAIRS:
            rows.append((words(first), words(second), found.value, found.p_value, found.pairs))
    if not rows:
        return None
    note = "Pearson's r; unit: single samples with both metrics defined (the papers correlate models)"
    return Table("correlations between metrics", ("metric", "with", "r", "p", "samples"), tuple(rows), note)
