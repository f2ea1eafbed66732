"""A chat endpoint on a bare socket that misbehaves by seed, and whose sound answers depend on the request alone.

Whether an attempt fails, and how, follows from (seed, request, number of the attempt), so that a schedule can be
played again; `sent` lists every answer that left the endpoint whole, for the accounts.
"""

import asyncio
import hashlib
import json
import random
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from cases import cases
from faults.answers import AnswerBook, Told

# These end the sample (too large) or the session (another host); the next session tries again.
HARD_FAILURES = ("endless body", "gzip bomb", "redirect to another host")
# The answer is sound, its wrapping is odd.
ODDITIES = cases(__file__, "ODDITIES")
FLOOD = ODDITIES[-1]
# How an endpoint counts what it charges for: as everybody does, a token for every letter, or with long thoughts.
CHARGING = ("by words", "by letters", "with long thoughts")
LETTERS_PER_TOKEN = 4
# What long thoughts take beyond the limit of an answer.
THOUGHTS = 6
HANG_SECONDS = 20.0
DOWN_SECONDS = 0.3
BOMB = zlib.compress(b" " * (8 << 20), 9)


@dataclass(frozen=True, slots=True)
class Mix:
    """How an endpoint misbehaves: shares of attempts that fail, and of requests that always do."""

    seed: int = 0
    failing: float = 0.0
    hard: float = 0.0
    odd: float = 0.0
    hopeless: float = 0.0
    charging: str = "by words"
    # whether answers may call tools that nobody offered; where the next request repeats them, it is another request
    floods: bool = False

    def counts(self, told: Told, body: dict[str, Any]) -> Told:
        """The answer with the counts that the endpoint charges for."""
        if self.charging == "by letters":
            return replace(told, read=told.read * LETTERS_PER_TOKEN, written=told.written * LETTERS_PER_TOKEN)
        if self.charging == "with long thoughts":
            return replace(told, written=told.written + THOUGHTS * body["max_tokens"])
        return told

    def most(self, told: Told, body: dict[str, Any]) -> Told:
        """What a client may take the request to cost at most."""
        read = estimated_read(body)
        factor = {"by words": 1, "by letters": LETTERS_PER_TOKEN, "with long thoughts": 1}[self.charging]
        counted, written = self.counts(told, body), body["max_tokens"] * (1 + THOUGHTS) * factor
        return replace(told, read=max(read * factor, counted.read), written=max(written, counted.written))

    def fault(self, key: str, attempt: int) -> str | None:
        """The fault of one attempt of one request, or None."""
        if random.Random(f"{self.seed}/{key}/hopeless").random() < self.hopeless:
            return "500"
        rng = random.Random(f"{self.seed}/{key}/{attempt}")
        drawn = rng.random()
        for share, kinds in ((self.failing, FAILURES), (self.hard, HARD_FAILURES), (self.odd, ODDITIES)):
            if drawn < share:
                found = rng.choice(kinds)
                return found if found != FLOOD or self.floods else None
            drawn -= share
        return None


@dataclass(frozen=True, slots=True)
class Post:
    """One request as it came in."""

    body: dict[str, Any]
    key: str
    headers: dict[str, str]


@dataclass(slots=True)
class Line:
    """The way back to the client."""

    writer: asyncio.StreamWriter

    async def write(self, data: bytes) -> None:
        """Sends bytes and waits until the client takes them."""
        self.writer.write(data)
        await self.writer.drain()

    async def respond(self, status: str, body: bytes, *headers: str, kind: str = "application/json") -> None:
        """A whole response."""
        await self.write(head(status, kind, f"Content-Length: {len(body)}", *headers) + body)

    def reset(self) -> None:
        """Ends the connection the hard way."""
        self.writer.transport.abort()


def head(status: str, kind: str, *headers: str) -> bytes:
    """The first lines of a response."""
    return "\r\n".join([f"HTTP/1.1 {status}", f"Content-Type: {kind}", *headers, "", ""]).encode()


@dataclass(slots=True)
class FaultyEndpoint:
    """One endpoint on one port; all methods but `healed` belong to its event loop."""

    book: AnswerBook
    mix: Mix
    port: int = 0
    healed: bool = False
    injected: Counter[str] = field(default_factory=Counter)
    attempts: Counter[str] = field(default_factory=Counter)
    sent: list[Told] = field(default_factory=list)
    # what each request may be thought to cost at most, and what those without an answer were charged
    doubtful: list[Told] = field(default_factory=list)
    charged: list[Told] = field(default_factory=list)
    _server: asyncio.Server | None = None
    _clients: set[asyncio.StreamWriter] = field(default_factory=set)
    _pending: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def requests(self) -> int:
        """All requests that arrived."""
        return self.attempts.total()

    async def start(self) -> None:
        """Listens, on the same port as before if there was one."""
        self._server = await asyncio.start_server(self._client, "127.0.0.1", self.port, limit=1 << 24)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Refuses connections and ends those that are open."""
        server, self._server = self._server, None
        if server is not None:
            server.close()
        for writer in list(self._clients):
            writer.transport.abort()

    async def close(self) -> None:
        """Stops for good."""
        for task in list(self._pending):
            task.cancel()
        await self.stop()

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._clients.add(writer)
        try:
            while (post := await read_post(reader)) is not None:
                await self._serve(post, Line(writer))
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            return  # the client went away, which is its right, or the campaign is over
        finally:
            self._clients.discard(writer)
            writer.close()

    async def _serve(self, post: Post, line: Line) -> None:
        number = self.attempts[post.key]
        self.attempts[post.key] += 1
        fault = None if self.healed else self.mix.fault(post.key, number)
        plain = self.book.answer(post.body)
        told = self.mix.counts(plain, post.body)
        self.doubtful.append(self.mix.most(plain, post.body))
        if fault == "null content" and told.text:
            fault = "content as a list"
        if fault is not None:
            self.injected[fault] += 1
        if fault in FAILURES or fault in HARD_FAILURES:
            if fault == "empty choices, charged":
                self.charged.append(told)
            await self._fail(fault, post, told, line)
            return
        await answer(fault, told, line, post)
        # An answer without a count is estimated, message by message.
        self.sent.append(replace(told, read=max(told.read, estimated_read(post.body))))

    async def _fail(self, fault: str, post: Post, told: Told, line: Line) -> None:
        if fault == "refused for a while":
            task = asyncio.create_task(self._go_down())
            self._pending.add(task)
            task.add_done_callback(self._pending.discard)
            return
        await FAILING[fault](post, told, line)

    async def _go_down(self) -> None:
        await self.stop()
        await asyncio.sleep(DOWN_SECONDS)
        while self._server is None:
            try:
                await self.start()
            except OSError:
                # Some client's own end may have been given this port for a moment.
                await asyncio.sleep(DOWN_SECONDS)


def estimated_read(body: dict[str, Any]) -> int:
    """Tokens that a client takes a request for, at four characters each and at least one a message."""
    return sum(-(-len(message["content"] or "") // 4) for message in body["messages"])


async def read_post(reader: asyncio.StreamReader) -> Post | None:
    """The next request of a connection, or None at its end."""
    try:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)
    }
    data = await reader.readexactly(int(headers.get("content-length", "0")))
    return Post(json.loads(data), hashlib.sha256(data).hexdigest(), headers)


def payload(told: Told, **changes: Any) -> dict[str, Any]:
    """A sound chat answer."""
    choice = {"index": 0, "message": {"role": "assistant", "content": told.text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": told.read, "completion_tokens": told.written}
    return {"model": "faulty", "choices": [choice], "usage": usage, **changes}


def encoded(told: Told, **changes: Any) -> bytes:
    """A sound chat answer as bytes."""
    return json.dumps(payload(told, **changes)).encode()


def wrapped(told: Told, content: Any) -> bytes:
    """A sound chat answer whose content has that form."""
    answer = payload(told)
    answer["choices"][0]["message"]["content"] = content
    return json.dumps(answer).encode()


def with_usage(told: Told, read: int, written: int) -> bytes:
    """A sound chat answer that tells other counts."""
    return encoded(told, usage={"prompt_tokens": read, "completion_tokens": written})


def with_calls(told: Told) -> bytes:
    """A sound chat answer that also calls a thousand tools."""
    answer = payload(told)
    function = {"name": "find", "arguments": json.dumps({"query": "x" * 200})}
    calls = [{"id": f"call_{number}", "type": "function", "function": function} for number in range(1000)]
    answer["choices"][0]["message"]["tool_calls"] = calls
    return json.dumps(answer).encode()


def odd_body(fault: str | None, told: Told) -> bytes:
    """The bytes of an answer, odd ones included."""
    choices = payload(told)["choices"]
    other = {"index": 1, "message": {"role": "assistant", "content": "another answer"}}
    middle = len(told.text) // 2
    parts = [{"type": "text", "text": part} for part in (told.text[:middle], told.text[middle:])]
    bodies: dict[str | None, Callable[[], bytes]] = {
        "content as a list": lambda: wrapped(told, parts),
        "null content": lambda: wrapped(told, None),
        "missing usage": lambda: encoded(told, usage=None),
        "zero usage": lambda: with_usage(told, 0, 0),
        "negative usage": lambda: with_usage(told, -told.read, -told.written),
        "invalid UTF-8 beside the answer": lambda: encoded(told).replace(b"faulty", b"fa\xff\xfelty", 1),
        "two choices": lambda: encoded(told, choices=[*choices, other]),
        FLOOD: lambda: with_calls(told),
    }
    return bodies.get(fault, lambda: encoded(told))()


async def answer(fault: str | None, told: Told, line: Line, post: Post) -> None:
    """Sends the sound answer, wrapped in one of the odd ways."""
    body = odd_body(fault, told)
    if fault == "slow first byte":
        await asyncio.sleep(0.1)
    if fault == "drip":
        await drip(body, line)
    elif fault == "wrong content type":
        await line.respond("200 OK", body, kind="text/html; charset=latin-1")
    elif fault == "packed answer":
        await line.respond("200 OK", zlib.compress(body), "Content-Encoding: deflate")
    elif fault == "key in the answer's headers":
        await line.respond("200 OK", body, f"X-Seen: {post.headers.get('authorization', '')}")
    elif fault == "answer sent twice":
        whole = head("200 OK", "application/json", f"Content-Length: {len(body)}") + body
        await line.write(whole + whole)
    else:
        await line.respond("200 OK", body)


async def drip(body: bytes, line: Line) -> None:
    """Sends an answer in ten pieces with a pause after each."""
    await line.write(head("200 OK", "application/json", f"Content-Length: {len(body)}"))
    step = -(-len(body) // 10)
    for start in range(0, len(body), step):
        await line.write(body[start : start + step])
        await asyncio.sleep(0.02)


async def hang(post: Post, told: Told, line: Line) -> None:
    """Says nothing for longer than any client waits here."""
    await asyncio.sleep(HANG_SECONDS)
    line.reset()


async def reset(post: Post, told: Told, line: Line) -> None:
    """Ends the connection without a byte."""
    line.reset()


async def reset_in_body(post: Post, told: Told, line: Line) -> None:
    """Promises a whole answer and ends the connection in its middle."""
    body = encoded(told)
    start = head("200 OK", "application/json", f"Content-Length: {len(body)}")
    await line.write(start + body[: len(body) // 2])
    line.reset()


async def endless(post: Post, told: Told, line: Line) -> None:
    """Sends spaces for as long as the client reads."""
    await line.write(head("200 OK", "application/json", "Connection: close"))
    for _ in range(1 << 12):
        await line.write(b" " * (1 << 16))
    line.reset()


def saying(
    status: str, body: bytes, *headers: str, kind: str = "application/json"
) -> Callable[[Post, Told, Line], Awaitable[None]]:
    """A failure that is always the same response."""

    async def respond(post: Post, told: Told, line: Line) -> None:
        await line.respond(status, body, *headers, kind=kind)

    return respond


async def truncated(post: Post, told: Told, line: Line) -> None:
    """A whole response with half an answer in it."""
    body = encoded(told)
    await line.respond("200 OK", body[: len(body) // 2])


async def charge(post: Post, told: Told, line: Line) -> None:
    """Nothing, with the count of what an answer would have taken."""
    await line.respond("200 OK", encoded(told, choices=[]))


async def echo(post: Post, told: Told, line: Line) -> None:
    """An error that quotes the key."""
    body = json.dumps({"error": {"message": f"no capacity for {post.headers.get('authorization', '')}"}})
    await line.respond("503 Service Unavailable", body.encode())


def too_many(*headers: str) -> Callable[[Post, Told, Line], Awaitable[None]]:
    """A 429 with these headers."""
    return saying("429 Too Many Requests", b'{"error": {"message": "slow down"}}', *headers)


FAILING: dict[str, Callable[[Post, Told, Line], Awaitable[None]]] = {
    "429": too_many(),
    "429, Retry-After 0": too_many("Retry-After: 0"),
    "429, Retry-After a past date": too_many("Retry-After: Wed, 21 Oct 2015 07:28:00 GMT"),
    "429, Retry-After a far date": too_many("Retry-After: Fri, 31 Dec 9999 23:59:59 GMT"),
    "429, Retry-After huge": too_many("Retry-After: 99999999999999999999"),
    "429, Retry-After negative": too_many("Retry-After: -5"),
    "429, Retry-After nonsense": too_many("Retry-After: soon, I hope \x7f"),
    "500": saying("500 Internal Server Error", b"<html>oops", kind="text/html"),
    "503 that echoes the key": echo,
    "hang": hang,
    "reset at once": reset,
    "reset mid-body": reset_in_body,
    "truncated JSON": truncated,
    "invalid JSON": saying("200 OK", b"{'choices': None, }"),
    "HTML with 200": saying("200 OK", b"<!doctype html><title>Sign in</title>", kind="text/html"),
    "empty choices": saying("200 OK", b'{"choices": [], "usage": {"prompt_tokens": 5}}'),
    "empty choices, charged": charge,
    "error with 200": saying("200 OK", b'{"error": {"message": "overloaded", "code": 529}}'),
    "unknown packing": saying("200 OK", b"\x28\xb5\x2f\xfd", "Content-Encoding: zstd"),
    "endless body": endless,
    "gzip bomb": saying("200 OK", BOMB, "Content-Encoding: deflate"),
    "redirect to another host": saying(
        "307 Temporary Redirect", b"", "Location: http://localhost:9/v1/chat/completions"
    ),
}
# An attempt in one of these ways is asked again at once, or ends the sample or the session; never an answer.
FAILURES = (*(name for name in FAILING if name not in HARD_FAILURES), "refused for a while")
