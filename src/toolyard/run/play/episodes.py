"""Performs the effects that episodes ask for: completions, tool calls, a user's replies."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from toolyard.core.benchmark import RunSetup
from toolyard.core.errors import ProviderError, UsageError
from toolyard.core.ordered_sums import group_items
from toolyard.core.types import (
    SPENT,
    SYSTEM,
    AskUser,
    Completion,
    Conversation,
    Effect,
    Execute,
    Failure,
    Generate,
    JsonValue,
    Message,
    Observation,
    Record,
    Request,
    RunProgram,
    Sample,
    SearchTexts,
    ServeTools,
    Transcript,
    Usage,
    derived_seed,
)
from toolyard.core.untrusted.limits import CHARACTERS_PER_EPISODE
from toolyard.run.play.program_sandbox import perform_program
from toolyard.run.play.tool_server import ToolServer

if TYPE_CHECKING:
    from toolyard.world.index import Index
    from toolyard.world.mcp import Answers

Answer = Callable[[Request], Awaitable[Completion]]


class EpisodeEnvironment(Protocol):
    """What an episode acts on besides the model: tools and a user."""

    def begin_round(self) -> None:
        """The model has replied, and the calls of that reply come next."""
        ...

    async def execute(self, effect: Execute) -> Observation:
        """The tool's result."""
        ...

    async def ask_user(self, effect: AskUser) -> str:
        """The user's reply."""
        ...

    def answers(self) -> Answers:
        """A server's answers, whose calls are these."""
        ...

    def changes(self) -> Record:
        """What the episode has changed."""
        ...

    async def reference(self) -> Record | None:
        """What a perfect agent would have seen and changed; None where nobody knows."""
        ...


@dataclass(frozen=True, slots=True)
class Unit:
    """What one episode covers: one sample, or all samples of a dialogue; one trial of it."""

    samples: tuple[Sample, ...]
    trial: int


async def play_unit(
    unit: Unit,
    setup: RunSetup,
    answer: Answer,
    around: EpisodeEnvironment | None = None,
    interrupted: Callable[[Transcript], object] | None = None,
) -> tuple[Transcript, ...]:
    """One transcript per sample of the unit; a request that stays unanswered fails them all.

    Where the session ends before the episode does, `interrupted` gets what was paid for so far.
    """
    spent, kept = Usage(), 0

    async def answer_and_count(request: Request) -> Completion:
        nonlocal spent, kept
        completion = await answer(request)
        spent += completion.paid
        kept += completion.size
        return (
            completion if kept <= CHARACTERS_PER_EPISODE * len(unit.samples) else completion.without_content
        )

    try:
        conversations = await _drive_episodes(unit, setup, answer_and_count, around)
    except ProviderError as error:
        return _failed_transcripts(unit, Failure(error.kind, str(error)), spent + error.spent)
    except asyncio.CancelledError:
        if interrupted is not None and spent != Usage():
            failure = Failure("interrupted", "the session ended before the episode did")
            interrupted(_failed_transcripts(unit, failure, spent)[0])
        raise
    changed = {} if around is None else {"world": around.changes()}
    reference = None if around is None else await around.reference()
    if reference is not None:
        changed["reference"] = reference
    return tuple(
        Transcript(sample.id, unit.trial, talk.messages, talk.completions, {**talk.notes, **changed})
        for sample, talk in zip(unit.samples, conversations, strict=True)
    )


def _failed_transcripts(unit: Unit, failure: Failure, spent: Usage) -> tuple[Transcript, ...]:
    """Transcripts without an answer; the first says what the requests before the failure took."""
    notes = [{SPENT: asdict(spent)} if spent != Usage() else {}, *({} for _ in unit.samples[1:])]
    return tuple(
        Transcript(sample.id, unit.trial, notes=note, error=failure)
        for sample, note in zip(unit.samples, notes, strict=True)
    )


async def _drive_episodes(
    unit: Unit, setup: RunSetup, answer: Answer, around: EpisodeEnvironment | None
) -> tuple[Conversation, ...]:
    with ExitStack() as servers:
        return await _drive_with(unit, setup, answer, around, servers)


async def _drive_with(
    unit: Unit, setup: RunSetup, answer: Answer, around: EpisodeEnvironment | None, servers: ExitStack
) -> tuple[Conversation, ...]:
    server: ToolServer | None = None
    episode = setup.benchmark.task.episode(unit.samples, setup)
    seed = derived_seed(setup.options.seed, unit.samples[0].id, unit.trial)
    system = setup.options.templates.get(SYSTEM, "")
    turn = 0
    reply: object = None
    while True:
        try:
            effect: Effect = episode.send(reply)
        except StopIteration as stop:
            conversations: tuple[Conversation, ...] = stop.value
            return conversations
        if isinstance(effect, Generate):
            request = replace(effect.request, messages=_put_system_first(effect.request.messages, system))
            reply = await answer(replace(request, trial=unit.trial, turn=turn, seed=seed))
            turn += 1
            if around is not None:
                around.begin_round()
        elif isinstance(effect, RunProgram):
            reply = perform_program(effect)
        elif isinstance(effect, SearchTexts):
            reply = fitting_indices(effect)
        elif isinstance(effect, ServeTools):
            server = servers.enter_context(ToolServer(server_answers(effect, around)))
            reply = server.functions()
        elif server is not None and isinstance(effect, Execute):
            reply = server.call(effect)
        else:
            reply = await _perform_effect(effect, around)


def server_answers(effect: ServeTools, around: EpisodeEnvironment | None) -> Answers:
    """What the server says: about the effect's own functions, else about the tools of the scene."""
    from toolyard.world.mcp import Answers

    answer = effect.answer
    if answer is None:
        if around is None:
            raise UsageError("this episode serves tools, but the run has no world that has them")
        return around.answers()

    async def perform(name: str, arguments: Mapping[str, JsonValue]) -> Observation:
        text = answer({"function": {"name": name, "arguments": dict(arguments)}})
        return Observation(text, json.loads(text))

    return Answers((), listed=[_mcp_listing(each["function"]) for each in effect.functions], perform=perform)


def _mcp_listing(function: Record) -> dict[str, JsonValue]:
    rest = {key: value for key, value in function.items() if key != "parameters"}
    return {**rest, "inputSchema": function["parameters"]}


def _put_system_first(messages: tuple[Message, ...], system: str) -> tuple[Message, ...]:
    """The messages with the user's own system prompt before the benchmark's."""
    if not system:
        return messages
    if messages and messages[0].role == "system":
        first = replace(messages[0], content=f"{system}\n\n{messages[0].content}")
        return (first, *messages[1:])
    return (Message("system", system), *messages)


async def _perform_effect(effect: Execute | AskUser, around: EpisodeEnvironment | None) -> Observation | str:
    if around is None:
        raise UsageError("this episode calls tools, but the run has no world to call them in")
    if isinstance(effect, Execute):
        return await around.execute(effect)
    return await around.ask_user(effect)


def plan_units(setup: RunSetup, samples: tuple[Sample, ...], trials: int) -> list[Unit]:
    """All episodes of a run, trial by trial within each sample or dialogue."""
    if not setup.benchmark.task.is_joint(setup.options):
        return [Unit((sample,), trial) for sample in samples for trial in range(trials)]
    dialogues = group_items(samples, lambda sample: sample.cluster)
    return [Unit(tuple(turns), trial) for turns in dialogues.values() for trial in range(trials)]


def fitting_indices(effect: SearchTexts) -> tuple[int, ...]:
    """The places of the texts that share words with the query, best first."""
    return tuple(int(row["place"]) for row in _index_texts(effect.texts).search(effect.query))


@lru_cache(maxsize=64)
def _index_texts(texts: tuple[str, ...]) -> Index[dict[str, int | str]]:
    from toolyard.world.index import Index

    return Index([{"place": place, "text": text} for place, text in enumerate(texts)], ["text"])
