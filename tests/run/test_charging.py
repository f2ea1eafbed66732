"""Endpoints that charge more than foreseen: a session exceeds its limit by at most the requests in flight at first."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from chat_endpoint import Body, chat, serve
from json_files import read_json
from toolyard.core.errors import BudgetExceeded, ProviderError
from toolyard.core.types import Decoding
from toolyard.models.base import Limits
from toolyard.models.http import retry
from toolyard.models.http.openai import OpenAIModel, load_openai
from toolyard.models.spec import ModelSpec
from toolyard.run.grade.evidence import Instruments
from toolyard.run.play.execute import RunResult, execute_run
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toy_benchmark import judged_toy, toy_benchmark

# A dollar for each token, read or written.
PRICE = "price=1000000,1000000"


@dataclass
class Till:
    """An endpoint that counts tokens its own way; `bills` is what it charges for each request."""

    count: Callable[[str], tuple[int, int]]
    answer: Callable[[web.Request, str, Body], Any]
    bills: list[int] = field(default_factory=list)
    in_flight: int = 0
    most_at_first: int = 0

    async def handle(self, request: web.Request, body: Body) -> web.StreamResponse:
        prompt = body["messages"][0]["content"]
        self.in_flight += 1
        if not self.bills:
            self.most_at_first = max(self.most_at_first, self.in_flight)
        await asyncio.sleep(0.02)
        self.in_flight -= 1
        read, written = self.count(prompt)
        self.bills.append(read + written)
        usage = {"prompt_tokens": read, "completion_tokens": written}
        found = self.answer(request, prompt, {"usage": usage})
        return await found if asyncio.iscoroutine(found) else found


def alpha(request: web.Request, prompt: str, counts: Body) -> web.StreamResponse:
    return chat("alpha", **counts)


def no_choices(request: web.Request, prompt: str, counts: Body) -> web.StreamResponse:
    return web.json_response({"choices": [], **counts})


def letters(prompt: str) -> tuple[int, int]:
    """One token for every letter."""
    return len(prompt), 5


def long_thoughts(prompt: str) -> tuple[int, int]:
    """Thoughts far beyond the limit of eight tokens."""
    return 9, 53


async def reset(request: web.Request, prompt: str, counts: Body) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "500"})
    await response.prepare(request)
    await response.write(b'{"choices"')
    assert request.transport is not None
    request.transport.abort()
    return response


def cut(request: web.Request, prompt: str, counts: Body) -> web.StreamResponse:
    return web.Response(text='{"choices": [{"message": {"cont', content_type="application/json")


async def late(request: web.Request, prompt: str, counts: Body) -> web.StreamResponse:
    await asyncio.sleep(2)
    return chat("alpha", **counts)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.0)


def model_at(url: str, *, retries: int = 8, timeout: float = 20.0) -> OpenAIModel:
    spec = ModelSpec.parse(f"openai/m?base_url={url}&{PRICE}")
    return load_openai(spec, Limits(timeout=timeout, retries=retries, concurrency=16))


def play(
    tmp_path: Path, till: Till, limit: float | None, *, count: int = 40, judged: bool = False, **limits: Any
) -> RunResult:
    data = tmp_path / "count.txt"
    data.write_text(str(count))
    toy = (
        judged_toy(data, "Is this good, by any measure that you know?", 8) if judged else toy_benchmark(data)
    )
    settings = Settings("toy", "m", runs=tmp_path, name="run", max_cost=limit, judge="j" if judged else "")

    async def session() -> RunResult:
        async with serve(till.handle) as url:
            model, judge = model_at(url, **limits), model_at(url) if judged else None
            instruments = Instruments(judge, "openai/j" if judged else "", decoding=Decoding(max_tokens=8))
            try:
                return await execute_run(Run.plan(settings, toy), model, instruments)
            finally:
                await model.close()
                if judge is not None:
                    await judge.close()

    return asyncio.run(session())


def manifest(tmp_path: Path) -> dict[str, Any]:
    found: dict[str, Any] = read_json(tmp_path / "run" / "manifest.json")
    return found


def test_the_limit_that_is_suggested_pays_for_a_sample(tmp_path: Path) -> None:
    till = Till(letters, alpha)
    with pytest.raises(BudgetExceeded) as caught:
        play(tmp_path, till, 1.0, count=1)
    assert not till.bills
    play(tmp_path, till, float(str(caught.value).rpartition(" ")[2]), count=1)
    assert len(till.bills) == 1


@pytest.mark.parametrize("count", [letters, long_thoughts])
def test_only_the_first_two_requests_can_exceed_what_was_foreseen(
    tmp_path: Path, count: Callable[[str], tuple[int, int]]
) -> None:
    till = Till(count, alpha)
    with pytest.raises(
        BudgetExceeded, match=r"spent: \d+ of 40 samples remain; .* higher limit, e\.g\. --max-cost"
    ):
        play(tmp_path, till, 600.0)
    assert till.most_at_first <= 2
    assert 400 < sum(till.bills) <= 600, "what was learned leaves room for the rest"
    assert manifest(tmp_path)["cost"] == sum(till.bills)


@pytest.mark.parametrize("count", [letters, long_thoughts])
def test_a_limit_below_the_first_requests_is_exceeded_by_these_alone(
    tmp_path: Path, count: Callable[[str], tuple[int, int]]
) -> None:
    till = Till(count, alpha)
    for _ in range(3):
        with pytest.raises(BudgetExceeded):
            play(tmp_path, till, 40.0)
    assert 1 <= len(till.bills) <= 2


def test_an_endpoint_that_charges_for_nothing_is_left_alone(tmp_path: Path) -> None:
    till = Till(letters, no_choices)
    with pytest.raises(ProviderError, match="counted tokens for 5 requests in a row and answered none"):
        play(tmp_path, till, None)
    assert 5 <= len(till.bills) <= 4 + 18, "those in flight, and four attempts again"
    assert manifest(tmp_path)["cost"] == sum(till.bills), "all of it is written down"


def test_sessions_on_an_endpoint_that_charges_for_nothing_remember_each_other(tmp_path: Path) -> None:
    till = Till(letters, no_choices)
    for _ in range(4):
        with pytest.raises((BudgetExceeded, ProviderError)):
            play(tmp_path, till, 100.0)
    assert sum(till.bills[:-2]) <= 100
    assert manifest(tmp_path)["cost"] == sum(till.bills)


@pytest.mark.parametrize("answer", [reset, cut, late])
def test_a_request_that_may_have_been_charged_counts_as_estimated(tmp_path: Path, answer: Any) -> None:
    till = Till(lambda prompt: (10, 8), answer)
    for _ in range(3):
        with pytest.raises((BudgetExceeded, ProviderError)):
            play(tmp_path, till, 60.0, timeout=0.5 if answer is late else 20.0)
    # Ten tokens to read and at most eight to write: three requests fit.
    assert len(till.bills) == 3
    assert manifest(tmp_path)["cost"] == 3 * 18


def test_one_of_the_first_two_that_cannot_be_read_is_taken_to_cost_like_the_other(tmp_path: Path) -> None:
    async def second_is_cut(request: web.Request, prompt: str, counts: Body) -> web.StreamResponse:
        if len(till.bills) == 1:
            return alpha(request, prompt, counts)
        await asyncio.sleep(0.2)
        return cut(request, prompt, counts)

    till = Till(long_thoughts, second_is_cut)
    for _ in range(2):
        with pytest.raises(BudgetExceeded):
            play(tmp_path, till, 40.0)
    assert len(till.bills) == 2
    assert sum(till.bills) <= manifest(tmp_path)["cost"] <= sum(till.bills) + 2


def test_attempts_before_an_answer_are_paid_with_it(tmp_path: Path) -> None:
    seen: dict[str, int] = {}

    def twice_nothing(request: web.Request, prompt: str, counts: Body) -> web.StreamResponse:
        seen[prompt] = seen.get(prompt, 0) + 1
        return no_choices(request, prompt, counts) if seen[prompt] < 3 else alpha(request, prompt, counts)

    till = Till(letters, twice_nothing)
    result = play(tmp_path, till, None, count=2)
    assert manifest(tmp_path)["cost"] == sum(till.bills)
    (first,) = result.graded["paper"][0].transcript.completions
    assert first.usage.prompt_tokens * 2 == first.lost.prompt_tokens


@pytest.mark.parametrize(("retries", "requests"), [(0, 1), (2, 3)])
def test_retries_can_be_chosen(tmp_path: Path, retries: int, requests: int) -> None:
    till = Till(letters, lambda request, prompt, counts: web.Response(status=503))
    play(tmp_path, till, None, count=1, retries=retries)
    assert len(till.bills) == requests


def test_a_judge_that_charges_by_the_letter_is_limited_like_a_model(tmp_path: Path) -> None:
    till = Till(letters, alpha)
    play(tmp_path, till, None, count=10)
    before = sum(till.bills)
    with pytest.raises(BudgetExceeded, match=r"while judging: \d+ of 10 questions remain"):
        play(tmp_path, till, before + 150.0, count=10, judged=True)
    assert before + 50 < sum(till.bills) <= before + 150
    assert manifest(tmp_path)["judge_cost"] == sum(till.bills) - before
