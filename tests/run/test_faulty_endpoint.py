"""An endpoint that fails three times in ten costs time, not samples."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from aiohttp import web

from chat_endpoint import Body, chat, fail, fault_of, serve
from toolyard.models.http import retry
from toolyard.models.loading import load_model
from toolyard.run.grade.evidence import Instruments
from toolyard.run.play.execute import RunResult, execute_run
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toy_benchmark import TOOLS, toy_benchmark

HOPELESS = {"17", "211", "499"}


async def run_500(data: Path, seen: Counter[str], hopeless: set[str]) -> RunResult:
    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        number = body["messages"][0]["content"].split(":")[0].removeprefix("request ")
        seen[number] += 1
        if number in hopeless:
            return web.Response(status=500)
        fault = fault_of(number, seen[number])
        return await fail(request, fault) if fault else chat(TOOLS[int(number) % 4])

    async with serve(handler) as url:
        # The port changes between two runs of one test, the run does not.
        settings = Settings("toy", "served", runs=data.parent / "runs", name="faulty")
        plan = Run.plan(settings, toy_benchmark(data))
        model = load_model(f"openai/m?base_url={url}", timeout=2.0, concurrency=64)
        try:
            return await execute_run(plan, model, Instruments())
        finally:
            await model.close()


def test_500_samples_none_lost_none_doubled_and_the_hopeless_ones_unscored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.002)
    data = tmp_path / "count.txt"
    data.write_text("500")
    result = asyncio.run(run_500(data, Counter(), HOPELESS))
    lines = (result.folder / "transcripts.jsonl").read_text().splitlines()
    assert len(lines) == 500
    summary = result.summaries["paper"]
    assert (summary.samples, summary.unscored) == (497, 3)
    assert summary.unscored_reasons == {"server_error": 3}
    assert summary.figures["accuracy"].value == 1.0
    asked: Counter[str] = Counter()
    repaired = asyncio.run(run_500(data, asked, set())).summaries["paper"]
    assert set(asked) == HOPELESS
    assert (repaired.samples, repaired.unscored) == (500, 0)


def test_prompts_are_ready_early_and_no_more_are_asked_than_fit(
    tmp_path: Path,
) -> None:
    data = tmp_path / "count.txt"
    data.write_text("80")
    there, most = 0, 0

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        nonlocal there, most
        there += 1
        most = max(most, there)
        await asyncio.sleep(0.002)
        there -= 1
        return chat("x")

    async def play() -> None:
        async with serve(handler) as url:
            address = f"openai/m?base_url={url}"
            settings = Settings("toy", address, runs=tmp_path / "runs", name="ready", concurrency=16)
            assert settings.episodes_at_once == 18
            model = load_model(address, concurrency=16)
            try:
                await execute_run(Run.plan(settings, toy_benchmark(data)), model, Instruments())
            finally:
                await model.close()

    asyncio.run(play())
    assert most == 16


def test_no_prompt_waits_under_a_limit_of_costs() -> None:
    assert Settings("toy", "m", concurrency=16, max_cost=1.0).episodes_at_once == 16
    assert Settings("toy", "m", concurrency=4).episodes_at_once == 4
