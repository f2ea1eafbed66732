"""The prompt of one turn: the official text as it is, or our own wording around the same parts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from toolyard.benchmarks.mtu.matching import reference_day
from toolyard.core.templates import render
from toolyard.core.types import Json, Message, Options, Sample

STYLES = ("default", "verbatim", "native")
FOLDER = Path(__file__).parent / "templates"
TEMPLATES = {file.stem: file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.txt"))}


def prompt(sample: Sample, options: Options) -> tuple[Message, ...]:
    """The messages that ask for this turn, with the recorded history."""
    return prompt_with(sample, sample.input["history"], options)


def prompt_with(sample: Sample, history: list[Json], options: Options) -> tuple[Message, ...]:
    """The same with another history, e.g. what the model itself did before."""
    if options.style == "verbatim":
        return (Message("user", verbatim(sample.input, history)),)
    return (Message("user", default(sample.input, history, {**TEMPLATES, **options.templates})),)


def default(prompt: Mapping[str, Json], history: list[Json], templates: Mapping[str, str]) -> str:
    """Our own instructions for the kind of turn, the tool documents as JSON, history and user turn."""
    several = prompt["kind"][2] == "M"
    day = reference_day(prompt["instructions"])
    # The weekday that the official prompts give is wrong for that date, so that only the date is kept.
    today = f"6. Today is {day.isoformat()}." if day else ""
    instructions = render(
        templates["instructions_multiple" if several else "instructions_single"], {"today": today}
    )
    text = render(
        templates["turn"],
        {
            "instructions": instructions.strip(),
            "tools": tools_text(prompt),
            "history": history_text(history, prompt["form"]),
            "user": prompt["user"] + (f"\nAssistant: {prompt['after']}" if prompt["after"] else ""),
        },
    )
    return text.strip()


def tools_text(prompt: Mapping[str, Json]) -> str:
    """The tool documents, one JSON object a line; parameters that all of them share come last."""
    import orjson

    documents = [*prompt["tools"]]
    if prompt["shared_parameters"]:
        documents.append({"parameters_of_all_tools": prompt["shared_parameters"]})
    return "\n".join(orjson.dumps(document).decode() for document in documents) or "(none)"


def history_text(history: list[Json], form: str) -> str:
    """The earlier turns in the official layout of their kind."""
    return "\n".join(_observed(turn) if form == "observed" else _actions(turn) for turn in history)


def verbatim(prompt: Mapping[str, Json], history: list[Json]) -> str:
    """The official text; where the history is not the recorded one, the same layout around it."""
    question: str = prompt["question"]
    if history == prompt["history"]:
        return question
    from toolyard.benchmarks.mtu.question import ToolList, find_tools

    tools = find_tools(question)
    head = question[: tools.end] if isinstance(tools, ToolList) else question
    user = prompt["user"] + (f"\nAssistant: {prompt['after']}" if prompt["after"] else "")
    return f"{head}\nHistory Dialog: \n{history_text(history, prompt['form'])}\nUser: {user}"


def _observed(turn: Mapping[str, Json]) -> str:
    lines = [f"user: {turn['user']}", "function: ", f"Thought: {turn['thought']}"]
    for call in turn["calls"]:
        lines += [f"Action: {call['name']}", f"Action Input: {_json(call['arguments'] or {})}"]
    lines += [f"observation: : {turn['observation']}", f"assistant: : {turn['assistant']}"]
    return "\n".join(lines)


def _actions(turn: Mapping[str, Json]) -> str:
    calls = {call["name"]: call["arguments"] or {} for call in turn["calls"]}
    lines = [f"User:  {turn['user']}", f"Action: {_json(calls)}"]
    if turn["observation"]:
        lines.append(f"Observation: {turn['observation']}")
    return "\n".join([*lines, f"Assistant:  {turn['assistant']}", ""])


def _json(value: Json) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
