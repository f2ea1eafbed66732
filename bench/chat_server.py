"""A chat endpoint that answers every request after a fixed delay; prints its address when it is ready.

    python bench/chat_server.py 0.05
    python bench/chat_server.py 0.05 react      rounds of a ReAct episode: two calls of no tool, then the answer

Written on bare sockets: with a web framework the server, not the client, would be what is measured.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys

LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)
CALL = "Thought: I look it up.\nAction: no_such_tool\nAction Input: {}"
FINISH = 'Thought: That is all.\nAction: finish\nAction Input: {"answer": "nothing was found"}'
CALLS = 2


def answer(text: str) -> bytes:
    """A whole HTTP answer with that text."""
    body = json.dumps(
        {
            "id": "chatcmpl-0",
            "object": "chat.completion",
            "created": 0,
            "model": "delay",
            "choices": [
                {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            ],
            "usage": {"prompt_tokens": 8, "completion_tokens": 1, "total_tokens": 9},
        }
    ).encode()
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
    return head + body


PLAIN, CALLING, FINISHING = answer("ok"), answer(CALL), answer(FINISH)


class Chat(asyncio.Protocol):
    """One connection: a request, a delay, the answer, and again."""

    def __init__(self, delay: float, react: bool) -> None:
        self._delay = delay
        self._react = react
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        head = self._received.find(b"\r\n\r\n")
        if head < 0:
            return
        length = LENGTH.search(self._received, 0, head)
        if len(self._received) < head + 4 + (int(length.group(1)) if length else 0):
            return
        answered = PLAIN
        if self._react:
            answered = CALLING if self._received.count(b'"assistant"') < CALLS else FINISHING
        self._received = b""
        asyncio.get_running_loop().call_later(self._delay, self._transport.write, answered)


async def serve(delay: float, react: bool) -> None:
    """Serves until standard input closes."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Chat(delay, react), "127.0.0.1", 0, backlog=2048)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]), "react" in sys.argv[2:]))
