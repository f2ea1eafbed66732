"""References to earlier observations.

0.results[0].id                             a field of the first item that the first call returned
0.results[name=Kraken].id                   of the item whose name is Kraken; quotes where a value has ] " ' or {
0.results[day=$1.day][kind="a [b]"].price   all conditions hold; $1.day is what another call returned
max_by(0.results, price).name               of the item with the largest price; min_by the smallest; of equals the first
max_by(0.results[kind=new], price).name     among the items of one kind
count(0.results[kind=new])                  how many items
gap(0.price, 1.price)                       how far two numbers are apart; sum(...) of two or more
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias, TypeGuard

from toolyard.core.types import Failure, JsonValue, Record
from toolyard.text.json_values import mapping

_NAME = r"[\w+-]+"
_KEY = rf"{_NAME}(?:\.{_NAME})*"
# Nobody counts beyond nine digits, and Python refuses to read thousands of them.
_FIRST, _ITEM = r"\d{1,9}", r"\[-?\d{1,9}\]"
_VALUE = rf"\"[^\"\n]*\"|'[^'\n]*'|\${_FIRST}(?:\.{_NAME}|{_ITEM})*|[^\]\"'$\n{{}}][^\]\n{{}}]*"
_CONDITIONS = rf"(?:\[{_KEY}=(?:{_VALUE})\])+"
_STEPS = rf"(?:\.{_NAME}|{_ITEM}|{_CONDITIONS})*"
_PATH = rf"{_FIRST}{_STEPS}"
_RANKED = rf"(?:max|min)_by\({_PATH}, ?{_KEY}\){_STEPS}"
_TERM = rf"(?:{_RANKED}|{_PATH})"
_FORMS = rf"{_PATH}\[\]{_STEPS}|{_RANKED}|count\({_PATH}\)|(?:gap|sum)\({_TERM}(?:, ?{_TERM})+\)|{_PATH}"
PLACE = re.compile(rf"\{{({_FORMS})\}}")
# What looks like a place of an answer, whether or not it is a good one.
ATTEMPT = re.compile(r"\{(?:\d{1,9}[.\[}]|(?:max_by|min_by|count|gap|sum)\()")
REFERENCE = re.compile(_FORMS)
_BY = re.compile(rf"(max|min)_by\(({_PATH}), ?({_KEY})\)")
_FUNCTION = re.compile(rf"(count|gap|sum)\(({_TERM}(?:, ?{_TERM})*)\)")
_NEXT_TERM = re.compile(rf"({_TERM})(?:, ?|$)")
_EVERY = re.compile(rf"({_PATH})\[\]({_STEPS})")
_STEP = re.compile(rf"\.({_NAME})|\[(-?\d{{1,9}})\]|({_CONDITIONS})")
_CONDITION = re.compile(rf"\[({_KEY})=({_VALUE})\]")


@dataclass(frozen=True, slots=True)
class FieldStep:
    """A field of an object."""

    name: str

    def into(self, value: JsonValue, observations: Sequence[JsonValue]) -> "JsonValue | Failure":  # noqa: ARG002
        fields = mapping(value)
        return fields[self.name] if self.name in fields else _not_found_failure(self.name)


@dataclass(frozen=True, slots=True)
class ItemStep:
    """An item of a list by its place; `stem` is the reference to the list."""

    place: int
    stem: str = ""

    def into(self, value: JsonValue, observations: Sequence[JsonValue]) -> "JsonValue | Failure":  # noqa: ARG002
        items = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
        found = -len(items) <= self.place < len(items)
        return items[self.place] if found else _not_found_failure(str(self.place))


@dataclass(frozen=True, slots=True)
class PickStep:
    """The first item of a list that fulfils all conditions, or the one that is largest or smallest `by` a field."""

    conditions: tuple[tuple[str, str], ...]
    stem: str
    by: str = ""
    largest: bool = False

    def into(self, value: JsonValue, observations: Sequence[JsonValue]) -> "JsonValue | Failure":
        found = self.matches(value, observations)
        if isinstance(found, Failure) or not self.by:
            return found if isinstance(found, Failure) else found[0]
        ranked = [(rank, item) for item in found if (rank := item_by_key(item, self.by)) is not None]
        if not ranked:
            return _not_found_failure(self.by)
        numbers = [as_number(rank) for rank, _ in ranked]
        ranks: list[Any] = [str(rank) for rank, _ in ranked] if None in numbers else list(numbers)
        best = (max if self.largest else min)(range(len(ranks)), key=ranks.__getitem__)
        return ranked[best][1]

    def matches(self, value: object, observations: Sequence[JsonValue]) -> list[JsonValue] | Failure:
        """All items that fulfil the conditions."""
        wanted = []
        for key, written in self.conditions:
            known = look_up(written[1:], observations) if written.startswith("$") else strip_quotes(written)
            if isinstance(known, Failure):
                return known
            wanted.append((key, known))
        items = value if isinstance(value, list | tuple) else ()
        found = [
            item for item in items if all(_has_value(item_by_key(item, key), known) for key, known in wanted)
        ]
        return found or _not_found_failure(" and ".join(f"{key}={known}" for key, known in wanted))


Step: TypeAlias = FieldStep | ItemStep | PickStep


@dataclass(frozen=True, slots=True)
class ResultPlace:
    """The parts of a reference: its steps, or the paths that a function is applied to."""

    steps: tuple[Step, ...] = ()
    function: str = ""
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListItem:
    """Which item a reference points into: `head` and `rest` are the reference, `stem` points to the item's list."""

    stem: str
    head: str
    rest: str


def _not_found_failure(what: str) -> Failure:
    return Failure("not_found", repr(what))


def item_by_key(item: object, key: str) -> object:
    for name in key.split("."):
        item = item.get(name) if isinstance(item, Mapping) else None
    return item


def strip_quotes(written: str) -> str:
    """A text without the quotes around it."""
    return written[1:-1] if written[0] in "\"'" else written


def _has_value(found: object, wanted: object) -> bool:
    """Whether a field has a value; in a reference all values are texts."""
    if isinstance(found, bool) or found is None:
        return found == wanted or (isinstance(wanted, str) and json.dumps(found) == wanted.lower())
    if isinstance(found, int | float):
        return as_number(wanted) == float(found)
    return str(found) == str(wanted)


def as_number(value: object) -> float | None:
    """The number that a value is or spells; None where it is none."""
    try:
        return None if isinstance(value, bool) else float(str(value).replace(",", ""))
    except ValueError:
        return None


def look_up(reference: str, observations: Sequence[Any]) -> Any | Failure:
    """What a reference points to, or why it points to nothing."""
    parsed = parse(reference)
    if parsed is None:
        return Failure("not_found", f"{reference!r} is no reference such as 0.results[0].id")
    if parsed.function == "every":
        return _every_item(reference, observations)
    if parsed.function:
        return _compute_formula(parsed, observations)
    value: Any = observations
    for step in parsed.steps:
        value = step.into(value, observations)
        if isinstance(value, Failure):
            return Failure("not_found", f"nothing at {value.detail} of {reference!r}")
    return value


def item_references(reference: str, observations: Sequence[JsonValue]) -> tuple[str, ...] | Failure:
    """References to the single items of one to every item; one that names its item stays as it is."""
    parsed = parse(reference)
    if parsed is None or parsed.function != "every":
        return (reference,)
    path, rest = parsed.paths
    steps = (parse(path) or ResultPlace()).steps
    last = steps[-1] if steps else None
    stem = last.stem if isinstance(last, PickStep) else path
    items = look_up(stem, observations)
    if not isinstance(items, list | tuple) or not items:
        return Failure("not_found", f"no items at {stem!r}")
    kept = last.matches(items, observations) if isinstance(last, PickStep) else items
    if isinstance(kept, Failure):
        return Failure("not_found", f"nothing at {kept.detail} of {reference!r}")
    return tuple(
        f"{stem}[{place}]{rest}" for place, item in enumerate(items) if any(item is one for one in kept)
    )


def _every_item(reference: str, observations: Sequence[JsonValue]) -> list[object] | Failure:
    single = item_references(reference, observations)
    if isinstance(single, Failure):
        return single
    found = [look_up(one, observations) for one in single]
    return next((value for value in found if isinstance(value, Failure)), found)


def _compute_formula(parsed: ResultPlace, observations: Sequence[JsonValue]) -> object | Failure:
    if parsed.function == "count":
        return _count_items(parsed.paths[0], observations)
    found = [look_up(path, observations) for path in parsed.paths]
    numbers = [as_number(value) for value in found if not isinstance(value, Failure)]
    known = [number for number in numbers if number is not None]
    if len(known) < len(found):
        return Failure("not_found", f"not all are numbers at {' and '.join(parsed.paths)}")
    computed = round(sum(known) if parsed.function == "sum" else abs(known[0] - known[1]), 9)
    return int(computed) if computed.is_integer() else computed


def _count_items(path: str, observations: Sequence[JsonValue]) -> int | Failure:
    steps = (parse(path) or ResultPlace()).steps
    last = steps[-1] if steps else None
    found = look_up(last.stem if isinstance(last, PickStep) else path, observations)
    if isinstance(last, PickStep) and not isinstance(found, Failure):
        matching = last.matches(found, observations)
        return 0 if isinstance(matching, Failure) else len(matching)
    return len(found) if isinstance(found, list | tuple) else Failure("not_found", f"no list at {path!r}")


@lru_cache(maxsize=4096)
def parse(reference: str) -> ResultPlace | None:
    """The parts of a reference; None where it is none."""
    if not REFERENCE.fullmatch(reference):
        return None
    every = _EVERY.fullmatch(reference)
    if every is not None:
        return ResultPlace(function="every", paths=(every[1], every[2]))
    function = _FUNCTION.fullmatch(reference)
    if function is not None:
        return ResultPlace(function=function[1], paths=tuple(_NEXT_TERM.findall(function[2])))
    return ResultPlace(tuple(step for step, _ in _steps_of_path(reference)))


def _steps_of_path(reference: str) -> Iterator[tuple[Step, int]]:
    """The steps of a path, each with the place where its text ends."""
    by = _BY.match(reference)
    if by is not None:
        *before, (last, _) = _steps_of_path(by[2])
        yield from before
        conditions = last.conditions if isinstance(last, PickStep) else ()
        if not conditions:
            yield last, 0
        stem = last.stem if isinstance(last, PickStep) else by[2]
        yield PickStep(conditions, stem, by[3], by[1] == "max"), by.end()
        start = by.end()
    else:
        first = re.match(_FIRST, reference)
        assert first is not None
        yield ItemStep(int(first[0])), 0
        start = first.end()
    for step in _STEP.finditer(reference, start):
        yield _step_of_match(step, reference[: step.start()]), step.end()


def _step_of_match(found: re.Match[str], stem: str) -> Step:
    if found[1]:
        return FieldStep(found[1])
    if found[2]:
        return ItemStep(int(found[2]), stem)
    return PickStep(tuple(_CONDITION.findall(found[3])), stem)


@lru_cache(maxsize=4096)
def list_item(reference: str) -> ListItem | None:
    """The last item of a list on a reference's way; None where there is none."""
    parsed = parse(reference)
    if parsed is None or parsed.function:
        return None
    for step, end in reversed(list(_steps_of_path(reference))):
        if not isinstance(step, FieldStep) and step.stem and end:
            return ListItem(step.stem, reference[:end], reference[end:])
    return None


def tied_references(
    reference: str, observations: Sequence[JsonValue], fields: re.Pattern[str] | None = None
) -> tuple[str, ...]:
    """References to the other items that share the rank by which one was chosen.

    An item named by its place was chosen by a rank where its list is sorted by one of these fields.
    """
    item = list_item(reference)
    items = look_up(item.stem, observations) if item else None
    chosen = look_up(item.head, observations) if item else None
    if item is None or not isinstance(items, list) or not isinstance(chosen, Mapping):
        return ()
    *_, (step, _) = _steps_of_path(item.head)
    if isinstance(step, PickStep):
        found, keys = step.matches(items, observations), [step.by] if step.by else []
    else:
        found, keys = items, [key for key in _fields_of_item(chosen) if fields and fields.search(key)]
        keys = [key for key in keys if _is_sorted([item_by_key(each, key) for each in items])]
    same = [
        other
        for other in (() if isinstance(found, Failure) else found)
        if keys
        and other is not chosen
        and all(item_by_key(other, key) == item_by_key(chosen, key) for key in keys)
    ]
    return tuple(
        f"{item.stem}[{place}]{item.rest}"
        for place, each in enumerate(items)
        if any(each is one for one in same)
    )


def _fields_of_item(item: Mapping[str, JsonValue]) -> Iterator[str]:
    """The fields of an item, and those of its objects: price.amount."""
    for name, value in item.items():
        yield from (f"{name}.{part}" for part in value) if isinstance(value, Mapping) else (name,)


def _is_sorted(ranks: list[Any]) -> bool:
    same = len({type(rank) for rank in ranks}) == 1 and isinstance(ranks[0], str | int | float)
    return same and sorted(ranks) in (ranks, ranks[::-1])


def field_of(reference: str) -> str:
    """The name of the last field on a reference's way; empty where there is none."""
    steps = (parse(reference) or ResultPlace()).steps
    return next((step.name for step in reversed(steps) if isinstance(step, FieldStep)), "")


def is_computed(reference: str) -> bool:
    """Whether a reference counts, adds or subtracts, so that no tool returns its value."""
    parsed = parse(reference)
    return parsed is not None and parsed.function in ("count", "gap", "sum")


def observed_calls(reference: str) -> tuple[int, ...]:
    """The calls whose results a reference needs, by their places in the plan."""
    parsed = parse(reference)
    if parsed is None:
        return ()
    own = [step.place for step in parsed.steps[:1] if isinstance(step, ItemStep)]
    inner = list(parsed.paths[:1] if parsed.function == "every" else parsed.paths)
    for step in parsed.steps:
        if isinstance(step, PickStep):
            inner += [written[1:] for _, written in step.conditions if written.startswith("$")]
    return tuple(dict.fromkeys([*own, *(place for path in inner for place in observed_calls(path))]))


def is_reference(value: object) -> TypeGuard[Record]:
    """Whether a planned argument stands for something that only an observation says."""
    return isinstance(value, Mapping) and set(value) == {"$"} and isinstance(value["$"], str)


def references_in(value: object) -> Iterator[str]:
    """All references in data, at any depth."""
    if isinstance(value, Mapping) and isinstance(value.get("$"), str):
        yield value["$"]
    elif is_template(value):
        yield from PLACE.findall(value["fill"])
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from references_in(item)


def is_template(value: object) -> TypeGuard[Record]:
    """Whether a planned argument is a text with places for what calls returned."""
    return isinstance(value, Mapping) and set(value) == {"fill"} and isinstance(value["fill"], str)


def is_choice(value: object) -> TypeGuard[Record]:
    """Whether a planned argument may be any of several values; the first is the one that is used."""
    return isinstance(value, Mapping) and set(value) == {"any_of"} and bool(value["any_of"])


def fill_references(value: object, observations: Sequence[Any], *, choose: bool = True) -> Any | Failure:
    """Planned data with references looked up, at any depth; of several values the first, or all without `choose`."""
    if is_reference(value):
        return look_up(value["$"], observations)
    if is_template(value):
        return fill_text(value["fill"], observations)
    if is_choice(value) and choose:
        return fill_references(value["any_of"][0], observations)
    if isinstance(value, Mapping):
        fields = {key: fill_references(item, observations, choose=choose) for key, item in value.items()}
        return _first_failure(fields.values()) or fields
    if isinstance(value, list):
        items = [fill_references(item, observations, choose=choose) for item in value]
        return _first_failure(items) or items
    return value


def _first_failure(parts: Iterable[object]) -> Failure | None:
    return next((part for part in parts if isinstance(part, Failure)), None)


def value_text(reference: str, value: object) -> str:
    """A value in an answer: a text as it is, what every item has with commas between, the rest as JSON."""
    if isinstance(value, list) and _EVERY.fullmatch(reference):
        return ", ".join(value_text("", each) for each in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def fill_text(template: str, observations: Sequence[object]) -> str | Failure:
    """An answer's template with every `{0.field}` replaced by what it points to."""
    problems: list[Failure] = []

    def put(place: re.Match[str]) -> str:
        value = look_up(place.group(1), observations)
        if isinstance(value, Failure):
            problems.append(value)
            return ""
        return value_text(place.group(1), value)

    text = PLACE.sub(put, template)
    return problems[0] if problems else text
