"""What a JSON value is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from toolyard.core.types import Json


def leaves(value: Json) -> Iterator[Json]:
    """Everything in a value that holds nothing else, in order; keys of mappings are not part of it."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, Mapping):
            pending.extend(reversed(list(item.values())))
        elif isinstance(item, list | tuple):
            pending.extend(reversed(item))
        else:
            yield item
