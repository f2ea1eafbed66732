"""Tails of the normal, t and F distributions, without the 150 MB that scipy would add to every install.

The tests hold them against scipy.
"""

import math
from functools import cache
from statistics import NormalDist

# Above it Stirling's series is exact to the last digits, and differences of lgamma would lose some.
LARGE = 15.0
PRECISION = 1e-16
MOST_TERMS = 10_000
TINY = 1e-300
LARGEST_T = 1e6
HALVINGS = 60


def normal_quantile(share: float) -> float:
    """The point below which that share of the standard normal distribution lies."""
    return NormalDist().inv_cdf(share)


def f_tail(between: float, within: float, statistic: float) -> float:
    """Chance that an F statistic with these degrees of freedom is at least as large."""
    if statistic <= 0:
        return 1.0
    explained = between * statistic
    return _beta_share(
        within / 2, between / 2, within / (within + explained), explained / (within + explained)
    )


def correlation_tail(value: float, freedom: float) -> float:
    """Chance that uncorrelated values show a correlation at least as far from zero, two-sided."""
    return _beta_share(freedom / 2, 0.5, (1 - value) * (1 + value), value * value)


def t_tail(statistic: float, freedom: float) -> float:
    """Chance that Student's t with these degrees of freedom is at least as large, one-sided."""
    beyond = f_tail(1.0, freedom, statistic * statistic) / 2
    return beyond if statistic > 0 else 1.0 - beyond


@cache
def t_quantile(share: float, freedom: float) -> float:
    """The point below which that share of Student's t lies, by halving."""
    if share < 0.5:
        return -t_quantile(1 - share, freedom)
    low, high = 0.0, 1.0
    while t_tail(high, freedom) > 1 - share and high < LARGEST_T:
        high *= 2
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if t_tail(middle, freedom) > 1 - share else (low, middle)
    return (low + high) / 2


def _beta_share(a: float, b: float, x: float, rest: float) -> float:
    """The regularised incomplete beta function I_x(a, b), where `rest` is 1 - x."""
    if x <= 0 or rest <= 0:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1.0 - _beta_fraction(b, a, rest, x)
    return _beta_fraction(a, b, x, rest)


def _beta_fraction(a: float, b: float, x: float, rest: float) -> float:
    """I_x(a, b) by its continued fraction (DLMF 8.17.22), evaluated as Lentz does."""
    upper, lower = 1.0, 1.0 / _tiny_if_zero(1.0 - (a + b) * x / (a + 1))
    value = lower
    for number in range(1, MOST_TERMS):
        even = number * (b - number) * x / ((a + 2 * number - 1) * (a + 2 * number))
        odd = -(a + number) * (a + b + number) * x / ((a + 2 * number) * (a + 2 * number + 1))
        for factor in (even, odd):
            lower = 1.0 / _tiny_if_zero(1.0 + factor * lower)
            upper = _tiny_if_zero(1.0 + factor / upper)
            value *= upper * lower
        if abs(upper * lower - 1.0) < PRECISION:
            break
    return value * math.exp(a * _log_near_one(x, rest) + b * _log_near_one(rest, x) - _log_beta(a, b)) / a


def _tiny_if_zero(value: float) -> float:
    return value or TINY


def _log_near_one(x: float, rest: float) -> float:
    """log(x), from 1 - x where that is the smaller one and so the more exact."""
    return math.log1p(-rest) if rest < 0.5 else math.log(x)


def _log_beta(a: float, b: float) -> float:
    """The logarithm of the complete beta function."""
    small, large = sorted((a, b))
    if large < LARGE:
        return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    total = small + large
    growth = (large - 0.5) * math.log1p(small / large) + small * math.log(total) - small
    return math.lgamma(small) - growth - (_stirling_rest(total) - _stirling_rest(large))


def _stirling_rest(z: float) -> float:
    """lgamma(z) without its leading part (z - 1/2) log z - z + log(2 pi) / 2."""
    square = z * z
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / (1188 * square)) / square) / square) / square) / z
