"""How far raters agree: shares, kappas, majorities, and the interval of a share.

Ratings are given item by item, each item with one label of every rater, in the order of the raters.
"""

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its Wilson interval; `value` is None where nothing was counted."""

    hits: int
    total: int
    value: float | None
    low: float | None
    high: float | None


def wilson_share(hits: int, total: int, confidence: float = CONFIDENCE) -> Share:
    """hits / total with the Wilson score interval, which stays inside 0..1 for small and extreme counts."""
    if not 0 <= hits <= total:
        raise ValueError(f"a share needs 0 <= hits <= total, got {hits} of {total}")
    if not total:
        return Share(hits, total, None, None, None)
    value, z = hits / total, NormalDist().inv_cdf((1 + confidence) / 2)
    centre = (value + z * z / (2 * total)) / (1 + z * z / total)
    reach = z / (1 + z * z / total) * math.sqrt(value * (1 - value) / total + z * z / (4 * total * total))
    # At 0 and 1 the bound is exact; the formula would leave a rounding error there.
    low = 0.0 if hits == 0 else centre - reach
    high = 1.0 if hits == total else centre + reach
    return Share(hits, total, value, low, high)


def raw_agreement(ratings: Sequence[Sequence[Hashable]]) -> float | None:
    """Share of items on which all raters say the same; for two raters (N_T + N_F) / N (NesTools, A.4)."""
    if not ratings:
        return None
    return sum(len(set(labels)) == 1 for labels in ratings) / len(ratings)


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Agreement of two raters beyond chance; None where chance alone makes them agree."""
    if len(first) != len(second):
        raise ValueError(f"kappa needs as many labels of both raters, got {len(first)} and {len(second)}")
    if not first:
        return None
    total = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / total
    left, right = Counter(first), Counter(second)
    expected = sum(left[label] * right[label] for label in left) / (total * total)
    return _beyond_chance(observed, expected)


def fleiss_kappa(ratings: Sequence[Sequence[Hashable]]) -> float | None:
    """Agreement of three or more raters beyond chance; None where chance alone makes them agree."""
    if not ratings:
        return None
    raters = len(ratings[0])
    if raters < 2 or any(len(labels) != raters for labels in ratings):
        raise ValueError("kappa needs the same raters, two or more, for every item")
    counts = [Counter(labels) for labels in ratings]
    pairs = raters * (raters - 1)
    observed = sum(sum(n * (n - 1) for n in item.values()) for item in counts) / (pairs * len(ratings))
    totals = sum(counts, Counter())
    expected = sum(n * n for n in totals.values()) / (raters * len(ratings)) ** 2
    return _beyond_chance(observed, expected)


def majority_label(labels: Sequence[Hashable], tie: Hashable) -> Hashable:
    """The label of more than half of the raters, or `tie` (ToolEyes, B.1: a three-way split is a tie)."""
    label, count = Counter(labels).most_common(1)[0] if labels else (tie, 0)
    return label if 2 * count > len(labels) else tie


def _beyond_chance(observed: float, expected: float) -> float | None:
    return None if expected == 1 else (observed - expected) / (1 - expected)
