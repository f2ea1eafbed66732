"""Capability profiles as one self-contained page."""

from collections.abc import Sequence

from toolyard.charts.chart import ACCENT, Chart, apply_theme, dots_with_intervals
from toolyard.charts.vega_lite import field, layer, step, view
from toolyard.core.table import Table
from toolyard.report.charts.figure_charts import percent_axis
from toolyard.report.compare.capability import AXES, CapabilityProfile, profile_table
from toolyard.report.page.comparison_page import page_text
from toolyard.report.page.run_page import draw_charts
from toolyard.report.tables.formats import percent


def render_profiles(profiles: Sequence[CapabilityProfile]) -> str:
    """One section per model."""
    return page_text(
        "capability.html.j2",
        title="Capability profile",
        kicker=", ".join(profile.model for profile in profiles),
        links=[(f"model-{place}", profile.model) for place, profile in enumerate(profiles, 1)],
        parts=[
            {
                "profile": profile,
                "table": profile_table(profile),
                "charts": draw_charts(profile_charts(profile)),
            }
            for profile in profiles
        ],
    )


def profile_charts(profile: CapabilityProfile) -> list[Chart]:
    """The axes with their intervals; axes that nothing measured stay empty."""
    rows: list[dict[str, object]] = [
        {
            "axis": axis.name,
            "value": 100 * axis.estimate.value,
            "low": 100 * (axis.estimate.value if axis.estimate.low is None else axis.estimate.low),
            "high": 100 * (axis.estimate.value if axis.estimate.high is None else axis.estimate.high),
        }
        for axis in profile.axes
        if axis.estimate.value is not None
    ]
    if not rows:
        return []
    names = field("axis:N", scale={"domain": list(AXES)}, title=None)
    base = view(rows).encode(y=names)
    bars = base.mark("bar", color=ACCENT, opacity=0.25, height=12, cornerRadiusEnd=2).encode(x=percent_axis())
    marks = dots_with_intervals(base, percent_axis())
    table_rows = tuple(
        (axis.name, percent(axis.estimate.value), percent(axis.estimate.low), percent(axis.estimate.high))
        for axis in profile.axes
    )
    return [
        Chart(
            name="capabilities",
            title="Capabilities",
            caption="Plain means of the metrics named below, with 95 % intervals.",
            spec=apply_theme(layer(bars, *marks).properties(width=460, height=step(26))),
            table=Table("Capabilities", ("axis", "percent", "low", "high"), table_rows),
        )
    ]
