"""Requests of Seal-Tools as single turns."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import StandardCall, StandardTurn
from toolyard.benchmarks.mtu.synth.instruct.written_thoughts import thought
from toolyard.benchmarks.mtu.synth.training.tool_lists import KnownTool, from_flat
from toolyard.core.types import JsonValue
from toolyard.synth.mixture.seal_tools import SealRequest


def turn_of(request: SealRequest, rng: random.Random) -> StandardTurn:
    """The request as a turn; what an earlier call returns is named `Tool.result`."""
    results = {
        label: f"{call['api']}.{result}"
        for call, tool in zip(request.calling, request.tools, strict=True)
        for label, result in zip(call["responses"], tool["responses"], strict=False)
    }
    calls = tuple(
        StandardCall(call["api"], {key: _value(value, results) for key, value in call["parameters"].items()})
        for call in request.calling
    )
    turn = StandardTurn(request.query, label="call", calls=calls)
    return replace(turn, thought=thought(turn, (), rng))


def _value(value: JsonValue, results: Mapping[str, str]) -> JsonValue:
    return results.get(value, value) if isinstance(value, str) else value


def known_tools(tools: Mapping[str, Mapping[str, JsonValue]]) -> dict[str, KnownTool]:
    """The tools that may stand beside those of a request."""
    return {
        name: KnownTool(
            from_flat(tool), frozenset({name.casefold()}), frozenset({str(tool["field"]).split("/")[0]})
        )
        for name, tool in tools.items()
    }
