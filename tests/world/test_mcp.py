"""The world as an MCP server: both transports, sessions, and what is no request."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from toolyard.world import World, call, select
from toolyard.world.kernel.effects import is_destructive, is_read_only
from toolyard.world.kernel.naming import short_names
from toolyard.world.kernel.registry import library
from toolyard.world.mcp import CHANGES, RESET, Answers, result_schema
from toolyard.world.mcp.http import make_server
from toolyard.world.mcp.stdio import REVISIONS

mcp = pytest.importorskip("mcp")
SERVE = "from toolyard.world.mcp.stdio import {call}"


async def exercise(target: Any) -> dict[str, Any]:
    async with mcp.Client(target) as client:
        tools, cursor = [], None
        while True:
            answer = await client.list_tools(cursor=cursor) if cursor else await client.list_tools()
            tools += answer.tools
            cursor = answer.next_cursor
            if not cursor:
                break
        good = await client.call_tool("public_holidays", {"year": 2024, "countryCode": "US"})
        bad = await client.call_tool("public_holidays", {"year": "2024", "countryCode": "US"})
        unknown = await client.call_tool("fly_to_the_moon", {})
        return {"tools": tools, "good": good, "bad": bad, "unknown": unknown}


def assert_answers(seen: dict[str, Any]) -> None:
    names = [tool.name for tool in seen["tools"]]
    assert sorted(names) == sorted(short_names([tool.id for tool in select("RS")]))
    for tool in seen["tools"]:
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        assert tool.input_schema["additionalProperties"] is False
    assert not seen["good"].is_error
    assert seen["good"].structured_content["result"][0]["name"] == "New Year's Day"
    assert seen["bad"].is_error
    assert seen["bad"].structured_content["error"]["kind"] == "wrong_type"
    assert seen["unknown"].is_error
    assert seen["unknown"].structured_content["error"]["kind"] == "unknown_tool"


def test_stdio() -> None:
    script = f"{SERVE.format(call='serve_stdio')}; serve_stdio('RS')"
    target = mcp.StdioServerParameters(command=sys.executable, args=["-c", script], env=dict(os.environ))
    assert_answers(asyncio.run(asyncio.wait_for(exercise(target), 60)))


@pytest.fixture
def address() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    script = f"from toolyard.world.mcp.http import serve_http; serve_http('RS', port={port})"
    server = subprocess.Popen([sys.executable, "-c", script])
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.terminate()
        server.wait(20)


def test_http(address: str) -> None:
    assert_answers(asyncio.run(asyncio.wait_for(exercise(address), 60)))


async def episode() -> dict[str, Any]:
    mail = {"to_email": "mary@example.org", "subject": "Hi", "content": "Lunch?"}
    async with mcp.Client(make_server(Answers(select("Mail"), seed=3, control=True))) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        sent = await client.call_tool("send", mail)
        changed = json.loads((await client.read_resource(CHANGES)).contents[0].text)
        about = await client.call_tool(RESET, {"seed": 5})
        after = json.loads((await client.read_resource(CHANGES)).contents[0].text)
        return {"tools": tools, "sent": sent, "changed": changed, "about": about, "after": after}


def test_a_session_shows_what_it_changed_and_can_be_reset() -> None:
    seen = asyncio.run(asyncio.wait_for(episode(), 60))
    assert list(seen["changed"]["mailbox"]["added"]) == [seen["sent"].structured_content["id"]]
    assert (seen["about"].structured_content["seed"], seen["after"]) == (5, {})
    hints = {name: tool.annotations.read_only_hint for name, tool in seen["tools"].items()}
    assert sorted(name for name, reads in hints.items() if not reads) == [RESET, "send", "send_list"]
    jsonschema.validate(seen["sent"].structured_content, seen["tools"]["send"].output_schema)


def test_tools_that_are_said_to_read_only_change_nothing() -> None:
    for tool in library().values():
        jsonschema.Draft202012Validator.check_schema(result_schema(tool))
        if is_read_only(tool):
            world = World.fresh(0)
            call(world, tool.id, dict(tool.examples[0]))
            changed = {store for store in world.diff() if store != "clock"}
            assert not changed, tool.id
            assert not is_destructive(tool), tool.id


def test_one_category_is_served_without_the_import_of_the_others() -> None:
    script = (
        "import sys; from toolyard.world import select; from toolyard.world.mcp.http import Answers, make_server;"
        "make_server(Answers(select('Mail')));"
        "print(sorted({name.split('.')[3] for name in sys.modules if name.startswith('toolyard.world.tools.')}))"
    )
    seen = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert seen.stdout.strip() == "['mail']"


SCRIPT = "import sys; from toolyard.world.mcp.stdio import serve_stdio; serve_stdio('Mail'); print('mcp' in sys.modules)"


def said(*lines: Any) -> tuple[dict[Any, Any], str]:
    """Answers by id, and whether the protocol's package was imported, after these lines."""
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    seen = subprocess.run(
        [sys.executable, "-c", SCRIPT], input=text, capture_output=True, text=True, timeout=120
    )
    assert seen.returncode == 0, seen.stderr
    *answers, imported = seen.stdout.splitlines()
    found = [
        one for line in answers for one in (lambda m: m if isinstance(m, list) else [m])(json.loads(line))
    ]
    return {one["id"]: one for one in found}, imported


def request(number: Any, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def test_a_session_from_handshake_to_the_end_of_input() -> None:
    answers, imported = said(
        request(1, "initialize", protocolVersion="2025-06-18", capabilities={}),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request("two", "tools/list"),
        request(
            3,
            "tools/call",
            name="send",
            arguments={"to_email": "a@example.org", "subject": "s", "content": "c"},
        ),
        request(4, "resources/list"),
        request(5, "ping"),
    )
    assert answers[1]["result"]["protocolVersion"] == "2025-06-18"
    assert {tool["name"] for tool in answers["two"]["result"]["tools"]} >= {"send", "send_list"}
    assert answers[3]["result"]["isError"] is False
    assert len(answers[4]["result"]["resources"]) == 2
    assert answers[5]["result"] == {}
    assert imported == "False"


@pytest.mark.parametrize("wanted", ["2026-07-28", "1999-01-01", None, 5])
def test_an_unknown_revision_is_answered_with_the_newest_of_ours(wanted: Any) -> None:
    answers, _ = said(request(1, "initialize", protocolVersion=wanted))
    assert answers[1]["result"]["protocolVersion"] == REVISIONS[-1]


def test_what_is_no_request_gets_an_error_and_the_next_is_served() -> None:
    answers, _ = said(
        "{not json",
        "[" * 100_000,
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        request(2, "server/discover"),
        request(3, "tools/call", name=7),
        {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": [1]},
        request(5, "resources/read", uri="toolyard://world/nothing"),
        request(6, "tools/call", name="send", arguments=[1]),
        "",
        request(7, "ping"),
    )
    codes = {number: one["error"]["code"] for number, one in answers.items() if "error" in one}
    assert codes == {None: -32700, 2: -32601, 3: -32602, 4: -32602, 5: -32002, 6: -32602}
    assert answers[7]["result"] == {}
    assert 1 not in answers


def test_a_batch_is_answered_and_its_notes_are_not() -> None:
    answers, _ = said([request(1, "ping"), {"jsonrpc": "2.0", "method": "notifications/progress"}, 5])
    assert answers[1]["result"] == {}
    assert answers[None]["error"]["code"] == -32600
