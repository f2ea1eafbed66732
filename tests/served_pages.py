"""A page server in a thread, and plain requests to it."""

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from toolyard.review.web.server import PageServer


@contextmanager
def running(server: PageServer) -> Iterator[PageServer]:
    """The server, answering until the block ends."""
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


def ask(port: int, path: str, method: str = "GET", body: Any = None, **headers: str) -> Answer:
    """One request on a connection of its own; `Content_Type` stands for Content-Type."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    data = body if isinstance(body, bytes) or body is None else json.dumps(body)
    try:
        connection.request(method, path, data, given)
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())
    finally:
        connection.close()


def half_open(port: int, sent: bytes = b"GET / HTTP/1.1\r\nHost: ") -> socket.socket:
    """A connection that begins a request and never ends it."""
    opened = socket.create_connection(("127.0.0.1", port), timeout=30)
    opened.sendall(sent)
    return opened
