"""A tool parser for vLLM that keeps every well-formed call of a reply and leaves the rest in the text.

    vllm serve ... --enable-auto-tool-choice --tool-parser-plugin lenient_hermes.py --tool-call-parser lenient_hermes

vLLM's own `hermes` gives up a whole reply where one call in it is malformed or has no arguments.
"""

from __future__ import annotations

import json
import re
from typing import Any, TypeAlias

from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest
from vllm.entrypoints.openai.engine.protocol import ExtractedToolCallInformation, FunctionCall, ToolCall
from vllm.tool_parsers.abstract_tool_parser import ToolParserManager
from vllm.tool_parsers.hermes_tool_parser import Hermes2ProToolParser

OPEN = "<tool_call>"
# A block ends with its tag, where the next one begins, or with the reply.
BLOCK = re.compile(r"<tool_call>(.*?)(</tool_call>|(?=<tool_call>)|\Z)", re.DOTALL)
# What may stand between the calls of a block: blank space, commas, the marks of a code block.
BETWEEN = re.compile(r"(?:[\s,]|```(?:json)?)*")
DECODER = json.JSONDecoder()
Call: TypeAlias = tuple[str, dict[str, Any]]


class LenientHermesToolParser(Hermes2ProToolParser):
    """Reads `<tool_call>` blocks one by one."""

    def extract_tool_calls(
        self,
        model_output: str,
        request: ChatCompletionRequest,  # noqa: ARG002
    ) -> ExtractedToolCallInformation:
        """The well-formed calls, and the text without them."""
        text, calls = split_calls(model_output)
        return ExtractedToolCallInformation(
            tools_called=bool(calls),
            tool_calls=[
                ToolCall(function=FunctionCall(name=name, arguments=json.dumps(given, ensure_ascii=False)))
                for name, given in calls
            ],
            content=(text if calls else model_output) or None,
        )


def split_calls(reply: str) -> tuple[str, list[Call]]:
    """What is left of a reply as text, and its calls."""
    calls: list[Call] = []

    def keep(block: re.Match[str]) -> str:
        found, rest = read_block(block[1])
        calls.extend(found)
        return f"{OPEN}{rest}{block[2]}" if rest or not found else ""

    text = BLOCK.sub(keep, reply)
    return text.strip(), calls


def read_block(body: str) -> tuple[list[Call], str]:
    """The calls at the head of a block, and what follows the last one that could be read."""
    calls: list[Call] = []
    place = BETWEEN.match(body).end()
    while place < len(body):
        try:
            value, end = DECODER.raw_decode(body, place)
        except (ValueError, RecursionError):
            break
        found = [call_of(each) for each in (value if isinstance(value, list) else [value])]
        if not found or None in found:
            break
        calls.extend(call for call in found if call is not None)
        place = BETWEEN.match(body, end).end()
    return calls, body[place:].strip()


def call_of(value: Any) -> Call | None:
    """The call that a JSON value is; one that names its arguments in another way is none."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str) or not value["name"]:
        return None
    if value.keys() - {"name", "arguments", "id", "type"}:
        return None
    given = value.get("arguments")
    if isinstance(given, str):
        try:
            given = DECODER.decode(given)
        except (ValueError, RecursionError):
            return None
    given = {} if given is None else given
    return (value["name"], given) if isinstance(given, dict) else None


ToolParserManager.register_module("lenient_hermes", module=LenientHermesToolParser)
