"""Nested calls: which return value feeds which argument, how deep, and in what shape.

A call chain names its return values `API_call_0`, `API_call_1`, ...; a later argument refers to one by
its label, alone or inside a list, a mapping or a longer text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeGuard

from toolyard.core.types import JsonValue

LABEL_BEGINS = "API_call_"
LABEL = re.compile(rf"{LABEL_BEGINS}[0-9]+")

# The shapes of three calls that the NesTools paper compares (section 5.3); calls count from 1.
STRUCTURES: Mapping[str, frozenset[tuple[int, int]]] = {
    "1->2,2->3": frozenset({(0, 1), (1, 2)}),
    "1->2,1->3": frozenset({(0, 1), (0, 2)}),
    "1->2,2->3,1->3": frozenset({(0, 1), (1, 2), (0, 2)}),
    "1->3,2->3": frozenset({(0, 2), (1, 2)}),
}
OTHER_STRUCTURE = "other"

Edge: TypeAlias = tuple[int, int]


class ReturnValue(NamedTuple):
    """Where a label comes from: the position of its call and the place among that call's return values."""

    call: int
    position: int


@dataclass(frozen=True, slots=True)
class NestedCall:
    """One call of a chain: its arguments and the labels it gives to its return values, None where unusable."""

    arguments: Mapping[str, JsonValue]
    labels: tuple[str | None, ...] = ()


def label_of_number(number: int) -> str:
    """The label of that number."""
    return f"{LABEL_BEGINS}{number}"


def is_label(value: object) -> TypeGuard[str]:
    """Whether the value is one label and nothing else."""
    if not isinstance(value, str) or not value.startswith(LABEL_BEGINS):
        return False
    number = value[len(LABEL_BEGINS) :]
    # Quicker than the pattern, and the same: digits of other scripts are not ASCII.
    return number.isdigit() and number.isascii()


def plain_values(value: object) -> Iterator[object]:
    """Every value inside one that holds no further ones, keys of mappings included, in no promised order."""
    pending = [value]
    while pending:
        current = pending.pop()
        if isinstance(current, Mapping):
            pending.extend(current.keys())
            pending.extend(current.values())
        elif isinstance(current, list | tuple | set | frozenset):
            pending.extend(current)
        else:
            yield current


def texts_in(value: object) -> Iterator[str]:
    """Every text among them."""
    return (item for item in plain_values(value) if isinstance(item, str))


def labels_in(value: JsonValue) -> tuple[str, ...]:
    """The labels that a value mentions, each once, sorted."""
    if isinstance(value, str):
        return tuple(sorted(set(LABEL.findall(value)))) if LABEL_BEGINS in value else ()
    if value is None or isinstance(value, int | float):
        return ()
    return tuple(sorted({found for text in texts_in(value) for found in LABEL.findall(text)}))


def mentions_label(value: JsonValue) -> bool:
    """Whether a value mentions a label."""
    if isinstance(value, str):
        return LABEL_BEGINS in value and LABEL.search(value) is not None
    return bool(labels_in(value))


def label_producers(calls: Sequence[NestedCall]) -> dict[str, ReturnValue]:
    """Where each label of a chain is produced; a label given twice belongs to the last call that gives it."""
    found: dict[str, ReturnValue] = {}
    for index, call in enumerate(calls):
        for position in reversed(range(len(call.labels))):
            name = call.labels[position]
            if name is not None:
                found[name] = ReturnValue(index, position)
    return found


def edges(calls: Sequence[NestedCall]) -> frozenset[Edge]:
    """The (producer, consumer) pairs of a chain; a reference to a later call or to nothing makes none."""
    known: dict[str, int] = {}
    found: set[Edge] = set()
    for index, call in enumerate(calls):
        for value in call.arguments.values():
            found.update((known[name], index) for name in labels_in(value) if name in known)
        known.update((name, index) for name in call.labels if name is not None)
    return frozenset(found)


def dangling_references(calls: Sequence[NestedCall]) -> tuple[tuple[int, str, str], ...]:
    """The (call, argument, label) triples whose label no earlier call gives."""
    known: set[str] = set()
    found: list[tuple[int, str, str]] = []
    for index, call in enumerate(calls):
        for argument, value in call.arguments.items():
            found.extend((index, argument, name) for name in labels_in(value) if name not in known)
        known.update(name for name in call.labels if name is not None)
    return tuple(found)


def depth(calls: int, links: Set[Edge]) -> int:
    """The longest chain of feeding calls, counted in calls; 1 where nothing is nested (section 5.2)."""
    levels = [1] * calls
    for producer, consumer in sorted(links, key=lambda edge: edge[1]):
        levels[consumer] = max(levels[consumer], levels[producer] + 1)
    return max(levels, default=0)


def chain_structure(calls: int, links: Set[Edge]) -> str:
    """The paper's name for a three-call shape, `other` for every other shape (section 5.3)."""
    if calls != 3:
        return OTHER_STRUCTURE
    return next((name for name, shape in STRUCTURES.items() if shape == links), OTHER_STRUCTURE)
