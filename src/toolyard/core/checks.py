"""Answers that need no model, by which a benchmark and its scorer are tried."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeAlias

from toolyard.core.sample_types import GoldOf, InputOf
from toolyard.core.types import Completion, Message, Sample, Transcript

Answerer: TypeAlias = Callable[[Sample[InputOf, GoldOf], Sequence[Message], random.Random], str]
NativeAnswerer: TypeAlias = Callable[[Sample[InputOf, GoldOf], Sequence[Message]], Completion]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A gold episode with one thing changed, and whether it is still right."""

    kind: str
    right: bool
    transcript: Transcript


@dataclass(frozen=True, slots=True)
class Mutations(Generic[InputOf, GoldOf]):
    """Mutants of a gold episode, the figure that must tell the right from the wrong, and the share it must tell."""

    mutants: Callable[[Sample[InputOf, GoldOf], Transcript], Iterable[Mutant]]
    figure: str
    wanted: float = 0.97


@dataclass(frozen=True, slots=True)
class Attack(Generic[InputOf, GoldOf]):
    """An answer that guesses at the scorer: what it says, and the most that it may earn by the nature of the data."""

    answer: Answerer[InputOf, GoldOf]
    about: str
    floor: float | Callable[[tuple[Sample[InputOf, GoldOf], ...]], float] = 0.0

    def floor_on(self, samples: tuple[Sample[InputOf, GoldOf], ...]) -> float:
        """The most that it may earn on these samples."""
        return self.floor(samples) if callable(self.floor) else self.floor


@dataclass(frozen=True, slots=True)
class Checks(Generic[InputOf, GoldOf]):
    """Answers that need no model: the perfect one, trivial ones that show what chance reaches, and attacks.

    `mutations` prove that a figure sees what is wrong and grants what is right. `native_oracle` is the perfect reply where
    calls are made natively, one step after the other.
    """

    oracle: Answerer[InputOf, GoldOf]
    baselines: Mapping[str, Answerer[InputOf, GoldOf]] = field(default_factory=dict)
    mutations: Mutations[InputOf, GoldOf] | None = None
    attacks: Mapping[str, Attack[InputOf, GoldOf]] = field(default_factory=dict)
    native_oracle: NativeAnswerer[InputOf, GoldOf] | None = None
