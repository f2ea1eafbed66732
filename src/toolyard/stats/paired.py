"""Pairs of results on what both have a value for: difference, interval, permutation test, effect sizes.

Many pairs of the same results are tested together: the terms of a result are computed once, and what is drawn for so
many clusters is drawn once for all pairs that share as many.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from toolyard.core.metrics import Floats, Metric, Row, leaves
from toolyard.stats.bootstrap import (
    FEW_CLUSTERS,
    NO_SPREAD,
    RESAMPLES,
    Estimate,
    cluster_weights,
    covering_interval,
    drawn_values,
    exact_difference,
    exact_sums,
    percentile_interval,
    rows_by_cluster,
    weight_blocks,
)
from toolyard.stats.significance import (
    TIE,
    cohens_d_paired,
    rank_biserial,
    smallest_detectable,
    standard_error,
)

PERMUTATIONS = 9999
Side: TypeAlias = Literal["both", "lower"]
# Cells of the matrix of swaps that are drawn at once.
BLOCK = 4_000_000


@dataclass(frozen=True, slots=True)
class PairedTest:
    """First minus second on the clusters where both are defined: interval, p-value, effect sizes, sensitivity.

    `difference` has the paired bootstrap's percentile interval; `p_value` is two-sided from swapping
    the two results of single clusters. Effect sizes compare the clusters' own figures.
    """

    difference: Estimate
    p_value: float | None
    clusters: int
    cohens_d: float | None
    rank_biserial: float | None
    detectable: float | None


NO_TEST = PairedTest(Estimate(None, None, None), None, 0, None, None, None)


# One answer: the sample and the trial.
Answer: TypeAlias = tuple[str, int]
# For some answers, the places of the metric's leaves that have a value in one of two results only.
Gaps: TypeAlias = Mapping[Answer, set[int]]


@dataclass(frozen=True, slots=True)
class ResultTerms:
    """The additive terms of one result in one figure, a line for each of its clusters."""

    metric: Metric
    clusters: tuple[str, ...]
    rows: Sequence[Sequence[Row]]
    terms: Floats
    # How many clusters each stands for; None where each stands for itself.
    weights: Floats | None
    # Which leaves of the metric each answer has a value for, a byte each.
    defined: Mapping[Answer, bytes]

    def without(self, gaps: Gaps) -> Floats:
        """The terms without the leaves of these answers; the same matrix where there are none."""
        if not gaps:
            return self.terms
        terms = self.terms.copy()
        for place, rows in enumerate(self.rows):
            if any(_answer_key(row) in gaps for row in rows):
                terms[place] = _terms_without(self.metric, rows, gaps)
        return terms


def result_terms(metric: Metric, rows: Sequence[Row]) -> ResultTerms:
    """What pairs with this result are computed from."""
    clusters = rows_by_cluster(rows)
    return ResultTerms(
        metric,
        tuple(each[0].cluster for each in clusters),
        clusters,
        np.array([metric.terms(each) for each in clusters], dtype=np.float64),
        cluster_weights(clusters) if clusters else None,
        _defined_leaves(metric, rows) if rows else {},
    )


def _answer_key(row: Row) -> Answer:
    return row.score.sample, row.score.trial


def _defined_leaves(metric: Metric, rows: Sequence[Row]) -> dict[Answer, bytes]:
    own = [
        ~np.isnan(leaf.value(np.array([leaf.terms([row]) for row in rows], dtype=np.float64)))
        for leaf in leaves(metric)
    ]
    return {_answer_key(row): flags.tobytes() for row, flags in zip(rows, np.stack(own, axis=1), strict=True)}


def _gaps_between(first: ResultTerms, second: ResultTerms) -> Gaps:
    """Where one of two results has a value and the other has none."""
    if first.defined == second.defined:
        return {}
    return {
        answer: {place for place, (a, b) in enumerate(zip(mine, theirs, strict=True)) if a != b}
        for answer, mine in first.defined.items()
        if (theirs := second.defined.get(answer, mine)) != mine
    }


def _terms_without(metric: Metric, rows: Sequence[Row], gaps: Gaps) -> list[float]:
    return [
        term
        for place, leaf in enumerate(leaves(metric))
        for term in leaf.terms([row for row in rows if place not in gaps.get(_answer_key(row), ())])
    ]


@dataclass(frozen=True, slots=True)
class PairedTerms:
    """The additive terms of two results on the clusters where both are defined."""

    first: Floats
    second: Floats


def pair_terms(metric: Metric, first: Sequence[Row], second: Sequence[Row]) -> PairedTerms | None:
    """The two results side by side, or None where they share no cluster."""
    return align_terms(result_terms(metric, first), result_terms(metric, second))


def align_terms(first: ResultTerms, second: ResultTerms) -> PairedTerms | None:
    """The two results on the clusters where both are defined, in the order of the first; None where there is none.

    A row that has a value in one result only counts in neither, or equal results would differ.
    """
    gaps = _gaps_between(first, second)
    a, b = first.without(gaps), second.without(gaps)
    # What a cluster stands for is the smaller part's word; of parts that were drawn alike both say the same.
    smaller = second if len(second.clusters) < len(first.clusters) else first
    weights = smaller.weights
    if first.clusters != second.clusters:
        places = {name: place for place, name in enumerate(second.clusters)}
        shared = [place for place, name in enumerate(first.clusters) if name in places]
        others = [places[first.clusters[place]] for place in shared]
        a, b = a[shared], b[others]
        weights = None if weights is None else weights[shared if smaller is first else others]
    if not len(a) or not len(b):
        return None
    defined = np.any((a != 0) | (b != 0), axis=1)
    if not defined.any():
        return None
    if not defined.all():
        a, b = a[defined], b[defined]
        weights = None if weights is None else weights[defined]
    return PairedTerms(a, b) if weights is None else PairedTerms(a * weights, b * weights)


def paired_test(
    metric: Metric,
    first: Sequence[Row],
    second: Sequence[Row],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    permutations: int = PERMUTATIONS,
) -> PairedTest:
    """All that can be said about the difference of two results in one figure."""
    results = result_terms(metric, first), result_terms(metric, second)
    return paired_tests([results], seed=seed, resamples=resamples, permutations=permutations)[0]


def paired_tests(
    pairs: Sequence[tuple[ResultTerms, ResultTerms]],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    permutations: int = PERMUTATIONS,
) -> list[PairedTest]:
    """The same for many pairs of results."""
    found = [NO_TEST] * len(pairs)
    alike: dict[int, list[tuple[int, PairedCase]]] = defaultdict(list)
    for place, (first, second) in enumerate(pairs):
        terms = align_terms(first, second)
        if terms is not None:
            alike[len(terms.first)].append((place, PairedCase(first.metric, terms)))
    for members in alike.values():
        tests = _test_cases([case for _, case in members], seed, resamples, permutations)
        for (place, _), test in zip(members, tests, strict=True):
            found[place] = test
    return found


@dataclass(frozen=True, slots=True)
class PairedCase:
    """One pair in one figure; results that stand in several pairs are the same matrix in all of them."""

    metric: Metric
    terms: PairedTerms

    def difference(self, sums: "SidesProduct") -> Floats:
        """The figure of the first minus that of the second, both from their terms summed."""
        return self.metric.value(sums[id(self.terms.first)]) - self.metric.value(sums[id(self.terms.second)])

    def drawn_difference(self, sums: "SidesProduct", drawn: "SidesProduct") -> Floats:
        """The same in each resample."""
        first, second = (
            drawn_values(self.metric, sums[id(side)], drawn[id(side)])
            for side in (self.terms.first, self.terms.second)
        )
        return first - second


# Something of every matrix, by the matrix's identity: it is computed once for all pairs.
SidesProduct: TypeAlias = Mapping[int, Floats]


def _sides_by_id(cases: Sequence[PairedCase]) -> dict[int, Floats]:
    return {id(side): side for case in cases for side in (case.terms.first, case.terms.second)}


def _test_cases(
    cases: Sequence[PairedCase], seed: int, resamples: int, permutations: int
) -> Iterator[PairedTest]:
    """The tests of pairs that share the same number of clusters."""
    sides, clusters = _sides_by_id(cases), len(cases[0].terms.first)
    totals = {name: exact_sums(side) for name, side in sides.items()}
    blocks: dict[int, list[Floats]] = {name: [] for name in sides}
    for weights in weight_blocks(clusters, resamples, seed):
        for name, side in sides.items():
            blocks[name].append(weights @ side)
    resampled = {name: np.concatenate(some) for name, some in blocks.items()}
    p_values = permutation_p_values(cases, seed=seed, permutations=permutations)
    for case, p_value in zip(cases, p_values, strict=True):
        point = float(case.difference(totals))
        yield (
            NO_TEST
            if math.isnan(point)
            else _case_test(case, point, case.drawn_difference(totals, resampled), p_value)
        )


def _case_test(case: PairedCase, point: float, drawn: Floats, p_value: float) -> PairedTest:
    """The test of one pair, from what was drawn."""
    clusters = len(case.terms.first)
    bounds = percentile_interval(drawn)
    if bounds is not None and bounds[1] - bounds[0] < NO_SPREAD:
        bounds = exact_difference(point, clusters)
    elif bounds is not None and clusters < FEW_CLUSTERS and bounds[0] >= -1 and bounds[1] <= 1:
        bounds = covering_interval(bounds, exact_difference(point, clusters))
    low, high = bounds or (None, None)
    own = cluster_differences(case.metric, case.terms)
    return PairedTest(
        difference=Estimate(point, low, high),
        p_value=p_value,
        clusters=clusters,
        cohens_d=cohens_d_paired(own),
        rank_biserial=rank_biserial(own),
        detectable=smallest_detectable(standard_error(drawn)) or None,
    )


def cluster_differences(metric: Metric, pairs: PairedTerms) -> Floats:
    """The figure's difference within each cluster where both are defined."""
    own = np.broadcast_to(metric.value(pairs.first) - metric.value(pairs.second), (len(pairs.first),))
    return np.asarray(own[~np.isnan(own)], dtype=np.float64)


def permutation_p_value(
    metric: Metric,
    pairs: PairedTerms,
    *,
    seed: int = 0,
    permutations: int = PERMUTATIONS,
    side: Side = "both",
) -> float:
    """p of the difference under swaps of the two results within clusters; `lower` asks whether the first is lower.

    Exact where all 2^n swaps are no more than `permutations`, else drawn, with the observed one counted in
    (Phipson and Smyth, 2010), so that p is never 0.
    """
    cases = [PairedCase(metric, pairs)]
    return permutation_p_values(cases, seed=seed, permutations=permutations, side=side)[0]


def permutation_p_values(
    cases: Sequence[PairedCase], *, seed: int = 0, permutations: int = PERMUTATIONS, side: Side = "both"
) -> list[float]:
    """The same for pairs that share the same number of clusters, under the same swaps."""
    measure = np.abs if side == "both" else np.negative
    clusters, sides = len(cases[0].terms.first), _sides_by_id(cases)
    totals = {name: exact_sums(terms) for name, terms in sides.items()}
    plain = {name: terms.sum(axis=0) for name, terms in sides.items()}
    exact = clusters <= math.log2(permutations + 1)
    extreme = [0] * len(cases)
    for kept in [_all_sign_swaps(clusters)] if exact else _drawn_swaps(clusters, permutations, seed):
        products = _swap_products(kept, sides)
        for place, case in enumerate(cases):
            first, second = id(case.terms.first), id(case.terms.second)
            sums = products[first] - products[second] + plain[second]
            swapped = totals[first] + totals[second] - sums
            differences = measure(case.metric.value(sums) - case.metric.value(swapped))
            # A swap under which the figure is undefined says nothing; it counts against significance.
            reached = differences >= float(measure(case.difference(totals))) - TIE
            extreme[place] += int(np.count_nonzero(reached | np.isnan(differences)))
    return [each / 2**clusters if exact else (each + 1) / (permutations + 1) for each in extreme]


def _swap_products(kept: Floats, sides: Mapping[int, Floats]) -> dict[int, Floats]:
    """The swaps times every matrix: all side by side, since reading the swaps is what takes the time."""
    ends = np.cumsum([terms.shape[1] for terms in sides.values()])
    parts = np.split(kept @ np.hstack(list(sides.values())), ends[:-1], axis=1)
    return dict(zip(sides, parts, strict=True))


def _all_sign_swaps(count: int) -> Floats:
    numbers = np.arange(2**count)[:, None]
    return ((numbers >> np.arange(count)) & 1).astype(np.float64)


def _drawn_swaps(count: int, permutations: int, seed: int) -> Iterator[Floats]:
    """Which clusters keep their sides, in blocks that fit into memory."""
    generator = np.random.default_rng(seed)
    size = max(1, BLOCK // count)
    for start in range(0, permutations, size):
        shape = (min(size, permutations - start), count)
        yield generator.integers(0, 2, shape, dtype=np.int8).astype(np.float64)
