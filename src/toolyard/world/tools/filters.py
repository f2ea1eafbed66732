"""Filters that extend other filters: what the shorter one says of its fields holds for the longer one too."""

import inspect
from collections.abc import Callable
from typing import TypeVar

Filters = TypeVar("Filters", bound=type)


def described_like(*bases: type) -> Callable[[Filters], Filters]:
    """The same filters with the bases' lines on fields under its docstring: a TypedDict inherits no text."""

    def described(filters: Filters) -> Filters:
        entries = [(inspect.getdoc(base) or "").partition("\n\n")[2] for base in bases]
        filters.__doc__ = "\n".join([inspect.getdoc(filters) or "", *entries])
        return filters

    return described
