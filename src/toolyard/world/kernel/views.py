"""Services as projections: one typed table under a domain, one view for each way a service shows its rows.

    QUOTE = View[QuoteRow]({"symbol": "listing.symbol", "price": "close", "up": lambda bar: bar.close > bar.open})
    QUOTE.row(bar)              # one record as the service shows it
    QUOTE.page(bars, 0, 30)     # the first thirty, and how many there are

A field is a path of attributes and keys, or a function of one record. A service that needs an `if` is written as code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

from toolyard.world.kernel.result_text import fitting_rows
from toolyard.world.kernel.types import Page

Row = TypeVar("Row")
Field = str | Callable[[Any], Any]


class View(Generic[Row]):
    """Records of a table as a service shows them; `Row` is the service's own result type."""

    def __init__(self, fields: Mapping[str, Field]) -> None:
        self._fields = tuple((name, _field_reader(field)) for name, field in fields.items())

    @classmethod
    def of(cls, row: type[Row], **others: Field) -> View[Row]:
        """The fields of a result type, each read under its own name but for those that are given."""
        return cls({name: others.get(name, name) for name in row.__annotations__})

    def row(self, record: object) -> Row:
        """One record as the service shows it."""
        return cast("Row", {name: read(record) for name, read in self._fields})

    def rows(self, records: Iterable[object]) -> list[Row]:
        """Records as the service shows them, in their order."""
        return [self.row(record) for record in records]

    def page(self, records: Sequence[object], offset: int, limit: int) -> Page[Row]:
        """The records from an offset on, at most so many as fit into one answer, and how many there are in all."""
        items = fitting_rows(self.rows(records[offset : offset + limit]))
        return {"total": len(records), "offset": offset, "items": items}


def _field_reader(field: Field) -> Callable[[object], object]:
    """What reads a field out of a record: the function itself, or the path step by step."""
    if not isinstance(field, str):
        return field
    steps = field.split(".")

    def read(record: object) -> object:
        for step in steps:
            record = record[step] if isinstance(record, Mapping) else getattr(record, step)
        return record

    return read
