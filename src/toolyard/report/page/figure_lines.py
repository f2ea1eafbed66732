"""The page's list of figures: each with its bar, both profiles, and what trivial baselines reach."""

from __future__ import annotations

from dataclasses import dataclass

from toolyard.core.types import Profile
from toolyard.report.content import Report
from toolyard.report.tables.formats import interval_text, percent, signed_points, words
from toolyard.stats.bootstrap import Estimate


@dataclass(frozen=True, slots=True)
class FigureLine:
    """One figure as the page prints it; numbers in percent."""

    name: str
    value: str
    interval: str
    estimate: Estimate
    official: str
    difference: str
    chance: float | None
    above: str
    baselines: tuple[str, ...]
    headline: bool


def baseline_names(report: Report) -> tuple[str, ...]:
    """The trivial baselines without the prefix that all of them share."""
    return tuple(baseline.name.removeprefix("scripted/") for baseline in report.strongest_first)


def figure_lines(report: Report) -> tuple[FigureLine, ...]:
    """Every metric under both profiles, with every trivial baseline."""
    paper = report.summaries["paper"]
    return tuple(
        FigureLine(
            name=words(name),
            value=percent(figure.value),
            interval=interval_text(figure),
            estimate=figure,
            official=percent(report.official_value(name)),
            difference=signed_points(profile_difference(report, name)),
            chance=report.chance(name),
            above=percent(report.chance_corrected(name)).replace("-", "−"),
            baselines=tuple(percent(item.figures.get(name)) for item in report.strongest_first),
            headline=name == report.setup.headline,
        )
        for name, figure in paper.figures.items()
    )


def profile_difference(report: Report, figure: str, profile: Profile = "official") -> float | None:
    """How far a profile's figure is from the paper's definition."""
    if profile not in report.summaries:
        return None
    first, second = report.summaries[profile].figures[figure], report.summaries["paper"].figures[figure]
    if first.value is None or second.value is None:
        return None
    return first.value - second.value
