"""What the client does when the endpoint does not answer."""

import asyncio
import random
import socket
from collections import Counter
from datetime import UTC, datetime

import pytest
from aiohttp import web

from cases import cases
from chat_endpoint import FAULTS, Body, chat, fail, fault_of, serve
from toolyard.core.errors import ProviderError
from toolyard.core.types import Completion, Decoding, Message, Request
from toolyard.models.base import Limits
from toolyard.models.http import body, retry
from toolyard.models.http.openai import OpenAIModel, load_openai
from toolyard.models.http.retry import backoff_seconds, pause_seconds, retry_after
from toolyard.models.spec import ModelSpec


def ask(sample: str = "s") -> Request:
    return Request((Message("user", sample),), Decoding(), sample=sample, seed=1)


async def answer(url: str, request: Request, retries: int = 8) -> Completion:
    model = load_openai(ModelSpec.parse(f"openai/m?base_url={url}"), Limits(retries=retries))
    try:
        return await model.generate(request)
    finally:
        await model.close()


def test_500_requests_complete_though_30_percent_of_attempts_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.01)
    attempts: Counter[str] = Counter()
    seen: Counter[str] = Counter()

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        sample = body["messages"][0]["content"]
        attempts[sample] += 1
        fault = fault_of(sample, attempts[sample])
        if fault is None:
            return chat(f"answer {sample}")
        seen[fault] += 1
        return await fail(request, fault)

    async def run() -> list[Completion]:
        async with serve(handler) as url:
            model = load_openai(
                ModelSpec.parse(f"openai/m?base_url={url}"), Limits(timeout=1.0, concurrency=32)
            )
            answers = await asyncio.gather(*(model.generate(ask(str(number))) for number in range(500)))
            await model.close()
            return answers

    answers = asyncio.run(run())
    assert [completion.text for completion in answers] == [f"answer {number}" for number in range(500)]
    assert set(seen) == set(FAULTS)
    # On a busy machine an answer can come later than the timeout, so there may be more attempts than faults.
    assert sum(attempts.values()) >= 500 + sum(seen.values())


@pytest.mark.parametrize(("status", "body", "kind"), cases(__file__, "what_will_fail_again_is_asked_once"))
def test_what_will_fail_again_is_asked_once(status: int, body: Body, kind: str) -> None:
    asked = []

    async def handler(request: web.Request, sent: Body) -> web.StreamResponse:
        asked.append(sent)
        return web.json_response(body, status=status)

    async def run() -> None:
        async with serve(handler) as url:
            await answer(url, ask())

    with pytest.raises(ProviderError) as caught:
        asyncio.run(run())
    assert caught.value.kind == kind
    assert "\n" not in str(caught.value)
    assert len(asked) == 1


@pytest.mark.parametrize(("status", "kind"), [(429, "rate_limited"), (503, "server_error"), (408, "timeout")])
def test_the_last_error_stands_when_retries_are_used_up(
    monkeypatch: pytest.MonkeyPatch, status: int, kind: str
) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.001)
    asked = []

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        asked.append(body)
        return web.Response(status=status)

    async def run() -> None:
        async with serve(handler) as url:
            await answer(url, ask(), retries=3)

    with pytest.raises(ProviderError) as caught:
        asyncio.run(run())
    assert caught.value.kind == kind
    assert len(asked) == 4


def test_an_error_with_status_200_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        return web.json_response({"error": {"message": "no such key", "code": 401}})

    async def run() -> None:
        async with serve(handler) as url:
            await answer(url, ask())

    with pytest.raises(ProviderError, match="no such key") as caught:
        asyncio.run(run())
    assert caught.value.kind == "bad_key"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_host_that_never_answered_is_unreachable_at_once() -> None:
    with pytest.raises(ProviderError, match="check base_url") as caught:
        asyncio.run(answer(f"http://127.0.0.1:{free_port()}/v1", ask()))
    assert caught.value.kind == "unreachable"


def test_a_host_that_went_away_later_is_a_lost_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.001)

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        return chat("here")

    async def run() -> None:
        async with serve(handler) as url:
            model = load_openai(ModelSpec.parse(f"openai/m?base_url={url}"), Limits(retries=2))
            assert (await model.generate(ask())).text == "here"
        try:
            await model.generate(ask())
        finally:
            await model.close()

    with pytest.raises(ProviderError) as caught:
        asyncio.run(run())
    assert caught.value.kind == "connection"


def test_an_endless_answer_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "RESPONSE_LIMIT", 10_000)

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        return web.Response(body=b"x" * 100_000)

    async def run() -> None:
        async with serve(handler) as url:
            await answer(url, ask())

    with pytest.raises(ProviderError) as caught:
        asyncio.run(run())
    assert caught.value.kind == "too_large"


def test_cancelling_leaves_nothing_behind() -> None:
    arrived = asyncio.Event()

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        arrived.set()
        await asyncio.sleep(30)
        return web.Response()

    async def run() -> set[asyncio.Task[object]]:
        """Tasks that are left, apart from the server's own."""
        async with serve(handler) as url:
            model = load_openai(ModelSpec.parse(f"openai/m?base_url={url}"), Limits(concurrency=4))
            tasks = [asyncio.create_task(model.generate(ask(str(number)))) for number in range(20)]
            await arrived.wait()
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(isinstance(result, asyncio.CancelledError) for result in ended)
            await model.close()
            await model.close()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            return {task for task in others if "RequestHandler" not in repr(task.get_coro())}

    assert asyncio.run(run()) == set()


def test_a_model_outlives_an_event_loop() -> None:
    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        return chat("again")

    async def twice() -> list[str]:
        async with serve(handler) as url:
            model = load_openai(ModelSpec.parse(f"openai/m?base_url={url}"), Limits())
            first = await asyncio.to_thread(asyncio.run, closing(model))
            second = await asyncio.to_thread(asyncio.run, closing(model))
            return [first, second]

    async def closing(model: OpenAIModel) -> str:
        try:
            return (await model.generate(ask())).text
        finally:
            await model.close()

    assert asyncio.run(twice()) == ["again", "again"]


NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(("header", "seconds"), cases(__file__, "retry_after_is_seconds_or_a_date"))
def test_retry_after_is_seconds_or_a_date(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, NOW) == seconds


def test_backoff_doubles_up_to_a_limit_and_is_half_jitter() -> None:
    rng = random.Random(0)
    for attempt, longest in enumerate([0.5, 1, 2, 4, 8, 16, 30, 30, 30]):
        waits = [backoff_seconds(attempt, rng) for _ in range(200)]
        assert longest / 2 <= min(waits) <= max(waits) <= longest
        assert max(waits) - min(waits) > longest / 4


def test_retry_after_is_waited_for() -> None:
    times = []

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        times.append(asyncio.get_running_loop().time())
        if len(times) == 1:
            return web.Response(status=429, headers={"Retry-After": "0.3"})
        return chat("now")

    async def run() -> str:
        async with serve(handler) as url:
            return (await answer(url, ask())).text

    assert asyncio.run(run()) == "now"
    assert times[1] - times[0] >= 0.3


@pytest.mark.parametrize("header", ["3600", "99999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_pause_that_is_too_long_is_cut_and_the_sample_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, header: str
) -> None:
    monkeypatch.setattr(retry, "LONGEST_RETRY_AFTER", 0.01)
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.01)
    asked = []

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        asked.append(body)
        return chat("now") if len(asked) == 3 else web.Response(status=429, headers={"Retry-After": header})

    async def run() -> str:
        async with serve(handler) as url:
            return (await answer(url, ask())).text

    assert asyncio.run(run()) == "now"


def test_jitter_comes_on_top_of_a_pause() -> None:
    told = ProviderError("rate_limited", "", retry_after=10.0)
    waits = [pause_seconds(told, 0, random.Random(seed)) for seed in range(50)]
    assert 10.0 < min(waits) < max(waits) <= 10.5
    assert max(waits) - min(waits) > 0.1
    forever = ProviderError("rate_limited", "", retry_after=1e18)
    assert 120.0 < pause_seconds(forever, 0, random.Random(0)) <= 120.5
