"""A model whose answers follow from its requests, and which keeps these."""

import asyncio
from collections.abc import Callable

from toolyard.core.types import Completion, Request
from toolyard.models.base import Price


class AnsweringModel:
    """Says what a function of the request returns, after whoever asked at the same time had a turn."""

    def __init__(
        self,
        answer: Callable[[Request], Completion | str],
        price: Price | None = None,
        name: str = "answering",
    ) -> None:
        self.answer, self.price, self.name = answer, price, name
        self.requests: list[Request] = []

    @property
    def asked(self) -> list[tuple[str, int]]:
        """Samples and trials, as they were asked for."""
        return [(request.sample, request.trial) for request in self.requests]

    async def generate(self, request: Request) -> Completion:
        self.requests.append(request)
        await asyncio.sleep(0)
        found = self.answer(request)
        return Completion(found) if isinstance(found, str) else found

    async def close(self) -> None:
        """Nothing to end."""
