"""Prompt templates: plain text with `{{field}}` places, filled in one pass."""

from __future__ import annotations

import re
from collections.abc import Mapping

from toolyard.core.errors import UsageError

PLACE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def render(template: str, fields: Mapping[str, str]) -> str:
    """The template with every place filled; an unknown place is the template's mistake."""
    unknown = {name for name in PLACE.findall(template) if name not in fields}
    if unknown:
        raise UsageError(
            f"the template asks for {', '.join(sorted(unknown))}; it may use {', '.join(sorted(fields))}"
        )
    # One pass: chained str.replace would expand a "{{tools}}" that a query contains.
    return PLACE.sub(lambda match: fields[match.group(1)], template)
