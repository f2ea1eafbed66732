"""Which turns are trained on: so many of every kind as the evaluation has, evenly over where they come from.

A kind is a setting with a number of calls. The released files have these shares of turns without a call: S-S 25 %,
M-S 50 %, M-M 54 %; of turns with two calls or more: S-M 100 % (85 % with a reference), M-M 27 %.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from toolyard.core.types import derived_seed

# Setting and number of calls (5: five or more) -> share of all rows, in thousandths.
KINDS: Mapping[tuple[str, int], int] = {
    ("S-S", 1): 125,
    ("S-S", 0): 45,
    ("S-M", 2): 85,
    ("S-M", 3): 45,
    ("S-M", 4): 20,
    ("S-M", 5): 25,
    ("M-S", 1): 200,
    ("M-S", 0): 165,
    ("M-M", 0): 160,
    ("M-M", 1): 45,
    ("M-M", 2): 70,
    ("M-M", 3): 15,
}
# How much more or less of a source or a kind is taken than the root of its size: SGD is annotated with the greatest
# care, and in the released files 85 % of the turns of several calls have a call that takes the result of another.
WEIGHTS: Mapping[str, float] = {
    "sgd": 1.8,
    "multiwoz": 0.4,
    "multiwoz-fields": 1.2,
    "taskmaster": 0.8,
    "snips": 0.8,
    "seal-tools": 0.6,
    "joined": 0.25,
    "linked": 1.5,
    "goals": 1.6,
}


@dataclass(frozen=True, slots=True, order=True)
class Candidate:
    """One turn that could be trained on; `stratum` says where it comes from and what it is."""

    id: str
    place: int
    setting: str
    calls: int
    stratum: str

    @property
    def kind(self) -> tuple[str, int]:
        """Its place in the table of shares."""
        most = {"S-S": 1, "M-S": 1, "M-M": 3}.get(self.setting, 5)
        return self.setting, min(self.calls, most)


def wanted_of_kinds(rows: int, there: Collection[tuple[str, int]] = KINDS) -> dict[tuple[str, int], int]:
    """How many rows of every kind a mixture of that size takes, out of the kinds that are there."""
    total = sum(share for kind, share in KINDS.items() if kind in there)
    return {kind: round(rows * share / total) for kind, share in KINDS.items() if kind in there}


def chosen(candidates: Sequence[Candidate], rows: int, seed: int) -> list[Candidate]:
    """The turns that are taken, kind by kind; strata by the root of their size, so that no source drowns the others."""
    by_kind: dict[tuple[str, int], dict[str, list[Candidate]]] = {}
    for each in candidates:
        by_kind.setdefault(each.kind, {}).setdefault(each.stratum, []).append(each)
    taken: list[Candidate] = []
    for kind, count in wanted_of_kinds(rows, by_kind).items():
        strata = by_kind[kind]
        shares = _shares({name: len(members) for name, members in strata.items()}, count)
        for name in sorted(strata):
            rng = random.Random(derived_seed(seed, f"choose/{kind}/{name}", 0))
            taken += rng.sample(sorted(strata[name]), shares[name])
    return sorted(taken)


def _shares(sizes: Mapping[str, int], wanted: int) -> dict[str, int]:
    """How many each stratum gives: by the root of its size, never more than it has."""
    shares = dict.fromkeys(sizes, 0)
    left = min(wanted, sum(sizes.values()))
    while left:
        free = {name: _weight(name, sizes[name]) for name in sizes if shares[name] < sizes[name]}
        total = sum(free.values())
        given = 0
        for name in sorted(free, key=lambda name: (-free[name], name)):
            more = min(max(1, int(left * free[name] / total)), sizes[name] - shares[name], left - given)
            shares[name] += more
            given += more
        left -= given
    return shares


def _weight(stratum: str, size: int) -> float:
    return math.sqrt(size) * math.prod(WEIGHTS.get(word, 1.0) for word in stratum.split())
