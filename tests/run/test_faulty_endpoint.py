"""An endpoint that fails three times in ten costs time, not samples."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from aiohttp import web

from chat_endpoint import Body, chat, fail, fault_of, serve
from toolyard.models import retry
from toolyard.models.loading import load_model
from toolyard.run.evidence import Instruments
from toolyard.run.execute import RunResult, execute
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
        wish = Settings(
            benchmark="toy", model=f"openai/m?base_url={url}", runs=data.parent / "runs", name="faulty"
        )
        # The port changes between two runs of one test, the run does not.
        plan = Run.plan(
            Settings(**{**{name: getattr(wish, name) for name in wish.__slots__}, "model": "served"}),
            toy_benchmark(data),
        )
        model = load_model(wish.model, timeout=2.0, concurrency=64)
        try:
            return await execute(plan, model, Instruments())
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
