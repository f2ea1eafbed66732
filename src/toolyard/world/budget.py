"""Results as text that fits a token budget, and says so when something had to be left out."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import accumulate, islice, takewhile
from typing import Any

import orjson

# Upper-bound pieces of common byte-pair vocabularies: short runs of letters, up to three digits, one sign.
_PIECE = re.compile(r"\s?[A-Za-z]{1,6}|\d{1,3}|[^\sA-Za-z\d]|\s+")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A result as text and as data, after cutting."""

    text: str
    value: Any


def encode(value: Any) -> str:
    """Compact JSON; what orjson refuses (huge integers, lone surrogates) is still written."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "replace").decode()


def tokens(text: str) -> int:
    """An estimate of tokens that rather says too many."""
    return _PIECE.subn("", text)[1]


def render(value: Any, budget: int) -> Rendered:
    """The value within the budget: longest lists lose their tails first, then longest strings."""
    text = encode(value)
    if _fits(text, budget):
        return Rendered(text, json.loads(text))
    value = json.loads(text)
    cuts: list[Any] = []
    counts = _Counts()
    for _ in range(12):
        if not _shorten(value, budget - 60, cuts, counts):
            break
        marked = _marked(value, cuts)
        text = encode(marked)
        if _fits(text, budget):
            return Rendered(text, marked)
    # The cut text is JSON inside a JSON string: its quotes are escaped, hence a third.
    last = {
        "cut": [{"path": "", "note": "result too long, only its beginning is shown"}],
        "text": text[: budget // 3],
    }
    return Rendered(encode(last), last)


def _fits(text: str, budget: int) -> bool:
    """Whether the text has at most so many tokens; no more of it is looked at than it takes to know."""
    if len(text) <= budget:
        return True
    return next(islice(_PIECE.finditer(text), max(0, budget), None), None) is None


def _marked(value: Any, cuts: list[Any]) -> Any:
    note = {"cut": cuts}
    return (
        {**value, **note} if isinstance(value, dict) else [*value, note] if isinstance(value, list) else value
    )


class _Counts:
    """Tokens of texts, as they are and as JSON, each counted once however often a value is cut."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, int]] = {}

    def of(self, text: str) -> tuple[int, int]:
        """The tokens of the text itself, and of its JSON."""
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = tokens(text), tokens(encode(text))
        return found


@dataclass(slots=True)
class _Part:
    path: str
    size: int
    holder: Any
    key: Any
    # of a list: how many tokens each of its items has
    items: list[int] | None = None


def _shorten(value: Any, budget: int, cuts: list[Any], counts: _Counts) -> bool:
    """Cuts the largest list (or string) in place as far as needed; False when nothing can be cut."""
    holder = {"": value}
    parts: list[_Part] = []
    size = _measured(_Part("", 0, holder, ""), parts, counts)
    parts = [part for part in parts if _length(part) > (200 if part.items is None else 1)]
    lists = [part for part in parts if part.items is not None]
    target = max(lists or parts, key=lambda part: part.size, default=None)
    if target is None or (target.holder is holder and target.items is None):
        return False
    whole = target.holder[target.key]
    keep = _fitting(whole, target.items, budget - (size - target.size))
    cuts.append({"path": target.path, "kept": keep, "omitted": len(whole) - keep})
    if isinstance(whole, list):
        del whole[keep:]
    else:
        target.holder[target.key] = whole[:keep] + "…"
    return True


def _fitting(whole: Any, items: list[int] | None, budget: int) -> int:
    """How many items or characters fit; at least one, or a hundred."""
    if items is not None:
        # A list of n items has n + 1 signs around them: brackets and commas.
        sums = accumulate(items[:-1], lambda sum_, item: sum_ + item + 1, initial=1)
        return max(1, sum(1 for _ in takewhile(lambda sum_: sum_ <= budget, sums)) - 1)
    low, high = 100, len(whole) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _fits(encode(whole[:middle]), budget) else (low, middle - 1)
    return low


def _measured(part: _Part, parts: list[_Part], counts: _Counts) -> int:
    """The tokens of a value as JSON; notes what can be cut in it. Signs stand between values, so that tokens add up."""
    value = part.holder[part.key]
    if isinstance(value, str):
        part.size, size = counts.of(value)
        parts.append(part)
        return size
    if isinstance(value, list):
        parts.append(part)
        inner = (_Part(f"{part.path}[{place}]", 0, value, place) for place in range(len(value)))
        part.items = [_measured(each, parts, counts) for each in inner]
        part.size = sum(part.items) + max(2, len(value) + 1)
        return part.size
    if isinstance(value, dict):
        size = max(2, len(value) + 1)
        for key in value:
            inside = _Part(f"{part.path}.{key}" if part.path else key, 0, value, key)
            size += counts.of(key)[1] + 1 + _measured(inside, parts, counts)
        return size
    return tokens(encode(value))


def _length(part: _Part) -> int:
    return len(part.holder[part.key])
