"""OpenAPI documents and services of strangers: no key and no request leaves the address that the user named."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from toolyard.core.errors import ToolyardError, UsageError
from toolyard.owntools.mirror.making import make_mirror
from toolyard.owntools.mirror.plan import MirrorPlan
from toolyard.owntools.sources import load_source

KEY = "Bearer harbour-light-71"


@dataclass
class Service:
    """A service that notes what reaches it, and answers as it is told to."""

    address: str
    seen: list[tuple[str, str, str]] = field(default_factory=list)
    answer: Callable[[BaseHTTPRequestHandler], None] | None = None

    @property
    def host(self) -> str:
        return self.address.removeprefix("http://")


def _serve() -> tuple[Service, ThreadingHTTPServer]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            service.seen.append((self.command, self.path, str(self.headers)))
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
    service = Service(f"http://127.0.0.1:{server.server_address[1]}")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return service, server


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[Service, Service]]:
    made = [_serve(), _serve()]
    yield made[0][0], made[1][0]
    for _, server in made:
        server.shutdown()
        server.server_close()


@pytest.fixture
def services(servers: tuple[Service, Service], monkeypatch: pytest.MonkeyPatch) -> tuple[Service, Service]:
    """The service that the user means, and another one that must get nothing."""
    for each in servers:
        each.seen.clear()
        each.answer = None
    monkeypatch.setenv("HARBOUR_TOKEN", KEY)
    return servers


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


PATHS = (
    "http://{other}/x", "/http://{other}/x", "//{other}/x", "///{other}/x", "/..//{other}/x", "/../../{other}/x",
    "\\\\{other}\\x", "/\\{other}/x", "/\\/{other}/x", "@{other}/x", "/@{other}/x", ":pw@{other}/x", ".{other}/x",
    "HTTP://{other}/x", "%68ttp://{other}/x", "/%2F%2F{other}/x", "%2f%2f{other}/x", "/%5c%5c{other}/x",
    "/%2e%2e/%2e%2e//{other}/x", "/%252e%252e//{other}/x", "?@{other}/x", "#@{other}/x", "/\r\nHost: {other}/x",
    "\t//{other}/x", " http://{other}/x", "/x\u2028//{other}", "/\u3002{other}", "/x;//{other}", "//user:pw@{other}/x",
    "/x?next=http://{other}/", "ws://{other}/x", "file://{other}/etc/passwd", "/\ud800//{other}",
)  # fmt: skip


def _with_path(path: str) -> Callable[[str], dict[str, Any]]:
    return lambda other: document(path.replace("{other}", other))


def _servers(level: str, *urls: str, variables: Any = None) -> Callable[[str], dict[str, Any]]:
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
    **{f"path {path!r}": _with_path(path) for path in PATHS},
    "path value": lambda other: document("/{p}", parameters=[parameter("p", "path", f"//{other}/x")]),
    "path value at": lambda other: document("/{p}", parameters=[parameter("p", "path", f"@{other}")]),
    "path value dots": lambda _: document("/a/{p}/b", parameters=[parameter("p", "path", "..")]),
    "value in first place": lambda other: document("{p}", parameters=[parameter("p", "path", f"http://{other}")]),
    "operation servers": _servers("operation", "http://{other}"),
    "operation server at": _servers("operation", "http://127.0.0.1@{other}"),
    "path servers": _servers("path", "http://{other}"),
    "document servers": _servers("document", "http://{other}"),
    "protocol-relative server": _servers("operation", "//{other}"),
    "relative server with backslash": _servers("operation", "/\\{other}"),
    "variable is a host": _servers("operation", "http://{region}", variables=REGION),
    "relative variable": _servers("operation", "{region}", variables={"region": {"default": "//{other}"}}),
    "other scheme": _servers("operation", "ftp://{other}"),
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


def recorded(made: dict[str, Any], folder: Path, base: str) -> MirrorPlan:
    file = folder / "service.json"
    file.write_text(json.dumps(made))
    source = load_source(str(file), headers=["Authorization=HARBOUR_TOKEN"], base=base)
    return make_mirror(source, folder / "twin", number=1)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_document_leads_a_request_or_a_key_elsewhere(
    name: str, tmp_path: Path, services: tuple[Service, Service]
) -> None:
    mine, other = services
    try:
        plan = recorded(DOCUMENTS[name](other.host), tmp_path, f"{mine.address}/api")
    except ToolyardError as error:
        assert "\n" not in str(error)
        plan = None
    assert other.seen == []
    for method, path, headers in mine.seen:
        assert method == "GET"
        assert path.startswith("/api/")
        lines = headers.splitlines()
        assert f"Authorization: {KEY}" in lines
        assert f"Host: {mine.host}" in lines
        assert not any(line.startswith(("X-Evil", "Authorization: Bearer evil")) for line in lines)
    assert plan is None or len(plan.recorded) <= 2


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if "server" in name])
def test_a_header_is_refused_for_an_address_that_only_the_document_names(
    name: str, tmp_path: Path, services: tuple[Service, Service]
) -> None:
    mine, other = services
    made = {**DOCUMENTS[name](mine.host), "servers": [{"url": f"{other.address}/api"}]}
    with pytest.raises(UsageError, match=r"only to an address that you name.*--base-url"):
        recorded(made, tmp_path, "")
    assert other.seen == mine.seen == []


def test_a_server_of_the_same_origin_is_used(tmp_path: Path, services: tuple[Service, Service]) -> None:
    mine, _ = services
    recorded(_servers("operation", "/v2")(""), tmp_path, f"{mine.address}/api")
    assert [path for _, path, _ in mine.seen] == ["/v2/x"]


def test_two_operations_of_one_name_are_not_called_as_each_other(
    tmp_path: Path, services: tuple[Service, Service]
) -> None:
    mine, _ = services
    same = {"operationId": "get_berth"}
    made = {"openapi": "3.1.0", "paths": {"/read": {"get": same}, "/purge": {"delete": same, "post": same}}}
    recorded(made, tmp_path, mine.address)
    assert [(method, path) for method, path, _ in mine.seen] == [("GET", "/read")]


def _sent(status: int, body: bytes, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"Content_Length": str(len(body)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def _in_pieces(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    text = json.dumps({"berths": [f"quay-{number}" for number in range(2_000)]}).encode()
    for start in range(0, len(text), 1_000):
        piece = text[start : start + 1_000]
        handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        handler.wfile.flush()
    handler.wfile.write(b"0\r\n\r\n")


def _endless(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Connection", "close")
    handler.end_headers()
    try:
        for _ in range(10_000):
            handler.wfile.write(b"x" * 65_536)
    except OSError:
        handler.close_connection = True


def _broken(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{")
    handler.close_connection = True


ANSWERS: dict[str, tuple[Callable[[BaseHTTPRequestHandler], None], str]] = {
    "endless": (_endless, "too_large"),
    "bomb": (_sent(200, gzip.compress(b"0" * 200_000_000), Content_Encoding="gzip"), "too_large"),
    "torn": (_broken, "unreachable"),
    "no http": (lambda handler: handler.wfile.write(b"\x00\x01\xff" * 500), "unreachable"),
    "bad encoding": (_sent(200, b"not gzip", Content_Encoding="gzip"), "unreachable"),
    "error page": (_sent(500, b"<html>\x1b[2J</html>"), "http_500"),
    "unauthorized": (_sent(401, b""), "http_401"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_of_a_hostile_service_are_errors_of_one_call(
    name: str, tmp_path: Path, services: tuple[Service, Service]
) -> None:
    mine, _ = services
    mine.answer, wanted = ANSWERS[name]
    (call,) = recorded(document("/x"), tmp_path, mine.address).recorded
    assert call.error.startswith(wanted), call.error


def test_an_answer_in_pieces_is_kept_whole(tmp_path: Path, services: tuple[Service, Service]) -> None:
    mine, _ = services
    mine.answer = _in_pieces
    (call,) = recorded(document("/x"), tmp_path, mine.address).recorded
    assert call.error == ""
    assert len(call.result["berths"]) == 2_000


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int, tmp_path: Path, services: tuple[Service, Service]) -> None:
    mine, other = services
    mine.answer = _sent(status, b"", Location=f"{other.address}/x")
    (call,) = recorded(document("/x"), tmp_path, mine.address).recorded
    assert call.error.startswith(f"http_{status}")
    assert other.seen == []


@pytest.mark.parametrize(
    "base", ["ftp://x/", "http://", "x", "http://a@b/", "http://a/?x=", "http://a/#x", "http://a b/", "//a"]
)
def test_a_base_address_that_is_none_is_one_line(base: str, tmp_path: Path) -> None:
    file = tmp_path / "service.json"
    file.write_text(json.dumps(document("/x")))
    with pytest.raises(UsageError, match="is not an address of a service"):
        load_source(str(file), base=base)


def test_a_key_that_a_service_echoes_is_not_kept(tmp_path: Path, services: tuple[Service, Service]) -> None:
    own, _ = services
    own.answer = lambda handler: _sent(200, json.dumps({"headers": str(handler.headers)}).encode())(handler)
    plan = recorded(document("/berths"), tmp_path, own.address)
    assert [call.error for call in plan.recorded] == [""]
    assert KEY in "".join(headers for _, _, headers in own.seen)
    assert not any(KEY in file.read_text() for file in (tmp_path / "twin").rglob("*") if file.is_file())
