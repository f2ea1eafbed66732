"""The day that a dialogue takes place on, moved where nothing that is said contradicts it.

Corpora speak of January 2024 (`sgd_calendar`), all of them from one day; a model that always sees the same "today"
learns the dates by heart instead of counting.

    no date is said, only "tomorrow"      today and all stored days move together
    dates are said, nothing is relative   today is any day up to the first of them
    both                                  everything stays
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from toolyard.benchmarks.mtu.synth.corpora.sgd_calendar import TODAY
from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import StandardCall, StandardTurn
from toolyard.text.dates import MONTH_NAMES, WEEKDAY_NAMES

FIRST = date.fromisoformat(TODAY)
FARTHEST = 20
_ISO = re.compile(r"\b2024-01-(\d\d)\b")
_SAID = re.compile(
    rf"\b(?:{'|'.join(MONTH_NAMES)}|jan|feb|mar)\b|\b\d{{1,2}}(?:st|nd|rd|th)\b|\b\d{{1,2}}/\d{{1,2}}\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    rf"\b(?:today|tonight|tomorrow|day after|next|this (?:week|month|morning|evening|afternoon)|weekend|now|"
    rf"{'|'.join(WEEKDAY_NAMES)})\b",
    re.IGNORECASE,
)


def moved(turns: Sequence[StandardTurn], rng: random.Random) -> tuple[tuple[StandardTurn, ...], date]:
    """The turns and their day."""
    words = " ".join(text for turn in turns for text in (turn.user, turn.assistant))
    values = " ".join(str((call.arguments, call.observation)) for turn in turns for call in turn.calls)
    days = [int(found) for found in _ISO.findall(f"{words} {values}")]
    said = _SAID.search(words) is not None or _ISO.search(words) is not None
    relative = _RELATIVE.search(words) is not None
    if not days and not said:
        return tuple(turns), FIRST + timedelta(days=rng.randrange(FARTHEST + 1))
    if said and relative:
        return tuple(turns), FIRST
    if said:
        return tuple(turns), FIRST + timedelta(days=rng.randrange(max(1, min(days, default=FARTHEST))))
    step = rng.randrange(max(1, min(FARTHEST, 31 - max(days))))
    return tuple(_later(turn, step) for turn in turns), FIRST + timedelta(days=step)


def _later(turn: StandardTurn, days: int) -> StandardTurn:
    return replace(turn, calls=tuple(_later_call(call, days) for call in turn.calls))


def _later_call(call: StandardCall, days: int) -> StandardCall:
    arguments = {name: _later_value(value, days) for name, value in call.arguments.items()}
    return replace(call, arguments=arguments, returned=_later_value(call.observation, days))


def _later_value(value: object, days: int) -> object:
    if isinstance(value, str):
        return _ISO.sub(lambda found: f"2024-01-{int(found[1]) + days:02}", value)
    if isinstance(value, Mapping):
        return {name: _later_value(each, days) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_later_value(each, days) for each in value]
    return value
