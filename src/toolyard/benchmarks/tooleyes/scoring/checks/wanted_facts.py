"""What a query's data want from an answer, before it is known what the world says.

    {"value": {"$": "0.current.temperature_c"}, "of": ["Paris"], "unit": "celsius"}      a quantity: a unit that pint knows
    {"value": {"$": "0.price"}, "unit": "USD", "digits": 2}                              money: a code that babel knows
    {"value": ["Whit Monday", {"$": "0[0].name"}]}                                       any of these
    {"decide": true, "yes": ["change planes"], "no": ["non-stop", "direct"]}
    {"choose": "Lima", "among": ["Madrid"], "more": ["warmer"], "less": ["cooler"],
     "if": {"$": "0.temp"}, "over": {"$": "1.temp"}}                  the other way round where this does not hold
    {"from": ["search_advice slips[].advice"], "count": 3}            at least so many of what the model's own calls returned

`{"$": "0.city"}` points into what the plan's first call returned when it was played in the world of the episode, so
that a check stays true under every seed. `as` says as what it is read, `find` takes a part of a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeAlias, TypeVar

from toolyard.benchmarks.tooleyes.data.references import (
    field_of,
    item_references,
    list_item,
    look_up,
    tied_references,
)
from toolyard.benchmarks.tooleyes.scoring.checks.decisions import (
    COMPARISON,
    ComparedValues,
    OneOfSeveral,
    YesOrNo,
    find_reference,
    read_comparison,
)
from toolyard.benchmarks.tooleyes.scoring.checks.fact_verdicts import Fact, StatementVerdict, is_denied
from toolyard.benchmarks.tooleyes.scoring.checks.passages import Passage, fold_letters
from toolyard.benchmarks.tooleyes.scoring.checks.quantities import (
    DIGITS,
    find_durations,
    unit_of_field,
    written_numbers,
)
from toolyard.benchmarks.tooleyes.scoring.checks.stated_days import TODAY, named_days
from toolyard.benchmarks.tooleyes.scoring.checks.stated_values import (
    Clock,
    Day,
    Month,
    Name,
    Number,
    Value,
    to_value,
)
from toolyard.core.types import Failure, JsonValue, Record
from toolyard.text.json_values import mapping
from toolyard.text.paraphrase import STOP_WORDS, words_of

FACT = frozenset({"value", "of", "unit", "exact", "digits", "scale", "listing"})
DECISION = frozenset({"decide", "yes", "no", "implied", "said", "denied"}) | COMPARISON
CHOICE = frozenset({"choose", "among", "more", "less", "said", "denied"}) | COMPARISON
POINTER = frozenset({"$", "as", "find"})
READINGS = ("", "text", "number", "date", "time", "month", "duration")
MOST_RIVALS, MOST_VALUES = 40, 300
# What is said of a sum, whatever was added.
_IN_ALL = ("together", "both", "total", "sum", "combined", "altogether", "in all", "makes")
_STEP = re.compile(r"[\w-]+|\[\]")


@dataclass(frozen=True, slots=True)
class Pointer:
    """A place in what the plan's calls returned; `read` says as what, `find` takes a part of a text."""

    path: str
    read: str = ""
    find: str = ""


@dataclass(frozen=True, slots=True)
class Observed:
    """What a tool returned at a path in the model's own episode, for tools whose point is chance."""

    tool: str
    path: str


Source: TypeAlias = Pointer | Observed | Value
Part = TypeVar("Part", bound=Source | str)
Observations: TypeAlias = Sequence[tuple[str, JsonValue]]


@dataclass(frozen=True, slots=True)
class WantedFact:
    """A fact's sources of values, and its labels: texts, or pointers to them."""

    sources: tuple[Source, ...]
    labels: tuple[tuple[str | Pointer, ...], ...] = ()
    unit: str = ""
    digits: int = DIGITS
    scale: float = 1.0
    listing: bool = False

    @property
    def pointers(self) -> tuple[Pointer, ...]:
        """The sources that only the world knows."""
        return tuple(source for source in self.sources if isinstance(source, Pointer))

    @property
    def list_path(self) -> str:
        """The list that its first value is an item of, with the item's field; empty where it is none."""
        item = list_item(next((pointer.path for pointer in self.pointers), ""))
        return f"{item.stem}[]{item.rest}" if item else ""

    def with_each_item(self, observations: Sequence[JsonValue]) -> tuple[WantedFact, ...]:
        """One fact of each item, where it is of every item of a list; else itself alone."""
        counts = [
            len(found) for pointer in self.pointers if (found := _single_references(pointer, observations))
        ]
        if not counts:
            return (self,)
        return tuple(
            replace(
                self,
                sources=tuple(_point_to_item(source, place, observations) for source in self.sources),
                labels=tuple(
                    tuple(_point_to_item(label, place, observations) for label in group)
                    for group in self.labels
                ),
            )
            for place in range(min(counts))
        )

    def resolved(self, reference: Sequence[JsonValue], own: Observations) -> Fact | Failure:
        """The fact with its values, or which place of the plan's results is empty."""
        values: list[Value] = []
        for source in self.sources:
            found = self.values_of(source, reference, own)
            if isinstance(found, Failure):
                return found
            values += found
        values += self._tied_values(reference, own)
        labels = tuple(filter(None, (_label_of_group(group, reference) for group in self.labels)))
        if labels and any(pointer.path.startswith("sum(") for pointer in self.pointers):
            labels = (*labels[:-1], labels[-1] + _IN_ALL)
        # What stands beside the value may also name its subject: the shelf of milk is Dairy, Milk.
        subject = {fold_letters(label) for group in self.labels for label in group if isinstance(label, str)}
        rivals = [rival for source in self.pointers[:1] for rival in self._rivals(source, reference)]
        kept = tuple(
            rival
            for rival in rivals
            if rival not in values
            and not (isinstance(rival, Name) and Name(rival.text) in values)
            and not (isinstance(rival, Name) and fold_letters(rival.text) in subject)
        )
        shown = " or ".join(dict.fromkeys(map(str, values[:3]))) or str(self.sources[0])
        beside = tuple(
            name for source in self.pointers[:1] for name in _smaller_sibling_fields(source.path, reference)
        )
        beside = tuple(
            name for name in beside if not any(name in label for group in labels for label in group)
        )
        column = kept[:MOST_RIVALS] if kept and kept[0].kind == "text" else ()
        return Fact(
            tuple(dict.fromkeys(values)),
            labels,
            kept[:MOST_RIVALS],
            shown,
            self.listing,
            beside=beside,
            roles=self._roles(labels) if column else (),
            column=column,
        )

    def _tied_values(self, reference: Sequence[JsonValue], own: Observations) -> Iterator[Value]:
        """The values of other items that share the largest or smallest rank: each one is right."""
        for pointer in self.pointers:
            for path in tied_references(pointer.path, reference):
                found = self.values_of(replace(pointer, path=path), reference, own)
                yield from () if isinstance(found, Failure) else found

    def _roles(self, labels: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """The labels that tell a name from others of its column: neither small words nor the column's own name.

        A label that is another value of the world is no role: both names stand in one clause.
        """
        if any(isinstance(label, Pointer) for group in self.labels for label in group):
            return ()
        column = words_of(field_of(self.pointers[0].path).replace("_", " ")) if self.pointers else ()
        return tuple(
            label
            for label in (labels[0] if len(labels) == 1 else ())
            if not STOP_WORDS.union(column).issuperset(words_of(label))
        )

    def values_of(
        self, source: Source, reference: Sequence[JsonValue], own: Observations
    ) -> list[Value] | Failure:
        """The values that one source stands for."""
        if isinstance(source, Observed):
            path = (
                f"0.{source.path}" if source.path and not source.path.startswith("[") else f"0{source.path}"
            )
            seen = (look_up(path, [value]) for tool, value in own if tool == source.tool)
            return [
                value
                for each in seen
                if isinstance(each, str | int | float) and (value := to_value(each)) is not None
            ]
        if not isinstance(source, Pointer):
            return [source]
        found = find_reference({"$": source.path, "find": source.find}, reference)
        return found if isinstance(found, Failure) else self._read(source, found)

    def _read(self, source: Pointer, found: JsonValue) -> list[Value] | Failure:
        """A found thing as its kind; a number of a scale ("millions") also in full."""
        if isinstance(found, list | tuple) and found:
            found = found[0]
        value: Value | None = None
        unit = self.unit or ("" if source.read or self.scale != 1.0 else unit_of_field(field_of(source.path)))
        if source.read == "month":
            value = Month(int(str(found)[:4]), int(str(found)[5:7]))
        elif source.read == "date" and (named := named_days(str(found))) and named[0].month and named[0].day:
            value = Day(date(named[0].year or TODAY.year, named[0].month, named[0].day))
        elif source.read == "text":
            value = Name(str(found))
        elif source.read == "duration" and isinstance(found, str):
            value = next(
                (Number(seconds, "second", self.digits) for _, _, seconds, _ in find_durations(found)), None
            )
        elif source.read == "number" and isinstance(found, str):
            numbers = written_numbers(found)
            value = Number(numbers[0].readings[0][0], self.unit, self.digits) if numbers else None
        else:
            value = to_value(found, "time" if source.read == "time" else unit, self.digits)
        if value is None:
            return Failure("not_found", f"nothing to read as {source.read or 'a value'} at {source.path!r}")
        if isinstance(value, Number) and self.scale != 1.0:
            return [value, replace(value, number=value.number * self.scale)]
        return [value]

    def _rivals(self, source: Pointer, reference: Sequence[JsonValue]) -> Iterator[Value]:
        """What stands at the same place of the list's other items."""
        item = list_item(source.path)
        items = look_up(item.stem, reference) if item else None
        for place in range(len(items)) if item and isinstance(items, list) else ():
            path = f"{item.stem}[{place}]{item.rest}" if item else ""
            values = self.values_of(replace(source, path=path), reference, ()) if path != source.path else []
            if values and not isinstance(values, Failure):
                yield replace(values[0], strict=True) if isinstance(values[0], Name | Number) else values[0]


def _smaller_sibling_fields(path: str, reference: Sequence[JsonValue]) -> Iterator[str]:
    """The smaller numbers of the record that a number stands in, by their names: assists beside goals.

    Larger ones may be what is counted: 57 of 82 games.
    """
    record, point, own = path.rpartition(".")
    fields: Record = mapping(look_up(record, reference) if point and own.isidentifier() else None)
    number = fields.get(own)
    if not isinstance(number, int | float):
        return
    for name, value in fields.items():
        if isinstance(value, int | float) and value < number and name.isalpha() and name.islower():
            yield name


def _single_references(pointer: Pointer, observations: Sequence[JsonValue]) -> tuple[str, ...]:
    """The references to single items of a pointer to every item; none where it is another one."""
    found = item_references(pointer.path, observations)
    return () if isinstance(found, Failure) or found == (pointer.path,) else found


def _point_to_item(part: Part, place: int, observations: Sequence[JsonValue]) -> Part:
    """A source or label with that item instead of every one."""
    items = _single_references(part, observations) if isinstance(part, Pointer) else ()
    return replace(part, path=items[place]) if isinstance(part, Pointer) and place < len(items) else part


def _label_of_group(group: Sequence[str | Pointer], reference: Sequence[JsonValue]) -> tuple[str, ...]:
    found = (look_up(label.path, reference) if isinstance(label, Pointer) else label for label in group)
    every = (each for one in found for each in (one if isinstance(one, list) else (one,)))
    return tuple(str(each) for each in every if isinstance(each, str | int | float))


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
            return replace(
                self.decision, answer=self.decision.answer == bool(holds), said=said, denied=denied
            )
        if holds is None:
            return Failure("not_found", "both sides are equal, so that none can be chosen")
        sides = _label_of_group(self.chosen, reference), _label_of_group(self.others, reference)
        chosen, others = sides if holds else sides[::-1]
        return OneOfSeveral(
            chosen, tuple(name for name in others if name not in chosen), self.more, self.less, said, denied
        )


@dataclass(frozen=True, slots=True)
class WantedSample:
    """How many different results must be told, and where calls return them: (tool, path with [] for every item)."""

    sources: tuple[tuple[str, str], ...]
    count: int

    def verdict(
        self, own: Observations, said: Sequence[Passage], plan: Observations = ()
    ) -> StatementVerdict:
        """Whether the answer tells enough of what the model's own calls returned; all, where the plan found fewer."""
        values = list(dict.fromkeys(self._returned_values(own)))
        wanted = min(self.count, len(set(self._returned_values(plan))) or self.count)
        stated = sum(
            any(not is_denied(passage.text, spot) for passage in said for spot in value.spots(passage.text))
            for value in values[:MOST_VALUES]
        )
        reason = f"the answer tells {stated} of {len(values)} results, wanted are {wanted}"
        return StatementVerdict(stated >= wanted, reason)

    def _returned_values(self, own: Observations) -> Iterator[Value]:
        for tool, result in own:
            for path in (path for name, path in self.sources if name == tool):
                for leaf in _values_at_path(result, _STEP.findall(path)):
                    value = to_value(leaf) if isinstance(leaf, str | int | float) else None
                    if value is not None:
                        yield value


def _values_at_path(value: JsonValue, steps: Sequence[str]) -> Iterator[JsonValue]:
    if not steps:
        yield value
    elif steps[0] == "[]":
        for item in value if isinstance(value, list) else ():
            yield from _values_at_path(item, steps[1:])
    elif isinstance(value, Mapping) and steps[0] in value:
        yield from _values_at_path(value[steps[0]], steps[1:])


def read_wanted_sample(written: object) -> WantedSample | None:
    """The sample that data stand for; None where they do not."""
    if (
        not isinstance(written, Mapping)
        or set(written) != {"from", "count"}
        or not isinstance(written["count"], int)
    ):
        return None
    sources = [str(each).partition(" ") for each in written["from"] or ()]
    if not sources or written["count"] < 1:
        return None
    return WantedSample(tuple((tool, path) for tool, _, path in sources), written["count"])


def read_wanted_fact(written: JsonValue) -> WantedFact | None:
    """The fact that data stand for: an object with `value`, or its alternatives alone; None where it is none."""
    fields: Record = written if isinstance(written, Mapping) and "value" in written else {"value": written}
    unit, scale, digits = fields.get("unit", ""), fields.get("scale", 1.0), fields.get("digits", DIGITS)
    good = isinstance(unit, str) and isinstance(scale, int | float) and isinstance(digits, int)
    if not set(fields) <= FACT or not good:
        return None
    needed = 0 if fields.get("exact") else digits
    items = fields["value"] if isinstance(fields["value"], list) else [fields["value"]]
    sources = tuple(source for item in items if (source := _read_source(item, unit, needed)) is not None)
    labels = _read_labels(fields.get("of", []))
    if not sources or len(sources) < len(items) or labels is None:
        return None
    return WantedFact(sources, labels, unit, needed, float(scale), bool(fields.get("listing", False)))


def _read_labels(written: JsonValue) -> tuple[tuple[str | Pointer, ...], ...] | None:
    found = []
    for group in written if isinstance(written, list) else [written]:
        labels: list[str | Pointer | None] = []
        for item in group if isinstance(group, list) else [group]:
            labels += _read_phrases(item) or [None] if isinstance(item, str) else [_read_pointer(item)]
        known = tuple(label for label in labels if label is not None)
        if not known or len(known) < len(labels):
            return None
        found.append(known)
    return tuple(found)


def _read_pointer(item: object) -> Pointer | None:
    if not isinstance(item, Mapping) or not isinstance(item.get("$"), str) or not set(item) <= POINTER:
        return None
    return (
        Pointer(item["$"], item.get("as", ""), str(item.get("find", "")))
        if item.get("as", "") in READINGS
        else None
    )


def _read_source(item: object, unit: str, digits: int) -> Source | None:
    if not isinstance(item, Mapping):
        return Name(item.strip()) if isinstance(item, str) and item.strip() else to_value(item, unit, digits)
    if "$" in item:
        return _read_pointer(item)
    if set(item) == {"tool", "path"} and all(isinstance(value, str) for value in item.values()):
        return Observed(item["tool"], item["path"])
    try:
        ((kind, value),) = item.items()
        if kind == "date":
            return Day(date.fromisoformat(value))
        if kind == "month":
            return Month(int(value[:4]), int(value[5:7]))
        if kind == "time":
            hour, minute = map(int, value.split(":"))
            return Clock(hour * 60 + minute)
        return (
            Number(float(value), "second" if kind == "seconds" else unit, digits)
            if kind in ("number", "seconds")
            else None
        )
    except (TypeError, ValueError):
        return None


def read_decision(written: object) -> WantedDecision | None:
    """The decision or choice that data stand for."""
    comparison = read_comparison(written) if isinstance(written, Mapping) else None
    if not isinstance(written, Mapping) or isinstance(comparison, Failure):
        return None
    said, denied = str(written.get("said", "")), str(written.get("denied", ""))
    if set(written) <= DECISION and isinstance(written.get("decide"), bool):
        yes, no = (tuple(_read_phrases(written.get(side, []))) for side in ("yes", "no"))
        decision = YesOrNo(written["decide"], yes, no, bool(written.get("implied", False)))
        return WantedDecision(decision, said=said, denied=denied, comparison=comparison)
    chosen, others = _read_labels([written.get("choose", [])]), _read_labels([written.get("among", [])])
    if not set(written) <= CHOICE or not chosen or not others:
        return None
    more, less = (tuple(_read_phrases(written.get(side, []))) for side in ("more", "less"))
    return WantedDecision(None, chosen[0], others[0], more, less, said, denied, comparison)


def _read_phrases(written: JsonValue) -> list[str]:
    items = written if isinstance(written, list) else [written]
    return [part.strip() for item in items for part in str(item).split("|") if part.strip()]
