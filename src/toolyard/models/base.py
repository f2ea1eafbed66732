"""What a model is to the rest of Toolyard, and a Python function as one."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypedDict, TypeVar, runtime_checkable

from toolyard.core.errors import CALLABLE_FAILED, ProviderError, ToolyardError
from toolyard.core.types import Completion, JsonValue, Request, Usage
from toolyard.lines import encode

LOG = logging.getLogger("toolyard")
LONGEST_REASON = 200
CHARACTERS_PER_TOKEN = 4
# Seconds for one request; a model that thinks aloud takes minutes.
TIMEOUT = 300.0
RETRIES = 8
CONCURRENCY = 16
# What is off the price of requests that are sent as a batch file.
BATCH_DISCOUNT = 0.5

Answer = TypeVar("Answer")
Respond: TypeAlias = Callable[[list[dict[str, str]]], str | Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Price:
    """Money per million tokens read and written, in the currency the user thinks in.

    Thoughts cost what is written costs. Tokens that the endpoint had read before may have a price of their own;
    those of batches cost half.
    """

    input_per_million: float
    output_per_million: float
    cached_per_million: float | None = None

    def cost(self, usage: Usage) -> float:
        """What these tokens cost."""
        read = usage.prompt_tokens - usage.batched_prompt_tokens * BATCH_DISCOUNT
        # The discounts do not add up: what a batch reads from the endpoint's cache costs what the rest of it does.
        apart = usage.prompt_tokens - usage.batched_prompt_tokens
        cached = 0 if self.cached_per_million is None else min(usage.cached_tokens, apart)
        written = usage.completion_tokens - usage.batched_completion_tokens * BATCH_DISCOUNT
        return (
            (read - cached) * self.input_per_million
            + cached * (self.cached_per_million or 0.0)
            + written * self.output_per_million
        ) / 1e6


@runtime_checkable
class Model(Protocol):
    """Something that answers requests; `generate` raises ProviderError when it cannot."""

    @property
    def name(self) -> str:
        """What the model is called in run directories and reports."""
        ...

    @property
    def price(self) -> Price | None:
        """Its price, or None where it is not known."""
        ...

    async def generate(self, request: Request) -> Completion:
        """The answer to one request."""
        ...

    async def close(self) -> None:
        """Ends connections and child processes; may be called twice."""
        ...


class Around:
    """A model around another one, which goes by the other's name and facts."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The model's own name."""
        return self._model.name

    @property
    def price(self) -> Price | None:
        """The model's own price."""
        return self._model.price

    @property
    def adjustments(self) -> tuple[str, ...]:
        """What the endpoint made the model leave out of its requests."""
        return tuple(getattr(self._model, "adjustments", ()))

    @property
    def thought_tokens(self) -> int:
        """The model's own room for thoughts."""
        return int(getattr(self._model, "thought_tokens", 0))

    @property
    def serving(self) -> dict[str, JsonValue]:
        """How the model's answers came about."""
        return dict(getattr(self._model, "serving", {}))

    @property
    def batches(self) -> object | None:
        """The batches that the model sends, where it does."""
        return getattr(self._model, "batches", None)

    async def close(self) -> None:
        """Closes the model."""
        await self._model.close()


class RequestLimits(TypedDict, total=False):
    """How patiently and how fast a model is asked, as keyword arguments."""

    timeout: float
    retries: int
    rpm: float | None
    tpm: float | None


@dataclass(frozen=True, slots=True)
class Limits:
    """How patiently and how widely a model is asked."""

    timeout: float = TIMEOUT
    retries: int = RETRIES
    concurrency: int | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None


def estimated_tokens(characters: int) -> int:
    """An estimate of the tokens in a text of that length, at four characters each."""
    return -(-characters // CHARACTERS_PER_TOKEN)


def request_tokens(request: Request) -> int:
    """Tokens that the model reads, at four characters each: messages with their calls, and the tools it is offered."""
    said = sum(estimated_tokens(len(message.content)) for message in request.messages)
    calls = [call for message in request.messages for call in message.tool_calls]
    return said + sum(estimated_tokens(len(encode(item))) for item in (*calls, *request.tools))


def estimated_usage(request: Request, text: str) -> Usage:
    """Tokens read and written, estimated from lengths."""
    return Usage(request_tokens(request), estimated_tokens(len(text)))


class CallableModel:
    """A Python function from messages (`[{"role": ..., "content": ...}]`) to text, as a model.

    An async function is awaited, any other runs in a thread, one call at a time unless `concurrency`
    says otherwise. Whatever it raises leaves one sample unanswered, with the reason. Token counts are estimates.
    """

    price: Price | None = None

    def __init__(self, respond: Respond, *, name: str = "", concurrency: int | None = None) -> None:
        own_name = getattr(respond, "__name__", type(respond).__name__)
        self.name = name or f"python/{own_name}"
        self._respond = respond
        self._is_async = inspect.iscoroutinefunction(respond) or inspect.iscoroutinefunction(
            getattr(type(respond), "__call__", None)  # noqa: B004 - callable() does not say whether it is async
        )
        self._turns = PerLoop(concurrency or (CONCURRENCY if self._is_async else 1))

    async def generate(self, request: Request) -> Completion:
        """The function's answer."""
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        async with self._turns.semaphore():
            started = asyncio.get_running_loop().time()
            with user_code(self.name):
                if self._is_async:
                    answer = self._respond(messages)
                else:
                    answer = await run_in_thread(self._respond, messages)
                text = await answer if inspect.isawaitable(answer) else answer
            latency = asyncio.get_running_loop().time() - started
        if not isinstance(text, str):
            found = type(text).__name__
            raise ProviderError(
                "bad_answer", f"{self.name} returned {found}, wanted str: the model's answer as text"
            )
        usage = estimated_usage(request, text)
        return Completion(text, usage=usage, latency=latency, model=self.name)

    async def close(self) -> None:
        """Nothing to end."""


async def run_in_thread(function: Callable[..., Answer], *given: object) -> Answer:
    """What a function returns that would hold up the loop."""

    def call_function() -> Answer:
        try:
            return function(*given)
        except StopIteration as error:  # no future can hold one: whoever waits would wait for ever
            raise RuntimeError("StopIteration, as of next() on something that has ended") from error

    return await asyncio.to_thread(call_function)


@contextmanager
def user_code(name: str) -> Iterator[None]:
    """Whatever the code of a user raises leaves one request unanswered; errors of ours say already what is wrong."""
    try:
        yield
    except ToolyardError:
        raise
    except (Exception, SystemExit) as error:  # the boundary to code that is not ours
        LOG.debug("%s failed", name, exc_info=True)
        reason = " ".join(str(error).split())[:LONGEST_REASON]
        raise ProviderError(CALLABLE_FAILED, f"{name} raised {type(error).__name__}: {reason}") from error


class PerLoop:
    """One semaphore for the event loop that is running; a model may outlive an `asyncio.run`."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._loop: asyncio.AbstractEventLoop | None = None
        self._semaphore = asyncio.Semaphore(size)

    def semaphore(self) -> asyncio.Semaphore:
        """The semaphore of the running loop."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._loop, self._semaphore = loop, asyncio.Semaphore(self._size)
        return self._semaphore
