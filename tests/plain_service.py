"""A plain HTTP service in a thread, for whatever asks one, and a chat endpoint on it."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Sent = tuple[int, str, bytes]


@dataclass
class Service:
    """The address of a service, and the requests that reached it: method, path, headers."""

    address: str = ""
    seen: list[tuple[str, str, Any]] = field(default_factory=list)


@contextmanager
def plain_service(answer: Callable[[str, bytes], Sent], **headers: str) -> Iterator[Service]:
    """Answers a path and a body with a status, a content type and data."""
    service = Service()

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            service.seen.append((self.command, self.path, self.headers))
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, kind, data = answer(self.path, body)
            self.send_response(status)
            for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = _answer  # noqa: N815 - the names that the server looks for

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        service.address = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield service
        server.shutdown()


def chat_answer(text: str, read: int = 7, written: int = 2) -> Sent:
    """A whole answer of a chat endpoint."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": read, "completion_tokens": written}
    return 200, "application/json", json.dumps({"choices": [choice], "usage": usage}).encode()


def letters_of(body: bytes) -> int:
    """The characters of a prompt: what an endpoint charges that counts a token for every letter."""
    return sum(len(message["content"]) for message in json.loads(body)["messages"])
