"""One HTTP endpoint that speaks JSON: bounded, retried, timed, and with errors of stable kinds."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from toolyard.core.errors import CHARGED_FOR_NOTHING, ProviderError
from toolyard.core.types import Allotment, Failure, JsonValue, Usage
from toolyard.models.base import Limits
from toolyard.models.http import refusal as refusals
from toolyard.models.http import wire
from toolyard.models.http.address import hidden_parts, join_url, shown_url
from toolyard.models.http.body import ENCODINGS, bounded_chunks, read_bounded, read_lines
from toolyard.models.http.rate_limits import Pace, RequestWork
from toolyard.models.http.retry import parse_retry_after, with_retries
from toolyard.models.http.stream import Assembly, EventStream
from toolyard.models.http.usage import read_usage
from toolyard.models.key_scrubbing import Scrubber

if TYPE_CHECKING:
    import aiohttp

CONNECT_TIMEOUT = 15.0
KEEP_ALIVE = 60.0

# The answers to one batch file, which are read line by line.
FILE_LIMIT = 1024 * 2**20
JSON_TYPE = "application/json"

Result = TypeVar("Result")


def describe_failure(error: Exception) -> str:
    """What a connection failed of, without aiohttp's own word for how it checks certificates."""
    return re.sub(r" ssl:\w+", "", str(error))


@dataclass(frozen=True, slots=True)
class Sending:
    """One request as it goes over the wire; `take_line`: what comes back is a file, of which it gets every line."""

    path: str
    data: bytes | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    method: str = "POST"
    content_type: str = JSON_TYPE
    assembly: Callable[[], Assembly] | None = None
    take_line: Callable[[bytes], None] | None = None


@dataclass(frozen=True, slots=True)
class EndpointAnswer:
    """What came back: JSON, or the endpoint's refusal; the seconds it took, and those to its first token.

    `server` is what the endpoint calls itself.
    """

    payload: JsonValue
    refusal: refusals.Refusal | None
    latency: float
    first_token: float = 0.0
    server: str = ""


NO_WORK = RequestWork()
# Attempts in a row that an endpoint counts tokens for and does not answer; after these nobody asks it again.
CHARGES_TO_STOP = 5


def unknown_usage(result: object) -> Usage | None:  # noqa: ARG001 - the signature of what tells it
    """The usage of a request is unknown."""
    return None


class Attempts:
    """The attempts of one asking, and what those without an answer took: by the endpoint's count, or else `estimate`.

    Under a limit on cost it is counted at once, and money is set aside anew before the next attempt.
    """

    def __init__(self, estimate: Usage = Usage(), allotment: Allotment | None = None) -> None:
        self.estimate = estimate
        self.lost = Usage()
        self._allotment = allotment
        self._needs_more = False

    async def begin(self) -> None:
        """Waits until one more attempt may be sent."""
        if self._needs_more and self._allotment is not None:
            await self._allotment.more(self.estimate.completion_tokens)
            self._needs_more = False

    def fail(self, error: ProviderError) -> None:
        """Counts an attempt that brought no answer."""
        granted, is_known = self._allotment, error.spent != Usage()
        if error.billed and not is_known:
            error.spent = (
                self.estimate if granted is None else granted.estimate(self.estimate.completion_tokens)
            )
        self.lost += error.spent
        if granted is not None and error.spent != Usage():
            granted.lose(error.spent, is_known=is_known)
            self._needs_more = True


class Endpoint:
    """A base URL that takes posts of JSON.

    Whatever comes from the wire, answers as well as errors, leaves this class without the key.
    `base_url` is the address as it may be shown.
    """

    def __init__(
        self, base_url: str, *, key: str | None, limits: Limits, rng: random.Random | None = None
    ) -> None:
        self.base_url = shown_url(base_url.rstrip("/"))
        self._url = base_url
        self._scrub = Scrubber(*([key] if key else []), *hidden_parts(base_url))
        self._headers = {"Accept-Encoding": ", ".join(ENCODINGS)}
        if key is not None:
            self._headers["Authorization"] = f"Bearer {key}"
        self._limits = limits
        # Below the whole: an endpoint without a connection, or whose TLS never ends, is told from a slow answer.
        self._connect_timeout = min(CONNECT_TIMEOUT, limits.timeout / 2)
        # Jitter only spreads load: it decides no result, so it need not be reproducible.
        self._rng = rng or random.Random()
        self.pace = Pace(limits)
        self._session: aiohttp.ClientSession | None = None
        self._session_loop: asyncio.AbstractEventLoop | None = None
        self._reached = self._has_answered = False
        self._charged_for_nothing = 0

    async def post(
        self,
        path: str,
        data: bytes,
        read: Callable[[EndpointAnswer], Result],
        assembly: Callable[[], Assembly] | None = None,
        work: RequestWork = NO_WORK,
        usage: Callable[[Result], Usage | None] = unknown_usage,
        attempts: Attempts | None = None,
    ) -> Result:
        """The answer as `read` parses it. Its ProviderErrors are retried like connection errors.

        `assembly` puts a streamed answer together; one that comes whole all the same is taken as it is. `work` and
        `usage` say what the request takes before and after, `attempts` count what those without an answer took.
        """
        sending, attempts = Sending(path, data, assembly=assembly), attempts or Attempts()

        async def attempt() -> Result:
            await attempts.begin()
            try:
                async with self.pace.turn(work) as turn:
                    result = read(await self._exchange(sending))
                    turn.usage = usage(result)
            except ProviderError as error:
                attempts.fail(error)
                self._stop_if_charged(error)
                raise
            self._has_answered, self._charged_for_nothing = True, 0
            return result

        try:
            return await with_retries(attempt, retries=self._limits.retries, rng=self._rng)
        except ProviderError as error:
            # Those of earlier attempts count as well.
            error.spent = attempts.lost
            raise

    def _stop_if_charged(self, error: ProviderError) -> None:
        """Ends everything where the endpoint counts tokens time after time and answers nothing."""
        self._charged_for_nothing += error.spent != Usage() and not error.billed
        if self._charged_for_nothing >= CHARGES_TO_STOP:
            raise ProviderError(
                CHARGED_FOR_NOTHING,
                f"{self.base_url} counted tokens for {self._charged_for_nothing} requests in a row and answered none, "
                f"the last with: {error}; look into it before you go on",
            ) from None

    async def exchange(self, sending: Sending, *, retries: int | None = None) -> EndpointAnswer:
        """The answer to anything that is no completion, in no queue with them; of a file there is no payload.

        What must not be done twice is sent with `retries=0`.
        """
        allowed = self._limits.retries if retries is None else retries

        async def attempt() -> EndpointAnswer:
            return await self._exchange(sending)

        return await with_retries(attempt, retries=allowed, rng=self._rng)

    async def close(self) -> None:
        """Closes the connections."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _client_session(self) -> aiohttp.ClientSession:
        import aiohttp

        loop = asyncio.get_running_loop()
        if self._session is None or self._session_loop is not loop or self._session.closed:
            # Our own semaphore bounds what is in flight; a second bound would only add a queue.
            connector = aiohttp.TCPConnector(limit=0, ttl_dns_cache=300, keepalive_timeout=KEEP_ALIVE)
            self._session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                headers=self._headers,
                auto_decompress=False,
                timeout=aiohttp.ClientTimeout(total=self._limits.timeout, sock_connect=self._connect_timeout),
            )
            self._session_loop = loop
        return self._session

    async def _exchange(self, sending: Sending) -> EndpointAnswer:
        """The answer to one sending; a failure is a ProviderError without a cause, which could quote the key."""
        import aiohttp

        started = asyncio.get_running_loop().time()
        try:
            return await self._send_once(sending, started)
        except ProviderError as error:
            # What came with status 200 and cannot be read may be charged for; what is larger than any answer, too.
            billed = error.kind in ("bad_response", "too_large") and error.spent == Usage()
            raise ProviderError(
                error.kind, self._scrub.text(str(error)), retry_after=error.retry_after, spent=error.spent,
                billed=billed,
            ) from None  # fmt: skip
        except aiohttp.ClientConnectorError as error:
            raise self._connection_error(error) from None
        except TimeoutError as error:
            raise self._timeout_error(error, started) from None
        except (aiohttp.InvalidURL, UnicodeError):
            raise self._unreachable_error("not a valid address") from None
        except (aiohttp.ClientError, OSError) as error:
            self._reached = True
            broken = f"{self.base_url} broke the connection: {error!r}"
            raise self._error("connection", broken, billed=True) from None

    async def _send_once(self, sending: Sending, started: float) -> EndpointAnswer:
        headers = {"Content-Type": sending.content_type} if sending.data is not None else {}
        url, assembly = join_url(self._url, sending.path), sending.assembly
        # A redirect is not followed: it could carry the key to another host.
        async with self._client_session().request(
            sending.method,
            url,
            params=sending.parameters,
            data=sending.data,
            headers=headers,
            allow_redirects=False,
        ) as response:
            self._reached = True
            self.pace.apply_rate_limit_headers(response.headers, asyncio.get_running_loop().time())
            fine = response.status < 300
            if assembly is not None and fine and "event-stream" in response.content_type:
                return await self._read_stream(response, assembly(), started)
            if sending.take_line is not None and fine:
                await read_lines(response, FILE_LIMIT, sending.take_line)
                return EndpointAnswer(None, None, asyncio.get_running_loop().time() - started)
            data = await read_bounded(response)
            return self._answer(response, data, asyncio.get_running_loop().time() - started)

    def without_key(self, value: JsonValue) -> JsonValue:
        """The value as it may be kept: a file that was fetched whole may repeat what must not be written down."""
        return self._scrub.value(value)

    async def _read_stream(
        self, response: aiohttp.ClientResponse, whole: Assembly, started: float
    ) -> EndpointAnswer:
        clock, events, first = asyncio.get_running_loop(), EventStream(), 0.0
        async for data in bounded_chunks(response):
            for event in events.feed(data):
                if isinstance(event, Failure):
                    raise self._unreadable_error(f"streamed {event.detail}", whole.usage)
                whole.add(event)
                if whole.begun and not first:
                    first = clock.time() - started
        payload = whole.whole()
        if isinstance(payload, Failure):
            raise self._unreadable_error(f"sent {payload.detail}", whole.usage)
        return replace(self._read_payload(response, payload, clock.time() - started), first_token=first)

    def _error(self, kind: str, message: str, *, billed: bool = False) -> ProviderError:
        return ProviderError(kind, self._scrub.text(message)[:400], billed=billed)

    def _unreadable_error(self, what: str, usage: JsonValue = None) -> ProviderError:
        return ProviderError("bad_response", f"{self.base_url} {what}", spent=read_usage(usage, Usage()))

    def _timeout_error(self, error: TimeoutError, started: float) -> ProviderError:
        import aiohttp

        if isinstance(error, aiohttp.ConnectionTimeoutError) and not self._reached:
            return self._unreachable_error(f"no connection within {self._connect_timeout:g} s")
        seconds = asyncio.get_running_loop().time() - started
        sent = not isinstance(error, aiohttp.ConnectionTimeoutError)
        return self._error("timeout", f"{self.base_url} did not answer within {seconds:.0f} s", billed=sent)

    def _connection_error(self, error: aiohttp.ClientConnectorError) -> ProviderError:
        import aiohttp

        certificate = isinstance(error, aiohttp.ClientConnectorCertificateError)
        if self._reached and not certificate:
            return self._error(
                "connection", f"{self.base_url} refused the connection: {describe_failure(error)}"
            )
        return self._unreachable_error(describe_failure(error))

    def _unreachable_error(self, why: str) -> ProviderError:
        return self._error(
            "unreachable", f"{self.base_url} cannot be reached ({why[:200]}); check base_url and that it runs"
        )

    def _answer(self, response: aiohttp.ClientResponse, data: bytes, latency: float) -> EndpointAnswer:
        if response.status >= 300:
            refusal = refusals.read_refusal(response.status, data, self._scrub)
            self._raise_for(refusal, response)
            return EndpointAnswer(None, refusal, latency)
        payload = wire.decode_json(data)
        if isinstance(payload, Failure):
            if data.lstrip()[:1] == b"<" and not self._has_answered:
                raise ProviderError("web_page", self._web_page(data))
            kind = self._scrub.text(response.headers.get("Content-Type", ""))[:40]
            raise self._unreadable_error(f"sent {payload.detail} ({kind}); check base_url")
        return self._read_payload(response, payload, latency)

    def _read_payload(
        self, response: aiohttp.ClientResponse, payload: JsonValue, latency: float
    ) -> EndpointAnswer:
        payload = self._scrub.value(payload)
        refusal_inside = refusals.error_in_answer(payload)
        if refusal_inside is not None:
            self._raise_for(refusal_inside, response)
        return EndpointAnswer(payload, refusal_inside, latency, server=self._server_name(response, payload))

    def _web_page(self, data: bytes) -> str:
        """The error for an address that answers with an HTML page; a retry would not help."""
        # A key is taken out before quotes change how it is spelled, and before a cut leaves a part of it.
        page = self._scrub.body(data[:2000].decode("utf-8", "replace"))
        said = " ".join(re.sub(r"<[^>]*>", " ", page).split())[:80]
        return (
            f"{self.base_url} answered with a web page ({said!r}) instead of JSON; check base_url{self._hint}"
        )

    @property
    def _hint(self) -> str:
        return "" if self.base_url.endswith("/v1") else "; most servers want a base_url that ends in /v1"

    def _server_name(self, response: aiohttp.ClientResponse, payload: JsonValue) -> str:
        """What the endpoint says it is: its Server header and, where it sends one, its fingerprint."""
        named = payload.get("system_fingerprint") if isinstance(payload, dict) else None
        words = (response.headers.get("Server", ""), named if isinstance(named, str) else "")
        return " ".join(self._scrub.text(word)[:100] for word in words if word)

    def _raise_for(self, refusal: refusals.Refusal, response: aiohttp.ClientResponse) -> None:
        """Raises what is the same for every request; what may depend on this one is left to the caller."""
        status, words = refusal.status, f"{refusal.message[:300]!r}"
        if status in (401, 403):
            raise ProviderError(
                "bad_key", f"{self.base_url} refused the key ({status}: {words}); check key_env",
                spent=refusal.usage,
            )  # fmt: skip
        if status == 404 or status < 400:
            raise ProviderError("not_found", self._not_found(status, words, response))
        if status == 429 and "insufficient_quota" in refusal.code:
            raise ProviderError("bad_key", f"the quota of this key is used up at {self.base_url}: {words}")
        kind = {408: "timeout", 425: "server_error", 429: "rate_limited"}.get(status)
        if kind is None and status >= 500 and not refusals.is_overflow(refusal):
            kind = "server_error"
        if kind is not None:
            pause = parse_retry_after(response.headers.get("Retry-After"), datetime.now(UTC))
            said = f"{self.base_url} answered {status}: {words}"
            raise ProviderError(kind, said, retry_after=pause, spent=refusal.usage)

    def _not_found(self, status: int, words: str, response: aiohttp.ClientResponse) -> str:
        if status < 400:
            place = self._scrub.text(response.headers.get("Location", "nowhere"))[:200]
            return f"{self.base_url} answered {status}, moved to {place!r}; give that place as base_url"
        return f"{self.base_url} answered 404: {words}; check the model's name and base_url{self._hint}"
