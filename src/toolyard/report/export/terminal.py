"""Tables on a terminal."""

import re
from dataclasses import dataclass, replace

from rich.table import Table as RichTable
from rich.text import Text

from toolyard.core.table import Table, cell_text
from toolyard.text.printable import printable_line, printable_text

# First columns up to this width are kept in one line.
LONGEST_NAME = 48
# Longer ones keep at least this much of it.
SHORTEST_NAME = 24
# A text may be broken into lines of so many letters, and no narrower.
NARROWEST_TEXT = 10
# Words up to this length are not broken.
LONGEST_WORD = 20
LEAST_COLUMNS = 2
# What the frame takes beside each cell.
CELL_FRAME = 3
NUMBER = re.compile(r"[-+]?[$\d]|–|unknown")


@dataclass(frozen=True, slots=True)
class Fitted:
    """A table as wide as a terminal, and the columns that had no room in it."""

    table: Table
    left_out: tuple[str, ...] = ()
    widths: tuple[int, ...] = ()

    @property
    def note(self) -> str:
        """The table's note, and what was left out."""
        if not self.left_out:
            return self.table.note
        more = f"no room for {', '.join(self.left_out)}: a wider terminal or --json shows them"
        return "; ".join(filter(None, [self.table.note.removesuffix("."), more]))


def fit_to_width(table: Table, width: int) -> Fitted:
    """The table with as many of its columns, from the left, as can be read in that width; two at least."""
    columns = table.whole_columns()
    least = [_least_width(table, index) for index in range(len(columns))]
    kept = len(columns)
    while kept > LEAST_COLUMNS and sum(least[:kept]) + CELL_FRAME * kept + 1 > width:
        kept -= 1
    rows = tuple(row[:kept] for row in table.rows)
    shown = table if kept == len(columns) else replace(table, columns=columns[:kept], rows=rows, spans=())
    return Fitted(shown, columns[kept:], _column_widths(shown, least[:kept], width))


def _column_widths(table: Table, least: list[int], width: int) -> tuple[int, ...]:
    """The room of each column: what it needs, and of the rest each piece to the one that has the most lines."""
    wanted = [
        max(len(name), *(len(line) for row in table.rows for line in cell_text(row[index]).splitlines()), 1)
        for index, name in enumerate(table.whole_columns())
    ]
    given = list(least)
    for _ in range(width - 1 - sum(least) - CELL_FRAME * len(least)):
        lacking = max(range(len(given)), key=lambda index: wanted[index] / given[index])
        if wanted[lacking] <= given[lacking]:
            break
        given[lacking] += 1
    return tuple(given)


def _least_width(table: Table, index: int) -> int:
    """What a column needs to be read: numbers in one line, a text in words."""
    cells = [cell_text(row[index]) for row in table.rows]
    longest = max(map(len, cells), default=0)
    words = max(map(len, table.whole_columns()[index].split()), default=0)
    if index == 0:
        return max(words, longest if longest <= LONGEST_NAME else SHORTEST_NAME)
    word = max((len(word) for text in cells for word in text.split()), default=0)
    text_width = max(min(longest, NARROWEST_TEXT), min(word, LONGEST_WORD))
    return max(words, longest if _is_numeric(cells) else text_width)


def _is_numeric(cells: list[str]) -> bool:
    return all(NUMBER.match(text) for text in cells)


def rich_table(table: Table, widths: tuple[int, ...] = ()) -> RichTable:
    """The table as rich draws it, with columns of these widths where they are given; cells are text, never markup."""
    drawn = RichTable(header_style="bold")
    for index, column in enumerate(table.whole_columns()):
        cells = [cell_text(row[index]) for row in table.rows]
        numeric = index > 0 and _is_numeric(cells)
        longest = max(map(len, cells), default=0)
        # What does not fit goes on in the next line; nothing is cut.
        drawn.add_column(
            Text(printable_line(column)),
            justify="right" if numeric else "left",
            no_wrap=index == 0 and longest <= LONGEST_NAME,
            min_width=min(SHORTEST_NAME, longest) if index == 0 else None,
            width=widths[index] if widths else None,
            overflow="fold",
        )
    for title, rows in table.sections():
        if title:
            drawn.add_section()
            drawn.add_row(Text(printable_line(title), style="italic"))
        for _, row in rows:
            drawn.add_row(*(Text(printable_text(cell_text(value))) for value in row))
    return drawn
