"""What the client does when the endpoint does not answer."""

import asyncio
import random
import time
from datetime import UTC, datetime

import pytest
from aiohttp import web

from cases import cases
from chat_endpoint import Body, ChatEndpoint, answer_at, chat, serve
from toolyard.core.errors import ProviderError
from toolyard.core.types import Decoding, Message, Request
from toolyard.models.base import Limits
from toolyard.models.http import retry
from toolyard.models.http.openai import OpenAIModel, load_openai
from toolyard.models.http.retry import backoff_seconds, pause_seconds, retry_after
from toolyard.models.spec import ModelSpec


def ask(sample: str = "s") -> Request:
    return Request((Message("user", sample),), Decoding(), sample=sample, seed=1)


@pytest.mark.parametrize(("status", "body", "kind"), cases(__file__, "what_will_fail_again_is_asked_once"))
def test_what_will_fail_again_is_asked_once(status: int, body: Body, kind: str) -> None:
    endpoint = ChatEndpoint(lambda sent: web.json_response(body, status=status))
    with pytest.raises(ProviderError) as caught:
        endpoint.ask(ask(), retries=8)
    assert (caught.value.kind, len(endpoint.bodies)) == (kind, 1)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("status", "kind"), [(429, "rate_limited"), (503, "server_error"), (408, "timeout")])
def test_the_last_error_stands_when_retries_are_used_up(
    monkeypatch: pytest.MonkeyPatch, status: int, kind: str
) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.001)
    endpoint = ChatEndpoint(lambda body: web.Response(status=status))
    with pytest.raises(ProviderError) as caught:
        endpoint.ask(ask(), retries=3)
    assert (caught.value.kind, len(endpoint.bodies)) == (kind, 4)


def test_an_error_with_status_200_is_an_error() -> None:
    refusal = {"error": {"message": "no such key", "code": 401}}
    with pytest.raises(ProviderError, match="no such key") as caught:
        ChatEndpoint(lambda body: web.json_response(refusal)).ask(ask())
    assert caught.value.kind == "bad_key"


def test_a_host_that_never_answered_is_unreachable_at_once() -> None:
    with pytest.raises(ProviderError, match="check base_url") as caught:
        asyncio.run(answer_at("http://127.0.0.1:9/v1", ask(), retries=8))
    assert caught.value.kind == "unreachable"


def test_a_host_that_went_away_later_is_a_lost_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.001)

    async def run() -> None:
        async with serve(ChatEndpoint(lambda body: chat("here")).handle) as url:
            model = load_openai(ModelSpec.parse(f"openai/m?base_url={url}"), Limits(retries=2))
            assert (await model.generate(ask())).text == "here"
        try:
            await model.generate(ask())
        finally:
            await model.close()

    with pytest.raises(ProviderError) as caught:
        asyncio.run(run())
    assert caught.value.kind == "connection"


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
    async def closing(model: OpenAIModel) -> str:
        try:
            return (await model.generate(ask())).text
        finally:
            await model.close()

    async def twice() -> list[str]:
        async with serve(ChatEndpoint(lambda body: chat("again")).handle) as url:
            model = load_openai(ModelSpec.parse(f"openai/m?base_url={url}"), Limits())
            return [await asyncio.to_thread(asyncio.run, closing(model)) for _ in range(2)]

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
    times: list[float] = []

    def reply(body: Body) -> web.Response:
        times.append(time.monotonic())
        return web.Response(status=429, headers={"Retry-After": "0.3"}) if len(times) == 1 else chat("now")

    assert ChatEndpoint(reply).ask(ask(), retries=8)[1][0].text == "now"
    assert times[1] - times[0] >= 0.3


@pytest.mark.parametrize("header", ["3600", "99999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_pause_that_is_too_long_is_cut_and_the_sample_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, header: str
) -> None:
    monkeypatch.setattr(retry, "LONGEST_RETRY_AFTER", 0.01)
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.01)
    pauses = [web.Response(status=429, headers={"Retry-After": header}) for _ in range(2)]
    endpoint = ChatEndpoint(lambda body: pauses.pop() if pauses else chat("now"))
    assert endpoint.ask(ask(), retries=8)[1][0].text == "now"


def test_jitter_comes_on_top_of_a_pause() -> None:
    told = ProviderError("rate_limited", "", retry_after=10.0)
    waits = [pause_seconds(told, 0, random.Random(seed)) for seed in range(50)]
    assert 10.0 < min(waits) < max(waits) <= 10.5
    assert max(waits) - min(waits) > 0.1
    forever = ProviderError("rate_limited", "", retry_after=1e18)
    assert 120.0 < pause_seconds(forever, 0, random.Random(0)) <= 120.5
