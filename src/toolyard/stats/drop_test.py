"""Whether a figure fell by more than is allowed: two one-sided tests around the allowed drop, on paired clusters.

`within` is small where the data refute a drop beyond the allowed one, `beyond` where they prove one. A negative allowed
drop is a gain that is wanted. Student's t on the
delete-one jackknife of the difference carries both, because any figure has one; two exact bounds keep it honest where
few clusters differ: n clusters without a single loss could hide a share of losses, and a fall that swapping the two
results within clusters explains is none.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from toolyard.core.metrics import Floats, Metric, Row
from toolyard.stats.bootstrap import exact_sums
from toolyard.stats.distributions import normal_quantile, t_quantile, t_tail
from toolyard.stats.paired import (
    PERMUTATIONS,
    PairedTerms,
    cluster_differences,
    pair_terms,
    permutation_p_value,
)
from toolyard.stats.significance import POWER, TIE

FEWEST_CLUSTERS = 2
# From here up a p-value proves nothing, whatever a second test would say.
EVEN = 0.5


@dataclass(frozen=True, slots=True)
class DropTest:
    """First minus second, its one-sided bounds at the level, and the p-values of both claims.

    `detectable` is the drop beyond the allowed one that a test of this size finds with 80 % power; `unchanged`
    says that every cluster scores the same on both sides.
    """

    difference: float
    low: float
    high: float
    within: float
    beyond: float
    detectable: float
    clusters: int
    unchanged: bool


def drop_test(
    metric: Metric,
    first: Sequence[Row],
    second: Sequence[Row],
    *,
    allowed: float,
    level: float,
    seed: int = 0,
    permutations: int = PERMUTATIONS,
) -> DropTest | None:
    """The test on the clusters that both have; None where the figure is undefined on them, or on one side."""
    pairs = pair_terms(metric, first, second)
    if pairs is None or len(pairs.first) < FEWEST_CLUSTERS:
        return None
    return pairs_drop_test(metric, pairs, allowed=allowed, level=level, seed=seed, permutations=permutations)


def pairs_drop_test(
    metric: Metric,
    pairs: PairedTerms,
    *,
    allowed: float,
    level: float,
    seed: int = 0,
    permutations: int = PERMUTATIONS,
) -> DropTest | None:
    """The same on terms that are side by side already."""
    difference, count = paired_difference(metric, pairs), len(pairs.first)
    if math.isnan(difference):
        return None
    error = _jackknife_error(metric, pairs)
    reach = t_quantile(1 - level, count - 1) * error
    low, high = difference - reach, difference + reach
    within = t_tail((difference + allowed) / error, count - 1)
    changes = cluster_differences(metric, pairs)
    # Losses, or gains, of that share would still have stayed unseen with this chance.
    unseen = 1 - level ** (1 / count)
    if not np.any(changes > TIE):
        high = max(high, difference + unseen)
    if not np.any(changes < -TIE):
        low = min(low, difference - unseen)
        within = max(within, (1 - min(max(difference + allowed, 0.0), 1.0)) ** count)
    beyond = t_tail(-(difference + allowed) / error, count - 1)
    if allowed < 0:
        # A gain is wanted: swaps would only ask for any difference. Gains of the missing share could stay unseen.
        missing = -(difference + allowed)
        beyond = beyond if np.any(changes > TIE) else max(beyond, (1 - min(max(missing, 0.0), 1.0)) ** count)
    elif beyond < EVEN:
        swapped = permutation_p_value(metric, pairs, seed=seed, permutations=permutations, side="lower")
        beyond = max(beyond, swapped)
    detectable = (normal_quantile(1 - level) + normal_quantile(POWER)) * error
    # Two shares differ by 1 at most.
    bounds = max(-1.0, low), min(1.0, high)
    unchanged = np.array_equal(pairs.first, pairs.second)
    return DropTest(difference, *bounds, within, beyond, detectable, count, unchanged)


def paired_difference(metric: Metric, pairs: PairedTerms) -> float:
    """The figure of the first minus that of the second."""
    return float(metric.value(exact_sums(pairs.first)) - metric.value(exact_sums(pairs.second)))


def jackknife_error(metric: Metric, pairs: PairedTerms) -> float:
    """The standard error of the difference from leaving out one cluster at a time; NaN where that is undefined."""
    left = _leave_one_out(metric, pairs.first) - _leave_one_out(metric, pairs.second)
    count = len(left)
    return float(math.sqrt((count - 1) / count * float(((left - left.mean()) ** 2).sum())))


def _leave_one_out(metric: Metric, terms: Floats) -> Floats:
    return metric.value(terms.sum(axis=0) - terms)


def _jackknife_error(metric: Metric, pairs: PairedTerms) -> float:
    """The jackknife's error with half a lost and half a won cluster that nobody saw (Agresti and Min, 2005).

    Where leaving a single cluster out makes the figure undefined, nothing can be said: the error is infinite.
    """
    error = jackknife_error(metric, pairs)
    return math.inf if math.isnan(error) else math.hypot(error, 1 / (len(pairs.first) + 2))
