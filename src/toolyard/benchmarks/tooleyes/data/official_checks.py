"""Checks of our own for official queries, as far as our world determines the answer.

    {"key": "5f0c...", "checks": {"facts": [{"$": "0.result"}]},
     "plan": [{"tool": "calculator", "arguments": {...}}], "answer": "{0.result}"}

The released data have no gold. A row is found by the hash of its subcategory and text, so that none of the text is here.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from toolyard.benchmarks.tooleyes.data.queries import QueryGold, QueryLine, gold_of
from toolyard.benchmarks.user_files import json_lines
from toolyard.core.errors import DataError

CHECKS = Path(__file__).parent / "official_checks.jsonl"
_FIELDS = frozenset({"key", "checks", "plan", "answer"})


def official_gold(group: str, query: str) -> QueryGold | None:
    """What must be true after an official query; None where our world does not determine it."""
    return _gold_by_query().get(key_of(group, query))


def key_of(group: str, query: str) -> str:
    """The name of an official query: a hash of where it belongs and what it says."""
    return hashlib.sha256(f"{group}\n{' '.join(query.split())}".encode(errors="surrogatepass")).hexdigest()[
        :20
    ]


@cache
def _gold_by_query() -> dict[str, QueryGold]:
    found = {}
    for where, row in json_lines(CHECKS, "want one JSON object a line"):
        if not isinstance(row, dict) or set(row) != _FIELDS:
            raise DataError(f"{where}: want the fields {', '.join(sorted(_FIELDS))}")
        found[str(row["key"])] = gold_of(QueryLine(where, row))
    return found
