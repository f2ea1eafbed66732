"""Answers that need no model, by which a benchmark and its scorer are tried."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeAlias

from toolyard.core.sample_types import GoldOf, InputOf
from toolyard.core.types import Completion, Message, Sample, Transcript

# What it says, or a whole reply where it calls natively.
Answerer: TypeAlias = Callable[[Sample[InputOf, GoldOf], Sequence[Message], random.Random], str | Completion]
NativeAnswerer: TypeAlias = Callable[[Sample[InputOf, GoldOf], Sequence[Message]], Completion]
Floor: TypeAlias = Mapping[str, float]


def scripted_reply(answer: str | Completion) -> Completion:
    """The reply that an answerer's answer is."""
    return Completion(answer) if isinstance(answer, str) else answer


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
class Oracle(Generic[InputOf, GoldOf]):
    """The perfect answer in words, and the perfect reply where calls are made natively, one step after the other.

    `ways` holds the perfect answers to styles that want another form, such as a program.
    """

    words: Answerer[InputOf, GoldOf]
    native: NativeAnswerer[InputOf, GoldOf] | None = None
    ways: Mapping[str, Answerer[InputOf, GoldOf]] = field(default_factory=dict)

    def __call__(
        self, sample: Sample[InputOf, GoldOf], messages: Sequence[Message], rng: random.Random
    ) -> str | Completion:
        """The answer in words."""
        return self.words(sample, messages, rng)


@dataclass(frozen=True, slots=True)
class Trivial(Generic[InputOf, GoldOf]):
    """What answers that need no ability earn.

    `floor` is what an empty answer scores (metrics not named: 0), as numbers or as a function of the data. `why` says why
    a trivial baseline may earn much of the headline, and `by` which ones do; empty: all.
    """

    floor: Floor | Callable[[tuple[Sample[InputOf, GoldOf], ...]], Floor] = field(default_factory=dict)
    why: str = ""
    by: tuple[str, ...] = ()

    def floor_on(self, samples: tuple[Sample[InputOf, GoldOf], ...]) -> Floor:
        """What an empty answer scores on these samples."""
        return self.floor(samples) if callable(self.floor) else self.floor

    def why_much(self, baseline: str) -> str:
        """Why a trivial baseline may earn much of the headline; empty where the benchmark does not know."""
        return self.why if not self.by or baseline in self.by else ""


@dataclass(frozen=True, slots=True)
class Checks(Generic[InputOf, GoldOf]):
    """Answers that need no model: the perfect one, trivial ones that show what chance reaches, and attacks.

    `mutations` prove that a metric sees what is wrong and grants what is right.
    """

    oracle: Answerer[InputOf, GoldOf] | Oracle[InputOf, GoldOf]
    baselines: Mapping[str, Answerer[InputOf, GoldOf]] = field(default_factory=dict)
    trivial: Trivial[InputOf, GoldOf] = Trivial()
    mutations: Mutations[InputOf, GoldOf] | None = None
    attacks: Mapping[str, Attack[InputOf, GoldOf]] = field(default_factory=dict)

    def oracle_of(self, style: str) -> Answerer[InputOf, GoldOf]:
        """The perfect answer in the form that a style wants."""
        return (
            self.oracle.ways.get(style, self.oracle.words) if isinstance(self.oracle, Oracle) else self.oracle
        )

    def native_oracle(self, style: str) -> NativeAnswerer[InputOf, GoldOf] | None:
        """The perfect reply of a style with native calls; None where it is given in words."""
        if not isinstance(self.oracle, Oracle) or style in self.oracle.ways:
            return None
        return self.oracle.native
