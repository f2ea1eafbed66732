"""Tiny agents for tests: a function, one of inspect-ai, and, run as a command, one that speaks MCP as client."""

import asyncio
import json
import os
import sys
from typing import Any

GREETING = "Every town was looked up."


def planner(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> str | dict[str, Any]:
    """Calls the first tool once, then answers."""
    if any(message["role"] == "tool" for message in messages):
        return GREETING
    name = tools[0]["function"]["name"]
    call = {"id": "a", "type": "function", "function": {"name": name, "arguments": "{}"}}
    return {"content": "I look first.", "tool_calls": [call]}


async def thinker(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> str:
    """Answers in words alone."""
    return f"{len(tools)} tools, {len(messages)} messages"


def wrong(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> int:
    """Returns what no agent may."""
    return 3


def inspect_agent(tools: list[Any]) -> Any:
    """An agent of inspect-ai that makes one call by hand and needs no model."""
    from inspect_ai.agent import AgentState, agent
    from inspect_ai.model import ModelOutput
    from inspect_ai.tool import ToolDef

    @agent
    def one_call() -> Any:
        async def execute(state: AgentState) -> AgentState:
            result = await ToolDef(tools[0]).tool(city="Oslo")
            state.output = ModelOutput.from_content("none", f"It said {result}")
            return state

        return execute

    return one_call()


async def speak(url: str) -> None:
    """Lists the tools, calls the first twice and prints the results."""
    from mcp import Client

    async with Client(url) as client:
        listed = await client.list_tools()
        name = listed.tools[0].name
        found = []
        for city in ("Oslo", "Bergen"):
            result = await client.call_tool(name, {"city": city})
            found.append(result.content[0].text)
    sys.stdout.write(json.dumps({"task": os.environ["TOOLYARD_TASK"], "found": found}))


if __name__ == "__main__":
    asyncio.run(speak(os.environ["TOOLYARD_MCP_URL"]))


def listener(messages: list[Any]) -> str:
    """Takes messages alone."""
    return f"{len(messages)} messages"


def greedy(messages: list[Any], tools: list[Any], more: str) -> str:
    """Wants more than anybody gives."""
    return f"{messages}{tools}{more}"
