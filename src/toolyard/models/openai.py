"""Any endpoint that speaks the OpenAI chat format: hosted, vLLM, llama.cpp, Ollama."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from toolyard.core.errors import ProviderError, UsageError
from toolyard.core.types import Completion, Failure, Json, Request
from toolyard.models import wire
from toolyard.models.base import Limits, Model, Price
from toolyard.models.endpoint import Answer, Endpoint
from toolyard.models.provider import LoadContext, Provider
from toolyard.models.spec import ModelSpec

DEFAULT_BASE_URL = "https://api.openai.com/v1"
DEFAULT_KEY = "OPENAI_API_KEY"
SETTINGS = ("base_url", "key_env", "price")
ADJUSTED = {
    wire.RENAMED: f"max_tokens sent as {wire.RENAMED}",
    "stop": "stop not sent: answers cut where they should have stopped",
}
ESTIMATED = "token counts estimated where the endpoint sent none or impossible ones"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a model is asked, and with which key."""

    name: str
    base_url: str = field(repr=False)
    key: str | None = field(repr=False)


def read_address(spec: ModelSpec, environment: Mapping[str, str] | None = None) -> Address:
    """The model's name, its place and its key; the default key goes to the default host only."""
    spec.refuse_other_settings(*SETTINGS)
    base_url = spec.settings.get("base_url", DEFAULT_BASE_URL)
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname or not spec.name:
        raise UsageError(f"{spec.shown}: wanted openai/NAME?base_url=http(s)://HOST/v1")
    key = _key(spec.settings.get("key_env"), parts.scheme, parts.hostname, environment or os.environ)
    if key is not None and key in unquote(base_url):
        raise UsageError("base_url holds the key itself; leave it out, it is sent in a header")
    return Address(spec.name, base_url, key)


def _key(variable: str | None, scheme: str, host: str, environment: Mapping[str, str]) -> str | None:
    default = urlsplit(DEFAULT_BASE_URL)
    if variable is None and (scheme, host) != (default.scheme, default.hostname):
        return None
    name = variable or DEFAULT_KEY
    key = environment.get(name, "").strip()
    if not key:
        # What does not look like the name of a variable may be the key itself, put in the wrong place.
        shown = name if name == name.upper() else "such variable"
        raise UsageError(
            f"the environment has no {shown}; export it, or name another variable with key_env=VAR"
        )
    if not key.isascii() or not key.isprintable():
        raise UsageError(f"{name} holds characters that no key has; export it again")
    return key


def _price(spec: ModelSpec) -> Price | None:
    spec.refuse_other_settings(*SETTINGS)
    return spec.price


def load_openai(spec: ModelSpec, limits: Limits) -> OpenAIModel:
    """The model behind `openai/...`."""
    address = read_address(spec)
    endpoint = Endpoint(address.base_url, key=address.key, limits=limits)
    return OpenAIModel(address.name, endpoint, price=spec.price)


def _load(spec: ModelSpec, context: LoadContext) -> Model:
    return load_openai(spec, context.limits)


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
        self._is_estimated = False

    @property
    def adjustments(self) -> tuple[str, ...]:
        """What this endpoint would not take or did not tell, for the manifest."""
        dropped = (ADJUSTED.get(name, f"{name} not sent") for name in sorted(self._dropped))
        return (*dropped, *([ESTIMATED] if self._is_estimated else []))

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
            self._is_estimated |= wire.counts_are_missing(answer.payload, completion)
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


PROVIDER = Provider("openai/NAME[?base_url=...&key_env=VAR&price=IN,OUT]", _load, _price)
