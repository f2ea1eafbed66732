"""A chat endpoint that answers every request after a fixed delay; prints its address when it is ready.

    python bench/chat_server.py 0.05

Written on bare sockets: with a web framework the server, not the client, would be what is measured.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys

LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)
BODY = json.dumps(
    {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "created": 0,
        "model": "delay",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "ok"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 8, "completion_tokens": 1, "total_tokens": 9},
    }
).encode()
ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(BODY)
) + BODY


class Chat(asyncio.Protocol):
    """One connection: a request, a delay, the answer, and again."""

    def __init__(self, delay: float) -> None:
        self._delay = delay
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
        self._received = b""
        asyncio.get_running_loop().call_later(self._delay, self._transport.write, ANSWER)


async def serve(delay: float) -> None:
    """Serves until standard input closes."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Chat(delay), "127.0.0.1", 0, backlog=512)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))
