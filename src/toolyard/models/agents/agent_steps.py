"""An agent that keeps its own loop, turned inside out: every call it makes becomes the answer to one request.

The agent works in a task of its own. When it calls a tool, the call is handed out as a completion; the runner makes it in
the sample's own world and asks again, and the result goes back to the agent. When the agent ends, its last words are
the last completion. So transcripts, scores, resuming and limits are those of any model.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from toolyard.core.errors import ProviderError
from toolyard.core.types import Completion, JsonValue, Message, Request
from toolyard.models.base import Limits, Price, estimated_usage

Call: TypeAlias = Callable[[str, Mapping[str, JsonValue]], Awaitable[str]]
# An agent whose call nobody answers any more has lost its episode: it was the last call, or the run has gone on.
SECONDS_WITHOUT_ANSWER = 30.0


@dataclass(frozen=True, slots=True)
class Assignment:
    """What an agent is given: the conversation so far, the tools, and how to call one."""

    messages: tuple[Message, ...]
    tools: tuple[Mapping[str, JsonValue], ...]
    call: Call

    @property
    def text(self) -> str:
        """The conversation as one text, for agents that take no more."""
        return "\n\n".join(message.content for message in self.messages if message.content)


Work: TypeAlias = Callable[[Assignment], Awaitable[str]]


@dataclass(slots=True)
class _Step:
    """A call that waits for its result, or the end of the work."""

    id: str = ""
    name: str = ""
    arguments: Mapping[str, JsonValue] = field(default_factory=dict)
    result: asyncio.Future[str] | None = None
    words: str = ""
    failure: str = ""


class _Worker:
    """One agent at work on one sample."""

    def __init__(self, work: Work, request: Request) -> None:
        self._steps: asyncio.Queue[_Step] = asyncio.Queue()
        self._waiting: dict[str, _Step] = {}
        self._calls = 0
        self.task = asyncio.create_task(
            self._play_assignment(work, Assignment(request.messages, request.tools, self._call))
        )

    async def _play_assignment(self, work: Work, assignment: Assignment) -> None:
        try:
            step = _Step(words=await work(assignment))
        except Exception as error:  # a stranger's agent may raise anything; it loses its sample and no more
            words = " ".join(str(error).split())[:300]
            step = _Step(
                failure=words if isinstance(error, ProviderError) else f"{type(error).__name__}: {words}"
            )
        self._steps.put_nowait(step)

    async def _call(self, name: str, arguments: Mapping[str, JsonValue]) -> str:
        self._calls += 1
        step = _Step(f"call_{self._calls}", name, arguments, asyncio.get_running_loop().create_future())
        self._steps.put_nowait(step)
        assert step.result is not None
        return await asyncio.wait_for(step.result, SECONDS_WITHOUT_ANSWER)

    async def next_step(self) -> _Step:
        """The next call, or the end."""
        step = await self._steps.get()
        if step.result is not None:
            self._waiting[step.id] = step
        return step

    def answer(self, messages: tuple[Message, ...]) -> bool:
        """Hands the results of the calls that wait to the agent; whether one of them was there."""
        said = [message.content for message in messages if message.role == "user"]
        found = False
        for message in messages:
            step = self._waiting.pop(message.tool_call_id or "", None)
            if step is not None and step.result is not None and not step.result.done():
                # Whatever the user says meanwhile reaches a busy agent with the result.
                step.result.set_result(
                    "\n\n".join([message.content, *(f"The user says: {text}" for text in said)])
                )
                said, found = [], True
        return found


class SteppedModel:
    """The agent as a model; every (sample, trial) has a worker of its own."""

    price: Price | None = None

    def __init__(self, name: str, work: Work, limits: Limits) -> None:
        self.name = name
        self._work = work
        self._timeout = limits.timeout
        self._workers: dict[tuple[str, int], _Worker] = {}

    async def generate(self, request: Request) -> Completion:
        """The agent's next call, or its last words."""
        key = (request.sample, request.trial)
        started = asyncio.get_running_loop().time()
        worker = self._workers.get(key)
        if worker is None or not worker.answer(_messages_since_answer(request.messages)):
            await self._end_worker(key)
            worker = self._workers[key] = _Worker(self._work, request)
        try:
            step = await asyncio.wait_for(worker.next_step(), self._timeout)
        except TimeoutError:
            await self._end_worker(key)
            raise ProviderError("timeout", f"{self.name} did nothing for {self._timeout:g} s") from None
        latency = asyncio.get_running_loop().time() - started
        if step.result is None:
            await self._end_worker(key)
            if step.failure:
                raise ProviderError("agent_failed", f"{self.name}: {step.failure}")
            usage = estimated_usage(request, step.words)
            return Completion(step.words, usage=usage, latency=latency, model=self.name)
        arguments = json.dumps(step.arguments, ensure_ascii=False)
        function = {"name": step.name, "arguments": arguments}
        return Completion(
            "",
            usage=estimated_usage(request, arguments),
            latency=latency,
            model=self.name,
            tool_calls=({"id": step.id, "type": "function", "function": function},),
        )

    async def _end_worker(self, key: tuple[str, int]) -> None:
        worker = self._workers.pop(key, None)
        if worker is not None:
            worker.task.cancel()
            await asyncio.gather(worker.task, return_exceptions=True)

    async def close(self) -> None:
        """Ends every agent that is still at work."""
        for key in list(self._workers):
            await self._end_worker(key)


def _messages_since_answer(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """What came after the last thing that the agent did."""
    places = [place for place, message in enumerate(messages) if message.role == "assistant"]
    return messages[places[-1] + 1 :] if places else ()
