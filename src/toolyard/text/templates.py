"""Prompt templates: plain text with `{{field}}` places, filled in one pass."""

from __future__ import annotations

import re
from collections.abc import Mapping

from toolyard.core.errors import UsageError

MOST_CHARACTERS = 100_000_000
PLACE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def render(template: str, fields: Mapping[str, str]) -> str:
    """The template with every place filled; an unknown place is the template's mistake."""
    unknown = {name for name in PLACE.findall(template) if name not in fields}
    if unknown:
        raise UsageError(
            f"the template asks for {', '.join(sorted(unknown))}; it may use {', '.join(sorted(fields))}"
        )
    size = sum(len(fields[name]) for name in PLACE.findall(template))
    if size > MOST_CHARACTERS:
        raise UsageError(
            f"the template becomes a text of {size:,} characters; wanted {MOST_CHARACTERS:,} at most"
        )
    # One pass: chained str.replace would expand a "{{tools}}" that a query contains.
    return PLACE.sub(lambda match: fields[match.group(1)], template)
