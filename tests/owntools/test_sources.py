"""Every source becomes the same record; what is hostile is bounded; of an OpenAPI service only GET is asked."""

import json
import sys
from pathlib import Path

import pytest

from cases import cases, each_case
from owntools_desk import DESK, written
from plain_service import Sent, plain_service
from toolyard.core.errors import DataError, UsageError
from toolyard.owntools.mirror.mirror_files import make_mirror
from toolyard.owntools.sources import load_source
from toolyard.owntools.sources.openapi_calls import Operation, build_request
from toolyard.owntools.sources.source_loading import header_values
from toolyard.owntools.sources.source_schemas import resolve_references

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
OPENAPI = """
openapi: 3.0.3
info: {title: Harbour}
servers: [{url: "https://harbour.example/api"}]
paths:
  /v1/berths/{berth_id}:
    parameters:
      - {name: berth_id, in: path, required: true, schema: {type: string}}
    get:
      operationId: getBerth
      summary: One berth
      responses: {"200": {content: {application/json: {schema: {$ref: "#/components/schemas/Berth"}}}}}
    patch:
      summary: Change a berth
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Berth"}}}
      responses: {"204": {description: done}}
components:
  schemas:
    Berth:
      type: object
      required: [length]
      properties:
        length: {type: number, description: Metres of quay.}
        beside: {$ref: "#/components/schemas/Berth"}
"""


def test_the_three_forms_of_schemas_are_one_record(tmp_path: Path) -> None:
    forms = [
        {"type": "function", "function": {"name": "rain", "description": "Rain.", "parameters": SCHEMA}},
        {"name": "rain", "description": "Rain.", "input_schema": SCHEMA},
        {"name": "rain", "description": "Rain.", "inputSchema": SCHEMA},
    ]
    for number, form in enumerate(forms):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps([form]))
        (tool,) = load_source(str(path)).tools
        assert (tool.name, tool.description, tool.schema) == ("rain", "Rain.", SCHEMA)
        assert tool.document.required == ("city",)


def test_lines_are_those_of_the_file(tmp_path: Path) -> None:
    source = load_source(str(written(tmp_path, DESK)))
    lines = written(tmp_path, DESK).read_text().splitlines()
    tool = source.tool("update_note")
    assert '"note_id"' in lines[tool.location_of("note_id").line - 1]  # type: ignore[operator]
    assert lines[tool.place.line].strip() == '"name": "update_note",'  # type: ignore[index]


def test_openapi_operations_become_tools_with_bounded_circles(tmp_path: Path) -> None:
    path = tmp_path / "harbour.yaml"
    path.write_text(OPENAPI)
    source = load_source(str(path))
    get, patch = source.tools
    assert [get.name, patch.name] == ["getBerth", "patch_berths_by_berth_id"]
    assert (get.reads, patch.reads) == (True, False)
    assert patch.document.required == ("berth_id", "length")
    assert get.place.line == 9
    assert any("refers to itself" in fault for fault in patch.faults)
    assert get.result is not None
    assert get.result["properties"]["beside"]["type"] == "object"


def test_a_value_stays_in_its_part_of_the_address() -> None:
    operation = Operation("get", "/berths/{berth_id}", {"berth_id": "path", "day": "query"}, "")
    address, headers, body = build_request(
        "https://h.example/api", operation, {"berth_id": "../a?b", "day": "x&y=1"}
    )
    assert address == "https://h.example/api/berths/..%2Fa%3Fb?day=x%26y%3D1"
    assert (headers, body) == ({}, None)


def test_python_functions_have_types_words_and_lines() -> None:
    source = load_source("python:textwrap:shorten,wrap")
    shorten, wrap = source.tools
    assert shorten.document.required == ("text", "width")
    assert shorten.description.startswith("Collapse and truncate the given text")
    assert shorten.place.where.endswith("textwrap.py")
    assert wrap.parameters[1].default == 70


def test_an_mcp_server_is_listed_and_says_what_only_reads() -> None:
    source = load_source(f"mcp:{sys.executable} -m toolyard serve Mail")
    assert source.kind == "mcp"
    assert source.tool("send").reads is False
    assert source.tool("recieve_list").reads is True
    assert source.tool("recieve_list").result is not None


@each_case("text, says")
def test_a_source_that_is_none_is_one_line(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says) as caught:
        load_source(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "neither JSON nor YAML"),
        ("[" * 100_000, "neither JSON nor YAML"),
        ("[]", "holds no tools"),
        ('[{"description": "x"}]', "without a name"),
        ('{"swagger": "2.0", "paths": {}}', "wanted is version 3"),
        ('"text"', "holds no list of tools"),
    ],
    ids=["torn", "deep", "empty", "nameless", "old", "text"],
)
def test_a_file_that_is_wrong_is_one_line(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "tools.json"
    path.write_text(content)
    with pytest.raises(DataError, match=says):
        load_source(str(path))


def test_schemas_of_strangers_are_bounded() -> None:
    wide = {"properties": {f"p{number}": {"type": "string"} for number in range(20_000)}}
    assert "more than 5,000 parts" in resolve_references(wide).faults[0]
    twice = {
        "$defs": {"a": {"properties": {"x": {"$ref": "#/$defs/a"}, "y": {"$ref": "#/$defs/a"}}}},
        "$ref": "#/$defs/a",
    }
    assert resolve_references(twice).schema["properties"]["x"]["type"] == "object"
    assert resolve_references({"$ref": "http://elsewhere/x"}).faults == (
        "http://elsewhere/x leads nowhere in this document",
    )


def test_a_document_that_had_to_be_mended_says_so(tmp_path: Path) -> None:
    tools = [{"name": "a b", "inputSchema": {"properties": {"x": 5}, "required": ["y"]}}]
    (tool,) = load_source(str(written(tmp_path, tools))).tools
    assert (tool.name, tool.called) == ("a_b", "a b")
    assert tool.faults == ("parameter x is not a schema", "`required` names y, which is not a parameter")


def test_secrets_stand_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARBOUR_TOKEN", "Bearer s3cret")
    assert header_values(["Authorization=HARBOUR_TOKEN"]) == {"Authorization": "Bearer s3cret"}
    with pytest.raises(UsageError, match="MISSING_VARIABLE is not set"):
        header_values(["Authorization=MISSING_VARIABLE"])


@pytest.mark.parametrize("module", ["../code/shop", "code/shop.py", "/tmp/shop", "shop.", ".shop"])
def test_a_path_in_place_of_a_module_is_told_what_is_wanted(module: str) -> None:
    with pytest.raises(UsageError, match="wanted the name of a module, such as python:shop") as found:
        load_source(f"python:{module}")
    assert "TypeError" not in str(found.value)
    assert "or put it beside the case file" in str(found.value)


DOCUMENT = cases(__file__, "openapi")
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
