"""Tables on a terminal."""

from __future__ import annotations

import re

from rich.table import Table as RichTable
from rich.text import Text

from toolyard.core.table import Table, cell_text
from toolyard.text.printable import printable, printable_line

# First columns up to this width are kept in one line.
LONGEST_NAME = 48
# Longer ones keep at least this much of it.
SHORTEST_NAME = 24
NUMBER = re.compile(r"[-+]?[$\d]|–|unknown")


def rich_table(table: Table) -> RichTable:
    """The table as rich draws it; cells are text, never markup."""
    drawn = RichTable(header_style="bold")
    for index, column in enumerate(table.whole_columns()):
        cells = [cell_text(row[index]) for row in table.rows]
        numeric = index > 0 and all(NUMBER.match(text) for text in cells)
        # What does not fit goes on in the next line; nothing is cut.
        drawn.add_column(
            Text(printable_line(column)),
            justify="right" if numeric else "left",
            no_wrap=index == 0 and max(map(len, cells), default=0) <= LONGEST_NAME,
            min_width=min(SHORTEST_NAME, max(map(len, cells), default=0)) if index == 0 else None,
            overflow="fold",
        )
    for title, rows in table.sections():
        if title:
            drawn.add_section()
            drawn.add_row(Text(printable_line(title), style="italic"))
        for _, row in rows:
            drawn.add_row(*(Text(printable(cell_text(value))) for value in row))
    return drawn
