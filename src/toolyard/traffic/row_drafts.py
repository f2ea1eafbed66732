"""Failing trajectories as draft rows of MTU-Bench, for a person to put right; after that they are a test set.

{"id": "S-S_0", "question": "…", "answer": {"find_bus": {"to": "Oslo"}},
 "review": {"status": "draft", "trajectory": "…", "found": ["…"]}}
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from toolyard.benchmarks.mtu.data.sample import MtuPastCall, MtuTurn
from toolyard.benchmarks.mtu.task.prompt import TEMPLATES, history_text
from toolyard.core.draft_rows import DRAFT, FIELD
from toolyard.core.types import Failure, JsonValue
from toolyard.text.documents import from_openai, to_mtu
from toolyard.text.templates import render
from toolyard.traffic.traffic_scoring import JudgedEpisode
from toolyard.traffic.trajectory import RecordedTurn, TracedEpisode

FILE = "traffic.jsonl"


def draft_rows(judged: Sequence[JudgedEpisode]) -> Iterator[dict[str, JsonValue]]:
    """One row for the last user turn of every failing trajectory that has one."""
    failing = [item for item in judged if item.failing and user_turns(item.trajectory)]
    for number, item in enumerate(failing):
        *past, last = user_turns(item.trajectory)
        calls = {
            call.name: dict(call.arguments)
            for turn in last[1:]
            for call in turn.calls
            if not isinstance(call.arguments, Failure)
        }
        setting = "S-M" if len(calls) > 1 else "S-S"
        kind = "multiple" if setting == "S-M" else "single"
        yield {
            "id": f"{setting}_{number}",
            "question": _question_text(item.trajectory, past, last[0].text, kind),
            "answer": calls,
            FIELD: {
                "status": DRAFT,
                "trajectory": item.trajectory.id,
                "model": item.trajectory.model,
                "found": [f"{found.figure}: {found.why}" for found in item.findings],
            },
        }


def user_turns(trajectory: TracedEpisode) -> list[list[RecordedTurn]]:
    """The messages by user turn, each turn with the user's message first."""
    found: list[list[RecordedTurn]] = []
    for turn in trajectory.turns:
        if turn.role == "user":
            found.append([turn])
        elif found:
            found[-1].append(turn)
    return found


def _question_text(
    trajectory: TracedEpisode, past: Sequence[Sequence[RecordedTurn]], user: str, kind: str
) -> str:
    fields = {"today": "", "reference": "tool_name.result_name"}
    instructions = render(TEMPLATES[f"instructions_{kind}"], fields)
    tools = json.dumps(
        [_document_of_tool(tool) for tool in (trajectory.tools or {}).values()], ensure_ascii=False
    )
    history = history_text([_past_turn(turns) for turns in past], "observed")
    before = f"{history}\n" if history else ""
    return f"{instructions}\nTools with their parameters:\n{tools}\nHistory Dialog: \n{before}User: {_join_lines(user)}"


def _document_of_tool(tool: Mapping[str, JsonValue]) -> JsonValue:
    schema = tool.get("parameters") or tool.get("inputSchema") or {}
    plain = {
        "name": tool.get("name"),
        "description": str(tool.get("description") or ""),
        "parameters": schema,
    }
    return to_mtu(from_openai(plain, "recorded tool"))


def _past_turn(turns: Sequence[RecordedTurn]) -> MtuTurn:
    calls: list[MtuPastCall] = [
        {"name": call.name, "arguments": {} if isinstance(call.arguments, Failure) else dict(call.arguments)}
        for turn in turns
        for call in turn.calls
    ]
    said = [turn.text for turn in turns if turn.role == "assistant" and turn.text]
    seen = [turn.text for turn in turns if turn.role == "tool"]
    return {
        "user": _join_lines(turns[0].text),
        "thought": "",
        "calls": calls,
        "observation": _join_lines(" ".join(seen)),
        "assistant": _join_lines(" ".join(said)),
    }


def _join_lines(text: str) -> str:
    return " ".join(text.split())
