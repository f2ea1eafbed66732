"""An agent of inspect-ai: it gets the sample's tools as inspect's own, and runs with inspect's own models."""

import json
from collections.abc import Callable
from typing import Any

from toolyard.core.errors import MissingExtra
from toolyard.core.types import Record
from toolyard.models.agents.agent_steps import Assignment, Call, Work


def inspect_work(factory: Callable[[list[Any]], Any]) -> Work:
    """The work of the agent that `factory(tools)` makes."""
    try:
        import inspect_ai  # noqa: F401 - whether it is there
    except ImportError:
        raise MissingExtra("inspect-agent: needs inspect-ai: pip install 'toolyard[inspect]'") from None

    async def work(assignment: Assignment) -> str:
        from inspect_ai.agent import run
        from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

        kinds = {"system": ChatMessageSystem, "assistant": ChatMessageAssistant}
        messages = [
            kinds.get(message.role, ChatMessageUser)(content=message.content)
            for message in assignment.messages
            if message.content
        ]
        tools = [_as_inspect_tool(tool, assignment.call) for tool in assignment.tools]
        state = await run(factory(tools), messages)
        return str(state.output.completion)

    return work


def _as_inspect_tool(document: Record, call: Call) -> object:
    """One tool of the sample as inspect-ai has them."""
    from inspect_ai.tool import ToolDef, ToolParams

    function = document.get("function", document)
    name = str(function["name"])

    async def execute(**arguments: object) -> str:
        return await call(name, json.loads(json.dumps(arguments, default=str)))

    schema = function.get("parameters") or {}
    # inspect-ai refuses a parameter without a description.
    described: Any = {
        key: {"description": key, **value} for key, value in schema.get("properties", {}).items()
    }
    parameters = ToolParams(properties=described, required=schema.get("required", []))
    description = str(function.get("description") or name)
    return ToolDef(execute, name=name, description=description, parameters=parameters).as_tool()
