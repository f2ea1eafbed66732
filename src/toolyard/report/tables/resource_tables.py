"""What samples took, as a table."""

from toolyard.core.table import Table
from toolyard.report.content import Report
from toolyard.report.tables.formats import words

NOTE = (
    "per sample and trial; percentiles by nearest rank; seconds are those of requests, none of answers that came "
    "from a cache or a batch"
)


def resource_tables(report: Report) -> list[Table]:
    """One row for each thing that was measured; no table where nothing was."""
    rows = tuple(
        (
            words(name),
            *(
                _format_resource(name, value)
                for value in (found.mean, found.p50, found.p90, found.p99, found.most, found.total)
            ),
        )
        for name, found in report.resources.items()
    )
    columns = ("per sample", "mean", "median", "90 %", "99 %", "most", "all together")
    return [Table("requests, tokens, time and cost", columns, rows, NOTE)] if rows else []


def _format_resource(name: str, value: float) -> str:
    if name == "cost":
        return f"${value:.6f}"
    return f"{value:,.2f}" if name.startswith("seconds") else f"{value:,.0f}"
