"""Any endpoint that speaks the OpenAI chat format: hosted, vLLM, llama.cpp, Ollama."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from toolyard.core.errors import ProviderError, UsageError
from toolyard.core.types import Completion, Failure, Json, Request
from toolyard.models import wire
from toolyard.models.base import Limits, Price
from toolyard.models.endpoint import Answer, Endpoint

DEFAULT_BASE_URL = "https://api.openai.com/v1"
DEFAULT_KEY = "OPENAI_API_KEY"
SETTINGS = ("base_url", "key_env", "price")


@dataclass(frozen=True, slots=True)
class Address:
    """What `NAME[?base_url=...&key_env=VAR&price=IN,OUT]` says."""

    name: str
    base_url: str
    key: str | None
    price: Price | None


def read_address(text: str, environment: Mapping[str, str] | None = None) -> Address:
    """The model's name, its place, its key and its price; the default key goes to the default host only."""
    name, _, query = text.partition("?")
    settings = _settings(query)
    base_url = settings.get("base_url", DEFAULT_BASE_URL)
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname or not name:
        raise UsageError(f"openai/{text}: wanted openai/NAME?base_url=http(s)://HOST/v1, found {base_url!r}")
    key = _key(settings.get("key_env"), parts.scheme, parts.hostname, environment or os.environ)
    return Address(name, base_url, key, _price(settings.get("price")))


def _settings(query: str) -> dict[str, str]:
    pairs = [pair.partition("=") for pair in query.split("&") if pair]
    unknown = [key for key, _, _ in pairs if key not in SETTINGS]
    if unknown:
        raise UsageError(f"openai/NAME?{unknown[0]}=: no such setting; there are {', '.join(SETTINGS)}")
    return {key: unquote(value) for key, _, value in pairs}


def _key(variable: str | None, scheme: str, host: str, environment: Mapping[str, str]) -> str | None:
    default = urlsplit(DEFAULT_BASE_URL)
    if variable is None and (scheme, host) != (default.scheme, default.hostname):
        return None
    name = variable or DEFAULT_KEY
    key = environment.get(name, "").strip()
    if not key:
        raise UsageError(
            f"the environment has no {name}; export it, or name another variable with key_env=VAR"
        )
    if not key.isascii() or not key.isprintable():
        raise UsageError(f"{name} holds characters that no key has; export it again")
    return key


def _price(text: str | None) -> Price | None:
    if text is None:
        return None
    try:
        read, written = (float(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f"price={text}: wanted IN,OUT per million tokens, e.g. price=0.15,0.60") from None
    if not all(math.isfinite(value) and value >= 0 for value in (read, written)):
        raise UsageError(f"price={text}: a price is a number from 0 up, per million tokens")
    return Price(read, written)


def read_price(text: str) -> Price | None:
    """The price that `NAME?price=IN,OUT` names."""
    return _price(_settings(text.partition("?")[2]).get("price"))


def load_openai(text: str, limits: Limits) -> OpenAIModel:
    """The model behind `openai/...`."""
    address = read_address(text)
    endpoint = Endpoint(address.base_url, key=address.key, limits=limits)
    return OpenAIModel(address.name, endpoint, price=address.price)


class OpenAIModel:
    """A model behind an OpenAI-compatible chat endpoint.

    A prompt that does not fit the context is an empty completion with finish reason
    `context_overflow`. Parameters that the endpoint refuses by name are left out from then on and
    listed in `adjustments`.
    """

    def __init__(self, model: str, endpoint: Endpoint, *, name: str = "", price: Price | None = None) -> None:
        self.name = name or f"openai/{model}"
        self.price = price
        self.identity = f"openai/{model}@{endpoint.base_url}"
        self._model = model
        self._endpoint = endpoint
        self._dropped: frozenset[str] = frozenset()

    @property
    def adjustments(self) -> tuple[str, ...]:
        """What this endpoint would not take, for the manifest."""
        return tuple(
            f"max_tokens sent as {name}" if name == wire.RENAMED else f"{name} not sent"
            for name in sorted(self._dropped)
        )

    async def generate(self, request: Request) -> Completion:
        """The endpoint's answer, after as many attempts as the limits allow."""
        most: int | None = None
        while True:
            body = self._body(request, most)
            answer = await self._post(body, request)
            if isinstance(answer, Completion):
                return answer
            left = wire.remaining_tokens(answer)
            refused = wire.refused_parameters(answer, tuple(body))
            if left is not None and (most is None or left < most):
                most = left
            elif wire.is_overflow(answer):
                return Completion("", finish_reason=wire.CONTEXT_OVERFLOW, model=self._model)
            elif refused:
                # Parallel requests learn the same thing; each round sends at least one parameter less.
                self._dropped |= refused
            else:
                raise ProviderError(
                    "bad_request", f"{self.identity} answered {answer.status}: {answer.message[:300]!r}"
                )

    async def _post(self, body: Mapping[str, Json], request: Request) -> Completion | wire.Refusal:
        def read(answer: Answer) -> Completion | wire.Refusal:
            if answer.refusal is not None:
                return answer.refusal
            completion = wire.read_completion(answer.payload, request, answer.latency)
            if isinstance(completion, Failure):
                raise ProviderError(completion.kind, f"{self.identity} sent {completion.detail}")
            return completion

        return await self._endpoint.post("chat/completions", wire.to_json(body), read)

    def _body(self, request: Request, most: int | None) -> dict[str, Json]:
        body = wire.request_body(self._model, request, self._dropped)
        if most is not None:
            limit = wire.RENAMED if wire.RENAMED in body else "max_tokens"
            body[limit] = min(most, body[limit])
        return body

    async def close(self) -> None:
        """Closes the connections."""
        await self._endpoint.close()
