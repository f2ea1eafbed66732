"""Figures as people read them: percent, intervals, signs, p-values, prices."""

from toolyard.core.benchmark import F_STATISTIC, P_VALUE
from toolyard.stats.bootstrap import Estimate


def words(name: str) -> str:
    """A figure's name for people."""
    return name.replace("_", " ")


def percent(value: float | None) -> str:
    """A fraction in percent with one decimal; a dash where it is undefined."""
    return "–" if value is None else f"{100 * value:.1f}"


def figure_text(name: str, value: float | None) -> str:
    """A figure as the papers print it: F and p as numbers, all others in percent."""
    if value is None:
        return "–"
    if name == F_STATISTIC:
        return f"{value:.2f}"
    return f"{value:.2e}" if name == P_VALUE else percent(value)


def with_interval(figure: Estimate) -> str:
    """`63.8 [60.1, 67.4]`."""
    if figure.value is None or figure.low is None or figure.high is None:
        return percent(figure.value)
    return f"{percent(figure.value)} [{percent(figure.low)}, {percent(figure.high)}]"


def interval_text(figure: Estimate) -> str:
    """`60.1 – 67.4`, or nothing."""
    if figure.low is None or figure.high is None:
        return ""
    return f"{percent(figure.low)} – {percent(figure.high)}"


def signed_points(value: float | None) -> str:
    """A difference in points with its sign; a plain zero, a dash where it is undefined."""
    if value is None:
        return "–"
    return "0" if abs(value) < 0.0005 else f"{100 * value:+.1f}".replace("-", "−")


def share_above_chance(share: float | None) -> str:
    """The share of the way from chance to perfect, or the word `below`: that share has no size below chance."""
    return "below" if share is not None and share < 0 else percent(share)


def p_text(value: float | None) -> str:
    """A p-value as people read it."""
    if value is None:
        return "–"
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"


def money_text(cost: float | None) -> str:
    """A price, or that it is unknown."""
    return "unknown" if cost is None else f"${cost:.4f}"
