"""Every analysis of a run, as tables for people and as data for programs."""

from collections.abc import Iterable, Iterator, Sequence

from toolyard.core.table import Cell, Table, TableValue
from toolyard.core.types import JsonValue
from toolyard.report.content import Report, analysis_tables
from toolyard.report.tables.statistics_tables import report_statistics


def all_analyses(report: Report) -> tuple[Table, ...]:
    """The benchmark's own analyses, then the statistics that every run has."""
    return (*analysis_tables(report), *report_statistics(report))


def report_json(report: Report, analyses: Sequence[Table]) -> dict[str, JsonValue]:
    """What report.json holds: figures, and the analyses with their numbers as they were computed."""
    return {**report.to_json(), "analyses": [analysis_json(table) for table in analyses]}


def analysis_json(table: Table) -> dict[str, JsonValue]:
    """One analysis: title, columns, rows of plain values, note."""
    return {
        "title": table.title,
        "columns": list(table.columns),
        "rows": [[_value_of_cell(value) for value in row] for row in table.rows],
        "note": table.note,
    }


def analysis_rows(analyses: Iterable[Table]) -> Iterator[tuple[JsonValue, ...]]:
    """One line per cell: analysis, number of the row, column, value."""
    for table in analyses:
        for place, row in enumerate(table.rows):
            for column, value in zip(table.columns, row, strict=True):
                yield (table.title, place, column, _value_of_cell(value))


def _value_of_cell(value: TableValue) -> JsonValue:
    return value.value if isinstance(value, Cell) else value
