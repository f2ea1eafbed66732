"""Sums of fractions that are the same under every Python, and items grouped by a key."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)


def sum_in_order(values: Iterable[float]) -> float:
    """The numbers added one after the other; from 3.12 on `sum` corrects what rounding loses, which moves the last digit."""
    total = 0.0
    for value in values:
        total += value
    return total


def group_items(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """The items of each key in their order, keys in order of first appearance."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    # A list that has grown keeps room for more.
    return {name: group[:] for name, group in groups.items()}
