"""A session over MCP: its world can be read and reset, tools say what they return and whether they change anything."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Any

import jsonschema
import pytest

from toolyard.world import World, call, select
from toolyard.world.kernel.effects import destructive, read_only
from toolyard.world.kernel.registry import library
from toolyard.world.mcp import CHANGES, RESET, Answers, result_schema
from toolyard.world.mcp.http import server_of

mcp = pytest.importorskip("mcp")


async def episode() -> dict[str, Any]:
    mail = {"to_email": "mary@example.org", "subject": "Hi", "content": "Lunch?"}
    async with mcp.Client(server_of(Answers(select("Mail"), seed=3, control=True))) as client:
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
        if read_only(tool):
            world = World.fresh(0)
            call(world, tool.id, dict(tool.examples[0]))
            changed = {store for store in world.diff() if store != "clock"}
            assert not changed, tool.id
            assert not destructive(tool), tool.id


def test_one_category_is_served_without_the_import_of_the_others() -> None:
    script = (
        "import sys; from toolyard.world import select; from toolyard.world.mcp.http import Answers, server_of;"
        "server_of(Answers(select('Mail')));"
        "print(sorted({name.split('.')[3] for name in sys.modules if name.startswith('toolyard.world.tools.')}))"
    )
    seen = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert seen.stdout.strip() == "['mail']"
