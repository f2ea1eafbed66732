"""The charts of a run: which ones its figures, groups and errors call for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolyard.report.charts.chart import Chart, main_figures
from toolyard.report.charts.figure_charts import figure_chart, published_chart, radar_chart
from toolyard.report.charts.group_charts import error_chart, group_charts
from toolyard.report.charts.sample_charts import distribution_chart, length_chart
from toolyard.report.charts.size_charts import size_chart

if TYPE_CHECKING:
    from toolyard.report.content import Report


def charts_of(report: Report) -> list[Chart]:
    """Every chart that the run has data for, in reading order."""
    candidates = [
        figure_chart(report),
        radar_chart(report),
        published_chart(report),
        size_chart(report),
        *group_charts(report.summaries["paper"], main_figures(report)),
        error_chart(report.summaries["paper"]),
        distribution_chart(report),
        length_chart(report),
    ]
    return [chart for chart in candidates if chart is not None]
