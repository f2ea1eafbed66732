"""Which columns of a table read better from the left."""

from __future__ import annotations

import re

from toolyard.core.table import Table, cell_text

_NUMERIC = re.compile(r"[<>]?[-−–+]?[\d.,:%\s\[\]±$/()–-]*(?:e[-+]\d+)?|n/a|yes|no")


def text_columns(table: Table) -> set[int]:
    """The places of columns that hold words and so read better from the left."""
    return {
        place
        for place in range(table.heads, len(table.columns))
        if any(not _NUMERIC.fullmatch(cell_text(row[place])) for row in table.rows)
    }
