"""A real MCP client lists and calls tools over stdio and over HTTP on loopback."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from toolyard.world import select
from toolyard.world.kernel.naming import short_names

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
