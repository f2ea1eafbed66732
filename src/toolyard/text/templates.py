"""Prompt templates: plain text with `{{field}}` places, filled in one pass."""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain

from toolyard.core.errors import UsageError

MOST_CHARACTERS = 100_000_000
PLACE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def render(template: str, fields: Mapping[str, str]) -> str:
    """The template with every place filled; an unknown place is the template's mistake."""
    # One pass over its pieces: chained str.replace would expand a "{{tools}}" that a query contains.
    texts, names = _pieces_of_template(template)
    unknown = set(names).difference(fields)
    if unknown:
        raise UsageError(
            f"the template asks for {', '.join(sorted(unknown))}; it may use {', '.join(sorted(fields))}"
        )
    filled = [fields[name] for name in names]
    size = sum(map(len, filled))
    if size > MOST_CHARACTERS:
        raise UsageError(
            f"the template becomes a text of {size:,} characters; wanted {MOST_CHARACTERS:,} at most"
        )
    return "".join(chain.from_iterable(zip(texts, [*filled, ""], strict=True)))


@lru_cache(maxsize=64)
def _pieces_of_template(template: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The texts of a template before, between and behind its places, and the names of the places."""
    parts = PLACE.split(template)
    return tuple(parts[::2]), tuple(parts[1::2])
