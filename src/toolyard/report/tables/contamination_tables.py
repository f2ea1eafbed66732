"""The contamination signal as a table."""

from toolyard.core.table import Table
from toolyard.report.compare.contamination import Contamination
from toolyard.report.content import Report
from toolyard.report.tables.formats import percent, with_interval, words

NOTE = (
    "A positive difference may mean that the public data were met in training. It may also mean that the two sets "
    "differ in difficulty: the fresh one is made by grammar. Compare the difference across models, not with zero."
)


def contamination_tables(report: Report) -> tuple[Table, ...]:
    """The table of the signal, where the run has a counterpart."""
    return () if report.contamination is None else (contamination_table(report.contamination),)


def contamination_table(found: Contamination) -> Table:
    """Every figure on public data, on fresh data, and the difference with its interval."""
    rows = tuple(
        (
            words(name),
            percent(found.public.summary.figures[name].value),
            percent(found.fresh.summary.figures[name].value),
            with_interval(difference),
        )
        for name, difference in found.differences.items()
    )
    sizes = (found.public.summary.samples, found.fresh.summary.samples)
    columns = (
        "metric", f"{found.data} (n={sizes[0]})", f"fresh (n={sizes[1]})", "difference [95 % interval]"
    )  # fmt: skip
    return Table(f"Contamination signal: {found.data} minus fresh", columns, rows, NOTE)
