"""Rate limits of an endpoint: concurrent requests, requests and tokens a minute, and back-off when it asks for that.

At a time: at most `--concurrency`; less after a refusal (429), a timeout or answers that take three times as long as
usual, then one more after every round that went well. A minute: `--rpm` and `--tpm`, tokens estimated
before a request and corrected by what it took. Retry-After and x-ratelimit-* hold everybody, not only who was told.
"""

import asyncio
import re
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from toolyard.core.errors import ProviderError
from toolyard.core.types import Usage
from toolyard.models.base import CONCURRENCY, Limits
from toolyard.models.http import retry

MINUTE = 60.0
# What is left of the requests in flight after a refusal.
LEFT = 0.7
# Answers are slow where a recent one takes this many times as long, for its length, as they used to.
SLOW = 3.0
RECENT, USUAL, ENOUGH = 0.2, 0.02, 20
# Slowness and timeouts alone never leave less than this share of the requests in flight.
SLOW_SHARE = 0.25
DURATION = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s*(ms|s|m|h|d)?")
UNITS = {"ms": 0.001, "": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


@dataclass(frozen=True, slots=True)
class RequestWork:
    """What one request is: tokens to read, and to write at most."""

    read: int = 0
    written_at_most: int = 0


class Bucket:
    """What may be spent a minute: filled evenly, never fuller than a second's worth, in debt after what was not foreseen."""

    def __init__(self, per_minute: float) -> None:
        self._rate = per_minute / MINUTE
        self._size = max(1.0, self._rate)
        self._level = self._size
        self._filled = 0.0

    def reserve(self, amount: float, now: float) -> float:
        """Takes the amount; the seconds to wait before it may be spent."""
        self._level = min(self._size, self._level + (now - self._filled) * self._rate)
        self._filled = now
        # A request that is larger than the bucket goes when it is full, and the next ones wait for the rest.
        wait = max(0.0, (min(amount, self._size) - self._level) / self._rate)
        self._level -= amount
        return wait

    def correct(self, more: float) -> None:
        """Takes what was spent beyond the estimate, or gives back what was not."""
        self._level = min(self._size, self._level - more)


class Window:
    """How many requests may be under way: fewer where the endpoint cannot keep up, more again while it can."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = float(most)
        self.smallest = most
        self.cuts = 0
        self._cut_at = float("-inf")
        self._seen = 0
        self._recent = self._usual = 0.0

    def shrink(self, sent: float, now: float, least: float = 1.0) -> None:
        """Seven tenths of them; what was under way when it was made smaller does not count again."""
        if sent < self._cut_at or self.size <= least:
            return
        self.size = max(least, self.size * LEFT)
        self.smallest = min(self.smallest, int(self.size))
        self.cuts += 1
        self._cut_at = now

    def late(self, sent: float, now: float) -> None:
        """Fewer, but not fewer than a share that keeps the run going: slowness may have other reasons."""
        self.shrink(sent, now, max(1.0, self.most * SLOW_SHARE))

    def answered(self, sent: float, now: float, effort: float) -> None:
        """One more after a round of answers; `effort` is the time that an answer took for its length."""
        if self._is_slow(effort):
            self.late(sent, now)
        else:
            self.grow()

    def grow(self) -> None:
        """A part of one more; a whole round of answers makes it one."""
        self.size = min(float(self.most), self.size + 1 / self.size)

    def _is_slow(self, effort: float) -> bool:
        if not self._seen:
            self._recent = self._usual = effort
        self._seen += 1
        self._recent += RECENT * (effort - self._recent)
        self._usual += USUAL * (effort - self._usual)
        return self._seen > ENOUGH and self._recent > SLOW * self._usual


@dataclass(slots=True)
class Permit:
    """One request that may be sent now; `tokens` were set aside for it."""

    sent: float
    tokens: float
    usage: Usage | None = None


class Pace:
    """Who may ask an endpoint now; one for each event loop that is running."""

    def __init__(self, limits: Limits) -> None:
        self.window = Window(limits.concurrency or CONCURRENCY)
        self._requests = Bucket(limits.requests_per_minute) if limits.requests_per_minute else None
        self._tokens = Bucket(limits.tokens_per_minute) if limits.tokens_per_minute else None
        self._written = 0.0
        self._answers = 0
        self._held_until = 0.0
        self._in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def adjustments(self) -> tuple[str, ...]:
        """What the manifest says of it."""
        window = self.window
        if not window.cuts:
            return ()
        return (f"the endpoint was asked more slowly: {window.smallest} of {window.most} requests in flight",)

    @asynccontextmanager
    async def turn(self, work: RequestWork) -> AsyncIterator[Permit]:
        """The right to send one request; what happens to it is learned from."""
        await self._place()
        try:
            turn = await self._its_time(work)
            clock = asyncio.get_running_loop()
            try:
                yield turn
            except ProviderError as error:
                self._note_failure(turn, error, clock.time())
                raise
            if turn.usage is None:
                self.window.grow()
            else:
                self._note_answer(turn, turn.usage, work, clock.time())
        finally:
            self._in_flight -= 1
            self._wake()

    async def _place(self) -> None:
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            # A model may outlive an `asyncio.run`; whoever waited there waits no more.
            self._loop, self._in_flight, self._held_until = loop, 0, 0.0
            self._waiting.clear()
        freed = loop.create_future()
        self._waiting.append(freed)
        self._wake()
        try:
            await freed
        except asyncio.CancelledError:
            if not freed.cancelled():  # it had its place already
                self._in_flight -= 1
            self._wake()
            raise

    def _wake(self) -> None:
        """Gives each free place to the request that has waited longest."""
        while self._waiting and self._in_flight < int(self.window.size):
            freed = self._waiting.popleft()
            if not freed.done():
                freed.set_result(None)
                self._in_flight += 1

    async def _its_time(self, work: RequestWork) -> Permit:
        clock = asyncio.get_running_loop()
        tokens = work.read + min(
            work.written_at_most, self._written if self._answers else work.written_at_most
        )
        wait = 0.0 if self._requests is None else self._requests.reserve(1.0, clock.time())
        if self._tokens is not None:
            wait = max(wait, self._tokens.reserve(tokens, clock.time()))
        if wait:
            await asyncio.sleep(wait)
        while (held := self._held_until - clock.time()) > 0:
            await asyncio.sleep(held)
        return Permit(clock.time(), tokens)

    def _note_failure(self, turn: Permit, error: ProviderError, now: float) -> None:
        if error.kind == "timeout":
            self.window.late(turn.sent, now)
        elif error.kind == "rate_limited":
            self.window.shrink(turn.sent, now)
            self.hold(error.retry_after, now)
            if self._tokens is not None:
                self._tokens.correct(-turn.tokens)

    def _note_answer(self, turn: Permit, usage: Usage, work: RequestWork, now: float) -> None:
        written = usage.completion_tokens
        self._answers += 1
        self._written += (written - self._written) / min(self._answers, 100)
        # Reading is about sixteen times as fast as writing; what is sent and waited for is always there.
        self.window.answered(turn.sent, now, (now - turn.sent) / (written + work.read / 16 + 16))
        if self._tokens is not None:
            self._tokens.correct(usage.prompt_tokens + written - turn.tokens)

    def hold(self, seconds: float | None, now: float) -> None:
        """Sends no request for that many seconds."""
        if seconds is not None:
            self._held_until = max(self._held_until, now + min(seconds, retry.LONGEST_RETRY_AFTER))

    def apply_rate_limit_headers(self, headers: Mapping[str, str], now: float) -> None:
        """Holds everybody where the endpoint's headers say that nothing is left until a moment."""
        for kind in ("requests", "tokens"):
            left = headers.get(f"x-ratelimit-remaining-{kind}")
            if left is not None and left.strip() == "0":
                self.hold(parse_seconds(headers.get(f"x-ratelimit-reset-{kind}", "")), now)


def parse_seconds(text: str) -> float | None:
    """Seconds that a text such as `6m0s`, `120ms` or `1.5` stands for; None where it is none."""
    text = text.strip()[:64]
    parts = DURATION.findall(text)
    if not parts or DURATION.sub("", text).strip():
        return None
    return sum(float(number) * UNITS[unit] for number, unit in parts)
