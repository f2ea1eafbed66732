"""Tables as Markdown."""

import re
from collections.abc import Sequence

from toolyard.core.table import Table, cell_text
from toolyard.text.printable import printable_line, printable_text

_SPECIAL = {character: f"\\{character}" for character in "\\`*_{}[]|~$"} | {
    character: f"&#{ord(character)};" for character in "<>&"
}
# What begins a heading, a list or a rule, ends a heading, or makes a link of a bare address.
_MARKS = re.compile(
    r"^(?:#+|[-+]|\d{1,9}[.)])(?=\s|$)|^=+\s*$|^-[-\s]*$|(?<=\s)#+$|:(?=//)|(?<=\bwww)\.", re.IGNORECASE
)


def markdown_tables(tables: Sequence[Table], level: int = 3) -> str:
    """All tables, one below the other, under headings of that level."""
    return "\n".join(markdown_table(table, level) for table in tables)


def markdown_table(table: Table, level: int = 3) -> str:
    """One table with its title; untrusted text cannot break out of a cell."""
    head = "| " + " | ".join(map(escape_markdown, table.whole_columns())) + " |"
    rule = "|" + "|".join(" --- " if index == 0 else " ---: " for index in range(len(table.columns))) + "|"
    body = []
    for title, rows in table.sections():
        body += [f"| *{escape_markdown(title)}* |" + " |" * (len(table.columns) - 1)] if title else []
        body += [
            "| " + " | ".join(escape_markdown(cell_text(value)) for value in row) + " |" for _, row in rows
        ]
    note = [f"\n{escape_markdown(table.note)}"] if table.note else []
    return "\n".join([f"{'#' * level} {escape_markdown(table.title)}\n", head, rule, *body, *note, ""])


def escape_markdown(text: str) -> str:
    """Text escaped for Markdown and HTML."""
    shown = " ".join(printable_text(text).split())
    quoted = "".join(_SPECIAL.get(character, character) for character in shown)
    # The last character of a mark is the one that makes it one.
    return _MARKS.sub(lambda mark: f"{mark.group()[:-1]}\\{mark.group()[-1]}", quoted)


def code_span(text: str) -> str:
    """The text as code on one line, between more backticks than it has in a row."""
    shown = printable_line(text).strip() or " "
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    room = " " if "`" in shown else ""
    return f"{ticks}{room}{shown}{room}{ticks}"
