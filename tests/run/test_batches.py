"""`--batch`: rounds of batch files, at half the price; what a batch leaves open is asked directly; kills lose nothing."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

import toolyard
from batch_endpoint import BatchEndpoint, Body, serving
from toolyard.core.errors import BudgetExceeded, ProviderError, UsageError
from toolyard.core.types import Decoding, Evidence, Message, Question
from toolyard.models.batch import batches
from toolyard.models.http import retry
from toolyard.models.judge.judge_answers import AskedQuestion, answer_questions
from toolyard.models.loading import load_judge
from toolyard.run.play.execute import RunResult
from toy_benchmark import toy_benchmark

PRICE = "price=1,10"
# Of the one request that is asked directly first, and of one in a batch: 100 tokens read and 10 written.
WHOLE, HALF = 200 / 1e6, 100 / 1e6


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(batches, "LONGEST_WAIT", 0.01)
    monkeypatch.setattr(batches, "SETTLING", 0.5)
    monkeypatch.setattr(retry, "LONGEST_WAIT", 0.01)


def evaluate(tmp_path: Path, url: str, count: int = 5, **more: Any) -> RunResult:
    (tmp_path / "count").write_text(str(count))
    toy = toy_benchmark(tmp_path / "count")
    given = {"batch": True, **more}
    return toolyard.evaluate(toy, f"openai/m?base_url={url}&{PRICE}", runs=tmp_path / "runs", **given)


def manifest(result: RunResult) -> dict[str, Any]:
    return dict(json.loads((result.folder / "manifest.json").read_bytes()))


def test_a_batch_answers_all_but_the_first_at_half_the_price(tmp_path: Path) -> None:
    endpoint = BatchEndpoint(lambda body: "alpha")
    with serving(endpoint) as url:
        result = evaluate(tmp_path, url)
        again = evaluate(tmp_path, url)
    assert result.summaries["paper"].samples == 5
    assert result.summaries["paper"].figures["accuracy"].value == pytest.approx(2 / 5)
    assert (endpoint.direct, len(endpoint.batches), set(endpoint.paid.values())) == (1, 1, {1})
    found = manifest(result)
    assert found["cost"] == pytest.approx(WHOLE + 4 * HALF)
    assert found["usage"]["batched_prompt_tokens"] == 400
    assert "answers by batch files" in found["adjustments"]
    assert manifest(again) == found


def test_what_failed_or_expired_is_asked_directly_at_the_whole_price(tmp_path: Path) -> None:
    def spoil(body: Body) -> str:
        return {"request 1": "failed", "request 3": "expired"}.get(body["messages"][0]["content"][:9], "")

    endpoint = BatchEndpoint(lambda body: "alpha", spoil=spoil)
    with serving(endpoint) as url:
        result = evaluate(tmp_path, url)
    assert (result.summaries["paper"].unscored, endpoint.direct, set(endpoint.paid.values())) == (0, 3, {1})
    assert manifest(result)["cost"] == pytest.approx(3 * WHOLE + 2 * HALF)


def test_a_judge_is_asked_by_batches_too_and_repairs_go_in_a_round_of_their_own(tmp_path: Path) -> None:
    def said(body: Body) -> str:
        return (
            "Verdict: yes" if len(body["messages"]) > 1 or "2" in body["messages"][0]["content"] else "well"
        )

    endpoint = BatchEndpoint(said)
    question = Question("q", "judge", grammar="Verdict: (?:yes|no)", repair="One verdict, please.")
    asked = [
        AskedQuestion(f"s{number}", replace(question, messages=(Message("user", f"Is {number} right?"),)))
        for number in range(4)
    ]

    def answers(url: str) -> tuple[Evidence, ...]:
        judge = load_judge(
            f"openai/j?base_url={url}&{PRICE}", toy_benchmark(tmp_path), batches=tmp_path / "b", batch=True
        )

        async def ask() -> tuple[Evidence, ...]:
            try:
                return await answer_questions(asked, judge=judge, embedder=None, decoding=Decoding())
            finally:
                await judge.close()

        return asyncio.run(ask())

    with serving(endpoint) as url:
        first, again = answers(url), answers(url)
    assert [item.reply for item in first] == ["Verdict: yes"] * 4 == [item.reply for item in again]
    assert [item.usage.batched_prompt_tokens for item in first] == [100, 200, 100, 200]
    # One question is asked directly first; two rounds follow, and the second command asks nothing.
    assert (endpoint.direct, len(endpoint.batches), set(endpoint.paid.values())) == (1, 2, {1})


def test_a_run_goes_on_without_batches_with_what_they_answered(tmp_path: Path) -> None:
    endpoint = BatchEndpoint(lambda body: "alpha", spoil=lambda body: "")
    with serving(endpoint) as url:
        first = evaluate(tmp_path, url)
        (first.folder / "transcripts.jsonl").unlink()
        second = evaluate(tmp_path, url, batch=False)
    assert second.summaries["paper"].samples == 5
    assert (endpoint.direct, set(endpoint.paid.values())) == (1, {1})
    assert manifest(second)["cost"] == pytest.approx(WHOLE + 4 * HALF)


def test_without_batch_a_batch_that_is_under_way_is_not_paid_again(tmp_path: Path) -> None:
    endpoint = BatchEndpoint(lambda body: "alpha", polls=10**6)

    def stop(step: str) -> None:
        if step == "poll":
            endpoint.refuses["create"] = 503
            raise RuntimeError("the endpoint is gone")

    endpoint.happened = stop
    with serving(endpoint) as url:
        with pytest.raises(ProviderError):
            evaluate(tmp_path, url, timeout=1.0)
        endpoint.happened = lambda step: None
        with pytest.raises(UsageError, match="batch_1 of this run is still under way"):
            evaluate(tmp_path, url, batch=False)
        endpoint.polls, endpoint.refuses = 0, {}
        result = evaluate(tmp_path, url, batch=False)
    assert result.summaries["paper"].samples == 5
    assert (endpoint.direct, len(endpoint.batches), set(endpoint.paid.values())) == (1, 1, {1})


def test_an_endpoint_without_batches_stops_the_run_with_one_line(tmp_path: Path) -> None:
    endpoint = BatchEndpoint()
    endpoint.refuses["create"] = 400
    with (
        serving(endpoint) as url,
        pytest.raises(ProviderError, match=r"no batches today.*run without --batch"),
    ):
        evaluate(tmp_path, url)
    with pytest.raises(UsageError, match="--batch needs an endpoint with batch files"):
        toolyard.evaluate("mtu", "scripted/empty", limit=1, runs=tmp_path, batch=True)


def test_an_answered_episode_that_failed_later_does_not_count_its_tokens_twice(tmp_path: Path) -> None:
    """The cost of a run is what was paid: answers of an earlier session that a failed episode counted are kept."""
    endpoint = BatchEndpoint(lambda body: "alpha")
    with serving(endpoint) as url:
        first = evaluate(tmp_path, url)
        lines = (first.folder / "transcripts.jsonl").read_text().splitlines()
        failed = json.loads(lines[-1])
        spent = {"prompt_tokens": 100, "completion_tokens": 10, "batched_prompt_tokens": 100,
                 "batched_completion_tokens": 10}  # fmt: skip
        failed |= {
            "completions": [],
            "notes": {"spent": spent},
            "error": {"kind": "timeout", "detail": "too late"},
        }
        text = "\n".join([*lines[:-1], json.dumps(failed)]) + "\n"
        (first.folder / "transcripts.jsonl").write_text(text)
        second = evaluate(tmp_path, url)
    assert second.summaries["paper"].unscored == 0
    assert manifest(second)["cost"] == pytest.approx(WHOLE + 4 * HALF)


@pytest.mark.parametrize("name", ["nestools", "mtu", "toolbehonest", "tooleyes"])
def test_every_benchmark_runs_round_by_round(name: str, tmp_path: Path) -> None:
    """One batch holds the round of all episodes; those of ToolEyes go on while no call can be read."""
    endpoint = BatchEndpoint(lambda body: "I do not know.")
    with serving(endpoint) as url:
        result = toolyard.evaluate(
            name, f"openai/m?base_url={url}", limit=3, embedder="hash", runs=tmp_path, batch=True
        )
    assert result.summaries["paper"].unscored == 0
    assert (endpoint.direct, set(endpoint.paid.values())) == (1, {1})
    rounds = max(len(item.completions) for item in result.run.transcripts())
    assert len(endpoint.batches) == rounds
    assert (rounds > 1) == (name == "tooleyes")
    assert len(endpoint.paid) == sum(len(item.completions) for item in result.run.transcripts())


STEPS = ("create", "poll", "upload", "content", "create", "chat", "list", "create", "poll", "content")


class Killer:
    """Ends the client at a chosen step of the endpoint: it was done, and the client never hears of it."""

    def __init__(self) -> None:
        self.step, self.pid, self.unheard = "", 0, 0

    def __call__(self, step: str) -> None:
        if step == self.step and self.pid:
            os.kill(self.pid, signal.SIGKILL)
            self.pid = 0
            # Nobody can fetch a direct answer again: it is the only thing that a kill may cost.
            self.unheard += step == "chat"


def spoil_some(body: Body) -> str:
    place = len(body["messages"])
    return "failed" if "request 4" in body["messages"][0]["content"] and place == 3 else ""


def copies(url: str, runs: Path) -> subprocess.Popen[str]:
    script = Path(__file__).parents[1] / "batch_killing.py"
    return subprocess.Popen(
        [sys.executable, str(script), url, str(runs)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def runs_until_done(process: subprocess.Popen[str], killer: Killer, steps: Iterator[str]) -> int:
    """How many copies were killed before one came to its end."""
    assert process.stdin is not None and process.stdout is not None
    kills = 0
    while True:
        killer.pid, killer.step = 0, next(steps)
        process.stdin.write("\n")
        process.stdin.flush()
        killer.pid = int(process.stdout.readline())
        code = int(process.stdout.readline())
        assert code in (0, -signal.SIGKILL)
        if code == 0:
            return kills
        kills += 1


def test_ten_kills_in_the_middle_of_batches_lose_nothing_and_pay_nothing_twice(tmp_path: Path) -> None:
    endpoint, killer, kills, finished = BatchEndpoint(spoil=spoil_some), Killer(), 0, 0
    endpoint.happened = killer
    steps = cycle(STEPS)
    with serving(endpoint) as url:
        while kills < 10:
            runs = tmp_path / f"runs{finished}" / "runs"
            runs.parent.mkdir()
            (runs.parent / "count").write_text("9")
            process = copies(url, runs)
            try:
                kills += runs_until_done(process, killer, steps)
            finally:
                process.communicate()
            finished += 1
            [transcripts] = runs.glob("*/transcripts.jsonl")
            lines = [json.loads(line) for line in transcripts.read_text().splitlines()]
            assert sorted(line["sample"] for line in lines) == [str(number) for number in range(9)]
            assert all(line["error"] is None and len(line["completions"]) == 3 for line in lines)
            # Three rounds of nine requests, each answered once, whoever was killed in between.
            answered = sum(endpoint.paid.values()) - killer.unheard
            assert (len(endpoint.paid), answered) == (27, 27), f"after {kills} kills"
            endpoint.paid.clear()
            killer.unheard = 0


def test_a_batch_waits_for_one_answer_that_shows_what_the_endpoint_charges(tmp_path: Path) -> None:
    # Ten tokens are foreseen for a prompt, and a hundred are charged.
    endpoint = BatchEndpoint(lambda body: "alpha")
    with serving(endpoint) as url, pytest.raises(BudgetExceeded, match="samples remain"):
        evaluate(tmp_path, url, 40, max_cost=10 * WHOLE)
    found = json.loads(next((tmp_path / "runs").glob("*/manifest.json")).read_bytes())
    batched = endpoint.paid.total() - endpoint.direct
    assert 1 <= endpoint.direct <= 2
    assert batched > 4
    assert found["cost"] == pytest.approx(endpoint.direct * WHOLE + batched * HALF)
    assert found["cost"] <= 10 * WHOLE


def test_what_a_batch_counts_without_an_answer_is_paid_with_the_direct_one(tmp_path: Path) -> None:
    class Empty(BatchEndpoint):
        def finish(self, name: str) -> None:
            super().finish(name)
            output = f"{name}-output"
            lines = [json.loads(line) for line in self.files[output].splitlines()]
            for line in lines:
                line["response"]["body"]["choices"] = []
            self.files[output] = "\n".join(map(json.dumps, lines)).encode()

    endpoint = Empty(lambda body: "alpha")
    with serving(endpoint) as url:
        result = evaluate(tmp_path, url)
    assert (result.summaries["paper"].unscored, endpoint.direct) == (0, 5)
    assert manifest(result)["cost"] == pytest.approx(5 * WHOLE + 4 * HALF)
