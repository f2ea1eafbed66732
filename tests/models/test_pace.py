"""How fast an endpoint is asked: minutes, refusals, slowness, and what its headers say."""

import asyncio
from typing import Any

import pytest
from aiohttp import web

from cases import each_case
from chat_endpoint import Body, ChatEndpoint, chat, serve
from toolyard.core.types import Decoding, Message, Request
from toolyard.models.base import Limits
from toolyard.models.http import retry
from toolyard.models.http.openai import load_openai
from toolyard.models.http.rate_limits import Bucket, Pace, RequestWork, Window, parse_seconds
from toolyard.models.spec import ModelSpec


def test_requests_of_a_minute_are_spread_evenly() -> None:
    bucket = Bucket(120)
    assert [bucket.reserve(1, 0.0) for _ in range(5)] == [0.0, 0.0, 0.5, 1.0, 1.5]
    assert bucket.reserve(1, 60.0) == 0.0
    bucket = Bucket(1)
    assert [bucket.reserve(1, 0.0), bucket.reserve(1, 10.0)] == [0.0, pytest.approx(50.0)]


def test_a_bucket_is_paid_for_by_what_a_request_took() -> None:
    bucket = Bucket(6000)  # a hundred a second
    assert bucket.reserve(1000, 0.0) == 0.0
    assert bucket.reserve(100, 0.0) == pytest.approx(10.0)
    bucket = Bucket(6000)
    bucket.reserve(100, 0.0)
    bucket.correct(200)
    assert bucket.reserve(100, 0.0) == pytest.approx(3.0)
    bucket.correct(-300)
    assert bucket.reserve(50, 0.0) == pytest.approx(0.5)


def test_a_window_shrinks_once_for_what_was_sent_before_and_grows_by_answers() -> None:
    window = Window(16)
    for _ in range(5):
        window.shrink(sent=1.0, now=2.0)
    assert (window.size, window.cuts) == (pytest.approx(11.2), 1)
    window.shrink(sent=3.0, now=4.0)
    assert window.size == pytest.approx(7.84)
    for _ in range(10):
        window.shrink(sent=9.0 + _, now=9.5 + _)
    assert (window.size, window.smallest) == (1.0, 1)
    window = Window(8)
    window.shrink(0.0, 1.0)
    for _ in range(6):
        window.answered(2.0, 3.0, 0.1)
    assert 6.5 < window.size < 6.7
    for _ in range(100):
        window.answered(2.0, 3.0, 0.1)
    assert window.size == 8.0
    window = Window(16)
    for moment in range(100):
        window.answered(moment, moment, 0.1)
    assert window.size == 16.0
    for moment in range(100, 140):
        window.answered(moment, moment, 2.0)
    assert 4.0 <= window.size <= 8.0
    assert window.smallest == 4
    for moment in range(200, 240):
        window.late(moment, moment)
    assert window.size == 4.0


@each_case("text, seconds")
def test_durations_of_rate_headers(text: str, seconds: float | None) -> None:
    assert parse_seconds(text) == (None if seconds is None else pytest.approx(seconds))


def test_headers_that_leave_nothing_hold_everybody_until_the_reset() -> None:
    pace = Pace(Limits())
    for what, left, reset, until in (
        ("requests", "3", "9s", 0.0),
        ("tokens", "0", "2s", 102.0),
        ("requests", "0", "1d", 100.0 + retry.LONGEST_RETRY_AFTER),
    ):
        headers = {f"x-ratelimit-remaining-{what}": left, f"x-ratelimit-reset-{what}": reset}
        pace.apply_rate_limit_headers(headers, 100.0)
        assert pace._held_until == until


def ask(handler: Any, count: int, **limits: Any) -> tuple[Any, list[str]]:
    async def run() -> tuple[Any, list[str]]:
        async with serve(handler) as url:
            model = load_openai(ModelSpec.parse(f"openai/m?base_url={url}"), Limits(**limits))
            requests = (Request((Message("user", str(n)),), Decoding(max_tokens=4)) for n in range(count))
            try:
                answers = await asyncio.gather(*map(model.generate, requests))
            finally:
                await model.close()
            return model, [answer.text for answer in answers]

    return asyncio.run(run())


def test_an_endpoint_that_takes_three_gets_no_more_after_refusals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.001)
    monkeypatch.setattr(retry, "LONGEST_WAIT", 0.002)
    there, refused = 0, 0

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        nonlocal there, refused
        if there >= 3:
            refused += 1
            return web.Response(status=429)
        there += 1
        await asyncio.sleep(0.002)
        there -= 1
        return chat(body["messages"][0]["content"])

    model, answers = ask(handler, 60, concurrency=32, retries=50)
    assert answers == [str(n) for n in range(60)]
    assert refused > 0
    assert any("asked more slowly" in line for line in model.adjustments)
    assert model.endpoint.pace.window.size < 32


def test_no_more_are_in_flight_than_the_window_allows() -> None:
    most = there = 0

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        nonlocal most, there
        there += 1
        most = max(most, there)
        await asyncio.sleep(0.002)
        there -= 1
        return chat("x")

    ask(handler, 40, concurrency=5)
    assert most == 5


def test_places_are_given_in_order_and_a_cancelled_one_is_given_on() -> None:
    pace = Pace(Limits(concurrency=1))
    told: list[str] = []

    async def work(name: str, until: asyncio.Event) -> None:
        async with pace.turn(RequestWork()):
            told.append(name)
            await until.wait()

    async def play() -> None:
        hold, go = asyncio.Event(), asyncio.Event()
        go.set()

        async def first() -> None:
            await work("first", hold)
            # Its place is the third's already, which is cancelled before it can begin.
            third.cancel()

        holder = asyncio.create_task(first())
        await asyncio.sleep(0)
        second, third, fourth = (asyncio.create_task(work(one, go)) for one in ("second", "third", "fourth"))
        await asyncio.sleep(0)
        assert told == ["first"]
        second.cancel()
        await asyncio.sleep(0)
        hold.set()
        await asyncio.wait([holder, second, third, fourth], timeout=5)
        assert told == ["first", "fourth"]
        assert second.cancelled()
        assert third.cancelled()

    asyncio.run(play())


def test_a_minute_of_requests_is_kept() -> None:
    """Three requests at 6000 a minute all go; the bucket of the model has noted them."""
    endpoint = ChatEndpoint(lambda body: chat("x"))
    model, answers = ask(endpoint.handle, 3, requests_per_minute=6000, tokens_per_minute=60_000)
    assert answers == ["x"] * 3
    # 7 tokens read and 2 written were counted for each, in place of the estimate of 1 and 4.
    assert model.endpoint.pace._answers == 3
    assert model.endpoint.pace._written == pytest.approx(2.0)
