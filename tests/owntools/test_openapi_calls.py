"""A service behind an OpenAPI document that notes every request: only GET reaches it, with the header that was named."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from toolyard.owntools.mirror.mirror_making import make_mirror
from toolyard.owntools.sources import load_source

BERTH = {"type": "object", "properties": {"berth_id": {"type": "string"}, "length": {"type": "number"}}}
ANSWER = {"200": {"content": {"application/json": {"schema": BERTH}}}}
ONE = [{"name": "berth_id", "in": "path", "required": True, "schema": {"type": "string"}}]
DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Harbour"},
    "paths": {
        "/berths": {
            "get": {
                "operationId": "listBerths",
                "responses": {
                    "200": {"content": {"application/json": {"schema": {"type": "array", "items": BERTH}}}}
                },
            },
            "post": {
                "operationId": "getNewBerth",  # a name that lies
                "requestBody": {"content": {"application/json": {"schema": BERTH}}},
                "responses": ANSWER,
            },
        },
        "/berths/{berth_id}": {
            "get": {"operationId": "readBerth", "parameters": ONE, "responses": ANSWER},
            "delete": {"operationId": "deleteBerth", "parameters": ONE, "responses": {"204": {}}},
        },
    },
}
ROWS = [{"berth_id": "quay-1", "length": 40.5}, {"berth_id": "quay-2", "length": 12.0}]


@pytest.fixture
def harbour() -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """The address of the service, and what reached it."""
    seen: list[tuple[str, str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            seen.append((self.command, self.path, self.headers.get("Authorization", "")))
            name = self.path.rsplit("/", 1)[-1]
            value = ROWS if name == "berths" else next((row for row in ROWS if row["berth_id"] == name), None)
            self.send_response(200 if value else 404)
            self.end_headers()
            self.wfile.write(json.dumps(value).encode())

        do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = _answer  # noqa: N815 - the names that the server looks for

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", seen
    finally:
        server.shutdown()
        server.server_close()


def test_only_get_reaches_the_service(
    tmp_path: Path, harbour: tuple[str, list[tuple[str, str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, seen = harbour
    monkeypatch.setenv("HARBOUR_TOKEN", "Bearer quiet")
    path = tmp_path / "harbour.json"
    path.write_text(json.dumps(DOCUMENT))
    source = load_source(str(path), headers=["Authorization=HARBOUR_TOKEN"], base=address)
    plan = make_mirror(source, tmp_path / "twin", number=3)
    assert {method for method, _, _ in seen} == {"GET"}
    assert {header for _, _, header in seen} == {"Bearer quiet"}
    assert {where for _, where, _ in seen} == {"/berths", "/berths/quay-1", "/berths/quay-2"}
    assert [row["berth_id"] for row in plan.tables[0].rows] == ["quay-1", "quay-2"]
    assert "quiet" not in (tmp_path / "twin" / "mirror.json").read_text()
