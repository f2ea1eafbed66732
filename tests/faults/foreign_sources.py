"""Sources of strangers that tests and campaign share: OpenAPI documents, answers of services, Python modules."""

import gzip
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cases import cases

Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Service:
    """A service that notes what reaches it, and answers as it is told to."""

    address: str
    seen: list[tuple[str, str, str]] = field(default_factory=list)
    answer: Callable[[BaseHTTPRequestHandler], None] | None = None

    @property
    def host(self) -> str:
        return self.address.removeprefix("http://")


def serve_foreign() -> tuple[Service, ThreadingHTTPServer]:
    """A service on this machine, and the server to close in the end."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            service.seen.append((self.command, self.path, str(self.headers)))
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if service.answer is not None:
                service.answer(self)
                return
            body = b'{"berth_id": "quay-1"}'
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = do_HEAD = _answer  # noqa: N815 - the server's names

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    # Clients that break off are what is played here.
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    service = Service(f"http://127.0.0.1:{server.server_address[1]}")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return service, server


def document(path: str, **operation: Any) -> dict[str, Any]:
    return {"openapi": "3.1.0", "paths": {path: {"get": {"operationId": "get_berth", **operation}}}}


def parameter(name: str, place: str, example: object = "x") -> dict[str, Any]:
    return {
        "name": name,
        "in": place,
        "required": True,
        "example": example,
        "schema": {"type": "string", "enum": [example], "examples": [example]},
    }


# Routes that would lead elsewhere.
PATHS = (
    "http://{other}/x", "/http://{other}/x", "//{other}/x", "///{other}/x", "/..//{other}/x", "/../../{other}/x",
    "\\\\{other}\\x", "/\\{other}/x", "/\\/{other}/x", "@{other}/x", "/@{other}/x", ":pw@{other}/x", ".{other}/x",
    "HTTP://{other}/x", "%68ttp://{other}/x", "/%2F%2F{other}/x", "%2f%2f{other}/x", "/%5c%5c{other}/x",
    "/%2e%2e/%2e%2e//{other}/x", "/%252e%252e//{other}/x", "?@{other}/x", "#@{other}/x", "/\r\nHost: {other}/x",
    "\t//{other}/x", " http://{other}/x", "/x\u2028//{other}", "/\u3002{other}", "/x;//{other}", "//user:pw@{other}/x",
    "/x?next=http://{other}/", "ws://{other}/x", "file://{other}/etc/passwd", "/\ud800//{other}",
)  # fmt: skip


def with_path(path: str) -> Callable[[str], dict[str, Any]]:
    return lambda other: document(path.replace("{other}", other))


def servers_at(level: str, *urls: str, variables: Any = None) -> Callable[[str], dict[str, Any]]:
    def make(other: str) -> dict[str, Any]:
        listed = [{"url": url.replace("{other}", other), "variables": variables} for url in urls]
        if isinstance(variables, dict):
            for each in listed:
                each["variables"] = json.loads(json.dumps(variables).replace("{other}", other))
        made = document("/x")
        if level == "operation":
            made["paths"]["/x"]["get"]["servers"] = listed
        elif level == "path":
            made["paths"]["/x"]["servers"] = listed
        else:
            made["servers"] = listed
        return made

    return make


REGION = {"region": {"default": "{other}/"}}
DOCUMENTS: dict[str, Callable[[str], dict[str, Any]]] = {
    **{f"path {path!r}": with_path(path) for path in PATHS},
    "path value": lambda other: document("/{p}", parameters=[parameter("p", "path", f"//{other}/x")]),
    "path value at": lambda other: document("/{p}", parameters=[parameter("p", "path", f"@{other}")]),
    "path value dots": lambda _: document("/a/{p}/b", parameters=[parameter("p", "path", "..")]),
    "value in first place": lambda other: document("{p}", parameters=[parameter("p", "path", f"http://{other}")]),
    "operation servers": servers_at("operation", "http://{other}"),
    "operation server at": servers_at("operation", "http://127.0.0.1@{other}"),
    "path servers": servers_at("path", "http://{other}"),
    "document servers": servers_at("document", "http://{other}"),
    "protocol-relative server": servers_at("operation", "//{other}"),
    "relative server with backslash": servers_at("operation", "/\\{other}"),
    "variable is a host": servers_at("operation", "http://{region}", variables=REGION),
    "relative variable": servers_at("operation", "{region}", variables={"region": {"default": "//{other}"}}),
    "other scheme": servers_at("operation", "ftp://{other}"),
    "reference to a host": lambda other: {
        "openapi": "3.1.0",
        "paths": {"/x": {"$ref": f"http://{other}/path.json"}, "/y": {"get": {
            "operationId": "get_y", "parameters": [{"$ref": f"http://{other}/p.json"}],
            "responses": {"200": {"$ref": f"http://{other}/r.json#/x"}}}}},
        "components": {"schemas": {"S": {"$ref": f"//{other}/s.json"}}},
    },
    "link": lambda other: document("/x", responses={
        "200": {"links": {"next": {"operationRef": f"http://{other}/#/paths/x", "server": {"url": f"http://{other}"}}}}}),
    "callback": lambda other: document("/x", callbacks={"on": {f"http://{other}/x": {"get": {"operationId": "cb"}}}}),
    "header host": lambda other: document("/x", parameters=[parameter("Host", "header", other)]),
    "header with a line": lambda other: document("/x", parameters=[parameter(f"A\r\nHost: {other}\r\nB", "header")]),
    "header authorization": lambda _: document("/x", parameters=[parameter("Authorization", "header", "Bearer evil")]),
    "header value with a line": lambda _: document("/x", parameters=[parameter("X-A", "header", "a\r\nX-Evil: 1")]),
}  # fmt: skip


def sent(status: int, body: bytes, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"Content_Length": str(len(body)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        try:
            handler.wfile.write(body)
        except OSError:
            handler.close_connection = True

    return answer


def in_pieces(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    text = json.dumps({"berths": [f"quay-{number}" for number in range(2_000)]}).encode()
    for start in range(0, len(text), 1_000):
        piece = text[start : start + 1_000]
        handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        handler.wfile.flush()
    handler.wfile.write(b"0\r\n\r\n")


def endless(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Connection", "close")
    handler.end_headers()
    try:
        for _ in range(10_000):
            handler.wfile.write(b"x" * 65_536)
    except OSError:
        handler.close_connection = True


def broken(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{")
    handler.close_connection = True


ANSWERS: dict[str, tuple[Callable[[BaseHTTPRequestHandler], None], str]] = {
    "endless": (endless, "too_large"),
    "bomb": (sent(200, gzip.compress(b"0" * 200_000_000), Content_Encoding="gzip"), "too_large"),
    "torn": (broken, "unreachable"),
    "no http": (lambda handler: handler.wfile.write(b"\x00\x01\xff" * 500), "unreachable"),
    "bad encoding": (sent(200, b"not gzip", Content_Encoding="gzip"), "unreachable"),
    "error page": (sent(500, b"<html>\x1b[2J</html>"), "http_500"),
    "unauthorized": (sent(401, b""), "http_401"),
}


def hang(handler: BaseHTTPRequestHandler) -> None:
    time.sleep(20)
    handler.close_connection = True


def drop(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True


# Of any service, beside its own answers.
SILENCE: dict[str, Answer] = {"hang": hang, "drop": drop, "flood": endless}


# What an address that is no MCP server answers.
WEB: dict[str, Answer] = {
    "html": sent(200, b"<html>\x1b[2J</html>", Content_Type="text/html"),
    "odd json": sent(200, b"[5]", Content_Type="application/json"),
    "deep json": sent(200, b"[" * 200_000, Content_Type="application/json"),
    "huge": sent(200, b'"' + b"x" * 20_000_000, Content_Type="application/json"),
    "huge event": sent(200, b"data: " + b"x" * 20_000_000, Content_Type="text/event-stream"),
    "bomb": sent(200, b"\x1f\x8b", Content_Type="application/json", Content_Encoding="gzip"),
    "odd events": sent(200, b"event: odd\ndata: {\n\n", Content_Type="text/event-stream"),
    "error": sent(500, b"x" * 100_000),
    "forbidden": sent(403, b""),
    "nothing": sent(204, b""),
}


GOOD = "def get_bed(bed: str = 'a') -> dict:\n    '''One bed.'''\n    return {'bed': bed}\n"
# What a module does when it is imported, and what is said of it.
IMPORTS = cases(__file__, "IMPORTS")
PRINTS = "import sys\nprint('\\x1b[2J\\x1b]0;x\\x07' * 9)\nsys.stderr.write('\\x1b[31m')\nsys.stdin.read()\n"
# What a function does when it is called.
CALLS = cases(__file__, "CALLS")
