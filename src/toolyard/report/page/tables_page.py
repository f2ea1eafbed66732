"""Tables as one self-contained page, in the report's look and under the report's policy."""

from __future__ import annotations

from collections.abc import Sequence

from toolyard.core.table import Table, cell_text
from toolyard.report.page.comparison_page import page_text


def render_tables(title: str, kicker: str, tables: Sequence[Table]) -> str:
    """One section per table; every cell is text."""
    shown = [
        Table(table.title, table.columns, tuple(tuple(map(cell_text, row)) for row in table.rows), table.note)
        for table in tables
    ]
    links = [(f"table-{place}", table.title) for place, table in enumerate(tables, 1)]
    return page_text("tables.html.j2", title=title, kicker=kicker, links=links, remarks=[], tables=shown)
