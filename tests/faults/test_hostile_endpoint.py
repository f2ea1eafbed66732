"""An endpoint that means harm: no answer of it ends a run, passes the limit on cost, or keeps the process busy for long."""

import asyncio
import json
import re
import socket
import sys
import threading
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from typer.testing import CliRunner

import toolyard
from batch_endpoint import BatchEndpoint, serving
from cases import each_case
from chat_endpoint import Body, Handler, serve
from toolyard.cli.app import app
from toolyard.cli.progress_bars import live_bar
from toolyard.core.errors import BudgetExceeded, DataError, ProviderError
from toolyard.core.types import Completion, Decoding, Message, Question, Request
from toolyard.models.base import Limits
from toolyard.models.batch import batch_wire, batches
from toolyard.models.batch.batch_files import BatchFiles
from toolyard.models.batch.batch_wire import kept_line
from toolyard.models.http.openai import OpenAIModel, load_openai
from toolyard.models.http.stream import ChatStream
from toolyard.models.judge.judge_answers import AskedQuestion
from toolyard.models.key_scrubbing import Scrubber
from toolyard.models.request_costs import Budget
from toolyard.models.spec import ModelSpec
from toolyard.owntools.mirror.recorded_calls import call_key
from toolyard.run.grade.evidence import Instruments, _answer_within
from toolyard.run.play.execute import RunResult
from toolyard.run.store.run_directory import RunStore
from toy_benchmark import toy_benchmark

ASK = Request((Message("user", "hello"),), Decoding(max_tokens=100))


async def asked(url: str, settings: str = "") -> OpenAIModel:
    return load_openai(ModelSpec.parse(f"openai/m?base_url={url}{settings}"), Limits(retries=0))


def play(tmp_path: Path, url: str, **more: Any) -> RunResult:
    (tmp_path / "count").write_text("3")
    toy = toy_benchmark(tmp_path / "count")
    return toolyard.evaluate(toy, f"openai/m?base_url={url}", runs=tmp_path / "runs", **more)


def test_words_that_json_cannot_hold_end_no_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "FIRST_WAIT", 0.01)
    with serving(BatchEndpoint(lambda body: "half \ud83d alpha")) as url:
        for _ in range(2):
            result = play(tmp_path, url, batch=True)
            assert (result.summaries["paper"].samples, result.summaries["paper"].unscored) == (3, 0)
    assert json.loads(kept_line("k", {"big": 10**40, "half": "\udc80"})) == {
        "key": "k", "body": {"big": "1" + "0" * 40, "half": "\\udc80"},
    }  # fmt: skip


@pytest.mark.parametrize("lines", [1, 400], ids=["one endless line", "many large lines"])
def test_result_files_are_not_in_memory(lines: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "FIRST_WAIT", 0.01)
    endpoint = BatchEndpoint(lambda body: "alpha")

    async def content(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        for _ in range(lines):
            for _ in range(400 // lines):
                await answer.write(b"[" * 2**20)
            await answer.write(b"\n")
        await answer.write(endpoint.files[request.match_info["name"]])
        return answer

    monkeypatch.setattr(endpoint, "content", content)
    tracemalloc.start()
    with serving(endpoint) as url:
        result = play(tmp_path, url, batch=True)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (result.summaries["paper"].samples, result.summaries["paper"].unscored) == (3, 0)
    assert most < 150e6


def test_answers_beyond_the_memory_of_a_result_file_stay_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_wire, "MOST_MEMORY", 100_000)
    found = batch_wire.ResultLines(["a", "b", "c"], lambda body: body)
    large = {"choices": [[]] * 1_000}
    for name, body in (("x", large), ("a", {"choices": []}), ("b", large), ("c", {"choices": []})):
        found.take(json.dumps({"custom_id": name, "response": {"body": body}, "error": None}).encode())
    assert sorted(found.answers) == ["a", "c"]


@pytest.fixture
def silent_tls() -> Iterator[tuple[str, list[socket.socket]]]:
    """An address that takes connections and never answers a TLS greeting."""
    taken: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def take() -> None:
            with suppress(OSError):
                while True:
                    taken.append(server.accept()[0])

        threading.Thread(target=take, daemon=True).start()
        yield f"https://127.0.0.1:{server.getsockname()[1]}/v1", taken
        server.shutdown(socket.SHUT_RDWR)
    for each in taken:
        each.close()


def test_a_greeting_that_never_ends_is_not_repeated(silent_tls: tuple[str, list[socket.socket]]) -> None:
    url, taken = silent_tls

    async def ask() -> Completion:
        model = load_openai(ModelSpec.parse(f"openai/m?base_url={url}"), Limits(retries=2, timeout=1.0))
        try:
            return await model.generate(ASK)
        finally:
            await model.close()

    with pytest.raises(ProviderError, match=r"no connection within 0\.5 s"):
        asyncio.run(ask())
    assert len(taken) == 1


def test_certify_repeats_no_greeting(silent_tls: tuple[str, list[socket.socket]], tmp_path: Path) -> None:
    url, taken = silent_tls
    words = ["certify", f"openai/m?base_url={url}", "--probes", "1", "--timeout", "1", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, words)
    assert isinstance(done.exception, ProviderError)
    assert done.exception.kind == "unreachable"
    assert len(taken) == 1


def thinking(limits: list[int]) -> Handler:
    """A model that thinks as long as it may, and never answers."""

    async def handler(request: web.Request, body: Body) -> web.StreamResponse:
        limits.append(body["max_tokens"])
        usage = {"prompt_tokens": 2, "completion_tokens": body["max_tokens"]}
        message = {"content": "<think>on and on"}
        return web.json_response(
            {"choices": [{"message": message, "finish_reason": "length"}], "usage": usage}
        )

    return handler


@pytest.mark.parametrize(
    ("limit", "sent"),
    # A dollar for each token written. 100 for an answer, 8,292 for one with room for thoughts.
    [(99.0, []), (8391.0, [100]), (8392.0, [100, 8292]), (16684.0, [100, 8292, 8292])],
)
def test_a_model_that_thinks_unasked_does_not_pass_the_limit(limit: float, sent: list[int]) -> None:
    limits: list[int] = []

    async def run() -> Budget:
        budget = Budget(limit)
        async with serve(thinking(limits)) as url:
            model = await asked(url, "&price=0,1000000")
            for _ in range(3):
                try:
                    await budget.ask(model, ASK)
                except ProviderError as error:
                    assert error.kind == "over_budget"
                    break
            await model.close()
        return budget

    budget = asyncio.run(run())
    assert limits == sent
    assert budget.spent == sum(sent) <= limit
    assert budget.refused


def test_requests_side_by_side_keep_the_limit_when_the_model_begins_to_think() -> None:
    limits: list[int] = []

    async def run() -> Budget:
        budget = Budget(20_000.0)
        async with serve(thinking(limits)) as url:
            model = await asked(url, "&price=0,1000000")
            await asyncio.gather(*(budget.ask(model, ASK) for _ in range(6)), return_exceptions=True)
            await model.close()
        return budget

    budget = asyncio.run(run())
    assert budget.spent == sum(limits) <= 20_000


@pytest.mark.parametrize(("limit", "sent"), [(8391.0, [100]), (8392.0, [100, 8292])])
def test_a_judge_that_thinks_unasked_does_not_pass_the_limit_either(limit: float, sent: list[int]) -> None:
    limits: list[int] = []
    question = AskedQuestion("1", Question("good", "judge", (Message("user", "Is this good?"),)))

    async def run() -> float:
        spent = 0.0
        async with serve(thinking(limits)) as url:
            judge = await asked(url, "&price=0,1000000")
            found: list[Any] = []
            instruments = Instruments(judge, "j", decoding=Decoding(max_tokens=100))
            assert judge.price is not None
            try:
                await _answer_within([question], instruments, judge, found.append, Budget(limit))
            except BudgetExceeded:
                assert limit < 8392
            finally:
                spent = sum(judge.price.cost(each.usage) for each in found)
                await judge.close()
        return spent

    assert asyncio.run(run()) == sum(sent)
    assert limits == sent


def test_a_stream_of_many_pieces_is_one_text() -> None:
    stream = ChatStream()
    for _ in range(30_000):
        call = {"index": 0, "id": "c", "function": {"name": "find", "arguments": "ab"}}
        stream.add({"choices": [{"delta": {"content": "xy", "tool_calls": [call]}}]})
    stream.add({"choices": [{"delta": {}, "finish_reason": "stop"}]})
    whole: Any = stream.whole()
    message = whole["choices"][0]["message"]
    assert message["content"] == "xy" * 30_000
    assert message["tool_calls"] == [{"id": "c", "function": {"name": "find", "arguments": "ab" * 30_000}}]


def answers_and_requests(handler: Handler, settings: str = "") -> tuple[Completion | str, int]:
    times = 0

    async def counting(request: web.Request, body: Body) -> web.StreamResponse:
        nonlocal times
        times += 1
        return await handler(request, {**body, "time": times})

    async def run() -> Completion | str:
        async with serve(counting) as url:
            model = await asked(url, settings)
            try:
                return await model.generate(ASK)
            except ProviderError as error:
                return error.kind
            finally:
                await model.close()

    return asyncio.run(run()), times


async def shrinking(request: web.Request, body: Body) -> web.StreamResponse:
    """One token less each time."""
    message = f"maximum context length is {10**6 - body['time']} tokens, has 1 input tokens"
    return web.json_response({"error": {"message": message}}, status=400)


async def stubborn(request: web.Request, body: Body) -> web.StreamResponse:
    return web.json_response({"error": {"message": "no", "param": "temperature"}}, status=400)


def test_an_endpoint_that_is_never_content_is_asked_a_few_times() -> None:
    answer, times = answers_and_requests(shrinking)
    assert isinstance(answer, Completion)
    assert (answer.finish_reason, times) == ("context_overflow", 4)
    # a parameter that the user insists on cannot be left out
    assert answers_and_requests(stubborn, '&extra={"temperature":1}') == ("bad_request", 2)


def test_words_that_json_cannot_hold_are_written_wherever_they_come_from(tmp_path: Path) -> None:
    with serving(BatchEndpoint(lambda body: "alpha")) as url:
        store = RunStore(play(tmp_path, url).folder)
    store.write_manifest({**(store.manifest() or {}), "serving": {"server": "\udce9", "extra": {"n": 2**70}}})
    assert (store.manifest() or {})["serving"] == {"server": "\\udce9", "extra": {"n": str(2**70)}}
    assert call_key("find", {"city": "\ud83d", "n": 2**70}) == b'["find",{"city":"\\\\ud83d","n":"%d"}]' % (
        2**70
    )


def test_a_key_in_pieces_is_found_in_lists_of_objects_that_share_no_names() -> None:
    scrub = Scrubber("sk-abcdef0123456789abcdef")
    many: list[Any] = [{f"a{number}": "x"} for number in range(20_000)]
    assert scrub.value(many) == many
    halves = [{"b": {"c": ["sk-abcdef012"]}, "d": "x"}, "y", {"b": {"c": ["3456789abcdef"]}}]
    assert scrub.value([*many, *halves]) == [
        *many,
        {"b": {"c": ["[key]"]}, "d": "x"},
        "y",
        {"b": {"c": ["[key]"]}},
    ]
    echoed = " SK-ABCDEF0123456789ABCDEF." * 20_000
    assert scrub.text(echoed) == " [key]." * 20_000
    assert scrub.value(["sk-abcdef01", "23456789abcdef"] * 5_000) == ["[key]"] * 10_000


@each_case(
    "name, line, wrong",
    ids=["number", "list", "token", "unbegun", "learned", "no object", "body", "text", "key"],
)
def test_files_of_batches_of_another_shape_are_named_with_line_and_field(
    tmp_path: Path, name: str, line: str, wrong: str
) -> None:
    (tmp_path / f"{name}.jsonl").write_text(line + "\n")
    files = BatchFiles(tmp_path)
    with pytest.raises(DataError, match=f"{name}.jsonl, line 1: .*{re.escape(wrong)}"):
        (files.batches(), files.answers(), files.direct())


def test_a_link_in_place_of_the_folder_of_batches_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "batches").symlink_to(tmp_path / "elsewhere")
    files = BatchFiles(tmp_path / "batches")
    with pytest.raises(DataError, match="batches is a link"):
        files.begin(["k"], {"dropped": [], "thought_tokens": 0})
    with pytest.raises(DataError, match="batches is a link"):
        files.keep_direct("k", Completion("x"))
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_what_an_endpoint_says_cannot_steer_the_terminal_from_a_live_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    with live_bar() as bar:
        assert bar is not None
        bar.add_task("title [red]x", total=2, facts="batch b\x1b[31m1: run\x1b]0;pwn\x07ning [bold]y")
    said = capsys.readouterr().err
    assert "\x1b]0;" not in said
    assert "\x07" not in said
    assert "[red]x" in said
    assert "[bold]y" in said
