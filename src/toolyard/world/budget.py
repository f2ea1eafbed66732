"""Results as text that fits a token budget, and says so when something had to be left out."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import orjson

from toolyard.core.types import Json

# Upper-bound pieces of common byte-pair vocabularies: short runs of letters, up to three digits, one sign.
_PIECE = re.compile(r"\s?[A-Za-z]{1,6}|\d{1,3}|[^\sA-Za-z\d]|\s+")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A result as text and as data, after cutting."""

    text: str
    value: Json


def encode(value: Json) -> str:
    """Compact JSON; what orjson refuses (huge integers, lone surrogates) is still written."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "replace").decode()


def tokens(text: str) -> int:
    """An estimate of tokens that rather says too many."""
    return sum(1 for _ in _PIECE.finditer(text))


def render(value: Json, budget: int) -> Rendered:
    """The value within the budget: longest lists lose their tails first, then longest strings."""
    text = encode(value)
    if len(text) <= budget or tokens(text) <= budget:
        return Rendered(text, json.loads(text))
    value = json.loads(text)
    cuts: list[Json] = []
    for _ in range(12):
        if not _shorten(value, budget - 60, cuts):
            break
        marked = _marked(value, cuts)
        text = encode(marked)
        if tokens(text) <= budget:
            return Rendered(text, marked)
    # The cut text is JSON inside a JSON string: its quotes are escaped, hence a third.
    last = {
        "cut": [{"path": "", "note": "result too long, only its beginning is shown"}],
        "text": text[: budget // 3],
    }
    return Rendered(encode(last), last)


def _marked(value: Json, cuts: list[Json]) -> Json:
    note = {"cut": cuts}
    return (
        {**value, **note} if isinstance(value, dict) else [*value, note] if isinstance(value, list) else value
    )


@dataclass(slots=True)
class _Part:
    path: str
    size: int
    holder: Any
    key: Any


def _shorten(value: Json, budget: int, cuts: list[Json]) -> bool:
    """Cuts the largest list (or string) in place as far as needed; False when nothing can be cut."""
    holder = {"": value}
    parts = [part for part in _parts(holder, "", value, "") if _length(part) > (1 if _is_list(part) else 200)]
    lists = [part for part in parts if _is_list(part)]
    target = max(lists or parts, key=lambda part: part.size, default=None)
    if target is None or (target.holder is holder and not _is_list(target)):
        return False
    whole = target.holder[target.key]
    others = tokens(encode(value)) - target.size
    keep = _fitting(whole, budget - others)
    cuts.append({"path": target.path, "kept": keep, "omitted": len(whole) - keep})
    if isinstance(whole, list):
        del whole[keep:]
    else:
        target.holder[target.key] = whole[:keep] + "…"
    return True


def _fitting(whole: Any, budget: int) -> int:
    low, high = (1, len(whole) - 1) if isinstance(whole, list) else (100, len(whole) - 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens(encode(whole[:middle])) <= budget else (low, middle - 1)
    return low


def _parts(holder: Any, key: Any, value: Json, path: str) -> list[_Part]:
    if isinstance(value, str):
        return [_Part(path, tokens(value), holder, key)]
    if isinstance(value, list):
        inner = [part for i, item in enumerate(value) for part in _parts(value, i, item, f"{path}[{i}]")]
        return [_Part(path, tokens(encode(value)), holder, key), *inner]
    if isinstance(value, dict):
        return [
            part for k, item in value.items() for part in _parts(value, k, item, f"{path}.{k}" if path else k)
        ]
    return []


def _length(part: _Part) -> int:
    return len(part.holder[part.key])


def _is_list(part: _Part) -> bool:
    return isinstance(part.holder[part.key], list)
