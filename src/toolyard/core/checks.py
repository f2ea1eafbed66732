"""Answers that need no model, by which a benchmark and its scorer are tried."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from toolyard.core.types import Message, Sample, Transcript

Answerer: TypeAlias = Callable[[Sample, Sequence[Message], random.Random], str]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A gold episode with one thing changed, and whether it is still right."""

    kind: str
    right: bool
    transcript: Transcript


@dataclass(frozen=True, slots=True)
class Mutations:
    """Mutants of a gold episode, the figure that must tell the right from the wrong, and the share it must tell."""

    mutants: Callable[[Sample, Transcript], Iterable[Mutant]]
    figure: str
    wanted: float = 0.97


@dataclass(frozen=True, slots=True)
class Attack:
    """An answer that guesses at the scorer: what it says, and the most that it may earn by the nature of the data."""

    answer: Answerer
    about: str
    floor: float | Callable[[tuple[Sample, ...]], float] = 0.0

    def floor_on(self, samples: tuple[Sample, ...]) -> float:
        """The most that it may earn on these samples."""
        return self.floor(samples) if callable(self.floor) else self.floor


@dataclass(frozen=True, slots=True)
class Checks:
    """Answers that need no model: the perfect one, trivial ones that show what chance reaches, and attacks.

    `mutations` prove that a figure sees what is wrong and grants what is right.
    """

    oracle: Answerer
    baselines: Mapping[str, Answerer] = field(default_factory=dict)
    mutations: Mutations | None = None
    attacks: Mapping[str, Attack] = field(default_factory=dict)
