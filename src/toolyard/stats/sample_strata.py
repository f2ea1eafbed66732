"""Samples by strata: how many of each to take, and how to resample them. Pure; every draw comes from a seed.

Estimates weight each drawn cluster by (clusters of its stratum) / (clusters drawn of it), Cochran (1977), chapter 5.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

# Below two a stratum shows no spread, and there is no interval.
FEWEST = 2


def allocate_samples(
    sizes: Mapping[str, int], budget: int, spreads: Mapping[str, float] | None = None
) -> dict[str, int]:
    """How many of each stratum to take: in proportion to its size, or to size x spread (Neyman, 1934).

    No stratum gets fewer than two or more than it has; the budget is spent to the last, or the strata are.
    """
    shares = {
        name: size * (1.0 if spreads is None else spreads.get(name, 0.0)) for name, size in sizes.items()
    }
    if not any(shares.values()):
        shares = {name: float(size) for name, size in sizes.items()}
    taken = {name: min(size, FEWEST) for name, size in sizes.items()}
    left = max(0, budget - sum(taken.values()))
    more = Counter(islice(stratum_order(sizes, shares, taken), left))
    return {name: count + more[name] for name, count in taken.items()}


def stratum_order(
    sizes: Mapping[str, int], shares: Mapping[str, float], before: Mapping[str, int] | None = None
) -> Iterator[str]:
    """The stratum of each next place after those taken before, in proportion to the shares, until all are full."""
    taken = {name: (before or {}).get(name, 0) for name in sizes}
    while open_ := [name for name, size in sizes.items() if taken[name] < size]:
        # The next one goes where a share per place taken is largest, as seats are given by Sainte-Lague.
        best = max(open_, key=lambda name: shares[name] / (2 * taken[name] + 1))
        taken[best] += 1
        yield best


def stratified_weights(strata: Sequence[str], resamples: int, seed: int) -> NDArray[np.float64]:
    """How often each cluster counts in each resample, drawn within strata; shape (resamples, clusters).

    From n clusters n - 1 are drawn and counted n / (n - 1) fold, so that the spread of few is not understated (Rao
    and Wu, 1988). A stratum of one is always itself.
    """
    generator = np.random.default_rng(seed)
    names = np.array(strata)
    weights = np.ones((resamples, len(strata)), dtype=np.float64)
    for stratum in dict.fromkeys(strata):
        places = np.flatnonzero(names == stratum)
        count = len(places)
        if count > 1:
            drawn = generator.multinomial(count - 1, np.full(count, 1 / count), size=resamples)
            weights[:, places] = drawn * (count / (count - 1))
    return weights


def standard_deviation(values: Sequence[float]) -> float:
    """The standard deviation of a stratum's values; 0 below two."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else 0.0


def floor_spreads(spreads: Mapping[str, float], sizes: Mapping[str, int]) -> dict[str, float]:
    """Spreads of a pilot, none below a quarter of their mean: that few agreed does not prove that all do.

    A stratum that the pilot does not know gets the mean.
    """
    known = {name: spreads[name] for name in sizes if name in spreads}
    total = sum(sizes[name] for name in known)
    mean = math.fsum(sizes[name] * value for name, value in known.items()) / total if total else 1.0
    return {name: max(known.get(name, mean), mean / 4) for name in sizes}
