"""Requests that wait for a model in this process: one thread feeds them to it as it has room, and hands out answers."""

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from toolyard.core.errors import ProviderError
from toolyard.core.types import Request

# Seconds to wait for more requests before an idle model begins.
GATHERING = 0.02


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request as tokens of this model; `room` is the extra limit for reasoning tokens.

    `lead` is what the answer must begin with: the tokens end with it.
    """

    request: Request
    tokens: tuple[int, ...]
    room: int
    lead: str = ""

    @property
    def most(self) -> int:
        """Tokens that may be written."""
        return self.request.decoding.max_tokens + self.room

    @property
    def stops(self) -> tuple[str, ...]:
        """Where writing ends; a thought may mention them, so with room for thoughts nowhere."""
        return () if self.room else tuple(stop for stop in self.request.decoding.stop if stop)


@dataclass(frozen=True, slots=True)
class Written:
    """What the model wrote: its text without special tokens, how many tokens, and whether it came to an end."""

    text: str
    tokens: int
    ended: bool


@dataclass(frozen=True, slots=True)
class Answered:
    """A prompt that is done, with what was written after it."""

    prompt: Prompt
    written: Written


class Writer(Protocol):
    """What writes: it takes prompts as it has room, and moves all it has taken on together."""

    batching: str

    @property
    def live(self) -> int:
        """Prompts under way."""
        ...

    def take(self, waiting: Sequence[Prompt]) -> Sequence[Prompt]:
        """Those of the waiting that are now under way."""
        ...

    def advance(self) -> Sequence[Answered]:
        """Some steps further; those that are done by then."""
        ...

    def drop(self) -> None:
        """Forgets what is under way."""
        ...


class Queue:
    """A writer's thread and what waits for it."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._waiting: list[Prompt] = []
        self._promised: dict[int, Future[Written]] = {}
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="toolyard-hf", daemon=True)
        self._thread.start()

    def submit(self, prompt: Prompt) -> Future[Written]:
        """What will be written after the prompt."""
        promised: Future[Written] = Future()
        with self._changed:
            if self._closed:
                raise ProviderError("provider_failed", "the model in this process was closed")
            self._waiting.append(prompt)
            self._promised[id(prompt)] = promised
            self._changed.notify()
        return promised

    def close(self) -> None:
        """Ends the thread; what is under way is not finished."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()
        for promised in self._promised.values():
            promised.cancel()

    def _work(self) -> None:
        while self._wait():
            try:
                self._take()
                answers = self._writer.advance()
            except Exception as error:
                self._fail(error)
                continue
            for answer in answers:
                promised = self._promised.pop(id(answer.prompt))
                if promised.set_running_or_notify_cancel():
                    promised.set_result(answer.written)

    def _wait(self) -> bool:
        """Whether there is something to do; blocks while nothing waits and nothing is under way."""
        with self._changed:
            if not self._writer.live and not self._waiting:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                # others are on their way, and a full batch costs what a small one does
                self._changed.wait_for(lambda: self._closed, GATHERING)
            return not self._closed

    def _take(self) -> None:
        with self._changed:
            waiting = tuple(self._waiting)
        taken = {id(prompt) for prompt in self._writer.take(waiting)}
        with self._changed:
            self._waiting = [prompt for prompt in self._waiting if id(prompt) not in taken]

    def _fail(self, error: Exception) -> None:
        self._writer.drop()
        with self._changed:
            self._waiting, promised, self._promised = [], self._promised, {}
        said = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
        for each in promised.values():
            if each.set_running_or_notify_cancel():
                each.set_exception(
                    ProviderError("provider_failed", f"the model in this process failed: {said}")
                )
