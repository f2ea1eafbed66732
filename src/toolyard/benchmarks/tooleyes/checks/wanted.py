"""What a query's data want from an answer, before it is known what the world says.

    {"value": {"$": "0.current.temperature_c"}, "of": ["Paris"], "unit": "celsius"}
    {"value": ["Whit Monday", {"$": "0[0].name"}]}                     any of these
    {"decide": true, "yes": ["change planes"], "no": ["non-stop", "direct"]}
    {"choose": "Lima", "among": ["Madrid"], "more": ["warmer"], "less": ["cooler"],
     "if": {"$": "0.temp"}, "over": {"$": "1.temp"}}                  the other way round where this does not hold

`{"$": "0.city"}` points into what the plan's first call returned when it was played in the world of the episode, so
that a check stays true when the world's tables grow.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, TypeAlias, TypeVar

from toolyard.benchmarks.tooleyes.checks.answer_numbers import written_numbers
from toolyard.benchmarks.tooleyes.checks.comparisons import COMPARISON, ComparedValues, comparison_of
from toolyard.benchmarks.tooleyes.checks.decisions import OneOfSeveral, YesOrNo
from toolyard.benchmarks.tooleyes.checks.fact_checks import Fact
from toolyard.benchmarks.tooleyes.checks.fact_values import (
    Clock,
    Day,
    Duration,
    Month,
    Quantity,
    Value,
    Words,
    value_of,
)
from toolyard.benchmarks.tooleyes.references import list_item, look_up, unfolded
from toolyard.core.types import Failure, JsonValue, Record

FACT = frozenset({"value", "of", "unit", "exact", "within", "scale", "listing"})
DECISION = frozenset({"decide", "yes", "no", "implied", "said", "denied"}) | COMPARISON
CHOICE = frozenset({"choose", "among", "more", "less", "said", "denied"}) | COMPARISON
POINTER = frozenset({"$", "as", "find", "within", "exact"})
READINGS = ("text", "number", "date", "time", "month", "duration")
_SECONDS = {"second": 1.0, "minute": 60.0, "hour": 3600.0}
MOST_RIVALS = 40


@dataclass(frozen=True, slots=True)
class Pointer:
    """A place in what the plan's calls returned; `read` says as what, `find` takes a part of a text."""

    path: str
    read: str = ""
    find: str = ""
    within: float = 0.0
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Observed:
    """What a tool returned at a path in the model's own episode, for tools whose point is chance."""

    tool: str
    path: str


Source: TypeAlias = Pointer | Observed | Quantity | Day | Month | Clock | Duration | Words
Part = TypeVar("Part", bound=Source | str)
Observations: TypeAlias = Sequence[tuple[str, Any]]


@dataclass(frozen=True, slots=True)
class WantedFact:
    """A fact's sources of values, and its labels: texts, or pointers to them."""

    sources: tuple[Source, ...]
    labels: tuple[tuple[str | Pointer, ...], ...] = ()
    unit: str = ""
    exact: bool = False
    within: float = 0.0
    scale: float = 1.0
    listing: bool = False

    @property
    def pointers(self) -> tuple[Pointer, ...]:
        """The sources that only the world knows."""
        return tuple(source for source in self.sources if isinstance(source, Pointer))

    @property
    def list_path(self) -> str:
        """The list that its first value is an item of, with the item's field; empty where it is none."""
        path = next((pointer.path for pointer in self.pointers), "")
        item = list_item(path)
        return f"{item.stem}[]{item.rest}" if item else ""

    def unfolded(self, observations: Sequence[JsonValue]) -> tuple[WantedFact, ...]:
        """One fact of each item, where it is of every item of a list; else itself alone."""
        counts = [len(found) for pointer in self.pointers if (found := _items(pointer, observations))]
        if not counts:
            return (self,)
        return tuple(
            replace(
                self,
                sources=tuple(_of_item(source, place, observations) for source in self.sources),
                labels=tuple(
                    tuple(_of_item(label, place, observations) for label in group) for group in self.labels
                ),
            )
            for place in range(min(counts))
        )

    def resolved(self, reference: Sequence[JsonValue], own: Observations) -> Fact | Failure:
        """The fact with its values, or which place of the plan's results is empty."""
        values: list[Value] = []
        for source in self.sources:
            found = self._values(source, reference, own)
            if isinstance(found, Failure):
                return found
            values += found
        labels = tuple(filter(None, (_label(group, reference) for group in self.labels)))
        rivals = tuple(
            rival
            for source in self.pointers[:1]
            for rival in self._rivals(source, reference)
            if rival not in values and not (isinstance(rival, Words) and Words(rival.text) in values)
        )
        return Fact(
            tuple(dict.fromkeys(values)),
            labels,
            rivals[:MOST_RIVALS],
            shown(values, self.sources),
            self.listing,
        )

    def _values(self, source: Source, reference: Sequence[Any], own: Observations) -> list[Value] | Failure:
        if isinstance(source, Observed):
            return _observed(source, own)
        if not isinstance(source, Pointer):
            return [source]
        found = look_up(source.path, reference)
        if isinstance(found, Failure):
            return found
        return self._read(source, found)

    def _read(self, source: Pointer, found: JsonValue) -> list[Value] | Failure:
        if source.find:
            part = re.search(source.find, str(found), re.DOTALL)
            if part is None:
                return Failure("not_found", f"nothing like {source.find!r} at {source.path!r}")
            found = part.group(1) if part.groups() else part.group()
        within = max(source.within, self.within)
        exact = source.exact or self.exact
        if source.read == "month":
            return [Month(int(str(found)[:4]), int(str(found)[5:7]))]
        if source.read == "duration" and isinstance(found, str):
            return _duration(found, source.path)
        if source.read == "number" and isinstance(found, str):
            numbers = written_numbers(found)
            if not numbers:
                return Failure("not_found", f"no number at {source.path!r}")
            return [Quantity(numbers[0].values[0], self.unit or numbers[0].unit, within, exact)]
        if isinstance(found, int | float) and not isinstance(found, bool) and source.read != "text":
            return self._numbers(float(found), within, exact)
        if isinstance(found, list | tuple) and found:
            found = found[0]
        if source.read == "text":
            return [Words(str(found))]
        value = value_of(str(found), "time" if source.read == "time" else "")
        return [value] if value is not None else Failure("not_found", f"{source.path!r} is empty")

    def _numbers(self, number: float, within: float, exact: bool) -> list[Value]:
        numbers: list[Value] = [Quantity(number, self.unit, within, exact)]
        if self.unit in _SECONDS:
            numbers.append(Duration(number * _SECONDS[self.unit]))
        if self.scale != 1.0:
            numbers.append(Quantity(number * self.scale, self.unit, within * self.scale, exact))
        return numbers

    def _rivals(self, source: Pointer, reference: Sequence[object]) -> list[Value]:
        """What stands at the same place of the list's other items."""
        item = list_item(source.path)
        items = look_up(item.stem, reference) if item else None
        if item is None or not isinstance(items, list):
            return []
        rivals: list[Value] = []
        for place in range(len(items)):
            path = f"{item.stem}[{place}]{item.rest}"
            found = look_up(path, reference)
            if path == source.path or isinstance(found, Failure):
                continue
            values = self._read(source, found)
            if not isinstance(values, Failure):
                rivals += [
                    replace(value, strict=True) if isinstance(value, Words) else value for value in values[:1]
                ]
        return rivals


def _items(pointer: Pointer, observations: Sequence[JsonValue]) -> tuple[str, ...]:
    """The references to single items of a pointer to every item; none where it is another one."""
    found = unfolded(pointer.path, observations)
    return () if isinstance(found, Failure) or found == (pointer.path,) else found


def _of_item(part: Part, place: int, observations: Sequence[JsonValue]) -> Part:
    """A source or label with that item instead of every one."""
    items = _items(part, observations) if isinstance(part, Pointer) else ()
    return replace(part, path=items[place]) if isinstance(part, Pointer) and place < len(items) else part


@dataclass(frozen=True, slots=True)
class WantedDecision:
    """A decision, or a choice whose names may be pointers."""

    decision: YesOrNo | None = None
    chosen: tuple[str | Pointer, ...] = ()
    others: tuple[str | Pointer, ...] = ()
    more: tuple[str, ...] = ()
    less: tuple[str, ...] = ()
    said: str = ""
    denied: str = ""
    comparison: ComparedValues | None = None

    def resolved(self, reference: Sequence[JsonValue]) -> YesOrNo | OneOfSeveral | Failure:
        """The decision or choice with its names, turned round where its comparison does not hold."""
        holds = self.comparison.holds(reference) if self.comparison else True
        if isinstance(holds, Failure):
            return holds
        said, denied = (self.said, self.denied) if holds else (self.denied, self.said)
        if self.decision is not None:
            right = self.decision.answer == bool(holds)
            return replace(self.decision, answer=right, said=said, denied=denied)
        if holds is None:
            return Failure("not_found", "both sides are equal, so that none can be chosen")
        sides = _label(self.chosen, reference), _label(self.others, reference)
        chosen, others = sides if holds else sides[::-1]
        others = tuple(name for name in others if name not in chosen)
        return OneOfSeveral(chosen, others, self.more, self.less, said, denied)


def _observed(wanted: Observed, own: Observations) -> list[Value]:
    reference = f"0.{wanted.path}" if wanted.path and not wanted.path.startswith("[") else f"0{wanted.path}"
    found = (look_up(reference, [value]) for tool, value in own if tool == wanted.tool)
    values = (value_of(each) for each in found if isinstance(each, str | int | float))
    return [value for value in values if value is not None]


def _label(group: Sequence[str | Pointer], reference: Sequence[JsonValue]) -> tuple[str, ...]:
    texts = []
    for label in group:
        found = look_up(label.path, reference) if isinstance(label, Pointer) else label
        if isinstance(found, str | int | float):
            texts.append(str(found))
    return tuple(texts)


_CLOCK = re.compile(r"\d{1,6}(?::\d{1,2}){0,2}(?:\.\d+)?")


def _duration(text: str, path: str) -> list[Value] | Failure:
    """Hours, minutes and seconds with colons between them."""
    if not _CLOCK.fullmatch(text.strip()):
        return Failure("not_found", f"no duration such as 1:24.3 at {path!r}")
    total = 0.0
    for part in text.split(":"):
        total = total * 60 + float(part)
    return [Duration(total)]


def shown(values: Sequence[Value], sources: Sequence[Source]) -> str:
    """A fact in words, for reasons."""
    if not values:
        first = sources[0] if sources else ""
        return f"what {first.tool} returned as {first.path}" if isinstance(first, Observed) else str(first)
    return " or ".join(dict.fromkeys(map(_said, values[:3])))


def _said(value: Value) -> str:
    if isinstance(value, Quantity):
        return f"{value.number:.10g}" + (f" {value.unit}" if value.unit else "")
    if isinstance(value, Day):
        return value.day.isoformat()
    if isinstance(value, Clock):
        return f"{value.minutes // 60:02d}:{value.minutes % 60:02d}"
    if isinstance(value, Duration):
        return f"{value.seconds:g} s"
    return f"{value.year}-{value.month:02d}" if isinstance(value, Month) else repr(value.text)


def fact_of(written: JsonValue) -> WantedFact | None:
    """The fact that data stand for: an object with `value`, or its alternatives alone; None where it is none."""
    fields: Record = written if isinstance(written, Mapping) and "value" in written else {"value": written}
    numbers = [fields.get("within", 0.0), fields.get("scale", 1.0)]
    if not set(fields) <= FACT or not all(isinstance(number, int | float) for number in numbers):
        return None
    unit = fields.get("unit", "")
    items = fields["value"] if isinstance(fields["value"], list) else [fields["value"]]
    sources = [_source(item, str(unit), fields) for item in items]
    labels = _labels(fields.get("of", []))
    if (
        not sources
        or any(source is None for source in sources)
        or labels is None
        or not isinstance(unit, str)
    ):
        return None
    return WantedFact(
        tuple(source for source in sources if source is not None), labels, unit, bool(fields.get("exact", False)),
        float(fields.get("within", 0.0)), float(fields.get("scale", 1.0)), bool(fields.get("listing", False)),
    )  # fmt: skip


def _labels(written: JsonValue) -> tuple[tuple[str | Pointer, ...], ...] | None:
    groups = written if isinstance(written, list) else [written]
    found = []
    for group in groups:
        items = group if isinstance(group, list) else [group]
        labels = [label for item in items for label in _names(item)]
        if any(label is None for label in labels) or not labels:
            return None
        found.append(tuple(label for label in labels if label is not None))
    return tuple(found)


def _names(item: JsonValue) -> list[str | Pointer | None]:
    if isinstance(item, str):
        return [part.strip() for part in item.split("|") if part.strip()] or [None]
    pointer = _pointer(item) if isinstance(item, Mapping) else None
    return [pointer]


def _pointer(item: Record) -> Pointer | None:
    if "$" not in item or not set(item) <= POINTER or not isinstance(item["$"], str):
        return None
    read = item.get("as", "")
    if read not in ("", *READINGS) or not isinstance(item.get("within", 0.0), int | float):
        return None
    return Pointer(
        item["$"],
        read,
        str(item.get("find", "")),
        float(item.get("within", 0.0)),
        bool(item.get("exact", False)),
    )


def _source(item: object, unit: str, fields: Record) -> Source | None:
    if isinstance(item, bool) or item is None:
        return None
    if isinstance(item, int | float):
        return Quantity(float(item), unit, float(fields.get("within", 0.0)), bool(fields.get("exact", False)))
    if isinstance(item, str):
        return Words(item.strip()) if item.strip() else None
    if not isinstance(item, Mapping):
        return None
    if "$" in item:
        return _pointer(item)
    if set(item) == {"tool", "path"} and all(isinstance(value, str) for value in item.values()):
        return Observed(item["tool"], item["path"])
    return _literal(item, unit)


def _literal(item: Record, unit: str) -> Source | None:
    try:
        if set(item) <= {"number", "within"} and "number" in item:
            return Quantity(float(item["number"]), unit, float(item.get("within", 0.0)))
        if set(item) == {"date"}:
            return Day(date.fromisoformat(item["date"]))
        if set(item) == {"month"}:
            return Month(int(item["month"][:4]), int(item["month"][5:7]))
        if set(item) == {"time"}:
            hour, minute = map(int, item["time"].split(":"))
            return Clock(hour * 60 + minute)
        if set(item) == {"seconds"}:
            return Duration(float(item["seconds"]))
    except (TypeError, ValueError):
        return None
    return None


def decision_of(written: object) -> WantedDecision | None:
    """The decision or choice that data stand for."""
    if not isinstance(written, Mapping):
        return None
    comparison = comparison_of(written)
    if isinstance(comparison, Failure):
        return None
    said, denied = str(written.get("said", "")), str(written.get("denied", ""))
    if set(written) <= DECISION and isinstance(written.get("decide"), bool):
        yes, no = _phrases(written.get("yes", [])), _phrases(written.get("no", []))
        decision = YesOrNo(written["decide"], yes, no, bool(written.get("implied", False)))
        return WantedDecision(decision, said=said, denied=denied, comparison=comparison)
    if not set(written) <= CHOICE or "choose" not in written:
        return None
    chosen, others = _labels([written["choose"]]), _labels([written.get("among", [])])
    if not chosen or not others:
        return None
    more, less = _phrases(written.get("more", [])), _phrases(written.get("less", []))
    return WantedDecision(None, chosen[0], others[0], more, less, said, denied, comparison)


def _phrases(written: JsonValue) -> tuple[str, ...]:
    items = written if isinstance(written, list) else [written]
    return tuple(part.strip() for item in items for part in str(item).split("|") if part.strip())
