"""Tests, corrections and effect sizes: what may be said about a difference, and what may not.

Every random draw comes from a seed given by the caller. The formulas are written out here because the
papers leave open which variant they mean; the tests hold them against scipy and statsmodels.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from toolyard.core.metrics import Floats, Metric, Row
from toolyard.stats.bootstrap import RESAMPLES, TermMatrices, rows_by_cluster
from toolyard.stats.distributions import correlation_tail, f_tail, normal_quantile
from toolyard.text.counted_nouns import how_many

SIGNIFICANCE = 0.05
POWER = 0.8
# Sums of the same numbers in another order differ in the last digits; they must still count as ties.
TIE = 1e-12

# Of fewer samples tables say that they are few, and there are no tests of groups and metrics.
FEW_SAMPLES = 30
TRIALS_CONVENTION = (
    "pass@k = chance that at least one of k trials succeeds, 1 - C(n-c, k) / C(n, k); "
    "pass^k = chance that all k succeed, C(c, k) / C(n, k); n trials and c successes per sample, "
    "k drawn without replacement, then the mean over samples with at least k trials"
)
DETECTABLE_FORMULA = (
    "smallest detectable difference = (z(1 - alpha/2) + z(power)) x standard error of the difference, "
    "alpha 0.05 two-sided, power 0.8, standard error from the cluster bootstrap"
)


def pass_at_k(trials: int, successes: int, k: int) -> float:
    """Chance that at least one of k trials drawn from `trials` succeeds (Chen et al., 2107.03374)."""
    _check_trials(trials, successes, k)
    return 1.0 - math.comb(trials - successes, k) / math.comb(trials, k)


def pass_hat_k(trials: int, successes: int, k: int) -> float:
    """Chance that k trials drawn from `trials` all succeed (Yao et al., 2406.12045)."""
    _check_trials(trials, successes, k)
    return math.comb(successes, k) / math.comb(trials, k)


def _check_trials(trials: int, successes: int, k: int) -> None:
    if not 1 <= k <= trials or not 0 <= successes <= trials:
        raise ValueError(
            f"pass at k needs 1 <= k <= trials and 0 <= successes <= trials, "
            f"got k={k}, trials={trials}, successes={successes}"
        )


@dataclass(frozen=True, slots=True)
class PassRates:
    """pass@k and pass^k of a run for one k, and how many samples they stand on."""

    k: int
    at_least_one: float
    all_of_them: float
    samples: int


def pass_rates(outcomes: Sequence[Sequence[bool]]) -> tuple[PassRates, ...]:
    """The rates for every k that some sample has enough trials for; one inner sequence per sample."""
    result = []
    for k in range(1, max(map(len, outcomes), default=0) + 1):
        enough = [(len(trials), sum(trials)) for trials in outcomes if len(trials) >= k]
        at_least_one = math.fsum(pass_at_k(n, c, k) for n, c in enough) / len(enough)
        all_of_them = math.fsum(pass_hat_k(n, c, k) for n, c in enough) / len(enough)
        result.append(PassRates(k, at_least_one, all_of_them, len(enough)))
    return tuple(result)


def too_few_clusters(clusters: int, tests: int = 1) -> str:
    """Why the smaller numbers of clusters show no difference, however large; empty where one could be shown.

    Of 2^n swaps two are as extreme as the observed one at least, and Holm multiplies the smallest p by the tests.
    """
    needed = math.ceil(1 + math.log2(max(tests, 1) / SIGNIFICANCE))
    if not clusters or clusters >= needed:
        return ""
    among = "" if tests == 1 else f", with {tests} tests to correct for"
    return (
        f"{how_many(clusters, 'cluster')} can never reach p < {SIGNIFICANCE:g}{among}: the smallest p is "
        f"{min(1.0, tests * 2.0 ** (1 - clusters)):g}, however large the difference; {needed} or more are needed"
    )


def standard_error(drawn: Floats) -> float | None:
    """The standard deviation of bootstrap draws of a figure; None below two defined draws."""
    defined = drawn[~np.isnan(drawn)]
    return float(np.std(defined, ddof=1)) if defined.size > 1 else None


def smallest_detectable(error: float | None) -> float | None:
    """The difference that a two-sided test finds with the usual power, given its standard error."""
    if error is None:
        return None
    return (normal_quantile(1 - SIGNIFICANCE / 2) + normal_quantile(POWER)) * error


def detectable_between_runs(
    metrics: Sequence[Metric], rows: Sequence[Row], *, seed: int = 0, resamples: int = RESAMPLES
) -> dict[str, float | None]:
    """The smallest difference per metric that this data set can detect between models of similar score.

    The difference of two independent results has sqrt(2) times the standard error of one; models that
    fail on the same samples can be told apart more finely, which `PairedTest.detectable` then says.
    """
    clusters = rows_by_cluster(rows)
    if not clusters:
        return {metric.name: None for metric in metrics}
    matrices = TermMatrices(clusters, {}).draw(metrics, resamples, seed)
    found = {}
    for metric in metrics:
        error = standard_error(metric.value(matrices.resampled_terms(metric)))
        found[metric.name] = smallest_detectable(None if error is None else math.sqrt(2) * error)
    return found


def adjust_holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted so that any false discovery among them stays below the level (Holm, 1979)."""
    count, order = len(p_values), sorted(range(len(p_values)), key=p_values.__getitem__)
    single = (min(1.0, (count - rank) * p_values[place]) for rank, place in enumerate(order))
    return _restore_order(order, accumulate(single, max))


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted so that the share of false discoveries stays below the level (1995)."""
    count = len(p_values)
    order = sorted(range(count), key=p_values.__getitem__, reverse=True)
    single = (p_values[place] * (count / (count - rank)) for rank, place in enumerate(order))
    return _restore_order(order, accumulate(single, min))


def _restore_order(order: Sequence[int], values: Iterable[float]) -> list[float]:
    return [value for _, value in sorted(zip(order, values, strict=True))]


def cohens_d_paired(differences: Floats) -> float | None:
    """Mean difference over the standard deviation of the differences (d_z); None without spread."""
    if len(differences) < 2:
        return None
    spread = float(np.std(differences, ddof=1))
    return float(np.mean(differences)) / spread if spread > TIE else None


def rank_biserial(differences: Floats) -> float | None:
    """Matched-pairs rank-biserial correlation: -1 second always better, +1 first (Kerby, 2014)."""
    moved = differences[np.abs(differences) > TIE]
    if not moved.size:
        return None
    ranks = mean_ranks(np.abs(moved))
    return float((ranks[moved > 0].sum() - ranks[moved < 0].sum()) / ranks.sum())


def mean_ranks(values: Floats) -> Floats:
    """Ranks from 1; equal values share the mean of theirs."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[places], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Anova:
    """An F test whether group means differ; None where a group has no spread or too few values."""

    kind: str
    statistic: float | None
    df_between: float
    df_within: float | None
    p_value: float | None


def classical_anova(groups: Sequence[Sequence[float]]) -> Anova:
    """The ordinary one-way F test, which assumes equal variances; Table 3 of ToolEyes prints it."""
    values = [np.asarray(group, dtype=np.float64) for group in groups if group]
    between, within = len(values) - 1, sum(map(len, values)) - len(values)
    if between < 1 or within < 1:
        return Anova("classical", None, max(between, 0), None, None)
    grand = np.concatenate(values).mean()
    explained = sum(len(group) * (group.mean() - grand) ** 2 for group in values) / between
    left = sum(((group - group.mean()) ** 2).sum() for group in values) / within
    if left <= TIE:
        return Anova("classical", None, between, within, None)
    statistic = float(explained / left)
    return Anova("classical", statistic, between, within, f_tail(between, within, statistic))


def welch_anova(groups: Sequence[Sequence[float]]) -> Anova:
    """Welch's F test (1951), for groups of unequal variance and size."""
    values = [np.asarray(group, dtype=np.float64) for group in groups if group]
    count = len(values)
    variances = np.array([group.var(ddof=1) if len(group) > 1 else 0.0 for group in values])
    if count < 2 or not np.all(variances > TIE):
        return Anova("Welch", None, max(count - 1, 0), None, None)
    sizes = np.array([len(group) for group in values], dtype=np.float64)
    means = np.array([group.mean() for group in values])
    weights = sizes / variances
    share = weights / weights.sum()
    explained = (weights * (means - (share * means).sum()) ** 2).sum() / (count - 1)
    spread = ((1 - share) ** 2 / (sizes - 1)).sum()
    statistic = float(explained / (1 + 2 * (count - 2) * spread / (count**2 - 1)))
    within = float((count**2 - 1) / (3 * spread))
    return Anova("Welch", statistic, count - 1, within, f_tail(count - 1, within, statistic))


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's r with its two-sided p, and over what it was taken: samples, models, scenarios."""

    value: float | None
    p_value: float | None
    pairs: int
    unit: str


def pearson_correlation(
    first: Sequence[float | None], second: Sequence[float | None], *, unit: str
) -> Correlation:
    """The correlation over the places where both are known; undefined without spread."""
    known = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    if len(known) < 2:
        return Correlation(None, None, len(known), unit)
    x, y = np.array(known, dtype=np.float64).T
    x, y = x - x.mean(), y - y.mean()
    scale = math.sqrt(float((x * x).sum()) * float((y * y).sum()))
    if scale <= TIE:
        return Correlation(None, None, len(known), unit)
    value = max(-1.0, min(1.0, float((x * y).sum()) / scale))
    freedom = len(known) - 2
    if freedom < 1:
        return Correlation(value, None, len(known), unit)
    return Correlation(value, correlation_tail(value, freedom), len(known), unit)
