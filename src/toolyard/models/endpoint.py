"""One HTTP endpoint that speaks JSON: bounded, retried, timed, and with errors of stable kinds."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from toolyard.core.errors import ProviderError
from toolyard.core.types import Failure, Json
from toolyard.models import wire
from toolyard.models.base import CONCURRENCY, Limits, PerLoop
from toolyard.models.retry import retry_after, with_retries

if TYPE_CHECKING:
    import aiohttp

RESPONSE_LIMIT = 32 * 2**20
CONNECT_TIMEOUT = 15.0
KEEP_ALIVE = 60.0

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: JSON, or the endpoint's refusal; and the seconds it took."""

    payload: Json
    refusal: wire.Refusal | None
    latency: float


class Endpoint:
    """A base URL that takes posts of JSON."""

    def __init__(
        self, base_url: str, *, key: str | None, limits: Limits, rng: random.Random | None = None
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self._headers = {"Content-Type": "application/json"}
        if key is not None:
            self._headers["Authorization"] = f"Bearer {key}"
        self._limits = limits
        # Jitter only spreads load: it decides no result, so it need not be reproducible.
        self._rng = rng or random.Random()
        self._places = PerLoop(limits.concurrency or CONCURRENCY)
        self._session: aiohttp.ClientSession | None = None
        self._session_loop: asyncio.AbstractEventLoop | None = None
        self._reached = False

    async def post(self, path: str, data: bytes, read: Callable[[Answer], Result]) -> Result:
        """What `read` makes of the answer; its ProviderErrors are retried like those of the connection."""

        async def attempt() -> Result:
            async with self._places.semaphore():
                answer = await self._exchange(f"{self.base_url}/{path}", data)
            return read(answer)

        return await with_retries(attempt, retries=self._limits.retries, rng=self._rng)

    async def close(self) -> None:
        """Closes the connections."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _connected(self) -> aiohttp.ClientSession:
        import aiohttp

        loop = asyncio.get_running_loop()
        if self._session is None or self._session_loop is not loop or self._session.closed:
            # Our own semaphore bounds what is in flight; a second bound would only add a queue.
            connector = aiohttp.TCPConnector(limit=0, ttl_dns_cache=300, keepalive_timeout=KEEP_ALIVE)
            self._session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                headers=self._headers,
                timeout=aiohttp.ClientTimeout(total=self._limits.timeout, sock_connect=CONNECT_TIMEOUT),
            )
            self._session_loop = loop
        return self._session

    async def _exchange(self, url: str, body: bytes) -> Answer:
        import aiohttp

        loop = asyncio.get_running_loop()
        started = loop.time()
        try:
            # A redirect is not followed: it could carry the key to another host.
            async with self._connected().post(url, data=body, allow_redirects=False) as response:
                self._reached = True
                data = await _read_bounded(response)
                return self._answer(response, data, loop.time() - started)
        except aiohttp.ClientConnectorError as error:
            raise self._no_connection(error) from error
        except TimeoutError as error:
            if isinstance(error, aiohttp.ConnectionTimeoutError) and not self._reached:
                raise self._unreachable(f"no connection within {CONNECT_TIMEOUT:.0f} s") from error
            seconds = loop.time() - started
            raise ProviderError(
                "timeout", f"{self.base_url} did not answer within {seconds:.0f} s"
            ) from error
        except aiohttp.InvalidURL as error:
            raise self._unreachable("not a valid address") from error
        except (aiohttp.ClientError, OSError) as error:
            self._reached = True
            raise ProviderError(
                "connection", f"{self.base_url} broke the connection: {error!r}"[:300]
            ) from error

    def _no_connection(self, error: aiohttp.ClientConnectorError) -> ProviderError:
        import aiohttp

        certificate = isinstance(error, aiohttp.ClientConnectorCertificateError)
        if self._reached and not certificate:
            return ProviderError("connection", f"{self.base_url} refused the connection: {error}"[:300])
        return self._unreachable(str(error))

    def _unreachable(self, why: str) -> ProviderError:
        return ProviderError(
            "unreachable", f"{self.base_url} cannot be reached ({why[:200]}); check base_url and that it runs"
        )

    def _answer(self, response: aiohttp.ClientResponse, data: bytes, latency: float) -> Answer:
        if response.status >= 300:
            refusal = wire.read_refusal(response.status, data)
            self._raise_for(refusal, response)
            return Answer(None, refusal, latency)
        payload = wire.from_json(data)
        if isinstance(payload, Failure):
            raise ProviderError("bad_response", f"{self.base_url} sent {payload.detail}")
        refusal_inside = wire.error_in_answer(payload)
        if refusal_inside is not None:
            self._raise_for(refusal_inside, response)
        return Answer(payload, refusal_inside, latency)

    def _raise_for(self, refusal: wire.Refusal, response: aiohttp.ClientResponse) -> None:
        """Raises what is the same for every request; what may depend on this one is left to the caller."""
        status, words = refusal.status, f"{refusal.message[:300]!r}"
        if status in (401, 403):
            raise ProviderError(
                "bad_key", f"{self.base_url} refused the key ({status}: {words}); check key_env"
            )
        if status == 404 or status < 400:
            raise ProviderError("not_found", self._not_found(status, words, response))
        if status == 429 and "insufficient_quota" in refusal.code:
            raise ProviderError("bad_key", f"the quota of this key is used up at {self.base_url}: {words}")
        kind = {408: "timeout", 425: "server_error", 429: "rate_limited"}.get(status)
        if kind is None and status >= 500 and not wire.is_overflow(refusal):
            kind = "server_error"
        if kind is not None:
            pause = retry_after(response.headers.get("Retry-After"), datetime.now(UTC))
            raise ProviderError(kind, f"{self.base_url} answered {status}: {words}", retry_after=pause)

    def _not_found(self, status: int, words: str, response: aiohttp.ClientResponse) -> str:
        if status < 400:
            place = response.headers.get("Location", "nowhere")[:200]
            return f"{self.base_url} answered {status}, moved to {place!r}; give that place as base_url"
        hint = "" if self.base_url.endswith("/v1") else "; most servers want a base_url that ends in /v1"
        return f"{self.base_url} answered 404: {words}; check the model's name and base_url{hint}"


async def _read_bounded(response: aiohttp.ClientResponse) -> bytes:
    chunks, size = [], 0
    async for chunk in response.content.iter_any():
        size += len(chunk)
        if size > RESPONSE_LIMIT:
            response.close()
            raise ProviderError("too_large", f"{response.url.host} sent more than {RESPONSE_LIMIT >> 20} MiB")
        chunks.append(chunk)
    return b"".join(chunks)
