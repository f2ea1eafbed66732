"""What all steps of recipes share: names in a row, and the dough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_OF_DOUGH = frozenset((
    "flour", "whole wheat flour", "cornmeal", "yeast", "water", "milk", "egg", "sugar", "salt", "baking powder", "honey",
    "yogurt", "vegetable oil", "butter", "olive oil",
))  # fmt: skip


def joined(names: Sequence[str]) -> str:
    """Names in a row with "and" before the last."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0] if names else ""


def of(names: Sequence[str], wanted: object) -> list[str]:
    """Those of the names that are wanted, in their order."""
    return [name for name in names if name in wanted]  # type: ignore[operator]


def rest_of(names: Sequence[str], *taken: Sequence[str]) -> list[str]:
    """The names that have not been taken."""
    gone = {name for part in taken for name in part}
    return [name for name in names if name not in gone]


def dough(plain: str, names: Sequence[str]) -> Iterator[str]:
    """Dough that rises or rests, is filled, and is baked or fried."""
    base = of(names, _OF_DOUGH)
    rest = rest_of(names, base)
    wet = "" if set(base) & {"water", "milk", "egg", "yogurt"} else " with 200 ml of lukewarm water"
    yield f"Mix the {joined(base)}{wet} in a bowl and knead to a smooth dough"
    yield "Let it rise in a warm place for an hour" if "yeast" in names else "Let it rest for 20 minutes"
    if "donut" in plain or "langos" in plain:
        yield "Shape it and fry in hot oil until golden"
    else:
        if rest:
            yield f"Roll it out and top or fill it with the {joined(rest)}"
        yield "Bake in a hot oven until golden"
