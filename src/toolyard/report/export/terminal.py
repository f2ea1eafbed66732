"""Tables on a terminal."""

from __future__ import annotations

import re

from rich.table import Table as RichTable
from rich.text import Text

from toolyard.core.table import Table, cell_text
from toolyard.text.printable import printable, printable_line

# First columns up to this width are kept in one line.
LONGEST_NAME = 48
NUMBER = re.compile(r"[-+]?[$\d]|–|unknown")


def rich_table(table: Table) -> RichTable:
    """The table as rich draws it; cells are text, never markup."""
    drawn = RichTable(header_style="bold")
    for index, column in enumerate(table.columns):
        cells = [cell_text(row[index]) for row in table.rows]
        numeric = index > 0 and all(NUMBER.match(text) for text in cells)
        # What does not fit goes on in the next line; nothing is cut.
        drawn.add_column(
            Text(printable_line(column)),
            justify="right" if numeric else "left",
            no_wrap=index == 0 and max(map(len, cells), default=0) <= LONGEST_NAME,
            overflow="fold",
        )
    for row in table.rows:
        drawn.add_row(*(Text(printable(cell_text(value))) for value in row))
    return drawn
