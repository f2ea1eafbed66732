"""Which gold values a query spells out: a value that it does not give, nobody can fill in.

texts          word for word, whatever the case and the spacing; up to three characters only as words of their own
integers       with or without marks between thousands, not as a part of a longer number
floats         also as integers where they are whole, also with more zeros behind the point
lists          item by item
mappings       value by value; keys belong to the tool
truth values   never: a query says them in words ("without a receipt")
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from toolyard.core.nesting import is_label
from toolyard.core.types import Record
from toolyard.text.json_values import leaves

SHORT_TEXT = 3
# Beyond it, floats are written with an exponent.
LARGEST_WHOLE = 1e16


def missing_values(calls: Sequence[Record], query: str) -> list[str]:
    """The literal values of the calls that the query does not give, as text, each once."""
    said = _normalise_text(query)
    values = [
        leaf
        for call in calls
        for leaf in leaves(call["parameters"])
        if not is_label(leaf) and not isinstance(leaf, bool)
    ]
    lost = [str(value) for value in values if not _is_in_query(value, said)]
    return list(dict.fromkeys(lost))


def _normalise_text(text: str) -> str:
    return " ".join(text.lower().split())


def _is_in_query(value: Any, query: str) -> bool:
    if isinstance(value, str):
        text = _normalise_text(value)
        if len(text) > SHORT_TEXT:
            return text in query
        return re.search(rf"(?<!\w){re.escape(text)}(?!\w)", query) is not None
    forms = "|".join(_number_forms(value))
    return re.search(rf"(?<!\d)(?<!\d\.)(?:{forms})(?!\.?\d)(?!,\d{{3}}(?!\d))", query) is not None


def _number_forms(value: float) -> Iterator[str]:
    """Patterns for every way in which a number may be written."""
    if float(value).is_integer() and abs(value) < LARGEST_WHOLE:
        zeros = r"(?:\.0+)?" if isinstance(value, float) else ""
        yield from (re.escape(text) + zeros for text in (str(int(value)), f"{int(value):,}"))
        return
    # 1e-05 may also be written out.
    fixed = format(Decimal(str(value)), "f")
    yield from (re.escape(text) + "0*" for text in (str(value).lower(), fixed, f"{value:,}"))
