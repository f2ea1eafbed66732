"""A table of plain values, and how its cells read; terminal, Markdown, LaTeX and page each draw it in one place."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from toolyard.core.types import JsonValue

# A plain value of any kind, or a Cell.
TableValue: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class Cell:
    """A value with a smaller text below it, such as its interval, where there is room for one."""

    value: JsonValue
    below: str = ""


@dataclass(frozen=True, slots=True)
class Links:
    """Names of things that stand further down on the same page, and what follows the last of them."""

    names: tuple[str, ...]
    more: str = ""

    def __str__(self) -> str:
        return f"{', '.join(self.names)}{self.more}"


@dataclass(frozen=True, slots=True)
class Part:
    """Some consecutive rows of a table under a title of their own."""

    title: str
    rows: int


@dataclass(frozen=True, slots=True)
class Table:
    """A titled table; None prints as a dash.

    The first `heads` columns name a row. `spans` are heads above the other columns, each with the number of
    columns it covers; `parts` divide the rows; `kinds` marks rows by their place as run, baseline or total.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[TableValue, ...], ...]
    note: str = ""
    heads: int = 1
    spans: tuple[tuple[str, int], ...] = ()
    parts: tuple[Part, ...] = ()
    kinds: Mapping[int, str] = field(default_factory=dict)

    def without(self, *names: str) -> "Table":
        """The table without the columns of these names."""
        kept = [place for place, name in enumerate(self.columns) if name not in names]
        columns, *rows = (tuple(row[place] for place in kept) for row in (self.columns, *self.rows))
        return replace(self, columns=columns, rows=tuple(rows))

    def whole_columns(self) -> tuple[str, ...]:
        """The columns with the heads above them, for where nothing can stand above several columns."""
        above = [*[""] * self.heads, *(name for name, width in self.spans for _ in range(width))]
        above += [""] * (len(self.columns) - len(above))
        return tuple(
            f"{span}: {name}" if span else name for span, name in zip(above, self.columns, strict=True)
        )

    def sections(self) -> Iterator[tuple[str, tuple[tuple[str, tuple[TableValue, ...]], ...]]]:
        """Each part's title with its rows, every row with its kind; one untitled part where there are none."""
        start = 0
        for part in self.parts or (Part("", len(self.rows)),):
            places = range(start, start + part.rows)
            yield part.title, tuple((self.kinds.get(place, ""), self.rows[place]) for place in places)
            start += part.rows


def cell_text(value: TableValue) -> str:
    """A value as people read it."""
    if isinstance(value, Cell):
        return cell_text(value.value)
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.4g}" if value < 1000 else f"{value:,.1f}"
    return str(value)
