"""Results as text that fits a token budget, and says so when something had to be left out."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, islice, takewhile
from typing import TypeAlias, TypeVar

import orjson

from toolyard.core.types import JsonValue

Row = TypeVar("Row")
BUDGET_TOKENS = 4096
# Upper-bound pieces of common byte-pair vocabularies: short runs of letters, up to three digits, one sign.
_PIECE = re.compile(r"\s?[A-Za-z]{1,6}|\d{1,3}|[^\sA-Za-z\d]|\s+")


# JSON as it was just read: it may be cut in place.
Parsed: TypeAlias = "dict[str, Parsed] | list[Parsed] | str | int | float | bool | None"


@dataclass(frozen=True, slots=True)
class Rendered:
    """A result as text and as data, after cutting."""

    text: str
    value: JsonValue


def encode(value: object) -> str:
    """Compact JSON; what orjson refuses (huge integers, lone surrogates) is still written."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "replace").decode()


def count_tokens(text: str) -> int:
    """An estimate of tokens that rather says too many."""
    return _PIECE.subn("", text)[1]


def render(result: object, budget: int) -> Rendered:
    """The value within the budget: longest lists lose their tails first, then longest strings."""
    text = encode(result)
    value: Parsed = json.loads(text)
    if _fits_budget(text, budget):
        return Rendered(text, value)
    cuts: list[Parsed] = []
    counts = _Counts()
    for _ in range(12):
        if not _shorten_value(value, budget - 60, cuts, counts):
            break
        marked = _with_cuts(value, cuts)
        text = encode(marked)
        if _fits_budget(text, budget):
            return Rendered(text, marked)
    # The cut text is JSON inside a JSON string: its quotes are escaped, hence a third.
    note = {"path": "", "note": "result too long, only its beginning is shown"}
    last: dict[str, JsonValue] = {"cut": [note], "text": text[: budget // 3]}
    return Rendered(encode(last), last)


def _fits_budget(text: str, budget: int) -> bool:
    """Whether the text has at most so many tokens; no more of it is looked at than it takes to know."""
    if len(text) <= budget:
        return True
    return next(islice(_PIECE.finditer(text), max(0, budget), None), None) is None


def fitting_rows(rows: Sequence[Row]) -> list[Row]:
    """The first rows that fit into one answer, a tenth of which is left to what stands around them."""
    room = BUDGET_TOKENS * 9 // 10
    if _fits_budget(encode(rows), room):
        return list(rows)
    sums = accumulate(count_tokens(encode(row)) + 1 for row in rows)
    return [row for row, _ in zip(rows, takewhile(lambda sum_: sum_ < room, sums), strict=False)]


def _with_cuts(value: Parsed, cuts: list[Parsed]) -> Parsed:
    if isinstance(value, dict):
        return {**value, "cut": cuts}
    return [*value, {"cut": cuts}] if isinstance(value, list) else value


class _Counts:
    """Tokens of texts, as they are and as JSON, each counted once however often a value is cut."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, int]] = {}

    def of(self, text: str) -> tuple[int, int]:
        """The tokens of the text itself, and of its JSON."""
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = count_tokens(text), count_tokens(encode(text))
        return found


@dataclass(slots=True)
class _Part:
    """A text or a list somewhere in a value, and how to put a shorter text in its place."""

    path: str
    value: str | list[Parsed]
    shorten: Callable[[str], None]
    size: int = 0
    # of a list: how many tokens each of its items has
    items: list[int] | None = None


def _shorten_value(value: Parsed, budget: int, cuts: list[Parsed], counts: _Counts) -> bool:
    """Cuts the largest list (or string) in place as far as needed; False when nothing can be cut."""
    parts: list[_Part] = []
    size = _measure_tokens(value, "", _keep_text, parts, counts)
    parts = [part for part in parts if len(part.value) > (200 if part.items is None else 1)]
    lists = [part for part in parts if part.items is not None]
    target = max(lists or parts, key=lambda part: part.size, default=None)
    if target is None or (target.shorten is _keep_text and target.items is None):
        return False
    length = len(target.value)
    keep = _count_fitting(target.value, target.items, budget - (size - target.size))
    cuts.append({"path": target.path, "kept": keep, "omitted": length - keep})
    if isinstance(target.value, list):
        del target.value[keep:]
    else:
        target.shorten(target.value[:keep] + "…")
    return True


def _keep_text(text: str) -> None:
    """The whole value is a text: there is nothing around it that could hold a shorter one."""


def _count_fitting(whole: str | list[Parsed], items: list[int] | None, budget: int) -> int:
    """How many items or characters fit; at least one, or a hundred."""
    if items is not None:
        # A list of n items has n + 1 signs around them: brackets and commas.
        sums = accumulate(items[:-1], lambda sum_, item: sum_ + item + 1, initial=1)
        return max(1, sum(1 for _ in takewhile(lambda sum_: sum_ <= budget, sums)) - 1)
    low, high = 100, len(whole) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _fits_budget(encode(whole[:middle]), budget) else (low, middle - 1)
    return low


def _measure_tokens(
    value: Parsed, path: str, shorten: Callable[[str], None], parts: list[_Part], counts: _Counts
) -> int:
    """The tokens of a value as JSON; notes what can be cut in it. Signs stand between values, so that tokens add up."""
    if isinstance(value, str):
        size, encoded = counts.of(value)
        parts.append(_Part(path, value, shorten, size))
        return encoded
    if isinstance(value, list):
        part = _Part(path, value, shorten)
        parts.append(part)
        part.items = [
            _measure_tokens(item, f"{path}[{place}]", partial(value.__setitem__, place), parts, counts)
            for place, item in enumerate(value)
        ]
        part.size = sum(part.items) + max(2, len(value) + 1)
        return part.size
    if isinstance(value, dict):
        size = max(2, len(value) + 1)
        for key, item in value.items():
            inside = f"{path}.{key}" if path else key
            size += counts.of(key)[1] + 1
            size += _measure_tokens(item, inside, partial(value.__setitem__, key), parts, counts)
        return size
    return count_tokens(encode(value))
