"""Labelled answers to ToolEyes questions: which of them still count, and their text with the world's figures.

    {"query": ..., "right": false, "answer": "Paris {1.current.temperature_c}, London {0.current.temperature_c}",
     "gold": "Paris has {0.current.temperature_c} degrees, ...",
     "while": [["0.current.temperature_c", "!=", "1.current.temperature_c"]]}

A slot is a place in what the plan's calls returned; sums may follow it (`{0.minutes // 60}`, `{0.price * 1.1}`) and,
after a colon, a format of Python's (`{0.total:,}`, `{0.day:%d %B}`). `gold` is the gold answer at the time of the
label, or its template where the answer follows the world. `while` says what the label rests on besides: places that
differ (`!=`), of which the first is larger (`>`), or that still hold a text (`=`).
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time
from pathlib import Path
from typing import Any

from toolyard.benchmarks.tooleyes.data.references import look_up
from toolyard.core.types import Failure

_SLOT = re.compile(
    r"\{(\d+(?:\.[\w-]+|\[\d+\])*)"  # a place in the results
    r"((?: (?:\+|-|\*|//|/|%) -?[\d.]+)*)"  # sums
    r"(?::([^{}]*))?\}"  # a format
)
_SUM = re.compile(r" (\+|-|\*|//|/|%) (-?[\d.]+)")


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """An answer, whether a person calls it right, and what that rests on."""

    query: str
    right: bool
    answer: str
    gold: str
    conditions: tuple[tuple[str, str, str], ...] = ()

    def current(self, template: str, gold: str, results: Sequence[Any]) -> bool:
        """Whether the label still holds in the world that gave these results."""
        return self.gold in (template, gold) and all(_holds(*each, results) for each in self.conditions)

    def text(self, results: Sequence[Any]) -> str:
        """The answer with its slots filled."""
        return _SLOT.sub(
            lambda slot: _filled(slot.group(1), slot.group(2), slot.group(3) or "", results), self.answer
        )


def labelled_answers(path: Path) -> tuple[LabelledAnswer, ...]:
    """All rows of a file."""
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(
        LabelledAnswer(
            row["query"], row["right"], row["answer"], row["gold"], tuple(map(tuple, row.get("while", ())))
        )
        for row in rows
    )


def _holds(place: str, relation: str, other: str, results: Sequence[Any]) -> bool:
    found = look_up(place, results)
    if isinstance(found, Failure):
        return False
    if relation == "=":
        return str(found) == other
    against = look_up(other, results)
    return bool(found > against if relation == ">" else found != against)


def _filled(place: str, sums: str, form: str, results: Sequence[Any]) -> str:
    value = look_up(place, results)
    assert not isinstance(value, Failure), value.detail
    for sign, number in _SUM.findall(sums):
        value = _reckoned(float(value), sign, float(number))
    if isinstance(value, str) and "%" in form:
        return f"{_moment(value):{form}}"
    return format(value, form) if form else str(_plain(value) if sums else value)


def _reckoned(value: float, sign: str, number: float) -> float:
    if sign in "+-":
        return value + number if sign == "+" else value - number
    if sign == "*":
        return value * number
    return {"/": value / number, "//": value // number, "%": value % number}[sign]


def _plain(value: float) -> float:
    """Without the tail of a sum in binary, and whole where it is."""
    rounded = round(value, 6)
    return int(rounded) if rounded == int(rounded) else rounded


def _moment(text: str) -> datetime | time:
    return time.fromisoformat(text) if re.fullmatch(r"\d\d:\d\d", text) else datetime.fromisoformat(text)
