"""Performs what episodes wish for: completions, tool calls, a user's replies."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from toolyard.core.benchmark import RunSetup
from toolyard.core.errors import ProviderError, UsageError
from toolyard.core.types import (
    AskUser,
    Completion,
    Conversation,
    Effect,
    Execute,
    Failure,
    Generate,
    Json,
    Observation,
    Request,
    Sample,
    Transcript,
    derived_seed,
)

Answer = Callable[[Request], Awaitable[Completion]]


class Surroundings(Protocol):
    """What an episode acts on besides the model: tools and a user."""

    def begin_round(self) -> None:
        """The model has replied, and the calls of that reply come next."""
        ...

    async def execute(self, wish: Execute) -> Observation:
        """The tool's result."""
        ...

    async def ask_user(self, wish: AskUser) -> str:
        """The user's reply."""
        ...

    def changes(self) -> Json:
        """What the episode has changed."""
        ...


@dataclass(frozen=True, slots=True)
class Unit:
    """What one episode covers: one sample, or all samples of a dialogue; one trial of it."""

    samples: tuple[Sample, ...]
    trial: int


async def play(
    unit: Unit, setup: RunSetup, answer: Answer, around: Surroundings | None = None
) -> tuple[Transcript, ...]:
    """One transcript per sample of the unit; a request that stays unanswered fails them all."""
    try:
        conversations = await _drive(unit, setup, answer, around)
    except ProviderError as error:
        failure = Failure(error.kind, str(error))
        return tuple(Transcript(sample.id, unit.trial, error=failure) for sample in unit.samples)
    changed = {} if around is None else {"world": around.changes()}
    return tuple(
        Transcript(sample.id, unit.trial, talk.messages, talk.completions, {**talk.notes, **changed})
        for sample, talk in zip(unit.samples, conversations, strict=True)
    )


async def _drive(
    unit: Unit, setup: RunSetup, answer: Answer, around: Surroundings | None
) -> tuple[Conversation, ...]:
    episode = setup.benchmark.task.episode(unit.samples, setup)
    seed = derived_seed(setup.options.seed, unit.samples[0].id, unit.trial)
    turn = 0
    reply: Any = None
    while True:
        try:
            wish: Effect = episode.send(reply)
        except StopIteration as stop:
            conversations: tuple[Conversation, ...] = stop.value
            return conversations
        if isinstance(wish, Generate):
            reply = await answer(replace(wish.request, trial=unit.trial, turn=turn, seed=seed))
            turn += 1
            if around is not None:
                around.begin_round()
        else:
            reply = await _surroundings(wish, around)


async def _surroundings(wish: Execute | AskUser, around: Surroundings | None) -> Observation | str:
    if around is None:
        raise UsageError("this episode calls tools, but the run has no world to call them in")
    if isinstance(wish, Execute):
        return await around.execute(wish)
    return await around.ask_user(wish)


def units_of(setup: RunSetup, samples: tuple[Sample, ...], trials: int) -> list[Unit]:
    """All episodes of a run, trial by trial within each sample or dialogue."""
    if not setup.benchmark.task.joint(setup.options):
        return [Unit((sample,), trial) for sample in samples for trial in range(trials)]
    dialogues: dict[str, list[Sample]] = {}
    for sample in samples:
        dialogues.setdefault(sample.cluster, []).append(sample)
    return [Unit(tuple(turns), trial) for turns in dialogues.values() for trial in range(trials)]
