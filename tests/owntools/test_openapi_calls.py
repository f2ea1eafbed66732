"""A service behind an OpenAPI document that notes every request: only GET reaches it, with the header that was named."""

import json
from pathlib import Path

import pytest

from plain_service import Sent, plain_service
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


def answer(path: str, body: bytes) -> Sent:
    name = path.rsplit("/", 1)[-1]
    value = ROWS if name == "berths" else next((row for row in ROWS if row["berth_id"] == name), None)
    return 200 if value else 404, "application/json", json.dumps(value).encode()


def test_only_get_reaches_the_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARBOUR_TOKEN", "Bearer quiet")
    path = tmp_path / "harbour.json"
    path.write_text(json.dumps(DOCUMENT))
    with plain_service(answer) as service:
        source = load_source(str(path), headers=["Authorization=HARBOUR_TOKEN"], base=service.address)
        plan = make_mirror(source, tmp_path / "twin", number=3)
    assert {method for method, _, _ in service.seen} == {"GET"}
    assert {headers["Authorization"] for _, _, headers in service.seen} == {"Bearer quiet"}
    assert {where for _, where, _ in service.seen} == {"/berths", "/berths/quay-1", "/berths/quay-2"}
    assert [row["berth_id"] for row in plan.tables[0].rows] == ["quay-1", "quay-2"]
    assert "quiet" not in (tmp_path / "twin" / "mirror.json").read_text()
