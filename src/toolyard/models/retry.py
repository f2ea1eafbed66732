"""When to ask again: exponential backoff with jitter, or as long as the endpoint says."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from toolyard.core.errors import ProviderError

FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0
# An endpoint that wants a longer pause than this is out of service for the sample at hand.
LONGEST_RETRY_AFTER = 300.0

Result = TypeVar("Result")


def backoff(attempt: int, rng: random.Random) -> float:
    """Seconds before attempt number `attempt + 1`; half of it is jitter, so that waiters spread out."""
    longest = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(attempt, 16))
    return longest * rng.uniform(0.5, 1.0)


def retry_after(header: str | None, now: datetime) -> float | None:
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
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


async def with_retries(
    attempt: Callable[[], Awaitable[Result]], *, retries: int, rng: random.Random
) -> Result:
    """The first result of at most `1 + retries` attempts; the last error where there is none."""
    for number in range(retries):
        try:
            return await attempt()
        except ProviderError as error:
            wait = _wait(error, number, rng)
            if wait is None:
                raise
        await asyncio.sleep(wait)
    return await attempt()


def _wait(error: ProviderError, number: int, rng: random.Random) -> float | None:
    if not error.retryable:
        return None
    if error.retry_after is None:
        return backoff(number, rng)
    if error.retry_after > LONGEST_RETRY_AFTER:
        return None
    # The jitter comes on top: everybody who was told "1 second" would otherwise return at once.
    return error.retry_after + backoff(0, rng)
