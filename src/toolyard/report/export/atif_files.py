"""A run as trajectories of ATIF, the Agent Trajectory Interchange Format: one JSON file per answer.

{"schema_version": "ATIF-v1.7", "session_id": "65cef232", "trajectory_id": "1-0", "agent": {"name": "toolyard/mtu", ...},
 "steps": [{"step_id": 1, "source": "user", "message": "..."}, {"step_id": 2, "source": "agent", "message": "...",
   "tool_calls": [{"tool_call_id": "c1", "function_name": "find_bus", "arguments": {}}],
   "observation": {"results": [{"source_call_id": "c1", "content": "..."}]}}]}
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from toolyard.core.types import JsonValue, Message, Record, Transcript
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.lines import encode, write_whole
from toolyard.report.content import Report
from toolyard.report.tables.statistics_tables import sample_scores
from toolyard.text.json_values import mapping

VERSION = "ATIF-v1.7"
SOURCES = {"user": "user", "assistant": "agent"}


def write_atif(report: Report, folder: Path) -> list[Path]:
    """The trajectory files; an answer that was never asked for has none."""
    alone = {profile: sample_scores(report.setup, report.graded[profile]) for profile in report.graded}
    written = []
    for place, item in enumerate(report.graded["paper"]):
        scores = {str(profile): values[place] for profile, values in alone.items()}
        found = atif_trajectory(report, item.transcript, scores)
        if not found["steps"]:
            continue
        name = re.sub(r"[^A-Za-z0-9.-]+", "-", f"{item.sample.id}-{item.transcript.trial}")[:80]
        written.append(folder / f"{place:05d}_{name}.json")
        write_whole(written[-1], encode(found))
    return written


def atif_trajectory(report: Report, transcript: Transcript, scores: Mapping[str, float | None]) -> Record:
    """One answer in ATIF."""
    steps = [{"step_id": number, **step} for number, step in enumerate(_steps_of_transcript(transcript), 1)]
    config = report.run.config
    about = {"benchmark": config.benchmark, "version": config.version, "data_sha256": config.data_sha256}
    answer = {"sample": transcript.sample, "trial": transcript.trial, "scores": dict(scores)}
    usage = transcript.usage
    found = {
        "schema_version": VERSION,
        "session_id": str(report.manifest["digest"])[:16],
        "trajectory_id": f"{transcript.sample}-{transcript.trial}",
        "agent": {
            "name": f"toolyard/{config.benchmark}",
            "version": str(report.manifest.get("package_version") or "unknown"),
            "model_name": report.model,
        },
        "steps": steps,
        "final_metrics": {
            "total_prompt_tokens": usage.prompt_tokens,
            "total_completion_tokens": usage.completion_tokens,
            "total_cached_tokens": usage.cached_tokens,
            "total_steps": len(steps),
        },
        "extra": {**about, **answer},
    }
    failed = transcript.error
    return found if failed is None else {**found, "notes": f"{failed.kind}: {failed.detail}"}


def _steps_of_transcript(transcript: Transcript) -> list[dict[str, object]]:
    """The messages as steps; what a tool returned belongs to the step that called it."""
    messages: Sequence[Message] = transcript.messages or [
        Message("assistant", item.text, tool_calls=item.tool_calls, reasoning=item.reasoning)
        for item in transcript.completions
    ]
    steps: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "tool" and steps and steps[-1]["source"] == "agent":
            called = {call["tool_call_id"] for call in steps[-1].get("tool_calls", ())}
            source = {"source_call_id": message.tool_call_id} if message.tool_call_id in called else {}
            results = steps[-1].setdefault("observation", {"results": []})["results"]
            results.append({**source, "content": message.content})
        else:
            steps.append(_step_of_message(message))
    return steps


def _step_of_message(message: Message) -> dict[str, object]:
    step: dict[str, object] = {"source": SOURCES.get(message.role, "system"), "message": message.content}
    if message.role == "assistant":
        if message.reasoning:
            step["reasoning_content"] = message.reasoning
        if message.tool_calls:
            step["tool_calls"] = list(_calls_of_message(message.tool_calls))
    return step


def _calls_of_message(calls: Sequence[Mapping[str, JsonValue]]) -> Iterator[dict[str, JsonValue]]:
    for number, call in enumerate(calls):
        function = mapping(call.get("function"))
        written = function.get("arguments")
        arguments = _object_or_none(written)
        yield {
            "tool_call_id": str(call.get("id") or f"call_{number}"),
            "function_name": str(function.get("name") or ""),
            "arguments": {} if arguments is None else arguments,
            # The format has room for objects alone.
            **({"extra": {"arguments_as_written": written}} if arguments is None else {}),
        }


def _object_or_none(written: JsonValue) -> JsonValue | None:
    try:
        found = json_safe(json.loads(written)) if isinstance(written, str) else written
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
