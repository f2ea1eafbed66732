"""The prompt of one turn: the official text as it is, or our own wording around the same parts."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import cast

import orjson

from toolyard.benchmarks.mtu.data.sample import MtuInput, MtuSample, MtuTurn
from toolyard.benchmarks.mtu.scoring.value_equality import reference_day, reference_weekday
from toolyard.core.benchmark import SeenResults
from toolyard.core.cache_by_object import PerObject
from toolyard.core.perturbations import sample_perturbation
from toolyard.core.programs import CODE
from toolyard.core.tool_search import SEARCH
from toolyard.core.types import JsonValue, Message, Options, Record
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.core.variations import read_templates
from toolyard.text.documents import from_mtu, to_openai
from toolyard.text.templates import render
from toolyard.text.tool_calling import python_names, python_stub

# Styles in which calls are made and the model goes on with what they return, in its turn.
EXECUTED_CODE = "code-executed"
LOOPS = ("native-executed", "native-parallel", SEARCH)
EXECUTED = (*LOOPS, EXECUTED_CODE)
PROGRAMS = (CODE, EXECUTED_CODE)
STYLES = ("default", "example", "verbatim", "native", CODE, *EXECUTED)
ONE = "Call one tool at most."
SEVERAL = (
    "A turn may need several calls: make them in the order in which they must run. Where a call needs what an earlier "
    "call of the turn returns, give that tool's name, a dot and the name of what it returns, such as `{{reference}}`."
)
SEVERAL_EXECUTED = "A turn may need several calls, each made once."
FOLDER = Path(__file__).parents[1] / "templates"
WAYS = read_templates(FOLDER / "ways")
TEMPLATES = {file.stem: file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.txt"))}


def prompt(sample: MtuSample, options: Options) -> tuple[Message, ...]:
    """The messages that ask for this turn, with the recorded history."""
    return prompt_with_history(sample, sample.input["history"], options)


def prompt_with_history(sample: MtuSample, history: list[MtuTurn], options: Options) -> tuple[Message, ...]:
    """The same with another history, e.g. what the model itself did before."""
    if options.style == "verbatim":
        return (Message("user", official_text(sample.input, history)),)
    templates = {**TEMPLATES, **WAYS, **options.templates}
    instructions = _own_instructions(sample.input, templates, options.style)
    fields = {
        "instructions": instructions,
        "history": history_text(history, sample.input["form"]),
        "user": _last_turn(sample.input),
        "reference": reference_example(sample.input["tools"]),
    }
    if options.style == "native":
        return (Message("user", render(templates["turn_native"], fields).strip()),)
    if options.style in (*PROGRAMS, *EXECUTED):
        shown = {"functions": _tool_stubs(sample)} if options.style in PROGRAMS else {}
        return (Message("user", render(templates[options.style], {**fields, **shown}).strip()),)
    text = render(templates["turn"], {**fields, "tools": tools_text(sample.input)})
    return (Message("user", text.strip()),)


def _own_instructions(prompt: MtuInput, templates: Mapping[str, str], style: str) -> str:
    """Our own instructions for the kind of turn."""
    multiple, beside = prompt["kind"][2] == "M", style in ("native", *PROGRAMS, *EXECUTED)
    day = reference_day(prompt["instructions"])
    # The weekday that the official prompts give is wrong for that date, but it is what their gold counts from.
    weekday = reference_weekday(prompt["instructions"]).capitalize()
    named = ", ".join(part for part in (weekday, day.isoformat() if day else "") if part)
    today = f"{5 if beside else 6}. Today is {named}." if day else ""
    reference = reference_example(prompt["tools"])
    if beside:
        text = SEVERAL_EXECUTED if style in EXECUTED else SEVERAL
        several = render(text, {"reference": reference}) if multiple else ONE
        fields = {"today": today, "several": several}
        return render(templates["instructions_native"], fields).strip()
    kind = "multiple" if multiple else "single"
    instructions = render(templates[f"instructions_{kind}"], {"today": today, "reference": reference}).strip()
    if style != "example":
        return instructions
    return f"{instructions}\n\n{render(templates[f'example_{kind}'], {}).strip()}"


def reference_example(tools: Iterable[Record]) -> str:
    """How a result is referred to, by the first listed tool that returns something; small models copy other names."""
    for tool in tools:
        results = tool.get("result_parameters") if isinstance(tool, Mapping) else None
        first = next(iter(results), None) if isinstance(results, list | Mapping) else None
        name = first.get("name") if isinstance(first, Mapping) else first
        if isinstance(name, str) and isinstance(tool.get("name"), str):
            return f"{tool['name']}.{name}"
    return "tool_name.result_name"


def result_names(tool: Record) -> tuple[str, ...]:
    """The names of what a tool returns."""
    results = tool.get("result_parameters")
    entries = list(results) if isinstance(results, list | Mapping) else []
    names = (entry.get("name") if isinstance(entry, Mapping) else entry for entry in entries)
    return tuple(name for name in names if isinstance(name, str))


def _returned_names(sample: MtuSample) -> dict[str, tuple[str, ...]]:
    documents = (each for each in sample.input["tools"] if isinstance(each, Mapping))
    return {str(each.get("name", "")): result_names(each) for each in documents}


RESULTS = SeenResults(EXECUTED, _returned_names, entries=True)


def python_tools(sample: MtuSample) -> dict[str, Record]:
    """The tool documents by the name that a program calls each tool by."""
    documents = [document for document in sample.input["tools"] if isinstance(document, Mapping)]
    return dict(zip(python_names([str(each.get("name", "")) for each in documents]), documents, strict=True))


def _tool_stubs(sample: MtuSample) -> str:
    """The tools as Python functions, with what they return."""
    found = []
    for (name, document), function in zip(python_tools(sample).items(), offered_tools(sample), strict=True):
        entry: Record = cast(Record, function["function"])
        returned = ", ".join(result_names(document))
        described = (
            f"{entry.get('description') or ''} Returns {returned}." if returned else entry.get("description")
        )
        found.append(python_stub(name, {**entry, "description": described}))
    return "\n\n".join(found)


def offered_tools(sample: MtuSample) -> tuple[Mapping[str, JsonValue], ...]:
    """The tool documents as function schemas; what is no document is left out, as no model could call it."""
    shared = [entry for entry in sample.input["shared_parameters"] if isinstance(entry, Mapping)]
    documents = [document for document in sample.input["tools"] if isinstance(document, Mapping)]
    functions = (
        to_openai(from_mtu(_complete_document(document, shared)), wrapped=True) for document in documents
    )
    given = sample_perturbation(sample)
    if given is None:
        return tuple(functions)
    return tuple({**each, "function": given.document(cast(Record, each["function"]))} for each in functions)


def _complete_document(document: Record, shared: list[Record]) -> dict[str, JsonValue]:
    optional = document.get("optional_parameters") or []
    if shared and isinstance(optional, list):
        optional = [*optional, *shared]
    return {"description": "", **document, "optional_parameters": optional}


def _last_turn(prompt: MtuInput) -> str:
    user: str = prompt["user"]
    return f"{user}\nAssistant: {prompt['after']}" if prompt["after"] else user


def tools_text(prompt: MtuInput) -> str:
    """The tool documents, one JSON object a line; parameters that all of them share come last."""
    documents = list(map(_written, prompt["tools"]))
    if prompt["shared_parameters"]:
        documents.append(_json_text({"parameters_of_all_tools": prompt["shared_parameters"]}))
    return "\n".join(documents) or "(none)"


def _json_text(document: Record) -> str:
    return orjson.dumps(json_safe(document)).decode()


# The turns of a dialogue share their documents.
_written: PerObject[Record, str] = PerObject(_json_text)


def history_text(history: list[MtuTurn], form: str) -> str:
    """The earlier turns in the official layout of their kind."""
    return "\n".join(
        _turn_with_observation(turn) if form == "observed" else _actions_of_turn(turn) for turn in history
    )


def official_text(prompt: MtuInput, history: list[MtuTurn]) -> str:
    """The official text; where the history is not the recorded one, the same layout around it."""
    question: str = prompt["question"]
    if history == prompt["history"]:
        return question
    from toolyard.benchmarks.mtu.task.question import ToolList, find_tools

    tools = find_tools(question)
    head = question[: tools.end] if isinstance(tools, ToolList) else question
    return f"{head}\nHistory Dialog: \n{history_text(history, prompt['form'])}\nUser: {_last_turn(prompt)}"


def _turn_with_observation(turn: MtuTurn) -> str:
    lines = [f"user: {turn['user']}", "function: ", f"Thought: {turn['thought']}"]
    for call in turn["calls"]:
        lines += [f"Action: {call['name']}", f"Action Input: {_json_dump(call['arguments'] or {})}"]
    lines += [f"observation: : {turn['observation']}", f"assistant: : {turn['assistant']}"]
    return "\n".join(lines)


def _actions_of_turn(turn: MtuTurn) -> str:
    calls = {call["name"]: call["arguments"] or {} for call in turn["calls"]}
    lines = [f"User:  {turn['user']}", f"Action: {_json_dump(calls)}"]
    if turn["observation"]:
        lines.append(f"Observation: {turn['observation']}")
    return "\n".join([*lines, f"Assistant:  {turn['assistant']}", ""])


def _json_dump(value: JsonValue) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
