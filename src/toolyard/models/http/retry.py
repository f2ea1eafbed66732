"""When to ask again: exponential backoff with jitter, or as long as the endpoint says."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from toolyard.core.errors import ProviderError

FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0
# An endpoint that wants a longer pause, or an absurd one, is asked again after this long.
LONGEST_RETRY_AFTER = 120.0

Result = TypeVar("Result")


def backoff_seconds(attempt: int, rng: random.Random) -> float:
    """Seconds before attempt number `attempt + 1`; half of it is jitter, so that waiters spread out."""
    longest = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(attempt, 16))
    return longest * rng.uniform(0.5, 1.0)


def parse_retry_after(header: str | None, now: datetime) -> float | None:
    """Seconds that a Retry-After header asks for, given as a number or as an HTTP date."""
    if header is None:
        return None
    text = header.strip()[:64]
    try:
        seconds = float(text)
    except ValueError:
        return _seconds_until(text, now)
    return seconds if 0 <= seconds < float("inf") else None


def _seconds_until(text: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return max(0.0, (moment - now).total_seconds())
    except (ValueError, OverflowError):
        return None


async def with_retries(
    attempt: Callable[[], Awaitable[Result]], *, retries: int, rng: random.Random
) -> Result:
    """The first result of at most `1 + retries` attempts; the last error where there is none."""
    # Most requests succeed at once: they need none of what follows.
    try:
        return await attempt()
    except ProviderError as error:
        if retries < 1 or not is_retryable(error):
            raise
        first = error
    from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt

    def wait(state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome is not None else None
        return pause_seconds(error, state.attempt_number, rng)

    retrying = AsyncRetrying(
        stop=stop_after_attempt(retries), retry=retry_if_exception(is_retryable), wait=wait, reraise=True
    )
    await asyncio.sleep(pause_seconds(first, 0, rng))
    return await retrying(attempt)


def is_retryable(error: BaseException) -> bool:
    """Whether the same request may succeed later."""
    return isinstance(error, ProviderError) and error.retryable


def pause_seconds(error: BaseException | None, number: int, rng: random.Random) -> float:
    """Seconds before the next attempt."""
    wanted = error.retry_after if isinstance(error, ProviderError) else None
    if wanted is None:
        return backoff_seconds(number, rng)
    # The jitter comes on top: everybody who was told "1 second" would otherwise return at once.
    return min(wanted, LONGEST_RETRY_AFTER) + backoff_seconds(0, rng)
