"""References to earlier observations: `0.results[0].id` is a field of what the first call returned."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from toolyard.core.types import Failure, JsonValue

# Nobody counts beyond nine digits, and Python refuses to read thousands of them.
PLACE = re.compile(r"\{(\d{1,9}(?:\.[\w-]+|\[-?\d{1,9}\])*)\}")
REFERENCE = re.compile(r"\d{1,9}(?:\.[\w-]+|\[-?\d{1,9}\])*")
_STEP = re.compile(r"\.([\w-]+)|\[(-?\d{1,9})\]|^(\d{1,9})")


def look_up(reference: str, observations: Sequence[Any]) -> Any | Failure:
    """What a reference points to, or why it points to nothing."""
    steps = _steps_of(reference)
    if steps is None:
        return Failure("not_found", f"{reference!r} is no reference such as 0.results[0].id")
    value: Any = observations
    for name, place, first in steps:
        if name:
            found = isinstance(value, Mapping) and name in value
            value = value[name] if found else None
        else:
            index = int(place or first)
            found = isinstance(value, Sequence) and not isinstance(value, str) and index < len(value)
            found = found and index >= -len(value)
            value = value[index] if found else None
        if not found:
            return Failure("not_found", f"nothing at {name or place or first!r} of {reference!r}")
    return value


@lru_cache(maxsize=4096)
def _steps_of(reference: str) -> tuple[tuple[str, str, str], ...] | None:
    """The steps of a reference: a name, a place in a list, or the place of the observation; None where it is none."""
    return tuple(_STEP.findall(reference)) if REFERENCE.fullmatch(reference) else None


def is_reference(value: JsonValue) -> bool:
    """Whether a planned argument stands for something that only an observation says."""
    return isinstance(value, Mapping) and set(value) == {"$"} and isinstance(value["$"], str)


def is_choice(value: JsonValue) -> bool:
    """Whether a planned argument may be any of several values; the first is the one that is used."""
    return isinstance(value, Mapping) and set(value) == {"any_of"} and bool(value["any_of"])


def filled(value: Any, observations: Sequence[Any]) -> Any | Failure:
    """A planned argument with references looked up, at any depth."""
    if is_reference(value):
        return look_up(value["$"], observations)
    if is_choice(value):
        return filled(value["any_of"][0], observations)
    if isinstance(value, Mapping):
        return _all({key: filled(item, observations) for key, item in value.items()}, dict)
    if isinstance(value, list):
        return _all(dict(enumerate(filled(item, observations) for item in value)), _values)
    return value


def _all(parts: Mapping[object, object], build: Callable[[Mapping[Any, Any]], Any]) -> object | Failure:
    return next((part for part in parts.values() if isinstance(part, Failure)), None) or build(parts)


def _values(parts: Mapping[JsonValue, JsonValue]) -> list[JsonValue]:
    return list(parts.values())


def fill_text(template: str, observations: Sequence[object]) -> str | Failure:
    """An answer's template with every `{0.field}` replaced by what it points to."""
    problems: list[Failure] = []

    def put(place: re.Match[str]) -> str:
        value = look_up(place.group(1), observations)
        if isinstance(value, Failure):
            problems.append(value)
            return ""
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    text = PLACE.sub(put, template)
    return problems[0] if problems else text
