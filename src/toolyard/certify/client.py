"""A raw client: posts a body, gives status and text as they came, without the key."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

from toolyard.certify.model_endpoint import Place
from toolyard.certify.probe_answers import ProbeExchange
from toolyard.certify.probe_costs import Charges
from toolyard.core.errors import ProviderError
from toolyard.core.types import JsonValue
from toolyard.models.base import TIMEOUT
from toolyard.models.http.address import hidden_parts, join_url, shown_url
from toolyard.models.http.body import read_bounded
from toolyard.models.http.endpoint import CONNECT_TIMEOUT, describe_failure
from toolyard.models.http.retry import with_retries
from toolyard.models.http.wire import encode_json
from toolyard.models.key_scrubbing import Scrubber

if TYPE_CHECKING:
    import aiohttp

RETRIES = 3
AGAIN = (408, 425, 429, 500, 502, 503, 504)
# Words of a failure that will be the same next time.
LASTING = ("parse", "schema", "grammar", "template", "jinja", "context")
OTHER_NAME = "max_completion_tokens"


class Client:
    """Posts to one place; what the endpoint refuses by name (`temperature`, `max_tokens`) is sent otherwise."""

    def __init__(
        self, place: Place, session: aiohttp.ClientSession, charges: Charges, *, timeout: float = TIMEOUT
    ) -> None:
        self._place = place
        self._session = session
        self._timeout, self._connect_timeout = timeout, min(CONNECT_TIMEOUT, timeout / 2)
        self._charges = charges
        self._scrub = Scrubber(*([place.key] if place.key else []), *hidden_parts(place.base_url))
        self._shown = shown_url(place.base_url)
        self._renamed = self._without_temperature = False
        # Jitter only spreads load: it decides no result.
        self._rng = random.Random()

    @property
    def model(self) -> str:
        """The name that requests carry."""
        return self._place.model

    async def post(self, path: str, body: dict[str, JsonValue]) -> ProbeExchange:
        """What came back; ProviderError where nothing did, or where a wrong key or address would fail every probe."""
        found = await self._attempts(path, self._adapt_body(body))
        if found.status == 400 and self._learn_from_refusal(found.body, body):
            found = await self._attempts(path, self._adapt_body(body))
        if found.status in (401, 403):
            raise ProviderError("bad_key", f"{self._shown} refused the key ({found.status}); check key_env")
        if found.status == 404 and path != "responses":
            raise ProviderError(
                "not_found",
                f"{self._shown} answered 404: check the model's name and base_url (most end in /v1)",
            )
        return found

    def _learn_from_refusal(self, text: str, body: dict[str, JsonValue]) -> bool:
        before = (self._renamed, self._without_temperature)
        self._renamed |= OTHER_NAME in text and "max_tokens" in body
        self._without_temperature |= "temperature" in text
        return before != (self._renamed, self._without_temperature)

    def _adapt_body(self, body: dict[str, JsonValue]) -> dict[str, JsonValue]:
        suited = dict(body)
        if self._renamed and "max_tokens" in suited:
            suited[OTHER_NAME] = suited.pop("max_tokens")
        if self._without_temperature:
            suited.pop("temperature", None)
        return suited

    async def _attempts(self, path: str, body: dict[str, JsonValue]) -> ProbeExchange:
        last: list[ProbeExchange] = []

        async def attempt() -> ProbeExchange:
            found = await self._charges.paid(body, lambda: self._exchange(path, body))
            last[:] = [found]
            if found.status in AGAIN and not any(word in found.body.lower() for word in LASTING):
                kind = "rate_limited" if found.status == 429 else "server_error"
                raise ProviderError(kind, f"{self._shown} answered {found.status}")
            return found

        try:
            return await with_retries(attempt, retries=RETRIES, rng=self._rng)
        except ProviderError as error:
            if last and error.kind == "server_error":
                return last[0]
            raise

    async def _exchange(self, path: str, body: dict[str, JsonValue]) -> ProbeExchange:
        import aiohttp

        loop = asyncio.get_running_loop()
        started = loop.time()
        try:
            # A redirect is not followed: it could carry the key to another host.
            async with self._session.post(
                join_url(self._place.base_url, path),
                data=encode_json(body),
                headers=self._headers(),
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=self._timeout, sock_connect=self._connect_timeout),
            ) as response:
                data = await read_bounded(response)
                text = self._scrub.body(data.decode("utf-8", "replace"))
                return ProbeExchange(body, response.status, text, round(loop.time() - started, 3))
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            why = (
                self._scrub.text(describe_failure(error))[:200]
                or f"no connection within {self._connect_timeout:g} s"
            )
            raise ProviderError(
                "unreachable", f"{self._shown} cannot be reached ({why}); check base_url"
            ) from None
        except TimeoutError:
            raise ProviderError(
                "timeout", f"{self._shown} did not answer within {self._timeout:.0f} s"
            ) from None
        except (aiohttp.ClientError, OSError) as error:
            why = self._scrub.text(repr(error))[:200]
            raise ProviderError("connection", f"{self._shown} broke the connection: {why}") from None

    def _headers(self) -> dict[str, str]:
        key = {"Authorization": f"Bearer {self._place.key}"} if self._place.key else {}
        return {"Content-Type": "application/json", "Accept-Encoding": "identity", **key}
