"""Whatever an endpoint sends is a completion or an error of a stable kind, and never anything else."""

import asyncio
import gzip
import json
import tracemalloc
import zlib
from typing import Any

import pytest
from aiohttp import web

from cases import cases, each_case
from chat_endpoint import Body, ChatEndpoint, Handler, answer_at, answer_of_bytes, chat, serve
from toolyard.core.errors import ProviderError
from toolyard.core.types import Completion, Decoding, Message, Request, TokenLogprob, Usage
from toolyard.models.cache.stored_completions import completion_json, read_completion
from toolyard.models.http.body import RESPONSE_LIMIT
from toolyard.models.http.openai import ESTIMATED

PROMPT = Request((Message("user", "twelve chars"),), Decoding(logprobs=True))
CHOICE = {"message": {"content": "a reply!"}}


def exchange(handler: Handler, **limits: Any) -> tuple[Completion, tuple[str, ...]]:
    """The completion and what the model noted about its endpoint."""
    model, (found,) = ChatEndpoint(handler).ask(PROMPT, **limits)
    return found, tuple(model.adjustments)


def sent(data: bytes, **headers: str) -> Handler:
    return lambda body: web.Response(body=data, headers={"Content-Type": "application/json", **headers})


def said(**choice: object) -> Handler:
    return sent(json.dumps({"choices": [{**CHOICE, **choice}]}).encode())


def failure(handler: Handler, *, timeout: float = 30.0) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        exchange(handler, timeout=timeout)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    "data",
    [
        *map(str.encode, cases(__file__, "what_holds_no_answer")),
        b"\xff\xfe\x00\x01",
        b"[" * 100_000,
        b'{"choices": [{"message": {"content": ' + b"9" * 5000 + b"}}]}",
    ],
)
def test_what_holds_no_answer_is_a_bad_response(data: bytes) -> None:
    assert failure(sent(data)).kind == "bad_response"


@pytest.mark.parametrize("kind", ["text/html", "text/event-stream", "image/png", "nonsense"])
def test_the_content_type_does_not_matter(kind: str) -> None:
    completion, _ = exchange(sent(json.dumps({"choices": [CHOICE]}).encode(), **{"Content-Type": kind}))
    assert completion.text == "a reply!"


@each_case("content, text")
def test_content_in_any_shape_is_text(content: object, text: str) -> None:
    completion, _ = exchange(said(message={"content": content}))
    assert completion.text == text


def test_a_broken_character_is_replaced_and_a_byte_order_mark_skipped() -> None:
    completion, _ = exchange(sent(b'{"choices": [{"message": {"content": "caf\xe9 \xf0\x9f ok"}}]}'))
    assert completion.text == "caf\ufffd \ufffd ok"
    completion, _ = exchange(sent(b"\xef\xbb\xbf" + json.dumps({"choices": [CHOICE]}).encode()))
    assert completion.text == "a reply!"


@each_case("logprobs", besides=[{"content": [{"token": "a", "logprob": float("nan")}]}])
def test_odd_logprobs_are_none(logprobs: object) -> None:
    completion, _ = exchange(said(logprobs=logprobs))
    assert (completion.text, completion.logprobs) == ("a reply!", ())


@pytest.mark.parametrize(
    "top", [7, "abc", {}, {"a": -1.0}, None, True, [7], ["a"], [[["a", -1]]], [{"token": "b"}]]
)
def test_odd_alternatives_are_left_out(top: object) -> None:
    completion, _ = exchange(said(logprobs={"content": [{"token": "a", "logprob": -1, "top_logprobs": top}]}))
    assert completion.logprobs == (TokenLogprob("a", -1.0),)


@pytest.mark.parametrize("logprob", ["-Infinity", "-1e999", "-" + "9" * 400])
def test_what_cannot_happen_has_a_finite_logprob_that_is_kept(logprob: str) -> None:
    data = f'{{"choices": [{{"message": {{}}, "logprobs": {{"content": [{{"token": "a", "logprob": {logprob}}}]}}}}]}}'
    completion, _ = exchange(sent(data.encode()))
    assert completion.logprobs == (TokenLogprob("a", -9999.0),)
    assert read_completion(json.loads(json.dumps(completion_json(completion), allow_nan=False))) == completion


@each_case("usage, counted", besides=[({"prompt_tokens": 10**30, "completion_tokens": float("nan")}, (3, 2))])
def test_impossible_token_counts_are_estimated_and_flagged(usage: object, counted: tuple[int, int]) -> None:
    found, notes = exchange(sent(json.dumps({"choices": [CHOICE], "usage": usage}).encode()))
    assert found.usage == Usage(*counted)
    assert notes == (ESTIMATED,)


def test_honest_token_counts_are_taken_without_a_flag() -> None:
    usage = {"prompt_tokens": 9.0, "completion_tokens": 4}
    found, notes = exchange(sent(json.dumps({"choices": [CHOICE], "usage": usage}).encode()))
    assert (found.usage, notes) == (Usage(9, 4), ())
    silent = {
        "choices": [{"message": {"content": ""}}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 0},
    }
    found, notes = exchange(sent(json.dumps(silent).encode()))
    assert (found.usage, notes) == (Usage(9, 0), ())


@each_case("calls, kept")
def test_tool_calls_in_any_shape(calls: object, kept: list[list[str]]) -> None:
    completion, _ = exchange(said(message={"content": "x", "tool_calls": calls}))
    functions = (call["function"] for call in completion.tool_calls)
    assert [[function["name"], function["arguments"]] for function in functions] == kept
    assert completion.usage.completion_tokens >= 1


def test_a_tool_call_that_is_nested_without_end_is_cut_and_can_be_kept() -> None:
    deep = b'{"function": {"arguments": ' + b"[" * 900 + b"]" * 900 + b"}}"
    completion, _ = exchange(sent(b'{"choices": [{"message": {"tool_calls": [' + deep + b"]}}]}"))
    assert "<too deep>" in json.dumps(completion_json(completion))


@pytest.mark.parametrize("label", [7, ["stop"], {"a": 1}, "x" * 100_000])
def test_labels_of_any_kind_are_short_texts(label: object) -> None:
    completion, _ = exchange(
        sent(json.dumps({"model": label, "choices": [{**CHOICE, "finish_reason": label}]}).encode())
    )
    assert completion.text == "a reply!"
    assert 0 < len(completion.finish_reason) <= 200 and len(completion.model) <= 200


REPLY = json.dumps({"choices": [CHOICE]}).encode()


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(REPLY, mtime=0)),
        ("deflate", zlib.compress(REPLY)),
        ("identity", REPLY),
        ("GZIP", gzip.compress(REPLY, mtime=0)),
    ],
)
def test_a_packed_answer_is_unpacked(encoding: str, packed: bytes) -> None:
    completion, _ = exchange(sent(packed, **{"Content-Encoding": encoding}))
    assert completion.text == "a reply!"


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", b"no gzip at all"),
        ("gzip", gzip.compress(REPLY, mtime=0)[:-20]),
        ("br", REPLY),
        ("x" * 99, REPLY),
    ],
)
def test_what_cannot_be_unpacked_is_a_bad_response(encoding: str, packed: bytes) -> None:
    assert failure(sent(packed, **{"Content-Encoding": encoding})).kind == "bad_response"


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_small_answer_that_unpacks_without_end_is_cut_off(encoding: str) -> None:
    zeros = bytes(400 * 2**20)
    bomb = gzip.compress(zeros, 1, mtime=0) if encoding == "gzip" else zlib.compress(zeros, 1)
    del zeros
    assert len(bomb) < 2**21
    tracemalloc.start()
    assert failure(sent(bomb, **{"Content-Encoding": encoding})).kind == "too_large"
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 3 * RESPONSE_LIMIT


async def drip(request: web.Request, body: Body, drop: bytes, seconds: float) -> web.StreamResponse:
    """An answer that never ends."""
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(drop)
        await asyncio.sleep(seconds)


@pytest.mark.parametrize(
    ("drop", "seconds", "kind"), [(b"x" * 2**20, 0.0, "too_large"), (b" ", 0.05, "timeout")]
)
def test_an_answer_that_never_ends_is_cut_off(drop: bytes, seconds: float, kind: str) -> None:
    limit = 0.5 if kind == "timeout" else 30.0
    assert failure(lambda request, body: drip(request, body, drop, seconds), timeout=limit).kind == kind


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    elsewhere = ChatEndpoint(lambda body: chat("stolen"))

    async def run() -> None:
        async with serve(elsewhere.handle) as other:
            place = {"Location": f"{other}/chat/completions"}
            moved = ChatEndpoint(lambda body: web.Response(status=status, headers=place))
            async with serve(moved.handle) as url:
                await answer_at(url, PROMPT)

    with pytest.raises(ProviderError, match="give that place as base_url") as caught:
        asyncio.run(run())
    assert (caught.value.kind, elsewhere.bodies) == ("not_found", [])


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nX\x00Y: z\r\n\r\n{}",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"",
    ],
)
def test_what_is_no_http_is_a_lost_connection(data: bytes) -> None:
    with pytest.raises(ProviderError) as caught:
        answer_of_bytes(data, PROMPT, timeout=20.0)
    assert caught.value.kind == "connection"
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("host", ["a..b", "x" * 70 + ".invalid"])
def test_a_host_that_cannot_be_is_unreachable(host: str) -> None:
    with pytest.raises(ProviderError) as caught:
        asyncio.run(answer_at(f"http://{host}/v1", PROMPT))
    assert caught.value.kind == "unreachable"
