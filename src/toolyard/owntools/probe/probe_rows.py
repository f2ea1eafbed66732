"""The suites as ordinary data folders of the four benchmarks, with whatever documents are to be tried."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from toolyard.benchmarks.alternatives import FIELD as ALTERNATIVES
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import gold_answer, question
from toolyard.core.types import JsonValue, Record
from toolyard.lines import write_whole
from toolyard.owntools.probe.probe_steps import Step, StepChain
from toolyard.owntools.probe.probe_suites import DialogueRow, GoalRow, NestedRow, Suites, TwinRow
from toolyard.owntools.sources.tool_source import SourceTool
from toolyard.text.documents import ABSENT, Parameter, ToolDocument, to_mtu, to_nestools, to_openai
from toolyard.text.json_values import mapping
from toolyard.world.kernel.state import EPOCH

FINISH = "Finish: Ends the plan once everything that was asked for is done."
UNSOLVABLE = "UnsolvableQuery: Stands in for a step that none of the listed tools can do."
SCENARIO = "AM"


class Documents:
    """The documents of all tools in every benchmark's own form."""

    def __init__(self, tools: Sequence[SourceTool], returns: Mapping[str, Sequence[str]], group: str) -> None:
        self.group = group
        self.ids = {tool.name: number for number, tool in enumerate(tools)}
        self.known: dict[str, ToolDocument] = {
            tool.name: replace(tool.document, returns=_returned_parameters(tool, returns.get(tool.name, ())))
            for tool in tools
        }

    def openai(self, name: str) -> dict[str, JsonValue]:
        """A function schema."""
        return to_openai(self.known[name], wrapped=False)

    def mtu(self, name: str) -> dict[str, JsonValue]:
        """MTU-Bench's form."""
        return to_mtu(replace(self.known[name], dialect="", layout={}))

    def nestools(self, name: str) -> dict[str, JsonValue]:
        """NesTools' form, with an id."""
        return to_nestools(replace(self.known[name], id=self.ids[name], dialect="", layout={}))

    def numbered_list(self, names: Sequence[str]) -> str:
        """ToolBeHonest's numbered list."""
        lines = [f"{name}: {' '.join(self.known[name].description.split())}".strip() for name in names]
        return "\n".join(f"{number}. {line}" for number, line in enumerate([*lines, FINISH, UNSOLVABLE], 1))


def _returned_parameters(tool: SourceTool, names: Sequence[str]) -> tuple[Parameter, ...]:
    known = mapping((tool.result or {}).get("properties"))
    found = []
    for name in names:
        about = mapping(known.get(name))
        text = about.get("description")
        kind = about.get("type")
        found.append(
            Parameter(name, kind if isinstance(kind, str) else "", text if isinstance(text, str) else None)
        )
    return tuple(found)


def write_suites(suites: Suites, documents: Documents, folder: Path) -> dict[str, Path]:
    """One data folder for each benchmark that has rows, by its name."""
    writers: dict[str, tuple[Sequence[object], Callable[..., None]]] = {
        "nestools": (suites.nested, _write_nested),
        "mtu": (suites.dialogues, _write_dialogues),
        "toolbehonest": (suites.twins, _write_twins),
        "tooleyes": (suites.goals, _write_goals),
    }
    found = {}
    for name, (rows, write) in writers.items():
        if rows:
            place = folder / name
            place.mkdir(parents=True, exist_ok=True)
            write(rows, documents, place)
            found[name] = place
    return found


def _write_lines(path: Path, rows: Iterator[object]) -> None:
    write_whole(
        path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8", "replace")
    )


def _write_nested(rows: Sequence[NestedRow], documents: Documents, folder: Path) -> None:
    _write_lines(
        folder / "test_data.jsonl",
        (_nested_json(number, row, documents) for number, row in enumerate(rows, 1)),
    )
    _write_lines(
        folder / "test_api_ids.jsonl",
        ({"test_id": number, "api_ids": [documents.ids[name] for name in dict.fromkeys(row.chain.tools)]}
         for number, row in enumerate(rows, 1)),
    )  # fmt: skip
    _write_lines(
        folder / "distractors.jsonl",
        ({"test_id": number,
          "distractors": [documents.nestools(name) for name in row.offered if name not in row.chain.tools]}
         for number, row in enumerate(rows, 1)),
    )  # fmt: skip


def _nested_json(number: int, row: NestedRow, documents: Documents) -> dict[str, JsonValue]:
    tools = [documents.nestools(name) for name in dict.fromkeys(row.chain.tools)]
    return {
        "test_id": number,
        "api": [{key: value for key, value in tool.items() if key != "api_id"} for tool in tools],
        "task": row.request,
        "call": list(_labelled_calls(row.chain, documents)),
        "field": "Own/Tools",
        **_optional_alternatives(row.chain.steps, documents),
    }


def _optional_alternatives(steps: Sequence[Step], documents: Documents) -> dict[str, JsonValue]:
    """A parameter that may be left out may as well be null or what the document says it is then."""
    entries: list[JsonValue] = []
    for place, step in enumerate(steps):
        for each in documents.known[step.tool].parameters:
            if not each.required and each.name not in step.arguments:
                values = [None] if each.default in (ABSENT, None) else [each.default, None]
                entries.append({"call": place, "parameter": each.name, "values": values})
    return {ALTERNATIVES: entries} if entries else {}


def _labelled_calls(chain: StepChain, documents: Documents) -> Iterator[dict[str, JsonValue]]:
    """The calls with their results as labels, and what flows between them as these labels."""
    labels: list[dict[str, str]] = []
    count = 0
    for step in chain.steps:
        names = [each.name for each in documents.known[step.tool].returns]
        labels.append({name: f"API_call_{count + place}" for place, name in enumerate(names)})
        count += len(names)
        given = {
            name: labels[step.links[name].step][step.links[name].field] if name in step.links else value
            for name, value in step.arguments.items()
        }
        yield {"api_name": step.tool, "parameters": given, "responses": list(labels[-1].values())}


def _write_dialogues(rows: Sequence[DialogueRow], documents: Documents, folder: Path) -> None:
    for setting in dict.fromkeys(row.setting for row in rows):
        chosen = [row for row in rows if row.setting == setting]
        _write_lines(
            folder / f"{setting}_eval.jsonl",
            (line for number, row in enumerate(chosen) for line in _dialogue_rows(number, row, documents)),
        )


def _dialogue_rows(number: int, row: DialogueRow, documents: Documents) -> Iterator[dict[str, object]]:
    listed = [documents.mtu(name) for name in row.offered]
    past: list[Record] = []
    for place, turn in enumerate(row.turns):
        name = f"{row.setting}_{number}" + (f"_{place}" if row.setting[0] == "M" else "")
        yield {
            "id": name,
            "question": question(row.setting, listed, past, turn.user, EPOCH.date()),
            "answer": gold_answer(row.setting, {step.tool: step.arguments for step in turn.calls}),
            **_optional_alternatives(turn.calls, documents),
        }
        past.append({
            "user": turn.user, "thought": turn.thought, "calls": [_call_json(step) for step in turn.calls],
            "observation": " ".join(json.dumps(dict(step.result), ensure_ascii=False)[:600] for step in turn.calls),
            "assistant": turn.reply,
        })  # fmt: skip


def _call_json(step: Step) -> dict[str, JsonValue]:
    return {"name": step.tool, "arguments": dict(step.arguments)}


def _write_twins(rows: Sequence[TwinRow], documents: Documents, folder: Path) -> None:
    items = [_twin_row(number, row, documents) for number, row in enumerate(rows)]
    write_whole(
        folder / "test_en.json", json.dumps(items, ensure_ascii=False, indent=1).encode("utf-8", "replace")
    )


def _twin_row(number: int, row: TwinRow, documents: Documents) -> dict[str, JsonValue]:
    tools = list(row.chain.tools)
    lacking = [*tools[: row.removed], "UnsolvableQuery", *tools[row.removed + 1 :]]
    return {
        "id": number,
        "subtask": "single_step" if len(tools) == 1 else "multi_step_wo_rep",
        "task": row.request,
        "tools": documents.numbered_list(row.offered),
        "unsolvable_task": row.request,
        "unsolvable_tools": documents.numbered_list([name for name in row.offered if name not in row.gone]),
        "planning_tools": [*tools, "Finish"],
        "planning_tools_unsolvable": [*lacking, "Finish"],
    }


def _write_goals(rows: Sequence[GoalRow], documents: Documents, folder: Path) -> None:
    _write_lines(
        folder / "goals.jsonl", (_goal_json(number, row, documents) for number, row in enumerate(rows))
    )


def _goal_json(number: int, row: GoalRow, documents: Documents) -> dict[str, JsonValue]:
    return {
        "id": f"goal-{number}",
        "path": documents.group,
        "scenario": SCENARIO,
        "query": row.query,
        **({"slots": dict(row.slots)} if row.slots else {}),
        "checks": dict(row.checks),
        "plan": [dict(step) for step in row.plan],
        "answer": row.answer,
        "documents": [documents.openai(name) for name in row.offered],
    }
