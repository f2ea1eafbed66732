"""Native calls through the project's own server of the Model Context Protocol: everything is as without it."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from cases import cases
from toolyard import evaluate
from toolyard.core.episodes import MCP
from toolyard.core.errors import MissingExtra
from toolyard.core.types import Completion, Execute, Observation, Request, ServeTools
from toolyard.run.play.episodes import server_answers
from toolyard.run.play.tool_server import ToolServer

pytest.importorskip("mcp")
# Arguments that are missing, wrong, unreadable, no object, huge or foreign text; the last call comes twice.
ARGUMENTS = tuple(cases(__file__, "arguments"))


class Erring:
    """Calls what is offered, and what is not, with arguments that are wrong in every way."""

    name, price = "python/erring", None

    def __init__(self) -> None:
        self.offers: dict[tuple[str, int], Any] = {}

    async def generate(self, request: Request) -> Completion:
        step = sum(message.role == "assistant" for message in request.messages)
        self.offers[request.sample, step] = [json.dumps(tool, sort_keys=True) for tool in request.tools]
        if step >= len(ARGUMENTS):
            return Completion("I give up.")
        names = [str(tool["function"]["name"]) for tool in request.tools]  # type: ignore[call-overload,index]
        name = "fly_to_the_moon" if step == 1 else names[0]
        function = {"name": name, "arguments": ARGUMENTS[step]}
        return Completion("", tool_calls=({"id": f"c{step}", "type": "function", "function": function},))

    async def close(self) -> None: ...


def everything(folder: Path, benchmark: str, style: str, model: Any) -> tuple[Any, Any]:
    """Transcripts by sample, less times and the name of the style, and all figures."""
    result = evaluate(benchmark, model, style=style, limit=4, runs=folder, name=style)
    found = {}
    for line in (folder / style / "transcripts.jsonl").read_text().splitlines():
        row = json.loads(line)
        row["notes"].pop("style", None)
        for completion in row["completions"]:
            completion.pop("latency", None)
        found[row["sample"]] = row
    return found, {name: each.value for name, each in result.summaries["paper"].figures.items()}


@pytest.mark.parametrize("benchmark", ["nestools", "tooleyes"])
def test_gold_is_played_as_without_the_protocol(tmp_path: Path, benchmark: str) -> None:
    transcripts, figures = everything(tmp_path, benchmark, "native", "scripted/oracle")
    assert everything(tmp_path, benchmark, MCP, "scripted/oracle") == (transcripts, figures)
    assert figures["outcome"] == 1.0


@pytest.mark.parametrize("benchmark", ["nestools", "tooleyes"])
def test_a_model_that_errs_sees_the_same_functions_and_answers(tmp_path: Path, benchmark: str) -> None:
    models = {style: Erring() for style in ("native", MCP)}
    seen = {style: everything(tmp_path, benchmark, style, model) for style, model in models.items()}
    assert seen["native"] == seen[MCP]
    assert models["native"].offers == models[MCP].offers
    assert all(len(row["completions"]) > 5 for row in seen[MCP][0].values())


def test_calls_really_go_over_the_protocol() -> None:
    made: list[Any] = []

    def answer(call: Any) -> str:
        made.append(call["function"])
        return '{"berth": "API_call_0"}'

    function = {"name": "book_berth", "description": "Books.", "parameters": {"type": "object"}}
    served = ({"type": "function", "function": function},)
    with ToolServer(server_answers(ServeTools(served, answer), None)) as server:
        assert server.functions() == served
        given = server.call(Execute("book_berth", {"nights": 3}))
        assert server._client.protocol_version
    assert given == Observation('{"berth": "API_call_0"}', {"berth": "API_call_0"})
    assert made == [{"name": "book_berth", "arguments": {"nights": 3}}]


def test_without_the_package_a_line_says_how_to_get(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(MissingExtra, match=r"^--style mcp needs mcp: pip install 'toolyard\[mcp\]'$"):
        evaluate("nestools", "scripted/oracle", style=MCP, limit=1, runs=tmp_path)
