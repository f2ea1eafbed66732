"""Models that a server of our own serves: a child process, started at the first request, asked like any endpoint."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from toolyard.core.errors import ProviderError
from toolyard.core.types import Completion, JsonValue, Request
from toolyard.models.base import Limits, Price
from toolyard.models.http.endpoint import Endpoint
from toolyard.models.http.openai import OpenAIModel
from toolyard.models.http.request_settings import Asking
from toolyard.models.http.wire import PLAIN
from toolyard.models.shown_tools import tool_use_facts
from toolyard.models.spec import ModelSpec

TIMEOUT = 900.0
FREE = Price(0.0, 0.0)


def price_at_home(spec: ModelSpec, *settings: str) -> Price:
    """Your own hardware costs nothing; other settings than these are refused."""
    spec.refuse_other_settings(*settings)
    return FREE


class Child(Protocol):
    """A process that serves one model in the chat format."""

    key: str
    facts: dict[str, JsonValue]

    def address(self) -> str:
        """The server's URL, once it is ready; blocks until then, ProviderError where it does not start."""
        ...

    def ends_within(self, seconds: float) -> bool:
        """Whether the process ends within that many seconds."""
        ...

    def stop(self) -> None:
        """Ends the process."""
        ...


@dataclass(frozen=True, slots=True)
class Server:
    """Where a child process serves which name; it takes `slots` requests at a time."""

    model: str
    base_url: str
    key: str = field(repr=False)
    slots: int


class ServedModel:
    """Weights that a child process serves; it starts at the first request and ends with this process.

    At temperature 0 the text may still differ in rare cases between runs, because what is computed
    together in one batch depends on which requests are under way.
    """

    price: Price | None = FREE

    def __init__(
        self,
        name: str,
        served_name: str,
        start: Callable[[], Child],
        *,
        slots: int,
        limits: Limits | None = None,
        asking: Asking = PLAIN,
    ) -> None:
        self.name = name
        self._served_name = served_name
        self._start_child = start
        self._slots = slots
        self._asking = asking
        self._limits = limits or Limits(timeout=TIMEOUT)
        self._starting: asyncio.Task[OpenAIModel] | None = None
        self._child: Child | None = None
        self._facts: dict[str, JsonValue] = {}
        self._tools_sent = False

    async def generate(self, request: Request) -> Completion:
        """The served model's answer."""
        self._tools_sent = self._tools_sent or bool(request.tools)
        loop = asyncio.get_running_loop()
        if self._starting is None or self._starting.get_loop() is not loop:
            self._starting = loop.create_task(self._start())
        # Shielded, because everybody waits for the same start: one cancelled request must not end it.
        model = await asyncio.shield(self._starting)
        try:
            return await model.generate(request)
        except ProviderError as error:
            if await self._has_ended(error):
                raise ProviderError(
                    "unreachable", f"the process that serves {self.name} has ended; run again"
                ) from error
            raise

    async def _has_ended(self, error: ProviderError) -> bool:
        """Whether the failure is the child's end; its threads may outlive its sockets by a moment."""
        if self._child is None or error.kind not in ("connection", "unreachable"):
            return False
        return await asyncio.to_thread(self._child.ends_within, 2.0)

    @asynccontextmanager
    async def server(self) -> AsyncIterator[Server]:
        """The server itself, started for the block and ended with it, for those who ask it in their own way."""
        child = self._start_child()
        try:
            address = await asyncio.to_thread(child.address)
            yield Server(self._served_name, f"{address}/v1", child.key, self._slots)
        finally:
            await asyncio.to_thread(child.stop)

    async def _start(self) -> OpenAIModel:
        if self._child is None:
            self._child = self._start_child()
        address = await asyncio.to_thread(self._child.address)
        slots = min(self._limits.concurrency or self._slots, self._slots)
        # A server on this machine has no rate limit and no network: it answers soon or never.
        limits = Limits(max(self._limits.timeout, TIMEOUT), min(self._limits.retries, 3), slots)
        self._facts = self._child.facts
        endpoint = Endpoint(f"{address}/v1", key=self._child.key, limits=limits)
        return OpenAIModel(self._served_name, endpoint, name=self.name, asking=self._asking)

    @property
    def thought_tokens(self) -> int:
        """The limit of reasoning tokens, in addition to the answer's own."""
        model = self._running_model()
        return (self._asking.thought_tokens or 0) if model is None else model.thought_tokens

    @property
    def adjustments(self) -> tuple[str, ...]:
        """What the server would not take."""
        model = self._running_model()
        return () if model is None else model.adjustments

    @property
    def serving(self) -> dict[str, JsonValue]:
        """How the answers came about, for the manifest."""
        model = self._running_model()
        return {} if model is None else tool_use_facts({**model.serving, **self._facts}, self._tools_sent)

    def _running_model(self) -> OpenAIModel | None:
        starting = self._starting
        if starting is None or not starting.done() or starting.cancelled() or starting.exception():
            return None
        return starting.result()

    async def close(self) -> None:
        """Ends the connections and the child process."""
        child, self._child = self._child, None
        model, self._starting = self._running_model(), None
        if child is not None:
            await asyncio.to_thread(child.stop)
        if model is not None:
            await model.close()
