"""Agents as models: functions, inspect's agents, commands that speak MCP; their calls are recorded one by one."""

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cases import cases, each_case
from toolyard.core.errors import ProviderError, UsageError
from toolyard.core.types import Completion, Decoding, Message, Request
from toolyard.models.base import Model
from toolyard.models.loading import load_model, model_price
from toolyard.run.api import evaluate

AGENT = f"agent:{sys.executable} {Path(__file__).resolve().parents[1] / 'small_agents.py'}"
WEATHER = cases(__file__, "weather")
REQUEST = Request((Message("user", "What is it like?"),), Decoding(), sample="s", tools=(WEATHER,))


async def played(model: Model, answer: Callable[[str], str]) -> list[Completion]:
    """The completions of one episode in which every call is answered."""
    request, found = REQUEST, []
    try:
        for _ in range(9):
            completion = await model.generate(request)
            found.append(completion)
            if not completion.tool_calls:
                break
            results = tuple(
                Message("tool", answer(call["function"]["arguments"]), tool_call_id=call["id"])
                for call in completion.tool_calls
            )
            request = Request(
                (*request.messages, completion.message, *results), Decoding(), sample="s", tools=(WEATHER,)
            )
    finally:
        await model.close()
    return found


def test_a_function_gets_messages_and_tools_and_answers_with_text_or_a_message() -> None:
    first, last = asyncio.run(played(load_model("python:small_agents:planner"), lambda arguments: "rain"))
    assert first.text == "I look first."
    assert first.tool_calls[0]["function"] == {"name": "weather", "arguments": "{}"}
    assert (last.text, last.tool_calls) == ("Every town was looked up.", ())
    (only,) = asyncio.run(played(load_model("python:small_agents:thinker"), str))
    assert only.text == "1 tools, 1 messages"
    (alone,) = asyncio.run(played(load_model("python:small_agents:listener"), str))
    assert alone.text == "1 messages"
    assert model_price("python:small_agents:planner") is None
    with pytest.raises(ProviderError, match="returned int"):
        asyncio.run(played(load_model("python:small_agents:wrong"), str))


@each_case("spec, complaint")
def test_an_agent_that_is_not_there_is_one_line(spec: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        load_model(spec)


def test_an_agent_of_inspect_makes_its_calls_in_the_sample_and_not_by_itself() -> None:
    pytest.importorskip("inspect_ai")
    model = load_model("inspect-agent:small_agents:inspect_agent")
    called, ended = asyncio.run(played(model, lambda arguments: f"rain for {arguments}"))
    assert json.loads(called.tool_calls[0]["function"]["arguments"]) == {"city": "Oslo"}
    assert ended.text == 'It said rain for {"city": "Oslo"}'


def test_a_command_that_speaks_mcp_is_recorded_call_by_call() -> None:
    pytest.importorskip("mcp")
    model = load_model(AGENT)
    *called, ended = asyncio.run(played(model, lambda arguments: f"sun {arguments}"))
    assert [json.loads(item.tool_calls[0]["function"]["arguments"])["city"] for item in called] == [
        "Oslo",
        "Bergen",
    ]
    said = json.loads(ended.text)
    assert said == {"task": "What is it like?", "found": ['sun {"city": "Oslo"}', 'sun {"city": "Bergen"}']}


def test_a_command_that_fails_or_hangs_leaves_its_sample_unanswered(tmp_path: Path) -> None:
    failing = load_model(f"agent:{sys.executable} -c \"import sys; sys.exit('no way')\"")
    with pytest.raises(ProviderError, match="ended with 1: no way"):
        asyncio.run(played(failing, str))
    hanging = load_model(f'agent:{sys.executable} -c "import time; time.sleep(60)"', timeout=0.5)
    with pytest.raises(ProviderError, match=r"timeout|did nothing"):
        asyncio.run(played(hanging, str))
    (program := tmp_path / "no-format").write_bytes(b"\0")
    program.chmod(0o700)
    with pytest.raises(ProviderError, match="cannot be started"):
        asyncio.run(played(load_model(f"agent:{program}"), str))


def test_a_whole_run_of_an_agent_is_scored_like_any_model(tmp_path: Path) -> None:
    result = evaluate("mtu", "python:small_agents:planner", limit=3, style="native", runs=tmp_path)
    assert result.summaries["paper"].samples >= 3
    calls = [item.transcript.completions[0].tool_calls for item in result.graded["paper"]]
    assert any(calls)
