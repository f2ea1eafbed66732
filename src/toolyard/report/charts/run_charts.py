"""The charts of a run: which ones its figures, groups and errors call for."""

from toolyard.charts.chart import Chart
from toolyard.report.abilities import main_figures
from toolyard.report.charts.figure_charts import figure_chart, published_chart, radar_chart
from toolyard.report.charts.group_charts import error_chart, group_charts
from toolyard.report.charts.sample_charts import distribution_chart, length_chart, scored_samples
from toolyard.report.charts.size_charts import size_chart, size_curves
from toolyard.report.content import Report


def run_charts(report: Report) -> list[Chart]:
    """Every chart that the run has data for, in reading order."""
    samples = scored_samples(report)
    candidates = [
        figure_chart(report),
        radar_chart(report),
        published_chart(report),
        size_chart(size_curves(report)),
        *group_charts(report.summaries["paper"], [report.setup.headline, *main_figures(report)]),
        error_chart(report.summaries["paper"]),
        distribution_chart(report.setup, samples),
        length_chart(samples),
    ]
    return [chart for chart in candidates if chart is not None]
