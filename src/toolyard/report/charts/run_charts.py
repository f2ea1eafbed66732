"""The charts of a run: which ones its figures, groups and errors call for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from toolyard.charts.chart import Chart
from toolyard.report.abilities import main_figures
from toolyard.report.charts.figure_charts import figure_chart, published_chart, radar_chart
from toolyard.report.charts.group_charts import error_chart, group_charts
from toolyard.report.charts.sample_charts import (
    ScoredSample,
    distribution_chart,
    length_chart,
    scored_samples,
)
from toolyard.report.charts.size_charts import SizeCurve, size_chart, size_curves
from toolyard.report.content import Report


@dataclass(frozen=True, slots=True)
class ChartData:
    """All that the charts of a run show; its report is without samples."""

    report: Report
    sizes: tuple[SizeCurve, ...]
    samples: tuple[ScoredSample, ...]


def chart_data_of(report: Report) -> ChartData:
    """What the charts show of a report, small enough to be sent to another process."""
    figures = replace(report, graded={}, evidence={})
    return ChartData(figures, tuple(size_curves(report)), scored_samples(report))


def charts_of(report: Report) -> list[Chart]:
    """Every chart that the run has data for, in reading order."""
    return charts_showing(chart_data_of(report))


def charts_showing(data: ChartData) -> list[Chart]:
    """The charts of the data, in reading order."""
    report = data.report
    candidates = [
        figure_chart(report),
        radar_chart(report),
        published_chart(report),
        size_chart(data.sizes),
        *group_charts(report.summaries["paper"], [report.setup.headline, *main_figures(report)]),
        error_chart(report.summaries["paper"]),
        distribution_chart(report.setup, data.samples),
        length_chart(data.samples),
    ]
    return [chart for chart in candidates if chart is not None]
