"""Requests that any of many results fulfil: some titles, three random numbers, a piece of advice.

    {"from": ["search_advice slips[].advice", "random_advice advice"], "count": 3}

At least `count` different values that the model's own calls returned there must stand in the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolyard.benchmarks.tooleyes.checks.answer_layout import Passage
from toolyard.benchmarks.tooleyes.checks.fact_checks import StatementVerdict
from toolyard.benchmarks.tooleyes.checks.fact_values import Value, value_of
from toolyard.benchmarks.tooleyes.checks.polarity import denied
from toolyard.core.types import JsonValue

SAMPLE = frozenset({"from", "count"})
MOST_VALUES = 300
_STEP = re.compile(r"([\w-]+)|(\[\])")


@dataclass(frozen=True, slots=True)
class WantedSample:
    """How many different results must be told, and where calls return them: (tool, path with [] for every item)."""

    sources: tuple[tuple[str, str], ...]
    count: int

    def verdict(self, own: Sequence[tuple[str, JsonValue]], said: Sequence[Passage]) -> StatementVerdict:
        """Whether the answer tells enough of what the model's own calls returned."""
        values = dict.fromkeys(_returned(self.sources, own))
        stated = sum(_is_stated(value, said) for value in list(values)[:MOST_VALUES])
        if stated >= self.count:
            return StatementVerdict(True)
        return StatementVerdict(
            False, f"the answer tells {stated} of {len(values)} results, wanted are {self.count}"
        )


def _returned(sources: Sequence[tuple[str, str]], own: Sequence[tuple[str, JsonValue]]) -> Iterator[Value]:
    for tool, result in own:
        for name, path in sources:
            if name == tool:
                for leaf in _at(result, [found[0] or found[1] for found in _STEP.findall(path)]):
                    value = value_of(leaf) if isinstance(leaf, str | int | float) else None
                    if value is not None:
                        yield value


def _at(value: JsonValue, steps: Sequence[str]) -> Iterator[JsonValue]:
    if not steps:
        yield value
    elif steps[0] == "[]":
        for item in value if isinstance(value, list) else ():
            yield from _at(item, steps[1:])
    elif isinstance(value, Mapping) and steps[0] in value:
        yield from _at(value[steps[0]], steps[1:])


def _is_stated(value: Value, said: Sequence[Passage]) -> bool:
    return any(not denied(passage.text, spot) for passage in said for spot in value.spots(passage.text))


def sample_of(written: object) -> WantedSample | None:
    """The sample that data stand for; None where they do not."""
    if not isinstance(written, Mapping) or set(written) != SAMPLE or not isinstance(written["count"], int):
        return None
    sources = [str(each).partition(" ") for each in written["from"] or ()]
    if not sources or written["count"] < 1:
        return None
    return WantedSample(tuple((tool, path) for tool, _, path in sources), written["count"])
