"""A small server on loopback for one person's review page.

What keeps others out: it listens on 127.0.0.1; every request must name a host that is an address and not a
domain (no DNS rebinding); everything but the static files needs the session's token, which is handed over
once in the printed address and then kept in a cookie; decisions must come from the page's own origin.
"""

from __future__ import annotations

import hmac
import ipaddress
import sys
import threading
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import orjson

from toolyard.core.errors import ToolyardError, UsageError
from toolyard.core.types import Json
from toolyard.lines import encode
from toolyard.review.desk import Desk

PAGE = Path(__file__).parent / "page"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
STATIC = {f"/{file.name}": file for file in sorted(PAGE.iterdir()) if file.suffix in (".css", ".js", ".svg")}
LARGEST_BODY = 4_000_000
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
CLOSED = b"This review is closed to you. Open the address that the command printed.\n"


class ReviewServer(ThreadingHTTPServer):
    """Serves one desk to whoever holds the token."""

    daemon_threads = True

    def __init__(self, host: str, port: int, desk: Desk, token: str) -> None:
        self.desk, self.token, self.lock = desk, token, threading.Lock()
        try:
            super().__init__((host, port), Handler)
        except OSError as error:
            raise UsageError(
                f"cannot listen on {host} port {port} ({error.strerror}); choose another --port, 0 for a free one"
            ) from None

    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing for a browser that went away; anything else is a mistake of ours and is shown."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    @property
    def port(self) -> int:
        """The port that it really has."""
        return int(self.server_address[1])

    @property
    def address(self) -> str:
        """What to open in a browser."""
        host = str(self.server_address[0])
        return f"http://{host}:{self.port}/?token={self.token}"

    @property
    def cookie(self) -> str:
        """The cookie's name; browsers share cookies among ports, so the port is part of it."""
        return f"toolyard_review_{self.port}"


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: ReviewServer
    server_version = "toolyard"
    sys_version = ""
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_GET(self) -> None:
        """The page, its files, the overview, or one item."""
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        if not self._known_host():
            self._reply(HTTPStatus.FORBIDDEN, CLOSED)
        elif url.path in STATIC:
            self._file(STATIC[url.path])
        elif url.path == "/" and self._matches(query.get("token", [""])[0]):
            self._hand_over_token()
        elif not self._has_token():
            self._reply(HTTPStatus.FORBIDDEN, CLOSED)
        elif url.path == "/":
            self._file(PAGE / "review.html")
        elif url.path == "/api/overview":
            self._answer(lambda: self.server.desk.overview())
        elif url.path == "/api/item":
            self._answer(lambda: self.server.desk.item(query.get("id", [""])[0]))
        else:
            self._reply(HTTPStatus.NOT_FOUND, b"not found\n")

    def do_POST(self) -> None:
        """One decision."""
        body = self._body()
        if not (self._known_host() and self._has_token() and self._own_origin()):
            self._reply(HTTPStatus.FORBIDDEN, CLOSED)
        elif self.path != "/api/decision":
            self._reply(HTTPStatus.NOT_FOUND, b"not found\n")
        elif body is None:
            self._json(HTTPStatus.BAD_REQUEST, {"error": "wanted is one JSON object"})
        else:
            self._answer(lambda: self.server.desk.decide(body))

    def _body(self) -> Mapping[str, Json] | None:
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit() or int(length) > LARGEST_BODY:
            # What was not read would be taken for the next request.
            self.close_connection = True
            return None
        data = self.rfile.read(int(length))
        if self.headers.get_content_type() != "application/json":
            return None
        try:
            body = orjson.loads(data)
        except orjson.JSONDecodeError:
            return None
        return body if isinstance(body, dict) else None

    def _known_host(self) -> bool:
        host = urlsplit(f"//{self.headers.get('Host', '')}")
        try:
            name, port = host.hostname or "", host.port
        except ValueError:
            return False
        if port != self.server.port:
            return False
        bound = ipaddress.ip_address(str(self.server.server_address[0]))
        if name == "localhost":
            return bound.is_loopback
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback if bound.is_loopback else True

    def _own_origin(self) -> bool:
        site = self.headers.get("Sec-Fetch-Site", "same-origin")
        return self.headers.get("Origin") == f"http://{self.headers.get('Host')}" and site == "same-origin"

    def _has_token(self) -> bool:
        try:
            cookies = SimpleCookie(self.headers.get("Cookie", ""))
        except CookieError:
            return False
        found = cookies.get(self.server.cookie)
        return found is not None and self._matches(found.value)

    def _matches(self, token: str) -> bool:
        return hmac.compare_digest(token.encode("utf-8", "replace"), self.server.token.encode())

    def _hand_over_token(self) -> None:
        cookie = f"{self.server.cookie}={self.server.token}; Path=/; HttpOnly; SameSite=Strict"
        self._reply(HTTPStatus.SEE_OTHER, b"", {"Location": "/", "Set-Cookie": cookie})

    def _answer(self, ask: Callable[[], Json]) -> None:
        try:
            with self.server.lock:
                found = ask()
        except ToolyardError as error:
            self._json(HTTPStatus.UNPROCESSABLE_ENTITY, {"error": str(error)})
        else:
            self._json(HTTPStatus.OK, found)

    def _json(self, status: HTTPStatus, value: Json) -> None:
        self._reply(status, encode(value), {"Content-Type": "application/json"})

    def _file(self, file: Path) -> None:
        kind = f"{TYPES[file.suffix]}; charset=utf-8"
        self._reply(HTTPStatus.OK, file.read_bytes(), {"Content-Type": kind})

    def _reply(self, status: HTTPStatus, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        given = {"Content-Type": "text/plain; charset=utf-8", **HEADERS, **(headers or {})}
        for name, value in {**given, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Silence: the terminal belongs to the person."""
